"""``interpret plugins`` and the options about plugins, with distributions that a process finds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from sites import install

ROOT = Path(__file__).parents[2]
WIDGET = '{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}}'


def plugin(answer: int) -> str:
    return (
        "from interpreter import handles\n"
        '@handles("example.com/v1", "Widget")\n'
        "class Plugin:\n"
        "    def get_replicas(self, obj):\n"
        f"        return {answer}\n"
    )


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Three distributions: one that declares its kind, one that does not, one that is broken."""
    folder = tmp_path / "site"
    install(
        folder,
        "widgets",
        files={"widgets.py": plugin(7)},
        plugins={"widget": "widgets:Plugin"},
        kinds={"example.com/v1/Widget": "widgets:Plugin"},
    )
    install(folder, "others", files={"others.py": plugin(8)}, plugins={"other": "others"})
    install(
        folder,
        "broken",
        files={"broken.py": "raise RuntimeError('no licence')\n"},
        plugins={"broken": "broken"},
    )
    return folder


def interpret(
    site: Path, *arguments: str, stdin: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "interpreter", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        cwd=ROOT,
        check=False,
        env={**os.environ, "PYTHONPATH": str(site), **environment},
    )


def test_plugins_are_listed_without_importing_them(site: Path) -> None:
    done = interpret(site, "plugins", "-o", "json")
    listed = json.loads(done.stdout)
    assert [(one["name"], one["status"], one["kinds"]) for one in listed] == [
        ("broken", "not needed yet", None),
        ("other", "not needed yet", None),
        ("widget", "not needed yet", ["example.com/v1/Widget"]),
    ]
    assert listed[2]["distribution"] == "widgets"
    assert listed[2]["version"] == "1.0"
    assert listed[2]["path"] == str(site)
    assert done.returncode == 0


def test_the_table_shows_what_failed_with_its_traceback_and_what_only_names_decide(
    site: Path,
) -> None:
    done = interpret(site, "plugins", "--load")
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["NAME", "DISTRIBUTION", "KINDS", "HOOKS", "PRIORITY", "STATUS"]
    assert lines[3].split() == [
        "widget",
        "widgets",
        "1.0",
        "example.com/v1/Widget",
        "get_replicas",
        "0",
        "loaded",
    ]
    assert "broken is failed: RuntimeError: no licence" in done.stdout
    assert "raise RuntimeError('no licence')" in done.stdout
    assert (
        "note: GetReplicas of example.com/v1/Widget is claimed by other and widget; "
        "other is asked first" in done.stdout
    )
    assert done.returncode == 1


def test_a_plugin_that_failed_is_told_of_beside_the_answer(site: Path) -> None:
    done = interpret(site, "run", "GetReplicas", "-f", "-", stdin=WIDGET)
    assert done.stdout.splitlines()[1].split() == ["Widget", "w", "8", "replicas"]
    assert "warning: plugin broken failed: RuntimeError: no licence" in done.stderr
    assert done.stderr.count("no licence") == 1
    assert done.returncode == 0


def test_a_quarantine_is_told_of_without_sending_to_a_process_that_knows_nothing_of_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "bad.py").write_text(plugin(9).replace("return 9", "raise ValueError('x')"))
    done = interpret(
        tmp_path,
        *("run", "GetReplicas", "-f", "-", "--plugins-dir", str(tmp_path), "--plugins", ""),
        stdin=WIDGET,
        RESOURCE_INTERPRETER_PLUGIN_FAILURES="1",
    )
    warning = done.stderr.splitlines()[-1]
    assert warning.startswith(
        "warning: plugin bad is in quarantine after 1 failures, the last ValueError"
    )
    assert "interpret plugins" not in warning
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("arguments", "environment", "replicas"),
    [
        (("--plugins", "widget"), {}, 7),
        (("--no-plugin", "other", "--no-plugin", "broken"), {}, 7),
        ((), {"RESOURCE_INTERPRETER_PLUGINS": "widget"}, 7),
        ((), {"RESOURCE_INTERPRETER_ALLOWED_PLUGINS": "widget"}, 7),
        ((), {"RESOURCE_INTERPRETER_PLUGINS": ""}, None),
        (("--plugins", ""), {}, None),
        (("--plugins", "widget,other"), {}, 8),
        ((), {"RESOURCE_INTERPRETER_DISABLE": "plugin:other, plugin:broken"}, 7),
    ],
)
def test_options_and_environment_choose_plugins(
    site: Path, arguments: tuple[str, ...], environment: dict[str, str], replicas: int | None
) -> None:
    done = interpret(site, "run", "GetReplicas", "-f", "-", *arguments, stdin=WIDGET, **environment)
    assert "warning" not in done.stderr
    if replicas is None:
        assert done.returncode == 1
        assert "not found" in done.stderr
    else:
        assert f" {replicas} replicas" in done.stdout


