"""Plans, stories and differences, as tables and documents."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from interpreter.cli import printing
from interpreter.machinery.wording import counted, visible

if TYPE_CHECKING:
    from interpreter.planning import (
        ClusterPlan,
        Difference,
        Note,
        Placement,
        Plan,
        Step,
        TemplatePlan,
    )

#: A matrix with more columns is a list.
_COLUMNS = 24
#: Names that a cell lists.
_NAMED = 12
_HERE, _NOT_HERE, _FAILED = "yes", "-", "error"
_STYLES = {
    "error": "bold red",
    "failed": "bold red",
    "added": "green",
    "removed": "red",
    "changed": "yellow",
    "-": "dim",
}


def print_plan(plan: Plan) -> None:
    """The matrix, then why it is as it is."""
    _print_matrix(plan)
    _section(
        "POLICIES", ("TEMPLATE", "POLICY", "STRATEGY", "WHY"), _policies(plan), "WHY", ["STRATEGY"]
    )
    _section("FILTERED OUT", ("TEMPLATE", "CLUSTERS", "WHY"), _filtered(plan), "WHY")
    _section("DEPENDENCIES", ("TEMPLATE", "BRINGS ALONG"), _dependencies(plan), "BRINGS ALONG")
    _section("OVERRIDES", ("TEMPLATE", "CLUSTERS", "POLICY", "DOES"), _overrides(plan), "DOES")
    _section("REMOVED", ("TEMPLATE", "CLUSTERS"), _removed(plan), "CLUSTERS")
    _section("CLUSTERS", _CLUSTER_HEADERS, map(_cluster, plan.clusters), None)
    works, clusters = len(plan.works), sum(bool(each.objects) for each in plan.clusters)
    click.echo(f"\n{counted(works, 'Work')} in {counted(clusters, 'cluster')}")


def _print_matrix(plan: Plan) -> None:
    names = [each.name for each in plan.clusters]
    if len(names) > _room(plan, names):
        headers: tuple[str, ...] = ("TEMPLATE", "REPLICAS", "CLUSTERS")
        rows = [(each.reference, _replicas(each), _cells(each)) for each in plan.templates]
        printing.print_table(headers, rows, styles=_STYLES, flexible="CLUSTERS")
        return
    table = [
        (each.reference, _replicas(each), *(_cell(each, name) for name in names))
        for each in plan.templates
    ]
    # A cluster may have the name of another column, in any spelling that is not this.
    printing.print_table(("TEMPLATE", "REPLICAS", *names), table, styles=_STYLES)


def _room(plan: Plan, names: Sequence[str]) -> int:
    """How many columns of clusters a matrix may have."""
    if not sys.stdout.isatty():
        return _COLUMNS
    from rich.console import Console

    width = max((len(each.reference) for each in plan.templates), default=0) + len("REPLICAS") + 4
    columns = sum(max(len(name), 5) + 2 for name in names)
    return _COLUMNS if width + columns <= Console().width else 0


def _replicas(template: TemplatePlan) -> str:
    if len(template.components) > 1:
        return "+".join(str(count) for _name, count in template.components)
    return _NOT_HERE if template.replicas is None else str(template.replicas)


def _cell(template: TemplatePlan, cluster: str) -> str:
    failed = any(error.cluster in ("", cluster) for error in template.errors)
    placement = template.at(cluster)
    if placement is None:
        return _FAILED if failed and not template.placements else _NOT_HERE
    return _shown(placement)


def _shown(placement: Placement) -> str:
    if placement.work is None:
        return _FAILED
    text = _HERE if placement.replicas is None else str(placement.replicas)
    if placement.before not in (None, placement.replicas) and placement.replicas is not None:
        text = f"{placement.before}->{text}"
    return f"{text} suspended" if placement.suspended else text


def _cells(template: TemplatePlan) -> str:
    if not template.placements:
        return _FAILED if template.errors else _NOT_HERE
    cells = [
        each.cluster if _shown(each) == _HERE else f"{each.cluster}:{_shown(each)}"
        for each in template.placements
    ]
    return _listed(cells)


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    shown = ", ".join(names[:_NAMED])
    return f"{shown} and {more} more" if more > 0 else shown


def _section(
    title: str,
    headers: Sequence[str],
    rows: Iterable[Sequence[str]],
    flexible: str | None,
    optional: Sequence[str] = (),
) -> None:
    lines = list(rows)
    if lines:
        click.echo(f"\n{printing.styled(title, bold=True)}")
        printing.print_table(headers, lines, styles=_STYLES, flexible=flexible, optional=optional)


def _policies(plan: Plan) -> Iterator[tuple[str, ...]]:
    for each in plan.templates:
        if each.policy is not None:
            strategy = each.policy.strategy or _NOT_HERE
            yield each.reference, each.policy.policy, strategy, each.policy.why
            continue
        requirers = dict.fromkeys(name for cell in each.placements for name in cell.required_by)
        told = "nothing selects it, nobody depends on it"
        if requirers:
            told = f"travels with {_listed(list(requirers))}"
        elif each.placements:
            told = "no policy any more"
        yield each.reference, _NOT_HERE, _NOT_HERE, told


def _filtered(plan: Plan) -> Iterator[tuple[str, ...]]:
    for each in plan.templates:
        for one in each.passes:
            reasons: dict[str, list[str]] = {}
            for cluster, reason in one.rejected.items():
                reasons.setdefault(reason, []).append(cluster)
            term = f"{one.term}: " if one.term else ""
            for reason, clusters in reasons.items():
                yield each.reference, _listed(clusters), f"{term}{reason}"
            if one.error is not None and len(each.passes) > 1:
                yield each.reference, _NOT_HERE, f"{term}{' '.join(str(one.error).split())}"


def _dependencies(plan: Plan) -> Iterator[tuple[str, ...]]:
    for each in plan.templates:
        for dependency in each.dependencies:
            found = [name for name in dependency.found if name != dependency.reference]
            told = dependency.reference
            if not dependency.found:
                told = f"{told}: not among the inputs"
            elif found:
                told = f"{told}: {_listed(found)}"
            yield each.reference, told


def _overrides(plan: Plan) -> Iterator[tuple[str, ...]]:
    for each in plan.templates:
        applied: dict[tuple[str, str], list[str]] = {}
        for placement in each.placements:
            for change in placement.changes:
                key = change.policy, change.summary
                applied.setdefault(key, []).append(placement.cluster)
        for (policy, summary), clusters in applied.items():
            yield each.reference, _listed(clusters), policy, summary


def _removed(plan: Plan) -> Iterator[tuple[str, ...]]:
    for each in plan.templates:
        if each.removed:
            yield each.reference, _listed(each.removed)


_CLUSTER_HEADERS = ("CLUSTER", "REGION", "OBJECTS", "REPLICAS", "CPU", "MEMORY", "PODS")


def _cluster(each: ClusterPlan) -> tuple[str, ...]:
    usage = {one.resource: one for one in each.usage}

    def share(resource: str) -> str:
        one = usage.get(resource)
        if one is None:
            return _NOT_HERE
        before, after = one.used_share, one.used_share + one.planned_share
        return f"{before:.0%}->{after:.0%} of {one.allocatable}"

    return (
        each.name,
        each.region or _NOT_HERE,
        str(each.objects),
        str(each.replicas),
        *(share(resource) for resource in ("cpu", "memory", "pods")),
    )


def gathered(notes: Iterable[Note]) -> Iterator[str]:
    """Notes as lines; those that say the same of several things are one."""
    by_text: dict[str, list[str]] = {}
    for note in notes:
        by_text.setdefault(note.text, []).append(note.about)
    for text, about in by_text.items():
        named = [each for each in dict.fromkeys(about) if each]
        yield f"{_listed(named)}: {text}" if named else text


def _print_json(plan: Plan) -> None:
    works = plan.works
    one = works[0] if len(works) == 1 else {"apiVersion": "v1", "kind": "List", "items": works}
    printing.print_json(one)


def _print_yaml(plan: Plan) -> None:
    printing.print_yaml(plan.works)


def _print_names(plan: Plan) -> None:
    for name in dict.fromkeys(printing.resource_name(each.template) for each in plan.templates):
        click.echo(name)


PRINTERS = {"table": print_plan, "json": _print_json, "yaml": _print_yaml, "name": _print_names}


def print_stories(templates: Sequence[TemplatePlan], output: str) -> None:
    """The story of each template, step by step."""
    from interpreter.planning import story_of

    if output == "name":
        for template in templates:
            click.echo(printing.resource_name(template.template))
        return
    if output != "table":
        records = [_story_record(each, story_of(each)) for each in templates]
        printing.print_records(records, output)
        return
    for number, template in enumerate(templates):
        if number:
            click.echo()
        click.echo(visible(f"{template.reference}  ({template.source})"))
        for step in story_of(template):
            title = printing.styled(f"{step.title:<12}", bold=True)
            click.echo(f"  {title} {visible(step.summary)}")
            for line in step.details:
                click.echo(f"  {'':<12}   {visible(line)}")


def _story_record(template: TemplatePlan, steps: Iterable[Step]) -> dict[str, Any]:
    return {
        "object": printing.identity(template.template),
        "source": template.source,
        "state": str(template.state),
        "steps": [
            {"step": each.title, "summary": each.summary, "details": list(each.details)}
            for each in steps
        ],
    }


def print_differences(old: Plan, new: Plan, output: str) -> None:
    """What changes in member clusters: the summary, then a diff for each object."""
    from interpreter.planning import compare

    found = compare(old, new)
    if output == "name":
        for name in dict.fromkeys(
            printing.resource_name(each.new or each.old or {}) for each in found
        ):
            click.echo(name)
    elif output == "table":
        _print_differences(found)
    else:
        printing.print_records([_difference_record(each) for each in found], output)


def _print_differences(found: Sequence[Difference]) -> None:
    if not found:
        click.echo("no object changes in any cluster")
        return
    rows = [(each.cluster, each.object, each.kind, _counts(each)) for each in found]
    headers = ("CLUSTER", "OBJECT", "CHANGE", "REPLICAS")
    printing.print_table(headers, rows, styles=_STYLES)
    kinds = [each.kind for each in found]
    told = ", ".join(f"{kinds.count(kind)} {kind}" for kind in ("added", "changed", "removed"))
    click.echo(f"\n{told} in {counted(len({each.cluster for each in found}), 'cluster')}")
    for each in found:
        click.echo()
        for line in each.lines():
            click.echo(_coloured(visible(line)))


def _counts(each: Difference) -> str:
    before, after = (
        _NOT_HERE if count is None else str(count) for count in (each.before, each.after)
    )
    return before if before == after else f"{before} -> {after}"


def _coloured(line: str) -> str:
    colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
    return line if colour is None else printing.styled(line, fg=colour)


def _difference_record(each: Difference) -> dict[str, Any]:
    return {
        "cluster": each.cluster,
        "object": printing.identity(each.new or each.old or {}),
        "change": each.kind,
        "replicas": {"before": each.before, "after": each.after},
        "diff": each.lines(),
    }
