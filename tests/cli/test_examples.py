"""The example's Lua scripts, as the documents use them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.test_commands import ROOT, interpret

SCRIPTS = str(ROOT / "examples" / "lua_scripts")
REPORTS = str(ROOT / "examples" / "shop" / "reports.yaml")


def test_scripts_are_clean_and_every_line_is_tested(tmp_path: Path) -> None:
    checked = interpret("check", SCRIPTS)
    tested = interpret("test", SCRIPTS, "--fail-under", "100", cwd=tmp_path)

    assert (checked.returncode, checked.stdout) == (0, "no findings in 4 scripts of 4 files\n")
    assert tested.returncode == 0
    assert tested.stdout.splitlines()[-1] == "9 passed, 0 failed"


def test_a_bundle_answers_where_nobody_did(tmp_path: Path) -> None:
    bundle = str(tmp_path / "crontab.yaml")

    made = interpret("bundle", SCRIPTS, "-o", bundle)
    before = interpret("run", "GetReplicas", "-f", REPORTS, "-o", "json")
    after = interpret("run", "GetReplicas", "-f", REPORTS, "-c", bundle, "-o", "json")
    explained = interpret("explain", "-f", REPORTS, "-c", bundle, "--answered", "-o", "json")

    assert made.stderr == f"{bundle}: 1 customization, 4 scripts\n"
    assert _records(before.stdout) == []
    assert [one["answer"]["replicas"] for one in _records(after.stdout)] == [1]
    who = {
        (one["object"]["kind"], one["operation"]): one["plugin"]
        for one in _records(explained.stdout)
    }
    name = "declarative-crontab-v1-stable-example-com"
    assert who["CronTab", "GetReplicas"] == who["CronTab", "InterpretHealth"] == name
    assert who["CronTab", "ReflectStatus"] == "native"


def test_a_script_error_is_told_with_its_line(tmp_path: Path) -> None:
    bundle = tmp_path / "crontab.yaml"
    interpret("bundle", SCRIPTS, "-o", str(bundle))
    bundle.write_text(bundle.read_text().replace("obj.spec.replicas or 1", "obj.spec.size * 2"))

    ran = interpret("run", "GetReplicas", "-f", REPORTS, "-c", str(bundle))
    explained = interpret("explain", "-f", REPORTS, "-c", str(bundle), "--operation", "GetReplicas")

    told = (
        "declarative-crontab-v1-stable-example-com/replicaResource:2: attempt to perform arithmetic"
    )
    assert ran.returncode == explained.returncode == 1
    assert f"document 2: {told}" in ran.stderr
    assert told in explained.stdout


def _records(text: str) -> list[dict[str, Any]]:
    found: Any = json.loads(text)
    return found if isinstance(found, list) else [found]
