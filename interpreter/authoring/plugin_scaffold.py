"""A starting project for a Python plugin: installable, registered, tested."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from interpreter.authoring import plugin_texts as texts
from interpreter.catalogue.folders import CORE_FOLDER
from interpreter.codec import yaml
from interpreter.errors import ConfigurationError
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject

_NAME = re.compile(r"[a-z][a-z0-9]*([-_.][a-z0-9]+)*")
_KIND = re.compile(r"[A-Z][A-Za-z0-9]*")
_GROUP = re.compile(r"[a-z0-9]([-a-z0-9.]*[a-z0-9])?")
_VERSION = re.compile(r"v[0-9a-z]+")
#: Names that the module uses itself, or that Python does.
_TAKEN = frozenset({"Any", "Health", "ReplicaResult"})
_REPLICAS: Final = 3


def plugin_scaffold(name: str, kinds: Sequence[GVK]) -> dict[Path, str]:
    """The files of a project, by path relative to its folder.

    Args:
        name: Name of the distribution and of the plugin: lower case, words joined by ``-``.
        kinds: The kinds that it handles, at least one, no patterns.

    Raises:
        ConfigurationError: The name or a kind cannot be used.
    """
    module = _module_of(name)
    kinds = list(dict.fromkeys(kinds))
    if not kinds:
        raise ConfigurationError("a plugin needs a kind", hint="such as example.com/v1/Widget")
    for gvk in kinds:
        _check_kind(gvk)
    classes = _classes(kinds)
    described = _listed(list(dict.fromkeys(gvk.kind for gvk in kinds)))
    code = "".join(
        texts.CLASS.substitute(
            class_name=class_name,
            described=_described(group),
            decorators="\n".join(f'@handles("{gvk.api_version}", "{gvk.kind}")' for gvk in group),
        )
        for class_name, group in classes.items()
    )
    files = {
        Path("pyproject.toml"): texts.PYPROJECT.substitute(
            name=name,
            module=module,
            kinds=described,
            declared="\n".join(f'"{gvk}" = "{module}"' for gvk in kinds),
        ),
        Path("README.md"): texts.README.substitute(name=name, module=module, kinds=described),
        Path("src", module, "__init__.py"): texts.MODULE.substitute(kinds=described, classes=code),
        Path("tests", f"test_{module}.py"): texts.TESTS.substitute(
            name=name,
            kinds="\n".join(f'    ("{gvk.api_version}", "{gvk.kind}"),' for gvk in kinds),
        ),
    }
    for class_name, group in classes.items():
        for gvk in group:
            folder = Path("tests", "cases", class_name, gvk.version)
            for hook, cases in _cases(gvk).items():
                files[folder / f"{hook}.yaml"] = yaml.dumps(cases)
    return files


def _module_of(name: str) -> str:
    module = re.sub(r"[-.]", "_", name)
    if not _NAME.fullmatch(name):
        raise ConfigurationError(
            f"{name!r} cannot be the name of a plugin", hint="lower case, such as crontab-plugin"
        )
    if keyword.iskeyword(module) or module in sys.stdlib_module_names or module == "interpreter":
        raise ConfigurationError(
            f"a module {module} is there already", hint=f"{name}-plugin, for example"
        )
    return module


def _check_kind(gvk: GVK) -> None:
    valid = (
        (not gvk.group or _GROUP.fullmatch(gvk.group))
        and _VERSION.fullmatch(gvk.version)
        and _KIND.fullmatch(gvk.kind)
    )
    if not valid:
        raise ConfigurationError(
            f"{gvk} is no exact kind", hint="start with one, and write patterns into the project"
        )


def _classes(kinds: Iterable[GVK]) -> dict[str, list[GVK]]:
    """Kinds by the class that handles them: versions of a kind share one."""
    owners: dict[str, list[GVK]] = {}
    for gvk in kinds:
        name = f"{gvk.kind}Hooks" if gvk.kind in _TAKEN or keyword.iskeyword(gvk.kind) else gvk.kind
        if name in owners and owners[name][0].group != gvk.group:
            words = re.split(r"[-.]", gvk.group or CORE_FOLDER)
            name = f"{name}Of{''.join(word.capitalize() for word in words)}"
        owners.setdefault(name, []).append(gvk)
    return owners


def _described(group: Sequence[GVK]) -> str:
    return f"{group[0].kind} of {_listed([gvk.api_version for gvk in group])}"


def _listed(words: Sequence[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def _cases(gvk: GVK) -> dict[str, list[JsonObject]]:
    """Cases by hook; worked out from what the hooks are meant to do."""
    bare: JsonObject = {
        "apiVersion": gvk.api_version,
        "kind": gvk.kind,
        "metadata": {"name": "example", "namespace": "default"},
    }
    obj = {**bare, "spec": {"replicas": _REPLICAS}}
    items = [
        {"clusterName": f"member{number}", "status": {"readyReplicas": number}} for number in (1, 2)
    ]
    waiting = {"status": "Progressing", "message": f"1 of {_REPLICAS} replicas are ready"}
    return {
        "get_replicas": [
            {"name": "the count of the spec", "object": obj, "want": _REPLICAS},
            {"name": "an absent count means 1", "object": bare, "want": 1},
        ],
        "revise_replica": [
            {
                "name": "only the count changes",
                "object": obj,
                "replicas": 5,
                "want": {**bare, "spec": {"replicas": 5}},
            }
        ],
        "aggregate_status": [
            {
                "name": "counts add up over clusters",
                "object": obj,
                "items": items,
                "want_status": {"readyReplicas": 3},
            },
            {
                "name": "no clusters, no ready replicas",
                "object": obj,
                "items": [],
                "want_status": {"readyReplicas": 0},
            },
        ],
        "interpret_health": [
            {
                "name": "enough ready replicas are healthy",
                "object": {**obj, "status": {"readyReplicas": _REPLICAS}},
                "want": True,
            },
            {
                "name": "too few are on their way",
                "object": {**obj, "status": {"readyReplicas": 1}},
                "want": waiting,
            },
        ],
    }
