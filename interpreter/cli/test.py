"""``interpret test``: scripts run on the cases beside them, plugins on theirs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interpreter.cli.printing import print_json, styled
from interpreter.errors import InterpreterError, InvalidObject
from interpreter.machinery.wording import visible

if TYPE_CHECKING:
    from rich.progress import Progress

    from interpreter.facade import ResourceInterpreter
    from interpreter.settings import Settings
    from interpreter.testing.discovery import Found
    from interpreter.testing.report import Report, Style

#: A run shorter than this shows no progress, which would only flicker.
_PROGRESS_AFTER_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class _Wishes:
    """The command line."""

    paths: tuple[str, ...]
    update: bool
    expression: str | None
    stop_at_failure: bool
    junit: Path | None
    coverage: bool
    lcov: Path | None
    fail_under: float | None
    processes: int
    strict: bool
    output: str
    plugins: tuple[str, ...]
    plugins_dir: tuple[Path, ...]

    @property
    def of_plugins(self) -> bool:
        """Whether plugins are under test."""
        return bool(self.plugins or self.plugins_dir)


@click.command("test")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "-k", "expression", metavar="EXPR", help="Only cases of matching kind, operation or name."
)
@click.option("-x", "stop_at_failure", is_flag=True, help="Stop at the first failure.")
@click.option(
    "-j", "processes", type=click.IntRange(1, 64), default=1, metavar="N", help="Processes."
)
@click.option("--update", is_flag=True, help="Write observed answers into the case files.")
@click.option("--watch", is_flag=True, help="Run again when a script or a case changes.")
@click.option("--coverage", is_flag=True, help="Show the line coverage of the Lua.")
@click.option(
    "--lcov", type=click.Path(path_type=Path), metavar="FILE", help="Write coverage as LCOV."
)
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    metavar="N",
    help="Fail when less than N percent of the lines are covered.",
)
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write JUnit XML.")
@click.option(
    "--strict/--no-strict",
    default=True,
    help="Whether a script without a case is a failure (it is) or only reported.",
)
@click.option(
    "--plugins",
    multiple=True,
    metavar="NAMES",
    help="Run the cases on these installed plugins or Lua packs, with commas.",
)
@click.option(
    "--plugins-dir",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    metavar="DIR",
    help="Run the cases on the Python files of a folder as plugins; repeatable.",
)
@click.option(
    "-o",
    "--output",
    type=click.Choice(["table", "json", "name"]),
    default="table",
    show_default=True,
    help="How to print.",
)
@click.option("--watch-runs", type=click.IntRange(1), hidden=True, help="End --watch after N runs.")
@click.option(
    "--watch-interval", type=float, default=0.3, hidden=True, help="Seconds between looks."
)
def command(
    paths: tuple[str, ...],
    expression: str | None,
    stop_at_failure: bool,
    processes: int,
    update: bool,
    watch: bool,
    coverage: bool,
    lcov: Path | None,
    fail_under: float | None,
    junit: Path | None,
    strict: bool,
    plugins: tuple[str, ...],
    plugins_dir: tuple[Path, ...],
    output: str,
    watch_runs: int | None,
    watch_interval: float,
) -> None:
    """Run Lua scripts on the cases beside them, or plugins on their cases.

    A PATH is a folder of scripts, a kind folder, a .lua file, a customization file or a case file;
    the default is lua_scripts, or the current folder where there is none.

    With --plugins or --plugins-dir a PATH is a case file, a folder of them, or a folder that holds
    such; the default is the current folder. No script beside the cases is run then.

    Exit codes: 0 all pass, 1 a case fails or a script or hook has no case, 2 wrong usage or no case
    found.
    """
    wishes = _Wishes(
        paths=paths,
        update=update,
        expression=expression,
        stop_at_failure=stop_at_failure,
        junit=junit,
        coverage=coverage or lcov is not None or fail_under is not None,
        lcov=lcov,
        fail_under=fail_under,
        processes=processes,
        strict=strict,
        output=output,
        plugins=tuple(name.strip() for text in plugins for name in text.split(",") if name.strip()),
        plugins_dir=plugins_dir,
    )
    if wishes.of_plugins and wishes.coverage:
        raise click.UsageError("--coverage is of Lua lines; plugins are Python, see coverage.py")
    if wishes.plugins and watch:
        raise click.UsageError("--watch sees files: use --plugins-dir, an import is for good")
    if watch:
        sys.exit(_watch(wishes, watch_runs, watch_interval))
    sys.exit(_once(wishes))


def _once(wishes: _Wishes) -> int:
    from interpreter.settings import Settings
    from interpreter.testing.discovery import Found, discover, find_cases
    from interpreter.testing.filters import everything, parse_filter
    from interpreter.testing.runner import run

    chosen = everything if wishes.expression is None else parse_filter(wishes.expression)
    settings = Settings.from_environment(os.environ)
    make = _maker(wishes, settings) if wishes.of_plugins else None
    if make is not None:
        from interpreter.testing.plugin_cases import plugin_suites

        found = Found(plugin_suites(find_cases(*wishes.paths), make()))
    else:
        found = discover(wishes.paths)
    for note in found.notes:
        click.echo(f"note: {visible(note)}", err=True)
    with _progress() as progress:
        report = run(
            found.suites,
            chosen=chosen,
            stop_at_failure=wishes.stop_at_failure,
            coverage=wishes.coverage,
            processes=wishes.processes,
            settings=settings,
            interpreter=make,
            progress=progress,
        )
    if not report.outcomes and not report.untested:
        raise _no_case(wishes, found)
    if wishes.update:
        from interpreter.testing.updating import update

        report = update(report)
    _write_files(wishes, report)
    return _print(wishes, report)


def _maker(wishes: _Wishes, settings: Settings) -> Callable[[], ResourceInterpreter]:
    """What makes the interpreter with the plugins under test, also in a worker process."""
    import functools

    from interpreter.testing.plugin_cases import strict_interpreter

    return functools.partial(strict_interpreter, (*wishes.plugins, *wishes.plugins_dir), settings)


def _no_case(wishes: _Wishes, found: Found) -> click.UsageError:
    if wishes.expression is not None and any(suite.cases for suite in found.suites):
        return click.UsageError(f"no case matches -k {wishes.expression!r}")
    where = ", ".join(wishes.paths) or "lua_scripts or the current folder"
    return click.UsageError(
        f"no case found in {where}\n"
        "Cases are cases/<operation>.yaml beside <operation>.lua, or beside a customization file."
    )


def _write_files(wishes: _Wishes, report: Report) -> None:
    if wishes.junit is not None:
        from interpreter.testing.junit import junit_xml

        _write(wishes.junit, junit_xml(report, strict=wishes.strict))
    if wishes.lcov is not None:
        from interpreter.testing.coverage import lcov

        _write(wishes.lcov, lcov(report.coverage()).encode())


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InvalidObject(f"cannot be written: {reason}", source=str(path)) from None


def _print(wishes: _Wishes, report: Report) -> int:
    if wishes.output == "json":
        print_json(report.to_dict())
    elif wishes.output == "name":
        for outcome in report.outcomes:
            click.echo(f"{outcome.status} {visible(outcome.case.id)}")
    else:
        click.echo(report.text(_paint))
        click.echo()
    problem = _below_threshold(wishes, report)
    if problem is not None:
        click.echo(_paint(problem, "bad"), err=wishes.output != "table")
    ok = report.ok(strict=wishes.strict) and problem is None
    # A program that reads JSON or names must not find a sentence at the end.
    click.echo(_paint(report.summary(), "good" if ok else "bad"), err=wishes.output != "table")
    return 0 if ok else 1


def _below_threshold(wishes: _Wishes, report: Report) -> str | None:
    if wishes.fail_under is None:
        return None
    from interpreter.testing.coverage import total

    share = total(report.coverage())[2]
    if share >= wishes.fail_under:
        return None
    return f"coverage {share:.2f} % is below {wishes.fail_under:g} %"


def _paint(text: str, style: Style) -> str:
    if style == "strong":
        return styled(text, bold=True)
    if style == "weak":
        return styled(text, dim=True)
    colours = {"good": "green", "bad": "red", "added": "green", "removed": "red", "hunk": "cyan"}
    return styled(text, fg=colours[style])


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error for runs longer than a second, where that is a terminal."""
    import time

    bars: list[Progress] = []
    started = time.monotonic()

    def show(done: int, total: int) -> None:
        if not sys.stderr.isatty() or time.monotonic() - started < _PROGRESS_AFTER_SECONDS:
            return
        if not bars:
            bars.append(_bar())
        bars[0].update(bars[0].task_ids[0], completed=done, total=total)

    try:
        yield show
    finally:
        for bar in bars:
            bar.stop()


