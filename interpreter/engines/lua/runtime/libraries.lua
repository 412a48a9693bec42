-- The library functions a script sees, where the built-in ones are unsafe, unbounded or different in each process.
--
-- Rules: no function may run long without the hook noticing (`guard.charge` reads the clock in proportion to the
-- work), none may swallow a deadline or memory error, and none may show anything but Lua values. Built-in functions
-- are left by a tail call where they complain, so that the complaint names the script's line.

local guard, matcher, patterns, seed = ...

local error, type, next, select, tostring, tonumber = error, type, next, select, tostring, tonumber
local setmetatable, getmetatable, rawset, rawget = setmetatable, getmetatable, rawset, rawget
local sort, insert, remove, concat = table.sort, table.insert, table.remove, table.concat
local rep, upper, lower, reverse = string.rep, string.upper, string.lower, string.reverse
local date, time = os.date, os.time
local random, randomseed = math.random, math.randomseed
local count_memory = collectgarbage

local charge = guard.charge

-- Beyond this heap (KiB) single operations may be slow: no native sorting.
local LARGE_HEAP = 4096

----------------------------------------------------------------------------------------------------------------
-- Library tables of a call: empty, with the functions behind them; changed or listed, they become real copies.

-- Makes such a table (or an environment) a plain one with everything in it.
local function materialize(t) getmetatable(t).fill(t) end

local function library_meta(functions)
  local meta = { __index = functions }
  function meta.fill(library)
    setmetatable(library, nil)
    for name, value in next, functions do
      if rawget(library, name) == nil then rawset(library, name, value) end
    end
  end
  function meta.__newindex(library, name, value)
    meta.fill(library)
    rawset(library, name, value)
  end
  return meta
end

----------------------------------------------------------------------------------------------------------------
-- Sorting: a merge sort, so that an inconsistent comparator ends, equal items keep their order, and the hook sees it.

local function merge_sort(t, n, before)
  local source, target = t, {}
  local width = 1
  while width < n do
    local at = 1
    for from = 1, n, 2 * width do
      local i, i_end = from, from + width
      if i_end > n + 1 then i_end = n + 1 end
      local j, j_end = i_end, from + 2 * width
      if j_end > n + 1 then j_end = n + 1 end
      while i < i_end and j < j_end do
        local left, right = source[i], source[j]
        local swap
        if before then swap = before(right, left) else swap = right < left end
        if swap then
          target[at] = right
          j = j + 1
        else
          target[at] = left
          i = i + 1
        end
        at = at + 1
      end
      while i < i_end do
        target[at] = source[i]
        i, at = i + 1, at + 1
      end
      while j < j_end do
        target[at] = source[j]
        j, at = j + 1, at + 1
      end
    end
    source, target = target, source
    width = 2 * width
  end
  if source ~= t then
    for index = 1, n do t[index] = source[index] end
  end
end

local function safe_sort(t, before)
  if type(t) ~= "table" or (before ~= nil and type(before) ~= "function") then return sort(t, before) end
  local n = #t
  if before == nil and n <= 100 and count_memory("count") < LARGE_HEAP then return sort(t) end
  if before == nil then
    merge_sort(t, n, nil)
    return
  end
  -- On a copy: an error or a comparator that changes the table leaves no half-merged list.
  local copy = {}
  for index = 1, n do copy[index] = t[index] end
  merge_sort(copy, n, before)
  for index = 1, n do t[index] = copy[index] end
end

----------------------------------------------------------------------------------------------------------------
-- Iteration in one fixed order: numbers ascending, then strings bytewise, then booleans, then the rest as they come.

local RANK = { number = 1, string = 2, boolean = 3 }

local function key_before(a, b)
  local x, y = type(a), type(b)
  if x == y then
    if x == "number" or x == "string" then return a < b end
    if x == "boolean" then return b and not a end
    return false
  end
  return (RANK[x] or 4) < (RANK[y] or 4)
end

local function ordered_keys(t)
  local keys, n = {}, 0
  local listed, texts = true, true
  for key in next, t do
    n = n + 1
    keys[n] = key
    if key ~= n then
      listed = false
      if type(key) ~= "string" then texts = false end
    end
    if listed then texts = false end
  end
  if n > 1 and not listed then
    if texts and n <= 2000 then sort(keys) else merge_sort(keys, n, key_before) end
  end
  return keys, n
end

local function safe_pairs(t)
  if type(t) ~= "table" then
    error("bad argument #1 to 'pairs' (table expected, got " .. (t == nil and "nil" or type(t)) .. ")", 2)
  end
  if getmetatable(t) then materialize(t) end
  local keys, n = ordered_keys(t)
  local index = 0
  return function()
    while index < n do
      index = index + 1
      local key = keys[index]
      local value = t[key]
      if value ~= nil then return key, value end
    end
    return nil
  end, t, nil
end

local WEAK = { __mode = "k" }
local walks  -- table -> {keys, position of each key, last position}; only for explicit next(t, key)

local function new_walk(t)
  local keys, n = ordered_keys(t)
  local places = {}
  for index = 1, n do places[keys[index]] = index end
  local walk = { keys, places, n }
  walks = walks or setmetatable({}, WEAK)
  walks[t] = walk
  return walk
end

