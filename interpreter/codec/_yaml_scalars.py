"""What a plain YAML scalar means: text in, JSON scalar out. The table is in ``codec.yaml``.

The rules are those of the YAML reader inside Kubernetes (``sigs.k8s.io/yaml`` 1.6, whose
``goyaml.v2/resolve.go`` this follows), compared with that program scalar by scalar. Where it loses
digits (integers beyond 64 bits become floats there) the value is exact here.
"""

from __future__ import annotations

import math
import re

from interpreter.codec._values import integer_of, shortened
from interpreter.errors import InvalidObject

Scalar = str | int | float | bool | None

_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF"), False),
}
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_NUMBER_START = frozenset("+-.0123456789")
_BASED = re.compile(r"([-+]?)0(?:[xX]([0-9a-fA-F]+)|[bB]([01]+)|[oO]?([0-7]+))")
_DECIMAL = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")

_TAG_PREFIX = "tag:yaml.org,2002:"
_TEXT_TAGS = frozenset({"!", _TAG_PREFIX + "str", _TAG_PREFIX + "binary"})


def resolve(text: str) -> Scalar:
    """The value of a plain (not quoted) scalar without a tag.

    Raises:
        InvalidObject: ``.inf`` or ``.nan``, or an integer of more than 1000 digits.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_START:
        return text
    if _NOT_FINITE.fullmatch(text):
        raise InvalidObject(
            f"JSON has no {text}", hint="write null, a number, or the text in quotes"
        )
    # A text that starts with a dot keeps its underscores, and so is no number with them.
    plain = text if text[0] == "." else text.replace("_", "")
    if match := _BASED.fullmatch(plain):
        sign, *digits = match.groups()
        for base, part in zip((16, 2, 8), digits, strict=True):
            if part is not None:
                number = int(sign + part, base)
                # Kubernetes leaves a based number that no 64-bit integer holds as text.
                return number if -(2**63) <= number < 2**64 else text
    if _DECIMAL.fullmatch(plain):
        return integer_of(plain)
    if _FLOAT.fullmatch(plain):
        value = float(plain)
        # Overflow: Kubernetes takes it for text, which keeps what was written.
        return text if math.isinf(value) else value
    return text


def resolve_tagged(tag: str, text: str) -> Scalar:
    """The value of a scalar with an explicit tag; quotes do not matter then.

    Raises:
        InvalidObject: The text does not fit the tag, or the tag is unknown.
    """
    if tag in _TEXT_TAGS:
        return text
    name = tag.removeprefix(_TAG_PREFIX)
    value: Scalar
    match name:
        case "int":
            value = resolve(text)
            if isinstance(value, int) and not isinstance(value, bool):
                return value
        case "float":
            value = resolve(text)
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                return _as_float(value, text)
        case "bool":
            value = resolve(text)
            if isinstance(value, bool):
                return value
        case "null":
            if resolve(text) is None:
                return None
        case _:
            raise unknown_tag(tag)
    raise InvalidObject(f"{text[:60]!r} does not fit the tag !!{name}")


def unknown_tag(tag: str) -> InvalidObject:
    """The error for a tag that has no meaning in a Kubernetes object."""
    shown = shortened(tag.replace(_TAG_PREFIX, "!!", 1))
    return InvalidObject(
        f"the tag {shown} cannot be used here",
        hint="known are !!str, !!int, !!float, !!bool, !!null, !!binary, !!map and !!seq",
    )


def _as_float(value: int | float, text: str) -> float:
    try:
        return float(value)
    except OverflowError:
        raise InvalidObject(f"the number {text[:40]} is too large for a float") from None
