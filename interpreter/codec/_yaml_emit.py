"""JSON values as YAML text in block style, such that every reader understands the same values.

Readers disagree about plain scalars (``no``, ``1_000``, ``12:30``, ``2020-01-01``, ``1e3``): a
string is written plain only where no YAML 1.1 or 1.2 reader could take it for something else.
"""

from __future__ import annotations

import json
import re
from typing import Any

from interpreter.codec._values import check_json
from interpreter.errors import guard_depth
from interpreter.machinery.unstructured import JsonValue

_STEP = "  "
#: Longest key before a plain colon; YAML ends an implicit key after 1024 characters.
_MAX_IMPLICIT_KEY = 1000

#: Starts like a word, a path, a flag or a variable, has no ": " and no " #", ends with no space.
_PLAIN = re.compile(
    r"(?:-{0,2}[A-Za-z]|[^\W_]|[_/$(]|\.{1,2}[A-Za-z/])"
    r"(?:[\w.,/@=+~^$()<>;?!*%&|'\"\\-]|:(?=[^\s:])|(?<=[^ ])\#|[ ](?=[^ \#]))*"
)
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"})
#: Anything that might be a number, a date, a time or a version, in whatever base.
_NUMBER_LIKE = re.compile(r"[-+.]*[0-9][0-9a-fA-FxXoO_.,:+TtZz -]*|\.(?:inf|nan)", re.IGNORECASE)


def emit(value: JsonValue) -> str:
    """One document, without separators, ending with a newline.

    Raises:
        InvalidObject: The value is no JSON value or too deep.
    """
    check_json(value)
    out: list[str] = []
    if isinstance(value, (dict, list, tuple)) and value:
        guard_depth(lambda: _block(out, value, ""))
    else:
        out += _inline(value, _STEP), "\n"
    return "".join(out)


def _block(out: list[str], value: Any, indent: str) -> None:
    """A container that is not empty; its first line is indented already."""
    lead = ""
    if isinstance(value, dict):
        for key, item in value.items():
            out.append(lead)
            lead = indent
            text = _text(key)
            explicit = len(text) > _MAX_IMPLICIT_KEY
            out.append(f"? {text}\n{indent}:" if explicit else f"{text}:")
            if isinstance(item, (dict, list, tuple)) and item:
                # A list stands at the column of its key, as kubectl writes it.
                deeper = explicit or isinstance(item, dict)
                inner = indent + _STEP if deeper else indent
                out += "\n", inner
                _block(out, item, inner)
            else:
                out += " ", _inline(item, indent + _STEP), "\n"
        return
    for item in value:
        out += lead, "- "
        lead = indent
        if isinstance(item, (dict, list, tuple)) and item:
            _block(out, item, indent + _STEP)
        else:
            out += _inline(item, indent + _STEP), "\n"


def _inline(value: Any, indent: str) -> str:
    """A scalar or an empty container; ``indent`` is that of the lines of a literal block."""
    if isinstance(value, str):
        return _literal(value, indent) or _text(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, int):
        return int.__repr__(value)
    return "{}" if isinstance(value, dict) else "[]"


def _float(value: float) -> str:
    text = float.__repr__(value)
    mantissa, mark, exponent = text.partition("e")
    # YAML 1.1 wants a dot in the mantissa: it reads 1e+16 as text.
    return f"{mantissa}.0{mark}{exponent}" if mark and "." not in mantissa else text


def _text(text: str) -> str:
    """A string on one line: plain where that is safe, else in double quotes."""
    if (
        _PLAIN.fullmatch(text)
        and text.isprintable()
        and text.lower() not in _WORDS
        and not _NUMBER_LIKE.fullmatch(text)
    ):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    if quoted.isprintable():
        return quoted
    return "".join(
        character if character.isprintable() else _escape(ord(character)) for character in quoted
    )


def _escape(code: int) -> str:
    if code <= 0xFF:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"


def _literal(text: str, indent: str) -> str | None:
    """A string of several lines as a literal block; None where a block would not keep it."""
    if "\n" not in text:
        return None
    body = text.rstrip("\n")
    lines = body.split("\n")
    first = next((line for line in lines if line), "")
    # A block whose first line is indented needs an indentation indicator, which readers mistreat.
    if not first or first[0] in " \t":
        return None
    for line in lines:
        if line and (line.isspace() or not line.replace("\t", "").isprintable()):
            return None
    ending = len(text) - len(body)
    chomping = "-" if ending == 0 else "" if ending == 1 else "+"
    shown = "\n".join(indent + line if line else "" for line in lines)
    return f"|{chomping}\n{shown}" + "\n" * max(ending - 1, 0)
