from pathlib import Path

import pytest

from interpreter.api.operation import Operation
from interpreter.errors import ConfigurationError
from interpreter.testing.discovery import discover

CASE = """\
- name: one
  object: {apiVersion: example.com/v1, kind: Widget, spec: {}}
  want: 1
"""
CUSTOMIZATION = """\
# rules
apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata: {name: NAME}
spec:
  target: {apiVersion: VERSION, kind: KIND}
  customizations:
    replicaResource:
      luaScript: |
        function GetReplicas(obj)
          return 1
        end
"""


def customization(name="declarative", version="example.com/v1", kind="Widget"):
    return CUSTOMIZATION.replace("NAME", name).replace("VERSION", version).replace("KIND", kind)


def found(*paths):
    return [
        (suite.kind, suite.place, [case.name for case in suite.cases])
        for suite in discover([str(path) for path in paths]).suites
    ]


WIDGET = "lua_scripts/example.com/v1/Widget"


def test_lua_scripts_is_the_default_and_kind_folders_are_found_below_it(widget):
    widget({"cases/get_replicas.yaml": CASE})
    assert found() == [("example.com/v1/Widget", WIDGET, ["one"])]


def test_without_lua_scripts_the_current_folder_is_searched(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("widget.yaml").write_text(customization())
    assert found() == [("example.com/v1/Widget", "widget.yaml", [])]


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (WIDGET, WIDGET),
        (f"{WIDGET}/get_replicas.lua", f"{WIDGET}/get_replicas.lua"),
        (f"{WIDGET}/cases", WIDGET),
        (f"{WIDGET}/cases/get_replicas.yaml", WIDGET),
    ],
)
def test_a_kind_folder_a_script_and_cases_stand_for_the_cases(widget, path, place):
    widget({"cases/get_replicas.yaml": CASE})
    [(kind, where, cases)] = found(path)
    assert (kind, cases) == ("example.com/v1/Widget", ["one"])
    assert Path(where) == Path(place).absolute() or where == place


def test_paths_inside_the_case_folder_work(widget, monkeypatch):
    folder = widget({"cases/get_replicas.yaml": CASE})
    monkeypatch.chdir(folder / "cases")
    assert found("get_replicas.yaml") == [("example.com/v1/Widget", "..", ["one"])]
    assert found(".") == [("example.com/v1/Widget", "..", ["one"])]


def test_cases_chosen_by_file_do_not_report_the_other_scripts(widget):
    widget({"cases/get_replicas.yaml": CASE, "retain.lua": "x = 1"})
    [everything] = discover([WIDGET]).suites
    assert everything.untested() == [Operation.RETAIN]
    [chosen] = discover([f"{WIDGET}/cases/get_replicas.yaml"]).suites
    assert chosen.untested() == []


def test_a_script_without_a_case_and_a_script_that_no_operation_is_named_like_are_told(widget):
    widget({"get_replica.lua": "x = 1"})
    result = discover([])
    assert result.suites[0].untested() == [Operation.GET_REPLICAS]
    [note] = result.notes
    assert note.startswith(f"{WIDGET}/get_replica.lua: no operation has this name")


def test_a_case_file_that_no_operation_is_named_like_fails(widget):
    widget({"cases/get_replica.yaml": CASE})
    [suite] = discover([]).suites
    [case] = suite.cases
    assert "no operation has the name of this file" in case.problem


def test_two_scripts_for_one_operation_fail(widget):
    widget({"GetReplicas.lua": "x = 1", "cases/get_replicas.yaml": CASE})
    [suite] = discover([]).suites
    assert "another script of this folder" in suite.cases[0].problem


def test_the_same_place_given_twice_runs_once(widget):
    widget({"cases/get_replicas.yaml": CASE})
    assert len(found("lua_scripts", WIDGET)) == 1


def test_hidden_folders_are_left_out(widget, tmp_path):
    widget({".git/customizations.yaml": customization(), "cases/get_replicas.yaml": CASE})
    assert len(found("lua_scripts")) == 1


@pytest.mark.parametrize("cases", ["widget.cases", "cases"])
def test_cases_of_a_customization_file_lie_beside_it(tmp_path, cases):
    (tmp_path / "widget.yaml").write_text(customization())
    (tmp_path / cases).mkdir()
    (tmp_path / cases / "get_replicas.yaml").write_text(CASE)
    wanted = [("example.com/v1/Widget", f"{tmp_path}/widget.yaml", ["one"])]
    assert found(tmp_path) == wanted
    assert found(tmp_path / "widget.yaml") == wanted
    assert found(tmp_path / cases / "get_replicas.yaml") == wanted


def test_files_that_share_a_folder_of_cases_get_those_of_their_kind(tmp_path):
    (tmp_path / "a.yaml").write_text(customization("a"))
    (tmp_path / "b.yaml").write_text(customization("b", "example.com/*", "Gadget"))
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases/get_replicas.yaml").write_text(
        CASE + CASE.replace("one", "two").replace("Widget", "Gadget")
    )
    both = [
        ("example.com/v1/Widget", f"{tmp_path}/a.yaml", ["one"]),
        ("example.com/*/Gadget", f"{tmp_path}/b.yaml", ["two"]),
    ]
    assert found(tmp_path) == both
    assert found(tmp_path / "b.yaml") == both[1:]


