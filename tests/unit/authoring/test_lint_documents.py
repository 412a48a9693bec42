"""Findings in documents and folders: where they are, and what shadows what."""

from __future__ import annotations

import dataclasses
import io
import os
from pathlib import Path

import pytest

from interpreter.authoring.lint.checking import check
from interpreter.authoring.lint.findings import Finding
from interpreter.errors import ConfigurationError
from interpreter.settings import DEFAULTS

HEAD = """\
apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata:
  name: {name}
spec:
  target:
    apiVersion: example.com/v1
    kind: Widget
  customizations:
"""
GOOD = "function InterpretHealth(obj) return obj.status ~= nil end"


def document(rules: str, name: str = "widget") -> str:
    return HEAD.format(name=name) + rules


def findings(tmp_path: Path, text: str, file: str = "c.yaml") -> list[Finding]:
    (tmp_path / file).write_text(text)
    return list(check([str(tmp_path / file)]).findings)


def places(found: list[Finding]) -> list[str]:
    return [f"{finding.line}:{finding.column} {finding.rule}" for finding in found]


PLACES: dict[str, tuple[str, list[str]]] = {
    "a literal block": (
        (
            "    healthInterpretation:\n"
            "      luaScript: |\n"
            "        function InterpretHealth(obj)\n"
            "          return staus\n"
            "        end\n"
        ),
        ["13:18 undefined-variable"],
    ),
    "a literal block with a comment and blank lines before its text": (
        (
            "    healthInterpretation:\n"
            "      luaScript: |-  # health\n"
            "\n"
            "\n"
            "          function InterpretHealth(obj)\n"
            "            return staus\n"
            "          end\n"
        ),
        ["15:20 undefined-variable"],
    ),
    "a literal block with an indentation indicator": (
        (
            "    healthInterpretation:\n"
            "      luaScript: |2\n"
            "          function InterpretHealth(obj)\n"
            "            return staus\n"
            "          end\n"
        ),
        ["13:20 undefined-variable"],
    ),
    "one line in quotes": (
        '    healthInterpretation: {luaScript: "function InterpretHealth(obj) return staus end"}\n',
        ["10:77 undefined-variable"],
    ),
    "one plain line": (
        (
            "    healthInterpretation:\n"
            "      luaScript: function InterpretHealth(obj) return staus end\n"
        ),
        ["11:55 undefined-variable"],
    ),
    "a folded text whose lines fold nowhere": (
        (
            "    healthInterpretation:\n"
            "      luaScript: >\n"
            "        function InterpretHealth(obj)\n"
            "          if obj.status then\n"
            "            return staus\n"
            "          end\n"
            "          return false\n"
            "        end\n"
        ),
        ["14:20 undefined-variable"],
    ),
    "a folded text has the place of its key": (
        (
            "    healthInterpretation:\n"
            "      luaScript: >\n"
            "        function InterpretHealth(obj)\n"
            "\n"
            "        return staus\n"
            "\n"
            "        end\n"
        ),
        ["11:7 undefined-variable"],
    ),
    "escapes have the place of the key": (
        (
            "    healthInterpretation:\n"
            '      luaScript: "function InterpretHealth(obj)\\n  return staus\\nend\\n"\n'
        ),
        ["11:7 undefined-variable"],
    ),
    "an empty script": (
        '    healthInterpretation:\n      luaScript: ""\n',
        ["11:7 empty-script"],
    ),
    "an unknown rule": (
        f"    healthInterpretatio:\n      luaScript: {GOOD}\n",
        ["10:5 invalid-customization"],
    ),
    "an unknown field": (
        f"    healthInterpretation:\n      luascript: {GOOD}\n",
        ["11:7 invalid-customization"],
    ),
    "a rule by the name of its operation": (
        f"    reviseReplica:\n      luaScript: {GOOD}\n",
        ["10:5 invalid-customization"],
    ),
    "a script that is no text": (
        "    healthInterpretation:\n      luaScript: [1]\n",
        ["11:7 invalid-customization"],
    ),
    "no rules": ("    {}\n", ["9:3 invalid-customization"]),
}


