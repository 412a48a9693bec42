"""The health of many objects at once: each one's own, and the worst of what it owns."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from interpreter.api.results import HEALTH_STATUSES, Health, HealthStatus
from interpreter.errors import InterpreterError
from interpreter.explanation import Explanation
from interpreter.machinery.conditions import one_line
from interpreter.machinery.owners import owners_of, tree_order
from interpreter.machinery.unstructured import JsonObject, metadata_of
from interpreter.manifests import Manifest

#: What an owner takes over from what it owns. What cannot be told outranks only what is well or at
#: rest: somebody has to look.
WORST_FIRST: Final[tuple[HealthStatus, ...]] = (
    "Degraded",
    "Missing",
    "Progressing",
    "Unknown",
    "Suspended",
    "Healthy",
)


@dataclass(slots=True, eq=False)
class Surveyed:
    """One object's health.

    Attributes:
        manifest: The object and where it came from.
        own: What the object says of itself; Unknown where nobody could tell.
        by: Who answered: the tier, with the name inside it where that says more; None: nobody.
        handler: The function or script that answered, None when nobody did.
        error: Why there is no answer, None where there is one.
        depth: How many owners stand above it in the survey.
        owner: The one right above it.
        cause: The object below it that is worse off than itself, the worst and nearest.
    """

    manifest: Manifest
    own: Health
    by: str | None
    handler: str | None
    error: InterpreterError | None
    depth: int = 0
    owner: Surveyed | None = None
    cause: Surveyed | None = None

    @property
    def health(self) -> Health:
        """Its own health, or that of the worst object that it owns."""
        return self.own if self.cause is None else self.cause.own


@dataclass(frozen=True, slots=True)
class Tally:
    """How the objects of one kind in one namespace fare, owned ones taken into account."""

    namespace: str
    group: str
    kind: str
    counts: dict[HealthStatus, int]

    @property
    def total(self) -> int:
        """Number of objects."""
        return sum(self.counts.values())


def survey(
    manifests: Sequence[Manifest], explain: Callable[[JsonObject], Explanation]
) -> list[Surveyed]:
    """Asks every object how it fares.

    Args:
        manifests: The objects.
        explain: Asks one of them for its health; what it raises is an answer, too.

    Returns:
        One entry for each, owners before what they own, else in the order given. An object that is
        there twice, as in two dumps of one cluster, has one entry, of the newer copy.
    """
    single = _without_copies(manifests)
    entries = [_ask(manifest, explain) for manifest in single]
    owners = owners_of([manifest.obj for manifest in single])
    _roll_up(entries, owners)
    ordered: list[Surveyed] = []
    for position, depth in tree_order(owners):
        entry = entries[position]
        entry.depth = depth
        if depth:
            entry.owner = entries[owners[position][0]]
        ordered.append(entry)
    return ordered


def tally(entries: Iterable[Surveyed]) -> list[Tally]:
    """Counts by namespace and kind, in their order; objects without a namespace come first."""
    counts: defaultdict[tuple[str, str, str], Counter[HealthStatus]] = defaultdict(Counter)
    for entry in entries:
        counts[_place(entry.manifest.obj)][entry.health.status] += 1
    return [
        Tally(*place, {status: counts[place][status] for status in HEALTH_STATUSES})
        for place in sorted(counts, key=lambda place: (place[0], place[2], place[1]))
    ]


def _without_copies(manifests: Sequence[Manifest]) -> list[Manifest]:
    """Each object once: copies have one identity and one uid, without a uid one content.

    The greater resource version counts, where that cannot be told the later copy.
    """
    kept: list[Manifest] = []
    positions: dict[tuple[str, ...], int] = {}
    for manifest in manifests:
        obj = manifest.obj
        fields = obj.get("metadata")
        metadata = fields if isinstance(fields, dict) else {}
        name, uid = metadata.get("name"), metadata.get("uid")
        if not isinstance(name, str):
            kept.append(manifest)
            continue
        key = (*_place(obj), name, uid if isinstance(uid, str) else "")
        at = positions.setdefault(key, len(kept))
        if at == len(kept) or (not key[-1] and kept[at].obj != obj):
            kept.append(manifest)
        elif _version_of(kept[at]) <= _version_of(manifest):
            kept[at] = manifest
    return kept


def _version_of(manifest: Manifest) -> int:
    """The resource version, a number in every API server that keeps objects in etcd; else 0."""
    version = manifest.obj["metadata"].get("resourceVersion")
    text = version if isinstance(version, str) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else 0


def _place(obj: JsonObject) -> tuple[str, str, str]:
    """Namespace, group and kind. Never raises."""
    namespace = metadata_of(obj).get("namespace")
    group, slash, _version = obj["apiVersion"].partition("/")
    return (
        namespace if isinstance(namespace, str) else "",
        group if slash else "",
        obj["kind"],
    )


def _ask(manifest: Manifest, explain: Callable[[JsonObject], Explanation]) -> Surveyed:
    try:
        answered = explain(manifest.obj)
    except InterpreterError as error:
        return Surveyed(manifest, _untold(error), None, None, error)
    by = None if answered.by is None else answered.by.label
    if answered.error is not None:
        own = _untold(answered.error)
    elif answered.by is None:
        own = Health("Unknown", "NoInterpreter", "nobody interprets the health of this kind")
    else:
        own = Health(**answered.answer)
    return Surveyed(manifest, own, by, answered.handler, answered.error)


def _untold(error: InterpreterError) -> Health:
    return Health("Unknown", type(error).__name__, one_line(str(error)))


def _roll_up(entries: list[Surveyed], owners: list[list[int]]) -> None:
    """Gives each owner the worst status below it. Circles are fine: each object is settled once."""
    by_status: defaultdict[str, list[int]] = defaultdict(list)
    for position, entry in enumerate(entries):
        by_status[entry.own.status].append(position)
    settled: set[int] = set()
    for status in WORST_FIRST:
        # All who are so themselves go first, then owners, the nearest first.
        wave = [(position, position) for position in by_status[status] if position not in settled]
        settled.update(position for position, _cause in wave)
        while wave:
            above = []
            for position, cause in wave:
                for owner in owners[position]:
                    if owner not in settled:
                        settled.add(owner)
                        entries[owner].cause = entries[cause]
                        above.append((owner, cause))
            wave = above
