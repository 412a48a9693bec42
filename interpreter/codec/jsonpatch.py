"""JSON Patch (RFC 6902): the smallest patch between two values, and applying one that came in.

Values are compared exactly, as :func:`identical` says: a patch that turns ``2`` into ``2.0`` or
``true`` into ``1`` is not lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonpatch
import jsonpointer

from interpreter.codec.json import dumps
from interpreter.errors import InvalidObject, guard_depth
from interpreter.machinery.unstructured import JsonObject, JsonValue, deep_copy

#: A patch of more operations is a mistake or an attack: each costs a walk from the root.
MOST_OPERATIONS = 100_000
#: What ``copy`` operations may add up to, in bytes of JSON: thirty of them double a value thirty
#: times.
MOST_COPIED_BYTES = 64 * 1024 * 1024
#: Lists whose differing parts multiply to more are compared index by index: looking for the
#: longest common part takes time and memory of that product.
_LARGEST_ALIGNMENT = 1_000_000


def diff(before: JsonValue, after: JsonValue) -> list[JsonObject]:
    """The patch that turns ``before`` into ``after``.

    Fields that did not change are not in it. A changed object or list is replaced as a whole where
    that takes fewer bytes than its parts; the root never is (clients of some languages cannot).

    Raises:
        InvalidObject: A value is nested too deeply.
    """
    return guard_depth(lambda: _differences(before, after, "", root=True))


def apply(value: JsonValue, patch: Any) -> JsonValue:
    """The value with a patch applied; the value itself is not changed.

    Raises:
        InvalidObject: The patch is none, or does not fit the value.
    """
    if not isinstance(patch, list):
        raise InvalidObject("a JSON patch is a list of operations", value=patch)
    if len(patch) > MOST_OPERATIONS:
        raise InvalidObject(f"the patch has more than {MOST_OPERATIONS} operations")
    result = guard_depth(lambda: deep_copy(value))
    copied = 0
    for index, operation in enumerate(patch):
        if not isinstance(operation, dict):
            raise InvalidObject("must be an object", path=f"[{index}]", value=operation)
        try:
            copied += _copied_bytes(operation, result)
            if copied > MOST_COPIED_BYTES:
                raise InvalidObject(f"copies more than {MOST_COPIED_BYTES} bytes")
            # What an operation holds is copied: an operation after it may edit what it put in.
            result = jsonpatch.apply_patch(result, [deep_copy(operation)], in_place=True)
        except InvalidObject as error:
            raise error.within(f"[{index}]") from None
        except (
            jsonpatch.JsonPatchException,
            jsonpointer.JsonPointerException,
            AttributeError,
            KeyError,
            TypeError,
            ValueError,
            IndexError,
        ) as error:
            # The library lets some wrong patches end in Python's own errors.
            raise InvalidObject(
                f"operation {operation.get('op')!r} of {operation.get('path')!r} cannot be "
                f"applied: {error}",
                path=f"[{index}]",
            ) from None
        except RecursionError:
            raise InvalidObject("nested too deeply", path=f"[{index}]") from None
    return result


def identical(left: JsonValue, right: JsonValue) -> bool:
    """Whether two JSON values are the same text, the order of keys aside: 2 is not 2.0."""
    if isinstance(left, dict):
        return (
            isinstance(right, dict)
            and left.keys() == right.keys()
            and all(identical(item, right[key]) for key, item in left.items())
        )
    if isinstance(left, list):
        return (
            isinstance(right, list) and len(left) == len(right) and all(map(identical, left, right))
        )
    return type(left) is type(right) and bool(left == right)


def _copied_bytes(operation: JsonObject, document: JsonValue) -> int:
    if operation.get("op") != "copy":
        return 0
    return len(dumps(jsonpointer.resolve_pointer(document, operation["from"])))


def _differences(
    before: JsonValue, after: JsonValue, path: str, *, root: bool = False
) -> list[JsonObject]:
    if isinstance(before, dict) and isinstance(after, dict):
        found = list(_of_objects(before, after, path))
    elif isinstance(before, list) and isinstance(after, list):
        found = list(_of_lists(before, after, path))
    elif identical(before, after):
        return []
    else:
        return [{"op": "replace", "path": path, "value": after}]
    if len(found) > 1 and not root:
        whole: JsonObject = {"op": "replace", "path": path, "value": after}
        if len(dumps(whole)) < len(dumps(found)):
            return [whole]
    return found


def _of_objects(before: JsonObject, after: JsonObject, path: str) -> Iterator[JsonObject]:
    for key, value in before.items():
        place = f"{path}/{_escaped(key)}"
        if key not in after:
            yield {"op": "remove", "path": place}
        else:
            yield from _differences(value, after[key], place)
    for key, value in after.items():
        if key not in before:
            yield {"op": "add", "path": f"{path}/{_escaped(key)}", "value": value}


def _of_lists(before: list[Any], after: list[Any], path: str) -> Iterator[JsonObject]:
    """Operations in order; ``at`` is the place in the list as patched so far."""
    at = 0
    for old, new in _runs(before, after):
        both = min(len(old), len(new))
        for left, right in zip(old, new, strict=False):
            yield from _differences(left, right, f"{path}/{at}")
            at += 1
        for _item in old[both:]:
            yield {"op": "remove", "path": f"{path}/{at}"}
        for item in new[both:]:
            yield {"op": "add", "path": f"{path}/{at}", "value": item}
            at += 1


def _runs(before: list[Any], after: list[Any]) -> Iterator[tuple[list[Any], list[Any]]]:
    """Both lists cut into stretches that correspond: the same items, or some instead of others."""
    if len(before) == len(after):
        yield before, after
        return
    shorter = min(len(before), len(after))
    head = 0
    while head < shorter and identical(before[head], after[head]):
        head += 1
    tail = 0
    while tail < shorter - head and identical(before[-1 - tail], after[-1 - tail]):
        tail += 1
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    yield before[:head], after[:head]
    if len(old) * len(new) > _LARGEST_ALIGNMENT:
        yield old, new
    else:
        yield from _aligned(old, new)
    yield before[len(before) - tail :], after[len(after) - tail :]


def _aligned(old: list[Any], new: list[Any]) -> Iterator[tuple[list[Any], list[Any]]]:
    """Stretches around the longest common subsequence."""
    left, right = [_text(item) for item in old], [_text(item) for item in new]
    # longest[i][j]: length of the longest common subsequence of left[i:] and right[j:].
    longest = [[0] * (len(right) + 1) for _row in range(len(left) + 1)]
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            longest[i][j] = (
                longest[i + 1][j + 1] + 1
                if left[i] == right[j]
                else max(longest[i + 1][j], longest[i][j + 1])
            )
    i = j = start_i = start_j = 0
    while i < len(left) and j < len(right):
        if left[i] == right[j]:
            yield old[start_i:i], new[start_j:j]
            yield [old[i]], [new[j]]
            i, j = i + 1, j + 1
            start_i, start_j = i, j
        elif longest[i + 1][j] >= longest[i][j + 1]:
            i += 1
        else:
            j += 1
    yield old[start_i:], new[start_j:]


def _text(value: JsonValue) -> str:
    return dumps(_sorted(value))


def _sorted(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_sorted(item) for item in value]
    return value


def _escaped(key: str) -> str:
    """A key as a step of a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")
