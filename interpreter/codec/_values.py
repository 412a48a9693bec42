"""What the JSON and the YAML codec share: documents, decoding of bytes, and what can be written."""

from __future__ import annotations

import codecs
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.errors import InvalidObject, path_text, too_deep
from interpreter.machinery.unstructured import JsonValue
from interpreter.machinery.wording import truncated

#: Longest integer, in digits. Longer ones cost quadratic time to convert and are never meant.
MAX_DIGITS = 1000
_MAX_INTEGER = 10**MAX_DIGITS
#: Deepest value that is written: the limit of the fast JSON encoder, kept for YAML as well.
ENCODER_DEPTH = 254

#: Longer than any key that Kubernetes allows (a label is a domain of 253 and a name of 63).
_SHOWN = 320
_UTF8_HINT = "save the file as UTF-8"
_OTHER_ENCODINGS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a text.

    Attributes:
        index: Position in the text, counted from 1; empty documents count.
        line: Line where its value starts, counted from 1.
        value: The value.
    """

    index: int
    line: int
    value: JsonValue


def document_source(source: str | None, index: int) -> str | None:
    """``deploy.yaml, document 2``; None when nobody knows where the text came from."""
    return None if source is None else f"{source}, document {index}"


def decode_text(data: bytes | str, *, source: str | None) -> str:
    """UTF-8 bytes as text without byte order mark; text is only checked.

    Raises:
        InvalidObject: The bytes are not UTF-8, or the text holds half of a surrogate pair.
    """
    if isinstance(data, str):
        text = data
        if not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError as error:
                raise InvalidObject(
                    f"half of a surrogate pair at character {error.start}",
                    hint="it is no Unicode character; remove it",
                    source=source,
                    line=text.count("\n", 0, error.start) + 1,
                ) from None
    else:
        for mark, name in _OTHER_ENCODINGS.items():
            if data.startswith(mark):
                raise InvalidObject(f"the text is {name}", hint=_UTF8_HINT, source=source, line=1)
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            raise InvalidObject(
                f"not UTF-8: byte 0x{data[error.start]:02x} at byte offset {error.start}",
                hint=_UTF8_HINT,
                source=source,
                line=data.count(b"\n", 0, error.start) + 1,
            ) from None
    return text.removeprefix("\ufeff")


def integer_of(digits: str) -> int:
    """A decimal integer, exactly.

    Raises:
        InvalidObject: More digits than anybody means.
    """
    count = len(digits.lstrip("+-"))
    try:
        if count <= MAX_DIGITS:
            return int(digits)
    except ValueError:  # the process lowered Python's own limit
        pass
    raise InvalidObject(
        f"an integer of {count} digits cannot be read",
        hint=f"write it as a string; at most {MAX_DIGITS} digits are read",
    )


def duplicate_key(key: str, **facts: Any) -> InvalidObject:
    """The error for a key that occurs twice in one object."""
    return InvalidObject(
        f"duplicate key {shortened(key)!r}",
        hint="remove one of them; only one would be kept",
        **facts,
    )


def path_of(steps: list[str | int]) -> str | None:
    """``["items", 0, "kind"]`` as ``items[0].kind``; None for the top."""
    return path_text(step if isinstance(step, int) else shortened(step) for step in steps) or None


def shortened(text: str) -> str:
    """A key, tag or anchor for a message, which must not repeat a whole manifest."""
    return truncated(text, _SHOWN)


def has_surrogate(text: str) -> bool:
    """Whether a text holds half of a surrogate pair, which UTF-8 cannot carry."""
    if text.isascii():
        return False
    return any("\ud800" <= character <= "\udfff" for character in text)


def check_json(value: JsonValue) -> None:
    """Walks a value for anything that JSON cannot carry; its own stack, so depth cannot crash it.

    Raises:
        InvalidObject: The first such thing, with its path.
    """
    steps: list[str | int] = []
    iterators: list[Iterator[tuple[Any, Any]]] = []
    current = value
    while True:
        _check_scalar(current, steps)
        if isinstance(current, (dict, list, tuple)):
            if len(iterators) == ENCODER_DEPTH:
                # The path of a bottomless object would fill the screen.
                raise too_deep(ENCODER_DEPTH, path=path_of(steps[:3]))
            if isinstance(current, dict):
                _check_keys(current, steps)
                iterators.append(iter(current.items()))
            else:
                iterators.append(enumerate(current))
            steps.append(0)
        while iterators:
            try:
                steps[-1], current = next(iterators[-1])
            except StopIteration:
                iterators.pop()
                steps.pop()
                continue
            break
        else:
            return


def _check_keys(mapping: dict[Any, Any], steps: list[str | int]) -> None:
    for key in mapping:
        if not isinstance(key, str):
            raise InvalidObject("a key must be a string", path=path_of(steps), value=key)
        if has_surrogate(key):
            raise InvalidObject("a key holds half of a surrogate pair", path=path_of(steps))


def _check_scalar(value: Any, steps: list[str | int]) -> None:
    if value is None or isinstance(value, (bool, dict, list, tuple)):
        return
    if isinstance(value, str):
        if has_surrogate(value):
            raise InvalidObject("a string holds half of a surrogate pair", path=path_of(steps))
    elif isinstance(value, int):
        if not -_MAX_INTEGER < value < _MAX_INTEGER:
            raise InvalidObject(
                "an integer is too long to be written", path=path_of(steps), value=value
            )
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidObject("JSON has no NaN and no infinity", path=path_of(steps), value=value)
    else:
        raise InvalidObject(
            "must be a JSON value",
            hint="objects, lists, strings, numbers, booleans and null",
            path=path_of(steps),
            value=value,
        )
