"""All about each template: policy, scheduling, where it lands, and what the clusters get."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.codec import yaml
from interpreter.machinery.unstructured import JsonValue
from interpreter.planning.page.field_differences import differences
from interpreter.planning.page.markup import Child, Markup, table, tag
from interpreter.planning.page.matrix import template_id
from interpreter.planning.plan import (
    Pass,
    Placement,
    Plan,
    PolicyChoice,
    State,
    TemplatePlan,
)

#: Candidates that are shown in any case; those that were chosen are shown all.
_SHOWN = 10
_NOTHING = "\N{EN DASH}"


def details_section(plan: Plan) -> Markup:
    """A part that opens for each template."""
    return tag(
        "section",
        tag("h2", "Templates", id="templates-title"),
        [_detail(place, each) for place, each in enumerate(plan.templates)],
        aria_labelledby="templates-title",
    )


def _detail(place: int, template: TemplatePlan) -> Markup:
    strategy = template.policy.strategy if template.policy else ""
    state = template.state.value if template.state is not State.PLACED else ""
    failed = "state failed" if template.state is State.FAILED else "state"
    return tag(
        "details",
        tag(
            "summary",
            tag("h3", template.reference),
            tag("span", state, class_=failed) if state else None,
            [tag("span", fact, class_="state") for fact in (strategy, _wants(template)) if fact],
        ),
        _errors(template),
        _facts(template),
        _placements(template),
        _ranked(template.policy),
        [_pass(number, each) for number, each in enumerate(template.passes, 1)],
        _objects(template),
        tag("ul", [tag("li", str(note)) for note in template.notes], class_="notes")
        if template.notes
        else None,
        id=template_id(place),
        class_="template",
        data_text=template.reference.lower(),
    )


def _wants(template: TemplatePlan) -> str:
    if template.components:
        return ", ".join(f"{name} {count}" for name, count in template.components)
    return "" if template.replicas is None else f"{template.replicas} replicas"


def _errors(template: TemplatePlan) -> Markup | None:
    if not template.errors:
        return None
    items = [tag("li", tag("b", each.step), " ", str(each)) for each in template.errors]
    return tag("ul", items, class_="errors")


def _facts(template: TemplatePlan) -> Markup:
    return tag("dl", [(tag("dt", name), tag("dd", text)) for name, text in _pairs(template)])


def _pairs(template: TemplatePlan) -> Iterator[tuple[str, Child]]:
    if template.source:
        yield "From", template.source
    if template.policy is not None:
        yield "Policy", f"{template.policy.policy}: {template.policy.why}"
    elif template.state is State.UNSELECTED:
        yield "Policy", "none selects it, and nothing depends on it"
    elif template.state is State.FOLLOWS:
        yield "Policy", "none; it goes where those go that depend on it"
    if template.trigger:
        yield "Scheduled because", template.trigger
    if template.requests:
        yield (
            "One replica needs",
            ", ".join(f"{key} {text}" for key, text in template.requests.items()),
        )
    if template.removed:
        yield "Leaves", ", ".join(template.removed)
    for dependency in template.dependencies:
        found = ", ".join(dependency.found) or "nothing in the input"
        yield "Depends on", f"{dependency.reference}: {found}"


def _placements(template: TemplatePlan) -> Markup | None:
    if not template.placements:
        return None
    rows = [
        [
            each.cluster,
            _number(each.replicas),
            _number(each.completions),
            _number(each.before),
            ", ".join(each.required_by) or "its policy",
            _changes(each),
        ]
        for each in template.placements
    ]
    headers = ["Cluster", "Replicas", "Completions", "Before", "Because of", "Overrides"]
    return table(headers, rows, caption="Placements", numeric=(1, 2, 3))


def _changes(placement: Placement) -> Child:
    texts = [f"{each.policy}: {each.summary}" for each in placement.changes]
    if placement.suspended:
        texts.append("dispatching is suspended")
    return tag("ul", [tag("li", text) for text in texts]) if texts else _NOTHING


def _number(count: int | None) -> str:
    return _NOTHING if count is None else str(count)


def _ranked(policy: PolicyChoice | None) -> Markup | None:
    if policy is None or len(policy.ranked) <= 1:
        return None
    rows = [[each.policy, str(each.priority), each.match] for each in policy.ranked]
    caption = "Policies that select it, the winner first"
    return table(["Policy", "Priority", "Selects"], rows, caption=caption, numeric=(1,))


def _pass(number: int, each: Pass) -> Markup:
    name = f"Scheduling pass {number}" + (f", term {each.term}" if each.term else "")
    parts: list[Child] = []
    if each.candidates:
        shown = [one for place, one in enumerate(each.candidates) if one.chosen or place < _SHOWN]
        rows = [
            [
                one.cluster,
                str(one.score),
                _number(one.available),
                str(one.tier),
                "chosen" if one.chosen else _NOTHING,
            ]
            for one in shown
        ]
        headers = ["Cluster", "Score", "Takes", "Overflow tier", "Chosen"]
        parts.append(table(headers, rows, caption="Candidates, best first", numeric=(1, 2, 3)))
        if len(shown) < len(each.candidates):
            parts.append(tag("p", f"and {len(each.candidates) - len(shown)} that were not chosen"))
    if each.groups:
        groups = [
            [f"{field} {group}", str(score)]
            for field, scores in each.groups.items()
            for group, score in scores.items()
        ]
        parts.append(table(["Group", "Score"], groups, caption="Groups", numeric=(1,)))
    if each.rejected:
        reasons: dict[str, list[str]] = {}
        for cluster, reason in each.rejected.items():
            reasons.setdefault(reason, []).append(cluster)
        rejected = [[reason, ", ".join(clusters)] for reason, clusters in reasons.items()]
        parts.append(table(["Reason", "Clusters"], rejected, caption="Filtered out"))
    if each.error is not None:
        parts.append(tag("p", " ".join(str(each.error).split()), class_="errors"))
    elif each.result is not None:
        clusters = ", ".join(f"{name} {count}" if count else name for name, count in each.result)
        parts.append(tag("p", f"Result: {clusters or 'no cluster'}"))
    return tag("details", tag("summary", name), parts)


def _objects(template: TemplatePlan) -> list[Markup]:
    """What clusters get: the first object in full, of the others what is different."""
    shown: list[Markup] = []
    first: Placement | None = None
    for placement in template.placements:
        manifest = placement.manifest
        if manifest is None:
            continue
        if first is None or first.manifest is None:
            first = placement
            parts: Child = _yaml(manifest)
            name = f"The object in {placement.cluster}"
        else:
            rows = [
                [tag("code", path), _value(before), _value(after)]
                for path, before, after in differences(first.manifest, manifest)
            ]
            headers = ["Field", first.cluster, placement.cluster]
            caption = f"Where it differs from {first.cluster}"
            parts = table(headers, rows, caption=caption) if rows else tag("p", "The same.")
            name = f"The object in {placement.cluster}, compared with {first.cluster}"
        shown.append(tag("details", tag("summary", name), parts))
    if template.binding is not None:
        parts = _yaml(template.binding)
        shown.append(tag("details", tag("summary", "The binding"), parts))
    return shown


def _yaml(value: JsonValue) -> Markup:
    return tag("pre", tag("code", yaml.dumps(value)), tabindex="0")


def _value(value: JsonValue | None) -> Child:
    if value is None:
        return _NOTHING
    text = value if isinstance(value, str) else yaml.dumps(value).rstrip("\n")
    return tag("code", text, class_="value")
