"""The rules about one script, a topic a module; each takes a script and yields problems."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from interpreter.authoring.lint.model import Problem, Script
from interpreter.authoring.lint.rules import entry, fields, flow, library, names, tables, types

RULE_MODULES: tuple[Callable[[Script], Iterator[Problem]], ...] = (
    entry.check,
    names.check,
    library.check,
    fields.check,
    types.check,
    tables.check,
    flow.check,
)
