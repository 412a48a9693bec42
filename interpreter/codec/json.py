"""JSON text to values and back, without loss.

What a permissive reader lets pass is an error here, because somebody would lose data by it:
duplicate keys, ``NaN``, a number that overflows to infinity, half of a surrogate pair. Integers of
up to 1000 digits are exact. The standard parser does the work; only when it (or a cheap check of
its result) objects is the text walked again, slowly, to say where.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, NoReturn

import orjson

from interpreter.codec._values import (
    Document,
    decode_text,
    document_source,
    duplicate_key,
    has_surrogate,
    integer_of,
    path_of,
)
from interpreter.codec._values import (
    check_json as check_json,
)
from interpreter.errors import InvalidObject, too_deep
from interpreter.machinery.unstructured import JsonValue
from interpreter.settings import DEFAULTS

__all__ = ["Document", "decode_text", "dumps", "load_all", "load_all_or_none", "loads"]

_SPACE = re.compile(r"[ \t\n\r]*")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
#: Every escape in turn, so that an escaped backslash before a ``u`` is not taken for one;
#: group 1 is half of a pair.
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_TOKEN = re.compile(
    r'[ \t\n\r]*(?:("[^"\\]*(?:\\.[^"\\]*)*")|([][{}:,])|([^][{}:,"\s]+))', re.DOTALL
)


def loads(
    data: bytes | str, *, source: str | None = None, max_depth: int = DEFAULTS.max_depth
) -> JsonValue:
    """Reads one JSON value.

    Args:
        data: UTF-8 bytes (a byte order mark is accepted) or text.
        source: Where it came from, for errors.
        max_depth: Deepest nesting of objects and lists.

    Raises:
        InvalidObject: Not one JSON value, or one that cannot be kept without loss. ``line`` is set,
            and ``path`` where the place is inside the value.
    """
    value = _quick(data, max_depth)
    if value is not _UNSURE:
        return value
    text = decode_text(data, source=source)
    try:
        start = _skip_space(text, 0)
        value, end = _decode(text, start, max_depth, _first_stray_surrogate(text))
        end = _skip_space(text, end)
        if end != len(text):
            raise json.JSONDecodeError("more text after the value", text, end)
    except json.JSONDecodeError as error:
        raise _syntax_error(error, source) from None
    except InvalidObject as error:
        error.annotate(source=source)
        raise
    return value


def load_all(
    data: bytes | str, *, source: str | None = None, max_depth: int = DEFAULTS.max_depth
) -> Iterator[Document]:
    """Reads JSON values that follow each other: one, JSON lines, or any concatenation.

    Args:
        data: UTF-8 bytes (a byte order mark is accepted) or text; white space alone is no document.
        source: Where it came from; errors add ``, document <n>``.
        max_depth: Deepest nesting of objects and lists.

    Raises:
        InvalidObject: As :func:`loads`, while iterating.
    """
    text = decode_text(data, source=source)
    try:
        yield from _documents(text, source, max_depth)
    except json.JSONDecodeError as error:
        raise _syntax_error(error, source) from None


def load_all_or_none(
    text: str, *, source: str | None = None, max_depth: int = DEFAULTS.max_depth
) -> list[Document] | None:
    """Like :func:`load_all` for text that may be something else: None when it is not JSON at all.

    Raises:
        InvalidObject: It is JSON, but cannot be kept without loss.
    """
    try:
        return list(_documents(decode_text(text, source=source), source, max_depth))
    except json.JSONDecodeError:
        return None


def dumps(value: JsonValue, *, indent: int | None = None) -> str:
    """Writes a value as JSON, keys in the given order.

    Args:
        value: Any JSON value; tuples count as lists.
        indent: Spaces for each level; None writes one line without spaces.

    Raises:
        InvalidObject: NaN or infinity, a key that is no string, a Python value that JSON does not
            have, or nesting beyond 254 levels; with the path.
    """
    if indent is None or indent == 2:
        options = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS
        if indent == 2:
            options |= orjson.OPT_INDENT_2
        try:
            encoded = orjson.dumps(value, option=options)
        except orjson.JSONEncodeError:
            pass  # too deep, not JSON, or merely an integer beyond 64 bits
        else:
            # orjson writes NaN as null, so only a text with a null can hide one.
            if b"null" not in encoded or _all_finite(value):
                return encoded.decode()
    check_json(value)
    separators = (",", ":") if indent is None else (",", ": ")
    return json.dumps(
        value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators
    )


#: What :func:`_quick` returns when it cannot vouch for a text.
_UNSURE: Any = object()
#: Makes one character of white space, and one of digits.
_ALIKE = bytes.maketrans(b"\n\t\r123456789", b"   000000000")
#: orjson makes floats of integers beyond 64 bits, which have 19 digits or more.
_WIDE = b"0" * 19
#: Other spellings of a quote and a colon.
_HIDING = (b"\\u0022", b"\\u003a", b"\\u003A")


def _quick(data: bytes | str, max_depth: int) -> JsonValue:
    r"""The value of a text in which orjson cannot have overlooked anything, else ``_UNSURE``.

    orjson takes a third of the standard parser's time, but keeps the last of duplicate keys in
    silence. Where no colon follows white space, each key is one ``":`` in the text; other ones
    stand in strings as ``\":``, unless an escape hides them. Then a text that lost no key has as
    many of them as the value has when it is written, and one that lost a key has more.
    """
    try:
        encoded = data.encode() if isinstance(data, str) else data
        value: JsonValue = orjson.loads(encoded)
        written = orjson.dumps(value)
    except (orjson.JSONDecodeError, orjson.JSONEncodeError, UnicodeEncodeError):
        return _UNSURE
    alike = encoded.translate(_ALIKE)
    if b" :" in alike or _WIDE in alike or encoded.count(b'":') != written.count(b'":'):
        return _UNSURE
    if b"\\u00" in encoded and any(escape in encoded for escape in _HIDING):
        return _UNSURE
    # There cannot be more levels than brackets.
    if encoded.count(b"{") + encoded.count(b"[") > max_depth and _deeper_than(value, max_depth):
        return _UNSURE
    return value


class _SuspectError(Exception):
    """The parser met something unusable; the slow walk says what and where."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise _SuspectError
    return result


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise _SuspectError
    return value


