"""Switches: ``disable=("plugin:x", "bundled:ray.io/v1/RayJob#InterpretHealth")``."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.api.operation import Operation
from interpreter.errors import ConfigurationError
from interpreter.machinery.gvk import GVK
from interpreter.operations import parse_operation
from interpreter.registry.tiers import ALL_TIERS, Implementation

_GRAMMAR = "tier, tier:name or tier:group/version/Kind, each with #Operation if wanted"


@dataclass(frozen=True, slots=True)
class Switch:
    """One thing that is switched off.

    Attributes:
        text: As it was written.
        tier: Tier it is about.
        plugin: Name inside the tier, None for any.
        gvk: Kind (or pattern), None for any.
        operation: Operation, None for any.
    """

    text: str
    tier: str
    plugin: str | None
    gvk: GVK | None
    operation: Operation | None

    def covers(self, implementation: Implementation, gvk: GVK) -> bool:
        """Whether an implementation must not be asked for a kind."""
        return (
            implementation.tier == self.tier
            and (self.plugin is None or self.plugin == implementation.plugin)
            and (self.gvk is None or self.gvk == gvk or self.gvk.matches(gvk))
            and (self.operation is None or self.operation is implementation.operation)
        )


def parse_switch(text: str) -> Switch:
    """Reads one entry of ``disable``.

    Raises:
        ConfigurationError: It has another form, or names an unknown tier or operation.
    """
    body, hash_mark, name = text.partition("#")
    tier, colon, target = body.partition(":")
    if tier not in ALL_TIERS:
        raise ConfigurationError(
            f"disable: {text!r} names no tier", hint=f"one of {', '.join(ALL_TIERS)}; {_GRAMMAR}"
        )
    if (colon and not target) or (hash_mark and not name):
        raise ConfigurationError(f"disable: {text!r} is incomplete", hint=_GRAMMAR)
    operation = parse_operation(name) if name else None
    if not target:
        return Switch(text, tier, None, None, operation)
    if "/" not in target:
        return Switch(text, tier, target, None, operation)
    try:
        return Switch(text, tier, None, GVK.parse(target), operation)
    except ValueError as error:
        raise ConfigurationError(f"disable: {text!r}: {error}", hint=_GRAMMAR) from None
