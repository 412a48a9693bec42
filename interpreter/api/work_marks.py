"""Labels, annotations and finalizers of Works and of the objects in them, as in Karmada 1.19."""

from __future__ import annotations

from typing import Final

#: On every object in a member cluster that the control plane looks after.
MANAGED: Final = "karmada.io/managed"
MANAGED_VALUE: Final = "true"
BINDING_NAMESPACE: Final = "resourcebinding.karmada.io/namespace"
BINDING_NAME: Final = "resourcebinding.karmada.io/name"
CLUSTER_BINDING_NAME: Final = "clusterresourcebinding.karmada.io/name"
TEMPLATE_UID: Final = "resourcetemplate.karmada.io/uid"
TEMPLATE_GENERATION: Final = "resourcetemplate.karmada.io/generation"
#: Comma-separated keys that the control plane wrote, so that it can take them away again.
MANAGED_ANNOTATIONS: Final = "resourcetemplate.karmada.io/managed-annotations"
MANAGED_LABELS: Final = "resourcetemplate.karmada.io/managed-labels"
WORK_ID: Final = "work.karmada.io/permanent-id"
WORK_NAME: Final = "work.karmada.io/name"
WORK_NAMESPACE: Final = "work.karmada.io/namespace"
#: ``abort`` or ``overwrite``: what happens to an object that was there before.
CONFLICT_RESOLUTION: Final = "work.karmada.io/conflict-resolution"
APPLIED_OVERRIDES: Final = "policy.karmada.io/applied-overrides"
APPLIED_CLUSTER_OVERRIDES: Final = "policy.karmada.io/applied-cluster-overrides"
#: The placement by which a binding was scheduled, as JSON.
APPLIED_PLACEMENT: Final = "policy.karmada.io/applied-placement"

WORK_FINALIZER: Final = "karmada.io/execution-controller"
WORK_API_VERSION: Final = "work.karmada.io/v1alpha1"
