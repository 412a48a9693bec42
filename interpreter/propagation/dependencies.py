"""Dependencies: what must travel with a template, and the bindings that carry it.

A dependency gets an *attached* binding: no placement and no clusters of its own, but a snapshot of
the schedule of every *independent* binding that requires it. A binding that a policy placed anyway
keeps its placement and gets the snapshots beside it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from interpreter.api import marks
from interpreter.api.operation import Operation
from interpreter.api.results import DependentObjectReference
from interpreter.errors import InterpreterError, InvalidObject, NotFound
from interpreter.machinery.derived_names import DEPENDED_BY_PREFIX, depended_by_label
from interpreter.machinery.gvk import gvk_of
from interpreter.machinery.selectors import compile_selector
from interpreter.machinery.unstructured import (
    JsonObject,
    deep_copy,
    map_or_empty,
    name_of,
    namespace_of,
    objects_at,
    read_bool,
    read_str,
)
from interpreter.propagation.asking import Interpreter
from interpreter.propagation.bindings import (
    binding_key,
    check_owner,
    new_binding,
    resource_of,
    resource_reference,
)
from interpreter.propagation.dependency_records import (
    record_of,
    refers_to,
)
from interpreter.propagation.marking import (
    ObjectKey,
    by_key,
    is_deleting,
    key_of,
    labels_of,
    marked,
    text_label,
    unmarked,
    with_finalizer,
    without_finalizer,
)
from interpreter.propagation.works_leaving import clusters_that_stay

#: What an attached binding takes from those who require it, unless a policy placed it.
_STRATEGY = ("conflictResolution", "preserveResourcesOnDeletion")


class Event(NamedTuple):
    """Something to tell the owner of an object (a Kubernetes event).

    Attributes:
        about: The object.
        reason: A CamelCase word.
        message: One line for people.
    """

    about: ObjectKey
    reason: str
    message: str


@dataclass(kw_only=True)
class DependenciesOutcome:
    """What an independent binding's dependencies mean.

    Attributes:
        bindings: New and changed bindings by key, the independent one among them.
        events: Disagreements of requirers; all are warnings.
        errors: What failed; the rest is to be written all the same, and the binding looked at
            again.
    """

    bindings: dict[ObjectKey, JsonObject] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    errors: list[InterpreterError] = field(default_factory=list)


class Stock:
    """Objects and bindings among which dependencies are looked up."""

    def __init__(
        self, *, objects: Iterable[JsonObject] = (), bindings: Iterable[JsonObject] = ()
    ) -> None:
        """Takes all objects, and bindings of both kinds."""
        self.objects = by_key(objects)
        self.bindings: dict[ObjectKey, JsonObject] = {}
        self._by_place: dict[tuple[str, str, str], list[JsonObject]] = defaultdict(list)
        #: Keys of attached bindings, in order, by the label of whom they are attached to.
        self._attached: dict[str, dict[ObjectKey, None]] = defaultdict(dict)
        for key, obj in self.objects.items():
            self._by_place[key[:3]].append(obj)
        self.store(bindings)

    def store(self, bindings: Iterable[JsonObject]) -> None:
        """Takes bindings as they are stored now; others of the same keys are forgotten."""
        for binding in bindings:
            key = key_of(binding)
            for label in _attachments(self.bindings.get(key)):
                self._attached[label].pop(key, None)
            self.bindings[key] = binding
            for label in _attachments(binding):
                self._attached[label][key] = None

    def attached_to(self, label: str, identifier: str) -> list[JsonObject]:
        """Bindings that carry the label of an independent binding, with its identifier."""
        found = (self.bindings[key] for key in self._attached.get(label, ()))
        return [each for each in found if text_label(each, label) == identifier]

    def find(self, reference: DependentObjectReference) -> list[JsonObject]:
        """Objects that a reference names, or selects by label in its namespace.

        Raises:
            InvalidObject: Its label selector is not valid.
        """
        place = (reference.api_version, reference.kind, reference.namespace)
        if reference.name:
            found = self.objects.get(ObjectKey(*place, reference.name))
            return [] if found is None else [found]
        selector = compile_selector(reference.label_selector or {})
        return [obj for obj in self._by_place.get(place, ()) if selector.matches(labels_of(obj))]


def reconcile_dependencies(
    binding: JsonObject,
    template: JsonObject | None,
    stock: Stock,
    *,
    interpreter: Interpreter,
) -> DependenciesOutcome:
    """Attaches what an independent binding's template depends on, and detaches what it does not.

    With propagation of dependencies off, or the binding being deleted, everything is detached; the
    recorded list stays. A kind without a dependency rule is left alone.

    Args:
        binding: The independent binding.
        template: Its template, None when that is gone.
        stock: Where dependencies, requirers and attached bindings are looked up; it holds the
            binding itself as it is stored.
        interpreter: Who knows the template's kind.

    Raises:
        InvalidObject: The binding has no identifier, or a field that is read has the wrong type.
    """
    outcome = DependenciesOutcome()
    spec = map_or_empty(binding, "spec")
    if is_deleting(binding) or not read_bool(spec, "propagateDeps", "spec"):
        _detach(binding, (), stock, outcome)
        if not outcome.errors:
            _put(outcome, without_finalizer(binding, marks.DEPENDENCIES_FINALIZER), stock)
        return outcome
    if template is None:
        return outcome
    if not interpreter.hook_enabled(gvk_of(template), Operation.GET_DEPENDENCIES):
        return outcome
    try:
        references = interpreter.get_dependencies(template)
    except InterpreterError as error:
        outcome.errors.append(error)
        references = None
    binding = with_finalizer(binding, marks.DEPENDENCIES_FINALIZER)
    if references is None:
        _put(outcome, binding, stock)
        return outcome
    binding = marked(binding, annotations={marks.BINDING_DEPENDENCIES: record_of(references)})
    _put(outcome, binding, stock)
    _detach(binding, references, stock, outcome)
    if outcome.errors:
        return outcome
    for reference in references:
        try:
            found = stock.find(reference)
        except InterpreterError as error:
            outcome.errors.append(error)
            continue
        for dependency in found:
            _attach(binding, dependency, stock, outcome)
    return outcome


def _identifier(binding: JsonObject) -> str:
    identifier = text_label(binding, marks.BINDING_ID)
    if not identifier:
        raise InvalidObject(
            f"binding {name_of(binding)} has no identifier",
            path=f"metadata.labels[{marks.BINDING_ID}]",
            hint="admission gives one to every binding",
        )
    return identifier


def _detach(
    binding: JsonObject,
    references: Iterable[DependentObjectReference],
    stock: Stock,
    outcome: DependenciesOutcome,
) -> None:
    """Takes a binding off attached bindings whose object is not referred to any more."""
    label, identifier = _label(binding), _identifier(binding)
    wanted = tuple(references)
    for attached in stock.attached_to(label, identifier):
        key = resource_of(attached)
        live = stock.objects.get(key)
        try:
            if any(refers_to(each, key, labels_of(live or {})) for each in wanted):
                continue
            left = unmarked(attached, labels=(label,))
            spec = dict(map_or_empty(attached, "spec"))
            snapshots = [each for each in _snapshots(spec) if _requirer(each) != _place(binding)]
            _put(outcome, {**left, "spec": _required(spec, snapshots, left, stock, outcome)}, stock)
        except InterpreterError as error:
            outcome.errors.append(error)


def _attach(
    binding: JsonObject, dependency: JsonObject, stock: Stock, outcome: DependenciesOutcome
) -> None:
    key = binding_key(dependency)
    attached = new_binding(key, dependency, {})
    existing = outcome.bindings.get(key) or stock.bindings.get(key)
    try:
        if existing is not None:
            check_owner(existing, attached)
            attached = existing
        attached = marked(attached, labels={_label(binding): _identifier(binding)})
        spec = {**map_or_empty(attached, "spec"), "resource": resource_reference(dependency)}
        snapshots = _with_snapshot(_snapshots(spec), binding)
        spec = _required(spec, snapshots, attached, stock, outcome)
        _put(outcome, {**attached, "spec": spec}, stock)
    except InterpreterError as error:
        outcome.errors.append(error)


def _attachments(binding: JsonObject | None) -> list[str]:
    labels = () if binding is None else labels_of(binding)
    return [label for label in labels if label.startswith(DEPENDED_BY_PREFIX)]


def _label(binding: JsonObject) -> str:
    return depended_by_label(namespace_of(binding), name_of(binding))


def _place(binding: JsonObject) -> tuple[str, str]:
    return namespace_of(binding), name_of(binding)


def _snapshots(spec: JsonObject) -> list[JsonObject]:
    return [each or {} for each in objects_at(spec, "requiredBy", "spec")]


def _requirer(snapshot: JsonObject) -> tuple[str, str]:
    return read_str(snapshot, "namespace"), read_str(snapshot, "name")


def _with_snapshot(snapshots: list[JsonObject], binding: JsonObject) -> list[JsonObject]:
    """Snapshots with that of a binding: in the place of its earlier one, else behind the others.

    Of a binding that could not be scheduled and has no cluster, the earlier one stays, but for
    clusters that are left ``Directly``: its Works stay, and what they need stays with them.
    """
    namespace, name = _place(binding)
    snapshot: JsonObject = {"name": name}
    if namespace:
        snapshot["namespace"] = namespace
    places = [_requirer(each) for each in snapshots]
    clusters = objects_at(map_or_empty(binding, "spec"), "clusters", "spec")
    if not clusters and (namespace, name) in places:
        clusters = clusters_that_stay(binding, snapshots[places.index((namespace, name))])
    if clusters:
        snapshot["clusters"] = deep_copy(clusters)
    if (namespace, name) not in places:
        return [*snapshots, snapshot]
    at = places.index((namespace, name))
    return [*snapshots[:at], snapshot, *snapshots[at + 1 :]]


def _required(
    spec: JsonObject,
    snapshots: list[JsonObject],
    attached: JsonObject,
    stock: Stock,
    outcome: DependenciesOutcome,
) -> JsonObject:
    """``spec`` of an attached binding with these snapshots.

    What its requirers want about conflicts and deletion it takes from them, unless a policy placed
    it: then the policy has said it.

    Raises:
        NotFound: A requirer does not exist.
    """
    spec = {key: value for key, value in spec.items() if key != "requiredBy"}
    if snapshots:
        spec["requiredBy"] = snapshots
    if spec.get("placement") is not None:
        return spec
    for name in _STRATEGY:
        spec.pop(name, None)
    if not snapshots:
        return spec
    requirers = [_stored(each, stock) for each in snapshots]
    overwrites = {read_str(each, "conflictResolution", "spec") == "Overwrite" for each in requirers}
    preserves = {read_bool(each, "preserveResourcesOnDeletion", "spec") for each in requirers}
    spec["conflictResolution"] = "Overwrite" if True in overwrites else "Abort"
    spec["preserveResourcesOnDeletion"] = True in preserves
    disagreements = []
    if len(overwrites) > 1:
        disagreements.append("ConflictResolution conflicted (Overwrite vs Abort)")
    if len(preserves) > 1:
        disagreements.append("PreserveResourcesOnDeletion conflicted (true vs false)")
    if disagreements:
        message = f"Dependency policy conflict detected: {'; '.join(disagreements)}."
        outcome.events.append(Event(key_of(attached), "DependencyPolicyConflict", message))
    return spec


def _stored(snapshot: JsonObject, stock: Stock) -> JsonObject:
    """``spec`` of the binding of which a snapshot was taken."""
    namespace, name = _requirer(snapshot)
    kind = "ResourceBinding" if namespace else "ClusterResourceBinding"
    binding = stock.bindings.get(ObjectKey(marks.WORK_API_VERSION, kind, namespace, name))
    if binding is None:
        raise NotFound(f"{kind} {name}, which requires this object, does not exist")
    return map_or_empty(binding, "spec")


def _put(outcome: DependenciesOutcome, binding: JsonObject, stock: Stock) -> None:
    """Notes a binding to write; one that is as it is stored is none."""
    key = key_of(binding)
    if stock.bindings.get(key) != binding:
        outcome.bindings[key] = binding
