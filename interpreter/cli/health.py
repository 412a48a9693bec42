"""``interpret health``: how every object fares, and its owner with it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from interpreter.api.results import HEALTH_STATUSES, HealthStatus
from interpreter.cli import options
from interpreter.cli.main import describe
from interpreter.machinery.wording import counted

if TYPE_CHECKING:
    from interpreter.facade import ResourceInterpreter
    from interpreter.survey import Surveyed, Tally

_SYMBOLS: dict[HealthStatus, str] = {
    "Healthy": "✓",
    "Progressing": "↻",
    "Degraded": "✗",
    "Suspended": "‖",
    "Missing": "∅",
    "Unknown": "?",
}
#: Chains of owners in real clusters have up to five links.
_DEEPEST_INDENT = 8
_LONGEST_REASON = 40
_NAMED_FAILURES = 3
#: What fails in JUnit XML where --fail-on does not say: a document in which nothing can fail would
#: say nothing.
_JUNIT_FAILURES: tuple[HealthStatus, ...] = ("Degraded", "Missing")


def _parse_statuses(
    _ctx: click.Context, _option: click.Parameter, texts: tuple[str, ...]
) -> tuple[HealthStatus, ...]:
    known = {status.lower(): status for status in HEALTH_STATUSES}
    found = []
    for text in ",".join(texts).split(",") if texts else ():
        status = known.get(text.strip().lower())
        if status is None:
            raise click.BadParameter(f"{text!r} is none of {', '.join(HEALTH_STATUSES)}")
        found.append(status)
    return tuple(dict.fromkeys(found))


@click.command("health")
@options.filenames
@click.option(
    "--fail-on",
    multiple=True,
    metavar="STATUSES",
    callback=_parse_statuses,
    help="Exit with 1 when an object is in one of these, with commas: Degraded,Progressing.",
)
@click.option("--summary", is_flag=True, help="Count by namespace and kind.")
@options.with_interpreter
@click.option(
    "-o",
    "--output",
    type=click.Choice(["table", "yaml", "json", "junit"]),
    default="table",
    show_default=True,
    help="How to print.",
)
def command(
    filenames: tuple[str, ...],
    fail_on: tuple[HealthStatus, ...],
    summary: bool,
    make_interpreter: Callable[[], ResourceInterpreter],
    output: str,
) -> None:
    """Show how every object fares, why, and who says so.

    An object that owns others of the input (metadata.ownerReferences) is as bad as the worst of
    them; it stands above them, and its message names the one to look at.

    Exit codes: 0 all could be told and none is in a state of --fail-on, 1 otherwise, 2 wrong usage.
    """
    if summary and output == "junit":
        raise click.UsageError("--summary has no JUnit form; use table, yaml or json.")
    from interpreter.api.operation import Operation
    from interpreter.cli import printing
    from interpreter.survey import survey, tally

    manifests = options.read_objects(filenames)
    interpreter = make_interpreter()
    entries = survey(manifests, lambda obj: interpreter.explain(obj, Operation.INTERPRET_HEALTH))
    if summary:
        _print_summary(tally(entries), output)
    else:
        _PRINTERS[output](entries, fail_on)
    for entry in entries:
        if entry.error is not None:
            error = options.located(entry.error, entry.manifest)
            click.echo(f"error: {describe(error)}", err=True)
    failing = [entry for entry in entries if entry.health.status in fail_on]
    if failing:
        text = _failure(failing, len(entries), fail_on)
        click.echo(printing.styled(text, fg="red"), err=True)
    if failing or any(entry.error is not None for entry in entries):
        sys.exit(1)


def _failure(failing: Sequence[Surveyed], total: int, fail_on: tuple[HealthStatus, ...]) -> str:
    """``failed: 2 of 9 objects are Degraded or Missing: Deployment shop/web and 1 more``."""
    from interpreter.cli import printing
    from interpreter.machinery.wording import listed, visible

    named = [visible(printing.reference(entry.manifest.obj)) for entry in failing]
    verb = "is" if len(failing) == 1 else "are"
    return (
        f"failed: {len(failing)} of {counted(total, 'object')} {verb} {' or '.join(fail_on)}: "
        f"{listed(named, _NAMED_FAILURES)}"
    )


def _message(entry: Surveyed) -> str:
    """Why, with the object that is to blame where it is another one."""
    from interpreter.cli import printing

    if entry.cause is None:
        return entry.own.message
    place = printing.reference(entry.cause.manifest.obj)
    return f"{place}: {entry.cause.own.message}" if entry.cause.own.message else place


def _table(entries: list[Surveyed], _fail_on: object) -> None:
    from interpreter.cli import printing
    from interpreter.cli.short import STYLES, cut

    pretty = printing.is_pretty()
    rows = []
    for entry in entries:
        health, depth = entry.health, min(entry.depth, _DEEPEST_INDENT)
        branch = f"{'  ' * (depth - 1)}└ " if pretty and depth else "  " * depth
        rows.append(
            (
                branch + printing.reference(entry.manifest.obj),
                f"{_SYMBOLS[health.status]} {health.status}" if pretty else health.status,
                cut(health.reason, _LONGEST_REASON),
                entry.by or "-",
                " ".join(_message(entry).split()),
            )
        )
    styles = {_SYMBOLS[status]: STYLES[status] for status in HEALTH_STATUSES} if pretty else STYLES
    headers = ("OBJECT", "STATUS", "REASON", "ANSWERED BY", "MESSAGE")
    printing.print_table(
        headers, rows, styles=styles, flexible="MESSAGE", optional=("ANSWERED BY", "REASON")
    )


def _records(entries: list[Surveyed]) -> list[dict[str, Any]]:
    from interpreter.cli import printing

    records = []
    for entry in entries:
        health = entry.health
        record: dict[str, Any] = {
            "object": printing.identity(entry.manifest.obj),
            "source": entry.manifest.where,
            "status": health.status,
            "reason": health.reason,
            "message": _message(entry),
            "healthy": entry.own.healthy and (entry.cause is None or health.healthy),
            "own": entry.own.to_dict(),
            "answeredBy": entry.by,
            "handler": entry.handler,
        }
        if entry.owner is not None:
            record["owner"] = printing.identity(entry.owner.manifest.obj)
        if entry.cause is not None:
            record["cause"] = printing.identity(entry.cause.manifest.obj)
        if entry.error is not None:
            record["error"] = {
                "type": type(entry.error).__name__,
                "message": str(entry.error),
            }
        records.append(record)
    return records


def _json(entries: list[Surveyed], _fail_on: object) -> None:
    from interpreter.cli import printing

    printing.print_json(_records(entries))


def _yaml(entries: list[Surveyed], _fail_on: object) -> None:
    from interpreter.cli import printing

    printing.print_yaml(_records(entries))


def _junit(entries: list[Surveyed], fail_on: tuple[HealthStatus, ...]) -> None:
    """A suite for each namespace, a test case for each object."""
    from interpreter.cli import printing
    from interpreter.codec import junit

    suites: dict[str, list[junit.Case]] = {}
    for entry in entries:
        obj, health = entry.manifest.obj, entry.health
        line = _line_of(entry)
        problem = (line, f"{line}\n{printing.reference(obj)}\n{entry.manifest.where}")
        failed = health.status in (fail_on or _JUNIT_FAILURES)
        case = junit.Case(
            classname=_qualified(obj["kind"], printing.group_of(obj)),
            name=printing.reference(obj),
            file=entry.manifest.source,
            failure=problem if failed and entry.error is None else None,
            error=problem if entry.error is not None else None,
            output=line if not failed and entry.error is None else None,
        )
        namespace = printing.identity(obj).get("namespace", "(no namespace)")
        suites.setdefault(namespace, []).append(case)
    click.echo(junit.document("interpret health", list(suites.items())), nl=False)


def _line_of(entry: Surveyed) -> str:
    health, message = entry.health, " ".join(_message(entry).split())
    text = f"{health.status} ({health.reason})" if health.reason else health.status
    return f"{text}: {message}" if message else text


def _qualified(kind: str, group: str) -> str:
    return f"{kind}.{group}" if group else kind


def _print_summary(tallies: list[Tally], output: str) -> None:
    from interpreter.cli import printing

    if output != "table":
        records = [
            {
                "namespace": each.namespace,
                "group": each.group,
                "kind": each.kind,
                "total": each.total,
                "statuses": each.counts,
            }
            for each in tallies
        ]
        printing.print_records(records, output)
        return
    rows = [
        (
            each.namespace or "-",
            _qualified(each.kind, each.group),
            str(each.total),
            *(str(each.counts[status] or "-") for status in HEALTH_STATUSES),
        )
        for each in tallies
    ]
    sums = [sum(each.counts[status] for each in tallies) for status in HEALTH_STATUSES]
    rows.append(("total", "", str(sum(sums)), *(str(each or "-") for each in sums)))
    headers = ("NAMESPACE", "KIND", "TOTAL", *(status.upper() for status in HEALTH_STATUSES))
    printing.print_table(headers, rows)


_PRINTERS: dict[str, Callable[[list[Surveyed], tuple[HealthStatus, ...]], None]] = {
    "table": _table,
    "yaml": _yaml,
    "json": _json,
    "junit": _junit,
}
