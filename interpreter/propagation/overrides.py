"""Override policies: which apply to an object in a cluster, in which order, and what they change.

Cluster-scoped policies come first, then those of the object's namespace. Within a scope the most
precise one comes last and wins, of equals the one with the larger name. All of them are applied or
none: an override whose path does not exist is an error that names policy, rule and path.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from interpreter.codec.copying import copy_object
from interpreter.codec.json import dumps
from interpreter.errors import InvalidObject
from interpreter.machinery.affinity import Affinity, compile_affinity
from interpreter.machinery.derived_names import namespaced_key
from interpreter.machinery.unstructured import (
    JsonObject,
    map_or_empty,
    name_of,
    namespace_of,
    objects_at,
    read_map,
    read_str,
)
from interpreter.propagation.overrides_groups import (
    apply_field,
    apply_image,
    apply_plaintext,
    command_or_args,
    labels_or_annotations,
)
from interpreter.propagation.selection import (
    Match,
    ResourceSelector,
    best_match,
    compiled_selectors,
)

Overrider = Callable[[JsonObject, JsonObject], list[str]]

CLUSTER_SCOPED: Final = "ClusterOverridePolicy"
#: Groups of a rule in the order in which they are applied.
_APPLIED: Final[tuple[tuple[str, Overrider], ...]] = (
    ("imageOverrider", apply_image),
    ("commandOverrider", command_or_args("command")),
    ("argsOverrider", command_or_args("args")),
    ("labelsOverrider", labels_or_annotations("labels")),
    ("annotationsOverrider", labels_or_annotations("annotations")),
    ("fieldOverrider", apply_field),
    ("plaintext", apply_plaintext),
)
#: Groups in the order in which a record lists them, with their fields.
_RECORDED: Final[dict[str, tuple[str, ...]]] = {
    "plaintext": ("path", "operator", "value"),
    "imageOverrider": ("predicate", "component", "operator", "value"),
    "commandOverrider": ("containerName", "operator", "value"),
    "argsOverrider": ("containerName", "operator", "value"),
    "labelsOverrider": ("operator", "value"),
    "annotationsOverrider": ("operator", "value"),
    "fieldOverrider": ("fieldPath", "json", "yaml"),
}
#: Paths of what tells kinds and namespaces apart.
_WHOLE: Final = frozenset({"", "/metadata"})
_IDENTITY: Final = ("/kind", "/apiVersion", "/metadata/namespace")
_RECORDED_EMBEDDED = ("subPath", "operator", "value")


class AppliedOverride(NamedTuple):
    """A rule that was applied: its policy's name, and its overriders as written."""

    policy: str
    overriders: JsonObject


@dataclass(frozen=True, slots=True)
class Overridden:
    """An object as one cluster gets it.

    Attributes:
        object: The object; the one given when nothing applies.
        cluster_overrides: Rules of cluster-scoped policies, in order of application.
        overrides: Rules of policies of its namespace, likewise.
        notes: What was passed over, for people.
    """

    object: JsonObject
    cluster_overrides: tuple[AppliedOverride, ...] = ()
    overrides: tuple[AppliedOverride, ...] = ()
    notes: tuple[str, ...] = ()


class _Rule(NamedTuple):
    path: str
    target: Affinity
    overriders: JsonObject


class _Policy(NamedTuple):
    shown: str
    name: str
    selectors: tuple[ResourceSelector, ...]
    rules: tuple[_Rule, ...]

    def match(self, obj: JsonObject) -> Match:
        """How precisely it selects an object; a policy without selectors selects everything."""
        return best_match(obj, self.selectors) if self.selectors else Match.ALL

    def may_select(self, kind: object) -> bool:
        """Whether it selects some objects of a kind."""
        return not self.selectors or any(each.kind == kind for each in self.selectors)


class OverrideIndex:
    """Override policies of both scopes, ready to apply to many objects and clusters."""

    def __init__(self, policies: Iterable[JsonObject] = ()) -> None:
        """Reads policies of both kinds.

        Raises:
            InvalidObject: A policy has a field of the wrong type.
        """
        self._scopes: dict[str | None, list[_Policy]] = defaultdict(list)
        for policy in policies:
            cluster_scoped = read_str(policy, "kind") == CLUSTER_SCOPED
            self._scopes[None if cluster_scoped else namespace_of(policy)].append(_read(policy))

    def apply(self, obj: JsonObject, cluster: JsonObject) -> Overridden:
        """The object as a cluster gets it.

        Args:
            obj: The object; it is not changed.
            cluster: The Cluster that it goes to.

        Raises:
            InvalidObject: An override cannot be applied; its policy is ``plugin``.
        """
        work = _Application(obj, cluster)
        cluster_overrides = work.scope(self._scopes.get(None, ()))
        namespace = namespace_of(work.object)
        overrides = work.scope(self._scopes.get(namespace, ()) if namespace else ())
        return Overridden(work.object, cluster_overrides, overrides, tuple(work.notes))

    def targets(self, obj: JsonObject) -> tuple[Affinity, ...]:
        """Targets of all rules that could be applied to objects of a kind in a namespace.

        Of two clusters that the same of them match, an object gets the same overrides in both.
        """
        policies = [each for scope in self._scopes.values() for each in scope]
        if not any(_moves(policy) for policy in policies):
            scopes = (self._scopes.get(None, ()), self._scopes.get(namespace_of(obj) or None, ()))
            policies = [
                policy for scope in scopes for policy in scope if policy.may_select(obj.get("kind"))
            ]
        return tuple(dict.fromkeys(rule.target for each in policies for rule in each.rules))


