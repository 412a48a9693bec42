-- One call: decode, build a fresh environment, run the script and its function, encode; all inside one protected
-- call, under the deadline and the memory limit.

local guard, decoder, encoder, find_problem, libraries, kube = ...

local raw_xpcall, error, type, select, tostring, tonumber, next = xpcall, error, type, select, tostring, tonumber, next
local setmetatable, setfenv, loadstring, rawget, rawset = setmetatable, setfenv, loadstring, rawget, rawset
local byte, sub, match = string.byte, string.sub, string.match
local concat, unpack = table.concat, unpack
local count_memory = collectgarbage
local jit_off = jit.off
local string_metatable = getmetatable("")

local CHUNK = guard.CHUNK
local FATAL, PROBLEM, REFUSED = guard.FATAL, encoder.PROBLEM, decoder.REFUSED

-- Codes of a failed reply; `vm.py` holds the same table.
local SCRIPT, TIMEOUT, MEMORY, MISSING, RESULT, PAYLOAD, HOST = 1, 2, 3, 4, 5, 6, 7
local CODES = { timeout = TIMEOUT, memory = MEMORY, host = HOST }

----------------------------------------------------------------------------------------------------------------
-- The environment.

-- An environment is built for every call, so it must be cheap. Names that nearly every script uses lie in the table
-- itself; the others are inherited until a script assigns to one of them or lists the environment: then all are
-- copied. Plain inheritance would be wrong: `error = status.error` with a missing field must give nil, not the
-- library function.

local assert, ipairs, pairs, pcall = assert, ipairs, libraries.pairs, guard.pcall
local next_in_order, safe_tonumber = libraries.next, libraries.tonumber

local inherited = { xpcall = guard.xpcall, _VERSION = "Lua 5.1" }
for _, name in next, {
  "collectgarbage", "dofile", "getfenv", "getmetatable", "load", "loadfile", "loadstring", "module", "newproxy",
  "rawequal", "rawget", "rawset", "setfenv", "setmetatable",
} do inherited[name] = libraries.unavailable(name) end

local library_metas = {
  string = libraries.string_meta, table = libraries.table_meta, math = libraries.math_meta, os = libraries.os_meta,
}
local kube_meta = libraries.library_meta(kube.functions)
local string_functions = libraries.string_meta.__index

local environment  -- of the running call
local opened       -- library tables of the running call, by name

local function open(name)
  local library = opened[name]
  if library then return library end
  local meta = library_metas[name]
  if not meta then return nil end
  library = setmetatable({}, meta)
  opened[name] = library
  -- `("x"):trim()` finds what this call put into `string`, and nothing of another call.
  if name == "string" then string_metatable.__index = library end
  return library
end

setmetatable(inherited, {
  __index = function(_, name)
    local library = open(name)
    if library then rawset(environment, name, library) end
    return library
  end,
})

local environment_meta = { __index = inherited }

-- Makes an environment a plain table with all its names.
function environment_meta.fill(env)
  setmetatable(env, nil)
  for name, value in next, inherited do
    if rawget(env, name) == nil then rawset(env, name, value) end
  end
  for name in next, library_metas do
    if rawget(env, name) == nil then rawset(env, name, open(name)) end
  end
end

function environment_meta.__newindex(env, name, value)
  if rawget(inherited, name) ~= nil or library_metas[name] then environment_meta.fill(env) end
  rawset(env, name, value)
end

function inherited.require(name)
  if type(name) == "number" then name = tostring(name) end
  if type(name) ~= "string" then
    error("bad argument #1 to 'require' (string expected, got " .. type(name) .. ")", 2)
  end
  if name == "kube" then
    opened.kube = opened.kube or setmetatable({}, kube_meta)
    return opened.kube
  end
  local module = name == "_G" and environment or open(name)
  if not module then error("module " .. name .. " not found: scripts have kube and the standard libraries", 2) end
  return module
end

local MAX_PRINT = 4096

function inherited.print(...)
  local parts, count = {}, select("#", ...)
  for index = 1, count do parts[index] = tostring((select(index, ...))) end
  local text, size = concat(parts, "\t"), MAX_PRINT
  -- A cut within a character would leave bytes that are no text.
  for _ = 1, 3 do
    local following = byte(text, size + 1)
    if not following or following < 0x80 or following > 0xBF then break end
    size = size - 1
  end
  kube.print(sub(text, 1, size))
