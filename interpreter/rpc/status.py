"""ONE table: which status a call fails with for which error, and which error a status is.

The details of a status (google.rpc.ErrorInfo, google.rpc.BadRequest) carry the data of the error,
so that a client raises the same class with the same facts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from interpreter import errors
from interpreter.api.operation import Operation
from interpreter.errors import InterpreterError
from interpreter.machinery.gvk import GVK
from interpreter.machinery.wording import truncated

#: ErrorInfo.domain of everything this package says.
DOMAIN: Final = "resource-interpreter"
#: Key of a status in the trailing metadata.
DETAILS_KEY: Final = "grpc-status-details-bin"
#: Metadata of a call are at most 8 KiB for many peers; text counts up to three times, for it is
#: percent-encoded beside the details.
_LONGEST_MESSAGE = 1000
_LONGEST_FACT = 300


@dataclass(frozen=True, slots=True)
class _Kind:
    """One class of errors on the wire."""

    error: type[InterpreterError]
    code: grpc.StatusCode
    #: Whether the text may leave the process: a plugin's exception may hold anything.
    told: bool = True


_Code = grpc.StatusCode
#: The most special class comes first.
_KINDS: Final = (
    _Kind(errors.InvalidObject, _Code.INVALID_ARGUMENT),
    _Kind(errors.ConfigurationError, _Code.INVALID_ARGUMENT),
    _Kind(errors.NoInterpreter, _Code.UNIMPLEMENTED),
    _Kind(errors.LuaTimeout, _Code.DEADLINE_EXCEEDED),
    _Kind(errors.LuaMemoryExceeded, _Code.RESOURCE_EXHAUSTED),
    _Kind(errors.LuaScriptError, _Code.FAILED_PRECONDITION),
    _Kind(errors.InvalidCustomization, _Code.FAILED_PRECONDITION),
    _Kind(errors.WebhookError, _Code.UNAVAILABLE),
    _Kind(errors.PluginError, _Code.INTERNAL, told=False),
    _Kind(errors.EngineError, _Code.INTERNAL),
    _Kind(errors.InterpreterError, _Code.INTERNAL, told=False),
)
#: Codes that say nothing about the request.
_TEMPORARY: Final = frozenset({_Code.UNAVAILABLE, _Code.DEADLINE_EXCEEDED, _Code.ABORTED})
_CODES: Final = {code.value[0]: code for code in _Code}


@dataclass(frozen=True, slots=True)
class Failure:
    """What a call fails with.

    Attributes:
        code: Status code.
        message: Text for the client.
        reason: ErrorInfo.reason, such as ``LUA_SCRIPT_ERROR``; empty where nothing is known.
        facts: ErrorInfo.metadata.
        fields: Path and problem of fields that are wrong.
    """

    code: grpc.StatusCode
    message: str
    reason: str = ""
    facts: dict[str, str] = field(default_factory=dict)
    fields: tuple[tuple[str, str], ...] = ()

    def to_status(self) -> status_pb2.Status:
        """The message for ``grpc-status-details-bin``."""
        status = status_pb2.Status(code=self.code.value[0], message=self.message)
        if self.reason:
            info = error_details_pb2.ErrorInfo(
                reason=self.reason, domain=DOMAIN, metadata=self.facts
            )
            status.details.add().Pack(info)
        if self.fields:
            bad = error_details_pb2.BadRequest()
            for path, problem in self.fields:
                bad.field_violations.add(field=path, description=problem)
            status.details.add().Pack(bad)
        return status


def reason_of(kind: type[InterpreterError]) -> str:
    """``LuaScriptError`` as ``LUA_SCRIPT_ERROR``."""
    return "".join(f"_{char}" if char.isupper() else char for char in kind.__name__)[1:].upper()


_CLASSES: Final = {reason_of(kind.error): kind.error for kind in _KINDS}


def failure_of(error: BaseException) -> Failure:
    """The failure for an error; of one that is not this package's, only that it happened."""
    if not isinstance(error, InterpreterError):
        return Failure(
            grpc.StatusCode.INTERNAL,
            "the server failed; its log tells more",
            reason="INTERNAL_ERROR",
        )
    kind = next(kind for kind in _KINDS if isinstance(error, kind.error))
    code = kind.code
    if code is _Code.UNAVAILABLE and not error.temporary:
        code = _Code.FAILED_PRECONDITION
    elif kind.error is errors.EngineError and error.temporary:
        code = _Code.UNAVAILABLE
    message = _cut(str(error), _LONGEST_MESSAGE) if kind.told else _silent(error)
    fields: tuple[tuple[str, str], ...] = ()
    if code is _Code.INVALID_ARGUMENT:
        fields = ((_cut(error.path or "", _LONGEST_FACT), _cut(error.message, _LONGEST_FACT)),)
    return Failure(code, message, reason_of(kind.error), dict(_facts(error)), fields)