class _Application:
    """One object on its way to one cluster; it is copied before the first change."""

    def __init__(self, obj: JsonObject, cluster: JsonObject) -> None:
        self.object = obj
        self.notes: list[str] = []
        self._cluster = cluster
        self._original = obj

    def scope(self, policies: Iterable[_Policy]) -> tuple[AppliedOverride, ...]:
        """Applies the policies of one scope that select the object as it came into the scope."""
        matching = [
            (match, policy.name, policy)
            for policy in policies
            if (match := policy.match(self.object))
        ]
        matching.sort(key=lambda each: each[:2])
        applied = []
        for _match, name, policy in matching:
            for rule in policy.rules:
                if rule.target.matches(self._cluster):
                    self._apply(policy, rule)
                    applied.append(AppliedOverride(name, rule.overriders))
        return tuple(applied)

    def _apply(self, policy: _Policy, rule: _Rule) -> None:
        for group, apply in _APPLIED:
            for index, overrider in enumerate(objects_at(rule.overriders, group)):
                if self.object is self._original:
                    self.object = copy_object(self._original)
                where = f"{policy.shown}: {rule.path}.{group}[{index}]"
                try:
                    passed = apply(self.object, overrider or {})
                except InvalidObject as error:
                    error.annotate(plugin=policy.shown)
                    raise error.within(where) from None
                self.notes.extend(f"{where}: {note}" for note in passed)


def _moves(policy: _Policy) -> bool:
    """Whether a policy may change what other policies select an object by: kind and namespace."""
    paths = (
        read_str(each or {}, "path")
        for rule in policy.rules
        for each in objects_at(rule.overriders, "plaintext")
    )
    return any(path in _WHOLE or path.startswith(_IDENTITY) for path in paths)


def _read(policy: JsonObject) -> _Policy:
    name = name_of(policy)
    shown = f"{read_str(policy, 'kind')} {namespaced_key(namespace_of(policy), name)}"
    try:
        spec = map_or_empty(policy, "spec")
        rules = tuple(
            _Rule(
                f"spec.overrideRules[{index}].overriders",
                compile_affinity(read_map(rule or {}, "targetCluster")),
                map_or_empty(rule or {}, "overriders"),
            )
            for index, rule in enumerate(objects_at(spec, "overrideRules", "spec"))
        )
        if not rules:
            # The deprecated form: one rule at the top.
            target = compile_affinity(read_map(spec, "targetCluster"))
            rules = (_Rule("spec.overriders", target, map_or_empty(spec, "overriders")),)
        return _Policy(shown, name, compiled_selectors(policy), rules)
    except InvalidObject as error:
        error.annotate(plugin=shown)
        raise error.within(shown) from None


def recorded(applied: Iterable[AppliedOverride]) -> str | None:
    """Applied rules as an annotation of a Work records them; None for none.

    A JSON list of ``{"policyName", "overriders"}`` by name of policy; rules of one policy stay in
    order of application.
    """
    entries = [
        {"policyName": policy, "overriders": _recorded_groups(overriders)}
        for policy, overriders in sorted(applied, key=lambda each: each.policy)
    ]
    return dumps(entries) if entries else None


def _recorded_groups(overriders: JsonObject) -> JsonObject:
    groups = {}
    for group, fields in _RECORDED.items():
        entries = objects_at(overriders, group)
        if entries:
            groups[group] = [_recorded_fields(entry or {}, fields) for entry in entries]
    return groups


def _recorded_fields(entry: JsonObject, fields: tuple[str, ...]) -> JsonObject:
    result: JsonObject = {}
    for field in fields:
        if field in ("json", "yaml"):
            operations = objects_at(entry, field)
            if operations:
                result[field] = [
                    _recorded_fields(operation or {}, _RECORDED_EMBEDDED)
                    for operation in operations
                ]
        elif field == "value" and ("path" in fields or "subPath" in fields):
            # An operation without value writes null.
            result[field] = entry.get(field)
        elif field in entry and not (field == "value" and entry[field] in ("", [], None)):
            result[field] = entry[field]
    return result
