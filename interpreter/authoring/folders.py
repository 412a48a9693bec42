"""Script folders: ``<group>/<version>/<Kind>/<operation>.lua``, with an optional ``kind.yaml``.

The core group's folder is ``core``. ``kind.yaml`` may hold ``versions``, a list of further versions
that the same scripts serve, and ``name``, the name of the customization where it is not the usual
one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from interpreter.errors import InvalidCustomization, InvalidObject
from interpreter.machinery.gvk import GVK
from interpreter.machinery.names import subdomain_problems
from interpreter.manifests import read_file
from interpreter.operations import OPERATIONS, OperationSpec
from interpreter.settings import DEFAULTS

CORE_FOLDER = "core"
KIND_FILE = "kind.yaml"
CASES_FOLDER = "cases"

#: Script file name to operation, in the order of the operations' table.
SCRIPTS: dict[str, OperationSpec] = {
    spec.script: spec for spec in OPERATIONS.values() if spec.rule is not None
}
_VERSION = re.compile(r"v[1-9][0-9]*(?:(?:alpha|beta)[1-9][0-9]*)?")
_KIND = re.compile(r"[A-Z][A-Za-z0-9]*")
_GROUP = re.compile(r"[a-z0-9]([-a-z0-9.]*[a-z0-9])?")


@dataclass(frozen=True, slots=True)
class KindFile:
    """What a ``kind.yaml`` says.

    Attributes:
        versions: Further versions that the scripts serve.
        name: Name of the customization, None for the usual one.
    """

    versions: tuple[str, ...] = ()
    name: str | None = None


@dataclass(frozen=True, slots=True)
class KindFolder:
    """The scripts of one kind.

    Attributes:
        path: The folder.
        gvk: The kind that its path names.
        scripts: Script files by operation, in the order of the operations' table.
    """

    path: Path
    gvk: GVK
    scripts: tuple[tuple[OperationSpec, Path], ...]


def find_folders(top: Path) -> list[KindFolder]:
    """All kind folders at or below a folder, sorted by path; hidden folders are skipped.

    Raises:
        InvalidCustomization: A folder with scripts is not named ``<group>/<version>/<Kind>``.
    """
    found = []
    for folder, names in walk(top):
        if any(name in SCRIPTS for name in names):
            scripts = tuple(
                (spec, folder / name) for name, spec in SCRIPTS.items() if name in names
            )
            found.append(KindFolder(folder, folder_kind(folder), scripts))
    return found


def walk(top: Path) -> Iterator[tuple[Path, list[str]]]:
    """Folders with their sorted file names, sorted, without hidden ones."""
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield Path(folder), sorted(name for name in files if not name.startswith("."))


def folder_kind(folder: Path) -> GVK:
    """Group, version and kind that a folder's path names.

    Raises:
        InvalidCustomization: The path has another form.
    """
    group, version, kind = ("", "", "", *folder.resolve().parts)[-3:]
    if not (_GROUP.fullmatch(group) and _VERSION.fullmatch(version) and _KIND.fullmatch(kind)):
        raise InvalidCustomization(
            f"scripts must be in a folder <group>/<version>/<Kind>, not {group}/{version}/{kind}",
            hint="such as example.com/v1/Widget, or core/v1/Pod for the core group",
            source=str(folder),
        )
    return GVK("" if group == CORE_FOLDER else group, version, kind)


def kind_path(gvk: GVK) -> Path:
    """The folder of a kind, relative to the folder of all scripts.

    Raises:
        InvalidCustomization: The kind is a pattern, or cannot be a folder's name.
    """
    group = gvk.group or CORE_FOLDER
    valid = (
        _GROUP.fullmatch(group) and _VERSION.fullmatch(gvk.version) and _KIND.fullmatch(gvk.kind)
    )
    if not valid:
        raise InvalidCustomization(
            f"{gvk} cannot be a folder", hint="a folder holds one exact kind"
        )
    return Path(group) / gvk.version / gvk.kind


def read_kind_file(folder: Path) -> KindFile:
    """What ``kind.yaml`` in a folder says; the defaults when there is none.

    Raises:
        InvalidCustomization: It holds something else than it may.
    """
    path = folder / KIND_FILE
    if not path.is_file():
        return KindFile()
    from interpreter.codec import yaml

    try:
        data = read_file(str(path), DEFAULTS.max_manifest_bytes)
        documents = list(yaml.load_all(data, source=str(path)))
    except InvalidObject as error:
        raise InvalidCustomization(
            error.message, path=error.path, source=str(path), line=error.line
        ) from None
    value = documents[0].value if documents else {}
    if len(documents) > 1 or not isinstance(value, dict):
        raise InvalidCustomization("must be one map", source=str(path), line=1)
    for key in value:
        if key not in ("versions", "name"):
            raise InvalidCustomization(
                "is not known here",
                hint="wanted: versions, name",
                path=key,
                source=str(path),
                line=1,
            )
    versions = value.get("versions") or []
    if not isinstance(versions, list) or not all(
        isinstance(version, str) and _VERSION.fullmatch(version) for version in versions
    ):
        raise InvalidCustomization(
            "must be a list of versions such as v1beta1", path="versions", source=str(path), line=1
        )
    if len({folder.resolve().parent.name, *versions}) <= len(versions):
        raise InvalidCustomization(
            "names a version twice", path="versions", source=str(path), line=1
        )
    name = value.get("name")
    if name is not None and not (isinstance(name, str) and is_object_name(name)):
        raise InvalidCustomization(
            "must be the name of an object", path="name", value=name, source=str(path), line=1
        )
    return KindFile(tuple(versions), name)


def is_object_name(name: str) -> bool:
    """Whether a text is a DNS subdomain, as names of customizations must be."""
    return not subdomain_problems(name)


def read_script(path: Path) -> str:
    """The text of a script, line ends as they are.

    Raises:
        InvalidCustomization: It cannot be read, is too large, or is not UTF-8.
    """
    try:
        data = read_file(str(path), DEFAULTS.max_manifest_bytes)
    except InvalidObject as error:
        raise InvalidCustomization(error.message, source=str(path)) from None
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InvalidCustomization("is not UTF-8", source=str(path), line=line) from None
