"""What is disabled: ``disable=("plugin:x", "bundled:ray.io/v1/RayJob#InterpretHealth")``."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.api.operation import Operation
from interpreter.errors import ConfigurationError
from interpreter.machinery.gvk import ANY, GVK
from interpreter.operations import parse_operation
from interpreter.registry.tiers import ALL_TIERS, Implementation

_GRAMMAR = "tier, tier:name or tier:group/version/Kind, each with #Operation if wanted"


@dataclass(frozen=True, slots=True)
class Disabled:
    """One entry of ``disable``.

    Attributes:
        text: As it was written.
        tier: Tier it is about.
        plugin: Name inside the tier; None with ``gvk`` None for any.
        gvk: Kind or pattern that the same text may mean.
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
            and (self.operation is None or self.operation is implementation.operation)
            and (
                (self.plugin is None and self.gvk is None)
                or self._names(implementation.plugin)
                or (self.gvk is not None and self.gvk.matches(gvk))
            )
        )

    def covers_plugin(self, name: str) -> bool:
        """Whether nothing of a plugin may be asked."""
        whole = self.operation is None and self.tier == "plugin"
        return whole and ((self.plugin is None and self.gvk is None) or self._names(name))

    def concerns(self, implementation: Implementation) -> bool:
        """Whether it is about an implementation, for whichever kind of its claim.

        A kind that only a claim for any kind covers is more likely misspelt than meant, unless an
        operation is named, too.
        """
        if implementation.gvk == ANY and self.gvk is not None and self.operation is None:
            return False
        return self.covers(implementation, implementation.gvk) or (
            self.gvk is not None
            and implementation.gvk.matches(self.gvk)
            and self.covers(implementation, self.gvk)
        )

    def _names(self, plugin: str) -> bool:
        # A webhook is named <configuration>/<webhook>: its configuration alone names it, too.
        return self.plugin is not None and (
            plugin == self.plugin or plugin.startswith(f"{self.plugin}/")
        )


def parse_disabled(text: str) -> Disabled:
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
    if target in ("", "*"):
        return Disabled(text, tier, None, None, operation)
    # A text with slashes may be a kind, or the name of a webhook.
    try:
        gvk = GVK.parse(target) if "/" in target else None
    except ValueError as error:
        raise ConfigurationError(f"disable: {text!r}: {error}", hint=_GRAMMAR) from None
    return Disabled(text, tier, target, gvk, operation)
