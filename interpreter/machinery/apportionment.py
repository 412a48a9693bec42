"""Seats by votes: the method of Webster (Sainte-Laguë), as Karmada 1.19 deals replicas.

The next seat goes to the largest ``votes / (2 * seats + 1)``, a quotient of doubles. Equal
quotients: fewer seats first, then by name, in a direction that a hash of the object's uid gives,
so that leftovers of many objects do not all pile up on the first cluster.

Counts are exact; where Karmada computes ``2 * seats + 1`` in 32 bits, and wraps around, this does
not.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence

#: Rounds of halving in which a threshold is found; a double has no more bits to give.
_ROUNDS = 64
_FNV_OFFSET, _FNV_PRIME = 2166136261, 16777619


def ties_descend(uid: str) -> bool:
    """Whether the larger name wins a complete tie: when the FNV-1a hash of the uid is odd.

    For an empty uid names ascend.
    """
    if not uid:
        return False
    value = _FNV_OFFSET
    for byte in uid.encode():
        value = ((value ^ byte) * _FNV_PRIME) & 0xFFFFFFFF
    return value % 2 == 1


def allocate(
    seats: int,
    votes: Mapping[str, int],
    initial: Mapping[str, int] | None = None,
    *,
    uid: str = "",
) -> dict[str, int]:
    """Deals seats to parties.

    Args:
        seats: New seats, beside those that parties have already; below 1 means none.
        votes: Votes by party, from 0 on. Parties known only from ``initial`` have none.
        initial: Seats that parties have.
        uid: Decides complete ties, see :func:`ties_descend`.

    Returns:
        All seats by party, sorted by name (by bytes), those without any included. When nobody has a
        vote, the parties with the fewest seats get them.
    """
    held = dict.fromkeys(votes, 0)
    held.update(initial or {})
    for name, count in winners(seats, votes, held, uid=uid).items():
        held[name] += count
    return {name: held[name] for name in sorted(held)}


def winners(
    seats: int, votes: Mapping[str, int], held: Mapping[str, int] | None = None, *, uid: str = ""
) -> dict[str, int]:
    """New seats of the parties that get any, in no particular order; see :func:`allocate`."""
    held = held or {}
    names = [name for name, count in votes.items() if count > 0]
    if seats <= 0 or not (votes or held):
        return {}
    if not names:
        everybody = {**dict.fromkeys(votes, 0), **held}
        return _level(seats, everybody, descending=ties_descend(uid))
    if len(names) > seats:
        names = _best(seats, names, votes, held)
    names.sort(reverse=ties_descend(uid))
    amounts = [float(votes[name]) for name in names]
    start = [held.get(name, 0) for name in names]
    have = _jump(seats, amounts, start)
    left = seats - (sum(have) - sum(start))
    if left:
        heap = [
            (-amount / (2 * count + 1), count, rank)
            for rank, (amount, count) in enumerate(zip(amounts, have, strict=True))
        ]
        heapq.heapify(heap)
        for _ in range(left):
            _priority, count, rank = heap[0]
            have[rank] = count = count + 1
            heapq.heapreplace(heap, (-amounts[rank] / (2 * count + 1), count, rank))
    return {
        name: now - before
        for name, now, before in zip(names, have, start, strict=True)
        if now > before
    }


def _best(
    seats: int, names: Sequence[str], votes: Mapping[str, int], held: Mapping[str, int]
) -> list[str]:
    """Parties that may win one of so many seats: the others come after all of these.

    Every party is first asked with what it has, so at most ``seats`` parties, and those that tie
    with the last of them, are ever reached.
    """
    if held:
        heads = [float(votes[name]) / (2 * held.get(name, 0) + 1) for name in names]
    else:
        heads = [float(votes[name]) for name in names]
    last = sorted(heads, reverse=True)[seats - 1]
    return [name for name, head in zip(names, heads, strict=True) if head >= last]


def _jump(seats: int, amounts: Sequence[float], start: Sequence[int]) -> list[int]:
    """Seats after all quotients above some threshold are served, in one step.

    Quotients of a party fall with its seats, so whoever deals one seat after the other serves all
    quotients above a threshold before any below it. A threshold is looked for that leaves about a
    seat for each party; never more seats are dealt than there are.
    """
    count = len(amounts)
    if seats <= count:
        return list(start)
    best = list(start)
    # Below `low` there are too many quotients, above `high` none at all.
    low, high = 0.0, max(amounts)
    threshold = sum(amounts) / max(2 * (seats + sum(start)) - count, 1)
    for _ in range(_ROUNDS):
        reached = [
            max(before, _above(amount, threshold))
            for amount, before in zip(amounts, start, strict=True)
        ]
        dealt = sum(reached) - sum(start)
        if dealt > seats:
            low = threshold
        else:
            best, high = reached, threshold
            if seats - dealt <= count:
                break
        middle = (low + high) / 2
        if middle in (low, high):
            break
        threshold = middle
    return best


def _above(amount: float, threshold: float) -> int:
    """How many quotients ``amount / (2s + 1)``, s = 0, 1, …, are above a threshold.

    One too few where a division rounds; that one is dealt singly afterwards.
    """
    if amount <= threshold:
        return 0
    count = int((amount / threshold - 1) / 2) + 1
    while count and amount / (2 * count - 1) <= threshold:
        count -= 1
    return count


def _level(seats: int, held: Mapping[str, int], *, descending: bool) -> dict[str, int]:
    """Deals seats where nobody has a vote: whoever has fewest is next."""
    low, high = 0, max(held.values()) + seats
    while low < high:
        middle = (low + high + 1) // 2
        if sum(max(0, middle - count) for count in held.values()) <= seats:
            low = middle
        else:
            high = middle - 1
    new = {name: max(0, low - count) for name, count in held.items()}
    left = seats - sum(new.values())
    lowest = sorted((name for name in held if held[name] + new[name] == low), reverse=descending)
    for name in lowest[:left]:
        new[name] += 1
    return {name: count for name, count in new.items() if count}


Counts = list[tuple[str, int]]


def dispense(
    replicas: int,
    weights: Iterable[tuple[str, int]],
    initial: Sequence[tuple[str, int]] = (),
    *,
    uid: str = "",
) -> tuple[Counts, int]:
    """Adds replicas to clusters by weight.

    Args:
        replicas: How many to deal.
        weights: Cluster and weight; the last weight of a cluster counts.
        initial: What clusters have already.
        uid: Decides ties.

    Returns:
        Clusters with replicas, sorted by name, and how many were not dealt. When there are no
        weights, or nothing to deal to clusters that have some, ``initial`` as it was and
        ``replicas``.
    """
    votes = dict(weights)
    if not sum(votes.values()) or (replicas <= 0 and initial):
        return list(initial), replicas
    result = allocate(replicas, votes, dict(initial), uid=uid)
    return list(result.items()), 0


def merge(old: Sequence[tuple[str, int]], new: Sequence[tuple[str, int]]) -> Counts:
    """Two lists of counts as one: ``new`` in its order, then what only ``old`` has, by name."""
    if not old or not new:
        return list(old or new)
    before = dict(old)
    merged = [(name, count + before.pop(name, 0)) for name, count in new]
    return merged + sorted(before.items())
