"""Small words of messages."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """A count with its noun: ``1 script``, ``2 scripts``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
