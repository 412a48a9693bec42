"""Scripts in worker processes: the same runtime behind a pipe, with a hard kill.

The limits inside the runtime hold; a worker is the second wall. It is killed when it does not
answer within the deadline and a grace, and a new one takes its place. A frame is a length of four
bytes and msgpack. What a script prints comes with its reply; that of a killed worker is lost.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
from typing import IO, Any

from interpreter.engines.lua import convert, kube
from interpreter.engines.lua.limits import LuaLimits
from interpreter.engines.lua.scripts import source_bytes
from interpreter.engines.lua.vm import Code, Reply, SyntaxProblem
from interpreter.errors import ConfigurationError, EngineError

_LENGTH = 4
#: Seconds a new worker may take until it is ready.
_START_SECONDS = 30.0
_COMPILE_SECONDS = 5.0
_EXIT_SECONDS = 1.0


class Worker:
    """One worker process. Not to be used by two threads at once."""

    def __init__(self, limits: LuaLimits) -> None:
        """Starts the process.

        Raises:
            ConfigurationError: The platform has no waiting on pipes.
            EngineError: The process does not start.
        """
        if not hasattr(select, "poll"):
            raise ConfigurationError("isolation='process' needs a POSIX system")
        self._limits = limits
        self._grace = limits.worker_grace_ms / 1000
        self._lock = threading.Lock()
        self._owner = os.getpid()
        #: Whether the process can take another call.
        self.usable = True
        environment = dict(os.environ)
        # The worker must find this very package, installed or not.
        environment["PYTHONPATH"] = os.pathsep.join(path or os.getcwd() for path in sys.path)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "interpreter.engines.lua.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        # A worker that does not read must not block a write beyond the deadline.
        os.set_blocking(_stream(self._process.stdin).fileno(), False)
        settings = {name: getattr(limits, name) for name in LuaLimits.__dataclass_fields__}
        try:
            self._ask(["start", settings], _START_SECONDS)
        except _NoAnswer:
            self.close()
            raise EngineError(
                "a worker process for Lua scripts did not start",
                hint="its standard error tells more; isolation='thread' needs none",
            ) from None

    def run(
        self,
        source: str,
        function: str,
        payload: bytes,
        budget: float,
        *,
        trace: bool = False,
    ) -> Reply | SyntaxProblem:
        """Runs a script's function; see ``Runtime.run``.

        Raises:
            EngineError: The process ended by itself, or somebody ended it.
        """
        try:
            source_bytes(source, self._limits.source_bytes)
        except ValueError as problem:
            return SyntaxProblem(1, str(problem))
        try:
            answer = self._ask(
                ["run", source, function, payload, budget, trace, kube.wants_prints()],
                budget + self._grace,
            )
        except _NoAnswer as problem:
            if not problem.alive:
                raise self._ended() from None
            self.close()
            return Reply(convert.pack([int(Code.TIMEOUT), b"", None, None]))
        if answer[0] == "syntax":
            return SyntaxProblem(answer[1], answer[2])
        for text in answer[3]:
            kube.log_print(text)
        return Reply(answer[1], answer[2])

    def compile(self, source: str) -> SyntaxProblem | None:
        """Checks a script's syntax.

        Raises:
            EngineError: The process ended by itself, or somebody ended it.
        """
        try:
            source_bytes(source, self._limits.source_bytes)
        except ValueError as problem:
            return SyntaxProblem(1, str(problem))
        try:
            answer = self._ask(["compile", source], _COMPILE_SECONDS)
        except _NoAnswer as problem:
            if not problem.alive:
                raise self._ended() from None
            self.close()
            return SyntaxProblem(1, "the script takes too long to compile")
        return None if answer[1] is None else SyntaxProblem(answer[1], answer[2])

    def close(self) -> None:
        """Kills the process; a forked copy of the parent only lets go of it."""
        self.usable = False
        process = self._process
        owned = self.owned
        if owned:
            process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        if owned:
            process.wait()

    @property
    def owned(self) -> bool:
        """Whether this process started the worker, and it still runs."""
        # After a fork two processes would share its pipes; an idle worker may have been killed.
        return self._owner == os.getpid() and self._process.poll() is None

    def __del__(self) -> None:
        # A pool that is dropped without `close` must leave no process behind.
        if getattr(self, "usable", False):
            self.close()

    def _ended(self) -> EngineError:
        """The error for a process that is gone; why is known to whoever ended it, not to us."""
        how = "without a word"
        # Its pipes close a moment before its exit code is there.
        with contextlib.suppress(subprocess.TimeoutExpired):
            how = _exit_text(self._process.wait(_EXIT_SECONDS))
        self.close()
        error = EngineError(
            f"the worker process of the script ended ({how})",
            hint="the next call starts a new one; a system short of memory ends processes, too",
        )
        error.temporary = True
        return error

    def _ask(self, message: list[Any], seconds: float) -> list[Any]:
        deadline = time.monotonic() + seconds
        with self._lock:
            try:
                _write_until(_stream(self._process.stdin), convert.pack(message), deadline)
                return convert.decode(_read_until(_stream(self._process.stdout), deadline))
            except (OSError, EOFError):
                raise _NoAnswer(alive=False) from None


class _NoAnswer(Exception):
    """The worker did not answer: it is still running (``alive``), or it died."""

    def __init__(self, *, alive: bool) -> None:
        super().__init__()
        self.alive = alive


def _stream(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise EOFError
    return stream


def _exit_text(code: int) -> str:
    """An exit code for a message; a negative one is the signal that ended the process."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:  # a real-time signal has no name
        return f"signal {-code}"


def _write_until(stream: IO[bytes], data: bytes, deadline: float) -> None:
    """Writes one frame to a pipe that does not block.

    Raises:
        _NoAnswer: It is not all taken at the deadline.
        OSError: The worker is gone.
    """
    handle = stream.fileno()
    poll = select.poll()
    poll.register(handle, select.POLLOUT)
    rest = memoryview(_frame(data))
    while rest:
        left = deadline - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            raise _NoAnswer(alive=True)
        # A pipe may be ready and yet have less room than one write wants.
        with contextlib.suppress(BlockingIOError):
            rest = rest[os.write(handle, rest) :]


def _read_until(stream: IO[bytes], deadline: float) -> bytes:
    """Reads one frame.

    Raises:
        _NoAnswer: It is not complete at the deadline.
        EOFError: The worker is gone.
    """
    handle = stream.fileno()
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    data = bytearray()
    wanted = _LENGTH
    while len(data) < wanted:
        left = deadline - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            raise _NoAnswer(alive=True)
        part = os.read(handle, 1 << 20)
        if not part:
            raise EOFError
        data += part
        if wanted == _LENGTH and len(data) >= _LENGTH:
            wanted += int.from_bytes(data[:_LENGTH], "big")
    return bytes(data[_LENGTH:])


def read_frame(stream: IO[bytes]) -> bytes | None:
    """Reads one frame, however long it takes; None at the end of the stream."""
    head = stream.read(_LENGTH)
    if len(head) < _LENGTH:
        return None
    return stream.read(int.from_bytes(head, "big"))


def write_frame(stream: IO[bytes], data: bytes) -> None:
    """Writes one frame."""
    stream.write(_frame(data))
    stream.flush()


def _frame(data: bytes) -> bytes:
    return len(data).to_bytes(_LENGTH, "big") + data
