"""What placement rules ask about clusters, in columns over the whole fleet.

No answer of a topology ever changes: the fleet makes a new one when a cluster's labels, fields,
taints, kinds or existence change, and everything that was derived from the old one goes with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from interpreter.machinery.affinity import (
    FIELDS,
    HARD_EFFECTS,
    ZONE,
    Affinity,
    fields_of,
    taint_text,
    untolerated_taint,
    zones_hold,
    zones_of,
)
from interpreter.machinery.selectors import Requirement, integer_of
from interpreter.machinery.unstructured import (
    JsonObject,
    check_string_values,
    map_at,
    map_or_empty,
    name_of,
    objects_at,
    read_str,
)

Mask: TypeAlias = npt.NDArray[np.bool_]
#: Positions of clusters in the fleet.
Slots: TypeAlias = npt.NDArray[np.intp]
Ints: TypeAlias = npt.NDArray[np.int64]

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Cache(dict[_Key, _Value]):
    """Remembers what was made for a key; the oldest goes when there are too many."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit

    def keep(self, key: _Key, value: _Value) -> _Value:
        """Remembers a value, and gives it back."""
        if len(self) >= self._limit:
            del self[next(iter(self))]
        self[key] = value
        return value


class _Column:
    """The values of one label or field."""

    def __init__(self, values: Sequence[str | None]) -> None:
        found: dict[str, list[int]] = {}
        for slot, value in enumerate(values):
            if value is not None:
                found.setdefault(value, []).append(slot)
        self.size = len(values)
        self.slots: dict[str, Slots] = {
            value: np.array(slots, dtype=np.intp) for value, slots in found.items()
        }
        self.present: Mask = np.array([value is not None for value in values], dtype=np.bool_)

    def holds(self, requirement: Requirement) -> Mask:
        """Where a requirement holds."""
        match requirement.operator:
            case "In":
                return self._among(requirement.values)
            case "NotIn":
                return ~self._among(requirement.values)
            case "Exists":
                return self.present
            case "DoesNotExist":
                return ~self.present
        fitting = [
            value
            for value in self.slots
            if integer_of(value) is not None and requirement.holds({requirement.key: value})
        ]
        return self._among(fitting)

    def _among(self, values: Iterable[str]) -> Mask:
        mask = np.zeros(self.size, dtype=np.bool_)
        for value in values:
            slots = self.slots.get(value)
            if slots is not None:
                mask[slots] = True
        return mask


