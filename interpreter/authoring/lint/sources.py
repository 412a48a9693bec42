"""Reads what the user named: customization documents and script folders."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from interpreter.api.epilogue import without_epilogue
from interpreter.api.kinds import CUSTOMIZATION_KIND, WEBHOOK_CONFIGURATION_KIND
from interpreter.api.operation import Operation
from interpreter.authoring.lint.documents import schema_problems
from interpreter.authoring.lint.findings import Finding
from interpreter.authoring.lint.rules.names import did_you_mean
from interpreter.catalogue import folders, kind_files
from interpreter.codec.yaml_positions import Place, Spots, find_spots, nearest, place_of
from interpreter.errors import ConfigurationError, InvalidCustomization, InvalidObject
from interpreter.machinery.gvk import GVK
from interpreter.manifests import read_file, read_stdin
from interpreter.operations import OPERATION_OF_RULE, OPERATIONS, OperationSpec
from interpreter.settings import DEFAULTS

_YAML_SUFFIXES = (".yaml", ".yml", ".json")
_KINDS = (CUSTOMIZATION_KIND, WEBHOOK_CONFIGURATION_KIND)
#: First line of a file of editor annotations, which is no script.
_META = "---@meta"


@dataclass(frozen=True, slots=True)
class ScriptSource:
    """A script and where it stands.

    Attributes:
        text: The script.
        file: The file that holds it.
        spec: Operation that it answers, None when its name does not tell.
        customization: Name of the customization, or the kind of a script folder.
        script: Rule, or file name.
        api_version: ``apiVersion`` of its target; empty when not known.
        kind: Kind of its target; empty when not known.
        place: Maps its lines to the file.
    """

    text: str
    file: str
    spec: OperationSpec | None
    customization: str
    script: str
    api_version: str
    kind: str
    place: Place

    @property
    def in_document(self) -> bool:
        """Whether it is a rule of a customization document."""
        return self.script in OPERATION_OF_RULE


@dataclass(slots=True)
class Collected:
    """What was read: scripts, findings of the reading itself, files with something to check."""

    scripts: list[ScriptSource] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    files: set[str] = field(default_factory=set)
    #: Where the first document of each kind and name has its name.
    names: dict[tuple[str, str], str] = field(default_factory=dict)


def collect(paths: Iterable[str], *, stdin: BinaryIO | None = None) -> Collected:
    """Reads files, folders and patterns; ``-`` is YAML from standard input.

    Raises:
        ConfigurationError: A path does not exist or cannot be read, or nothing in all of them is to
            be checked.
    """
    collected = Collected()
    seen: set[Path] = set()
    given = list(paths)
    for name in given:
        if name == "-":
            data = _read(lambda: read_stdin(stdin, DEFAULTS.max_manifest_bytes))
            _read_yaml(collected, "<stdin>", data, explicit=True)
            continue
        for file, explicit in _files(name):
            if file.resolve() not in seen:
                seen.add(file.resolve())
                _read_file(collected, file, explicit=explicit)
    if not collected.files:
        raise ConfigurationError(
            f"nothing to check in {', '.join(given) or 'no files'}",
            hint="wanted: ResourceInterpreterCustomization documents, or scripts such as "
            "example.com/v1/Widget/get_replicas.lua",
        )
    return collected


def _files(name: str) -> Iterator[tuple[Path, bool]]:
    """Files that a path or a pattern means, each with whether the user named it."""
    path = Path(name)
    if not path.exists():
        matches: list[str] = []
        if glob.has_magic(name):
            matches = sorted(glob.glob(name, recursive=True))
        if not matches:
            raise ConfigurationError(f"{name} does not exist")
        for match in matches:
            yield from _files(match)
        return
    if not path.is_dir():
        yield path, True
        return
    for folder, names in folders.walk(path):
        is_kind = any(name in folders.SCRIPTS for name in names)
        is_case = folder.name == folders.CASES_FOLDER or folder.name.endswith(".cases")
        for name in names:
            is_yaml = name.lower().endswith(_YAML_SUFFIXES) and not is_case
            if name.endswith(".lua") or (is_yaml and (is_kind or name != kind_files.KIND_FILE)):
                yield folder / name, False


def _read_file(collected: Collected, file: Path, *, explicit: bool) -> None:
    if file.suffix == ".lua":
        _read_lua(collected, file, explicit=explicit)
        return
    if file.name == kind_files.KIND_FILE:
        _read_kind_file(collected, file)
        return
    data = _read(lambda: read_file(str(file), DEFAULTS.max_manifest_bytes))
    _read_yaml(collected, str(file), data, explicit=explicit)


def _read(call: Callable[[], bytes]) -> bytes:
    """What a path cannot give is wrong usage, no finding."""
    try:
        return call()
    except InvalidObject as error:
        raise ConfigurationError(f"{error.source} {error.message}") from None


def _read_kind_file(collected: Collected, file: Path) -> None:
    collected.files.add(str(file))
    try:
        listed = kind_files.read_kind_file(file.parent).operations
    except InvalidCustomization as error:
        line, message = error.line or 1, str(error)
    else:
        here = [spec for name, spec in folders.SCRIPTS.items() if (file.parent / name).is_file()]
        wrong = {spec.operation for spec in here}.symmetric_difference(listed or ())
        if listed is None or not wrong:
            return
        odd = min(wrong, key=list(Operation).index)
        fault = "has no script here" if odd in listed else "has a script, but is not listed"
        line, message = 1, f"operations: {odd} {fault}"
    collected.findings.append(Finding(str(file), line, 1, "invalid-kind-file", message))


def _read_lua(collected: Collected, file: Path, *, explicit: bool) -> None:
    try:
        text = folders.read_script(file)
    except InvalidCustomization as error:
        collected.files.add(str(file))
        line = error.line or 1
        collected.findings.append(
            Finding(str(file), line, 1, "syntax-error", str(error), script=file.name)
        )
        return
    if text.startswith(_META):
        return
    collected.files.add(str(file))
    spec = folders.SCRIPTS.get(file.name)
    if spec is None and not explicit:
        near = did_you_mean(file.name, folders.SCRIPTS)
        wanted = "" if near else f"; scripts are called {', '.join(folders.SCRIPTS)}"
        message = f"no operation reads {file.name}{near}{wanted}"
        collected.findings.append(Finding(str(file), 1, 1, "unknown-script", message))
        return
    gvk: GVK | None = None
    try:
        gvk = folders.folder_kind(file.parent)
    except InvalidCustomization as error:
        # A file of its own can be checked anywhere; in a tree its folder must name its kind.
        if not explicit:
            collected.findings.append(
                Finding(str(file), 1, 1, "unknown-script", str(error), script=file.name)
            )
    collected.scripts.append(
        ScriptSource(
            text,
            str(file),
            spec or _operation_in(text),
            str(gvk) if gvk else "",
            file.name,
            gvk.api_version if gvk else "",
            gvk.kind if gvk else "",
            Place(),
        )
    )


def _operation_in(text: str) -> OperationSpec | None:
    """The operation whose function a script of any name defines, if it is one only."""
    found = [
        spec
        for spec in OPERATIONS.values()
        if spec.lua_function and f"function {spec.lua_function}(" in text
    ]
    return found[0] if len(found) == 1 else None


def _read_yaml(collected: Collected, file: str, data: bytes, *, explicit: bool) -> None:
    from interpreter.codec import json as json_codec
    from interpreter.codec import yaml as yaml_codec

    try:
        text = json_codec.decode_text(data, source=file)
        documents = list(yaml_codec.load_all(text, source=file))
    except InvalidObject as error:
        # Other people's files lie in folders too; they are none of our business.
        if explicit or b"ResourceInterpreter" in data:
            collected.files.add(file)
            collected.findings.append(Finding(file, error.line or 1, 1, "invalid-yaml", str(error)))
        return
    if not any(_customizations(document.value) for document in documents):
        return
    collected.files.add(file)
    spots = find_spots(text)
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    for document in documents:
        places = spots[document.index - 1] if document.index <= len(spots) else {}
        for path, value in _customizations(document.value):
            _read_document(collected, file, value, path, places, lines)


def _customizations(value: Any) -> list[tuple[tuple[str | int, ...], dict[str, Any]]]:
    """The configuration documents in a value, inside lists too, each with its path."""
    if isinstance(value, list):
        return [
            ((index, *path), found)
            for index, item in enumerate(value)
            for path, found in _customizations(item)
        ]
    if not isinstance(value, dict):
        return []
    kind = value.get("kind")
    if kind in _KINDS:
        return [((), value)]
    if isinstance(kind, str) and kind.endswith("List") and isinstance(value.get("items"), list):
        return [(("items", *path), found) for path, found in _customizations(value["items"])]
    return []


def _read_document(
    collected: Collected,
    file: str,
    value: dict[str, Any],
    prefix: tuple[str | int, ...],
    spots: Spots,
    lines: list[str],
) -> None:
    name = _text_at(value, "metadata", "name")
    for path, message in schema_problems(value):
        spot = nearest(spots, prefix + path)
        collected.findings.append(
            Finding(file, spot.line, spot.column, "invalid-customization", message, name)
        )
    if name:
        spot = nearest(spots, (*prefix, "metadata", "name"))
        here = f"{file}:{spot.line}"
        first = collected.names.setdefault((value["kind"], name), here)
        if first is not here:
            message = f"metadata.name {name!r} is that of the document in {first} too"
            collected.findings.append(
                Finding(file, spot.line, spot.column, "invalid-customization", message, name)
            )
    rules = _map_at(value, "spec", "customizations")
    for rule, operation in OPERATION_OF_RULE.items():
        script = _map_at(rules, rule).get("luaScript")
        if not isinstance(script, str):
            continue
        spot = nearest(spots, (*prefix, "spec", "customizations", rule, "luaScript"))
        place = Place(spot.line, spot.column - 1, None)
        if script:
            place = place_of(spot, script, lines)
        collected.scripts.append(
            ScriptSource(
                without_epilogue(script),
                file,
                OPERATIONS[operation],
                name,
                rule,
                _text_at(value, "spec", "target", "apiVersion"),
                _text_at(value, "spec", "target", "kind"),
                place,
            )
        )


def _map_at(value: Any, *keys: str) -> dict[str, Any]:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _text_at(value: Any, *keys: str) -> str:
    found = _map_at(value, *keys[:-1]).get(keys[-1])
    return found if isinstance(found, str) else ""
