"""Folding ``status.loadBalancer`` of members, for Service and Ingress."""

from __future__ import annotations

from interpreter.engines.native.statuses import (
    Items,
    each_status,
    fold_names,
    folded_objects,
    member_int,
)
from interpreter.machinery.unstructured import JsonObject, deep_copy, read_map, read_str

_STATUS = frozenset({"loadBalancer", "conditions"})
_BALANCER = frozenset({"ingress"})
_ENTRY = frozenset({"hostname", "ip", "ipMode", "ports"})
_PORT = frozenset({"port", "protocol", "error"})

_EntryKey = tuple[bool, str, str, bool, str]
_PortKey = tuple[int, str, bool, str]


def merge(items: Items, *, with_ip_mode: bool) -> JsonObject:
    """The ``loadBalancer`` object of all members.

    Entries by address, each with the union of its ports.

    Args:
        items: Aggregated status items.
        with_ip_mode: Whether entries that differ in ``ipMode`` are two (Service), or the field is
            unknown (Ingress).

    Returns:
        Entries sorted by hostname (without one last), ip, ipMode (without one last); ports by port,
        protocol, error.
    """
    entries: dict[_EntryKey, JsonObject] = {}
    ports: dict[_EntryKey, dict[_PortKey, JsonObject]] = {}
    for at, _item, status in each_status(items, _STATUS):
        for position, entry in enumerate(_ingress(status, f"{at}.status")):
            path = f"{at}.status.loadBalancer.ingress[{position}]"
            key = _entry_key(entry, with_ip_mode, path)
            found = {k: v for k, v in entry.items() if k not in ("ports", "ipMode")}
            if with_ip_mode and key[4]:
                found["ipMode"] = key[4]
            entries.setdefault(key, deep_copy(found))
            own = ports.setdefault(key, {})
            for number, port in enumerate(folded_objects(entry, "ports", path, _PORT)):
                own.setdefault(_port_key(port, f"{path}.ports[{number}]"), deep_copy(port))
    merged = []
    for key in sorted(entries):
        entry = entries[key]
        if ports[key]:
            entry["ports"] = [ports[key][port] for port in sorted(ports[key])]
        merged.append(entry)
    return {"ingress": merged} if merged else {}


def _ingress(status: JsonObject | None, at: str) -> list[JsonObject]:
    balancer = read_map(status or {}, "loadBalancer", at) or {}
    folded = fold_names(balancer, _BALANCER)
    return folded_objects(folded, "ingress", f"{at}.loadBalancer", _ENTRY)


def _entry_key(entry: JsonObject, with_ip_mode: bool, path: str) -> _EntryKey:
    hostname, ip = read_str(entry, "hostname", path), read_str(entry, "ip", path)
    mode = read_str(entry, "ipMode", path) if with_ip_mode else ""
    return (not hostname, hostname, ip, not mode, mode)


def _port_key(port: JsonObject, path: str) -> _PortKey:
    number = member_int(port, "port", path)
    error = read_str(port, "error", path)
    return (number, read_str(port, "protocol", path), bool(error), error)
