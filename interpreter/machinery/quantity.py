"""Kubernetes resource quantities: exact arithmetic and canonical text.

A quantity is ``digits * 10**exponent`` (an integer pair, so nothing is ever rounded by a float)
with the format it was written in. Rules are those of ``k8s.io/apimachinery/pkg/api/resource``:

* more than nine decimals round away from zero, so a tiny non-zero amount becomes 1n;
* a binary amount beyond 2^63-1 is capped there;
* a text that already counts as canonical prints as it was written (``1e3``, ``+1``, ``5.``);
* a sum has the format of its first operand, or of the second when the first is zero.

Where the reference wraps around at 64 bits (``value``, ``milli``) this module raises instead.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import INT64_MAX, INT64_MIN

Format = Literal["DecimalSI", "BinarySI", "DecimalExponent"]

NANO = -9
#: Digits that fit an int64 for sure; up to here the reference keeps the scale as it was written.
_FAST_DIGITS = 18
#: Larger exponents or longer numbers are refused at once: nobody means them, and they would cost
#: memory and time.
_MAX_EXPONENT = 3000
_MAX_TEXT = 1024

_SHAPE = re.compile(r"([+-]?)([0-9]*)(?:(\.)([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)\Z", re.ASCII)
_EXPONENT = re.compile(r"[eE]([-+]?[0-9]+)\Z", re.ASCII)
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_DECIMAL_NAMES = {exponent: name for name, exponent in _DECIMAL.items()}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_BINARY_NAMES = ("", *_BINARY)


@functools.total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Quantity:
    """``digits * 10**exponent`` in a format. Comparison is by value (``compare``, ``==``, ``<``).

    Attributes:
        digits: Signed integer.
        exponent: Power of ten, -9 or more.
        format: How it prints.
        text: The text it was read from, when that counts as canonical; else None.
        small: Whether the reference holds it as an int64 with a scale: ``as_int64`` and
            ``approximate`` depend on it.
    """

    digits: int
    exponent: int
    format: Format
    text: str | None = None
    small: bool = False

    def __str__(self) -> str:
        return self.text if self.text is not None else _canonical(self)

    @property
    def sign(self) -> int:
        """-1, 0 or 1."""
        return (self.digits > 0) - (self.digits < 0)

    def scaled(self, exponent: int) -> int:
        """The amount in units of ``10**exponent`` (0: units, -3: milli), rounded away from zero.

        Raises:
            InvalidObject: The amount does not fit an int64.
        """
        amount = self.rounded(exponent)
        if not INT64_MIN <= amount <= INT64_MAX:
            raise InvalidObject("is out of the 64-bit range", value=str(self))
        return amount

    def rounded(self, exponent: int) -> int:
        """The amount as :meth:`scaled` gives it, however large."""
        return _round_away(self.digits, self.exponent - exponent)

    @property
    def value(self) -> int:
        """Whole units, rounded away from zero."""
        return self.scaled(0)

    @property
    def milli(self) -> int:
        """Thousandths, rounded away from zero."""
        return self.scaled(-3)

    def as_int64(self) -> int | None:
        """The exact integer where the reference holds one: at most 18 digits and no fraction."""
        if not self.small or self.exponent < 0:
            return None
        amount = int(self.digits * 10**self.exponent)
        return amount if INT64_MIN <= amount <= INT64_MAX else None

    def approximate(self) -> float:
        """The amount as a float, by the reference's arithmetic: ``0.3`` is 0.30000000000000004."""
        digits, exponent = self.digits, self.exponent
        if not self.small:
            # What does not fit an int64 is held in nanos there.
            digits, exponent = digits * 10 ** (exponent - NANO), NANO
        try:
            base = float(digits)
        except OverflowError:
            return float("inf") if digits > 0 else float("-inf")
        return base if exponent == 0 else base * _power_of_ten(exponent)

    def compare(self, other: Quantity) -> int:
        """-1, 0 or 1, by value."""
        left, right, _exponent = _aligned(self, other)
        return (left > right) - (left < right)

    def __eq__(self, other: object) -> bool:
        return self.compare(other) == 0 if isinstance(other, Quantity) else NotImplemented

    def __lt__(self, other: Quantity) -> bool:
        return self.compare(other) < 0

    def __hash__(self) -> int:
        return hash(_strip_tens(self.digits, self.exponent))

    def __add__(self, other: Quantity) -> Quantity:
        left, right, exponent = _aligned(self, other)
        return Quantity(left + right, exponent, self.format if self.digits else other.format)

    def __neg__(self) -> Quantity:
        return Quantity(-self.digits, self.exponent, self.format)

    def __sub__(self, other: Quantity) -> Quantity:
        return self + -other