def _silent(error: InterpreterError) -> str:
    who = f"plugin {error.plugin!r} failed" if error.plugin else "the server failed"
    return f"{who}; the server's log tells more"


def _facts(error: InterpreterError) -> Iterable[tuple[str, str]]:
    """What is known, as text; a value of the object is never among it."""
    gvk = error.gvk
    named: dict[str, Any] = {
        "operation": None if error.operation is None else str(error.operation),
        "tier": error.tier,
        "plugin": error.plugin,
        "script": error.script,
        "line": error.line,
        "path": error.path,
    }
    if isinstance(gvk, GVK):
        named |= {"group": gvk.group, "version": gvk.version, "kind": gvk.kind}
    if error.script is not None:
        # A script is named "<customization>/<rule>".
        customization, _slash, rule = error.script.rpartition("/")
        named |= {"customization": customization or error.plugin, "rule": rule}
    elif error.tier == "customization":
        named["customization"] = error.plugin
    for name, fact in named.items():
        if fact is not None:
            yield name, _cut(str(fact), _LONGEST_FACT)
    if error.temporary:
        yield "temporary", "true"


def _cut(text: str, longest: int) -> str:
    # Half of a surrogate pair in an object's field name cannot travel.
    text = text.encode("utf-8", "backslashreplace").decode()
    return truncated(text, longest)


def failure_of_status(
    code: grpc.StatusCode, message: str, metadata: Iterable[tuple[str, str | bytes]]
) -> Failure:
    """Reads what a failed call carries; details that are none of ours are left out."""
    data = next((value for key, value in metadata if key == DETAILS_KEY), None)
    reason, facts, fields = "", {}, []
    if isinstance(data, bytes):
        try:
            status = status_pb2.Status.FromString(data)
            for detail in status.details:
                info = error_details_pb2.ErrorInfo()
                bad = error_details_pb2.BadRequest()
                if detail.Unpack(info) and info.domain == DOMAIN:
                    reason, facts = info.reason, dict(info.metadata)
                elif detail.Unpack(bad):
                    fields = [(item.field, item.description) for item in bad.field_violations]
            message = status.message or message
        except DecodeError:
            pass  # of a proxy or another implementation: code and text stand for themselves
    return Failure(code, message, reason, facts, tuple(fields))


def failure_of_call(error: grpc.RpcError) -> Failure:
    """The failure of a call of a client, sync or asyncio."""
    call: Any = error
    message = call.details() or ""
    return failure_of_status(call.code(), message, call.trailing_metadata() or ())


def error_of(failure: Failure) -> InterpreterError:
    """The error that a failure is: the class that the server raised, with its facts.

    A failure that the service did not make (the network, a limit of gRPC) is a WebhookError,
    temporary where the same call may succeed later.
    """
    facts = failure.facts
    kind = _CLASSES.get(failure.reason, errors.WebhookError)
    error = kind(_text(failure), **_known(facts))
    if isinstance(error, errors.WebhookError):
        error.code = failure.code.name
        error.message = f"{failure.code.name}: {failure.message}"
        error.args = (error.message,)
    if facts.get("temporary") == "true" or failure.code in _TEMPORARY:
        error.temporary = True
    return error


def _text(failure: Failure) -> str:
    """The message without the path before it, which the error adds by itself."""
    path = failure.facts.get("path")
    return failure.message.removeprefix(f"{path}: ") if path else failure.message


def _known(facts: dict[str, str]) -> dict[str, Any]:
    line = facts.get("line", "")
    known: dict[str, Any] = {name: facts.get(name) for name in ("tier", "plugin", "script", "path")}
    known["line"] = int(line) if line.isascii() and line.isdecimal() else None
    if facts.get("version") and facts.get("kind"):
        known["gvk"] = GVK(facts.get("group", ""), facts["version"], facts["kind"])
    if "operation" in facts:
        try:
            known["operation"] = Operation(facts["operation"])
        except ValueError:
            known["operation"] = facts["operation"]
    return known


def failure_of_explained(code: int, message: str, reason: str, facts: dict[str, str]) -> Failure:
    """The failure of an explanation."""
    return Failure(_CODES.get(code, _Code.UNKNOWN), message, reason, facts)
