from pathlib import Path

import pytest

from interpreter.api.operation import Operation
from interpreter.testing.cases import operation_of_file, read_cases

OBJECT = "{apiVersion: example.com/v1, kind: Widget, spec: {}}"


def read(tmp_path, text, operation=Operation.GET_REPLICAS, name="cases.yaml"):
    path = tmp_path / name
    path.write_text(text)
    return read_cases(path, operation)


def test_a_case_knows_its_inputs_its_line_and_what_it_asserts(tmp_path):
    cases = read(
        tmp_path,
        f"# two cases\n- name: first\n  object: {OBJECT}\n  want: 1\n\n"
        f"- name: second\n  object: {OBJECT}\n  want: {{replicas: 2}}\n"
        "  want_patch: {replicas: 2}\n",
    )
    assert [case.name for case in cases] == ["first", "second"]
    assert [case.line for case in cases] == [2, 6]
    assert cases[0].where == f"{tmp_path}/cases.yaml:2"
    assert cases[0].target == ("example.com/v1", "Widget")
    assert cases[0].arguments == ({"apiVersion": "example.com/v1", "kind": "Widget", "spec": {}},)
    [count] = cases[0].expectations
    assert (count.key, count.want, count.mode, count.field) == ("want", 1, "exact", "replicas")
    whole, part = cases[1].expectations
    assert (whole.mode, whole.field, part.mode) == ("exact", None, "partial")
    assert whole.place.path == (1, "want")


def test_several_documents_of_single_cases_and_of_lists_are_one_list(tmp_path):
    cases = read(
        tmp_path,
        f"name: alone\nobject: {OBJECT}\nwant: 1\n"
        f"---\n- name: listed\n  object: {OBJECT}\n  want: 1\n",
    )
    assert [(case.name, case.place.document, case.place.path) for case in cases] == [
        ("alone", 1, ()),
        ("listed", 2, (0,)),
    ]


def test_inputs_come_from_files_beside_the_cases(tmp_path):
    (tmp_path / "widget.yaml").write_text(OBJECT)
    (tmp_path / "items.yaml").write_text("clusterName: a\n---\nclusterName: b\n")
    [case] = read(
        tmp_path,
        "- name: x\n  object_file: widget.yaml\n  items_file: items.yaml\n  want_status: null\n",
        Operation.AGGREGATE_STATUS,
    )
    assert case.problem is None
    assert case.arguments[0]["kind"] == "Widget"
    assert case.arguments[1] == [{"clusterName": "a"}, {"clusterName": "b"}]


def test_absent_items_are_null_and_an_empty_list_is_a_list(tmp_path):
    text = (
        f"- {{name: a, object: {OBJECT}, want_status: null}}\n"
        f"- {{name: b, object: {OBJECT}, items: null, want_status: null}}\n"
        f"- {{name: c, object: {OBJECT}, items: [], want_status: null}}\n"
    )
    cases = read(tmp_path, text, Operation.AGGREGATE_STATUS)
    assert [case.arguments[1] for case in cases] == [None, None, []]


@pytest.mark.parametrize(
    ("operation", "fields", "problem"),
    [
        ("GetReplicas", f"object: {OBJECT}\n  wnat: 1", "unknown field 'wnat' in a case of GetRep"),
        ("GetReplicas", f"desired: {OBJECT}\n  want: 1", "unknown field 'desired'"),
        ("GetReplicas", "want: 1", "object: is missing"),
        ("GetReplicas", "object: 5\n  want: 1", "object: must be an object, got the number 5"),
        ("GetReplicas", f"object: {OBJECT}\n  want: 1\n  want_error: x", "want_error stands alone"),
        ("GetReplicas", f"object: {OBJECT}\n  want_error: [1]", "want_error: must be a text"),
        ("GetReplicas", f"object: {OBJECT}\n  want: three", "want: must be a count or {replicas"),
        ("GetReplicas", f"object: {OBJECT}\n  want_status: {{}}", "want_status is for AggregateSt"),
        ("GetReplicas", f"object: {OBJECT}\n  want: 1\n  skip: true", "skip: must be a text"),
        ("GetReplicas", "object_file: /dev/zero\n  want: 1", "/dev/zero: is no regular file"),
        ("GetReplicas", "object_file: none.yaml\n  want: 1", "none.yaml: cannot be read: no such"),
        ("GetReplicas", f"object: {OBJECT}\n  object_file: a\n  want: 1", "exclude each other"),
        (
            "ReviseReplica",
            f"object: {OBJECT}\n  want: {{}}",
            "replicas: must be an integer in 0..2",
        ),
        (
            "ReviseReplica",
            f"object: {OBJECT}\n  replicas: -1\n  want: {{}}",
            "replicas: must be an",
        ),
        (
            "AggregateStatus",
            f"object: {OBJECT}\n  items: {{}}\n  want: {{}}",
            "items: must be a list",
        ),
        (
            "AggregateStatus",
            f"object: {OBJECT}\n  want: {{}}\n  want_status: 1",
            "exclude each other",
        ),
        ("GetDependencies", f"object: {OBJECT}\n  want_patch: {{a: 1}}", "is a list (write want)"),
        (
            "InterpretHealth",
            f"object: {OBJECT}\n  want: {{helthy: true}}",
            "unknown field 'helthy'",
        ),
        ("InterpretHealth", f"object: {OBJECT}\n  want: Healthy", "want: must be true, false or a"),
        ("Retain", f"desired: {OBJECT}\n  want: {{}}", "observed: is missing"),
    ],
)
def test_what_is_wrong_with_a_case_is_its_problem(tmp_path, operation, fields, problem):
    [case] = read(tmp_path, f"- name: x\n  {fields}\n", Operation(operation))
    assert problem in case.problem


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("- 5\n", "a case must be a map, got the number 5"),
        (f"- object: {OBJECT}\n  want: 1\n", "name: a case needs a name (a sentence)"),
        ("- name: [\n", "not valid YAML"),
        ("- name: x\n  name: y\n", "duplicate key 'name'"),
    ],
)
def test_what_is_no_case_at_all_fails_as_well(tmp_path, text, problem):
    [case] = read(tmp_path, text)
    assert problem in case.problem


def test_a_second_case_of_the_same_name_is_a_problem(tmp_path):
    first, second = read(tmp_path, f"- &c {{name: x, object: {OBJECT}, want: 1}}\n- *c\n")
    assert first.problem is None
    assert second.problem == "another case of this file has the same name"


def test_a_file_that_cannot_be_read_is_a_failing_case():
    [case] = read_cases(Path("missing.yaml"), Operation.RETAIN)
    assert case.problem == "cannot be read: no such file or directory"
    assert case.operation is Operation.RETAIN


@pytest.mark.parametrize(
    ("name", "operation"),
    [
        ("get_replicas.yaml", Operation.GET_REPLICAS),
        ("GetReplicas.large.yaml", Operation.GET_REPLICAS),
        ("retain.lua", Operation.RETAIN),
        ("reflect-status.yml", Operation.REFLECT_STATUS),
        ("prune.yaml", None),
        ("helpers.lua", None),
    ],
)
def test_a_file_is_for_the_operation_in_its_name(name, operation):
    assert operation_of_file(Path(name)) is operation
