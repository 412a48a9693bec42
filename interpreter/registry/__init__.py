"""The hook registry: which implementations answer which operation of which kind, in which order.

Each tier is an index that finds its implementations for a (kind, operation). A :class:`Registry`
joins the tiers in their pinned order into routes, which it computes once and keeps in a bounded
cache. A registry never changes: the facade swaps in a new one, so calls that run at that moment
finish on the old one.
"""

from interpreter.registry.registry import Candidate, Registry, Route, Row
from interpreter.registry.tiers import ALL_TIERS, Implementation, TierIndex

__all__ = ["ALL_TIERS", "Candidate", "Implementation", "Registry", "Route", "Row", "TierIndex"]
