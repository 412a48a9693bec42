"""What Karmada's protocol is answered with: a request's bytes in, a response's bytes out.

It knows nothing of servers and connections, so that it can run in a thread or in a worker process.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakKeyDictionary

import grpc

from interpreter.api.context import HookContext
from interpreter.codec import json
from interpreter.errors import InvalidObject, guard_depth
from interpreter.facade import ResourceInterpreter
from interpreter.machinery.unstructured import JsonObject
from interpreter.operations import OPERATIONS
from interpreter.registry import ALL_TIERS
from interpreter.rpc.context import answer_document, failure_document, read_request, request_uid
from interpreter.rpc.status import Failure, failure_of
from interpreter.server.logs import REQUEST_ID, log_unexpected

_Code = grpc.StatusCode
#: The tier that a control plane never gets, directly or not.
CONVENTIONS: Final = "generic"
#: Status codes of HTTP for those of gRPC; what is not here is 500: the server's configuration, a
#: script or a plugin is wrong, not the request.
_HTTP_CODES: Final = {
    _Code.INVALID_ARGUMENT: 400,
    _Code.PERMISSION_DENIED: 403,
    _Code.RESOURCE_EXHAUSTED: 429,
    _Code.UNIMPLEMENTED: 501,
    _Code.UNAVAILABLE: 503,
    _Code.DEADLINE_EXCEEDED: 504,
}
_views: WeakKeyDictionary[ResourceInterpreter, dict[tuple[str, ...], ResourceInterpreter]] = (
    WeakKeyDictionary()
)


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer on its way out.

    Attributes:
        status: Status code of HTTP: 200 for whatever the protocol carries, failures included.
        body: A ResourceInterpreterContext; text for people where the request was none.
        operation: Karmada's name of the operation, empty where the request named none.
        failure: Why there is no answer, for logs and metrics; None where there is one.
    """

    status: int
    body: bytes
    operation: str = ""
    failure: Failure | None = None

    @property
    def code(self) -> str:
        """Name of the gRPC status that the same call would have had there."""
        return "OK" if self.failure is None else self.failure.code.name


def http_code(failure: Failure) -> int:
    """The status code of HTTP for a failure."""
    return _HTTP_CODES.get(failure.code, 500)


def answer(
    interpreter: ResourceInterpreter,
    body: bytes,
    tiers: tuple[str, ...],
    deadline: float,
    request_id: str,
) -> Answered:
    """Answers a request.

    Args:
        interpreter: Who answers.
        body: The request, JSON.
        tiers: Tiers that are served; where none of them answers that is a failure, because the
            control plane has rules of its own behind this webhook.
        deadline: ``time.monotonic()`` value at which the caller gives up.
        request_id: For logs.
    """
    REQUEST_ID.set(request_id)
    try:
        document = guard_depth(lambda: json.loads(body))
        uid = request_uid(document)
    except InvalidObject as error:
        return Answered(400, f"{error}\n".encode(), failure=failure_of(error))
    name = ""
    try:
        request = read_request(document)
        name = OPERATIONS[request.operation].reference_name or ""
        view = _view(interpreter, tiers)
        result = _call(view, request.operation, request.arguments, deadline)
        made = guard_depth(lambda: _encoded(answer_document(request, result)))
    except Exception as error:
        failure = failure_of(error)
        log_unexpected(error, name)
        failed = failure_document(uid, http_code(failure), failure.message)
        return Answered(200, _encoded(failed), name, failure)
    return Answered(200, made, name)


def _call(
    view: ResourceInterpreter, operation: Any, arguments: tuple[Any, ...], deadline: float
) -> Any:
    names = (argument.name for argument in OPERATIONS[operation].inputs)
    inputs = dict(zip(names, arguments[1:], strict=True))
    return view.call(operation, arguments[0], context=HookContext(deadline=deadline), **inputs)


def _view(interpreter: ResourceInterpreter, tiers: tuple[str, ...]) -> ResourceInterpreter:
    """The interpreter with the tiers that are served, made once: it remembers routes."""
    views = _views.setdefault(interpreter, {})
    return views.get(tiers) or views.setdefault(tiers, served(interpreter, tiers))


def served(interpreter: ResourceInterpreter, tiers: tuple[str, ...]) -> ResourceInterpreter:
    """What of an interpreter answers Karmada's protocol.

    The control plane does not go on behind a webhook: who starts from the next tier's answer
    has to get it here, though that tier answers nobody else.
    """
    below = (tier for tier in ALL_TIERS if tier != CONVENTIONS)
    return interpreter.restricted(tiers, neutral=False, below=below)


def _encoded(document: JsonObject) -> bytes:
    return json.dumps(document).encode()