@pytest.mark.parametrize(("rules", "expected"), PLACES.values(), ids=PLACES)
def test_a_finding_has_its_place_in_the_yaml_file(
    rules: str, expected: list[str], tmp_path: Path
) -> None:
    assert places(findings(tmp_path, document(rules))) == expected


def test_an_inexact_place_names_the_line_of_the_script(tmp_path: Path) -> None:
    rules = PLACES["escapes have the place of the key"][0]
    assert findings(tmp_path, document(rules))[0].message == (
        "line 2 of the script: staus is not defined"
    )


def test_windows_line_ends_of_the_file_do_not_move_findings(tmp_path: Path) -> None:
    text = document(PLACES["a literal block"][0]).replace("\n", "\r\n")
    (tmp_path / "c.yaml").write_bytes(text.encode())
    assert places(list(check([str(tmp_path / "c.yaml")]).findings)) == ["13:18 undefined-variable"]


def test_a_finding_knows_its_customization_and_rule(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, document(PLACES["a literal block"][0]))
    assert found.to_dict() == {
        "rule": "undefined-variable",
        "level": "error",
        "message": "staus is not defined",
        "file": str(tmp_path / "c.yaml"),
        "line": 13,
        "column": 18,
        "customization": "widget",
        "script": "healthInterpretation",
    }


def test_documents_in_the_middle_of_a_file_and_in_lists_are_found(tmp_path: Path) -> None:
    item = document(PLACES["a literal block"][0]).replace("\n", "\n  ").strip()
    text = (
        "# only a comment\n---\napiVersion: v1\nkind: ConfigMap\n---\n"
        f"apiVersion: v1\nkind: List\nitems:\n- {item}\n"
    )
    found = findings(tmp_path, text)
    assert places(found) == ["21:20 undefined-variable"]


def test_json_is_read_too(tmp_path: Path) -> None:
    text = (
        '{"apiVersion": "config.karmada.io/v1alpha1", "kind": "ResourceInterpreterCustomization",\n'
        ' "metadata": {"name": "w"}, "spec": {"target": {"apiVersion": "v1", "kind": "W"},\n'
        '  "customizations": {"retention": {"luaScript": "function Retain(d) return d end"}}}}\n'
    )
    assert places(findings(tmp_path, text, "c.json")) == ["3:59 parameter-count"]


def test_standard_input_is_read(tmp_path: Path) -> None:
    report = check(["-"], stdin=io.BytesIO(document(PLACES["a literal block"][0]).encode()))
    assert [finding.file for finding in report.findings] == ["<stdin>"]


def test_a_file_that_is_no_yaml_is_a_finding(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, "kind: [\n")
    assert (found.rule, found.line) == ("invalid-yaml", 2)


def test_other_peoples_broken_files_in_a_folder_are_not(tmp_path: Path) -> None:
    (tmp_path / "chart.yaml").write_text("{{ if }}\n")
    (tmp_path / "c.yaml").write_text(document(f"    healthInterpretation: {{luaScript: {GOOD}}}\n"))
    assert check([str(tmp_path)]).findings == ()


SCHEMA: dict[str, tuple[str, str, str]] = {
    "a missing name": ("  name: widget\n", "  labels: {}\n", "metadata.name is missing"),
    "a name that no object can have": (
        "name: widget",
        "name: My_Widget",
        "metadata.name 'My_Widget' must be lower case letters, digits, -, .",
    ),
    "another version": (
        "config.karmada.io/v1alpha1",
        "config.karmada.io/v1",
        "apiVersion must be config.karmada.io/v1alpha1",
    ),
    "a target without kind": (
        "    kind: Widget\n",
        "    kin: Widget\n",
        "spec.target.kin is no field of this type (did you mean kind?)",
    ),
    "a target that is no version": (
        "apiVersion: example.com/v1",
        "apiVersion: a/b/c",
        "spec.target.apiVersion must be version or group/version",
    ),
    "a target with a pattern for its group": (
        "apiVersion: example.com/v1",
        "apiVersion: example*/v1",
        "spec.target.apiVersion must have an exact group",
    ),
    "a target with a part of a kind": (
        "    kind: Widget",
        "    kind: Wid*",
        "spec.target.kind must be exact or *",
    ),
}


