"""The program of a worker process: ``python -m interpreter.engines.lua.worker``.

It ends with its standard input.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import IO, Any

from interpreter.engines.lua import convert, kube
from interpreter.engines.lua.limits import LuaLimits
from interpreter.engines.lua.process import read_frame, write_frame
from interpreter.engines.lua.vm import NoRoom, Reply, Runtime

#: Bytes of prints that travel with one reply, and what a line costs beside its text.
_PRINT_BYTES = 256 * 1024
_LINE_BYTES = 64


class _Prints:
    """Keeps what a script prints, because its reader is in another process."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._room = 0

    def start(self, *, wanted: bool) -> None:
        """Forgets the last call's."""
        self.lines = []
        self._room = _PRINT_BYTES if wanted else 0

    def call(self, name: bytes, packed: bytes, room: float) -> bytes:
        """As ``kube.call``, but for prints."""
        if name != b"print":
            return kube.call(name, packed, room)
        if self._room > 0:
            self._room -= len(packed) + _LINE_BYTES
            left = "(what was printed after this is left out)"
            self.lines.append(kube.printed_text(packed) if self._room > 0 else left)
        return kube.PRINTED


def serve(requests: IO[bytes], replies: IO[bytes]) -> None:
    """Answers frames until there are no more."""
    runtime: Runtime | None = None
    limits = LuaLimits()
    prints = _Prints()
    while True:
        frame = read_frame(requests)
        if frame is None:
            return
        request = convert.decode(frame)
        if request[0] == "start":
            limits = LuaLimits(**request[1])
            runtime = Runtime(limits, prints.call)
            write_frame(replies, convert.pack(["started"]))
            continue
        if runtime is None or not runtime.usable:
            runtime = Runtime(limits, prints.call)
        try:
            answer = _answer(runtime, request, prints)
        except NoRoom:
            runtime = Runtime(limits, prints.call)
            answer = _answer(runtime, request, prints)
        write_frame(replies, answer)


def _answer(runtime: Runtime, request: list[Any], prints: _Prints) -> bytes:
    if request[0] == "compile":
        problem = runtime.compile(request[1])
        return convert.pack(["compiled", *(problem or (None, None))])
    _, source, function, payload, budget, trace, wanted = request
    prints.start(wanted=wanted)
    reply = runtime.run(source, function, payload, budget, trace=trace)
    if isinstance(reply, Reply):
        return convert.pack(["reply", reply.data, reply.trace, prints.lines])
    return convert.pack(["syntax", reply.line, reply.message])


def main() -> None:
    """Serves standard input and output; whatever else prints goes to standard error."""
    # Ctrl-C reaches the whole group: the parent decides what happens.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    serve(sys.stdin.buffer, replies)


if __name__ == "__main__":
    main()
