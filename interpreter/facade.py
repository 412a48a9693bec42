"""``ResourceInterpreter``: the operations over all tiers."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Literal, Self, overload

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.api.results import (
    NO_STATUS,
    Component,
    DependentObjectReference,
    Health,
    ReplicaResult,
)
from interpreter.api.scheduling import SchedulerParts
from interpreter.errors import ConfigurationError, InterpreterError, guard_depth
from interpreter.explanation import Explanation, explain
from interpreter.machinery.gvk import GVK, gvk_of
from interpreter.machinery.unstructured import JsonObject, JsonValue
from interpreter.operations import OPERATIONS, REQUIRED, not_found, parse_operation
from interpreter.registry import (
    ALL_TIERS,
    Candidate,
    Implementation,
    Registry,
    Row,
)
from interpreter.registry.assembly import Assembly, check_tiers, documents, listed, texts
from interpreter.registry.disabling import parse_disabled
from interpreter.settings import DEFAULTS, Settings
from interpreter.telemetry import Telemetry

_CONTEXTS = {operation: HookContext(operation=operation) for operation in Operation}
Documents = Iterable[Mapping[str, Any]]


class ResourceInterpreter:
    """Answers the operations of a resource interpreter, kind by kind.

    Safe to share between threads. Starts at the first call; ``close`` ends it for good. Objects are
    plain dicts; they are never changed, and results share nothing with them.
    """

    def __init__(
        self,
        customizations: Documents = (),
        webhooks: Documents = (),
        plugins: Literal["auto"] | Iterable[object] | None = "auto",
        *,
        tiers: Iterable[str] = ALL_TIERS,
        disable: Iterable[str] = (),
        isolation: Literal["thread", "process"] = "thread",
        settings: Settings | None = None,
    ) -> None:
        """Checks the configuration; nothing is loaded yet.

        Args:
            customizations: ResourceInterpreterCustomization documents.
            webhooks: ResourceInterpreterWebhookConfiguration documents.
            plugins: Plugin objects (modules, classes, instances), ``None`` for no Python plugins,
                or ``"auto"`` for installed ones. This version knows plugins as objects only, so
                ``"auto"`` finds none.
            tiers: Tiers to use, by name; their order is fixed.
            disable: What not to ask: ``"plugin:x"``,
                ``"native:apps/v1/Deployment#InterpretHealth"``, …
            isolation: Where scripts run: ``"thread"`` is the calling thread, ``"process"`` are
                worker processes that can be killed (POSIX only).
            settings: Limits; the defaults when None.

        Raises:
            ConfigurationError: An argument cannot be used.
        """
        if isolation not in ("thread", "process"):
            raise ConfigurationError(f"isolation must be 'thread' or 'process', not {isolation!r}")
        if settings is not None and not isinstance(settings, Settings):
            raise ConfigurationError("settings must be a Settings or None", value=settings)
        no_plugins = plugins is None or plugins == "auto"
        self._assembly = Assembly(
            check_tiers(tiers),
            {
                "customization": documents(customizations, "customizations"),
                "webhook": documents(webhooks, "webhooks"),
                "plugin": () if no_plugins else listed(plugins, "plugins"),
            },
            disabled=tuple(parse_disabled(text) for text in texts(disable, "disable")),
            isolation=isolation,
            settings=DEFAULTS if settings is None else settings,
        )
        self.telemetry = Telemetry()

    def start(self, timeout: float | None = None) -> Self:  # noqa: ARG002 - for tiers that connect
        """Builds the tiers now instead of at the first call.

        Args:
            timeout: Seconds to wait for tiers that connect somewhere; none does yet.

        Raises:
            InterpreterError: A document or plugin cannot be used, or it is closed.
        """
        self._assembly.registry()
        return self

    def close(self) -> None:
        """Ends it: later calls raise. Closing twice is fine."""
        self._assembly.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def set_customizations(self, customizations: Documents) -> None:
        """Replaces all customizations at once.

        Calls that run at that moment finish with the old ones.

        Raises:
            InvalidCustomization: A document cannot be used; the old ones stay.
        """
        self._assembly.swap("customization", documents(customizations, "customizations"))

    def set_webhooks(self, webhooks: Documents) -> None:
        """Replaces all webhook configurations at once.

        Raises:
            InvalidCustomization: A document cannot be used; the old ones stay.
        """
        self._assembly.swap("webhook", documents(webhooks, "webhooks"))

    def hook_enabled(self, gvk: GVK, operation: Operation) -> bool:
        """Whether there is a rule for the operation of a kind.

        The generic tier is never counted.
        """
        return self._assembly.registry().route(_checked(gvk), parse_operation(operation)).counted

    def kinds(self) -> list[Row]:
        """Every claim of every tier: the kind x operation matrix."""
        return list(self._assembly.registry().rows())

    def claims(self, gvk: GVK, operation: Operation) -> list[Candidate]:
        """Everybody who claims an operation of a kind, in order, and why some are not asked."""
        return list(self._assembly.registry().candidates(_checked(gvk), parse_operation(operation)))

    def idle_disables(self) -> list[str]:
        """Entries of ``disable`` that are about nothing: most likely misspelt."""
        return self._assembly.registry().idle()

    def scheduler_parts(self) -> SchedulerParts:
        """Filters, scores and estimators that the plugins bring for a scheduler.

        Raises:
            PluginError: A plugin cannot be used.
        """
        return self._assembly.scheduler_parts()

    def get_replicas(self, obj: JsonObject, *, context: HookContext | None = None) -> ReplicaResult:
        """How many replicas the object wants, and what each needs.

        Raises:
            NoInterpreter: Nobody interprets this kind.
            InterpreterError: The object is invalid, or who answers failed.
        """
        return self._call(Operation.GET_REPLICAS, (obj,), context)  # type: ignore[no-any-return]

    def revise_replica(
        self, obj: JsonObject, replicas: int, *, context: HookContext | None = None
    ) -> JsonObject:
        """The object with ``replicas`` (0..2^31-1) written in; errors as :meth:`get_replicas`."""
        return self._call(Operation.REVISE_REPLICA, (obj, replicas), context)  # type: ignore[no-any-return]

    def get_components(
        self, obj: JsonObject, *, context: HookContext | None = None
    ) -> list[Component]:
        """The parts of an object with several pod templates; errors as :meth:`get_replicas`."""
        return self._call(Operation.GET_COMPONENTS, (obj,), context)  # type: ignore[no-any-return]

    def retain(
        self, desired: JsonObject, observed: JsonObject, *, context: HookContext | None = None
    ) -> JsonObject:
        """``desired`` with the member cluster's own fields of ``observed``.

        Errors as :meth:`get_replicas`.
        """
        return self._call(Operation.RETAIN, (desired, observed), context)  # type: ignore[no-any-return]

    def aggregate_status(
        self,
        obj: JsonObject,
        items: list[JsonObject] | None,
        *,
        context: HookContext | None = None,
    ) -> JsonObject:
        """The object with member statuses (AggregatedStatusItem) folded in.

        Errors as :meth:`get_replicas`.
        """
        return self._call(Operation.AGGREGATE_STATUS, (obj, items), context)  # type: ignore[no-any-return]

    def reflect_status(self, obj: JsonObject, *, context: HookContext | None = None) -> JsonValue:
        """The status to collect from a member's object.

        None for nothing to report, also when nobody answers.
        """
        return self._call(Operation.REFLECT_STATUS, (obj,), context)

    def interpret_health(self, obj: JsonObject, *, context: HookContext | None = None) -> Health:
        """How the object fares; errors as :meth:`get_replicas`."""
        return self._call(Operation.INTERPRET_HEALTH, (obj,), context)  # type: ignore[no-any-return]

    def get_dependencies(
        self, obj: JsonObject, *, context: HookContext | None = None
    ) -> list[DependentObjectReference]:
        """Objects that must travel with this one; errors as :meth:`get_replicas`."""
        return self._call(Operation.GET_DEPENDENCIES, (obj,), context)  # type: ignore[no-any-return]

    def prune(
        self,
        obj: JsonObject,
        *,
        remove_job_ttl: bool = False,
        context: HookContext | None = None,
    ) -> JsonObject:
        """The template as packed into a Work. Where nobody answers it is a copy of the object.

        Args:
            obj: The template.
            remove_job_ttl: Whether a Job loses ``ttlSecondsAfterFinished`` too.
            context: Facts for hooks.
        """
        return self._call(Operation.PRUNE, (obj, remove_job_ttl), context)  # type: ignore[no-any-return]

    def call(
        self,
        operation: Operation,
        obj: JsonObject,
        *,
        context: HookContext | None = None,
        **inputs: Any,
    ) -> Any:
        """Any operation by name, for callers that loop over them.

        Args:
            operation: The operation.
            obj: The object that names the kind: the template, or the member's object.
            context: Facts for hooks.
            **inputs: The operation's arguments behind the object, by name: ``replicas``,
                ``observed``, ``items`` or ``remove_job_ttl``.

        Raises:
            ConfigurationError: An argument is missing, or not one of the operation's.
            InterpreterError: As the operation's own method.
        """
        operation = parse_operation(operation)
        arguments: list[Any] = [obj]
        for argument in OPERATIONS[operation].inputs:
            value = inputs.pop(argument.name, argument.default)
            if value is REQUIRED:
                raise ConfigurationError(f"{operation} needs {argument.name}")
            arguments.append(value)
        if inputs:
            raise ConfigurationError(f"{operation} does not take {', '.join(sorted(inputs))}")
        return self._call(operation, tuple(arguments), context)

    @overload
    def explain(
        self,
        obj: JsonObject,
        operation: None = None,
        *,
        observed: JsonObject | None = None,
        items: list[JsonObject] | None = None,
        replicas: int | None = None,
        context: HookContext | None = None,
    ) -> list[Explanation]: ...

    @overload
    def explain(
        self,
        obj: JsonObject,
        operation: Operation,
        *,
        observed: JsonObject | None = None,
        items: list[JsonObject] | None = None,
        replicas: int | None = None,
        context: HookContext | None = None,
    ) -> Explanation: ...

    def explain(
        self,
        obj: JsonObject,
        operation: Operation | None = None,
        *,
        observed: JsonObject | None = None,
        items: list[JsonObject] | None = None,
        replicas: int | None = None,
        context: HookContext | None = None,
    ) -> Explanation | list[Explanation]:
        """Which tier, plugin, script and line answered, what was skipped and why, and the time.

        An input that is missing is assumed, and the explanation's notes say so: the object itself
        as observed, one status item from its own reflected status, its own replica count.

        Returns:
            One explanation, or one for each operation when none is named.

        Raises:
            InvalidObject: The object states no kind. Other errors are part of the explanation.
        """
        registry = self._assembly.registry()
        given = {"observed": observed, "items": items, "replicas": replicas}
        gvk = gvk_of(obj)

        def ask(asked: Operation, arguments: tuple[Any, ...]) -> tuple[Any, Implementation | None]:
            return self._ask(registry, gvk, asked, arguments, context)

        def explain_one(asked: Operation) -> Explanation:
            candidates = registry.candidates(gvk, asked)
            return explain(asked, obj, given, candidates=candidates, ask=ask)

        if operation is None:
            return [explain_one(each) for each in OPERATIONS]
        return explain_one(parse_operation(operation))

    def _call(
        self, operation: Operation, arguments: tuple[Any, ...], context: HookContext | None
    ) -> Any:
        registry = self._assembly.current or self._assembly.registry()
        started = time.perf_counter()
        obj = arguments[0]
        tier = outcome = "none"
        try:
            gvk = gvk_of(obj)
            result, answered = self._ask(registry, gvk, operation, arguments, context)
            if answered is not None:
                tier, outcome = answered.tier, "ok"
                return result
        except InterpreterError as error:
            error.annotate(operation=operation)
            tier, outcome = error.tier or "none", "error"
            raise
        finally:
            self.telemetry.record(operation, tier, outcome, time.perf_counter() - started)
        neutral = OPERATIONS[operation].neutral
        if neutral is None:
            raise not_found(gvk, operation)
        return guard_depth(lambda: neutral(obj))

    def _ask(
        self,
        registry: Registry,
        gvk: GVK,
        operation: Operation,
        arguments: tuple[Any, ...],
        context: HookContext | None,
    ) -> tuple[Any, Implementation | None]:
        """Runs the route on checked arguments; errors leave with kind and operation."""
        if context is None:
            context = _CONTEXTS[operation]
        elif not isinstance(context, HookContext):
            raise ConfigurationError("context must be a HookContext or None", value=context)
        else:
            context = context.asked(operation)
        try:
            if len(arguments) > 1:
                # No operation has more than one argument behind its object.
                obj, given = arguments
                arguments = (obj, OPERATIONS[operation].inputs[0].check(given))
            result, answered = registry.route(gvk, operation).run(arguments, context)
        except InterpreterError as error:
            error.annotate(gvk=gvk, operation=operation)
            raise
        return (None if result is NO_STATUS else result), answered


def _checked(gvk: Any) -> GVK:
    if not isinstance(gvk, GVK):
        raise ConfigurationError(
            "must be a GVK, such as GVK('apps', 'v1', 'Deployment')", value=gvk
        )
    return gvk
