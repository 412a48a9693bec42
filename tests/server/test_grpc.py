"""A real server answers over gRPC as the facade does, and fails with statuses that tell why."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from google.rpc import error_details_pb2, status_pb2
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from serving import DEPLOYMENT, LUA, PLUGIN, STATUS_ITEMS, Server, health_of, serving

from interpreter import GVK, HookContext, Operation, ResourceInterpreter
from interpreter.codec import yaml
from interpreter.errors import (
    InterpreterError,
    InvalidObject,
    LuaScriptError,
    LuaTimeout,
    NoInterpreter,
    PluginError,
    WebhookError,
)
from interpreter.operations import OPERATIONS
from interpreter.rpc import AsyncClient, Client
from interpreter.rpc.v1 import interpreter_pb2 as pb

WIDGET = {"apiVersion": "plugin.example.com/v1", "kind": "Widget", "spec": {"replicas": 2}}
CRONTAB = {
    "apiVersion": "stable.example.com/v1",
    "kind": "CronTab",
    "metadata": {"name": "nightly", "labels": {}},
    "spec": {"replicas": 3, "big": 9007199254740993, "empty": [], "nothing": None},
    "status": {"ready": True},
}
NOBODY = {"apiVersion": "nobody.example.com/v1", "kind": "Thing"}
FAILING = {"apiVersion": "plugin.example.com/v1", "kind": "Failing"}


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ResourceInterpreter]:
    """The interpreter that the server has, in this process."""
    path = tmp_path_factory.mktemp("local") / "local_widgets.py"
    path.write_text(PLUGIN)
    spec = importlib.util.spec_from_file_location("local_widgets", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    plugins = [module.Widget, module.Sleeper, module.Failing, module.Dying, module.Rude, module.Big]
    documents = [next(iter(yaml.load_all(LUA))).value]
    with ResourceInterpreter(documents, plugins=plugins) as found:
        yield found


INPUTS: dict[Operation, dict[str, Any]] = {
    Operation.REVISE_REPLICA: {"replicas": 0},
    Operation.RETAIN: {"observed": {**DEPLOYMENT, "spec": {**DEPLOYMENT["spec"], "replicas": 9}}},
    Operation.AGGREGATE_STATUS: {"items": STATUS_ITEMS},
    Operation.PRUNE: {"remove_job_ttl": True},
}


def outcome(ask: Any) -> Any:
    """An answer, or an error as what a caller sees of it."""
    try:
        return ask()
    except InterpreterError as error:
        facts = ("gvk", "operation", "tier", "plugin", "script", "line", "path")
        known = {name: getattr(error, name) for name in facts}
        # The text of a plugin's exception stays in the server.
        text = "" if isinstance(error, PluginError) else str(error)
        return type(error), text, known


@pytest.mark.parametrize("operation", Operation)
@pytest.mark.parametrize(
    "obj",
    [
        pytest.param(DEPLOYMENT, id="native"),
        pytest.param(WIDGET, id="plugin"),
        pytest.param(CRONTAB, id="lua"),
        pytest.param(NOBODY, id="nobody"),
        pytest.param(FAILING, id="failing plugin"),
        pytest.param({"apiVersion": "v1", "kind": "Pod", "spec": 3}, id="invalid"),
    ],
)
def test_a_server_answers_as_the_library_does(
    client: Client, local: ResourceInterpreter, obj: Any, operation: Operation
) -> None:
    inputs = INPUTS.get(operation, {})
    show = OPERATIONS[operation].show
    want = outcome(lambda: show(local.call(operation, obj, **inputs)))
    got = outcome(lambda: show(client.call(operation, obj, **inputs)))
    assert got == want


def test_every_method_of_the_client_is_that_of_the_facade(
    client: Client, local: ResourceInterpreter
) -> None:
    def ask(ri: Any) -> list[Any]:
        return [
            ri.get_replicas(DEPLOYMENT),
            ri.revise_replica(DEPLOYMENT, 5),
            ri.get_components(WIDGET),
            ri.retain(DEPLOYMENT, DEPLOYMENT),
            ri.aggregate_status(CRONTAB, None),
            ri.aggregate_status(CRONTAB, []),
            ri.reflect_status(DEPLOYMENT),
            ri.reflect_status(NOBODY),
            ri.interpret_health(WIDGET, context=HookContext(cluster_name="member1")),
            ri.get_dependencies(DEPLOYMENT),
            ri.prune(DEPLOYMENT, remove_job_ttl=True),
            ri.hook_enabled(GVK("apps", "v1", "Deployment"), Operation.RETAIN),
            ri.hook_enabled(GVK("nobody.example.com", "v1", "Thing"), Operation.INTERPRET_HEALTH),
        ]

    assert ask(client) == ask(local)


def test_the_asyncio_client_has_the_same_methods(server: Server, client: Client) -> None:
    async def ask() -> list[Any]:
        async with AsyncClient(server.url) as remote:
            await remote.start()
            return [
                await remote.get_replicas(DEPLOYMENT),
                await remote.revise_replica(DEPLOYMENT, 5),
                await remote.get_components(WIDGET),
                await remote.retain(DEPLOYMENT, DEPLOYMENT),
                await remote.aggregate_status(DEPLOYMENT, STATUS_ITEMS),
                await remote.reflect_status(DEPLOYMENT),
                await remote.interpret_health(DEPLOYMENT),
                await remote.get_dependencies(DEPLOYMENT),
                await remote.prune(DEPLOYMENT),
                await remote.hook_enabled(GVK("apps", "v1", "Deployment"), Operation.PRUNE),
                await remote.kinds(),
                (await remote.explain(DEPLOYMENT, Operation.GET_REPLICAS)).answer,
                outcome_of(
                    await asyncio.gather(remote.get_replicas(NOBODY), return_exceptions=True)
                ),
            ]

    def outcome_of(found: list[Any]) -> Any:
        return type(found[0])

    assert asyncio.run(ask()) == [
        client.get_replicas(DEPLOYMENT),
        client.revise_replica(DEPLOYMENT, 5),
        client.get_components(WIDGET),
        client.retain(DEPLOYMENT, DEPLOYMENT),
        client.aggregate_status(DEPLOYMENT, STATUS_ITEMS),
        client.reflect_status(DEPLOYMENT),
        client.interpret_health(DEPLOYMENT),
        client.get_dependencies(DEPLOYMENT),
        client.prune(DEPLOYMENT),
        True,
        client.kinds(),
        client.explain(DEPLOYMENT, Operation.GET_REPLICAS).answer,
        NoInterpreter,
    ]


def test_kinds_are_the_matrix_of_the_server(client: Client, local: ResourceInterpreter) -> None:
    assert [
        (claim.gvk, claim.operation, claim.tier, claim.plugin, claim.disabled, claim.counted)
        for claim in client.kinds()
    ] == [
        (
            row.gvk,
            row.operation,
            row.implementation.tier,
            row.implementation.plugin,
            row.disabled,
            row.implementation.counted,
        )
        for row in local.kinds()
    ]


@pytest.mark.parametrize("obj", [DEPLOYMENT, WIDGET, CRONTAB, NOBODY], ids=lambda o: o["kind"])
def test_an_explanation_is_that_of_the_library(
    client: Client, local: ResourceInterpreter, obj: Any
) -> None:
    remote, own = client.explain(obj), local.explain(obj)
    for theirs, ours in zip(remote, own, strict=True):
        for name in ("gvk", "operation", "tier", "plugin", "wrapped_by", "notes", "generic"):
            assert getattr(theirs, name) == getattr(ours, name), (ours.operation, name)
        assert theirs.answer == ours.answer
        assert [entry["reason"] for entry in theirs.skipped] == [e.reason for e in ours.skipped]
        assert type(theirs.error) is type(ours.error)


def test_an_explanation_takes_the_inputs_given(client: Client) -> None:
    found = client.explain(CRONTAB, Operation.REVISE_REPLICA, replicas=7)
    assert (found.answer["spec"]["replicas"], found.notes) == (7, ())


def test_an_explanation_of_a_failing_plugin_does_not_tell_its_text(client: Client) -> None:
    found = client.explain(FAILING, Operation.GET_REPLICAS)
    assert isinstance(found.error, PluginError)
    assert (found.tier, found.plugin) == ("plugin", "failing")
    assert "hunter2" not in str(found.error)


class Raw:
    """Calls with bytes as they are, as a foreign client might."""

    def __init__(self, server: Server) -> None:
        self.channel = grpc.insecure_channel(server.grpc)

    def __enter__(self) -> Raw:
        return self

    def __exit__(self, *_error: object) -> None:
        self.channel.close()

    def fails(self, method: str, request: bytes, **how: Any) -> grpc.RpcError:
        call = self.channel.unary_unary(f"/interpreter.v1.ResourceInterpreter/{method}")
        with pytest.raises(grpc.RpcError) as caught:
            call(request, timeout=how.pop("timeout", 10), **how)
        return caught.value


@pytest.fixture
def raw(server: Server) -> Iterator[Raw]:
    with Raw(server) as found:
        yield found


def details(error: Any) -> tuple[status_pb2.Status, dict[str, Any]]:
    trailing = dict(error.trailing_metadata())
    status = status_pb2.Status.FromString(trailing["grpc-status-details-bin"])
    found: dict[str, Any] = {}
    for kind in (error_details_pb2.ErrorInfo, error_details_pb2.BadRequest):
        for detail in status.details:
            message = kind()
            if detail.Unpack(message):
                found[kind.__name__] = message
    return status, found


def request(obj: Any) -> bytes:
    data = obj if isinstance(obj, bytes) else json.dumps(obj).encode()
    return pb.GetReplicasRequest(object=data).SerializeToString()


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        pytest.param(b"{", "object", id="no JSON"),
        pytest.param(b"", "object", id="nothing"),
        pytest.param(b"[]", "object", id="no object"),
        pytest.param(b'{"apiVersion":"v1","kind":"Pod","kind":"Pod"}', "kind", id="duplicate key"),
        pytest.param(b'{"apiVersion":"v1","kind":"Pod","a":NaN}', "a", id="NaN"),
        pytest.param(b'{"apiVersion":"v1"}', "kind", id="no kind"),
        pytest.param(b'{"kind":"Pod","a":' + b"[" * 300 + b"]" * 300 + b"}", "a[0][0]", id="deep"),
        pytest.param(b"\xff{}", "object", id="no UTF-8"),
        pytest.param(
            {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"replicas": -1}},
            "spec.replicas",
            id="bad field",
        ),
    ],
)
def test_an_unusable_object_is_invalid_argument_with_its_field(
    raw: Raw, obj: Any, path: str
) -> None:
    error: Any = raw.fails("GetReplicas", request(obj))
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    _status, found = details(error)
    assert found["ErrorInfo"].reason == "INVALID_OBJECT"
    assert found["ErrorInfo"].domain == "resource-interpreter"
    assert [item.field for item in found["BadRequest"].field_violations] == [path]


@pytest.mark.parametrize("method", ["GetReplicas", "HookEnabled", "Explain", "ListKinds"])
def test_bytes_that_are_no_message_are_invalid_argument(raw: Raw, method: str) -> None:
    error: Any = raw.fails(method, b"\xff\xff\xff")
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert f"no {method}Request" in error.details()


@pytest.mark.parametrize(
    ("method", "message", "path"),
    [
        ("HookEnabled", pb.HookEnabledRequest(operation=1), "kind.version"),
        (
            "HookEnabled",
            pb.HookEnabledRequest(kind=pb.GroupVersionKind(version="v1", kind="Pod")),
            "operation",
        ),
        ("HookEnabled", pb.HookEnabledRequest(operation=99), "kind.version"),
        ("ReviseReplica", pb.ReviseReplicaRequest(object=b"{}"), "replicas"),
        ("Retain", pb.RetainRequest(desired=b"{}"), "observed"),
        ("Explain", pb.ExplainRequest(object=b"{}", operation=77), "operation"),
        (
            "GetReplicas",
            pb.GetReplicasRequest(object=b"{}", context=pb.CallContext(target_count=-1)),
            "context.target_count",
        ),
    ],
)
def test_an_unusable_argument_is_named(raw: Raw, method: str, message: Any, path: str) -> None:
    _status, found = details(raw.fails(method, message.SerializeToString()))
    assert [item.field for item in found["BadRequest"].field_violations] == [path]


def test_a_wrong_script_is_failed_precondition_with_customization_rule_and_line(raw: Raw) -> None:
    error: Any = raw.fails("InterpretHealth", request({**CRONTAB, "status": None}))
    assert error.code() is grpc.StatusCode.FAILED_PRECONDITION
    info = details(error)[1]["ErrorInfo"]
    assert info.reason == "LUA_SCRIPT_ERROR"
    facts = dict(info.metadata)
    assert {name: facts[name] for name in ("customization", "rule", "line", "plugin", "tier")} == {
        "customization": "crontab",
        "rule": "healthInterpretation",
        "line": "3",
        "plugin": "crontab",
        "tier": "customization",
    }


def test_a_wrong_script_is_the_same_error_for_the_client(client: Client) -> None:
    with pytest.raises(LuaScriptError) as caught:
        client.interpret_health({**CRONTAB, "status": None})
    assert (caught.value.script, caught.value.line) == ("crontab/healthInterpretation", 3)


def test_nobody_is_unimplemented(raw: Raw) -> None:
    error: Any = raw.fails("GetReplicas", request(NOBODY))
    assert error.code() is grpc.StatusCode.UNIMPLEMENTED
    facts = dict(details(error)[1]["ErrorInfo"].metadata)
    assert facts["group"] == "nobody.example.com"
    assert facts["operation"] == "GetReplicas"


def test_a_method_that_is_not_there_is_unimplemented_without_our_reason(raw: Raw) -> None:
    error: Any = raw.fails("Nonsense", b"")
    assert error.code() is grpc.StatusCode.UNIMPLEMENTED
    assert "grpc-status-details-bin" not in dict(error.trailing_metadata())


def test_a_failing_plugin_is_internal_and_its_text_stays_in_the_server(
    raw: Raw, server: Server
) -> None:
    error: Any = raw.fails(
        "GetReplicas", request(FAILING), metadata=(("x-request-id", "failing-1"),)
    )
    assert error.code() is grpc.StatusCode.INTERNAL
    status, found = details(error)
    assert found["ErrorInfo"].metadata["plugin"] == "failing"
    assert b"hunter2" not in status.SerializeToString()
    assert "hunter2" not in error.details()
    told = [line for line in server.logs() if line.get("request_id") == "failing-1"]
    assert any("widgets.py" in frame for line in told for frame in line.get("frames", ()))
    assert "hunter2" not in json.dumps(told)


def test_the_log_tells_what_is_wrong_about_an_unusable_answer(
    client: Client, server: Server
) -> None:
    with pytest.raises(PluginError, match="log tells more"):
        client.get_components(FAILING)
    messages = [line["message"] for line in server.logs() if line["level"] == "error"]
    assert any("'failing' returned an unusable answer: must be a list" in text for text in messages)


def test_a_plugin_with_an_unusable_answer_is_internal(client: Client) -> None:
    with pytest.raises(PluginError) as caught:
        client.get_components(FAILING)
    assert caught.value.plugin == "failing"


def test_the_deadline_of_the_call_bounds_the_script(client: Client) -> None:
    endless = {**CRONTAB, "spec": {"forever": True}}
    started = time.monotonic()
    with pytest.raises(InterpreterError):
        client.interpret_health(endless, context=HookContext(deadline=time.monotonic() + 0.2))
    assert time.monotonic() - started < 0.9, "the script's own limit is 1 s"


def test_a_script_that_takes_too_long_is_deadline_exceeded(raw: Raw, client: Client) -> None:
    endless = {**CRONTAB, "spec": {"forever": True}}
    error: Any = raw.fails("InterpretHealth", request(endless), timeout=30)
    assert error.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    assert details(error)[1]["ErrorInfo"].metadata["rule"] == "healthInterpretation"
    with pytest.raises(LuaTimeout):
        client.interpret_health(endless)


def test_a_request_id_is_echoed_or_made(server: Server) -> None:
    with grpc.insecure_channel(server.grpc) as channel:
        call = channel.unary_unary("/interpreter.v1.ResourceInterpreter/ListKinds")
        given = {}
        for sent in ("mine-7", "two words", "", "x" * 200):
            _answer, info = call.with_call(b"", metadata=(("x-request-id", sent),))
            given[sent] = dict(info.trailing_metadata())["x-request-id"]
    assert given.pop("mine-7") == "mine-7"
    assert all(len(made) == 16 for made in given.values())


def test_logs_tell_of_each_call_and_never_of_objects(client: Client, server: Server) -> None:
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "very-secret-name"},
        "data": {"password": "aHVudGVyMg=="},
    }
    client.prune(secret)
    with pytest.raises(InvalidObject):
        client.get_replicas({**DEPLOYMENT, "spec": {"replicas": "aHVudGVyMg=="}})
    text = (server.folder / "stderr").read_text()
    assert "aHVudGVyMg" not in text
    assert "very-secret-name" not in text
    lines = [line for line in server.logs() if line.get("method") == "Prune"]
    assert {"time", "level", "request_id", "code", "seconds"} <= set(lines[-1])
    assert lines[-1]["code"] == "OK"


class Reflected:
    """A client that knows nothing but the address, as grpcurl does."""

    def __init__(self, channel: grpc.Channel) -> None:
        self.channel = channel
        self.stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        self.pool = descriptor_pool.DescriptorPool()

    def ask(self, **what: str) -> Any:
        asked = reflection_pb2.ServerReflectionRequest(**what)
        return next(self.stub.ServerReflectionInfo(iter([asked])))

    def services(self) -> set[str]:
        found = self.ask(list_services="").list_services_response.service
        return {service.name for service in found}

    def call(self, service: str, method: str, data: dict[str, Any]) -> dict[str, Any]:
        files = self.ask(file_containing_symbol=service).file_descriptor_response
        for blob in files.file_descriptor_proto:
            self.pool.Add(descriptor_pb2.FileDescriptorProto.FromString(blob))
        found = self.pool.FindServiceByName(service).methods_by_name[method]
        given = message_factory.GetMessageClass(found.input_type)()
        json_format.ParseDict(data, given)
        answer = message_factory.GetMessageClass(found.output_type)
        call = self.channel.unary_unary(f"/{service}/{method}")
        return json_format.MessageToDict(
            answer.FromString(call(given.SerializeToString())),
            preserving_proto_field_name=True,
        )


def test_a_client_that_knows_nothing_calls_by_reflection(server: Server) -> None:
    import base64

    with grpc.insecure_channel(server.grpc) as channel:
        client = Reflected(channel)
        assert client.services() == {
            "grpc.health.v1.Health",
            "grpc.reflection.v1alpha.ServerReflection",
            "interpreter.v1.ResourceInterpreter",
        }
        obj = base64.b64encode(json.dumps(DEPLOYMENT).encode()).decode()
        answer = client.call("interpreter.v1.ResourceInterpreter", "GetReplicas", {"object": obj})
    assert answer["replicas"] == 3
    assert answer["requirements"]["resource_request"] == {"cpu": "100m", "memory": "1Gi"}


def test_without_the_flag_there_is_no_reflection(tmp_path: Path) -> None:
    with serving(tmp_path) as found, grpc.insecure_channel(found.grpc) as channel:
        with pytest.raises(grpc.RpcError) as caught:
            Reflected(channel).services()
        error: Any = caught.value
        assert error.code() is grpc.StatusCode.UNIMPLEMENTED


def test_health_is_told_for_the_service_and_overall(server: Server) -> None:
    assert health_of(server.grpc) == 1
    assert health_of(server.grpc, "interpreter.v1.ResourceInterpreter") == 1
    with pytest.raises(grpc.RpcError) as caught:
        health_of(server.grpc, "nonsense")
    error: Any = caught.value
    assert error.code() is grpc.StatusCode.NOT_FOUND


def test_ten_thousand_calls_from_32_threads_lose_nothing(server: Server) -> None:
    with Client(server.url) as remote:

        def ask(number: int) -> int:
            obj = {**DEPLOYMENT, "spec": {"replicas": number}}
            return remote.get_replicas(obj).replicas

        with ThreadPoolExecutor(32) as threads:
            assert list(threads.map(ask, range(10_000))) == list(range(10_000))


def test_a_client_says_that_nobody_is_there() -> None:
    with Client("grpc://127.0.0.1:1", timeout=2) as nobody:
        with pytest.raises(WebhookError) as caught:
            nobody.get_replicas(DEPLOYMENT)
        assert caught.value.temporary
        with pytest.raises(WebhookError, match="no server at"):
            nobody.start(0.1)


def test_an_asyncio_client_that_is_closed_says_so(server: Server, tmp_path: Path) -> None:
    sleeper = {
        "apiVersion": "plugin.example.com/v1",
        "kind": "Sleeper",
        "spec": {"started": str(tmp_path / "started"), "until": str(tmp_path / "until")},
    }

    async def close_in_mid_call() -> None:
        remote = AsyncClient(server.url)
        call = asyncio.create_task(remote.get_replicas(sleeper))
        while not (tmp_path / "started").exists():
            await asyncio.sleep(0.01)
        await remote.close()
        (tmp_path / "until").touch()
        with pytest.raises(InterpreterError, match="closed"):
            await call
        with pytest.raises(InterpreterError, match="closed"):
            await remote.get_replicas(DEPLOYMENT)

    async def cancel_in_mid_call() -> None:
        async with AsyncClient(server.url) as remote:
            call = asyncio.create_task(remote.get_replicas(sleeper))
            while not (tmp_path / "started").exists():
                await asyncio.sleep(0.01)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            (tmp_path / "until").touch()
            assert (await remote.get_replicas(DEPLOYMENT)).replicas == 3

    asyncio.run(close_in_mid_call())
    for name in ("started", "until"):
        (tmp_path / name).unlink()
    asyncio.run(cancel_in_mid_call())


def test_a_closed_client_says_so(server: Server) -> None:
    closed = Client(server.url)
    closed.close()
    closed.close()
    with pytest.raises(InterpreterError, match="closed"):
        closed.get_replicas(DEPLOYMENT)
