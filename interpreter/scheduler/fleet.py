"""The clusters that a scheduler knows, and what it may remember about them.

What was derived from a cluster is forgotten when the part of the cluster that it was derived from
changes: rules of placement belong to the topology, numbers to the capacities. A cluster whose
resource summary changes (every few seconds) costs one row; one whose labels change costs the
columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import (
    INT64_MAX,
    JsonObject,
    map_at,
    map_or_empty,
    name_of,
    same,
)
from interpreter.scheduler.estimator import Room, max_replicas, max_sets, read_room, wanted
from interpreter.scheduler.nodes import units
from interpreter.scheduler.topology import Cache, Ints, Mask, Slots, Topology

#: What the estimators answer when they have no opinion.
UNKNOWN = -1


class Capacities:
    """What clusters have left, in columns."""

    def __init__(self, by_name: Mapping[str, Room | None], *, lenient: bool) -> None:
        """Reads the columns, in the order given; resources are added when they are asked for."""
        rooms = list(by_name.values())
        self._slots = {name: slot for slot, name in enumerate(by_name)}
        self._rooms = rooms
        self._lenient = lenient
        self._pods: Ints = np.array([_pods(room) for room in rooms], dtype=np.int64)
        self._unknown: Mask = np.array([room is None for room in rooms], dtype=np.bool_)
        self._modelled = {
            slot for slot, room in enumerate(rooms) if room and room.nodes is not None
        }
        self._columns: Cache[str, Ints] = Cache(256)
        self.answers: Cache[object, Ints] = Cache(256)

    def set(self, name: str, room: Room | None) -> None:
        """Replaces what one cluster has left."""
        slot = self._slots[name]
        self._rooms[slot] = room
        self._pods[slot] = _pods(room)
        self._unknown[slot] = room is None
        self._modelled.discard(slot)
        if room is not None and room.nodes is not None:
            self._modelled.add(slot)
        for name, column in self._columns.items():
            column[slot] = _free(room, name)
        self.answers.clear()

    def replicas(self, requirements: JsonObject | None) -> Ints:
        """How many replicas each cluster takes; ``UNKNOWN`` where nobody knows.

        Not to be changed. It is :func:`~interpreter.scheduler.estimator.max_replicas` for each.
        """
        request = None
        if requirements is not None:
            request = map_or_empty(requirements, "resourceRequest", "replicaRequirements")
        key = None if request is None else tuple(request.items())
        known = self.answers.get(key)
        if known is not None:
            return known
        result = np.maximum(self._pods, 0)
        if request is not None:
            for name, needed in wanted(request).items():
                np.minimum(result, self._column(name) // needed, out=result)
            for slot in self._modelled:
                result[slot] = max_replicas(self._rooms[slot], requirements)
        if self._lenient:
            result[self._unknown] = UNKNOWN
        return self.answers.keep(key, result)

    def sets(self, components: Sequence[JsonObject], slots: Slots) -> Ints:
        """How many sets of components clusters take, see ``replicas``."""
        return np.array([self.sets_of(slot, components) for slot in slots.tolist()], dtype=np.int64)

    def replicas_of(
        self, slot: int, requirements: JsonObject | None, assumed: Sequence[JsonObject] = ()
    ) -> int:
        """How many replicas one cluster takes beside workloads that are on their way."""
        room = self._rooms[slot]
        if room is None and self._lenient:
            return UNKNOWN
        return max_replicas(room, requirements, assumed, protect=True)

    def sets_of(
        self, slot: int, components: Sequence[JsonObject], assumed: Sequence[JsonObject] = ()
    ) -> int:
        """How many sets one cluster takes beside workloads that are on their way."""
        room = self._rooms[slot]
        if room is None and self._lenient:
            return UNKNOWN
        return min(max_sets(room, components, assumed, protect=True), INT64_MAX)

    def _column(self, name: str) -> Ints:
        column = self._columns.get(name)
        if column is None:
            amounts = [_free(room, name) for room in self._rooms]
            column = self._columns.keep(name, np.array(amounts, dtype=np.int64))
        return column


def _pods(room: Room | None) -> int:
    return 0 if room is None else room.pods


def _free(room: Room | None, name: str) -> int:
    amount = None if room is None else room.free.get(name)
    return 0 if amount is None else max(0, units(name, amount))


class Fleet:
    """Clusters by name.

    Clusters that were handed in belong to the fleet: a change is a new object, given to ``set``.
    """

    def __init__(
        self, clusters: Iterable[JsonObject] = (), *, lenient: bool = False, models: bool = True
    ) -> None:
        """Takes clusters.

        Args:
            clusters: The clusters; of two with one name the later counts.
            lenient: Whether a cluster that states no kinds accepts every kind, and one without a
                resource summary has an unknown capacity, not none. For files that people wrote.
            models: Whether resource models count (gate ``CustomizedClusterResourceModeling``).

        Raises:
            InvalidObject: A cluster has no name, or a field of the wrong type.
        """
        self._lenient, self._models = lenient, models
        self._clusters: dict[str, JsonObject] = {}
        self._rooms: dict[str, Room | None] = {}
        self._topology: Topology | None = None
        self._capacities: Capacities | None = None
        for cluster in clusters:
            self.set(cluster)

    def __len__(self) -> int:
        return len(self._clusters)

    def __contains__(self, name: object) -> bool:
        return name in self._clusters

    def get(self, name: str) -> JsonObject | None:
        """The cluster of a name."""
        return self._clusters.get(name)

    def names(self) -> list[str]:
        """Names of all clusters."""
        return list(self._clusters)

    def set(self, cluster: JsonObject) -> None:
        """Adds a cluster, or replaces the one of its name.

        Raises:
            InvalidObject: It has no name, or a field of the wrong type; the fleet stays as it was.
        """
        name = name_of(cluster)
        if not name:
            raise InvalidObject("a cluster needs a name", path="metadata.name")
        old = self._clusters.get(name)
        try:
            room = read_room(cluster, models=self._models)
            if old is None or old is cluster or not _same_place(old, cluster):
                Topology([cluster]).check()
                self._topology = None
        except InvalidObject as error:
            error.annotate(source=f"cluster {name}")
            raise
        self._clusters[name] = cluster
        self._rooms[name] = room
        if old is None:
            self._capacities = None
        elif self._topology is not None:
            # The topology holds the cluster itself, for plugins.
            self._topology.replace(cluster)
        if self._capacities is not None:
            self._capacities.set(name, room)

    def remove(self, name: str) -> None:
        """Forgets a cluster; one that is not there is fine."""
        if self._clusters.pop(name, None) is not None:
            del self._rooms[name]
            self._topology = self._capacities = None

    @property
    def topology(self) -> Topology:
        """What placement rules ask; another object after every change that they could see."""
        if self._topology is None:
            self._topology = Topology(list(self._clusters.values()), lenient=self._lenient)
        return self._topology

    @property
    def capacities(self) -> Capacities:
        """What the clusters have left, in the order of the topology."""
        if self._capacities is None:
            self._capacities = Capacities(self._rooms, lenient=self._lenient)
        return self._capacities


def _same_place(old: JsonObject, new: JsonObject) -> bool:
    """Whether the rules of placement cannot tell two states of a cluster apart."""
    return (
        same(map_or_empty(old, "spec"), map_or_empty(new, "spec"))
        and same(map_at(old, "metadata", "labels"), map_at(new, "metadata", "labels"))
        and _deleting(old) == _deleting(new)
        and same(_kinds(old), _kinds(new))
    )


def _deleting(cluster: JsonObject) -> bool:
    return bool(map_or_empty(cluster, "metadata").get("deletionTimestamp"))


def _kinds(cluster: JsonObject) -> object:
    return map_or_empty(cluster, "status").get("apiEnablements")
