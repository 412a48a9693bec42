"""``interpret explain``: every operation's answer for every object, and who gave it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from interpreter.cli import options
from interpreter.cli.main import describe
from interpreter.errors import InvalidObject

if TYPE_CHECKING:
    from interpreter.explanation import Explanation
    from interpreter.manifests import Manifest

_Explained = list[tuple["Manifest", "Explanation"]]


@click.command("explain")
@options.filenames
@click.option(
    "--operation", "operations", multiple=True, metavar="NAME", help="Only these; repeatable."
)
@click.option("--answered", is_flag=True, help="Leave out operations that nobody answers.")
@click.option("--verbose", is_flag=True, help="Full answers, and what was skipped and why.")
@options.interpreter_options
@options.output
def command(
    filenames: tuple[str, ...],
    operations: tuple[str, ...],
    answered: bool,
    verbose: bool,
    customizations: tuple[str, ...],
    webhooks: tuple[str, ...],
    tiers: tuple[str, ...],
    disable: tuple[str, ...],
    output: str,
) -> None:
    """Show every operation's answer for every object, who gave it, and how long it took.

    An input that is not there is assumed, and marked with *: the object itself as observed, one
    status item from its own status, its own replica count.
    """
    from interpreter.operations import OPERATIONS, parse_operation

    wanted = [parse_operation(name) for name in operations] or list(OPERATIONS)
    interpreter = options.make_interpreter(customizations, webhooks, tiers, disable)
    explained: _Explained = []
    count = 0
    for manifest in options.read_objects(filenames):
        count += 1
        for operation in wanted:
            explanation = interpreter.explain(manifest.obj, operation)
            if explanation.tier is not None or explanation.error is not None or not answered:
                explained.append((manifest, explanation))
    if not count:
        raise InvalidObject("no object in the given files", source=", ".join(filenames))
    _PRINTERS[output](explained, verbose)
    failed = [(manifest, entry) for manifest, entry in explained if entry.error is not None]
    for manifest, entry in failed:
        if entry.error is not None and output != "table":
            click.echo(f"error: {describe(options.located(entry.error, manifest))}", err=True)
    if failed:
        sys.exit(1)


def _handler(entry: Explanation) -> str:
    return "-" if entry.handler is None else entry.handler


def _tier(entry: Explanation) -> str:
    if entry.tier is None:
        return "-"
    return entry.tier if entry.plugin in (None, entry.tier) else f"{entry.tier}:{entry.plugin}"


def _answer(entry: Explanation, manifest: Manifest) -> str:
    from interpreter.cli.short import short

    if entry.error is not None:
        return f"error: {' '.join(str(entry.error).split())}"
    if entry.tier is None:
        return "no rule"
    text = short(entry.operation, entry.answer, manifest.obj)
    return f"{text} *" if entry.notes else text


def _table(explained: _Explained, verbose: bool) -> None:
    from interpreter.cli import printing
    from interpreter.cli.short import STYLES

    if verbose:
        _print_verbose(explained)
        return
    rows = [
        (
            printing.reference(manifest.obj),
            entry.operation.value,
            _answer(entry, manifest),
            _tier(entry),
            _handler(entry),
            f"{entry.seconds * 1e6:.0f} us" if entry.tier is not None else "-",
        )
        for manifest, entry in explained
    ]
    headers = ("OBJECT", "OPERATION", "ANSWER", "TIER", "HANDLER", "TIME")
    printing.print_table(headers, rows, styles=STYLES)
    assumed = sorted({note.split(",")[0] for _m, entry in explained for note in entry.notes})
    if assumed:
        click.echo()
        for note in assumed:
            click.echo(f"* assumed {note}")


def _print_verbose(explained: _Explained) -> None:
    for manifest, entry in explained:
        for line in _verbose_lines(manifest, entry):
            click.echo(line)
        click.echo()


def _verbose_lines(manifest: Manifest, entry: Explanation) -> Iterator[str]:
    from interpreter.cli import printing
    from interpreter.codec import yaml

    yield f"{printing.reference(manifest.obj)}  {entry.operation}  ({manifest.where})"
    yield f"  answered by  {_tier(entry)}, {_handler(entry)}" + (
        ", a convention, no rule for this kind" if entry.generic else ""
    )
    if entry.tier is not None:
        yield f"  time         {entry.seconds * 1e6:.1f} us"
    for note in entry.notes:
        yield f"  assumed      {note}"
    for skipped in entry.skipped:
        yield f"  skipped      {skipped.tier} {skipped.handler}: {skipped.reason}"
    if entry.error is not None:
        yield f"  error        {' '.join(str(entry.error).split())}"
    elif entry.tier is not None:
        yield "  answer"
        yield from (f"    {line}" for line in yaml.dumps(entry.answer).splitlines())


def _records(explained: _Explained) -> list[dict[str, Any]]:
    from interpreter.cli import printing

    return [
        {"object": printing.reference(manifest.obj), "source": manifest.where, **entry.to_dict()}
        for manifest, entry in explained
    ]


def _json(explained: _Explained, _verbose: bool) -> None:
    from interpreter.cli import printing

    printing.print_json(_records(explained))


def _yaml(explained: _Explained, _verbose: bool) -> None:
    from interpreter.cli import printing

    printing.print_yaml(_records(explained))


def _name(explained: _Explained, _verbose: bool) -> None:
    from interpreter.cli import printing

    for name in dict.fromkeys(printing.resource_name(manifest.obj) for manifest, _ in explained):
        click.echo(name)


_PRINTERS = {"table": _table, "json": _json, "yaml": _yaml, "name": _name}
