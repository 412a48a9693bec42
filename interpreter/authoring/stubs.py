"""Annotation files for the Lua language server, so that editors complete and check scripts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from interpreter.authoring.crds import KindSchema, as_map, choose, properties
from interpreter.authoring.stub_texts import INTERPRETER, KUBE
from interpreter.catalogue.folders import CORE_FOLDER
from interpreter.errors import InvalidCustomization
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject
from interpreter.machinery.wording import truncated

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
#: Longest line of a description; the rest is cut, because schemas repeat whole pages.
_MAX_DESCRIPTION = 160
#: Values of an enumeration that are written out; longer ones are just strings.
_MAX_ENUM = 20
#: Libraries that scripts do not have. ``package`` has to stay: it is what declares ``require``.
_NO_LIBRARIES = ("bit", "bit32", "coroutine", "debug", "ffi", "io", "jit", "utf8")
_SCALARS = {"string": "string", "integer": "integer", "number": "number", "boolean": "boolean"}


#: Names that a kind may not take, folded: file systems and people may not tell cases apart.
_TAKEN = frozenset(
    name.lower()
    for name in (
        *("kube", "interpreter"),
        *re.findall(r"^---@(?:class|alias) (\w+)", KUBE + INTERPRETER, re.MULTILINE),
    )
)


def common_files() -> dict[Path, str]:
    """The files that every author needs: ``kube.lua`` and ``interpreter.lua``."""
    return {Path("kube.lua"): KUBE, Path("interpreter.lua"): INTERPRETER}


def settings_text(library: str) -> str:
    """A ``.luarc.json`` for a folder of scripts whose annotation files are in ``library``."""
    settings = {
        "runtime.version": "Lua 5.1",
        "runtime.builtin": dict.fromkeys(_NO_LIBRARIES, "disable"),
        "workspace.library": [library],
        # The functions of the operations are global: the control plane calls them by name.
        "diagnostics.disable": ["lowercase-global", "duplicate-set-field"],
    }
    return json.dumps(settings, indent=2) + "\n"


def kind_files(kinds: Iterable[KindSchema], *, version: str | None = None) -> dict[Path, str]:
    """A file for each kind among versions of kinds: the first version, or the one asked for.

    Raises:
        InvalidCustomization: A kind has not that version, or two groups have a kind of one name.
    """
    groups: dict[tuple[str, str], list[KindSchema]] = {}
    for one in kinds:
        groups.setdefault((one.gvk.group, one.gvk.kind), []).append(one)
    files: dict[Path, str] = {}
    for versions in groups.values():
        path, text = kind_file(choose(versions, kind=None, version=version))
        if path in files:
            raise InvalidCustomization(
                f"two groups have a kind for {path}", hint="write them to folders of their own"
            )
        files[path] = text
    return files


def class_name(gvk: GVK) -> str:
    """What a kind's class and file are called: as the kind.

    A kind called like a class or a file that all kinds share has its group in front:
    ``example_com_Health``.
    """
    if gvk.kind.lower() not in _TAKEN:
        return gvk.kind
    return f"{_part(gvk.group or CORE_FOLDER)}_{gvk.kind}"


def kind_file(kind: KindSchema) -> tuple[Path, str]:
    """``<Kind>.lua``: the classes of a kind, from its schema; see :func:`class_name`.

    Each object with named fields becomes a class named by its path (``Widget.spec.template``); a
    field that the schema does not require is optional.
    """
    name = class_name(kind.gvk)
    writer = _Classes()
    top = dict(properties(kind.schema))
    for given in ("apiVersion", "kind", "metadata"):
        top.pop(given, None)
    fields = "".join(writer.fields(name, top, required=set()))
    head = f"---@meta\n\n---{kind.gvk.api_version} {kind.gvk.kind}\n"
    head += _comment(kind.schema.get("description"))
    head += f'---@class {name}: KubernetesObject\n---@field apiVersion "{kind.gvk.api_version}"\n'
    head += f'---@field kind "{kind.gvk.kind}"\n---@field metadata ObjectMeta\n{fields}'
    return Path(f"{name}.lua"), "\n".join([head, *writer.classes])


class _Classes:
    """Collects the classes of nested objects while fields are written."""

    def __init__(self) -> None:
        self.classes: list[str] = []

    def fields(
        self, owner: str, fields: dict[str, JsonObject], required: set[str]
    ) -> Iterator[str]:
        for name, schema in fields.items():
            mark = "" if name in required else "?"
            shown = f"{name}{mark}" if _IDENTIFIER.fullmatch(name) else f"[{json.dumps(name)}]"
            kind = self.type_of(schema, f"{owner}.{_part(name)}")
            if shown.startswith("[") and mark:
                kind += "|nil"
            note = _summary(schema.get("description"))
            yield f"---@field {shown} {kind}{' ' + note if note else ''}\n"

    def type_of(self, schema: JsonObject, name: str) -> str:
        """The type of a value, in the language of annotations."""
        if schema.get("nullable") is True:
            # Scripts see absent fields instead of nulls.
            schema = {key: value for key, value in schema.items() if key != "nullable"}
            return f"{self.type_of(schema, name)}|nil"
        if schema.get("x-kubernetes-int-or-string") is True:
            return "integer|string"
        kind = schema.get("type")
        values = schema.get("enum")
        if kind == "string" and isinstance(values, list) and 0 < len(values) <= _MAX_ENUM:
            return "|".join(json.dumps(value, ensure_ascii=False) for value in values)
        if isinstance(kind, str) and kind in _SCALARS:
            return _SCALARS[kind]
        if kind == "array":
            return _list_of(self.type_of(as_map(schema.get("items")), f"{name}.item"))
        if properties(schema):
            return self._class(schema, name)
        values_schema = schema.get("additionalProperties")
        if isinstance(values_schema, dict):
            return f"table<string, {self.type_of(values_schema, f'{name}.value')}>"
        return "table<string, any>" if kind == "object" else "any"

    def _class(self, schema: JsonObject, name: str) -> str:
        required = schema.get("required")
        wanted = set(required) if isinstance(required, list) else set()
        position = len(self.classes)
        fields = "".join(self.fields(name, properties(schema), wanted))
        if schema.get("x-kubernetes-preserve-unknown-fields") is True:
            fields += "---@field [string] any\n"
        # The class stands before those of its own fields, as the schema reads.
        text = f"{_comment(schema.get('description'))}---@class {name}\n{fields}"
        self.classes.insert(position, text)
        return name


def _list_of(kind: str) -> str:
    return f"({kind})[]" if "|" in kind else f"{kind}[]"


def _part(name: str) -> str:
    """A field's name as a part of a class name."""
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


def _summary(text: object) -> str:
    """A description on one line: its first sentence, cut where it is long."""
    if not isinstance(text, str):
        return ""
    line = " ".join(text.split())
    sentence = re.match(r"(.*?[.!?])(?:\s|$)", line)
    return truncated(sentence[1] if sentence else line, _MAX_DESCRIPTION)


def _comment(text: object) -> str:
    summary = _summary(text)
    return f"---{summary}\n" if summary else ""
