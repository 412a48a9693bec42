"""Annotation files: they are Lua, they say what there is, and they follow the schema."""

from __future__ import annotations

import dataclasses
import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

from interpreter.api.results import (
    HEALTH_STATUSES,
    Component,
    DependentObjectReference,
    Health,
    NodeClaim,
    ReplicaRequirements,
)
from interpreter.authoring import stubs
from interpreter.authoring.crds import KindSchema, choose, read_kinds
from interpreter.authoring.lint.library import AVAILABLE, KUBE_SIGNATURES
from interpreter.engines.lua.engine import LuaEngine
from interpreter.errors import InvalidCustomization
from interpreter.machinery.gvk import GVK
from interpreter.manifests import Manifest

_spec = importlib.util.spec_from_file_location(
    "crd_samples", Path(__file__).with_name("crd_samples.py")
)
assert _spec is not None
assert _spec.loader is not None
crd_samples = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(crd_samples)

FIELD = re.compile(r'---@field (?:[A-Za-z_]\w*\??|\["[^"]+"\]|\[string\]) \S.*')


def kinds_of(*definitions: dict[str, Any]) -> list[KindSchema]:
    return read_kinds(Manifest(one, "crd.yaml", n, None) for n, one in enumerate(definitions, 1))


def kind_text(definition: dict[str, Any]) -> str:
    return stubs.kind_file(choose(kinds_of(definition), kind=None, version=None))[1]


def classes(text: str) -> dict[str, list[str]]:
    """Field lines by class."""
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in text.splitlines():
        if line.startswith("---@class "):
            name = line.removeprefix("---@class ").partition(":")[0].strip()
            current = found.setdefault(name, [])
        elif line.startswith("---@field "):
            assert FIELD.fullmatch(line), line
            current.append(line.removeprefix("---@field "))
    return found


def names(fields: list[str]) -> set[str]:
    return {field.split(" ")[0].rstrip("?") for field in fields}


ALL_FILES = {
    **stubs.common_files(),
    **{
        Path(f"{number}.lua"): kind_text(definition)
        for number, definition in enumerate(crd_samples.SAMPLES.values())
    },
}


@pytest.mark.parametrize("path", ALL_FILES, ids=str)
def test_every_file_is_lua_and_only_annotates(path: Path) -> None:
    text = ALL_FILES[path]
    assert text.startswith("---@meta")
    assert LuaEngine().check_syntax(text) is None


def test_the_kube_file_declares_every_function_of_the_library() -> None:
    text = stubs.common_files()[Path("kube.lua")]
    declared = set(re.findall(r"^function (kube\.\w+)\(", text, re.MULTILINE))
    assert declared == set(KUBE_SIGNATURES)
    assert declared == {name for name in AVAILABLE if name.startswith("kube.")}
    assert text.endswith("return kube\n")


def json_names(cls: type) -> set[str]:
    """Field names as the API writes them; what no caller gives is no part of it."""
    if hasattr(cls, "_fields"):
        fields = cls._fields
    else:
        fields = [one.name for one in dataclasses.fields(cls) if one.init]
    return {re.sub(r"_(\w)", lambda match: match[1].upper(), name) for name in fields}


@pytest.mark.parametrize(
    "cls",
    [Component, DependentObjectReference, Health, NodeClaim, ReplicaRequirements],
    ids=lambda cls: cls.__name__,
)
def test_result_types_have_the_fields_of_the_api(cls: type) -> None:
    declared = classes(stubs.common_files()[Path("interpreter.lua")])
    assert names(declared[cls.__name__]) == json_names(cls)


def test_all_health_statuses_are_declared() -> None:
    text = stubs.common_files()[Path("interpreter.lua")]
    assert re.findall(r'^---\| "(\w+)"$', text, re.MULTILINE) == list(HEALTH_STATUSES)


def test_a_kind_becomes_nested_classes() -> None:
    found = classes(kind_text(crd_samples.WORKLOAD))
    assert found == {
        "Widget": [
            'apiVersion "example.com/v1"',
            'kind "Widget"',
            "metadata ObjectMeta",
            "spec? Widget.spec",
            "status? Widget.status",
        ],
        "Widget.spec": ["replicas? integer", "template? Widget.spec.template"],
        "Widget.spec.template": [
            "metadata? table<string, any>",
            "spec? Widget.spec.template.spec",
        ],
        "Widget.spec.template.spec": ["containers Widget.spec.template.spec.containers.item[]"],
        "Widget.spec.template.spec.containers.item": ["name string", "image? string"],
        "Widget.status": [
            "observedGeneration? integer",
            "replicas? integer",
            "readyReplicas? integer",
            "collisionCount? integer",
            "conditions? Widget.status.conditions.item[]",
        ],
        "Widget.status.conditions.item": [
            "type string",
            'status "True"|"False"|"Unknown"',
            "reason? string",
            "message? string",
        ],
    }


