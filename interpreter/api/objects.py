"""The base of types for documents that a control plane keeps, and reading them.

Unlike the documents that configure interpretation, these come from other programs and from other
versions of them: an unknown field is no error, and it is not lost. A type only checks; whoever
works with the document keeps the plain dict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from interpreter.errors import NO_VALUE, InvalidObject, path_text
from interpreter.machinery.unstructured import INT32_MAX, INT64_MAX, JsonObject

Text = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=0, le=INT32_MAX)]
Seconds = Annotated[int, Field(ge=0, le=INT64_MAX)]
#: A quantity is a text or a number.
Amount = str | int | float


class Open(BaseModel):
    """A document or a part of one; unknown fields are kept."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)


class Meta(Open):
    """The part of ``metadata`` that the pipeline reads."""

    name: Text
    namespace: str | None = None
    uid: str | None = None
    generation: int | None = None
    resourceVersion: str | None = None
    creationTimestamp: str | None = None
    deletionTimestamp: str | None = None
    labels: dict[str, str] | None = None
    annotations: dict[str, str] | None = None
    finalizers: list[str] | None = None


class Requirement(Open):
    """One expression of a label selector or a field selector."""

    key: str
    operator: str
    values: list[str] | None = None


class LabelSelector(Open):
    """``metav1.LabelSelector``; empty selects everything."""

    matchLabels: dict[str, str] | None = None
    matchExpressions: list[Requirement] | None = None


class StatusCondition(Open):
    """``metav1.Condition``."""

    type: Text
    status: str
    reason: str | None = None
    message: str | None = None
    lastTransitionTime: str | None = None
    observedGeneration: int | None = None


_Model = TypeVar("_Model", bound=Open)


def check(document: Any, model: type[_Model]) -> JsonObject:
    """A document that fits its type, as the plain dict that it is.

    Raises:
        InvalidObject: It does not fit; the error has the path of the first problem.
    """
    read(document, model)
    return document  # type: ignore[no-any-return]


def read(document: Any, model: type[_Model]) -> _Model:
    """A document as its type.

    Raises:
        InvalidObject: It does not fit; the error has the path of the first problem.
    """
    kind = model.__name__
    if not isinstance(document, Mapping):
        raise InvalidObject(f"a {kind} must be an object", value=document)
    try:
        return model.model_validate(document)
    except ValidationError as error:
        first, *others = error.errors(include_url=False)
        more = f"; and {len(others)} more" if others else ""
        metadata = document.get("metadata")
        name = metadata.get("name") if isinstance(metadata, Mapping) else None
        raise InvalidObject(
            f"{kind} {name or 'without a name'}: {first['msg']}{more}",
            path=path_text(first["loc"]),
            value=NO_VALUE if first["type"] == "missing" else first.get("input"),
        ) from None


def unknown_fields(value: Any, path: str = "") -> Iterator[str]:
    """Paths of the fields of a document, or of a part of one, that its type does not know."""
    if isinstance(value, Open):
        for name in value.model_extra or ():
            yield f"{path}.{name}"
        for name, info in type(value).model_fields.items():
            yield from unknown_fields(getattr(value, name), f"{path}.{info.alias or name}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from unknown_fields(item, f"{path}[{index}]")
