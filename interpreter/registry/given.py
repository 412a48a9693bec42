"""Lists that a caller gave: read at the door, so that what is wrong is said there."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any

from interpreter.errors import ConfigurationError, guard_depth
from interpreter.machinery.unstructured import deep_copy


def texts(values: Any, what: str) -> tuple[str, ...]:
    """A list of texts that a caller gave for ``what``.

    Raises:
        ConfigurationError: It is no list, or holds something else.
    """
    found = listed(values, what)
    for text in found:
        if not isinstance(text, str):
            raise ConfigurationError(f"{what} must be a list of texts", value=text)
    return found


def listed(values: Any, what: str) -> tuple[Any, ...]:
    """A list that a caller gave for ``what``; one text or one mapping is none.

    Raises:
        ConfigurationError: It is no list.
    """
    if isinstance(values, Iterable) and not isinstance(values, (str, bytes, Mapping)):
        return tuple(values)
    raise ConfigurationError(f"{what} must be a list", value=values)


def documents(values: Any, what: str) -> tuple[Any, ...]:
    """Documents that a caller gave, as copies: what becomes of the caller's is its own affair.

    Raises:
        ConfigurationError: It is no list.
        InvalidObject: A document is nested too deeply.
    """
    found = listed(values, what)
    return tuple(guard_depth(functools.partial(deep_copy, value)) for value in found)
