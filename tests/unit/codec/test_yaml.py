"""YAML in as Kubernetes reads it, and out so that every reader understands the same."""

from __future__ import annotations

import math
import time
from typing import Any

import pytest
import yaml as pyyaml
from hypothesis import given
from hypothesis import strategies as st

from interpreter.codec import _yaml_events, yaml
from interpreter.errors import InvalidObject


def words(text: str) -> list[str]:
    """Short strings for a table, without the noise of quotes."""
    return text.split()


TEXT = st.text(st.characters(exclude_categories=["Cs"]))
#: Strings made of what readers stumble over.
STUMBLING_BLOCKS = [
    *words(
        "yes No on 0 1 _ e + - . : # x 0o1 ~ null << = ' \" \\ % | --- ... &a *a !t { ] , ? @ `"
    ),
    *words("é 😀 2020-01-01"),
    *(" ", "\n", "\t", "\r", "\x85", "\u2028", "\ufeff", "\x00"),
]
TRICKY_TEXT = st.lists(st.sampled_from(STUMBLING_BLOCKS), max_size=6).map("".join)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**40), 10**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
    | TRICKY_TEXT
)
KEYS = TEXT | TRICKY_TEXT | st.sampled_from(["", "<<", "=", "y", "1", "k" * 1022, "k y" * 700])
VALUES = st.recursive(
    SCALARS,
    lambda children: st.lists(children, max_size=4) | st.dictionaries(KEYS, children, max_size=4),
    max_leaves=20,
)


def same(left: Any, right: Any) -> bool:
    """Equality that tells 1 from 1.0 and from true, and one key order from another."""
    return repr(left) == repr(right)


@pytest.fixture(params=["c", "python"])
def pure(request: pytest.FixtureRequest) -> bool:
    """Whether to use the parser in Python, which is all there is without libyaml."""
    if request.param == "c" and not pyyaml.__with_libyaml__:
        pytest.skip("PyYAML was built without libyaml")
    return bool(request.param == "python")


def parse(text: str, *, pure: bool, max_depth: int = 200) -> list[yaml.Document]:
    events = _yaml_events.parse_events(text, pure=pure, max_depth=max_depth)
    return list(_yaml_events.build_documents(events, source="a.yaml", max_depth=max_depth))


def parse_or_error(text: str, *, pure: bool = False) -> list[yaml.Document] | InvalidObject:
    try:
        return parse(text, pure=pure)
    except InvalidObject as error:
        return error


def value_of(text: str, *, pure: bool = False) -> Any:
    (document,) = parse(text, pure=pure)
    return document.value


def error_of(text: str, *, pure: bool = False, max_depth: int = 200) -> InvalidObject:
    with pytest.raises(InvalidObject) as caught:
        parse(text, pure=pure, max_depth=max_depth)
    assert "\n" not in str(caught.value)
    return caught.value


# What sigs.k8s.io/yaml 1.6 makes of a plain scalar, recorded from that program.
SCALAR_TABLE: list[tuple[str, Any]] = [
    *[(text, None) for text in ("", "~", "null", "Null", "NULL")],
    *[(text, True) for text in words("true True TRUE y Y yes Yes YES on On ON")],
    *[(text, False) for text in words("false False FALSE n N no No NO off Off OFF")],
    *[(text, text) for text in words("tRue nUll yEs oN inf nan")],
    *[("0", 0), ("-0", 0), ("12", 12), ("+12", 12), ("-12", -12)],
    *[("1_000", 1000), ("1__0", 10), ("1_", 1), ("+_1", 1), ("_1", "_1"), ("1,000", "1,000")],
    *[("010", 8), ("-010", -8), ("00", 0), ("0_7", 7), ("08", 8), ("0128", 128), ("0_8", 8)],
    *[("0o14", 12), ("0O14", 12), ("-0o14", -12), ("0o18", "0o18")],
    *[("0x1F", 31), ("0X1f", 31), ("-0x1F", -31), ("0x_1F", 31), ("0x", "0x"), ("0x1p3", "0x1p3")],
    *[("0b11", 3), ("0B11", 3), ("-0b11", -3), ("0b12", "0b12")],
    *[("12345678901234567890", 12345678901234567890), ("0xFFFFFFFFFFFFFFFF", 2**64 - 1)],
    *[
        (text, text)
        for text in ("0xFFFFFFFFFFFFFFFFF", "0b" + "1" * 65, "0o7777777777777777777777")
    ],
    *[("1.5", 1.5), (".5", 0.5), ("5.", 5.0), ("-1.", -1.0), ("+.5", 0.5), ("019.5", 19.5)],
    *[("1e3", 1000.0), ("1E3", 1000.0), ("1e+3", 1000.0), ("1.e3", 1000.0), (".5e3", 500.0)],
    *[("1_000.5", 1000.5), ("0.1_5", 0.15), ("1e-400", 0.0), ("-0.0", -0.0), ("1.0", 1.0)],
    *[(text, text) for text in (".", "..", "-.", "+", ".e3", "._5", "1e5.0", "1e400", "-1e400")],
    *[(text, text) for text in ("12:30:45", "1:20", "2020-01-01", "2020-1-1", "=", "<<")],
    *[(text, text) for text in ("2020-01-01T00:00:00Z", "1.2.3", "10.0.0.1", "100m", "1Gi")],
]


