"""What each rule about one script finds, and where; and what it lets pass."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from interpreter.api.operation import Operation
from interpreter.authoring.lint.checking import check, check_script
from interpreter.authoring.lint.findings import RULES, Finding
from interpreter.authoring.lint.sources import ScriptSource
from interpreter.codec.yaml_positions import Place
from interpreter.engines.lua.engine import LuaEngine
from interpreter.operations import OPERATIONS

HEAD = "function ReflectStatus(obj)\n"
KUBE = 'local kube = require("kube")\n' + HEAD


def lint(tmp_path: Path, script: str, operation: str = "reflect_status") -> list[Finding]:
    folder = tmp_path / "example.com" / "v1" / "Widget"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{operation}.lua").write_text(script)
    return list(check([str(tmp_path)]).findings)


def places(findings: list[Finding]) -> list[str]:
    return [f"{finding.line}:{finding.column} {finding.rule}" for finding in findings]


def beside_results(findings: list[Finding]) -> list[Finding]:
    """Findings but those about results: many scripts here return an expression, not a status."""
    return [finding for finding in findings if finding.rule != "wrong-result"]


FOUND: dict[str, tuple[str, str, list[str]]] = {
    # The function that is called
    "an empty script": ("reflect_status", "", ["1:1 empty-script"]),
    "a script of blanks": ("reflect_status", "\n", ["1:1 missing-function"]),
    "a syntax error has its line": (
        "reflect_status",
        "function ReflectStatus(obj)\n  return 1 +\nend\n",
        ["3:1 syntax-error"],
    ),
    "another case of the name": (
        "get_replicas",
        "function getReplicas(obj)\n  return 1\nend\n",
        ["1:10 missing-function"],
    ),
    "the webhook's name of the operation": (
        "interpret_health",
        "function InterpretHealthy(obj)\n  return true\nend\n",
        ["1:10 missing-function"],
    ),
    "the hook's name": (
        "get_replicas",
        "function InterpretReplica(obj) return 1 end\n",
        ["1:10 missing-function"],
    ),
    "another operation's function": (
        "get_replicas",
        "function Retain(desired, observed) return desired end\n",
        ["1:10 missing-function"],
    ),
    "a local function": (
        "get_replicas",
        "local function GetReplicas(obj) return 1 end\n",
        ["1:16 missing-function"],
    ),
    "no function at all": ("get_replicas", "local x = 1\nprint(x)\n", ["1:1 missing-function"]),
    "something else than a function": (
        "get_replicas",
        "GetReplicas = 3\n",
        ["1:1 missing-function"],
    ),
    "a status that is a text": (
        "reflect_status",
        'function ReflectStatus(obj) return "up" end\n',
        ["1:36 wrong-result"],
    ),
    "a parameter too many": (
        "get_replicas",
        "function GetReplicas(obj, n) return n end\n",
        ["1:10 parameter-count"],
    ),
    "a parameter too few": (
        "revise_replica",
        "function ReviseReplica(obj) return obj end\n",
        ["1:10 parameter-count"],
    ),
    "an assigned function is counted too": (
        "retain",
        "Retain = function(desired) return desired end\n",
        ["1:1 parameter-count"],
    ),
    "health that falls through": (
        "interpret_health",
        "function InterpretHealth(obj)\n  if obj.status then\n    return true\n  end\nend\n",
        ["5:1 missing-return"],
    ),
    "a bare return": (
        "interpret_health",
        "function InterpretHealth(obj)\n  if obj.x then\n    return\n  end\n  return true\nend\n",
        ["3:5 wrong-result"],
    ),
    "a text for a count": (
        "get_replicas",
        'function GetReplicas(obj) return "3" end\n',
        ["1:34 wrong-result"],
    ),
    "a text for health": (
        "interpret_health",
        'function InterpretHealth(obj) return "Healthy" end\n',
        ["1:38 wrong-result"],
    ),
    "a part of the object for the whole": (
        "aggregate_status",
        "function AggregateStatus(obj, items)\n  return { replicas = #items, n = obj.n }\nend\n",
        ["2:10 wrong-result"],
    ),
    # Names
    "a misspelt local": (
        "reflect_status",
        HEAD + "  local status = obj.status\n  return staus and status\nend\n",
        ["3:10 undefined-variable"],
    ),
    "a name that is local elsewhere": (
        "reflect_status",
        HEAD + "  do\n    local a = obj\n    print(a)\n  end\n  return a\nend\n",
        ["6:10 undefined-variable"],
    ),
    "a local is not visible in its own value": (
        "reflect_status",
        HEAD + "  local x = x\n  return x\nend\n",
        ["2:13 undefined-variable"],
    ),
    "kube without require": (
        "reflect_status",
        HEAD + '  return kube.resourceAdd("1")\nend\n',
        ["2:10 kube-without-require"],
    ),
    "a global inside a function": (
        "reflect_status",
        HEAD + "  count = 1\n  return count\nend\n",
        ["2:3 global-assignment"],
    ),
    "a global is told once": (
        "reflect_status",
        HEAD + "  n = 1\n  n = n + 1\n  return n\nend\n",
        ["2:3 global-assignment"],
    ),
    "a global by way of _G": (
        "reflect_status",
        "_G.count = 1\n" + HEAD + "  return count\nend\n",
        ["1:1 global-assignment"],
    ),
    "a global helper": (
        "reflect_status",
        "function help(x) return x end\n" + HEAD + "  return help(obj.status)\nend\n",
        ["1:10 global-function"],
    ),
    "a library name overwritten": (
        "reflect_status",
        HEAD + "  type = obj.kind\n  return type\nend\n",
        ["2:3 library-overwrite"],
    ),
    "a library function overwritten": (
        "reflect_status",
        "string.find = nil\n" + HEAD + "  return obj.status\nend\n",
        ["1:1 library-overwrite"],
    ),
    "an unused local": (
        "reflect_status",
        HEAD + "  local a, b = 1, 2\n  return a\nend\n",
        ["2:12 unused-local"],
    ),
    "a local that is only written": (
        "reflect_status",
        HEAD + "  local a = 1\n  a = 2\n  return obj.status\nend\n",
        ["2:9 unused-local"],
    ),
    "a local function that only calls itself": (
        "reflect_status",
        "local function f(x) return f(x) end\n" + HEAD + "  return obj.status\nend\n",
        ["1:16 unused-local"],
    ),
    "an unused parameter of a helper": (
        "reflect_status",
        "local function f(a, b) return a end\n" + HEAD + "  return f(obj.status, 1)\nend\n",
        ["1:21 unused-parameter"],
    ),
    # Library
    "a function of Lua 5.2": (
        "reflect_status",
        HEAD + "  return { table.unpack(obj.list) }\nend\n",
        ["2:18 unknown-function"],
    ),
    "a misspelt library function": (
        "reflect_status",
        HEAD + "  return string.uper(obj.kind)\nend\n",
        ["2:17 unknown-function"],
    ),
    "a method that strings do not have": (
        "reflect_status",
        HEAD + "  return obj.kind:trim()\nend\n",
        ["2:19 unknown-function"],
    ),
    "a misspelt kube function": (
        "reflect_status",
        KUBE + "  return kube.resourcesAdd(obj.kind)\nend\n",
        ["3:15 unknown-function"],
    ),
    "metatables": (
        "reflect_status",
        HEAD + "  return setmetatable(obj, {})\nend\n",
        ["2:10 unavailable-function"],
    ),
    "io": (
        "reflect_status",
        HEAD + '  return io.open("x")\nend\n',
        ["2:10 unavailable-function"],
    ),
    "the environment of the process": (
        "reflect_status",
        HEAD + '  return os.getenv("HOME")\nend\n',
        ["2:13 unavailable-function"],
    ),
    "an unknown module": (
        "reflect_status",
        'local json = require("cjson")\n' + HEAD + "  return json.decode(obj.kind)\nend\n",
        ["1:14 unknown-module"],
    ),
    "too few arguments for kube": (
        "reflect_status",
        KUBE + "  return kube.getPodDependencies(obj.spec.template)\nend\n",
        ["3:10 argument-count"],
    ),
    "too many arguments for kube, through an alias": (
        "reflect_status",
        'local quantity = require("kube").getResourceQuantity\n'
        + HEAD
        + "  return quantity(obj.cpu, 1)\nend\n",
        ["3:10 argument-count"],
    ),
    "a colon instead of a dot": (
        "reflect_status",
        KUBE + '  return kube:resourceAdd("1")\nend\n',
        ["3:15 colon-call"],
    ),
    "a Go format": (
        "reflect_status",
        HEAD + '  return string.format("%v", obj.kind)\nend\n',
        ["2:24 bad-format"],
    ),
    "a percent sign alone": (
        "reflect_status",
        HEAD + '  return ("90%"):format()\nend\n',
        ["2:10 bad-format"],
    ),
    "gsub": (
        "reflect_status",
        HEAD + '  return (obj.kind:gsub("a", "b"))\nend\n',
        ["2:20 not-portable"],
    ),
    "gsub through an alias is told once": (
        "reflect_status",
        "local gsub = string.gsub\n" + HEAD + '  return gsub(obj.kind, "a", "b")\nend\n',
        ["1:21 not-portable"],
    ),
    "string.rep": (
        "reflect_status",
        HEAD + '  return string.rep("a", 3)\nend\n',
        ["2:17 not-portable"],
    ),
    "an escape of LuaJIT": (
        "reflect_status",
        HEAD + '  return "\\x41"\nend\n',
        ["2:11 not-portable"],
    ),
    "a frontier pattern": (
        "reflect_status",
        HEAD + '  return obj.kind:match("%f[%w]")\nend\n',
        ["2:25 not-portable"],
    ),
    # Values
    "the length of labels": (
        "reflect_status",
        HEAD + "  return #obj.metadata.labels\nend\n",
        ["2:10 map-length"],
    ),
    "the length of labels by another name": (
        "reflect_status",
        HEAD + "  local labels = obj.metadata.labels\n  return #labels\nend\n",
        ["3:10 map-length"],
    ),
    "the length of the object": (
        "reflect_status",
        HEAD + "  return #obj.spec\nend\n",
        ["2:10 map-length"],
    ),
    "ipairs over annotations": (
        "reflect_status",
        HEAD + "  for _, v in ipairs(obj.metadata.annotations) do\n    print(v)\n  end\nend\n",
        ["2:15 map-length"],
    ),
    "the length of a table with names": (
        "reflect_status",
        HEAD + '  local t = { a = 1 }\n  t["b" .. obj.kind] = 2\n  return #t\nend\n',
        ["4:10 map-length"],
    ),
    "a count compared with a text": (
        "reflect_status",
        HEAD + '  return #obj.list == "0"\nend\n',
        ["2:10 type-comparison"],
    ),
    "a text compared with a number, through a local": (
        "reflect_status",
        HEAD + "  local phase = tostring(obj.phase)\n  return phase == 1\nend\n",
        ["3:10 type-comparison"],
    ),
    "not binds closer than ==": (
        "reflect_status",
        HEAD + '  return not obj.phase == "Running"\nend\n',
        ["2:10 type-comparison"],
    ),
    "equality with a new table": (
        "reflect_status",
        HEAD + "  return obj.list == {}\nend\n",
        ["2:10 type-comparison"],
    ),
    "ordering a text and a number": (
        "reflect_status",
        HEAD + '  return math.floor(obj.x) < "3"\nend\n',
        ["2:10 bad-comparison"],
    ),
    "ordering a boolean": (
        "reflect_status",
        HEAD + "  return true < obj.x\nend\n",
        ["2:10 bad-comparison"],
    ),
    "a type that Lua does not have": (
        "reflect_status",
        HEAD + '  return type(obj.x) == "array"\nend\n',
        ["2:25 unknown-type-name"],
    ),
    "type compared with nil": (
        "reflect_status",
        HEAD + "  return type(obj.x) == nil\nend\n",
        ["2:25 unknown-type-name"],
    ),
    "an empty table in what is returned": (
        "reflect_status",
        HEAD + "  return { phase = obj.phase, members = {} }\nend\n",
        ["2:41 dropped-empty-table"],
    ),
    "an empty table that nothing fills": (
        "revise_replica",
        "function ReviseReplica(obj, n)\n  obj.n = n\n  obj.spec.extra = {}\n  return obj\nend\n",
        ["3:20 dropped-empty-table"],
    ),
    "a misspelt top field": (
        "reflect_status",
        HEAD + "  return obj.sepc.x\nend\n",
        ["2:14 misspelt-field"],
    ),
    "a misspelt field of metadata": (
        "reflect_status",
        HEAD + "  return obj.metadata.anotations\nend\n",
        ["2:23 misspelt-field"],
    ),
    # Flow
    "code after do return end": (
        "reflect_status",
        HEAD + "  do return 1 end\n  print(obj)\nend\n",
        ["3:3 unreachable-code"],
    ),
    "code after error": (
        "reflect_status",
        HEAD + '  error("no")\n  return obj\nend\n',
        ["3:3 unreachable-code"],
    ),
    "code after branches that all return": (
        "reflect_status",
        HEAD + "  if obj.x then\n    return 1\n  else\n    return 2\n  end\n  return 3\nend\n",
        ["7:3 unreachable-code"],
    ),
    "columns count characters, not bytes": (
        "reflect_status",
        HEAD + '  return "äöü😀" .. x\nend\n',
        ["2:20 undefined-variable"],
    ),
    # Values of results
    "a negative count": (
        "get_replicas",
        "function GetReplicas(obj)\n  return -1, obj.x\nend\n",
        ["2:10 wrong-result"],
    ),
    "a count without measure": (
        "get_replicas",
        "function GetReplicas(obj)\n  if obj.x then return 1 end\n  return 1e999\nend\n",
        ["3:10 wrong-result"],
    ),
    "a count with a fraction": (
        "get_replicas",
        "function GetReplicas(obj)\n  if obj.x then return 2 end\n  return (1.5)\nend\n",
        ["3:10 wrong-result"],
    ),
    "a count that is too large": (
        "get_replicas",
        "function GetReplicas(obj)\n  if obj.x then return 0x7fff end\n  return 2147483648\nend\n",
        ["3:10 wrong-result"],
    ),
    "a health that does not exist": (
        "interpret_health",
        (
            "function InterpretHealth(obj)\n"
            "  if obj.x then return { status = 'Healthy', message = obj.x } end\n"
            "  return { status = 'Bad' }\nend\n"
        ),
        ["3:10 wrong-result"],
    ),
    "a health without a status": (
        "interpret_health",
        "function InterpretHealth(obj)\n  return { healthy = obj.x == 1 }\nend\n",
        ["2:10 wrong-result"],
    ),
    "a health under a computed-looking literal key": (
        "interpret_health",
        "function InterpretHealth(obj)\n  return { ['status'] = 'Bad', reason = obj.x }\nend\n",
        ["2:10 wrong-result"],
    ),
    "an exponent in the text of a number": (
        "get_replicas",
        "function GetReplicas(obj)\n  return obj.x or tonumber(' 1E3') or tonumber('1.5e3')\nend\n",
        ["2:28 not-portable"],
    ),
    "a repeat that may be left": (
        "interpret_health",
        (
            "function InterpretHealth(o)\n"
            "  repeat if o.a then return true else break end until true\nend\n"
        ),
        ["3:1 missing-return"],
    ),
    "code behind a repeat that always returns": (
        "interpret_health",
        "function InterpretHealth(o)\n  repeat return true until o.a\n  return false\nend\n",
        ["3:3 unreachable-code"],
    ),
}


@pytest.mark.parametrize(("operation", "script", "expected"), FOUND.values(), ids=FOUND)
def test_it_is_found_where_it_is(
    operation: str, script: str, expected: list[str], tmp_path: Path
) -> None:
    found = lint(tmp_path, script, operation)
    if not any("wrong-result" in place for place in expected):
        found = beside_results(found)
    assert places(found) == expected


ACCEPTED: dict[str, tuple[str, str]] = {
    "a vararg entry": ("revise_replica", "function ReviseReplica(...)\n  return (...)\nend\n"),
    "an extra parameter with an underscore": (
        "get_replicas",
        "function GetReplicas(obj, _extra)\n  return obj.spec.n\nend\n",
    ),
    "an entry by a local name": (
        "get_replicas",
        "local function count(obj) return obj.spec.n end\nGetReplicas = count\n",
    ),
    "an unused argument of the operation": (
        "retain",
        "function Retain(desired, observed)\n  return desired\nend\n",
    ),
    "two operations in one script": (
        "get_replicas",
        (
            "function GetReplicas(obj) return obj.n end\n"
            "function InterpretHealth(obj) return true end\n"
        ),
    ),
    "an object put together": (
        "aggregate_status",
        (
            "function AggregateStatus(obj, items)\n"
            '  local key = "kind"\n  if items then return { [key] = obj.kind } end\n'
            "  return { kind = obj.kind, metadata = obj.metadata }\nend\n"
        ),
    ),
    "an endless loop needs no return": (
        "interpret_health",
        (
            "function InterpretHealth(obj)\n  while true do\n"
            "    if obj.x then return true end\n    obj = obj.next\n  end\nend\n"
        ),
    ),
    "an error at the end is a way to leave": (
        "interpret_health",
        'function InterpretHealth(obj)\n  if obj.x then return true end\n  error("no")\nend\n',
    ),
    "an error function of one's own may come back": (
        "reflect_status",
        "local function error(text) print(text) end\n"
        + HEAD
        + '  error("odd")\n  return obj.status\nend\n',
    ),
    "a loop variable that is not used": (
        "reflect_status",
        HEAD + "  local n = 0\n  for k, v in pairs(obj) do n = n + 1 end\n  return n\nend\n",
    ),
    "one of several results": (
        "reflect_status",
        HEAD + '  local ok, result = pcall(error, "x")\n  return result\nend\n',
    ),
    "repeat sees the locals of its body": (
        "reflect_status",
        HEAD + "  repeat\n    local done = obj.x\n  until done\nend\n",
    ),
    "recursion of a local function": (
        "reflect_status",
        "local function f(n) return n == 0 and 0 or f(n - 1) end\n"
        + HEAD
        + "  return f(obj.n)\nend\n",
    ),
    "a method of the script's own": (
        "reflect_status",
        "local Box = {}\nfunction Box:size() return self.n end\n"
        + HEAD
        + "  Box.n = obj.n\n  return Box:size()\nend\n",
    ),
    "a method added to strings": (
        "reflect_status",
        "function string.shout(s) return s:upper() end\n"
        + HEAD
        + "  return obj.kind:shout()\nend\n",
    ),
    "kube as a global": (
        "reflect_status",
        'local unused_kube = require "kube"\n'
        + HEAD
        + '  return unused_kube.resourceAdd("1", obj.cpu)\nend\n',
    ),
    "any number of arguments by a call": (
        "reflect_status",
        KUBE + "  return kube.getPodDependencies(unpack(obj.args))\nend\n",
    ),
    "the length of a list": ("reflect_status", HEAD + "  return #obj.spec.list\nend\n"),
    "the length of a text": ("reflect_status", HEAD + "  return #obj.kind\nend\n"),
    "the length of a table that may be a list": (
        "reflect_status",
        HEAD + "  local t = {}\n  for k in pairs(obj) do t[k] = 1 end\n  return #t\nend\n",
    ),
    "a map that goes through a function": (
        "reflect_status",
        "local function fill(t) t[1] = 1 end\n"
        + HEAD
        + "  local t = { a = obj }\n  fill(t)\n  return #t\nend\n",
    ),
    "a comparison of unknown types": (
        "reflect_status",
        HEAD + '  return obj.spec.replicas == "3" or obj.a < obj.b\nend\n',
    ),
    "a comparison with nil": (
        "reflect_status",
        HEAD + "  local n = #obj.list\n  return n == nil or obj == nil\nend\n",
    ),
    "a variable that changes its type": (
        "reflect_status",
        HEAD + '  local x = 1\n  if obj.y then x = "a" end\n  return x == "a"\nend\n',
    ),
    "an empty table that is filled later": (
        "revise_replica",
        (
            "function ReviseReplica(obj, n)\n  obj.spec.extra = {}\n  obj.spec.extra.n = n\n"
            "  return obj\nend\n"
        ),
    ),
    "an empty table that a loop fills": (
        "revise_replica",
        (
            "function ReviseReplica(obj, n)\n  obj.spec.parts = {}\n  for i = 1, n do\n"
            "    table.insert(obj.spec.parts, { i = i })\n  end\n  return obj\nend\n"
        ),
    ),
    "an empty table that a helper may fill": (
        "revise_replica",
        (
            "local function fill(spec, n) spec.extra.n = n end\n"
            "function ReviseReplica(obj, n)\n  obj.spec.extra = {}\n  fill(obj.spec, n)\n"
            "  return obj\nend\n"
        ),
    ),
    "an empty table whose type is known": (
        "revise_replica",
        (
            "function ReviseReplica(obj, n)\n  obj.metadata.labels = {}\n  obj.status = {}\n"
            "  obj.spec.n = n\n  return obj\nend\n"
        ),
    ),
    "an empty status that members report": (
        "aggregate_status",
        (
            "function AggregateStatus(obj, items)\n  obj.status.parts = {}\n"
            "  obj.n = #(items or {})\n  return obj\nend\n"
        ),
    ),
    "an empty result": (
        "get_dependencies",
        "function GetDependencies(obj)\n  return {}\nend\n",
    ),
    "a label ends dead code": (
        "reflect_status",
        HEAD + "  for _, x in ipairs(obj.list) do\n    if x then goto continue end\n"
        "    print(x)\n    ::continue::\n  end\nend\n",
    ),
    "a top field of its own": (
        "reflect_status",
        HEAD + "  return obj.data or obj.specification or obj.state\nend\n",
    ),
    "a comment that allows": (
        "reflect_status",
        HEAD + "  count = 1 -- interpret: allow global-assignment\n"
        "  -- interpret: allow undefined-variable, not-portable\n"
        '  return nope, string.rep("a", count)\nend\n',
    ),
    "a repeat whose body always returns": (
        "interpret_health",
        (
            "function InterpretHealth(o)\n"
            "  repeat if o.a then return true else return false end until true\nend\n"
        ),
    ),
    "a repeat without end": (
        "interpret_health",
        (
            "function InterpretHealth(o)\n"
            "  local n = 0\n  repeat n = n + 1 if o[n] then return true end until false\nend\n"
        ),
    ),
    "counts": (
        "get_replicas",
        (
            "function GetReplicas(o)\n  if o.a then return 2.0 elseif o.b then return -0 end\n"
            "  if o.c then return 1e3 elseif o.d then return -o.d end\n  return 0x10\nend\n"
        ),
    ),
    "healths": (
        "interpret_health",
        (
            "function InterpretHealth(o)\n"
            "  if o.a then return { status = o.a } elseif o.b then return { [o.b] = 'Bad' } end\n"
            "  return { ['status'] = 'Suspended', message = 'Bad' }\nend\n"
        ),
    ),
    "texts of numbers": (
        "get_replicas",
        (
            "function GetReplicas(o)\n"
            "  return tonumber('10') or tonumber('0x1e3') or tonumber('1e3', 16) or o.n\nend\n"
        ),
    ),
}


@pytest.mark.parametrize(("operation", "script"), ACCEPTED.values(), ids=ACCEPTED)
def test_it_passes(operation: str, script: str, tmp_path: Path) -> None:
    found = lint(tmp_path, script, operation)
    if operation == "reflect_status":
        found = beside_results(found)
    assert [finding.message for finding in found] == []


def test_messages_say_what_to_do(tmp_path: Path) -> None:
    script = (
        "function getReplicas(obj)\n"
        "  local replicas = obj.spec.replicas\n"
        "  if type(replicas) == 'int' then return replicsa end\n"
        "  return table.unpack({ string.trim(obj.kind) })\n"
        "end\n"
    )
    assert [finding.message for finding in lint(tmp_path, script, "get_replicas")] == [
        "getReplicas must be called GetReplicas; the script must define: function GetReplicas(obj)",
        "type() never gives 'int': Lua says number",
        "replicsa is not defined (did you mean replicas?)",
        "table.unpack does not exist; Lua 5.1 calls it unpack",
        'string.trim does not exist; write string.match(s, "^%s*(.-)%s*$")',
    ]


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ("{ status = 'Bad' }", "returns the status 'Bad', which does not exist (one of Healthy, "),
        ("{ status = 'healthy' }", "returns the status 'healthy', which does not exist (did you"),
        ("{ healthy = true }", "returns true, false or a table with a status (one of Healthy, "),
    ],
)
def test_messages_about_health_say_what_there_is(tmp_path: Path, result: str, message: str) -> None:
    script = (
        f"function InterpretHealth(obj)\n  if obj.x then return true end\n  return {result}\nend\n"
    )
    found = lint(tmp_path, script, "interpret_health")
    assert [one.message.startswith(f"InterpretHealth {message}") for one in found] == [True]


def test_a_script_for_a_kind_of_kubernetes_knows_its_empty_tables(tmp_path: Path) -> None:
    folder = tmp_path / "apps" / "v1" / "Deployment"
    folder.mkdir(parents=True)
    (folder / "revise_replica.lua").write_text(
        "function ReviseReplica(obj, n)\n  obj.spec.n = n\n  obj.spec.strategy = {}\n"
        "  return obj\nend\n"
    )
    assert check([str(tmp_path)]).findings == ()


@pytest.mark.parametrize(
    "expression", ["1" + " + 1" * 3000, "obj" + ".x" * 3000, "f" + "()" * 3000], ids=str.__len__
)
def test_a_script_of_any_depth_ends_in_a_note_not_in_a_crash(
    expression: str, tmp_path: Path
) -> None:
    found = lint(tmp_path, f"local f\nfunction ReflectStatus(obj)\n  return {expression}\nend\n")
    assert places(found) in (["1:1 not-checked"], ["1:1 syntax-error"], ["3:1 syntax-error"])


def test_a_script_that_is_too_large_is_an_error_unread(tmp_path: Path) -> None:
    found = lint(tmp_path, "-- " + "x" * 70_000 + "\nfunction ReflectStatus(obj) return obj end\n")
    assert places(found) == ["1:1 syntax-error"]
    assert "65536 bytes" in found[0].message


def test_every_rule_of_the_catalogue_about_scripts_has_a_case() -> None:
    covered = {line.split()[1] for _, _, lines in FOUND.values() for line in lines}
    elsewhere = {
        "invalid-yaml",
        "invalid-customization",
        "invalid-kind-file",
        "unknown-script",
        "unreachable-rule",
        "not-checked",
    }
    assert covered | elsewhere == set(RULES)


CHAINS = {
    "each local used twice": "local a{i} = a{j} or a{j}",
    "each local in parentheses": "local a{i} = (a{j})",
    "each local a field": "local a{i} = a{j}.x",
}


@pytest.mark.parametrize("link", CHAINS.values(), ids=CHAINS)
def test_a_long_chain_of_locals_is_looked_at_in_no_time(link: str, tmp_path: Path) -> None:
    chain = "\n".join(link.format(i=i, j=i - 1) for i in range(1, 180))
    started = time.perf_counter()
    lint(tmp_path, f"{HEAD}local a0 = obj\n{chain}\nreturn #a179 == 1\nend\n")
    assert time.perf_counter() - started < 5


def test_many_empty_tables_are_reported_up_to_a_limit(tmp_path: Path) -> None:
    lines = "\n".join(f"  obj.a.b{i} = {{}}" for i in range(150))
    found = lint(tmp_path, f"function Retain(obj, o)\n{lines}\n  return obj\nend\n", "retain")
    assert len(found) == 100


TOKENS = [
    *(
        "local",
        "function",
        "end",
        "if",
        "then",
        "else",
        "for",
        "in",
        "do",
        "return",
        "goto",
        "::a::",
    ),
    *(
        "a",
        "obj",
        "ReflectStatus",
        "kube",
        "string",
        "format",
        '"%v"',
        "1",
        "nil",
        "{",
        "}",
        "(",
        ")",
    ),
    *("[", "]", "=", "==", "~=", "#", "..", ".", ":", ",", ";", "...", "--x\n", "\n", "not", "and"),
]
ENGINE = LuaEngine()


@given(st.lists(st.sampled_from(TOKENS), max_size=25).map(" ".join))
@example('function ReflectStatus ( obj ) local a = { } a . obj = { } return # a .. "%v" end')
def test_no_text_makes_the_lint_fail(text: str) -> None:
    for spec in (None, OPERATIONS[Operation.REFLECT_STATUS]):
        source = ScriptSource(
            text, "x.lua", spec, "w", "x.lua", "example.com/v1", "Widget", Place()
        )
        for finding in check_script(source, ENGINE):
            assert finding.line <= text.count("\n") + 1
            assert finding.column >= 1
            assert finding.message
