"""Labels, annotations and finalizers by which the control plane marks objects.

They are those of Karmada 1.19, so that both can work on the same objects.
"""

from __future__ import annotations

from typing import Final

#: Identifier of the policy that claims an object; the policy carries it too, with the same key.
POLICY_ID: Final = "propagationpolicy.karmada.io/permanent-id"
POLICY_NAMESPACE: Final = "propagationpolicy.karmada.io/namespace"
POLICY_NAME: Final = "propagationpolicy.karmada.io/name"
CLUSTER_POLICY_ID: Final = "clusterpropagationpolicy.karmada.io/permanent-id"
CLUSTER_POLICY_NAME: Final = "clusterpropagationpolicy.karmada.io/name"
#: Identifier of a binding, on itself and on everything that belongs to it.
BINDING_ID: Final = "resourcebinding.karmada.io/permanent-id"
CLUSTER_BINDING_ID: Final = "clusterresourcebinding.karmada.io/permanent-id"
#: JSON list of the dependencies that a binding brought along.
BINDING_DEPENDENCIES: Final = "resourcebinding.karmada.io/dependencies"
#: Somebody other than a policy propagates this template.
TEMPLATE_CLAIMED_BY: Final = "resourcetemplate.karmada.io/claimed-by"
#: A namespace that is not propagated automatically.
SKIP_AUTO_PROPAGATION: Final = "namespace.karmada.io/skip-auto-propagation"

POLICY_FINALIZER: Final = "karmada.io/propagation-policy-controller"
CLUSTER_POLICY_FINALIZER: Final = "karmada.io/cluster-propagation-policy-controller"
BINDING_FINALIZER: Final = "karmada.io/binding-controller"
CLUSTER_BINDING_FINALIZER: Final = "karmada.io/cluster-resource-binding-controller"
DEPENDENCIES_FINALIZER: Final = "karmada.io/binding-dependencies-distributor"

POLICY_API_VERSION: Final = "policy.karmada.io/v1alpha1"
WORK_API_VERSION: Final = "work.karmada.io/v1alpha2"
