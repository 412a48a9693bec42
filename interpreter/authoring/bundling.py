"""Script folders to ResourceInterpreterCustomization documents, and back.

Scripts keep every byte both ways. In YAML each stands in a literal block; a script that no block
can hold (Windows line ends, control characters, nothing but blanks) becomes a quoted string. A
health script that may answer with a table gets an epilogue for Karmada, which reading takes off.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from interpreter.api.config import ResourceInterpreterCustomization
from interpreter.api.documents import parse
from interpreter.api.epilogue import with_epilogue
from interpreter.api.kinds import CONFIG_API_VERSION, CUSTOMIZATION_KIND
from interpreter.api.operation import Operation
from interpreter.authoring.lint.returns import ends_with_return, may_return_table
from interpreter.catalogue import folders
from interpreter.catalogue.kind_files import KIND_FILE, KindFile, read_kind_file, targets_of
from interpreter.codec import yaml
from interpreter.errors import InvalidCustomization, InvalidObject
from interpreter.machinery.gvk import GVK, from_api_version
from interpreter.manifests import Manifest
from interpreter.operations import OPERATION_OF_RULE, OPERATIONS

HEADER = "# Made by `interpret bundle`: change the scripts and bundle again.\n"
_RULES = {operation: rule for rule, operation in OPERATION_OF_RULE.items()}
#: Column of a script's text in a document: under spec, customizations, the rule and luaScript.
_INDENT = " " * 8
#: What ``|`` adds to the column of its key.
_INDENT_INDICATOR = "2"


@dataclass(frozen=True, slots=True)
class Customization:
    """One customization with its scripts.

    Attributes:
        name: ``metadata.name``.
        gvk: Its target.
        scripts: Script by rule, in the order of the operations' table.
        source: Where it came from, for errors.
    """

    name: str
    gvk: GVK
    scripts: dict[str, str]
    source: str = ""


@dataclass(slots=True)
class Bundle:
    """Documents as YAML text, and remarks about scripts that had to be written in another way."""

    text: str
    customizations: list[Customization]
    remarks: list[str] = field(default_factory=list)


def default_name(gvk: GVK) -> str:
    """The usual name of a kind's customization: ``declarative-widget-v1-example-com``."""
    group = (gvk.group or folders.CORE_FOLDER).replace(".", "-")
    return f"declarative-{gvk.kind}-{gvk.version}-{group}".lower()


def bundle(top: Path, kinds: Iterable[GVK] = ()) -> Bundle:
    """Reads all script folders at or below ``top``; one document for each kind and version.

    A document has one exact kind. Scripts for a pattern go to every exact kind that it matches and
    that has no script of its own for the operation.

    Args:
        top: A folder of script folders, or one of them.
        kinds: Kinds that have a document, too, where a pattern matches them.

    Raises:
        InvalidCustomization: There is no script, a folder or ``kind.yaml`` is not as it must be, or
            two folders give the same kind or the same name.
    """
    found = folders.find_folders(top)
    if not found:
        raise InvalidCustomization(
            "there is no script here",
            hint="wanted: <group>/<version>/<Kind>/get_replicas.lua and the like",
            source=str(top),
        )
    customizations: list[Customization] = []
    remarks: list[str] = []
    for folder in found:
        kind_file = read_kind_file(folder.path)
        scripts = {}
        for spec, path in folder.scripts:
            script = folders.read_script(path)
            if not script:
                remarks.append(f"{path} is empty and left out")
                continue
            if _block(script) is None:
                why = "Windows line ends" if "\r\n" in script else "what no YAML block can hold"
                remarks.append(f"{path} has {why}: it is kept as a quoted string on one line")
            if spec.operation is Operation.INTERPRET_HEALTH:
                script = _health_script(script, path, remarks)
            scripts[_RULES[spec.operation]] = script
        for gvk in targets_of(folder):
            own = kind_file.name if gvk == folder.gvk else None
            customizations.append(
                Customization(own or default_name(gvk), gvk, scripts, str(folder.path))
            )
    _check_unique(customizations)
    customizations = _exact(customizations, kinds, remarks)
    text = HEADER + "---\n".join(map(document_text, customizations))
    return Bundle(text, customizations, remarks)