def _integer(text: str) -> int:
    try:
        return integer_of(text)
    except InvalidObject:
        raise _SuspectError from None


def _constant(_name: str) -> NoReturn:
    raise _SuspectError


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_integer,
    parse_float=_float,
    parse_constant=_constant,
)


def _documents(text: str, source: str | None, max_depth: int) -> Iterator[Document]:
    stray = _first_stray_surrogate(text)
    index, line, counted = 0, 1, 0
    end = _skip_space(text, 0)
    while end < len(text):
        start = end
        index += 1
        line += text.count("\n", counted, start)
        counted = start
        try:
            value, end = _decode(text, start, max_depth, stray)
        except InvalidObject as error:
            error.annotate(source=document_source(source, index))
            raise
        yield Document(index, line, value)
        end = _skip_space(text, end)


def _skip_space(text: str, start: int) -> int:
    match = _SPACE.match(text, start)
    return match.end() if match else start


def _decode(text: str, start: int, max_depth: int, stray: int | None) -> tuple[JsonValue, int]:
    """The value at ``start`` and where it ends; ``stray`` is the first half of a surrogate pair."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (_SuspectError, RecursionError):
        pass
    else:
        found_stray = stray is not None and start <= stray < end
        if not found_stray and not _deeper_than(value, max_depth):
            return value, end
    _explain(text, start, max_depth)
    # The parser ran out of stack below the limit: the caller is nested deeply itself.
    raise too_deep(line=text.count("\n", 0, start) + 1)


def _first_stray_surrogate(text: str) -> int | None:
    if _SURROGATE_ESCAPE.search(text) is None:
        return None
    for match in _ESCAPE.finditer(text):
        if match.group(1):
            return match.start()
    return None


def _deeper_than(value: JsonValue, depth: int) -> bool:
    level = [value] if isinstance(value, (dict, list)) else []
    while level:
        if depth == 0:
            return True
        depth -= 1
        level = [
            item
            for container in level
            for item in (container.values() if type(container) is dict else container)
            if type(item) is dict or type(item) is list
        ]
    return False


def _all_finite(value: JsonValue) -> bool:
    level = [value]
    while level:
        if any(isinstance(item, float) and not math.isfinite(item) for item in level):
            return False
        level = [
            item
            for container in level
            if isinstance(container, (dict, list, tuple))
            for item in (container.values() if isinstance(container, dict) else container)
        ]
    return True


def _explain(text: str, start: int, max_depth: int) -> None:  # noqa: C901 - one state machine
    """Walks the tokens of one value and raises for the first unusable thing; returns if none."""
    steps: list[str | int] = []
    key_sets: list[set[str] | None] = []  # None for a list
    wants_key = False
    for match in _TOKEN.finditer(text, start):
        string, mark, literal = match.groups()
        token_start = match.start(match.lastindex or 0)
        problem: InvalidObject | None = None
        if string is not None:
            content = json.loads(string)
            if has_surrogate(content):
                problem = InvalidObject(
                    "a string holds half of a surrogate pair",
                    hint="write both halves, or remove the escape",
                    path=path_of(steps[:-1] if wants_key else steps),
                )
            elif wants_key:
                keys = key_sets[-1]
                steps[-1] = content
                wants_key = False
                if keys is not None and content in keys:
                    problem = duplicate_key(content, path=path_of(steps))
                elif keys is not None:
                    keys.add(content)
        elif literal is not None:
            problem = _bad_literal(literal)
            if problem:
                problem.path = path_of(steps)
        elif mark in "{[":
            if len(key_sets) == max_depth:
                problem = too_deep(max_depth, path=path_of(steps[:3]))
            key_sets.append(set() if mark == "{" else None)
            steps.append("" if mark == "{" else 0)
            wants_key = mark == "{"
        elif mark in "}]" and key_sets:
            key_sets.pop()
            steps.pop()
            wants_key = False
        elif mark == "," and key_sets:
            last = steps[-1]
            if isinstance(last, int):
                steps[-1] = last + 1
            else:
                wants_key = True
        if problem:
            problem.line = text.count("\n", 0, token_start) + 1
            raise problem
        if not key_sets:
            return


def _bad_literal(literal: str) -> InvalidObject | None:
    if literal in {"NaN", "Infinity", "-Infinity"}:
        return InvalidObject(f"JSON has no {literal}", hint="write null, a number or a string")
    try:
        if literal.lstrip("-").isdecimal():
            integer_of(literal)
        elif math.isinf(float(literal)):
            return InvalidObject(f"the number {literal[:40]} is too large for a float")
    except InvalidObject as error:
        return error
    except ValueError:
        pass  # true, false, null, or something that the parser refuses itself
    return None


def _syntax_error(error: json.JSONDecodeError, source: str | None) -> InvalidObject:
    if not error.doc.strip():
        return InvalidObject("the text is empty; JSON wants a value", source=source, line=1)
    problem = error.msg[:1].lower() + error.msg[1:]
    return InvalidObject(
        f"not valid JSON: {problem}, at column {error.colno}", source=source, line=error.lineno
    )
