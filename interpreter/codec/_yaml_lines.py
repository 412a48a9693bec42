"""JSON values from YAML in the form that programs write, line by line.

Dumps of clusters are large and plain: block maps and lists, a scalar a line, literal blocks. That
form is read here at several times the speed of the parser. Everything else is the parser's: a
scalar that goes on in further lines, or that is a flow collection, is handed to it alone; a text
with anything unusual (anchors that are used, complex keys, tabs, a duplicate key, any error) is
given up, so that the parser reads it from the start and says what is wrong. What is read here has
the value that the parser gives (a property of the tests).
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from interpreter.codec._values import Document
from interpreter.codec._yaml_events import build_documents, parse_events
from interpreter.codec._yaml_scalars import resolve
from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import JsonValue

#: Indentation, the dash of an item, a key, and what stands behind its colon. Quantifiers are
#: possessive: a line is looked at once.
_LINE: Final = re.compile(
    r"( *+)(- +)?"
    r"(?:([A-Za-z0-9_./][^\s#:]*+(?::(?=\S)[^\s#:]*+)*+|\"[^\"\\]*+\"|'[^']*+'):(?: +(.*)|$))?"
)
#: Tabs, control characters, and what YAML takes for a line break beside the line feed.
_UNUSUAL: Final = re.compile(
    "[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
#: First characters of a plain scalar that mean nothing else.
_PLAIN: Final = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./()<+=^~;\\$"
)
_BLANK: Final = frozenset({"", " "})
#: Quoted scalars on one line, with no escapes but those of JSON.
_QUOTED: Final = {
    '"': re.compile(r'"(?:[^"\\]|\\["\\nrt])*+"'),
    "'": re.compile(r"'(?:[^']|'')*+'"),
}
_LITERAL: Final = re.compile(r"\|(?:([1-9])?([-+]?)|([-+])([1-9]))")
#: The parser's own limit for a key is 1024 characters.
_LONGEST_KEY: Final = 1000


class _Unusual(Exception):
    """The text is for the parser."""


def read_lines(text: str, *, max_depth: int) -> list[Document] | None:
    """The documents of a text that are not empty; None when it is for the parser.

    Args:
        text: The text, without byte order mark.
        max_depth: Deepest nesting of maps and lists.
    """
    if text[-1:] != "\n" or _UNUSUAL.search(text):
        return None
    try:
        return _Reader(text, max_depth).documents()
    except (_Unusual, InvalidObject):
        return None


class _Reader:
    """Reads one text."""

    def __init__(self, text: str, max_depth: int) -> None:
        self.lines = text.split("\n")
        self.max_depth = max_depth
        #: Index of the line that is read next.
        self.at = 0

    def documents(self) -> list[Document]:
        """All of them.

        Raises:
            _Unusual: The text is for the parser.
        """
        found: list[Document] = []
        index = 0
        open_document = False
        while self._skip_to_content():
            if self.lines[self.at] == "---":
                self.at += 1
                index += 1
                open_document = True
                continue
            # Content behind a document without a marker cannot be: a document ends at one.
            if not open_document:
                index += 1
            open_document = False
            line = self.at + 1
            found.append(Document(index, line, self._document()))
        return found

    def _skip_to_content(self) -> bool:
        lines, at, end = self.lines, self.at, len(self.lines)
        while at < end:
            start = lines[at].lstrip(" ")
            if start and start[0] != "#":
                break
            at += 1
        self.at = at
        return at < end

    def _document(self) -> JsonValue:  # noqa: C901 - a call for each line would cost what it saves
        """The container that starts at the next line, up to a marker or the end."""
        lines, end, at, deepest = self.lines, len(self.lines), self.at, self.max_depth - 1
        is_map = not lines[at].startswith("- ")
        root: Any = {} if is_map else []
        # The container that is filled, its indentation, and those around it.
        container: Any = root
        indent = 0
        around: list[tuple[Any, int, bool]] = []
        # The key whose value may be a container that follows; where the scalar before stood, which
        # goes on if the next line is indented deeper.
        pending: str | None = None
        scalar: tuple[int, str, Any] | None = None
        place: Any
        while at < end:
            line = lines[at]
            match: Any = _LINE.match(line)
            spaces, dash, key, value = match.groups()
            depth = len(spaces)
            if match.end() == depth and (depth == len(line) or line[depth] == "#"):
                at += 1
                continue
            if line == "---":
                break
            if depth > indent:
                if pending is None:
                    at, scalar = self._go_on(scalar, container, indent, len(around)), None
                    continue
                around.append((container, indent, is_map))
                is_map = dash is None
                container[pending] = container = {} if is_map else []
                indent = depth
            elif depth < indent:
                while depth < indent:
                    container, indent, is_map = around.pop()
                if depth != indent:
                    raise _Unusual
                pending = None
            if is_map:
                if dash is not None:
                    # A list may stand right below its key.
                    if pending is None:
                        raise _Unusual
                    around.append((container, indent, True))
                    container[pending] = container = []
                    is_map = False
            elif dash is None:
                # Back from a list that stood right below its key.
                if not around or around[-1][1] != indent:
                    raise _Unusual
                container, indent, is_map = around.pop()
            pending = None
            if key is None:
                if is_map:
                    raise _Unusual
                text = line[depth + len(dash) :].rstrip(" ")
                place = len(container)
                container.append(None)
            else:
                if dash is not None:
                    around.append((container, indent, False))
                    inner: JsonValue = {}
                    container.append(inner)
                    container, indent, is_map = inner, depth + len(dash), True
                place = key[1:-1] if key[0] in "\"'" else key
                if place in container or len(key) > _LONGEST_KEY:
                    raise _Unusual
                text = value.rstrip(" ") if value else ""
            if len(around) > deepest:
                raise _Unusual
            if key is not None and not text:
                container[place] = None
                pending, scalar = place, None
                at += 1
                continue
            first = text[:1]
            if first in _PLAIN or (first == "-" and text[1:2] not in _BLANK):
                if ": " not in text and " #" not in text and text[-1] != ":":
                    container[place] = resolve(text)
                    scalar = (at, text, place)
                    at += 1
                    continue
            elif first in _QUOTED:
                if _QUOTED[first].fullmatch(text):
                    container[place] = _unquoted(text)
                    scalar = (at, text, place)
                    at += 1
                    continue
            elif first == "|":
                container[place], at = self._literal(at, text, indent)
                scalar = None
                continue
            container[place], at = self._with_parser(at, text, indent, len(around))
            scalar = None
        self.at = at
        return root

    def _go_on(
        self, scalar: tuple[int, str, Any] | None, container: Any, indent: int, depth: int
    ) -> int:
        """Reads a scalar again, with the lines that follow it; gives the line behind them."""
        if scalar is None:
            raise _Unusual
        start, text, place = scalar
        container[place], at = self._with_parser(start, text, indent, depth)
        return at

    def _with_parser(self, at: int, text: str, indent: int, depth: int) -> tuple[JsonValue, int]:
        """A value that starts at a line and goes on while lines are indented deeper.

        The parser reads it as the only item of a list, where the same rules hold.
        """
        if not text or text[0] in ">|":
            raise _Unusual  # their indentation may count from that of the container
        lines, end = self.lines, len(self.lines)
        prefix = " " * (indent + 1)
        following = at + 1
        while following < end and (
            lines[following].startswith(prefix) or not lines[following].strip(" ")
        ):
            following += 1
        small = "\n".join((f"- {text}", *lines[at + 1 : following], ""))
        limit = self.max_depth - depth
        read = list(
            build_documents(parse_events(small, max_depth=limit), source=None, max_depth=limit)
        )
        items = read[0].value if len(read) == 1 else None
        if not isinstance(items, list) or len(items) != 1:
            raise _Unusual
        if isinstance(items[0], (dict, list)) and text[0] not in "{[":
            raise _Unusual
        return items[0], following

    def _literal(self, at: int, header: str, indent: int) -> tuple[str, int]:
        """A literal block and the line behind it."""
        match = _LITERAL.fullmatch(header)
        if match is None:
            raise _Unusual
        digit, chomping = match[1] or match[4], match[2] or match[3] or ""
        lines, end = self.lines, len(self.lines) - 1  # the last line is what follows the last break
        following = at + 1
        while following < end and not lines[following].strip(" "):
            following += 1
        if following == end:
            raise _Unusual
        if digit:
            margin = indent + int(digit)
        else:
            first = lines[following]
            margin = len(first) - len(first.lstrip(" "))
            if any(len(line) > margin for line in lines[at + 1 : following]):
                raise _Unusual
        if margin <= indent:
            raise _Unusual
        prefix = " " * margin
        following = at + 1
        while following < end and (
            lines[following].startswith(prefix) or not lines[following].strip(" ")
        ):
            following += 1
        content = [line[margin:] for line in lines[at + 1 : following]]
        while content and not content[-1]:
            content.pop()
        if not content:
            raise _Unusual
        kept = following - at - 1 - len(content)
        breaks = {"-": 0, "": 1, "+": 1 + kept}[chomping]
        return "\n".join(content) + "\n" * breaks, following


def _unquoted(text: str) -> str:
    if text[0] == "'":
        return text[1:-1].replace("''", "'")
    return text[1:-1] if "\\" not in text else json.loads(text)
