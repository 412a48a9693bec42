"""Cases of plugins: the same files as for scripts, put to plugins."""

from __future__ import annotations

import json
import unittest
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from interpreter import HookContext, Operation, handles, hookimpl
from interpreter.cli.test import command
from interpreter.errors import ConfigurationError, PluginError
from interpreter.testing import (
    assert_case,
    find_cases,
    run_plugin_cases,
    strict_interpreter,
)
from interpreter.testing.junit import junit_xml

REPLICAS = """\
- name: the size is the count
  object: {apiVersion: example.com/v1, kind: Widget, spec: {size: 3}}
  want: 3
- name: without a size it is an error
  object: {apiVersion: example.com/v1, kind: Widget, spec: {}}
  want_error: "KeyError: 'size'"
"""
HEALTH = """\
- name: a widget is fine
  object: {apiVersion: example.com/v1, kind: Widget}
  want: true
"""
PLUGIN = """\
from interpreter import handles

@handles("example.com/v1", "Widget")
class Widget:
    def get_replicas(self, obj):
        return obj["spec"]["size"]

    def interpret_health(self, obj):
        return True
"""


@handles("example.com/v1", "Widget")
class Widget:
    def get_replicas(self, obj: Any) -> int:
        return int(obj["spec"]["size"])

    def interpret_health(self, obj: Any) -> bool:
        return True


@pytest.fixture(autouse=True)
def cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of cases; the folder above it is the current one."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "tests" / "cases"
    folder.mkdir(parents=True)
    (folder / "get_replicas.yaml").write_text(REPLICAS)
    (folder / "interpret_health.yaml").write_text(HEALTH)
    return folder


def test_the_cases_of_a_plugin_pass() -> None:
    report = run_plugin_cases("tests", plugins=[Widget])
    assert report.ok(), report.text()
    assert report.text().splitlines() == [
        "example.com/v1/Widget  Widget",
        "  GetReplicas       2 passed",
        "  InterpretHealth   1 passed",
    ]


def test_a_difference_and_a_hook_without_a_case_are_failures(cases: Path) -> None:
    (cases / "interpret_health.yaml").unlink()
    (cases / "get_replicas.yaml").write_text(REPLICAS.replace("want: 3", "want: 4"))
    report = run_plugin_cases(plugins=[Widget])
    assert not report.ok()
    text = report.text()
    assert "FAILED example.com/v1/Widget GetReplicas: the size is the count" in text
    assert "want differs: want 4, got 3" in text
    assert "NO CASE example.com/v1/Widget InterpretHealth\n  Widget: " in text
    assert b"Widget.interpret_health" in junit_xml(report)


def test_a_native_answer_is_not_taken_for_the_plugins(cases: Path) -> None:
    (cases / "get_replicas.yaml").write_text(
        "- name: native knows it\n"
        "  object: {apiVersion: apps/v1, kind: Deployment, spec: {replicas: 3}}\n"
        "  want: {replicas: 3, requirements: {nodeClaim: {}}}\n"
    )
    report = run_plugin_cases(plugins=[Widget])
    (failed,) = report.failures
    assert failed.mismatches[0].text == (
        "no plugin claims GetReplicas of apps/v1/Deployment (the hook get_replicas)"
    )


def test_a_plugin_that_changes_its_input_fails(cases: Path) -> None:
    @handles("example.com/v1", "Widget")
    class Changes(Widget):
        def get_replicas(self, obj: Any) -> int:
            return int(obj["spec"].pop("size"))

    report = run_plugin_cases(plugins=[Changes])
    assert [one.case.name for one in report.failures] == ["the size is the count"]
    assert "the plugin failed: plugin 'Changes' changed its input obj" in report.text()


