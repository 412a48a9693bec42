"""Reading what people give: files, folders, glob patterns and standard input.

Every object remembers its file, document and place in a list, and every error names them. Nothing
but ``InvalidObject`` is raised for what is wrong with a path or a text.

Which files a path means:

* ``-`` is standard input, at most once;
* an existing path is that file or folder, whatever characters it has;
* a folder is every ``*.yaml``, ``*.yml`` and ``*.json`` below it, sorted, without hidden files and
  folders; symbolic links are followed, each real folder once;
* a path with ``*``, ``?`` or ``[`` that does not exist is a pattern for files; ``**`` is any number
  of folders.

``.json`` files hold JSON, one value or several after each other; everything else holds YAML, or
JSON of the same kind (told by the first character).
"""

from __future__ import annotations

import fnmatch
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, TypeVar

from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import JsonObject, JsonValue
from interpreter.settings import DEFAULTS, Settings

if TYPE_CHECKING:
    from interpreter.codec.json import Document

_T = TypeVar("_T")

STDIN_PATH = "-"
STDIN_NAME = "<stdin>"
#: Paths of descriptors that the process was given.
_INHERITED = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")

#: Bytes that are read at once.
_CHUNK = 1024 * 1024
_SUFFIXES = (".yaml", ".yml", ".json")
_MAGIC = re.compile(r"[*?[]")
_JSON_START = re.compile(r"\s*[{\[]")


@dataclass(frozen=True, slots=True)
class Manifest:
    """One object and where it came from.

    Attributes:
        obj: The object; it has ``apiVersion`` and ``kind``, both strings that are not empty.
        source: The file as it was given or found, or ``<stdin>``.
        document: Position of its document in the file, counted from 1.
        item: Position in the list that held it, counted from 1; None outside of lists.
    """

    obj: JsonObject
    source: str
    document: int
    item: int | None

    @property
    def where(self) -> str:
        """The place as text: ``deploy.yaml, document 1, item 3``."""
        return _where(self.source, self.document, self.item)


@dataclass(frozen=True, slots=True)
class InputValue:
    """One JSON value of any shape and where it came from; the rest is as in :class:`Manifest`."""

    value: JsonValue
    source: str
    document: int
    item: int | None

    @property
    def where(self) -> str:
        """The place as text: ``items.yaml, document 1, item 3``."""
        return _where(self.source, self.document, self.item)


def read(
    paths: Iterable[str], *, stdin: BinaryIO | None = None, settings: Settings = DEFAULTS
) -> Iterator[Manifest]:
    """Reads objects one by one; ``List`` kinds and plain lists give their items.

    A typed list (``DeploymentList``) lends its ``apiVersion`` and item kind to items without them.
    An object whose kind ends with ``List`` but that has a ``metadata.name`` is no list.

    Args:
        paths: Files, folders, patterns or ``-``; read in this order.
        stdin: What ``-`` reads; standard input of the process by default.
        settings: ``max_manifest_bytes`` and ``max_depth`` apply.

    Raises:
        InvalidObject: While iterating, with ``source`` (file, document, item) and, where known,
            ``line`` and ``path``: unreadable path or text, or something that is no object with
            ``apiVersion`` and ``kind``.
    """
    for source, document in _documents(paths, stdin, settings):
        try:
            for obj, item in _objects(document.value, source, document.index):
                yield Manifest(obj, source, document.index, item)
        except InvalidObject as error:
            if error.source == _where(source, document.index, None):
                error.annotate(line=document.line)  # the line of an item is not known
            raise


def read_documents(
    paths: Iterable[str],
    *,
    stdin: BinaryIO | None = None,
    settings: Settings = DEFAULTS,
    unpack: bool = True,
) -> Iterator[InputValue]:
    """Reads JSON values of any shape, such as status items; a top-level list gives its items.

    Empty documents (null) are left out. With ``unpack=False`` a list stays one value. Other
    arguments and errors are those of :func:`read`.
    """
    for source, document in _documents(paths, stdin, settings):
        if unpack and isinstance(document.value, list):
            for item, value in enumerate(document.value, start=1):
                yield InputValue(value, source, document.index, item)
        else:
            yield InputValue(document.value, source, document.index, None)


def _where(source: str, document: int, item: int | None) -> str:
    place = f"{source}, document {document}"
    return place if item is None else f"{place}, item {item}"


