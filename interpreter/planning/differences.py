"""What changes in member clusters from one plan to another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from typing import Literal, NamedTuple

from interpreter.codec import yaml
from interpreter.machinery.unstructured import JsonObject, ordered_like, same
from interpreter.planning.plan import Plan, State, reference
from interpreter.propagation import key_of

#: How the names of policies start without which objects are selected by none.
_PROPAGATION = ("PropagationPolicy ", "ClusterPropagationPolicy ")

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

    An object that failed in one of the plans counts as it is in a cluster now, and so does what
    travels with it, what no policy selects while one was refused, and everything in a cluster that
    was refused: a plan that fails removes nothing.
    """
    before, after = dict(_landed(old)), dict(_landed(new))
    unknown = _Unknown(old), _Unknown(new)
    found = []
    for key in sorted({*before, *after}):
        was, becomes = before.get(key), after.get(key)
        if was is None or becomes is None:
            landed = was or becomes
            if landed is not None and any(each.covers(key, landed) for each in unknown):
                continue
        elif same(was.manifest, becomes.manifest):
            continue
        found.append(_difference(key, was, becomes))
    return tuple(found)


class _Landed(NamedTuple):
    """An object in a cluster, and for whom it is there."""

    manifest: JsonObject
    replicas: int | None
    required_by: tuple[str, ...]


def _landed(plan: Plan) -> Iterator[tuple[_Key, _Landed]]:
    for template in plan.templates:
        for placement in template.placements:
            manifest = placement.manifest
            if manifest is not None:
                key = _Key(placement.cluster, *key_of(manifest))
                yield key, _Landed(manifest, placement.replicas, placement.required_by)


class _Unknown:
    """What a plan cannot say because something failed."""

    def __init__(self, plan: Plan) -> None:
        self._keys = {
            _Key(error.cluster, *key_of(template.template))
            for template in plan.templates
            for error in template.errors
        }
        self._refused = {error.about for error in plan.errors}
        self._names = {each.reference for each in plan.templates if each.errors} | self._refused
        if any(about.startswith(_PROPAGATION) for about in self._refused):
            unselected = [each for each in plan.templates if each.state is State.UNSELECTED]
            self._keys |= {_Key("", *key_of(each.template)) for each in unselected}
            self._names |= {each.reference for each in unselected}

    def covers(self, key: _Key, landed: _Landed) -> bool:
        """Whether an object of the other plan may be there, or not, in this one too."""
        return (
            key in self._keys
            or key._replace(cluster="") in self._keys
            or not self._refused.isdisjoint(
                (reference(landed.manifest), f"cluster {key.cluster}", f"Cluster {key.cluster}")
            )
            or not self._names.isdisjoint(landed.required_by)
        )


def _difference(key: _Key, was: _Landed | None, becomes: _Landed | None) -> Difference:
    kind: Kind = "changed"
    if was is None:
        kind = "added"
    elif becomes is None:
        kind = "removed"
    shown = becomes or was
    return Difference(
        cluster=key.cluster,
        object="" if shown is None else reference(shown.manifest),
        kind=kind,
        before=None if was is None else was.replicas,
        after=None if becomes is None else becomes.replicas,
        old=None if was is None else was.manifest,
        new=None if becomes is None else becomes.manifest,
    )
