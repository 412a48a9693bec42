"""Certificates follow their files; what cannot be used changes nothing and is told once."""

from __future__ import annotations

import logging
import os
import socket
import ssl
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import trustme

from interpreter.errors import ConfigurationError
from interpreter.rpc.tls import Certificates


def write(folder: Path, leaf: trustme.LeafCert) -> tuple[Path, Path]:
    certificate, key = folder / "tls.crt", folder / "tls.key"
    certificate.write_bytes(leaf.cert_chain_pems[0].bytes())
    key.write_bytes(leaf.private_key_pem.bytes())
    return certificate, key


@pytest.fixture(scope="module")
def ca() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def outcomes() -> list[str]:
    return []


@pytest.fixture
def certificates(ca: trustme.CA, tmp_path: Path, outcomes: list[str]) -> Certificates:
    return Certificates(
        *write(tmp_path, ca.issue_cert("localhost")), on_reload=lambda what: outcomes.append(what)
    )


def test_unchanged_files_are_the_same_material(
    certificates: Certificates, outcomes: list[str]
) -> None:
    assert certificates.current() is certificates.current()
    assert outcomes == []


def test_a_renewed_pair_is_taken(
    certificates: Certificates, ca: trustme.CA, tmp_path: Path, outcomes: list[str]
) -> None:
    before = certificates.current()
    certificate, _key = write(tmp_path, ca.issue_cert("localhost"))
    assert certificates.current().certificate == certificate.read_bytes() != before.certificate
    assert outcomes == ["ok"]


def test_files_that_were_not_touched_by_time_are_seen_to_be_new(
    certificates: Certificates, ca: trustme.CA, tmp_path: Path, outcomes: list[str]
) -> None:
    certificate, key = tmp_path / "tls.crt", tmp_path / "tls.key"
    times = [(path, path.stat()) for path in (certificate, key)]
    write(tmp_path, ca.issue_cert("localhost"))
    for path, stat in times:
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    certificates.current()
    assert outcomes == ["ok"]


def test_a_secret_that_is_swapped_by_a_link_is_seen(
    ca: trustme.CA, tmp_path: Path, outcomes: list[str]
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write(tmp_path / name, ca.issue_cert("localhost"))
    data = tmp_path / "..data"
    data.symlink_to("one")
    found = Certificates(data / "tls.crt", data / "tls.key", on_reload=outcomes.append)
    (tmp_path / "..tmp").symlink_to("two")
    (tmp_path / "..tmp").replace(data)
    assert found.current().certificate == (tmp_path / "two" / "tls.crt").read_bytes()
    assert outcomes == ["ok"]


def half_a_renewal(folder: Path, ca: trustme.CA) -> None:
    (folder / "tls.crt").write_bytes(ca.issue_cert("localhost").cert_chain_pems[0].bytes())


def no_certificate(folder: Path, _ca: trustme.CA) -> None:
    (folder / "tls.crt").write_text("nonsense")


def no_file(folder: Path, _ca: trustme.CA) -> None:
    (folder / "tls.key").unlink()


def a_password(folder: Path, _ca: trustme.CA) -> None:
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import (
        BestAvailableEncryption,
        Encoding,
        PrivateFormat,
    )

    key = ec.generate_private_key(ec.SECP256R1())
    (folder / "tls.key").write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret"))
    )


@pytest.mark.parametrize("spoil", [half_a_renewal, no_certificate, no_file, a_password])
def test_what_cannot_be_used_leaves_the_old_and_is_told_once(
    certificates: Certificates,
    ca: trustme.CA,
    tmp_path: Path,
    outcomes: list[str],
    caplog: pytest.LogCaptureFixture,
    spoil: Callable[[Path, trustme.CA], None],
) -> None:
    before = certificates.current()
    with caplog.at_level(logging.INFO, "interpreter.tls"):
        spoil(tmp_path, ca)
        assert [certificates.current() for _each in range(3)] == [before] * 3
        assert outcomes == ["failed"]
        assert [record.levelname for record in caplog.records] == ["ERROR"]
        assert "the old ones stay" in caplog.text
        write(tmp_path, ca.issue_cert("localhost"))
        assert certificates.current() is not before
    assert outcomes == ["failed", "ok"]
    assert "PRIVATE KEY" not in caplog.text


def test_the_old_files_again_are_no_failure(
    certificates: Certificates, ca: trustme.CA, tmp_path: Path, outcomes: list[str]
) -> None:
    good = (tmp_path / "tls.crt").read_bytes()
    half_a_renewal(tmp_path, ca)
    certificates.current()
    (tmp_path / "tls.crt").write_bytes(good)
    assert certificates.current().certificate == good
    assert outcomes == ["failed"]


