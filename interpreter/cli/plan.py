"""``interpret plan``: what lands on which cluster, and why."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interpreter.cli import options
from interpreter.errors import ConfigurationError
from interpreter.machinery.wording import counted, visible

if TYPE_CHECKING:
    from interpreter.facade import ResourceInterpreter
    from interpreter.manifests import Manifest
    from interpreter.planning import Inputs, Plan, TemplatePlan

_MakeInterpreter = Callable[..., "ResourceInterpreter"]

#: Seconds after which somebody who waits is told how far it is.
_PATIENCE = 1.0


@click.command("plan")
@options.filenames
@click.option(
    "--clusters",
    "clusters",
    multiple=True,
    metavar="FILE",
    help="Clusters, instead of those that -f has; repeatable.",
)
@click.option(
    "-n",
    "--namespace",
    default="default",
    show_default=True,
    help="Namespace of namespaced objects that state none.",
)
@click.option(
    "--feature-gates",
    multiple=True,
    metavar="NAME=BOOL",
    help="Gates that are not as usual, with commas; repeatable.",
)
@click.option(
    "--strict-clusters",
    is_flag=True,
    help="A cluster that states no APIs accepts none, one without capacity has none.",
)
@click.option("--explain", metavar="TEMPLATE", help="The whole story of one object, step by step.")
@click.option(
    "--diff",
    "old",
    multiple=True,
    metavar="OLD",
    help="What changes in each cluster against other inputs; repeatable.",
)
@click.option(
    "--steady",
    is_flag=True,
    help="With --diff: start from the old schedule, as a control plane that runs does.",
)
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write one page with everything, instead of printing.",
)
@options.with_interpreter
@options.output
def command(
    filenames: tuple[str, ...],
    clusters: tuple[str, ...],
    namespace: str,
    feature_gates: tuple[str, ...],
    strict_clusters: bool,
    explain: str | None,
    old: tuple[str, ...],
    steady: bool,
    page: Path | None,
    make_interpreter: _MakeInterpreter,
    output: str,
) -> None:
    """Show what lands on which cluster if the given objects are applied, and why.

    Reads templates, policies, override policies, clusters, customizations, CRDs and, where there
    are any, existing bindings and Works. Nothing is applied anywhere.

    With -o yaml or -o json the Works are printed, with --explain the steps, with --diff what
    changes. Exit code 1 when something cannot be scheduled or interpreted.
    """
    from interpreter.cli import plan_printing
    from interpreter.planning import continue_from

    if explain is not None and old:
        raise click.UsageError("--explain and --diff are two questions: ask one.")
    if steady and not old:
        raise click.UsageError("--steady is about --diff.")
    if page is not None and (explain is not None or old):
        raise click.UsageError("--html shows the whole plan: leave out --explain and --diff.")
    gates = _gates(feature_gates)
    fleet = options.read_objects(clusters) if clusters else None

    def planned(paths: tuple[str, ...], *, after: Plan | None = None, warn: bool = True) -> Plan:
        inputs = _inputs(options.read_objects(paths), fleet, namespace)
        if after is not None:
            continue_from(after, inputs)
        interpreter = make_interpreter(
            warn=warn, customizations=inputs.customizations, webhooks=inputs.webhooks
        )
        return _plan(inputs, interpreter, gates, strict=strict_clusters)

    before = planned(old, warn=False) if old else None
    plan = planned(filenames, after=before if steady else None)
    notes = plan.all_notes
    if before is not None:
        _tell(before, "warning: before: ")
        plan_printing.print_differences(before, plan, output)
    elif explain is not None:
        named = _named(plan, explain)
        notes = [note for each in named for note in each.notes]
        plan_printing.print_stories(named, output)
    elif page is not None:
        _write_page(page, plan, filenames)
    else:
        plan_printing.PRINTERS[output](plan)
    for text in plan_printing.gathered(notes):
        click.echo(f"note: {visible(text)}", err=True)
    _tell(plan, "error: ")
    if plan.all_errors:
        sys.exit(1)


def _gates(texts: tuple[str, ...]) -> dict[str, bool]:
    """Feature gates as ``--feature-gates`` of Karmada's components takes them."""
    from interpreter.api.gates import DEFAULT_GATES

    gates = {}
    for entry in (entry.strip() for text in texts for entry in text.split(",")):
        if not entry:
            continue
        name, _equals, value = entry.partition("=")
        if name not in DEFAULT_GATES:
            hint = f"wanted: {', '.join(DEFAULT_GATES)}"
            raise ConfigurationError(f"there is no feature gate {name!r}", hint=hint)
        if value.lower() not in ("true", "false"):
            raise ConfigurationError(f"feature gate {name} must be true or false", value=value)
        gates[name] = value.lower() == "true"
    return gates