def _exact(
    customizations: list[Customization], kinds: Iterable[GVK], remarks: list[str]
) -> list[Customization]:
    """Customizations of exact kinds only; what stands for many is shared out among them."""
    patterns = sorted(
        (one for one in customizations if one.gvk.is_pattern), key=lambda one: one.gvk.generality
    )
    exact = {one.gvk: one for one in customizations if not one.gvk.is_pattern}
    for gvk in sorted(set(kinds).difference(exact)):
        if any(one.gvk.matches(gvk) for one in patterns):
            exact[gvk] = Customization(default_name(gvk), gvk, {})
    used: set[GVK] = set()
    for gvk, one in exact.items():
        scripts = dict(one.scripts)
        for other in patterns:
            # A kind with scripts of its own for all of it has nothing of what stands for many.
            if other.gvk.matches(gvk) and other.scripts.keys() - scripts.keys():
                used.add(other.gvk)
                scripts = {**other.scripts, **scripts}
        ordered = {rule: scripts[rule] for rule in _RULES.values() if rule in scripts}
        exact[gvk] = replace(one, scripts=ordered)
    remarks += [
        f"{one.source} stands for {one.gvk}: name such kinds to have them here"
        for one in patterns
        if one.gvk not in used
    ]
    return list(exact.values())


def _health_script(script: str, path: Path, remarks: list[str]) -> str:
    """A health script as Karmada can run it, which knows no answer but true and false."""
    if not may_return_table(script, OPERATIONS[Operation.INTERPRET_HEALTH]):
        return script
    if ends_with_return(script):
        remarks.append(f"{path} returns as a whole: Karmada takes no table as its answer")
        return script
    return with_epilogue(script)


def _check_unique(customizations: list[Customization]) -> None:
    kinds: dict[GVK, Customization] = {}
    names: dict[str, Customization] = {}
    for one in customizations:
        other = kinds.setdefault(one.gvk, one)
        if other is not one:
            raise InvalidCustomization(
                f"{one.gvk} has scripts in {other.source} too",
                hint=f"one of them may name the version in its {KIND_FILE}",
                source=one.source,
            )
        other = names.setdefault(one.name, one)
        if other is not one:
            raise InvalidCustomization(
                f"the customizations of {one.gvk} and {other.gvk} have the same name, {one.name}",
                hint=f"give one of them another name in its {KIND_FILE}",
                source=one.source,
            )


def document_text(customization: Customization) -> str:
    """One document of YAML; it reads back to exactly the same scripts."""
    head = {
        "apiVersion": CONFIG_API_VERSION,
        "kind": CUSTOMIZATION_KIND,
        "metadata": {"name": customization.name},
        "spec": {
            "target": {
                "apiVersion": customization.gvk.api_version,
                "kind": customization.gvk.kind,
            }
        },
    }
    lines = [yaml.dumps(head), "  customizations:\n" if customization.scripts else ""]
    for rule, script in customization.scripts.items():
        lines += f"    {rule}:\n      luaScript: ", _block(script) or _quoted(script)
    return "".join(lines)


def _block(script: str) -> str | None:
    """A script as a literal block; None where a block would not keep it."""
    body = script.rstrip("\n")
    lines = body.split("\n")
    readable = all(line.replace("\t", "").isprintable() for line in lines)
    if not readable or not any(line.strip() for line in lines):
        return None
    first = next(line for line in lines if line)
    # Readers take the indentation from the first line that is not empty, unless it is told.
    indicator = _INDENT_INDICATOR if first[0] in " \t" else ""
    ending = len(script) - len(body)
    chomping = "-" if ending == 0 else "" if ending == 1 else "+"
    shown = "\n".join(_INDENT + line if line else "" for line in lines)
    return f"|{indicator}{chomping}\n{shown}" + "\n" * max(ending, 1)


def _quoted(script: str) -> str:
    """A script in double quotes on one line."""
    return yaml.dumps({"s": script}).removeprefix("s: ")


