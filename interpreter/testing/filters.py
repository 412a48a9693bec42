"""The ``-k`` expression: words joined by ``and``, ``or``, ``not`` and parentheses, found in a text.

Words that follow each other are one phrase: ``negative count or retain`` looks for ``negative
count`` or ``retain``. Upper and lower case do not matter. Quotes keep an operator's word a word:
``"not healthy"``.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from interpreter.errors import ConfigurationError

Filter = Callable[[str], bool]

_TOKEN = re.compile(r"""\s*(?:([()])|"([^"]*)"|'([^']*)'|([^\s()"']+))""")
_OPERATORS = frozenset({"and", "or", "not", "(", ")"})


def everything(_text: str) -> bool:
    """Takes each case."""
    return True


def parse_filter(expression: str) -> Filter:
    """Reads an expression.

    Raises:
        ConfigurationError: The expression is not complete.
    """
    parser = _Parser(expression)
    chosen = parser.either()
    if parser.tokens:
        raise parser.error(f"{parser.tokens[0][0]!r} is not expected")
    return lambda text: chosen(text.lower())


class _Parser:
    """Recursive descent over tokens of (text, whether it is an operator)."""

    def __init__(self, expression: str) -> None:
        self.expression = expression
        self.tokens: list[tuple[str, bool]] = []
        position = 0
        text = expression.rstrip()
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise self.error("a quote is not closed")
            bracket, double, single, word = match.groups()
            quoted = double if double is not None else single
            if quoted is not None:
                self.tokens.append((quoted, False))
            else:
                token = bracket or word
                self.tokens.append((token, token in _OPERATORS))
            position = match.end()

    def error(self, problem: str) -> ConfigurationError:
        return ConfigurationError(
            f"-k {self.expression!r}: {problem}", hint="such as 'retain and not (empty or null)'"
        )

    def take(self, operator: str) -> bool:
        if self.tokens and self.tokens[0] == (operator, True):
            self.tokens.pop(0)
            return True
        return False

    def either(self) -> Filter:
        choices = [self.both()]
        while self.take("or"):
            choices.append(self.both())
        return lambda text: any(choice(text) for choice in choices)

    def both(self) -> Filter:
        parts = [self.single()]
        while self.take("and"):
            parts.append(self.single())
        return lambda text: all(part(text) for part in parts)

    def single(self) -> Filter:
        if self.take("not"):
            inner = self.single()
            return lambda text: not inner(text)
        if self.take("("):
            inner = self.either()
            if not self.take(")"):
                raise self.error("a parenthesis is not closed")
            return inner
        words = []
        while self.tokens and not self.tokens[0][1]:
            words.append(self.tokens.pop(0)[0])
        if not words:
            raise self.error("a word is missing")
        phrase = " ".join(words).lower()
        return lambda text: phrase in text
