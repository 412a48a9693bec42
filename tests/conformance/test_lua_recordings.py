"""Runs recordings of the reference's Lua tier and reports, file by file, how far we agree."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import recordings
from lua_agreement import agrees
from lua_differences import explain
from lua_runners import run

FOLDER = recordings.folder()
_NAMES = ("lua_vm", "kube_lib", "merge")
_FILES = [] if FOLDER is None else [FOLDER / "interpreter" / f"{name}.jsonl" for name in _NAMES]


@pytest.mark.skipif(not _FILES, reason="no recordings: set GOLDEN_DIR to their folder")
@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)
def test_lua_recordings_agree_or_differ_by_a_rule(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules: Counter[str] = Counter()
    failures: list[str] = []
    cases = recordings.read(path)
    for case in cases:
        answer = run(case)
        if agrees(case, answer):
            continue
        rule = explain(case, answer)
        if rule is None:
            failures.append(f"{case.id}: wanted {case.expect}, got {answer}")
        else:
            rules[rule.name] += 1
    differing = sum(rules.values())
    agreeing = len(cases) - differing - len(failures)
    with capsys.disabled():
        detail = "".join(f"\n    {count} by rule: {name}" for name, count in sorted(rules.items()))
        print(
            f"\n{path.stem}: agree {agreeing}, by rule {differing}, "
            f"fail {len(failures)} of {len(cases)}{detail}"
        )
    assert cases, f"{path} holds no cases"
    assert not failures, "\n".join(failures)
