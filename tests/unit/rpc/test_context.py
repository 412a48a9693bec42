"""Karmada's webhook protocol, both directions, without a wire."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from interpreter import (
    Component,
    DependentObjectReference,
    Health,
    NodeClaim,
    Operation,
    ReplicaRequirements,
    ReplicaResult,
)
from interpreter.api.operation import REFERENCE_NAMES
from interpreter.errors import InvalidObject, WebhookError
from interpreter.rpc.context import (
    ContextRequest,
    answer_document,
    failure_document,
    read_answer,
    read_request,
    request_document,
)
from interpreter.rpc.context_answers import ANSWERS

OBJ: dict[str, Any] = {
    "apiVersion": "example.com/v1",
    "kind": "Widget",
    "metadata": {"name": "w", "namespace": "shop"},
    "spec": {"replicas": 2, "empty": [], "big": 2**60 + 1},
}
REVISED = {**OBJ, "spec": {**OBJ["spec"], "replicas": 5}}
REQUIREMENTS = ReplicaRequirements(
    node_claim=NodeClaim(node_selector={"disk": "ssd"}), resource_request={"cpu": "100m"}
)
REFERENCE = DependentObjectReference("v1", "ConfigMap", "shop", "settings")
#: Operation, arguments, result.
CALLS: list[Any] = [
    (Operation.GET_REPLICAS, (OBJ,), ReplicaResult(2, REQUIREMENTS)),
    (Operation.GET_REPLICAS, (OBJ,), ReplicaResult(0)),
    (Operation.GET_COMPONENTS, (OBJ,), [Component("a", 1, REQUIREMENTS), Component("b", 0)]),
    (Operation.GET_COMPONENTS, (OBJ,), []),
    (Operation.REVISE_REPLICA, (OBJ, 5), REVISED),
    (Operation.REVISE_REPLICA, (OBJ, 2), OBJ),
    (Operation.RETAIN, (OBJ, REVISED), REVISED),
    (Operation.AGGREGATE_STATUS, (OBJ, [{"clusterName": "m1"}]), {**OBJ, "status": {}}),
    (Operation.AGGREGATE_STATUS, (OBJ, []), OBJ),
    (Operation.AGGREGATE_STATUS, (OBJ, None), OBJ),
    (Operation.REFLECT_STATUS, (OBJ,), {"ready": True, "list": []}),
    (Operation.INTERPRET_HEALTH, (OBJ,), Health("Healthy")),
    (Operation.GET_DEPENDENCIES, (OBJ,), [REFERENCE]),
    (Operation.GET_DEPENDENCIES, (OBJ,), []),
]


def sent(document: Any) -> Any:
    return json.loads(json.dumps(document))


def answered(operation: Operation, **response: Any) -> Any:
    arguments = (OBJ, OBJ) if operation is Operation.RETAIN else (OBJ,)
    document = {"response": {"uid": "u", "successful": True, **response}}
    return read_answer(sent(document), operation, arguments, uid="u")


@pytest.mark.parametrize("amount", [None, True, [], {}, [1]])
def test_what_is_no_quantity_is_no_amount_of_a_resource(amount: Any) -> None:
    # It became a text: "None", "[]".
    requirements = {"resourceRequest": {"cpu": amount}}
    path = r"response\.replicaRequirements\.resourceRequest\.cpu: must be a quantity"
    with pytest.raises(WebhookError, match=path):
        answered(Operation.GET_REPLICAS, replicas=1, replicaRequirements=requirements)


@pytest.mark.parametrize(("operation", "arguments", "result"), CALLS)
def test_a_call_survives_the_round_trip(operation: Operation, arguments: Any, result: Any) -> None:
    document = sent(request_document(operation, arguments, uid="u-1"))
    request = read_request(document)
    assert (request.uid, request.operation, request.arguments) == ("u-1", operation, arguments)
    answer = sent(answer_document(request, result))
    assert read_answer(answer, operation, arguments, uid="u-1") == result


def test_the_protocol_has_every_operation_of_webhook_rules() -> None:
    assert ANSWERS.keys() == REFERENCE_NAMES.keys()


def test_a_request_is_what_the_reference_sends() -> None:
    assert request_document(Operation.REVISE_REPLICA, (OBJ, 5), uid="u") == {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterContext",
        "request": {
            "uid": "u",
            "kind": {"group": "example.com", "version": "v1", "kind": "Widget"},
            "name": "w",
            "namespace": "shop",
            "operation": "ReviseReplica",
            "object": OBJ,
            "replicas": 5,
        },
    }


def test_a_request_as_the_reference_sends_it_is_read() -> None:
    # It always states replicas, and leaves empty lists out.
    request = read_request(
        {
            "kind": "ResourceInterpreterContext",
            "apiVersion": "config.karmada.io/v1alpha1",
            "request": {
                "uid": "b0e4",
                "kind": {"group": "example.com", "version": "v1", "kind": "Widget"},
                "name": "w",
                "namespace": "shop",
                "operation": "AggregateStatus",
                "object": OBJ,
                "replicas": 0,
            },
        }
    )
    assert request.operation is Operation.AGGREGATE_STATUS
    assert request.arguments == (OBJ, None)


def test_a_changed_field_travels_as_a_patch_of_that_field() -> None:
    request = ContextRequest("u", Operation.REVISE_REPLICA, None, (OBJ, 5))  # type: ignore[arg-type]
    response = answer_document(request, REVISED)["response"]
    assert response["patchType"] == "JSONPatch"
    assert json.loads(base64.b64decode(response["patch"])) == [
        {"op": "replace", "path": "/spec/replicas", "value": 5}
    ]


def test_unchanged_is_neither_patch_nor_patch_type() -> None:
    request = ContextRequest("u", Operation.RETAIN, None, (OBJ, OBJ))  # type: ignore[arg-type]
    assert answer_document(request, OBJ)["response"] == {"uid": "u", "successful": True}
    unchanged = answered(Operation.RETAIN)
    assert unchanged == OBJ
    assert unchanged is not OBJ


def test_nothing_to_report_is_an_empty_raw_status() -> None:
    request = ContextRequest("u", Operation.REFLECT_STATUS, None, (OBJ,))  # type: ignore[arg-type]
    assert answer_document(request, None)["response"]["rawStatus"] == {}
    assert answer_document(request, {"a": 1})["response"]["rawStatus"] == {"a": 1}


@pytest.mark.parametrize(
    ("healthy", "health"),
    [(True, Health("Healthy")), (False, Health("Degraded", "Unhealthy"))],
)
def test_health_travels_as_its_boolean(healthy: bool, health: Health) -> None:
    assert answered(Operation.INTERPRET_HEALTH, healthy=healthy) == health


def encoded(patch: Any) -> str:
    return base64.b64encode(json.dumps(patch).encode()).decode()


REPLACE = encoded([{"op": "replace", "path": "/spec/replicas", "value": 5}])


@pytest.mark.parametrize(
    ("operation", "response", "message"),
    [
        pytest.param(
            Operation.GET_REPLICAS, {}, "response.replicas: is absent", id="replicas absent"
        ),
        pytest.param(
            Operation.GET_REPLICAS, {"replicas": -1}, "response.replicas: must be in", id="negative"
        ),
        pytest.param(
            Operation.GET_REPLICAS, {"replicas": "3"}, "response.replicas: must be an", id="text"
        ),
        pytest.param(
            Operation.GET_REPLICAS,
            {"replicas": 1, "replicaRequirements": {"nodeClaim": 3}},
            "response.replicaRequirements.nodeClaim: must be an object",
            id="odd requirements",
        ),
        pytest.param(
            Operation.INTERPRET_HEALTH, {}, "response.healthy: is absent", id="healthy absent"
        ),
        pytest.param(
            Operation.INTERPRET_HEALTH, {"healthy": "yes"}, "must be a boolean", id="odd health"
        ),
        pytest.param(
            Operation.REFLECT_STATUS, {}, "response.rawStatus: is absent", id="status absent"
        ),
        pytest.param(
            Operation.REFLECT_STATUS, {"rawStatus": None}, "rawStatus: is absent", id="status null"
        ),
        pytest.param(
            Operation.GET_DEPENDENCIES,
            {"dependencies": [{"kind": "ConfigMap", "name": "a"}]},
            "missing required apiVersion",
            id="a dependency without a version",
        ),
        pytest.param(
            Operation.GET_DEPENDENCIES,
            {"dependencies": [{"apiVersion": "v1", "kind": "ConfigMap"}]},
            "dependency can not leave name and labelSelector all empty",
            id="a dependency without a name",
        ),
        pytest.param(
            Operation.GET_DEPENDENCIES,
            {"dependencies": ["x"]},
            r"response.dependencies\[0\]: must be an object",
            id="a dependency that is none",
        ),
        pytest.param(
            Operation.GET_COMPONENTS,
            {"components": [{"name": "a"}]},
            r"response.components\[0\].replicas: must be an integer",
            id="a component without a count",
        ),
        pytest.param(
            Operation.RETAIN,
            {"patch": REPLACE},
            "response.patchType: is absent",
            id="patch without type",
        ),
        pytest.param(
            Operation.RETAIN,
            {"patchType": "JSONPatch"},
            "response.patch: is absent",
            id="type without patch",
        ),
        pytest.param(
            Operation.RETAIN,
            {"patch": REPLACE, "patchType": "MergePatch"},
            "response.patchType: must be JSONPatch",
            id="another type",
        ),
        pytest.param(
            Operation.RETAIN,
            {"patch": "***", "patchType": "JSONPatch"},
            "response.patch: is no base64",
            id="no base64",
        ),
        pytest.param(
            Operation.RETAIN,
            {"patch": base64.b64encode(b"[{").decode(), "patchType": "JSONPatch"},
            "response.patch: not valid JSON",
            id="no JSON",
        ),
        pytest.param(
            Operation.RETAIN,
            {"patch": encoded([{"op": "remove", "path": "/nothing"}]), "patchType": "JSONPatch"},
            r"response.patch\[0\]: operation 'remove' of '/nothing' cannot be applied",
            id="a patch that does not fit",
        ),
        pytest.param(
            Operation.RETAIN,
            {"patch": encoded([{"op": "remove", "path": "/kind"}]), "patchType": "JSONPatch"},
            "kind: must be a non-empty string",
            id="a patch that takes the kind",
        ),
        pytest.param(
            Operation.RETAIN,
            {"uid": "other", "patch": REPLACE, "patchType": "JSONPatch"},
            "response.uid: expected 'u', the request's, got the string 'other'",
            id="another uid",
        ),
        pytest.param(
            Operation.RETAIN, {"successful": False}, "response.status: must be an", id="no status"
        ),
        pytest.param(
            Operation.RETAIN,
            {"successful": None},
            "response.successful: must be a boolean",
            id="successful is null",
        ),
        pytest.param(
            Operation.RETAIN,
            {"successful": False, "status": {"code": 403, "message": "not you"}},
            "the webhook failed with code 403: not you",
            id="failed",
        ),
    ],
)
def test_an_answer_against_the_protocol_says_what_the_webhook_did_wrong(
    operation: Operation, response: dict[str, Any], message: str
) -> None:
    with pytest.raises(WebhookError, match=message):
        answered(operation, **response)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        pytest.param({}, "the response is absent", id="absent"),
        pytest.param({"request": {"uid": "u"}}, "the response is absent", id="a request"),
        pytest.param({"response": None}, "the response is absent", id="null"),
        pytest.param({"response": 1}, "response: must be an object", id="a number"),
        pytest.param([], "must be a ResourceInterpreterContext", id="a list"),
        pytest.param(
            {"kind": "AdmissionReview", "response": {}}, "kind: must be", id="another kind"
        ),
        pytest.param({"response": {"uid": "u"}}, "response.status", id="nothing but the uid"),
    ],
)
def test_a_document_that_is_no_answer_is_an_error(document: Any, message: str) -> None:
    with pytest.raises(WebhookError, match=message):
        read_answer(document, Operation.INTERPRET_HEALTH, (OBJ,), uid="u")


def test_a_failure_travels_with_code_and_message() -> None:
    document = sent(failure_document("u", 404, "nobody"))
    with pytest.raises(WebhookError, match="failed with code 404: nobody"):
        read_answer(document, Operation.GET_REPLICAS, (OBJ,), uid="u")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"uid": ""}, "request.uid: must be", id="no uid"),
        pytest.param({"operation": "Prune"}, "request.operation: is no operation", id="prune"),
        pytest.param({"operation": ["x"]}, "request.operation: is no operation", id="odd"),
        pytest.param({"object": None}, "request.object: a Kubernetes object", id="no object"),
        pytest.param({"object": {"kind": "A"}}, "request.object.apiVersion", id="no version"),
        pytest.param({"replicas": None}, "request.replicas: is missing", id="no count"),
        pytest.param(
            {"kind": {"group": "", "version": "v1", "kind": "Widget"}},
            "request.kind: must name the object's kind, example.com/v1/Widget",
            id="another kind",
        ),
        pytest.param({"kind": "Widget"}, "request.kind: must be an object", id="kind as text"),
    ],
)
def test_a_request_that_cannot_be_used_says_why(change: dict[str, Any], message: str) -> None:
    document = request_document(Operation.REVISE_REPLICA, (OBJ, 5), uid="u")
    document["request"].update(change)
    with pytest.raises(InvalidObject, match=message):
        read_request(document)


@pytest.mark.parametrize("document", [None, [], {}, {"response": {}}, {"request": []}])
def test_what_is_no_request_is_an_error(document: Any) -> None:
    with pytest.raises(InvalidObject):
        read_request(document)
