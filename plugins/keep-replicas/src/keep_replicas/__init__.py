"""Keeps the replica count that an autoscaler of the member cluster wrote.

A control plane writes its template again and again, and each time takes back what a member's
HorizontalPodAutoscaler decided. The plugin goes on with the native answer to Retain, and keeps the
count where the object says that the autoscaler set it: an autoscaler writes through the ``scale``
subresource, and the API server notes that in ``metadata.managedFields``.
"""

from __future__ import annotations

from typing import Any

from interpreter import HookContext, handles

#: The field manager of HorizontalPodAutoscalers; people who scale by hand are ``kubectl``.
AUTOSCALER = "kube-controller-manager"


@handles("apps/v1", "Deployment", operations=["Retain"])
@handles("apps/v1", "StatefulSet", operations=["Retain"])
class KeepReplicas:
    """One hook; all other operations stay with the tiers below."""

    def retain(
        self, desired: dict[str, Any], observed: dict[str, Any], context: HookContext
    ) -> dict[str, Any]:
        """The native answer, with the member's count where an autoscaler owns it."""
        kept: dict[str, Any] | None = context.next_tier()
        if kept is None:
            # StatefulSets have no native rule: the template is what would be applied.
            kept = {**desired, "spec": dict(desired.get("spec", {}))}
        if is_autoscaled(observed):
            kept["spec"]["replicas"] = observed["spec"]["replicas"]
        return kept


def is_autoscaled(observed: dict[str, Any]) -> bool:
    """Whether an autoscaler was the last to write the count of a member's object."""
    return any(
        entry.get("manager") == AUTOSCALER
        and entry.get("subresource") == "scale"
        and "f:replicas" in entry.get("fieldsV1", {}).get("f:spec", {})
        for entry in observed.get("metadata", {}).get("managedFields", ())
    )
