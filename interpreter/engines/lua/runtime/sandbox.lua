-- One call: decode, build a fresh environment, run the script and its function, encode; all inside one protected
-- call, under the deadline and the memory limit.

local guard, codec, libraries, kube = ...

local raw_xpcall, error, type, select, tostring, tonumber, next = xpcall, error, type, select, tostring, tonumber, next
local setmetatable, setfenv, loadstring = setmetatable, setfenv, loadstring
local byte, sub, match = string.byte, string.sub, string.match
local concat, unpack = table.concat, unpack
local jit_off = jit.off
local string_metatable = getmetatable("")

local CHUNK = guard.CHUNK
local FATAL, PROBLEM, REFUSED = guard.FATAL, codec.PROBLEM, codec.REFUSED

-- Codes of a failed reply; `vm.py` holds the same table.
local SCRIPT, TIMEOUT, MEMORY, MISSING, RESULT, PAYLOAD, HOST = 1, 2, 3, 4, 5, 6, 7
local CODES = { timeout = TIMEOUT, memory = MEMORY, host = HOST }

----------------------------------------------------------------------------------------------------------------
-- The environment.

local base = {
  assert = assert, error = error, ipairs = ipairs, next = libraries.next, pairs = libraries.pairs,
  pcall = guard.pcall, select = select, tonumber = libraries.tonumber, tostring = tostring, type = type,
  unpack = unpack, xpcall = guard.xpcall,
}
local refused = {}
for _, name in next, {
  "collectgarbage", "dofile", "getfenv", "getmetatable", "load", "loadfile", "loadstring", "module", "newproxy",
  "rawequal", "rawget", "rawset", "setfenv", "setmetatable",
} do refused[name] = libraries.unavailable(name) end

local string_meta, table_meta, math_meta, os_meta = libraries.string_meta, libraries.table_meta, libraries.math_meta,
  libraries.os_meta
local kube_meta = libraries.library_meta(kube.functions)

local loaded  -- modules of the running call, by name

local function require(name)
  if type(name) == "number" then name = tostring(name) end
  if type(name) ~= "string" then
    error("bad argument #1 to 'require' (string expected, got " .. type(name) .. ")", 2)
  end
  local module = loaded[name]
  if module == nil and name == "kube" then
    module = setmetatable({}, kube_meta)
    loaded.kube = module
  end
  if module == nil then error("module " .. name .. " not found: scripts have kube and the standard libraries", 2) end
  return module
end

local MAX_PRINT = 4096

local function print(...)
  local parts, count = {}, select("#", ...)
  for index = 1, count do parts[index] = tostring((select(index, ...))) end
  kube.print(sub(concat(parts, "\t"), 1, MAX_PRINT))
end

-- All names lie in the environment itself. Were they inherited, `error = status.error` with a missing field would
-- bring the library function back instead of nil.
local function new_environment()
  local strings = setmetatable({}, string_meta)
  -- `("x"):trim()` finds what this call put into `string`, and nothing of another call.
  string_metatable.__index = strings
  local tables, maths, oses = setmetatable({}, table_meta), setmetatable({}, math_meta), setmetatable({}, os_meta)
  local env = {
    assert = base.assert, error = base.error, ipairs = base.ipairs, next = base.next, pairs = base.pairs,
    pcall = base.pcall, select = base.select, tonumber = base.tonumber, tostring = base.tostring,
    type = base.type, unpack = base.unpack, xpcall = base.xpcall, print = print, require = require,
    collectgarbage = refused.collectgarbage, dofile = refused.dofile, getfenv = refused.getfenv,
    getmetatable = refused.getmetatable, load = refused.load, loadfile = refused.loadfile,
    loadstring = refused.loadstring, module = refused.module, newproxy = refused.newproxy,
    rawequal = refused.rawequal, rawget = refused.rawget, rawset = refused.rawset, setfenv = refused.setfenv,
    setmetatable = refused.setmetatable,
    string = strings, table = tables, math = maths, os = oses, _VERSION = "Lua 5.1",
    _G = false,
  }
  env._G = env
  loaded = { string = strings, table = tables, math = maths, os = oses, _G = env }
  return env
end

