"""Runs recordings of the reference and reports, file by file, how far we agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import compare
import differences
import lua_agreement
import lua_differences
import lua_runners
import pipeline_dependencies
import pipeline_eviction
import pipeline_member
import pipeline_names
import pipeline_override
import pipeline_policies
import pipeline_status
import pipeline_works
import pytest
import recordings
import runners
import scheduler_bindings
import scheduler_machinery
import scheduler_passes
import thirdparty
from recordings import Answer, Case, Rule


@dataclass(frozen=True)
class Suite:
    """How the recordings of some files are run and judged.

    Attributes:
        files: Pattern of their names.
        run: Our answer to a case.
        agrees: Whether it is the recorded one.
        explain: The rule by which it may differ, or None.
        folder: Folder that holds the files.
    """

    files: str
    run: Callable[[Case], Answer]
    agrees: Callable[[Case, Answer], bool]
    explain: Callable[[Case, Answer], Rule | None]
    folder: str = "interpreter"


_NATIVE = (runners.run, compare.agrees, differences.explain)
_LUA = (lua_runners.run, lua_agreement.agrees, lua_differences.explain)
SUITES = (
    Suite("native_*.jsonl", *_NATIVE),
    Suite("quantity.jsonl", *_NATIVE),
    Suite("lua_vm.jsonl", *_LUA),
    Suite("kube_lib.jsonl", *_LUA),
    Suite("merge.jsonl", *_LUA),
    Suite(
        "thirdparty_operations.jsonl",
        thirdparty.run_operations,
        thirdparty.agrees,
        thirdparty.explain,
    ),
    Suite("thirdparty/*.jsonl", thirdparty.run, thirdparty.agrees, thirdparty.explain),
    Suite("names.jsonl", *pipeline_names.SUITE, folder="pipeline"),
    Suite("dependencies.jsonl", *pipeline_dependencies.SUITE, folder="pipeline"),
    Suite("policy_*.jsonl", *pipeline_policies.SUITE, folder="pipeline"),
    Suite("override.jsonl", *pipeline_override.SUITE, folder="pipeline"),
    Suite("retain_update.jsonl", *pipeline_member.SUITE, folder="pipeline"),
    Suite("status.jsonl", *pipeline_status.SUITE, folder="pipeline"),
    Suite("eviction.jsonl", *pipeline_eviction.SUITE, folder="pipeline"),
    Suite("ensure_work.jsonl", *pipeline_works.SUITE, folder="pipeline"),
    Suite("quantity.jsonl", *scheduler_machinery.QUANTITY, folder="scheduler"),
    Suite("webster.jsonl", *scheduler_machinery.WEBSTER, folder="scheduler"),
    Suite("cluster_affinity.jsonl", *scheduler_machinery.AFFINITY, folder="scheduler"),
    Suite("filter.jsonl", *scheduler_passes.FILTER, folder="scheduler"),
    Suite("estimator.jsonl", *scheduler_passes.ESTIMATOR, folder="scheduler"),
    Suite("select.jsonl", *scheduler_passes.SELECT, folder="scheduler"),
    Suite("schedule.jsonl", *scheduler_passes.SCHEDULE, folder="scheduler"),
    Suite("affinities.jsonl", *scheduler_bindings.AFFINITIES, folder="scheduler"),
    Suite("reconcile.jsonl", *scheduler_bindings.RECONCILE, folder="scheduler"),
)
FOLDER = recordings.folder()
_FILES = [
    pytest.param(suite, path, id=path.stem)
    for suite in (SUITES if FOLDER else ())
    for path in sorted((FOLDER / suite.folder).glob(suite.files))
]


@pytest.mark.skipif(not _FILES, reason="no recordings: set GOLDEN_DIR to their folder")
@pytest.mark.parametrize(("suite", "path"), _FILES)
def test_recordings_agree_or_differ_by_a_rule(
    suite: Suite, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules: Counter[str] = Counter()
    failures: list[str] = []
    cases = recordings.read(path)
    for case in cases:
        answer = suite.run(case)
        if suite.agrees(case, answer):
            continue
        rule = suite.explain(case, answer)
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
