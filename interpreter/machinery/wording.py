"""Wording of messages."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """A count with its noun: ``1 script``, ``2 scripts``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def visible(text: str) -> str:
    """A text without characters that a terminal would obey, or that break a line."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
