"""Folding ``status.loadBalancer`` of members, for Service and Ingress."""

from __future__ import annotations

from interpreter.engines.native.statuses import Items, each_status, fold_names, member_objects
from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import JsonObject, deep_copy, read_int, read_map, read_str

_STATUS = frozenset({"loadBalancer", "conditions"})
_BALANCER = frozenset({"ingress"})
_ENTRY = frozenset({"hostname", "ip", "ipMode", "ports"})
_PORT = frozenset({"port", "protocol", "error"})

_EntryKey = tuple[bool, str, str, bool, str]
_PortKey = tuple[int, str, bool, str]


def merge(items: Items, *, with_ip_mode: bool) -> JsonObject:
    """The ``loadBalancer`` object of all members: entries by address, each with the union of its ports.

    Args:
        items: Aggregated status items.
        with_ip_mode: Whether entries that differ in ``ipMode`` are two (Service), or the field is unknown (Ingress).

    Returns:
        Entries sorted by hostname (without one last), ip, ipMode (without one last); ports by port, protocol, error.
    """
    entries: dict[_EntryKey, JsonObject] = {}
    ports: dict[_EntryKey, dict[_PortKey, JsonObject]] = {}
    for index, _item, status in each_status(items, _STATUS):
        for position, entry in enumerate(_ingress(status, index)):
            path = f"items[{index}].status.loadBalancer.ingress[{position}]"
            try:
                key = _entry_key(entry, with_ip_mode)
                found = {k: v for k, v in entry.items() if k not in ("ports", "ipMode")}
                if with_ip_mode and key[4]:
                    found["ipMode"] = key[4]
                entries.setdefault(key, deep_copy(found))
                own = ports.setdefault(key, {})
                for port in member_objects(entry, "ports", 0, _PORT):
                    own.setdefault(_port_key(port), deep_copy(port))
            except InvalidObject as error:
                raise error.within(path) from None
    merged = []
    for key in sorted(entries):
        entry = entries[key]
        if ports[key]:
            entry["ports"] = [ports[key][port] for port in sorted(ports[key])]
        merged.append(entry)
    return {"ingress": merged} if merged else {}


def _ingress(status: JsonObject | None, index: int) -> list[JsonObject]:
    try:
        balancer = read_map(status or {}, "loadBalancer") or {}
    except InvalidObject as error:
        raise error.within(f"items[{index}].status") from None
    return member_objects(fold_names(balancer, _BALANCER), "ingress", index, _ENTRY)


def _entry_key(entry: JsonObject, with_ip_mode: bool) -> _EntryKey:
    hostname, ip = read_str(entry, "hostname"), read_str(entry, "ip")
    mode = read_str(entry, "ipMode") if with_ip_mode else ""
    return (not hostname, hostname, ip, not mode, mode)


def _port_key(port: JsonObject) -> _PortKey:
    number = read_int(port, "port") or 0
    error = read_str(port, "error")
    return (number, read_str(port, "protocol"), bool(error), error)
