"""Quantities: exact amounts, canonical texts, and errors instead of wrapped or rounded numbers."""

from __future__ import annotations

import contextlib
import math
import random
import time
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from interpreter.errors import InvalidObject
from interpreter.machinery.quantity import (
    ZERO,
    Quantity,
    format_scaled,
    parse,
    parse_json,
    total,
)

INT64_MAX = 2**63 - 1
NANO = Fraction(1, 10**9)


def amount(quantity: Quantity) -> Fraction:
    """The exact amount, by arithmetic that is not ours."""
    return quantity.digits * Fraction(10) ** quantity.exponent


def refusal(text: str) -> InvalidObject:
    with pytest.raises(InvalidObject) as caught:
        parse(text)
    return caught.value


@pytest.mark.parametrize(
    "text",
    [
        "+7",
        "0042",
        "12.",
        "5e3",
        "900e0",
        "7M",
        "12.345678M",
        "2500m",
        "-3",
        "1u",
        "8n",
        "4E",
        "1E6",
    ],
)
def test_a_text_that_counts_as_canonical_is_printed_as_written(text: str) -> None:
    assert str(parse(text)) == text


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("1.5", "1500m"),
        ("-1.5", "-1500m"),
        ("0.5", "500m"),
        (".5", "500m"),
        ("3000m", "3"),
        ("70000", "70k"),
        ("1000k", "1M"),
        ("5000P", "5E"),
        ("1000E", "1000E"),
        ("30000E", "30000E"),
        ("1.25e3", "1250"),
        ("1e4", "10e3"),
        ("1e-7", "100e-9"),
        ("2E1", "20"),
        ("0.25Gi", "256Mi"),
        ("1.5Gi", "1536Mi"),
        ("1024Ki", "1Mi"),
        ("1000Ki", "1000Ki"),
        ("1048576Mi", "1Ti"),
        ("0.5Mi", "512Ki"),
        ("0.5Ki", "512"),
        ("0.1Ki", "102400m"),
        ("-2048Mi", "-2Gi"),
        ("1.0Ti", "1Ti"),
    ],
)
def test_another_text_is_printed_in_canonical_form(text: str, want: str) -> None:
    assert str(parse(text)) == want


@pytest.mark.parametrize(
    "text", ["0", "0.000", "-0", "+", "-", ".", "Ki", "m", "0Gi", "0e5", "-.n"]
)
def test_every_way_of_writing_zero_is_zero(text: str) -> None:
    zero = parse(text)
    assert (zero.sign, zero.value, zero.milli, str(zero)) == (0, 0, 0, "0")


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("1.0000000001", "1000000001n"),
        ("-1.0000000001", "-1000000001n"),
        ("0.0000000001", "1n"),
        ("-0.0000000001", "-1n"),
        ("0.01n", "1n"),
        ("2.5n", "3n"),
        ("0.00000000000000000001k", "1n"),
    ],
)
def test_more_than_nine_decimals_round_away_from_zero(text: str, want: str) -> None:
    assert str(parse(text)) == want


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("2", "DecimalSI"),
        ("2k", "DecimalSI"),
        ("2E", "DecimalSI"),
        ("2Ki", "BinarySI"),
        ("2e0", "DecimalExponent"),
        ("2E3", "DecimalExponent"),
        ("2e-3", "DecimalExponent"),
    ],
)
def test_the_suffix_decides_the_format(text: str, want: str) -> None:
    assert parse(text).format == want


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param(" 1", id="blank before"),
        pytest.param("1 ", id="blank behind"),
        pytest.param("1 Gi", id="blank inside"),
        pytest.param("1\n", id="line end"),
        pytest.param("five", id="word"),
        pytest.param("1.2.3", id="two points"),
        pytest.param("--1", id="two signs"),
        pytest.param("1-", id="sign behind"),
        pytest.param("1K", id="capital kilo"),
        pytest.param("1ki", id="small kibi"),
        pytest.param("1g", id="small giga"),
        pytest.param("1GI", id="capital i"),
        pytest.param("1Zi", id="zebi"),
        pytest.param("1e", id="exponent without digits"),
        pytest.param("1e+", id="exponent of a sign"),
        pytest.param("1e3.5", id="fractional exponent"),
        pytest.param("1e3k", id="exponent and suffix"),
        pytest.param("0x10", id="hexadecimal"),
        pytest.param("1_000", id="underscore"),
        pytest.param("1,5", id="comma"),
        pytest.param("\u0967", id="a digit that is not ASCII"),
        pytest.param("nan", id="nan"),
        pytest.param("inf", id="infinity"),
        pytest.param("1\x00", id="null character"),
        pytest.param("\ud800", id="half a character"),
    ],
)
def test_what_is_no_quantity_is_an_error_with_the_text(text: str) -> None:
    error = refusal(text)
    assert error.value == text
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("1e10000", id="just too large"),
        pytest.param("1e300099999999", id="larger than memory"),
        pytest.param("1E+" + "9" * 900, id="hundreds of digits"),
        pytest.param("0e30009999999", id="of zero"),
    ],
)
def test_a_huge_exponent_is_an_error_at_once(text: str) -> None:
    started = time.process_time()
    assert "exponent" in refusal(text).message
    assert time.process_time() - started < 1


