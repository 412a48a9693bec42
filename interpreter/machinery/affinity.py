"""Which clusters an affinity names, and which taints a toleration bears.

Rules are those of Karmada 1.19: exclusion is asked first, then labels, fields and names, and all
that is given must match. A selector that is not valid matches no cluster, whatever it says.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from interpreter.errors import InvalidObject
from interpreter.machinery.selectors import (
    Requirement,
    Selector,
    compile_field,
    compile_selector,
)
from interpreter.machinery.unstructured import (
    JsonObject,
    list_or_empty,
    map_or_empty,
    name_of,
    objects_at,
    read_map,
    read_str,
)

#: The field that is a list: ``spec.zones``. The older ``spec.zone`` is not read.
ZONE = "zone"
#: Fields with one value, in ``spec``.
FIELDS = ("provider", "region")
#: Taints that keep a workload away; others are wishes.
HARD_EFFECTS = ("NoSchedule", "NoExecute")


class Affinity(NamedTuple):
    """A compiled ``ClusterAffinity``; an empty one names every cluster.

    Attributes:
        exclude: Names of clusters that never match.
        names: Names of which the cluster must be one; empty for any.
        labels: Requirements on labels.
        fields: Requirements on provider and region.
        zones: Requirements on zones.
        valid: Whether it can match at all.
    """

    exclude: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    labels: Selector = Selector()
    fields: tuple[Requirement, ...] = ()
    zones: tuple[Requirement, ...] = ()
    valid: bool = True

    def matches(self, cluster: JsonObject) -> bool:
        """Whether the affinity names a cluster."""
        name = name_of(cluster)
        if not self.valid or name in self.exclude or (self.names and name not in self.names):
            return False
        labels = map_or_empty(map_or_empty(cluster, "metadata"), "labels")
        if not self.labels.matches(labels):
            return False
        if not self.fields and not self.zones:
            return True
        spec = map_or_empty(cluster, "spec")
        fields = fields_of(spec)
        zones = zones_of(spec)
        return all(requirement.holds(fields) for requirement in self.fields) and all(
            zones_hold(requirement, zones) for requirement in self.zones
        )


#: What a selector that is not valid comes to.
NOTHING = Affinity(valid=False)


def compile_affinity(affinity: JsonObject | None) -> Affinity:
    """A ``ClusterAffinity`` (or a term with a name), ready to match; None names every cluster.

    Raises:
        InvalidObject: A field has the wrong type.
    """
    if not affinity:
        return Affinity()
    labels = Selector()
    selector = read_map(affinity, "labelSelector")
    if selector:
        try:
            labels = compile_selector(selector)
        except InvalidObject as error:
            if error.path is not None:  # a wrong type, not a wrong selector
                raise
            return NOTHING
    fields, zones = [], []
    for index, entry in enumerate(
        objects_at(map_or_empty(affinity, "fieldSelector"), "matchExpressions", "fieldSelector")
    ):
        expression = entry or {}
        try:
            if read_str(expression, "key") == ZONE:
                zones.append(
                    Requirement(
                        ZONE,
                        read_str(expression, "operator"),
                        frozenset(list_or_empty(expression, "values")),
                    )
                )
                continue
            requirement = compile_field(expression)
        except InvalidObject as error:
            raise error.within(f"fieldSelector.matchExpressions[{index}]") from None
        if requirement is None:
            return NOTHING
        fields.append(requirement)
    return Affinity(
        exclude=frozenset(list_or_empty(affinity, "exclude")),
        names=frozenset(list_or_empty(affinity, "clusterNames")),
        labels=labels,
        fields=tuple(fields),
        zones=tuple(zones),
    )


def matches_affinity(cluster: JsonObject, affinity: JsonObject | None) -> bool:
    """Whether a ``ClusterAffinity`` names a cluster; for many clusters, compile it first."""
    return compile_affinity(affinity).matches(cluster)


def fields_of(spec: JsonObject) -> dict[str, str]:
    """Provider and region of a cluster; an empty one is not there."""
    found = {}
    for field in FIELDS:
        value = read_str(spec, field, "spec")
        if value:
            found[field] = value
    return found


def zones_of(spec: JsonObject) -> frozenset[str]:
    """Zones of a cluster."""
    return frozenset(list_or_empty(spec, "zones", "spec"))


def zones_hold(requirement: Requirement, zones: frozenset[str]) -> bool:
    """Whether a requirement on zones holds; ``In`` needs one in common, ``NotIn`` none."""
    match requirement.operator:
        case "In":
            return not requirement.values.isdisjoint(zones)
        case "NotIn":
            return requirement.values.isdisjoint(zones)
        case "Exists":
            return bool(zones)
        case "DoesNotExist":
            return not zones
    return False


def tolerates(toleration: JsonObject, taint: JsonObject) -> bool:
    """Whether a toleration bears a taint (``core/v1``); for how long is not asked.

    An empty effect or key stands for every one; operators other than ``Equal`` and ``Exists`` bear
    nothing.
    """
    effect, key = read_str(toleration, "effect"), read_str(toleration, "key")
    if effect and effect != read_str(taint, "effect"):
        return False
    if key and key != read_str(taint, "key"):
        return False
    operator = read_str(toleration, "operator")
    if operator == "Exists":
        return True
    return operator in ("", "Equal") and read_str(toleration, "value") == read_str(taint, "value")


def untolerated_taint(
    taints: Iterable[JsonObject],
    tolerations: Iterable[JsonObject],
    effects: Iterable[str] = HARD_EFFECTS,
) -> JsonObject | None:
    """The first taint of certain effects that no toleration bears; None when there is none."""
    known = tuple(tolerations)
    wanted = tuple(effects)
    for taint in taints:
        if read_str(taint, "effect") in wanted and not any(
            tolerates(toleration, taint) for toleration in known
        ):
            return taint
    return None


def taint_text(taint: JsonObject) -> str:
    """A taint as people write it: ``key=value:effect``, or ``key:effect``."""
    key, value, effect = (read_str(taint, field) for field in ("key", "value", "effect"))
    return f"{key}={value}:{effect}" if value else f"{key}:{effect}"
