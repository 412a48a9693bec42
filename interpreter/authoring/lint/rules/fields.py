"""Fields that every object has, misspelt."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.authoring.lint.model import Problem, Script
from interpreter.authoring.lint.tree import text, walk

_TOP = ("apiVersion", "kind", "metadata", "spec", "status")
_METADATA = (
    "name",
    "namespace",
    "labels",
    "annotations",
    "generation",
    "uid",
    "resourceVersion",
    "creationTimestamp",
    "deletionTimestamp",
    "finalizers",
    "ownerReferences",
    "generateName",
    "managedFields",
    "selfLink",
    "deletionGracePeriodSeconds",
)


def check(script: Script) -> Iterator[Problem]:
    """Yields fields of an object or its metadata that are one slip away from a real one.

    Kinds may have any field at their top, so only what is nearly a usual name is reported.
    """
    for node in walk(script.root):
        if node.type != "dot_index_expression":
            continue
        path = script.object_path(node)
        if path is None or path[0].writes or script.role(path[0]) in (None, "items", "replicas"):
            continue
        names = path[1]
        known: tuple[str, ...] = ()
        if len(names) == 1:
            known = _TOP
        elif len(names) == 2 and names[0] == "metadata":
            known = _METADATA
        field = node.child_by_field_name("field")
        if field is None or text(field) in known or text(field) in script.assigned_fields:
            continue
        near = next((name for name in known if _one_slip(text(field), name)), None)
        if near is not None:
            yield Problem(
                "misspelt-field",
                f"{text(field)} is no field of objects; did you mean {near}?",
                field,
            )


def _one_slip(written: str, meant: str) -> bool:
    """Whether two words differ by a case, a swap, or one letter."""
    if written.lower() == meant.lower():
        return True
    if min(len(written), len(meant)) < 4 or abs(len(written) - len(meant)) > 1:
        return False
    start = 0
    while start < min(len(written), len(meant)) and written[start] == meant[start]:
        start += 1
    left, right = written[start:], meant[start:]
    if len(left) == len(right):
        return left[1:] == right[1:] or (left[:2] == right[:2][::-1] and left[2:] == right[2:])
    return left[1:] == right or left == right[1:]
