"""``interpret new-plugin``: what it writes can be built, installed and tested at once."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from environments import ROOT, Environment, new_environment

from interpreter.authoring.plugin_scaffold import plugin_scaffold
from interpreter.cli.new_plugin import command
from interpreter.errors import ConfigurationError, InvalidCustomization
from interpreter.machinery.gvk import GVK

WIDGET = GVK("example.com", "v1", "Widget")
PAGE = (ROOT / "docs" / "testing-plugins.md").read_text()


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with nothing but this project."""
    return new_environment(tmp_path_factory.mktemp("environments") / "scaffold")


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def new(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def test_the_page_shows_what_is_written_and_what_to_do_next() -> None:
    result = new("widget-plugin", "--kind", "example.com/v1/Widget")
    assert result.exit_code == 0
    shown = PAGE.split("$ interpret new-plugin widget-plugin --kind example.com/v1/Widget\n")[1]
    assert shown.startswith(f"{result.stdout}{result.stderr}```")
    assert all(Path(line).is_file() for line in result.stdout.splitlines())


def test_a_project_is_built_installed_and_passes_its_tests(
    tmp_path: Path, environment: Environment
) -> None:
    kinds = ["example.org/v1/Gadget", "example.org/v1beta1/Gadget", "other.io/v1/Gadget"]
    kinds += ["v1/Health"]
    result = new("gadgets", *(f"--kind={kind}" for kind in kinds))
    assert result.exit_code == 0, result.output
    environment.install(tmp_path / "gadgets")

    tested = environment.pytest(tmp_path / "gadgets")
    listed = environment.run("interpret", "plugins", "--load", "-o", "json", cwd=tmp_path)
    cases = environment.run("interpret", "test", "--plugins", "gadgets", cwd=tmp_path)

    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert "2 passed" in tested.stdout
    (report,) = [one for one in json.loads(listed.stdout) if one["name"] == "gadgets"]
    assert (report["status"], report["notes"]) == ("loaded", [])
    assert sorted(report["kinds"]) == sorted(kinds)
    assert cases.stdout.splitlines()[-1] == "28 passed, 0 failed"


def test_the_tests_in_the_page_pass_in_such_a_project(
    tmp_path: Path, environment: Environment
) -> None:
    new("widget-plugin", "--kind", "example.com/v1/Widget")
    project = tmp_path / "widget-plugin"
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (project / "tests" / "test_page.py").write_text("\n\n".join(blocks))
    environment.install(project)
    done = environment.pytest(project)
    assert done.returncode == 0, done.stdout + done.stderr
    # The project's two, the page's four, and one for each of seven cases.
    assert "13 passed" in done.stdout


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
