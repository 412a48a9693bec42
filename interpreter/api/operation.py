"""The operations a resource interpreter answers, by name.

What belongs to each is in ``interpreter.operations``.
"""

from __future__ import annotations

import enum


class Operation(enum.StrEnum):
    """An operation. The value is its name in scripts, in case files and on the command line."""

    GET_REPLICAS = "GetReplicas"
    REVISE_REPLICA = "ReviseReplica"
    GET_COMPONENTS = "GetComponents"
    RETAIN = "Retain"
    AGGREGATE_STATUS = "AggregateStatus"
    REFLECT_STATUS = "ReflectStatus"
    INTERPRET_HEALTH = "InterpretHealth"
    GET_DEPENDENCIES = "GetDependencies"
    PRUNE = "Prune"
