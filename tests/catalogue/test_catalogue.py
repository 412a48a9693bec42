"""The scripts that belong to the package: whole, documented, tested, and the same when exported."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import page
import pytest

from interpreter import ResourceInterpreter, manifests
from interpreter.api.operation import Operation
from interpreter.authoring.bundling import bundle
from interpreter.authoring.lint.checking import check
from interpreter.catalogue.folders import KindFolder, find_folders
from interpreter.catalogue.kind_files import read_kind_file, targets_of
from interpreter.errors import InterpreterError
from interpreter.machinery.gvk import gvk_of
from interpreter.operations import OPERATIONS
from interpreter.testing import Case, discover, run

FOLDERS = find_folders(page.SCRIPTS)
#: The longest that a script may be, in lines; what needs more does too much.
LONGEST = 60
#: Scripts that may be longer, and why.
LONGER = {
    # Its status has durations, tasks by phase and resources to join, and a state of its own.
    "batch.volcano.sh/v1alpha1/Job/aggregate_status.lua": 80,
    # Its listeners have conditions of their own.
    "gateway.networking.k8s.io/v1/Gateway/aggregate_status.lua": 80,
    # It is each of its parents that has conditions.
    "gateway.networking.k8s.io/v1/HTTPRoute/aggregate_status.lua": 80,
}

each_kind = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.gvk))


def cases_of(folder: KindFolder) -> Iterator[Case]:
    for suite in discover([str(folder.path)]).suites:
        yield from suite.cases


def test_checking_the_catalogue_finds_nothing() -> None:
    report = check([str(page.SCRIPTS)])
    assert [f"{one.file}:{one.line} {one.message}" for one in report.findings] == []
    assert report.scripts == sum(len(folder.scripts) for folder in FOLDERS)


def test_all_cases_pass_and_run_every_line() -> None:
    report = run(discover([str(page.SCRIPTS)]).suites, coverage=True, processes=2)
    assert report.ok(), report.text()
    assert {one.label: one.missed for one in report.coverage() if one.missed} == {}


@each_kind
def test_a_kind_says_what_it_is(folder: KindFolder) -> None:
    about = read_kind_file(folder.path)
    assert about.summary
    assert about.documentation
    assert about.scope
    assert about.healthy
    scripted = [spec.operation for spec, _ in folder.scripts]
    assert set(about.operations or ()) == set(scripted)
    assert bool(about.aggregation) is (Operation.AGGREGATE_STATUS in scripted)


@each_kind
def test_a_script_is_short_and_says_why(folder: KindFolder) -> None:
    for _, path in folder.scripts:
        lines = path.read_text().splitlines()
        assert lines[0].startswith("-- "), f"{path} does not start with its rule in words"
        longest = LONGER.get(path.relative_to(page.SCRIPTS).as_posix(), LONGEST)
        assert len(lines) <= longest, f"{path} has {len(lines)} lines"


@each_kind
def test_aggregation_has_a_case_for_every_number_and_state_of_members(folder: KindFolder) -> None:
    cases = [one for one in cases_of(folder) if one.operation is Operation.AGGREGATE_STATUS]
    if Operation.AGGREGATE_STATUS not in {spec.operation for spec, _ in folder.scripts}:
        assert cases == []
        return
    items = [case.arguments[1] for case in cases]
    counts = {len(given or ()) for given in items}
    assert None in items, "no case without any list of members"
    assert [] in items, "no case with an empty list of members"
    assert 1 in counts, "no case with one member"
    assert max(counts) > 1, "no case with many members"
    assert any("status" not in item for given in items for item in given or ()), (
        "no case with a member that has no status yet"
    )
    assert any(
        is_stale(item, case.arguments[0]) for case in cases for item in case.arguments[1] or ()
    ), "no case with a stale member"
    assert any(FAILURE.search(case.name) for case in cases), "no case that names a failed member"


#: What a case with a failed member is called: the words that the kind itself has for it.
FAILURE = re.compile(
    r"fail|error|refus|degraded|worst|cannot|not ready|does not run|broken|unhealthy|lost|red\b"
)


def is_stale(item: dict[str, Any], template: dict[str, Any]) -> bool:
    """Whether a member's status is of an older generation, of the template's or its own."""
    status = item.get("status") or {}
    wanted = (template.get("metadata") or {}).get("generation")
    own = status.get("generation", wanted)
    return status.get("resourceTemplateGeneration", wanted) != wanted or any(
        older(observed, own) for observed in observed_in(status)
    )


def observed_in(value: Any) -> Iterator[Any]:
    """Every observedGeneration in a status, those of conditions and bindings, too."""
    for one in value.values() if isinstance(value, dict) else value:
        if isinstance(one, dict | list):
            yield from observed_in(one)
    if isinstance(value, dict):
        yield value.get("observedGeneration")


def older(observed: Any, generation: Any) -> bool:
    """Whether a generation was observed that is not the latest; some kinds write it as a text."""
    return None not in (observed, generation) and str(observed) != str(generation)


def test_the_exported_catalogue_answers_as_the_scripts_do(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.yaml"
    named = {
        gvk_of(case.arguments[0])
        for folder in FOLDERS
        if folder.gvk.is_pattern
        for case in cases_of(folder)
    }
    path.write_text(bundle(page.SCRIPTS, named).text)
    documents = [manifest.obj for manifest in manifests.read([str(path)])]
    asked = 0
    with (
        ResourceInterpreter(plugins=None, tiers=("bundled",)) as own,
        ResourceInterpreter(documents, plugins=None, tiers=("customization",)) as exported,
    ):
        for folder in FOLDERS:
            for case in cases_of(folder):
                assert answer(own, case) == answer(exported, case), f"{folder.gvk}: {case.name}"
                asked += 1
    assert asked > 10 * len(FOLDERS)


def answer(interpreter: ResourceInterpreter, case: Case) -> Any:
    """An answer, or an error's text without the name of the script."""
    assert case.operation is not None
    spec = OPERATIONS[case.operation]
    names = [argument.name for argument in spec.inputs]
    obj, *rest = case.arguments
    try:
        return spec.show(
            interpreter.call(case.operation, obj, **dict(zip(names, rest, strict=True)))
        )
    except InterpreterError as error:
        return type(error), error.line


def test_the_page_shows_the_catalogue_as_it_is() -> None:
    assert page.PAGE.read_text() == page.written(), "run: python tests/catalogue/page.py"


def test_the_command_lists_every_kind_and_version() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "interpreter", "kinds", "--tier", "bundled", "-o", "name"],
        capture_output=True,
        text=True,
        check=True,
        cwd=page.ROOT,
    )
    wanted = {str(gvk) for folder in FOLDERS for gvk in targets_of(folder)}
    assert set(done.stdout.split("\n")) - {"", "any kind"} == wanted
