"""``ResourceInterpreter``: the operations over all tiers."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Literal, Self, overload

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.api.results import (
    Component,
    DependentObjectReference,
    Health,
    ReplicaResult,
)
from interpreter.errors import (
    TOO_DEEP,
    ConfigurationError,
    InterpreterError,
    InvalidObject,
)
from interpreter.explanation import Explanation, Skipped
from interpreter.machinery.gvk import GVK, gvk_of
from interpreter.machinery.unstructured import INT32_MAX, JsonObject, JsonValue, deep_copy, is_integer
from interpreter.operations import NEUTRAL, OPERATIONS, not_found
from interpreter.registry import ALL_TIERS, Implementation, Registry, Row, TierIndex
from interpreter.registry.disabling import Switch, parse_switch
from interpreter.settings import DEFAULTS, Settings
from interpreter.telemetry import Telemetry

_CONTEXTS = {operation: HookContext(operation=operation) for operation in Operation}
Documents = Iterable[Mapping[str, Any]]


class ResourceInterpreter:
    """Answers the operations of a resource interpreter, kind by kind.

    Safe to share between threads. Starts at the first call; ``close`` ends it for good. Objects are plain dicts; they are never
    changed, and results share nothing with them.
    """

    def __init__(
        self,
        customizations: Documents = (),
        webhooks: Documents = (),
        plugins: Literal["auto"] | None | Iterable[object] = "auto",
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
            plugins: Plugin objects (modules, classes, instances), ``None`` for no Python plugins, or ``"auto"`` for
                installed ones. This version knows plugins as objects only, so ``"auto"`` finds none.
            tiers: Tiers to use, by name; their order is fixed.
            disable: What to switch off: ``"plugin:x"``, ``"native:apps/v1/Deployment#InterpretHealth"``, …
            isolation: Where scripts run. ``"process"`` needs the Lua engine, which this version has not.
            settings: Limits; the defaults when None.

        Raises:
            ConfigurationError: An argument cannot be used.
        """
        self._tier_names = _check_tiers(tiers)
        self._switches = tuple(parse_switch(text) for text in _texts(disable, "disable"))
        if isolation not in ("thread", "process"):
            raise ConfigurationError(f"isolation must be 'thread' or 'process', not {isolation!r}")
        if isolation == "process":
            raise ConfigurationError(
                "isolation='process' is for Lua scripts, and the Lua engine is not part of this version"
            )
        if isinstance(plugins, str) and plugins != "auto":
            raise ConfigurationError(f"plugins must be 'auto', None or a list, not {plugins!r}")
        self._plugins = () if plugins is None or plugins == "auto" else tuple(plugins)
        self._customizations = tuple(customizations)
        self._webhooks = tuple(webhooks)
        self._settings = DEFAULTS if settings is None else settings
        self._lock = threading.RLock()
        self._registry: Registry | None = None
        self._closed = False
        self.telemetry = Telemetry()

    def start(self, timeout: float | None = None) -> Self:
        """Builds the tiers now instead of at the first call.

        Args:
            timeout: Seconds to wait for tiers that connect somewhere; those of this version never wait.

        Raises:
            InterpreterError: A document or plugin cannot be used, or the interpreter is closed.
        """
        self._started()
        return self

    def close(self) -> None:
        """Releases everything; later calls raise. Closing twice is fine."""
        with self._lock:
            self._closed = True
            self._registry = None

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
        """Replaces all customizations at once; calls that run at that moment finish with the old ones.

        Raises:
            InvalidCustomization: A document cannot be used; the old ones stay.
        """
        self._swap(customizations=tuple(customizations))

    def set_webhooks(self, webhooks: Documents) -> None:
        """Replaces all webhook configurations at once.

        Raises:
            InvalidCustomization: A document cannot be used; the old ones stay.
        """
        self._swap(webhooks=tuple(webhooks))

    def hook_enabled(self, gvk: GVK, operation: Operation) -> bool:
        """Whether there is a rule for the operation of a kind. The generic tier is never counted."""
        return self._started().route(gvk, Operation(operation)).counted

    def kinds(self) -> list[Row]:
        """Every claim of every tier: the kind x operation matrix."""
        return list(self._started().rows())

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
        if not is_integer(replicas) or not 0 <= replicas <= INT32_MAX:
            raise InvalidObject(
                "must be an integer in 0..2147483647", path="replicas", value=replicas
            )
        return self._call(Operation.REVISE_REPLICA, (obj, replicas), context)  # type: ignore[no-any-return]

    def get_components(
        self, obj: JsonObject, *, context: HookContext | None = None
    ) -> list[Component]:
        """The parts of an object with several pod templates; errors as :meth:`get_replicas`."""
        return self._call(Operation.GET_COMPONENTS, (obj,), context)  # type: ignore[no-any-return]

    def retain(
        self, desired: JsonObject, observed: JsonObject, *, context: HookContext | None = None
    ) -> JsonObject:
        """``desired`` with the member cluster's own fields of ``observed``; errors as :meth:`get_replicas`."""
        if not isinstance(observed, dict):
            raise InvalidObject("must be an object", path="observed", value=observed)
        return self._call(Operation.RETAIN, (desired, observed), context)  # type: ignore[no-any-return]

    def aggregate_status(
        self,
        obj: JsonObject,
        items: list[JsonObject] | None,
        *,
        context: HookContext | None = None,
    ) -> JsonObject:
        """The object with member statuses (AggregatedStatusItem) folded in; errors as :meth:`get_replicas`."""
        if items is not None and not isinstance(items, list):
            raise InvalidObject("must be a list of AggregatedStatusItem", path="items", value=items)
        return self._call(Operation.AGGREGATE_STATUS, (obj, items), context)  # type: ignore[no-any-return]

    def reflect_status(self, obj: JsonObject, *, context: HookContext | None = None) -> JsonValue:
        """The status to collect from a member's object; None for nothing to report, also when nobody answers."""
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
        return self._call(Operation.PRUNE, (obj, bool(remove_job_ttl)), context)  # type: ignore[no-any-return]

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
        """Which tier, plugin, script and line answered, what was skipped and why, and how long it took.

        An input that is missing is assumed, and the explanation's notes say so: the object itself as observed, one status
        item from its own reflected status, its own replica count.

        Returns:
            One explanation, or one for each operation when none is named.

        Raises:
            InvalidObject: The object states no kind. Errors of the operation itself are part of the explanation.
        """
        given = {"observed": observed, "items": items, "replicas": replicas}
        if operation is None:
            return [self._explain(each, obj, given, context) for each in OPERATIONS]
        return self._explain(Operation(operation), obj, given, context)

    def _explain(
        self,
        operation: Operation,
        obj: JsonObject,
        given: Mapping[str, Any],
        context: HookContext | None,
    ) -> Explanation:
        registry = self._started()
        gvk = gvk_of(obj)
        candidates = list(registry.candidates(gvk, operation))
        notes: list[str] = []
        answer: Any = None
        answered: Implementation | None = None
        error: InterpreterError | None = None
        started = time.perf_counter()
        try:
            arguments = (obj, *self._assumed(operation, obj, given, notes))
            started = time.perf_counter()
            result, answered = self._ask(registry, gvk, operation, arguments, context)
            if answered is not None and result is not None:
                answer = OPERATIONS[operation].show(result)
        except InterpreterError as problem:
            error = problem
        seconds = time.perf_counter() - started
        skipped = []
        culprit = answered
        for implementation, reason in candidates:
            if implementation is answered:
                continue
            if reason is None and error is not None and _is_culprit(implementation, error):
                culprit = implementation
                continue
            skipped.append(_skipped(implementation, reason, answered))
        return Explanation(
            gvk=gvk,
            operation=operation,
            answer=answer,
            tier=None if culprit is None else culprit.tier,
            plugin=None if culprit is None else culprit.plugin,
            handler=None if culprit is None else culprit.handler,
            generic=culprit is not None and culprit.tier == "generic",
            skipped=tuple(skipped),
            notes=tuple(notes),
            error=error,
            seconds=seconds,
            script=None if error is None else error.script,
            line=None if error is None else error.line,
        )

    def _assumed(
        self, operation: Operation, obj: JsonObject, given: Mapping[str, Any], notes: list[str]
    ) -> Iterator[Any]:
        """The arguments behind the object, assumed where they are not given."""
        for name in OPERATIONS[operation].arguments[1:]:
            value = given.get(name)
            if value is None and name == "observed":
                value = obj
                notes.append("observed: the object itself")
            elif value is None and name == "replicas":
                value = self._own_count(obj)
                notes.append(f"replicas: the object's own count, {value}")
            elif value is None and name == "items":
                value = [{"clusterName": "itself", **self._own_status(obj)}]
                notes.append("items: one item from the object's own status")
            elif name == "remove_job_ttl":
                value = bool(value)
            yield value

    def _own_count(self, obj: JsonObject) -> int:
        try:
            return self.get_replicas(obj).replicas
        except InterpreterError:
            return 0

    def _own_status(self, obj: JsonObject) -> JsonObject:
        try:
            status = self.reflect_status(obj)
        except InterpreterError:
            status = obj.get("status")
        return {} if status is None else {"status": status}

    def _call(
        self, operation: Operation, arguments: tuple[Any, ...], context: HookContext | None
    ) -> Any:
        registry = self._registry
        if registry is None:
            registry = self._started()
        started = time.perf_counter()
        obj = arguments[0]
        gvk = gvk_of(obj)
        tier = outcome = "none"
        try:
            result, answered = self._ask(registry, gvk, operation, arguments, context)
            if answered is not None:
                tier, outcome = answered.tier, "ok"
                return result
        except InterpreterError as error:
            tier, outcome = error.tier or "none", "error"
            raise
        finally:
            self.telemetry.record(operation, tier, outcome, time.perf_counter() - started)
        if operation not in NEUTRAL:
            raise not_found(gvk, operation)
        return deep_copy(obj) if operation is Operation.PRUNE else None

    def _ask(
        self,
        registry: Registry,
        gvk: GVK,
        operation: Operation,
        arguments: tuple[Any, ...],
        context: HookContext | None,
    ) -> tuple[Any, Implementation | None]:
        """Runs the route; errors leave with kind, operation, tier and plugin."""
        if context is None:
            context = _CONTEXTS[operation]
        elif context.operation is not operation:
            context = dataclasses.replace(context, operation=operation)
        route = registry.route(gvk, operation)
        try:
            return route.run(arguments, context)
        except InterpreterError as error:
            _annotate(error, route.implementations, gvk, operation)
            raise
        except RecursionError:
            deep = TOO_DEEP()
            _annotate(deep, route.implementations, gvk, operation)
            raise deep from None

    def _started(self) -> Registry:
        registry = self._registry
        if registry is None:
            with self._lock:
                registry = self._registry
                if registry is None:
                    if self._closed:
                        raise InterpreterError(
                            "this ResourceInterpreter is closed", hint="make a new one"
                        )
                    registry = self._registry = self._build(self._customizations, self._webhooks)
        return registry

    def _swap(
        self, customizations: tuple[Any, ...] | None = None, webhooks: tuple[Any, ...] | None = None
    ) -> None:
        with self._lock:
            new_customizations = self._customizations if customizations is None else customizations
            new_webhooks = self._webhooks if webhooks is None else webhooks
            if self._closed:
                raise InterpreterError("this ResourceInterpreter is closed", hint="make a new one")
            # Built before anything is replaced: an unusable document leaves the old state.
            registry = self._build(new_customizations, new_webhooks)
            self._customizations, self._webhooks = new_customizations, new_webhooks
            self._registry = registry

    def _build(self, customizations: tuple[Any, ...], webhooks: tuple[Any, ...]) -> Registry:
        return Registry(
            build_tiers(self._tier_names, customizations, webhooks, self._plugins),
            switches=self._switches,
            cache_size=self._settings.route_cache_size,
        )


