"""The measuring verbs: shapes, exact sample counts, exports."""

import json
import xml.etree.ElementTree as ET

import pytest


def test_bench_has_the_shape_of_the_contract(inspect, samples):
    words = ("--codec", "zstd:level=3", "--codec", "none", "--runs", "2", "--json")
    found = inspect("bench", samples / "shop.json", *words).json
    assert set(found) >= {"machine", "data", "results"}
    assert found["data"][0]["bytes"] == (samples / "shop.json").stat().st_size
    assert found["data"][0]["items"] == 2020
    zstd, none = found["results"]
    assert (zstd["codec"], none["codec"]) == ("zstd:level=3", "none")
    for result in (zstd, none):
        assert set(result) >= {"data", "unit", "size", "ratio", "encode_mb_s", "decode_mb_s", "grew"}
        assert len(result["encode_s"]) == len(result["decode_s"]) == 2
        assert min(result["encode_s"] + result["decode_s"]) > 0
    assert none["size"] == found["data"][0]["bytes"]
    assert zstd["ratio"] == pytest.approx(none["size"] / zstd["size"])


def test_bench_of_rows_counts_those_that_grew(inspect, samples):
    words = ("--codec", "zlib", "--unit", "row", "--runs", "1", "--json")
    (result,) = inspect("bench", samples / "notebook/notebook.ystore.db", *words).json["results"]
    assert result["unit"] == "row"
    assert result["grew"] > 300


def test_bench_of_a_file_that_is_no_store_takes_its_bytes(inspect, tmp_path):
    path = tmp_path / "bytes.bin"
    path.write_bytes(b"abc" * 1000)
    found = inspect("bench", path, "--codec", "bz2", "--runs", "1", "--json").json
    assert found["data"][0]["bytes"] == 3000


def test_bench_writes_every_export(inspect, samples, tmp_path):
    names = {name: tmp_path / f"out.{name}" for name in ("save", "csv", "markdown", "html", "png", "svg")}
    words = [word for name, path in names.items() for word in (f"--{name}", path)]
    assert inspect("bench", samples / "shop.json", "--codec", "zstd", "--codec", "lz4", "--runs", "1", *words).code == 0
    assert json.loads(names["save"].read_text())["results"][0]["codec"] == "zstd"
    assert ET.fromstring(names["svg"].read_text()).tag.endswith("svg")
    assert names["png"].read_bytes().startswith(b"\x89PNG")
    assert "zstd" in names["csv"].read_text()
    assert "|" in names["markdown"].read_text()
    assert "<svg" in names["html"].read_text()


def test_bench_refuses_to_overwrite(inspect, samples, tmp_path):
    path = tmp_path / "out.csv"
    path.write_text("mine")
    found = inspect("bench", samples / "shop.json", "--codec", "none", "--runs", "1", "--csv", path)
    assert found.code == 1
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    "words", [("--codec", "deflate"), ("--codec", "zstd:level=x"), ("--runs", "0"), ("--unit", "x")]
)
def test_bench_wrong_usage(inspect, samples, words):
    assert inspect("bench", samples / "shop.json", *words).code == 2


def test_advise_never_recommends_what_unchanged_readers_do_not_open(inspect, samples):
    found = inspect("advise", samples / "notebook/notebook.ystore.db", "--json").json
    (recommended,) = [c for c in found["candidates"] if c["recommended"]]
    assert recommended["auto"]
    assert recommended["reason"]
    assert {c["action"] for c in found["candidates"]} == {"rewrite", "compress", "leave"}
    assert all(c["low"] <= c["estimate"] <= c["high"] for c in found["candidates"])
    assert set(found) == {"sample_bytes", "seconds", "candidates"}


def test_advise_recommends_a_better_inner_codec(inspect, samples, tmp_path):
    found = inspect("advise", samples / "shop.db", "--json").json
    (recommended,) = [c for c in found["candidates"] if c["recommended"]]
    assert recommended["action"] == "compress"
    outcome = inspect("compress", samples / "shop.db", "-o", tmp_path / "x.db", "--json").json
    assert outcome["bytes_after"] == pytest.approx(recommended["estimate"], rel=0.02)


