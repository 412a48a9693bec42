"""An event loop in a thread of its own, for a listener."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

_T = TypeVar("_T")


class LoopThread:
    """Runs coroutines; the thread ends with the process."""

    def __init__(self, name: str) -> None:
        """Starts the thread."""
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name=name, daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, _T]) -> _T:
        """Runs a coroutine to its end and returns what it does; not from the loop itself."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()

    def start(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        """Starts a coroutine and returns at once."""
        asyncio.run_coroutine_threadsafe(coroutine, self.loop)

    def close(self) -> None:
        """Ends the loop and waits for its thread."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()
