"""HTML elements. A text becomes a part of the page here and nowhere else, and always escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TypeAlias

#: Elements that have no end.
_VOID = frozenset({"meta", "input", "col"})
#: Control characters but tab and line feed, which HTML cannot hold, as the pictures for them.
_PICTURES = {code: 0x2400 + code for code in range(0x20) if code not in (0x09, 0x0A)}
_PICTURES[0x7F] = 0x2421


class Markup(str):
    """A text that is HTML already."""

    __slots__ = ()


Child: TypeAlias = "str | Iterable[Child] | None"


def escaped(text: str) -> str:
    """A text as HTML shows it, between tags and inside quotes."""
    if not text.isprintable():
        text = text.translate(_PICTURES).encode("utf-8", "backslashreplace").decode("utf-8")
    return html.escape(text)


def tag(name: str, /, *children: Child, **attributes: str | bool | None) -> Markup:
    """An element.

    Args:
        name: Its name.
        children: What is in it, escaped unless it is :class:`Markup`; None is nothing.
        attributes: ``class_`` is ``class``, ``aria_label`` is ``aria-label``. True has no value;
            None and False are left out.
    """
    parts = [f"<{name}"]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        parts.append(f" {key}" if value is True else f' {key}="{escaped(str(value))}"')
    parts.append(">")
    _add(parts, children)
    if name not in _VOID:
        parts.append(f"</{name}>")
    return Markup("".join(parts))


def _add(parts: list[str], children: Child) -> None:
    if isinstance(children, Markup):
        parts.append(children)
    elif isinstance(children, str):
        parts.append(escaped(children))
    elif children is not None:
        for child in children:
            _add(parts, child)


def table(
    headers: Iterable[str],
    rows: Iterable[Iterable[Child]],
    *,
    caption: str,
    numeric: Iterable[int] = (),
) -> Markup:
    """A table whose first column names its rows.

    Args:
        headers: Names of the columns.
        rows: Cells, as many as columns.
        caption: What it shows.
        numeric: Columns that hold numbers.
    """
    numbers = set(numeric)

    def kind(at: int) -> str | None:
        return "number" if at in numbers else None

    head = [tag("th", name, scope="col", class_=kind(at)) for at, name in enumerate(headers)]
    body = [
        tag(
            "tr",
            [
                tag("td", cell, class_=kind(at)) if at else tag("th", cell, scope="row")
                for at, cell in enumerate(row)
            ],
        )
        for row in rows
    ]
    shown = tag("table", tag("caption", caption), tag("thead", tag("tr", head)), tag("tbody", body))
    return tag("div", shown, class_="scroll", role="region", aria_label=caption, tabindex="0")
