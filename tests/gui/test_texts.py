"""Sentences of operations as the window shows them."""

from __future__ import annotations

import pytest

from inspector.gui.texts import for_window


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("x could be a or b; say which with --from-format a.", "x could be a or b; say which."),
        ("x is empty. Open it as an empty store with --from-format tinydb.", "x is empty. Open it as an empty store."),
        ("formats are A, B; name one with --from-format to try it.", "formats are A, B; name one to try it."),
        (
            "x has no codec. Convert it to a format that has one: inspector convert '/a b/x' /x.db --to betterjson",
            "x has no codec. Convert it to a format that has one.",
        ),
        (
            "x is open in y; stop it first, or write a copy with -o. Nothing was changed.",
            "x is open in y; stop it first, or write a copy. Nothing was changed.",
        ),
        ("Jupyter with the configuration that `inspector jupyter-config` prints", "Jupyter with its configuration"),
        ("Rows are ignored; `inspector jupyter-config` prints what helps.", "Rows are ignored."),
        ("It writes only with `blosc2<3`.", "It writes only with blosc2<3."),
        ("/tmp/a`b.json ends in the middle.", "/tmp/a`b.json ends in the middle."),
    ],
)
def test_hints_for_the_command_line_are_left_out(sentence: str, shown: str) -> None:
    assert for_window(sentence) == shown