TYPES: dict[str, tuple[dict[str, Any], str]] = {
    "number": ({"type": "number"}, "f? number"),
    "boolean": ({"type": "boolean"}, "f? boolean"),
    "int or string": ({"x-kubernetes-int-or-string": True}, "f? integer|string"),
    "enum": ({"type": "string", "enum": ["a", 'b"']}, 'f? "a"|"b\\""'),
    "list of enums": (
        {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
        'f? ("a"|"b")[]',
    ),
    "list of lists": (
        {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
        "f? string[][]",
    ),
    "map of numbers": (
        {"type": "object", "additionalProperties": {"type": "integer"}},
        "f? table<string, integer>",
    ),
    "map of objects": (
        {"type": "object", "additionalProperties": crd_samples.obj(x=crd_samples.STRING)},
        "f? table<string, Widget.spec.f.value>",
    ),
    "nullable": ({"type": "string", "nullable": True}, "f? string|nil"),
    "open object": (crd_samples.OPEN_TEMPLATE, "f? table<string, any>"),
    "anything": ({"x-kubernetes-preserve-unknown-fields": True}, "f? any"),
    "a description": (
        {"type": "string", "description": "One line.\nAnd many\nmore."},
        "f? string One line.",
    ),
}


@pytest.mark.parametrize(("schema", "line"), TYPES.values(), ids=TYPES)
def test_a_schema_has_a_type_in_annotations(schema: dict[str, Any], line: str) -> None:
    text = kind_text(crd_samples.definition(crd_samples.obj(f=schema)))
    assert classes(text)["Widget.spec"] == [line]


def test_odd_field_names_are_quoted() -> None:
    text = kind_text(crd_samples.definition(crd_samples.obj(**{"odd-name": crd_samples.STRING})))
    assert classes(text)["Widget.spec"] == ['["odd-name"] string|nil']


def test_descriptions_never_break_out_of_their_comment() -> None:
    evil = {"type": "string", "description": "a\nprint('x')\r\n--[[ b " + "long " * 100}
    text = kind_text(crd_samples.definition(crd_samples.obj(f=evil)))
    assert all(line.startswith("---") or not line for line in text.splitlines())
    assert max(map(len, text.splitlines())) < 220


def test_the_storage_version_is_described_unless_another_is_asked_for() -> None:
    kinds = kinds_of(crd_samples.WORKLOAD)
    (text,) = stubs.kind_files(kinds).values()
    assert 'apiVersion "example.com/v1"' in text
    (text,) = stubs.kind_files(kinds, version="v1alpha1").values()
    assert 'apiVersion "example.com/v1alpha1"' in text
    with pytest.raises(InvalidCustomization, match="no definition of v9") as info:
        stubs.kind_files(kinds, version="v9")
    assert info.value.hint == "there are: example.com/v1/Widget, example.com/v1alpha1/Widget"


def test_two_groups_with_a_kind_of_one_name_cannot_share_a_folder() -> None:
    kinds = kinds_of(crd_samples.definition(), crd_samples.definition(group="other.io"))
    with pytest.raises(InvalidCustomization, match=r"two groups have a kind for Widget\.lua"):
        stubs.kind_files(kinds)


def test_what_is_no_definition_is_an_error() -> None:
    pod = Manifest({"apiVersion": "v1", "kind": "Pod"}, "pod.yaml", 1, None)
    with pytest.raises(InvalidCustomization, match="there is no CustomResourceDefinition"):
        read_kinds([pod])
    broken = {"apiVersion": "x/v1", "kind": "CustomResourceDefinition", "spec": {"group": "x"}}
    with pytest.raises(InvalidCustomization, match=r"has spec\.group") as info:
        read_kinds([Manifest(broken, "crd.yaml", 2, None)])
    assert info.value.source == "crd.yaml, document 2"


@pytest.mark.parametrize(
    "kind", ["Health", "KubernetesObject", "Interpreter", "Kube", "KUBE", "objectMeta", "Condition"]
)
def test_a_kind_called_like_a_common_class_or_file_has_its_group_in_front(kind: str) -> None:
    schema = KindSchema(GVK("x.example.com", "v1", kind), True, {}, None, has_status=True)
    path, text = stubs.kind_file(schema)
    assert path == Path(f"x_example_com_{kind}.lua")
    assert list(classes(text)) == [f"x_example_com_{kind}"]
    assert f'---@field kind "{kind}"\n' in text

    core = dataclasses.replace(schema, gvk=GVK("", "v1", kind))
    assert stubs.kind_file(core)[0] == Path(f"core_{kind}.lua")


def test_classes_of_its_fields_follow_the_name_of_a_kind() -> None:
    fields = {"spec": {"type": "object", "properties": {"size": {"type": "integer"}}}}
    schema = {"type": "object", "properties": fields}
    kind = KindSchema(GVK("x.io", "v1", "Health"), True, schema, None, has_status=True)
    assert list(classes(stubs.kind_file(kind)[1])) == ["x_io_Health", "x_io_Health.spec"]
