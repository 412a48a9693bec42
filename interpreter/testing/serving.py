"""A server for tests: ``interpret serve`` as a process on a loopback address."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.errors import EngineError

if TYPE_CHECKING:
    from interpreter.rpc import Client

#: Seconds in which a server must listen, and end when it is told to.
_START, _END = 30.0, 10.0
#: Seconds between two looks for the file that says so.
_LOOK = 0.01


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
        EngineError: It does not listen; with what it wrote.
    """
    from interpreter.rpc import Client

    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder) / "ready.json"
        # A file takes what plugins print, however much: nobody reads a pipe while calls run.
        with (Path(folder) / "output").open("w+") as output:
            process = subprocess.Popen(  # noqa: S603 - a command of our own
                [
                    *(sys.executable, "-m", "interpreter", "serve"),
                    *("--grpc", "127.0.0.1:0", "--drain", "0", *arguments),
                    *("--ready-file", str(ready)),
                ],
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **_import_path(), **(environment or {})},
            )
            try:
                if not _listens(process, ready):
                    how = "ended" if process.poll() is not None else "does not listen"
                    output.seek(0)
                    raise EngineError(f"interpret serve {how}: {output.read().strip()}")
                address = json.loads(ready.read_text())["listeners"]["grpc"]
                with Client(f"grpc://{address}").start(_START) as client:
                    yield client
            finally:
                _end(process)


def _listens(process: subprocess.Popen[bytes], ready: Path) -> bool:
    """Waits until the file is there; False when the process ends instead, or takes too long."""
    end = time.monotonic() + _START
    while not ready.exists():
        try:
            process.wait(_LOOK)
        except subprocess.TimeoutExpired:
            if time.monotonic() > end:
                return False
        else:
            return False
    return True


def _import_path() -> dict[str, str]:
    """The server imports what this process can: a plugin under test is rarely installed."""
    folders = [str(Path(folder or ".").resolve()) for folder in sys.path]
    return {"PYTHONPATH": os.pathsep.join(dict.fromkeys(folders))}


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
