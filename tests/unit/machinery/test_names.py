"""Label rules and the check of references, in the words that the API machinery publishes."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.api.references import check_references
from interpreter.api.results import DependentObjectReference
from interpreter.errors import InvalidObject
from interpreter.machinery.names import (
    invalid,
    is_label_key,
    label_key_problems,
    label_value_problems,
    selector_problems,
    subdomain_problems,
)

VALUE_RULE = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
    "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)
NAME_RULE = (
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end "
    "with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)
SUBDOMAIN_RULE = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.',"
    " and must start and end with an alphanumeric character (e.g. 'example.com', regex used for "
    "validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
QUALIFIED_RULE = (
    "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used "
    "for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain "
    "prefix and '/' (e.g. 'example.com/MyName')"
)


@pytest.mark.parametrize("text", ["", "a", "Z9", "a.b_c-d", "0", "x" * 63])
def test_a_label_value_of_plain_letters_is_fine(text: str) -> None:
    assert label_value_problems(text) == ()


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("x" * 64, ("must be no more than 63 bytes",), id="long"),
        pytest.param("-a", (VALUE_RULE,), id="starts with a dash"),
        pytest.param("a.", (VALUE_RULE,), id="ends with a dot"),
        pytest.param("a b", (VALUE_RULE,), id="blank"),
        pytest.param("a/b", (VALUE_RULE,), id="slash"),
        pytest.param("a\n", (VALUE_RULE,), id="line end"),
        pytest.param("\u00e9", (VALUE_RULE,), id="a letter that is not ASCII"),
        pytest.param("\u0663", (VALUE_RULE,), id="a digit that is not ASCII"),
        pytest.param(
            "\u00e9" * 32, ("must be no more than 63 bytes", VALUE_RULE), id="long in bytes"
        ),
        pytest.param("\ud800", (VALUE_RULE,), id="half a character"),
    ],
)
def test_a_label_value_that_breaks_rules_names_each(text: str, want: tuple[str, ...]) -> None:
    assert label_value_problems(text) == want


@pytest.mark.parametrize(
    "text", ["app", "a.b", "A_1", "example.com/role", "x" * 63, f"{'a' * 253}/{'b' * 63}", "1/1"]
)
def test_a_label_key_is_a_name_with_an_optional_prefix(text: str) -> None:
    assert label_key_problems(text) == ()
    assert is_label_key(text)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("", ("name part must be non-empty", NAME_RULE), id="empty"),
        pytest.param("a b", (NAME_RULE,), id="blank"),
        pytest.param("x" * 64, ("name part must be no more than 63 bytes",), id="long name"),
        pytest.param("/a", ("prefix part must be non-empty",), id="empty prefix"),
        pytest.param("a.b/", ("name part must be non-empty", NAME_RULE), id="empty name"),
        pytest.param("A.b/c", (f"prefix part {SUBDOMAIN_RULE}",), id="capital prefix"),
        pytest.param(
            f"{'a' * 254}/b", ("prefix part must be no more than 253 bytes",), id="long prefix"
        ),
        pytest.param("a/b/c", (QUALIFIED_RULE,), id="two slashes"),
        pytest.param(
            "-/-", (f"prefix part {SUBDOMAIN_RULE}", NAME_RULE), id="prefix and name are wrong"
        ),
        pytest.param("\udfff", (NAME_RULE,), id="half a character"),
    ],
)
def test_a_label_key_that_breaks_rules_names_each(text: str, want: tuple[str, ...]) -> None:
    assert label_key_problems(text) == want
    assert not is_label_key(text)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("example.com", ()),
        ("a-1.b", ()),
        ("a" * 253, ()),
        ("a..b", (SUBDOMAIN_RULE,)),
        ("a_b", (SUBDOMAIN_RULE,)),
        ("", (SUBDOMAIN_RULE,)),
        ("a" * 254, ("must be no more than 253 bytes",)),
    ],
)
def test_a_subdomain_has_lower_case_parts_between_dots(text: str, want: tuple[str, ...]) -> None:
    assert subdomain_problems(text) == want


def test_a_problem_quotes_the_value() -> None:
    assert invalid("x.y", 'a"b\\c', "no") == 'x.y: Invalid value: "a\\"b\\\\c": no'


@pytest.mark.parametrize(
    "selector",
    [
        pytest.param({}, id="empty"),
        pytest.param({"matchLabels": None, "matchExpressions": None}, id="nulls"),
        pytest.param({"matchLabels": {"app": "", "example.com/tier": "web"}}, id="labels"),
        pytest.param(
            {
                "matchExpressions": [
                    {"key": "a", "operator": "In", "values": ["x", ""]},
                    {"key": "b", "operator": "NotIn", "values": ["x"]},
                    {"key": "c", "operator": "Exists"},
                    {"key": "d", "operator": "DoesNotExist", "values": []},
                ]
            },
            id="expressions",
        ),
    ],
)
def test_a_selector_that_follows_the_rules_has_no_problems(selector: dict[str, Any]) -> None:
    assert selector_problems(selector, "s") == []


@pytest.mark.parametrize(
    ("selector", "want"),
    [
        pytest.param(
            {"matchLabels": {"a b": "ok", "ok": "-"}},
            [
                f's.matchLabels: Invalid value: "a b": {NAME_RULE}',
                f's.matchLabels: Invalid value: "-": {VALUE_RULE}',
            ],
            id="labels",
        ),
        pytest.param(
            {"matchExpressions": [{"key": "a", "operator": "In"}]},
            [
                (
                    "s.matchExpressions[0].values: Required value: must be specified when "
                    "`operator` is 'In' or 'NotIn'"
                )
            ],
            id="In without values",
        ),
        pytest.param(
            {"matchExpressions": [{"key": "a", "operator": "Exists", "values": ["x"]}]},
            [
                (
                    "s.matchExpressions[0].values: Forbidden: may not be specified when "
                    "`operator` is 'Exists' or 'DoesNotExist'"
                )
            ],
            id="Exists with values",
        ),
        pytest.param(
            {"matchExpressions": [{"key": "ok", "operator": "Exists"}, {"key": "k"}]},
            ['s.matchExpressions[1].operator: Invalid value: "": not a valid selector operator'],
            id="no operator",
        ),
        pytest.param(
            {"matchExpressions": [{"key": "k", "operator": "in", "values": ["-"]}]},
            [
                (
                    's.matchExpressions[0].operator: Invalid value: "in": '
                    "not a valid selector operator"
                ),
                f's.matchExpressions[0].values[0]: Invalid value: "-": {VALUE_RULE}',
            ],
            id="unknown operator and a wrong value",
        ),
        pytest.param(
            {"matchExpressions": [None]},
            [
                's.matchExpressions[0].operator: Invalid value: "": not a valid selector operator',
                's.matchExpressions[0].key: Invalid value: "": name part must be non-empty',
                f's.matchExpressions[0].key: Invalid value: "": {NAME_RULE}',
            ],
            id="null expression",
        ),
    ],
)
def test_a_selector_that_breaks_rules_names_each(selector: dict[str, Any], want: list[str]) -> None:
    assert selector_problems(selector, "s") == want


@pytest.mark.parametrize(
    ("selector", "path"),
    [
        ({"matchLabels": []}, "s.matchLabels"),
        ({"matchLabels": {"a": 1}}, "s.matchLabels"),
        ({"matchExpressions": {}}, "s.matchExpressions"),
        ({"matchExpressions": ["a"]}, "s.matchExpressions[0]"),
        ({"matchExpressions": [{"key": 1, "operator": "Exists"}]}, "s.matchExpressions[0].key"),
        ({"matchExpressions": [{"key": "a", "operator": 1}]}, "s.matchExpressions[0].operator"),
        (
            {"matchExpressions": [{"key": "a", "operator": "In", "values": "x"}]},
            "s.matchExpressions[0].values",
        ),
        (
            {"matchExpressions": [{"key": "a", "operator": "In", "values": ["x", 1]}]},
            "s.matchExpressions[0].values[1]",
        ),
    ],
)
def test_a_selector_of_wrong_types_is_an_error_with_its_path(
    selector: dict[str, Any], path: str
) -> None:
    with pytest.raises(InvalidObject) as caught:
        selector_problems(selector, "s")
    assert caught.value.path == path


# --- References ----------------------------------------------------------------------------------


def reference(**fields: Any) -> DependentObjectReference:
    return DependentObjectReference(
        **{"api_version": "v1", "kind": "Secret", "namespace": "shop", "name": "key", **fields}
    )


def refusal(*references: DependentObjectReference) -> str:
    with pytest.raises(InvalidObject) as caught:
        check_references(references)
    return str(caught.value)


@pytest.mark.parametrize(
    "references",
    [
        pytest.param([], id="none"),
        pytest.param([reference(), reference()], id="the same twice"),
        pytest.param([reference(namespace="")], id="without namespace"),
        pytest.param([reference(name="", label_selector={})], id="every object of the kind"),
        pytest.param(
            [reference(name="", label_selector={"matchLabels": {"app": "x"}})], id="by label"
        ),
        pytest.param([reference(name="Any Name/at all")], id="names are not checked"),
    ],
)
def test_complete_references_pass(references: list[DependentObjectReference]) -> None:
    check_references(references)


@pytest.mark.parametrize(
    ("wrong", "want"),
    [
        pytest.param(
            reference(api_version=""),
            'dependencies[0].apiVersion: Invalid value: "": missing required apiVersion',
            id="apiVersion",
        ),
        pytest.param(
            reference(kind=""),
            'dependencies[0].kind: Invalid value: "": missing required kind',
            id="kind",
        ),
        pytest.param(
            reference(name=""),
            'dependencies[0]: Invalid value: {"apiVersion":"v1","kind":"Secret",'
            '"namespace":"shop"}: dependency can not leave name and labelSelector all empty',
            id="name and selector",
        ),
        pytest.param(
            reference(name="", label_selector={"matchLabels": {"app": "not ok"}}),
            f'dependencies[0].labelSelector.matchLabels: Invalid value: "not ok": {VALUE_RULE}',
            id="label",
        ),
    ],
)
def test_an_incomplete_reference_is_an_error_in_the_published_words(
    wrong: DependentObjectReference, want: str
) -> None:
    assert refusal(wrong) == want


def test_several_problems_are_joined_in_brackets_in_order_and_each_once() -> None:
    wrong = reference(api_version="", kind="")
    twice = reference(name="", label_selector={"matchLabels": {"a": "-", "b": "-"}})
    assert refusal(reference(), wrong, twice) == (
        '[dependencies[1].apiVersion: Invalid value: "": missing required apiVersion, '
        'dependencies[1].kind: Invalid value: "": missing required kind, '
        f'dependencies[2].labelSelector.matchLabels: Invalid value: "-": {VALUE_RULE}]'
    )


def test_a_reference_with_a_selector_of_a_wrong_type_is_an_error_with_its_path() -> None:
    with pytest.raises(InvalidObject) as caught:
        check_references([reference(), reference(label_selector={"matchLabels": 1})])
    assert caught.value.path == "dependencies[1].labelSelector.matchLabels"
