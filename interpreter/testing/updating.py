"""``--update``: observed answers are written into the case files, all else in them stays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from interpreter.codec import yaml_edit
from interpreter.codec.yaml import load_all
from interpreter.codec.yaml_nodes import Node, outline
from interpreter.errors import InterpreterError, InvalidObject
from interpreter.machinery.unstructured import same
from interpreter.testing.cases import Place
from interpreter.testing.checking import Mismatch
from interpreter.testing.comparison import ABSENT
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
    todo = _without_shared(report, outcomes, todo)
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
            outcomes[todo[0]] = _not_updated(outcomes[todo[0]], error)
            return
        middle = len(todo) // 2
        _update_all(outcomes, todo[:middle], texts, before)
        _update_all(outcomes, todo[middle:], texts, before)
        return
    texts.update(edited)
    for index in todo:
        outcomes[index] = replace(outcomes[index], status="updated", mismatches=())


def _not_updated(failed: Outcome, error: InterpreterError) -> Outcome:
    note = Mismatch(f"not updated: {error}")
    return replace(failed, mismatches=(*failed.mismatches, note))


def _without_shared(report: Report, outcomes: list[Outcome], todo: list[int]) -> list[int]:
    """Takes out the outcomes that would change what another case wants; they get a note.

    Edits of all that share a value would give each its own, and the person who wrote it once would
    have it twice.
    """
    places: dict[str, list[Place]] = {}
    for suite in report.suites:
        for case in suite.cases:
            for expectation in case.expectations:
                places.setdefault(expectation.place.file, []).append(expectation.place)
    files: dict[str, _Sharing] = {}
    left = []
    for index in todo:
        error = None
        for mismatch in outcomes[index].mismatches:
            place = mismatch.place
            if place is None:
                continue
            try:
                if place.file not in files:
                    files[place.file] = _Sharing(place.file, places.get(place.file, []))
                files[place.file].check(place, mismatch.observed)
            except InterpreterError as problem:
                error = error or problem
        if error is None:
            left.append(index)
        else:
            outcomes[index] = _not_updated(outcomes[index], error)
    return left


class _Sharing:
    """Which parts of the wanted values of a file stand in other places of it too."""

    def __init__(self, file: str, wants: list[Place]) -> None:
        text = read_text(Path(file))
        self._roots = outline(text)
        self._values = {each.index: each.value for each in load_all(text, source=file)}
        self._names: set[tuple[int, str | None]] = set()
        aliases = [[node for node in _walk(root) if node.kind == "alias"] for root in self._roots]
        for place in wants:
            want = self._node(place)
            if want is None:
                continue
            anchors = {node.anchor for node in _walk(want) if node.kind != "alias"} - {None}
            for alias in aliases[place.document - 1] if anchors else ():
                if alias.anchor in anchors and not want.start <= alias.start < want.end:
                    self._names.add((place.document, alias.anchor))

    def _node(self, place: Place) -> Node | None:
        known = 0 < place.document <= len(self._roots)
        return self._roots[place.document - 1].find(place.path) if known else None

    def check(self, place: Place, new: Any) -> None:
        """Raises InvalidObject when writing ``new`` there would change a shared part."""
        node = self._node(place)
        if node is None:
            return
        old = self._values[place.document]
        for step in place.path:
            old = old[step]
        names = {name for document, name in self._names if document == place.document}
        if names and _changes_shared(node, old, new, names):
            shown = "".join(
                f"[{step}]" if isinstance(step, int) else f".{step}" for step in place.path
            )
            raise InvalidObject(
                "is shared with another case through an anchor",
                hint="edit it by hand",
                path=shown.lstrip("."),
                source=place.file,
            )


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for key, value in node.entries:
        yield from _walk(key)
        yield from _walk(value)
    for item in node.items:
        yield from _walk(item)


def _changes_shared(node: Node, old: Any, new: Any, names: set[str | None]) -> bool:
    """Whether a part that carries one of the anchors, or an alias of it, has another value."""
    if same(old, new):
        return False
    if node.anchor in names:
        return True
    for key, value in node.entries:
        # What a merge brings has no value of its own to compare.
        if key.text in old:
            inner = new.get(key.text, ABSENT) if isinstance(new, dict) else ABSENT
            if _changes_shared(value, old[key.text], inner, names):
                return True
    for index, item in enumerate(node.items):
        inner = new[index] if isinstance(new, list) and index < len(new) else ABSENT
        if _changes_shared(item, old[index], inner, names):
            return True
    return False


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
