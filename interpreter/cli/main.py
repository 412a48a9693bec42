"""``interpret``: the command group, and how errors leave the process."""

from __future__ import annotations

import importlib
import io
import sys

import click

from interpreter import __version__
from interpreter.errors import ConfigurationError, InterpreterError
from interpreter.machinery.wording import visible

#: Command name to one line of help. The module is ``interpreter.cli.<name>``, with ``_`` for ``-``;
#: help stands here, so that the group's help imports no command.
COMMANDS = {
    "run": "Run one operation on every object given.",
    "explain": "Show every operation's answer for every object, and who gave it.",
    "plan": "Show what lands on which cluster, and why.",
    "health": "Show how every object fares, owners with what they own.",
    "kinds": "Show which kinds are interpreted, and by whom.",
    "plugins": "Show Python plugins and Lua packs, and whether they work.",
    "check": "Lint Lua customizations and script folders.",
    "test": "Run Lua scripts or plugins on their cases.",
    "new": "Start a folder of Lua scripts for a kind.",
    "new-plugin": "Start an installable project for a Python plugin.",
    "bundle": "Turn script folders into customizations for kubectl.",
    "unbundle": "Turn customizations into script folders.",
    "serve": "Serve the interpreter over the network.",
    "stubs": "Write annotation files for the Lua language server.",
}


class _LazyGroup(click.Group):
    """A group that imports a command's module only when the command is used."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"interpreter.cli.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="interpret")
def group() -> None:
    """Ask what a multi-cluster control plane asks about Kubernetes resources.

    Exit codes: 0 the answer is there, 1 the answer is an error, 2 wrong usage.
    """


def main() -> None:
    """Entry point of ``interpret`` and ``kubectl-interpret``."""
    _prepare_output()
    try:
        code = group.main(standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:
        click.echo("interrupted", err=True)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except InterpreterError as error:
        click.echo(f"error: {describe(error)}", err=True)
        sys.exit(2 if isinstance(error, ConfigurationError) else 1)
    except OSError as error:
        # Files are read behind their own door: what is left is the output.
        click.echo(f"error: cannot write the output: {error.strerror or error}", err=True)
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)


def _prepare_output() -> None:
    """Sees to it that whatever an object is called can be printed."""
    if sys.stdout is None:
        sys.exit("error: standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def describe(error: InterpreterError) -> str:
    """An error on one line, with where its input came from."""
    place = error.source or ""
    if error.line is not None and error.script is None:
        place = f"{place}, line {error.line}" if place else f"line {error.line}"
    text = " ".join(str(error).split())
    return visible(f"{place}: {text}" if place else text)
