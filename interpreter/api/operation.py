"""The operations that a resource interpreter answers, by name.

What belongs to each is in ``interpreter.operations``.
"""

from __future__ import annotations

import enum


class Operation(enum.StrEnum):
    """An operation. The value is its name in scripts, in case files and on the command line.

    ``Operation(text)`` knows it by any of its names: ``GetReplicas``, ``get_replicas``,
    ``InterpretReplica``, ``interpretReplica``; any other text is a ValueError.
    """

    GET_REPLICAS = "GetReplicas"
    REVISE_REPLICA = "ReviseReplica"
    GET_COMPONENTS = "GetComponents"
    RETAIN = "Retain"
    AGGREGATE_STATUS = "AggregateStatus"
    REFLECT_STATUS = "ReflectStatus"
    INTERPRET_HEALTH = "InterpretHealth"
    GET_DEPENDENCIES = "GetDependencies"
    PRUNE = "Prune"

    @classmethod
    def _missing_(cls, value: object) -> Operation | None:
        if not isinstance(value, str):
            return None
        wanted = value.lower().replace("_", "").replace("-", "")
        for operation in cls:
            reference = REFERENCE_NAMES.get(operation, operation)
            if wanted in (operation.lower(), reference.lower()):
                return operation
        return None


#: Names of the operations in webhook rules of ``config.karmada.io/v1alpha1``, which has no Prune.
REFERENCE_NAMES: dict[Operation, str] = {
    Operation.GET_REPLICAS: "InterpretReplica",
    Operation.REVISE_REPLICA: "ReviseReplica",
    Operation.GET_COMPONENTS: "InterpretComponent",
    Operation.RETAIN: "Retain",
    Operation.AGGREGATE_STATUS: "AggregateStatus",
    Operation.REFLECT_STATUS: "InterpretStatus",
    Operation.INTERPRET_HEALTH: "InterpretHealth",
    Operation.GET_DEPENDENCIES: "InterpretDependency",
}
