"""The .proto, the code generated from it, and what was released agree."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import descriptor_pb2

from interpreter import Operation
from interpreter.api.results import HEALTH_STATUSES
from interpreter.rpc.conversion import METHODS, SERVICE
from interpreter.rpc.v1 import interpreter_pb2 as pb
from interpreter.server.service import ANSWERS

ROOT = Path(__file__).parents[2]
PROTO = ROOT / "proto" / "interpreter" / "v1" / "interpreter.proto"
RELEASED = PROTO.with_name("released.binpb")


def compiled(tmp_path: Path, *, comments: bool = False) -> descriptor_pb2.FileDescriptorProto:
    pytest.importorskip("grpc_tools", reason="needs the dev extra")
    target = tmp_path / "now.binpb"
    command = [
        *(sys.executable, "-m", "grpc_tools.protoc"),
        f"-Iinterpreter/rpc/v1={PROTO.parent.relative_to(ROOT)}",
        f"--descriptor_set_out={target}",
        *(["--include_source_info"] if comments else []),
        "interpreter/rpc/v1/interpreter.proto",
    ]
    subprocess.run(command, cwd=ROOT, check=True)
    return descriptor_pb2.FileDescriptorSet.FromString(target.read_bytes()).file[0]


def generated() -> descriptor_pb2.FileDescriptorProto:
    found = descriptor_pb2.FileDescriptorProto()
    pb.DESCRIPTOR.CopyToProto(found)
    return found


def without_json_names(file: descriptor_pb2.FileDescriptorProto) -> Any:
    """protoc writes the names that everybody derives by themselves; a pool does not."""

    def strip(messages: Any) -> None:
        for message in messages:
            for field in message.field:
                field.ClearField("json_name")
            strip(message.nested_type)

    strip(file.message_type)
    return file


def test_the_generated_code_is_that_of_the_proto(tmp_path: Path) -> None:
    assert without_json_names(compiled(tmp_path)) == without_json_names(generated())


def test_the_generated_service_has_every_method() -> None:
    text = (ROOT / "interpreter" / "rpc" / "v1" / "interpreter_pb2_grpc.py").read_text()
    (service,) = generated().service
    for method in service.method:
        assert f"'/{SERVICE}/{method.name}'" in text


def messages(
    file: descriptor_pb2.FileDescriptorProto,
) -> dict[str, descriptor_pb2.DescriptorProto]:
    found = {}
    pending = [(message.name, message) for message in file.message_type]
    while pending:
        name, message = pending.pop()
        found[name] = message
        pending += [(f"{name}.{inner.name}", inner) for inner in message.nested_type]
    return found


def breaks(
    old: descriptor_pb2.FileDescriptorProto, new: descriptor_pb2.FileDescriptorProto
) -> Iterator[str]:
    """What a peer built from ``old`` could not do with one built from ``new``."""
    if old.package != new.package:
        yield f"package {old.package}"
    current = messages(new)
    for name, message in messages(old).items():
        if name in current:
            yield from field_breaks(name, message, current[name])
        else:
            yield f"message {name} is gone"
    for enum in old.enum_type:
        after = next((each.value for each in new.enum_type if each.name == enum.name), ())
        values = {value.number: value.name for value in after}
        for value in enum.value:
            if values.get(value.number) != value.name:
                yield f"{enum.name}.{value.name} is gone or renumbered"
    methods = {(s.name, method.name): method for s in new.service for method in s.method}
    for service in old.service:
        for method in service.method:
            if methods.get((service.name, method.name)) != method:
                yield f"method {method.name} is gone or changed"


def field_breaks(
    name: str, old: descriptor_pb2.DescriptorProto, new: descriptor_pb2.DescriptorProto
) -> Iterator[str]:
    fields = {field.number: field for field in new.field}
    reserved = {number for span in new.reserved_range for number in range(span.start, span.end)}
    for field in old.field:
        after = fields.get(field.number)
        if after is None:
            if field.number not in reserved:
                yield f"{name}.{field.name} is gone, and its number is not reserved"
            continue
        for fact in ("name", "type", "type_name", "label", "proto3_optional"):
            if getattr(field, fact) != getattr(after, fact):
                yield f"{name}.{field.name}: another {fact}"


def released() -> descriptor_pb2.FileDescriptorProto:
    return descriptor_pb2.FileDescriptorSet.FromString(RELEASED.read_bytes()).file[0]


def test_nothing_that_was_released_breaks_on_the_wire() -> None:
    assert list(breaks(released(), generated())) == []


@pytest.mark.parametrize(
    ("change", "want"),
    [
        pytest.param(
            lambda file: file.message_type[0].field[0].__setattr__("number", 99),
            "GroupVersionKind.group is gone, and its number is not reserved",
            id="number",
        ),
        pytest.param(
            lambda file: file.message_type[0].field[0].__setattr__("type", 12),
            "GroupVersionKind.group: another type",
            id="type",
        ),
        pytest.param(
            lambda file: file.service[0].method.pop(), "method Explain is gone or changed", id="rpc"
        ),
        pytest.param(
            lambda file: file.enum_type[0].value.pop(),
            "Operation.OPERATION_PRUNE is gone or renumbered",
            id="enum",
        ),
        pytest.param(
            lambda file: file.message_type.pop(), "message ExplainedError is gone", id="message"
        ),
    ],
)
def test_a_break_on_the_wire_is_noticed(change: Any, want: str) -> None:
    file = released()
    change(file)
    assert want in list(breaks(released(), file))


def test_every_operation_has_its_method_and_its_number() -> None:
    (service,) = generated().service
    assert {method.name for method in service.method} == set(ANSWERS)
    assert set(METHODS) == set(Operation)
    names = {name.removeprefix("OPERATION_") for name in pb.Operation.keys()}  # noqa: SIM118
    assert names == {"UNSPECIFIED", *(operation.name for operation in Operation)}


def test_every_health_status_has_its_number() -> None:
    names = {name.removeprefix("HEALTH_STATUS_") for name in pb.HealthStatus.keys()}  # noqa: SIM118
    assert names == {"UNSPECIFIED", *(status.upper() for status in HEALTH_STATUSES)}


def test_every_field_message_and_method_is_described() -> None:
    lines = PROTO.read_text().splitlines()
    described = re.compile(r"\s*(rpc \w+|(optional |repeated )?[\w.<>, ]+ \w+ = \d+;)")
    bare = [
        line.strip()
        for before, line in itertools.pairwise(lines)
        if described.match(line)
        and not before.strip().startswith("//")
        and not re.match(r"\s*(OPERATION|HEALTH_STATUS)_", line)
    ]
    assert bare == []


def test_replica_counts_state_their_range() -> None:
    text = PROTO.read_text()
    for comment, field in re.findall(
        r"// ([^\n]*)\n\s*((?:optional )?int32 replicas = \d+;)", text
    ):
        assert "0..2147483647" in comment, field
