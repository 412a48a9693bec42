"""Group, version and kind of an object, and patterns over them."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

from interpreter.errors import ConfigurationError, InvalidObject

#: A group has at most 253 characters, version and kind 63 each. Caches keep what passes here.
_LONGEST = 512

#: Group, kind and version; each is (class of match, negative length of a suffix).
Generality = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]


class GVK(NamedTuple):
    """Group, version, kind. The core group is the empty string.

    As a pattern each part may be ``*``, and the group may be a suffix wildcard such as
    ``*.example.com``.
    """

    group: str
    version: str
    kind: str

    @property
    def api_version(self) -> str:
        """``apps/v1``, or ``v1`` for the core group."""
        return f"{self.group}/{self.version}" if self.group else self.version

    def __str__(self) -> str:
        return f"{self.api_version}/{self.kind}"

    @property
    def is_pattern(self) -> bool:
        """Whether any part is a wildcard."""
        return self.group.startswith("*") or self.version == "*" or self.kind == "*"

    def matches(self, gvk: GVK) -> bool:
        """Whether ``gvk`` falls under this pattern."""
        return (
            (self.kind == gvk.kind or self.kind == "*")
            and (self.version == gvk.version or self.version == "*")
            and group_matches(self.group, gvk.group)
        )

    @property
    def generality(self) -> Generality:
        """Sort key: smaller is more specific.

        Exact comes before the longest suffix before ``*``; by group, then kind, then version.
        """
        return (_part(self.group), _part(self.kind), _part(self.version))

    @staticmethod
    def parse(text: str) -> GVK:
        """Reads ``group/version/Kind`` or ``version/Kind`` (core group).

        Raises:
            ValueError: The text has another form.
        """
        parts = text.split("/")
        if not (2 <= len(parts) <= 3) or not all(parts):
            raise ValueError(
                f"{text!r} is not group/version/Kind (or version/Kind for the core group)"
            )
        return GVK("", *parts) if len(parts) == 2 else GVK(*parts)


def check_gvk(gvk: Any) -> GVK:
    """What a caller gave as a kind.

    Raises:
        ConfigurationError: It is no GVK.
    """
    if not isinstance(gvk, GVK):
        raise ConfigurationError(
            "must be a GVK, such as GVK('apps', 'v1', 'Deployment')", value=gvk
        )
    return gvk


def group_matches(pattern: str, group: str) -> bool:
    """Whether an API group falls under a group pattern (exact, ``*.suffix`` or ``*``)."""
    if pattern == group or pattern == "*":
        return True
    return pattern.startswith("*.") and group.endswith(pattern[1:])


def _part(pattern: str) -> tuple[int, int]:
    if pattern == "*":
        return (2, 0)
    if pattern.startswith("*."):
        return (1, -len(pattern))
    return (0, 0)


#: Every kind there is.
ANY = GVK("*", "*", "*")


@functools.lru_cache(maxsize=4096)
def from_api_version(api_version: str, kind: str) -> GVK:
    """Builds a GVK from ``apiVersion`` and ``kind`` as an object states them.

    Raises:
        InvalidObject: ``apiVersion`` has more than one slash or an empty part.
    """
    group, slash, version = api_version.partition("/")
    if not slash:
        return GVK("", api_version, kind)
    if not group or not version or "/" in version:
        raise InvalidObject(
            "must be version or group/version", path="apiVersion", value=api_version
        )
    return GVK(group, version, kind)


def gvk_of(obj: Any) -> GVK:
    """Group, version and kind that an object states.

    Raises:
        InvalidObject: The object is no dict, or ``apiVersion`` or ``kind`` is missing, empty or
            no string.
    """
    if isinstance(obj, dict):
        api_version, kind = obj.get("apiVersion"), obj.get("kind")
        if type(api_version) is str and type(kind) is str and api_version and kind:
            if len(api_version) + len(kind) > _LONGEST:
                raise InvalidObject(f"apiVersion and kind are longer than {_LONGEST} characters")
            return from_api_version(api_version, kind)
    raise _unnamed(obj)


def _unnamed(obj: Any) -> InvalidObject:
    if not isinstance(obj, dict):
        return InvalidObject("a Kubernetes object must be a dict", value=obj)
    for field in ("apiVersion", "kind"):
        if field not in obj:
            return InvalidObject("is missing: every object states apiVersion and kind", path=field)
        if not isinstance(obj[field], str) or not obj[field]:
            return InvalidObject("must be a non-empty string", path=field, value=obj[field])
    return InvalidObject("apiVersion and kind must be plain strings")
