"""What assert_conforms finds, each fault by itself, and that a good plugin has none."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sites import install

from interpreter import (
    NO_STATUS,
    HookContext,
    ReplicaRequirements,
    ReplicaResult,
    handles,
    hookimpl,
)
from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import deep_copy
from interpreter.registry.plugin_sources import installed
from interpreter.testing import (
    CHECKS,
    Example,
    assert_conforms,
    custom_resource,
    find_problems,
    status_items,
)

CLAIM = handles("example.com/v1", "Widget")
WIDGET = custom_resource(
    "example.com/v1",
    "Widget",
    spec={"replicas": 2, "labels": {"a": "1", "b": "2"}},
    status={"ready": 1},
)
_REQUIREMENTS = ReplicaRequirements(resource_request={"cpu": "1"})


@CLAIM
class Good:
    """Every hook, as it must be."""

    def get_replicas(self, obj: Any) -> ReplicaResult:
        return ReplicaResult(obj["spec"].get("replicas", 1), _REQUIREMENTS)

    def revise_replica(self, obj: Any, replicas: int) -> Any:
        return {**obj, "spec": {**obj["spec"], "replicas": replicas}}

    def get_components(self, obj: Any) -> list[Any]:
        return []

    def retain(self, desired: Any, observed: Any, context: HookContext) -> Any:
        kept = context.next_tier() or deep_copy(desired)
        kept["spec"]["replicas"] = observed["spec"]["replicas"]
        return kept

    def aggregate_status(self, obj: Any, items: Any) -> Any:
        ready = sum(item.get("status", {}).get("ready", 0) for item in items or ())
        return {**obj, "status": {"ready": ready}}

    def reflect_status(self, obj: Any) -> Any:
        return obj.get("status", NO_STATUS)

    def interpret_health(self, obj: Any, context: HookContext) -> bool:
        return context.cluster_name != "member9"

    def get_dependencies(self, obj: Any) -> list[Any]:
        return []

    def prune(self, obj: Any, remove_job_ttl: bool, context: HookContext) -> Any:
        return context.next_tier()


def found(plugin: object, *examples: Any, **options: Any) -> set[str]:
    return {problem.check for problem in find_problems(plugin, *(examples or (WIDGET,)), **options)}


def test_a_good_plugin_conforms_and_its_examples_stay_as_they_are() -> None:
    before = deep_copy(WIDGET)
    assert_conforms(Good, WIDGET)
    assert_conforms(Good(), WIDGET, context=HookContext(cluster_name="member1"))
    assert before == WIDGET


def plugin(**methods: Any) -> object:
    """A plugin of Widget with the hooks given."""
    return CLAIM(type("Faulty", (), methods))


class _Counter:
    count = 0


def _counts(self: Any, obj: Any) -> int:
    _Counter.count += 1
    return _Counter.count


def _remembers(self: Any, obj: Any) -> int:
    self.seen = getattr(self, "seen", None) or obj["metadata"]["name"]
    return len(self.seen)


_STATUS: dict[str, Any] = {"ready": 1}


class _Odd(dict[str, Any]):
    def __reduce__(self) -> Any:
        raise TypeError("stays here")


def _changes(self: Any, obj: Any) -> int:
    return int(obj["spec"].pop("replicas"))


FAULTS: dict[str, tuple[object, str, str]] = {
    "raises": (
        plugin(get_replicas=lambda self, obj: obj["spec"]["size"]),
        "raises",
        "KeyError: 'size'",
    ),
    "needs a cluster": (
        plugin(
            get_replicas=lambda self, obj, context: len(context.cluster_labels["zone"]),
        ),
        "raises",
        "KeyError: 'zone'",
    ),
    "changes its input": (plugin(get_replicas=_changes), "raises", "changed its input obj"),
    "answers something else": (
        plugin(get_replicas=lambda self, obj: "two"),
        "raises",
        "must be a ReplicaResult or an integer",
    ),
    "counts its calls": (plugin(get_replicas=_counts), "deterministic", "something else"),
    "depends on the order of keys": (
        plugin(reflect_status=lambda self, obj: list(obj["spec"]["labels"])),
        "deterministic",
        "[0]: want a, got b",
    ),
    "renames": (
        plugin(
            revise_replica=lambda self, obj, replicas: {**obj, "metadata": {"name": "other"}},
        ),
        "identity",
        "default example has become example.com/v1 Widget other",
    ),
    "retains more each time": (
        plugin(
            retain=lambda self, desired, observed: {
                **desired,
                "spec": {"replicas": desired["spec"]["replicas"] + 1},
            }
        ),
        "idempotent",
        "spec.replicas: want 3, got 4",
    ),
    "writes another count": (
        plugin(
            get_replicas=lambda self, obj: obj["spec"]["replicas"],
            revise_replica=lambda self, obj, replicas: {
                **obj,
                "spec": {"replicas": min(replicas, 2)},
            },
        ),
        "round trip",
        "3 was written, 2 is read",
    ),
    "never answers": (
        plugin(get_replicas=lambda self, obj: None),
        "answered",
        "the plugin answered about no example",
    ),
}


@pytest.mark.parametrize(
    "answer", [lambda: _STATUS, lambda: _Odd(ready=1)], ids=["one for all", "of an odd class"]
)
def test_what_a_plugin_keeps_of_an_answer_is_its_own_affair(answer: Callable[[], Any]) -> None:
    """Callers get a plain copy of it."""
    assert_conforms(plugin(reflect_status=lambda self, obj: answer()), WIDGET)


@pytest.mark.parametrize(("faulty", "check", "text"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_named(faulty: object, check: str, text: str) -> None:
    with pytest.raises(AssertionError, match="Faulty does not conform") as caught:
        assert_conforms(faulty, WIDGET)
    assert f"[{check}]" in str(caught.value)
    assert text in str(caught.value)
    assert check not in found(faulty, skip=[check])


def test_every_fault_but_those_of_other_tests_has_a_plugin_above() -> None:
    above = {check for _, check, _ in FAULTS.values()}
    # The last two hold of every answer that the interpreter lets through: it is a plain copy.
    others = {"contract", "metadata", "stateless", "own", "picklable"}
    assert above | others == set(CHECKS)


def test_what_was_asked_before_must_not_matter() -> None:
    other = {**WIDGET, "metadata": {"name": "a-longer-name"}}
    assert "stateless" in found(plugin(get_replicas=_remembers), WIDGET, other)
    assert found(plugin(get_replicas=lambda self, obj: 1), WIDGET, other) == set()


def test_an_example_of_every_kind_is_needed_unless_it_is_common() -> None:
    @handles("example.com/v1", "Widget")
    @handles("*.example.com/*", "*")
    @handles("apps/v1", "Deployment")
    class Several:
        def interpret_health(self, obj: Any) -> bool:
            return True

    assert [str(one) for one in find_problems(Several)] == [
        "example.com/v1/Widget: there is no example of it: give one [contract]",
        "*.example.com/*/*: there is no example of it: give one [contract]",
    ]


def test_a_refused_example_is_told_of_and_another_one_helps() -> None:
    def aggregate_status(self: Any, obj: Any, items: Any) -> Any:
        if not items:
            raise InvalidObject("must have members", path="items")
        return {**obj, "status": {"members": len(items)}}

    refusing = plugin(aggregate_status=aggregate_status)
    assert found(refusing) == {"raises"}
    assert found(refusing, Example(WIDGET, items=(status_items({}, {}),))) == set()


def test_a_wrapper_is_asked_too() -> None:
    class Wraps:
        @hookimpl
        def handles(self) -> Any:
            return [handles("apps/v1", "Deployment")]

        @hookimpl(wrapper=True)
        def revise_replica(self) -> Any:
            answer = yield
            return {**answer, "spec": {**answer["spec"], "replicas": 7}}

    assert found(Wraps) == {"round trip"}


def test_a_plugin_that_cannot_be_used_says_why() -> None:
    class NoClaims:
        @hookimpl
        def get_replicas(self, obj: Any) -> int:
            return 1

    with pytest.raises(AssertionError, match="does not say which kinds it handles"):
        assert_conforms(NoClaims)
    with pytest.raises(AssertionError, match="no plugin named 'nobody' is installed"):
        assert_conforms("nobody")


def test_a_misspelt_check_is_an_error() -> None:
    with pytest.raises(ValueError, match="there is no check 'idempotence'"):
        assert_conforms(Good, WIDGET, skip=["idempotence"])


# --- Installed plugins ---------------------------------------------------------------------------


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder where distributions are installed."""
    monkeypatch.syspath_prepend(tmp_path)
    installed.cache_clear()
    yield tmp_path
    installed.cache_clear()
    importlib.invalidate_caches()


