"""What a starting folder holds: it passes the check, and its cases are true."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from interpreter.authoring.bundling import write_files
from interpreter.authoring.crds import KindSchema, choose, read_kinds
from interpreter.authoring.lint.checking import check
from interpreter.authoring.scaffold import scaffold
from interpreter.authoring.shapes import shape_of, usual_shape
from interpreter.codec import yaml
from interpreter.engines.lua.engine import LuaEngine
from interpreter.engines.lua.scripts import Script
from interpreter.errors import InvalidCustomization
from interpreter.machinery.gvk import GVK
from interpreter.manifests import Manifest
from interpreter.operations import OPERATIONS

_spec = importlib.util.spec_from_file_location(
    "crd_samples", Path(__file__).with_name("crd_samples.py")
)
assert _spec is not None
assert _spec.loader is not None
crd_samples = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(crd_samples)

SAMPLES: dict[str, Any] = crd_samples.SAMPLES
WIDGET = GVK("example.com", "v1", "Widget")


def kind_of(definition: dict[str, Any]) -> KindSchema:
    return choose(read_kinds([Manifest(definition, "crd.yaml", 1, None)]), kind=None, version=None)


def files_of(sample: str | None) -> dict[Path, str]:
    return scaffold(WIDGET, None if sample is None else kind_of(SAMPLES[sample]))


EVERY = [None, *SAMPLES]


@pytest.mark.parametrize("sample", EVERY, ids=str)
def test_a_starting_folder_passes_the_check_without_a_finding(
    sample: str | None, tmp_path: Path
) -> None:
    write_files(tmp_path, files_of(sample), force=False)
    report = check([str(tmp_path)])
    assert [finding.to_dict() for finding in report.findings] == []
    assert report.scripts > 0


@pytest.mark.parametrize("sample", EVERY, ids=str)
def test_every_case_of_a_starting_folder_is_true(sample: str | None) -> None:
    files = files_of(sample)
    engine = LuaEngine()
    ran = 0
    for spec in OPERATIONS.values():
        script = files.get(Path("example.com/v1/Widget") / spec.script)
        if script is None:
            continue
        (document,) = yaml.load_all(files[Path(f"example.com/v1/Widget/cases/{spec.hook}.yaml")])
        assert spec.lua_function is not None
        for case in document.value:
            arguments = [
                case["object" if argument == "obj" else argument] for argument in spec.arguments
            ]
            answer = engine.interpret(
                spec.operation, Script("widget", script, spec.lua_function), arguments
            )
            shown = spec.show(spec.accept(answer))
            if isinstance(case["want"], bool):
                shown = shown["healthy"]
            assert shown == case["want"], f"{spec.hook}: {case['name']}"
            ran += 1
    engine.close()
    assert ran >= 2


@pytest.mark.parametrize("sample", EVERY, ids=str)
def test_every_script_has_cases_with_names_of_their_own(sample: str | None) -> None:
    files = files_of(sample)
    scripts = {path.stem for path in files if path.suffix == ".lua" and path.parts[0][0] != "."}
    cases = {path.stem for path in files if path.parent.name == "cases"}
    assert scripts == cases
    for path in files:
        if path.parent.name == "cases":
            (document,) = yaml.load_all(files[path])
            names = [case["name"] for case in document.value]
            assert len(set(names)) == len(names)
            assert all("want" in case for case in document.value)


OPERATIONS_OF: dict[str, str] = {
    "a usual workload": (
        "get_replicas revise_replica retain aggregate_status reflect_status interpret_health "
        "get_dependencies"
    ),
    "replicas by the scale subresource": (
        "get_replicas revise_replica retain aggregate_status interpret_health get_dependencies"
    ),
    "a template left open": "get_replicas revise_replica retain get_dependencies",
    "several templates": ("get_components aggregate_status reflect_status get_dependencies"),
    "templates by name": "get_components aggregate_status get_dependencies",
    "only a status with conditions": "aggregate_status reflect_status interpret_health",
    "only a status with a phase": "aggregate_status",
    "a cluster-wide kind with pods": "get_dependencies",
}


@pytest.mark.parametrize(("sample", "hooks"), OPERATIONS_OF.items(), ids=OPERATIONS_OF)
def test_operations_are_those_that_make_sense(sample: str, hooks: str) -> None:
    found = {path.stem for path in files_of(sample) if path.parent.name == "cases"}
    assert found == set(hooks.split())


def test_the_shape_comes_from_the_definition() -> None:
    shape = shape_of(kind_of(crd_samples.WORKLOAD))
    assert shape.replicas == ("spec", "replicas")
    assert shape.default_replicas == 2
    assert shape.template == ("spec", "template")
    assert shape.counters == ("replicas", "readyReplicas")
    assert shape.ready == "readyReplicas"
    assert shape.has_conditions
    assert shape.has_generation
    scaled = shape_of(kind_of(SAMPLES["replicas by the scale subresource"]))
    assert scaled.replicas == ("spec", "workers", "count")
    assert scaled.template == ("spec", "workers", "template")


def test_conditions_whose_fields_are_left_open_are_conditions() -> None:
    is_open = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    status = crd_samples.obj(conditions={"type": "array", "items": is_open})
    definition = crd_samples.definition(crd_samples.obj(), status)

    assert shape_of(kind_of(definition)).has_conditions


def test_components_know_their_names_and_counts() -> None:
    shape = shape_of(kind_of(SAMPLES["several templates"]))
    assert shape.template is None
    assert [(one.holder, one.template, one.replicas, one.name) for one in shape.components] == [
        (("spec", "head"), "template", None, ""),
        (("spec", "workers", "[]"), "template", "replicas", "groupName"),
    ]


def test_without_a_definition_the_kind_is_a_usual_workload() -> None:
    assert usual_shape(WIDGET).replicas == ("spec", "replicas")
    assert len([path for path in files_of(None) if path.parent.name == "cases"]) == 7


def test_editors_find_the_annotations() -> None:
    files = files_of(None)
    settings = json.loads(files[Path(".luarc.json")])
    assert settings["workspace.library"] == [".lua-types"]
    assert settings["runtime.version"] == "Lua 5.1"
    assert Path(".lua-types/kube.lua") in files
    assert "---@class Widget: KubernetesObject" in files[Path(".lua-types/Widget.lua")]


def test_a_definition_that_gives_nothing_is_an_error() -> None:
    bare = kind_of(crd_samples.definition(crd_samples.obj(url=crd_samples.STRING)))
    with pytest.raises(InvalidCustomization, match="no replicas, no pod template and no status"):
        scaffold(WIDGET, bare)


@pytest.mark.parametrize(
    "gvk", [GVK("example.com", "1", "W"), GVK("a/b", "v1", "W"), GVK("a.b", "v1", "w")], ids=str
)
def test_a_kind_that_cannot_be_a_folder_is_an_error(gvk: GVK) -> None:
    with pytest.raises(InvalidCustomization, match="cannot be a folder"):
        scaffold(gvk)
