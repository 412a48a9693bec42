"""What a hook may know beside the object: ``HookContext``."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from interpreter.api.operation import Operation

_LOGGER = logging.getLogger("interpreter.hooks")


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class HookContext:
    """Facts about one call. A hook takes it by naming an argument ``context``.

    Attributes:
        operation: The operation asked; set by the facade, whatever the caller gave.
        cluster_name: Target cluster, empty when the call is about no single one.
        cluster_labels: Labels of that cluster.
        target_count: Number of clusters the object goes to, None when unknown.
        feature_gates: Gate name to on or off.
        deadline: ``time.monotonic()`` value at which the answer is no longer wanted, None for no
            deadline.
        logger: For what a hook wants to tell its operator.
        clock: The current time; conditions that an answer writes carry it.
        below: Asks the tiers below; use :meth:`next_tier`.
    """

    operation: Operation | None = None
    cluster_name: str = ""
    cluster_labels: Mapping[str, str] = field(default_factory=dict)
    target_count: int | None = None
    feature_gates: Mapping[str, bool] = field(default_factory=dict)
    deadline: float | None = None
    logger: logging.Logger = _LOGGER
    clock: Callable[[], datetime] = _utc_now
    below: Callable[[Mapping[str, Any]], Any] | None = field(
        default=None, repr=False, compare=False
    )

    def next_tier(self, **changes: Any) -> Any:
        """What the tiers below would answer: a plugin can start from it instead of copying it.

        Args:
            **changes: Arguments to ask with instead of those of this call, by name.

        Returns:
            A result as the facade's method gives it (``NO_STATUS`` for nothing to report); None
            when nobody below answers.

        Raises:
            InterpreterError: Who answers failed.
            TypeError: The operation has no argument of that name.
        """
        return None if self.below is None else self.below(changes)

    def asked(self, operation: Operation) -> HookContext:
        """The same facts for one operation."""
        return self._with(operation, self.cluster_labels, self.feature_gates, None)

    def above(self, below: Callable[[Mapping[str, Any]], Any]) -> HookContext:
        """The same facts with what asks the tiers below."""
        return self._with(self.operation, self.cluster_labels, self.feature_gates, below)

    def copy(self) -> HookContext:
        """A copy whose mappings are its own."""
        labels, gates = dict(self.cluster_labels), dict(self.feature_gates)
        return self._with(self.operation, labels, gates, self.below)

    def _with(
        self,
        operation: Operation | None,
        cluster_labels: Mapping[str, str],
        feature_gates: Mapping[str, bool],
        below: Callable[[Mapping[str, Any]], Any] | None,
    ) -> HookContext:
        # Written out: dataclasses.replace costs three times as much, on every call with a context.
        return HookContext(
            operation=operation,
            cluster_name=self.cluster_name,
            cluster_labels=cluster_labels,
            target_count=self.target_count,
            feature_gates=feature_gates,
            deadline=self.deadline,
            logger=self.logger,
            clock=self.clock,
            below=below,
        )
