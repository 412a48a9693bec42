import xml.etree.ElementTree as ET

from interpreter.testing import discover, run
from interpreter.testing.junit import junit_xml

CASES = """\
- name: right
  object: &widget {apiVersion: example.com/v1, kind: Widget, spec: {}}
  want: 1
- name: "wrong <&> \\x1b"
  object: *widget
  want: {replicas: 2, requirements: null}
- name: later
  object: *widget
  want: 1
  skip: not yet
"""
PLACE = "lua_scripts/example.com/v1/Widget"


def report_of(widget, **options):
    widget({"cases/get_replicas.yaml": CASES, "retain.lua": "function Retain(a) return a end"})
    return run(discover([]).suites, **options)


def test_the_text_shows_counts_failures_with_a_diff_and_scripts_without_a_case(widget):
    assert (
        report_of(widget).text()
        == f"""\
example.com/v1/Widget  {PLACE}
  GetReplicas       1 passed, 1 failed, 1 skipped
  Retain            no case

FAILED example.com/v1/Widget GetReplicas: wrong <&> \\x1b
  {PLACE}/cases/get_replicas.yaml:4
  want differs first at replicas: want 2, got 1
    --- want
    +++ got
    @@ -1,2 +1,2 @@
    -replicas: 2
    +replicas: 1
     requirements: null

NO CASE example.com/v1/Widget Retain
  {PLACE}/retain.lua"""
    )


def test_colours_are_the_painters_business(widget):
    text = report_of(widget).text(lambda text, style: f"<{style}>{text}</>")
    assert "<good>1 passed</>, <bad>1 failed</>, <weak>1 skipped</>" in text
    assert "    <removed>-replicas: 2</>\n    <added>+replicas: 1</>" in text


def test_the_summary_counts_everything(widget):
    report = report_of(widget)
    assert report.summary() == "1 passed, 1 failed, 1 skipped, 1 without a case"
    assert not report.ok(strict=False)


def test_a_script_without_a_case_is_a_failure_unless_told_otherwise(widget):
    widget({"cases/get_replicas.yaml": CASES.replace("replicas: 2", "replicas: 1")})
    widget({"retain.lua": "function Retain(a) return a end"})
    report = run(discover([]).suites)
    assert (report.ok(), report.ok(strict=False)) == (False, True)


def test_json_holds_cases_untested_scripts_and_coverage(widget):
    data = report_of(widget, coverage=True).to_dict()
    assert {key: data[key] for key in ("passed", "failed", "skipped", "updated")} == {
        "passed": 1,
        "failed": 1,
        "skipped": 1,
        "updated": 0,
    }
    assert data["cases"][1]["messages"] == ["want differs first at replicas: want 2, got 1"]
    assert data["cases"][1]["line"] == 4
    assert data["untested"] == [
        {"kind": "example.com/v1/Widget", "operation": "Retain", "file": f"{PLACE}/retain.lua"}
    ]
    assert data["coverage"]["scripts"][0]["missed"] == [9]


def test_junit_is_valid_xml_with_failures_and_skips(widget):
    root = ET.fromstring(junit_xml(report_of(widget)))
    assert {key: root.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "4",
        "failures": "2",
        "errors": "0",
        "skipped": "1",
    }
    [suite] = root
    assert suite.get("name") == "example.com/v1/Widget"
    cases = {case.get("name"): case for case in suite}
    assert cases["right"].get("classname") == "example.com/v1/Widget.GetReplicas"
    assert list(cases["right"]) == []
    wrong = cases["wrong <&> \N{REPLACEMENT CHARACTER}"]
    assert wrong.get("line") == "4"
    [failure] = wrong
    assert failure.get("message") == "want differs first at replicas: want 2, got 1"
    assert "+replicas: 1" in failure.text
    assert cases["later"][0].get("message") == "not yet"
    assert cases["has a case"][0].get("message") == "the script has no case"


def test_junit_leaves_untested_scripts_out_where_they_are_no_failure(widget):
    root = ET.fromstring(junit_xml(report_of(widget), strict=False))
    assert (root.get("tests"), root.get("failures")) == ("3", "1")