@pytest.mark.parametrize(("old", "new", "message"), SCHEMA.values(), ids=SCHEMA)
def test_what_the_api_server_or_the_engine_would_refuse_is_an_error(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    text = document(f"    healthInterpretation: {{luaScript: {GOOD}}}\n")
    assert old in text
    found = findings(tmp_path, text.replace(old, new, 1))
    assert message in [finding.message for finding in found]
    assert {finding.rule for finding in found} == {"invalid-customization"}


def health(name: str, script: str = GOOD) -> str:
    return document(f"    healthInterpretation: {{luaScript: {script}}}\n", name)


def test_a_rule_that_another_customization_answers_first_is_unreachable(tmp_path: Path) -> None:
    found = findings(tmp_path, "---\n".join([health("'9'"), health("'10'"), health("b")]))
    # Names are compared by bytes: 10 is before 9.
    assert places(found) == ["10:39 unreachable-rule", "32:39 unreachable-rule"]
    assert "'10'" in found[0].message


def test_an_empty_script_shadows_nothing(tmp_path: Path) -> None:
    found = findings(tmp_path, health("a", '""') + "---\n" + health("b"))
    assert [finding.rule for finding in found] == ["empty-script"]


def test_dependency_scripts_all_run_so_none_is_unreachable(tmp_path: Path) -> None:
    rule = "    dependencyInterpretation: {luaScript: function GetDependencies(o) return o.x end}\n"
    assert findings(tmp_path, document(rule, "a") + "---\n" + document(rule, "b")) == []


def test_other_kinds_and_wildcards_do_not_shadow(tmp_path: Path) -> None:
    other = health("b").replace("kind: Widget", "kind: '*'")
    assert findings(tmp_path, health("a") + "---\n" + other) == []


def script_folder(tmp_path: Path, path: str, name: str = "interpret_health.lua") -> Path:
    folder = tmp_path / path
    folder.mkdir(parents=True)
    (folder / name).write_text(GOOD + "\n")
    return folder


def test_a_version_claimed_twice_is_unreachable(tmp_path: Path) -> None:
    folder = script_folder(tmp_path, "example.com/v1/Widget")
    script_folder(tmp_path, "example.com/v1beta1/Widget")
    (folder / "kind.yaml").write_text("versions: [v1beta1]\n")
    report = check([str(tmp_path)])
    assert [finding.rule for finding in report.findings] == ["unreachable-rule"]
    assert report.findings[0].file.endswith("v1beta1/Widget/interpret_health.lua")
    assert report.findings[0].customization == "example.com/v1beta1/Widget"


def test_a_misnamed_script_file_is_found(tmp_path: Path) -> None:
    folder = script_folder(tmp_path, "example.com/v1/Widget")
    (folder / "get_replica.lua").write_text("function GetReplicas(obj) return 1 end\n")
    (found,) = check([str(tmp_path)]).findings
    assert found.rule == "unknown-script"
    assert found.message == "no operation reads get_replica.lua (did you mean get_replicas.lua?)"


def test_a_script_in_a_folder_that_names_no_kind_is_found(tmp_path: Path) -> None:
    script_folder(tmp_path, "example.com/widget/v1")
    (found,) = check([str(tmp_path)]).findings
    assert found.rule == "unknown-script"
    assert "must be in a folder <group>/<version>/<Kind>" in found.message


def test_a_script_named_by_itself_may_lie_anywhere(tmp_path: Path) -> None:
    (tmp_path / "try.lua").write_text("function GetReplicas(obj) return x end\n")
    (found,) = check([str(tmp_path / "try.lua")]).findings
    assert (found.rule, found.column) == ("undefined-variable", 34)


def test_a_script_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    folder = script_folder(tmp_path, "example.com/v1/Widget")
    (folder / "interpret_health.lua").write_bytes(b"-- fine\n-- \xff\n")
    (found,) = check([str(tmp_path)]).findings
    assert (found.rule, found.line, found.message) == ("syntax-error", 2, "is not UTF-8")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("version: [v1]\n", "version: is not known here"),
        ("versions: [beta]\n", "versions: must be a list of versions such as v1beta1"),
        ("versions: [v1]\n", "versions: names a version twice"),
        ("name: A_B\n", "name: must be the name of an object"),
        ("[1]\n", "must be one map"),
        ("a: [\n", "not valid YAML"),
    ],
)
def test_a_kind_file_that_is_not_as_it_must_be_is_an_error(
    text: str, message: str, tmp_path: Path
) -> None:
    folder = script_folder(tmp_path, "example.com/v1/Widget")
    (folder / "kind.yaml").write_text(text)
    (found,) = check([str(tmp_path)]).findings
    assert found.rule == "invalid-kind-file"
    assert message in found.message


