"""Two rules for placement, which operators write as annotations of Clusters.

``fleet.example.com/tenants`` lists the namespaces whose objects a cluster takes, with commas;
without it, it takes all. ``fleet.example.com/cost`` is what an hour costs there, in percent of the
dearest cluster (0..100); without it, nobody knows, and the middle is assumed.
"""

from __future__ import annotations

from typing import Any

from interpreter import hookimpl

TENANTS = "fleet.example.com/tenants"
COST = "fleet.example.com/cost"
_UNKNOWN_COST = 50


class Tenants:
    """The filter: a cluster with tenants takes nobody else."""

    name = "tenants"

    def filter(self, binding: dict[str, Any], cluster: dict[str, Any]) -> str | None:
        """Why the cluster cannot be used, None when it can."""
        listed = _annotation(cluster, TENANTS)
        if listed is None:
            return None
        namespace = binding["spec"]["resource"].get("namespace", "")
        if namespace in [entry.strip() for entry in listed.split(",")]:
            return None
        return "cluster(s) are kept for other tenants"


class Cost:
    """The score: the cheaper, the better."""

    name = "cost"

    def score(
        self,
        binding: dict[str, Any],  # noqa: ARG002  # an hour costs the same whoever runs
        cluster: dict[str, Any],
    ) -> int:
        """100 for what costs nothing, 0 for the dearest.

        Raises:
            ValueError: The annotation holds no cost.
        """
        text = _annotation(cluster, COST)
        if text is None:
            return 100 - _UNKNOWN_COST
        if not text.isdecimal() or int(text) > 100:
            name = cluster["metadata"]["name"]
            raise ValueError(f"cluster {name}: {COST} must be 0..100, got {text!r}")
        return 100 - int(text)


class FleetRules:
    """The hooks; both parts keep nothing, so one of each is enough."""

    name = "fleet-rules"

    @hookimpl
    def scheduler_filters(self) -> list[Tenants]:
        """The filter."""
        return [Tenants()]

    @hookimpl
    def scheduler_scores(self) -> list[Cost]:
        """The score."""
        return [Cost()]


def _annotation(cluster: dict[str, Any], key: str) -> str | None:
    found: str | None = cluster["metadata"].get("annotations", {}).get(key)
    return found