@dataclass(slots=True)
class Unbundled:
    """Files to write, and remarks about what they do not hold.

    Attributes:
        files: Content by path relative to the folder of all scripts.
        remarks: What was in the documents but has no place in folders.
    """

    files: dict[Path, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


def unbundle(manifests: Iterable[Manifest]) -> Unbundled:
    """Turns documents into script folders; what is no customization is left out.

    Documents of one kind join in one folder. Neighbours that differ in the version only become one
    folder whose ``kind.yaml`` lists the further versions.

    Raises:
        InvalidCustomization: A document is not valid, its target is a pattern, or two documents
            have a script for the same rule of a kind.
    """
    result = Unbundled()
    merged: dict[GVK, Customization] = {}
    for manifest in manifests:
        if manifest.obj.get("kind") != CUSTOMIZATION_KIND:
            result.remarks.append(f"{manifest.where}: {manifest.obj['kind']} is left out")
            continue
        one = _read(manifest, result.remarks)
        earlier = merged.get(one.gvk)
        merged[one.gvk] = one if earlier is None else _join(earlier, one)
    if not merged:
        raise InvalidCustomization(f"there is no {CUSTOMIZATION_KIND} here")
    for customization, versions in _by_folder(list(merged.values())):
        folder = folders.kind_path(customization.gvk)
        for rule, script in customization.scripts.items():
            result.files[folder / OPERATIONS[OPERATION_OF_RULE[rule]].script] = script
        usual = default_name(customization.gvk)
        name = customization.name if customization.name not in ("", usual) else None
        content = _kind_file(KindFile(versions=tuple(versions), name=name))
        if content:
            result.files[folder / KIND_FILE] = content
    return result


def _kind_file(kind_file: KindFile) -> str:
    value: dict[str, Any] = {}
    if kind_file.name is not None:
        value["name"] = kind_file.name
    if kind_file.versions:
        value["versions"] = list(kind_file.versions)
    return yaml.dumps(value) if value else ""


def _read(manifest: Manifest, remarks: list[str]) -> Customization:
    try:
        parsed = parse(manifest.obj, ResourceInterpreterCustomization, CUSTOMIZATION_KIND)
        target = parsed.spec.target
        gvk = from_api_version(target.apiVersion, target.kind)
        folders.kind_path(gvk)
    except (InvalidObject, InvalidCustomization) as error:
        raise InvalidCustomization(
            error.message,
            hint=error.hint or "interpret check says where and why",
            path=error.path,
            source=manifest.where,
        ) from None
    dropped = sorted(set(manifest.obj["metadata"]) - {"name"})
    if dropped:
        remarks.append(f"{manifest.where}: metadata.{', metadata.'.join(dropped)} is not kept")
    scripts = parsed.spec.customizations.scripts()
    if not scripts:
        remarks.append(f"{manifest.where}: has no script")
    ordered = {rule: scripts[rule] for rule in _RULES.values() if rule in scripts}
    return Customization(parsed.metadata.name, gvk, ordered, manifest.where)


def _join(first: Customization, second: Customization) -> Customization:
    """Two customizations of one kind as one; their names cannot both be kept, so neither is."""
    twice = sorted(set(first.scripts) & set(second.scripts))
    if twice:
        raise InvalidCustomization(
            f"{first.gvk} has {twice[0]} in {first.source} too",
            hint="a folder holds one script for an operation; interpret check says who answers",
            source=second.source,
        )
    scripts = {**first.scripts, **second.scripts}
    ordered = {rule: scripts[rule] for rule in _RULES.values() if rule in scripts}
    return replace(first, name="", scripts=ordered)


def _by_folder(customizations: list[Customization]) -> list[tuple[Customization, list[str]]]:
    """Customizations, each with the further versions that its scripts serve."""
    result: list[tuple[Customization, list[str]]] = []
    for one in customizations:
        if result:
            first, versions = result[-1]
            same_kind = (first.gvk.group, first.gvk.kind) == (one.gvk.group, one.gvk.kind)
            usual = one.name == default_name(one.gvk)
            if same_kind and usual and first.scripts == one.scripts:
                versions.append(one.gvk.version)
                continue
        result.append((one, []))
    return result


def write_files(target: Path, files: dict[Path, str], *, force: bool) -> list[Path]:
    """Writes files below a folder, byte for byte; files that are the same already are left alone.

    Returns:
        The files that were written.

    Raises:
        InvalidCustomization: A file is there with other content, and ``force`` is off; nothing was
            written then. Or the system refuses.
    """
    contents = {target / path: text.encode() for path, text in files.items()}
    try:
        changed = {path: data for path, data in contents.items() if not _holds(path, data)}
        existing = [path for path in changed if path.exists()]
        if existing and not force:
            raise InvalidCustomization(
                "is there already, with other content",
                hint="use --force to overwrite it, or another folder",
                source=str(existing[0]),
            )
        for path, data in changed.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    except OSError as error:
        raise InvalidCustomization(
            f"cannot be written: {error.strerror or error}", source=str(error.filename or target)
        ) from None
    return sorted(changed)


def _holds(path: Path, data: bytes) -> bool:
    """Whether a file has this content; a device or a pipe has none, and may never end."""
    if not path.is_file() or path.stat().st_size != len(data):
        return False
    with path.open("rb") as file:
        return file.read(len(data) + 1) == data