def _objects(
    value: JsonValue, source: str, document: int, item: int | None = None
) -> Iterator[tuple[JsonObject, int | None]]:
    """The objects in a document; a list inside a list keeps the number of the outer item."""
    if isinstance(value, list) and item is None:
        for position, element in enumerate(value, start=1):
            yield from _objects(element, source, document, position)
        return
    if not isinstance(value, dict):
        raise InvalidObject(
            "a manifest must be an object (a YAML map)",
            value=value,
            source=_where(source, document, item),
        )
    for key in ("apiVersion", "kind"):
        if not isinstance(value.get(key), str) or not value[key]:
            raise _missing(value, key, source=_where(source, document, item))
    items = _list_items(value, source=_where(source, document, item))
    if items is None:
        yield value, item
        return
    item_kind = value["kind"].removesuffix("List")
    for position, element in enumerate(items, start=1):
        child = element
        if item_kind and isinstance(element, dict):
            # An API server leaves both out of the items of a typed list.
            child = {"apiVersion": value["apiVersion"], "kind": item_kind, **element}
        yield from _objects(child, source, document, position if item is None else item)


def _missing(value: JsonObject, key: str, *, source: str) -> InvalidObject:
    if value.get(key) is None:
        hint = "every object names its apiVersion and kind"
        return InvalidObject("is missing", hint=hint, path=key, source=source)
    return InvalidObject(
        "must be a string that is not empty", path=key, value=value[key], source=source
    )


def _list_items(value: JsonObject, *, source: str) -> list[JsonValue] | None:
    """The items of a list object, None for an ordinary object."""
    kind: str = value["kind"]
    if not kind.endswith("List"):
        return None
    items = value.get("items")
    if kind == "List":
        if items is not None and not isinstance(items, list):
            raise InvalidObject("must be a list", path="items", value=items, source=source)
        return items or []
    metadata = value.get("metadata")
    if isinstance(metadata, dict) and metadata.get("name"):
        return None  # a custom resource such as an AllowList
    if isinstance(items, list):
        return items
    # Go writes an empty list as null.
    return [] if "items" in value and items is None else None


def _documents(
    paths: Iterable[str], stdin: BinaryIO | None, settings: Settings
) -> Iterator[tuple[str, Document]]:
    limit = settings.max_manifest_bytes
    stdin_used = False
    for path in [paths] if isinstance(paths, str) else paths:
        if path == STDIN_PATH:
            if stdin_used:
                raise InvalidObject("standard input (-) can be read once", source=STDIN_NAME)
            stdin_used = True
            data = read_stdin(stdin, limit)
            for document in _parse(data, STDIN_NAME, settings):
                yield STDIN_NAME, document
            continue
        for file in _files(path):
            for document in _parse(read_file(file, limit), file, settings):
                yield file, document


def _parse(data: bytes, source: str, settings: Settings) -> Iterator[Document]:
    # Imported here, because a program that reads no manifest should not pay for the parsers.
    from interpreter.codec import json as json_codec

    depth = settings.max_depth
    documents: Iterable[Document]
    if source.lower().endswith(".json"):
        documents = json_codec.load_all(data, source=source, max_depth=depth)
    else:
        text = json_codec.decode_text(data, source=source)
        found = None
        if _JSON_START.match(text):
            # Twenty times faster than YAML, whose flow style starts with the same characters.
            found = json_codec.load_all_or_none(text, source=source, max_depth=depth)
        if found is None:
            from interpreter.codec import yaml as yaml_codec

            documents = yaml_codec.load_all(text, source=source, max_depth=depth)
        else:
            documents = found
    for document in documents:
        if document.value is not None:
            yield document


def read_stdin(stdin: BinaryIO | None, limit: int) -> bytes:
    """Standard input, at most ``limit`` bytes; InvalidObject where it cannot be read."""
    if stdin is None and sys.stdin is None:
        raise InvalidObject("standard input is closed", source=STDIN_NAME)
    stream = sys.stdin.buffer if stdin is None else stdin
    return _guard(lambda: _read_bounded(stream, STDIN_NAME, limit), STDIN_NAME)


def read_file(path: str, limit: int) -> bytes:
    """A regular file of at most ``limit`` bytes; InvalidObject where it cannot be read."""
    return _guard(lambda: _read_regular(path, limit), path)


def _read_regular(path: str, limit: int) -> bytes:
    if path.startswith(_INHERITED):
        # A shell's <(command): somebody writes into it.
        with open(path, "rb") as file:
            return _read_bounded(file, path, limit)
    # What was opened is checked, not the path, which may be another file by now.
    with open(path, "rb", opener=_open_at_once) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise InvalidObject(
                "is no regular file", hint="pipe its content in and give - as the path", source=path
            )
        if status.st_size > limit:
            raise _too_large(path, limit)
        return _read_bounded(file, path, limit)


