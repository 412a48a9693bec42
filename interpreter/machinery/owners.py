"""Who owns whom among objects, by ``metadata.ownerReferences``.

A reference and an object that both have a uid must have the same one: an owner that was deleted and
made again is another object. Where either has none (files that were written by hand) group, kind,
namespace and name decide; an owner is in the namespace of what it owns, or in none. References of
an unexpected shape are nobody's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from interpreter.machinery.unstructured import JsonObject, JsonValue, metadata_of

#: Group, kind, namespace and name.
_Key = tuple[str, str, str, str]


def owners_of(objects: Sequence[JsonObject]) -> list[list[int]]:
    """For each object the positions of its owners among the objects, the controller first."""
    by_uid: dict[str, int] = {}
    # The first of each name, and the first of those without a uid.
    by_name: dict[_Key, int] = {}
    without_uid: dict[_Key, int] = {}
    uids = [_text(metadata_of(obj), "uid") for obj in objects]
    referring = [_references(obj) for obj in objects]
    if not any(referring):
        return referring  # type: ignore[return-value]  # lists that hold nothing
    for position, obj in enumerate(objects):
        metadata = metadata_of(obj)
        if uids[position]:
            by_uid.setdefault(uids[position], position)
        key = (_group(obj), _text(obj, "kind"), _text(metadata, "namespace"))
        named: _Key = (*key, _text(metadata, "name"))
        by_name.setdefault(named, position)
        if not uids[position]:
            without_uid.setdefault(named, position)
    found: list[list[int]] = []
    for position, references in enumerate(referring):
        namespace = _text(metadata_of(objects[position]), "namespace")
        owners: dict[int, None] = {}
        for reference in sorted(references, key=lambda each: each.get("controller") is not True):
            uid = _text(reference, "uid")
            owner = by_uid.get(uid) if uid else None
            if owner is None:
                # Two uids that differ are two objects, whatever their names.
                owner = _named(reference, namespace, without_uid if uid else by_name)
            if owner is not None and owner != position:
                owners[owner] = None
        found.append(list(owners))
    return found


def tree_order(owners: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Positions with their depth, each once: an object, then everything that it owns.

    Each stands below its first owner; whoever has none is at the top, as is one of a circle.
    """
    owned: defaultdict[int, list[int]] = defaultdict(list)
    tops: list[int] = []
    for position, above in enumerate(owners):
        (owned[above[0]] if above else tops).append(position)
    seen: set[int] = set()
    # Behind the tops come those whom no top leads to: they own each other.
    for top in (*tops, *range(len(owners))):
        todo = [(top, 0)]
        while todo:
            position, depth = todo.pop()
            if position not in seen:
                seen.add(position)
                yield position, depth
                todo += [(below, depth + 1) for below in reversed(owned[position])]


def _named(reference: JsonObject, namespace: str, positions: dict[_Key, int]) -> int | None:
    group, kind, name = _group(reference), _text(reference, "kind"), _text(reference, "name")
    if not kind or not name:
        return None
    found = positions.get((group, kind, namespace, name))
    return positions.get((group, kind, "", name)) if found is None else found


def _references(obj: JsonObject) -> list[JsonObject]:
    references: JsonValue = metadata_of(obj).get("ownerReferences")
    if not isinstance(references, list):
        return []
    return [reference for reference in references if isinstance(reference, dict)]


def _group(named: JsonObject) -> str:
    group, slash, _version = _text(named, "apiVersion").partition("/")
    return group if slash else ""


def _text(of: JsonObject, field: str) -> str:
    value = of.get(field)
    return value if isinstance(value, str) else ""
