"""The placement matrix, as a heat map: a row for each template, a column for each cluster."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from interpreter.machinery.wording import counted
from interpreter.planning.page.markup import Markup, tag
from interpreter.planning.plan import ClusterPlan, Placement, Plan, State, TemplatePlan

#: Steps of heat; the style has a class for each.
_STEPS = 8
#: Cells up to which one without a placement says why; above that it is blank.
_HINTED = 20_000
_NO_REGION = "no region"
_NOT_CHOSEN = "\N{EN DASH}"
_FILTERED = "\N{MULTIPLICATION SIGN}"
_BLANK = tag("td")


def template_id(place: int) -> str:
    """The anchor of a template's detail."""
    return f"template-{place}"


def cluster_id(place: int) -> str:
    """The anchor of a cluster."""
    return f"cluster-{place}"


def by_region(plan: Plan) -> list[tuple[int, ClusterPlan]]:
    """Clusters with their place in the plan, those of one region beside each other."""
    return sorted(enumerate(plan.clusters), key=lambda each: (each[1].region, each[1].name))


def matrix_section(plan: Plan) -> Markup:
    """The matrix with its legend and a field to search in it."""
    clusters = by_region(plan)
    hinted = len(plan.templates) * len(clusters) <= _HINTED
    rows = [_row(place, each, clusters, hinted) for place, each in enumerate(plan.templates)]
    shown = tag(
        "table",
        tag("caption", "Replicas of each template in each cluster"),
        tag("thead", _heads(clusters)),
        tag("tbody", rows),
        tag("tfoot", _totals(clusters)),
        class_="matrix",
    )
    search = tag("input", type="search", id="search", placeholder="checkout", autocomplete="off")
    return tag(
        "section",
        tag("h2", "What lands where", id="matrix-title"),
        tag("p", tag("label", "Search templates ", search), id="finder", hidden=True),
        tag(
            "div",
            shown,
            class_="scroll",
            role="region",
            aria_labelledby="matrix-title",
            tabindex="0",
        ),
        _legend(),
        id="matrix",
        aria_labelledby="matrix-title",
    )


def _heads(clusters: Sequence[tuple[int, ClusterPlan]]) -> list[Markup]:
    regions = [
        tag("th", region or _NO_REGION, scope="colgroup", colspan=str(len(list(those))))
        for region, those in itertools.groupby(clusters, key=lambda each: each[1].region)
    ]
    names = [
        tag(
            "th",
            tag("a", cluster.name, href=f"#{cluster_id(place)}"),
            _marks(cluster),
            scope="col",
        )
        for place, cluster in clusters
    ]
    corner = tag("th", "Template", scope="col", rowspan="2")
    total = tag("th", "Replicas", scope="col", rowspan="2", class_="number")
    return [tag("tr", corner, regions, total), tag("tr", names)]


def _marks(cluster: ClusterPlan) -> list[Markup]:
    marks = [tag("small", taint) for taint in cluster.taints]
    if cluster.leaving:
        marks.append(tag("small", "being deleted"))
    return marks


def _totals(clusters: Sequence[tuple[int, ClusterPlan]]) -> Markup:
    cells = [
        tag("td", str(each.replicas), tag("small", counted(each.objects, "object")))
        for _place, each in clusters
    ]
    total = tag("td", str(sum(each.replicas for _place, each in clusters)), class_="number")
    return tag("tr", tag("th", "All", scope="row"), cells, total)


def _row(
    place: int, template: TemplatePlan, clusters: Sequence[tuple[int, ClusterPlan]], hinted: bool
) -> Markup:
    placed = {each.cluster: each for each in template.placements}
    failed = {error.cluster: str(error) for error in template.errors if error.cluster}
    target = f"#{template_id(place)}"
    hottest = max((each.replicas or 0 for each in template.placements), default=0)
    rejected: Mapping[str, str] = template.rejected if hinted else {}
    cells = []
    for _place, cluster in clusters:
        found = placed.get(cluster.name)
        if cluster.name in failed:
            cells.append(_failed(target, failed[cluster.name]))
        elif found is None:
            cells.append(_empty(rejected.get(cluster.name), hinted))
        else:
            cells.append(_placed(found, target, hottest))
    wanted = "" if template.replicas is None else str(template.replicas)
    link = tag("a", tag("small", template.kind), " ", _name(template), href=target)
    state = template.state.value if template.state is not State.PLACED else None
    return tag(
        "tr",
        tag(
            "th", link, tag("small", state, class_=f"state {state}") if state else None, scope="row"
        ),
        cells,
        tag("td", wanted, class_="number"),
        data_text=template.reference.lower(),
    )


def _name(template: TemplatePlan) -> str:
    return f"{template.namespace}/{template.name}" if template.namespace else template.name


def _placed(placement: Placement, target: str, hottest: int) -> Markup:
    count = placement.replicas
    heat = "heat-0" if count is None else f"heat-{_step(count, hottest)}"
    kinds = [heat, *(["follows"] if placement.required_by else [])]
    text = "✓" if count is None else str(count)
    said = [f"placed in {placement.cluster}" if count is None else f"in {placement.cluster}"]
    marks: list[Markup] = []
    if placement.completions is not None:
        marks.append(tag("small", f"{placement.completions} completions"))
    if placement.before is not None and placement.before != count:
        marks.append(tag("small", f"before {placement.before}"))
    if placement.required_by:
        said.append(f"for {', '.join(placement.required_by)}")
    if placement.changes:
        said.append(f"changed by {', '.join(each.policy for each in placement.changes)}")
        marks.append(tag("span", "±", class_="mark", aria_hidden="true"))
    if placement.suspended:
        said.append("dispatching suspended")
        marks.append(tag("small", "suspended"))
    hint = "; ".join(said)
    hidden = tag("span", f" {hint}", class_="hidden")
    return tag("td", tag("a", text, marks, hidden, href=target, title=hint), class_=" ".join(kinds))


def _step(count: int, hottest: int) -> int:
    return -(-_STEPS * count // hottest) if hottest else 0


def _failed(target: str, message: str) -> Markup:
    hidden = tag("span", f" failed: {message}", class_="hidden")
    return tag("td", tag("a", "!", hidden, href=target, title=message), class_="failed")


def _empty(reason: str | None, hinted: bool) -> Markup:
    if not hinted:
        return _BLANK
    if reason is None:
        return tag("td", _NOT_CHOSEN, class_="empty", aria_label="not chosen")
    label = f"filtered out: {reason}"
    return tag("td", _FILTERED, class_="rejected", title=reason, aria_label=label)


def _legend() -> Markup:
    ramp = [tag("span", class_=f"swatch heat-{step}") for step in range(1, _STEPS + 1)]
    entries = [
        tag("li", tag("span", ramp, aria_hidden="true"), " few to most replicas of its template"),
        tag("li", "✓ placed, has no replicas"),
        tag("li", tag("span", class_="swatch follows", aria_hidden="true"), " travels with others"),
        tag("li", "± changed by an override"),
        tag("li", f"{_FILTERED} filtered out"),
        tag("li", f"{_NOT_CHOSEN} not chosen"),
        tag("li", "! failed"),
    ]
    return tag("ul", entries, class_="legend", aria_label="Legend")
