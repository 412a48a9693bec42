"""Which kinds and operations a plugin handles, and the ``handles`` form that states it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from interpreter.api.operation import Operation
from interpreter.machinery.gvk import GVK

_C = TypeVar("_C", bound=type)

#: Attribute in which the decorator leaves its claims on a class.
CLAIMS_ATTRIBUTE = "__resource_interpreter_claims__"


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement "these operations of these kinds are mine".

    Attributes:
        gvk: A kind or a pattern: ``*`` for any part, ``*.example.com`` for groups by suffix.
        operations: Operations claimed; None for every hook that the plugin implements.
        priority: Larger wins among claims of equal specificity in the plugin tier.
    """

    gvk: GVK
    operations: frozenset[Operation] | None = None
    priority: int = 0

    def __call__(self, cls: _C) -> _C:
        """As a class decorator: its methods named like hooks become hooks for this claim."""
        existing: tuple[Claim, ...] = vars(cls).get(CLAIMS_ATTRIBUTE, ())
        setattr(cls, CLAIMS_ATTRIBUTE, (*existing, self))
        return cls

    def covers(self, operation: Operation) -> bool:
        """Whether the claim extends to an operation."""
        return self.operations is None or operation in self.operations


def handles(
    api_version: str,
    kind: str,
    *,
    operations: Iterable[Operation | str] | None = None,
    priority: int = 0,
) -> Claim:
    """A claim, for a ``handles`` hook to return or to decorate a class with.

    Args:
        api_version: ``group/version`` or ``version`` as objects state it; ``*`` and
            ``*.example.com/*`` are patterns (a bare ``*`` means every group and version).
        kind: The kind, or ``*``.
        operations: Operations claimed, by enum or by name; None for every hook that the plugin
            implements.
        priority: Larger wins among claims of equal specificity.

    Raises:
        ValueError: A part is empty, or an operation is unknown.
    """
    group, slash, version = api_version.partition("/")
    if not slash:
        group, version = ("*", "*") if api_version == "*" else ("", api_version)
    if not version or not kind or (slash and not group) or "/" in version:
        raise ValueError(f"handles({api_version!r}, {kind!r}): give group/version and a kind")
    if "*" in group and group != "*" and (not group.startswith("*.") or "*" in group[1:]):
        raise ValueError(f"handles({api_version!r}, …): a group wildcard is * or *.suffix")
    if isinstance(operations, str) or type(priority) is not int:
        raise ValueError("handles(…): operations must be a list of names, priority an integer")
    names = None if operations is None else frozenset(Operation(name) for name in operations)
    return Claim(GVK(group, version, kind), names, priority)
