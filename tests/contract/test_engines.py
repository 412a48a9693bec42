"""One suite for every way to be answered: native, plugin, Lua, gRPC and HTTPS say the same.

Installed ones, a plugin and a Lua pack, are asked over gRPC.

What a way cannot carry is left out of the comparison: of health the scripts and Karmada's protocol
carry the boolean, and "nothing to report" travels as ``rawStatus: {}`` over HTTPS.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import trustme
from sites import install

from interpreter import Operation, ResourceInterpreter
from interpreter.engines.native.apps_deployment import KIND
from interpreter.errors import InterpreterError
from interpreter.operations import OPERATIONS
from interpreter.rpc import Client

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
WAYS = ("plugin", "lua", "grpc", "client", "https", "installed plugin", "installed pack")
#: Ways that carry the boolean of health alone.
BOOLEAN = ("lua", "https", "installed pack")

DEPLOYMENT: dict[str, Any] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {
        "name": "web",
        "namespace": "shop",
        "generation": 3,
        "annotations": {"resourcetemplate.karmada.io/generation": "7", "empty": ""},
        "labels": {},
    },
    "spec": {
        "replicas": 3,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {
                "serviceAccountName": "web",
                "nodeSelector": {"disk": "ssd"},
                "tolerations": [{"key": "gpu", "operator": "Exists"}],
                "containers": [
                    {
                        "name": "web",
                        "args": [],
                        "resources": {"requests": {"cpu": "0.1", "memory": "1Gi"}},
                        "env": [
                            {
                                "name": "A",
                                "valueFrom": {"secretKeyRef": {"name": "keys", "key": "a"}},
                            }
                        ],
                    }
                ],
                "volumes": [
                    {"name": "v", "configMap": {"name": "settings"}},
                    {"name": "e", "emptyDir": {}},
                ],
            },
        },
    },
    "status": {
        "observedGeneration": 3,
        "replicas": 3,
        "updatedReplicas": 3,
        "readyReplicas": 2,
        "availableReplicas": 3,
    },
}


def changed(*edits: tuple[str, Any]) -> dict[str, Any]:
    """The deployment with fields set, by dotted path; None takes a field out."""
    obj = deepcopy(DEPLOYMENT)
    for path, value in edits:
        *steps, last = path.split(".")
        place = obj
        for step in steps:
            place = place[step]
        if value is None:
            place.pop(last)
        else:
            place[last] = value
    return obj


OBJECTS = {
    "as it is": DEPLOYMENT,
    "no replicas": changed(("spec.replicas", 0)),
    "replicas not stated": changed(("spec.replicas", None)),
    "the most replicas": changed(("spec.replicas", 2**31 - 1)),
    "needs nothing": changed(("spec.template.spec", {"containers": [{"name": "c"}]})),
    "lags behind": changed(("status.updatedReplicas", 1)),
    "not observed yet": changed(("status.observedGeneration", 2)),
    "without a status": changed(("status", None)),
    "keeps replicas": changed(
        ("metadata.labels", {"resourcetemplate.karmada.io/retain-replicas": "true"})
    ),
    "a large generation": changed(
        ("metadata.generation", 2**53 + 1), ("status.observedGeneration", 2**53 + 1)
    ),
    "names in many languages": changed(("metadata.annotations.наме", 'värde ☃ 𝄞 \u0000 \\ "')),
}
ITEMS: dict[str, Any] = {
    "no items": [],
    "not given": None,
    "two members": [
        {
            "clusterName": "a",
            "status": {
                "generation": 1,
                "observedGeneration": 1,
                "resourceTemplateGeneration": 3,
                "replicas": 2,
                "readyReplicas": 1,
                "updatedReplicas": 2,
                "availableReplicas": 2,
            },
        },
        {
            "clusterName": "b",
            "status": {
                "generation": 1,
                "observedGeneration": 1,
                "resourceTemplateGeneration": 3,
                "replicas": 1,
                "unavailableReplicas": 1,
            },
        },
    ],
    "one without a status": [{"clusterName": "a"}],
}
CALLS: list[Any] = [
    pytest.param(way, operation, obj, inputs, id=f"{way}, {operation}: {name}{suffix}")
    for way in WAYS
    for name, obj in OBJECTS.items()
    for operation, suffix, inputs in (
        *((operation, "", {}) for operation in OPERATIONS if not OPERATIONS[operation].inputs),
        (Operation.PRUNE, "", {}),
        (Operation.REVISE_REPLICA, ", five", {"replicas": 5}),
        (Operation.REVISE_REPLICA, ", none", {"replicas": 0}),
        (Operation.RETAIN, "", {"observed": changed(("spec.replicas", 9))}),
        *((Operation.AGGREGATE_STATUS, f", {case}", {"items": ITEMS[case]}) for case in ITEMS),
    )
    # Neither scripts nor Karmada's protocol know pruning.
    if operation is not Operation.PRUNE or way not in BOOLEAN
]


class Started:
    """A server that a test talks to, and how to reach it."""

    def __init__(self, stack: ExitStack, folder: Path, *arguments: str) -> None:
        ready = folder / "ready.json"
        path = os.pathsep.join([str(ROOT), str(HERE), str(folder / "site")])
        process = stack.enter_context(
            subprocess.Popen(
                [
                    *(sys.executable, "-m", "interpreter", "serve", "--drain", "0"),
                    *("--ready-file", str(ready)),
                    *arguments,
                ],
                env={**os.environ, "PYTHONPATH": path},
                stdout=subprocess.PIPE,
                text=True,
                cwd=folder,
            )
        )
        stack.callback(process.terminate)
        assert process.stdout is not None
        # The ready file is there before the first line.
        assert process.stdout.readline()
        self.listeners: dict[str, str] = json.loads(ready.read_text())["listeners"]


def configuration(
    url: str, ca: trustme.CA | None = None, operations: tuple[str, ...] = ("*",)
) -> dict[str, Any]:
    config = {"url": url}
    if ca is not None:
        config["caBundle"] = base64.b64encode(ca.cert_pem.bytes()).decode()
    everything = {
        "operations": list(operations),
        "apiGroups": ["*"],
        "apiVersions": ["*"],
        "kinds": ["*"],
    }
    webhook = {
        "name": "w",
        "clientConfig": config,
        "rules": [everything],
        "interpreterContextVersions": ["v1alpha1"],
    }
    return {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterWebhookConfiguration",
        "metadata": {"name": "hooks"},
        "webhooks": [webhook],
    }


def install_both(site: Path) -> None:
    """The plugin and the scripts beside this file as distributions."""
    kind = "apps/v1/Deployment"
    install(
        site,
        "deployments",
        files={},
        plugins={"deployments": "deployment_plugin:Deployments"},
        kinds={kind: "deployment_plugin:Deployments"},
    )
    scripts = (HERE / "deployment").glob("*.lua")
    install(
        site,
        "deployments-lua",
        files={f"deployments_lua/{kind}/{script.name}": script.read_text() for script in scripts},
        packs={"deployments-lua": "deployments_lua"},
        kinds={kind: "deployments_lua"},
    )


def lua_document() -> dict[str, Any]:
    """The scripts beside this file as a customization."""
    rules = {
        spec.rule: {"luaScript": (HERE / "deployment" / spec.script).read_text()}
        for spec in OPERATIONS.values()
        if spec.rule
    }
    return {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterCustomization",
        "metadata": {"name": "deployment"},
        "spec": {
            "target": {"apiVersion": "apps/v1", "kind": "Deployment"},
            "customizations": rules,
        },
    }


Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def ways(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Ask]]:
    """A function that calls any operation, by the name of its way."""
    from deployment_plugin import Deployments

    folder = tmp_path_factory.mktemp("servers")
    ca = trustme.CA()
    leaf = ca.issue_cert("127.0.0.1")
    leaf.private_key_pem.write_to_path(folder / "tls.key")
    for blob in leaf.cert_chain_pems:
        blob.write_to_path(folder / "tls.crt", append=True)

    def made(tier: str, **arguments: Any) -> ResourceInterpreter:
        plugins = arguments.pop("plugins", None)
        ri = ResourceInterpreter(plugins=plugins, tiers=(tier,), **arguments)
        return stack.enter_context(ri)

    with ExitStack() as stack:
        grpc = Started(stack, folder, "--grpc", "127.0.0.1:0", "--tier", "native")
        https = Started(
            stack,
            folder,
            *("--http", "127.0.0.1:0", "--plugins", "deployment_plugin:Deployments"),
            *("--tls-cert", "tls.crt", "--tls-key", "tls.key"),
        )
        install_both(folder / "site")
        installed = {}
        for name in ("deployments", "deployments-lua"):
            told = ("--grpc", "127.0.0.1:0", "--tier", "plugin", "--plugins", name)
            address = Started(stack, folder, *told).listeners["grpc"]
            installed[name] = stack.enter_context(Client(f"grpc://{address}")).call
        url = f"grpc://{grpc.listeners['grpc']}"
        secure = f"https://{https.listeners['https']}/interpret"
        yield {
            "native": made("native").call,
            "plugin": made("plugin", plugins=[Deployments]).call,
            "lua": made("customization", customizations=[lua_document()]).call,
            "grpc": made("webhook", webhooks=[configuration(url, None, ("*", "Prune"))]).call,
            "client": stack.enter_context(Client(url)).call,
            "https": made("webhook", webhooks=[configuration(secure, ca)]).call,
            "installed plugin": installed["deployments"],
            "installed pack": installed["deployments-lua"],
        }


@pytest.mark.parametrize(("way", "operation", "obj", "inputs"), CALLS)
def test_every_way_gives_the_same_answer(
    ways: dict[str, Ask], way: str, operation: Operation, obj: Any, inputs: dict[str, Any]
) -> None:
    spec = OPERATIONS[operation]
    before = json.dumps([obj, inputs])
    wanted = spec.show(ways["native"](operation, obj, **inputs))
    answer = spec.show(ways[way](operation, obj, **inputs))
    if operation is Operation.INTERPRET_HEALTH and way in BOOLEAN:
        answer, wanted = answer["healthy"], wanted["healthy"]
    if operation is Operation.REFLECT_STATUS and way == "https" and wanted is None:
        wanted = {}
    # As text: 1 is not True, and 2 is not 2.0. Scripts know no order of fields.
    assert json.dumps(answer, sort_keys=True) == json.dumps(wanted, sort_keys=True)
    assert json.dumps([obj, inputs]) == before


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("operation", "obj"),
    [
        pytest.param(Operation.GET_REPLICAS, changed(("kind", "Odd")), id="an unknown kind"),
        pytest.param(Operation.GET_REPLICAS, changed(("spec.replicas", -1)), id="a negative count"),
        pytest.param(Operation.GET_REPLICAS, changed(("spec.replicas", 2**31)), id="too many"),
        pytest.param(Operation.GET_REPLICAS, changed(("spec.replicas", "3")), id="a text"),
        pytest.param(Operation.INTERPRET_HEALTH, changed(("status", "fine")), id="an odd status"),
    ],
)
def test_every_way_fails_where_the_native_tier_does(
    ways: dict[str, Ask], way: str, operation: Operation, obj: Any
) -> None:
    for asked in ("native", way):
        with pytest.raises(InterpreterError):
            ways[asked](operation, obj)


def test_the_suite_covers_every_operation_of_the_kind() -> None:
    asked = {param.values[1] for param in CALLS}
    assert asked == set(OPERATIONS)
    assert KIND.gvk.kind == DEPLOYMENT["kind"]