@pytest.mark.parametrize(("text", "want"), SCALAR_TABLE, ids=[repr(row[0]) for row in SCALAR_TABLE])
def test_a_plain_scalar_is_what_kubernetes_makes_of_it(text: str, want: Any, pure: bool) -> None:
    assert same(value_of(f"a: {text}\n", pure=pure), {"a": want})
    assert same(value_of(f"- {text}\n- x\n", pure=pure), [want, "x"])


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("9" * 30, 10**30 - 1, id="beyond 64 bits (a float in Kubernetes)"),
        pytest.param("9" * 1000, 10**1000 - 1, id="a thousand digits"),
        pytest.param('"yes"', "yes", id="double quotes"),
        pytest.param("'1'", "1", id="single quotes"),
        pytest.param("|\n  1", "1", id="literal block"),
        pytest.param(">-\n  true", "true", id="folded block"),
        pytest.param("!!str 1", "1", id="str"),
        pytest.param("!!str", "", id="str of nothing"),
        pytest.param("! 1", "1", id="the tag without a name"),
        pytest.param("!!binary aGk=", "aGk=", id="binary stays text"),
        pytest.param('!!int "5"', 5, id="int in quotes"),
        pytest.param("!!int 0o14", 12, id="octal int"),
        pytest.param("!!float 5", 5.0, id="float of an integer"),
        pytest.param("!!bool yes", True, id="bool"),
        pytest.param('!!null ""', None, id="null"),
        pytest.param("!<tag:yaml.org,2002:int> 3", 3, id="full tag"),
        pytest.param("!!map {b: !!seq [1]}", {"b": [1]}, id="map and seq"),
    ],
)
def test_a_tagged_quoted_or_long_scalar_has_its_type(text: str, want: Any, pure: bool) -> None:
    assert same(value_of(f"a: {text}", pure=pure), {"a": want})


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("y: 1\nno: 2\ntrue: 3", {"y": 1, "no": 2, "true": 3}, id="words"),
        pytest.param("1: a\n0x10: b\n1.50: c", {"1": "a", "0x10": "b", "1.50": "c"}, id="numbers"),
        pytest.param("~: a\nnull: b\n?\n: c", {"~": "a", "null": "b", "": "c"}, id="nulls"),
        pytest.param("2020-01-01: a", {"2020-01-01": "a"}, id="date"),
        pytest.param('"<<": {a: 1}', {"<<": {"a": 1}}, id="quoted merge sign"),
        pytest.param("&k 1: &v 2\nb: *k\n*v : 3", {"1": 2, "b": 1, "2": 3}, id="anchored"),
    ],
)
def test_keys_stay_as_written(text: str, want: Any, pure: bool) -> None:
    assert same(value_of(text, pure=pure), want)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("{<<: *m, p: 9}", {"p": 9, "q": 2}, id="explicit after"),
        pytest.param("{p: 9, <<: *m}", {"p": 9, "q": 2}, id="explicit before"),
        pytest.param("{<<: [*m, {p: 5, r: 6}]}", {"p": 1, "q": 2, "r": 6}, id="the earlier wins"),
        pytest.param("{!!merge <<: *m}", {"p": 1, "q": 2}, id="tagged"),
        pytest.param("{<<: {z: 1}}", {"z": 1}, id="written in place"),
        pytest.param("{<<: []}", {}, id="of nothing"),
    ],
)
def test_merge_keys_add_what_is_not_there(text: str, want: Any, pure: bool) -> None:
    assert value_of(f"m: &m {{p: 1, q: 2}}\na: {text}", pure=pure)["a"] == want


