"""A server for tests: ``interpret serve`` as a process on a loopback address."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.errors import EngineError

if TYPE_CHECKING:
    from interpreter.rpc import Client

#: Seconds in which a server must listen, and end when it is told to.
_START, _END = 30.0, 10.0
_LISTENING = "grpc listening on "


@contextlib.contextmanager
def served(*arguments: str, environment: Mapping[str, str] | None = None) -> Iterator[Client]:
    """Serves over gRPC on a free port of 127.0.0.1 while the context is open.

    Args:
        *arguments: Further arguments of ``interpret serve``: ``"--plugins", "widget"``,
            ``"-c", "customizations.yaml"``, …
        environment: Variables on top of this process's own.

    Yields:
        A client of the server, connected.

    Raises:
        EngineError: It does not listen; with what it wrote to standard error.
    """
    from interpreter.rpc import Client

    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(  # noqa: S603 - a command of our own
            [
                *(sys.executable, "-m", "interpreter", "serve"),
                *("--grpc", "127.0.0.1:0", "--drain", "0", *arguments),
            ],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**os.environ, **_import_path(), **(environment or {})},
        )
        try:
            address = _address(process)
            if address is None:
                process.wait(_END)
                errors.seek(0)
                raise EngineError(f"interpret serve ended: {errors.read().strip()}")
            with Client(f"grpc://{address}").start(_START) as client:
                yield client
        finally:
            _end(process)


def _address(process: subprocess.Popen[str]) -> str | None:
    """Where it listens; None when it ends instead."""
    assert process.stdout is not None  # noqa: S101 - a pipe, see above
    for line in process.stdout:
        if line.startswith(_LISTENING):
            return line.removeprefix(_LISTENING).strip()
    return None


def _import_path() -> dict[str, str]:
    """The server imports what this process can: a plugin under test is rarely installed."""
    folders = [str(Path(folder or ".").resolve()) for folder in sys.path]
    return {"PYTHONPATH": os.pathsep.join(dict.fromkeys(folders))}


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
