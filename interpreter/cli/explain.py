"""``interpret explain``: every operation's answer for every object, and who gave it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from interpreter.cli import inputs, options
from interpreter.cli.main import describe
from interpreter.machinery.wording import visible

if TYPE_CHECKING:
    from interpreter.explanation import Explanation
    from interpreter.facade import ResourceInterpreter
    from interpreter.manifests import Manifest

_Explained = list[tuple["Manifest", "Explanation"]]
_SHOWN_ERROR = 120


@click.command("explain")
@options.filenames
@click.option(
    "--operation", "operations", multiple=True, metavar="NAME", help="Only these; repeatable."
)
@inputs.with_inputs
@click.option("--answered", is_flag=True, help="Leave out operations that nobody answers.")
@click.option("--verbose", is_flag=True, help="Full answers, and what was skipped and why.")
@options.with_interpreter
@options.output
def command(
    filenames: tuple[str, ...],
    operations: tuple[str, ...],
    observed: str | None,
    status_items: str | None,
    replicas: int | None,
    answered: bool,
    verbose: bool,
    make_interpreter: Callable[[], ResourceInterpreter],
    output: str,
) -> None:
    """Show every operation's answer for every object, who gave it, and how long it took.

    An input that is not given is assumed, and marked with *: the object itself as observed, one
    status item from its own reflected status, its own replica count.
    """
    from interpreter.operations import OPERATIONS, parse_operation

    wanted = [parse_operation(name) for name in operations] or list(OPERATIONS)
    manifests = options.read_objects(filenames)
    given = inputs.read_inputs(observed, status_items, replicas)
    interpreter = make_interpreter()
    explained: _Explained = []
    for manifest in manifests:
        arguments = given.for_object(manifest.obj)
        for operation in wanted:
            explanation = interpreter.explain(manifest.obj, operation, **arguments)
            if explanation.by is not None or explanation.error is not None or not answered:
                explained.append((manifest, explanation))
    _PRINTERS[output](explained, verbose)
    failed = False
    for manifest, entry in explained:
        if entry.error is not None:
            failed = True
            click.echo(f"error: {describe(options.located(entry.error, manifest))}", err=True)
    if failed:
        sys.exit(1)


def _answer(entry: Explanation, manifest: Manifest) -> str:
    from interpreter.cli.short import cut, short

    if entry.error is not None:
        return cut(f"error: {entry.error}", _SHOWN_ERROR)
    if entry.by is None:
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
            entry.tier or "-",
            entry.handler or "-",
            f"{entry.seconds * 1e6:.0f} us" if entry.by is not None else "-",
        )
        for manifest, entry in explained
    ]
    headers = ("OBJECT", "OPERATION", "ANSWER", "TIER", "HANDLER", "TIME")
    optional = ("HANDLER", "TIME")
    printing.print_table(headers, rows, styles=STYLES, flexible="ANSWER", optional=optional)
    used = (note for _m, entry in explained if entry.by is not None for note in entry.notes)
    assumed = dict.fromkeys(note.split(",")[0] for note in used)
    if assumed:
        click.echo()
        for note in assumed:
            click.echo(f"* assumed {visible(note)}")


def _print_verbose(explained: _Explained) -> None:
    for manifest, entry in explained:
        for line in _verbose_lines(manifest, entry):
            click.echo(visible(line))
        click.echo()


def _verbose_lines(manifest: Manifest, entry: Explanation) -> Iterator[str]:
    from interpreter.cli import printing
    from interpreter.codec import yaml

    yield f"{printing.reference(manifest.obj)}  {entry.operation}  ({manifest.where})"
    if entry.by is None:
        yield "  answered by  nobody: no tier in use has a rule for this operation of this kind"
    else:
        verb = "answered by " if entry.error is None else "failed in   "
        convention = ", a convention, no rule for this kind" if entry.generic else ""
        yield f"  {verb} {entry.by.label}, {entry.handler}{convention}"
        yield f"  time         {entry.seconds * 1e6:.1f} us"
    if entry.state is not None:
        yield f"  state        {entry.state}"
    for label in entry.wrapped_by:
        yield f"  wrapped by   {label}, which may have amended the answer"
    for note in entry.notes:
        yield f"  assumed      {note}"
    for skipped in entry.skipped:
        yield f"  skipped      {skipped.tier} {skipped.handler}: {skipped.reason}"
    if entry.error is not None:
        yield f"  error        {' '.join(str(entry.error).split())}"
    elif entry.by is not None:
        yield "  answer"
        yield from (f"    {line}" for line in yaml.dumps(entry.answer).splitlines())


def _records(explained: _Explained) -> list[dict[str, Any]]:
    from interpreter.cli import printing

    return [
        {"object": printing.identity(manifest.obj), "source": manifest.where, **entry.to_dict()}
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
