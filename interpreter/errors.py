"""The whole exception tree.

Every error carries data (kind, operation, tier, plugin, script, line, path, value) beside its text,
so that a caller, a table and a wire protocol can show the same thing. Errors of third-party
libraries never leave the module that uses the library: it raises one of these instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

_T = TypeVar("_T")

#: A value longer than this is cut in an error text, so that an error never repeats a whole
#: manifest.
_SHOWN_VALUE = 60


class _Missing:
    """Marks an error that has no offending value; ``None`` is a value (JSON null)."""

    def __repr__(self) -> str:
        return "<no value>"

    def __reduce__(self) -> str:
        # There is one of it, also after pickling.
        return "NO_VALUE"


NO_VALUE = _Missing()


class InterpreterError(Exception):
    """Base of everything this package raises on purpose.

    Attributes:
        message: What is wrong, without the context below.
        hint: What to do next, or ``None``.
        gvk: Kind of the object that was worked on (a ``GVK``), when known.
        operation: The operation that was asked, when known.
        tier: Tier whose answer failed, when known.
        plugin: Name of the plugin, customization or webhook at fault.
        script: ``<customization>/<rule>`` of a Lua script.
        line: Line in that script or in the input text, counted from 1.
        path: Path of the field in the object, such as ``spec.replicas``.
        value: The offending value, or ``NO_VALUE``.
        source: Where the input came from: file and document.
        temporary: Whether the same call may succeed later without a change of its input.
    """

    temporary: bool = False

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        gvk: Any = None,
        operation: Any = None,
        tier: str | None = None,
        plugin: str | None = None,
        script: str | None = None,
        line: int | None = None,
        path: str | None = None,
        value: Any = NO_VALUE,
        source: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.gvk = gvk
        self.operation = operation
        self.tier = tier
        self.plugin = plugin
        self.script = script
        self.line = line
        self.path = path
        self.value = value
        self.source = source

    def annotate(self, **facts: Any) -> None:
        """Fills in facts that were not known where the error was raised; known ones stay."""
        for name, fact in facts.items():
            if getattr(self, name) is None:
                setattr(self, name, fact)

    def __str__(self) -> str:
        text = self.message
        if self.path is not None:
            text = f"{self.path}: {text}"
        if self.value is not NO_VALUE:
            text = f"{text}, got {describe_value(self.value)}"
        if self.hint:
            text = f"{text} ({self.hint})"
        return text

    def __reduce__(self) -> tuple[Any, ...]:
        # Keyword-only constructors of subclasses do not survive the default protocol.
        state = self.__dict__.copy()
        if not isinstance(self.value, (str, int, float, bool, type(None), _Missing)):
            # A value may be anything that a caller or a plugin gave: it need not be picklable.
            state["value"] = describe_value(self.value)
        return (_restore, (type(self), self.message, state))


def _restore(cls: type[InterpreterError], message: str, state: dict[str, Any]) -> InterpreterError:
    error = cls.__new__(cls)
    Exception.__init__(error, message)
    error.__dict__.update(state)
    return error


class ConfigurationError(InterpreterError):
    """A setting, a tier name, a ``disable`` entry or a command argument cannot be used."""


class InvalidObject(InterpreterError):
    """An object given by the caller does not have the shape that the operation reads."""

    def within(self, prefix: str) -> InvalidObject:
        """Puts ``prefix`` before the path, as the error travels out of a nested structure."""
        self.path = join_path(prefix, self.path)
        return self


class InvalidCustomization(InterpreterError):
    """A customization or webhook configuration document cannot be used."""


class NoInterpreter(InterpreterError):
    """Nobody answers this operation for this kind; both are attributes."""


class EngineError(InterpreterError):
    """An engine (Lua, webhook) could not give an answer."""


class LuaScriptError(EngineError):
    """A Lua script raised an error or returned something unusable."""


class LuaTimeout(EngineError):
    """A Lua script did not end before its deadline."""


class LuaMemoryExceeded(EngineError):
    """A Lua script wanted more memory than its limit."""


class WebhookError(EngineError):
    """A webhook did not answer, or answered against the protocol.

    Attributes:
        code: Name of the status that a gRPC call ended with, such as ``UNAVAILABLE``; None where
            the call did not fail, or was none.
    """

    code: str | None = None


class PluginError(InterpreterError):
    """A Python plugin raised, or gave an answer of the wrong shape."""


class StoreError(InterpreterError):
    """An object store refused a request."""


class NotFound(StoreError):
    """The object does not exist."""


class AlreadyExists(StoreError):
    """An object of that name exists already."""


class Conflict(StoreError):
    """The object was changed by somebody else in the meantime."""

    temporary = True


class Gone(StoreError):
    """The resource version asked for is no longer kept."""

    temporary = True


class SchedulingError(InterpreterError):
    """No placement could be found."""


class NoClusterFit(SchedulingError):
    """No cluster passes the filters.

    Attributes:
        rejected: Why, by cluster; those that are being deleted are not in it.
    """

    def __init__(self, message: str, *, rejected: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.rejected = rejected or {}


class Unschedulable(SchedulingError):
    """Clusters fit, but cannot take all replicas."""


def join_path(prefix: str, rest: str | None) -> str:
    """Joins two field paths: ``("spec", "replicas")`` is ``spec.replicas``."""
    if not rest:
        return prefix
    if not prefix or rest.startswith("["):
        return prefix + rest
    return f"{prefix}.{rest}"


def path_text(steps: Iterable[str | int]) -> str:
    """Steps into a value as a field path: ``("items", 0, "kind")`` is ``items[0].kind``."""
    path = ""
    for step in steps:
        path = join_path(path, f"[{step}]" if isinstance(step, int) else step)
    return path


def describe_value(value: Any) -> str:
    """A value as an error shows it: its JSON type and a short text, on one line."""
    if value is None:
        return "null"
    if isinstance(value, dict):
        return f"an object of {len(value)} fields"
    if isinstance(value, (list, tuple)):
        return f"a list of {len(value)} items"
    if isinstance(value, bool):
        return f"the boolean {str(value).lower()}"
    if isinstance(value, str):
        return f"the string {_shorten(value)!r}"
    if isinstance(value, (int, float)):
        return f"the number {number_text(value)}"
    return f"a Python {type(value).__name__}"


def number_text(value: int | float) -> str:
    """A number for a message.

    A huge integer is not written out (Python refuses above 4300 digits).
    """
    if isinstance(value, int) and value.bit_length() > 128:
        return f"of {value.bit_length()} bits"
    return repr(value)


def _shorten(text: str) -> str:
    return text if len(text) <= _SHOWN_VALUE else text[: _SHOWN_VALUE - 1] + "…"


def too_deep(depth: int | None = None, **facts: Any) -> InvalidObject:
    """The error for a value that cannot be walked because of its depth.

    Args:
        depth: The limit that it passes, None when that is the interpreter's own.
        **facts: What is known of its place.
    """
    problem = "the object is nested too deeply or contains itself"
    if depth is not None:
        problem = f"nested deeper than {depth} levels"
    return InvalidObject(problem, hint="real objects stay below 40 levels", **facts)


def guard_depth(call: Callable[[], _T]) -> _T:
    """Runs ``call``; a value nested beyond Python's recursion limit is an error, not a crash.

    Raises:
        InvalidObject: The value is nested too deeply, or contains itself.
    """
    try:
        return call()
    except RecursionError:
        raise too_deep() from None
