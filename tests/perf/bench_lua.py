"""Cost of a Lua call through the facade, limits on, against the bare floor, in one process.

The floor is what any bridge must pay: lupa's ``table_from(recursive=True)`` of the arguments, the
call of a precompiled function, a plain recursive decode of its result; JIT off, no hook, no limits,
no checks. Inputs are those of the shared third-party recordings; scripts are the catalogue's, with
the kube functions replaced by the same constant stubs on both sides. Ratios are medians over
interleaved rounds. Prints; asserts nothing.
"""

from __future__ import annotations

import json
import os
import statistics
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lupa import luajit21

from interpreter import Operation, ResourceInterpreter
from interpreter.catalogue.folders import find_folders, read_script
from interpreter.catalogue.kind_files import targets_of
from interpreter.catalogue.location import bundled_scripts
from interpreter.errors import InterpreterError
from interpreter.operations import OPERATIONS

ROUNDS = 15
TARGET = 1.35

_STUBS = """local kube = {
  accuratePodRequirements = function() return { resourceRequest = { cpu = "100m", memory = "64Mi" }
  } end,
  getPodDependencies = function()
    return { { apiVersion = "v1", kind = "Secret", namespace = "ns", name = "s" } }
  end,
  resourceAdd = function() return "1" end,
  getResourceQuantity = function() return 1 end,
}
local function require() return kube end
"""

Key = tuple[str, Operation]


def scripts() -> dict[Key, str]:
    """The catalogue's scripts by kind and operation, on top of the stubs."""
    found: dict[Key, str] = {}
    for folder in find_folders(bundled_scripts()):
        for spec, path in folder.scripts:
            for gvk in targets_of(folder):
                found[str(gvk), spec.operation] = _STUBS + read_script(path)
    return found


SCRIPTS = scripts()

#: Result field of a third-party recording to the operation that it shows.
_SHOWN = {
    "replica": Operation.GET_REPLICAS,
    "components": Operation.GET_COMPONENTS,
    "revised": Operation.REVISE_REPLICA,
    "retained": Operation.RETAIN,
    "aggregatedStatus": Operation.AGGREGATE_STATUS,
    "status": Operation.REFLECT_STATUS,
    "healthy": Operation.INTERPRET_HEALTH,
    "dependencies": Operation.GET_DEPENDENCIES,
}

Call = tuple[Operation, tuple[Any, ...]]


def calls(folder: Path) -> list[Call]:
    """Every recorded operation with its arguments."""
    found: list[Call] = []
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text().splitlines():
            case = json.loads(line)
            given = case["input"]
            operation = next((_SHOWN[f] for f in _SHOWN if f in case["expect"]), None)
            if operation is None and case["operation"] in list(Operation):
                operation = Operation(case["operation"])
            if operation is None:
                continue
            desired, observed = given.get("desired"), given.get("observed")
            arguments: tuple[Any, ...] = (desired if desired is not None else observed,)
            if operation is Operation.REVISE_REPLICA:
                arguments = (desired, given.get("replicas", 3))
            elif operation is Operation.RETAIN:
                arguments = (desired, observed)
            elif operation is Operation.AGGREGATE_STATUS:
                arguments = (desired, given.get("statusItems"))
            elif operation in (Operation.REFLECT_STATUS, Operation.INTERPRET_HEALTH):
                arguments = (observed if observed is not None else desired,)
            if (_kind(arguments), operation) in SCRIPTS:
                found.append((operation, arguments))
    return found


def _kind(arguments: tuple[Any, ...]) -> str:
    obj = arguments[0]
    return f"{obj['apiVersion']}/{obj['kind']}" if isinstance(obj, dict) else ""


class Floor:
    """The bare bridge."""

    def __init__(self) -> None:
        self._lua = luajit21.LuaRuntime(unpack_returned_tuples=True)
        self._lua.execute("jit.off() jit.flush()")
        self._functions = {}
        for key, source in SCRIPTS.items():
            self._lua.execute(source)
            self._functions[key] = self._lua.globals()[key[1].value]

    def call(self, operation: Operation, arguments: tuple[Any, ...]) -> Any:
        """Encodes, calls, decodes."""
        encode = self._lua.table_from
        given = [
            encode(value, recursive=True) if isinstance(value, (dict, list)) else value
            for value in arguments
        ]
        result = self._functions[_kind(arguments), operation](*given)
        return [_plain(item) for item in result] if isinstance(result, tuple) else _plain(result)


