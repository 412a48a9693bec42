-- The `kube` library: Lua closures around host functions.
--
-- A script never holds a host function: it would be a way into Python. Arguments and results travel as msgpack. A
-- host function never raises, and its result is bounded by what the heap still holds, because an allocation that
-- fails while the host has control cannot be unwound.

local guard, decoder, encoder, call_host = ...

local error, type, select, tostring = error, type, select, tostring
local byte, sub = string.byte, string.sub
local count_memory = collectgarbage

-- Room (bytes) that must be left for a host call to be made at all.
local HEADROOM = 256 * 1024
local OK, FAILED, TOO_LARGE = 0, 1, 2

local function exchange(name, count, ...)
  local packed = encoder.arguments(count, ...)
  local room = guard.heap_bytes - count_memory("count") * 1024
  if room < HEADROOM then guard.raise("memory") end
  local reply = call_host(name, packed, (room - HEADROOM / 2) / 2)
  if type(reply) ~= "string" then guard.raise("host") end
  local status = byte(reply, 1)
  if status == OK then return true, (decoder.decode_at(reply, 2)) end
  if status == FAILED then return false, sub(reply, 2) end
  guard.raise(status == TOO_LARGE and "memory" or "host")
end

local function host(...)
  local ok, done, result = guard.pcall(exchange, ...)
  if ok then return done, result end
  -- What encoder and decoder raise is their own affair: a script must not get hold of it.
  return false, "an argument cannot be converted: it contains itself, or what JSON cannot hold"
end

local function expected(position, name, wanted, value)
  local kind = value == nil and "nil" or type(value)
  return "bad argument #" .. position .. " to '" .. name .. "' (" .. wanted .. " expected, got " .. kind .. ")"
end

local function is_text(value) return type(value) == "string" or type(value) == "number" end

local function resourceAdd(...)
  local count = select("#", ...)
  for index = 1, count do
    local value = select(index, ...)
    if value ~= nil and not is_text(value) then
      error(expected(index, "resourceAdd", "string", value), 2)
    end
  end
  local ok, result = host("resourceAdd", count, ...)
  if not ok then error(result, 2) end
  return result
end

local function getResourceQuantity(...)
  if select("#", ...) ~= 1 then error("getResourceQuantity only accepts one argument", 2) end
  local value = ...
  if value == nil then return 0 end
  if not is_text(value) then error(expected(1, "getResourceQuantity", "string", value), 2) end
  local ok, result = host("getResourceQuantity", 1, value)
  if not ok then error(result, 2) end
  return result
end

local function accuratePodRequirements(...)
  if select("#", ...) ~= 1 then error("accuratePodRequirements only accepts one argument", 2) end
  local template = ...
  if type(template) ~= "table" then error(expected(1, "accuratePodRequirements", "table", template), 2) end
  local ok, result = host("accuratePodRequirements", 1, template)
  if not ok then error(result, 2) end
  return result
end

local function getPodDependencies(...)
  if select("#", ...) ~= 2 then error("getPodDependencies only accepts two arguments", 2) end
  local template, namespace = ...
  if type(template) ~= "table" then error(expected(1, "getPodDependencies", "table", template), 2) end
  if namespace == nil then
    namespace = "default"
  elseif not is_text(namespace) then
    error(expected(2, "getPodDependencies", "string", namespace), 2)
  end
  local ok, result = host("getPodDependencies", 2, template, tostring(namespace))
  if not ok then error(result, 2) end
  return result
end

-- What a script prints need not be UTF-8, so it travels as it is.
local function print_text(text)
  if guard.heap_bytes - count_memory("count") * 1024 < HEADROOM then guard.raise("memory") end
  local reply = call_host("print", text, HEADROOM / 2)
  if type(reply) ~= "string" or byte(reply, 1) ~= OK then guard.raise("host") end
end

return {
  functions = {
    accuratePodRequirements = accuratePodRequirements,
    getPodDependencies = getPodDependencies,
    getResourceQuantity = getResourceQuantity,
    resourceAdd = resourceAdd,
  },
  print = print_text,
}
