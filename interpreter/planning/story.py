"""The story of one template: every step of the pipeline, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from interpreter.machinery.unstructured import map_at, name_of, namespace_of
from interpreter.machinery.wording import counted
from interpreter.planning.plan import Pass, Placement, State, Step, TemplatePlan

#: Clusters that one line names.
_NAMED = 12


def story_of(template: TemplatePlan) -> tuple[Step, ...]:
    """What happened to a template, step by step, from its policy to its Works."""
    return tuple(_steps(template))


def _steps(template: TemplatePlan) -> Iterator[Step]:
    yield _policy(template)
    if template.binding is not None:
        yield _binding(template)
    if template.policy is not None and template.binding is not None and not template.passes:
        told = "clusters stay as they are"
        if template.trigger:
            told = f"nothing changed that it depends on ({template.trigger}): {told}"
        yield Step("schedule", told)
    for each in template.passes:
        yield from _pass(template, each)
    if template.dependencies:
        yield _dependencies(template)
    required = [each for each in template.placements if each.required_by]
    if required:
        lines = tuple(f"{each.cluster}: for {', '.join(each.required_by)}" for each in required)
        told = counted(len(required), "cluster")
        yield Step("required", f"goes to {told} because others need it there", lines)
    if template.placements or template.removed:
        yield _overrides(template)
        yield _works(template)
    if template.notes:
        lines = tuple(each.text for each in template.notes)
        yield Step("notes", counted(len(lines), "note"), lines)
    if template.errors:
        texts = tuple(f"{each.step}: {each}" for each in template.errors)
        yield Step("errors", counted(len(texts), "error"), texts)


def _policy(template: TemplatePlan) -> Step:
    choice = template.policy
    if choice is None:
        told = "no policy selects it"
        if template.state is State.UNSELECTED:
            told += ", and nothing that is placed depends on it: it stays in the control plane"
        return Step("policy", told)
    lines = tuple(
        f"{place}. {each.policy}: priority {each.priority}, selects {each.match}"
        for place, each in enumerate(choice.ranked, 1)
    )
    return Step("policy", f"{choice.policy}: {choice.why}", lines if len(lines) > 1 else ())


def _binding(template: TemplatePlan) -> Step:
    binding = template.binding or {}
    namespace, name = namespace_of(binding), name_of(binding)
    shown = f"{namespace}/{name}" if namespace else name
    summary = f"{binding.get('kind')} {shown}: {_wanted(template)}"
    lines = []
    if template.policy is not None and template.policy.strategy:
        lines.append(f"strategy {template.policy.strategy}")
    lines.extend(_constraints(template))
    return Step("binding", summary, tuple(lines))


def _wanted(template: TemplatePlan) -> str:
    if len(template.components) > 1 or (template.components and template.replicas is None):
        parts = ", ".join(f"{name} x {count}" for name, count in template.components)
        return f"components {parts}"
    if template.replicas is None:
        return "no replicas"
    told = counted(template.replicas, "replica")
    needs = ", ".join(f"{name} {amount}" for name, amount in template.requests.items())
    return f"{told} of {needs} each" if needs else told


def _constraints(template: TemplatePlan) -> Iterator[str]:
    placement = map_at(template.binding or {}, "spec", "placement")
    for each in placement.get("spreadConstraints") or ():
        field = each.get("spreadByField") or each.get("spreadByLabel")
        most = each.get("maxGroups")
        yield f"spread by {field}, {each.get('minGroups', 0)} to {most or 'any number'}"
    if placement.get("clusterTolerations"):
        yield f"tolerates {counted(len(placement['clusterTolerations']), 'kind')} of taints"


def _pass(template: TemplatePlan, each: Pass) -> Iterator[Step]:
    term = f"term {each.term}: " if each.term else ""
    total = len(each.rejected) + len(each.candidates)
    why = Counter(each.rejected.values())
    yield Step(
        "filter",
        f"{term}{len(each.candidates)} of {counted(total, 'cluster')} left",
        tuple(f"{_names(each, reason)}: {reason}" for reason in why),
    )
    if each.candidates:
        yield Step("score", _scored(each), tuple(_score_lines(each)))
    if each.result is None:
        problem = "" if each.error is None else " ".join(str(each.error).split())
        yield Step("schedule", f"{term}failed: {problem}")
        return
    numbers = template.replicas is not None
    lines = tuple(f"{name}: {count}" if numbers else name for name, count in each.result)
    yield Step("schedule", f"{term}{counted(len(lines), 'cluster')}", lines)


def _names(each: Pass, reason: str) -> str:
    names = [cluster for cluster, told in each.rejected.items() if told == reason]
    return listed(names)


def listed(names: list[str]) -> str:
    """Names with commas; of many the first."""
    more = len(names) - _NAMED
    shown = ", ".join(names[:_NAMED])
    return f"{shown} and {more} more" if more > 0 else shown


def _scored(each: Pass) -> str:
    chosen = sum(candidate.chosen for candidate in each.candidates)
    return f"{chosen} of {len(each.candidates)} selected, best first"


def _score_lines(each: Pass) -> Iterator[str]:
    for field, groups in each.groups.items():
        told = ", ".join(f"{name} {score}" for name, score in groups.items())
        yield f"by {field}: {told}"
    for candidate in each.candidates[: 2 * _NAMED]:
        parts = [f"score {candidate.score}"]
        if candidate.available is not None:
            parts.append(f"takes {candidate.available}")
        if candidate.tier:
            parts.append(f"overflow {candidate.tier}")
        if not candidate.chosen:
            parts.append("not selected")
        yield f"{candidate.cluster}: {', '.join(parts)}"
    more = len(each.candidates) - 2 * _NAMED
    if more > 0:
        yield f"and {more} more"


def _dependencies(template: TemplatePlan) -> Step:
    lines = tuple(
        f"{each.reference}: {', '.join(each.found) if each.found else 'not among the inputs'}"
        if each.found != (each.reference,)
        else each.reference
        for each in template.dependencies
    )
    return Step("dependencies", f"{len(lines)} travel with it", lines)


def _overrides(template: TemplatePlan) -> Step:
    lines = tuple(
        f"{placement.cluster}: {change.policy}: {change.summary}"
        for placement in template.placements
        for change in placement.changes
    )
    if not lines:
        return Step("overrides", "none apply")
    clusters = sum(bool(placement.changes) for placement in template.placements)
    return Step("overrides", f"applied in {counted(clusters, 'cluster')}", lines)


def _works(template: TemplatePlan) -> Step:
    packed = [each for each in template.placements if each.work is not None]
    lines = [f"{each.cluster}: {_packed(each)}" for each in packed]
    lines += [f"{cluster}: goes" for cluster in template.removed]
    told = counted(len(packed), "Work")
    if template.removed:
        told += f", {len(template.removed)} removed"
    return Step("works", told, tuple(lines))


def _packed(placement: Placement) -> str:
    metadata = (placement.work or {"metadata": {}})["metadata"]
    parts = [f"{metadata.get('namespace')}/{metadata.get('name')}"]
    if placement.replicas is not None:
        parts.append(counted(placement.replicas, "replica"))
    if placement.completions is not None:
        parts.append(counted(placement.completions, "completion"))
    if placement.suspended:
        parts.append("dispatching suspended")
    return ", ".join(parts)
