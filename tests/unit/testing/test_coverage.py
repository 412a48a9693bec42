import pytest

from interpreter.engines.lua.active_lines import active_lines
from interpreter.testing import discover, run
from interpreter.testing.coverage import lcov, ranges, shown_percent, table, total

SCRIPT = """\
-- a comment
local function helper(x)
  local t = {
    a = 1,
    b = x,
  }

  return t
end

function InterpretHealth(obj)
  if obj.spec == nil then
    return false
  else
    for _, item in ipairs(obj.spec) do
      if item == 1 then
        helper(
          item
        )
      end
    end
  end
  return true
end
"""
OBJECT = "apiVersion: example.com/v1, kind: Widget"


def measured(widget, cases):
    folder = widget({"interpret_health.lua": SCRIPT, "cases/interpret_health.yaml": cases})
    suites = discover([folder / "interpret_health.lua"]).suites
    report = run(suites, coverage=True)
    assert report.failures == []
    return report.coverage()


ALL = f"- {{name: a, object: {{{OBJECT}}}, want: false}}\n"
MOST = f"- {{name: b, object: {{{OBJECT}, spec: [1, 2]}}, want: true}}\n"


def test_a_simple_script_can_be_covered_completely(widget):
    [script] = measured(widget, ALL + MOST)
    assert script.missed == []
    assert script.percent == 100.0


def test_missed_lines_are_those_that_no_case_ran(widget):
    [script] = measured(widget, MOST)
    assert script.missed == [13]
    assert shown_percent(script.percent) == "90 %"
    [script] = measured(widget, ALL)
    assert script.missed == [3, 5, 8, 15, 16, 17, 23]


def test_comments_ends_and_punctuation_are_no_code():
    assert active_lines(SCRIPT) == {3, 5, 8, 11, 12, 13, 15, 16, 17, 23}


@pytest.mark.parametrize(
    "source",
    ["function (", "\x1bLJ\x02 compiled", "x = '" + "a" * 70_000 + "'", "x = '\ud800'"],
    ids=["syntax error", "bytecode", "too long", "no text"],
)
def test_a_source_that_the_engine_refuses_has_no_lines(source):
    assert active_lines(source) == frozenset()


def test_no_line_of_a_source_runs_while_its_lines_are_counted():
    assert active_lines("while true do\n  x = 1\nend") == {1, 2}


def test_lcov_counts_the_cases_of_each_line(widget):
    script = measured(widget, ALL + MOST)
    text = lcov(script)
    lines = text.splitlines()
    assert lines[0] == "TN:"
    assert lines[1] == f"SF:{script[0].script.path}"
    assert "DA:12,2" in lines
    assert "DA:13,1" in lines
    assert lines[-3:] == ["LF:10", "LH:10", "end_of_record"]


def test_lcov_of_a_script_in_yaml_has_the_lines_of_the_file(tmp_path):
    (tmp_path / "w.yaml").write_text(
        """\
apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata: {name: w}
spec:
  target: {apiVersion: example.com/v1, kind: Widget}
  customizations:
    healthInterpretation:
      luaScript: |
        function InterpretHealth(obj)
          return true
        end
    statusReflection:
      luaScript: "function ReflectStatus(obj) return obj.status end"
"""
    )
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases/interpret_health.yaml").write_text(ALL.replace("false", "true"))
    report = run(discover([tmp_path]).suites, coverage=True)
    assert lcov(report.coverage()) == (
        f"TN:\nSF:{tmp_path}/w.yaml#w/statusReflection\nDA:1,0\nLF:1\nLH:0\nend_of_record\n"
        f"TN:\nSF:{tmp_path}/w.yaml\nDA:9,1\nDA:10,1\nLF:2\nLH:2\nend_of_record\n"
    )


def test_the_table_shows_each_script_and_the_total(widget):
    scripts = measured(widget, MOST)
    label = scripts[0].label
    pad = " " * len(label)
    assert table(scripts) == [
        f"coverage{pad[8:]}  lines  missed  cover  missing",
        f"{label}     10       1   90 %  13",
        f"total{pad[5:]}     10       1   90 %",
    ]
    assert total(scripts) == (10, 1, 90.0)
    assert total([]) == (0, 0, 100.0)


def test_lines_are_shown_as_ranges():
    assert ranges([3, 4, 5, 9, 11, 12]) == "3-5, 9, 11-12"
    assert ranges([]) == ""
