import pytest

from interpreter.api.operation import Operation
from interpreter.testing.checking import Answer, check
from interpreter.testing.karmada_cases import read_karmada_cases
from interpreter.testing.karmada_comparison import comparable, with_exclusions

WIDGET = "{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}}"


def read(tmp_path, text, name="widget-test.yaml"):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return read_karmada_cases(path)


def test_each_document_of_a_testdata_file_is_a_case(tmp_path):
    cases = read(
        tmp_path,
        f"""\
# test cases
name: "two workers"
description: "replicas of a widget"
observedObj: {WIDGET}
operation: InterpretReplica
output:
  replica: 2
  requires: {{resourceRequest: {{cpu: "1"}}}}
---
name: scaled
observedObj: {WIDGET}
inputReplicas: 5
operation: ReviseReplica
output:
  revised: {WIDGET}
---
name: summed
desiredObj: {WIDGET}
statusItems:
  - clusterName: member1
    status: {{n: 1}}
operation: AggregateStatus
output:
  aggregatedStatus: {WIDGET}
""",
    )
    assert [(case.name, case.operation, case.line) for case in cases] == [
        ("two workers", Operation.GET_REPLICAS, 2),
        ("scaled", Operation.REVISE_REPLICA, 10),
        ("summed", Operation.AGGREGATE_STATUS, 17),
    ]
    replica, requires = cases[0].expectations
    assert (replica.key, replica.field, replica.want) == ("replica", "replicas", 2)
    assert (requires.key, requires.field) == ("requires", "requirements")
    assert cases[1].arguments[1] == 5
    assert cases[2].arguments[1] == [{"clusterName": "member1", "status": {"n": 1}}]


def test_the_older_list_names_files_and_its_results_in_three_ways(tmp_path):
    (tmp_path / "testdata").mkdir()
    (tmp_path / "testdata/desired.yaml").write_text(WIDGET)
    (tmp_path / "testdata/observed.yaml").write_text(WIDGET)
    (tmp_path / "testdata/items.yaml").write_text("clusterName: a\n---\nclusterName: b\n")
    (tmp_path / "testdata/expected.yaml").write_text(f"retained: {WIDGET}\n")
    cases = read(
        tmp_path,
        """\
tests:
  - observedInputPath: testdata/observed.yaml
    operation: InterpretHealth
    desiredResults: {healthy: true}
  - desiredInputPath: /testdata/desired.yaml
    observedInputPath: testdata/observed.yaml
    operation: Retain
    expectedOutputPath: testdata/expected.yaml
  - desiredInputPath: testdata/desired.yaml
    statusInputPath: testdata/items.yaml
    operation: AggregateStatus
    expectedOutput: {aggregatedStatus: {kind: Widget}}
  - observedInputPath: testdata/observed.yaml
    operation: ReviseReplica
    desiredReplicas: 3
""",
        "customizations_tests.yaml",
    )
    health, retain, aggregate, revise = cases
    assert [case.line for case in cases] == [2, 5, 9, 13]
    assert health.name == "InterpretHealth (test 1)"
    assert health.expectations[0].place.path == ("tests", 0, "desiredResults", "healthy")
    assert len(retain.arguments) == 2
    assert retain.expectations[0].place.file == f"{tmp_path}/testdata/expected.yaml"
    assert retain.expectations[0].place.path == ("retained",)
    assert [item["clusterName"] for item in aggregate.arguments[1]] == ["a", "b"]
    assert revise.arguments[1] == 3
    assert revise.expectations == ()
    assert revise.missing.path == ("tests", 3, "expectedOutput")


def test_files_that_hold_inputs_only_have_no_cases(tmp_path):
    assert read(tmp_path, WIDGET) == []
    assert read(tmp_path, "clusterName: a\n---\nspec: {operation: x}\n") == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("operation: Explode", "operation: unknown operation 'Explode'"),
        ("operation: Prune", "operation: no script answers Prune"),
        ("operation: 5", "operation: must be the name of an operation"),
        ("operation: InterpretHealth", "desiredObj: is missing"),
        (
            f"operation: InterpretHealth\nobservedObj: {WIDGET}\noutput: {{helthy: true}}",
            "InterpretHealth has no result 'helthy' (one of healthy)",
        ),
        (
            f"operation: InterpretHealth\nobservedObj: {WIDGET}\ndesiredObj: {WIDGET}",
            "InterpretHealth takes one object",
        ),
        ("operation: InterpretHealth\nobservedInputPath: none.yaml", "cannot be read"),
        (f"operation: InterpretHealth\nobservedObj: {WIDGET}\noutput: [1]", "must be a map of"),
    ],
)
def test_what_is_wrong_with_a_test_is_its_problem(tmp_path, text, problem):
    [case] = read(tmp_path, text + "\n")
    assert problem in case.problem


def test_a_test_without_output_asserts_nothing_and_can_be_filled_in(tmp_path):
    [case] = read(tmp_path, f"observedObj: {WIDGET}\noperation: InterpretReplica\noutput:\n")
    [mismatch] = check(case, Answer({"replicas": 1, "requirements": None}))
    assert mismatch.text.startswith("the case asserts nothing: add output")
    assert mismatch.place.path == ("output",)
    assert mismatch.observed == {"replica": 1, "requires": None}


@pytest.mark.parametrize(
    ("field", "want", "got"),
    [
        ("requires", None, {}),
        ("requires", {"resourceRequest": {"cpu": 1}}, {"resourceRequest": {"cpu": "1000m"}}),
        ("dependencies", [{"kind": "A"}, {"kind": "B"}], [{"kind": "B"}, {"kind": "A"}]),
        ("dependencies", None, []),
        ("components", [{"name": "b"}, {"name": "a"}], [{"name": "a"}, {"name": "b"}]),
        ("retained", {"a": "{{EXCLUDE}}", "b": 1}, {"a": 5, "b": 1}),
        ("retained", {"a": ["{{EXCLUDE}}x", {"t": "{{EXCLUDE}}"}]}, {"a": ["{{EXCLUDE}}x", {}]}),
        ("aggregatedStatus", {"v": [{"name": "x"}]}, {"v": [{"name": "x", "emptyDir": {}}]}),
    ],
)
def test_sides_that_are_equal_for_karmada_become_equal(field, want, got):
    left, right = comparable(field, want, got)
    assert left == right


@pytest.mark.parametrize(
    ("field", "want", "got"),
    [
        ("requires", {"resourceRequest": {"cpu": "1"}}, {"resourceRequest": {"cpu": "2"}}),
        ("retained", {"a": 1}, {}),
        ("retained", {"a": "{{EXCLUDE}}"}, {"a": 1, "b": 2}),
        ("status", [1, 2], [2, 1]),
        ("healthy", True, False),
    ],
)
def test_sides_that_differ_for_karmada_stay_different(field, want, got):
    left, right = comparable(field, want, got)
    assert left != right


def test_an_update_keeps_what_is_excluded():
    want = {"a": "{{EXCLUDE}}", "b": [{"t": "{{EXCLUDE}}", "n": 1}]}
    got = {"a": 1, "b": [{"t": 2, "n": 3}, {"n": 4}]}
    assert with_exclusions(want, got) == {
        "a": "{{EXCLUDE}}",
        "b": [{"t": "{{EXCLUDE}}", "n": 3}, {"n": 4}],
    }
