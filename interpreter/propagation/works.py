"""Works from a scheduled binding: what each cluster gets, and which Works are no longer wanted.

The scheduler's numbers always win over those of the template. One failing cluster does not stop the
others. A target list that is empty because scheduling failed deletes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from interpreter.api import marks, work_marks
from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.errors import InterpreterError, NotFound
from interpreter.machinery.derived_names import execution_space
from interpreter.machinery.gvk import gvk_of
from interpreter.machinery.unstructured import (
    JsonObject,
    map_or_empty,
    name_of,
    namespace_of,
    read_int,
    read_str,
    strict_int,
)
from interpreter.propagation.marking import (
    finalizers_of,
    is_deleting,
    labels_of,
    marked,
    text_label,
    without_finalizer,
)
from interpreter.propagation.member_asking import MemberInterpreter
from interpreter.propagation.overrides import AppliedOverride, OverrideIndex
from interpreter.propagation.works_leaving import lost_its_clusters, superfluous_works
from interpreter.propagation.works_packing import (
    belongs,
    build_work,
    is_cluster_binding,
    mark_for_member,
    preserved_labels,
    record_managed,
    relocated,
    suspended_clusters,
    work_key,
)
from interpreter.propagation.works_targets import (
    Target,
    divide_completions,
    divides_replicas,
    evicting,
    has_several_components,
    is_workload,
    targets_of,
)

#: What Works for a cluster differ by, beside its name and its share of the replicas.
Alike = Callable[[JsonObject], Hashable]

#: Seconds after which a binding is looked at again that waits for Works to go.
DIRECT_PURGE_RECHECK: Final = 5


class WorkKey(NamedTuple):
    """Namespace (the cluster's execution space) and name of a Work."""

    namespace: str
    name: str


@dataclass(frozen=True, slots=True)
class PlannedWork:
    """The Work for one cluster.

    Attributes:
        cluster: The cluster.
        work: The Work to create, or to write over the existing one.
        replicas: Replicas that the cluster was given.
        notes: What overrides passed over.
        cluster_overrides: Rules of cluster-scoped override policies, in order of application.
        overrides: Rules of override policies of the object's namespace, likewise.
    """

    cluster: str
    work: JsonObject
    replicas: int
    notes: tuple[str, ...] = ()
    cluster_overrides: tuple[AppliedOverride, ...] = ()
    overrides: tuple[AppliedOverride, ...] = ()


@dataclass(frozen=True, slots=True)
class EnsuredWorks:
    """Works of a binding, in the order of its clusters.

    Attributes:
        works: One for each cluster that could be served.
        errors: Cluster and error of the others.
    """

    works: tuple[PlannedWork, ...] = ()
    errors: tuple[tuple[str, InterpreterError], ...] = ()


@dataclass(frozen=True, slots=True)
class BindingReconciled:
    """What is to be done about a binding.

    Attributes:
        delete: Works to delete, by key, sorted.
        ensured: Works to write.
        requeue_after: Seconds after which to look again; 0 for no need.
        finalizers: The binding's finalizers; none left means that a deleted binding goes.
        note: Why something was left undone, for people.
    """

    delete: tuple[WorkKey, ...]
    ensured: EnsuredWorks
    requeue_after: int
    finalizers: tuple[str, ...]
    note: str | None = None


def key_of_work(work: JsonObject) -> WorkKey:
    """Key of a Work."""
    return WorkKey(namespace_of(work), name_of(work))


def ensure_works(
    template: JsonObject,
    binding: JsonObject,
    *,
    clusters: Mapping[str, JsonObject],
    overrides: OverrideIndex,
    interpreter: MemberInterpreter,
    existing: Mapping[WorkKey, JsonObject] | None = None,
    gates: Mapping[str, bool] | None = None,
    alike: Alike | None = None,
) -> EnsuredWorks:
    """Turns a template and its binding into Works.

    Args:
        template: The template; it is not changed.
        binding: Its ResourceBinding or ClusterResourceBinding, scheduled.
        clusters: Clusters that exist, by name.
        overrides: Override policies.
        interpreter: Who knows the template's kind.
        existing: Works that exist, by key; their metadata are kept.
        gates: Feature gates that are on or off.
        alike: Tells clusters apart in which the template is treated differently; None where any
            two may differ.
    """
    packer = _Packer(
        template=template,
        binding=binding,
        targets=tuple(targets_of(binding)),
        clusters=clusters,
        overrides=overrides,
        interpreter=interpreter,
        existing=existing or {},
        gates=gates or {},
        alike=None if existing else alike,
    )
    return packer.pack_all()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Packer:
    """Everything that the Works of one binding have in common."""

    template: JsonObject
    binding: JsonObject
    targets: tuple[Target, ...]
    clusters: Mapping[str, JsonObject]
    overrides: OverrideIndex
    interpreter: MemberInterpreter
    existing: Mapping[WorkKey, JsonObject]
    gates: Mapping[str, bool]
    alike: Alike | None

    def pack_all(self) -> EnsuredWorks:
        works, errors = [], []
        models: dict[Hashable, PlannedWork] = {}
        try:
            shared = _Shared(
                revises=self._revises(),
                completions=self._completions(),
                state=preserved_labels(self.binding, self.targets, self.gates),
                suspended=suspended_clusters(self.binding, self.targets),
            )
        except InterpreterError as error:
            return EnsuredWorks((), tuple((target.cluster, error) for target in self.targets))
        for target in self.targets:
            try:
                works.append(self._pack_like(target, shared, models))
            except InterpreterError as error:
                errors.append((target.cluster, error))
        return EnsuredWorks(tuple(works), tuple(errors))

    def _revises(self) -> bool:
        """Whether the number that the scheduler gave is written into the object.

        With several components it says nothing about any of them.
        """
        if not is_workload(self.binding) or has_several_components(self.binding):
            return False
        return self.interpreter.hook_enabled(gvk_of(self.template), Operation.REVISE_REPLICA)

    def _completions(self) -> Mapping[str, int]:
        """Completions of a Job by cluster; empty when they are not divided."""
        spec = map_or_empty(self.binding, "spec")
        gvk = gvk_of(self.template)
        if gvk.group != "batch" or gvk.kind != "Job" or not divides_replicas(self.binding):
            return {}
        if (read_int(spec, "replicas", "spec") or 0) <= 0:
            return {}
        wanted = strict_int(map_or_empty(self.template, "spec"), "completions", "spec")
        if wanted is None:
            return {}
        uid = read_str(map_or_empty(self.template, "metadata"), "uid", "metadata")
        return divide_completions(wanted, self.targets, uid=uid)

    def _pack_like(
        self, target: Target, shared: _Shared, models: dict[Hashable, PlannedWork]
    ) -> PlannedWork:
        """The Work for a target; that of another cluster serves as its model where it may."""
        cluster = self.clusters.get(target.cluster)
        if self.alike is None or cluster is None:
            return self._pack(target, shared)
        replicas = target.replicas if shared.revises else None
        key = (replicas, shared.completions.get(target.cluster), self.alike(cluster))
        model = models.get(key)
        if model is None:
            model = models[key] = self._pack(target, shared)
            return model
        suspended = target.cluster in shared.suspended
        work = relocated(model.work, execution_space(target.cluster), suspended=suspended)
        return PlannedWork(
            target.cluster,
            work,
            target.replicas,
            model.notes,
            model.cluster_overrides,
            model.overrides,
        )

    def _pack(self, target: Target, shared: _Shared) -> PlannedWork:
        cluster = self.clusters.get(target.cluster)
        if cluster is None:
            raise NotFound(f"cluster {target.cluster} does not exist")
        context = HookContext(
            cluster_name=target.cluster,
            cluster_labels=labels_of(cluster),
            target_count=len(self.targets),
            feature_gates=self.gates,
        )
        overridden = self.overrides.apply(self._sized(target, shared, context), cluster)
        key = WorkKey(*work_key(overridden.object, target.cluster))
        existing = self.existing.get(key)
        identifier = "" if existing is None else text_label(existing, work_marks.WORK_ID)
        obj = mark_for_member(
            overridden.object, self.binding, self.template, work=key, work_id=identifier
        )
        pruned = self.interpreter.prune(obj, remove_job_ttl=True, context=context)
        work = build_work(
            record_managed(pruned),
            self.binding,
            key=key,
            overridden=overridden,
            existing=existing,
            suspended=target.cluster in shared.suspended,
        )
        return PlannedWork(
            target.cluster,
            work,
            target.replicas,
            overridden.notes,
            overridden.cluster_overrides,
            overridden.overrides,
        )

    def _sized(self, target: Target, shared: _Shared, context: HookContext) -> JsonObject:
        """The template with the numbers of one cluster, and with the state that it gets."""
        obj = self.template
        if shared.revises:
            obj = self.interpreter.revise_replica(obj, target.replicas, context=context)
        if target.cluster in shared.completions:
            completions = shared.completions[target.cluster]
            obj = {**obj, "spec": {**map_or_empty(obj, "spec"), "completions": completions}}
        return marked(obj, labels=shared.state) if shared.state else obj


class _Shared(NamedTuple):
    """What is found out once for all Works of a binding."""

    revises: bool
    completions: Mapping[str, int]
    state: Mapping[str, str]
    suspended: frozenset[str]


def reconcile_binding(
    binding: JsonObject,
    *,
    template: JsonObject | None,
    works: Iterable[JsonObject],
    clusters: Mapping[str, JsonObject],
    overrides: OverrideIndex,
    interpreter: MemberInterpreter,
    gates: Mapping[str, bool] | None = None,
    alike: Alike | None = None,
) -> BindingReconciled:
    """What is to be done about a binding: Works to delete, and Works to write.

    While a Work remains in a cluster that the object leaves ``Directly``, nothing is written: two
    copies must not run at the same time.

    Args:
        binding: The binding.
        template: Its template; None when that is gone, and then nothing is written.
        works: All Works that may be the binding's; others are left alone.
        clusters: Clusters that exist, by name.
        overrides: Override policies.
        interpreter: Who knows the template's kind.
        gates: Feature gates that are on or off.
        alike: As for :func:`ensure_works`.
    """
    known = list(works)
    finalizers = finalizers_of(binding)
    if is_deleting(binding):
        mine = [work for work in known if belongs(work, binding)]
        left = finalizers_of(without_finalizer(binding, _finalizer(binding)))
        return BindingReconciled(_keys(mine), EnsuredWorks(), 0, tuple(left))
    superfluous = superfluous_works(binding, known)
    delete = _keys(superfluous)
    gone = {key_of_work(work) for work in superfluous if not finalizers_of(work)}
    leaving = {execution_space(name) for name in evicting(binding, directly=True)}
    remains = any(
        namespace_of(work) in leaving
        for work in known
        if belongs(work, binding) and key_of_work(work) not in gone
    )
    note = None
    if lost_its_clusters(binding):
        note = "it could not be scheduled and has no cluster: its Works stay as they are"
    if remains or template is None:
        wait = DIRECT_PURGE_RECHECK if remains else 0
        return BindingReconciled(delete, EnsuredWorks(), wait, tuple(finalizers), note)
    existing = {key: work for work in known if (key := key_of_work(work)) not in gone}
    ensured = ensure_works(
        template,
        binding,
        clusters=clusters,
        overrides=overrides,
        interpreter=interpreter,
        existing=existing,
        gates=gates,
        alike=alike,
    )
    return BindingReconciled(delete, ensured, 0, tuple(finalizers), note)


def _keys(works: Iterable[JsonObject]) -> tuple[WorkKey, ...]:
    return tuple(sorted({key_of_work(work) for work in works if not is_deleting(work)}))


def _finalizer(binding: JsonObject) -> str:
    if is_cluster_binding(binding):
        return marks.CLUSTER_BINDING_FINALIZER
    return marks.BINDING_FINALIZER
