"""Clusters: what each has, what is used, and what the plan adds."""

from __future__ import annotations

from interpreter.machinery.wording import counted
from interpreter.planning.page.markup import Markup, tag
from interpreter.planning.page.matrix import by_region, cluster_id
from interpreter.planning.plan import ClusterPlan, Plan, Usage

#: Width of a bar in its own units; a share of 1 is as wide as the bar.
_WIDTH = 1000


def capacity_section(plan: Plan) -> Markup:
    """A card for each cluster."""
    cards = [_card(place, cluster) for place, cluster in by_region(plan)]
    key = [
        tag("li", tag("span", class_=f"swatch {kind}", aria_hidden="true"), f" {text}")
        for kind, text in (
            ("used", "used before"),
            ("planned", "this plan"),
            ("over", "more than there is"),
        )
    ]
    return tag(
        "section",
        tag("h2", "Clusters", id="clusters-title"),
        tag("ul", key, class_="legend", aria_label="Legend"),
        tag("div", cards, class_="cards"),
        aria_labelledby="clusters-title",
    )


def _card(place: int, cluster: ClusterPlan) -> Markup:
    where = " · ".join(
        part for part in (cluster.region, cluster.provider, ", ".join(cluster.zones)) if part
    )
    labels = ", ".join(f"{key}={value}" for key, value in sorted(cluster.labels.items()))
    load = f"{counted(cluster.replicas, 'replica')} in {counted(cluster.objects, 'object')}"
    return tag(
        "article",
        tag("h3", cluster.name),
        tag("p", where, class_="quiet") if where else None,
        tag("p", labels, class_="quiet") if labels else None,
        [tag("p", "taint ", tag("code", taint)) for taint in cluster.taints],
        tag("p", "being deleted: nothing is placed here") if cluster.leaving else None,
        tag("p", load),
        [_bar(each) for each in cluster.usage]
        or tag("p", "Capacity is unknown: it has no resource summary.", class_="quiet"),
        id=cluster_id(place),
        class_="card",
    )


def _bar(usage: Usage) -> Markup:
    total = usage.used_share + usage.planned_share
    text = (
        f"{usage.used} + {usage.planned} of {usage.allocatable} ({_percent(total)})"
        f"{', more than there is' if total > 1 else ''}"
    )
    used = _units(usage.used_share)
    planned = min(_units(usage.planned_share), _WIDTH - used)
    return tag(
        "div",
        tag("span", usage.resource, class_="resource"),
        tag(
            "svg",
            tag("rect", width=str(_WIDTH), height="10", class_="room"),
            tag("rect", width=str(used), height="10", class_="used"),
            tag(
                "rect",
                x=str(used),
                width=str(planned),
                height="10",
                class_="over" if total > 1 else "planned",
            ),
            viewBox=f"0 0 {_WIDTH} 10",
            preserveAspectRatio="none",
            role="img",
            aria_label=f"{usage.resource}: {text}",
        ),
        tag("span", text, class_="amount", aria_hidden="true"),
        class_="bar",
    )


def _units(share: float) -> int:
    return round(_WIDTH * min(max(share, 0.0), 1.0))


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
