"""A finished plan: what lands where, and why, as data.

Everything that can be shown of a plan is here; who shows it computes nothing. Objects in it are
plain dicts and belong to the plan: they are read, never changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from interpreter.errors import InterpreterError
from interpreter.machinery.unstructured import JsonObject, name_of, namespace_of


class State(StrEnum):
    """What became of a template."""

    PLACED = "placed"  #: A policy placed it.
    FOLLOWS = "follows"  #: No policy selects it; it goes where those go that depend on it.
    UNSELECTED = "unselected"  #: No policy selects it, and nobody depends on it: it stays.
    FAILED = "failed"  #: It cannot be scheduled or interpreted; ``errors`` say why.


class Note(NamedTuple):
    """Something that was assumed or passed over; no error.

    Attributes:
        about: What it is about: ``Deployment shop/web``, ``cluster member1``; empty for all.
        text: One line.
    """

    about: str
    text: str

    def __str__(self) -> str:
        return f"{self.about}: {self.text}" if self.about else self.text


@dataclass(frozen=True, slots=True)
class PlanError:
    """Something that cannot be scheduled or interpreted.

    Attributes:
        about: What it is about: ``Deployment shop/web``, ``cluster member1``.
        step: Where it failed: ``input``, ``policy``, ``schedule``, ``dependencies``, ``works``.
        error: The error with all its facts.
        source: File and document of what it is about; empty when there is none.
        cluster: The one cluster that it concerns; empty for all.
    """

    about: str
    step: str
    error: InterpreterError
    source: str = ""
    cluster: str = ""

    def __str__(self) -> str:
        place = f" in {self.cluster}" if self.cluster else ""
        return f"{self.about}{place}: {' '.join(str(self.error).split())}"


@dataclass(frozen=True, slots=True)
class Usage:
    """One resource of a cluster. Shares are parts of what is allocatable, and may pass 1.

    Attributes:
        resource: ``cpu``, ``memory``, ``pods``, …
        allocatable: What the cluster has, a quantity such as ``64`` or ``256Gi``.
        used: What was used before, the same.
        planned: What the plan adds, the same: replicas beyond those that existing bindings have
            there already, which are part of ``used``.
        used_share: 0.0 on.
        planned_share: 0.0 on.
    """

    resource: str
    allocatable: str
    used: str
    planned: str
    used_share: float
    planned_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterPlan:
    """A member cluster, and what it gets.

    Attributes:
        name: Its name.
        region: Its region; empty when it states none. So are ``provider`` and ``zones``.
        provider: Its provider.
        zones: Its zones.
        labels: Its labels.
        taints: Its taints as ``kubectl`` writes them: ``key=value:NoSchedule``.
        leaving: Whether it is being deleted: nothing is placed there.
        usage: Its resources, cpu, memory and pods first; empty when it has no resource summary.
        objects: How many objects it gets.
        replicas: How many replicas it gets, of all templates.
        obj: The Cluster.
    """

    name: str
    region: str = ""
    provider: str = ""
    zones: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: tuple[str, ...] = ()
    leaving: bool = False
    usage: tuple[Usage, ...] = ()
    objects: int = 0
    replicas: int = 0
    obj: JsonObject


@dataclass(frozen=True, slots=True)
class RankedChoice:
    """A policy that selects a template.

    Attributes:
        policy: ``PropagationPolicy shop/web``.
        priority: Its explicit priority.
        match: How precisely it selects: ``by name``, ``by labels``, ``all of the kind``.
    """

    policy: str
    priority: int
    match: str


@dataclass(frozen=True, slots=True)
class PolicyChoice:
    """Which policy a template is under.

    Attributes:
        policy: ``PropagationPolicy shop/web``.
        why: Why this one, one line: ``priority 10 before 0 of PropagationPolicy shop/all``.
        ranked: All that select the template, the winner first; empty where a claim decides.
        strategy: How it divides replicas: ``Duplicated``, ``StaticWeight``, ``DynamicWeight``,
            ``Aggregated``.
        obj: The policy.
    """

    policy: str
    why: str
    ranked: tuple[RankedChoice, ...]
    strategy: str
    obj: JsonObject


@dataclass(frozen=True, slots=True)
class Change:
    """An override that was applied.

    Attributes:
        policy: ``OverridePolicy shop/eu-registry``.
        overriders: What it does, by group, as the policy states it.
        summary: The same on one line: ``image registry, 2 labels``.
    """

    policy: str
    overriders: JsonObject
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """One cell of the matrix: an object in a cluster.

    Attributes:
        cluster: The cluster.
        replicas: How many; None for an object that has none, or several pod templates.
        completions: Completions of a Job, where they are divided.
        before: Replicas that an existing binding has there; None when it is not there yet.
        required_by: Bindings' objects for which it travels there (``Deployment shop/web``); empty
            where its own policy placed it.
        changes: Overrides applied, in order.
        suspended: Whether dispatching stands still.
        work: The Work; None where it failed.
    """

    cluster: str
    replicas: int | None = None
    completions: int | None = None
    before: int | None = None
    required_by: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    suspended: bool = False
    work: JsonObject | None = None

    @property
    def manifest(self) -> JsonObject | None:
        """The object as the member cluster gets it; None where that failed."""
        if self.work is None:
            return None
        manifest: JsonObject = self.work["spec"]["workload"]["manifests"][0]
        return manifest


class Candidate(NamedTuple):
    """A cluster that passed the filters.

    Attributes:
        cluster: The cluster.
        score: Sum of its scores.
        available: Replicas that it takes, those that it has included; None where nothing is
            counted.
        chosen: Whether it was selected.
        tier: Overflow order: 0 for the term's own clusters, 1 for its first overflow group, ….
    """

    cluster: str
    score: int
    available: int | None
    chosen: bool
    tier: int = 0


@dataclass(frozen=True, slots=True)
class Pass:
    """One scheduling pass.

    Attributes:
        term: Name of the affinity term; empty without terms.
        rejected: Why clusters were filtered out, by cluster, in order of the clusters.
        candidates: The others, best first.
        groups: Score of each group, by field (``region``, …) and name.
        result: Cluster and replicas, in order; None when there is no schedule.
        error: Why there is none.
    """

    term: str
    rejected: Mapping[str, str]
    candidates: tuple[Candidate, ...]
    groups: Mapping[str, Mapping[str, int]]
    result: tuple[tuple[str, int], ...] | None
    error: InterpreterError | None = None


@dataclass(frozen=True, slots=True)
class Dependency:
    """What a template depends on.

    Attributes:
        reference: ``ConfigMap shop/settings``, or ``Secret shop/* (app=web)`` by label.
        found: The objects among the inputs, ``ConfigMap shop/settings``; empty for none.
    """

    reference: str
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplatePlan:
    """A template, and what becomes of it.

    Attributes:
        template: The object as it is planned: namespace and uid filled in.
        source: File and document: ``web.yaml, document 1``.
        state: What became of it.
        policy: The policy that it is under, None for none.
        trigger: Why it was scheduled, or not (``PlacementChanged``, ``None``, …).
        passes: Scheduling passes, one for each affinity term that was tried.
        replicas: Replicas that it wants; None for what has none.
        requests: What one replica needs, quantities by resource.
        components: Name and replicas of each part, for several pod templates.
        placements: Where it lands, in the order of the schedule.
        removed: Clusters whose existing Work goes.
        dependencies: What it depends on; empty where dependencies are not propagated.
        binding: Its binding, scheduled; None for none.
        notes: What was assumed or passed over.
        errors: What failed; placements that did not fail are there all the same.
    """

    template: JsonObject
    source: str
    state: State
    policy: PolicyChoice | None = None
    trigger: str = ""
    passes: tuple[Pass, ...] = ()
    replicas: int | None = None
    requests: Mapping[str, str] = field(default_factory=dict)
    components: tuple[tuple[str, int], ...] = ()
    placements: tuple[Placement, ...] = ()
    removed: tuple[str, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    binding: JsonObject | None = None
    notes: tuple[Note, ...] = ()
    errors: tuple[PlanError, ...] = ()

    @property
    def kind(self) -> str:
        """Its kind."""
        return str(self.template["kind"])

    @property
    def namespace(self) -> str:
        """Its namespace; empty for a cluster-scoped one."""
        return namespace_of(self.template)

    @property
    def name(self) -> str:
        """Its name."""
        return name_of(self.template)

    @property
    def reference(self) -> str:
        """``Deployment shop/web``."""
        return reference(self.template)

    @property
    def rejected(self) -> Mapping[str, str]:
        """Why clusters were filtered out in the last pass, by cluster."""
        return self.passes[-1].rejected if self.passes else {}

    def at(self, cluster: str) -> Placement | None:
        """The placement in a cluster, None when it does not go there."""
        return next((each for each in self.placements if each.cluster == cluster), None)


@dataclass(frozen=True, slots=True)
class Plan:
    """What lands on which cluster.

    Attributes:
        clusters: Member clusters by name.
        templates: Templates in the order in which they were given.
        notes: Notes about everything but templates.
        errors: Errors about everything but templates.
        gates: Feature gates that were switched.
    """

    clusters: tuple[ClusterPlan, ...]
    templates: tuple[TemplatePlan, ...]
    notes: tuple[Note, ...] = ()
    errors: tuple[PlanError, ...] = ()
    gates: Mapping[str, bool] = field(default_factory=dict)

    @property
    def all_notes(self) -> list[Note]:
        """Notes about anything, each once."""
        found = [*self.notes, *(note for each in self.templates for note in each.notes)]
        return list(dict.fromkeys(found))

    @property
    def all_errors(self) -> list[PlanError]:
        """Errors about anything."""
        return [*self.errors, *(error for each in self.templates for error in each.errors)]

    @property
    def works(self) -> list[JsonObject]:
        """All Works, by template and in the order of its schedule."""
        return [
            placement.work
            for template in self.templates
            for placement in template.placements
            if placement.work is not None
        ]


class Step(NamedTuple):
    """A step of the story of one object.

    Attributes:
        title: ``policy``, ``binding``, ``filter``, ``score``, ``schedule``, ``dependencies``,
            ``overrides``, ``works``.
        summary: What came of it, one line.
        details: More lines.
    """

    title: str
    summary: str
    details: tuple[str, ...] = ()


def reference(obj: JsonObject) -> str:
    """An object for people: ``Deployment shop/web``."""
    namespace, name = namespace_of(obj), name_of(obj)
    return f"{obj['kind']} {namespace}/{name}" if namespace else f"{obj['kind']} {name}"
