"""Which kinds have a namespace: built-in kinds, those of CRDs, those of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject, map_or_empty, read_str

#: Scope of a kind by API group and kind, None for "not known".
ScopeLookup = Callable[[str, str], str | None]

NAMESPACED, CLUSTER = "Namespaced", "Cluster"

#: Kinds of Kubernetes 1.34 and of Karmada 1.19 by API group: cluster-scoped ones, then the others.
_BUILT_IN: Final[dict[str, tuple[str, str]]] = {
    "": (
        "ComponentStatus Namespace Node PersistentVolume",
        (
            "Binding ConfigMap Endpoints Event LimitRange PersistentVolumeClaim Pod PodTemplate "
            "ReplicationController ResourceQuota Secret Service ServiceAccount"
        ),
    ),
    "admissionregistration.k8s.io": (
        (
            "MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration "
            "ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding "
            "ValidatingWebhookConfiguration"
        ),
        "",
    ),
    "apiextensions.k8s.io": ("CustomResourceDefinition", ""),
    "apiregistration.k8s.io": ("APIService", ""),
    "apps": ("", "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet"),
    "apps.karmada.io": ("WorkloadRebalancer", ""),
    "autoscaling": ("", "HorizontalPodAutoscaler"),
    "autoscaling.karmada.io": ("", "CronFederatedHPA FederatedHPA"),
    "batch": ("", "CronJob Job"),
    "certificates.k8s.io": (
        "CertificateSigningRequest ClusterTrustBundle",
        "PodCertificateRequest",
    ),
    "cluster.karmada.io": ("Cluster", ""),
    "config.karmada.io": (
        "ResourceInterpreterCustomization ResourceInterpreterWebhookConfiguration",
        "",
    ),
    "coordination.k8s.io": ("", "Lease LeaseCandidate"),
    "discovery.k8s.io": ("", "EndpointSlice"),
    "events.k8s.io": ("", "Event"),
    "flowcontrol.apiserver.k8s.io": ("FlowSchema PriorityLevelConfiguration", ""),
    "multicluster.x-k8s.io": ("", "ServiceExport ServiceImport"),
    "networking.k8s.io": ("IPAddress IngressClass ServiceCIDR", "Ingress NetworkPolicy"),
    "networking.karmada.io": ("", "MultiClusterIngress MultiClusterService"),
    "node.k8s.io": ("RuntimeClass", ""),
    "policy": ("", "PodDisruptionBudget"),
    "policy.karmada.io": (
        "ClusterOverridePolicy ClusterPropagationPolicy ClusterTaintPolicy",
        "FederatedResourceQuota OverridePolicy PropagationPolicy",
    ),
    "rbac.authorization.k8s.io": ("ClusterRole ClusterRoleBinding", "Role RoleBinding"),
    "remedy.karmada.io": ("Remedy", ""),
    "resource.k8s.io": ("DeviceClass ResourceSlice", "ResourceClaim ResourceClaimTemplate"),
    "scheduling.k8s.io": ("PriorityClass", ""),
    "storage.k8s.io": (
        "CSIDriver CSINode StorageClass VolumeAttachment VolumeAttributesClass",
        "CSIStorageCapacity",
    ),
    "work.karmada.io": ("ClusterResourceBinding", "ResourceBinding Work"),
}


def built_in_scope(group: str, kind: str) -> str | None:
    """Scope of a kind of Kubernetes or Karmada; None for any other kind."""
    cluster, namespaced = _BUILT_IN.get(group, ("", ""))
    if kind in cluster.split():
        return CLUSTER
    return NAMESPACED if kind in namespaced.split() else None


class Scopes:
    """Scopes of kinds, each found out once."""

    def __init__(self, crds: Iterable[JsonObject] = (), lookup: ScopeLookup | None = None) -> None:
        """Takes what beside the built-in kinds is known.

        Args:
            crds: CustomResourceDefinitions; they count before the catalogue.
            lookup: Asked last, for kinds that nobody else knows.

        Raises:
            InvalidObject: A CRD has a field of the wrong type.
        """
        self._known: dict[tuple[str, str], str | None] = {}
        self._lookup = lookup
        for crd in crds:
            spec = map_or_empty(crd, "spec")
            kind = read_str(map_or_empty(spec, "names", "spec"), "kind", "spec.names")
            scope = read_str(spec, "scope", "spec")
            if kind and scope:
                self._known[read_str(spec, "group", "spec"), kind] = scope

    def of(self, gvk: GVK) -> str | None:
        """``Namespaced`` or ``Cluster``; None for a kind that nobody knows."""
        key = gvk.group, gvk.kind
        if key not in self._known:
            scope = built_in_scope(*key)
            if scope is None and self._lookup is not None:
                scope = self._lookup(*key)
            self._known[key] = scope
        return self._known[key]
