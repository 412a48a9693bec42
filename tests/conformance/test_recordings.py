"""Runs recordings of the reference and reports, file by file, how far we agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import compare
import differences
import health_differences
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
        files: Pattern of their names in the folder of recordings.
        run: Our answer to a case.
        agrees: Whether it is the recorded one.
        explain: The rule by which it may differ, or None.
        most_by_rule: How many cases of a file may fall under rules; None for any number.
    """

    files: str
    run: Callable[[Case], Answer]
    agrees: Callable[[Case, Answer], bool]
    explain: Callable[[Case, Answer], Rule | None]
    most_by_rule: int | None = None


_NATIVE = (runners.run, compare.agrees, differences.explain)
_LUA = (lua_runners.run, lua_agreement.agrees, lua_differences.explain)
SUITES = (
    Suite("interpreter/native_*.jsonl", *_NATIVE),
    Suite("interpreter/quantity.jsonl", *_NATIVE),
    Suite("interpreter/lua_vm.jsonl", *_LUA),
    Suite("interpreter/kube_lib.jsonl", *_LUA),
    Suite("interpreter/merge.jsonl", *_LUA),
    Suite(
        "interpreter/thirdparty_operations.jsonl",
        thirdparty.run_operations,
        thirdparty.agrees,
        thirdparty.explain,
    ),
    Suite("interpreter/thirdparty/*.jsonl", thirdparty.run, thirdparty.agrees, thirdparty.explain),
    Suite(
        "health/*.jsonl",
        health_differences.run,
        health_differences.agrees,
        health_differences.explain,
        most_by_rule=10,
    ),
    Suite("pipeline/names.jsonl", *pipeline_names.SUITE),
    Suite("pipeline/dependencies.jsonl", *pipeline_dependencies.SUITE),
    Suite("pipeline/policy_*.jsonl", *pipeline_policies.SUITE),
    Suite("pipeline/override.jsonl", *pipeline_override.SUITE),
    Suite("pipeline/retain_update.jsonl", *pipeline_member.SUITE),
    Suite("pipeline/status.jsonl", *pipeline_status.SUITE),
    Suite("pipeline/eviction.jsonl", *pipeline_eviction.SUITE),
    Suite("pipeline/ensure_work.jsonl", *pipeline_works.SUITE),
    Suite("scheduler/quantity.jsonl", *scheduler_machinery.QUANTITY),
    Suite("scheduler/webster.jsonl", *scheduler_machinery.WEBSTER),
    Suite("scheduler/cluster_affinity.jsonl", *scheduler_machinery.AFFINITY),
    Suite("scheduler/filter.jsonl", *scheduler_passes.FILTER),
    Suite("scheduler/estimator.jsonl", *scheduler_passes.ESTIMATOR),
    Suite("scheduler/select.jsonl", *scheduler_passes.SELECT),
    Suite("scheduler/schedule.jsonl", *scheduler_passes.SCHEDULE),
    Suite("scheduler/affinities.jsonl", *scheduler_bindings.AFFINITIES),
    Suite("scheduler/reconcile.jsonl", *scheduler_bindings.RECONCILE),
)
FOLDER = recordings.folder()
_FILES = [
    pytest.param(suite, path, id=path.stem)
    for suite in (SUITES if FOLDER else ())
    for path in sorted(FOLDER.glob(suite.files))
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
    assert suite.most_by_rule is None or differing <= suite.most_by_rule, "too many by rule"
