"""Karmada's own test files, old and new.

===========  ===================================================================================
variant      what it looks like
===========  ===================================================================================
documents    ``testdata/*.yaml``: each document a case with ``desiredObj``, ``observedObj``,
             ``statusItems``, ``inputReplicas``, ``operation`` and ``output`` (by result field)
list         ``customizations_tests.yaml``: ``tests:`` with ``desiredInputPath``,
             ``observedInputPath``, ``statusInputPath``, ``desiredReplicas``, ``operation``, and
             results under ``desiredResults``, ``expectedOutput`` or in ``expectedOutputPath``
===========  ===================================================================================

The field names are those of ``IndividualTest`` in Karmada's ``thirdparty_test.go``, over its
versions; an entry may mix them. Where Karmada logs that a case has no expected result, it fails
here: it asserts nothing.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from interpreter.api.operation import Operation
from interpreter.errors import ConfigurationError, InvalidObject
from interpreter.machinery.unstructured import JsonObject, JsonValue
from interpreter.operations import OPERATIONS, parse_operation
from interpreter.testing.cases import Case, Expectation, Place, broken_file, checked_input
from interpreter.testing.texts import parts_of, read_text, read_value, read_values

TESTS_FILE_SUFFIX = "_tests.yaml"
TESTDATA = "testdata"

#: Fields of ``output`` by operation, each with the field of our answer (None: all of it).
OUTPUT_FIELDS: dict[Operation, dict[str, str | None]] = {
    Operation.RETAIN: {"retained": None},
    Operation.GET_REPLICAS: {"replica": "replicas", "requires": "requirements"},
    Operation.GET_COMPONENTS: {"components": None},
    Operation.REVISE_REPLICA: {"revised": None},
    Operation.REFLECT_STATUS: {"status": None},
    Operation.AGGREGATE_STATUS: {"aggregatedStatus": None},
    Operation.INTERPRET_HEALTH: {"healthy": "healthy"},
    Operation.GET_DEPENDENCIES: {"dependencies": None},
}
_OUTPUTS = ("output", "expectedOutput", "desiredResults")
_COUNTS = ("inputReplicas", "desiredReplicas", "desiredReplica")


def is_karmada_text(text: str) -> bool:
    """A cheap look at a text: can it hold such cases at all?"""
    return "operation:" in text or '"operation"' in text


def read_karmada_cases(path: Path) -> list[Case]:
    """The cases of a file; documents of other content (inputs of the list variant) are left out.

    What is wrong with a case is its ``problem``; nothing is raised.
    """
    file = str(path)
    try:
        text = read_text(path)
        if not is_karmada_text(text):
            return []
        parts = parts_of(text, source=file)
    except InvalidObject as error:
        return [broken_file(path, error)]
    cases = []
    for part in parts:
        if not isinstance(part.value, dict):
            continue
        place = Place(file, part.document, part.path)
        tests = part.value.get("tests")
        if isinstance(tests, list):
            for index, entry in enumerate(tests):
                node = part.node.find(("tests", index))
                line = part.line if node is None else node.line
                cases.append(_case(path, entry, place.below("tests", index), line, index + 1))
        elif "operation" in part.value:
            number = part.document if not part.path else int(part.path[-1]) + 1
            cases.append(_case(path, part.value, place, part.line, number))
    return cases


def _case(path: Path, data: JsonValue, place: Place, line: int, number: int) -> Case:
    case = Case(
        name=f"test {number}",
        operation=None,
        arguments=(),
        expectations=(),
        file=str(path),
        line=line,
        place=place,
    )
    try:
        if not isinstance(data, dict):
            raise InvalidObject("a test must be a map", value=data)
        name = data.get("name")
        operation = _operation(data.get("operation"))
        case = replace(
            case,
            name=name if isinstance(name, str) and name else f"{data['operation']} (test {number})",
            operation=operation,
        )
        case = replace(case, arguments=_arguments(operation, data, path.parent))
        return _with_outputs(case, operation, data, path.parent)
    except InvalidObject as error:
        return replace(case, problem=str(error))


def _operation(name: JsonValue) -> Operation:
    if not isinstance(name, str):
        raise InvalidObject("must be the name of an operation", path="operation", value=name)
    try:
        operation = parse_operation(name)
    except ConfigurationError as error:
        raise InvalidObject(str(error), path="operation") from None
    if operation not in OUTPUT_FIELDS:
        raise InvalidObject(f"no script answers {operation}", path="operation")
    return operation


def _arguments(operation: Operation, data: JsonObject, folder: Path) -> tuple[JsonValue, ...]:
    desired = _object(data, "desiredObj", "desiredInputPath", folder)
    observed = _object(data, "observedObj", "observedInputPath", folder)
    values: list[JsonValue] = []
    for argument in OPERATIONS[operation].arguments:
        if argument == "obj":
            if desired is not None and observed is not None:
                raise InvalidObject(
                    f"{operation} takes one object", hint="give desiredObj or observedObj"
                )
            # Some operations read the template, some the member's object; tests give either.
            values.append(checked_input("desiredObj", observed if desired is None else desired))
        elif argument == "desired":
            values.append(checked_input("desiredObj", desired))
        elif argument == "observed":
            values.append(checked_input("observedObj", observed))
        elif argument == "items":
            values.append(checked_input("items", _items(data, folder)))
        else:
            count = next((data[key] for key in _COUNTS if data.get(key) is not None), 0)
            values.append(checked_input("replicas", count))
    return tuple(values)


def _object(data: JsonObject, inline: str, reference: str, folder: Path) -> JsonValue:
    if data.get(inline) is not None:
        return data[inline]
    path = _referenced(data, reference, folder)
    return None if path is None else read_value(path)


def _items(data: JsonObject, folder: Path) -> JsonValue:
    if data.get("statusItems") is not None:
        return data["statusItems"]
    path = _referenced(data, "statusInputPath", folder)
    return None if path is None else read_values(path)


def _referenced(data: JsonObject, key: str, folder: Path) -> Path | None:
    reference = data.get(key)
    if not reference:
        return None
    if not isinstance(reference, str):
        raise InvalidObject("must be a path", path=key, value=reference)
    # Karmada takes a leading slash off: the path is relative to the test file in any case.
    return folder / reference.lstrip("/")


def _with_outputs(case: Case, operation: Operation, data: JsonObject, folder: Path) -> Case:
    fields = OUTPUT_FIELDS[operation]
    key = next((key for key in _OUTPUTS if data.get(key)), None)
    outputs: JsonValue = None
    place = case.place.below(
        key or ("output" if "tests" not in case.place.path else "expectedOutput")
    )
    path = _referenced(data, "expectedOutputPath", folder)
    if key is not None:
        outputs = data[key]
    elif path is not None:
        outputs = read_value(path)
        place = Place(str(path), 1, ())
    if outputs is not None and not isinstance(outputs, dict):
        raise InvalidObject("must be a map of result fields", path=key, value=outputs)
    expectations = []
    for name, want in (outputs or {}).items():
        if name not in fields:
            raise InvalidObject(
                f"{operation} has no result {name!r}", hint="one of " + ", ".join(fields), path=key
            )
        expectations.append(Expectation(name, want, "karmada", fields[name], place.below(name)))
    return replace(
        case,
        expectations=tuple(expectations),
        missing=place if place.path else None,
        missing_fields=tuple(fields.items()),
    )
