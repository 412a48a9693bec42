# ruff: noqa: E501 - tables of Lua text: a script reads best on its own line
"""Cost of a Lua call through the facade, limits on, against the bare floor, in one process.

The floor is what any bridge must pay: lupa's ``table_from(recursive=True)`` of the arguments, the
call of a precompiled function, a plain recursive decode of its result; JIT off, no hook, no limits,
no checks. Inputs are those of the shared third-party recordings; scripts are small ones of the
usual kind, with the kube functions replaced by the same constant stubs on both sides. Ratios are
medians over interleaved rounds. Prints; asserts nothing.
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
from interpreter.errors import InterpreterError
from interpreter.operations import OPERATIONS

ROUNDS = 15
TARGET = 1.35

_STUBS = """
local kube = {
  accuratePodRequirements = function() return { resourceRequest = { cpu = "100m", memory = "64Mi" }
  } end,
  getPodDependencies = function()
    return { { apiVersion = "v1", kind = "Secret", namespace = "ns", name = "s" } }
  end,
}
"""

SCRIPTS: dict[Operation, str] = {
    Operation.GET_REPLICAS: """
function GetReplicas(obj)
  local replica = 1
  if obj.spec ~= nil and obj.spec.replicas ~= nil then replica = tonumber(obj.spec.replicas) or 1 end
  local requires = nil
  if obj.spec ~= nil and obj.spec.template ~= nil then
    requires = kube.accuratePodRequirements(obj.spec.template)
  end
  return replica, requires
end
""",
    Operation.GET_COMPONENTS: """
function GetComponents(obj)
  local components = {}
  for name, part in pairs(obj.spec) do
    if type(part) == "table" and part.replicas ~= nil then
      components[#components + 1] = {
        name = name, replicas = tonumber(part.replicas) or 1,
        replicaRequirements = kube.accuratePodRequirements(part.template),
      }
    end
  end
  return components
end
""",
    Operation.REVISE_REPLICA: """
function ReviseReplica(obj, desiredReplica)
  if obj.spec ~= nil then obj.spec.replicas = desiredReplica end
  return obj
end
""",
    Operation.RETAIN: """
function Retain(desiredObj, observedObj)
  if observedObj.spec ~= nil and observedObj.spec.suspend ~= nil then
    desiredObj.spec.suspend = observedObj.spec.suspend
  end
  return desiredObj
end
""",
    Operation.AGGREGATE_STATUS: """
local function omit(status, fields)
  for i = 1, #fields do
    if status[fields[i]] == 0 then status[fields[i]] = nil end
  end
  return status
end

