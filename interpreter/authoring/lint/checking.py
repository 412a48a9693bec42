"""Runs all rules over everything that was read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import BinaryIO

from interpreter.authoring.lint import sources, tree
from interpreter.authoring.lint.findings import Finding, Level
from interpreter.authoring.lint.model import Script
from interpreter.authoring.lint.rules import RULE_MODULES
from interpreter.authoring.lint.shadowing import unreachable_documents, unreachable_folders
from interpreter.authoring.lint.sources import ScriptSource
from interpreter.engines.lua.engine import LuaEngine

#: Levels of the tree that the rules walk recursively; real scripts stay below 40.
MAX_DEPTH = 180

_ALLOW = re.compile(r"--\s*interpret:\s*allow\s+([a-z-]+(?:\s*,\s*[a-z-]+)*)")
_BUILT_IN_GROUPS = frozenset({"", "apps", "batch", "autoscaling", "policy", "extensions"})


@dataclass(frozen=True, slots=True)
class Report:
    """Everything found.

    Attributes:
        findings: Sorted by file, line and column.
        files: How many files had something to check.
        scripts: How many scripts were checked.
    """

    findings: tuple[Finding, ...]
    files: int
    scripts: int

    def count(self, level: Level) -> int:
        """How many findings have a level."""
        return sum(finding.level is level for finding in self.findings)

    @property
    def failed(self) -> bool:
        """Whether any finding is an error."""
        return self.count(Level.ERROR) > 0


def check(paths: Iterable[str], *, stdin: BinaryIO | None = None) -> Report:
    """Checks files and folders.

    Args:
        paths: Files, folders, or ``-`` for YAML from standard input.
        stdin: What ``-`` reads; standard input of the process by default.

    Raises:
        ConfigurationError: A path does not exist, or there is nothing to check.
    """
    collected = sources.collect(paths, stdin=stdin)
    findings = list(collected.findings)
    with closing(LuaEngine()) as engine:
        for script in collected.scripts:
            findings += check_script(script, engine)
    findings += unreachable_documents(collected.scripts)
    findings += unreachable_folders(collected.scripts)
    # A script that an alias repeats, or that two rules share, gives the same finding twice.
    unique = sorted(dict.fromkeys(findings))
    return Report(tuple(unique), len(collected.files), len(collected.scripts))


def check_script(source: ScriptSource, engine: LuaEngine) -> Iterator[Finding]:
    """Yields findings of one script; the engine says whether it parses."""
    if not source.text:
        yield _finding(
            source, "empty-script", "the script is empty, which counts as no rule", (1, 1)
        )
        return
    fault = engine.check_syntax(source.text)
    lines = source.text.encode().split(b"\n")
    if fault is not None:
        yield _finding(source, "syntax-error", fault[1], _first_word(lines, fault[0]))
        return
    root = tree.parse(source.text)
    message = "the script parses, but is nested too deeply or too odd to be looked at"
    if root.has_error or tree.depth(root) > MAX_DEPTH:
        yield _finding(source, "not-checked", message, (1, 1))
        return
    try:
        script = Script.read(root, source.spec, typed_kind=_is_built_in(source))
        problems = [problem for rule_module in RULE_MODULES for problem in rule_module(script)]
    except RecursionError:  # a chain of hundreds of locals, each made from the one before
        yield _finding(source, "not-checked", message, (1, 1))
        return
    allowed = _allowed(source.text)
    for problem in problems:
        # What is about the script as a whole stands at its start, not at its first word.
        is_whole = problem.node.type == "chunk"
        line, column = (1, 1) if is_whole else tree.position(problem.node, lines)
        if problem.rule not in allowed.get(line, ()):
            yield _finding(source, problem.rule, problem.message, (line, column))


def _finding(source: ScriptSource, rule: str, message: str, at: tuple[int, int]) -> Finding:
    line, column = source.place.locate(*at)
    if source.place.indent is None and at[0] > 1:
        message = f"line {at[0]} of the script: {message}"
    return Finding(source.file, line, column, rule, message, source.customization, source.script)


def _first_word(lines: list[bytes], line: int) -> tuple[int, int]:
    """Where the text of a line starts; the engine tells no columns."""
    line = max(1, min(line, len(lines)))
    shown = lines[line - 1].decode(errors="replace")
    return line, len(shown) - len(shown.lstrip()) + 1


def _allowed(text: str) -> dict[int, set[str]]:
    """Rules allowed by line; a comment on a line of its own speaks for the next line."""
    allowed: dict[int, set[str]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        match = _ALLOW.search(line)
        if match:
            target = number + 1 if line.lstrip().startswith("--") else number
            allowed.setdefault(target, set()).update(re.split(r"\s*,\s*", match[1]))
    return allowed


def _is_built_in(source: ScriptSource) -> bool:
    if not source.kind:
        return False
    group = source.api_version.rpartition("/")[0]
    return group in _BUILT_IN_GROUPS or group.endswith(".k8s.io")
