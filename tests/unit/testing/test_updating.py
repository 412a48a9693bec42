from pathlib import Path

from interpreter.testing import discover, run
from interpreter.testing.updating import update

CASES = """\
# Widgets count workers.
- name: right   # stays
  object: &widget {apiVersion: example.com/v1, kind: Widget, spec: {}}
  want: 1

# the interesting one
- name: wrong
  object:
    <<: *widget
    spec: {workers: 3, cpu: 500m}   # three
  want:        # per worker
    replicas: 3
    # in milli
    requirements:
      resourceRequest: {cpu: 1}   # half

- name: nothing wanted
  object: *widget
# the end
"""


def updated(paths=()):
    return update(run(discover(list(paths)).suites))


def summary_of_next_run(paths=()):
    return run(discover(list(paths)).suites).summary()


def test_observed_answers_are_written_and_everything_else_stays(widget):
    folder = widget({"cases/get_replicas.yaml": CASES})
    report = updated()
    assert report.summary() == "1 passed, 0 failed, 2 updated"
    assert report.ok()
    assert (folder / "cases/get_replicas.yaml").read_text() == CASES.replace(
        "{cpu: 1}", "{cpu: 500m}"
    ).replace(
        "  object: *widget\n",
        "  object: *widget\n  want:\n    replicas: 1\n    requirements: null\n",
    )
    assert summary_of_next_run() == "3 passed, 0 failed"


def test_an_update_without_a_failure_touches_no_file(widget):
    folder = widget({"cases/get_replicas.yaml": CASES})
    updated()
    path = folder / "cases/get_replicas.yaml"
    before = path.stat().st_mtime_ns
    assert updated().summary() == "3 passed, 0 failed"
    assert path.stat().st_mtime_ns == before


def test_a_script_that_fails_is_never_recorded_as_what_is_wanted(widget):
    text = "- name: x\n  object: {apiVersion: example.com/v1, kind: Widget}\n  want: 1\n"
    folder = widget({"cases/get_replicas.yaml": text})
    assert updated().summary() == "0 passed, 1 failed"
    assert (folder / "cases/get_replicas.yaml").read_text() == text


def test_an_empty_want_error_is_filled_in_without_the_line_number(widget):
    obj = "{apiVersion: example.com/v1, kind: Widget}"
    text = f"- name: x\n  object: {obj}\n  want_error:  # why\n"
    folder = widget({"cases/get_replicas.yaml": text})
    assert updated().summary() == "0 passed, 0 failed, 1 updated"
    written = (folder / "cases/get_replicas.yaml").read_text()
    assert written == text.replace(
        "want_error:", "want_error: attempt to index field 'spec' (a nil value)"
    )
    assert summary_of_next_run() == "1 passed, 0 failed"


def test_only_the_fields_that_a_part_names_are_written(widget):
    folder = widget(
        {
            "reflect_status.lua": "function ReflectStatus() return {a = 1, b = {c = 2, d = 3}} end",
            "cases/reflect_status.yaml": (
                "- name: x\n  object: {apiVersion: g/v1, kind: W}\n  want_patch: {b: {c: 9}}  # c\n"
            ),
        }
    )
    updated([folder / "reflect_status.lua"])
    assert (folder / "cases/reflect_status.yaml").read_text() == (
        "- name: x\n  object: {apiVersion: g/v1, kind: W}\n  want_patch: {b: {c: 2}}  # c\n"
    )


def test_a_health_keeps_the_shape_in_which_it_is_wanted(widget):
    folder = widget(
        {
            "interpret_health.lua": "function InterpretHealth(o) return false, 'broken' end",
            "cases/interpret_health.yaml": (
                "- {name: a, object: {apiVersion: g/v1, kind: W}, want: true}\n"
                "- {name: b, object: {apiVersion: g/v1, kind: W}, want: {message: fine}}\n"
                "- {name: c, object: {apiVersion: g/v1, kind: W}}\n"
            ),
        }
    )
    updated([folder / "interpret_health.lua"])
    assert (folder / "cases/interpret_health.yaml").read_text() == (
        "- {name: a, object: {apiVersion: g/v1, kind: W}, want: false}\n"
        "- {name: b, object: {apiVersion: g/v1, kind: W}, want: {message: broken}}\n"
        "- {name: c, object: {apiVersion: g/v1, kind: W}, "
        "want: {status: Degraded, reason: Unhealthy, message: broken, healthy: false}}\n"
    )