def _bar() -> Progress:
    """A started bar; most runs end before one is needed, and then nothing is imported for it."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    bar = Progress(
        TextColumn("running cases"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    bar.add_task("cases", total=None)
    bar.start()
    return bar


def _watch(wishes: _Wishes, runs: int | None, interval_seconds: float) -> int:
    """Runs until Ctrl-C; the exit code is that of the last run."""
    from interpreter.cli.main import describe
    from interpreter.testing.discovery import default_paths
    from interpreter.testing.watching import snapshot, wait_for_change

    paths = [Path(path) for path in wishes.paths]
    if not paths:
        paths = [Path()] if wishes.of_plugins else default_paths()
    paths += wishes.plugins_dir
    code = 0
    done = 0
    try:
        while True:
            before = snapshot(paths)
            if sys.stdout.isatty():
                click.clear()
            try:
                code = _once(wishes)
            except click.UsageError as error:
                click.echo(f"error: {error.format_message()}", err=True)
                code = 1
            except InterpreterError as error:
                click.echo(f"error: {describe(error)}", err=True)
                code = 1
            done += 1
            if runs is not None and done >= runs:
                return code
            click.echo(f"watching {len(before)} files, Ctrl-C ends", err=True)
            wait_for_change(paths, before, interval_seconds=interval_seconds)
    except KeyboardInterrupt:
        return code
