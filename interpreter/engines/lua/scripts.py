"""A script: its name, its text, and the function it defines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.errors import EngineError, LuaScriptError


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua script of one rule.

    Attributes:
        name: ``<customization>/<rule>``; every error shows it.
        source: Lua text.
        function: Global function that the script defines, such as ``GetReplicas``.
    """

    name: str
    source: str
    function: str

    @property
    def customization(self) -> str:
        """The part of the name that tells whose script it is."""
        owner, slash, _rule = self.name.rpartition("/")
        return owner if slash else self.name


def script_error(
    script: Script,
    text: str,
    line: int | None,
    *,
    kind: type[EngineError] = LuaScriptError,
    **facts: Any,
) -> EngineError:
    """An error of a script, with ``<customization>/<rule>:<line>`` in its text."""
    place = f"{script.name}:{line or 1}"
    return kind(
        f"{place}: {text}",
        plugin=script.customization,
        script=script.name,
        line=line or 1,
        **facts,
    )


def source_bytes(source: str, limit: int) -> bytes:
    """The source as the compiler takes it.

    Raises:
        ValueError: It is longer than the limit, or no valid text; the message says so.
    """
    # A character takes at least one byte: a long text is refused before it is read.
    if len(source) > limit:
        raise ValueError(f"the script has more than {limit} bytes")
    try:
        encoded = source.encode()
    except UnicodeEncodeError:
        raise ValueError("the script contains lone surrogates, which are no text") from None
    if len(encoded) > limit:
        raise ValueError(f"the script has more than {limit} bytes")
    return encoded