def test_a_folder_of_files_joins_the_installed_ones(site: Path, tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text(plugin(9).replace("class Plugin", "class First"))
    done = interpret(
        site, "run", "GetReplicas", "-f", "-", "--plugins-dir", str(tmp_path), stdin=WIDGET
    )
    assert " 9 replicas" in done.stdout
    assert "plugin broken failed" in done.stderr


def test_strict_plugins_end_the_command(site: Path) -> None:
    for arguments, environment in (
        (("--strict-plugins",), {}),
        ((), {"RESOURCE_INTERPRETER_STRICT_PLUGINS": "1"}),
    ):
        done = interpret(
            site, "run", "GetReplicas", "-f", "-", *arguments, stdin=WIDGET, **environment
        )
        assert done.returncode == 1
        assert "'broken' (broken) cannot be used: RuntimeError: no licence" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--plugins", "wigdet"), "no plugin named 'wigdet' is installed (widget?)"),
        (("--plugins-dir", "/nowhere"), "/nowhere"),
    ],
)
def test_what_is_not_there_is_wrong_usage(
    site: Path, arguments: tuple[str, ...], problem: str
) -> None:
    done = interpret(site, "plugins", *arguments)
    assert done.returncode == 2
    assert problem in done.stderr


def test_a_switch_for_a_plugin_that_is_not_there_is_warned_about(site: Path) -> None:
    done = interpret(site, "kinds", "--no-plugin", "wigdet", "--tier", "plugin")
    assert "warning: --no-plugin wigdet names nothing that is here" in done.stderr


def test_a_trace_tells_of_everybody_who_is_asked(site: Path) -> None:
    done = interpret(
        site, "run", "GetReplicas", "-f", "-", stdin=WIDGET, RESOURCE_INTERPRETER_TRACE="1"
    )
    assert (
        "trace: GetReplicas of example.com/v1/Widget w: plugin:other others.Plugin" in done.stderr
    )


def test_help_finds_no_entry_points(site: Path) -> None:
    code = (
        "from interpreter.cli.main import group\n"
        "group.main(['--help'], standalone_mode=False)\n"
        "import sys; print('importlib.metadata' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(site)},
        cwd=ROOT,
    )
    assert done.stdout.splitlines()[-1] == "False"


@pytest.mark.parametrize("how", ["pack", "chain"])
def test_answers_of_packs_and_of_chained_scripts_have_the_order_of_the_object(
    site: Path, tmp_path: Path, how: str
) -> None:
    """LuaJIT hashes with a seed of the process: each process has an order of its own."""
    script = "function ReviseReplica(obj, replicas)\n  return obj\nend\n"
    install(
        site,
        "pack",
        files={"pack/apps/v1/Deployment/revise_replica.lua": script},
        packs={"pack": "pack"},
    )
    rules = {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterCustomization",
        "metadata": {"name": "c", "annotations": {"resource-interpreter.io/chain": "true"}},
        "spec": {
            "target": {"apiVersion": "apps/v1", "kind": "Deployment"},
            "customizations": {"replicaRevision": {"luaScript": script}},
        },
    }
    (tmp_path / "rules.json").write_text(json.dumps(rules))
    spec = dict.fromkeys(("zone", "replicas", "alpha", "mid", "beta", "image", "x", "y"), 1)
    obj = {"kind": "Deployment", "apiVersion": "apps/v1", "spec": spec, "metadata": {"name": "w"}}
    given = ("--plugins", "pack") if how == "pack" else ("-c", str(tmp_path / "rules.json"))
    asked = ("-f", "-", "-o", "json", *given)
    revised = ("run", "ReviseReplica", "--replicas", "1")
    explained = ("explain", "--operation", "ReviseReplica", "--replicas", "1")
    answers = [
        json.loads(interpret(site, *revised, *asked, stdin=json.dumps(obj)).stdout),
        json.loads(interpret(site, *explained, *asked, stdin=json.dumps(obj)).stdout)[0]["answer"],
    ]
    for answer in answers:
        assert list(answer) == list(obj)
        assert list(answer["spec"]) == list(spec)
