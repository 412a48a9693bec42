"""multicluster.x-k8s.io/v1alpha1 ServiceImport."""

from __future__ import annotations

from interpreter.api.references import check_references
from interpreter.api.results import DependentObjectReference
from interpreter.engines.native.kind import NativeKind
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject, map_at, name_of, namespace_of

_SERVICE_LABEL = "kubernetes.io/service-name"


def get_dependencies(obj: JsonObject) -> list[DependentObjectReference]:
    """The derived Service and, by label, its EndpointSlices.

    Raises:
        InvalidObject: The derived name is no label value.
    """
    map_at(obj, "spec")
    derived = f"derived-{name_of(obj)}"
    namespace = namespace_of(obj)
    references = [
        DependentObjectReference("v1", "Service", namespace, derived),
        DependentObjectReference(
            "discovery.k8s.io/v1",
            "EndpointSlice",
            namespace,
            label_selector={"matchLabels": {_SERVICE_LABEL: derived}},
        ),
    ]
    check_references(references)
    return references


KIND = NativeKind(
    gvk=GVK("multicluster.x-k8s.io", "v1alpha1", "ServiceImport"),
    get_dependencies=get_dependencies,
)
