"""``interpret bundle`` and ``interpret unbundle`` as their users run them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter.cli.bundle import command as bundle
from interpreter.cli.unbundle import command as unbundle
from interpreter.errors import InvalidCustomization

GET = "-- how many\nfunction GetReplicas(obj)\n  return obj.spec.replicas\nend\n"
RETAIN = "function Retain(desired, observed)\n\treturn desired\nend"


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    kind = tmp_path / "lua_scripts" / "example.com" / "v1" / "Widget"
    kind.mkdir(parents=True)
    (kind / "get_replicas.lua").write_text(GET)
    (kind / "retain.lua").write_text(RETAIN)
    (kind / "kind.yaml").write_text("versions:\n- v1beta1\n")
    return kind


def test_there_and_back_again_is_the_same_folder(scripts: Path) -> None:
    made = CliRunner().invoke(bundle, ["lua_scripts", "-o", "bundle.yaml"])
    assert (made.exit_code, made.output) == (0, "bundle.yaml: 2 customizations, 4 scripts\n")
    back = CliRunner().invoke(unbundle, ["bundle.yaml", "-o", "again"])
    assert back.output.splitlines() == [
        "again/example.com/v1/Widget/get_replicas.lua",
        "again/example.com/v1/Widget/kind.yaml",
        "again/example.com/v1/Widget/retain.lua",
    ]
    for path in scripts.iterdir():
        again = Path("again/example.com/v1/Widget") / path.name
        assert again.read_bytes() == path.read_bytes()


def test_standard_output_and_input_work_together(scripts: Path) -> None:
    made = CliRunner().invoke(bundle, ["lua_scripts"])
    assert made.stdout.startswith("# Made by `interpret bundle`")
    assert made.stderr == ""
    Path("piped.yaml").write_text(made.stdout)
    back = CliRunner().invoke(unbundle, ["piped.yaml", "-o", "lua_scripts"])
    assert back.output == "3 files were up to date\n"


def test_remarks_go_to_standard_error(scripts: Path) -> None:
    (scripts / "retain.lua").write_bytes(b"function Retain(a, b)\r\n  return a\r\nend\r\n")
    made = CliRunner().invoke(bundle, ["lua_scripts"])
    assert made.stderr == (
        "note: lua_scripts/example.com/v1/Widget/retain.lua has Windows line ends: "
        "it is kept as a quoted string on one line\n"
    )
    assert "\\r\\n" in made.stdout


def test_files_that_differ_are_not_overwritten_without_force(scripts: Path) -> None:
    CliRunner().invoke(bundle, ["lua_scripts", "-o", "bundle.yaml"])
    (scripts / "retain.lua").write_text("-- my own work\n")
    refused = CliRunner().invoke(unbundle, ["bundle.yaml"])
    assert isinstance(refused.exception, InvalidCustomization)
    assert (scripts / "retain.lua").read_text() == "-- my own work\n"
    forced = CliRunner().invoke(unbundle, ["bundle.yaml", "--force"])
    assert forced.exit_code == 0
    assert (scripts / "retain.lua").read_text() == RETAIN


def test_a_folder_that_does_not_exist_is_wrong_usage(scripts: Path) -> None:
    assert CliRunner().invoke(bundle, ["nope"]).exit_code == 2


def test_a_folder_without_scripts_is_an_error(scripts: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = CliRunner().invoke(bundle, ["empty"])
    assert isinstance(result.exception, InvalidCustomization)
    assert result.exception.source == "empty"


CRD = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.a.example.com}
spec:
  group: a.example.com
  scope: Namespaced
  names: {kind: Gadget, plural: gadgets}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
"""


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("a.example.com/v1/Gadget # a comment\n\nother.com/v1/X\n", ["Gadget"]),
        (CRD, ["Gadget"]),
        ("# nothing\n", []),
    ],
    ids=["lines", "definitions", "nothing"],
)
def test_scripts_for_many_kinds_are_written_out_for_those_of_a_file(
    scripts: Path, text: str, kinds: list[str]
) -> None:
    family = scripts.parents[2] / "_.example.com" / "_" / "_"
    family.mkdir(parents=True)
    (family / "retain.lua").write_text(RETAIN)
    Path("kinds.txt").write_text(text)
    made = CliRunner().invoke(bundle, ["lua_scripts/_.example.com", "--kinds", "kinds.txt"])
    found = [line.split()[1] for line in made.stdout.splitlines() if line.startswith("    kind:")]
    assert found == kinds
    assert bool(made.stderr) is (not kinds)


def test_a_file_of_kinds_that_holds_none_is_an_error(scripts: Path) -> None:
    Path("kinds.txt").write_text("just words\n")
    made = CliRunner().invoke(bundle, ["lua_scripts", "--kinds", "kinds.txt"])
    assert made.exception is not None
    assert "kinds.txt" in str(getattr(made.exception, "source", ""))


def test_scripts_of_the_package_are_bundled_without_a_checkout(scripts: Path) -> None:
    made = CliRunner().invoke(bundle, ["--catalogue", "ray.io", "-o", "ray.yaml"])
    assert made.exit_code == 0
    kinds = {
        line.split()[1]
        for line in Path("ray.yaml").read_text().splitlines()
        if line.startswith("    kind:")
    }
    assert kinds == {"RayCluster", "RayJob", "RayService"}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "Missing argument 'FOLDER'"),
        (["nowhere"], "'nowhere' does not exist"),
        (["--catalogue", "nowhere.io"], "nowhere.io' does not exist"),
    ],
)
def test_a_folder_that_is_not_there_is_wrong_usage(
    scripts: Path, arguments: list[str], problem: str
) -> None:
    made = CliRunner().invoke(bundle, arguments)
    assert made.exit_code == 2
    assert problem in made.output
