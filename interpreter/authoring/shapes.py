"""What a kind looks like to somebody who writes its first scripts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from interpreter.authoring.crds import (
    ANY_ITEM,
    ANY_KEY,
    KindSchema,
    field,
    pod_templates,
    properties,
    replicas_path,
)
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject, is_integer

#: Integer fields of a status that add up over clusters.
_COUNTER = re.compile(
    r"(?:\w*[rR]eplicas|active|ready|succeeded|failed|desired|current|updated|available|unavailable)"
    r"(?:Pods|Number|NumberScheduled)?"
)
#: Counters that tell whether the replicas work, the best first.
_READY = ("availableReplicas", "readyReplicas", "available", "ready")
#: Names that items of a list of components go by.
_NAMES = ("name", "groupName", "role", "type")
_FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LUA_WORDS = frozenset(
    {
        *("and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if"),
        *("in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while"),
    }
)


@dataclass(frozen=True, slots=True)
class ComponentShape:
    """A part of an object with a pod template of its own.

    Attributes:
        holder: Path of the object that holds the template; its last step may stand for all items of
            a list or all values of a map.
        template: Name of the template in it.
        replicas: Name of the count in it, None when there is none.
        name: Name of the field that names an item of a list; empty where the path does.
    """

    holder: tuple[str, ...]
    template: str
    replicas: str | None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind, as far as scripts are concerned.

    Attributes:
        gvk: The kind.
        namespaced: Whether its objects live in namespaces.
        replicas: Path of the replica count.
        default_replicas: What an absent count means.
        template: Path of the only pod template.
        components: Parts with pod templates, where there are several.
        has_status: Whether there is a status.
        counters: Fields of the status that add up.
        ready: The counter that says how many replicas work.
        has_conditions: Whether the status has conditions of the usual form.
        has_generation: Whether the status has ``observedGeneration``.
    """

    gvk: GVK
    namespaced: bool = True
    replicas: tuple[str, ...] | None = None
    default_replicas: int = 1
    template: tuple[str, ...] | None = None
    components: tuple[ComponentShape, ...] = ()
    has_status: bool = False
    counters: tuple[str, ...] = ()
    ready: str | None = None
    has_conditions: bool = False
    has_generation: bool = False

    @property
    def tells_health(self) -> bool:
        """Whether the status says by itself how an object fares; else conventions know better."""
        return self.has_conditions or (self.ready is not None and self.replicas is not None)


def usual_shape(gvk: GVK) -> Shape:
    """The shape of a workload as most are, for a kind whose definition is not at hand."""
    return Shape(
        gvk,
        replicas=("spec", "replicas"),
        template=("spec", "template"),
        has_status=True,
        counters=("replicas", "readyReplicas"),
        ready="readyReplicas",
        has_conditions=True,
        has_generation=True,
    )


def shape_of(kind: KindSchema) -> Shape:
    """The shape that a definition describes; fields that Lua cannot name are passed over."""
    replicas = replicas_path(kind)
    if replicas is not None and not _speakable(replicas):
        replicas = None
    templates = [path for path in pod_templates(kind.schema) if _speakable(path)]
    literal = [path for path in templates if not {ANY_ITEM, ANY_KEY} & set(path)]
    single = literal[0] if len(templates) == 1 and literal else None
    components = () if single else tuple(_components(kind.schema, templates))
    status = properties(field(kind.schema, "status") or {})
    counters = tuple(
        name
        for name, schema in status.items()
        if schema.get("type") == "integer" and _COUNTER.fullmatch(name)
    )
    return Shape(
        kind.gvk,
        kind.namespaced,
        replicas,
        _default(kind.schema, replicas),
        single,
        components,
        kind.has_status,
        counters,
        next((name for name in _READY if name in counters), None),
        _has_conditions(status),
        "observedGeneration" in status,
    )


def _speakable(path: tuple[str, ...]) -> bool:
    return all(
        step in (ANY_ITEM, ANY_KEY) or (_FIELD.fullmatch(step) and step not in _LUA_WORDS)
        for step in path
    )


def _default(schema: JsonObject, path: tuple[str, ...] | None) -> int:
    described = field(schema, *path) if path is not None else None
    value = described.get("default") if described is not None else None
    return value if is_integer(value) and isinstance(value, int) and value >= 0 else 1


def _has_conditions(status: dict[str, JsonObject]) -> bool:
    items = status.get("conditions", {}).get("items")
    if not isinstance(items, dict):
        return False
    # Conditions whose fields are left open are of the usual form, too.
    is_open = items.get("x-kubernetes-preserve-unknown-fields") is True
    return is_open or {"type", "status"} <= set(properties(items))


def _components(schema: JsonObject, templates: list[tuple[str, ...]]) -> list[ComponentShape]:
    """Parts whose templates are reached by names, with at most one list or map at the end."""
    found = []
    for path in templates:
        *holder, template = path
        inner = holder[:-1] if holder[-1] in (ANY_ITEM, ANY_KEY) else holder
        if {ANY_ITEM, ANY_KEY} & set(inner) or template in (ANY_ITEM, ANY_KEY):
            continue
        described = field(schema, *inner) or {}
        if len(inner) < len(holder):
            inside = "items" if holder[-1] == ANY_ITEM else "additionalProperties"
            described = described.get(inside, {})
        fields = properties(described)
        count = fields.get("replicas", {}).get("type")
        name = next((name for name in _NAMES if name in fields), "")
        found.append(
            ComponentShape(
                tuple(holder),
                template,
                "replicas" if count == "integer" else None,
                name if holder[-1] == ANY_ITEM else "",
            )
        )
    return found