@pytest.mark.parametrize("exponent", ["-10000", "-999999999999", "-" + "9" * 900])
def test_a_huge_negative_exponent_is_the_smallest_amount_at_once(exponent: str) -> None:
    started = time.process_time()
    tiny, debt = parse(f"1e{exponent}"), parse(f"-1e{exponent}")
    assert (amount(tiny), amount(debt)) == (NANO, -NANO)
    assert time.process_time() - started < 1


def test_a_text_of_a_thousand_digits_is_exact_and_a_longer_one_is_refused() -> None:
    assert parse("9" * 1000).digits == 10**1000 - 1
    assert refusal("9" * 2000).message == "is not a quantity"


@pytest.mark.parametrize(
    ("text", "units", "thousandths"),
    [
        ("1500m", 2, 1500),
        ("-1500m", -2, -1500),
        ("1n", 1, 1),
        ("-1n", -1, -1),
        ("1001u", 1, 2),
        ("2Gi", 2147483648, 2147483648000),
        ("0.1Ki", 103, 102400),
        ("3e2", 300, 300000),
        ("0", 0, 0),
    ],
)
def test_whole_units_and_thousandths_round_away_from_zero(
    text: str, units: int, thousandths: int
) -> None:
    assert (parse(text).value, parse(text).milli) == (units, thousandths)


@pytest.mark.parametrize(
    ("text", "exponent"),
    [
        ("9223372036854775808", 0),
        ("-9223372036854775809", 0),
        ("10E", 0),
        ("9E", -3),
        ("8Ei", -3),
        ("1e3000", 0),
        ("-1e3000", -9),
    ],
)
def test_an_amount_beyond_int64_is_an_error_with_the_amount(text: str, exponent: int) -> None:
    with pytest.raises(InvalidObject, match="64-bit range") as caught:
        parse(text).scaled(exponent)
    assert parse(str(caught.value.value)) == parse(text)


def test_the_ends_of_int64_are_inside() -> None:
    assert parse("9223372036854775807").value == INT64_MAX
    assert parse("-9223372036854775808").value == -INT64_MAX - 1
    assert parse("9223372036854775807m").milli == INT64_MAX


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("7Ei", 7 * 2**60),
        ("8Ei", INT64_MAX),
        ("16Ei", INT64_MAX),
        ("-9Ei", -INT64_MAX),
        ("7.99999999999999999999Ei", INT64_MAX),
        ("9223372036854775807Ki", INT64_MAX),
        ("10E", 10**19),
        ("1e30", 10**30),
    ],
)
def test_binary_amounts_are_capped_at_int64_and_decimal_ones_are_not(text: str, want: int) -> None:
    assert amount(parse(text)) == want


