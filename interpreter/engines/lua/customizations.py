"""The rules of customizations: which script answers which operation of which kind.

Rules: the most specific target wins (exact before ``*``, kind before version), then the name,
bytewise (``10`` before ``9``); an empty script is none. Dependency scripts of one target all run,
in the order of names, and their results are joined. A customization with the annotation
``resource-interpreter.io/chain: "true"`` does not answer by itself: its scripts go on with what the
others, or the tiers below, have answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from interpreter.api.config import ResourceInterpreterCustomization
from interpreter.api.documents import parse_all
from interpreter.api.kinds import CUSTOMIZATION_KIND
from interpreter.api.operation import Operation
from interpreter.engines.lua.asking import Call, script_call
from interpreter.engines.lua.engine import LuaEngine
from interpreter.engines.lua.scripts import Script
from interpreter.errors import InterpreterError, InvalidCustomization
from interpreter.machinery.gvk import GVK, from_api_version
from interpreter.operations import OPERATION_OF_RULE

#: Annotation of a customization whose scripts go on with the answer of others.
CHAIN_ANNOTATION = "resource-interpreter.io/chain"
#: Operations whose answer is the object itself, so that a script can go on with it.
CHAINABLE = frozenset({Operation.RETAIN, Operation.REVISE_REPLICA, Operation.AGGREGATE_STATUS})


@dataclass(frozen=True, slots=True)
class LuaRule:
    """What answers one operation for one target.

    Attributes:
        customization: Name of the customization; of the first one where several are joined.
        gvk: The target; version and kind may be ``*``.
        operation: The operation.
        scripts: The script, or all dependency scripts of the target.
        call: Answers: takes the operation's arguments and the context, returns the checked result.
        chained: Whether it takes the answer of the others in place of the object.
    """

    customization: str
    gvk: GVK
    operation: Operation
    scripts: tuple[Script, ...]
    call: Call
    chained: bool = False

    @property
    def handler(self) -> str:
        """Names of the scripts, for people."""
        return " + ".join(script.name for script in self.scripts)


def customization_rules(documents: Iterable[Mapping[str, Any]], engine: LuaEngine) -> list[LuaRule]:
    """Checks ResourceInterpreterCustomization documents; their rules, first to be asked first.

    Raises:
        InvalidCustomization: A document does not fit its schema, its target cannot be used, or two
            have one name.
    """
    single: list[LuaRule] = []
    joined: dict[GVK, list[Script]] = {}
    named = parse_all(documents, ResourceInterpreterCustomization, CUSTOMIZATION_KIND)
    for name, parsed in sorted(named.items(), key=lambda pair: pair[0].encode()):
        gvk = target_of(parsed)
        chained = is_chained(parsed)
        for rule, source in parsed.spec.customizations.scripts().items():
            operation = OPERATION_OF_RULE[rule]
            script = Script(f"{name}/{rule}", source, operation.value)
            if operation is Operation.GET_DEPENDENCIES:
                joined.setdefault(gvk, []).append(script)
            else:
                call = script_call(engine, operation, [script])
                single.append(LuaRule(name, gvk, operation, (script,), call, chained))
    rules = single + [
        LuaRule(
            scripts[0].customization,
            gvk,
            Operation.GET_DEPENDENCIES,
            tuple(scripts),
            script_call(engine, Operation.GET_DEPENDENCIES, scripts),
        )
        for gvk, scripts in joined.items()
    ]
    rules.sort(key=lambda rule: (rule.gvk.generality, rule.customization.encode()))
    return rules


def is_chained(parsed: ResourceInterpreterCustomization) -> bool:
    """Whether the scripts of a customization go on with what others have answered.

    Raises:
        InvalidCustomization: The annotation is neither ``"true"`` nor ``"false"``, or the
            customization has a script for an operation whose answer is no object.
    """
    value = (parsed.metadata.annotations or {}).get(CHAIN_ANNOTATION, "false")
    name, path = parsed.metadata.name, f"metadata.annotations[{CHAIN_ANNOTATION}]"
    if value not in ("true", "false"):
        raise InvalidCustomization('must be "true" or "false"', plugin=name, path=path, value=value)
    for rule in parsed.spec.customizations.scripts() if value == "true" else ():
        if OPERATION_OF_RULE[rule] not in CHAINABLE:
            raise InvalidCustomization(
                f"chains Retain, ReviseReplica and AggregateStatus, but there is a {rule} script",
                plugin=name,
                path=path,
                hint="put that script into a customization of its own",
            )
    return value == "true"


def target_of(parsed: ResourceInterpreterCustomization) -> GVK:
    """The target of a customization; its version and its kind may be ``*``.

    Raises:
        InvalidCustomization: It cannot be used; ``path`` and ``value`` say which part.
    """
    name, target = parsed.metadata.name, parsed.spec.target
    path = "spec.target.apiVersion"
    for part, value in (("apiVersion", target.apiVersion), ("kind", target.kind)):
        blank = not value.isprintable() or " " in value
        if blank or (part == "kind" and "/" in value):
            raise InvalidCustomization(
                "must be a name as objects have it",
                plugin=name,
                path=f"spec.target.{part}",
                value=value,
                hint="without blanks" if blank else "without a slash",
            )
    try:
        gvk = from_api_version(target.apiVersion, target.kind)
    except InterpreterError as error:
        raise InvalidCustomization(
            error.message, plugin=name, path=path, value=target.apiVersion
        ) from None
    if "*" in gvk.group:
        raise InvalidCustomization(
            "must have an exact group",
            plugin=name,
            path=path,
            value=target.apiVersion,
            hint="* may stand for the version or the kind",
        )
    for part, value in (("apiVersion", gvk.version), ("kind", gvk.kind)):
        if "*" in value and value != "*":
            raise InvalidCustomization(
                "must be exact or *",
                plugin=name,
                path=f"spec.target.{part}",
                value=value,
                hint="* stands for all of a version or kind, not for a part of it",
            )
    return gvk
