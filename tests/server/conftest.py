from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme
from serving import Server, serving

from interpreter.rpc import Client


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for tests that leave it as it is."""
    folder = tmp_path_factory.mktemp("server")
    with serving(
        folder, "--reflection", "--metrics", "127.0.0.1:0", "--log-level", "info"
    ) as found:
        yield found


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[Client]:
    with Client(server.url) as found:
        yield found


@pytest.fixture(scope="session")
def ca() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path
