"""The sample stores are what their cards say."""

import json

from inspector.operations.describe import info
from inspector.operations.open import open_store


def test_cards_tell_what_is_measured(samples):
    cards = json.loads((samples / "samples.json").read_text(encoding="utf-8"))
    assert len(cards) == 3
    for card in cards:
        with open_store(samples / card["file"]) as store:
            found = info(store)
            records = sum(entry["records"] for entry in found["collections"])
            versions = sum(entry["versions"] or 0 for entry in found["collections"])
            assert [f for f in found["findings"] if f["severity"] != "info"] == []
        count = f"{len(found['collections'])} documents" if versions else f"{records:,} records"
        assert card["kind_line"].endswith(count)
        assert not versions or f"{versions} versions" in card["text"]


def test_both_shops_hold_the_same(samples, inspect):
    found = inspect("diff", samples / "shop.json", samples / "shop.db", "--json").json
    assert found["counts"] == {"added": 0, "removed": 0, "changed": 0, "unchanged": 2020}
