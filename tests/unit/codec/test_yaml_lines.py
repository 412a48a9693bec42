"""The reader of plain YAML gives what the parser gives, or gives the text up."""

from __future__ import annotations

import pytest
import yaml as pyyaml
from hypothesis import example, given
from hypothesis import strategies as st

from interpreter.codec import yaml
from interpreter.codec._yaml_events import build_documents, parse_events
from interpreter.codec._yaml_lines import read_lines
from interpreter.errors import InvalidObject

DEPTH = 12


def parsed(text):
    return list(build_documents(parse_events(text), source=None, max_depth=DEPTH))


def read(text):
    return read_lines(text, max_depth=DEPTH)


def check(text):
    """Whether it was read line by line; then the parser agrees, types and order included."""
    found = read(text)
    if found is not None:
        assert repr(found) == repr(parsed(text))
    return found is not None


DUMP = """\
apiVersion: v1
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    annotations:
      deployment.kubernetes.io/revision: "7"
      last: |
        {"a": 1}
      'on': yes
      message: "say \\"no\\"\\n\\ttwice"
    creationTimestamp: null
    finalizers:
    - example.com/one
    - 'it''s'
    generation: 7
    labels: {}
    managedFields:
    - fieldsV1:
        f:metadata:
          k:{"type":"Ready"}:
            .: {}
    name: web
  spec:
    args:
    - --port=80
    - -v
    - "a: b"
    - []
    script: |-

      first
        second

      third
    ratio: 1.50
    text: http://example.com:80/#top
# a comment
  status: {}
- kind: Empty
kind: List
"""


def test_a_dump_is_read_line_by_line():
    assert check(DUMP)
    assert check(f"# a chart\n---\n\n---\n{DUMP}---\n{DUMP}---\n")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("a:\n- 1\n- b: 2\n  c: 3\nd: 4\n", {"a": [1, {"b": 2, "c": 3}], "d": 4},
                     id="a list right below its key"),
        pytest.param("a:\n  - 1\n  -  b:\n     - 2\n", {"a": [1, {"b": [2]}]}, id="indented lists"),
        pytest.param("a: |+\n  x\n\nb: |2-\n     y\n", {"a": "x\n\n", "b": "   y"}, id="literals"),
        pytest.param("a: one\n  two\n\n  three\nb: 1\n", {"a": "one two\nthree", "b": 1},
                     id="a plain scalar in further lines"),
        pytest.param("a: 'one\n  two'\nb: \"x\n  y\"\n", {"a": "one two", "b": "x y"},
                     id="quoted scalars in further lines"),
        pytest.param('a: "\\u00e9\\x41"\n', {"a": "éA"}, id="escapes that JSON lacks"),
        pytest.param("a: {b: [1],\n  c: }\nd: 1 # one\n", {"a": {"b": [1], "c": None}, "d": 1},
                     id="flow collections and comments"),
        pytest.param("- a\n- null\n- !!str 1\n", ["a", None, "1"], id="a list at the top"),
    ],
)  # fmt: skip
def test_what_is_read_line_by_line(text, value):
    assert check(text)
    assert read(text)[0].value == value


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a: 1\na: 2\n", id="a duplicate key"),
        pytest.param("a: &x {b: 1}\nc: *x\n", id="an alias"),
        pytest.param("a: &x\n  b: 1\n", id="an anchor of a block"),
        pytest.param("a: 1\n<<: {b: 2}\n", id="a merge"),
        pytest.param("a: b: c\n", id="a map in a line"),
        pytest.param("a: .nan\n", id="what JSON lacks"),
        pytest.param("a: >\n  x\n", id="a folded block"),
        pytest.param("a: |\n", id="an empty block"),
        pytest.param("a: |\n      \n   x\n", id="a block with too long a blank line"),
        pytest.param("a:\n    b: 1\n  c: 2\n", id="indentation that fits nothing"),
        pytest.param("  a: 1\nb: 2\n", id="a first line that is indented"),
        pytest.param("a: 1\n- b\n", id="an item in a map"),
        pytest.param("- a\nb: 1\n", id="a key in a list"),
        pytest.param("- - a\n", id="a list in a list in a line"),
        pytest.param("a: 1\n...\n", id="the end of a document"),
        pytest.param("%YAML 1.2\n---\na: 1\n", id="a directive"),
        pytest.param("a:\t1\n", id="a tab"),
        pytest.param("a: x\u2028y\n", id="a line separator"),
        pytest.param("a: |\n  x", id="no line feed at the end"),
        pytest.param(f"{'k' * 1100}: 1\n", id="a key that is too long"),
        pytest.param("a:\n" + "".join(f"{'  ' * n}a:\n" for n in range(1, 20)), id="depth"),
        pytest.param("--- {a: 1}\n", id="a document in the line of its marker"),
    ],
)
def test_what_is_given_up(text):
    assert read(text) is None