def _aligned(left: Quantity, right: Quantity) -> tuple[int, int, int]:
    """Digits of two quantities at their smaller exponent, and that exponent."""
    exponent = min(left.exponent, right.exponent)
    return (
        int(left.digits * 10 ** (left.exponent - exponent)),
        int(right.digits * 10 ** (right.exponent - exponent)),
        exponent,
    )


ZERO = Quantity(0, 0, "DecimalSI", "0", small=True)


@functools.lru_cache(maxsize=8192)
def parse(text: str) -> Quantity:
    """Reads a quantity such as ``100m``, ``1.5Gi`` or ``2e3``. Blanks are not allowed.

    Raises:
        InvalidObject: The text is no quantity, or its exponent or length is beyond all use.
    """
    shape = _SHAPE.match(text) if len(text) <= _MAX_TEXT else None
    if shape is None or not text:
        raise InvalidObject(
            "is not a quantity", hint="a number with a suffix, such as 500m, 2 or 1.5Gi", value=text
        )
    sign, whole, _, decimals, suffix = shape.groups()
    whole, decimals = whole.lstrip("0"), decimals or ""
    form, power = _suffix(suffix, text)
    digits = whole + decimals
    amount = int(digits or "0")
    if form == "BinarySI":
        return _binary(-amount if sign == "-" else amount, power, len(whole), decimals)
    exponent = power - len(decimals)
    if len(digits) > _FAST_DIGITS or exponent < NANO:
        amount, exponent, small = _at_least_nano(amount, exponent), max(exponent, NANO), False
        kept = None
    else:
        small = True
        canonical = exponent % 3 == 0 and whole != "" and digits[-3:] != "000"
        kept = text if canonical else None
    return Quantity(-amount if sign == "-" else amount, exponent, form, kept, small=small)


def parse_json(value: Any) -> Quantity:
    """Reads a quantity from a JSON value.

    A string (blanks around it are fine), a number, or null (zero).

    Raises:
        InvalidObject: Any other type, or a text that is no quantity.
    """
    if isinstance(value, str):
        try:
            return parse(value)
        except InvalidObject:
            return parse(value.strip(" "))
    if value is None:
        return ZERO
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return parse(_json_number(value))
    raise InvalidObject("must be a quantity: a string or a number", value=value)


@functools.lru_cache(maxsize=8192)
def format_scaled(amount: int, exponent: int, form: Format) -> str:
    """Canonical text of ``amount * 10**exponent`` in a format.

    ``(1500, -3, "DecimalSI")`` is ``1500m``.
    """
    return _canonical(Quantity(amount, exponent, form))


def total(quantities: list[Quantity]) -> Quantity:
    """Sum of quantities; zero in decimal format for none."""
    result = ZERO
    for quantity in quantities:
        result = result + quantity
    return result


def _suffix(suffix: str, text: str) -> tuple[Format, int]:
    if suffix in _DECIMAL:
        return "DecimalSI", _DECIMAL[suffix]
    if suffix in _BINARY:
        return "BinarySI", _BINARY[suffix]
    written = _EXPONENT.match(suffix)
    if written is None:
        raise InvalidObject(
            f"has the unknown suffix {suffix!r}",
            hint="n u m k M G T P E, Ki Mi Gi Ti Pi Ei, or an exponent such as e3",
            value=text,
        )
    exponent = int(written.group(1))
    if exponent > _MAX_EXPONENT:
        raise InvalidObject(f"has an exponent above {_MAX_EXPONENT}", value=text)
    return "DecimalExponent", exponent