def test_every_alias_is_a_copy_of_its_own(pure: bool) -> None:
    value = value_of("a: &x {l: [1, {d: 2}]}\nb: *x\nc: {<<: *x}", pure=pure)

    assert value["b"] == value["a"] == value["c"]
    value["b"]["l"][1]["d"] = 3
    value["b"]["l"].append(4)
    assert value["a"] == value["c"] == {"l": [1, {"d": 2}]}


def test_an_anchor_ends_with_its_document() -> None:
    error = error_of("a: &x 1\n---\nb: *x")
    assert "*x has no anchor" in error.message
    assert (error.source, error.line, error.path) == ("a.yaml, document 2", 3, "b")


def test_a_later_anchor_of_the_same_name_counts() -> None:
    assert value_of("[&x 1, *x, &x [2], *x]") == [1, 1, [2], [2]]


@pytest.mark.parametrize(
    ("text", "message", "line", "path"),
    [
        pytest.param("a: 1\nb:\n  c: 1\n  c: 2", "duplicate key 'c'", 4, "b.c", id="duplicate"),
        pytest.param('1: a\n"1": b', "duplicate key '1'", 2, "1", id="number and text"),
        pytest.param("a: {<<: {b: 1}, <<: {c: 1}}", "duplicate key '<<'", 1, "a", id="two merges"),
        pytest.param(
            "a: [1, {<<: 5}]", "a merge (<<) wants a map", 1, "a[1].<<", id="merge of a number"
        ),
        pytest.param("a:\n  ? [1]\n  : 2", "cannot be a key", 2, "a", id="list as key"),
        pytest.param("a: {{ .Values.x }}", "cannot be a key", 1, "a", id="template"),
        pytest.param("m: &m [1]\n*m : 2", "cannot be a key", 2, None, id="alias of a list as key"),
        pytest.param("a:\n- .inf", "JSON has no .inf", 2, "a[0]", id="infinity"),
        pytest.param("a: -.Inf", "JSON has no -.Inf", 1, "a", id="negative infinity"),
        pytest.param("a: .NaN", "JSON has no .NaN", 1, "a", id="NaN"),
        pytest.param("a: !!float .nan", "JSON has no .nan", 1, "a", id="tagged NaN"),
        pytest.param("a: " + "1" * 1001, "integer of 1001 digits", 1, "a", id="long integer"),
        pytest.param("\na: !foo 1", "the tag !foo", 2, "a", id="own tag"),
        pytest.param("a: !!timestamp 2020-01-01", "the tag !!timestamp", 1, "a", id="time tag"),
        pytest.param(
            "a: !!python/object:os.system x", "the tag !!python/", 1, "a", id="Python tag"
        ),
        pytest.param("a: !!set {x}", "the tag !!set", 1, "a", id="set"),
        pytest.param("a: !!str [1]", "the tag !!str", 1, "a", id="text tag on a list"),
        pytest.param("a: !!int 5.5", "does not fit the tag !!int", 1, "a", id="fraction as int"),
        pytest.param("a: !!int true", "does not fit the tag !!int", 1, "a", id="boolean as int"),
        pytest.param("a: !!bool 1", "does not fit the tag !!bool", 1, "a", id="number as bool"),
        pytest.param("a: !!float " + "9" * 400, "too large for a float", 1, "a", id="huge float"),
        pytest.param("a: *q", "the alias *q has no anchor", 1, "a", id="unknown alias"),
        pytest.param("a: &x [1, *x]", "inside its own anchor", 1, "a[1]", id="recursive alias"),
        pytest.param(
            "a: &x {b: {<<: *x}}", "inside its own anchor", 1, "a.b.<<", id="merge itself"
        ),
        pytest.param("a: 1\n\tb: 2", "not valid YAML", 2, "a", id="tab"),
        pytest.param("a: [1, 2\nb: 3", "not valid YAML", 2, "a[2]", id="open bracket"),
        pytest.param("a: b: c", "not valid YAML", 1, None, id="two colons"),
        pytest.param("a: \x01", "the character U+0001", 1, None, id="control character"),
        pytest.param('a: 1\nb: "\\ud800"', "surrogate", 2, "b", id="half of a pair"),
    ],
)
def test_what_has_no_clear_meaning_is_an_error_with_line_and_path(
    text: str, message: str, line: int, path: str | None
) -> None:
    error = error_of(text)

    assert message in error.message + (error.hint or "")
    assert (error.source, error.line, error.path) == ("a.yaml, document 1", line, path)


