"""Rules that nobody asks, because another document answers first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from interpreter.api.operation import Operation
from interpreter.authoring.lint.findings import Finding
from interpreter.authoring.lint.sources import ScriptSource
from interpreter.catalogue.kind_files import KIND_FILE, read_kind_file
from interpreter.errors import InvalidCustomization
from interpreter.operations import OPERATIONS

#: Scripts of this rule all run, and their results are joined.
_JOINED = OPERATIONS[Operation.GET_DEPENDENCIES].rule


def unreachable_documents(scripts: Iterable[ScriptSource]) -> Iterator[Finding]:
    """Yields rules of customization documents that another document shadows.

    Per kind and rule the first customization by name answers (bytewise order, so that ``10`` is
    before ``9``); an empty script does not count.
    """
    groups: dict[tuple[str, str, str], list[ScriptSource]] = defaultdict(list)
    for script in scripts:
        if script.in_document and script.text and script.kind:
            groups[script.api_version, script.kind, script.script].append(script)
    for (api_version, kind, rule), claims in groups.items():
        ordered = sorted(claims, key=lambda claim: claim.customization.encode())
        first = ordered[0]
        target = f"{rule} of {api_version}/{kind}"
        for other in ordered[1:]:
            # That two documents have one name is a finding of its own.
            if other.customization != first.customization and rule != _JOINED:
                yield _finding(
                    other,
                    f"{target} is never asked here: {first.customization!r} in {_where(first)} "
                    "comes first by name",
                )


def unreachable_folders(scripts: Iterable[ScriptSource]) -> Iterator[Finding]:
    """Yields scripts for a version that the ``kind.yaml`` of another folder claims too."""
    by_folder: dict[Path, list[ScriptSource]] = defaultdict(list)
    for script in scripts:
        if not script.in_document:
            by_folder[Path(script.file).parent.resolve()].append(script)
    for folder, found in by_folder.items():
        try:
            versions = read_kind_file(folder).versions
        except InvalidCustomization:
            continue  # has a finding of its own
        for version in versions:
            own = by_folder.get(folder.parent.parent / version / folder.name, [])
            names = {script.script: script for script in own}
            for script in found:
                other = names.get(script.script)
                if other is not None:
                    yield _finding(
                        other,
                        f"{script.script} for version {version} is claimed by "
                        f"{Path(script.file).parent / KIND_FILE} too; "
                        "remove the version there, or this script",
                    )


def _finding(script: ScriptSource, message: str) -> Finding:
    line, column = script.place.locate(1, 1)
    return Finding(
        script.file, line, column, "unreachable-rule", message, script.customization, script.script
    )


def _where(script: ScriptSource) -> str:
    return f"{script.file}:{script.place.locate(1, 1)[0]}"
