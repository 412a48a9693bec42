"""Predicates of the rules about the kube library."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

import lua_runners
from recordings import Answer, Case


def kube_numbers_applies(case: Case, _answer: Answer) -> bool:
    return (
        case.operation == "Kube"
        and case.input["function"] == "resourceAdd"
        and case.failed
        and any(type(item) in (int, float) for item in case.input["args"])
        and all(item is None or type(item) in (int, float, str) for item in case.input["args"])
    )


def kube_unread_applies(case: Case, answer: Answer) -> bool:
    return (
        case.operation == "Kube"
        and "fail to convert lua value" in case.expect.get("error", "")
        and "error" not in answer
    )


def kube_unread_holds(case: Case, answer: Answer) -> bool:
    """Without one field, which the recorded program stumbles over, we answer the same."""
    found = re.search(r"Go struct field (\w+)\.([\w.]+) of type", case.expect["error"])
    template = case.input["args"][0]
    paths = [found.group(2).split(".")] if found else [path for path, _leaf in _leaves(template)]
    return any(_without(case, path) == answer for path in paths)


def _without(case: Case, path: list[str]) -> Answer:
    other = copy.deepcopy(case.input)
    _drop(other["args"][0], path)
    return lua_runners.run(Case(case.id, "Kube", other, {}))


def _leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[list[str], Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, (*path, key))
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item, path)
    elif path:
        yield list(path), value


def _drop(value: Any, path: list[str]) -> None:
    if isinstance(value, list):
        for item in value:
            _drop(item, path)
    elif isinstance(value, dict):
        if len(path) == 1:
            value.pop(path[0], None)
        elif path[0] in value:
            _drop(value[path[0]], path[1:])


def kube_range_applies(case: Case, answer: Answer) -> bool:
    return case.operation == "Kube" and not case.failed and "error" in answer
