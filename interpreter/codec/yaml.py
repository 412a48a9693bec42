"""YAML text to values as Kubernetes reads it, and values to YAML that reads back the same.

Plain scalars as values (compared with sigs.k8s.io/yaml 1.6, which kubectl and the API server use):

=============================================== ==================================================
written                                         value
=============================================== ==================================================
(nothing), ``~ null Null NULL``                 null
``true True TRUE yes Yes YES y Y on On ON``     true
``false False FALSE no No NO n N off Off OFF``  false
``12 +12 -12 1_000 08``                         decimal integer, exact at any size (1)
``0x1F 0b11 0o14 014`` (any sign, case, ``_``)  integer of that base; text beyond 64 bits
``1.5 .5 5. 1e3 -1.5E-7 1_000.5``               float, also where it is whole (2)
``1e400`` (overflow)                            text
``.inf -.inf .nan`` (any case)                  error: JSON has no such number
``2020-01-01 12:30:45 1:20 nan inf 0o18 = <<``  text
quoted and block scalars                        text
``! x !!str x !!binary eA==``                   text as written; binary is not decoded (3)
``!!int !!float !!bool !!null``                 the scalar, quoted or not, if it fits the tag
any other tag                                   error (4)
=============================================== ==================================================

Differences from Kubernetes, all of them where it loses something:

1. Integers beyond 64 bits become floats there; more than 1000 digits are an error here.
2. Kubernetes writes whole floats as integers on its way to JSON; here ``2.0`` stays a float.
3. Kubernetes decodes ``!!binary`` and replaces bytes that are not UTF-8.
4. Kubernetes ignores tags that it does not know.
5. Keys stay as written: ``y``, ``1`` and ``0x10`` are the keys "y", "1" and "0x10"; there they are
   "true", "1" and "16". A null key (``~``), an error there, is "~".
6. A duplicate key is an error; there the last one wins (unless reading is strict).
7. In a merge an explicit key wins wherever it stands; there it loses when it stands before ``<<``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.codec._values import Document, decode_text
from interpreter.codec._yaml_emit import emit
from interpreter.codec._yaml_events import build_documents, parse_events
from interpreter.codec._yaml_lines import read_lines
from interpreter.machinery.unstructured import JsonValue
from interpreter.settings import DEFAULTS

__all__ = ["Document", "dump_all", "dumps", "load_all"]


def load_all(
    data: bytes | str, *, source: str | None = None, max_depth: int = DEFAULTS.max_depth
) -> Iterator[Document]:
    """Reads the documents of a YAML text one by one.

    Anchors, aliases (each use is a copy of its own) and merge keys work; aliases that blow a small
    text up to a huge value are refused before the value is made.

    Args:
        data: UTF-8 bytes (a byte order mark is accepted) or text.
        source: Where it came from; errors add ``, document <n>``.
        max_depth: Deepest nesting of maps and lists; the C parser stops at 1000 whatever is given.

    Yields:
        The documents that are not empty; empty ones (only comments, or null) count in ``index``.

    Raises:
        InvalidObject: While iterating, with ``source``, ``line`` and, inside a document, ``path``.
    """
    text = decode_text(data, source=source)
    plain = read_lines(text, max_depth=max_depth)
    if plain is not None:
        yield from plain
        return
    yield from build_documents(
        parse_events(text, max_depth=max_depth), source=source, max_depth=max_depth
    )


def dumps(value: JsonValue) -> str:
    """Writes one document in block style: keys in the given order, no aliases, no separators.

    Raises:
        InvalidObject: As ``codec.json.dumps``: NaN, a key that is no string, a Python value that
            JSON does not have, nesting beyond 254 levels; with the path.
    """
    return emit(value)


def dump_all(values: Iterable[JsonValue]) -> str:
    """Writes several documents, separated by ``---``; nothing for no values.

    Raises:
        InvalidObject: As :func:`dumps`.
    """
    return "---\n".join(map(emit, values))
