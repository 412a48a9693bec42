"""Script folders to documents and back, without losing a byte."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml as pyyaml
from hypothesis import example, given
from hypothesis import strategies as st

from interpreter import ResourceInterpreter, manifests
from interpreter.api.config import ResourceInterpreterCustomization
from interpreter.api.epilogue import without_epilogue
from interpreter.authoring.bundling import (
    Bundle,
    Customization,
    bundle,
    default_name,
    document_text,
    unbundle,
    write_files,
)
from interpreter.codec import yaml
from interpreter.engines.lua.engine import LuaEngine
from interpreter.engines.lua.scripts import Script
from interpreter.errors import InvalidCustomization
from interpreter.machinery.gvk import GVK

WIDGET = GVK("example.com", "v1", "Widget")
GET = "-- counts\nfunction GetReplicas(obj)\n  return obj.spec.n -- all of them\nend\n"
RETAIN = "function Retain(desired, observed)\n\treturn desired\nend\n"

ODD_SCRIPTS = {
    "no newline at the end": "return 1",
    "one newline": "return 1\n",
    "several newlines": "return 1\n\n\n",
    "tabs": "\tlocal a = 1\n\t\treturn a\n",
    "a first line that is indented": "    local a\n  return a\n",
    "blank lines first": "\n\n  return 1\n",
    "blanks at line ends": "local a = 1  \nreturn a\t\n",
    "lines of blanks": "local a\n    \n\t\nreturn a\n   \n",
    "lines of blanks first": "   \n      \nreturn 1\n",
    "blanks after the end": "return 1\n   ",
    "Windows line ends": "local a = 1\r\nreturn a\r\n",
    "mixed line ends": "local a = 1\r\nreturn a\n",
    "unicode": "return 'äöü 日本語 😀'\n",
    "no-break space": "return 1\u00a0\n",
    "a byte order mark": "\ufeffreturn 1\n",
    "line ends of unicode": "-- a\u2028b\u0085c\nreturn 1\n",
    "controls": "return '\x01\x7f'\n",
    "what looks like YAML": "---\n- a: b # c\n%x\n...\n",
    "a comment first": "# no comment of YAML\nreturn 1\n",
    "quotes": "return \"a\" .. 'b' .. [[c]]\n",
    "blanks only": "  \n\n",
    "one newline only": "\n",
}


def documents(text: str) -> list[dict[str, object]]:
    return [document.value for document in yaml.load_all(text)]


def write(top: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return top


def read(top: Path) -> dict[str, str]:
    return {
        path.relative_to(top).as_posix(): path.read_bytes().decode()
        for path in sorted(top.rglob("*"))
        if path.is_file()
    }


def round_trip(tmp_path: Path, files: dict[str, str]) -> dict[str, str]:
    """What comes back from a bundle of a folder."""
    made = bundle(write(tmp_path / "in", files))
    (tmp_path / "bundle.yaml").write_bytes(made.text.encode())
    back = unbundle(manifests.read([str(tmp_path / "bundle.yaml")]))
    write_files(tmp_path / "out", back.files, force=False)
    return read(tmp_path / "out")


def test_a_bundle_is_what_kubectl_applies(tmp_path: Path) -> None:
    top = write(
        tmp_path,
        {
            "example.com/v1/Widget/retain.lua": RETAIN,
            "example.com/v1/Widget/get_replicas.lua": GET,
            "example.com/v1/Widget/cases/retain.yaml": "- name: not a script\n",
        },
    )
    assert bundle(top).text == (
        "# Made by `interpret bundle`: change the scripts and bundle again.\n"
        "apiVersion: config.karmada.io/v1alpha1\n"
        "kind: ResourceInterpreterCustomization\n"
        "metadata:\n"
        "  name: declarative-widget-v1-example-com\n"
        "spec:\n"
        "  target:\n"
        "    apiVersion: example.com/v1\n"
        "    kind: Widget\n"
        "  customizations:\n"
        "    replicaResource:\n"
        "      luaScript: |\n"
        "        -- counts\n"
        "        function GetReplicas(obj)\n"
        "          return obj.spec.n -- all of them\n"
        "        end\n"
        "    retention:\n"
        "      luaScript: |\n"
        "        function Retain(desired, observed)\n"
        "        \treturn desired\n"
        "        end\n"
    )


def test_every_document_fits_the_api(tmp_path: Path) -> None:
    top = write(
        tmp_path,
        {
            "core/v1/Pod/get_replicas.lua": GET,
            "example.com/v1/Widget/retain.lua": RETAIN,
            "example.com/v1/Widget/kind.yaml": "versions: [v1beta1, v1alpha1]\n",
        },
    )
    parsed = [
        ResourceInterpreterCustomization.model_validate(one) for one in documents(bundle(top).text)
    ]
    assert [(one.metadata.name, one.spec.target.apiVersion) for one in parsed] == [
        ("declarative-pod-v1-core", "v1"),
        ("declarative-widget-v1-example-com", "example.com/v1"),
        ("declarative-widget-v1beta1-example-com", "example.com/v1beta1"),
        ("declarative-widget-v1alpha1-example-com", "example.com/v1alpha1"),
    ]


def test_one_kind_folder_can_be_bundled_alone(tmp_path: Path) -> None:
    top = write(tmp_path, {"example.com/v1/Widget/retain.lua": RETAIN})
    (one,) = bundle(top / "example.com" / "v1" / "Widget").customizations
    assert one.gvk == WIDGET


@pytest.mark.parametrize("script", ODD_SCRIPTS.values(), ids=ODD_SCRIPTS)
def test_folders_come_back_byte_for_byte(script: str, tmp_path: Path) -> None:
    files = {
        "example.com/v1/Widget/get_replicas.lua": script,
        "example.com/v1/Widget/retain.lua": RETAIN,
        "core/v1/Pod/retain.lua": script,
    }
    assert round_trip(tmp_path, files) == files


@pytest.mark.parametrize("script", ODD_SCRIPTS.values(), ids=ODD_SCRIPTS)
def test_other_readers_of_yaml_see_the_same_script(script: str) -> None:
    text = document_text(Customization("w", WIDGET, {"retention": script, "replicaResource": GET}))
    for loader in (pyyaml.SafeLoader, pyyaml.CSafeLoader):
        rules = pyyaml.load(text, loader)["spec"]["customizations"]
        assert rules == {
            "retention": {"luaScript": script},
            "replicaResource": {"luaScript": GET},
        }


@given(st.text(st.sampled_from("ab \t\n\r#-:|>'\"%\u00e9\u2028\x00"), min_size=1, max_size=30))
@example(" \n a\n\n")
def test_any_script_reads_back_as_it_was(script: str) -> None:
    text = document_text(Customization("w", WIDGET, {"retention": script, "replicaResource": GET}))
    (value,) = documents(text + "---\n" + text)[:1]
    assert value["spec"]["customizations"]["retention"]["luaScript"] == script  # type: ignore[index]


def test_ordinary_scripts_stand_in_literal_blocks(tmp_path: Path) -> None:
    for name in (
        "no newline at the end",
        "tabs",
        "lines of blanks",
        "unicode",
        "blank lines first",
    ):
        text = document_text(Customization("w", WIDGET, {"retention": ODD_SCRIPTS[name]}))
        assert "luaScript: |" in text


def test_windows_line_ends_are_kept_and_remarked(tmp_path: Path) -> None:
    top = write(tmp_path, {"example.com/v1/Widget/retain.lua": RETAIN.replace("\n", "\r\n")})
    made = bundle(top)
    (remark,) = made.remarks
    assert "retain.lua has Windows line ends" in remark
    assert '      luaScript: "function Retain' in made.text


def test_further_versions_and_names_come_back_in_a_kind_file(tmp_path: Path) -> None:
    files = {
        "example.com/v1/Widget/retain.lua": RETAIN,
        "example.com/v1/Widget/kind.yaml": "name: my-widget\nversions:\n- v1beta1\n- v1alpha1\n",
        "other.io/v2/Thing/retain.lua": RETAIN,
    }
    assert round_trip(tmp_path, files) == files


def test_documents_come_back_from_folders(tmp_path: Path) -> None:
    customizations = [
        Customization(
            "declarative-thing-v2-other-io", GVK("other.io", "v2", "Thing"), {"retention": GET}
        ),
        Customization("mine", WIDGET, {"replicaResource": GET, "dependencyInterpretation": RETAIN}),
    ]
    text = "---\n".join(map(document_text, customizations))
    (tmp_path / "in.yaml").write_text(text)
    write_files(
        tmp_path / "out", unbundle(manifests.read([str(tmp_path / "in.yaml")])).files, force=False
    )
    again = documents(bundle(tmp_path / "out").text)
    assert sorted(again, key=str) == sorted(documents(text), key=str)


def manifest(tmp_path: Path, *customizations: Customization) -> list[manifests.Manifest]:
    (tmp_path / "in.yaml").write_text("---\n".join(map(document_text, customizations)))
    return list(manifests.read([str(tmp_path / "in.yaml")]))


def test_customizations_of_one_kind_join_in_one_folder(tmp_path: Path) -> None:
    made = unbundle(
        manifest(
            tmp_path,
            Customization("a", WIDGET, {"retention": RETAIN}),
            Customization("b", WIDGET, {"replicaResource": GET}),
        )
    )
    assert {path.name for path in made.files} == {"retain.lua", "get_replicas.lua"}


def test_two_scripts_for_one_rule_are_an_error(tmp_path: Path) -> None:
    found = manifest(
        tmp_path,
        Customization("a", WIDGET, {"retention": RETAIN}),
        Customization("b", WIDGET, {"retention": GET}),
    )
    with pytest.raises(InvalidCustomization, match="Widget has retention in") as info:
        unbundle(found)
    assert info.value.source == f"{tmp_path / 'in.yaml'}, document 2"


def test_a_target_for_any_version_becomes_a_folder_for_any(tmp_path: Path) -> None:
    found = manifest(
        tmp_path, Customization("a", GVK("example.com", "*", "Widget"), {"retention": GET})
    )
    assert Path("example.com/_/Widget/retain.lua") in unbundle(found).files


def rules_by_kind(made: Bundle) -> dict[str, list[str]]:
    return {str(one.gvk): list(one.scripts) for one in made.customizations}


FAMILY = {
    "_.example.com/_/_/interpret_health.lua": "function InterpretHealth() return true end\n",
    "_.example.com/_/_/retain.lua": RETAIN,
    "_.example.com/_/Gadget/interpret_health.lua": (
        "function InterpretHealth() return false end\n"
    ),
    "a.example.com/v1/Widget/interpret_health.lua": (
        "function InterpretHealth(obj) return obj.ok end\n"
    ),
}


def test_scripts_for_many_kinds_join_the_documents_of_the_kinds_that_are_there(
    tmp_path: Path,
) -> None:
    made = bundle(write(tmp_path, FAMILY))
    assert rules_by_kind(made) == {
        "a.example.com/v1/Widget": ["retention", "healthInterpretation"],
    }
    (widget,) = made.customizations
    assert "return obj.ok" in widget.scripts["healthInterpretation"]
    (remark,) = made.remarks
    assert "_/Gadget stands for *.example.com/*/Gadget: name such kinds" in remark


def test_scripts_for_many_kinds_that_no_kind_takes_anything_from_are_named(tmp_path: Path) -> None:
    files = {
        "_.example.com/_/_/retain.lua": RETAIN,
        "a.example.com/v1/Widget/retain.lua": RETAIN,
    }
    made = bundle(write(tmp_path, files))
    assert rules_by_kind(made) == {"a.example.com/v1/Widget": ["retention"]}
    (remark,) = made.remarks
    assert "_/_ stands for *.example.com/*/*: name such kinds" in remark


def test_scripts_for_many_kinds_are_written_out_for_the_kinds_that_are_named(
    tmp_path: Path,
) -> None:
    kinds = [
        GVK("b.example.com", "v1", "Gadget"),
        GVK("b.example.com", "v2", "Thing"),
        GVK("other.com", "v1", "Thing"),
    ]
    made = bundle(write(tmp_path, FAMILY), kinds)
    assert made.remarks == []
    found = {str(one.gvk): one for one in made.customizations}
    assert sorted(found) == [
        "a.example.com/v1/Widget",
        "b.example.com/v1/Gadget",
        "b.example.com/v2/Thing",
    ]
    health = {name: one.scripts["healthInterpretation"] for name, one in found.items()}
    assert "return false" in health["b.example.com/v1/Gadget"]
    assert "return true" in health["b.example.com/v2/Thing"]
    assert found["b.example.com/v1/Gadget"].scripts["retention"] == RETAIN


def test_what_folders_do_not_hold_is_remarked(tmp_path: Path) -> None:
    text = document_text(Customization("a", WIDGET, {"retention": GET}))
    text = text.replace("  name: a\n", "  name: a\n  labels: {x: y}\n")
    (tmp_path / "in.yaml").write_text(text + "---\napiVersion: v1\nkind: ConfigMap\n")
    made = unbundle(manifests.read([str(tmp_path / "in.yaml")]))
    assert [remark.partition(", ")[2] for remark in made.remarks] == [
        "document 1: metadata.labels is not kept",
        "document 2: ConfigMap is left out",
    ]


def test_an_invalid_document_is_an_error_with_its_place(tmp_path: Path) -> None:
    text = document_text(Customization("a", WIDGET, {"retention": GET})).replace("luaScript", "lua")
    (tmp_path / "in.yaml").write_text(text)
    with pytest.raises(InvalidCustomization) as info:
        unbundle(manifests.read([str(tmp_path / "in.yaml")]))
    assert info.value.path == "spec.customizations.retention.lua"


def test_no_customization_at_all_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "in.yaml").write_text("apiVersion: v1\nkind: ConfigMap\n")
    with pytest.raises(InvalidCustomization, match="there is no ResourceInterpreterCustomization"):
        unbundle(manifests.read([str(tmp_path / "in.yaml")]))


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"x/readme.txt": ""}, "there is no script here"),
        ({"widget/retain.lua": GET}, "scripts must be in a folder <group>/<version>/<Kind>"),
        (
            {
                "example.com/v1/Widget/retain.lua": GET,
                "example.com/v1/Widget/kind.yaml": "versions: [v2]\n",
                "example.com/v2/Widget/retain.lua": GET,
            },
            "example.com/v2/Widget has scripts in",
        ),
        (
            {
                "a.b/v1/Widget/retain.lua": GET,
                "a-b/v1/Widget/retain.lua": GET,
            },
            "have the same name, declarative-widget-v1-a-b",
        ),
    ],
    ids=["no script", "no kind", "a version twice", "a name twice"],
)
def test_folders_that_cannot_be_bundled_are_errors(
    files: dict[str, str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidCustomization, match=message):
        bundle(write(tmp_path, files))


def test_an_empty_script_is_left_out_with_a_remark(tmp_path: Path) -> None:
    made = bundle(
        write(
            tmp_path,
            {"example.com/v1/Widget/retain.lua": "", "example.com/v1/Widget/get_replicas.lua": GET},
        )
    )
    assert [list(one.scripts) for one in made.customizations] == [["replicaResource"]]
    assert made.remarks[0].endswith("retain.lua is empty and left out")


def test_files_are_overwritten_only_by_force(tmp_path: Path) -> None:
    write(tmp_path, {"a/x.lua": "old", "a/y.lua": "same"})
    files = {Path("a/x.lua"): "new", Path("a/y.lua"): "same", Path("b/z.lua"): "more"}
    with pytest.raises(InvalidCustomization, match="is there already"):
        write_files(tmp_path, files, force=False)
    assert read(tmp_path) == {"a/x.lua": "old", "a/y.lua": "same"}
    written = write_files(tmp_path, files, force=True)
    assert written == [tmp_path / "a/x.lua", tmp_path / "b/z.lua"]
    assert read(tmp_path) == {"a/x.lua": "new", "a/y.lua": "same", "b/z.lua": "more"}


def test_what_is_no_regular_file_is_written_without_reading_it(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert write_files(tmp_path, {Path("pipe"): "new"}, force=True) == [pipe]
        assert os.read(reader, 100) == b"new"
    finally:
        os.close(reader)


def test_a_device_that_is_full_is_an_error(tmp_path: Path) -> None:
    # It reads as zeros without end.
    with pytest.raises(InvalidCustomization, match="cannot be written: No space left on device"):
        write_files(Path("/dev"), {Path("full"): "new"}, force=True)


def test_a_folder_in_the_place_of_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "x.lua").mkdir()
    with pytest.raises(InvalidCustomization, match="cannot be written: Is a directory"):
        write_files(tmp_path, {Path("x.lua"): "new"}, force=True)


@pytest.mark.parametrize(
    ("gvk", "name"),
    [
        (WIDGET, "declarative-widget-v1-example-com"),
        (GVK("", "v1", "Pod"), "declarative-pod-v1-core"),
        (
            GVK("source.toolkit.fluxcd.io", "v1beta2", "OCIRepository"),
            "declarative-ocirepository-v1beta2-source-toolkit-fluxcd-io",
        ),
    ],
    ids=str,
)
def test_usual_names_say_kind_version_and_group(gvk: GVK, name: str) -> None:
    assert default_name(gvk) == name


HEALTH_TABLE = """
function InterpretHealth(obj)
  if obj.status == nil then
    return { status = "Progressing", reason = "NoStatus" }
  end
  return obj.status.ok