function AggregateStatus(desiredObj, statusItems)
  if desiredObj.status == nil then desiredObj.status = {} end
  if statusItems == nil then return desiredObj end
  local replicas, ready = 0, 0
  local conditions = {}
  local byType = {}
  for i = 1, #statusItems do
    local status = statusItems[i].status
    if status ~= nil then
      replicas = replicas + (tonumber(status.replicas) or 0)
      ready = ready + (tonumber(status.readyReplicas) or 0)
      if type(status.conditions) == "table" then
        for _, condition in ipairs(status.conditions) do
          local key = tostring(condition.type) .. tostring(condition.status) .. tostring(condition.reason)
          local known = byType[key]
          if known == nil then
            byType[key] = condition
            conditions[#conditions + 1] = condition
          elseif condition.message ~= nil then
            known.message = tostring(known.message) .. ", " .. statusItems[i].clusterName .. "=" .. condition.message
          end
        end
      end
      for name, value in pairs(status) do
        if type(value) == "string" and desiredObj.status[name] == nil then desiredObj.status[name] = value end
      end
    end
  end
  desiredObj.status.replicas = replicas
  desiredObj.status.readyReplicas = ready
  if #conditions > 0 then desiredObj.status.conditions = conditions end
  omit(desiredObj.status, { "replicas", "readyReplicas" })
  return desiredObj
end
""",
    Operation.REFLECT_STATUS: """
function ReflectStatus(observedObj)
  local status = {}
  if observedObj == nil or observedObj.status == nil then return status end
  local names = { "replicas", "readyReplicas", "updatedReplicas", "conditions", "observedGeneration", "phase", "state" }
  for i = 1, #names do status[names[i]] = observedObj.status[names[i]] end
  local metadata = observedObj.metadata
  if metadata ~= nil then
    status.generation = metadata.generation
    if metadata.annotations ~= nil then
      status.resourceTemplateGeneration = tonumber(metadata.annotations["resourcetemplate.karmada.io/generation"])
    end
  end
  return status
end
""",
    Operation.INTERPRET_HEALTH: """
function InterpretHealth(observedObj)
  if observedObj == nil or observedObj.status == nil then return false end
  local conditions = observedObj.status.conditions
  if conditions == nil then return true end
  for i = 1, #conditions do
    if conditions[i].type == "Ready" and conditions[i].status == "True" then return true end
    if conditions[i].type == "Failed" and conditions[i].status == "True" then return false end
  end
  return true
end
""",
    Operation.GET_DEPENDENCIES: """
function GetDependencies(desiredObj)
  local refs = {}
  local accounts = {}
  if desiredObj.spec ~= nil and desiredObj.spec.serviceAccountName ~= nil then
    accounts[desiredObj.spec.serviceAccountName] = true
  end
  for name, _ in pairs(accounts) do
    refs[#refs + 1] = { apiVersion = "v1", kind = "ServiceAccount", namespace = desiredObj.metadata.namespace, name = name }
  end
  if desiredObj.spec ~= nil and desiredObj.spec.template ~= nil then
    local found = kube.getPodDependencies(desiredObj.spec.template, desiredObj.metadata.namespace)
    for i = 1, #found do refs[#refs + 1] = found[i] end
  end
  return refs
end
""",
}

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
            if operation not in SCRIPTS:
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
            if isinstance(arguments[0], dict):
                found.append((operation, arguments))
    return found


class Floor:
    """The bare bridge."""

    def __init__(self) -> None:
        self._lua = luajit21.LuaRuntime(unpack_returned_tuples=True)
        self._lua.execute("jit.off() jit.flush()")
        self._functions = {}
        for operation, source in SCRIPTS.items():
            self._lua.execute(_STUBS + source)
            self._functions[operation] = self._lua.globals()[operation.value]

    def call(self, operation: Operation, arguments: tuple[Any, ...]) -> Any:
        """Encodes, calls, decodes."""
        encode = self._lua.table_from
        given = [
            encode(value, recursive=True) if isinstance(value, (dict, list)) else value
            for value in arguments
        ]
        result = self._functions[operation](*given)
        return [_plain(item) for item in result] if isinstance(result, tuple) else _plain(result)


def _plain(value: Any) -> Any:
    if luajit21.lua_type(value) != "table":
        return value
    if 1 in value:
        return [_plain(item) for item in value.values()]
    return {key: _plain(item) for key, item in value.items()}


def interpreter_of(found: list[Call]) -> ResourceInterpreter:
    """An interpreter with the scripts as customizations of every kind that occurs."""
    targets = {(arguments[0]["apiVersion"], arguments[0]["kind"]) for _, arguments in found}
    rules = {
        OPERATIONS[operation].rule: {"luaScript": _STUBS + source}
        for operation, source in SCRIPTS.items()
    }
    return ResourceInterpreter(
        customizations=[
            {
                "apiVersion": "config.karmada.io/v1alpha1",
                "kind": "ResourceInterpreterCustomization",
                "metadata": {"name": f"bench-{number}"},
                "spec": {
                    "target": {"apiVersion": version, "kind": kind},
                    "customizations": rules,
                },
            }
            for number, (version, kind) in enumerate(sorted(targets))
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
        methods = {operation: getattr(ri, OPERATIONS[operation].hook) for operation in SCRIPTS}

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
    for operation in SCRIPTS:
        own = [call for call in found if call[0] is operation]
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
