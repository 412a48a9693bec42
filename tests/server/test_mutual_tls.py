"""TLS and mutual TLS of a real server: who may call, and certificates that are renewed."""

from __future__ import annotations

import itertools
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import trustme
from serving import DEPLOYMENT, Server, health_of, pem, replace, serving, wait_until

from interpreter.errors import ConfigurationError, WebhookError
from interpreter.rpc import Client


def client_for(
    server: Server, ca: trustme.CA, leaf: trustme.LeafCert | None = None, *, timeout: float = 20
) -> Client:
    address = server.grpc.replace("127.0.0.1", "localhost")
    return Client(
        f"grpcs://{address}",
        ca=ca.cert_pem.bytes(),
        certificate=None if leaf is None else leaf.cert_chain_pems[0].bytes(),
        key=None if leaf is None else leaf.private_key_pem.bytes(),
        timeout=timeout,
    )


def tls(folder: Path, ca: trustme.CA, *, client_ca: trustme.CA | None = None) -> list[str]:
    certificate, key = pem(folder, ca.issue_cert("localhost", "127.0.0.1"))
    options = ["--tls-cert", str(certificate), "--tls-key", str(key)]
    if client_ca is not None:
        path = folder / "clients.pem"
        path.write_bytes(client_ca.cert_pem.bytes())
        options += ["--client-ca", str(path)]
    return options


def server_client(server: Server) -> Client:
    return Client(server.url, timeout=5)


def test_tls_serves_clients_that_know_the_ca_and_nobody_else(
    tmp_path: Path, ca: trustme.CA
) -> None:
    with serving(tmp_path, *tls(tmp_path, ca)) as server:
        with client_for(server, ca) as client:
            assert client.get_replicas(DEPLOYMENT).replicas == 3
        for stranger in (client_for(server, trustme.CA(), timeout=3), server_client(server)):
            with stranger, pytest.raises(WebhookError) as caught:
                stranger.get_replicas(DEPLOYMENT)
            assert caught.value.temporary


def test_a_server_name_may_be_given(tmp_path: Path, ca: trustme.CA) -> None:
    certificate, key = pem(tmp_path, ca.issue_cert("interpreter.karmada-system.svc"))
    options = ("--tls-cert", str(certificate), "--tls-key", str(key))
    with serving(tmp_path, *options) as server:
        named = Client(
            f"grpcs://{server.grpc}",
            ca=ca.cert_pem.bytes(),
            server_name="interpreter.karmada-system.svc",
        )
        with named as client:
            assert client.get_replicas(DEPLOYMENT).replicas == 3


def test_mutual_tls_wants_a_certificate_of_the_ca(tmp_path: Path, ca: trustme.CA) -> None:
    clients = trustme.CA()
    options = (*tls(tmp_path, ca, client_ca=clients), "--probe", "127.0.0.1:0")
    with serving(tmp_path, *options) as server:
        with client_for(server, ca, clients.issue_cert("karmada")) as client:
            assert client.get_replicas(DEPLOYMENT).replicas == 3
        strangers = (None, ca.issue_cert("karmada"), trustme.CA().issue_cert("karmada"))
        for leaf in strangers:
            with client_for(server, ca, leaf, timeout=3) as stranger, pytest.raises(WebhookError):
                stranger.get_replicas(DEPLOYMENT)
        # A kubelet has no certificate: the probe's port is plain text, and answers health alone.
        assert health_of(server.listeners["probe"]) == 1
        probe = Client(f"grpc://{server.listeners['probe']}")
        with probe, pytest.raises(WebhookError, match="UNIMPLEMENTED"):
            probe.get_replicas(DEPLOYMENT)