end

local function new_environment()
  local env = {
    assert = assert, error = error, ipairs = ipairs, next = next_in_order, pairs = pairs, pcall = pcall,
    select = select, tonumber = safe_tonumber, tostring = tostring, type = type, unpack = unpack, _G = false,
  }
  env._G = env
  environment, opened = setmetatable(env, environment_meta), {}
  string_metatable.__index = string_functions
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
  return encoder.results(count, first, second)
end

local MISSED = {}
local NOWHERE = {}

-- The first two arguments, and a list of all where there are more.
local function decode_arguments(payload, size)
  local first, second, at, all
  if size > 0 then first, at = decoder.decode_at(payload, 2) end
  if size > 1 then second, at = decoder.decode_at(payload, at) end
  if size > 2 then
    all = { first, second }
    for index = 3, size do all[index], at = decoder.decode_at(payload, at) end
  end
  return first, second, all
end

local function body(id, payload, tracing)
  local size = decoder.list_size(payload)
  local first, second, all = decode_arguments(payload, size)
  if decoder.spread() then first, second, all = decode_arguments(payload, size) end
  local entry = chunks[id]
  local chunk, name = entry[1], entry[2]
  local env = new_environment()
  setfenv(chunk, env)
  guard.arm(tracing)
  chunk()
  local entry_function = rawget(env, name)
  if type(entry_function) ~= "function" then
    MISSED[1] = type(entry_function)
    error(MISSED, 0)
  end
  if size == 1 then return finish(entry_function(first)) end
  if size == 2 then return finish(entry_function(first, second)) end
  if all then return finish(entry_function(unpack(all, 1, size))) end
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
    local text, path = find_problem(returned[1], returned[2])
    return { RESULT, text, nil, path }
  end
  if problem == encoder.TOO_MANY then return { RESULT, "has too many values", nil, "" } end
  if problem == REFUSED then return { PAYLOAD, "" } end
  if problem == MISSED then return { MISSING, MISSED[1] } end
  local kind = type(problem)
  if kind == "userdata" then return { HOST, "" } end
  if kind == "string" or kind == "number" then
    local text = sub(guard.clean(tostring(problem)), 1, 2000)
    -- A tail call (`return math.floor(nil)`) leaves no name behind but that of the variable in this file.
    local before, after = match(text, "^(.-)'entry_function'(.*)$")
    if before then text = before .. "'?'" .. after end
    local line, rest = match(text, "^<string>:(%d+): (.*)$")
    if line then return { SCRIPT, rest, tonumber(line) } end
    return { SCRIPT, text, guard.script_line() }
  end
  return { SCRIPT, "error value is " .. (kind == "table" and "a table" or tostring(problem)), guard.script_line() }
end

-- Runs entry `id` on arguments in msgpack; returns a reply (see `encoder.lua`).
local function run(id, payload, until_when, tracing)
  guard.reset(until_when, tracing)
  returned = nil
  local ok, reply = raw_xpcall(body, describe, id, payload, tracing)
  guard.disarm()
  -- What the call held must not wait for the next one to be collected.
  returned, environment, opened = nil, nil, nil
  string_metatable.__index = string_functions
  setfenv(chunks[id][1], NOWHERE)
  libraries.reset()
  decoder.reset()
  encoder.reset()
  if ok then return reply end
  if guard.fatal then return encoder.failure(CODES[guard.fatal], "", guard.fatal_line) end
  -- Where the handler itself found no room, a text arrives: for want of heap, or of stack at the end of a recursion.
  if type(reply) ~= "table" then
    if reply ~= "not enough memory" and count_memory("count") * 1024 < guard.heap_bytes / 2 then
      return encoder.failure(SCRIPT, "stack overflow", guard.last_line)
    end
    return encoder.failure(MEMORY, "", nil)
  end
  return encoder.failure(reply[1], reply[2], reply[3] or guard.last_line, reply[4])
end

-- Lines of the traced run: the last one, then all, as msgpack list.
local function traced() return encoder.integers(guard.take_lines()) end

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
