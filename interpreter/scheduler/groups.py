"""Clusters by region, zone or provider, and how good each group is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

#: What one cluster, or one replica of a target, is worth against scores of 0..100.
_WEIGHT = 1000


@dataclass(frozen=True, slots=True)
class Candidates:
    """The clusters that passed the filters, best first: position i is one cluster.

    Attributes:
        names: Their names.
        slots: Their positions in the fleet.
        scores: Sum of their scores.
        tiers: Their overflow order.
        allocatable: Replicas that the estimators give them.
        available: Those, and what the binding has there already.
    """

    names: list[str]
    slots: list[int]
    scores: list[int]
    tiers: list[int]
    allocatable: list[int]
    available: list[int]

    def __len__(self) -> int:
        return len(self.names)

    def pick(self, positions: Sequence[int]) -> Candidates:
        """Some of them, in the order given."""
        return Candidates(
            names=[self.names[position] for position in positions],
            slots=[self.slots[position] for position in positions],
            scores=[self.scores[position] for position in positions],
            tiers=[self.tiers[position] for position in positions],
            allocatable=[self.allocatable[position] for position in positions],
            available=[self.available[position] for position in positions],
        )


class Group(NamedTuple):
    """A region, a zone or a provider.

    Attributes:
        name: Its name.
        score: How good it is.
        available: Replicas that its clusters take.
        members: Positions of its clusters, best first.
    """

    name: str
    score: int
    available: int
    members: list[int]


class Aim(NamedTuple):
    """What a group should offer.

    Attributes:
        replicas: How many replicas are wanted.
        divided: Whether they are divided, and availability counts.
        groups: Smallest number of groups.
        clusters: Smallest number of clusters.
    """

    replicas: int
    divided: bool
    groups: int
    clusters: int


def group_by(candidates: Candidates, values: Iterable[Iterable[str]], aim: Aim) -> dict[str, Group]:
    """Groups of candidates by value; a cluster with several values is in several groups.

    Args:
        candidates: The clusters.
        values: For each, its values; a cluster without one is in no group.
        aim: What a group should offer.

    Returns:
        Groups by name.
    """
    members: dict[str, list[int]] = {}
    for position, names in enumerate(values):
        for name in names:
            members.setdefault(name, []).append(position)
    score = _score_divided if aim.divided else _score_duplicated
    return {
        name: Group(
            name,
            score(candidates, positions, aim),
            sum(candidates.available[position] for position in positions),
            positions,
        )
        for name, positions in members.items()
    }


def _score_duplicated(candidates: Candidates, members: Sequence[int], aim: Aim) -> int:
    """Clusters that take all replicas count most, then their mean score."""
    enough = [member for member in members if candidates.available[member] >= aim.replicas]
    if not enough:
        return 0
    return _WEIGHT * len(enough) + sum(candidates.scores[m] for m in enough) // len(enough)


def _score_divided(candidates: Candidates, members: Sequence[int], aim: Aim) -> int:
    """The group's share of the replicas counts most, then the mean score of those who take it."""
    target = -(-aim.replicas // max(aim.groups, 1))
    needed = max(aim.clusters, aim.groups)
    available = score = 0
    for taken, member in enumerate(members, 1):
        available += candidates.available[member]
        score += candidates.scores[member]
        if taken >= needed and available >= target:
            return _WEIGHT * target + score // taken
    if available >= target:
        return _WEIGHT * target + score // len(members)
    return _WEIGHT * available + score // len(members)


def choose(groups: Iterable[Group], *, least: int, most: int, clusters: int) -> list[Group] | None:
    """The combination of groups that is best.

    Combinations have ``least`` to ``most`` groups and at least so many ``clusters``; none is larger
    than it must be. The largest sum of scores wins, then the most clusters, then what comes first
    when groups are sorted by size, score and name. A combination gives way to another that is its
    beginning.

    Returns:
        The groups, best first; None when there is no such combination.
    """
    ordered = sorted(groups, key=lambda group: (len(group.members), -group.score, group.name))
    found: list[list[Group]] = []
    _combine(ordered, 0, [], found, (least, most, clusters))
    ranked = sorted(
        (
            sorted(combination, key=lambda group: (-group.score, group.name))
            for combination in found
        ),
        key=lambda combination: (
            -sum(group.score for group in combination),
            -sum(len(group.members) for group in combination),
        ),
    )
    if not ranked:
        return None
    best = ranked[0]
    for other in ranked[1:]:
        if len(other) < len(best) and best[: len(other)] == other:
            best = other
    return best


def _combine(
    groups: Sequence[Group],
    start: int,
    chosen: list[Group],
    found: list[list[Group]],
    bounds: tuple[int, int, int],
) -> None:
    least, most, clusters = bounds
    if least <= len(chosen) <= most and sum(len(group.members) for group in chosen) >= clusters:
        found.append(list(chosen))
        return
    if len(chosen) >= most:
        return
    for index in range(start, len(groups)):
        _combine(groups, index + 1, [*chosen, groups[index]], found, bounds)