@pytest.mark.parametrize(
    ("left", "right", "want"),
    [
        ("1", "1000m", 0),
        ("1k", "1Ki", -1),
        ("1Mi", "1M", 1),
        ("-1", "1", -1),
        ("-2", "-1", -1),
        ("0", "-0", 0),
        ("1e3", "1k", 0),
        ("1n", "0", 1),
        ("0.3", "300m", 0),
        ("1e3000", "1e2999", 1),
        ("1e3000", "1e3000", 0),
        ("-1e3000", "1n", -1),
        ("10000000000000001", "10000000000000000", 1),
    ],
)
def test_quantities_compare_by_amount(left: str, right: str, want: int) -> None:
    one, other = parse(left), parse(right)
    assert one.compare(other) == want
    assert other.compare(one) == -want
    assert (one == other, one < other, one > other) == (want == 0, want < 0, want > 0)
    assert want != 0 or hash(one) == hash(other)


def test_a_quantity_equals_no_text_and_no_number() -> None:
    assert parse("1") != "1"
    assert parse("1") != 1


def test_quantities_can_be_sorted() -> None:
    texts = ["-1Gi", "-1", "0", "1n", "999m", "1", "1k", "1Ki", "1e9"]
    mixed = random.Random(7).sample(texts, k=len(texts))
    assert [str(quantity) for quantity in sorted(map(parse, mixed))] == texts


@pytest.mark.parametrize(
    ("left", "right", "want"),
    [
        pytest.param("1", "1Gi", "1073741825", id="decimal stays decimal"),
        pytest.param("1Gi", "1", "1073741825", id="binary without a divisor"),
        pytest.param("3Mi", "1k", "3146728", id="binary of no whole kibi"),
        pytest.param("1Gi", "1Gi", "2Gi", id="binary"),
        pytest.param("1Ki", "1047552", "1Mi", id="binary takes the larger unit"),
        pytest.param("1Ki", "500m", "1024500m", id="a fraction leaves the binary format"),
        pytest.param("0", "1Gi", "1Gi", id="zero takes the format of the second"),
        pytest.param("0Gi", "1000", "1k", id="binary zero takes the format of the second"),
        pytest.param("1Gi", "0", "1Gi", id="zero second"),
        pytest.param("1e3", "1k", "2e3", id="exponent"),
        pytest.param("1k", "1e3", "2k", id="decimal and exponent"),
        pytest.param("+1", "0", "1", id="the text of the first is not kept"),
        pytest.param("0", "+1", "1", id="the text of the second is not kept"),
        pytest.param("1", "-1", "0", id="nothing is left"),
        pytest.param("250m", "250m", "500m", id="milli"),
        pytest.param("1n", "1", "1000000001n", id="nano"),
        pytest.param("9E", "9E", "18E", id="beyond int64"),
    ],
)
def test_a_sum_has_the_format_of_its_first_operand(left: str, right: str, want: str) -> None:
    assert str(parse(left) + parse(right)) == want


@pytest.mark.parametrize(
    ("left", "right", "want"),
    [
        ("1Gi", "512Mi", "512Mi"),
        ("1", "1500m", "-500m"),
        ("0", "2Ki", "-2Ki"),
        ("1Ki", "1Ki", "0"),
        ("2e3", "500", "1500"),
    ],
)
def test_a_difference_has_the_format_of_its_first_operand(left: str, right: str, want: str) -> None:
    assert str(parse(left) - parse(right)) == want


def test_a_total_is_zero_for_none_and_exact_for_many() -> None:
    assert str(total([])) == "0"
    assert str(total([parse("0.1")] * 10)) == "1"
    assert str(total([parse("1Gi"), parse("1Mi"), parse("1Ki")])) == "1049601Ki"


def test_a_sum_with_the_largest_exponent_is_exact_and_can_be_printed() -> None:
    # Python writes no integer of more than 4300 digits, so the exponent has to stay below that.
    assert str(parse("1") + parse("1e3000")) == f"1{'0' * 2999}1"
    longest = parse("9" * 1000 + "e3000") + parse("1n")
    assert parse(str(parse("9" * 1000 + "e3000"))) < longest
    assert str(longest).endswith("1e-9")


