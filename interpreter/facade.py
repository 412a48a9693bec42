"""``ResourceInterpreter``: the operations over all tiers."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Literal, Self, overload

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.api.results import NO_STATUS
from interpreter.api.scheduling import SchedulerParts
from interpreter.errors import ConfigurationError, InterpreterError, guard_depth
from interpreter.explanation import Explanation, explain
from interpreter.interpreting import Interpreting
from interpreter.machinery.gvk import GVK, check_gvk, gvk_of
from interpreter.machinery.unstructured import JsonObject
from interpreter.operations import OPERATIONS, not_found, parse_operation
from interpreter.registry import ALL_TIERS, Candidate, Implementation, Registry, Row
from interpreter.registry.assembly import Assembly, Tiers, check_tiers
from interpreter.registry.disabling import parse_disabled
from interpreter.registry.given import documents, texts
from interpreter.registry.plugin_order import Conflict
from interpreter.registry.plugin_reports import PluginReport
from interpreter.registry.plugin_sources import sources_of
from interpreter.settings import DEFAULTS, Settings
from interpreter.telemetry import Telemetry

_CONTEXTS = {operation: HookContext(operation=operation) for operation in Operation}
Documents = Iterable[Mapping[str, Any]]


class ResourceInterpreter(Interpreting):
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
            plugins: ``"auto"`` for installed plugins and Lua packs, ``None`` for none, or a list of
                plugin objects (modules, classes, instances), names of installed ones, and paths (a
                Python file, or a folder of them).
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
        settings = DEFAULTS if settings is None else settings
        disabled = tuple(parse_disabled(text) for text in texts(disable, "disable"))
        self.telemetry = Telemetry()
        self._neutral = True
        self._assembly: Tiers = Assembly(
            check_tiers(tiers),
            {
                "customization": documents(customizations, "customizations"),
                "webhook": documents(webhooks, "webhooks"),
                "plugin": sources_of(plugins, settings, disabled),
            },
            disabled=disabled,
            isolation=isolation,
            settings=settings,
            telemetry=self.telemetry,
        )

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

    def restricted(
        self, tiers: Iterable[str], *, neutral: bool = True, below: Iterable[str] = ()
    ) -> ResourceInterpreter:
        """A view with fewer tiers: of the same plugins, documents, engines and counts.

        It follows swaps of documents; closing it closes nothing. An unknown name is a
        ConfigurationError.

        Args:
            tiers: Tiers to use, by name.
            neutral: Whether there are neutral answers where nobody answers, or an error.
            below: Further tiers that answer nobody but these: plugins that ask for the next tier's
                answer, and chained scripts.
        """
        view = object.__new__(ResourceInterpreter)
        view.telemetry, view._neutral = self.telemetry, neutral
        view._assembly = self._assembly.restricted(check_tiers(tiers), check_tiers(below))
        return view

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
        return self._assembly.registry().route(check_gvk(gvk), parse_operation(operation)).counted

    def built_in(self, gvk: GVK, operation: Operation) -> bool:
        """Whether only native and generic code can answer: no script, plugin or network.

        For a server, which answers such a call where it arrives. It is not known of a kind and
        operation that nobody has asked for yet, and False then: to find out may load plugins.
        """
        registry = self._assembly.current
        route = None if registry is None else registry.known(gvk, operation)
        return route is not None and route.built_in

    def kinds(self) -> list[Row]:
        """Every claim of every tier: the kind x operation matrix."""
        return list(self._assembly.registry().rows())

    def claims(self, gvk: GVK, operation: Operation) -> list[Candidate]:
        """Everybody who claims an operation of a kind, in order, and why some are not asked."""
        return list(
            self._assembly.registry().candidates(check_gvk(gvk), parse_operation(operation))
        )

    def plugins(self, *, load: bool = False) -> list[PluginReport]:
        """What is known of every plugin and Lua pack, by name.

        Args:
            load: Whether to load those that were not needed yet.

        Raises:
            PluginError: In strict mode, a plugin cannot be used.
        """
        tier = self._assembly.plugins()
        if tier is not None and load:
            tier.load()
        return [] if tier is None else tier.reports()

    def plugin_conflicts(self) -> list[Conflict]:
        """Claims of loaded plugins among which nothing but the plugins' names decides."""
        tier = self._assembly.plugins()
        return [] if tier is None else tier.conflicts()

    def scheduler_parts(self) -> SchedulerParts:
        """Filters, scores and estimators that plugins bring for a scheduler; loads all plugins.

        Raises:
            PluginError: A hook raised, or returned no list.
        """
        tier = self._assembly.plugins()
        if tier is None:
            return SchedulerParts()
        from interpreter.registry.scheduler_parts import scheduler_parts

        return scheduler_parts(tier, self._assembly.registry().disables_plugin)

    def idle_disables(self) -> list[str]:
        """Entries of ``disable`` that are about nothing: most likely misspelt."""
        return self._assembly.registry().idle()

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
        neutral = OPERATIONS[operation].neutral if self._neutral else None
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
