"""The order among plugins: ``before`` and ``after``, then the name; never that of files."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from interpreter.api.operation import Operation
from interpreter.machinery.gvk import GVK


@dataclass(frozen=True, slots=True)
class Order:
    """Plugins in the order in which equals are asked.

    Attributes:
        position: Position by name.
        decided: Pairs (first, second) whose order somebody stated, directly or through others.
        circles: Names whose statements contradict each other; the name decides among them.
    """

    position: Mapping[str, int]
    decided: frozenset[tuple[str, str]]
    circles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Plugins that claim the same operation of the same kind with the same priority.

    Attributes:
        gvk: The claim that they share.
        operation: The operation.
        plugins: Their names, first to be asked first: only the name put it there.
    """

    gvk: GVK
    operation: Operation
    plugins: tuple[str, ...]


def order_of(stated: Mapping[str, tuple[Iterable[str], Iterable[str]]]) -> Order:
    """Puts plugins in order.

    Args:
        stated: By name: the plugins it wants to be before, and those it wants to be after. Names
            of plugins that are not there are ignored.
    """
    earlier: dict[str, set[str]] = {name: set() for name in stated}
    for name, (before, after) in stated.items():
        earlier[name].update(other for other in after if other in stated and other != name)
        for other in before:
            if other in stated and other != name:
                earlier[other].add(name)
    circles: list[str] = []
    sorter = TopologicalSorter(earlier)
    while True:
        try:
            sorter.prepare()
            break
        except CycleError as error:
            circle = set(error.args[1])
            circles += sorted(circle.difference(circles))
            for name in circle:
                earlier[name] -= circle
            sorter = TopologicalSorter(earlier)
    ordered: list[str] = []
    ready: list[str] = []
    while sorter.is_active():
        for name in sorter.get_ready():
            heapq.heappush(ready, name)
        ordered.append(heapq.heappop(ready))
        sorter.done(ordered[-1])
    return Order(
        {name: index for index, name in enumerate(ordered)},
        frozenset(_decided(earlier)),
        tuple(circles),
    )


def _decided(earlier: Mapping[str, set[str]]) -> Iterator[tuple[str, str]]:
    for second in earlier:
        seen: set[str] = set()
        todo = list(earlier[second])
        while todo:
            first = todo.pop()
            if first not in seen:
                seen.add(first)
                todo += earlier[first]
        yield from ((first, second) for first in seen)
