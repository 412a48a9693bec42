"""JSON values into the runtime's payloads and back.

msgpack tells integers from floats, null from absence and ``[]`` from ``{}`` by itself, and writes a
sub-object that occurs twice as two values. The Lua side is ``runtime/decoder.lua`` and
``encoder.lua``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import JsonValue, is_integer


class NewEmpty:
    """The type of ``NEW_EMPTY``."""

    def __repr__(self) -> str:
        return "NEW_EMPTY"


#: Stands in a decoded result for an empty table that the script made; ``placing`` decides what it
#: is.
NEW_EMPTY: Final = NewEmpty()
_NEW_EMPTY_TYPE = 1


def _extension(code: int, _data: memoryview) -> NewEmpty:
    if code != _NEW_EMPTY_TYPE:
        raise ValueError(f"unknown extension type {code}")
    return NEW_EMPTY


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(ext_hook=_extension).decode


class InvalidText(Exception):
    """A text of a result is no UTF-8. ``path`` says which."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


def encode(values: Sequence[JsonValue], *, depth: int) -> bytes:
    """Packs arguments.

    Raises:
        InvalidObject: A value is no JSON, is nested too deeply, or is an integer beyond 64 bits.
    """
    try:
        return _encode(values)
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        raise explain_refusal(values, depth=depth) from None


def decode(data: bytes) -> list[Any]:
    """Unpacks a reply.

    Raises:
        InvalidText: A text is no UTF-8.
    """
    try:
        return _decode(data)  # type: ignore[no-any-return]  # the runtime writes lists only
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise InvalidText(_path_of_invalid_text(data)) from None


def pack(value: Any) -> bytes:
    """Packs one value that a host function returns."""
    return _encode(value)


def explain_refusal(values: Sequence[JsonValue], *, depth: int) -> InvalidObject:
    """The error for arguments that the conversion does not take: what is wrong, and where."""
    for index, value in enumerate(values):
        problem = _refused(value, "", depth)
        if problem is not None:
            if len(values) > 1 and index and problem.path:
                problem.path = f"argument {index + 1}: {problem.path}"
            return problem
    return InvalidObject("cannot be given to a script")


def _refused(value: Any, path: str, depth: int) -> InvalidObject | None:
    """What is wrong with a value or anything in it, or None."""
    if not isinstance(value, (dict, list, tuple)):
        return _refused_leaf(value, path)
    if depth == 0:
        return _too_deep(path)
    entries: Iterable[tuple[str, Any]]
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str) or not _is_text(key):
                return InvalidObject("has a key that is no text", path=path, value=key)
        entries = ((f"{path}.{key}" if path else key, item) for key, item in value.items())
    else:
        entries = ((f"{path}[{index}]", item) for index, item in enumerate(value))
    for place, item in entries:
        problem = _refused(item, place, depth - 1)
        if problem is not None:
            return problem
    return None


def _refused_leaf(value: Any, path: str) -> InvalidObject | None:
    if is_integer(value):
        if -(2**63) <= value < 2**64:
            return None
        return InvalidObject("must fit a 64-bit integer", path=path, value=value)
    if isinstance(value, str):
        return None if _is_text(value) else InvalidObject("is no valid text", path=path)
    if value is None or isinstance(value, (bool, float)):
        return None
    return InvalidObject("must be a JSON value", path=path, value=value)


def _too_deep(path: str) -> InvalidObject:
    return InvalidObject("the object is nested too deeply or contains itself", path=path[:200])


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _path_of_invalid_text(data: bytes) -> str:
    """Where in a reply the first text is no UTF-8; read slowly, by hand."""
    path, _ = _walk(data, 0, "")
    # `[0, new empties, result…]`: the third element is the first result.
    for index in (2, 3):
        if path is not None and path.startswith(f"[{index}]"):
            return path[3:].removeprefix(".")
    return path or ""


def _walk(data: bytes, at: int, path: str) -> tuple[str | None, int]:
    """Reads one value.

    Returns the path of an invalid text in it, if any, and the place behind it.
    """
    tag = data[at]
    at += 1
    if 0x80 <= tag <= 0x8F or tag in (0xDE, 0xDF):
        size, at = _size(data, at, tag, 0x80, {0xDE: 2, 0xDF: 4})
        for _ in range(size):
            start = at
            bad, at = _walk(data, at, path)
            if bad is not None:
                return bad, at
            key = _decode(data[start:at])
            bad, at = _walk(data, at, f"{path}.{key}" if path else str(key))
            if bad is not None:
                return bad, at
        return None, at
    if 0x90 <= tag <= 0x9F or tag in (0xDC, 0xDD):
        size, at = _size(data, at, tag, 0x90, {0xDC: 2, 0xDD: 4})
        for index in range(size):
            bad, at = _walk(data, at, f"{path}[{index}]")
            if bad is not None:
                return bad, at
        return None, at
    if 0xA0 <= tag <= 0xBF or tag in (0xD9, 0xDA, 0xDB):
        size, at = _size(data, at, tag, 0xA0, {0xD9: 1, 0xDA: 2, 0xDB: 4})
        try:
            data[at : at + size].decode()
        except UnicodeDecodeError:
            return path, at + size
        return None, at + size
    fixed = {
        0xC7: 2,
        0xCB: 8,
        0xCC: 1,
        0xCD: 2,
        0xCE: 4,
        0xCF: 8,
        0xD0: 1,
        0xD1: 2,
        0xD2: 4,
        0xD3: 8,
    }
    return None, at + fixed.get(tag, 0)


def _size(data: bytes, at: int, tag: int, base: int, widths: dict[int, int]) -> tuple[int, int]:
    width = widths.get(tag)
    if width is None:
        return tag - base, at
    return int.from_bytes(data[at : at + width], "big"), at + width
