"""A plan as one page of HTML that needs nothing else: no network, no other file.

Everything is in the page without its script; the script only opens what a link leads to, and
searches. Every text of the plan passes through :mod:`~interpreter.planning.page.markup`, and the
page's own policy lets no other script or style run.
"""

from __future__ import annotations

import base64
import functools
import hashlib
from importlib import resources

from interpreter.machinery.wording import counted
from interpreter.planning.page.capacity import capacity_section
from interpreter.planning.page.details import details_section
from interpreter.planning.page.markup import Markup, tag
from interpreter.planning.page.matrix import matrix_section
from interpreter.planning.plan import Plan, State

_STATES = {
    State.PLACED: "placed by a policy",
    State.FOLLOWS: "travelling with others",
    State.UNSELECTED: "selected by no policy",
    State.FAILED: "failed",
}


def render_page(plan: Plan, *, title: str = "Plan") -> str:
    """The page.

    Args:
        plan: The plan.
        title: What it is a plan of; it becomes title and heading.
    """
    style, script = _asset("style.css"), _asset("script.js")
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("style", Markup(style)),
    )
    body = tag(
        "body",
        tag("a", "Skip to the matrix", href="#matrix", class_="skip"),
        _header(plan, title),
        tag(
            "main",
            _errors(plan),
            matrix_section(plan),
            capacity_section(plan),
            details_section(plan),
            _notes(plan),
        ),
        tag("script", Markup(script)),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _header(plan: Plan, title: str) -> Markup:
    counts = {state: sum(each.state == state for each in plan.templates) for state in _STATES}
    facts = [
        counted(len(plan.templates), "template"),
        counted(len(plan.clusters), "cluster"),
        *(f"{count} {_STATES[state]}" for state, count in counts.items() if count),
        counted(len(plan.works), "Work"),
    ]
    gates = [f"{name}={str(on).lower()}" for name, on in sorted(plan.gates.items())]
    return tag(
        "header",
        tag("h1", title),
        tag("ul", [tag("li", fact) for fact in facts], class_="facts"),
        tag("p", "Feature gates: ", ", ".join(gates)) if gates else None,
    )


def _errors(plan: Plan) -> Markup | None:
    if not plan.all_errors:
        return None
    return tag(
        "section",
        tag("h2", counted(len(plan.all_errors), "error"), id="errors-title"),
        tag("ul", [tag("li", tag("b", each.step), " ", str(each)) for each in plan.all_errors]),
        class_="errors",
        aria_labelledby="errors-title",
    )


def _notes(plan: Plan) -> Markup | None:
    if not plan.notes:
        return None
    return tag(
        "section",
        tag("h2", "Notes", id="notes-title"),
        tag("ul", [tag("li", str(note)) for note in plan.notes]),
        aria_labelledby="notes-title",
    )


@functools.cache
def _asset(name: str) -> str:
    return (resources.files(__name__) / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """A source of a content security policy: what has this hash may run."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


__all__ = ["render_page"]
