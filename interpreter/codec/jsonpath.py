r"""JSONPath templates in the dialect of Kubernetes (``kubectl -o jsonpath``), on jsonpath-ng.

A template is text with expressions in braces: ``name={.metadata.name}``. The dialect is not that of
jsonpath-ng, so the text is read here; the steps that walk a value are nodes of that library where
they mean the same. Where the dialect differs:

* a key that no value has is an error, and so is an index outside a list: a bound is never clipped;
* results of one expression are joined by one blank, expressions by nothing;
* ``{range …}…{end}`` repeats what is between, ``{"text"}`` is text, ``[a,b]`` a union;
* a quoted key is read like the dotted form, so a key with a dot is written ``{.a\.b}``.

Unlike in kubectl, integers print in full and compare by value, and the keys of an object are
visited by name.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from interpreter.codec import _jsonpath_steps as walking
from interpreter.codec._jsonpath_steps import Step
from interpreter.codec.json import dumps
from interpreter.errors import InvalidObject, guard_depth
from interpreter.machinery.unstructured import JsonValue

#: A template longer than this is nothing that a person wrote.
_LONGEST = 10_000
#: An error repeats no more of it.
_SHOWN = 80
#: Whole floats up to here print like integers.
_EXACT = 2**53

_ACTION = re.compile(r"\{")
_KEYWORD = re.compile(r"[ \t]*(?:range|end)\b")
_SPACE = re.compile(r"[ \t]+")
_NAME = re.compile(r"(?:\\.|[^\s.,\[\]$@{}\\])*")
_NUMBER = re.compile(r"[+-]?[0-9.]*")
_IDENTIFIER = re.compile(r"[^\s.,\[\]$@{}]+")
_QUOTED = {mark: re.compile(rf"(?:\\.|[^{mark}\\\n])*{mark}") for mark in ("'", '"')}
_QUOTED_KEY = re.compile(r"'([^']*)'\Z")
_SLICE = re.compile(r"(-?[0-9]{0,9})(:-?[0-9]{0,9})?(:-?[0-9]{0,9})?\Z")
_COMPARISON = re.compile(r"([^!<>=]+)([!<>=]+)(.+)\Z", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}


class _Range(NamedTuple):
    """``{range steps}body{end}``."""

    steps: tuple[Step, ...]
    body: tuple[_Part, ...]


#: Text, an expression, or a loop.
_Part = str | tuple[Step, ...] | _Range


class JsonPath(NamedTuple):
    """A template that was read; see :func:`parse`."""

    text: str
    parts: tuple[_Part, ...]

    def render(self, value: JsonValue) -> str:
        """The template's text for a value.

        Raises:
            InvalidObject: A key or index does not exist, or a filter compares what cannot be
                compared; ``path`` is the template.
        """
        try:
            return guard_depth(lambda: _render(self.parts, value, _Budget()))
        except InvalidObject as error:
            raise error.within(self.text[:_SHOWN]) from None


@functools.lru_cache(maxsize=512)
def parse(text: str) -> JsonPath:
    """Reads a template.

    Raises:
        InvalidObject: It is not well formed; ``path`` is the template.
    """
    try:
        if len(text) > _LONGEST:
            raise InvalidObject(f"must have at most {_LONGEST} characters")
        parts, _closed = guard_depth(lambda: _Reader(text).parts(inside_range=False))
    except InvalidObject as error:
        raise error.within(text[:_SHOWN]) from None
    return JsonPath(text, parts)


@dataclass(slots=True)
class _Budget:
    """How many more parts may be rendered: loops in loops end here."""

    left: int = 100_000

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise InvalidObject("its loops have no reasonable end")


def _render(parts: Sequence[_Part], value: JsonValue, budget: _Budget) -> str:
    rendered = []
    for part in parts:
        budget.spend()
        if isinstance(part, str):
            rendered.append(part)
        elif isinstance(part, _Range):
            found = walking.walk(part.steps, [value])
            rendered.extend(_render(part.body, each, budget) for each in found)
        else:
            rendered.append(" ".join(_printed(each) for each in walking.walk(part, [value])))
    return "".join(rendered)


# --- Reading -------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Reader:
    """Reads a text from ``position`` on."""

    text: str
    position: int = 0

    def parts(self, *, inside_range: bool) -> tuple[tuple[_Part, ...], bool]:
        """Text and actions up to the end of the text or of the range, and whether that closed."""
        parts: list[_Part] = []
        while self.position < len(self.text):
            start = _ACTION.search(self.text, self.position)
            if start is None:
                parts.append(self.text[self.position :])
                self.position = len(self.text)
                break
            if start.start() > self.position:
                parts.append(self.text[self.position : start.start()])
            self.position = start.end()
            word = self._keyword()
            steps = self.steps("}")
            if word == "end":
                if not inside_range:
                    raise InvalidObject("{end} without {range}")
                return tuple(parts), True
            if word == "range":
                body, closed = self.parts(inside_range=True)
                parts.append(_Range(steps, body))
                if not closed:
                    # Nothing says where it ends: what follows is both its body and what follows it.
                    parts.extend(body)
            else:
                parts.append(steps)
        return tuple(parts), False

    def _keyword(self) -> str | None:
        return self._take(_KEYWORD).strip(" \t") or None

    def steps(self, closing: str) -> tuple[Step, ...]:
        """Steps up to the closing mark (none: up to the end of the text)."""
        steps: list[Step] = []
        while True:
            self._take(_SPACE)
            mark = self.text[self.position : self.position + 1]
            if mark == closing:
                self.position += len(closing)
                return tuple(steps)
            if not mark or mark == "\n":
                raise InvalidObject("an expression is not closed", hint="it ends with }")
            steps.extend(self._step(mark))

    def _step(self, mark: str) -> list[Step]:
        at = self.position
        if self.text.startswith("..", at):
            self.position += 2
            if self.text.startswith("..", self.position):
                raise InvalidObject("a descent follows a descent")
            following = self.text[self.position : self.position + 1]
            return [walking.descend, *(self._field() if _starts_name(following) else ())]
        if self.text.startswith("[?(", at):
            return [self._filter()]
        self.position += 1
        match mark:
            case "@" | "$":
                return []
            case "[":
                return self._brackets()
            case '"' | "'":
                return [walking.constant(self._quoted(mark))]
            case ".":
                return self._field()
        self.position = at
        if mark in "+-" or mark.isdecimal():
            return [walking.each_constant(self._number())]
        return [self._identifier()]

    def _take(self, pattern: re.Pattern[str]) -> str:
        """What a pattern matches here, which is then read; empty when it matches nothing."""
        found = pattern.match(self.text, self.position)
        if found is None:
            return ""
        self.position = found.end()
        return found.group()

    def _field(self) -> list[Step]:
        name = self._take(_NAME)
        if not name:
            # `{.}` is the value itself, and so is the dot before a bracket.
            return []
        return [walking.wildcard if name == "*" else walking.field(name.replace("\\", ""))]

    def _quoted(self, mark: str) -> str:
        quoted = self._take(_QUOTED[mark])
        if not quoted:
            raise InvalidObject("a quoted text is not closed")
        return _ESCAPE.sub(lambda each: _ESCAPED.get(each[1], each[1]), quoted[:-1])

    def _number(self) -> int | float:
        digits = self._take(_NUMBER)
        try:
            return float(digits) if "." in digits else int(digits)
        except ValueError:
            raise InvalidObject("is not a number", value=digits) from None

    def _identifier(self) -> Step:
        start = self.position
        word = self._take(_IDENTIFIER) or self.text[start]
        if word not in ("true", "false"):
            raise InvalidObject(
                f"{word!r} means nothing here", hint=f"a field is written with a dot: .{word}"
            )
        return walking.each_constant(word == "true")

    def _brackets(self) -> list[Step]:
        end = self.text.find("]", self.position)
        inner = self.text[self.position : end]
        if end < 0 or "\n" in inner:
            raise InvalidObject("a bracket is not closed")
        self.position = end + 1
        if "," in inner:
            return [walking.union([_bracket(each.strip(" ")) for each in inner.split(",")])]
        return list(_bracket(inner))

    def _filter(self) -> Step:
        self.position += len("[?(")
        start, quote = self.position, ""
        for at in range(start, len(self.text)):
            mark = self.text[at]
            if mark == quote and self.text[at - 1] != "\\":
                quote = ""
            elif not quote and mark in "\"'":
                quote = mark
            elif not quote and mark == ")":
                break
        else:
            raise InvalidObject("a filter is not closed")
        self.position = at + 2
        if self.text[at + 1 : at + 2] != "]":
            raise InvalidObject("a filter ends with )]")
        inner = self.text[start:at]
        compared = _COMPARISON.match(inner)
        if compared is None:
            return walking.exists(_expression(inner))
        left, sign, right = compared.groups()
        if sign not in walking.COMPARE:
            raise InvalidObject("a filter compares with one of ==, !=, <, <=, >, >=", value=sign)
        return walking.filtered(_expression(left), sign, _expression(right))


def _starts_name(mark: str) -> bool:
    return mark.isalnum() or mark in ("_", "*")


def _expression(text: str) -> tuple[Step, ...]:
    return _Reader(text).steps("")


def _bracket(inner: str) -> tuple[Step, ...]:
    """What stands between brackets: ``*``, a quoted key, an index or a slice."""
    quoted = _QUOTED_KEY.match(inner)
    if quoted:
        return _expression(f".{quoted[1]}")
    found = _SLICE.match("::" if inner == "*" else inner)
    if found is None or not inner:
        raise InvalidObject(f"[{inner}] is neither an index nor a quoted key")
    first, second, third = found.groups()
    start = int(first) if first not in ("", "-") else None
    if second is None and third is None:
        return (walking.index(start or 0),)
    bounds = [None if each in (None, ":", ":-") else int(each[1:]) for each in (second, third)]
    return (walking.slice_of(start, *bounds),)


# --- Printing ------------------------------------------------------------------------------------


def _printed(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return _float_text(value)
    text = dumps(_sorted(value))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_sorted(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    return value


def _float_text(value: float) -> str:
    """Fewest digits that identify it; plain from 0.0001 up to a million, whole numbers in full."""
    if value.is_integer() and abs(value) < _EXACT:
        return str(int(value))
    if 1e-4 <= abs(value) < 1e6:
        return repr(value)
    mantissa, exponent = _digits(value)
    return f"{mantissa}e{exponent:+03d}"


def _digits(value: float) -> tuple[str, int]:
    """Mantissa with one digit before the point, and the power of ten."""
    shortest = repr(value)
    sign = "-" if shortest.startswith("-") else ""
    number, _, power = shortest.lstrip("-").partition("e")
    whole, _, decimals = number.partition(".")
    digits = (whole + decimals).lstrip("0")
    exponent = int(power or 0) + len(whole) - 1
    if whole.strip("0") == "":
        exponent -= len(whole + decimals) - len((whole + decimals).lstrip("0"))
    digits = digits.rstrip("0") or "0"
    return f"{sign}{digits[0]}{'.' + digits[1:] if digits[1:] else ''}", exponent


__all__ = ["JsonPath", "parse"]
