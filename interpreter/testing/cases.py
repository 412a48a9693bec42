"""Cases, and the project's own case file format: ``cases/<operation>.yaml`` beside the scripts.

The format is described in ``docs/test.md``. Unknown fields are errors: a misspelt ``want`` must
not be silence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from interpreter.api.operation import Operation
from interpreter.errors import ConfigurationError, InterpreterError, InvalidObject
from interpreter.machinery.unstructured import INT32_MAX, JsonObject, JsonValue, is_integer
from interpreter.operations import OPERATIONS, parse_operation
from interpreter.testing.texts import Part, read_parts, read_value, read_values

Mode = Literal["exact", "partial", "error", "karmada"]

#: Argument of an operation to the field of a case that holds it.
INPUT_FIELDS = {
    "obj": "object",
    "desired": "desired",
    "observed": "observed",
    "items": "items",
    "replicas": "replicas",
    "remove_job_ttl": "remove_job_ttl",
}
_WANTS = ("want", "want_status", "want_patch", "want_error")
_HEALTH_FIELDS = ("status", "reason", "message", "healthy")
#: Operations whose answer is an object, a part of which can be wanted.
_OBJECT_ANSWERS = frozenset(
    {
        Operation.GET_REPLICAS,
        Operation.REVISE_REPLICA,
        Operation.RETAIN,
        Operation.AGGREGATE_STATUS,
        Operation.REFLECT_STATUS,
        Operation.INTERPRET_HEALTH,
        Operation.PRUNE,
    }
)
#: Operations for which null is an answer; elsewhere an empty ``want`` is one still to be written.
_NULL_ANSWERS = frozenset({Operation.REFLECT_STATUS, Operation.GET_COMPONENTS})


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value is, or would be, written: file, document (from 1) and path in it."""

    file: str
    document: int
    path: tuple[str | int, ...]

    def below(self, *steps: str | int) -> Place:
        """A place further down."""
        return replace(self, path=(*self.path, *steps))


@dataclass(frozen=True, slots=True)
class Expectation:
    """One thing that a case asserts.

    Attributes:
        key: As the file names it: ``want``, ``want_status``, …, or a field of Karmada's ``output``.
        want: What is written.
        mode: How it is compared: whole, only the fields given, as a part of the error text, or as
            Karmada's tests do.
        field: Field of the answer that is meant; None means the whole answer.
        place: Where it is written.
    """

    key: str
    want: JsonValue
    mode: Mode
    field: str | None
    place: Place


@dataclass(frozen=True, slots=True)
class Case:
    """One case.

    Attributes:
        name: A sentence.
        operation: The operation; None when the file names one that does not exist.
        arguments: Inputs in the order of the operation.
        expectations: What it asserts.
        file: File it is written in.
        line: Line where it starts.
        place: Where its map is.
        missing: Where an answer goes when the case asserts nothing yet.
        missing_fields: What goes there: a map of these keys to fields of the answer; the whole
            answer when empty.
        skip: Why it is not to be run.
        problem: Why it cannot be run; such a case fails.
    """

    name: str
    operation: Operation | None
    arguments: tuple[Any, ...]
    expectations: tuple[Expectation, ...]
    file: str
    line: int
    place: Place
    missing: Place | None = None
    missing_fields: tuple[tuple[str, str | None], ...] = ()
    skip: str | None = None
    problem: str | None = None

    @property
    def where(self) -> str:
        """``cases/retain.yaml:12``."""
        return f"{self.file}:{self.line}"

    @property
    def id(self) -> str:
        """File and name: unique, and stable while lines move."""
        return f"{self.file}::{self.name}"

    @property
    def target(self) -> tuple[str, str] | None:
        """``apiVersion`` and ``kind`` of its object, when it states both."""
        obj = self.arguments[0] if self.arguments else None
        if isinstance(obj, dict):
            version, kind = obj.get("apiVersion"), obj.get("kind")
            if isinstance(version, str) and isinstance(kind, str):
                return version, kind
        return None


def operation_of_file(path: Path, *, scripted: bool = True) -> Operation | None:
    """The operation a file is for: ``get_replicas.yaml``, ``Retain.large.yaml``, ``retain.lua``.

    Args:
        path: The file.
        scripted: Whether only operations count that a script can answer.
    """
    try:
        operation = parse_operation(path.name.split(".", 1)[0])
    except ConfigurationError:
        return None
    return operation if OPERATIONS[operation].lua_function or not scripted else None


def broken_file(path: Path, error: InterpreterError, operation: Operation | None = None) -> Case:
    """A failing case that stands for a file that cannot be read."""
    text = str(error)
    file = str(path)
    line = error.line or 1
    return Case(
        name="the file can be read",
        operation=operation,
        arguments=(),
        expectations=(),
        file=file,
        line=line,
        place=Place(file, 1, ()),
        problem=text,
    )


def read_cases(path: Path, operation: Operation) -> list[Case]:
    """The cases of a file. What is wrong with one of them is its ``problem``; nothing is raised."""
    try:
        parts = read_parts(path)
    except InvalidObject as error:
        return [broken_file(path, error, operation)]
    cases: list[Case] = []
    names: set[str] = set()
    for part in parts:
        case = _read_case(path, operation, part)
        if case.name in names and case.problem is None:
            case = replace(case, problem="another case of this file has the same name")
        names.add(case.name)
        cases.append(case)
    return cases


