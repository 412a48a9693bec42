"""ONE table: how each operation's arguments and answer become messages, and back.

Client, server and the webhook tier loop over ``METHODS``. What a caller gave is checked where it
is used, not here; what is no message or no JSON is an InvalidObject.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import DecodeError, Message

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.api.results import DependentObjectReference, Health, ReplicaResult
from interpreter.errors import ConfigurationError, EngineError, InvalidObject
from interpreter.rpc.messages import (
    from_json,
    object_from_json,
    optional_object,
    read_component,
    read_context,
    read_requirements,
    to_json,
    wire_component,
    wire_context,
    wire_requirements,
)
from interpreter.rpc.v1 import interpreter_pb2 as pb

#: Full name of the service, and the prefix of its methods.
SERVICE = pb.DESCRIPTOR.services_by_name["ResourceInterpreter"].full_name


@dataclass(frozen=True, slots=True)
class Method:
    """One operation on the wire.

    Attributes:
        operation: The operation; its name is the method's.
        request: Type of the request.
        response: Type of the response.
        subject: Field of the request with the object that names the kind.
        write_input: Writes the argument behind the object, None when there is none.
        read_input: Reads it.
        write_answer: The fields of the response for an answer.
        read_answer: The answer of a response.
    """

    operation: Operation
    request: type[Message]
    response: type[Message]
    write_answer: Callable[[Any], Message]
    read_answer: Callable[[Any], Any]
    subject: str = "object"
    write_input: Callable[[Any, Any], None] | None = None
    read_input: Callable[[Any], Any] | None = None

    @property
    def path(self) -> str:
        """``/package.Service/Method``."""
        return f"/{SERVICE}/{self.operation}"


def build_request(
    operation: Operation, arguments: tuple[Any, ...], context: HookContext | None
) -> Message:
    """The request for an operation.

    Args:
        operation: The operation.
        arguments: The object and what the operation takes behind it, checked.
        context: Facts of the call, or None.

    Raises:
        InvalidObject: An argument is no JSON.
        ConfigurationError: The context holds something else than texts, counts and booleans.
    """
    method = METHODS[operation]
    message: Any = method.request()
    setattr(message, method.subject, to_json(arguments[0]))
    if method.write_input is not None:
        method.write_input(message, arguments[1])
    if context is not None:
        try:
            message.context.CopyFrom(wire_context(context))
        except (TypeError, ValueError) as error:
            raise ConfigurationError(f"the context cannot be sent: {error}") from None
    return message  # type: ignore[no-any-return]


def read_request(
    operation: Operation, data: bytes, deadline: float | None
) -> tuple[tuple[Any, ...], HookContext | None]:
    """Arguments and context of a request.

    Args:
        operation: The operation.
        data: The message.
        deadline: ``time.monotonic()`` value at which the caller gives up, None for never.

    Raises:
        InvalidObject: It is no such message, or a field is no JSON.
    """
    method = METHODS[operation]
    message = parse(method.request, data)
    arguments: tuple[Any, ...] = (
        object_from_json(getattr(message, method.subject), method.subject),
    )
    if method.read_input is not None:
        arguments += (method.read_input(message),)
    return arguments, read_context(message, deadline)


def build_response(operation: Operation, answer: Any) -> Message:
    """The response for an answer of the facade.

    Raises:
        EngineError: The answer holds something that the messages have no place for.
    """
    try:
        return METHODS[operation].write_answer(answer)
    except (TypeError, ValueError) as error:
        # Protobuf checks types that results do not, such as a number in a node selector.
        raise EngineError(f"the answer cannot be sent: {error}", operation=operation) from None


def read_response(operation: Operation, message: Any) -> Any:
    """The answer of a response, as the facade gives it.

    Raises:
        InvalidObject: A field is no JSON, or out of its range.
    """
    return METHODS[operation].read_answer(message)


def parse(kind: type[Message], data: bytes) -> Any:
    """Bytes as a message.

    Raises:
        InvalidObject: They are none.
    """
    try:
        return kind.FromString(data)
    except DecodeError:
        raise InvalidObject(
            f"the message is no {kind.__name__}", hint="it is of another type, or cut off"
        ) from None


def _write_replicas(message: Any, replicas: int) -> None:
    message.replicas = replicas


def _read_replicas(message: Any) -> int:
    if not message.HasField("replicas"):
        # Zero is a count, and often means "stop everything": it is never assumed.
        raise InvalidObject("must be given", path="replicas")
    return message.replicas  # type: ignore[no-any-return]


def _write_observed(message: Any, observed: Any) -> None:
    message.observed = to_json(observed)


def _read_observed(message: Any) -> Any:
    return object_from_json(message.observed, "observed")


def write_items(message: Any, items: Any) -> None:
    """Sets ``items``; None leaves it absent."""
    if items is not None:
        message.items = to_json(items)


def read_items(message: Any) -> Any:
    """The value of ``items``; None when absent."""
    return from_json(message.items, "items") if message.HasField("items") else None


def _write_ttl(message: Any, remove_job_ttl: bool) -> None:
    message.remove_job_ttl = remove_job_ttl


def _read_ttl(message: Any) -> bool:
    return message.remove_job_ttl  # type: ignore[no-any-return]


def _answer_of(kind: Any) -> Callable[[Any], Message]:
    return lambda answer: kind(object=to_json(answer))


def _read_object(message: Any) -> Any:
    return object_from_json(message.object, "object")


def _write_replica_result(answer: ReplicaResult) -> Message:
    needs = answer.requirements
    return pb.GetReplicasResponse(
        replicas=answer.replicas,
        requirements=None if needs is None else wire_requirements(needs),
    )


def _read_replica_result(message: pb.GetReplicasResponse) -> ReplicaResult:
    return ReplicaResult(message.replicas, read_requirements(message, "requirements"))


def _write_components(answer: Any) -> Message:
    return pb.GetComponentsResponse(components=[wire_component(item) for item in answer])


def _read_components(message: pb.GetComponentsResponse) -> Any:
    return [read_component(item) for item in message.components]


def _write_status(answer: Any) -> Message:
    return pb.ReflectStatusResponse(status=None if answer is None else to_json(answer))


def _read_status(message: pb.ReflectStatusResponse) -> Any:
    return from_json(message.status, "status") if message.HasField("status") else None


_PREFIX = "HEALTH_STATUS_"


def _write_health(answer: Health) -> Message:
    return pb.InterpretHealthResponse(
        status=_PREFIX + answer.status.upper(),
        reason=answer.reason,
        message=answer.message,
        healthy=answer.healthy,
    )


def _read_health(message: pb.InterpretHealthResponse) -> Health:
    names = {value: name for name, value in pb.HealthStatus.items()}
    name = names.get(message.status, "").removeprefix(_PREFIX).capitalize()
    # An answer of a newer server: unknown is not healthy, whatever the boolean says for itself.
    status: Any = name if name in _KNOWN_HEALTH else "Unknown"
    return Health(status, message.reason, message.message, healthy=message.healthy)


_KNOWN_HEALTH = frozenset(
    name.removeprefix(_PREFIX).capitalize() for name, value in pb.HealthStatus.items() if value
)


def _write_dependencies(answer: list[DependentObjectReference]) -> Message:
    return pb.GetDependenciesResponse(
        dependencies=[
            pb.DependentObjectReference(
                api_version=item.api_version,
                kind=item.kind,
                namespace=item.namespace,
                name=item.name,
                label_selector=None
                if item.label_selector is None
                else to_json(item.label_selector),
            )
            for item in answer
        ]
    )


def _read_dependencies(message: pb.GetDependenciesResponse) -> list[DependentObjectReference]:
    return [
        DependentObjectReference(
            api_version=item.api_version,
            kind=item.kind,
            namespace=item.namespace,
            name=item.name,
            label_selector=optional_object(
                item.label_selector if item.HasField("label_selector") else None, "label_selector"
            ),
        )
        for item in message.dependencies
    ]


METHODS: dict[Operation, Method] = {
    method.operation: method
    for method in (
        Method(
            Operation.GET_REPLICAS,
            pb.GetReplicasRequest,
            pb.GetReplicasResponse,
            _write_replica_result,
            _read_replica_result,
        ),
        Method(
            Operation.REVISE_REPLICA,
            pb.ReviseReplicaRequest,
            pb.ReviseReplicaResponse,
            _answer_of(pb.ReviseReplicaResponse),
            _read_object,
            write_input=_write_replicas,
            read_input=_read_replicas,
        ),
        Method(
            Operation.GET_COMPONENTS,
            pb.GetComponentsRequest,
            pb.GetComponentsResponse,
            _write_components,
            _read_components,
        ),
        Method(
            Operation.RETAIN,
            pb.RetainRequest,
            pb.RetainResponse,
            _answer_of(pb.RetainResponse),
            _read_object,
            subject="desired",
            write_input=_write_observed,
            read_input=_read_observed,
        ),
        Method(
            Operation.AGGREGATE_STATUS,
            pb.AggregateStatusRequest,
            pb.AggregateStatusResponse,
            _answer_of(pb.AggregateStatusResponse),
            _read_object,
            write_input=write_items,
            read_input=read_items,
        ),
        Method(
            Operation.REFLECT_STATUS,
            pb.ReflectStatusRequest,
            pb.ReflectStatusResponse,
            _write_status,
            _read_status,
        ),
        Method(
            Operation.INTERPRET_HEALTH,
            pb.InterpretHealthRequest,
            pb.InterpretHealthResponse,
            _write_health,
            _read_health,
        ),
        Method(
            Operation.GET_DEPENDENCIES,
            pb.GetDependenciesRequest,
            pb.GetDependenciesResponse,
            _write_dependencies,
            _read_dependencies,
        ),
        Method(
            Operation.PRUNE,
            pb.PruneRequest,
            pb.PruneResponse,
            _answer_of(pb.PruneResponse),
            _read_object,
            write_input=_write_ttl,
            read_input=_read_ttl,
        ),
    )
}
