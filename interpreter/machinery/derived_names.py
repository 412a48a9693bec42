"""Names that the control plane derives from other names, as Karmada 1.19 derives them.

Objects find each other by these names, so they are a wire format. Names are lower-cased character
by character and ``:``, which RBAC names may hold and others may not, becomes ``.``.
"""

from __future__ import annotations

from typing import Final

from interpreter.errors import InvalidObject

#: Prefix of the namespace in which the Works of one cluster live.
EXECUTION_SPACE_PREFIX: Final = "karmada-es-"
#: Namespaces of the control plane itself, beside the execution spaces.
RESERVED_NAMESPACES: Final = frozenset({"karmada-system", "karmada-cluster"})
#: Prefix of the label by which an attached binding names a binding that needs it.
DEPENDED_BY_PREFIX: Final = "resourcebinding.karmada.io/depended-by-"

_FNV_OFFSET = 2166136261
_FNV_PRIME = 16777619
#: What Kubernetes makes names of: no vowels, no digits that look like them.
_SAFE = "bcdfghjklmnpqrstvwxz2456789"


def short_hash(text: str) -> str:
    """A text's 32-bit FNV-1a hash in decimal, each digit replaced by a safe character."""
    value = _FNV_OFFSET
    for byte in text.encode("utf-8", "surrogatepass"):
        value = (value ^ byte) * _FNV_PRIME & 0xFFFFFFFF
    return "".join(_SAFE[ord(digit) % len(_SAFE)] for digit in str(value))


def binding_name(kind: str, name: str) -> str:
    """Name of the binding of an object.

    It has no hash: objects of one kind and name in different API groups share it.
    """
    return _lower(f"{_dotted(name)}-{kind}")


def work_name(kind: str, name: str, namespace: str = "") -> str:
    """Name of the Work that carries an object; the hash tells namespaces and kinds apart."""
    name = _dotted(name)
    full = f"{namespace}-{name}-{kind}" if namespace else f"{name}-{kind}"
    return _lower(f"{name}-") + short_hash(_lower(full))


def policy_name(namespace: str, name: str, gvk: str) -> str:
    """Name of a policy that is made for one object.

    Args:
        namespace: Namespace of the object, empty for a cluster-scoped one.
        name: Its name.
        gvk: Its kind as text, such as ``apps/v1, Kind=Deployment``.
    """
    return _lower(f"{_dotted(name)}-") + short_hash(namespace + gvk)


def namespaced_key(namespace: str, name: str) -> str:
    """``namespace/name``, or just the name of a cluster-scoped object."""
    return f"{namespace}/{name}" if namespace else name


def binding_reference_key(namespace: str, name: str) -> str:
    """A binding's name and namespace as a hash, for labels of objects that belong to it."""
    return short_hash(namespaced_key(namespace, name))


def depended_by_label(namespace: str, name: str) -> str:
    """Label key on attached bindings for the independent binding of this name."""
    return DEPENDED_BY_PREFIX + binding_reference_key(namespace, name)


def execution_space(cluster: str) -> str:
    """Namespace in the control plane that holds the Works of a cluster."""
    return EXECUTION_SPACE_PREFIX + cluster


def cluster_of_execution_space(namespace: str) -> str:
    """The cluster whose Works a namespace holds, the inverse of :func:`execution_space`.

    Raises:
        InvalidObject: The namespace is no execution space.
    """
    if not namespace.startswith(EXECUTION_SPACE_PREFIX):
        raise InvalidObject(
            f"is no execution space: those start with {EXECUTION_SPACE_PREFIX}",
            path="metadata.namespace",
            value=namespace,
        )
    return namespace.removeprefix(EXECUTION_SPACE_PREFIX)


def is_reserved_namespace(namespace: str) -> bool:
    """Whether a namespace belongs to the control plane: nothing in it is propagated."""
    return namespace in RESERVED_NAMESPACES or namespace.startswith(EXECUTION_SPACE_PREFIX)


def service_account_name(cluster: str) -> str:
    """Service account of the control plane in a member cluster."""
    return f"karmada-{cluster}"


def role_name(service_account: str) -> str:
    """Role of such a service account."""
    return f"karmada-controller-manager:{service_account}"


def impersonation_secret_name(cluster: str) -> str:
    """Secret with the token that impersonates users in a cluster."""
    return f"{cluster}-impersonator"


def endpoint_slice_name(cluster: str, endpoint_slice: str) -> str:
    """An EndpointSlice that was collected from a cluster."""
    return f"imported-{cluster}-{endpoint_slice}"


def derived_service_name(service: str) -> str:
    """The Service that stands for an imported one."""
    return f"derived-{service}"


def estimator_service_name(prefix: str, cluster: str) -> str:
    """Service of the scheduler estimator of a cluster."""
    return f"{prefix}-{cluster}"


def estimator_deployment_name(cluster: str) -> str:
    """Deployment of the scheduler estimator of a cluster."""
    return f"karmada-scheduler-estimator-{cluster}"


def _dotted(name: str) -> str:
    return name.replace(":", ".")


def _lower(text: str) -> str:
    # One character at a time, as the reference does: a word's last sigma is no special case.
    return text.lower() if text.isascii() else "".join(char.lower() for char in text)