class Topology:
    """Clusters as placement rules see them.

    Attributes:
        clusters: The clusters themselves.
        names: Their names.
        slots: Position of each name.
        ranks: Place of each when sorted by name.
        staying: Which are not being deleted.
        regions: Region of each; empty where there is none.
        providers: Provider of each; empty where there is none.
        zones: Zones of each.
        views: What the filters made of a placement.
    """

    def __init__(self, clusters: list[JsonObject], *, lenient: bool = False) -> None:
        """Reads the columns that every pass needs; the others are made when they are asked for.

        Args:
            clusters: The clusters, one of a name.
            lenient: Whether a cluster that states no kinds accepts every kind.
        """
        self.clusters = clusters
        self.names = [name_of(cluster) for cluster in clusters]
        self.slots = {name: slot for slot, name in enumerate(self.names)}
        self.ranks: Slots = np.empty(len(clusters), dtype=np.intp)
        self.ranks[sorted(range(len(clusters)), key=self.names.__getitem__)] = np.arange(
            len(clusters)
        )
        self.staying: Mask = np.array(
            [not read_str(_metadata(cluster), "deletionTimestamp") for cluster in clusters],
            dtype=np.bool_,
        )
        specs = [map_or_empty(cluster, "spec") for cluster in clusters]
        fields = [fields_of(spec) for spec in specs]
        self.providers, self.regions = (
            [values.get(field, "") for values in fields] for field in FIELDS
        )
        self.zones = [zones_of(spec) for spec in specs]
        self._specs = specs
        self._lenient = lenient
        self._labels: Cache[str, _Column] = Cache(512)
        self._served: Cache[tuple[str, str], Mask] = Cache(512)
        self._fields: dict[str, _Column] = {}
        self._zone_sets: dict[frozenset[str], Slots] | None = None
        self._taints: list[tuple[list[JsonObject], Slots]] | None = None
        self.views: Cache[object, object] = Cache(512)

    def __len__(self) -> int:
        return len(self.clusters)

    def replace(self, cluster: JsonObject) -> None:
        """Takes a newer state of a cluster that looks the same to every rule here."""
        self.clusters[self.slots[name_of(cluster)]] = cluster

    def check(self) -> None:
        """Reads everything once.

        Raises:
            InvalidObject: A field has the wrong type.
        """
        self.untolerated(())
        for cluster in self.clusters:
            labels = map_at(cluster, "metadata", "labels")
            check_string_values(labels, "metadata.labels")
            self._serves(cluster, "", "")
            for enablement in objects_at(map_or_empty(cluster, "status"), "apiEnablements"):
                objects_at(enablement or {}, "resources", "status.apiEnablements")

    def all(self) -> Mask:
        """Every cluster, as a mask of the caller's own."""
        return np.ones(len(self.clusters), dtype=np.bool_)

    def matching(self, affinity: Affinity) -> Mask:
        """Where an affinity matches, as a mask of the caller's own."""
        if not affinity.valid:
            return np.zeros(len(self.clusters), dtype=np.bool_)
        mask = self.named(affinity.names) if affinity.names else self.all()
        for name in affinity.exclude:
            slot = self.slots.get(name)
            if slot is not None:
                mask[slot] = False
        for requirement in affinity.labels.requirements:
            mask &= self._label(requirement.key).holds(requirement)
        for requirement in affinity.fields:
            mask &= self._field(requirement.key).holds(requirement)
        for requirement in affinity.zones:
            mask &= self._zones_hold(requirement)
        return mask

    def named(self, names: Iterable[str]) -> Mask:
        """The clusters of these names."""
        mask = np.zeros(len(self.clusters), dtype=np.bool_)
        known = [self.slots[name] for name in names if name in self.slots]
        mask[known] = True
        return mask

    def untolerated(self, tolerations: Sequence[JsonObject]) -> list[tuple[str, Slots]]:
        """Clusters with a hard taint that is not tolerated: the first such taint, and where."""
        if self._taints is None:
            self._taints = self._read_taints()
        found = []
        for taints, slots in self._taints:
            taint = untolerated_taint(taints, tolerations)
            if taint is not None:
                found.append((taint_text(taint), slots))
        return found

    def serving(self, group_version: str, kind: str) -> Mask:
        """Which clusters have a kind."""
        key = (group_version, kind)
        mask = self._served.get(key)
        if mask is None:
            serves = [self._serves(cluster, group_version, kind) for cluster in self.clusters]
            mask = self._served.keep(key, np.array(serves, dtype=np.bool_))
        return mask

    def having(self, field: str) -> Mask:
        """Which clusters have a region, a provider or zones."""
        if field == ZONE:
            return np.array([bool(zones) for zones in self.zones], dtype=np.bool_)
        return self._field(field).present

    def _serves(self, cluster: JsonObject, group_version: str, kind: str) -> bool:
        enablements = objects_at(map_or_empty(cluster, "status"), "apiEnablements", "status")
        if not enablements:
            return self._lenient
        return any(
            resource is not None and resource.get("kind") == kind
            for enablement in enablements
            if enablement is not None and enablement.get("groupVersion") == group_version
            for resource in objects_at(enablement, "resources")
        )

    def _label(self, key: str) -> _Column:
        column = self._labels.get(key)
        if column is None:
            values = [map_at(cluster, "metadata", "labels").get(key) for cluster in self.clusters]
            column = self._labels.keep(key, _Column(values))
        return column

    def _field(self, field: str) -> _Column:
        column = self._fields.get(field)
        if column is None:
            # A selector may ask for a field that does not exist: no cluster has it.
            known = {"provider": self.providers, "region": self.regions}.get(field)
            values = [value or None for value in known] if known else [None] * len(self.clusters)
            column = _Column(values)
            if known is not None:
                self._fields[field] = column
        return column

    def _zones_hold(self, requirement: Requirement) -> Mask:
        if self._zone_sets is None:
            self._zone_sets = _grouped(self.zones, lambda zones: zones)
        mask = np.zeros(len(self.clusters), dtype=np.bool_)
        for zones, slots in self._zone_sets.items():
            if zones_hold(requirement, zones):
                mask[slots] = True
        return mask

    def _read_taints(self) -> list[tuple[list[JsonObject], Slots]]:
        lists = [
            [
                taint
                for taint in objects_at(spec, "taints", "spec")
                if taint is not None and taint.get("effect") in HARD_EFFECTS
            ]
            for spec in self._specs
        ]
        grouped = _grouped(
            lists,
            lambda taints: tuple(
                tuple(read_str(taint, field) for field in ("key", "value", "effect"))
                for taint in taints
            ),
        )
        return [(lists[int(slots[0])], slots) for key, slots in grouped.items() if key]


_Item = TypeVar("_Item")


def _grouped(items: Sequence[_Item], key: Callable[[_Item], _Key]) -> dict[_Key, Slots]:
    """Positions by what is equal under a key."""
    found: dict[_Key, list[int]] = {}
    for slot, item in enumerate(items):
        found.setdefault(key(item), []).append(slot)
    return {value: np.array(slots, dtype=np.intp) for value, slots in found.items()}


def _metadata(cluster: JsonObject) -> JsonObject:
    return map_or_empty(cluster, "metadata")
