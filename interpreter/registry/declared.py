"""Tiers made of documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from interpreter.api.operation import Operation
from interpreter.machinery.gvk import GVK
from interpreter.registry.tiers import Implementation


@dataclass(frozen=True, slots=True)
class DocumentTier:
    """Implementations that documents declare, in the order in which they are asked."""

    tier: str
    entries: tuple[Implementation, ...]

    def find(self, gvk: GVK, operation: Operation) -> Sequence[Implementation]:
        """Implementations that claim the kind."""
        return tuple(
            entry
            for entry in self.entries
            if entry.operation is operation and entry.gvk.matches(gvk)
        )

    def all(self) -> Iterable[Implementation]:
        """All of them."""
        return self.entries
