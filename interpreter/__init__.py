"""What multi-cluster control planes ask about resources, answered kind by kind.

Names are imported at first use, so that ``import interpreter`` costs nothing that is not needed.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.api.claims import handles
    from interpreter.api.context import HookContext
    from interpreter.api.operation import Operation
    from interpreter.api.results import (
        NO_STATUS,
        Component,
        DependentObjectReference,
        Health,
        NodeClaim,
        ReplicaRequirements,
        ReplicaResult,
    )
    from interpreter.explanation import Explanation
    from interpreter.facade import ResourceInterpreter
    from interpreter.hookspecs import hookimpl
    from interpreter.machinery.gvk import GVK
    from interpreter.registry.tiers import ALL_TIERS
    from interpreter.settings import Settings

_HOMES = {
    "ALL_TIERS": "registry.tiers",
    "Component": "api.results",
    "DependentObjectReference": "api.results",
    "Explanation": "explanation",
    "GVK": "machinery.gvk",
    "Health": "api.results",
    "HookContext": "api.context",
    "NO_STATUS": "api.results",
    "NodeClaim": "api.results",
    "Operation": "api.operation",
    "ReplicaRequirements": "api.results",
    "ReplicaResult": "api.results",
    "ResourceInterpreter": "facade",
    "Settings": "settings",
    "handles": "api.claims",
    "hookimpl": "hookspecs",
}

__all__ = [
    "ALL_TIERS",
    "GVK",
    "NO_STATUS",
    "Component",
    "DependentObjectReference",
    "Explanation",
    "Health",
    "HookContext",
    "NodeClaim",
    "Operation",
    "ReplicaRequirements",
    "ReplicaResult",
    "ResourceInterpreter",
    "Settings",
    "handles",
    "hookimpl",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
