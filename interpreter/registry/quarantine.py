"""Counting what goes wrong with a plugin, and taking it out when nothing goes right any more."""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Callable

from interpreter.errors import InterpreterError, PluginError
from interpreter.machinery.wording import visible
from interpreter.telemetry import PLUGIN_FAILURES, PLUGIN_QUARANTINED, Telemetry

_LOGGER = logging.getLogger("interpreter.plugins")


class Watch:
    """The failures of one plugin in a row.

    A failure is an exception that is none of this package's, or an unusable answer: a plugin that
    refuses an object in so many words does its work. Safe to share between threads.
    """

    def __init__(
        self, plugin: str, limit: int, *, telemetry: Telemetry, changed: Callable[[], None]
    ) -> None:
        """Starts to count.

        Args:
            plugin: Name of the plugin.
            limit: Consecutive failures until it is taken out; 0 for never.
            telemetry: Where failures are counted for operators.
            changed: Called when it is taken out.
        """
        self.plugin = plugin
        self.failures = 0
        self.total = 0
        self.trace: str | None = None
        self._limit = limit
        self._telemetry = telemetry
        self._changed = changed
        self._lock = threading.Lock()
        self._reason: str | None = None

    def reason(self) -> str | None:
        """Why the plugin is not asked; None where it is."""
        return self._reason

    def succeeded(self) -> None:
        """A call ended as it should."""
        if self.failures:
            self.failures = 0

    def failed(self, error: InterpreterError) -> None:
        """A call ended with an error."""
        if not isinstance(error, PluginError):
            return
        self._telemetry.add(PLUGIN_FAILURES, (self.plugin,))
        with self._lock:
            self.total += 1
            self.failures += 1
            cause = error.__cause__ or error
            self.trace = "".join(traceback.format_exception(cause))
            if not self._limit or self.failures < self._limit or self._reason is not None:
                return
            # Its text stays with the traceback: reasons reach logs and remote callers.
            what = "an unusable answer" if cause is error else type(cause).__name__
            self._reason = f"in quarantine after {self.failures} failures, the last {what}"
        self._telemetry.set(PLUGIN_QUARANTINED, (self.plugin,), value=1)
        _LOGGER.error("plugin %s is %s", visible(self.plugin), visible(self._reason))
        self._changed()