def _inputs(manifests: list[Manifest], fleet: list[Manifest] | None, namespace: str) -> Inputs:
    """The given objects by role; clusters of a file of their own count alone."""
    from interpreter.catalogue.scopes import bundled_scope
    from interpreter.planning import Note, read_inputs

    inputs = read_inputs(manifests, namespace=namespace, scope=bundled_scope)
    if fleet is None:
        return inputs
    others = read_inputs(fleet, namespace=namespace, scope=bundled_scope)
    if inputs.clusters:
        told = f"{len(inputs.clusters)} of the inputs give way to those of --clusters"
        inputs.notes.append(Note("clusters", told))
    inputs.clusters = others.clusters
    inputs.errors.extend(others.errors)
    if not others.clusters:
        inputs.notes.append(Note("--clusters", "no Cluster in it"))
    return inputs


def _plan(
    inputs: Inputs, interpreter: ResourceInterpreter, gates: dict[str, bool], *, strict: bool
) -> Plan:
    from interpreter.planning import make_plan

    progress = _Progress()
    # A plan makes objects by the hundred thousand and drops hardly any: a third of the time would
    # go into looking for what can be freed.
    gc.disable()
    try:
        return make_plan(
            inputs,
            interpreter=interpreter,
            gates=gates,
            parts=interpreter.scheduler_parts(),
            strict_clusters=strict,
            progress=progress.tell,
        )
    finally:
        progress.close()
        gc.freeze()
        gc.enable()


class _Progress:
    """A bar on a terminal's standard error, once somebody has waited for a while."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._watched = sys.stderr is not None and sys.stderr.isatty()
        self._bar: Any = None
        self._task: Any = None

    def tell(self, done: int, total: int) -> None:
        """Moves the bar."""
        if not self._watched or time.monotonic() - self._started < _PATIENCE:
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("planning", total=total)
            self._bar.start()
        self._bar.update(self._task, completed=done)

    def close(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.stop()


def _write_page(path: Path, plan: Plan, filenames: tuple[str, ...]) -> None:
    from interpreter.planning.page import render_page

    given = ", ".join("standard input" if name == "-" else name for name in filenames)
    text = render_page(plan, title=f"Plan of {given}")
    path.write_text(text, encoding="utf-8", newline="\n")
    told = f"{counted(len(plan.templates), 'template')}, {counted(len(plan.clusters), 'cluster')}"
    click.echo(f"{visible(str(path))}: {told}", err=True)


def _named(plan: Plan, text: str) -> list[TemplatePlan]:
    """The templates that a text names: kind, namespace and name, of which the name is enough."""
    parts = text.replace("/", " ").split()
    found = [each for each in plan.templates if _is_named(each, parts)]
    if not found:
        raise click.UsageError(
            f"--explain {text}: no such template; wanted: Kind/namespace/name, or less of it."
        )
    return found


def _is_named(template: TemplatePlan, parts: list[str]) -> bool:
    if not parts or parts[-1] != template.name:
        return False
    group = str(template.template["apiVersion"]).rpartition("/")[0]
    kind = template.kind.lower()
    kinds = (kind, f"{kind}.{group}", f"{kind}s")
    match parts[:-1]:
        case []:
            return True
        case [one]:
            return one == template.namespace or one.lower() in kinds
        case [first, namespace]:
            return first.lower() in kinds and namespace == template.namespace
    return False


def _tell(plan: Plan, prefix: str) -> None:
    for error in plan.all_errors:
        place = f"{error.source}: " if error.source else ""
        click.echo(visible(f"{prefix}{place}{error}"), err=True)
