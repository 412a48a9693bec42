"""The lowest tier: health of any kind that nobody else claims, by convention alone.

The rule of this room: no kind is named here. What a single kind does differently belongs to a
customization, a plugin, a bundled script or the native tier.
"""

from interpreter.engines.generic.health import interpret_health

__all__ = ["interpret_health"]
