"""The generated part of ``docs/catalogue.md``; ``python tests/catalogue/page.py`` writes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from interpreter.api.operation import Operation
from interpreter.catalogue.folders import KindFolder, find_folders
from interpreter.catalogue.kind_files import KindFile, read_kind_file, targets_of

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "lua_scripts"
PAGE = ROOT / "docs" / "catalogue.md"
_START = "<!-- generated from lua_scripts: python tests/catalogue/page.py -->\n"

#: Column titles of operations, in their order.
_COLUMNS = {
    Operation.GET_REPLICAS: "replicas",
    Operation.GET_COMPONENTS: "components",
    Operation.REVISE_REPLICA: "revision",
    Operation.RETAIN: "retention",
    Operation.AGGREGATE_STATUS: "aggregation",
    Operation.REFLECT_STATUS: "status",
    Operation.INTERPRET_HEALTH: "health",
    Operation.GET_DEPENDENCIES: "dependencies",
}


def generated() -> str:
    """The table of kinds, and a section for each group."""
    kinds = [(folder, read_kind_file(folder.path)) for folder in find_folders(SCRIPTS)]
    kinds.sort(key=lambda pair: (pair[0].gvk.group, pair[0].gvk.kind, pair[0].gvk.version))
    return "".join((*_table(kinds), *_sections(kinds)))


def _table(kinds: list[tuple[KindFolder, KindFile]]) -> Iterator[str]:
    served = sum(len(targets_of(folder)) for folder, _ in kinds)
    yield f"{len(kinds)} kinds, {served} counting every version.\n\n"
    yield f"| group | kind | versions | {' | '.join(_COLUMNS.values())} |\n"
    yield f"|---|---|---|{'---|' * len(_COLUMNS)}\n"
    for folder, about in kinds:
        gvk = folder.gvk
        scripted = {spec.operation for spec, _ in folder.scripts}
        marks = " | ".join("x" if operation in scripted else "" for operation in _COLUMNS)
        versions = ", ".join((gvk.version, *about.versions))
        kind = f"[{gvk.kind}]({about.documentation})"
        yield f"| {gvk.group} | {kind} | {versions} | {marks} |\n"


def _sections(kinds: list[tuple[KindFolder, KindFile]]) -> Iterator[str]:
    group = None
    for folder, about in kinds:
        if folder.gvk.group != group:
            group = folder.gvk.group
            yield f"\n## {group}\n"
        scope = "" if about.scope == "Namespaced" else " Cluster-scoped."
        yield f"\n### {folder.gvk.kind} {folder.gvk.version}\n\n{about.summary}{scope}\n\n"
        yield f"* Healthy: {about.healthy}\n"
        yield from (f"* Aggregation: {sentence}\n" for sentence in about.aggregation)


def written() -> str:
    """The page as it must be: what people wrote, then what is generated."""
    return PAGE.read_text().partition(_START)[0] + _START + "\n" + generated()


if __name__ == "__main__":
    PAGE.write_text(written())