----------------------------------------------------------------------------------------------------------------
-- Running.

local chunks = {}   -- id -> {compiled script, function name}
local returned      -- results of the function, kept while they are encoded

local function finish(...)
  guard.disarm()
  local count = select("#", ...)
  if count > 2 then count = 2 end
  local first, second = ...
  returned = { first, second }
  return codec.encode_results(count, first, second)
end

local MISSED = {}

local function body(id, payload, tracing)
  local size = codec.list_header_size(payload)
  local first, second, third, at
  local rest
  if size > 0 then first, at = codec.decode_at(payload, 2) end
  if size > 1 then second, at = codec.decode_at(payload, at) end
  if size > 2 then
    rest = { first, second }
    for index = 3, size do rest[index], at = codec.decode_at(payload, at) end
  end
  local entry = chunks[id]
  local chunk, name = entry[1], entry[2]
  local env = new_environment()
  setfenv(chunk, env)
  guard.arm(tracing)
  chunk()
  local entry_function = env[name]
  if type(entry_function) ~= "function" then
    MISSED[1] = type(entry_function)
    error(MISSED, 0)
  end
  if size == 1 then return finish(entry_function(first)) end
  if size == 2 then return finish(entry_function(first, second)) end
  if rest then return finish(entry_function(unpack(rest, 1, size))) end
  return finish(entry_function())
end

-- At the place of the error, before unwinding. Returns what the reply tells.
local function describe(problem)
  guard.disarm()
  if problem == FATAL or guard.fatal then
    return { CODES[guard.fatal] or SCRIPT, "", guard.fatal_line }
  end
  if problem == "not enough memory" then return { MEMORY, "" } end
  if problem == PROBLEM then
    if returned then
      local text, path = codec.find_problem(returned[1], returned[2])
      return { RESULT, text, nil, path }
    end
    -- An argument of a host function.
    return { SCRIPT, "an argument cannot be converted: it contains itself, or a value that JSON cannot hold",
      guard.script_line() }
  end
  if problem == REFUSED then return { PAYLOAD, "" } end
  if problem == MISSED then return { MISSING, MISSED[1] } end
  local kind = type(problem)
  if kind == "userdata" then return { HOST, "" } end
  if kind == "string" or kind == "number" then
    local text = sub(guard.clean(tostring(problem)), 1, 2000)
    local line, rest = match(text, "^<string>:(%d+): (.*)$")
    if line then return { SCRIPT, rest, tonumber(line) } end
    return { SCRIPT, text, guard.script_line() }
  end
  return { SCRIPT, "error value is " .. (kind == "table" and "a table" or tostring(problem)), guard.script_line() }
end

-- Runs entry `id` on arguments in msgpack; returns a reply (see `codec.lua`).
local function run(id, payload, until_when, tracing)
  guard.reset(until_when, tracing)
  returned = nil
  codec.reset()
  libraries.reset()
  local ok, reply = raw_xpcall(body, describe, id, payload, tracing)
  guard.disarm()
  returned, loaded = nil, nil
  if ok then return reply end
  if guard.fatal then return codec.encode_failure(CODES[guard.fatal], "", guard.fatal_line) end
  -- Out of memory, and a handler that failed for the same reason, arrive as texts.
  if type(reply) ~= "table" then return codec.encode_failure(MEMORY, "", nil) end
  return codec.encode_failure(reply[1], reply[2], reply[3] or guard.last_line, reply[4])
end

-- Lines of the traced run: the last one, then all, as msgpack list.
local function traced() return codec.encode_integers(guard.take_lines()) end

-- Compiles a script under an id. Returns nothing, or the text of the syntax error.
local function compile(id, source, name)
  -- Byte code could reach anywhere in memory.
  if byte(source, 1) == 27 then return "1: is byte code, not Lua source" end
  local ok, chunk, problem = raw_xpcall(loadstring, tostring, source, CHUNK)
  if not ok then return "1: " .. tostring(chunk) end
  if not chunk then return sub(problem, 1, 500) end
  jit_off(chunk, true)
  if id then chunks[id] = { chunk, name } end
  return nil
end

local function forget(id) chunks[id] = nil end

return run, compile, forget, traced
