"""What a control plane has to know about ``CronTab`` of ``stable.example.com/v1``.

A CronTab runs ``spec.replicas`` copies of ``spec.image`` at the times of ``spec.cronSpec``. Its
controller reports ``status.active`` and a condition ``Ready``.
"""

from __future__ import annotations

from typing import Any

from interpreter import Health, ReplicaRequirements, ReplicaResult, handles

#: What one copy needs; the controller gives each the same.
REQUIREMENTS = ReplicaRequirements(resource_request={"cpu": "100m", "memory": "64Mi"})


@handles("stable.example.com/v1", "CronTab")
class CronTab:
    """The hooks; arguments that a hook does not need are left out."""

    def get_replicas(self, obj: dict[str, Any]) -> ReplicaResult:
        """The count of the spec, one where it says nothing."""
        return ReplicaResult(obj.get("spec", {}).get("replicas", 1), REQUIREMENTS)

    def revise_replica(self, obj: dict[str, Any], replicas: int) -> dict[str, Any]:
        """The count is written, and nothing else changes."""
        return {**obj, "spec": {**obj.get("spec", {}), "replicas": replicas}}

    def aggregate_status(
        self, obj: dict[str, Any], items: list[dict[str, Any]] | None
    ) -> dict[str, Any]:
        """The members' counters are summed; the conditions of all members stand in one list."""
        reports = [(item["clusterName"], item.get("status") or {}) for item in items or ()]
        status = {
            "active": sum(report.get("active", 0) for _, report in reports),
            "conditions": [
                {**condition, "message": f"{cluster}: {condition.get('message', '')}"}
                for cluster, report in reports
                for condition in report.get("conditions", ())
            ],
        }
        return {**obj, "status": status}

    def interpret_health(self, obj: dict[str, Any]) -> Health:
        """A table that cannot get its image is broken, whatever else it reports."""
        for condition in obj.get("status", {}).get("conditions", ()):
            if condition["type"] == "Ready":
                if condition["status"] == "True":
                    return Health("Healthy")
                reason, message = condition.get("reason", ""), condition.get("message", "")
                return Health("Degraded", reason, message)
        return Health("Progressing", "NoCondition")
