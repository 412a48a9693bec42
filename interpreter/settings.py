"""Settings: every number and switch of the package, with unit and the reason for its default."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from interpreter.errors import ConfigurationError

ENVIRONMENT_PREFIX = "RESOURCE_INTERPRETER_"
#: What is nested deeper can be read, but not written.
DEEPEST = 250


#: Units of the settings that are no sizes.
_SWITCH = "on or off"
_NAMES = "names"
_TEXTS_OF_SWITCH = {"1": True, "true": True, "on": True, "0": False, "false": False, "off": False}


def _setting(default: Any, *, unit: str, reason: str, least: int = 1) -> Any:
    return field(default=default, metadata={"unit": unit, "reason": reason, "least": least})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Limits, sizes and switches. Sizes are positive integers.

    Each can come from ``RESOURCE_INTERPRETER_<NAME>``: a number, ``1`` or ``0`` for a switch, names
    with commas for a list.
    """

    route_cache_size: int = _setting(
        4096,
        unit="routes",
        reason="one per kind and operation: a large fleet has some hundred kinds, times ten; "
        "the bound keeps made-up kinds of a hostile client from growing the process",
    )
    max_manifest_bytes: int = _setting(
        256 * 1024 * 1024,
        unit="bytes of one input file",
        reason="an API server stores at most 1.5 MiB an object; "
        "a dump of a large cluster is below 200 MB",
    )
    max_depth: int = _setting(
        200,
        unit="nested objects and lists",
        reason="real objects stay below 40 (CRD schemas are the deepest); the native tier is "
        "recursive, JSON encoders stop at 254",
    )

    lua_deadline_ms: int = _setting(
        1000,
        unit="milliseconds of one call of a script",
        reason="the reference gives a script one second; real ones take below one millisecond",
    )
    lua_heap_bytes: int = _setting(
        64 * 1024 * 1024,
        unit="bytes of Lua heap of one runtime",
        reason="an API server stores at most 1.5 MiB an object, about 15 MiB as Lua tables",
    )
    lua_source_bytes: int = _setting(
        64 * 1024,
        unit="bytes of one script",
        reason="compiling cannot be interrupted: the worst 64 KiB take 0.65 s; the largest "
        "script of the reference's bundle has 9.2 KiB",
    )
    lua_result_nodes: int = _setting(
        500_000,
        unit="values of a script's result",
        reason="objects of 1.5 MiB hold below 200 000; encoding is out of the deadline's reach "
        "and takes 0.3 us a value",
    )
    lua_compiled_scripts: int = _setting(
        512,
        unit="compiled scripts kept by one runtime",
        reason="a control plane has some hundred rules; a compiled one takes about 10 KiB",
    )
    lua_worker_grace_ms: int = _setting(
        300,
        unit="milliseconds beyond the deadline until a worker process is killed",
        reason="a script that the deadline stops answers within the grace; only a process that "
        "hangs is killed",
    )

    plugins: tuple[str, ...] | None = _setting(
        None,
        unit=_NAMES,
        reason='installed plugins that plugins="auto" stands for; None: all, empty: none',
    )
    allowed_plugins: tuple[str, ...] | None = _setting(
        None,
        unit=_NAMES,
        reason="installed is not enabled: where it is set, nothing else is ever imported",
    )
    strict_plugins: bool = _setting(
        False,
        unit=_SWITCH,
        reason="a fleet goes on without a plugin that fails; a build should not",
    )
    plugin_failures: int = _setting(
        10,
        unit="consecutive failures of a plugin until it is no longer asked; 0: never",
        reason="a plugin that always fails would fail every object of its kinds; one odd object "
        "among good ones must not take it out",
        least=0,
    )
    trace: bool = _setting(
        False,
        unit=_SWITCH,
        reason="answers hold what objects hold, secrets among them: for development only",
    )
    webhook_attempts: int = _setting(
        3,
        unit="tries of one call of a webhook",
        reason="a restarting server is back at the second or third; only a question that nobody "
        "took is put again",
    )
    webhook_backoff_ms: int = _setting(
        100,
        unit="milliseconds before the second try, doubled for each further one",
        reason="a listener that restarts is away for some tenths of a second; half of the pause "
        "is random, so that callers do not come back at once",
    )
    webhook_circuit_failures: int = _setting(
        5,
        unit="failed calls in a row until a webhook is left alone",
        reason="with three tries each that is no chance any more; callers stop waiting for "
        "timeouts",
    )
    webhook_circuit_open_ms: int = _setting(
        10_000,
        unit="milliseconds for which a webhook is left alone",
        reason="as long as the default timeout of a call: a dead webhook costs one caller in that "
        "time, not all",
    )
    webhook_answer_bytes: int = _setting(
        32 * 1024 * 1024,
        unit="bytes of a webhook's answer",
        reason="a patch of an object at the API server's 1.5 MiB, in base64, is 2 MiB; answers "
        "beyond 16 times that are faults",
    )
    serve_threads: int = _setting(
        16,
        unit="calls that run at once",
        reason="scripts run outside of Python's lock, so more than cores help; each busy thread "
        "has a Lua runtime of its own",
    )
    serve_max_calls: int = _setting(
        1000,
        unit="calls that wait or run at once",
        reason="at 1 ms a call the last one waits for a second; beyond, a client had better try "
        "another server",
    )
    serve_max_message_bytes: int = _setting(
        8 * 1024 * 1024,
        unit="bytes of one message, received or sent",
        reason="an API server stores at most 1.5 MiB an object; Retain carries two, "
        "AggregateStatus the statuses of all clusters",
    )
    serve_drain_ms: int = _setting(
        5000,
        unit="milliseconds between NOT_SERVING and the end of accepting",
        reason="a load balancer or kube-proxy needs seconds to hear of it",
    )
    serve_grace_ms: int = _setting(
        20_000,
        unit="milliseconds that calls have to end",
        reason="with the drain time it stays below the 30 s that Kubernetes gives a pod",
    )
    serve_keepalive_ms: int = _setting(
        30_000,
        unit="milliseconds of silence until a peer is asked whether it is there",
        reason="twice as often as load balancers drop idle connections (60 s)",
    )
    serve_keepalive_timeout_ms: int = _setting(
        10_000,
        unit="milliseconds that a peer has to say that it is there",
        reason="a lossy network needs a second; a half-open connection is gone after this",
    )
    serve_min_ping_ms: int = _setting(
        10_000,
        unit="milliseconds that a client must leave between two pings",
        reason="more often is an attack or a mistake: the connection is closed",
    )
    serve_handshake_ms: int = _setting(
        10_000,
        unit="milliseconds that a peer has for its handshake",
        reason="a peer that says nothing must not hold a connection",
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Settings:
        """Reads overrides from an environment mapping.

        Raises:
            ConfigurationError: A value cannot be used.
        """
        values: dict[str, Any] = {}
        for setting in dataclasses.fields(cls):
            name = ENVIRONMENT_PREFIX + setting.name.upper()
            text = environment.get(name)
            # An empty list is one; an empty size or switch is none.
            if text or (text is not None and setting.metadata["unit"] == _NAMES):
                values[setting.name] = _parse(name, text, setting.metadata)
        return cls(**values)

    def __post_init__(self) -> None:
        for setting in dataclasses.fields(self):
            _check(setting.name, getattr(self, setting.name), setting.metadata)
        if self.max_depth > DEEPEST:
            raise ConfigurationError(
                f"max_depth must be at most {DEEPEST}: JSON encoders stop there",
                value=self.max_depth,
            )


def _parse(name: str, text: str, about: Mapping[str, Any]) -> Any:
    """The value of a setting as the environment has it."""
    if about["unit"] == _NAMES:
        return tuple(entry.strip() for entry in text.split(",") if entry.strip())
    if about["unit"] == _SWITCH:
        value = _TEXTS_OF_SWITCH.get(text.strip().lower())
        if value is None:
            raise ConfigurationError(f"{name} must be 1 or 0", value=text)
        return value
    if not text.isascii() or not text.isdigit() or len(text) > 15 or int(text) < about["least"]:
        raise _no_size(name, text, about)
    return int(text)


def _check(name: str, value: Any, about: Mapping[str, Any]) -> None:
    if about["unit"] == _NAMES:
        if value is not None and not (
            isinstance(value, tuple) and all(isinstance(entry, str) for entry in value)
        ):
            raise ConfigurationError(f"{name} must be a tuple of names, or None", value=value)
    elif about["unit"] == _SWITCH:
        if not isinstance(value, bool):
            raise ConfigurationError(f"{name} must be True or False", value=value)
    elif type(value) is not int or value < about["least"]:
        raise _no_size(name, value, about)


def _no_size(name: str, value: object, about: Mapping[str, Any]) -> ConfigurationError:
    wanted = "a positive integer" if about["least"] else "an integer from 0"
    return ConfigurationError(f"{name} must be {wanted} ({about['unit']})", value=value)


DEFAULTS = Settings()
