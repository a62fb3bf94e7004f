"""The codecs and forms of codecs that every contract test runs over, found by walking the package."""

import base64
import importlib
import pkgutil
import zlib

import inspector.codecs
from inspector.model import Codec


def classes() -> dict[str, type[Codec]]:
    """Every codec class by id."""
    modules = [
        importlib.import_module(f"inspector.codecs.{m.name}") for m in pkgutil.iter_modules(inspector.codecs.__path__)
    ]
    return {m.CODEC.id: m.CODEC for m in modules if hasattr(m, "CODEC")}


def forms() -> list[Codec]:
    """Every codec with its defaults, and once with every other word of its text parameters."""
    found = []
    for kind in classes().values():
        found.append(kind())
        for name, words in kind.choices.items():
            found += [kind(**{name: word}) for word in words if word != kind.parameters()[name]]
    return found


FORMS = forms()
PACKED = [form for form in FORMS if form.id != "none"]


def pack(form: Codec, data: bytes) -> bytes:
    """Encode; what is read only is made with the real library."""
    if form.id == "deflate":
        stream = zlib.compressobj(wbits=-15)
        return stream.compress(data) + stream.flush()
    return base64.b64encode(zlib.compress(data)) if form.id == "base64" else form.encode(data)


def name(form: Codec) -> str:
    return form.spec
