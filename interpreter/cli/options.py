"""Options that commands share, and the interpreter they ask for."""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from interpreter.errors import InterpreterError, InvalidCustomization, InvalidObject
from interpreter.machinery.wording import visible

if TYPE_CHECKING:
    from interpreter.facade import ResourceInterpreter
    from interpreter.manifests import Manifest
    from interpreter.settings import Settings

_F = TypeVar("_F", bound=Callable[..., Any])

filenames = click.option(
    "-f",
    "--filename",
    "filenames",
    multiple=True,
    metavar="FILE",
    help="File, folder, glob pattern or - for standard input; repeatable.",
)
output = click.option(
    "-o",
    "--output",
    type=click.Choice(["table", "yaml", "json", "name"]),
    default="table",
    show_default=True,
    help="How to print; name prints the objects asked about.",
)
#: Environment variable with what is always left out.
_DISABLE = "RESOURCE_INTERPRETER_DISABLE"
_INTERPRETER_OPTIONS = (
    click.option(
        "-c",
        "--customization",
        "customizations",
        multiple=True,
        metavar="FILE",
        help="ResourceInterpreterCustomization documents; repeatable.",
    ),
    click.option(
        "-w",
        "--webhook-configuration",
        "webhooks",
        multiple=True,
        metavar="FILE",
        help="ResourceInterpreterWebhookConfiguration documents; repeatable.",
    ),
    click.option(
        "--tier",
        "tiers",
        multiple=True,
        metavar="NAME",
        help="Use only these tiers; repeatable.",
    ),
    click.option(
        "--disable",
        multiple=True,
        metavar="WHAT",
        help="Leave something out: bundled, native:apps/v1/Deployment#InterpretHealth, …; "
        f"{_DISABLE} may hold more, with commas.",
    ),
    click.option(
        "--plugins",
        multiple=True,
        metavar="NAMES",
        help="Only these plugins, with commas: names of installed ones, or module:attribute; "
        "empty for none.",
    ),
    click.option("--no-plugin", multiple=True, metavar="NAME", help="Not this plugin; repeatable."),
    click.option(
        "--plugins-dir",
        multiple=True,
        type=click.Path(exists=True, path_type=Path),
        metavar="DIR",
        help="Python files as plugins, for development; repeatable.",
    ),
    click.option(
        "--strict-plugins", is_flag=True, help="A plugin that cannot be used is an error."
    ),
)


def interpreter_options(function: _F) -> _F:
    """Adds the options that configure the interpreter; the command takes them as they are."""
    for option in reversed(_INTERPRETER_OPTIONS):
        function = option(function)
    return function


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the options say about the interpreter."""

    customizations: tuple[str, ...]
    webhooks: tuple[str, ...]
    tiers: tuple[str, ...]
    disable: tuple[str, ...]
    plugins: tuple[str, ...]
    no_plugin: tuple[str, ...]
    plugins_dir: tuple[Path, ...]
    strict_plugins: bool

    @staticmethod
    def taken(options: dict[str, Any]) -> Wanted:
        """Takes them out of all options of a command."""
        return Wanted(**{name.name: options.pop(name.name) for name in fields(Wanted)})

    @property
    def off(self) -> tuple[str, ...]:
        """Plugins that are not wanted, as entries of ``disable``."""
        return tuple(f"plugin:{name}" for name in self.no_plugin)


def with_interpreter(function: _F) -> _F:
    """Adds the options that configure the interpreter; the command takes ``make_interpreter``."""

    @functools.wraps(function)
    def command(*arguments: Any, **options: Any) -> Any:
        make = functools.partial(_interpreter, Wanted.taken(options))
        return function(*arguments, make_interpreter=make, **options)

    return interpreter_options(command)  # type: ignore[return-value]  # click keeps the callable


def _interpreter(
    wanted: Wanted,
    *,
    warn: bool = True,
    customizations: Sequence[Manifest] = (),
    webhooks: Sequence[Manifest] = (),
) -> ResourceInterpreter:
    """The interpreter that the options ask for.

    Args:
        wanted: What they say.
        warn: Whether plugins that turn out not to work are told of when the command ends.
        customizations: Further customizations, found among the inputs.
        webhooks: Further webhook configurations, found there.
    """
    import logging

    from interpreter.facade import ResourceInterpreter

    # The command itself says what is logged there; without a handler it would stand there twice.
    logging.getLogger("interpreter.plugins").addHandler(logging.NullHandler())
    arguments = arguments_of(wanted, customizations=customizations, webhooks=webhooks)
    interpreter = ResourceInterpreter(**arguments).start()
    warn_idle(interpreter, wanted)
    if warn:
        click.get_current_context().call_on_close(lambda: _warn_of_plugins(interpreter))
    return interpreter


def arguments_of(
    wanted: Wanted,
    *,
    customizations: Sequence[Manifest] = (),
    webhooks: Sequence[Manifest] = (),
) -> dict[str, Any]:
    """The arguments of ``ResourceInterpreter`` that the options ask for; plain data.

    Args:
        wanted: What they say.
        customizations: Further customizations, found among the inputs.
        webhooks: Further webhook configurations, found there.

    Raises:
        InterpreterError: A file cannot be read, or a document cannot be used; with its place.
    """
    from interpreter.api.kinds import CUSTOMIZATION_KIND, WEBHOOK_CONFIGURATION_KIND
    from interpreter.registry.tiers import ALL_TIERS

    chosen = settings()
    if wanted.strict_plugins:
        chosen = replace(chosen, strict_plugins=True)
    return {
        "customizations": _documents(
            wanted.customizations, customizations, "customization", CUSTOMIZATION_KIND
        ),
        "webhooks": _documents(wanted.webhooks, webhooks, "webhook", WEBHOOK_CONFIGURATION_KIND),
        "plugins": _plugins(wanted, chosen),
        "tiers": wanted.tiers or ALL_TIERS,
        "disable": (*wanted.disable, *wanted.off, *_from_environment(_DISABLE)),
        "settings": chosen,
    }


def warn_idle(interpreter: ResourceInterpreter, wanted: Wanted) -> None:
    """Warns of each switch that is about nothing, and of plugins that must not be used."""
    for text in interpreter.idle_disables():
        name = "--disable" if text in wanted.disable else f"{_DISABLE}:"
        if text in wanted.off:
            name, text = "--no-plugin", text.removeprefix("plugin:")
        click.echo(f"warning: {name} {text} names nothing that is here", err=True)
    named = {name for text in wanted.plugins for name in _entries(text)} - {*wanted.no_plugin}
    for report in interpreter.plugins():
        if report.name in named and report.status == "blocked":
            click.echo(f"warning: --plugins {report.name} is blocked: {report.reason}", err=True)


def _plugins(wanted: Wanted, chosen: Settings) -> Any:
    """The plugins argument: names, and files of folders; installed ones where none is named."""
    names: Any = [name for text in wanted.plugins for name in _entries(text)]
    if not wanted.plugins:
        if not wanted.plugins_dir:
            return "auto"
        from interpreter.registry.plugin_sources import installed

        names = chosen.plugins
        if names is None:
            names = dict.fromkeys(source.name for source in installed())
    return [*names, *wanted.plugins_dir]


def _warn_of_plugins(interpreter: ResourceInterpreter) -> None:
    """Tells of plugins that failed meanwhile: an answer may be somebody else's for that."""
    for report in interpreter.plugins():
        reason = visible(report.reason or "")
        if report.status == "failed":
            told = f"failed: {reason} (interpret plugins --load says more)"
        elif report.status == "quarantined":  # until this process ends: no other one knows of it
            told = f"is {reason}"
        else:
            continue
        click.echo(f"warning: plugin {report.name} {told}", err=True)