@pytest.mark.parametrize(
    ("data", "message", "line"),
    [
        pytest.param(b"a: 1\nb: \xff", "byte 0xff at byte offset 8", 2, id="not UTF-8"),
        pytest.param("a: é".encode("utf-16"), "the text is UTF-16", 1, id="UTF-16"),
        pytest.param("a: \ud800", "half of a surrogate pair at character 3", 1, id="raw half"),
    ],
)
def test_undecodable_input_is_an_error(data: bytes | str, message: str, line: int) -> None:
    with pytest.raises(InvalidObject, match=message) as caught:
        list(yaml.load_all(data, source="a.yaml"))
    assert (caught.value.source, caught.value.line) == ("a.yaml", line)


def test_empty_documents_are_counted_but_not_given() -> None:
    text = "# nothing\n---\na: 1\n---\n# c\n---\n~\n---\nnull\n...\n---\n- b\n--- c\n--- ''\n"

    assert list(yaml.load_all(text)) == [
        yaml.Document(1, 3, {"a": 1}),
        yaml.Document(5, 12, ["b"]),
        yaml.Document(6, 13, "c"),
        yaml.Document(7, 14, ""),
    ]


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "---\n", "---\n...\n"])
def test_a_text_without_content_has_no_documents(text: str) -> None:
    assert list(yaml.load_all(text)) == []


def test_a_byte_order_mark_a_directive_and_windows_lines_are_fine() -> None:
    data = b"\xef\xbb\xbf%YAML 1.2\r\n---\r\na: \xc3\xa9\r\nb:\r\n- 1\r\n"
    assert list(yaml.load_all(data)) == [yaml.Document(1, 3, {"a": "é", "b": [1]})]


def test_documents_before_an_error_are_given() -> None:
    documents = yaml.load_all("a: 1\n---\na: [\n", source="x")

    assert next(documents).value == {"a": 1}
    with pytest.raises(InvalidObject, match="not valid YAML") as caught:
        next(documents)
    assert (caught.value.source, caught.value.line) == ("x, document 2", 4)


@pytest.mark.parametrize("levels", [201, 10_000, 100_000])
@pytest.mark.parametrize(
    "step",
    [
        pytest.param("[", id="lists"),
        pytest.param("{a: ", id="maps"),
        pytest.param("- ", id="dashes"),
        pytest.param("{a: [", id="mixed"),
    ],
)
def test_deep_nesting_is_an_error_at_once(step: str, levels: int, pure: bool) -> None:
    started = time.perf_counter()
    error = error_of(step * levels, pure=pure)

    assert "nested deeper than 200 levels" in error.message
    assert error.line == 1
    assert time.perf_counter() - started < 3


def test_deep_indentation_is_an_error_at_once(pure: bool) -> None:
    text = "".join(f"{' ' * level}a{level}:\n" for level in range(2000))
    assert "nested deeper than 200 levels" in error_of(text, pure=pure).message


def test_the_depth_limit_counts_maps_and_lists_also_behind_aliases(pure: bool) -> None:
    assert parse("[{a: []}]", pure=pure, max_depth=3)[0].value == [{"a": []}]
    assert "3 levels" in error_of("[{a: [[]]}]", pure=pure, max_depth=3).message
    assert "3 levels" in error_of("[&a [[]], [*a]]", pure=pure, max_depth=3).message


def test_a_depth_limit_beyond_that_of_the_parser_is_still_an_error() -> None:
    assert "nested deeper than" in error_of("[" * 5000, max_depth=2000).message