def _binary(amount: int, power: int, whole_digits: int, decimals: str) -> Quantity:
    """A quantity with a binary suffix: ``amount`` has ``decimals`` behind its point."""
    # The reference keeps an integer while the estimated number of decimal digits stays below 15.
    if not decimals and 15 - whole_digits - power * 3 // 10 - 1 >= 0:
        return Quantity(amount << power, 0, "BinarySI", small=True)
    sign = -1 if amount < 0 else 1
    exponent = max(-len(decimals), NANO)
    size = _at_least_nano(abs(amount) << power, -len(decimals))
    if size > INT64_MAX * 10**-exponent:
        size, exponent = INT64_MAX, 0
    if 0 < size < 10**-exponent:
        return Quantity(sign * size, exponent, "DecimalSI")
    return Quantity(sign * size, exponent, "BinarySI")


def _at_least_nano(amount: int, exponent: int) -> int:
    """An amount whose exponent is below nano in nanos, rounded up; any other unchanged."""
    return amount if exponent >= NANO else _round_away(amount, exponent - NANO)


def _round_away(digits: int, exponent: int) -> int:
    """``digits * 10**exponent`` as an integer, fractions rounded away from zero."""
    if exponent >= 0:
        return int(digits * 10**exponent)
    size = abs(digits)
    # Below one tenth of a unit every non-zero amount is 1: no need to build a huge power.
    if -exponent > size.bit_length() + 1:
        rounded = 1 if size else 0
    else:
        rounded = -(-size // 10**-exponent)
    return rounded if digits >= 0 else -rounded


def _canonical(quantity: Quantity) -> str:
    digits, exponent, form = quantity.digits, quantity.exponent, quantity.format
    if digits == 0:
        return "0"
    if form == "BinarySI":
        whole = digits * 10**exponent if exponent >= 0 else _exact_quotient(digits, 10**-exponent)
        if whole is not None and abs(whole) >= 1024:
            step = 0
            while whole % 1024 == 0 and step < len(_BINARY_NAMES) - 1:
                whole //= 1024
                step += 1
            return f"{whole}{_BINARY_NAMES[step]}"
        form = "DecimalSI"
    digits, exponent = _strip_tens(digits, exponent)
    exponent, rest = exponent // 3 * 3, exponent % 3
    if form == "DecimalSI" and exponent > 18:
        exponent, rest = 18, exponent + rest - 18
    digits *= 10**rest
    if form == "DecimalSI":
        return f"{digits}{_DECIMAL_NAMES[exponent]}"
    return f"{digits}e{exponent}" if exponent else str(digits)


def _exact_quotient(digits: int, divisor: int) -> int | None:
    quotient, rest = divmod(digits, divisor)
    return None if rest else quotient


def _strip_tens(digits: int, exponent: int) -> tuple[int, int]:
    """Moves trailing zeros of ``digits`` into the exponent."""
    if digits == 0:
        return 0, 0
    while digits % 1000 == 0:
        digits //= 1000
        exponent += 3
    while digits % 10 == 0:
        digits //= 10
        exponent += 1
    return digits, exponent


def _power_of_ten(exponent: int) -> float:
    """``10**exponent`` as the reference's math library builds it, not the nearest double.

    It multiplies two entries of tables: steps of 32, and the rest.
    """
    if exponent > 308:
        return float("inf")
    size = abs(exponent)
    high, low = float(f"1e{size // 32 * 32}"), float(f"1e{size % 32}")
    return high * low if exponent > 0 else float(f"1e-{size // 32 * 32}") / low


def _json_number(value: int | float) -> str:
    """A JSON number's text as the reference writes it (exponents only outside 1e-6..1e21)."""
    if isinstance(value, int):
        if value.bit_length() > 3000:
            raise InvalidObject("is out of range for a quantity", value=value)
        return str(value)
    if value != value or value in (float("inf"), float("-inf")):
        raise InvalidObject("must be a finite number", value=value)
    if value == 0:
        return "0"
    if 1e-6 <= abs(value) < 1e21:
        text = format(Decimal(repr(value)), "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    return repr(value)
