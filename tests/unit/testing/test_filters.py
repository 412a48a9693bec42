import pytest

from interpreter.errors import ConfigurationError
from interpreter.testing.filters import parse_filter

TEXT = "example.com/v1/Widget GetReplicas a negative count is refused"


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("negative", True),
        ("NEGATIVE COUNT", True),
        ("count negative", False),
        ("count and negative", True),
        ("retain or widget", True),
        ("not retain", True),
        ("not widget", False),
        ("widget and not (retain or refused)", False),
        ("retain or widget and refused", True),
        ("(retain or widget) and accepted", False),
        ("'is refused'", True),
        ('"not refused"', False),
        ("example.com/v1", True),
    ],
)
def test_an_expression_is_found_in_kind_operation_or_name(expression, found):
    assert parse_filter(expression)(TEXT) is found


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("", "a word is missing"),
        ("a and", "a word is missing"),
        ("(a", "a parenthesis is not closed"),
        ("a)", "')' is not expected"),
        ("'a", "a quote is not closed"),
        ("a not b", "'not' is not expected"),
    ],
)
def test_an_incomplete_expression_is_refused(expression, problem):
    with pytest.raises(ConfigurationError, match=problem.replace("(", r"\(").replace(")", r"\)")):
        parse_filter(expression)
