"""What changes in member clusters from one plan to another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from typing import Literal, NamedTuple

from interpreter.codec import yaml
from interpreter.machinery.unstructured import JsonObject, ordered_like, same
from interpreter.planning.plan import Plan, reference
from interpreter.propagation import key_of

Kind = Literal["added", "removed", "changed"]


class _Key(NamedTuple):
    cluster: str
    api_version: str
    kind: str
    namespace: str
    name: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One object in one cluster that is not as it was.

    Attributes:
        cluster: The cluster.
        object: ``Deployment shop/web``.
        kind: What happened to it.
        before: Replicas before; None for none.
        after: Replicas after.
        old: The object as the member cluster has it; None when added.
        new: The object as it gets it; None when removed.
    """

    cluster: str
    object: str
    kind: Kind
    before: int | None
    after: int | None
    old: JsonObject | None
    new: JsonObject | None

    def lines(self) -> list[str]:
        """A unified diff of the YAML of both."""
        name = f"{self.cluster}/{self.object.replace(' ', '/')}"
        old, new = self.old, self.new
        if old is not None and new is not None:
            new = ordered_like(new, old)
        return [
            line.rstrip("\n")
            for line in unified_diff(
                [] if old is None else yaml.dumps(old).splitlines(keepends=True),
                [] if new is None else yaml.dumps(new).splitlines(keepends=True),
                f"old/{name}" if old is not None else "/dev/null",
                f"new/{name}" if new is not None else "/dev/null",
            )
        ]


def compare(old: Plan, new: Plan) -> tuple[Difference, ...]:
    """What applying the new inputs over the old ones changes, by cluster, then by object.

    An object that failed in one of the plans counts as it is in a cluster now: a plan that fails
    removes nothing.
    """
    before, after = dict(_landed(old)), dict(_landed(new))
    failed = {key for plan in (old, new) for key in _failed(plan)}
    found = []
    for key in sorted({*before, *after}):
        was, becomes = before.get(key), after.get(key)
        if (was is None or becomes is None) and _is_of(key, failed):
            continue
        if was is not None and becomes is not None and same(was[0], becomes[0]):
            continue
        found.append(_difference(key, was, becomes))
    return tuple(found)


_Landed = tuple[JsonObject, int | None]


def _landed(plan: Plan) -> Iterator[tuple[_Key, _Landed]]:
    for template in plan.templates:
        for placement in template.placements:
            manifest = placement.manifest
            if manifest is not None:
                yield _Key(placement.cluster, *key_of(manifest)), (manifest, placement.replicas)


def _failed(plan: Plan) -> Iterator[_Key]:
    """Objects that failed, with the cluster where that is a single one."""
    for template in plan.templates:
        for error in template.errors:
            yield _Key(error.cluster, *key_of(template.template))


def _is_of(key: _Key, failed: set[_Key]) -> bool:
    return key in failed or key._replace(cluster="") in failed


def _difference(key: _Key, was: _Landed | None, becomes: _Landed | None) -> Difference:
    kind: Kind = "changed"
    if was is None:
        kind = "added"
    elif becomes is None:
        kind = "removed"
    shown = becomes or was
    return Difference(
        cluster=key.cluster,
        object="" if shown is None else reference(shown[0]),
        kind=kind,
        before=None if was is None else was[1],
        after=None if becomes is None else becomes[1],
        old=None if was is None else was[0],
        new=None if becomes is None else becomes[0],
    )
