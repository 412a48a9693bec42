"""Findings, and the catalogue of everything that can be found."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Level(enum.StrEnum):
    """How bad: an error fails the check, a warning is likely wrong, a note is good to know."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of finding.

    Attributes:
        id: Its name in output and in ``-- interpret: allow <id>`` comments.
        level: Level of its findings.
        summary: One sentence about what is wrong.
    """

    id: str
    level: Level
    summary: str


_E, _W, _N = Level.ERROR, Level.WARNING, Level.NOTE

RULES: dict[str, Rule] = {
    rule.id: rule
    for rule in (
        # Documents and folders
        Rule("invalid-yaml", _E, "The file cannot be read as YAML."),
        Rule("invalid-customization", _E, "The document does not fit its API type."),
        Rule("invalid-kind-file", _E, "A kind.yaml does not hold what it may hold."),
        Rule("unknown-script", _W, "A Lua file that no operation reads."),
        Rule("empty-script", _W, "A rule whose script is empty, which counts as no rule."),
        Rule("unreachable-rule", _W, "A rule that another customization answers first."),
        # The script as a whole
        Rule("syntax-error", _E, "The script does not parse, or is too large to be parsed."),
        Rule("not-checked", _N, "The script parses, but is too deep or too odd to be looked at."),
        Rule("missing-function", _E, "The function that the rule calls is not defined."),
        Rule("parameter-count", _E, "The function takes another number of arguments."),
        Rule("missing-return", _W, "The function can end without a result where nil is an error."),
        Rule("wrong-result", _E, "A result of a type or a value that the operation refuses."),
        # Names
        Rule("undefined-variable", _E, "A name that nothing defines; reading it gives nil."),
        Rule("kube-without-require", _E, 'The kube library is used without require("kube").'),
        Rule("global-assignment", _W, "An assignment to a global variable."),
        Rule("global-function", _N, "A helper function that is global."),
        Rule("library-overwrite", _W, "A library function or table is overwritten."),
        Rule("unused-local", _W, "A local variable that is never read."),
        Rule("unused-parameter", _N, "A parameter that is never read."),
        # Library
        Rule("unknown-function", _E, "A library function or method that does not exist."),
        Rule("unavailable-function", _E, "A library function that scripts may not use."),
        Rule("unknown-module", _E, "require of a module that does not exist."),
        Rule(
            "argument-count",
            _E,
            "A function of the kube library wants another number of arguments.",
        ),
        Rule("colon-call", _E, "A library function is called with a colon."),
        Rule("bad-format", _E, "string.format has no such conversion."),
        Rule("not-portable", _N, "Works here, but not in Karmada's own engine."),
        # Values
        Rule("map-length", _W, "Length or list order of a map, which Lua does not know."),
        Rule("type-comparison", _W, "A comparison of types that are never equal."),
        Rule("bad-comparison", _E, "An ordering of types that cannot be ordered."),
        Rule("unknown-type-name", _W, "type() never gives this name."),
        Rule("dropped-empty-table", _W, "A new empty table whose field is left out of the result."),
        Rule("misspelt-field", _W, "A field that is nearly one that every object has."),
        # Flow
        Rule("unreachable-code", _W, "Code that no run can reach."),
    )
}


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something found, and where.

    Attributes:
        file: The file as the user named it or as it was found.
        line: Line in that file, counted from 1.
        column: Column in characters, counted from 1.
        rule: Id in ``RULES``.
        message: What is wrong and what to do.
        customization: Name of the customization, or ``<group>/<version>/<Kind>`` of a script
            folder; empty when the finding belongs to none.
        script: Rule of a customization, or name of a script file; empty when it belongs to none.
    """

    file: str
    line: int
    column: int
    rule: str
    message: str
    customization: str = ""
    script: str = ""

    @property
    def level(self) -> Level:
        """Level of its rule."""
        return RULES[self.rule].level

    def to_dict(self) -> dict[str, str | int]:
        """All fields as JSON."""
        return {
            "rule": self.rule,
            "level": self.level.value,
            "message": self.message,
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "customization": self.customization,
            "script": self.script,
        }
