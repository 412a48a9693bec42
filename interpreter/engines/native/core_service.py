"""v1 Service."""

from __future__ import annotations

from interpreter.api.results import Health
from interpreter.codec.copying import copy_object
from interpreter.engines.native import load_balancers
from interpreter.engines.native.health import load_balancer_health
from interpreter.engines.native.kind import NativeKind
from interpreter.engines.native.retention import read_strict, write
from interpreter.engines.native.statuses import Items, settle, status_of
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import (
    JsonObject,
    deep_copy,
    map_at,
    read_map,
    read_str,
    strict_int,
    strict_str,
)

_LOAD_BALANCER = "LoadBalancer"


def _service_type(obj: JsonObject) -> str:
    return read_str(map_at(obj, "spec"), "type", "spec")


def retain(desired: JsonObject, observed: JsonObject) -> JsonObject:
    """Keeps the health check port when positive and the cluster IP when the member has one."""
    retained = copy_object(desired)
    port = read_strict(observed, ("spec", "healthCheckNodePort"), strict_int)
    if port is not None and port > 0:
        write(retained, ("spec", "healthCheckNodePort"), port)
    address = read_strict(observed, ("spec", "clusterIP"), strict_str)
    if address:
        write(retained, ("spec", "clusterIP"), address)
    return retained


def aggregate_status(obj: JsonObject, items: Items) -> JsonObject:
    """Merges the load balancer entries of all members.

    Services of another type stay as they are.
    """
    if _service_type(obj) != _LOAD_BALANCER:
        return copy_object(obj)
    old = status_of(obj)
    read_map(old, "loadBalancer", "status")
    new = {key: deep_copy(value) for key, value in old.items() if key != "conditions"}
    new["loadBalancer"] = load_balancers.merge(items, with_ip_mode=True)
    return settle(obj, new, always=obj.get("status") is None)


def reflect_status(obj: JsonObject) -> JsonObject | None:
    """The load balancer entries of a LoadBalancer Service; nothing for other types."""
    spec = obj.get("spec")
    status = read_map(obj, "status")
    if status is None:
        return None
    if not isinstance(spec, dict) or spec.get("type") != _LOAD_BALANCER:
        return None
    balancer = read_map(status, "loadBalancer", "status") or {}
    return {"loadBalancer": deep_copy({k: v for k, v in balancer.items() if v or k != "ingress"})}


def interpret_health(obj: JsonObject) -> Health:
    """A LoadBalancer Service needs an address; others have nothing to wait for."""
    if _service_type(obj) != _LOAD_BALANCER:
        return Health("Healthy", "NoLoadBalancer", "the service needs no load balancer", True)
    return load_balancer_health(obj)


def prune_rule(obj: JsonObject, _remove_job_ttl: bool) -> None:
    """Drops the cluster IPs that an API server assigned; ``None`` is the user's own choice."""
    spec = obj.get("spec")
    address = spec.get("clusterIP") if isinstance(spec, dict) else None
    if isinstance(spec, dict) and isinstance(address, str) and address != "None":
        spec.pop("clusterIP")
        spec.pop("clusterIPs", None)


KIND = NativeKind(
    gvk=GVK("", "v1", "Service"),
    retain=retain,
    aggregate_status=aggregate_status,
    reflect_status=reflect_status,
    interpret_health=interpret_health,
    prune_rule=prune_rule,
)