@pytest.mark.parametrize(
    "link",
    [
        pytest.param("[*{0}, *{0}, *{0}, *{0}, *{0}, *{0}, *{0}, *{0}, *{0}]", id="lists"),
        pytest.param("{{p: *{0}, q: *{0}, <<: *{0}}}", id="maps and merges"),
    ],
)
def test_an_alias_bomb_is_an_error_at_once(link: str, pure: bool) -> None:
    lines = ["a0: &a0 {x: [1, 2, 3]}"]
    lines += [f"a{n}: &a{n} {link.format(f'a{n - 1}')}" for n in range(1, 40)]
    started = time.perf_counter()
    error = error_of("\n".join(lines), pure=pure)

    assert "aliases repeat more than" in error.message
    assert time.perf_counter() - started < 3


def test_ordinary_use_of_aliases_is_not_a_bomb() -> None:
    text = "base: &b {x: 1, y: [1, 2, 3]}\n" + "".join(f"k{n}: *b\n" for n in range(20_000))
    assert value_of(text)["k19999"] == {"x": 1, "y": [1, 2, 3]}


@pytest.mark.parametrize("text", ["1", "1" * 2, "0x", "0b1", "1.", "1e", "1_", "0", "."])
def test_a_huge_scalar_takes_no_noticeable_time(text: str) -> None:
    started = time.perf_counter()
    outcome = parse_or_error(f"a: {text}{'1' * 1_000_000}")

    assert isinstance(outcome, list) or len(str(outcome)) < 500
    assert time.perf_counter() - started < 1


def test_values_are_written_in_block_style_as_kubectl_writes_them() -> None:
    value = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "a", "labels": {}, "app.kubernetes.io/name": "x y"},
        "data": {"run.sh": "#!/bin/sh\n\n\techo: hi # x\n", "keep": "a\n\n", "strip": "a\n  b"},
        "list": [1, 2.5, [True, None], {"a": {"b": "c"}, "d": []}, [], "--flag=1", "/bin/sh"],
    }

    assert yaml.dumps(value) == (
        "apiVersion: v1\n"
        "kind: ConfigMap\n"
        "metadata:\n"
        "  name: a\n"
        "  labels: {}\n"
        "  app.kubernetes.io/name: x y\n"
        "data:\n"
        "  run.sh: |\n"
        "    #!/bin/sh\n"
        "\n"
        "    \techo: hi # x\n"
        "  keep: |+\n"
        "    a\n"
        "\n"
        "  strip: |-\n"
        "    a\n"
        "      b\n"
        "list:\n"
        "- 1\n"
        "- 2.5\n"
        "- - true\n"
        "  - null\n"
        "- a:\n"
        "    b: c\n"
        "  d: []\n"
        "- []\n"
        "- --flag=1\n"
        "- /bin/sh\n"
    )
    assert same(value_of(yaml.dumps(value)), value)


MISTAKABLE_TEXT = [
    *words(
        "yes No on OFF y N true False null NULL ~ 1 -1 +1 1.5 .5 5. 1_000 0x1F 0b11 0o14 017 08"
    ),
    *words("1e3 1E-3 12:30 12:30:45 2020-01-01 2020-01-01T00:00:00Z .inf -.inf .NaN nan inf = <<"),
    *words(
        "- -- --- ... ? : # &a *a !a |x >x @x `x %x {a} [a] ,a 'a \"a :a a: 1__ 0_0 1.2.3 -.5e1"
    ),
    *("", " a", "a ", "a: b", "a #b", "- a", "\ta", "a\tb", "a\rb", "\x00", "\x7f", "\x85", "\xa0"),
    *("\u2028", "\ufeff", "\ufffe", "\n", "a\n ", " a\nb", "\n\n", "a\r\nb", "---\na", "😀\x1b"),
]


@pytest.mark.parametrize("text", MISTAKABLE_TEXT, ids=repr)
def test_a_string_that_a_reader_may_mistake_is_quoted(text: str) -> None:
    written = yaml.dumps([text])

    assert written.startswith(('- "', "- |"))
    assert value_of(written) == [text]
    assert pyyaml.safe_load(written) == [text]
    assert value_of(yaml.dumps({text: text})) == {text: text}


@pytest.mark.parametrize(
    "text",
    [
        "nginx:1.25",
        "100m",
        "1Gi",
        "a-b_c.d/e",
        "http://x/y?z=1&b",
        "--flag",
        "-c",
        "é",
        "$(VAR)",
        "a b",
    ],
)
def test_an_unmistakable_string_stays_plain(text: str) -> None:
    assert yaml.dumps({text: text}) == f"{text}: {text}\n"


