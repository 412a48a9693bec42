"""Script folders: ``<group>/<version>/<Kind>/<operation>.lua``; the core group's is ``core``.

A ``_`` stands for any: ``_.example.com/_/Widget`` is the kind Widget of every group below
example.com, in every version.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from interpreter.errors import InvalidCustomization, InvalidObject
from interpreter.machinery.gvk import GVK
from interpreter.manifests import read_file
from interpreter.operations import OPERATIONS, OperationSpec
from interpreter.settings import DEFAULTS

CORE_FOLDER = "core"
#: In a folder's name what ``*`` is in a pattern: a file system may not take a star.
ANY_FOLDER = "_"
KIND_FILE = "kind.yaml"
CASES_FOLDER = "cases"

#: Script file name to operation, in the order of the operations' table.
SCRIPTS: dict[str, OperationSpec] = {
    spec.script: spec for spec in OPERATIONS.values() if spec.rule is not None
}
VERSION = re.compile(r"v[1-9][0-9]*(?:(?:alpha|beta)[1-9][0-9]*)?")
_KIND = re.compile(r"[A-Z][A-Za-z0-9]*")
_GROUP = re.compile(r"(?:_\.)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?|_")


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
    if not _is_kind(group, version, kind):
        raise InvalidCustomization(
            f"scripts must be in a folder <group>/<version>/<Kind>, not {group}/{version}/{kind}",
            hint="such as example.com/v1/Widget, or core/v1/Pod for the core group",
            source=str(folder),
        )
    if group == CORE_FOLDER:
        group = ""
    return GVK(*(_pattern(part) for part in (group, version, kind)))


def kind_path(gvk: GVK) -> Path:
    """The folder of a kind or a pattern, relative to the folder of all scripts.

    Raises:
        InvalidCustomization: The kind cannot be a folder's name.
    """
    group, version, kind = (_name(part) for part in (gvk.group or CORE_FOLDER, *gvk[1:]))
    if not _is_kind(group, version, kind):
        raise InvalidCustomization(f"{gvk} cannot be a folder", hint="wanted: group/version/Kind")
    return Path(group) / version / kind


def _is_kind(group: str, version: str, kind: str) -> bool:
    return (
        _GROUP.fullmatch(group) is not None
        and (version == ANY_FOLDER or VERSION.fullmatch(version) is not None)
        and (kind == ANY_FOLDER or _KIND.fullmatch(kind) is not None)
    )


def _pattern(name: str) -> str:
    """A part of a pattern from the name of a folder."""
    return "*" + name[1:] if name[:1] == ANY_FOLDER else name


def _name(pattern: str) -> str:
    """The name of a folder from a part of a pattern."""
    return ANY_FOLDER + pattern[1:] if pattern[:1] == "*" else pattern


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
