"""The webhook tier against our own service: real processes, killed and started again."""

from __future__ import annotations

import base64
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import trustme
from serving import Server, pem, serving, wait_until

from interpreter import Health, HookContext, Operation, ResourceInterpreter, Settings
from interpreter.errors import WebhookError
from interpreter.telemetry import WEBHOOK_CALLS, WEBHOOK_CIRCUIT, WEBHOOK_RETRIES

WIDGET: dict[str, Any] = {
    "apiVersion": "plugin.example.com/v1",
    "kind": "Widget",
    "metadata": {"name": "w"},
    "spec": {"replicas": 2},
}
CRONTAB = {
    "apiVersion": "stable.example.com/v1",
    "kind": "CronTab",
    "metadata": {"name": "nightly"},
    "spec": {"replicas": 3, "forever": True},
    "status": {"ready": True},
}
QUICK = Settings(webhook_backoff_ms=1)


def configuration(
    url: str, ca: trustme.CA | None = None, *, on_error: str = "Fail", **webhook: Any
) -> dict[str, Any]:
    config = {"url": url}
    if ca is not None:
        config["caBundle"] = base64.b64encode(ca.cert_pem.bytes()).decode()
    everything = {"operations": ["*"], "apiGroups": ["*"], "apiVersions": ["*"], "kinds": ["*"]}
    return {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterWebhookConfiguration",
        "metadata": {
            "name": "hooks",
            "annotations": {"resource-interpreter.io/on-error": on_error},
        },
        "webhooks": [
            {
                "name": "w",
                "clientConfig": config,
                "rules": [everything],
                "interpreterContextVersions": ["v1alpha1"],
                **webhook,
            }
        ],
    }


def asking(document: dict[str, Any], settings: Settings = QUICK) -> ResourceInterpreter:
    return ResourceInterpreter(webhooks=[document], plugins=None, settings=settings)


@pytest.fixture
def interpreter(server: Server) -> Iterator[ResourceInterpreter]:
    with asking(configuration(server.url)) as ri:
        yield ri


def test_the_service_answers_with_all_that_it_knows(interpreter: ResourceInterpreter) -> None:
    context = HookContext(cluster_name="member1")
    assert interpreter.get_replicas(WIDGET).replicas == 2
    # More than Karmada's protocol carries: the status, the reason, and a context.
    health = interpreter.interpret_health(WIDGET, context=context)
    assert health == Health("Suspended", "Paused", "member1", healthy=False)
    assert interpreter.reflect_status({**WIDGET, "status": {"a": []}}) == {"a": []}
    explanation = interpreter.explain(WIDGET, Operation.GET_REPLICAS)
    assert explanation.tier == "webhook"
    assert explanation.state == "circuit closed"


def test_nothing_to_report_stays_nothing(interpreter: ResourceInterpreter) -> None:
    deployment = {"apiVersion": "apps/v1", "kind": "Odd", "metadata": {"name": "d"}}
    assert interpreter.reflect_status(deployment) is None


def test_a_kind_that_the_service_does_not_know_is_an_error(
    interpreter: ResourceInterpreter,
) -> None:
    nobody = {"apiVersion": "nobody.example.com/v1", "kind": "Thing", "metadata": {"name": "t"}}
    with pytest.raises(WebhookError, match="not found") as caught:
        interpreter.get_replicas(nobody)
    assert (caught.value.tier, caught.value.plugin) == ("webhook", "hooks/w")
    assert "take the kind or operation out of its rules" in str(caught.value)
    assert not caught.value.temporary
    assert WEBHOOK_RETRIES.name not in {
        name for name, values in interpreter.telemetry.snapshot().items() if values
    }


def test_with_next_tier_an_unknown_kind_goes_to_the_tiers_behind(server: Server) -> None:
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "d"},
        "spec": {"replicas": 4, "template": {"spec": {"containers": [{"name": "c"}]}}},
    }
    document = configuration(server.url, on_error="NextTier")
    with asking(document) as ri:
        assert ri.get_replicas(deployment).replicas == 4
        answered = ri.explain(deployment, Operation.GET_REPLICAS)
        assert answered.tier == "webhook"
        nobody = {"apiVersion": "nobody.example.com/v1", "kind": "Thing", "metadata": {}}
        assert ri.explain(nobody, Operation.INTERPRET_HEALTH).error is None


def test_errors_of_the_service_keep_script_and_line(interpreter: ResourceInterpreter) -> None:
    broken = {**CRONTAB, "status": None}
    with pytest.raises(WebhookError, match="the service answered") as caught:
        interpreter.interpret_health({**broken, "spec": {}})
    assert caught.value.script == "crontab/healthInterpretation"
    assert caught.value.line is not None


