"""Karmada's webhook protocol: ``ResourceInterpreterContext`` of ``config.karmada.io/v1alpha1``.

Both directions, as pure functions on JSON objects. A client writes a request and reads the answer
to it; a server reads a request and writes the answer. What belongs to single operations is in
``interpreter.rpc.context_answers``.

What the protocol cannot carry: prune has no operation, health is a boolean, "nothing to report" is
``rawStatus: {}``, and a hook's context stays at home.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.api.kinds import CONFIG_API_VERSION
from interpreter.api.operation import REFERENCE_NAMES, Operation
from interpreter.errors import InvalidObject, WebhookError
from interpreter.machinery.gvk import GVK, gvk_of
from interpreter.machinery.unstructured import JsonObject, JsonValue, name_of, namespace_of
from interpreter.operations import OPERATIONS
from interpreter.rpc.context_answers import ANSWERS

CONTEXT_KIND = "ResourceInterpreterContext"
#: The version in ``interpreterContextVersions`` that is spoken here.
CONTEXT_VERSION = CONFIG_API_VERSION.rpartition("/")[2]
#: A webhook's message is cut behind so many characters.
_LONGEST_MESSAGE = 2000

#: Where the argument behind the object travels, by its name.
_FIELDS = {"replicas": "replicas", "observed": "observedObject", "items": "aggregatedStatus"}
_OPERATIONS = {name: operation for operation, name in REFERENCE_NAMES.items()}


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """A request as a server reads it.

    Attributes:
        uid: To be repeated in the answer.
        operation: What is asked.
        gvk: Kind of the object.
        arguments: The operation's arguments by hook order: the object, and what is behind it.
    """

    uid: str
    operation: Operation
    gvk: GVK
    arguments: tuple[Any, ...]


def request_document(operation: Operation, arguments: tuple[Any, ...], *, uid: str) -> JsonObject:
    """The document that asks a webhook.

    Args:
        operation: One that the protocol has.
        arguments: The object, and the argument behind it where there is one.
        uid: What the answer must repeat.

    Raises:
        InvalidObject: The object states no kind, or its metadata are no metadata.
    """
    obj = arguments[0]
    gvk = gvk_of(obj)
    request: JsonObject = {
        "uid": uid,
        "kind": {"group": gvk.group, "version": gvk.version, "kind": gvk.kind},
        "name": name_of(obj),
        "operation": REFERENCE_NAMES[operation],
        "object": obj,
    }
    namespace = namespace_of(obj)
    if namespace:
        request["namespace"] = namespace
    for argument, value in zip(OPERATIONS[operation].inputs, arguments[1:], strict=True):
        # Absent status items are not the same as none: scripts see nil.
        if value is not None:
            request[_FIELDS[argument.name]] = value
    return _document("request", request)


def request_uid(document: JsonValue) -> str:
    """The uid of a request, without which nothing can be answered.

    Raises:
        InvalidObject: It is no ResourceInterpreterContext with a request, or has no uid.
    """
    body = _part(document, "request")
    if body is None:
        raise InvalidObject("is missing", path="request")
    uid = body.get("uid")
    if not isinstance(uid, str) or not uid:
        raise InvalidObject("must be a non-empty string", path="request.uid", value=uid)
    return uid


def read_request(document: JsonValue) -> ContextRequest:
    """A webhook's request.

    The object is checked no further than to its kind: who interprets it reads what it needs.

    Raises:
        InvalidObject: It is no ResourceInterpreterContext with a request, or a field is wrong.
    """
    uid = request_uid(document)
    body: JsonObject = document["request"]
    name = body.get("operation")
    operation = _OPERATIONS.get(name) if isinstance(name, str) else None
    if operation is None:
        raise InvalidObject(
            "is no operation",
            path="request.operation",
            value=name,
            hint=f"one of {', '.join(_OPERATIONS)}",
        )
    obj = body.get("object")
    try:
        gvk = gvk_of(obj)
    except InvalidObject as error:
        raise error.within("request.object") from None
    _check_kind(body.get("kind"), gvk)
    arguments = [obj]
    for argument in OPERATIONS[operation].inputs:
        arguments.append(body.get(_FIELDS[argument.name]))
        if argument.name != "items" and arguments[-1] is None:
            raise InvalidObject("is missing", path=f"request.{_FIELDS[argument.name]}")
    return ContextRequest(uid, operation, gvk, tuple(arguments))


def answer_document(request: ContextRequest, result: Any) -> JsonObject:
    """The answer to a request.

    Args:
        request: The request.
        result: The operation's result, as the facade gives it.

    Raises:
        InvalidObject: The result is nested too deeply.
    """
    response = {"uid": request.uid, "successful": True}
    response.update(ANSWERS[request.operation].write(request.arguments[0], result))
    return _document("response", response)


def failure_document(uid: str, code: int, message: str) -> JsonObject:
    """The answer to a request that failed.

    Args:
        uid: Of the request.
        code: A status code of HTTP, which tells clients the kind of failure.
        message: For people.
    """
    status = {"code": code, "message": message}
    return _document("response", {"uid": uid, "successful": False, "status": status})


def read_answer(
    document: JsonValue, operation: Operation, arguments: tuple[Any, ...], *, uid: str
) -> Any:
    """A webhook's answer, checked as the reference checks it.

    Args:
        document: What came back.
        operation: What was asked.
        arguments: What it was asked with; patches are applied to a copy of the object.
        uid: The request's.

    Returns:
        The result, in the operation's result type.

    Raises:
        WebhookError: The webhook said that it failed, or its answer breaks the protocol; the
            message says how.
    """
    try:
        body = _part(document, "response")
        if body is None:
            raise InvalidObject("the response is absent")
        if body.get("uid") != uid:
            raise InvalidObject(
                f"expected {uid!r}, the request's", path="response.uid", value=body.get("uid")
            )
        successful = body.get("successful", False)
        if not isinstance(successful, bool):
            raise InvalidObject("must be a boolean", path="response.successful", value=successful)
        if successful:
            result = ANSWERS[operation].read(arguments[0], body)
            return OPERATIONS[operation].accept(result)
        status = body.get("status")
        if not isinstance(status, dict):
            problem = "must be an object where response.successful is false"
            raise InvalidObject(problem, path="response.status", value=status)
    except InvalidObject as error:
        raise WebhookError(
            f"the webhook's answer breaks the protocol: {error}", operation=operation
        ) from None
    code, message = status.get("code", 0), str(status.get("message", ""))
    raise WebhookError(
        f"the webhook failed with code {code}: {message[:_LONGEST_MESSAGE]}", operation=operation
    )


def _document(part: str, body: JsonObject) -> JsonObject:
    return {"apiVersion": CONFIG_API_VERSION, "kind": CONTEXT_KIND, part: body}


def _part(document: JsonValue, part: str) -> JsonObject | None:
    """``request`` or ``response``; webhooks made with Karmada's own library state no kind."""
    if not isinstance(document, dict):
        raise InvalidObject(f"must be a {CONTEXT_KIND}", value=document)
    for field, wanted in (("apiVersion", CONFIG_API_VERSION), ("kind", CONTEXT_KIND)):
        if document.get(field, "") not in ("", wanted):
            raise InvalidObject(f"must be {wanted}", path=field, value=document[field])
    body = document.get(part)
    if body is not None and not isinstance(body, dict):
        raise InvalidObject("must be an object", path=part, value=body)
    return body


def _check_kind(stated: Any, gvk: GVK) -> None:
    """A request that names another kind than its object is meant for somebody else."""
    if stated is None:
        return
    if not isinstance(stated, dict):
        raise InvalidObject("must be an object", path="request.kind", value=stated)
    parts = tuple(stated.get(part) or "" for part in ("group", "version", "kind"))
    if parts != gvk:
        raise InvalidObject(f"must name the object's kind, {gvk}", path="request.kind")
