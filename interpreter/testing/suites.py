"""What is under test: scripts or hooks by kind and operation, and the cases that go with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from interpreter.api.operation import Operation
from interpreter.operations import OPERATIONS
from interpreter.testing.cases import Case


@dataclass(frozen=True, slots=True)
class ScriptFile:
    """One script and where its text stands.

    Attributes:
        name: ``<customization>/<rule>`` or ``<Kind>/<operation>.lua``, as errors name it.
        source: The Lua text.
        function: The function that is called.
        path: File that holds the text.
        lines_before: Lines of that file before the script's first; None where lines cannot be
            mapped (a folded or quoted YAML text).
    """

    name: str
    source: str
    function: str
    path: str
    lines_before: int | None = 0


@dataclass(frozen=True, slots=True)
class Rule:
    """What answers one operation.

    Attributes:
        operation: The operation.
        scripts: Its script, or several for dependencies, whose answers are joined; none for a
            plugin.
        hook: The hook of a plugin, as people find it; empty for scripts.
    """

    operation: Operation
    scripts: tuple[ScriptFile, ...] = ()
    hook: str = ""

    @property
    def path(self) -> str:
        """Where it stands: a file, or the name of a hook."""
        return self.scripts[0].path if self.scripts else self.hook


@dataclass(frozen=True, slots=True)
class Suite:
    """The rules of one kind from one place, and their cases.

    Attributes:
        kind: ``example.com/v1/Widget``.
        place: Folder or file of the scripts.
        rules: Rules by operation.
        cases: Cases in the order of their files.
        must_cover: Operations whose script or hook has to have a case.
        of_plugins: Whether plugins are under test instead of scripts.
    """

    kind: str
    place: str
    rules: Mapping[Operation, Rule]
    cases: tuple[Case, ...]
    must_cover: frozenset[Operation] = field(default_factory=frozenset)
    of_plugins: bool = False

    def untested(self) -> list[Operation]:
        """Operations with a rule but without a case, in the order of the table."""
        covered = {case.operation for case in self.cases}
        return [each for each in OPERATIONS if each in self.must_cover and each not in covered]
