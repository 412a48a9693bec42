"""The check of dependency references (``config.karmada.io/v1alpha1`` DependentObjectReference)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from interpreter.api.results import DependentObjectReference
from interpreter.errors import InvalidObject
from interpreter.machinery.names import invalid, selector_problems

#: A message lists no more than about so many.
_MOST_PROBLEMS = 50


def check_references(references: Iterable[DependentObjectReference]) -> None:
    """Checks that each reference names its kind, and an object or a valid selector.

    Raises:
        InvalidObject: With all problems, in the published words of the reference's check.
    """
    problems: dict[str, None] = {}
    for index, reference in enumerate(references):
        for problem in _problems(reference, f"dependencies[{index}]"):
            problems.setdefault(problem)
        if len(problems) >= _MOST_PROBLEMS:
            break
    if problems:
        text = ", ".join(problems)
        raise InvalidObject(text if len(problems) == 1 else f"[{text}]")


def _problems(reference: DependentObjectReference, path: str) -> Iterator[str]:
    if not reference.api_version:
        yield invalid(f"{path}.apiVersion", "", "missing required apiVersion")
    if not reference.kind:
        yield invalid(f"{path}.kind", "", "missing required kind")
    if reference.label_selector is not None:
        yield from selector_problems(reference.label_selector, f"{path}.labelSelector")
    elif not reference.name:
        shown = json.dumps(reference.to_dict(), separators=(",", ":"), ensure_ascii=False)
        yield (
            f"{path}: Invalid value: {shown}: "
            "dependency can not leave name and labelSelector all empty"
        )
