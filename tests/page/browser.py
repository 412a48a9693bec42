"""A headless Chromium, driven through a pipe: no port, no other library.

It speaks the Chrome DevTools Protocol, JSON messages that end with a zero byte, on its file
descriptors 3 and 4. It reaches no network: every name is unknown to it.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

#: Debian's name first.
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
_OPTIONS = (
    "--headless=new",
    "--no-sandbox",  # the tests may be run by root
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


class Tab:
    """A tab, and everything that it told."""

    def __init__(self, read: int, write: int) -> None:
        self._read, self._write = read, write
        self._buffer = b""
        self._ids = itertools.count(1)
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Sends a command and waits for its answer."""
        number = next(self._ids)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            received = self._receive()
            if received.get("id") == number:
                assert "error" not in received, received["error"]
                result: dict[str, Any] = received["result"]
                return result
            self.events.append(received)

    def open(self, path: Path, fragment: str = "") -> None:
        """Opens a file and waits until it is loaded."""
        self.events.clear()
        self.call("Page.navigate", url=path.as_uri() + fragment)
        while not self.told("Page.loadEventFired"):
            self.events.append(self._receive())

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        answer = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def dress(self, scheme: str, *, width: int = 1280) -> None:
        """Chooses light or dark, and the width of the window."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=features)
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=False,
        )

    def told(self, *methods: str) -> list[dict[str, Any]]:
        """What it told, of these kinds."""
        return [each["params"] for each in self.events if each.get("method") in methods]

    def screenshot(self) -> bytes:
        """The whole page as a PNG."""
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        return base64.b64decode(shot["data"])

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            piece = os.read(self._read, 1 << 16)
            assert piece, "the browser has ended"
            self._buffer += piece
        message, _, self._buffer = self._buffer.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found


@contextmanager
def browser(profile: Path) -> Iterator[Tab]:
    """A browser with one tab, which ends with the block."""
    assert BROWSER is not None
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    # High numbers first: neither end may stand where the other one goes.
    high = [os.dup(theirs_in), os.dup(theirs_out)]

    def place() -> None:
        os.dup2(high[0], 3)
        os.dup2(high[1], 4)

    process = subprocess.Popen(
        [BROWSER, *_OPTIONS, f"--user-data-dir={profile}"],
        preexec_fn=place,
        close_fds=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for end in (theirs_in, theirs_out, *high):
        os.close(end)
    try:
        yield Tab(ours_in, ours_out)
    finally:
        process.terminate()
        process.wait()
        os.close(ours_in)
        os.close(ours_out)
