"""JSON values from the events of the YAML parser, built with an own stack.

The loaders of the library recurse, build objects for tags, and share one object among aliases; none
of that is wanted for text that a stranger wrote. Depth is checked as a container opens, and copies
made for aliases are counted before they are made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from interpreter.codec._values import (
    Document,
    document_source,
    duplicate_key,
    has_surrogate,
    path_of,
    shortened,
)
from interpreter.codec._yaml_scalars import resolve, resolve_tagged, unknown_tag
from interpreter.errors import InvalidObject, too_deep
from interpreter.machinery.unstructured import JsonValue
from interpreter.settings import DEFAULTS

#: Nodes that aliases may add to a text beside as many as it spells out. go-yaml, which Kubernetes
#: uses, allows 400 000 before it asks how much of a document is aliases.
ALIAS_ALLOWANCE = 400_000

_MAP_TAGS = frozenset({None, "!", "tag:yaml.org,2002:map"})
_LIST_TAGS = frozenset({None, "!", "tag:yaml.org,2002:seq"})
_MERGE_TAG = "tag:yaml.org,2002:merge"
_UNREADABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(slots=True)
class _Anchored:
    """The value behind an anchor; ``text`` is how a scalar was written, for use as a key."""

    value: JsonValue
    text: str | None
    complete: bool
    nodes: int = 0  # counted at the first alias
    depth: int = 0


@dataclass(slots=True)
class _Frame:
    """An open container."""

    value: Any
    anchor: _Anchored | None
    is_map: bool
    key: str | None = None  # the key that waits for its value
    merging: bool = False  # the value that comes is that of "<<"
    merges: list[dict[str, Any]] | None = None


def parse_events(
    text: str, *, pure: bool = False, max_depth: int = DEFAULTS.max_depth
) -> Iterator[Event]:
    """Parser events of a text, from the C parser where it is built in (much faster).

    Args:
        text: The text.
        pure: Whether to take the parser in Python anyway.
        max_depth: For the message where the C parser gives up by itself.

    Raises:
        InvalidObject: Syntax error, with its line.
    """
    try:
        parser = _PureParser(text) if pure or not yaml.__with_libyaml__ else _c_parser(text)
        while parser.check_event():
            event = parser.get_event()
            if isinstance(event, ScalarEvent) and has_surrogate(event.value):
                # The C parser refuses such escapes itself.
                raise InvalidObject(
                    "an escape is half of a surrogate pair",
                    hint=r"write \U and eight digits",
                    line=_line(event),
                )
            yield event
    except yaml.reader.ReaderError as error:
        raise _unreadable(text, error) from None
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(error, max_depth) from None
    except (ValueError, OverflowError) as error:  # an escape beyond Unicode, in the pure parser
        raise InvalidObject(f"not valid YAML: {error}") from None


def build_documents(
    events: Iterator[Event], *, source: str | None, max_depth: int
) -> Iterator[Document]:
    """The documents of a stream; empty ones are counted and left out.

    Raises:
        InvalidObject: While iterating; with source, line and, inside a document, path.
    """
    builder = _Builder(max_depth)
    index = 0
    pending = 1  # the document that an error between documents belongs to
    try:
        for event in events:
            if isinstance(event, DocumentStartEvent):
                index += 1
                pending = index
                builder.start()
            elif isinstance(event, DocumentEndEvent):
                pending = index + 1
                if builder.root is not None:
                    yield Document(index, builder.line, builder.root)
                    builder.start()
            else:
                builder.feed(event)
    except InvalidObject as error:
        error.annotate(source=document_source(source, pending), path=builder.path())
        raise


class _Builder:
    """The value of one document at a time; what aliases added is counted over the whole stream."""

    def __init__(self, max_depth: int) -> None:
        self.max_depth = max_depth
        self.written = 0
        self.copied = 0
        self.start()

    def start(self) -> None:
        self.root: JsonValue = None
        self.line = 0
        self.frames: list[_Frame] = []
        self.anchors: dict[str, _Anchored] = {}

    def path(self) -> str | None:
        steps: list[str | int] = []
        for frame in self.frames:
            if not frame.is_map:
                steps.append(len(frame.value))
            elif frame.merging:
                steps.append("<<")
            elif frame.key is not None:
                steps.append(frame.key)
        # The path of a bottomless document would fill the screen.
        return path_of(steps if len(steps) < self.max_depth else steps[:3])

    def feed(self, event: Event) -> None:
        self.written += 1
        if not self.line:
            self.line = _line(event)
        kind = type(event)
        try:
            if kind is ScalarEvent:
                self._scalar(event)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                self._open(event, is_map=kind is MappingStartEvent)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                self._close()
            elif kind is AliasEvent:
                self._alias(event)
        except InvalidObject as error:
            error.annotate(line=_line(event))
            raise

    def _scalar(self, event: Any) -> None:
        text: str = event.value
        tag: str | None = event.tag
        frame = self.frames[-1] if self.frames else None
        if frame is not None and frame.is_map and frame.key is None and not frame.merging:
            if event.anchor is not None:
                value = _scalar_value(text, tag, plain=event.implicit[0])
                self.anchors[event.anchor] = _Anchored(value, text, complete=True)
            if text == "<<" and (tag == _MERGE_TAG or (tag is None and event.implicit[0])):
                _start_merge(frame)
            else:
                # A key stays as it is written: 1 is "1", and y is not the boolean.
                _start_entry(frame, text)
            return
        value = _scalar_value(text, tag, plain=event.implicit[0])
        if event.anchor is not None:
            self.anchors[event.anchor] = _Anchored(value, text, complete=True)
        self._attach(value)

    def _open(self, event: Any, *, is_map: bool) -> None:
        if len(self.frames) >= self.max_depth:
            raise too_deep(self.max_depth)
        frame = self.frames[-1] if self.frames else None
        if frame is not None and frame.is_map and frame.key is None and not frame.merging:
            raise _container_key()
        if event.tag not in (_MAP_TAGS if is_map else _LIST_TAGS):
            raise unknown_tag(event.tag)
        value: Any = {} if is_map else []
        anchored = None
        if event.anchor is not None:
            anchored = self.anchors[event.anchor] = _Anchored(value, None, complete=False)
        self.frames.append(_Frame(value, anchored, is_map))

    def _close(self) -> None:
        frame = self.frames.pop()
        for merged in frame.merges or ():
            for key, item in merged.items():
                frame.value.setdefault(key, item)  # an explicit or an earlier key wins
        if frame.anchor is not None:
            frame.anchor.complete = True
        self._attach(frame.value)

    def _alias(self, event: Any) -> None:
        anchored = self.anchors.get(event.anchor)
        if anchored is None:
            raise InvalidObject(f"the alias *{shortened(event.anchor)} has no anchor before it")
        if not anchored.complete:
            raise InvalidObject(f"the alias *{shortened(event.anchor)} is inside its own anchor")
        frame = self.frames[-1] if self.frames else None
        if frame is not None and frame.is_map and frame.key is None and not frame.merging:
            if anchored.text is None:
                raise _container_key()
            self._charge(_weight(anchored.text))
            _start_entry(frame, anchored.text)
            return
        if isinstance(anchored.value, (dict, list)):
            if not anchored.nodes:
                anchored.nodes, anchored.depth = _measure(anchored.value)
            self._charge(anchored.nodes)
            if len(self.frames) + anchored.depth > self.max_depth:
                raise too_deep(self.max_depth)
            self._attach(_copy(anchored.value))
        else:
            self._charge(_weight(anchored.value))
            self._attach(anchored.value)

    def _charge(self, nodes: int) -> None:
        """Counts what an alias adds, before it is made."""
        self.copied += nodes
        if self.copied > ALIAS_ALLOWANCE + self.written:
            raise InvalidObject(
                f"aliases repeat more than {ALIAS_ALLOWANCE} values",
                hint="write the repeated parts out, or split the file",
            )

    def _attach(self, value: JsonValue) -> None:
        if not self.frames:
            self.root = value
            return
        frame = self.frames[-1]
        if not frame.is_map:
            frame.value.append(value)
        elif frame.merging:
            frame.merges = _merge_sources(value)
            frame.merging = False
        else:
            frame.value[frame.key] = value
            frame.key = None


def _start_entry(frame: _Frame, key: str) -> None:
    frame.key = key
    if key in frame.value:
        raise duplicate_key(key)


def _start_merge(frame: _Frame) -> None:
    if frame.merges is not None:
        raise InvalidObject("duplicate key '<<'", hint="merge several maps as <<: [*one, *two]")
    frame.merging = True


def _merge_sources(value: JsonValue) -> list[dict[str, Any]]:
    sources = value if isinstance(value, list) else [value]
    for source in sources:
        if not isinstance(source, dict):
            raise InvalidObject("a merge (<<) wants a map or a list of maps", value=source)
    return sources


def _container_key() -> InvalidObject:
    return InvalidObject(
        "a map or a list cannot be a key",
        hint="quote a text that starts with { or [, such as a template",
    )


def _scalar_value(text: str, tag: str | None, *, plain: bool) -> JsonValue:
    if tag is not None:
        return resolve_tagged(tag, text)
    return resolve(text) if plain else text


def _weight(value: JsonValue) -> int:
    """What a scalar counts: one node, and one more for every 64 characters.

    An alias of a text shares it, but whatever is written from the result repeats it.
    """
    return 1 + len(value) // 64 if isinstance(value, str) else 1


def _measure(value: JsonValue) -> tuple[int, int]:
    """How many nodes a container counts (its keys and scalars by length), and its levels."""
    nodes, depth = 1, 0
    level = [value]
    while level:
        depth += 1
        for container in level:
            if isinstance(container, dict):
                nodes += sum(map(_weight, container)) - len(container)
                nodes += sum(map(_weight, container.values()))
            else:
                nodes += sum(map(_weight, container))
        level = [
            item
            for container in level
            for item in (container.values() if isinstance(container, dict) else container)
            if isinstance(item, (dict, list))
        ]
    return nodes, depth


def _copy(value: Any) -> Any:
    """Copies a container all the way down, however deep ``max_depth`` lets it be."""
    copied = value.copy()
    todo = [copied]
    while todo:
        container = todo.pop()
        items = container.items() if isinstance(container, dict) else enumerate(container)
        for key, item in items:
            if isinstance(item, (dict, list)):
                container[key] = item.copy()
                todo.append(container[key])
    return copied


class _PureParser(yaml.reader.Reader, yaml.scanner.Scanner, yaml.parser.Parser):
    """The parser in Python, for a PyYAML that was built without libyaml."""

    def __init__(self, text: str) -> None:
        yaml.reader.Reader.__init__(self, text)
        yaml.scanner.Scanner.__init__(self)
        yaml.parser.Parser.__init__(self)


def _c_parser(text: str) -> Any:
    from yaml._yaml import CParser  # missing where PyYAML was built without libyaml

    return CParser(text)


def _line(event: Event) -> int:
    return 0 if event.start_mark is None else int(event.start_mark.line) + 1


def _unreadable(text: str, error: yaml.reader.ReaderError) -> InvalidObject:
    match = _UNREADABLE.search(text)
    if match is None:
        return InvalidObject(f"not valid YAML: {error.reason}")
    return InvalidObject(
        f"the character U+{ord(match.group()):04X} is not allowed in YAML",
        hint=r'in a double-quoted string write it as an escape such as "\x1b"',
        line=text.count("\n", 0, match.start()) + 1,
    )


def _syntax_error(error: yaml.MarkedYAMLError, max_depth: int) -> InvalidObject:
    problem = " ".join(" ".join(filter(None, (error.context, error.problem))).split())
    mark = error.problem_mark or error.context_mark
    if "maximum nesting depth" in problem:  # libyaml stops at 1000
        return too_deep(min(max_depth, 1000), line=mark.line + 1 if mark else None)
    hint = None
    if "cannot start any token" in problem:
        hint = "indent with spaces, not tabs, and quote a text that starts with @, ` or %"
    elif "invalid Unicode character escape" in problem:
        hint = r"a surrogate is no character; write \U and eight digits"
    column = f", at column {mark.column + 1}" if mark else ""
    return InvalidObject(
        f"not valid YAML: {problem}{column}", hint=hint, line=mark.line + 1 if mark else None
    )
