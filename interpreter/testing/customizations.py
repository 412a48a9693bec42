"""Scripts inside ResourceInterpreterCustomization documents, as suites by kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from interpreter.api.config import ResourceInterpreterCustomization
from interpreter.api.documents import parse
from interpreter.api.kinds import CONFIG_API_VERSION, CUSTOMIZATION_KIND
from interpreter.api.operation import Operation
from interpreter.engines.lua.customizations import target_of
from interpreter.errors import InvalidCustomization, InvalidObject
from interpreter.machinery.gvk import GVK, from_api_version
from interpreter.operations import OPERATION_OF_RULE
from interpreter.testing.cases import Case, broken_file
from interpreter.testing.suites import Rule, ScriptFile, Suite
from interpreter.testing.texts import Part, parts_of, read_text


@dataclass(frozen=True, slots=True)
class Declared:
    """One document: its name, its target and its scripts by operation."""

    name: str
    target: GVK
    path: str
    scripts: dict[Operation, ScriptFile]


def read_customizations(path: Path) -> list[Declared]:
    """The customizations of a file; other documents are left out.

    Raises:
        InvalidObject: The file cannot be read.
        InvalidCustomization: A document is no customization that can be used.
    """
    text = read_text(path)
    if CUSTOMIZATION_KIND not in text:
        return []
    return [
        _declared(path, text, part)
        for part in parts_of(text, source=str(path))
        if isinstance(part.value, dict)
        and part.value.get("kind") == CUSTOMIZATION_KIND
        and part.value.get("apiVersion") == CONFIG_API_VERSION
    ]


def _declared(path: Path, text: str, part: Part) -> Declared:
    try:
        document = parse(part.value, ResourceInterpreterCustomization, CUSTOMIZATION_KIND)
        target = target_of(document)
    except InvalidCustomization as error:
        error.annotate(source=str(path), line=part.line)
        raise
    name = document.metadata.name
    scripts = {}
    for rule, source in document.spec.customizations.scripts().items():
        node = part.node.find(("spec", "customizations", rule, "luaScript"))
        lines_before = None
        if node is not None and _same_lines(text[node.start : node.end], source):
            lines_before = node.line  # the text starts on the line behind the bar
        operation = OPERATION_OF_RULE[rule]
        scripts[operation] = ScriptFile(
            f"{name}/{rule}", source, operation.value, str(path), lines_before
        )
    return Declared(name, target, str(path), scripts)


def _same_lines(block: str, source: str) -> bool:
    """Whether a script in a YAML file has the lines of the file.

    A literal block (``|``) always has; a folded one (``>``) often, because indented lines stay.
    """
    wanted = [line.strip() for line in source.splitlines()]
    lines = [line.strip() for line in block.splitlines()[1:]]
    return lines[: len(wanted)] == wanted


def suites_of(
    declared: Iterable[Declared], cases: Iterable[Case], *, only: frozenset[str] | None = None
) -> list[Suite]:
    """Suites by kind: what would run for each operation, and the cases whose object is of it.

    Documents are taken in the order of their names; the first script of an operation counts, those
    for dependencies all run.

    Args:
        declared: Documents that share a pool of cases.
        cases: The cases; those that fit no kind go to the first suite, where they fail.
        only: Files whose kinds are wanted; cases of other kinds are left out then.
    """
    kinds: dict[GVK, list[Declared]] = {}
    for document in declared:
        kinds.setdefault(document.target, []).append(document)
    pools: dict[GVK, list[Case]] = {kind: [] for kind in kinds}
    strays: list[Case] = []
    for case in cases:
        kind = _kind_of(case, kinds)
        (strays if kind is None else pools[kind]).append(case)
    suites: list[Suite] = []
    for kind, documents in kinds.items():
        if only is not None and not any(document.path in only for document in documents):
            continue
        own = pools[kind]
        if not suites:
            own = [*own, *strays]
        rules = dict(_rules(documents))
        suites.append(
            Suite(
                kind=f"{kind.api_version}/{kind.kind}",
                place=documents[0].path,
                rules=rules,
                cases=tuple(own),
                must_cover=frozenset(rules),
            )
        )
    return suites


def _kind_of(case: Case, kinds: dict[GVK, list[Declared]]) -> GVK | None:
    """The most specific target for a case's object, as the control plane would choose."""
    if case.target is None:
        return next(iter(kinds)) if len(kinds) == 1 else None
    try:
        gvk = from_api_version(*case.target)
    except InvalidObject:
        return None
    matching = [target for target in kinds if target.matches(gvk)]
    return min(matching, key=lambda target: target.generality, default=None)


def _rules(documents: list[Declared]) -> Iterator[tuple[Operation, Rule]]:
    ordered = sorted(documents, key=lambda document: document.name.encode())
    found: dict[Operation, list[ScriptFile]] = {}
    for document in ordered:
        for operation, script in document.scripts.items():
            found.setdefault(operation, []).append(script)
    for operation, scripts in found.items():
        count = len(scripts) if operation is Operation.GET_DEPENDENCIES else 1
        yield operation, Rule(operation, tuple(scripts[:count]))


def unreadable(path: Path, error: InvalidObject | InvalidCustomization) -> Suite:
    """A suite whose only case says that the file cannot be used."""
    return Suite(kind=str(path), place=str(path), rules={}, cases=(broken_file(path, error),))