def _open_at_once(path: str, flags: int) -> int:
    # A FIFO without a writer would block for ever.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _read_bounded(stream: BinaryIO, source: str, limit: int) -> bytes:
    data = bytearray()
    while chunk := stream.read(_CHUNK):
        data += chunk
        if len(data) > limit:
            raise _too_large(source, limit)
    return bytes(data)


def _too_large(source: str, limit: int) -> InvalidObject:
    return InvalidObject(
        f"is larger than {limit} bytes",
        hint="split it, or raise RESOURCE_INTERPRETER_MAX_MANIFEST_BYTES",
        source=source,
    )


def _guard(call: Callable[[], _T], source: str) -> _T:
    """Runs a file operation; what the system refuses is an error that names the path."""
    try:
        return call()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
    except ValueError as error:  # a null character in the path, or a closed stream
        reason = str(error)
    raise InvalidObject(f"cannot be read: {reason}", source=source)


def _files(path: str) -> Iterator[str]:
    """The files that a path stands for."""
    if not path:
        raise InvalidObject("an empty path names no file", source=path)
    if not _guard(lambda: os.path.lexists(path), path) and _MAGIC.search(path):
        matches = sorted(_glob(path), key=_sort_key)
        if not matches:
            raise InvalidObject("no file matches this pattern", source=path)
        yield from matches
    elif os.path.isdir(path):
        found = sorted(
            (
                file
                for folder in _folders(path)
                for file in _entries(folder)[1]
                if file.lower().endswith(_SUFFIXES)
            ),
            key=_sort_key,
        )
        if not found:
            raise InvalidObject(
                "the folder has no manifest", hint="wanted: *.yaml, *.yml or *.json", source=path
            )
        yield from found
    else:
        yield path


def _sort_key(path: str) -> list[str]:
    return path.split(os.sep)


def _folders(top: str) -> Iterator[str]:
    """A folder ("" is the current one) and all below it, each real one once, no hidden ones."""
    seen: set[tuple[int, int]] = set()
    todo = [top]
    while todo:
        folder = todo.pop()
        status = _stat(folder or os.curdir)
        if (status.st_dev, status.st_ino) in seen:
            continue  # reached by a symbolic link before, perhaps from inside itself
        seen.add((status.st_dev, status.st_ino))
        yield folder
        todo += reversed(_entries(folder)[0])


def _stat(path: str) -> os.stat_result:
    return _guard(lambda: os.stat(path), path)


def _entries(folder: str, *, hidden: bool = False) -> tuple[list[str], list[str]]:
    """Sorted paths of the folders and of all else in a folder, with or without hidden ones."""
    folders: list[str] = []
    others: list[str] = []
    for name in sorted(_guard(lambda: os.listdir(folder or os.curdir), folder)):
        if hidden or not name.startswith("."):
            path = os.path.join(folder, name)
            (folders if os.path.isdir(path) else others).append(path)
    return folders, others


def _glob(pattern: str) -> set[str]:
    """The files that a pattern matches.

    The standard library's ``**`` goes round loops of symbolic links until the system refuses, which
    with two such links takes for ever.
    """
    drive, rest = os.path.splitdrive(pattern.replace(os.altsep or os.sep, os.sep))
    root = drive + os.sep if rest.startswith(os.sep) else drive
    *parents, last = [part for part in rest.split(os.sep) if part]
    bases = [root]
    for part in parents:
        if part == "**":
            bases = list(dict.fromkeys(sub for base in bases for sub in _folders(base)))
        elif _MAGIC.search(part):
            bases = [sub for base in bases for sub in _matching(base, part)[0]]
        else:
            bases = [joined for base in bases if os.path.isdir(joined := os.path.join(base, part))]
    if last == "**":
        bases, last = [sub for base in bases for sub in _folders(base)], "*"
    if _MAGIC.search(last):
        return {file for base in bases for file in _matching(base, last)[1]}
    return {file for base in bases if os.path.isfile(file := os.path.join(base, last))}


def _matching(folder: str, part: str) -> tuple[list[str], list[str]]:
    """The entries whose names match; hidden ones only for a pattern that starts with a dot."""
    folders, others = (
        [path for path in paths if fnmatch.fnmatchcase(os.path.basename(path), part)]
        for paths in _entries(folder, hidden=part.startswith("."))
    )
    return folders, others
