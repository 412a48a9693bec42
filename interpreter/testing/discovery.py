"""From the paths that a person gives to suites: which scripts, and which cases go with them.

=====================  =========================================================================
a path                 stands for
=====================  =========================================================================
a folder               every kind folder and customization file below it, without hidden folders
a kind folder          ``<operation>.lua`` files; their cases are ``cases/<operation>.yaml``
a ``.lua`` file        that script and its cases
a customization file   its documents; ``widget.yaml`` has its cases in ``widget.cases/`` beside it
                       or else in ``cases/``, Karmada's in ``widget_tests.yaml`` and ``testdata/``
a case file or folder  those cases alone, of either format
=====================  =========================================================================
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from interpreter.api.operation import Operation
from interpreter.errors import ConfigurationError, InvalidCustomization, InvalidObject
from interpreter.operations import OPERATIONS
from interpreter.testing.cases import Case, broken_file, operation_of_file, read_cases
from interpreter.testing.customizations import (
    Declared,
    read_customizations,
    suites_of,
    unreadable,
)
from interpreter.testing.karmada_cases import TESTDATA, TESTS_FILE_SUFFIX, read_karmada_cases
from interpreter.testing.suites import Rule, ScriptFile, Suite
from interpreter.testing.texts import is_yaml, read_text

CASES = "cases"
#: Folders that never hold scripts, and may be large.
_SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages", "build", "dist"})


@dataclass(slots=True)
class Found:
    """What the paths stand for.

    Attributes:
        suites: In the order of the paths, inside a folder by name; nothing twice.
        notes: What a person should know, such as a ``.lua`` file that no operation is named like.
    """

    suites: list[Suite] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def default_paths() -> list[Path]:
    """``lua_scripts`` if there is one, else the current folder."""
    scripts = Path("lua_scripts")
    return [scripts if scripts.is_dir() else Path()]


def discover(paths: Sequence[str | Path]) -> Found:
    """Finds scripts and cases.

    Args:
        paths: See the module; ``lua_scripts`` or the current folder when there are none.

    Raises:
        ConfigurationError: A path does not exist or is nothing that can be tested.
    """
    found = Found()
    seen: set[tuple[str, str, str]] = set()
    for path in map(Path, paths) if paths else default_paths():
        if not path.exists():
            raise ConfigurationError(f"{path}: there is no such file or folder")
        for suite in _suites(path, found.notes):
            key = (
                suite.place,
                suite.kind,
                suite.cases[0].file if not suite.must_cover and suite.cases else "",
            )
            if key not in seen:
                seen.add(key)
                found.suites.append(suite)
    return found


def _suites(path: Path, notes: list[str]) -> Iterator[Suite]:
    if path.is_dir() and _holds_cases(path):
        for file in _case_files(path):
            yield from _case_file(file)
    elif path.is_dir():
        for folder in _folders(path):
            yield from _folder_suites(folder, notes)
    elif path.suffix == ".lua":
        yield from _lua_file(path)
    elif is_yaml(path):
        yield from _yaml_file(path)
    else:
        raise ConfigurationError(
            f"{path}: neither a folder nor a .lua, .yaml or .yml file",
            hint="give a folder of scripts, a kind folder, a case file or a customization file",
        )


def _folders(top: Path) -> Iterator[Path]:
    for name, folders, _files in os.walk(top):
        folders[:] = sorted(
            each
            for each in folders
            if not each.startswith(".") and each not in _SKIPPED and not _holds_cases(Path(each))
        )
        yield Path(name)


def _holds_cases(folder: Path) -> bool:
    folder = folder.absolute()  # "." has no name
    return folder.name in (CASES, TESTDATA) or folder.suffix == f".{CASES}"


def _folder_suites(folder: Path, notes: list[str]) -> Iterator[Suite]:
    files = _files(folder)
    scripts = [path for path in files if path.suffix == ".lua"]
    named = [path for path in scripts if operation_of_file(path) is not None]
    if named:
        known = ", ".join(spec.script for spec in OPERATIONS.values() if spec.lua_function)
        notes += [
            f"{path}: no operation has this name, so it is not tested (known: {known})"
            for path in scripts
            if path not in named
        ]
    customizations = [path for path in files if is_yaml(path) and _is_customization(path)]
    if named:
        # Scripts that were taken out of a customization still have Karmada's tests beside them.
        tests = [] if customizations else [*files, *_case_files(folder / TESTDATA)]
        yield _kind_suite(
            folder,
            named,
            _case_files(folder / CASES),
            [path for path in tests if path.name.endswith(TESTS_FILE_SUFFIX) or path not in files],
        )
    if customizations:
        yield from _customization_suites(
            folder, customizations, wanted=None, kind_folder=bool(named)
        )


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_file() and path.name[0] != ".")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigurationError(f"{folder}: cannot be read: {reason}") from None


def _is_customization(path: Path) -> bool:
    try:
        return "ResourceInterpreterCustomization" in read_text(path)
    except InvalidObject:
        return False


def _case_files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and is_yaml(path) and not path.name.startswith(".")
    )


def find_cases(*paths: str | Path) -> list[Case]:
    """Cases without what answers them: for plugins, and for tests of one's own.

    Args:
        *paths: Case files; folders of them (``cases``, or a name that ends in ``.cases``); or
            folders that hold such folders. The current folder when there are none.

    Raises:
        ConfigurationError: A path does not exist or is neither, or there is no case at all: a test
            without cases would pass.
    """
    found: dict[str, Case] = {}
    for path in map(Path, paths) if paths else [Path()]:
        if not path.is_dir() and not (path.is_file() and is_yaml(path)):
            raise ConfigurationError(f"{path}: neither a folder nor a .yaml or .yml file")
        for case in _cases(_files_with_cases(path), scripted=False):
            found.setdefault(f"{case.id}:{case.line}", case)
    if not found:
        raise ConfigurationError(
            f"no case found in {', '.join(map(str, paths)) or 'the current folder'}",
            hint="cases are cases/<operation>.yaml",
        )
    return list(found.values())


def _files_with_cases(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    if _holds_cases(path):
        yield from _case_files(path)
        return
    for folder in _folders(path):
        for inner in sorted(each for each in folder.iterdir() if each.is_dir()):
            if _holds_cases(inner) and not inner.name.startswith("."):
                yield from _case_files(inner)


def _cases(files: Iterable[Path], *, scripted: bool = True) -> Iterator[Case]:
    for path in files:
        operation = operation_of_file(path, scripted=scripted)
        if operation is not None:
            yield from read_cases(path, operation)
            continue
        karmada = read_karmada_cases(path)
        if any(case.operation is not None for case in karmada):
            yield from karmada
        else:
            error = InvalidObject(
                "no operation has the name of this file",
                hint="name it <operation>.yaml, such as get_replicas.yaml",
            )
            yield replace(broken_file(path, error), name="the file is named after an operation")


def _kind_suite(
    folder: Path, scripts: list[Path], case_files: list[Path], karmada: Sequence[Path] = ()
) -> Suite:
    parts = folder.resolve().parts[-3:]
    kind = "/".join(parts) if len(parts) == 3 else folder.name
    rules: dict[Operation, Rule] = {}
    problems = []
    for path in scripts:
        operation = operation_of_file(path)
        assert operation is not None  # noqa: S101 - the caller chose them so
        try:
            source = read_text(path)
        except InvalidObject as error:
            problems.append(broken_file(path, error, operation))
            source = ""
        if operation in rules:
            twice = InvalidObject("another script of this folder is for the same operation")
            problems.append(broken_file(path, twice, operation))
            continue
        script = ScriptFile(f"{parts[-1]}/{path.name}", source, operation.value, str(path))
        rules[operation] = Rule(operation, (script,))
    return Suite(
        kind=kind,
        place=str(folder),
        rules=rules,
        cases=(
            *problems,
            *_cases(case_files),
            *(case for path in karmada for case in read_karmada_cases(path)),
        ),
        must_cover=frozenset(rules),
    )


def _lua_file(path: Path) -> Iterator[Suite]:
    operation = operation_of_file(path)
    if operation is None:
        raise ConfigurationError(
            f"{path}: no operation has this name",
            hint="one of "
            + ", ".join(spec.script for spec in OPERATIONS.values() if spec.lua_function),
        )
    files = [
        file
        for file in _case_files(path.parent / CASES)
        if operation_of_file(file) in (operation, None)
    ]
    suite = _kind_suite(path.parent, [path], files)
    yield replace(
        suite,
        place=str(path),
        cases=tuple(case for case in suite.cases if case.operation in (operation, None)),
    )


def _customization_suites(
    folder: Path, files: list[Path], *, wanted: Path | None, kind_folder: bool
) -> Iterator[Suite]:
    """Suites of a folder's customization files; without own case folders they share one pool."""
    shared: list[Declared] = []
    pool: list[Path] = []
    karmada: list[Path] = []
    for path in files:
        try:
            declared = read_customizations(path)
        except (InvalidObject, InvalidCustomization) as error:
            if wanted in (None, path):
                yield unreadable(path, error)
            continue
        own = _case_files(path.with_name(f"{path.stem}.{CASES}"))
        tests = path.with_name(f"{path.stem}{TESTS_FILE_SUFFIX}")
        own_karmada = [tests] if tests.is_file() else []
        if own:
            if wanted in (None, path):
                cases = [
                    *_cases(own),
                    *(case for each in own_karmada for case in read_karmada_cases(each)),
                ]
                yield from suites_of(declared, cases)
        else:
            shared += declared
            karmada += own_karmada
    if not shared:
        return
    if not kind_folder:
        # Beside scripts, cases/ belongs to the scripts.
        pool = _case_files(folder / CASES)
    cases = list(_cases(pool))
    for path in [*karmada, *_case_files(folder / TESTDATA)]:
        cases += read_karmada_cases(path)
    only = None if wanted is None else frozenset({str(wanted)})
    yield from suites_of(shared, cases, only=only)


