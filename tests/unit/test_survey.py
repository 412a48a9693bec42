"""Owners take over the worst of what they own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter import Operation, ResourceInterpreter
from interpreter.api.results import HEALTH_STATUSES
from interpreter.manifests import Manifest
from interpreter.survey import WORST_FIRST, survey, tally

LUA = """\
function InterpretHealth(obj)
  if obj.spec.fail then
    error("no answer")
  end
  return { status = obj.spec.status, reason = "Told", message = "as told" }
end
"""


@pytest.fixture(scope="module")
def interpreter():
    document = {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterCustomization",
        "metadata": {"name": "teller"},
        "spec": {
            "target": {"apiVersion": "example.com/v1", "kind": "Teller"},
            "customizations": {"healthInterpretation": {"luaScript": LUA}},
        },
    }
    with ResourceInterpreter([document], plugins=None, tiers=("customization", "native")) as ri:
        yield ri


def teller(name, status="Healthy", *, owners=(), kind="Teller", **spec):
    references = [{"apiVersion": "example.com/v1", "kind": kind, "name": each} for each in owners]
    return {
        "apiVersion": "example.com/v1",
        "kind": kind,
        "metadata": {"name": name, "namespace": "shop", "ownerReferences": references},
        "spec": {"status": status, **spec},
    }


def surveyed(interpreter, *objects):
    manifests = [Manifest(obj, "f.yaml", number, None) for number, obj in enumerate(objects, 1)]
    return survey(manifests, lambda obj: interpreter.explain(obj, Operation.INTERPRET_HEALTH))


def statuses(entries):
    return {entry.manifest.obj["metadata"]["name"]: entry.health.status for entry in entries}


def test_the_worst_below_counts_through_all_levels(interpreter):
    entries = surveyed(
        interpreter,
        teller("pod", "Degraded", owners=["set"]),
        teller("well", owners=["set"]),
        teller("set", "Progressing", owners=["top"]),
        teller("top"),
        teller("other", "Suspended"),
    )
    assert statuses(entries) == {
        "top": "Degraded",
        "set": "Degraded",
        "pod": "Degraded",
        "well": "Healthy",
        "other": "Suspended",
    }
    names = [entry.manifest.obj["metadata"]["name"] for entry in entries]
    assert names == ["top", "set", "pod", "well", "other"]
    assert [entry.depth for entry in entries] == [0, 1, 2, 2, 0]
    top, middle, pod, *_ = entries
    assert (top.cause, middle.cause, pod.cause) == (pod, pod, None)
    assert (pod.owner, middle.owner, top.owner) == (middle, top, None)
    assert (top.own.status, middle.own.status) == ("Healthy", "Progressing")


def test_an_owner_as_bad_as_what_it_owns_speaks_for_itself(interpreter):
    top, below = surveyed(
        interpreter, teller("top", "Degraded"), teller("below", "Degraded", owners=["top"])
    )
    assert top.cause is below.cause is None


def test_of_equals_the_nearest_is_named(interpreter):
    entries = surveyed(
        interpreter,
        teller("top"),
        teller("middle", "Missing", owners=["top"]),
        teller("low", "Missing", owners=["middle"]),
    )
    assert entries[0].cause is entries[1]


def test_every_owner_takes_it_over(interpreter):
    entries = surveyed(
        interpreter, teller("a"), teller("b"), teller("c", "Unknown", owners=["b", "a"])
    )
    assert statuses(entries) == {"a": "Unknown", "b": "Unknown", "c": "Unknown"}
    assert entries[-1].owner is entries[1]


def test_who_owns_each_other_shares_the_worst(interpreter):
    entries = surveyed(
        interpreter,
        teller("a", owners=["b"]),
        teller("b", "Progressing", owners=["c"]),
        teller("c", owners=["a"]),
    )
    assert set(statuses(entries).values()) == {"Progressing"}


@pytest.mark.parametrize("below", HEALTH_STATUSES)
@pytest.mark.parametrize("own", HEALTH_STATUSES)
def test_the_worse_of_two_counts(interpreter, own, below):
    entries = surveyed(interpreter, teller("top", own), teller("below", below, owners=["top"]))
    assert entries[0].health.status == min(own, below, key=WORST_FIRST.index)


def dumped(name, status, *, uid, version=None, owners=()):
    obj = teller(name, status, owners=owners)
    obj["metadata"]["uid"] = uid
    if version:
        obj["metadata"]["resourceVersion"] = version
    return obj


@pytest.mark.parametrize(
    ("versions", "status"),
    [
        pytest.param(("99", "100"), "Healthy", id="the newer is the later"),
        pytest.param(("100", "99"), "Degraded", id="the newer is the earlier"),
        pytest.param((None, None), "Healthy", id="the later where nothing tells"),
    ],
)
def test_an_object_that_is_there_twice_is_one(interpreter, versions, status):
    top, other, below = surveyed(
        interpreter,
        dumped("top", "Degraded", uid="1", version=versions[0]),
        dumped("other", "Healthy", uid="2"),
        dumped("top", "Healthy", uid="1", version=versions[1]),
        dumped("below", "Healthy", uid="3", owners=["other"]),
    )
    assert (top.own.status, other.own.status, below.owner) == (status, "Healthy", other)


def test_objects_of_one_name_are_one_only_with_one_uid_or_one_content(interpreter):
    alike = [teller("top"), teller("top"), dumped("web", "Healthy", uid="1")]
    unlike = [teller("top", "Degraded"), dumped("web", "Healthy", uid="2")]
    entries = surveyed(interpreter, *alike, *unlike)
    assert [entry.own.status for entry in entries] == ["Healthy", "Healthy", "Degraded", "Healthy"]


def test_who_cannot_answer_is_unknown_and_says_why(interpreter):
    broken, nobody = surveyed(
        interpreter, teller("broken", fail=True), teller("nobody", kind="Stranger")
    )
    assert (broken.own.status, broken.own.reason) == ("Unknown", "LuaScriptError")
    assert "no answer" in broken.own.message
    assert (broken.by, broken.handler) == (
        "customization:teller",
        "teller/healthInterpretation",
    )
    assert broken.error is not None
    assert (nobody.own.reason, nobody.by, nobody.error) == ("NoInterpreter", None, None)


def test_an_object_whose_kind_cannot_be_read_is_an_entry_with_an_error(interpreter):
    odd = {"apiVersion": "a/b/c", "kind": "Odd"}
    (entry,) = surveyed(interpreter, odd)
    assert (entry.own.status, entry.own.reason) == ("Unknown", "InvalidObject")
    assert entry.error is not None


def test_the_tally_counts_by_namespace_and_kind(interpreter):
    core = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}
    tallies = tally(
        surveyed(
            interpreter,
            teller("top"),
            teller("below", "Degraded", owners=["top"]),
            teller("other", "Suspended"),
            core,
        )
    )
    assert [(each.namespace, each.group, each.kind, each.total) for each in tallies] == [
        ("", "", "Secret", 1),
        ("shop", "example.com", "Teller", 3),
    ]
    assert tallies[1].counts == {
        "Healthy": 0,
        "Progressing": 0,
        "Degraded": 2,
        "Suspended": 1,
        "Missing": 0,
        "Unknown": 0,
    }


@given(
    st.lists(
        st.tuples(st.sampled_from(HEALTH_STATUSES), st.lists(st.integers(0, 7), max_size=2)),
        min_size=1,
        max_size=8,
    )
)
def test_an_owner_is_never_better_than_what_it_owns(family):
    from interpreter.api.results import Health
    from interpreter.explanation import Explanation

    objects = [
        teller(str(number), status, owners=[str(owner) for owner in owners])
        for number, (status, owners) in enumerate(family)
    ]

    class By:
        label = tier = handler = "made up"

    def explain(obj):
        answer = Health(obj["spec"]["status"]).to_dict()
        return Explanation(
            gvk=None, operation=Operation.INTERPRET_HEALTH, answer=answer, by=By, wrapped_by=(),
            skipped=(), notes=(), error=None, seconds=0.0,
        )  # fmt: skip

    entries = survey([Manifest(obj, "f", 1, None) for obj in objects], explain)
    rank = {
        entry.manifest.obj["metadata"]["name"]: WORST_FIRST.index(entry.health.status)
        for entry in entries
    }
    own = {str(number): WORST_FIRST.index(status) for number, (status, _) in enumerate(family)}
    for number, (_status, owners) in enumerate(family):
        assert rank[str(number)] <= own[str(number)]
        for owner in owners:
            assert str(owner) not in rank or rank[str(owner)] <= rank[str(number)]
    assert sorted(rank) == sorted(own)