def build_tiers(
    names: Iterable[str],
    customizations: Documents,
    webhooks: Documents,
    plugins: Iterable[object],
) -> list[TierIndex]:
    """The tiers of the given names, in their order. Engines are imported only for tiers that are used.

    Raises:
        InvalidCustomization: A document cannot be used.
        PluginError: A plugin cannot be used.
    """
    from interpreter.registry.tiers import table_tier

    tiers: list[TierIndex] = []
    for name in names:
        if name == "customization":
            from interpreter.registry.declared import customization_tier

            tiers.append(customization_tier(customizations))
        elif name == "webhook":
            from interpreter.registry.declared import webhook_tier

            tiers.append(webhook_tier(webhooks))
        elif name == "plugin":
            from interpreter.registry.plugins import PluginTier

            tiers.append(PluginTier(plugins))
        elif name == "native":
            from interpreter.engines.native.table import handlers

            tiers.append(table_tier(name, handlers()))
        elif name == "generic":
            from interpreter.engines.generic import interpret_health

            table = {(GVK("*", "*", "*"), Operation.INTERPRET_HEALTH): interpret_health}
            tiers.append(table_tier(name, table, counted=False))
    return tiers


def _check_tiers(names: Iterable[str]) -> tuple[str, ...]:
    given = set(_texts(names, "tiers"))
    unknown = sorted(given.difference(ALL_TIERS))
    if unknown:
        raise ConfigurationError(
            f"unknown tier {unknown[0]!r}", hint=f"one of {', '.join(ALL_TIERS)}"
        )
    return tuple(name for name in ALL_TIERS if name in given)


