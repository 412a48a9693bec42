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
    changed: set[str] = set()
    outcomes = []
    for outcome in report.outcomes:
        if outcome.status == "failed":
            outcome = _updated(outcome, texts, changed)
        outcomes.append(outcome)
    for file in sorted(changed):
        _write(Path(file), texts[file])
    return replace(report, outcomes=tuple(outcomes))


def _updated(outcome: Outcome, texts: dict[str, str], changed: set[str]) -> Outcome:
    if any(mismatch.place is None for mismatch in outcome.mismatches):
        return outcome
    before = dict(texts)
    files = set()
    try:
        for mismatch in outcome.mismatches:
            files.add(_edit(mismatch, texts))
    except InterpreterError as error:
        # All of a case's answers or none: half of them would be a mixture nobody asked for.
        texts.clear()
        texts.update(before)
        note = Mismatch(f"not updated: {error}")
        return replace(outcome, mismatches=(*outcome.mismatches, note))
    changed |= files
    return replace(outcome, status="updated", mismatches=())


def _edit(mismatch: Mismatch, texts: dict[str, str]) -> str:
    place = mismatch.place
    assert place is not None  # noqa: S101 - the caller has looked
    if place.file not in texts:
        texts[place.file] = read_text(Path(place.file))
    texts[place.file] = yaml_edit.replace(
        texts[place.file],
        place.path,
        mismatch.observed,
        document=place.document,
        source=place.file,
    )
    return place.file


def _write(path: Path, text: str) -> None:
    try:
        mark = _BOM if path.read_bytes().startswith(_BOM) else b""
        path.write_bytes(mark + text.encode())
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InvalidObject(f"cannot be written: {reason}", source=str(path)) from None
