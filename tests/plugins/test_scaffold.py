"""``interpret new-plugin``: what it writes can be built, installed and tested at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from environments import new_environment

from interpreter.authoring.plugin_scaffold import plugin_scaffold
from interpreter.cli.new_plugin import command
from interpreter.errors import ConfigurationError, InvalidCustomization
from interpreter.machinery.gvk import GVK

WIDGET = GVK("example.com", "v1", "Widget")


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def new(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def test_a_project_lists_its_files_and_what_to_do_next() -> None:
    result = new("widget-plugin", "--kind", "example.com/v1/Widget")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "widget-plugin/README.md",
        "widget-plugin/pyproject.toml",
        "widget-plugin/src/widget_plugin/__init__.py",
        "widget-plugin/tests/cases/Widget/v1/aggregate_status.yaml",
        "widget-plugin/tests/cases/Widget/v1/get_replicas.yaml",
        "widget-plugin/tests/cases/Widget/v1/interpret_health.yaml",
        "widget-plugin/tests/cases/Widget/v1/revise_replica.yaml",
        "widget-plugin/tests/test_widget_plugin.py",
    ]
    assert result.stderr == (
        "next: pip install -e 'widget-plugin[test]', then pytest in widget-plugin\n"
    )


def test_a_project_is_built_installed_and_passes_its_tests(tmp_path: Path) -> None:
    kinds = ["example.com/v1/Widget", "example.com/v1beta1/Widget", "other.io/v1/Widget"]
    kinds += ["v1/Health"]
    result = new("widget-plugin", *(f"--kind={kind}" for kind in kinds))
    assert result.exit_code == 0, result.output
    environment = new_environment(tmp_path / "environment")
    environment.install(tmp_path / "widget-plugin")

    tested = environment.pytest(tmp_path / "widget-plugin")
    listed = environment.run("interpret", "plugins", "--load", "-o", "json", cwd=tmp_path)
    cases = environment.run("interpret", "test", "--plugins", "widget-plugin", cwd=tmp_path)

    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert "2 passed" in tested.stdout
    (report,) = json.loads(listed.stdout)
    assert (report["name"], report["status"], report["notes"]) == ("widget-plugin", "loaded", [])
    assert sorted(report["kinds"]) == sorted(kinds)
    assert cases.stdout.splitlines()[-1] == "28 passed, 0 failed"


def test_versions_share_a_class_and_names_that_are_taken_get_another() -> None:
    kinds = [
        WIDGET,
        WIDGET._replace(version="v2"),
        GVK("other.io", "v1", "Widget"),
        GVK("", "v1", "Health"),
    ]
    code = plugin_scaffold("w", kinds)[Path("src/w/__init__.py")]
    compile(code, "w", "exec")
    assert [line for line in code.splitlines() if line.startswith(("@", "class"))] == [
        '@handles("example.com/v1", "Widget")',
        '@handles("example.com/v2", "Widget")',
        "class Widget:",
        '@handles("other.io/v1", "Widget")',
        "class WidgetOfOtherIo:",
        '@handles("v1", "Health")',
        "class HealthHooks:",
    ]


@pytest.mark.parametrize(
    ("name", "kinds", "problem"),
    [
        ("Widget", [WIDGET], "cannot be the name of a plugin"),
        ("../widget", [WIDGET], "cannot be the name of a plugin"),
        ("json", [WIDGET], "a module json is there already"),
        ("interpreter", [WIDGET], "a module interpreter is there already"),
        ("class", [WIDGET], "a module class is there already"),
        ("widgets", [], "needs a kind"),
        ("widgets", [WIDGET._replace(kind="*")], "is no exact kind"),
        ("widgets", [WIDGET._replace(group="*.com")], "is no exact kind"),
        ("widgets", [WIDGET._replace(kind='A"')], "is no exact kind"),
    ],
)
def test_a_name_or_kind_that_cannot_be_used_is_an_error(
    name: str, kinds: list[GVK], problem: str
) -> None:
    with pytest.raises(ConfigurationError, match=problem):
        plugin_scaffold(name, kinds)


@pytest.mark.parametrize(
    "arguments", [["widgets"], ["widgets", "--kind", "Widget"]], ids=["no kind", "no version"]
)
def test_a_kind_of_another_form_is_wrong_usage(arguments: list[str]) -> None:
    assert new(*arguments).exit_code == 2


def test_own_work_is_not_overwritten() -> None:
    new("w", "--kind", "example.com/v1/Widget")
    readme = Path("w/README.md")
    readme.write_text("mine\n")
    again = new("w", "--kind", "example.com/v1/Widget")
    assert isinstance(again.exception, InvalidCustomization)
    assert readme.read_text() == "mine\n"
    assert new("w", "--kind", "example.com/v1/Widget", "--force").stdout == "w/README.md\n"