def _from_environment(name: str) -> list[str]:
    """The entries of an environment variable that holds a list with commas."""
    import os

    return _entries(os.environ.get(name, ""))


def _entries(text: str) -> list[str]:
    return [entry.strip() for entry in text.split(",") if entry.strip()]


def settings() -> Settings:
    """The settings that the environment names."""
    import os

    from interpreter.settings import Settings

    return Settings.from_environment(os.environ)


def _documents(
    paths: tuple[str, ...], found: Sequence[Manifest], tier: str, kind: str
) -> list[Any]:
    """Documents of one kind, each checked by itself, so that an error can name its place."""
    from interpreter.registry.assembly import Engines, build_tier

    engines = Engines()
    places: dict[Any, str] = {}
    documents = []
    for manifest in (*(read_objects(paths) if paths else ()), *found):
        obj = manifest.obj
        try:
            if obj["kind"] != kind:
                raise InvalidCustomization(f"must be a {kind}", path="kind", value=obj["kind"])
            build_tier(tier, [obj], engines)
            name = obj["metadata"]["name"]
            if name in places:
                raise InvalidCustomization(f"{name!r} is there twice, first in {places[name]}")
        except InterpreterError as error:
            raise located(error, manifest) from None
        places[name] = manifest.where
        documents.append(obj)
    return documents


def read_objects(paths: tuple[str, ...]) -> list[Manifest]:
    """All objects of files; nothing is answered when one cannot be read.

    Raises:
        click.UsageError: No file was given.
        InvalidObject: A file cannot be read, or there is no object in any.
    """
    from interpreter.manifests import read

    if not paths:
        raise click.UsageError("Missing option '-f' / '--filename'.")
    take_stdin(paths)
    # What is read stays until the command ends: looking for cycles in it doubles the time.
    gc.disable()
    try:
        found = list(read(paths, settings=settings()))
    finally:
        gc.freeze()
        gc.enable()
    if not found:
        raise InvalidObject("no object in the given files", source=", ".join(paths))
    return found


def take_stdin(paths: Iterable[str]) -> None:
    """Sees to it that one option reads standard input, not two.

    Raises:
        click.UsageError: It was taken already.
    """
    meta = click.get_current_context().meta
    for path in paths:
        if path == "-":
            if meta.get("stdin"):
                raise click.UsageError("standard input (-) can be given once")
            meta["stdin"] = True


def located(error: InterpreterError, manifest: Manifest) -> InterpreterError:
    """The error with the place of the object it is about."""
    error.annotate(source=manifest.where)
    return error
