"""JSONPath templates in the dialect of Kubernetes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.codec import jsonpath
from interpreter.errors import InvalidObject

SHOP: dict[str, Any] = {
    "name": "corner",
    "open": True,
    "note": None,
    "size": 1_250_000,
    "rating": 4.5,
    "books": [
        {"title": "Emma", "price": 7, "tags": ["old", "long"]},
        {"title": "Ulysses", "price": 12.5},
        {"title": "Ada", "price": 9, "tags": []},
    ],
    "by.dot": "dotted",
    "owner": {"zoe": {"age": 40}, "abe": {"age": 31}},
}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param("plain", "plain", id="text is copied"),
        pytest.param("{.name}", "corner", id="field"),
        pytest.param("{$.name}{@.name}", "cornercorner", id="dollar and at change nothing"),
        pytest.param("{['name']}", "corner", id="quoted key"),
        pytest.param("{.by\\.dot}", "dotted", id="escaped dot"),
        pytest.param("{.open} {.note}", "true null", id="boolean and null"),
        pytest.param("{.size}", "1250000", id="integer in full"),
        pytest.param("{.rating}", "4.5", id="fraction"),
        pytest.param("{.books[0].title}", "Emma", id="index"),
        pytest.param("{.books[-1].title}", "Ada", id="index from the end"),
        pytest.param("{.books[0:2].title}", "Emma Ulysses", id="slice is half-open"),
        pytest.param("{.books[::2].title}", "Emma Ada", id="step"),
        pytest.param("{.books[1:1].title}", "", id="empty slice"),
        pytest.param("{.books[*].tags[*]}", "old long", id="key that some items lack"),
        pytest.param("{.books[0]['title','price']}", "Emma 7", id="union"),
        pytest.param("{.books[?(@.price==7)].title}", "Emma", id="equality by value"),
        pytest.param("{.books[?(@.price>=9)].title}", "Ulysses Ada", id="order by value"),
        pytest.param('{.books[?(@.title!="Ada")].price}', "7 12.5", id="text"),
        pytest.param("{.books[?(@.tags)].title}", "Emma Ada", id="existence"),
        pytest.param("{.books[?(@.isbn)].title}", "", id="nothing exists"),
        pytest.param("{..age}", "31 40", id="descent by name"),
        pytest.param("{.owner.*.age}", "31 40", id="wildcard by name"),
        pytest.param("{.owner.zoe}", '{"age":40}', id="object as JSON"),
        pytest.param('{"a }b"}', "a }b", id="quoted text"),
        pytest.param("{range .books[*]}{.title}={.price};{end}", "Emma=7;Ulysses=12.5;Ada=9;"),
        pytest.param("{range .books[?(@.isbn)]}{.nothing}{end}", "", id="range over nothing"),
        pytest.param("{..age..age}", "", id="nothing below is nothing to look in"),
        pytest.param("{}", None, id="the whole value"),
    ],
)
def test_a_template_renders(path: str, text: str | None) -> None:
    rendered = jsonpath.parse(path).render(SHOP)
    assert rendered == text if text is not None else rendered.startswith('{"books":')


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        pytest.param("{.missing}", "missing is not found", id="missing key"),
        pytest.param("{.name.first}", "first is not found", id="field of a text"),
        pytest.param("{.books[9]}", "outside a list of 3", id="index"),
        pytest.param("{.books[0:9]}", "outside a list of 3", id="bound is not clipped"),
        pytest.param("{.books[2:1]}", "ends before it", id="reversed slice"),
        pytest.param("{.books[0:3:0]}", "must be positive", id="step"),
        pytest.param("{.name[0]}", "only a list", id="index into a text"),
        pytest.param("{.books[?(@.isbn=='1')].title}", "isbn is not found", id="compares nothing"),
        pytest.param("{.books[?(@.title==7)]}", "cannot be compared", id="two types"),
        pytest.param("{.books[?(@.tags=='old')]}", "tags is not found|cannot be", id="list"),
    ],
)
def test_what_leads_nowhere_is_an_error_that_names_the_template(path: str, problem: str) -> None:
    with pytest.raises(InvalidObject, match=problem) as caught:
        jsonpath.parse(path).render(SHOP)
    assert caught.value.path == path


@pytest.mark.parametrize(
    "path",
    [
        "{.name",
        "{.books[}",
        "{.books[x]}",
        "{.books[]}",
        "{name}",
        "{end}",
        "{....name}",
        "{.books[?(@.price=>1)]}",
        "{.books[?(@.price>1}",
        "{'open}",
        "{.a\n.b}",
        "{1.2.3}",
        pytest.param("{.x}" * 4000, id="too long"),
    ],
)
def test_a_template_that_is_none_is_an_error_before_there_is_a_value(path: str) -> None:
    with pytest.raises(InvalidObject) as caught:
        jsonpath.parse(path)
    assert caught.value.path == path[:80]


def test_a_hint_says_that_a_field_has_a_dot() -> None:
    with pytest.raises(InvalidObject, match=r"a field is written with a dot: \.replicas"):
        jsonpath.parse("{replicas}")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(10**30, str(10**30), id="any size"),
        pytest.param(3.0, "3", id="whole float"),
        pytest.param(0.0001, "0.0001", id="small"),
        pytest.param(0.00009, "9e-05", id="smaller"),
        pytest.param(1234567.5, "1.2345675e+06", id="large"),
        pytest.param(-2.5e22, "-2.5e+22", id="negative"),
        pytest.param(["<", 2.0], '["\\u003c",2]', id="list"),
    ],
)
def test_numbers_have_the_fewest_digits(value: Any, text: str) -> None:
    assert jsonpath.parse("{@}").render(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_reads_back_the_same(value: float) -> None:
    assert float(jsonpath.parse("{@}").render(value)) == value


_KEYS = st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1, max_size=5)


@given(st.dictionaries(_KEYS, st.integers() | st.text(max_size=5), min_size=1))
def test_every_field_is_found_by_its_name(value: dict[str, Any]) -> None:
    for key, item in value.items():
        assert jsonpath.parse(f"{{.{key}}}").render(value) == str(item)
        assert jsonpath.parse(f"{{['{key}']}}").render(value) == str(item)


def test_descents_that_multiply_each_other_end() -> None:
    deep: Any = 1
    for _ in range(60):
        deep = {"a": [deep, 1]}
    with pytest.raises(InvalidObject, match="more than"):
        jsonpath.parse("{" + "..*" * 6 + "}").render(deep)


def test_loops_that_multiply_each_other_end() -> None:
    nested: Any = [1, 2]
    for _ in range(18):
        nested = [nested, nested]
    with pytest.raises(InvalidObject, match="no reasonable end"):
        jsonpath.parse("{range [*]}" * 18 + "x").render(nested)
