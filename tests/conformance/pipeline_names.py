"""Recordings of the names that the control plane derives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from compare import same
from recordings import Answer, Case

from interpreter.errors import InvalidObject
from interpreter.machinery import derived_names as names

_RULES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "GenerateBindingName": lambda args: names.binding_name(args["kind"], args["name"]),
    "GenerateWorkName": lambda args: names.work_name(args["kind"], args["name"], args["namespace"]),
    "GenerateBindingReferenceKey": lambda args: names.binding_reference_key(
        args["namespace"], args["name"]
    ),
    "GenerateBindingDependedLabelKey": lambda args: names.depended_by_label(
        args["namespace"], args["name"]
    ),
    "GenerateExecutionSpaceName": lambda args: names.execution_space(args["clusterName"]),
    "GetClusterName": lambda args: names.cluster_of_execution_space(args["executionSpaceName"]),
    "GenerateServiceAccountName": lambda args: names.service_account_name(args["clusterName"]),
    "GenerateRoleName": lambda args: names.role_name(args["serviceAccountName"]),
    "GenerateEndpointSliceName": lambda args: names.endpoint_slice_name(
        args["cluster"], args["endpointSliceName"]
    ),
    "GenerateDerivedServiceName": lambda args: names.derived_service_name(args["serviceName"]),
    "GenerateEstimatorServiceName": lambda args: names.estimator_service_name(
        args["estimatorServicePrefix"], args["clusterName"]
    ),
    "GenerateEstimatorDeploymentName": lambda args: names.estimator_deployment_name(
        args["clusterName"]
    ),
    "GenerateImpersonationSecretName": lambda args: names.impersonation_secret_name(
        args["clusterName"]
    ),
    "GeneratePolicyName": lambda args: names.policy_name(
        args["namespace"], args["name"], args["gvk"]
    ),
    "IsReservedNamespace": lambda args: names.is_reserved_namespace(args["namespace"]),
    "NamespacedKey": lambda args: names.namespaced_key(args["namespace"], args["name"]),
}


def run(case: Case) -> Answer:
    """The name, or the error."""
    try:
        return {"error": None, "result": _RULES[case.operation](case.input["args"])}
    except InvalidObject as error:
        return {"error": error, "result": None}


def agrees(case: Case, answer: Answer) -> bool:
    """Whether the name is the recorded one; of errors only that there is one."""
    if case.failed or answer["error"] is not None:
        return case.failed and answer["error"] is not None
    return same(case.expect["result"], answer["result"])


def explain(case: Case, answer: Answer) -> None:
    """There is no difference."""


SUITE = (run, agrees, explain)
