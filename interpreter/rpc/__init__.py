"""The wire: Karmada's webhook protocol, and the gRPC service with its client and certificates.

Nothing here knows who answers. Names are imported at first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.rpc.aio import AsyncClient
    from interpreter.rpc.client import Client

_HOMES = {"AsyncClient": "aio", "Client": "client"}

__all__ = ["AsyncClient", "Client"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{home}"), name)
