"""The example projects, installed as their users install them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from environments import ROOT, Environment, new_environment

PLUGINS = ROOT / "plugins"
PROJECTS = ["crontab-lua", "crontab-python", "fleet-rules", "keep-replicas"]
LUA_CASES = PLUGINS / "crontab-lua" / "src"


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with all of them."""
    made = new_environment(tmp_path_factory.mktemp("environments") / "examples")
    made.install(*(PLUGINS / name for name in PROJECTS))
    return made


@pytest.fixture
def interpret(environment: Environment, tmp_path: Path) -> Callable[..., Any]:
    """Runs the installed command outside the checkout; gives its JSON."""

    def run(*arguments: str) -> Any:
        done = environment.run("interpret", *arguments, "-o", "json", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def test_there_is_a_test_for_every_project() -> None:
    assert sorted(path.name for path in PLUGINS.iterdir()) == PROJECTS


@pytest.mark.parametrize("project", PROJECTS)
def test_a_projects_own_tests_pass(environment: Environment, project: str) -> None:
    done = environment.pytest(PLUGINS / project)
    assert done.returncode == 0, done.stdout + done.stderr


def test_they_are_listed_with_their_kinds_and_nothing_is_imported(
    interpret: Callable[..., Any],
) -> None:
    found = {one["name"]: one for one in interpret("plugins")}
    assert sorted(found) == PROJECTS
    assert {one["status"] for one in found.values()} == {"not needed yet"}
    assert found["crontab-lua"]["kinds"] == ["stable.example.com/v1/CronTab"]
    assert found["keep-replicas"]["kinds"] == ["apps/v1/Deployment", "apps/v1/StatefulSet"]
    assert found["crontab-python"]["distribution"] == "crontab-python"


def test_once_loaded_they_agree_with_what_they_declare(interpret: Callable[..., Any]) -> None:
    found = {one["name"]: one for one in interpret("plugins", "--load")}
    assert {one["status"] for one in found.values()} == {"loaded"}
    assert [note for one in found.values() for note in one["notes"]] == []
    assert found["keep-replicas"]["hooks"] == ["retain"]
    assert "get_replicas.lua" in found["crontab-lua"]["hooks"]


@pytest.mark.parametrize("plugin", ["crontab-lua", "crontab-python"])
def test_lua_and_python_pass_the_same_cases(interpret: Callable[..., Any], plugin: str) -> None:
    found = interpret("test", "--plugins", plugin, str(LUA_CASES))
    assert (found["passed"], found["failed"], found["untested"]) == (9, 0, [])


def test_the_pack_holds_the_scripts_of_the_examples() -> None:
    def texts(folder: Path) -> dict[str, str]:
        files = (path for path in folder.rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): path.read_text() for path in files}

    assert texts(LUA_CASES / "crontab_lua" / "lua_scripts") == texts(ROOT / "examples/lua_scripts")


@pytest.mark.parametrize(
    ("option", "by"),
    [
        ([], "crontab-lua"),
        (["--no-plugin", "crontab-lua"], "crontab-python"),
        (["--plugins", "crontab-python"], "crontab-python"),
    ],
    ids=["by name", "one is off", "one is chosen"],
)
def test_who_answers_is_decided_and_told(
    interpret: Callable[..., Any], option: list[str], by: str
) -> None:
    reports = str(ROOT / "examples" / "shop" / "reports.yaml")
    found = interpret("explain", "-f", reports, "--operation", "GetReplicas", *option)
    (table,) = [one for one in found if one["object"]["kind"] == "CronTab"]
    assert (table["tier"], table["plugin"]) == ("plugin", by)
    assert table["answer"]["replicas"] == 1