def test_a_want_that_other_cases_share_is_not_written(widget):
    text = (
        "- name: a\n  object: &o {apiVersion: g/v1, kind: W, spec: {}}\n  want: &w {replicas: 2}\n"
        "- name: b\n  object: {apiVersion: g/v1, kind: W, spec: {workers: 2}}\n  want: *w\n"
    )
    other = "- {name: c, object: {apiVersion: g/v1, kind: W, spec: {}}, want: 7}  # seven\n"
    folder = widget({"cases/get_replicas.yaml": text + other + other.replace("name: c", "name: d")})
    report = updated()
    assert report.summary() == "1 passed, 1 failed, 2 updated"
    assert "not updated: [0].want: is shared with another case through an anchor" in report.text()
    other = other.replace("want: 7", "want: 1")
    assert (folder / "cases/get_replicas.yaml").read_text() == (
        text + other + other.replace("name: c", "name: d")
    )


def test_an_empty_want_is_filled_in_where_null_cannot_be_right(widget):
    obj = "{apiVersion: g/v1, kind: W, spec: {workers: 2}}"
    empty = f"- name: x\n  object: {obj}\n  want:  # soon\n"
    folder = widget(
        {
            "cases/get_replicas.yaml": empty,
            "interpret_health.lua": "function InterpretHealth(o) return true end",
            "cases/interpret_health.yaml": empty,
            "revise_replica.lua": "function ReviseReplica(o, n) return {kind = 'W'} end",
            "cases/revise_replica.yaml": empty + "  replicas: 1\n",
            "get_dependencies.lua": "function GetDependencies(o) return {} end",
            "cases/get_dependencies.yaml": empty,
        }
    )
    report = run(discover([]).suites)
    assert report.summary() == "0 passed, 4 failed"
    asked = "the case asserts nothing: add want (--update writes the observed answer)"
    assert [each.mismatches[0].text for each in report.outcomes] == [asked] * 4
    assert updated().summary() == "0 passed, 0 failed, 4 updated"
    written = {path.stem: path.read_text() for path in (folder / "cases").iterdir()}
    start = empty.removesuffix("  # soon\n")
    assert written == {
        "get_replicas": f"{start}  # soon\n    replicas: 2\n    requirements: null\n",
        "interpret_health": f"{start} true  # soon\n",
        "revise_replica": f"{start}  # soon\n    kind: W\n  replicas: 1\n",
        "get_dependencies": f"{start} []  # soon\n",
    }
    assert summary_of_next_run() == "4 passed, 0 failed"


def test_an_empty_want_that_can_be_right_stays_an_expectation(widget):
    text = "- name: x\n  object: {apiVersion: g/v1, kind: W}\n  want:\n"
    folder = widget(
        {
            "reflect_status.lua": "function ReflectStatus(o) return o.status end",
            "cases/reflect_status.yaml": text,
        }
    )
    path = folder / "reflect_status.lua"
    assert updated([path]).summary() == "1 passed, 0 failed"
    assert (folder / "cases/reflect_status.yaml").read_text() == text