def test_cases_hidden_files_and_annotations_are_left_alone(tmp_path: Path) -> None:
    folder = script_folder(tmp_path, "example.com/v1/Widget")
    (folder / "cases").mkdir()
    (folder / "cases" / "interpret_health.yaml").write_text("- name: ResourceInterpreter\n  x: [\n")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "x.lua").write_text("(((")
    (tmp_path / "kube.lua").write_text("---@meta kube\nlocal kube = {}\nreturn kube\n")
    assert check([str(tmp_path)]).findings == ()


def test_a_file_given_twice_is_checked_once(tmp_path: Path) -> None:
    script_folder(tmp_path, "example.com/v1/Widget")
    report = check([str(tmp_path), str(tmp_path / "example.com")])
    assert (report.files, report.scripts) == (1, 1)


def test_a_pattern_means_the_files_that_match(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text(health(name).replace("Widget", name.upper()))
    report = check([str(tmp_path / "*.yaml")])
    assert (report.files, report.findings) == (2, ())
    with pytest.raises(ConfigurationError, match="does not exist"):
        check([str(tmp_path / "*.yml")])


def test_nothing_to_check_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "pod.yaml").write_text("apiVersion: v1\nkind: Pod\n")
    with pytest.raises(ConfigurationError, match="nothing to check in"):
        check([str(tmp_path)])
    with pytest.raises(ConfigurationError, match="does not exist"):
        check([str(tmp_path / "nope")])


@pytest.mark.parametrize(
    ("rule", "suggestion"),
    [
        ("reviseReplica", "(did you mean replicaRevision?)"),
        ("interpretHealth", "(did you mean healthInterpretation?)"),
        ("statusAggregtion", "(did you mean statusAggregation?)"),
        ("pods", "(wanted: retention, replicaResource, componentResource, replicaRevision, "),
    ],
)
def test_an_unknown_rule_comes_with_a_suggestion(
    rule: str, suggestion: str, tmp_path: Path
) -> None:
    (found,) = findings(tmp_path, document(f"    {rule}: {{luaScript: x}}\n"))
    assert suggestion in found.message


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/full"])
def test_a_device_is_not_read(path: str) -> None:
    with pytest.raises(ConfigurationError, match=f"{path} is no regular file"):
        check([path])


def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "c.yaml")
    with pytest.raises(ConfigurationError, match=r"c\.yaml is no regular file"):
        check([str(tmp_path)])


def test_a_script_or_kind_file_that_is_a_device_is_not_read(tmp_path: Path) -> None:
    folder = tmp_path / "example.com" / "v1" / "Widget"
    folder.mkdir(parents=True)
    (folder / "retain.lua").symlink_to("/dev/zero")
    found = list(check([str(tmp_path)]).findings)
    assert places(found) == ["1:1 syntax-error"]
    assert found[0].message == "is no regular file"


def test_input_without_end_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    small = dataclasses.replace(DEFAULTS, max_manifest_bytes=1000)
    monkeypatch.setattr("interpreter.authoring.lint.sources.DEFAULTS", small)
    monkeypatch.setattr("interpreter.catalogue.folders.DEFAULTS", small)
    with (
        Path("/dev/zero").open("rb") as stream,
        pytest.raises(ConfigurationError, match="<stdin> is larger than 1000 bytes"),
    ):
        check(["-"], stdin=stream)

    (tmp_path / "c.yaml").write_text("#" * 1001)
    with pytest.raises(ConfigurationError, match=r"c\.yaml is larger than 1000 bytes"):
        check([str(tmp_path)])

    script = tmp_path / "retain.lua"
    script.write_text("-" * 1001)
    assert check([str(script)]).findings[0].message == "is larger than 1000 bytes"


