"""Whatever an operation takes and answers crosses the wire as it was."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter import (
    Component,
    DependentObjectReference,
    Health,
    HookContext,
    NodeClaim,
    Operation,
    ReplicaRequirements,
    ReplicaResult,
)
from interpreter.api.results import HEALTH_STATUSES
from interpreter.errors import ConfigurationError, EngineError, InvalidObject
from interpreter.rpc.conversion import (
    METHODS,
    build_request,
    build_response,
    read_request,
    read_response,
)
from interpreter.rpc.v1 import interpreter_pb2 as pb

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda children: st.lists(children, max_size=4) | st.dictionaries(TEXT, children, max_size=4),
    max_leaves=15,
)
OBJECTS = st.dictionaries(TEXT, JSON, max_size=5)
COUNTS = st.integers(0, 2**31 - 1)
REQUIREMENTS = st.builds(
    ReplicaRequirements,
    st.none()
    | st.builds(
        NodeClaim,
        st.none() | OBJECTS,
        st.none() | st.dictionaries(TEXT, TEXT, min_size=1, max_size=3),
        st.lists(OBJECTS, max_size=2).map(tuple),
    ),
    st.none() | st.dictionaries(TEXT, TEXT, min_size=1, max_size=3),
    TEXT,
    TEXT,
)
INPUTS: dict[Operation, st.SearchStrategy[Any]] = {
    Operation.REVISE_REPLICA: COUNTS,
    Operation.RETAIN: OBJECTS,
    Operation.AGGREGATE_STATUS: st.none() | st.lists(OBJECTS, max_size=3),
    Operation.PRUNE: st.booleans(),
}
ANSWERS: dict[Operation, st.SearchStrategy[Any]] = {
    Operation.GET_REPLICAS: st.builds(ReplicaResult, COUNTS, st.none() | REQUIREMENTS),
    Operation.GET_COMPONENTS: st.lists(
        st.builds(Component, TEXT, COUNTS, st.none() | REQUIREMENTS), max_size=3
    ),
    Operation.REVISE_REPLICA: OBJECTS,
    Operation.RETAIN: OBJECTS,
    Operation.AGGREGATE_STATUS: OBJECTS,
    Operation.REFLECT_STATUS: JSON,
    Operation.INTERPRET_HEALTH: st.builds(
        Health, st.sampled_from(HEALTH_STATUSES), TEXT, TEXT, st.booleans()
    ),
    Operation.GET_DEPENDENCIES: st.lists(
        st.builds(DependentObjectReference, TEXT, TEXT, TEXT, TEXT, st.none() | OBJECTS),
        max_size=3,
    ),
    Operation.PRUNE: OBJECTS,
}


def same(left: Any, right: Any) -> bool:
    """Equality that tells 1 from 1.0 and from true; the order of keys counts in objects alone."""
    if isinstance(left, ReplicaRequirements | ReplicaResult | Component | NodeClaim):
        names = left.__dataclass_fields__
        return type(left) is type(right) and all(
            same(getattr(left, name), getattr(right, name)) for name in names
        )
    if isinstance(left, dict) and left and all(isinstance(v, str) for v in left.values()):
        return isinstance(right, dict) and left == right
    if isinstance(left, list | tuple):
        return (
            type(left) is type(right)
            and len(left) == len(right)
            and all(same(a, b) for a, b in zip(left, right, strict=True))
        )
    return repr(left) == repr(right)


@given(st.sampled_from(Operation).flatmap(lambda op: st.tuples(st.just(op), ANSWERS[op])))
def test_an_answer_comes_back_as_it_was(case: tuple[Operation, Any]) -> None:
    operation, answer = case
    data = build_response(operation, answer).SerializeToString()
    message = METHODS[operation].response.FromString(data)
    assert same(read_response(operation, message), answer)


@given(
    st.sampled_from(Operation).flatmap(
        lambda op: st.tuples(st.just(op), OBJECTS, INPUTS.get(op, st.just(None)))
    )
)
def test_a_request_comes_back_as_it_was(case: tuple[Operation, Any, Any]) -> None:
    operation, obj, given_input = case
    arguments = (obj, given_input) if operation in INPUTS else (obj,)
    data = build_request(operation, arguments, None).SerializeToString()
    assert same(read_request(operation, data, None), (arguments, None))


@given(
    st.builds(
        HookContext,
        cluster_name=TEXT,
        cluster_labels=st.dictionaries(TEXT, TEXT, max_size=3),
        target_count=st.none() | COUNTS,
        feature_gates=st.dictionaries(TEXT, st.booleans(), max_size=3),
    )
)
def test_a_context_comes_back_with_the_deadline_of_the_call(context: HookContext) -> None:
    deadline = time.monotonic() + 3
    data = build_request(Operation.GET_REPLICAS, ({},), context).SerializeToString()
    _arguments, found = read_request(Operation.GET_REPLICAS, data, deadline)
    assert found is not None
    names = ("cluster_name", "cluster_labels", "target_count", "feature_gates")
    assert [getattr(found, n) for n in names] == [getattr(context, n) for n in names]
    assert found.deadline == deadline


def test_nothing_is_not_null_and_not_zero() -> None:
    nothing = build_response(Operation.REFLECT_STATUS, None)
    assert not nothing.HasField("status")
    with pytest.raises(InvalidObject, match="replicas: must be given"):
        read_request(
            Operation.REVISE_REPLICA,
            pb.ReviseReplicaRequest(object=b"{}").SerializeToString(),
            None,
        )
    none = build_request(Operation.AGGREGATE_STATUS, ({}, None), None)
    empty = build_request(Operation.AGGREGATE_STATUS, ({}, []), None)
    assert (none.HasField("items"), empty.HasField("items")) == (False, True)


def test_empty_parts_of_requirements_are_none() -> None:
    answer = ReplicaResult(1, ReplicaRequirements(NodeClaim(None, {}, ()), {}))
    message = build_response(Operation.GET_REPLICAS, answer)
    found = read_response(Operation.GET_REPLICAS, message)
    assert found == ReplicaResult(1, ReplicaRequirements(NodeClaim(), None))
    assert found.to_dict() == answer.to_dict()


@pytest.mark.parametrize(
    "answer",
    [
        ReplicaResult(1, ReplicaRequirements(NodeClaim(None, {"disk": 7}))),  # type: ignore[dict-item]
        ReplicaResult(1, ReplicaRequirements(None, {"cpu": 1})),  # type: ignore[dict-item]
        ReplicaResult(2**31),
        ReplicaResult(1, ReplicaRequirements(namespace="\ud800")),
    ],
    ids=["label", "quantity", "count", "half of a pair"],
)
def test_an_answer_that_messages_cannot_hold_is_an_error(answer: ReplicaResult) -> None:
    with pytest.raises(EngineError, match="cannot be sent"):
        build_response(Operation.GET_REPLICAS, answer)


def test_a_context_that_messages_cannot_hold_is_an_error() -> None:
    context = HookContext(cluster_labels={"a": 1})  # type: ignore[dict-item]
    with pytest.raises(ConfigurationError, match="the context cannot be sent"):
        build_request(Operation.GET_REPLICAS, ({},), context)


@pytest.mark.parametrize("obj", [{"a": float("nan")}, {"a": {1, 2}}, {1: 2}, {"a": "\ud800"}])
def test_an_object_that_is_no_json_is_an_error(obj: Any) -> None:
    with pytest.raises(InvalidObject):
        build_request(Operation.GET_REPLICAS, (obj,), None)


def test_a_health_status_of_a_newer_server_is_unknown() -> None:
    message = pb.InterpretHealthResponse(healthy=True)
    message.ParseFromString(message.SerializeToString() + b"\x08\x63")
    assert message.status == 99
    found = read_response(Operation.INTERPRET_HEALTH, message)
    assert (found.status, found.healthy) == ("Unknown", True)
