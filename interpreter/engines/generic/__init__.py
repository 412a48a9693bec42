"""The lowest tier: health of any kind that nobody else claims, by convention alone.

The rule of this room: no kind is named here but Kubernetes' own, in ``kubernetes``. What another
kind does differently belongs to a customization, a plugin or a bundled script.
"""

from interpreter.engines.generic.health import interpret_health

__all__ = ["interpret_health"]
