from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.machinery.apportionment import (
    allocate,
    dispense,
    merge,
    ties_descend,
    winners,
)

NAMES = st.sampled_from([f"member{number}" for number in range(12)])
VOTES = st.dictionaries(NAMES, st.one_of(st.integers(0, 12), st.integers(0, 2**60)), max_size=12)
SEATS = st.dictionaries(NAMES, st.integers(0, 40), max_size=6)
UIDS = st.sampled_from(["", "a", "b", "uid-1", "0d5a"])


def one_by_one(
    seats: int, votes: dict[str, int], initial: dict[str, int], uid: str
) -> dict[str, int]:
    """The method as it is defined."""
    held = {**dict.fromkeys(votes, 0), **initial}
    names = sorted(held, reverse=ties_descend(uid))
    for _ in range(max(seats, 0) if held else 0):
        best = min(
            range(len(names)),
            key=lambda index: (
                -float(votes.get(names[index], 0)) / (2 * held[names[index]] + 1),
                held[names[index]],
                index,
            ),
        )
        held[names[best]] += 1
    return {name: held[name] for name in sorted(held)}


@given(st.integers(-1, 120), VOTES, SEATS, UIDS)
def test_dealing_at_once_is_dealing_one_seat_after_the_other(
    seats: int, votes: dict[str, int], initial: dict[str, int], uid: str
) -> None:
    assert allocate(seats, votes, initial, uid=uid) == one_by_one(seats, votes, initial, uid)


@given(st.integers(0, 2**31 - 1), VOTES, UIDS)
def test_every_seat_is_dealt_however_many(seats: int, votes: dict[str, int], uid: str) -> None:
    dealt = allocate(seats, votes, uid=uid)
    assert sum(dealt.values()) == (seats if votes else 0)
    assert set(dealt) == set(votes)


@given(st.integers(0, 200), VOTES, UIDS)
def test_more_votes_never_win_fewer_seats(seats: int, votes: dict[str, int], uid: str) -> None:
    dealt = allocate(seats, votes, uid=uid)
    for name, count in votes.items():
        for other, more in votes.items():
            if float(more) > float(count):
                assert dealt[other] >= dealt[name]


def test_a_uid_decides_ties() -> None:
    assert not ties_descend("")
    assert ties_descend("uid-1")
    assert winners(1, {"a": 1, "b": 1}) == {"a": 1}
    assert winners(1, {"a": 1, "b": 1}, uid="uid-1") == {"b": 1}


def test_names_are_sorted_by_bytes() -> None:
    assert list(allocate(2, {"member2": 1, "member10": 1})) == ["member10", "member2"]


def test_the_divisor_does_not_wrap_around() -> None:
    assert allocate(1, {"a": 10, "b": 10}, {"a": 2**30, "b": 0}) == {"a": 2**30, "b": 1}


@pytest.mark.parametrize(
    ("replicas", "weights", "initial", "result", "left"),
    [
        pytest.param(3, [("a", 0)], [("a", 1)], [("a", 1)], 3, id="nobody has a weight"),
        pytest.param(0, [("a", 1)], [("b", 1)], [("b", 1)], 0, id="nothing to deal"),
        pytest.param(0, [("a", 1)], [], [("a", 0)], 0, id="nothing to deal to anybody"),
        pytest.param(
            2, [("a", 9), ("a", 1), ("b", 1)], [], [("a", 1), ("b", 1)], 0, id="last weight"
        ),
        pytest.param(1, [("a", 1)], [("b", 2)], [("a", 1), ("b", 2)], 0, id="others keep theirs"),
    ],
)
def test_replicas_are_dispensed_by_weight(
    replicas: int,
    weights: list[tuple[str, int]],
    initial: list[tuple[str, int]],
    result: list[tuple[str, int]],
    left: int,
) -> None:
    assert dispense(replicas, weights, initial) == (result, left)


def test_lists_of_counts_are_merged() -> None:
    assert merge([("c", 1), ("a", 2), ("b", 3)], [("b", 4)]) == [("b", 7), ("a", 2), ("c", 1)]
    assert merge([], [("b", 4)]) == [("b", 4)]
    assert merge([("b", 4)], []) == [("b", 4)]