local function safe_next(t, key)
  if type(t) ~= "table" then
    error("bad argument #1 to 'next' (table expected, got " .. (t == nil and "nil" or type(t)) .. ")", 2)
  end
  if getmetatable(t) then materialize(t) end
  local walk
  local index = 1
  if key == nil then
    local first = next(t)
    if first == nil then return nil end
    if next(t, first) == nil then return first, t[first] end
    walk = new_walk(t)
  else
    walk = walks and walks[t] or new_walk(t)
    local place = walk[2][key]
    if not place then
      walk = new_walk(t)
      place = walk[2][key]
      if not place then error("invalid key to 'next'", 2) end
    end
    index = place + 1
  end
  local keys = walk[1]
  for position = index, walk[3] do
    local candidate = keys[position]
    local value = t[candidate]
    if value ~= nil then return candidate, value end
  end
  return nil
end

----------------------------------------------------------------------------------------------------------------
-- table

local function safe_insert(t, ...)
  if type(t) == "table" and select("#", ...) == 2 then
    local position = ...
    local n = #t
    if type(position) == "number" then
      if position < 1 or position > n + 1 then
        error("bad argument #2 to 'insert' (position out of bounds)", 2)
      end
      if n > 1000 then charge(n - position) end
    end
  end
  return insert(t, ...)
end

local function safe_remove(t, position)
  if type(t) ~= "table" then return remove(t, position) end
  if position == nil then return remove(t) end
  if type(position) ~= "number" then return remove(t, position) end
  local n = #t
  if position < 1 or position > n then return nil end
  if n > 1000 then charge(n - position) end
  return remove(t, position)
end

local function safe_concat(t, separator, first, last)
  if type(t) ~= "table" then return concat(t, separator, first, last) end
  charge(#t)
  return concat(t, separator, first, last)
end

local function length(t)
  if type(t) ~= "table" then error("bad argument #1 to 'getn' (table expected, got " .. type(t) .. ")", 2) end
  return #t
end

----------------------------------------------------------------------------------------------------------------
-- string

local function safe_rep(text, count)
  if (type(text) == "string" or type(text) == "number") and type(count) == "number" and count > 0 then
    local size = #tostring(text) * count
    if size == 0 then return "" end
    if size ~= size or size > guard.heap_bytes / 2 then guard.raise("memory") end
    charge(size / 16)
  end
  return rep(text, count)
end

local function charged(native)
  return function(text)
    if type(text) == "string" and #text > 10000 then charge(#text / 4) end
    return native(text)
  end
end

----------------------------------------------------------------------------------------------------------------
-- base, os, math

-- Longer texts are no number anybody wrote; the parser is C code that no hook interrupts.
local MAX_NUMBER_TEXT = 4096

local function safe_tonumber(...)
  local text = ...
  if type(text) == "string" and #text > MAX_NUMBER_TEXT then return nil end
  return tonumber(...)
end

local function safe_date(format, when)
  if type(format) == "string" and #format > 1000 then
    error("bad argument #1 to 'date' (format too long)", 2)
  end
  if when ~= nil and type(when) == "number" and not (when > -1e15 and when < 1e15) then
    error("bad argument #2 to 'date' (time out of range)", 2)
  end
  if format == nil then return date("%c", when) end
  return date(format, when)
end

local function safe_time(fields)
  if type(fields) == "table" and getmetatable(fields) then materialize(fields) end
  return time(fields)
end

local function safe_random(...)
  if select("#", ...) == 1 and type((...)) == "number" and (...) < 1 then
    error("bad argument #1 to 'random' (interval is empty)", 2)
  end
  if not guard.seeded then
    randomseed(seed())
    guard.seeded = true
  end
  return random(...)
end

local function safe_randomseed(x)
  guard.seeded = true
  return randomseed(x)
end

local function unavailable(name)
  return function() error("function " .. name .. " is not available to scripts", 2) end
end

----------------------------------------------------------------------------------------------------------------
-- Assembly.

local string_functions = {
  byte = string.byte, char = string.char, find = patterns.find, format = string.format, gfind = patterns.gmatch,
  gmatch = patterns.gmatch, gsub = patterns.gsub, len = string.len, lower = charged(lower), match = patterns.match,
  rep = safe_rep, reverse = charged(reverse), sub = string.sub, upper = charged(upper),
  dump = unavailable("string.dump"),
}

local table_functions = {
  concat = safe_concat, getn = length, insert = safe_insert, maxn = table.maxn, remove = safe_remove,
  sort = safe_sort,
}

local math_functions = {}
for _, name in next, {
  "abs", "acos", "asin", "atan", "atan2", "ceil", "cos", "cosh", "deg", "exp", "floor", "fmod", "frexp", "huge",
  "ldexp", "log", "log10", "max", "min", "modf", "pi", "pow", "rad", "sin", "sinh", "sqrt", "tan", "tanh",
} do math_functions[name] = math[name] end
math_functions.mod = math.fmod
math_functions.random = safe_random
math_functions.randomseed = safe_randomseed

local os_functions = { date = safe_date, time = safe_time }

return {
  pairs = safe_pairs, next = safe_next, tonumber = safe_tonumber,
  unavailable = unavailable,
  library_meta = library_meta,
  string_meta = library_meta(string_functions),
  table_meta = library_meta(table_functions),
  math_meta = library_meta(math_functions),
  os_meta = library_meta(os_functions),
  reset = function()
    walks = nil
    matcher.release()
  end,
}