@pytest.mark.parametrize(
    ("identities", "allowed"),
    [
        pytest.param({"identities": ["karmada.example.com"]}, True, id="name"),
        pytest.param({"identities": ["other.example.com", "karmada.example.com"]}, True, id="2nd"),
        pytest.param({"identities": ["other.example.com"]}, False, id="other name"),
        pytest.param({"common_name": "scheduler", "identities": []}, True, id="common name"),
        pytest.param(
            {"common_name": "scheduler", "identities": ["x.example.com"]},
            False,
            id="common name beside names",
        ),
    ],
)
def test_an_allow_list_admits_by_name(
    tmp_path: Path, ca: trustme.CA, identities: dict[str, object], allowed: bool
) -> None:
    options = (
        *tls(tmp_path, ca, client_ca=ca),
        *("--allow-client", "karmada.example.com", "--allow-client", "scheduler"),
    )
    names = identities.pop("identities")
    leaf = ca.issue_cert(*names, **identities)  # type: ignore[misc,arg-type]
    with serving(tmp_path, *options) as server, client_for(server, ca, leaf) as client:
        if allowed:
            assert client.get_replicas(DEPLOYMENT).replicas == 3
            return
        with pytest.raises(WebhookError, match=r"PERMISSION_DENIED.*allow-list") as caught:
            client.get_replicas(DEPLOYMENT)
        assert not caught.value.temporary


def reloads(server: Server, outcome: str) -> bool:
    address = server.listeners["metrics"]
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    return f'resource_interpreter_tls_reloads_total{{outcome="{outcome}"}} ' in text


def test_certificates_are_renewed_under_load_and_no_call_is_lost(
    tmp_path: Path, ca: trustme.CA
) -> None:
    new_ca = trustme.CA()
    both = ca.cert_pem.bytes() + new_ca.cert_pem.bytes()
    options = (*tls(tmp_path, ca), "--metrics", "127.0.0.1:0")
    done = threading.Event()
    with serving(tmp_path, *options) as server:
        address = server.grpc.replace("127.0.0.1", "localhost")

        counted = itertools.count()
        reached = [0]

        def load() -> None:
            while not done.is_set():
                # A connection of its own each time: each shakes hands.
                with Client(f"grpcs://{address}", ca=both, timeout=30) as client:
                    for _each in range(5):
                        assert client.get_replicas(DEPLOYMENT).replicas == 3
                reached[0] = next(counted)

        with ThreadPoolExecutor(4) as threads:
            loads = [threads.submit(load) for _each in range(4)]
            try:
                for number in range(20):
                    issuer = new_ca if number % 2 else ca
                    pem(tmp_path, issuer.issue_cert("localhost", "127.0.0.1"))
                    # Some connections are made with each pair.
                    before = reached[0]
                    wait_until(lambda before=before: reached[0] > before + 4)
                # The last one is of the new CA alone.
                newest = Client(f"grpcs://{address}", ca=new_ca.cert_pem.bytes(), timeout=30)
                with newest as client:
                    assert client.get_replicas(DEPLOYMENT).replicas == 3
            finally:
                done.set()
            for each in loads:
                each.result()
        assert reloads(server, "ok")


def test_a_renewal_that_fails_keeps_serving_is_logged_and_counted(
    tmp_path: Path, ca: trustme.CA
) -> None:
    options = (*tls(tmp_path, ca), "--metrics", "127.0.0.1:0")
    with serving(tmp_path, *options) as server:
        replace(tmp_path / "server.pem", b"half of a cert")
        with client_for(server, ca) as client:
            assert client.get_replicas(DEPLOYMENT).replicas == 3
        with client_for(server, ca) as client:
            assert client.get_replicas(DEPLOYMENT).replicas == 3
        wait_until(lambda: reloads(server, "failed"))
        told = [line for line in server.logs() if line["logger"] == "interpreter.tls"]
        assert [line["level"] for line in told] == ["error"]


@pytest.mark.parametrize(
    ("url", "how"),
    [
        ("http://localhost:1", {}),
        ("grpc://localhost", {}),
        ("grpc://localhost:x", {}),
        ("grpc://localhost:1/path", {}),
        ("grpc://user@localhost:1", {}),
        ("unix:", {}),
        ("grpc://localhost:1", {"ca": b"x"}),
        ("grpcs://localhost:1", {"certificate": b"x"}),
    ],
)
def test_an_address_that_is_none_is_refused(url: str, how: dict[str, bytes]) -> None:
    with pytest.raises(ConfigurationError):
        Client(url, **how)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["ca", "certificate", "key"])
def test_a_client_is_given_certificates_not_paths_and_never_tells_what_it_got(name: str) -> None:
    given = {"certificate": b"", "key": b"", name: "secret.pem"}
    with pytest.raises(ConfigurationError, match=f"{name} must be PEM as bytes") as caught:
        Client("grpcs://localhost:1", **given)  # type: ignore[arg-type]
    assert "secret" not in str(caught.value)
