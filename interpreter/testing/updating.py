"""``--update``: observed answers are written into the case files, all else in them stays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from interpreter.codec import yaml_edit
from interpreter.errors import InterpreterError, InvalidObject
from interpreter.testing.checking import Mismatch
from interpreter.testing.report import Outcome, Report
from interpreter.testing.texts import read_text

_BOM = b"\xef\xbb\xbf"


def update(report: Report) -> Report:
    """Writes the observed answer of each failed case into its file.

    Only answers are written: a case whose script failed stays as it is and stays failed (unless it
    asserts an error).

    Returns:
        The report with ``updated`` where it was ``failed``; a case whose text cannot be edited
        stays ``failed`` and says why.
    """
    texts: dict[str, str] = {}
    todo = [
        index
        for index, outcome in enumerate(report.outcomes)
        if outcome.status == "failed"
        and all(mismatch.place is not None for mismatch in outcome.mismatches)
    ]
    outcomes = list(report.outcomes)
    before: dict[str, str] = {}
    _update_all(outcomes, todo, texts, before)
    for file, text in texts.items():
        if text != before[file]:
            _write(Path(file), text)
    return replace(report, outcomes=tuple(outcomes))


def _update_all(
    outcomes: list[Outcome], todo: list[int], texts: dict[str, str], before: dict[str, str]
) -> None:
    """Edits the texts for some outcomes at once; what fails together is tried in halves.

    A file is read for each edit, so one edit for many cases is much faster than one for each. All
    answers of a case are written or none: half of them would be a mixture nobody asked for.
    """
    if not todo:
        return
    try:
        edited = _edited([outcomes[index] for index in todo], texts, before)
    except InterpreterError as error:
        if len(todo) == 1:
            failed = outcomes[todo[0]]
            note = Mismatch(f"not updated: {error}")
            outcomes[todo[0]] = replace(failed, mismatches=(*failed.mismatches, note))
            return
        middle = len(todo) // 2
        _update_all(outcomes, todo[:middle], texts, before)
        _update_all(outcomes, todo[middle:], texts, before)
        return
    texts.update(edited)
    for index in todo:
        outcomes[index] = replace(outcomes[index], status="updated", mismatches=())


def _edited(
    outcomes: list[Outcome], texts: dict[str, str], before: dict[str, str]
) -> dict[str, str]:
    changes: dict[str, list[yaml_edit.Change]] = {}
    for outcome in outcomes:
        for mismatch in outcome.mismatches:
            if mismatch.place is not None:
                change = yaml_edit.Change(
                    mismatch.place.path, mismatch.observed, mismatch.place.document
                )
                changes.setdefault(mismatch.place.file, []).append(change)
    edited = {}
    for file, of_file in changes.items():
        if file not in texts:
            texts[file] = before[file] = read_text(Path(file))
        edited[file] = yaml_edit.replace_all(texts[file], of_file, source=file)
    return edited


def _write(path: Path, text: str) -> None:
    try:
        mark = _BOM if path.read_bytes().startswith(_BOM) else b""
        path.write_bytes(mark + text.encode())
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InvalidObject(f"cannot be written: {reason}", source=str(path)) from None
