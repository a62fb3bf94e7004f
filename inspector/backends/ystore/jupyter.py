"""Writes the Jupyter configuration with which a server opens a store, compressed rows included.

Measured with jupyter-server-ydoc 3.0.4 and pycrdt-store 0.1.5. Up to that version ``SQLiteYStore.apply_updates``
forgets to decompress rows; the one of its base class goes through ``read``, which does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from inspector.model import InspectorError, Store
from inspector.progress import silent

_NEEDS_REPAIR = ("schema-version", "missing-checkpoints-table")


@dataclass(frozen=True, slots=True)
class _Form:
    """Python source that handles one codec: *fits* and *decode* say ``row``, *encode* says ``update``.

    Words in braces are parameters of the codec, with their *defaults*.
    """

    module: str
    encode: str
    decode: str
    fits: str = "True"
    defaults: dict[str, str] = field(default_factory=dict)


_FORMS = {
    "zlib": _Form(
        "zlib", "zlib.compress(update, {level})", "zlib.decompress(row)", "row[:1] == b'\\x78'", {"level": "6"}
    ),
    "gzip": _Form(
        "gzip",
        "gzip.compress(update, {level}, mtime=0)",
        "gzip.decompress(row)",
        "row[:3] == b'\\x1f\\x8b\\x08'",
        {"level": "6"},
    ),
    "bz2": _Form("bz2", "bz2.compress(update, {level})", "bz2.decompress(row)", "row[:3] == b'BZh'", {"level": "9"}),
    "lzma": _Form(
        "lzma",
        "lzma.compress(update, preset={preset})",
        "lzma.decompress(row)",
        "row[:6] == b'\\xfd7zXZ\\x00'",
        {"preset": "6"},
    ),
    "lzma:alone": _Form(
        "lzma",
        "lzma.compress(update, format=lzma.FORMAT_ALONE, preset={preset})",
        "lzma.decompress(row, format=lzma.FORMAT_ALONE)",
        "row[:3] == b'\\x5d\\x00\\x00'",
        {"preset": "6"},
    ),
    "lz4": _Form(
        "lz4.frame",
        "lz4.frame.compress(update, compression_level={level})",
        "lz4.frame.decompress(row)",
        "row[:4] == b'\\x04\\x22\\x4d\\x18'",
        {"level": "0"},
    ),
    "lz4:block": _Form(
        "lz4.block",
        "lz4.block.compress(update, mode='high_compression', compression={level})",
        "lz4.block.decompress(row)",
        # a plain row would be taken for a length of gigabytes
        "4 < len(row) and int.from_bytes(row[:4], 'little') <= 255 * len(row)",
        {"level": "9"},
    ),
    "zstd": _Form(
        "zstandard",
        "zstandard.ZstdCompressor(level={level}).compress(update)",
        "zstandard.ZstdDecompressor().stream_reader(row, read_across_frames=True).read()",
        "row[:4] == b'\\x28\\xb5\\x2f\\xfd'",
        {"level": "3"},
    ),
    "brotli": _Form(
        "brotli", "brotli.compress(update, quality={quality})", "brotli.decompress(row)", defaults={"quality": "4"}
    ),
    "blosc2": _Form(
        "blosc2",
        "bytes(blosc2.compress2(update, codec=blosc2.Codec.{codec}, clevel={level}, typesize=1, "
        "filters=[blosc2.Filter.NOFILTER], nthreads=1))",
        "bytes(blosc2.decompress2(row))",
        # version, and the size that the header states; a plain row may begin like a chunk
        "len(row) > 16 and 2 <= row[0] <= 5 and int.from_bytes(row[12:16], 'little') == len(row)",
        {"codec": "ZSTD", "level": "1"},
    ),
    "deflate": _Form("zlib", "zlib.compress(update, 6)[2:-4]", "zlib.decompress(row, -15)"),
    "base64": _Form(
        "base64, zlib", "base64.b64encode(zlib.compress(update, 6))", "zlib.decompress(base64.b64decode(row))"
    ),
}
"""By codec id, with ``:`` and the container where that is not the default one."""

_PLAIN = '''"""Lets a Jupyter server open {name}."""
{repair}
c.SQLiteYStore.db_path = {path!r}
'''

_COMPRESSED = '''"""Lets a Jupyter server open {name}, whose updates are compressed ({codecs})."""
{repair}
{imports}

import pycrdt
from jupyter_server_ydoc.stores import SQLiteYStore
from pycrdt.store import BaseYStore

READINGS = (
{readings}
)


def compress(update):
    """Return a new update as it is stored: compressed where that is smaller."""
    row = {encode}
    return row if len(row) < len(update) else update


def decompress(row):
    """Return the update in a stored row, which may be plain."""
    for fits, decode in READINGS:
        if fits(row):
            try:
                update = decode(row)
                pycrdt.get_state(update)  # raises where this is no update
            except Exception:
                continue
            return update
    return row


class CompressedYStore(SQLiteYStore):
    """Jupyter's store with compressed rows."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.register_compression_callbacks(compress, decompress)

    # pycrdt-store 0.1.3 to 0.1.5 does not decompress rows here; the base class reads them through read(), which does
    apply_updates = BaseYStore.apply_updates


