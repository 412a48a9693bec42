"""Where plugins come from: objects, installed distributions, Lua packs, single files.

Installed plugins are listed from the metadata of their distributions; nothing is imported for that.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import importlib.util
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.catalogue.folders import CORE_FOLDER
from interpreter.catalogue.location import FOLDER as SCRIPTS_FOLDER
from interpreter.errors import ConfigurationError, PluginError
from interpreter.machinery.gvk import ANY, GVK
from interpreter.registry.disabling import Disabled
from interpreter.registry.faults import is_fault, told
from interpreter.registry.given import listed
from interpreter.registry.plugin_contract import plugin_name
from interpreter.settings import Settings

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

PLUGINS_GROUP = "resource_interpreter.plugins"
KINDS_GROUP = "resource_interpreter.kinds"
PACKS_GROUP = "resource_interpreter.lua_packs"


@dataclass(frozen=True, slots=True)
class Source:
    """A plugin that may be loaded.

    Attributes:
        name: Its name.
        load: Gives the plugin: a module, an object or a class, or a pack's folder (a ``Path``).
        value: Where its object is, as an entry point names it; empty for objects.
        claims: Kinds that its metadata declares; None where they are not declared.
        distribution: Name of the distribution that brings it; empty for others.
        version: Version of that distribution.
        path: Where it is on disk, as far as that is known without importing it.
        given: Whether the caller gave the object itself, so that a fault is the caller's to see.
        blocked: Why it must not be loaded; None where it may.
    """

    name: str
    load: Callable[[], object]
    value: str = ""
    claims: tuple[GVK, ...] | None = None
    distribution: str = ""
    version: str = ""
    path: str = ""
    given: bool = False
    blocked: str | None = None


def sources_of(
    given: Any, settings: Settings, disabled: Iterable[Disabled] = ()
) -> tuple[Source, ...]:
    """The plugins that a caller wants, blocked ones included.

    Args:
        given: ``"auto"`` for installed ones, None for none, or a list of names, objects'
            ``module:attribute``, paths (a Python file, or a folder of them) and plugin objects.
        settings: Which of the installed ones, and what may be loaded at all.
        disabled: What is switched off; a plugin that is off as a whole is not even loaded.

    Raises:
        ConfigurationError: It is nothing of that, a name is not installed, a path does not exist.
    """
    if given is None:
        return ()
    if isinstance(given, str) and given == "auto":
        names = settings.plugins
        found = list(installed() if names is None else _named(names))
    else:
        allowed = settings.allowed_plugins
        found = [
            source for entry in listed(given, "plugins") for source in _sources(entry, allowed)
        ]
    off = {
        rule.plugin
        for rule in disabled
        if rule.tier == "plugin" and rule.gvk is None and rule.operation is None
    }
    return tuple(_screened(source, settings.allowed_plugins, off) for source in found)


def _screened(source: Source, allowed: Sequence[str] | None, off: set[str | None]) -> Source:
    if source.name in off:
        return replace(source, blocked="switched off")
    if allowed is not None and not source.given and source.name not in allowed:
        return replace(source, blocked="not among the allowed plugins")
    return source


def _sources(entry: Any, allowed: Sequence[str] | None) -> Iterable[Source]:
    if isinstance(entry, str) and ":" in entry:
        if allowed is not None and entry not in allowed:
            return [Source(entry, lambda: None, entry)]
        plugin = _imported(entry)
        return [Source(plugin_name(plugin), lambda: plugin, entry, given=True)]
    if isinstance(entry, str):
        return _named([entry])
    if isinstance(entry, Path):
        return files_in(entry)
    return [Source(plugin_name(entry), lambda: entry, given=True)]


def _imported(name: str) -> object:
    """The object that ``module:attribute`` names, on Python's import path.

    Raises:
        ConfigurationError: There is none, or its module fails while it is imported.
    """
    module, _colon, attribute = name.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for part in filter(None, attribute.split(".")):
            found = getattr(found, part)
    except BaseException as error:
        if not is_fault(error):
            raise
        raise ConfigurationError(
            f"cannot load the plugin {name!r}: {told(error)}",
            hint="module:attribute, on Python's import path (PYTHONPATH)",
        ) from error
    return found


def _named(names: Iterable[str]) -> Iterable[Source]:
    known: dict[str, Source] = {}
    for source in installed():
        known.setdefault(source.name, source)
    for name in names:
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f"{close[0]}?" if close else f"installed: {', '.join(known) or 'none'}"
            raise ConfigurationError(f"no plugin named {name!r} is installed", hint=hint)
        yield known[name]


@functools.cache
def installed() -> tuple[Source, ...]:
    """Installed plugins and Lua packs, by name; found once in a process, imported never."""
    # Imported here: who uses no installed plugin does not pay for it.
    from importlib.metadata import entry_points

    points = entry_points()
    kinds = list(points.select(group=KINDS_GROUP))
    found = [_source(point, kinds, point.load) for point in points.select(group=PLUGINS_GROUP)]
    found += [
        _source(point, kinds, functools.partial(pack_folder, point.value))
        for point in points.select(group=PACKS_GROUP)
    ]
    found.sort(key=lambda source: (source.name, source.distribution))
    return tuple(_unique(found))


def _unique(found: Iterable[Source]) -> Iterable[Source]:
    """Of several with one name the first counts; the others are blocked, and say so."""
    first: dict[str, Source] = {}
    for source in found:
        other = first.setdefault(source.name, source)
        if other is source:
            yield source
        elif (source.value, source.distribution) != (other.value, other.distribution):
            reason = f"its name is that of a plugin of {other.distribution or other.value}"
            yield replace(source, blocked=reason)


def _source(
    point: EntryPoint,
    kinds: Iterable[EntryPoint],
    load: Callable[[], object],
) -> Source:
    owner = _owner(point)
    declared = [kind for kind in kinds if kind.value == point.value and _owner(kind) == owner]
    claims: tuple[GVK, ...] | None = None
    if declared:
        try:
            claims = tuple(declared_kind(kind.name) for kind in declared)
        except ValueError as error:
            claims, load = (ANY,), functools.partial(_refuse, point.name, str(error))
    place = str(point.dist.locate_file("")) if point.dist is not None else ""
    return Source(point.name, load, point.value, claims, *owner, path=place)


def declared_kind(text: str) -> GVK:
    """A kind as metadata names it: ``group/version/Kind``, ``v1/Pod`` or ``core/v1/Pod``.

    Raises:
        ValueError: The text has another form.
    """
    gvk = GVK.parse(text)
    return gvk._replace(group="") if gvk.group == CORE_FOLDER else gvk


def _refuse(name: str, problem: str) -> object:
    raise PluginError(
        f"plugin {name!r}: entry point of {KINDS_GROUP}: {problem}",
        plugin=name,
        hint="name it <group>/<version>/<Kind>, each part may be *",
    )


def pack_folder(module: str) -> Path:
    """The folder of a pack's scripts: that of a package, or ``lua_scripts`` in it.

    A package at the top level is found without importing it.

    Raises:
        PluginError: There is no such package.
    """
    spec = importlib.util.find_spec(module)
    locations = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not locations:
        raise PluginError(
            f"{module} is no package with a folder",
            hint=f"an entry point of {PACKS_GROUP} names the package that holds the scripts",
        )
    folder = Path(locations[0])
    inner = folder / SCRIPTS_FOLDER
    return inner if inner.is_dir() else folder


def files_in(path: Path) -> list[Source]:
    """A Python file as a plugin, or each of a folder's; names with an underscore are left out.

    Raises:
        ConfigurationError: There is no such file or folder.
    """
    if path.is_dir():
        files = sorted(file for file in path.glob("*.py") if not file.name.startswith("_"))
    elif path.is_file():
        files = [path]
    else:
        raise ConfigurationError(f"plugins: {path} does not exist")
    return [
        Source(file.stem, functools.partial(_run_file, file), str(file), path=str(file))
        for file in files
    ]


def _run_file(file: Path) -> object:
    spec = importlib.util.spec_from_file_location(f"resource_interpreter_plugin_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise PluginError(f"{file} is no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _owner(point: EntryPoint) -> tuple[str, str]:
    """Name and version of the distribution of an entry point."""
    dist = point.dist
    return (dist.name, dist.version) if dist is not None else ("", "")
