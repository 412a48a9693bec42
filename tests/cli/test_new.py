"""``interpret new`` as its users run it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interpreter.authoring.lint.checking import check
from interpreter.cli.new import command
from interpreter.errors import InvalidCustomization

ROOT = Path(__file__).parents[2]
CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  names: {kind: CronTab, plural: crontabs}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {scale: {specReplicasPath: .spec.workers, statusReplicasPath: .status.workers}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {workers: {type: integer}, image: {type: string}}}
"""


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("crd.yaml").write_text(CRD)


def new(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def test_a_definition_decides_what_is_written() -> None:
    result = new("CronTab", "--crd", "crd.yaml")
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "lua_scripts/.lua-types/CronTab.lua",
        "lua_scripts/.lua-types/interpreter.lua",
        "lua_scripts/.lua-types/kube.lua",
        "lua_scripts/.luarc.json",
        "lua_scripts/stable.example.com/v1/CronTab/cases/get_replicas.yaml",
        "lua_scripts/stable.example.com/v1/CronTab/cases/retain.yaml",
        "lua_scripts/stable.example.com/v1/CronTab/cases/revise_replica.yaml",
        "lua_scripts/stable.example.com/v1/CronTab/get_replicas.lua",
        "lua_scripts/stable.example.com/v1/CronTab/kind.yaml",
        "lua_scripts/stable.example.com/v1/CronTab/retain.lua",
        "lua_scripts/stable.example.com/v1/CronTab/revise_replica.lua",
    ]
    script = Path("lua_scripts/stable.example.com/v1/CronTab/revise_replica.lua").read_text()
    assert "obj.spec.workers = replicas" in script
    assert check(["lua_scripts"]).findings == ()


def test_group_and_version_are_enough_without_a_definition() -> None:
    result = new("Widget", "--group", "example.com", "--version", "v1beta1", "-o", "out")
    assert result.exit_code == 0
    assert Path("out/example.com/v1beta1/Widget/get_replicas.lua").is_file()
    assert check(["out"]).findings == ()


@pytest.mark.parametrize("group", ["core", ""])
def test_the_core_group_has_a_folder_of_its_own(group: str) -> None:
    assert new("Widget", "--group", group, "--version", "v1", "-o", "out").exit_code == 0
    assert 'apiVersion "v1"' in Path("out/.lua-types/Widget.lua").read_text()
    assert Path("out/core/v1/Widget/retain.lua").is_file()


def test_a_second_kind_leaves_shared_files_alone() -> None:
    new("A", "--group", "example.com", "--version", "v1", "-o", "out")
    Path("out/.luarc.json").write_text("{}\n")
    result = new("B", "--group", "example.com", "--version", "v1", "-o", "out")
    assert result.exit_code == 0
    assert Path("out/.luarc.json").read_text() == "{}\n"
    assert Path("out/.lua-types/B.lua").is_file()


def test_own_work_is_not_overwritten() -> None:
    arguments = ("A", "--group", "example.com", "--version", "v1", "-o", "out")
    new(*arguments)
    script = Path("out/example.com/v1/A/retain.lua")
    script.write_text("-- mine\n")
    assert isinstance(new(*arguments).exception, InvalidCustomization)
    assert script.read_text() == "-- mine\n"
    assert new(*arguments, "--force").output == "out/example.com/v1/A/retain.lua\n"
    assert "function Retain" in script.read_text()


@pytest.mark.parametrize(
    "arguments",
    [
        ("A",),
        ("A", "--group", "example.com"),
        ("CronTab", "--crd", "crd.yaml", "--group", "other.io"),
    ],
    ids=" ".join,
)
def test_what_is_missing_or_contradicts_is_wrong_usage(arguments: tuple[str, ...]) -> None:
    assert new(*arguments).exit_code == 2


def test_a_kind_that_is_not_defined_is_an_error() -> None:
    result = new("Other", "--crd", "crd.yaml")
    assert isinstance(result.exception, InvalidCustomization)
    assert str(result.exception) == (
        "no definition of Other (there are: stable.example.com/v1/CronTab)"
    )


def test_a_kind_called_like_a_common_class_leaves_that_class_alone() -> None:
    assert new("Health", "--group", "x.io", "--version", "v1", "-o", "out").exit_code == 0
    types = Path("out/.lua-types")
    assert sorted(path.name for path in types.iterdir()) == [
        "interpreter.lua",
        "kube.lua",
        "x_io_Health.lua",
    ]
    script = Path("out/x.io/v1/Health/interpret_health.lua").read_text()
    assert "---@param obj x_io_Health\n---@return boolean|Health\n" in script
    case = Path("out/x.io/v1/Health/cases/interpret_health.yaml").read_text()
    assert "    kind: Health\n" in case
    assert check(["out"]).findings == ()


def test_a_kind_called_like_a_common_file_leaves_that_file_alone() -> None:
    assert new("Kube", "--group", "core", "--version", "v1", "-o", "out").exit_code == 0
    assert "kube.resourceAdd" in Path("out/.lua-types/kube.lua").read_text()
    assert '---@field kind "Kube"' in Path("out/.lua-types/core_Kube.lua").read_text()


def test_a_reader_that_has_enough_is_no_error() -> None:
    # As `interpret new … | head -1`: all files are written, and told in one go.
    process = subprocess.Popen(
        [sys.executable, "-m", "interpreter", "new", "A", "--group", "x.io", "--version", "v1"],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(60) == 0
    assert Path("lua_scripts/x.io/v1/A/revise_replica.lua").is_file()