def _texts(values: Iterable[str], what: str) -> tuple[str, ...]:
    if isinstance(values, str):
        raise ConfigurationError(f"{what} must be a list of texts, not one text", value=values)
    texts = tuple(values)
    for text in texts:
        if not isinstance(text, str):
            raise ConfigurationError(f"{what} must be a list of texts", value=text)
    return texts


def _annotate(
    error: InterpreterError,
    implementations: tuple[Implementation, ...],
    gvk: GVK,
    operation: Operation,
) -> None:
    error.annotate(gvk=gvk, operation=operation)
    # An error without a tier comes from the last one asked: foreign code names itself before.
    if error.tier is None and implementations:
        last = implementations[-1]
        error.annotate(tier=last.tier, plugin=last.plugin)


def _is_culprit(implementation: Implementation, error: InterpreterError) -> bool:
    return implementation.tier == error.tier and (
        error.plugin is None or implementation.plugin == error.plugin
    )


def _skipped(
    implementation: Implementation, reason: str | None, answered: Implementation | None
) -> Skipped:
    if reason is None and implementation.wrapper:
        reason = "wraps the chain" if answered is not None else "wraps a chain without an answer"
    elif reason is None:
        reason = "said: not mine"
    return Skipped(implementation.tier, implementation.plugin, implementation.handler, reason)


__all__ = ["ResourceInterpreter", "Switch"]
