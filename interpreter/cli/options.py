"""Options that commands share, and the interpreter they ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import click

from interpreter.errors import InterpreterError, InvalidCustomization

if TYPE_CHECKING:
    from interpreter.facade import ResourceInterpreter
    from interpreter.manifests import Manifest

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
    help="How to print.",
)


def interpreter_options(function: _F) -> _F:
    """Adds the options that configure the interpreter."""
    for option in reversed(
        (
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
                help="Switch something off: native, native:apps/v1/Deployment#InterpretHealth, …",
            ),
        )
    ):
        function = option(function)
    return function


def make_interpreter(
    customizations: Iterable[str],
    webhooks: Iterable[str],
    tiers: tuple[str, ...],
    disable: tuple[str, ...],
) -> ResourceInterpreter:
    """The interpreter that the shared options describe, started."""
    import os

    from interpreter.api.kinds import CUSTOMIZATION_KIND, WEBHOOK_CONFIGURATION_KIND
    from interpreter.facade import ResourceInterpreter
    from interpreter.registry.tiers import ALL_TIERS
    from interpreter.settings import Settings

    settings = Settings.from_environment(os.environ)
    interpreter = ResourceInterpreter(
        customizations=_documents(customizations, CUSTOMIZATION_KIND),
        webhooks=_documents(webhooks, WEBHOOK_CONFIGURATION_KIND),
        tiers=tiers or ALL_TIERS,
        disable=disable,
        settings=settings,
    )
    return interpreter.start()


def _documents(paths: Iterable[str], kind: str) -> list[Any]:
    documents = []
    for manifest in read_objects(tuple(paths)) if paths else ():
        if manifest.obj["kind"] != kind:
            raise InvalidCustomization(
                f"must be a {kind}", path="kind", value=manifest.obj["kind"], source=manifest.where
            )
        documents.append(manifest.obj)
    return documents


def read_objects(paths: tuple[str, ...]) -> Iterator[Manifest]:
    """Objects of files, with the settings of the environment.

    Raises:
        click.UsageError: No file was given.
    """
    import os

    from interpreter.manifests import read
    from interpreter.settings import Settings

    if not paths:
        raise click.UsageError("Missing option '-f' / '--filename'.")
    return read(paths, settings=Settings.from_environment(os.environ))


def located(error: InterpreterError, manifest: Manifest) -> InterpreterError:
    """The error with the place of the object it is about."""
    error.annotate(source=manifest.where)
    return error