@pytest.mark.parametrize(
    ("value", "want"),
    [
        pytest.param(1e16, "1.0e+16\n", id="large float"),
        pytest.param(1e-7, "1.0e-07\n", id="small float"),
        pytest.param(1.5e300, "1.5e+300\n", id="fraction and exponent"),
        pytest.param(2.0, "2.0\n", id="whole float"),
        pytest.param(2**70, f"{2**70}\n", id="large integer"),
        pytest.param(True, "true\n", id="boolean"),
        pytest.param(None, "null\n", id="null"),
        pytest.param((), "[]\n", id="empty tuple"),
        pytest.param("a\nb", "|-\n  a\n  b\n", id="text of two lines"),
        pytest.param({"k" * 2000: {"a": [1]}}, f"? {'k' * 2000}\n:\n  a:\n  - 1\n", id="long key"),
    ],
)
def test_a_value_is_spelled_for_every_reader(value: Any, want: str) -> None:
    assert yaml.dumps(value) == want


def test_documents_are_separated() -> None:
    assert yaml.dump_all([{"a": 1}, [2], "x"]) == "a: 1\n---\n- 2\n---\nx\n"
    assert yaml.dump_all([]) == ""


def test_one_object_that_occurs_twice_is_written_twice() -> None:
    shared = {"a": [1]}
    assert yaml.dumps([shared, shared]) == "- a:\n  - 1\n- a:\n  - 1\n"


@pytest.mark.parametrize(
    ("value", "message", "path"),
    [
        pytest.param({"a": [math.nan]}, "no NaN", "a[0]", id="NaN"),
        pytest.param({"a": {1: 2}}, "key must be a string", "a", id="integer key"),
        pytest.param({"a": {1, 2}}, "JSON value", "a", id="set"),
        pytest.param({"a": "\ud800"}, "surrogate", "a", id="half of a pair"),
        pytest.param({"a": 10**5000}, "too long", "a", id="long integer"),
    ],
)
def test_what_json_cannot_carry_is_an_error(value: Any, message: str, path: str) -> None:
    with pytest.raises(InvalidObject, match=message) as caught:
        yaml.dumps(value)
    assert caught.value.path == path


def test_writing_a_bottomless_value_is_an_error() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(InvalidObject, match="nested deeper than 254 levels"):
        yaml.dumps(value)


def test_the_deepest_value_that_is_written_is_read_again() -> None:
    value: Any = 1
    for level in range(254):
        value = {"a": value} if level % 2 else [value]
    assert next(yaml.load_all(yaml.dumps(value), max_depth=254)).value == value


@given(VALUES)
def test_every_value_comes_back_as_it_was(value: Any) -> None:
    text = yaml.dumps(value)

    read = [document.value for document in yaml.load_all(text)]
    assert same(read, [] if value is None else [value])
    if isinstance(value, (dict, list)):
        assert same(parse(text, pure=True)[0].value, value)


@given(st.lists(VALUES, max_size=4))
def test_every_series_of_values_comes_back_in_its_place(values: list[Any]) -> None:
    documents = list(yaml.load_all(yaml.dump_all(values)))

    want = [(index, value) for index, value in enumerate(values, 1) if value is not None]
    assert same([(document.index, document.value) for document in documents], want)


@given(VALUES)
def test_another_reader_sees_the_same_value(value: Any) -> None:
    assert same(pyyaml.safe_load(yaml.dumps(value)), value)


@given(
    TRICKY_TEXT | st.text(st.sampled_from(list("{}[]:,-?&*!|>'\"%@`# \n\tab1.<~"))), st.booleans()
)
def test_no_text_raises_anything_but_invalid_object(text: str, pure: bool) -> None:
    outcome = parse_or_error(text, pure=pure)

    if isinstance(outcome, InvalidObject):
        assert outcome.source is not None
        assert "\n" not in str(outcome)
    else:
        for document in outcome:
            assert same(value_of(yaml.dumps(document.value)), document.value)


@given(st.binary())
def test_no_bytes_raise_anything_but_invalid_object(data: bytes) -> None:
    try:
        found = [document.value is not None for document in yaml.load_all(data, source="x")]
    except InvalidObject as error:
        found = [error.source is not None]

    assert all(found)
