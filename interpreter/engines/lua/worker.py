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


def serve(requests: IO[bytes], replies: IO[bytes]) -> None:
    """Answers frames until there are no more."""
    runtime: Runtime | None = None
    limits = LuaLimits()
    while True:
        frame = read_frame(requests)
        if frame is None:
            return
        request = convert.decode(frame)
        if request[0] == "start":
            limits = LuaLimits(**request[1])
            runtime = Runtime(limits, kube.call)
            write_frame(replies, convert.pack(["started"]))
            continue
        if runtime is None or not runtime.usable:
            runtime = Runtime(limits, kube.call)
        try:
            answer = _answer(runtime, request)
        except NoRoom:
            runtime = Runtime(limits, kube.call)
            answer = _answer(runtime, request)
        write_frame(replies, answer)


def _answer(runtime: Runtime, request: list[Any]) -> bytes:
    if request[0] == "compile":
        problem = runtime.compile(request[1])
        return convert.pack(["compiled", *(problem or (None, None))])
    _, source, function, payload, budget, trace = request
    reply = runtime.run(source, function, payload, budget, trace=trace)
    if isinstance(reply, Reply):
        return convert.pack(["reply", reply.data, reply.trace])
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
