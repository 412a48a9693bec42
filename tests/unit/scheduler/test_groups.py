from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from interpreter.scheduler.groups import Aim, Candidates, Group, choose, group_by


def exhaustively(groups: list[Group], least: int, most: int, clusters: int) -> list[Group] | None:
    """Every combination, as the rule says it."""
    ordered = sorted(groups, key=lambda group: (len(group.members), -group.score, group.name))
    found: list[list[Group]] = []

    def walk(start: int, chosen: list[Group]) -> None:
        enough = sum(len(group.members) for group in chosen) >= clusters
        if enough and least <= len(chosen) <= most:
            found.append(chosen)
            return
        for index in range(start, len(ordered)):
            walk(index + 1, [*chosen, ordered[index]])

    walk(0, [])
    ranked = sorted(
        (sorted(each, key=lambda group: (-group.score, group.name)) for each in found),
        key=lambda each: (
            -sum(group.score for group in each),
            -sum(len(group.members) for group in each),
        ),
    )
    if not ranked:
        return None
    best = ranked[0]
    for other in ranked[1:]:
        if len(other) < len(best) and best[: len(other)] == other:
            best = other
    return best


GROUPS = st.lists(
    st.builds(
        lambda name, score, size: Group(name, score, 0, list(range(size))),
        st.sampled_from("abcdefgh"),
        st.sampled_from([0, 1, 1000, 1066, 2000]),
        st.integers(1, 4),
    ),
    max_size=7,
    unique_by=lambda group: group.name,
)


@given(GROUPS, st.integers(0, 4), st.integers(0, 5), st.integers(0, 9))
def test_the_best_combination_is_found_without_walking_all(
    groups: list[Group], least: int, most: int, clusters: int
) -> None:
    assert choose(groups, least=least, most=most, clusters=clusters) == exhaustively(
        groups, least, most, clusters
    )


def test_many_groups_are_no_problem() -> None:
    groups = [Group(f"r{number:02}", 1000, 0, list(range(number % 5 + 1))) for number in range(60)]
    chosen = choose(groups, least=10, most=40, clusters=90)
    assert chosen is not None
    assert sum(len(group.members) for group in chosen) >= 90


def candidates(*entries: tuple[int, int]) -> Candidates:
    numbers = list(range(len(entries)))
    return Candidates(
        names=[f"c{number}" for number in numbers],
        slots=numbers,
        scores=[score for score, _available in entries],
        tiers=[0] * len(entries),
        allocatable=[available for _score, available in entries],
        available=[available for _score, available in entries],
    )


def test_duplicated_counts_clusters_that_take_everything() -> None:
    three = candidates((100, 9), (50, 4), (0, 5))
    aim = Aim(replicas=5, divided=False, groups=1, clusters=1)
    groups = group_by(three, [["eu"], ["eu"], ["eu", "us"]], aim)
    assert groups["eu"] == Group("eu", 2050, 18, [0, 1, 2])
    assert groups["us"] == Group("us", 1000, 5, [2])


def test_divided_counts_the_share_that_a_group_takes() -> None:
    three = candidates((100, 9), (50, 4), (0, 5))
    aim = Aim(replicas=20, divided=True, groups=2, clusters=2)
    groups = group_by(three, itertools.repeat(["eu"], 3), aim)
    assert groups["eu"].score == 10 * 1000 + 150 // 2
    too_much = Aim(replicas=100, divided=True, groups=2, clusters=2)
    assert group_by(three, itertools.repeat(["eu"], 3), too_much)["eu"].score == 18 * 1000 + 50


def test_a_cluster_without_a_value_is_in_no_group() -> None:
    aim = Aim(replicas=0, divided=False, groups=0, clusters=0)
    assert list(group_by(candidates((0, 1), (0, 1)), [[], ["eu"]], aim)) == ["eu"]
