"""Reading case files: text, documents and the lines they start at."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from interpreter.codec import json as json_codec
from interpreter.codec import yaml as yaml_codec
from interpreter.codec.yaml_nodes import Node, outline
from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import JsonValue
from interpreter.manifests import read_file
from interpreter.settings import DEFAULTS

YAML_SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Part:
    """One value of a YAML file: a document, or an item of a document that is a list.

    Attributes:
        document: Index of the document, from 1.
        path: Keys and indexes from the root of the document to the value.
        line: Line of the value in the file, from 1.
        value: The value.
        node: Where it stands in the text.
    """

    document: int
    path: tuple[str | int, ...]
    line: int
    value: JsonValue
    node: Node


def read_text(path: Path) -> str:
    """The text of a file, without byte order mark; line ends stay as they are.

    Raises:
        InvalidObject: The file cannot be read, is too large or not UTF-8.
    """
    try:
        data = read_file(str(path), DEFAULTS.max_manifest_bytes)
    except InvalidObject as error:
        error.hint = None  # those of manifests do not fit: a case names its files
        raise
    return json_codec.decode_text(data, source=str(path))


def read_parts(path: Path) -> list[Part]:
    """The documents of a YAML file, those that are lists as their items; empty ones are left out.

    Raises:
        InvalidObject: The file cannot be read or is no YAML.
    """
    return parts_of(read_text(path), source=str(path))


def parts_of(text: str, *, source: str) -> list[Part]:
    """As :func:`read_parts`, of a text."""
    documents = list(yaml_codec.load_all(text, source=source))
    roots = outline(text)
    parts = []
    for document in documents:
        root = roots[document.index - 1]
        if isinstance(document.value, list):
            parts += [
                Part(document.index, (index,), node.line, value, node)
                for index, (value, node) in enumerate(zip(document.value, root.items, strict=True))
            ]
        else:
            parts.append(Part(document.index, (), root.line, document.value, root))
    return parts


def read_value(path: Path) -> JsonValue:
    """The only document of a YAML file.

    Raises:
        InvalidObject: The file cannot be read, or holds another number of documents.
    """
    documents = list(yaml_codec.load_all(read_text(path), source=str(path)))
    if len(documents) != 1:
        raise InvalidObject(f"must hold one document, not {len(documents)}", source=str(path))
    return documents[0].value


def read_values(path: Path) -> list[JsonValue]:
    """All documents of a YAML file; one that is a list gives its items.

    Raises:
        InvalidObject: The file cannot be read or is no YAML.
    """
    return [part.value for part in read_parts(path)]


def is_yaml(path: Path) -> bool:
    """Whether a file is YAML by its name."""
    return path.suffix.lower() in YAML_SUFFIXES
