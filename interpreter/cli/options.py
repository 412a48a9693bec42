"""Options that commands share, and the interpreter they ask for."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from interpreter.errors import InterpreterError, InvalidCustomization, InvalidObject

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
        help="Leave something out: native, native:apps/v1/Deployment#InterpretHealth, …",
    ),
)


def interpreter_options(function: _F) -> _F:
    """Adds the options that configure the interpreter; the command takes them as they are."""
    for option in reversed(_INTERPRETER_OPTIONS):
        function = option(function)
    return function


def with_interpreter(function: _F) -> _F:
    """Adds the options that configure the interpreter; the command takes ``interpreter``."""

    @functools.wraps(function)
    def command(
        *arguments: Any,
        customizations: tuple[str, ...],
        webhooks: tuple[str, ...],
        tiers: tuple[str, ...],
        disable: tuple[str, ...],
        **options: Any,
    ) -> Any:
        make = functools.partial(_interpreter, customizations, webhooks, tiers, disable)
        return function(*arguments, make_interpreter=make, **options)

    return interpreter_options(command)  # type: ignore[return-value]  # click keeps the callable


def _interpreter(
    customizations: tuple[str, ...],
    webhooks: tuple[str, ...],
    tiers: tuple[str, ...],
    disable: tuple[str, ...],
) -> ResourceInterpreter:
    from interpreter.facade import ResourceInterpreter
    from interpreter.registry.tiers import ALL_TIERS

    documents, configurations = read_documents(customizations, webhooks)
    interpreter = ResourceInterpreter(
        customizations=documents,
        webhooks=configurations,
        tiers=tiers or ALL_TIERS,
        disable=disable,
        settings=settings(),
    ).start()
    warn_idle(interpreter)
    return interpreter


def read_documents(
    customizations: tuple[str, ...], webhooks: tuple[str, ...]
) -> tuple[list[Any], list[Any]]:
    """The documents of the files given, customizations and webhook configurations.

    Raises:
        InterpreterError: A file cannot be read, or a document cannot be used; with its place.
    """
    from interpreter.api.kinds import CUSTOMIZATION_KIND, WEBHOOK_CONFIGURATION_KIND

    return (
        _documents(customizations, "customization", CUSTOMIZATION_KIND),
        _documents(webhooks, "webhook", WEBHOOK_CONFIGURATION_KIND),
    )


def warn_idle(interpreter: ResourceInterpreter) -> None:
    """Warns of each --disable that is about nothing."""
    for text in interpreter.idle_disables():
        click.echo(f"warning: --disable {text} names nothing that is here", err=True)


def settings() -> Settings:
    """The settings that the environment names."""
    import os

    from interpreter.settings import Settings

    return Settings.from_environment(os.environ)


def _documents(paths: tuple[str, ...], tier: str, kind: str) -> list[Any]:
    """Documents of one kind, each checked by itself, so that an error can name its place."""
    from interpreter.registry.assembly import Engines, build_tier

    engines = Engines()
    places: dict[Any, str] = {}
    documents = []
    for manifest in read_objects(paths) if paths else ():
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
    found = list(read(paths, settings=settings()))
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