def _plain(value: Any) -> Any:
    if luajit21.lua_type(value) != "table":
        return value
    if 1 in value:
        return [_plain(item) for item in value.values()]
    return {key: _plain(item) for key, item in value.items()}


def interpreter_of(found: list[Call]) -> ResourceInterpreter:
    """An interpreter with the scripts as customizations of the kinds that occur."""
    kinds: dict[str, dict[str, Any]] = {}
    for operation, arguments in found:
        kind = _kind(arguments)
        rule = OPERATIONS[operation].rule
        kinds.setdefault(kind, {})[str(rule)] = {"luaScript": SCRIPTS[kind, operation]}
    return ResourceInterpreter(
        customizations=[
            {
                "apiVersion": "config.karmada.io/v1alpha1",
                "kind": "ResourceInterpreterCustomization",
                "metadata": {"name": f"bench-{number}"},
                "spec": {
                    "target": {
                        "apiVersion": kind.rpartition("/")[0],
                        "kind": kind.rpartition("/")[2],
                    },
                    "customizations": rules,
                },
            }
            for number, (kind, rules) in enumerate(sorted(kinds.items()))
        ],
        plugins=None,
    )


def usable(found: list[Call], floor: Floor, ask: Callable[[Call], Any]) -> list[Call]:
    """Calls that both sides answer.

    A few recorded inputs make the small scripts fail on purpose.
    """
    kept = []
    for call in found:
        try:
            floor.call(*call)
            ask(call)
        except (luajit21.LuaError, InterpreterError):
            continue
        kept.append(call)
    return kept


def timed(work: Callable[[], object]) -> float:
    """Seconds of one run."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main() -> None:
    """Measures and prints."""
    root = Path(
        os.environ.get("GOLDEN_DIR", Path(__file__).parents[2].parent / "shared" / "golden")
    )
    folder = root / "interpreter" / "thirdparty"
    if not folder.is_dir():
        print(f"bench_lua: no recordings at {folder}; set GOLDEN_DIR")
        return
    floor = Floor()
    found = calls(folder)
    with interpreter_of(found) as ri:
        methods = {operation: getattr(ri, OPERATIONS[operation].hook) for operation in OPERATIONS}

        def ask(call: Call) -> Any:
            return methods[call[0]](*call[1])

        _measure(usable(found, floor, ask), floor, ask)


def _measure(found: list[Call], floor: Floor, ask: Callable[[Call], Any]) -> None:
    """Prints cost and ratio over all calls, then of each operation, then throughput."""
    low, high, ratio = _compared(found, floor, ask)
    print(
        f"bench_lua: {len(found)} calls, floor {low:.1f} us, through the facade {high:.1f} us "
        f"a call, ratio {ratio:.2f} (target {TARGET})"
    )
    for operation in OPERATIONS:
        own = [call for call in found if call[0] is operation]
        if not own:
            continue
        low, high, ratio = _compared(own, floor, ask)
        print(
            f"  {operation:17} {len(own):5} calls, floor {low:6.1f} us, ours {high:6.1f} us, "
            f"ratio {ratio:.2f}"
        )
    gain = _throughput(lambda: [ask(call) for call in found])
    print(f"bench_lua: throughput with 2 threads {gain:.2f}x of one thread")


def _compared(
    found: list[Call], floor: Floor, ask: Callable[[Call], Any]
) -> tuple[float, float, float]:
    """Microseconds a call of the floor and of the facade, and the median ratio of the rounds."""
    floors, ours = [], []
    for _ in range(ROUNDS):
        floors.append(timed(lambda: [floor.call(*call) for call in found]) / len(found) * 1e6)
        ours.append(timed(lambda: [ask(call) for call in found]) / len(found) * 1e6)
    ratio = statistics.median(b / a for a, b in zip(floors, ours, strict=True))
    return statistics.median(floors), statistics.median(ours), ratio


def _throughput(work: Callable[[], object]) -> float:
    """Calls a second of two threads against one: the GIL is free while Lua runs."""
    alone = statistics.median(timed(work) for _ in range(5))

    def both() -> None:
        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    together = statistics.median(timed(both) for _ in range(5))
    return 2 * alone / together


if __name__ == "__main__":
    main()
