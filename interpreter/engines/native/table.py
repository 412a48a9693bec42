"""The table of native handlers. A new kind is a new file and a line here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.api.operation import Operation
from interpreter.engines.native import (
    any_kind,
    apps_daemonset,
    apps_deployment,
    apps_replicaset,
    apps_statefulset,
    autoscaling_horizontalpodautoscaler,
    batch_cronjob,
    batch_job,
    core_persistentvolume,
    core_persistentvolumeclaim,
    core_pod,
    core_secret,
    core_service,
    core_serviceaccount,
    multicluster_serviceimport,
    networking_ingress,
    policy_poddisruptionbudget,
)
from interpreter.engines.native.kind import NativeKind
from interpreter.machinery.gvk import ANY, GVK
from interpreter.operations import OPERATION_OF_HOOK

KINDS: tuple[NativeKind, ...] = (
    apps_daemonset.KIND,
    apps_deployment.KIND,
    apps_replicaset.KIND,
    apps_statefulset.KIND,
    autoscaling_horizontalpodautoscaler.KIND,
    batch_cronjob.KIND,
    batch_job.KIND,
    core_persistentvolume.KIND,
    core_persistentvolumeclaim.KIND,
    core_pod.KIND,
    core_secret.KIND,
    core_service.KIND,
    core_serviceaccount.KIND,
    multicluster_serviceimport.KIND,
    networking_ingress.KIND,
    policy_poddisruptionbudget.KIND,
)


def handlers() -> dict[tuple[GVK, Operation], Callable[..., Any]]:
    """Native handlers by kind (a pattern for what holds for all) and operation."""
    table: dict[tuple[GVK, Operation], Callable[..., Any]] = {
        (kind.gvk, OPERATION_OF_HOOK[hook]): handler
        for kind in KINDS
        for hook, handler in kind.handlers().items()
    }
    rules = {kind.gvk.kind: kind.prune_rule for kind in KINDS if kind.prune_rule is not None}
    table[ANY, Operation.REFLECT_STATUS] = any_kind.reflect_status
    table[ANY, Operation.PRUNE] = any_kind.pruner(rules)
    return table