MODULE = """\
from interpreter import handles

@handles("example.com/v1", "Widget")
@handles("example.com/v1", "Gadget")
class Plugin:
    def interpret_health(self, obj):
        return True
"""


def test_metadata_and_claims_must_agree(site: Path) -> None:
    install(
        site,
        "conforming-kinds",
        files={"conforming_kinds.py": MODULE},
        plugins={"kinds": "conforming_kinds:Plugin"},
        kinds={
            "example.com/v1/Widget": "conforming_kinds:Plugin",
            "example.com/v1/Other": "conforming_kinds:Plugin",
        },
    )
    gadget = custom_resource("example.com/v1", "Gadget")
    claimed = "it claims example.com/v1/Gadget, which its metadata does not declare"
    wanted = [
        f"kinds: {claimed}: it is not asked for it [metadata]",
        "kinds: its metadata declares example.com/v1/Other, which it does not claim [metadata]",
    ]
    by_name = find_problems("kinds", WIDGET, gadget)
    module = importlib.import_module("conforming_kinds")
    by_object = find_problems(module.Plugin, WIDGET, gadget)
    assert [str(one) for one in by_name] == [str(one) for one in by_object] == wanted


def test_a_pack_of_scripts_is_asked_by_its_name(site: Path) -> None:
    script = "function GetReplicas(obj)\n  return obj.spec.replicas\nend\n"
    install(
        site,
        "conforming-pack",
        files={"conforming_pack/example.com/v1/Widget/get_replicas.lua": script},
        packs={"pack": "conforming_pack"},
        kinds={"example.com/v1/Widget": "conforming_pack"},
    )
    assert_conforms("pack", WIDGET)
