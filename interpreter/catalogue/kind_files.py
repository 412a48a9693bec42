"""``kind.yaml``: what a script folder says about its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interpreter.api.operation import Operation
from interpreter.catalogue.folders import ANY_FOLDER, VERSION, KindFolder
from interpreter.codec import yaml
from interpreter.errors import InvalidCustomization, InvalidObject
from interpreter.machinery.gvk import GVK
from interpreter.machinery.names import subdomain_problems
from interpreter.manifests import read_file
from interpreter.settings import DEFAULTS

KIND_FILE = "kind.yaml"
SCOPES = ("Namespaced", "Cluster")


@dataclass(frozen=True, slots=True)
class KindFile:
    """What a ``kind.yaml`` says. Every field may be missing.

    Attributes:
        versions: Further versions that the scripts serve.
        targets: Further kinds or patterns that they serve; only where the folder is a pattern, too.
        name: Name of the customization, None for the usual one.
        summary: What the kind is, in one sentence.
        documentation: Address of the CRD's own documentation.
        scope: ``Namespaced`` or ``Cluster``.
        operations: Operations that have a script, in the order of the operations' table; None where
            the file does not list them.
        healthy: What "healthy" means for the kind, in one sentence.
        aggregation: How the statuses of members become one, a sentence for each rule.
    """

    versions: tuple[str, ...] = ()
    targets: tuple[GVK, ...] = ()
    name: str | None = None
    summary: str | None = None
    documentation: str | None = None
    scope: str | None = None
    operations: tuple[Operation, ...] | None = None
    healthy: str | None = None
    aggregation: tuple[str, ...] = ()


def read_kind_file(folder: Path) -> KindFile:
    """What ``kind.yaml`` in a folder says; the defaults when there is none.

    Raises:
        InvalidCustomization: It holds something else than it may.
    """
    path = folder / KIND_FILE
    if not path.is_file():
        return KindFile()
    try:
        data = read_file(str(path), DEFAULTS.max_manifest_bytes)
        documents = list(yaml.load_all(data, source=str(path)))
    except InvalidObject as error:
        raise InvalidCustomization(
            error.message, path=error.path, source=str(path), line=error.line
        ) from None
    value = documents[0].value if documents else {}
    if len(documents) > 1 or not isinstance(value, dict):
        raise InvalidCustomization("must be one map", source=str(path), line=1)
    try:
        fields = {key: _field(key, content) for key, content in value.items()}
        _check_versions(folder, fields.get("versions") or ())
        if fields.get("targets") and ANY_FOLDER not in folder.resolve().parents[1].name[:1]:
            raise InvalidCustomization(
                "stands beside an exact group",
                hint=f"only folders whose group starts with {ANY_FOLDER} are read for every kind",
                path="targets",
            )
    except InvalidCustomization as error:
        error.annotate(source=str(path), line=1)
        raise
    return KindFile(**{key: content for key, content in fields.items() if content is not None})


def targets_of(folder: KindFolder) -> tuple[GVK, ...]:
    """Kinds and patterns that the scripts of a folder serve, that of its path first.

    Raises:
        InvalidCustomization: ``kind.yaml`` holds something else than it may.
    """
    about = read_kind_file(folder.path)
    versions = (folder.gvk.version, *about.versions)
    return (*(folder.gvk._replace(version=version) for version in versions), *about.targets)


def is_object_name(name: str) -> bool:
    """Whether a text is a DNS subdomain, as names of customizations must be."""
    return not subdomain_problems(name)


def _field(key: str, value: Any) -> Any:
    """The checked value of a field; None for one that is not set."""
    check = _FIELDS.get(key)
    if check is None:
        raise InvalidCustomization(
            "is not known here", hint=f"wanted: {', '.join(_FIELDS)}", path=key
        )
    return None if value is None else check(key, value)


def _check_versions(folder: Path, versions: Iterable[str]) -> None:
    every = [folder.resolve().parent.name, *versions]
    if len(set(every)) < len(every):
        raise InvalidCustomization("names a version twice", path="versions")


def _versions(key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(
        isinstance(version, str) and VERSION.fullmatch(version) for version in value
    ):
        raise InvalidCustomization("must be a list of versions such as v1beta1", path=key)
    return tuple(value)


def _targets(key: str, value: Any) -> tuple[GVK, ...]:
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise InvalidCustomization("must be a list of group/version/Kind", path=key, value=value)
    try:
        return tuple(map(GVK.parse, value))
    except ValueError as error:
        raise InvalidCustomization(str(error), path=key) from None


def _name(key: str, value: Any) -> str:
    if not (isinstance(value, str) and is_object_name(value)):
        raise InvalidCustomization("must be the name of an object", path=key, value=value)
    return value


def _sentence(key: str, value: Any) -> str:
    if not (isinstance(value, str) and value.strip()) or "\n" in value.strip():
        raise InvalidCustomization("must be text on one line", path=key, value=value)
    return value.strip()


def _address(key: str, value: Any) -> str:
    if not (isinstance(value, str) and value.startswith(("https://", "http://"))):
        raise InvalidCustomization("must be the address of a page", path=key, value=value)
    return value


def _scope(key: str, value: Any) -> str:
    if value not in SCOPES:
        raise InvalidCustomization(f"must be {' or '.join(SCOPES)}", path=key, value=value)
    return str(value)


def _operations(key: str, value: Any) -> tuple[Operation, ...]:
    known = {str(operation) for operation in Operation}
    if not isinstance(value, list) or not known.issuperset(map(str, value)):
        raise InvalidCustomization(
            "must be a list of operations", path=key, value=value, hint=", ".join(Operation)
        )
    if len(set(value)) < len(value):
        raise InvalidCustomization("names an operation twice", path=key)
    return tuple(operation for operation in Operation if operation in value)


def _sentences(key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise InvalidCustomization("must be a list of sentences", path=key, value=value)
    return tuple(_sentence(f"{key}[{index}]", entry) for index, entry in enumerate(value))


_FIELDS: dict[str, Callable[[str, Any], Any]] = {
    "versions": _versions,
    "targets": _targets,
    "name": _name,
    "summary": _sentence,
    "documentation": _address,
    "scope": _scope,
    "operations": _operations,
    "healthy": _sentence,
    "aggregation": _sentences,
}
