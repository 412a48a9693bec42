"""``interpret stubs`` as its users run it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interpreter.cli.stubs import command
from interpreter.errors import InvalidCustomization

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: {kind}s.example.com}}
spec:
  group: example.com
  names: {{kind: {kind}}}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {{openAPIV3Schema: {{type: object, properties: {{size: {{type: integer}}}}}}}}
"""


def stubs(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def test_the_common_files_need_no_definition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = stubs("-o", "types")
    assert result.output.splitlines() == ["types/kube.lua", "types/interpreter.lua"]
    assert "---@class AggregatedStatusItem" in Path("types/interpreter.lua").read_text()


def test_every_kind_of_every_definition_gets_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(CRD.format(kind="A") + "---\n" + CRD.format(kind="B"))
    (tmp_path / "c.yaml").write_text(CRD.format(kind="C"))
    arguments = ["--crd", str(tmp_path / "a.yaml"), "--crd", str(tmp_path / "c.yaml")]
    assert stubs("-o", str(tmp_path / "types"), *arguments).exit_code == 0
    for kind in "ABC":
        text = (tmp_path / "types" / f"{kind}.lua").read_text()
        assert f"---@class {kind}: KubernetesObject" in text
        assert "---@field size? integer" in text


def test_files_of_an_older_run_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "kube.lua").write_text("-- old\n")
    assert stubs("-o", str(tmp_path)).exit_code == 0
    assert (tmp_path / "kube.lua").read_text().startswith("---@meta kube")


def test_no_folder_is_wrong_usage() -> None:
    assert stubs().exit_code == 2


def test_a_file_without_definitions_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "pod.yaml").write_text("apiVersion: v1\nkind: Pod\n")
    result = stubs("-o", str(tmp_path / "types"), "--crd", str(tmp_path / "pod.yaml"))
    assert isinstance(result.exception, InvalidCustomization)
    assert not (tmp_path / "types").exists()