def test_a_shared_want_is_left_alone_also_when_all_that_share_it_fail(widget):
    obj = "{apiVersion: g/v1, kind: W, spec: {workers: 2, cpu: 1}}"
    text = (
        f"- name: a\n  object: &o {obj}\n  want: &w 4\n"
        "- name: b\n  object: *o\n  want: *w\n"
        "- name: c\n  object: *o\n"
        "  want: {replicas: 3, requirements: &r {resourceRequest: &q {cpu: '1'}}}\n"
        "- name: d\n  object: *o\n  want: {replicas: 3, requirements: *r}\n"
        "- name: e\n  object: *o\n  want: {replicas: 2, requirements: {resourceRequest: &x {}}}\n"
        "- name: f\n  object: *o\n  want: {replicas: 2, requirements: {resourceRequest: *x}}\n"
    )
    folder = widget({"cases/get_replicas.yaml": text})
    report = updated()
    assert report.summary() == "0 passed, 4 failed, 2 updated"
    notes = [each.mismatches[-1].text for each in report.failures]
    assert notes == [
        f"not updated: {place}: is shared with another case through an anchor (edit it by hand)"
        for place in ("[0].want", "[1].want", "[4].want", "[5].want")
    ]
    written = (folder / "cases/get_replicas.yaml").read_text()
    assert written == text.replace("replicas: 3", "replicas: 2")


def test_a_want_that_is_an_input_through_an_anchor_is_written_out(widget):
    text = (
        "- name: a\n  object: &o {kind: W, apiVersion: g/v1, spec: {}}\n  want: *o\n  replicas: 1\n"
    )
    folder = widget(
        {
            "revise_replica.lua": "function ReviseReplica(o, n) o.spec.size = n return o end",
            "cases/revise_replica.yaml": text,
        }
    )
    assert updated([folder / "revise_replica.lua"]).summary() == "0 passed, 0 failed, 1 updated"
    assert (folder / "cases/revise_replica.yaml").read_text() == text.replace(
        "want: *o\n",
        "want:\n    kind: W\n    apiVersion: g/v1\n    spec:\n      size: 1\n",
    )


def test_byte_order_mark_and_windows_line_ends_stay(widget):
    folder = widget({})
    path = folder / "cases/get_replicas.yaml"
    path.parent.mkdir()
    text = "- name: x\r\n  object: {apiVersion: g/v1, kind: W, spec: {}}\r\n  want: 5 # n\r\n"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert updated().ok()
    assert path.read_bytes() == b"\xef\xbb\xbf" + text.replace("5 #", "1 #").encode()


KARMADA = """\
apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata: {name: w}
spec:
  target: {apiVersion: example.com/v1, kind: Widget}
  customizations:
    replicaResource:
      luaScript: |
        function GetReplicas(obj)
          return obj.spec.workers
        end
"""


def test_karmadas_test_files_are_updated_in_place(tmp_path):
    (tmp_path / "customizations.yaml").write_text(KARMADA)
    (tmp_path / "testdata").mkdir()
    inline = tmp_path / "testdata/replica-test.yaml"
    inline.write_text(
        "# case 1\nname: a\nobservedObj: {apiVersion: example.com/v1, kind: Widget, "
        "spec: {workers: 2}}\noperation: InterpretReplica\noutput:\n  replica: 1 # was one\n"
        "---\nname: b\nobservedObj: {apiVersion: example.com/v1, kind: Widget, "
        "spec: {workers: 3}}\noperation: InterpretReplica\noutput:\n"
    )
    (tmp_path / "testdata/widget.yaml").write_text(
        "apiVersion: example.com/v1\nkind: Widget\nspec: {workers: 4}\n"
    )
    (tmp_path / "testdata/expected.yaml").write_text("replica: 9 # nine\n")
    listed = tmp_path / "customizations_tests.yaml"
    listed.write_text(
        "tests:\n- observedInputPath: testdata/widget.yaml\n  operation: InterpretReplica\n"
        "  expectedOutputPath: testdata/expected.yaml\n"
        "- observedInputPath: testdata/widget.yaml # again\n  operation: InterpretReplica\n"
    )
    before = listed.read_text()
    assert updated([tmp_path]).summary() == "0 passed, 0 failed, 4 updated"
    assert "output:\n  replica: 2 # was one\n---\n" in inline.read_text()
    assert inline.read_text().endswith("output:\n  replica: 3\n  requires: null\n")
    assert Path(tmp_path / "testdata/expected.yaml").read_text() == "replica: 4 # nine\n"
    assert listed.read_text() == before + (
        "  expectedOutput:\n    replica: 4\n    requires: null\n"
    )
    assert summary_of_next_run([tmp_path]) == "4 passed, 0 failed"
