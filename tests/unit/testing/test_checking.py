import pytest

from interpreter.api.operation import Operation
from interpreter.errors import LuaScriptError
from interpreter.testing.cases import read_cases
from interpreter.testing.checking import Answer, answer_of, check

OBJECT = "{apiVersion: example.com/v1, kind: Widget}"
HEALTH = {"status": "Degraded", "reason": "Unhealthy", "message": "", "healthy": False}


def case(tmp_path, operation, asserts, inputs=f"object: {OBJECT}"):
    path = tmp_path / "cases.yaml"
    path.write_text(f"name: x\n{inputs}\n{asserts}\n")
    [read] = read_cases(path, Operation(operation))
    assert read.problem is None
    return read


@pytest.mark.parametrize(
    ("operation", "asserts", "answer"),
    [
        ("GetReplicas", "want: 2", {"replicas": 2, "requirements": {"namespace": "x"}}),
        ("GetReplicas", "want: {replicas: 2}", {"replicas": 2, "requirements": None}),
        ("GetReplicas", "want_patch: {replicas: 2}", {"replicas": 2, "requirements": {}}),
        ("InterpretHealth", "want: false", HEALTH),
        ("InterpretHealth", "want: {status: Degraded}", HEALTH),
        ("InterpretHealth", "want: {reason: Unhealthy, healthy: false}", HEALTH),
        ("ReflectStatus", "want: null", None),
        ("ReflectStatus", "want: [1, {a: b}]", [1, {"a": "b"}]),
        ("ReflectStatus", "want_patch: {a: {c: null}}", {"a": {"b": 1}, "d": 2}),
        ("AggregateStatus", "want_status: {n: 1}", {"kind": "Widget", "status": {"n": 1}}),
        ("AggregateStatus", "want_status: null", {"kind": "Widget"}),
        ("GetDependencies", "want: []", []),
    ],
)
def test_an_answer_holds_what_the_case_wants(tmp_path, operation, asserts, answer):
    assert check(case(tmp_path, operation, asserts), Answer(answer)) == []


@pytest.mark.parametrize(
    ("operation", "asserts", "answer", "text", "observed"),
    [
        (
            "GetReplicas",
            "want: {replicas: 2}",
            {"replicas": 2, "requirements": {}},
            "want differs first at requirements: want null, got {}",
            {"replicas": 2, "requirements": {}},
        ),
        (
            "GetReplicas",
            "want: 2",
            {"replicas": 3, "requirements": None},
            "want differs: want 2, got 3",
            3,
        ),
        (
            "InterpretHealth",
            "want: true",
            HEALTH,
            "want differs: want true, got false",
            False,
        ),
        (
            "InterpretHealth",
            "want: {status: Healthy}",
            HEALTH,
            "want differs first at status: want Healthy, got Degraded",
            {"status": "Degraded"},
        ),
        (
            "AggregateStatus",
            "want_status: {n: 1}",
            {"kind": "Widget", "status": {"n": 2}},
            "want_status differs first at status.n: want 1, got 2",
            {"n": 2},
        ),
        (
            "ReflectStatus",
            "want_patch: {a: {b: 1}}",
            {"a": {"b": 2, "c": 3}},
            "want_patch differs first at a.b: want 1, got 2",
            {"a": {"b": 2}},
        ),
        (
            "ReflectStatus",
            "want_patch: {a: 1}",
            None,
            "want_patch differs: want an object of 1 field, got null",
            None,
        ),
    ],
)
def test_a_mismatch_says_where_and_what_an_update_would_write(
    tmp_path, operation, asserts, answer, text, observed
):
    [mismatch] = check(case(tmp_path, operation, asserts), Answer(answer))
    assert mismatch.text == text
    assert mismatch.observed == observed
    assert mismatch.place.path == (asserts.split(":")[0],)


def test_a_case_that_asserts_nothing_fails_and_can_be_filled_in(tmp_path):
    [mismatch] = check(case(tmp_path, "InterpretHealth", ""), Answer(HEALTH))
    assert mismatch.text.startswith("the case asserts nothing: add want")
    assert mismatch.observed is False
    assert mismatch.place.path == ("want",)


def test_a_health_that_says_more_than_a_boolean_is_filled_in_without_its_empty_fields(tmp_path):
    answer = {"status": "Progressing", "reason": "Rolling", "message": "", "healthy": False}
    [mismatch] = check(case(tmp_path, "InterpretHealth", ""), Answer(answer))
    assert mismatch.observed == {"status": "Progressing", "reason": "Rolling", "healthy": False}


def error():
    return LuaScriptError("attempt to index nil", script="declarative/replicaResource", line=7)


def test_an_error_is_known_by_script_line_and_text(tmp_path):
    answer = answer_of(error())
    assert answer.error == "declarative/replicaResource:7: attempt to index nil"
    assert answer.message == "attempt to index nil"
    for text in ("index nil", "declarative/replicaResource:7"):
        assert check(case(tmp_path, "GetReplicas", f"want_error: {text}"), answer) == []


def test_a_place_that_is_in_the_text_already_is_not_repeated():
    answer = answer_of(LuaScriptError("a/b:7: it broke", script="a/b", line=7))
    assert (answer.error, answer.message) == ("a/b:7: it broke", "it broke")


def test_an_error_where_an_answer_is_wanted_fails_once_and_is_never_written(tmp_path):
    asserts = "want: {replicas: 1}\nwant_patch: {replicas: 1}"
    [mismatch] = check(case(tmp_path, "GetReplicas", asserts), answer_of(error()))
    assert mismatch.text == (
        "the script failed: declarative/replicaResource:7: attempt to index nil"
    )
    assert mismatch.place is None


def test_another_error_than_the_wanted_one_fails_and_can_be_written(tmp_path):
    [mismatch] = check(case(tmp_path, "GetReplicas", "want_error: other"), answer_of(error()))
    assert mismatch.text.startswith("want an error that contains 'other'\ngot the error decl")
    assert mismatch.observed == "attempt to index nil"


def test_an_answer_where_an_error_is_wanted_fails_and_shows_the_answer(tmp_path):
    answer = Answer({"replicas": 1, "requirements": None})
    [mismatch] = check(case(tmp_path, "GetReplicas", "want_error: boom"), answer)
    assert mismatch.text == "want an error that contains 'boom', got an answer"
    assert mismatch.diff == ("+replicas: 1", "+requirements: null")
    assert mismatch.place is None


def test_an_empty_want_error_asserts_nothing_but_takes_an_error(tmp_path):
    empty = case(tmp_path, "GetReplicas", "want_error:")
    [mismatch] = check(empty, answer_of(error()))
    assert "asserts nothing" in mismatch.text
    assert mismatch.observed == "attempt to index nil"
    [mismatch] = check(empty, Answer({}))
    assert mismatch.place is None
