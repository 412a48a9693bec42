"""``assert_conforms``: everything that a control plane relies on, asked of one plugin.

A control plane asks again and again, on several threads and in several processes, and writes what
it is told. So a hook's answer must depend on nothing but its arguments, must be its caller's to
keep, and must not change when it is asked about its own result.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.errors import InterpreterError
from interpreter.facade import ResourceInterpreter
from interpreter.machinery.gvk import ANY, GVK
from interpreter.machinery.unstructured import JsonObject
from interpreter.registry.plugin_sources import Source, installed
from interpreter.testing.builders import hook_context
from interpreter.testing.conformance_run import Problem, Run
from interpreter.testing.examples import Example, examples_for
from interpreter.testing.plugin_cases import strict_interpreter

#: What is checked, by the name that ``skip`` takes.
CHECKS: Mapping[str, str] = {
    "contract": "the plugin can be used, and there is an example of each kind that it claims",
    "metadata": "an installed plugin declares the kinds that it claims, and no others",
    "answered": "each hook answers for an example",
    "raises": "no hook fails for an example, or changes its input, with a context or without",
    "deterministic": "asked twice, and with keys in another order, a hook says the same",
    "stateless": "an answer does not depend on what was asked before",
    "own": "no two answers share a part",
    "picklable": "answers can be sent to another process",
    "identity": "an object keeps its kind, name and namespace",
    "idempotent": "a hook that edits the object does not change its own answer",
    "round trip": "a count that was written is the count that is read",
}


def assert_conforms(
    plugin: object,
    *examples: JsonObject | Example,
    skip: Iterable[str] = (),
    context: HookContext | None = None,
) -> None:
    """Asks a plugin's hooks about examples, and checks the answers.

    Args:
        plugin: A module, class or object; or the name of an installed plugin or Lua pack.
        *examples: Good objects, at least one of each kind that it claims. For Deployments,
            StatefulSets, Jobs, Pods and Services there are examples already.
        skip: Checks to leave out, keys of ``CHECKS``; a comment should say why.
        context: What hooks are told besides nothing; :func:`~.builders.hook_context` when None.

    Raises:
        AssertionError: Something is not as it must be; all of it is listed.
        ValueError: There is no check of such a name.
    """
    problems = find_problems(plugin, *examples, skip=skip, context=context)
    if problems:
        listed = "\n".join(f"  {problem}" for problem in problems)
        raise AssertionError(f"{_name(plugin)} does not conform:\n{listed}")


def find_problems(
    plugin: object,
    *examples: JsonObject | Example,
    skip: Iterable[str] = (),
    context: HookContext | None = None,
) -> list[Problem]:
    """As :func:`assert_conforms`, but gives what was found."""
    left_out = frozenset(skip)
    unknown = sorted(left_out.difference(CHECKS))
    if unknown:
        raise ValueError(f"there is no check {unknown[0]!r}; one of {', '.join(CHECKS)}")
    found = _problems(plugin, examples, context or hook_context())
    # The same fault shows with and without a context.
    return list(dict.fromkeys(one for one in found if one.check not in left_out))


def _problems(
    plugin: object, examples: Iterable[JsonObject | Example], context: HookContext
) -> Iterator[Problem]:
    try:
        source = _installed_as(plugin)
        # The object itself: what its metadata does not declare would not be asked otherwise.
        plugin = _loaded(plugin, source)
        with strict_interpreter([plugin]) as ri, strict_interpreter([plugin]) as fresh:
            claims = _claims(ri)
            found, missing = examples_for((claim for claim, _ in claims), examples)
            yield from _metadata(source, claims)
            for claim in missing:
                yield Problem("contract", str(claim), "there is no example of it: give one")
            yield from Run(ri, fresh, context).problems_of(claims, found)
    except (InterpreterError, ImportError, AttributeError) as error:
        yield Problem("contract", _name(plugin), f"cannot be used: {error}")


def _name(plugin: object) -> str:
    return plugin if isinstance(plugin, str) else getattr(plugin, "__name__", None) or repr(plugin)


def _installed_as(plugin: object) -> Source | None:
    """The installed plugin that a name or an object is, None where it is not installed."""
    for source in installed():
        if plugin == source.name if isinstance(plugin, str) else _object_of(source) is plugin:
            return source
    return None


def _object_of(source: Source) -> object:
    """The object of an entry point if its module is imported already, else None."""
    name, _, attributes = source.value.partition(":")
    found: object = sys.modules.get(name)
    for attribute in filter(None, attributes.split(".")):
        found = getattr(found, attribute, None)
    return found


def _loaded(plugin: object, source: Source | None) -> object:
    """What to put into an interpreter: the object that a name stands for; a pack by its name."""
    if source is None or not isinstance(plugin, str):
        return plugin
    loaded = source.load()
    return plugin if isinstance(loaded, Path) else loaded


def _claims(ri: ResourceInterpreter) -> list[tuple[GVK, Operation]]:
    rows = [row for row in ri.kinds() if row.implementation.tier == "plugin"]
    return list(dict.fromkeys((row.gvk, row.operation) for row in rows))


def _metadata(source: Source | None, claims: Iterable[tuple[GVK, Operation]]) -> Iterator[Problem]:
    if source is None or source.claims is None:
        return
    kinds = list(dict.fromkeys(claim for claim, _ in claims))
    for claim in kinds:
        if not any(declared.matches(claim) for declared in source.claims):
            text = f"it claims {claim}, which its metadata does not declare: it is not asked for it"
            yield Problem("metadata", source.name, text)
    for declared in source.claims:
        if declared != ANY and not any(declared.matches(claim) for claim in kinds):
            text = f"its metadata declares {declared}, which it does not claim"
            yield Problem("metadata", source.name, text)
