"""The tier of script folders: what it claims, what it reads and when, what cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import Operation, ResourceInterpreter
from interpreter.catalogue import location
from interpreter.engines.lua.engine import LuaEngine
from interpreter.errors import (
    ConfigurationError,
    InvalidCustomization,
    LuaScriptError,
    NoInterpreter,
)
from interpreter.machinery.gvk import GVK
from interpreter.registry.bundled import BundledTier

WIDGET = GVK("example.com", "v1", "Widget")
GET_REPLICAS = "function GetReplicas(obj)\n  return obj.spec.size\nend\n"
HEALTH = "function InterpretHealth(obj)\n  return obj.status.ok\nend\n"
STATUS = "function ReflectStatus(obj)\n  return nil\nend\n"


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that is taken for the package's own."""
    top = tmp_path / "lua_scripts"
    folder = top / "example.com" / "v1" / "Widget"
    folder.mkdir(parents=True)
    (folder / "get_replicas.lua").write_text(GET_REPLICAS)
    (folder / "interpret_health.lua").write_text(HEALTH)
    (folder / "kind.yaml").write_text("versions: [v1beta1]\n")
    monkeypatch.setattr(location, "bundled_scripts", lambda: top)
    return top


def widget(version: str = "v1") -> dict[str, object]:
    return {
        "apiVersion": f"example.com/{version}",
        "kind": "Widget",
        "spec": {"size": 3},
        "status": {"ok": True},
    }


@pytest.mark.parametrize("version", ["v1", "v1beta1"])
def test_scripts_answer_for_every_version_they_serve(scripts: Path, version: str) -> None:
    with ResourceInterpreter(plugins=None) as ri:
        assert ri.get_replicas(widget(version)).replicas == 3
        gvk = WIDGET._replace(version=version)
        assert ri.hook_enabled(gvk, Operation.GET_REPLICAS)
        assert not ri.hook_enabled(gvk, Operation.REVISE_REPLICA)
        (claim, *_) = ri.claims(gvk, Operation.GET_REPLICAS)
    assert claim.implementation.tier == "bundled"
    assert claim.implementation.handler == "example.com/v1/Widget/get_replicas.lua"


def test_another_version_is_not_answered(scripts: Path) -> None:
    with ResourceInterpreter(plugins=None) as ri, pytest.raises(NoInterpreter):
        ri.get_replicas(widget("v2"))


def test_a_customization_answers_before_the_bundled_script(scripts: Path) -> None:
    document = {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterCustomization",
        "metadata": {"name": "mine"},
        "spec": {
            "target": {"apiVersion": "example.com/v1", "kind": "Widget"},
            "customizations": {
                "replicaResource": {"luaScript": "function GetReplicas(obj) return 7 end"}
            },
        },
    }
    with ResourceInterpreter(customizations=[document], plugins=None) as ri:
        assert ri.get_replicas(widget()).replicas == 7
        assert ri.interpret_health(widget()).healthy


@pytest.mark.parametrize(
    ("disable", "replicas", "health"),
    [
        ("bundled", False, "generic"),
        ("bundled:example.com/v1/Widget", False, "generic"),
        ("bundled:example.com/v1/Widget#GetReplicas", False, "bundled"),
        ("bundled#InterpretHealth", True, "generic"),
        ("bundled:example.com/v1beta1/Widget", True, "bundled"),
    ],
)
def test_the_tier_a_kind_or_one_operation_can_be_switched_off(
    scripts: Path, disable: str, replicas: bool, health: str
) -> None:
    with ResourceInterpreter(plugins=None, disable=[disable]) as ri:
        assert ri.hook_enabled(WIDGET, Operation.GET_REPLICAS) is replicas
        assert ri.explain(widget(), Operation.INTERPRET_HEALTH).tier == health
        assert ri.idle_disables() == []


def test_a_kind_that_no_folder_has_is_an_idle_switch(scripts: Path) -> None:
    with ResourceInterpreter(plugins=None, disable=["bundled:example.com/v1/Wodget"]) as ri:
        assert ri.idle_disables() == ["bundled:example.com/v1/Wodget"]


def test_nothing_to_report_ends_the_chain(scripts: Path) -> None:
    (scripts / "example.com" / "v1" / "Widget" / "reflect_status.lua").write_text(STATUS)
    with ResourceInterpreter(plugins=None) as ri:
        # The native tier would give the whole status.
        assert ri.reflect_status(widget()) is None


def test_an_error_names_the_script_and_its_line(scripts: Path) -> None:
    obj = {"apiVersion": "example.com/v1", "kind": "Widget"}
    with ResourceInterpreter(plugins=None) as ri, pytest.raises(LuaScriptError) as caught:
        ri.get_replicas(obj)
    error = caught.value
    assert (error.tier, error.script, error.line) == (
        "bundled",
        "example.com/v1/Widget/get_replicas.lua",
        2,
    )


