"""Feature gates of the pipeline, and what they are unless somebody says otherwise.

Names and defaults are those of Karmada 1.19.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

DEFAULT_GATES: Final[Mapping[str, bool]] = MappingProxyType(
    {
        "CustomizedClusterResourceModeling": True,
        "GracefulEviction": True,
        "MultiplePodTemplatesScheduling": False,
        "PriorityBasedScheduling": True,
        "PropagateDeps": True,
        "PropagationPolicyPreemption": False,
        "ResourceQuotaEstimate": False,
        "SchedulingOvercommitProtection": False,
        "StatefulFailoverInjection": False,
        "WorkloadAffinity": False,
    }
)


def gate_is_on(gates: Mapping[str, bool], name: str) -> bool:
    """Whether a gate is on.

    Args:
        gates: Gates that somebody switched; others have their default.
        name: One of ``DEFAULT_GATES``.
    """
    return gates.get(name, DEFAULT_GATES[name])
