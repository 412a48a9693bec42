"""The check of dependency references (``config.karmada.io/v1alpha1`` DependentObjectReference)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Protocol

from interpreter.errors import InvalidObject
from interpreter.machinery.names import invalid, selector_problems
from interpreter.machinery.unstructured import JsonObject


class Reference(Protocol):
    """What a reference must offer to be checked."""

    @property
    def api_version(self) -> str:
        """``apiVersion`` of what is referred to."""

    @property
    def kind(self) -> str:
        """Its kind."""

    @property
    def name(self) -> str:
        """Its name, empty when it is chosen by labels."""

    @property
    def label_selector(self) -> JsonObject | None:
        """Labels that choose objects, None when there is a name."""

    def to_dict(self) -> JsonObject:
        """JSON shape."""


def check_references(references: Iterable[Reference]) -> None:
    """Checks that each reference names its kind, and an object or a valid selector.

    Raises:
        InvalidObject: With all problems, in the published words of the reference's check.
    """
    problems: dict[str, None] = {}
    for index, reference in enumerate(references):
        for problem in _problems(reference, f"dependencies[{index}]"):
            problems.setdefault(problem)
    if problems:
        text = ", ".join(problems)
        raise InvalidObject(text if len(problems) == 1 else f"[{text}]")


def _problems(reference: Reference, path: str) -> Iterable[str]:
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
