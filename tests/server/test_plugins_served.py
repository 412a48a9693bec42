"""Installed plugins, Lua packs and chained scripts, asked through a serving process."""

from __future__ import annotations

import base64
import json
import os
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from http_server import request
from serving import ROOT, Server, health_of, serving, wait_until
from sites import install

from interpreter import GVK, Operation, ResourceInterpreter
from interpreter.errors import NoInterpreter, PluginError
from interpreter.rpc import Client

GOOD = """
from interpreter import handles

@handles("zoo.example.com/v1", "Good")
class Good:
    def get_replicas(self, obj):
        return obj["spec"]["replicas"]

    def revise_replica(self, obj, replicas):
        return {**obj, "spec": {"replicas": replicas}}
"""
RAISES = """
from interpreter import handles

@handles("zoo.example.com/v1", "Raises")
class Raises:
    def get_replicas(self, obj):
        raise ValueError("the password is hunter2")
"""
SLOW = """
import os, time
from pathlib import Path
from interpreter import handles

here = Path(__file__).parent
(here / "started").touch()
end = time.monotonic() + 60
while not (here / "until").exists() and time.monotonic() < end:
    time.sleep(0.01)

@handles("zoo.example.com/v1", "Slow")
class Slow:
    def get_replicas(self, obj):
        return 1
"""
KEEPS = """
from interpreter import handles, hookimpl

class Keeps:
    @hookimpl
    def handles(self):
        return [handles("apps/v1", "Deployment")]

    @hookimpl
    def retain(self, desired, observed, context):
        result = context.next_tier()
        if result is not None:
            result["metadata"]["annotations"] = {"kept": "yes"}
        return result
"""
WRAPS = """
from interpreter import handles, hookimpl

class Wraps:
    @hookimpl
    def handles(self):
        return [handles("apps/v1", "Deployment")]

    @hookimpl(wrapper=True)
    def get_replicas(self, obj):
        return (yield)
"""
CHAIN = """
apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata:
  name: keep-paused
  annotations: {resource-interpreter.io/chain: "true"}
spec:
  target: {apiVersion: apps/v1, kind: Deployment}
  customizations:
    retention:
      luaScript: |
        function Retain(desired, observed)
          desired.spec.paused = observed.spec.paused
          return desired
        end
"""
DESIRED: dict[str, Any] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {
        "name": "web",
        "namespace": "shop",
        "labels": {"resourcetemplate.karmada.io/retain-replicas": "true"},
    },
    "spec": {"replicas": 2, "template": {"spec": {"containers": [{"name": "c"}]}}},
}
OBSERVED: dict[str, Any] = {**DESIRED, "spec": {**DESIRED["spec"], "replicas": 9, "paused": True}}