def _yaml_file(path: Path) -> Iterator[Suite]:
    """A customization file or a case file, told by the content."""
    # A case may well speak of customizations; where it lies tells what it is.
    if not _holds_cases(path.parent) and _is_customization(path):
        folder = path.parent
        files = [each for each in _files(folder) if is_yaml(each) and _is_customization(each)]
        scripts = any(each.suffix == ".lua" and operation_of_file(each) for each in _files(folder))
        yield from _customization_suites(folder, files, wanted=path, kind_folder=scripts)
        return
    suites = list(_case_file(path))
    if suites:
        yield from suites
        return
    raise ConfigurationError(
        f"{path}: neither a customization file nor a case file with scripts beside it",
        hint="a case file is cases/<operation>.yaml in a folder with <operation>.lua",
    )


def _case_file(path: Path) -> Iterator[Suite]:
    """The cases of one file with the scripts they are for, which stand in a folder above."""
    absolute = path.resolve()
    for above in list(absolute.parents)[:4]:
        # A path without folders, given inside the case folder, has no parent to walk to.
        folder = above if path.is_absolute() else Path(os.path.relpath(above))
        owners = []
        for suite in _folder_suites(folder, []):
            cases = tuple(case for case in suite.cases if Path(case.file).resolve() == absolute)
            if cases:
                owners.append(replace(suite, cases=cases, must_cover=frozenset()))
        if owners:
            yield from owners
            return
