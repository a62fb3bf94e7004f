"""Shows a CRDT document as records: one for each top-level item of each root.

An update does not say what kind of shared type a root is, so the kind follows from what was put into it (the
*evidence*), and pycrdt is then asked for the root under that kind. Asking under a wrong kind never raises and
never changes the document; it merely shows nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from inspector.backends._crdt import crossing
from inspector.backends._crdt.updates import Parsed, Struct
from inspector.model import Record
from inspector.progress import Progress, silent, track
from inspector.values import Value

if TYPE_CHECKING:
    import pycrdt

View: TypeAlias = Literal["array", "map", "text", "xml", "deleted"]
"""What a root was used as; ``deleted`` where only deleted content of unknown kind is left of it."""

Roots: TypeAlias = Mapping[str, frozenset[View]]

_XML_TYPES = frozenset((3, 5, 6))
_TEXT_KINDS = frozenset(("string", "embed", "format"))
_EXACT = float(1 << 53)


class Evidence:
    """Collects from parsed updates what each root was used as."""

    def __init__(self) -> None:
        self._roots: dict[str, set[View]] = {}

    def add(self, parsed: Parsed) -> None:
        """Take in one more update."""
        for struct in parsed.structs:
            if isinstance(struct.parent, str):
                self._roots.setdefault(struct.parent, set()).add(_view(struct))

    @property
    def roots(self) -> Roots:
        """The views of each root seen so far."""
        return {name: frozenset(views) for name, views in self._roots.items()}


def evidence(parsed: Iterable[Parsed]) -> Roots:
    """Return the views of each root that the updates *parsed* put something into."""
    collected = Evidence()
    for update in parsed:
        collected.add(update)
    return collected.roots


def _view(struct: Struct) -> View:
    if struct.sub is not None:
        return "map"
    if struct.kind in _TEXT_KINDS:
        return "text"
    if struct.kind == "deleted":
        return "deleted"
    return "xml" if struct.type_ref in _XML_TYPES else "array"


def records(doc: pycrdt.Doc[Any], roots: Roots, progress: Progress = silent) -> list[Record]:
    """Return the records of *doc*: roots in name order, Array items in order, Map entries by key.

    Keys are ``source`` (a Text or XML root), ``meta.nbformat`` (an entry of a Map), ``cells[0]`` (an Array item).
    A root that was used as several kinds is shown once for each kind that holds something, with the kind in the
    key: ``name(text)``, ``name(map).key``, ``name(array)[0]``, ``name(xml)``. A document that `crossing` made of a
    table is shown as that table. Values are those of `plain`; a Text is its plain text, without formats and embeds.
    """
    present = set(doc.keys())
    roots = {name: views for name, views in sorted(roots.items()) if name in present}
    with doc.transaction():
        alone = roots.keys() == {crossing.ROOT} and roots[crossing.ROOT] <= {"array", "deleted"}
        table = crossing.table_records(doc, progress) if alone else None
        if table is not None:
            return table
        return list(track(_all_records(doc, roots), progress))


def _all_records(doc: pycrdt.Doc[Any], roots: Roots) -> Iterator[Record]:
    for name, views in roots.items():
        shown = _settle(doc, name, views)
        for view in shown:
            found = _root_records(doc, name, view, "" if len(shown) == 1 else f"({view})")
            yield from (record for record in found if len(shown) == 1 or record.value != "")


def _settle(doc: pycrdt.Doc[Any], name: str, views: frozenset[View]) -> list[View]:
    """Return the kinds to show *name* as. Where only deleted content is known, what is visible now decides."""
    import pycrdt

    if views == {"map"}:
        return ["map"]
    text = str(doc.get(name, type=pycrdt.Text))
    if views == {"deleted"} and (name == "source" or text):  # jupyter_ydoc's Text root may be emptied
        return ["text"]
    if "array" in views and not text.isascii():
        # only a damaged update puts text there, and pycrdt's Array never returns from behind a longer character
        views = views - {"array"} | {"text"}
    if views == {"deleted"}:
        items = doc.get(name, type=pycrdt.Array)
        views = frozenset({"xml" if len(items) and isinstance(items[0], _xml_kinds()) else "array"})
    return sorted(views - {"deleted"})


def _xml_kinds() -> tuple[type, ...]:
    import pycrdt

    return (pycrdt.XmlFragment, pycrdt.XmlElement, pycrdt.XmlText)


def _root_records(doc: pycrdt.Doc[Any], name: str, view: View, suffix: str) -> Iterator[Record]:
    import pycrdt

    match view:
        case "text":
            yield Record(name + suffix, str(doc.get(name, type=pycrdt.Text)))
        case "xml":
            yield Record(name + suffix, _xml_text(doc.get(name, type=pycrdt.XmlFragment)))
        case "map":
            entries = doc.get(name, type=pycrdt.Map)
            for key in _keys(entries):
                yield Record(f"{name}{suffix}.{key}", plain(entries[key]))
        case _:
            for index, item in enumerate(doc.get(name, type=pycrdt.Array)):
                yield Record(f"{name}{suffix}[{index}]", plain(item))


def plain(root: Any) -> Value:
    """Return the exact value of what pycrdt returns for an item, shared types included, without recursion.

    Numbers, which a CRDT holds as floats, become integers where they are whole and below 2^53; -0.0 stays a float.
    64-bit integers have all their digits. Text and XML become text, bytes stay bytes, a subdocument (whose content
    is elsewhere) becomes ``{"$subdoc": guid}``. Members of Maps and objects come by key: neither keeps an order.
    Yjs's ``undefined`` arrives as None, pycrdt does not tell it from null.
    """
    import pycrdt

    result: list[Any] = [None]
    todo: list[tuple[Any, int | str, Any]] = [(result, 0, root)]
    while todo:
        target, place, item = todo.pop()
        if isinstance(item, dict | pycrdt.Map):
            target[place] = members = dict.fromkeys(_keys(item))
            todo += [(members, key, item[key]) for key in members]
        elif isinstance(item, list | tuple | pycrdt.Array):
            target[place] = items = [None] * len(item)
            todo += [(items, index, member) for index, member in enumerate(item)]
        else:
            target[place] = _scalar(item)
    return result[0]  # type: ignore[no-any-return]


def _keys(members: Any) -> list[str]:
    """Return the keys of a dict or Map in order; a damaged Map may list one that it does not have."""
    return [key for key in sorted(members.keys()) if key in members]


def _scalar(item: Any) -> Value:
    import pycrdt

    if isinstance(item, float):
        whole = item.is_integer() and abs(item) < _EXACT and (item != 0 or str(item) == "0.0")
        return int(item) if whole else item
    if isinstance(item, bytes | bytearray):
        return bytes(item)
    if isinstance(item, pycrdt.Doc):
        return {"$subdoc": item.guid}
    if isinstance(item, _xml_kinds()):
        return _xml_text(item)
    if isinstance(item, pycrdt.Text):
        return str(item)
    return item  # type: ignore[no-any-return]


def _xml_text(root: Any) -> str:
    """Return XML as pycrdt prints it, but with attributes by name, and without its recursion, which can overflow."""
    import pycrdt

    pieces: list[str] = []
    todo: list[Any] = [root]
    while todo:
        node = todo.pop()
        if isinstance(node, pycrdt.XmlElement):
            view: Any = node.attributes  # its annotation says that it cannot be iterated
            pieces.append(f"<{node.tag}" + "".join(f' {name}="{value}"' for name, value in sorted(view)) + ">")
            todo.append(f"</{node.tag}>")
        if isinstance(node, pycrdt.XmlElement | pycrdt.XmlFragment):
            todo += reversed(list(node.children))
        else:
            pieces.append(str(node))
    return "".join(pieces)