def zoo(kind: str, **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "zoo.example.com/v1",
        "kind": kind,
        "metadata": {"name": "x", "namespace": "shop"},
        "spec": spec,
    }


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with distributions; servers find them on their path."""
    folder = tmp_path / "site"
    modules = {"good": GOOD, "raises": RAISES, "slow": SLOW, "keeps": KEEPS, "wraps": WRAPS}
    declared = {
        "zoo.example.com/v1/Good": "zoo_good:Good",
        "zoo.example.com/v1/Raises": "zoo_raises:Raises",
        "zoo.example.com/v1/Broken": "zoo_broken:Broken",
        "apps/v1/Deployment": "zoo_keeps:Keeps",
    }
    install(
        folder,
        "zoo",
        files={
            **{f"zoo_{name}.py": text for name, text in modules.items()},
            "zoo_broken.py": "raise RuntimeError('no licence')",
            "zoo_pack/zoo.example.com/v1/Packed/get_replicas.lua": (
                "function GetReplicas(obj)\n  return obj.spec.replicas\nend\n"
            ),
        },
        # One that does not declare its kinds is imported at the first call of any kind.
        plugins={
            "good": "zoo_good:Good",
            "raises": "zoo_raises:Raises",
            "broken": "zoo_broken:Broken",
            "keeps": "zoo_keeps:Keeps",
            "wraps": "zoo_wraps:Wraps",
            "slow": "zoo_slow:Slow",
        },
        kinds=declared,
        packs={"packed": "zoo_pack"},
    )
    (folder / "chain.yaml").write_text(CHAIN)
    return folder


@contextmanager
def zoo_server(
    site: Path, tmp_path: Path, plugins: str, *options: str, **environment: str
) -> Iterator[tuple[Server, Client]]:
    paths = os.pathsep.join(map(str, (site, tmp_path / "server", ROOT)))
    told = ("--plugins", plugins, "--http", "127.0.0.1:0", "--metrics", "127.0.0.1:0", *options)
    with (
        serving(
            tmp_path / "server", *told, environment={"PYTHONPATH": paths, **environment}
        ) as server,
        Client(server.url, timeout=60) as client,
    ):
        yield server, client


def over_http(server: Server, operation: str, obj: Any, **more: Any) -> dict[str, Any]:
    """The response to a request as Karmada sends it."""
    asked = urllib.request.Request(
        f"http://{server.listeners['http']}/interpret",
        json.dumps(request(operation, obj, **more)).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(asked, timeout=60) as answer:
        return json.load(answer)["response"]  # type: ignore[no-any-return]


def metrics(server: Server, name: str) -> dict[str, float]:
    """The values of a metric by its labels."""
    with urllib.request.urlopen(f"http://{server.listeners['metrics']}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines if line.startswith(f"{name}{{"))
    return {labels.removeprefix(name): float(value) for labels, value in pairs}


@pytest.mark.parametrize("processes", ["0", "1"])
def test_plugins_and_packs_answer_under_both_protocols(
    site: Path, tmp_path: Path, processes: str
) -> None:
    options = ("--processes", processes)
    with zoo_server(site, tmp_path, "good,packed,broken", *options) as (server, client):
        for kind in ("Good", "Packed"):
            assert client.get_replicas(zoo(kind, replicas=4)).replicas == 4
            assert over_http(server, "InterpretReplica", zoo(kind, replicas=4))["replicas"] == 4
        with pytest.raises(NoInterpreter):
            client.get_replicas(zoo("Broken"))
        assert over_http(server, "InterpretReplica", zoo("Broken"))["status"]["code"] == 501
        (skipped,) = client.explain(zoo("Broken"), Operation.GET_REPLICAS).skipped
        assert skipped["reason"] == "cannot be used: RuntimeError: no licence"


@pytest.mark.parametrize("how", ["chain", "next_tier", "both"])
def test_who_goes_on_with_the_next_tier_gets_its_answer_under_both_protocols(
    site: Path, tmp_path: Path, how: str
) -> None:
    chain = () if how == "next_tier" else ("-c", str(site / "chain.yaml"))
    plugins = "good" if how == "chain" else "keeps"
    with zoo_server(site, tmp_path, plugins, *chain) as (server, client):
        kept = client.retain(DESIRED, OBSERVED)
        response = over_http(server, "Retain", DESIRED, observedObject=OBSERVED)
        # What only the tiers below answer is the control plane's own affair.
        own = over_http(server, "InterpretReplica", DESIRED)
    assert kept["spec"]["replicas"] == 9
    assert kept["spec"].get("paused") == (None if how == "next_tier" else True)
    assert kept["metadata"].get("annotations") == (None if how == "chain" else {"kept": "yes"})
    edits = json.loads(base64.b64decode(response["patch"]))
    paths = {"/spec/replicas", "/spec/paused", "/metadata/annotations"}
    paths -= {"chain": {"/metadata/annotations"}, "next_tier": {"/spec/paused"}}.get(how, set())
    assert {edit["path"] for edit in edits} == paths
    assert own["status"]["code"] == 501


def test_a_plugin_that_takes_long_to_import_does_not_hold_up_health(
    site: Path, tmp_path: Path
) -> None:
    with zoo_server(site, tmp_path, "slow") as (server, client), ThreadPoolExecutor(1) as threads:
        # It declares no kinds: the first call of any kind imports it.
        running = threads.submit(client.get_replicas, DESIRED)
        wait_until((site / "started").exists)
        assert health_of(server.grpc) == 1
        (site / "until").touch()
        assert running.result(60).replicas == 2


def test_failures_in_worker_processes_are_counted_where_no_call_succeeds(
    site: Path, tmp_path: Path
) -> None:
    limit = {"RESOURCE_INTERPRETER_PLUGIN_FAILURES": "2"}
    with zoo_server(site, tmp_path, "raises", "--processes", "2", **limit) as (server, client):
        failures = 0
        # Each process counts for itself.
        while failures < 4:
            try:
                client.get_replicas(zoo("Raises"))
            except PluginError:
                failures += 1
            except NoInterpreter:
                pass
        labels = '{plugin="raises"}'
        assert metrics(server, "resource_interpreter_plugin_failures_total") == {labels: 4}
        assert metrics(server, "resource_interpreter_plugin_quarantined") == {labels: 1}


def test_an_explanation_over_the_wire_tells_of_quarantine_and_wrappers(
    site: Path, tmp_path: Path
) -> None:
    limit = {"RESOURCE_INTERPRETER_PLUGIN_FAILURES": "1"}
    options = ("-c", str(site / "chain.yaml"))
    plugins = "raises,wraps,keeps"
    with zoo_server(site, tmp_path, plugins, *options, **limit) as (server, client):
        with pytest.raises(PluginError):
            client.get_replicas(zoo("Raises"))
        assert not client.hook_enabled(
            GVK("zoo.example.com", "v1", "Raises"), Operation.GET_REPLICAS
        )
        (skipped,) = client.explain(zoo("Raises"), Operation.GET_REPLICAS).skipped
        wrapped = client.explain(DESIRED, Operation.GET_REPLICAS)
        chained = client.explain(DESIRED, Operation.RETAIN, observed=OBSERVED)
        assert "hunter2" not in (server.folder / "stderr").read_text()
    assert skipped["reason"] == "in quarantine after 1 failures, the last ValueError"
    assert (wrapped.tier, wrapped.wrapped_by) == ("native", ("plugin:wraps",))
    assert (chained.plugin, chained.wrapped_by) == ("keeps", ("customization:keep-paused",))
    assert [(entry["tier"], entry["reason"]) for entry in chained.skipped] == [
        ("native", "plugin:keeps answers first")
    ]


def test_an_explanation_over_the_wire_has_the_circuit_of_a_webhook(tmp_path: Path) -> None:
    webhook = {
        "name": "w",
        "clientConfig": {"url": "grpc://127.0.0.1:1"},
        "rules": [
            {
                "operations": ["*"],
                "apiGroups": ["*"],
                "apiVersions": ["*"],
                "kinds": ["*"],
            }
        ],
        "interpreterContextVersions": ["v1alpha1"],
    }
    document = {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterWebhookConfiguration",
        "metadata": {"name": "hooks"},
        "webhooks": [webhook],
    }
    path = tmp_path / "hooks.json"
    path.write_text(json.dumps(document))
    with (
        serving(tmp_path / "server", "-w", str(path)) as server,
        Client(server.url) as client,
        ResourceInterpreter(webhooks=[document], plugins=None) as local,
    ):
        remote = client.explain(DESIRED, Operation.GET_REPLICAS)
        own = local.explain(DESIRED, Operation.GET_REPLICAS)
    assert remote.state is not None
    assert remote.state.partition(";")[0] == (own.state or "").partition(";")[0]


def test_the_printed_rules_are_those_of_who_answers(site: Path, tmp_path: Path) -> None:
    options = ("--self-signed", "--print-configuration", "-c", str(site / "chain.yaml"))
    plugins = "good,packed,broken,wraps,raises"
    with zoo_server(site, tmp_path, plugins, "--no-plugin", "raises", *options) as (server, _):
        text = wait_until(lambda: (server.folder / "stdout").read_text())
        notes = (server.folder / "stderr").read_text()
    (webhook,) = yaml.safe_load(text)["webhooks"]
    found = {
        (kind, operation)
        for rule in webhook["rules"]
        for kind in rule["kinds"]
        for operation in rule["operations"]
    }
    assert ("Deployment", "Retain") in found
    assert {("Good", "ReviseReplica"), ("Packed", "InterpretReplica")} <= found
    assert ("Deployment", "InterpretReplica") not in found
    assert {kind for kind, _ in found}.isdisjoint({"Broken", "Raises"})
    assert "no rule for plugin:broken, which is failed: RuntimeError: no licence" in notes
    assert "no rule for apps/v1/Deployment of plugin:wraps: it wraps answers" in notes


def test_a_plugin_that_is_named_but_not_allowed_is_told_of(site: Path, tmp_path: Path) -> None:
    allowed = {"RESOURCE_INTERPRETER_ALLOWED_PLUGINS": "good"}
    with zoo_server(site, tmp_path, "good,zoo_raises:Raises", **allowed) as (server, client):
        assert client.get_replicas(zoo("Good", replicas=4)).replicas == 4
        with pytest.raises(NoInterpreter):
            client.get_replicas(zoo("Raises"))
        errors = (server.folder / "stderr").read_text()
    warning = "warning: --plugins zoo_raises:Raises is blocked: not among the allowed plugins"
    assert warning in errors


def test_a_trace_is_whole_lines_beside_the_logs(site: Path, tmp_path: Path) -> None:
    told = {"RESOURCE_INTERPRETER_TRACE": "1"}
    options = ("--log-level", "info")
    with zoo_server(site, tmp_path, "good", *options, **told) as (server, client):
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(lambda _: client.get_replicas(zoo("Good", replicas=4)), range(200)))
        lines = (server.folder / "stderr").read_text().splitlines()
    traces = [line for line in lines if not line.startswith("{")]
    assert sum(": plugin:good zoo_good.Good.get_replicas " in line for line in traces) == 200
    assert all(line.count("trace: ") == 1 for line in traces if "plugin:good" in line)
