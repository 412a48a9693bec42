"""Checking documents that people write against their types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from interpreter.errors import NO_VALUE, InvalidCustomization, path_text

#: An error lists the first problem in full and no more than so many others in short.
_MORE_PROBLEMS = 3


_Model = TypeVar("_Model", bound=BaseModel)


def parse(document: Any, model: type[_Model], kind: str) -> _Model:
    """A document as its type.

    Raises:
        InvalidCustomization: It does not fit; the error has the path of the first problem.
    """
    if not isinstance(document, Mapping):
        raise InvalidCustomization(f"a {kind} must be a mapping", value=document)
    metadata = document.get("metadata")
    name = metadata.get("name") if isinstance(metadata, Mapping) else None
    try:
        return model.model_validate(document)
    except ValidationError as error:
        first, *others = error.errors(include_url=False)
        more = "".join(
            f"; {path_text(other['loc'])}: {other['msg']}" for other in others[:_MORE_PROBLEMS]
        )
        called = "without a name" if name is None else repr(name)
        raise InvalidCustomization(
            f"{kind} {called} does not fit its schema: {first['msg']}{more}",
            plugin=name if isinstance(name, str) else None,
            path=path_text(first["loc"]),
            value=NO_VALUE if first["type"] == "missing" else first.get("input"),
        ) from None


def parse_all(documents: Iterable[Any], model: type[_Model], kind: str) -> dict[str, _Model]:
    """Documents by name, in the order given.

    Raises:
        InvalidCustomization: One does not fit, or two have one name.
    """
    named: dict[str, _Model] = {}
    for document in documents:
        parsed = parse(document, model, kind)
        name: str = parsed.metadata.name  # type: ignore[attr-defined]  # every kind has it
        if name in named:
            raise InvalidCustomization(f"two {kind} documents are named {name!r}", plugin=name)
        named[name] = parsed
    return named