def test_the_callers_deadline_ends_a_script_on_the_server(
    interpreter: ResourceInterpreter,
) -> None:
    started = time.monotonic()
    with pytest.raises(WebhookError):
        interpreter.interpret_health(CRONTAB, context=HookContext(deadline=started + 0.2))
    assert time.monotonic() - started < 0.9


def test_pruning_is_asked_only_of_who_names_it(server: Server) -> None:
    document = configuration(server.url)
    with asking(document) as ri:
        assert ri.explain(WIDGET, Operation.PRUNE).tier == "native"
    document["webhooks"][0]["rules"][0]["operations"] = ["Prune"]
    with asking(document) as ri:
        assert ri.explain(WIDGET, Operation.PRUNE).tier == "webhook"


def test_ten_thousand_calls_from_32_threads_lose_nothing(
    interpreter: ResourceInterpreter,
) -> None:
    def ask(number: int) -> int:
        return interpreter.get_replicas({**WIDGET, "spec": {"replicas": number}}).replicas

    with ThreadPoolExecutor(32) as pool:
        assert list(pool.map(ask, range(10_000))) == list(range(10_000))


def test_a_service_killed_in_mid_call_is_an_error_and_its_successor_answers(
    folder: Path,
) -> None:
    path = f"unix:{folder}/socket"
    started, never = folder / "started", folder / "never"
    sleeper = {
        "apiVersion": "plugin.example.com/v1",
        "kind": "Sleeper",
        "metadata": {"name": "s"},
        "spec": {"started": str(started), "until": str(never)},
    }
    with asking(configuration(path, timeoutSeconds=30)) as ri, ThreadPoolExecutor(1) as pool:
        with serving(folder / "first", grpc=path) as first:
            assert ri.get_replicas(WIDGET).replicas == 2
            running = pool.submit(ri.get_replicas, sleeper)
            wait_until(started.exists)
            first.signal(signal.SIGKILL)
            with pytest.raises(WebhookError, match="UNAVAILABLE") as caught:
                running.result(30)
            assert caught.value.temporary
        with pytest.raises(WebhookError, match="UNAVAILABLE"):
            ri.get_replicas(WIDGET)
        with serving(folder / "second", grpc=path):
            answer = wait_until(lambda: answered(ri))
            assert answer == 2
            assert ri.telemetry.snapshot()[WEBHOOK_CIRCUIT.name] == {("hooks/w",): 0}


def answered(ri: ResourceInterpreter) -> int | None:
    try:
        return ri.get_replicas(WIDGET).replicas
    except WebhookError:
        return None


def test_nobody_there_is_tried_again_and_then_left_alone(folder: Path) -> None:
    settings = Settings(webhook_backoff_ms=1, webhook_circuit_failures=2)
    with asking(configuration(f"unix:{folder}/nobody"), settings) as ri:
        for _time in range(2):
            with pytest.raises(WebhookError, match="UNAVAILABLE"):
                ri.get_replicas(WIDGET)
        with pytest.raises(WebhookError, match="is left alone: circuit open"):
            ri.get_replicas(WIDGET)
        counts = ri.telemetry.snapshot()
    assert counts[WEBHOOK_RETRIES.name] == {("hooks/w",): 4}
    assert counts[WEBHOOK_CALLS.name] == {("hooks/w", "error"): 3}


def test_tls_is_checked_against_the_bundle_and_follows_it(folder: Path, ca: trustme.CA) -> None:
    certificate, key = pem(folder, ca.issue_cert("localhost", "127.0.0.1"))
    tls = ("--tls-cert", str(certificate), "--tls-key", str(key))
    with serving(folder / "server", *tls) as server:
        url = f"grpcs://localhost:{server.grpc.rpartition(':')[2]}"
        with asking(configuration(url, trustme.CA(), timeoutSeconds=2)) as ri:
            with pytest.raises(WebhookError):
                ri.get_replicas(WIDGET)
            # Another bundle is another channel: the old one's failures do not count.
            ri.set_webhooks([configuration(url, ca)])
            assert ri.get_replicas(WIDGET).replicas == 2
            # The server's certificate changes under a channel that stays.
            for _time in range(3):
                pem(folder, ca.issue_cert("localhost", "127.0.0.1"))
                assert ri.get_replicas(WIDGET).replicas == 2


def test_an_object_beyond_the_servers_limit_is_an_error_that_names_it(
    interpreter: ResourceInterpreter,
) -> None:
    big = {**WIDGET, "data": "x" * 20_000_000}
    with pytest.raises(WebhookError, match="RESOURCE_EXHAUSTED"):
        interpreter.get_replicas(big)
    assert interpreter.get_replicas(WIDGET).replicas == 2