def test_a_case_of_a_kind_that_no_file_is_for_is_not_lost(tmp_path):
    (tmp_path / "a.yaml").write_text(customization() + "---\n" + customization("b", kind="Gadget"))
    (tmp_path / "a.cases").mkdir()
    (tmp_path / "a.cases/get_replicas.yaml").write_text(CASE.replace("Widget", "Gizmo"))
    assert [cases for _, _, cases in found(tmp_path)] == [["one"], []]


def test_scripts_of_one_kind_are_merged_by_name_and_dependencies_are_joined(tmp_path):
    rule = "dependencyInterpretation:\n      luaScript: |\n        function GetDependencies()\n"
    second = customization("a").replace("replicaResource:\n", f"{rule}    replicaResource:\n")
    first = customization("b").replace("replicaResource:\n", f"{rule}    replicaResource:\n")
    (tmp_path / "w.yaml").write_text(first + "---\n" + second)
    [suite] = discover([tmp_path]).suites
    names = {
        operation.value: [script.name for script in rule.scripts]
        for operation, rule in suite.rules.items()
    }
    assert names["GetReplicas"] == ["a/replicaResource"]
    assert names["GetDependencies"] == ["a/dependencyInterpretation", "b/dependencyInterpretation"]


@pytest.mark.parametrize("style", ["|", ">", ">-"])
def test_a_script_in_a_block_knows_its_lines_in_the_file(tmp_path, style):
    (tmp_path / "w.yaml").write_text(customization().replace("luaScript: |", f"luaScript: {style}"))
    [suite] = discover([tmp_path]).suites
    [script] = suite.rules[Operation.GET_REPLICAS].scripts
    lines = (tmp_path / "w.yaml").read_text().splitlines()
    assert lines[script.lines_before].strip() == "function GetReplicas(obj)"


@pytest.mark.parametrize(
    "script",
    [
        '"function GetReplicas(obj) return 1 end"',
        ">\n        local n = 1\n        function GetReplicas(obj) return n end",
    ],
    ids=["quoted", "folded into one line"],
)
def test_lines_that_do_not_exist_in_the_file_are_not_told(tmp_path, script):
    text = customization()
    block = text[text.index("|\n") :]
    (tmp_path / "w.yaml").write_text(text.replace(block, f"{script}\n"))
    [suite] = discover([tmp_path]).suites
    [found_script] = suite.rules[Operation.GET_REPLICAS].scripts
    assert found_script.lines_before is None


def test_karmada_tests_lie_beside_the_customization(tmp_path):
    (tmp_path / "customizations.yaml").write_text(customization())
    (tmp_path / "testdata").mkdir()
    (tmp_path / "testdata/widget.yaml").write_text("{apiVersion: example.com/v1, kind: Widget}")
    (tmp_path / "customizations_tests.yaml").write_text(
        "tests:\n- observedInputPath: testdata/widget.yaml\n  operation: InterpretReplica\n"
    )
    (tmp_path / "testdata/replica-test.yaml").write_text(
        "name: new\noperation: InterpretReplica\noutput: {replica: 1}\n"
        "observedObj: {apiVersion: example.com/v1, kind: Widget}\n"
    )
    [(_, _, cases)] = found(tmp_path)
    assert cases == ["InterpretReplica (test 1)", "new"]
    [(_, _, cases)] = found(tmp_path / "testdata/replica-test.yaml")
    assert cases == ["new"]
    [(_, _, cases)] = found(tmp_path / "customizations_tests.yaml")
    assert cases == ["InterpretReplica (test 1)"]


def test_karmada_tests_beside_scripts_are_read_too(widget):
    test = (
        "name: NAME\noperation: InterpretReplica\noutput: {replica: 1}\n"
        "observedObj: {apiVersion: example.com/v1, kind: Widget, spec: {}}\n"
    )
    widget({"testdata/replica-test.yaml": test.replace("NAME", "documents")})
    widget({"customizations_tests.yaml": "tests:\n- {operation: InterpretReplica}\n"})
    [(_, _, cases)] = found()
    assert cases == ["InterpretReplica (test 1)", "documents"]
    [(_, _, cases)] = found(f"{WIDGET}/testdata")
    assert cases == ["documents"]


def test_a_case_that_speaks_of_customizations_is_still_a_case(widget):
    widget({"cases/get_replicas.yaml": f"# of a ResourceInterpreterCustomization\n{CASE}"})
    [(_, _, cases)] = found(f"{WIDGET}/cases/get_replicas.yaml")
    assert cases == ["one"]


def test_a_customization_that_cannot_be_used_is_a_failing_case(tmp_path):
    (tmp_path / "w.yaml").write_text(customization().replace("replicaResource", "replicaResorce"))
    [suite] = discover([tmp_path]).suites
    [case] = suite.cases
    assert case.problem == (
        "spec.customizations.replicaResorce: ResourceInterpreterCustomization 'declarative' does "
        "not fit its schema: Extra inputs are not permitted, got an object of 1 fields"
    )
    assert case.line == 2


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("missing", "missing: there is no such file or folder"),
        ("notes.txt", "notes.txt: neither a folder nor a .lua, .yaml or .yml file"),
        ("helpers.lua", "helpers.lua: no operation has this name"),
        ("deploy.yaml", "deploy.yaml: neither a customization file nor a case file with scripts"),
    ],
)
def test_a_path_that_cannot_be_tested_is_wrong_usage(tmp_path, monkeypatch, path, problem):
    monkeypatch.chdir(tmp_path)
    for name in ("notes.txt", "helpers.lua", "deploy.yaml"):
        Path(name).write_text("kind: Deployment\n")
    with pytest.raises(ConfigurationError, match=problem):
        discover([path])