@pytest.mark.parametrize("spoil", [half_a_renewal, no_certificate, no_file, a_password])
def test_a_server_does_not_start_without_a_usable_pair(
    ca: trustme.CA, tmp_path: Path, spoil: Callable[[Path, trustme.CA], None]
) -> None:
    pair = write(tmp_path, ca.issue_cert("localhost"))
    spoil(tmp_path, ca)
    with pytest.raises(ConfigurationError, match="cannot use the certificates"):
        Certificates(*pair)


def test_an_empty_client_ca_is_refused(ca: trustme.CA, tmp_path: Path) -> None:
    pair = write(tmp_path, ca.issue_cert("localhost"))
    (tmp_path / "ca.pem").write_text("")
    with pytest.raises(ConfigurationError):
        Certificates(*pair, client_ca=tmp_path / "ca.pem")


class Handshakes:
    """A TLS server that shakes hands and says hello."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self.context = context
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self) -> None:
        while True:
            try:
                connection, _peer = self.socket.accept()
            except OSError:
                return
            try:
                with self.context.wrap_socket(connection, server_side=True) as wrapped:
                    wrapped.sendall(b"hello")
            except OSError:
                connection.close()

    def seen(self, client: ssl.SSLContext, name: str | None = "localhost") -> bytes:
        """The certificate that a client sees, DER."""
        with (
            socket.create_connection(self.socket.getsockname()) as plain,
            client.wrap_socket(plain, server_hostname=name) as wrapped,
        ):
            wrapped.settimeout(10)
            assert wrapped.recv(5) == b"hello"
            return wrapped.getpeercert(binary_form=True) or b""

    def close(self) -> None:
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.thread.join()


def client_context(ca: trustme.CA, leaf: trustme.LeafCert | None = None) -> ssl.SSLContext:
    context = ssl.create_default_context()
    ca.configure_trust(context)
    if leaf is not None:
        leaf.configure_cert(context)
    return context


def test_a_context_follows_the_files_in_each_handshake(ca: trustme.CA, tmp_path: Path) -> None:
    first, second = ca.issue_cert("localhost"), ca.issue_cert("localhost")
    found = Certificates(*write(tmp_path, first))
    server = Handshakes(found.ssl_context())
    client = client_context(ca)
    nameless = client_context(ca)
    nameless.check_hostname = False
    try:
        before = server.seen(client)
        write(tmp_path, second)
        after = server.seen(client)
        assert before != after == server.seen(nameless, None)
    finally:
        server.close()


def test_a_context_follows_the_ca_of_clients_too(ca: trustme.CA, tmp_path: Path) -> None:
    old, new = trustme.CA(), trustme.CA()
    client_ca = tmp_path / "ca.pem"
    client_ca.write_bytes(old.cert_pem.bytes())
    found = Certificates(*write(tmp_path, ca.issue_cert("localhost")), client_ca=client_ca)
    server = Handshakes(found.ssl_context())
    of_old = client_context(ca, old.issue_cert("client"))
    of_new = client_context(ca, new.issue_cert("client"))
    try:
        assert server.seen(of_old)
        for stranger in (of_new, client_context(ca)):
            with pytest.raises((ssl.SSLError, OSError)):
                server.seen(stranger)
        client_ca.write_bytes(new.cert_pem.bytes())
        assert server.seen(of_new)
        with pytest.raises((ssl.SSLError, OSError)):
            server.seen(of_old)
    finally:
        server.close()


def test_readers_in_many_threads_never_see_half_of_a_pair(
    ca: trustme.CA, tmp_path: Path, outcomes: list[str]
) -> None:
    pairs = [ca.issue_cert("localhost") for _each in range(4)]
    fitting = {leaf.cert_chain_pems[0].bytes(): leaf.private_key_pem.bytes() for leaf in pairs}
    found = Certificates(*write(tmp_path, pairs[0]), on_reload=outcomes.append)
    done = threading.Event()

    def read() -> int:
        count = 0
        while not done.is_set():
            material = found.current()
            assert fitting[material.certificate] == material.key
            count += 1
        return count

    with ThreadPoolExecutor(4) as threads:
        readers = [threads.submit(read) for _each in range(4)]
        for number in range(400):
            write(tmp_path, pairs[number % 4])
        done.set()
        assert all(reader.result() > 0 for reader in readers)
    # Whatever was seen in between, in the end it is the last one.
    assert found.current().certificate == pairs[399 % 4].cert_chain_pems[0].bytes()