end
"""


def bundled_health(tmp_path: Path, script: str) -> tuple[str, list[str]]:
    """The health script in the bundle of a folder that holds only this one, and the remarks."""
    made = bundle(write(tmp_path, {"example.com/v1/Widget/interpret_health.lua": script}))
    rules = documents(made.text)[0]["spec"]["customizations"]  # type: ignore[index]
    return rules["healthInterpretation"]["luaScript"], made.remarks


@pytest.mark.parametrize(
    ("answer", "boolean"),
    [
        ("true", True),
        ("false", False),
        ('{ status = "Healthy" }', True),
        ('{ status = "Suspended" }', True),
        ('{ status = "Progressing" }', False),
        ('{ status = "Degraded", healthy = true }', True),
        ('{ status = "Healthy", healthy = false }', False),
    ],
)
def test_an_exported_health_script_answers_with_the_boolean_that_karmada_wants(
    tmp_path: Path, answer: str, boolean: bool
) -> None:
    source = f"local answer = {answer}\nfunction InterpretHealth(obj)\n  return answer\nend\n"
    exported, _ = bundled_health(tmp_path, source)
    # As in another engine: nothing is taken off, the function's first result counts.
    got = LuaEngine().call(Script("w/health", exported, "InterpretHealth"), [{}])
    assert got[0] is boolean


def test_an_exported_health_script_comes_back_without_its_epilogue(tmp_path: Path) -> None:
    exported, _ = bundled_health(tmp_path / "a", HEALTH_TABLE)
    assert exported.startswith(HEALTH_TABLE)
    assert exported != HEALTH_TABLE
    folder = {"example.com/v1/Widget/interpret_health.lua": HEALTH_TABLE}
    assert round_trip(tmp_path / "b", folder) == folder
    (document,) = documents(bundle(tmp_path / "a").text)
    with ResourceInterpreter(customizations=[document], plugins=None) as ri:
        health = ri.interpret_health({"apiVersion": "example.com/v1", "kind": "Widget"})
    assert (health.status, health.reason) == ("Progressing", "NoStatus")


def test_an_epilogue_that_somebody_changed_is_part_of_the_script(tmp_path: Path) -> None:
    exported, _ = bundled_health(tmp_path, HEALTH_TABLE)
    changed = exported.replace('"Suspended"', '"Paused"')
    assert without_epilogue(changed) == changed
    assert without_epilogue(exported.rstrip()) == HEALTH_TABLE


@pytest.mark.parametrize(
    "script",
    [
        "function InterpretHealth(obj)\n  return obj.status ~= nil\nend\n",
        "function InterpretHealth(obj)\n  if obj.a then return true end\n  return not obj.b\nend\n",
    ],
)
def test_a_health_script_that_only_answers_booleans_stays_as_it_is(
    tmp_path: Path, script: str
) -> None:
    assert bundled_health(tmp_path, script) == (script, [])


def test_a_health_script_that_returns_as_a_whole_is_kept_with_a_remark(tmp_path: Path) -> None:
    script = HEALTH_TABLE + "return 1\n"
    exported, remarks = bundled_health(tmp_path, script)
    assert exported == script
    assert len(remarks) == 1
    assert "returns as a whole" in remarks[0]
