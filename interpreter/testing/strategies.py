"""Hypothesis strategies for Kubernetes objects. Needs the extra ``testing``.

    from hypothesis import given
    from interpreter.testing import strategies as kube

    @given(kube.deployments())
    def test_counts_are_kept(obj): ...

Objects are valid where an API server checks (names, labels, counts, quantities) and arbitrary where
it does not (annotations, unknown fields, statuses). They shrink to what a person would write.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

try:
    from hypothesis import strategies as st
    from hypothesis.strategies import SearchStrategy
except ImportError as _error:
    raise ImportError(
        "interpreter.testing.strategies needs Hypothesis: "
        "pip install 'resource-interpreter[testing]'"
    ) from _error

from interpreter.api.context import HookContext
from interpreter.machinery.unstructured import INT32_MAX, JsonObject, JsonValue
from interpreter.testing import builders

Strategy = SearchStrategy[JsonObject]

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
#: Text that JSON, YAML and Lua can carry.
_TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)


def names(*, max_size: int = 20) -> SearchStrategy[str]:
    """DNS labels (RFC 1123), such as names of objects and namespaces.

    Args:
        max_size: Longest name, in characters (at most 63).
    """
    rest = st.from_regex(rf"[a-z0-9-]{{0,{max(0, max_size - 2)}}}[a-z0-9]", fullmatch=True)
    return st.builds(
        lambda first, more: first + more, st.sampled_from(_LETTERS), rest | st.just("")
    )


def label_maps(*, max_size: int = 3) -> SearchStrategy[dict[str, str]]:
    """Labels: keys with and without a prefix, values that may be empty."""
    keys = names() | st.builds("example.com/{}".format, names())
    return st.dictionaries(keys, names() | st.just(""), max_size=max_size)


def counts(*, max_value: int = INT32_MAX) -> SearchStrategy[int]:
    """Replica counts, 0 to 2^31-1; small ones come up often."""
    return st.integers(0, min(10, max_value)) | st.integers(0, max_value)


def quantities() -> SearchStrategy[str]:
    """Quantities of resources as people write them: ``250m``, ``1.5``, ``64Mi``, ``2e3``."""
    whole = st.integers(0, 10_000).map(str)
    decimal = st.builds("{}.{}".format, st.integers(0, 100), st.integers(0, 999))
    suffix = st.sampled_from(["", "m", "k", "M", "G", "Ki", "Mi", "Gi", "e3"])
    return st.builds("{}{}".format, whole | decimal, suffix)


def resource_lists() -> SearchStrategy[dict[str, str]]:
    """Requests or limits: quantities by resource name."""
    resources = st.sampled_from(["cpu", "memory", "ephemeral-storage", "example.com/gpu"])
    return st.dictionaries(resources, quantities(), max_size=3)


def json_values(*, max_leaves: int = 10) -> SearchStrategy[JsonValue]:
    """Any JSON value: empty and nested ones, nulls, integers beyond 2^53, whole floats.

    Args:
        max_leaves: About how many values one holds.
    """
    leaves = (
        st.none()
        | st.booleans()
        | st.integers(-(2**63), 2**63 - 1)
        | st.floats(allow_nan=False, allow_infinity=False, width=32)
        | _TEXT
    )
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names(), inner, max_size=3),
        max_leaves=max_leaves,
    )


def json_objects(*, max_size: int = 3) -> Strategy:
    """JSON objects with any values."""
    return st.dictionaries(names(), json_values(), max_size=max_size)


def metadata(*, namespaced: bool = True, in_member: bool = False) -> Strategy:
    """``metadata`` of an object: name, and now and then labels, annotations and a generation.

    Args:
        namespaced: Whether there is a namespace.
        in_member: Whether the annotation is there that every copy in a member cluster has.
    """
    annotations = st.dictionaries(names(), _TEXT, max_size=3)
    required: dict[str, SearchStrategy[Any]] = {"name": names()}
    if namespaced:
        required["namespace"] = names()
    optional: dict[str, SearchStrategy[Any]] = {
        "labels": label_maps(),
        "annotations": annotations,
        "generation": st.integers(1, 2**31),
    }
    if in_member:
        noted = st.integers(1, 2**31).map(
            lambda number: {builders.GENERATION_ANNOTATION: str(number)}
        )
        required["annotations"] = st.builds(dict.__or__, annotations, noted)
        del optional["annotations"]
    return st.fixed_dictionaries(required, optional=optional)


def custom_resources(
    api_version: str,
    kind: str,
    *,
    spec: SearchStrategy[Any] | None = None,
    status: SearchStrategy[Any] | None = None,
    namespaced: bool = True,
) -> Strategy:
    """Objects of a kind; ``spec`` and ``status`` are now and then missing.

    Args:
        api_version: ``group/version``.
        kind: The kind.
        spec: Specs; any objects when None. Give ``st.fixed_dictionaries`` for a CRD with a schema.
        status: Statuses; any objects when None.
        namespaced: Whether they have a namespace.
    """
    return st.fixed_dictionaries(
        {
            "apiVersion": st.just(api_version),
            "kind": st.just(kind),
            "metadata": metadata(namespaced=namespaced),
        },
        optional={"spec": spec or json_objects(), "status": status or json_objects()},
    )


def containers() -> Strategy:
    """Containers, with and without requests, limits and references to ConfigMaps and Secrets."""
    reference = st.fixed_dictionaries({"name": names()})
    source = st.fixed_dictionaries({"configMapRef": reference}) | st.fixed_dictionaries(
        {"secretRef": reference}
    )
    resources = st.fixed_dictionaries(
        {}, optional={"requests": resource_lists(), "limits": resource_lists()}
    )
    return st.fixed_dictionaries(
        {"name": names(), "image": st.just("registry.example.com/app:1")},
        optional={"resources": resources, "envFrom": st.lists(source, max_size=2)},
    )


def pod_specs() -> Strategy:
    """Pod specs with one or two containers, and now and then node constraints."""
    toleration = st.fixed_dictionaries(
        {"key": names(), "operator": st.just("Exists")},
        optional={"effect": st.sampled_from(["NoSchedule", "NoExecute"])},
    )
    return st.fixed_dictionaries(
        {"containers": st.lists(containers(), min_size=1, max_size=2)},
        optional={
            "nodeSelector": label_maps(),
            "tolerations": st.lists(toleration, max_size=2),
            "serviceAccountName": names(),
        },
    )


def pod_templates() -> Strategy:
    """Pod templates."""
    labels = st.fixed_dictionaries({"labels": label_maps()})
    return st.fixed_dictionaries({"spec": pod_specs()}, optional={"metadata": labels})


def deployments() -> Strategy:
    """Deployments; the count is now and then missing, as people leave it out."""
    return _workloads("apps/v1", "Deployment", {"replicas": counts()})


def statefulsets() -> Strategy:
    """StatefulSets; the count is now and then missing."""
    return _workloads("apps/v1", "StatefulSet", {"replicas": counts(), "serviceName": names()})


def jobs() -> Strategy:
    """Jobs; ``parallelism`` and ``completions`` are now and then missing."""
    few = counts(max_value=100)
    return _workloads("batch/v1", "Job", {"parallelism": few, "completions": few})


def pods() -> Strategy:
    """Pods."""
    phase = st.sampled_from(["Pending", "Running", "Succeeded", "Failed", "Unknown"])
    status = st.fixed_dictionaries({"phase": phase})
    return _objects("v1", "Pod", pod_specs(), status)


def services() -> Strategy:
    """Services of the three types that Kubernetes makes itself."""
    port = st.fixed_dictionaries({"port": st.integers(1, 65535)})
    types = st.sampled_from(["ClusterIP", "NodePort", "LoadBalancer"])
    spec = st.fixed_dictionaries(
        {"ports": st.lists(port, min_size=1, max_size=2)},
        optional={"type": types, "selector": label_maps()},
    )
    address = st.fixed_dictionaries({"ip": st.just("192.0.2.1")})
    balancer = st.fixed_dictionaries({"ingress": st.lists(address, max_size=1)})
    return _objects("v1", "Service", spec, st.fixed_dictionaries({"loadBalancer": balancer}))


def conditions(*types: str) -> Strategy:
    """Conditions of the types given; of any type when there are none."""
    kind = st.sampled_from(types) if types else st.sampled_from(["Ready", "Available", "Failed"])
    moment = st.integers(0, 10**8).map(lambda seconds: builders.NOW + timedelta(seconds=seconds))
    return st.builds(
        lambda name, status, reason, message, since: builders.condition(
            name, status, reason=reason, message=message, since=since
        ),
        kind,
        st.none() | st.booleans(),
        st.just("") | st.sampled_from(["NoImage", "Progressing"]),
        st.just("") | _TEXT,
        st.none() | moment,
    )


def status_items(
    status: SearchStrategy[Any] | None = None, *, max_size: int = 4
) -> SearchStrategy[list[JsonObject]]:
    """Lists of AggregatedStatusItem, one for each of some clusters.

    Args:
        status: What a cluster reports; any objects when None. Some report nothing.
        max_size: Most clusters.
    """
    reported = st.none() | (json_objects() if status is None else status)
    item = st.builds(
        lambda cluster, report, health: builders.status_item(cluster, report, health=health),
        names(),
        reported,
        st.none() | st.sampled_from(["Healthy", "Unhealthy", "Unknown"]),
    )
    return st.lists(item, max_size=max_size, unique_by=lambda one: one["clusterName"])


def hook_contexts() -> SearchStrategy[HookContext]:
    """Contexts with a clock that stands; now and then of no cluster."""
    return st.builds(
        lambda cluster, labels, targets: builders.hook_context(
            cluster, labels=labels, targets=targets
        ),
        names() | st.just(""),
        label_maps(),
        st.none() | st.integers(1, 100),
    )


def _workloads(api_version: str, kind: str, fields: Mapping[str, SearchStrategy[Any]]) -> Strategy:
    spec = st.fixed_dictionaries({"template": pod_templates()}, optional=dict(fields))
    few = counts(max_value=100)
    ready = {"replicas": few, "readyReplicas": few}
    pods_of = {"active": few, "succeeded": few, "failed": few}
    status = st.fixed_dictionaries(
        {},
        optional={
            **(pods_of if kind == "Job" else ready),
            "observedGeneration": st.integers(0, 2**31),
            "conditions": st.lists(conditions(), max_size=2),
        },
    )
    return _objects(api_version, kind, spec, status)


def _objects(
    api_version: str, kind: str, spec: SearchStrategy[Any], status: SearchStrategy[Any]
) -> Strategy:
    return st.fixed_dictionaries(
        {
            "apiVersion": st.just(api_version),
            "kind": st.just(kind),
            "metadata": metadata(in_member=True),
            "spec": spec,
        },
        optional={"status": status},
    )
