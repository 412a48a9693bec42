"""Comparing JSON values: where they first differ, and what a person reads about it."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Any

from interpreter.codec import yaml as yaml_codec
from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import JsonValue, same
from interpreter.machinery.wording import counted, truncated

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


class _Absent:
    """Marks a value that is not there; null is a value."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT = _Absent()


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where two values differ; ``want`` and ``got`` may be ``ABSENT``."""

    path: str
    want: Any
    got: Any

    def __str__(self) -> str:
        sides = f"want {_shown(self.want)}, got {_shown(self.got)}"
        return f"{self.path}: {sides}" if self.path else sides


def first_difference(want: JsonValue, got: JsonValue, path: str = "") -> Difference | None:
    """The first difference in the order of ``want``; None for equal values.

    Numbers are equal by value, booleans are no numbers, lists are ordered, objects are not.
    """
    if isinstance(want, dict) and isinstance(got, dict):
        for key, item in want.items():
            found = _differ(item, got.get(key, ABSENT), _join(path, key))
            if found is not None:
                return found
        for key, item in got.items():
            if key not in want:
                return Difference(_join(path, key), ABSENT, item)
        return None
    if isinstance(want, list) and isinstance(got, list):
        for index in range(max(len(want), len(got))):
            found = _differ(_at(want, index), _at(got, index), f"{path}[{index}]")
            if found is not None:
                return found
        return None
    return None if same(want, got) else Difference(path, want, got)


def _differ(want: Any, got: Any, path: str) -> Difference | None:
    if want is ABSENT or got is ABSENT:
        return Difference(path, want, got)
    return first_difference(want, got, path)


def _at(values: list[Any], index: int) -> Any:
    return values[index] if index < len(values) else ABSENT


def _join(path: str, key: str) -> str:
    if not _PLAIN_KEY.fullmatch(key):
        return f"{path}[{key!r}]"
    return f"{path}.{key}" if path else key


def project(got: JsonValue, patch: JsonValue) -> JsonValue:
    """The part of ``got`` that ``patch`` speaks about; a field that ``got`` lacks becomes null."""
    if isinstance(patch, dict) and isinstance(got, dict):
        return {key: project(got.get(key), item) for key, item in patch.items()}
    return got


def aligned(got: JsonValue, want: JsonValue) -> JsonValue:
    """``got`` in the key order and number spelling of ``want``: a diff then shows what counts."""
    if isinstance(want, dict) and isinstance(got, dict):
        ordered = {key: aligned(got[key], item) for key, item in want.items() if key in got}
        return {**ordered, **{key: item for key, item in got.items() if key not in want}}
    if isinstance(want, list) and isinstance(got, list):
        paired = [aligned(item, other) for item, other in zip(got, want, strict=False)]
        return paired + got[len(want) :]
    return want if same(want, got) else got


def diff_lines(want: JsonValue, got: JsonValue) -> list[str]:
    """A unified diff of the two values as YAML, without line ends."""
    return list(
        difflib.unified_diff(
            yaml_lines(want), yaml_lines(aligned(got, want)), "want", "got", n=3, lineterm=""
        )
    )


def yaml_lines(value: JsonValue) -> list[str]:
    """A value as the lines of a YAML document."""
    return yaml_codec.dumps(value).splitlines()


def _shown(value: Any) -> str:
    """A value on one line, short."""
    if value is ABSENT:
        return "nothing"
    if isinstance(value, dict) and value:
        return f"an object of {counted(len(value), 'field')}"
    if isinstance(value, list) and value:
        return f"a list of {counted(len(value), 'item')}"
    if isinstance(value, str) and "\n" in value:
        value = value.split("\n", 1)[0] + "…"
    try:
        text = yaml_codec.dumps(value).rstrip("\n")
    except InvalidObject:
        text = repr(value)
    return truncated(text, 100)
