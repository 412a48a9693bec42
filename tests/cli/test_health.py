"""``interpret health`` as its users run it: real processes, real files."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.cli.test_commands import ROOT, interpret

ROLLOUT = str(ROOT / "examples" / "rollout.yaml")
SHOP = str(ROOT / "examples" / "shop")
WIDGETS = """\
apiVersion: v1
kind: List
items:
- apiVersion: example.com/v1
  kind: Widget
  metadata: {name: good, namespace: a}
  status: {phase: Running}
- apiVersion: example.com/v1
  kind: Widget
  metadata: {name: bad, namespace: b}
  status: {phase: Failed, message: the disk is full}
- apiVersion: example.com/v1
  kind: Widget
  metadata: {name: new, namespace: b}
  status: {phase: Creating}
"""


def health(*arguments, **more):
    return interpret("health", *arguments, **more)


def test_the_documents_show_what_the_command_prints():
    page = (ROOT / "docs" / "health.md").read_text()
    table = health("-f", "examples/rollout.yaml", "--fail-on", "Degraded")
    counts = health("-f", "examples/rollout.yaml", "--summary")
    assert table.stdout in page
    assert table.stderr in page
    assert counts.stdout in page


def test_a_table_has_status_reason_message_and_who_answered():
    done = health("-f", "-", stdin=WIDGETS)
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "OBJECT         STATUS       REASON    ANSWERED BY  MESSAGE",
        "Widget a/good  Healthy      Running   generic",
        "Widget b/bad   Degraded     Failed    generic      the disk is full",
        "Widget b/new   Progressing  Creating  generic",
    ]


def test_an_owner_is_as_bad_as_the_worst_of_what_it_owns():
    done = health("-f", ROLLOUT, "-o", "json")
    records = {record["object"]["name"]: record for record in json.loads(done.stdout)}
    top, pod = records["checkout"], records["checkout-7c9d-qx2vn"]
    assert done.returncode == 0
    assert (top["status"], top["own"]["status"], top["healthy"]) == (
        "Degraded", "Progressing", False,
    )  # fmt: skip
    assert top["reason"] == pod["reason"] == "CrashLoopBackOff"
    assert top["message"] == f"Pod shop/checkout-7c9d-qx2vn: {pod['message']}"
    assert top["cause"] == pod["object"]
    assert pod["owner"] == records["checkout-7c9d"]["object"]
    assert "cause" not in pod
    assert "owner" not in top
    assert pod["answeredBy"] == "native"
    assert pod["source"] == f"{ROLLOUT}, document 1, item 4"
    assert records["checkout-5f6b"]["status"] == "Healthy"


def test_yaml_and_json_hold_the_same():
    from interpreter.codec import yaml

    as_json = json.loads(health("-f", SHOP, "-o", "json").stdout)
    as_yaml = [each.value for each in yaml.load_all(health("-f", SHOP, "-o", "yaml").stdout)]
    assert as_yaml == as_json
    assert len(as_json) > 30


def test_owners_are_found_over_several_files(tmp_path: Path) -> None:
    items = json.loads(health("-f", ROLLOUT, "-o", "json").stdout)
    from interpreter.codec import yaml

    (document,) = yaml.load_all((ROOT / "examples/rollout.yaml").read_text())
    names = []
    for number, item in enumerate(reversed(document.value["items"])):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(item))
        names += ["-f", str(path)]
    again = json.loads(health(*names, "-o", "json").stdout)
    assert {one["object"]["name"]: one["status"] for one in again} == {
        one["object"]["name"]: one["status"] for one in items
    }


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        pytest.param(["--fail-on", "Missing"], 0, "", id="none is in that state"),
        pytest.param(
            ["--fail-on", "Degraded"],
            1,
            "failed: 1 of 3 objects is Degraded: Widget b/bad\n",
            id="one is",
        ),
        pytest.param(
            ["--fail-on", "degraded, PROGRESSING"],
            1,
            "failed: 2 of 3 objects are Degraded or Progressing: Widget b/bad, Widget b/new\n",
            id="several states, in any spelling",
        ),
        pytest.param(
            ["--fail-on", "Healthy", "--fail-on", "Missing", "--summary"],
            1,
            "failed: 1 of 3 objects is Healthy or Missing: Widget a/good\n",
            id="repeated, with a summary",
        ),
        pytest.param(
            ["--fail-on", "Progressing", "-o", "json"],
            1,
            "failed: 1 of 3 objects is Progressing: Widget b/new\n",
            id="as JSON",
        ),
    ],
)
def test_the_exit_code_is_for_ci(options, code, told):
    done = health("-f", "-", *options, stdin=WIDGETS)
    assert (done.returncode, done.stderr) == (code, told)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        pytest.param(["--fail-on", "Broken"], "'Broken' is none of Healthy,", id="state"),
        pytest.param(["--fail-on", ""], "'' is none of", id="no state"),
        pytest.param(["--summary", "-o", "junit"], "--summary has no JUnit form", id="summary"),
        pytest.param(["-o", "name"], "'name' is not one of", id="format"),
    ],
)  # fmt: skip
def test_wrong_usage_exits_with_2(options, told):
    done = health("-f", "-", *options, stdin=WIDGETS)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr


def test_no_file_and_no_object_are_told(tmp_path: Path) -> None:
    nothing, empty = health(), health("-f", "-", stdin="kind: List\napiVersion: v1\nitems: []\n")
    assert (nothing.returncode, empty.returncode) == (2, 1)
    assert "Missing option '-f'" in nothing.stderr
    assert "no object in the given files" in empty.stderr


def test_the_summary_counts_by_namespace_and_kind():
    done = health("-f", "-", "--summary", stdin=WIDGETS)
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["NAMESPACE", "KIND", "TOTAL", "HEALTHY", "PROGRESSING", "DEGRADED", "SUSPENDED",
         "MISSING", "UNKNOWN"],
        ["a", "Widget.example.com", "1", "1", "-", "-", "-", "-", "-"],
        ["b", "Widget.example.com", "2", "-", "1", "1", "-", "-", "-"],
        ["total", "3", "1", "1", "1", "-", "-", "-"],
    ]  # fmt: skip
    records = json.loads(health("-f", "-", "--summary", "-o", "json", stdin=WIDGETS).stdout)
    assert records[1] == {
        "namespace": "b",
        "group": "example.com",
        "kind": "Widget",
        "total": 2,
        "statuses": {
            "Healthy": 0, "Progressing": 1, "Degraded": 1, "Suspended": 0, "Missing": 0,
            "Unknown": 0,
        },
    }  # fmt: skip


def test_junit_has_a_suite_for_each_namespace_and_fails_what_is_to_fail():
    plain = ET.fromstring(health("-f", "-", "-o", "junit", stdin=WIDGETS).stdout)
    strict = health("-f", "-", "-o", "junit", "--fail-on", "Progressing", stdin=WIDGETS)
    assert [suite.get("name") for suite in plain] == ["a", "b"]
    assert (plain.get("tests"), plain.get("failures"), plain.get("errors")) == ("3", "1", "0")
    (failure,) = plain.iter("failure")
    assert failure.get("message") == "Degraded (Failed): the disk is full"
    (text,) = plain[0].iter("system-out")
    assert text.text == "Healthy (Running)"
    failed = [case.get("name") for case in ET.fromstring(strict.stdout).iter("testcase")
              if case.find("failure") is not None]  # fmt: skip
    assert failed == ["Widget b/new"]
    assert strict.returncode == 1


def test_a_rule_of_ones_own_comes_first_and_its_error_is_told(tmp_path: Path) -> None:
    script = 'function InterpretHealth(obj) return {status = "Suspended", message = obj.a.b} end'
    rule = {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterCustomization",
        "metadata": {"name": "mine"},
        "spec": {
            "target": {"apiVersion": "example.com/v1", "kind": "Widget"},
            "customizations": {"healthInterpretation": {"luaScript": script}},
        },
    }
    (tmp_path / "rule.json").write_text(json.dumps(rule))
    good = WIDGETS.replace("  kind: Widget\n", "  kind: Widget\n  a: {b: asked to}\n", 1)
    done = health("-f", "-", "-c", str(tmp_path / "rule.json"), stdin=good)
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    assert rows[0][2:] == ["Suspended", "customization:mine", "asked", "to"]
    assert rows[1][2:5] == ["Unknown", "LuaScriptError", "customization:mine"]
    assert done.returncode == 1
    told = done.stderr.splitlines()
    assert len(told) == 2
    assert told[0].startswith("error: <stdin>, document 1, item 2: mine/healthInterpretation:1:")
    junit = health("-f", "-", "-c", str(tmp_path / "rule.json"), "-o", "junit", stdin=good)
    assert ET.fromstring(junit.stdout).get("errors") == "2"


def test_a_kind_that_nobody_may_answer_is_unknown():
    done = health("-f", "-", "--tier", "native", "-o", "json", stdin=WIDGETS)
    records = json.loads(done.stdout)
    assert done.returncode == 0
    assert {(one["status"], one["reason"], one["answeredBy"]) for one in records} == {
        ("Unknown", "NoInterpreter", None)
    }


def test_names_and_messages_cannot_command_a_terminal():
    odd = {
        "apiVersion": "example.com/v1",
        "kind": "Odd\u001b[31m",
        "metadata": {"name": "a\nb\u001b]0;x\u0007", "namespace": "n\u001b[2J"},
        "status": {"phase": "Failed", "message": "m\u001b[2J\nsecond line"},
    }
    for options in ([], ["--summary"], ["-o", "junit"], ["--fail-on", "Degraded"]):
        done = health("-f", "-", *options, stdin=json.dumps(odd))
        assert "\u001b" not in done.stdout + done.stderr
        assert "\u0007" not in done.stdout + done.stderr
    assert len(health("-f", "-", stdin=json.dumps(odd)).stdout.splitlines()) == 2


@pytest.mark.parametrize("width", [70, 100, 250])
def test_a_terminal_gets_symbols_colours_and_its_own_width(width: int) -> None:
    plain = health("-f", ROLLOUT).stdout
    lines = on_a_terminal(width, "-f", ROLLOUT)
    assert "✗" not in plain
    assert "\u001b" not in plain
    assert "\u001b[31m✗ Degraded" in lines[1]
    assert "\u001b[34m‖ Suspended" in lines[-1]
    bare = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    assert bare[4].startswith("  └ Pod shop/checkout-7c9d-qx2vn")
    assert all(len(line) <= width for line in bare)
    assert ("ANSWERED BY" in bare[0]) == (width > 100)


def test_no_color_takes_the_colours_away_and_leaves_the_symbols() -> None:
    lines = on_a_terminal(200, "-f", ROLLOUT, NO_COLOR="1")
    assert "✗ Degraded" in lines[1]
    assert not any("\u001b[3" in line for line in lines)


def test_a_terminal_without_unicode_gets_no_symbols() -> None:
    lines = on_a_terminal(200, "-f", ROLLOUT, PYTHONIOENCODING="ascii")
    assert "Degraded" in lines[1]
    assert "✗" not in lines[1]
    assert "\\u" not in "".join(lines)


def on_a_terminal(width: int, *arguments: str, **environment: str) -> list[str]:
    import pty

    output = bytearray()

    def read(descriptor: int) -> bytes:
        data = os.read(descriptor, 4096)
        output.extend(data)
        return data

    words = " ".join([sys.executable, "-m", "interpreter", "health", *arguments])
    values = {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "TERM": "xterm-256color"}
    setting = " ".join(f"{name}={value}" for name, value in {**values, **environment}.items())
    command = f"stty cols {width}; exec env -u NO_COLOR -u COLUMNS {setting} {words}"
    pty.spawn(["/bin/sh", "-c", command], read)
    return output.decode(errors="replace").replace("\r", "").splitlines()


def test_ten_thousand_objects_are_one_table(tmp_path: Path) -> None:
    item = "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: c{0}\n    namespace: n\n"
    dump = "apiVersion: v1\nkind: List\nitems:\n" + "".join(map(item.format, range(10_000)))
    (tmp_path / "dump.yaml").write_text(dump)
    done = health("-f", str(tmp_path / "dump.yaml"))
    assert len(done.stdout.splitlines()) == 10_001
    counted = health("-f", str(tmp_path / "dump.yaml"), "--summary", "-o", "json")
    assert json.loads(counted.stdout)[0]["statuses"]["Healthy"] == 10_000


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "interpreter", "health", "-f", SHOP, "-o", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read().decode()
    process.stderr.close()
    process.wait(60)
    assert "Traceback" not in errors


def test_the_script_of_the_page_is_clean_tested_and_answers(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "health.md").read_text()
    for name, text in re.findall(r"^`(\S+)`\n\n```\w+\n(.*?)^```$", page, re.DOTALL | re.MULTILINE):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    scripts = str(tmp_path / "my_scripts")
    checked = interpret("check", scripts)
    tested = interpret("test", scripts, "--coverage", "--fail-under", "100")
    made = interpret("bundle", scripts, "-o", str(tmp_path / "backup.yaml"))
    assert (checked.returncode, tested.returncode, made.returncode) == (0, 0, 0), tested.stdout
    assert checked.stdout.startswith("no findings in 1 script")
    backup = "{apiVersion: example.com/v1, kind: Backup, metadata: {name: b}, spec: {paused: true}}"
    done = health("-f", "-", "-c", str(tmp_path / "backup.yaml"), stdin=backup)
    assert done.stdout.splitlines()[1].split()[2:4] == ["Suspended", "Paused"]