def test_prune_and_wrappers_and_the_tiers_below_can_have_cases(cases: Path) -> None:
    @handles("batch/v1", "Job")
    class KeepsTtl:
        def prune(self, obj: Any, remove_job_ttl: bool, context: HookContext) -> Any:
            pruned = context.next_tier()
            pruned["metadata"]["annotations"] = {"ttl": "off" if remove_job_ttl else "on"}
            return pruned

    class Doubles:
        name = "doubles"

        @hookimpl
        def handles(self) -> Any:
            return [handles("*", "Deployment")]

        @hookimpl(wrapper=True)
        def get_replicas(self) -> Any:
            answer = yield
            return answer.replicas * 2

    for file in cases.iterdir():
        file.unlink()
    (cases / "prune.yaml").write_text(
        "- name: with its time to live\n"
        "  object: {apiVersion: batch/v1, kind: Job, metadata: {name: j}, status: {active: 1}}\n"
        "  want: {apiVersion: batch/v1, kind: Job, metadata: {name: j, annotations: {ttl: 'on'}}}\n"
        "- name: without\n"
        "  remove_job_ttl: true\n"
        "  object: {apiVersion: batch/v1, kind: Job, metadata: {name: j}}\n"
        "  want_patch: {metadata: {annotations: {ttl: 'off'}}}\n"
        "- name: neither\n"
        "  remove_job_ttl: 3\n"
        "  object: {apiVersion: batch/v1, kind: Job, metadata: {name: j}}\n"
        "  want_patch: {metadata: {}}\n"
    )
    (cases / "get_replicas.yaml").write_text(
        "- name: twice as many\n"
        "  object: {apiVersion: apps/v1, kind: Deployment, spec: {replicas: 3}}\n"
        "  want: 6\n"
    )
    report = run_plugin_cases(plugins=[KeepsTtl, Doubles])
    assert [one.case.name for one in report.failures] == ["neither"]
    assert "remove_job_ttl: must be true or false" in report.text()
    assert report.untested == []


def test_one_test_for_each_case() -> None:
    first, error, health = find_cases("tests/cases")
    with strict_interpreter([Widget]) as ri:
        for case in (first, error, health):
            assert_case(case, ri)
    with strict_interpreter([]) as ri, pytest.raises(AssertionError) as caught:
        assert_case(health, ri)
    assert str(caught.value).splitlines()[:2] == [
        "tests/cases/interpret_health.yaml:1: a widget is fine",
        "want differs: want true, got false",
    ]


def test_a_case_that_cannot_be_read_fails_and_one_that_is_skipped_says_why(cases: Path) -> None:
    (cases / "retain.yaml").write_text(
        "- name: skipped\n  skip: no cluster\n  desired: {}\n  observed: {}\n  want: {}\n"
        "- name: misspelt\n  desird: {}\n"
    )
    skipped, broken = find_cases(cases / "retain.yaml")
    with strict_interpreter([Widget]) as ri:
        with pytest.raises(unittest.SkipTest, match="no cluster"):
            assert_case(skipped, ri)
        with pytest.raises(AssertionError, match="unknown field 'desird'"):
            assert_case(broken, ri)


@pytest.mark.parametrize("path", ["nowhere", "tests/empty"])
def test_no_cases_at_all_is_an_error(path: str) -> None:
    Path("tests/empty").mkdir()
    with pytest.raises(ConfigurationError):
        find_cases(path)


def test_a_plugin_that_cannot_be_used_is_an_error() -> None:
    Path("plugins").mkdir()
    Path("plugins/broken.py").write_text("raise RuntimeError('no licence')\n")
    with pytest.raises(PluginError, match="no licence"):
        run_plugin_cases("tests", plugins=[Path("plugins")])


def run(*arguments: str) -> Any:
    return CliRunner().invoke(command, arguments)


@pytest.mark.parametrize("processes", ["1", "2"])
def test_the_command_runs_cases_on_files_of_a_folder(processes: str) -> None:
    Path("plugins").mkdir()
    Path("plugins/widget.py").write_text(PLUGIN)
    result = run("--plugins-dir", "plugins", "-j", processes, "-o", "json")
    found = json.loads(result.stdout)
    assert result.exit_code == 0
    assert (found["passed"], found["failed"], found["untested"]) == (3, 0, [])


def test_the_command_writes_observed_answers_of_plugins(cases: Path) -> None:
    Path("plugins").mkdir()
    Path("plugins/widget.py").write_text(PLUGIN)
    (cases / "interpret_health.yaml").write_text(HEALTH.replace("want: true", "want:"))
    assert run("--plugins-dir", "plugins", "--update").exit_code == 0
    assert (cases / "interpret_health.yaml").read_text() == HEALTH


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--plugins-dir", ".", "--coverage"], "--coverage is of Lua lines"),
        (["--plugins", "x", "--watch"], "--watch sees files"),
    ],
)
def test_what_does_not_go_together_is_wrong_usage(arguments: list[str], problem: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert problem in result.output


def test_the_command_watches_files_of_plugins() -> None:
    Path("plugins").mkdir()
    Path("plugins/widget.py").write_text(PLUGIN)
    result = run("--plugins-dir", "plugins", "--watch", "--watch-runs", "1")
    assert result.exit_code == 0


def test_cases_have_the_operation_of_their_file() -> None:
    operations = {case.operation for case in find_cases()}
    assert operations == {Operation.GET_REPLICAS, Operation.INTERPRET_HEALTH}
