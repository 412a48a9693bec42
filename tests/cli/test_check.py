"""``interpret check`` as its users run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interpreter.cli.check import command
from interpreter.errors import ConfigurationError

BAD = "function GetReplicas(obj)\n  return obj.spec.replicas + extra\nend\n"
DUBIOUS = "function GetReplicas(obj)\n  local n = 1\n  return obj.spec.replicas\nend\n"
GOOD = "function GetReplicas(obj)\n  return obj.spec.replicas\nend\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    kind = tmp_path / "example.com" / "v1" / "Widget"
    kind.mkdir(parents=True)
    return kind


def check(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(command, arguments, input=stdin)


@pytest.mark.parametrize(("script", "code"), [(BAD, 1), (DUBIOUS, 0), (GOOD, 0)])
def test_only_errors_fail(script: str, code: int, folder: Path) -> None:
    (folder / "get_replicas.lua").write_text(script)
    assert check("-f", ".").exit_code == code


def test_the_table_shows_place_level_rule_and_message(folder: Path) -> None:
    (folder / "get_replicas.lua").write_text(BAD)
    assert check(".").output.splitlines() == [
        "example.com/v1/Widget/get_replicas.lua",
        "  2:30  error    undefined-variable  extra is not defined",
        "",
        "1 error in 1 script of 1 file",
    ]


def test_levels_are_coloured_unless_no_colour_is_wanted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "get_replicas.lua").write_text(BAD)
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured = CliRunner().invoke(command, ["."], color=True).output
    monkeypatch.setenv("NO_COLOR", "1")
    plain = CliRunner().invoke(command, ["."], color=True).output
    assert "\x1b[31merror  \x1b[0m" in coloured
    assert plain == coloured.replace("\x1b[31m", "").replace("\x1b[0m", "")


def test_files_may_be_given_by_option_and_by_argument(folder: Path) -> None:
    (folder / "get_replicas.lua").write_text(GOOD)
    (folder / "retain.lua").write_text("function Retain(desired, observed) return observed end\n")
    names = [f"example.com/v1/Widget/{name}.lua" for name in ("get_replicas", "retain")]
    assert check("-f", names[0], "-f", names[1]).output == "no findings in 2 scripts of 2 files\n"
    assert check("-f", names[0], names[1]).output == "no findings in 2 scripts of 2 files\n"


def test_json_can_be_read_by_programs(folder: Path) -> None:
    (folder / "get_replicas.lua").write_text(BAD)
    shown = json.loads(check(".", "-o", "json").stdout)
    assert shown["summary"]["errors"] == 1
    assert shown["findings"][0]["customization"] == "example.com/v1/Widget"
    assert (shown["findings"][0]["line"], shown["findings"][0]["column"]) == (2, 30)


def test_sarif_is_one_run_with_its_rules(folder: Path) -> None:
    (folder / "get_replicas.lua").write_text(BAD)
    log = json.loads(check(".", "-o", "sarif").stdout)
    assert log["version"] == "2.1.0"
    assert [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]] == [
        "undefined-variable"
    ]


def test_github_gets_commands_or_nothing(folder: Path) -> None:
    (folder / "get_replicas.lua").write_text(BAD)
    assert check(".", "-o", "github").output == (
        "::error file=example.com/v1/Widget/get_replicas.lua,line=2,col=30,"
        "title=undefined-variable::extra is not defined\n"
    )
    (folder / "get_replicas.lua").write_text(GOOD)
    assert check(".", "-o", "github").output == ""


def test_standard_input_holds_documents() -> None:
    result = check("-", stdin="kind: ResourceInterpreterCustomization\n")
    assert result.exit_code == 1
    assert "apiVersion must be config.karmada.io/v1alpha1" in result.output


def test_no_file_is_wrong_usage() -> None:
    result = check()
    assert result.exit_code == 2
    assert "give at least one file or folder" in result.output


@pytest.mark.parametrize("path", ["nope", "."])
def test_a_path_without_anything_to_check_is_wrong_usage(path: str, folder: Path) -> None:
    # The group turns this error into exit code 2.
    assert isinstance(check(path).exception, ConfigurationError)


def test_help_loads_neither_the_engine_nor_the_parser() -> None:
    code = (
        "import sys\n"
        "from interpreter.cli.check import command\n"
        "try:\n    command(['--help'])\nexcept SystemExit: pass\n"
        "heavy = {'lupa', 'tree_sitter', 'pydantic', 'yaml'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {heavy}' if heavy else 0)\n"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Exit code: 0 when nothing of level error was found" in done.stdout
