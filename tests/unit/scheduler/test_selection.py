from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from interpreter.errors import SchedulingError
from interpreter.scheduler.groups import Candidates
from interpreter.scheduler.placements import compile_placement
from interpreter.scheduler.selection import select
from interpreter.scheduler.topology import Topology


def candidates(available: list[int]) -> Candidates:
    numbers = list(range(len(available)))
    return Candidates(
        names=[f"c{number}" for number in numbers],
        slots=numbers,
        scores=[0] * len(numbers),
        tiers=[0] * len(numbers),
        allocatable=available,
        available=available,
    )


def swapping(available: list[int], number: int, needed: int) -> list[int] | None:
    """The rule as it is said: from the last chosen one on, the best of the others comes in."""
    chosen, rest = list(range(number)), list(range(number, len(available)))
    for place in reversed(range(number)):
        if sum(available[position] for position in chosen) >= needed or not rest:
            break
        best = max(range(len(rest)), key=lambda index: available[rest[index]])
        if available[rest[best]] > available[chosen[place]]:
            chosen[place], rest[best] = rest[best], chosen[place]
    enough = sum(available[position] for position in chosen) >= needed
    return chosen if enough else None


@given(st.lists(st.integers(0, 6), min_size=1, max_size=9), st.integers(0, 9), st.integers(0, 30))
def test_clusters_with_more_room_replace_the_last_ones(
    available: list[int], number: int, needed: int
) -> None:
    placement = compile_placement(
        {
            "replicaScheduling": {
                "replicaSchedulingType": "Divided",
                "replicaDivisionPreference": "Aggregated",
            },
            "spreadConstraints": [
                {"spreadByField": "cluster", "minGroups": 1, "maxGroups": number}
            ],
        }
    )
    expected = swapping(available, min(number, len(available)), needed)
    try:
        selected = select(
            Topology([]), candidates(available), placement, replicas=needed, needed=needed
        )
    except SchedulingError:
        assert expected is None
    else:
        assert selected.slots == expected


def test_of_two_constraints_on_a_field_the_last_counts() -> None:
    placement = compile_placement(
        {
            "spreadConstraints": [
                {"spreadByField": "cluster", "minGroups": 1, "maxGroups": 1},
                {"spreadByField": "cluster", "minGroups": 1, "maxGroups": 2},
            ]
        }
    )
    selected = select(Topology([]), candidates([1, 1, 1]), placement, replicas=1, needed=1)
    assert selected.names == ["c0", "c1"]


def test_static_weights_ignore_spread_constraints() -> None:
    placement = compile_placement(
        {
            "replicaScheduling": {
                "replicaSchedulingType": "Divided",
                "replicaDivisionPreference": "Weighted",
            },
            "spreadConstraints": [{"spreadByField": "cluster", "minGroups": 9, "maxGroups": 9}],
        }
    )
    assert len(select(Topology([]), candidates([1, 1]), placement, replicas=1, needed=1)) == 2
