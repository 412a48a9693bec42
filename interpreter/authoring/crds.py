"""What a CustomResourceDefinition tells about a kind: its schema, and what is where in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.errors import InvalidCustomization
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject
from interpreter.manifests import Manifest, read, read_file
from interpreter.settings import DEFAULTS

CRD_KIND = "CustomResourceDefinition"
#: Deepest level at which a pod template is looked for; real ones are at five or less.
_MAX_DEPTH = 12
_TEMPLATE_NAMES = frozenset({"template", "podTemplate", "podTemplateSpec"})

#: A step of ``ANY_ITEM`` stands for every item of a list, ``ANY_KEY`` for every value of a map.
ANY_ITEM = "[]"
ANY_KEY = "{}"


@dataclass(frozen=True, slots=True)
class KindSchema:
    """One version of a kind.

    Attributes:
        gvk: The kind.
        namespaced: Whether its objects live in namespaces.
        schema: Its OpenAPI schema; empty when the definition has none.
        scale_path: Path of the replica count that the scale subresource names, None without one.
        has_status: Whether it has a status subresource, or a status in its schema.
    """

    gvk: GVK
    namespaced: bool
    schema: JsonObject
    scale_path: tuple[str, ...] | None
    has_status: bool


def read_kinds(manifests: Iterable[Manifest]) -> list[KindSchema]:
    """All kinds that definitions describe; of each the storage version comes first.

    Raises:
        InvalidCustomization: There is no definition, or one of them is not valid.
    """
    found: list[KindSchema] = []
    for manifest in manifests:
        if manifest.obj["kind"] == CRD_KIND:
            found += _versions(manifest)
    if not found:
        raise InvalidCustomization(f"there is no {CRD_KIND} here")
    return found


def named_kinds(paths: Iterable[str]) -> list[GVK]:
    """Kinds of files that hold definitions, or lines with ``group/version/Kind``.

    Raises:
        InvalidCustomization: A file holds neither.
        InvalidObject: A file cannot be read.
    """
    found: list[GVK] = []
    for path in paths:
        text = read_file(path, DEFAULTS.max_manifest_bytes).decode(errors="replace")
        lines = [line.partition("#")[0].strip() for line in text.splitlines()]
        try:
            found += [GVK.parse(line) for line in lines if line]
        except ValueError:
            found += [kind.gvk for kind in read_kinds(read([path]))]
    return found


def _versions(manifest: Manifest) -> list[KindSchema]:
    spec = manifest.obj.get("spec")
    names = spec.get("names") if isinstance(spec, dict) else None
    versions = spec.get("versions") if isinstance(spec, dict) else None
    kind = names.get("kind") if isinstance(names, dict) else None
    group = spec.get("group") if isinstance(spec, dict) else None
    if not (isinstance(kind, str) and isinstance(group, str) and isinstance(versions, list)):
        raise InvalidCustomization(
            "a definition has spec.group, spec.names.kind and spec.versions", source=manifest.where
        )
    ordered = sorted(
        (version for version in versions if isinstance(version, dict)),
        key=lambda version: (not version.get("storage"), not version.get("served", True)),
    )
    return [
        KindSchema(
            GVK(group, str(version.get("name")), kind),
            isinstance(spec, dict) and spec.get("scope") != "Cluster",
            as_map(as_map(version.get("schema")).get("openAPIV3Schema")),
            _scale_path(version),
            "status" in as_map(version.get("subresources"))
            or "status" in properties(as_map(as_map(version.get("schema")).get("openAPIV3Schema"))),
        )
        for version in ordered
    ]


def _scale_path(version: JsonObject) -> tuple[str, ...] | None:
    scale = as_map(version.get("subresources")).get("scale")
    path = scale.get("specReplicasPath") if isinstance(scale, dict) else None
    return tuple(path.strip(".").split(".")) if isinstance(path, str) and path else None


def as_map(value: Any) -> JsonObject:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def properties(schema: JsonObject) -> dict[str, JsonObject]:
    """The named fields of an object's schema."""
    fields = schema.get("properties")
    if not isinstance(fields, dict):
        return {}
    return {name: field for name, field in fields.items() if isinstance(field, dict)}


def field(schema: JsonObject, *path: str) -> JsonObject | None:
    """The schema of a field, None when it is not described."""
    for name in path:
        found = properties(schema).get(name)
        if found is None:
            return None
        schema = found
    return schema


def is_pod_template(schema: JsonObject, name: str = "") -> bool:
    """Whether a schema has the shape of a pod template: ``spec.containers`` is a list.

    Definitions that leave the template open are known by its name alone.
    """
    containers = field(schema, "spec", "containers")
    if containers is not None:
        return containers.get("type") == "array"
    open_schema = schema.get("x-kubernetes-preserve-unknown-fields") is True
    return open_schema and name in _TEMPLATE_NAMES and not properties(schema)


def pod_templates(schema: JsonObject) -> list[tuple[str, ...]]:
    """Paths of all pod templates below ``spec``, in the order of the schema."""
    spec = field(schema, "spec")
    return [] if spec is None else list(_templates(spec, ("spec",)))


def _templates(schema: JsonObject, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if len(path) > _MAX_DEPTH:
        return
    if len(path) > 1 and is_pod_template(schema, path[-1]):
        yield path
        return
    for name, child in properties(schema).items():
        yield from _templates(child, (*path, name))
    for key, step in (("items", ANY_ITEM), ("additionalProperties", ANY_KEY)):
        values = schema.get(key)
        if isinstance(values, dict):
            yield from _templates(values, (*path, step))


def replicas_path(kind: KindSchema) -> tuple[str, ...] | None:
    """Path of the replica count: the scale subresource's, else an integer ``spec.replicas``."""
    if kind.scale_path is not None:
        return kind.scale_path
    replicas = field(kind.schema, "spec", "replicas")
    if replicas is not None and replicas.get("type") in ("integer", "number"):
        return ("spec", "replicas")
    return None


def choose(kinds: list[KindSchema], *, kind: str | None, version: str | None) -> KindSchema:
    """The one version of the one kind that is meant.

    Raises:
        InvalidCustomization: None fits, or several kinds do.
    """
    fitting = [
        one for one in kinds if kind in (None, one.gvk.kind) and version in (None, one.gvk.version)
    ]
    if not fitting:
        known = ", ".join(sorted(str(one.gvk) for one in kinds))
        wanted = " ".join(filter(None, (kind, version)))
        raise InvalidCustomization(f"no definition of {wanted}", hint=f"there are: {known}")
    if len({(one.gvk.group, one.gvk.kind) for one in fitting}) > 1:
        known = ", ".join(sorted({one.gvk.kind for one in fitting}))
        raise InvalidCustomization("several kinds are defined", hint=f"choose one of {known}")
    return fitting[0]