@pytest.mark.parametrize(
    ("units", "exponent", "form", "want"),
    [
        (1500, -3, "DecimalSI", "1500m"),
        (2000, -3, "DecimalSI", "2"),
        (3 * 2**30, 0, "BinarySI", "3Gi"),
        (1023, 0, "BinarySI", "1023"),
        (1000, 0, "BinarySI", "1k"),
        (12, 4, "DecimalExponent", "120e3"),
        (0, 5, "BinarySI", "0"),
        (INT64_MAX, 0, "BinarySI", "9223372036854775807"),
    ],
)
def test_an_integer_and_its_unit_print_canonically(
    units: int, exponent: int, form: Any, want: str
) -> None:
    assert format_scaled(units, exponent, form) == want


@pytest.mark.parametrize(
    ("value", "want"),
    [
        pytest.param("2Gi", "2Gi", id="text"),
        pytest.param("  2Gi ", "2Gi", id="text between blanks"),
        pytest.param(None, "0", id="null"),
        pytest.param(7, "7", id="integer"),
        pytest.param(-4000, "-4k", id="negative integer"),
        pytest.param(0, "0", id="zero"),
        pytest.param(2**70, str(2**70), id="integer beyond int64"),
        pytest.param(2.5, "2500m", id="float"),
        pytest.param(3.0, "3", id="whole float"),
        pytest.param(-0.0, "0", id="negative zero"),
        pytest.param(0.1, "100m", id="a float means the number it is written as"),
        pytest.param(1e-6, "1u", id="small float"),
        pytest.param(1e-10, "1e-9", id="tiny float"),
        pytest.param(1e20, "100E", id="large float"),
    ],
)
def test_json_strings_numbers_and_null_are_quantities(value: Any, want: str) -> None:
    assert str(parse_json(value)) == want


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(True, id="boolean"),
        pytest.param([], id="list"),
        pytest.param({"value": 1}, id="object"),
        pytest.param(math.nan, id="nan"),
        pytest.param(math.inf, id="infinity"),
        pytest.param(-math.inf, id="negative infinity"),
        pytest.param(10**5000, id="an integer that cannot be written out"),
        pytest.param("\t5", id="tabulator"),
        pytest.param("  ", id="blanks"),
        pytest.param("", id="empty"),
        pytest.param("5 5", id="blank inside"),
        pytest.param("9" * 5000, id="thousands of digits"),
    ],
)
def test_other_json_values_are_errors(value: Any) -> None:
    with pytest.raises(InvalidObject) as caught:
        parse_json(value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("2k", 2000),
        ("1Gi", 2**30),
        ("-3", -3),
        ("1.5", None),
        ("1500m", None),
        ("8Ei", None),
        ("10E", None),
        ("1234567890123456789", None),
    ],
)
def test_the_exact_integer_is_known_for_short_whole_numbers(text: str, want: int | None) -> None:
    assert parse(text).as_int64() == want


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("0", 0.0),
        ("250m", 0.25),
        ("1Ki", 1024.0),
        ("-2", -2.0),
        ("1e3", 1000.0),
        ("1e3000", math.inf),
        ("-1e3000", -math.inf),
    ],
)
def test_an_approximation_is_a_float(text: str, want: float) -> None:
    assert parse(text).approximate() == want


# --- Properties ----------------------------------------------------------------------------------

_UNITS: dict[str, Fraction] = {
    **{name: Fraction(1000) ** power for power, name in enumerate(("", *"kMGTPE"))},
    **{name: Fraction(1, 1000**power) for power, name in enumerate("mun", start=1)},
    **{f"{name}i": Fraction(1024) ** power for power, name in enumerate("KMGTPE", start=1)},
    **{f"e{power}": Fraction(10) ** power for power in range(-25, 31)},
}
_DIGITS = st.text("0123456789", max_size=24)