NAMED = (
    "apiVersion: config.karmada.io/v1alpha1\n"
    "kind: ResourceInterpreterCustomization\n"
    "metadata:\n"
    "  name: widget\n"
    "spec:\n"
    "  target: {{apiVersion: example.com/v1, kind: {kind}}}\n"
    "  customizations:\n"
    "    healthInterpretation: {{luaScript: function InterpretHealth(o) return o.x == 1 end}}\n"
)


def test_two_documents_of_one_name_in_a_file_are_an_error_at_the_second(tmp_path: Path) -> None:
    text = NAMED.format(kind="Widget") + "---\n" + NAMED.format(kind="Gadget")
    found = findings(tmp_path, text)
    assert places(found) == ["13:3 invalid-customization"]
    assert found[0].message == (
        f"metadata.name 'widget' is that of the document in {tmp_path}/c.yaml:4 too"
    )
    assert found[0].customization == "widget"


def test_two_documents_of_one_name_in_two_files_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(NAMED.format(kind="Widget"))
    (tmp_path / "b.yaml").write_text(NAMED.format(kind="Widget"))
    found = list(check([str(tmp_path)]).findings)
    assert [(Path(one.file).name, one.line, one.rule) for one in found] == [
        ("b.yaml", 4, "invalid-customization")
    ]
    # The same file named twice is still one document.
    assert list(check([str(tmp_path / "a.yaml"), f"{tmp_path}/*a.yaml"]).findings) == []


def test_documents_of_two_kinds_may_have_one_name(tmp_path: Path) -> None:
    webhook = (
        "---\napiVersion: config.karmada.io/v1alpha1\n"
        "kind: ResourceInterpreterWebhookConfiguration\n"
        "metadata: {name: widget}\nwebhooks: []\n"
    )
    assert findings(tmp_path, NAMED.format(kind="Widget") + webhook) == []


@pytest.mark.parametrize(
    ("target", "place"),
    [
        ("{apiVersion: e.com/v1, kind: W*}", "spec.target.kind must be exact or *"),
        ("{apiVersion: '*/v1', kind: W}", "spec.target.apiVersion must have an exact group"),
        ("{apiVersion: e.com/v1, kind: 'W '}", "spec.target.kind must be a name"),
        ("{apiVersion: e.com/v1, kind: ' '}", "spec.target.kind must be a name"),
        ('{apiVersion: e.com/v1, kind: "W\\n"}', "spec.target.kind must be a name"),
        ("{apiVersion: e.com/v1, kind: W/status}", "spec.target.kind must be a name"),
        ("{apiVersion: ' e.com/v1', kind: W}", "spec.target.apiVersion must be a name"),
        ("{apiVersion: 'e.com/v1 ', kind: W}", "spec.target.apiVersion must be a name"),
        ('{apiVersion: "v1\\t", kind: W}', "spec.target.apiVersion must be a name"),
    ],
)
def test_a_target_that_no_object_has_is_an_error(tmp_path: Path, target: str, place: str) -> None:
    text = NAMED.format(kind="W").replace("{apiVersion: example.com/v1, kind: W}", target)
    found = findings(tmp_path, text)
    assert [one.rule for one in found] == ["invalid-customization"]
    assert (found[0].line, found[0].message.startswith(place)) == (6, True)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("yes", 'must be "true" or "false"'),
        ("true", "there is a healthInterpretation script"),
    ],
)
def test_what_cannot_be_chained_is_found(tmp_path: Path, value: str, problem: str) -> None:
    path = tmp_path / "chain.yaml"
    path.write_text(
        "apiVersion: config.karmada.io/v1alpha1\n"
        "kind: ResourceInterpreterCustomization\n"
        "metadata:\n"
        "  name: a\n"
        "  annotations:\n"
        f'    resource-interpreter.io/chain: "{value}"\n'
        "spec:\n"
        "  target: {apiVersion: example.com/v1, kind: Widget}\n"
        "  customizations:\n"
        "    healthInterpretation: {luaScript: 'function InterpretHealth(obj) return obj.ok end'}\n"
    )
    (finding,) = check([str(path)]).findings
    assert (finding.rule, finding.line) == ("invalid-customization", 6)
    assert problem in finding.message