c.YDocExtension.ystore_class = CompressedYStore
c.SQLiteYStore.db_path = {path!r}
'''


def configuration(store: Store) -> str:
    """Return the text of a ``jupyter_server_config.py`` for *store*; it imports nothing of ours.

    New updates are written with the codec that most rows have. Raises `InspectorError` for a codec that no
    configuration is known for. Slow for a store of several codecs, whose rows must all be looked at.
    """
    repair = ""
    if any(finding.code in _NEEDS_REPAIR for finding in store.info.findings):
        repair = "\n# Run `inspector repair` on the store first: a server does not find its documents as it is now.\n"
    path = str(store.path.resolve())
    specs = _specs(store)
    if not specs:
        return _PLAIN.format(name=_comment(store), repair=repair, path=path)
    forms = [(_form(spec, store), spec) for spec in specs]
    modules = sorted({module for form, _ in forms for module in form.module.split(", ")})
    return _COMPRESSED.format(
        name=_comment(store),
        codecs=", ".join(specs),
        repair=repair,
        imports="\n".join(f"import {module}" for module in modules),
        readings="\n".join(
            dict.fromkeys(f"    (lambda row: {form.fits}, lambda row: {form.decode})," for form, _ in forms)
        ),
        encode=_encode(*forms[0]),
        path=path,
    )


def _comment(store: Store) -> str:
    """Return the store's name so that it can stand in a docstring."""
    return ascii(store.path.name)[1:-1].replace('"', "'")


def _specs(store: Store) -> list[str]:
    """Return the specs of the codecs that rows are compressed with, the most frequent first."""
    codec = store.info.codec
    if codec != "mixed":
        return [] if codec == "none" else [codec]
    return [spec for spec, _ in Counter(_row_specs(store)).most_common() if spec != "none"]


def _row_specs(store: Store) -> Iterable[str]:
    for info in store.collections:
        history = store.history(info.name, silent)
        if history is not None:
            yield from (update.codec for update in history.updates)


def _split(spec: str) -> tuple[str, dict[str, str]]:
    name, _, rest = spec.partition(":")
    return name, dict(pair.split("=", 1) for pair in rest.split(",") if "=" in pair)


def _form(spec: str, store: Store) -> _Form:
    name, parameters = _split(spec)
    container = parameters.get("container", "")
    form = _FORMS.get(f"{name}:{container}", _FORMS.get(name))
    if form is None:
        raise InspectorError(
            f"No Jupyter configuration is known for rows with codec {name}, which {store.path.name} has; "
            "convert the store to another codec first."
        )
    return form


def _encode(form: _Form, spec: str) -> str:
    """Return the source that compresses as *spec* says."""
    given = {key: value.upper() if key == "codec" else value for key, value in _split(spec)[1].items()}
    return form.encode.format(**(form.defaults | given))