@pytest.mark.parametrize("levels", range(DEPTH - 3, DEPTH + 2))
@pytest.mark.parametrize("last", ["1", "{}", "[]", "{b: {}}", "- - 1"])
def test_the_depth_that_is_allowed_is_that_of_the_parser(levels, last):
    text = "".join(f"{' ' * n}a:\n" for n in range(levels)) + f"{' ' * levels}a: {last}\n"
    if not check(text):
        with pytest.raises(InvalidObject):
            parsed(text)


def test_errors_are_those_of_the_parser():
    with pytest.raises(InvalidObject, match="duplicate key 'a'") as caught:
        list(yaml.load_all("b: 1\n---\na: 1\na: 2\n", source="f.yaml"))
    assert (caught.value.source, caught.value.line) == ("f.yaml, document 2", 4)


texts = st.text(st.sampled_from("ab1 :#-'\"\\\n|>&*!%@{}[],?~<=.éx\xa0"), max_size=12)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=25,
)  # fmt: skip
styles = st.fixed_dictionaries(
    {
        "width": st.sampled_from([8, 20, 10_000]),
        "indent": st.sampled_from([2, 4]),
        "default_style": st.sampled_from([None, None, "'", '"', "|"]),
        "allow_unicode": st.booleans(),
        "sort_keys": st.just(False),
    }
)


@given(value=values, style=styles)
def test_whatever_a_program_wrote_is_read_as_the_parser_reads_it(value, style):
    try:
        text = pyyaml.dump(value, default_flow_style=False, Dumper=pyyaml.SafeDumper, **style)
        parsed(text)
    except InvalidObject:
        return
    check(text)


@given(value=values)
def test_our_own_writing_is_read_as_the_parser_reads_it(value):
    try:
        text = yaml.dumps(value)
        parsed(text)
    except InvalidObject:
        return
    check(text)


edits = st.lists(
    st.tuples(
        st.integers(0, 2000),
        st.integers(0, 3),
        st.text(st.sampled_from("ab1 :#-'\"\\\n|>&*!{}[],?~<\xa0"), max_size=4)
        | st.sampled_from(["\n  ", "\n- ", "- ", "  ", ": ", " #", "---\n", "|\n", "''", "\n\n"]),
    ),
    max_size=6,
)


@given(value=values, style=styles, changes=edits)
@example(value={"a": "b"}, style={}, changes=[(4, 0, "\n# c\n  d")])
def test_a_text_that_was_edited_anywhere_is_read_as_the_parser_reads_it(value, style, changes):
    check_edited(
        pyyaml.dump(value, default_flow_style=False, Dumper=pyyaml.SafeDumper, **style), changes
    )


@given(changes=edits)
def test_a_dump_that_was_edited_anywhere_is_read_as_the_parser_reads_it(changes):
    check_edited(DUMP, changes)


def check_edited(text, changes):
    for at, removed, added in changes:
        at %= len(text) + 1
        text = text[:at] + added + text[at + removed :]
    check(text)