@st.composite
def written(draw: st.DrawFn) -> tuple[str, Fraction]:
    """A quantity's text and the number it stands for, before any rounding."""
    sign, whole, decimals = draw(st.sampled_from(["", "+", "-"])), draw(_DIGITS), draw(_DIGITS)
    suffix = draw(st.sampled_from(sorted(_UNITS)))
    point = "." if decimals or draw(st.booleans()) else ""
    number = Fraction(f"{sign}{whole or '0'}.{decimals or '0'}") * _UNITS[suffix]
    return f"{sign}{whole}{point}{decimals}{suffix}" or "0", number


QUANTITIES = written().map(lambda pair: parse(pair[0]))


def rounded(number: Fraction) -> Fraction:
    """Away from zero, to whole nanos."""
    nanos = math.ceil(abs(number) / NANO) * NANO
    return nanos if number >= 0 else -nanos


@given(written())
def test_a_text_means_its_number_rounded_up_to_nanos_and_capped_when_binary(
    pair: tuple[str, Fraction],
) -> None:
    text, number = pair
    want = rounded(number)
    if text.endswith("i") and abs(want) > INT64_MAX:
        want = Fraction(INT64_MAX if number > 0 else -INT64_MAX)
    assert amount(parse(text)) == want


@given(QUANTITIES)
def test_a_printed_quantity_reads_back_with_the_same_amount(quantity: Quantity) -> None:
    again = parse(str(quantity))
    assert again == quantity
    assert amount(again) == amount(quantity)
    assert hash(again) == hash(quantity)


@given(QUANTITIES)
def test_the_canonical_text_is_a_fixed_point(quantity: Quantity) -> None:
    canonical = quantity + ZERO
    # A binary amount without a binary unit prints as a plain number, which reads as decimal.
    assume(canonical.format != "BinarySI" or str(canonical).endswith("i"))
    text = str(canonical)
    assert str(parse(text)) == text
    assert str(parse(text) + ZERO) == text


@given(QUANTITIES, QUANTITIES)
def test_adding_and_subtracting_gives_the_first_amount_back(one: Quantity, two: Quantity) -> None:
    assert one + two - two == one
    assert amount(one + two) == amount(one) + amount(two)
    assert amount(one - two) == amount(one) - amount(two)
    assert one + two == two + one


@given(QUANTITIES, QUANTITIES)
def test_the_order_agrees_with_the_order_of_fractions(one: Quantity, two: Quantity) -> None:
    left, right = amount(one), amount(two)
    assert one.compare(two) == (left > right) - (left < right)
    assert (one < two, one == two, one > two) == (left < right, left == right, left > right)


@given(QUANTITIES, st.integers(min_value=-9, max_value=6))
def test_scaling_rounds_away_from_zero_or_is_an_error(quantity: Quantity, exponent: int) -> None:
    units = abs(amount(quantity)) / Fraction(10) ** exponent
    want = math.ceil(units) * quantity.sign
    if -INT64_MAX - 1 <= want <= INT64_MAX:
        assert quantity.scaled(exponent) == want
    else:
        with pytest.raises(InvalidObject):
            quantity.scaled(exponent)


@given(
    st.integers(min_value=-(10**30), max_value=10**30),
    st.integers(min_value=-9, max_value=40),
    st.sampled_from(["DecimalSI", "BinarySI", "DecimalExponent"]),
)
def test_formatting_loses_nothing(units: int, exponent: int, form: Any) -> None:
    number = units * Fraction(10) ** exponent
    assume(form != "BinarySI" or abs(number) <= INT64_MAX)
    assert amount(parse(format_scaled(units, exponent, form))) == number


@settings(max_examples=300)
@given(
    st.text("0123456789+-.eEinumkKMGTP ", max_size=12) | st.text(max_size=6),
)
def test_any_text_is_a_quantity_or_an_error(text: str) -> None:
    with contextlib.suppress(InvalidObject):
        quantity = parse(text)
        assert parse(str(quantity)) == quantity


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_json_float_is_read_by_its_shortest_text(number: float) -> None:
    assert amount(parse_json(number)) == rounded(Fraction(repr(number)))