def _read_case(path: Path, operation: Operation, part: Part) -> Case:
    file = str(path)
    place = Place(file, part.document, part.path)
    name = part.value.get("name") if isinstance(part.value, dict) else None
    case = Case(
        name=name if isinstance(name, str) and name else f"case on line {part.line}",
        operation=operation,
        arguments=(),
        expectations=(),
        file=file,
        line=part.line,
        place=place,
        missing=place.below("want"),
    )
    try:
        return _checked(case, operation, part.value, path.parent)
    except InvalidObject as error:
        return replace(case, problem=str(error))


def _checked(case: Case, operation: Operation, data: JsonValue, folder: Path) -> Case:
    if not isinstance(data, dict):
        raise InvalidObject("a case must be a map", value=data)
    inputs = [INPUT_FIELDS[name] for name in OPERATIONS[operation].arguments]
    allowed = [
        "name",
        "description",
        "skip",
        *_WANTS,
        *inputs,
        *(f"{name}_file" for name in inputs),
    ]
    for key in data:
        if key not in allowed:
            raise InvalidObject(
                f"unknown field {key!r} in a case of {operation}",
                hint="one of " + ", ".join(allowed),
            )
    if not isinstance(data.get("name"), str) or not data["name"]:
        raise InvalidObject("a case needs a name (a sentence)", path="name")
    skip = data.get("skip")
    if skip is not None and (not isinstance(skip, str) or not skip):
        raise InvalidObject("must be a text that says why", path="skip", value=skip)
    arguments = tuple(_input(name, data, folder) for name in inputs)
    expectations = tuple(_expectations(operation, data, case.place))
    return replace(case, arguments=arguments, expectations=expectations, skip=skip)


def _input(name: str, data: JsonObject, folder: Path) -> JsonValue:
    reference = data.get(f"{name}_file")
    if reference is not None:
        if name in data:
            raise InvalidObject(f"{name} and {name}_file exclude each other")
        if not isinstance(reference, str) or not reference:
            raise InvalidObject("must be a path", path=f"{name}_file", value=reference)
        path = folder / reference
        try:
            value = read_values(path) if name == "items" else read_value(path)
        except InvalidObject as error:
            raise InvalidObject(f"{reference}: {error}", path=f"{name}_file") from None
    else:
        value = data.get(name)
    return checked_input(name, value)


def checked_input(name: str, value: JsonValue) -> JsonValue:
    """An input of the right JSON type.

    Raises:
        InvalidObject: It is missing or has another type.
    """
    if name == "items":
        if value is not None and not isinstance(value, list):
            raise InvalidObject("must be a list or null", path=name, value=value)
    elif name == "remove_job_ttl":
        if value is not None and not isinstance(value, bool):
            raise InvalidObject("must be true or false", path=name, value=value)
        value = bool(value)
    elif name == "replicas":
        if not is_integer(value) or not 0 <= value <= INT32_MAX:
            raise InvalidObject("must be an integer in 0..2147483647", path=name, value=value)
    elif not isinstance(value, dict):
        if value is None:
            raise InvalidObject("is missing", path=name)
        raise InvalidObject("must be an object", path=name, value=value)
    return value


def _expectations(operation: Operation, data: JsonObject, place: Place) -> Iterable[Expectation]:
    given = [key for key in _WANTS if key in data]
    if "want_error" in given and len(given) > 1:
        raise InvalidObject("want_error stands alone", hint=f"remove {given[0]}")
    if "want" in given and "want_status" in given:
        raise InvalidObject("want and want_status exclude each other")
    if "want_status" in given and operation is not Operation.AGGREGATE_STATUS:
        raise InvalidObject("want_status is for AggregateStatus", hint="write want")
    if given == ["want"] and data["want"] is None and operation not in _NULL_ANSWERS:
        return
    for key in given:
        value = data[key]
        yield _expectation(operation, key, value, place.below(key))


def _expectation(operation: Operation, key: str, value: JsonValue, place: Place) -> Expectation:
    if key == "want_error":
        if value is not None and not isinstance(value, str):
            raise InvalidObject("must be a text", path=key, value=value)
        return Expectation(key, value, "error", None, place)
    if key == "want_status":
        return Expectation(key, value, "exact", "status", place)
    if key == "want_patch":
        if operation not in _OBJECT_ANSWERS:
            raise InvalidObject(f"the answer of {operation} is a list", hint="write want", path=key)
        if not isinstance(value, dict) or not value:
            raise InvalidObject("must be an object that is not empty", path=key, value=value)
        return Expectation(key, value, "partial", None, place)
    if operation is Operation.INTERPRET_HEALTH:
        return _health(value, place)
    if operation is Operation.GET_REPLICAS:
        if is_integer(value):
            return Expectation(key, value, "exact", "replicas", place)
        if not isinstance(value, dict):
            raise InvalidObject(
                "must be a count or {replicas, requirements}", path=key, value=value
            )
    return Expectation(key, value, "exact", None, place)


def _health(value: JsonValue, place: Place) -> Expectation:
    if isinstance(value, bool):
        return Expectation("want", value, "exact", "healthy", place)
    if not isinstance(value, dict) or not value:
        raise InvalidObject(
            "must be true, false or a map of " + ", ".join(_HEALTH_FIELDS), path="want", value=value
        )
    for field in value:
        if field not in _HEALTH_FIELDS:
            raise InvalidObject(
                f"unknown field {field!r}", hint="one of " + ", ".join(_HEALTH_FIELDS), path="want"
            )
    return Expectation("want", value, "partial", None, place)