def test_only_the_group_that_is_asked_about_is_read(tmp_path: Path) -> None:
    engines: list[LuaEngine] = []

    def engine() -> LuaEngine:
        engines.append(LuaEngine())
        return engines[-1]

    for group in ("example.com", "other.com"):
        folder = tmp_path / group / "v1" / "Widget"
        folder.mkdir(parents=True)
        (folder / "get_replicas.lua").write_text(GET_REPLICAS)
    (tmp_path / "other.com" / "v1" / "Widget" / "kind.yaml").write_text("versions: 3\n")
    tier = BundledTier(tmp_path, engine)
    assert tier.find(GVK("apps", "v1", "Deployment"), Operation.GET_REPLICAS) == ()
    assert engines == []
    assert len(tier.find(WIDGET, Operation.GET_REPLICAS)) == 1
    with pytest.raises(InvalidCustomization, match="must be a list of versions") as caught:
        tier.find(GVK("other.com", "v1", "Widget"), Operation.GET_REPLICAS)
    assert caught.value.source == str(tmp_path / "other.com" / "v1" / "Widget" / "kind.yaml")
    with pytest.raises(InvalidCustomization, match="must be a list of versions"):
        list(tier.all())


def test_a_damaged_installation_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(location, "_PACKAGE", tmp_path / "interpreter")
    with pytest.raises(ConfigurationError, match="install the package again"):
        ResourceInterpreter(plugins=None).get_replicas(widget())
    with ResourceInterpreter(plugins=None, tiers=("native",)) as ri:
        assert ri.reflect_status(widget()) == {"ok": True}


def family(scripts: Path) -> None:
    """Scripts for many kinds: the more specific, the smaller the number."""
    for name, number in (
        ("_/_/_", 5),
        ("_.example.com/_/_", 4),
        ("_.deep.example.com/_/_", 3),
        ("_.deep.example.com/_/Widget", 2),
        ("a.deep.example.com/v1/Widget", 1),
    ):
        folder = scripts / name
        folder.mkdir(parents=True)
        text = f"function GetReplicas() return {number} end\n"
        (folder / "get_replicas.lua").write_text(text)
    (scripts / "_.deep.example.com/_/Widget/kind.yaml").write_text(
        'targets: ["relative.org/*/Widget"]\n'
    )


@pytest.mark.parametrize(
    ("api_version", "kind", "number"),
    [
        ("a.deep.example.com/v1", "Widget", 1),
        ("a.deep.example.com/v2", "Widget", 2),
        ("relative.org/v1", "Widget", 2),
        ("b.deep.example.com/v1", "Gadget", 3),
        ("b.example.com/v1", "Gadget", 4),
        ("other.com/v1", "Gadget", 5),
        ("relative.org/v1", "Gadget", 5),
        ("v1", "Pod", 5),
    ],
)
def test_of_scripts_for_many_kinds_the_most_specific_answers(
    scripts: Path, api_version: str, kind: str, number: int
) -> None:
    family(scripts)
    with ResourceInterpreter(plugins=None, tiers=("bundled",)) as ri:
        obj = {"apiVersion": api_version, "kind": kind}
        assert ri.get_replicas(obj).replicas == number


def test_a_kind_with_a_script_for_another_operation_still_has_those_of_its_family(
    scripts: Path,
) -> None:
    family(scripts)
    health = scripts / "a.deep.example.com/v1/Gadget"
    health.mkdir(parents=True)
    (health / "interpret_health.lua").write_text(HEALTH)
    with ResourceInterpreter(plugins=None, tiers=("bundled",)) as ri:
        obj = {"apiVersion": "a.deep.example.com/v1", "kind": "Gadget", "status": {"ok": True}}
        assert ri.get_replicas(obj).replicas == 3
        assert ri.interpret_health(obj).healthy


def test_further_targets_beside_an_exact_group_are_refused(scripts: Path) -> None:
    (scripts / "example.com/v1/Widget/kind.yaml").write_text('targets: ["other.com/v1/Widget"]\n')
    with (
        ResourceInterpreter(plugins=None) as ri,
        pytest.raises(InvalidCustomization, match="stands beside an exact group"),
    ):
        ri.get_replicas(widget())


def test_what_is_listed_does_not_depend_on_what_was_asked_before(scripts: Path) -> None:
    family(scripts)
    with (
        ResourceInterpreter(plugins=None, tiers=("bundled",)) as asked,
        ResourceInterpreter(plugins=None, tiers=("bundled",)) as fresh,
    ):
        asked.get_replicas({"apiVersion": "relative.org/v1", "kind": "Widget"})
        kinds = [row.gvk for row in asked.kinds()]
        assert kinds == [row.gvk for row in fresh.kinds()] == sorted(kinds)
