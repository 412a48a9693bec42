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
    if least <= 0 and clusters <= 0:
        return []
    ordered = sorted(groups, key=lambda group: (len(group.members), -group.score, group.name))
    bounds = _Bounds(least, most, clusters)
    best = _best(ordered, bounds)
    if best is None:
        return None
    ranked = sorted(best, key=lambda index: (-ordered[index].score, ordered[index].name))
    for length in range(1, len(ranked)):
        if bounds.suffice(ordered, sorted(ranked[:length])):
            ranked = ranked[:length]
            break
    return [ordered[index] for index in ranked]


class _Bounds(NamedTuple):
    """How many groups and clusters a combination needs."""

    least: int
    most: int
    clusters: int

    def enough(self, groups: int, clusters: int) -> bool:
        """Whether so many groups with so many clusters are a combination."""
        return self.least <= groups <= self.most and clusters >= self.clusters

    def suffice(self, groups: Sequence[Group], indices: Sequence[int]) -> bool:
        """Whether groups are a combination, and would not be one without the largest."""
        sizes = [len(groups[index].members) for index in indices]
        return self.enough(len(sizes), sum(sizes)) and not self.enough(
            len(sizes) - 1, sum(sizes[:-1])
        )


def _best(groups: Sequence[Group], bounds: _Bounds) -> tuple[int, ...] | None:
    """Indices of the best combination, smallest groups first.

    Of partial combinations with the same number of groups and of clusters only the best can become
    the best of all, so their number stays small where that of combinations does not.
    """
    # (groups, clusters up to the bound): (-score, -clusters, indices), the smallest is the best.
    partial: dict[tuple[int, int], tuple[int, int, tuple[int, ...]]] = {(0, 0): (0, 0, ())}
    best: tuple[int, int, tuple[int, ...]] | None = None
    for index, group in enumerate(groups):
        size = len(group.members)
        for (count, clusters), (score, held, indices) in list(partial.items()):
            longer = (score - group.score, held - size, (*indices, index))
            if bounds.enough(count + 1, clusters + size):
                best = longer if best is None else min(best, longer)
            elif count + 1 < bounds.most:
                key = (count + 1, min(clusters + size, bounds.clusters))
                partial[key] = min(partial.get(key, longer), longer)
    return None if best is None else best[2]