def test_the_goal_of_advise_matters(inspect, samples):
    chosen = {}
    for goal in ("balanced", "smallest", "fastest"):
        candidates = inspect("advise", samples / "shop.db", "--goal", goal, "--json").json["candidates"]
        chosen[goal] = next(c for c in candidates if c["recommended"])
        assert chosen[goal]["opens_in"] == chosen["balanced"]["opens_in"]
    assert chosen["smallest"]["estimate"] < chosen["balanced"]["estimate"]
    assert chosen["fastest"]["decode_mb_s"] > chosen["balanced"]["decode_mb_s"] * 0.9


def test_advise_of_a_format_without_codec_offers_the_way_out(inspect, samples):
    assert "--to betterjson" in inspect("advise", samples / "shop.json").err


@pytest.mark.slow
def test_bench_of_versions_of_the_users_own_records(inspect, tmp_path):
    path = tmp_path / "db.json"
    path.write_text(json.dumps({"_default": {str(n): {"name": f"item {n}"} for n in range(1, 9)}}))
    names = {name: tmp_path / f"out.{name}" for name in ("save", "csv", "markdown", "html", "png", "svg")}
    words = [word for name, out in names.items() for word in (f"--{name}", out)]
    found = inspect("bench", path, "--what", "history", "--runs", "1", "--json", *words).json
    assert set(found) >= {"machine", "data", "results", "history"}
    assert found["data"][0]["items"] == 8
    for result in found["history"]:
        assert result["verified"]
        assert (len(result["save_s"]), len(result["load_s"]), result["saves"]) == (100, 1, 100)
        assert result["size"] > 0
    ways = [result["way"] for result in found["history"]]
    assert {"JSON files", "zstd copies", "pycrdt ystore"} <= set(ways)
    assert json.loads(names["save"].read_text()) == found
    assert ET.fromstring(names["svg"].read_text()).tag.endswith("svg")
    assert names["png"].read_bytes().startswith(b"\x89PNG")
    for name in ("csv", "markdown", "html"):
        assert all(way in names[name].read_text() for way in ways)


@pytest.mark.slow
def test_versions_are_shown_as_an_aligned_table(inspect, tmp_path):
    path = tmp_path / "db.json"
    path.write_text('{"_default": {"1": {"name": "lamp"}}}')
    lines = inspect("bench", path, "--what", "history").out.splitlines()
    assert lines[0] == f"{path}, versions"
    assert lines[1].split("  ")[0] == "Way"
    end = len(lines[1])
    table = lines[1 : lines.index("")]
    assert all(len(line) == end and line.endswith(("Verified", "yes")) for line in table)


@pytest.mark.slow
def test_a_preset_shows_published_measured_and_ratio(inspect, samples, tmp_path):
    words = ("--preset", "pycrdt-store", "--runs", "1")
    store = samples / "notebook/notebook.ystore.db"
    found = inspect("bench", store, *words, "--json").json
    assert found["preset"] == "pycrdt-store"
    assert len(found["results"]) == 24
    gzip = next(c for c in found["comparisons"] if (c["subject"], c["figure"]) == ("gzip", "ratio"))
    assert gzip["published"] == 9.8
    assert gzip["ratio"] == pytest.approx(gzip["measured"] / 9.8)
    assert "1.51 GB" in gzip["source"]
    shown = inspect("bench", store, *words, "--png", tmp_path / "x.png")
    assert shown.out.startswith("pycrdt-store, published and measured\n")
    header = shown.out.splitlines()[1].split()
    assert header == ["Data", "Subject", "Figure", "Published", "Measured", "Ratio", "Source"]


@pytest.mark.parametrize(
    "words",
    [
        ("--preset", "other"), ("--preset", "ten-strings", "db.json"), ("--preset", "betterjson", "--what", "history"),
        ("--what", "codecs"), ("--what", "storages"), (), ("--preset", "ten-strings", "--runs", "0"),
    ],
)  # fmt: skip
def test_presets_and_missing_files_are_wrong_usage(inspect, words):
    found = inspect("bench", *words)
    assert found.code == 2
    assert found.err.startswith("error: ")


def test_an_unknown_preset_names_those_there_are(inspect):
    err = inspect("bench", "--preset", "other").err
    assert "presets are betterjson, betterjson-citm, pycrdt-store, ten-strings" in err


@pytest.mark.slow
def test_bench_of_storages(inspect, samples):
    found = inspect("bench", samples / "shop.json", "--what", "storages", "--runs", "1", "--json").json
    steps = {(result["storage"], result["step"]) for result in found["storages"]}
    assert {step for _, step in steps} >= {"insert", "read", "update"}
    assert len({storage for storage, _ in steps}) == 2
