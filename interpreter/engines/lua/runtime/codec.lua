-- msgpack to Lua values and back, without losing what Lua cannot say.
--
-- A Lua table has one kind of empty, no null, and numbers are doubles. What that would lose is kept in side tables
-- of the running call, keyed by table identity; the tables a script sees are plain, so `#`, pairs, insert and
-- remove behave as usual. The side tables exist only when an input needs them.

local limits = ...

local byte, char, sub = string.byte, string.char, string.sub
local concat, sort = table.concat, table.sort
local floor, frexp, ldexp, huge = math.floor, math.frexp, math.ldexp, math.huge
local next, type, error, tostring = next, type, error, tostring
local new_table = require("table.new")

-- Values looked at to find the path of a problem.
local MAX_SEARCHED = 50000
local MAX_DEPTH, MAX_NODES = limits.depth, limits.nodes
local EXACT = 2 ^ 53
local TWO32, TWO63, TWO64 = 2 ^ 32, 2 ^ 63, 2 ^ 64

-- Raised by the encoder; the path is searched afterwards, so that it costs nothing while all is well.
local PROBLEM = {}
-- Raised by the encoder for a result with too many values: searching it would take as long again.
local TOO_MANY = {}
-- Raised by the decoder for a payload it does not take; the text is the second element of the reply.
local REFUSED = {}

----------------------------------------------------------------------------------------------------------------
-- What the tables of the running call cannot say themselves.

local kinds       -- empty table -> "list" | "map"
local null_keys   -- map -> list of keys that were null
local null_slots  -- list -> {count of items, total length, null positions, items}
local spellings   -- table -> key -> whole float
local exact       -- double -> msgpack bytes of the number it stands for
local has_large   -- whether an integer beyond 2^53 came in

local function reset()
  kinds, null_keys, null_slots, spellings, exact, has_large = nil, nil, nil, nil, nil, false
end

local function mark_kind(t, kind)
  if not kinds then kinds = {} end
  kinds[t] = kind
  return t
end

-- Finds a double to stand for a number beyond 2^53; two numbers that share the nearest double get neighbours.
local function stand_in(value, bytes)
  if not exact then exact = {} end
  while exact[value] and exact[value] ~= bytes do
    local _, exponent = frexp(value)
    local step = ldexp(1, exponent - 53)
    value = value < 0 and value - step or value + step
  end
  exact[value] = bytes
  return value
end

----------------------------------------------------------------------------------------------------------------
-- Decoding.

local buf
local whole = false  -- set when the value just decoded is a whole float
local decode

local function read_float(i)
  local b1, b2, b3, b4, b5, b6, b7, b8 = byte(buf, i + 1, i + 8)
  local exponent = b1 % 128 * 16 + floor(b2 / 16)
  local mantissa = (((((b2 % 16 * 256 + b3) * 256 + b4) * 256 + b5) * 256 + b6) * 256 + b7) * 256 + b8
  local value
  if exponent == 0 then
    value = ldexp(mantissa, -1074)
  elseif exponent == 2047 then
    value = mantissa == 0 and huge or huge - huge
  else
    value = ldexp(mantissa + 4503599627370496, exponent - 1075)
  end
  if b1 >= 128 then value = -value end
  if value % 1 == 0 then
    whole = true
    if value >= EXACT or value <= -EXACT then value = stand_in(value, sub(buf, i, i + 8)) end
  end
  return value, i + 9
end

local function read_text(c, i)
  local size, start
  if c == 0xd9 then
    size, start = byte(buf, i + 1), i + 2
  elseif c == 0xda then
    local a, b = byte(buf, i + 1, i + 2)
    size, start = a * 256 + b, i + 3
  else
    local a, b, d, e = byte(buf, i + 1, i + 4)
    size, start = ((a * 256 + b) * 256 + d) * 256 + e, i + 5
  end
  return sub(buf, start, start + size - 1), start + size
end

local function read_integer(c, i)
  local a, b, d, e, f, g, h, k = byte(buf, i + 1, i + 8)
  if c == 0xcc then return a, i + 2 end
  if c == 0xcd then return a * 256 + b, i + 3 end
  if c == 0xce then return ((a * 256 + b) * 256 + d) * 256 + e, i + 5 end
  if c == 0xd0 then return a >= 128 and a - 256 or a, i + 2 end
  if c == 0xd1 then
    local value = a * 256 + b
    return value >= 32768 and value - 65536 or value, i + 3
  end
  local high = ((a * 256 + b) * 256 + d) * 256 + e
  if c == 0xd2 then return high >= 2147483648 and high - TWO32 or high, i + 5 end
  local low = ((f * 256 + g) * 256 + h) * 256 + k
  if c == 0xd3 and high >= 2147483648 then high = high - TWO32 end
  local value = high * TWO32 + low
  if value >= EXACT or value <= -EXACT then
    has_large = true
    value = stand_in(value, sub(buf, i, i + 8))
  end
  return value, i + 9
end

local function note_whole(t, key, value)
  whole = false
  if not spellings then spellings = {} end
  local own = spellings[t]
  if not own then
    own = {}
    spellings[t] = own
  end
  own[key] = value
end

local function decode_map(size, i, depth)
  if depth > MAX_DEPTH then error(REFUSED, 0) end
  if size == 0 then return mark_kind({}, "map"), i end
  local t = new_table(0, size)
  local nulls
  for _ = 1, size do
    local c = byte(buf, i)
    local key
    if c >= 0xa0 and c < 0xc0 then
      local stop = i + c - 0xa0
      key = sub(buf, i + 1, stop)
      i = stop + 1
    elseif c == 0xd9 or c == 0xda or c == 0xdb then
      key, i = read_text(c, i)
    else
      error(REFUSED, 0)
    end
    c = byte(buf, i)
    if c >= 0xa0 and c < 0xc0 then
      local stop = i + c - 0xa0
      t[key] = sub(buf, i + 1, stop)
      i = stop + 1
    elseif c < 0x80 then
      t[key] = c
      i = i + 1
    elseif c < 0x90 then
      t[key], i = decode_map(c - 0x80, i + 1, depth + 1)
    elseif c == 0xc0 then
      nulls = nulls or {}
      nulls[#nulls + 1] = key
      i = i + 1
    else
      local value
      value, i = decode(c, i, depth)
      t[key] = value
      if whole then note_whole(t, key, value) end
    end
  end
  if nulls then
    if not null_keys then null_keys = {} end
    null_keys[t] = nulls
    if next(t) == nil then mark_kind(t, "map") end
  end
  return t, i
end

local function decode_list(size, i, depth)
  if depth > MAX_DEPTH then error(REFUSED, 0) end
  if size == 0 then return mark_kind({}, "list"), i end
  local t = new_table(size, 0)
  local count, nulls = 0, nil
  for position = 1, size do
    local c = byte(buf, i)
    if c == 0xc0 then
      nulls = nulls or {}
      nulls[position] = true
      i = i + 1
    else
      count = count + 1
      local value
      if c >= 0xa0 and c < 0xc0 then
        local stop = i + c - 0xa0
        value = sub(buf, i + 1, stop)
        i = stop + 1
      elseif c >= 0x80 and c < 0x90 then
        value, i = decode_map(c - 0x80, i + 1, depth + 1)
      else
        value, i = decode(c, i, depth)
        if whole then note_whole(t, count, value) end
      end
      t[count] = value
    end
  end
  if nulls then
    if not null_slots then null_slots = {} end
    local items = {}
    for index = 1, count do items[index] = t[index] end
    null_slots[t] = { count, size, nulls, items }
    if count == 0 then mark_kind(t, "list") end
  end
  return t, i
end

function decode(c, i, depth)
  if c < 0x80 then return c, i + 1 end
  if c < 0x90 then return decode_map(c - 0x80, i + 1, depth + 1) end
  if c < 0xa0 then return decode_list(c - 0x90, i + 1, depth + 1) end
  if c < 0xc0 then
    local stop = i + c - 0xa0
    return sub(buf, i + 1, stop), stop + 1
  end
  if c >= 0xe0 then return c - 256, i + 1 end
  if c == 0xc3 then return true, i + 1 end
  if c == 0xc2 then return false, i + 1 end
  if c == 0xc0 then return nil, i + 1 end
  if c == 0xcb then return read_float(i) end
  if c >= 0xcc and c <= 0xd3 then return read_integer(c, i) end
  if c >= 0xd9 and c <= 0xdb then return read_text(c, i) end
  if c == 0xdc then
    local a, b = byte(buf, i + 1, i + 2)
    return decode_list(a * 256 + b, i + 3, depth + 1)
  end
  if c == 0xde then
    local a, b = byte(buf, i + 1, i + 2)
    return decode_map(a * 256 + b, i + 3, depth + 1)
  end
  if c == 0xdd or c == 0xdf then
    local a, b, d, e = byte(buf, i + 1, i + 4)
    local size = ((a * 256 + b) * 256 + d) * 256 + e
    if c == 0xdd then return decode_list(size, i + 5, depth + 1) end
    return decode_map(size, i + 5, depth + 1)
  end
  error(REFUSED, 0)
end

-- One value at a position of a payload.
local function decode_at(payload, i)
  buf, whole = payload, false
  local value, after = decode(byte(buf, i), i, 0)
  whole = false
  return value, after
end

----------------------------------------------------------------------------------------------------------------
-- Encoding.

local NIL, FALSE, TRUE = "\192", "\194", "\195"
local EMPTY_LIST, EMPTY_MAP = "\144", "\128"
-- Extension type 1 without content: an empty table that a script made. Python decides what it is.
local NEW_EMPTY = "\199\0\1"

local SMALL = {}
for value = 0, 127 do SMALL[value] = char(value) end
for value = 128, 255 do SMALL[value] = char(0xcc, value) end
local SHORT_TEXT = {}
for size = 0, 31 do SHORT_TEXT[size] = char(0xa0 + size) end

local out, n
local new_empties
local count_limit = 2 * MAX_NODES

local function big_endian(tag, high, low)
  return char(tag, floor(high / 16777216), floor(high / 65536) % 256, floor(high / 256) % 256, high % 256,
    floor(low / 16777216), floor(low / 65536) % 256, floor(low / 256) % 256, low % 256)
end

local function float_bytes(value)
  local sign = 0
  if value < 0 or (value == 0 and 1 / value < 0) then sign, value = 2147483648, -value end
  if value == 0 then return big_endian(0xcb, sign, 0) end
  local mantissa, exponent = frexp(value)
  exponent = exponent + 1022
  if exponent <= 0 then
    exponent, mantissa = 0, ldexp(value, 1074)
  else
    mantissa = ldexp(mantissa, 53) - 4503599627370496
  end
  local high = floor(mantissa / TWO32)
  return big_endian(0xcb, sign + exponent * 1048576 + high, mantissa - high * TWO32)
end

local function integer_bytes(value)
  if value >= 0 then
    if value < 65536 then return char(0xcd, floor(value / 256), value % 256) end
    if value < TWO32 then
      return char(0xce, floor(value / 16777216), floor(value / 65536) % 256, floor(value / 256) % 256, value % 256)
    end
    local high = floor(value / TWO32)
    return big_endian(0xcf, high, value - high * TWO32)
  end
  if value >= -32 then return char(256 + value) end
  local high = floor(value / TWO32)
  return big_endian(0xd3, high + TWO32, value - high * TWO32)
end

local function number_bytes(value)
  if value % 1 ~= 0 then
    -- Fractions; NaN and infinities land here too, because `inf % 1` is NaN.
    if value ~= value or value == huge or value == -huge then error(PROBLEM, 0) end
    return float_bytes(value)
  end
  if value < EXACT and value > -EXACT then
    if value == 0 then return 1 / value < 0 and float_bytes(value) or SMALL[0] end
    return SMALL[value] or integer_bytes(value)
  end
  local known = exact and exact[value]
  if known then return known end
  -- A script that computed with an exact integer may have rounded it: that must not pass for the truth.
  if has_large then error(PROBLEM, 0) end
  if value < TWO64 and value >= -TWO63 then return integer_bytes(value) end
  return float_bytes(value)
end

local function text_header(size)
  if size < 32 then return SHORT_TEXT[size] end
  if size < 256 then return char(0xd9, size) end
  if size < 65536 then return char(0xda, floor(size / 256), size % 256) end
  return char(0xdb, floor(size / 16777216), floor(size / 65536) % 256, floor(size / 256) % 256, size % 256)
end

local function list_header(size)
  if size < 16 then return char(0x90 + size) end
  if size < 65536 then return char(0xdc, floor(size / 256), size % 256) end
  return char(0xdd, floor(size / 16777216), floor(size / 65536) % 256, floor(size / 256) % 256, size % 256)
end

local MAP_HEADERS = {}
local function map_header(size)
  if size < 16 then return char(0x80 + size) end
  if size < 65536 then return char(0xde, floor(size / 256), size % 256) end
  return char(0xdf, floor(size / 16777216), floor(size / 65536) % 256, floor(size / 256) % 256, size % 256)
end
for size = 0, 63 do MAP_HEADERS[size] = map_header(size) end

-- Keys repeat from call to call: their encoded form is kept, within bounds.
local keys, key_count = {}, 0
local function encode_key(key)
  if type(key) ~= "string" then error(PROBLEM, 0) end
  local size = #key
  local encoded = text_header(size) .. key
  if size <= 64 then
    if key_count >= 4096 then keys, key_count = {}, 0 end
    keys[key] = encoded
    key_count = key_count + 1
  end
  return encoded
end

local encode_table

local function encode_value(value, depth)
  local kind = type(value)
  if kind == "table" then return encode_table(value, depth) end
  n = n + 1
  if kind == "string" then
    local size = #value
    out[n] = SHORT_TEXT[size] or text_header(size)
    n = n + 1
    out[n] = value
  elseif kind == "number" then
    out[n] = number_bytes(value)
  elseif kind == "boolean" then
    out[n] = value and TRUE or FALSE
  elseif value == nil then
    out[n] = NIL
  else
    error(PROBLEM, 0)
  end
end

local function encode_empty(t)
  local slots = null_slots and null_slots[t]
  n = n + 1
  if slots and slots[1] == 0 then
    out[n] = list_header(slots[2])
    for _ = 1, slots[2] do
      n = n + 1
      out[n] = NIL
    end
    return
  end
  local nulls = null_keys and null_keys[t]
  if nulls then
    out[n] = map_header(#nulls)
    for index = 1, #nulls do
      out[n + 1] = keys[nulls[index]] or encode_key(nulls[index])
      out[n + 2] = NIL
      n = n + 2
    end
    return
  end
  local kind = kinds and kinds[t]
  if kind == "list" then
    out[n] = EMPTY_LIST
  elseif kind == "map" then
    out[n] = EMPTY_MAP
  else
    new_empties = new_empties + 1
    out[n] = NEW_EMPTY
  end
end

local function same_items(t, slots, size)
  if size ~= slots[1] then return false end
  local items = slots[4]
  for index = 1, size do
    if t[index] ~= items[index] then return false end
  end
  return true
end

local function encode_list(t, depth)
  local size, count = #t, 0
  for _ in next, t do count = count + 1 end
  if n + size > count_limit then error(TOO_MANY, 0) end
  if count ~= size then error(PROBLEM, 0) end
  local spelled = spellings and spellings[t]
  local slots = null_slots and null_slots[t]
  local nulls
  local total = size
  if slots and same_items(t, slots, size) then nulls, total = slots[3], slots[2] end
  n = n + 1
  out[n] = list_header(total)
  local index = 0
  for position = 1, total do
    if nulls and nulls[position] then
      n = n + 1
      out[n] = NIL
    else
      index = index + 1
      local value = t[index]
      if spelled and spelled[index] == value then
        n = n + 1
        out[n] = exact and exact[value] or float_bytes(value)
      else
        encode_value(value, depth)
      end
    end
  end
end

function encode_table(t, depth)
  depth = depth + 1
  if depth > MAX_DEPTH then error(PROBLEM, 0) end
  local first = next(t)
  if first == nil then return encode_empty(t) end
  if type(first) == "number" then return encode_list(t, depth) end
  if n > count_limit then error(TOO_MANY, 0) end
  local spelled = spellings and spellings[t]
  n = n + 1
  local header, size = n, 0
  for key, value in next, t do
    size = size + 1
    n = n + 1
    out[n] = keys[key] or encode_key(key)
    local kind = type(value)
    if kind == "string" then
      local length = #value
      out[n + 1] = SHORT_TEXT[length] or text_header(length)
      n = n + 2
      out[n] = value
    elseif kind == "table" then
      encode_table(value, depth)
    elseif spelled and spelled[key] == value then
      n = n + 1
      out[n] = exact and exact[value] or float_bytes(value)
    elseif kind == "number" then
      n = n + 1
      out[n] = value > 0 and SMALL[value] or number_bytes(value)
    else
      encode_value(value, depth)
    end
  end
  local nulls = null_keys and null_keys[t]
  if nulls then
    for index = 1, #nulls do
      local key = nulls[index]
      if t[key] == nil then
        size = size + 1
        out[n + 1] = keys[key] or encode_key(key)
        out[n + 2] = NIL
        n = n + 2
      end
    end
  end
  out[header] = MAP_HEADERS[size] or map_header(size)
end

-- `[0, number of new empties, first, second]`: a reply that tells of success.
local function encode_results(count, first, second)
  out, n, new_empties = {}, 2, 0
  if count > 0 then encode_value(first, 0) end
  if count > 1 then encode_value(second, 0) end
  if n > count_limit + 2 then error(TOO_MANY, 0) end
  out[1] = char(0x92 + count) .. SMALL[0]
  out[2] = SMALL[new_empties] or integer_bytes(new_empties)
  local reply = concat(out, "", 1, n)
  out = nil
  return reply
end

-- The arguments of a host function as one msgpack list.
local function encode_arguments(count, ...)
  out, n, new_empties = {}, 1, 0
  out[1] = list_header(count)
  local arguments = { ... }
  for index = 1, count do encode_value(arguments[index], 0) end
  local packed = concat(out, "", 1, n)
  out = nil
  return packed
end

local function bytes_of(text)
  local size = #text
  return char(0xc6, floor(size / 16777216), floor(size / 65536) % 256, floor(size / 256) % 256, size % 256) .. text
end

-- `[code, message, line, path]`: a reply that tells of failure. Texts travel as bytes: they may be no UTF-8.
local function encode_failure(code, message, line, path)
  return char(0x94, code) .. bytes_of(message) .. (line and integer_bytes(line) or NIL)
    .. (path and bytes_of(path) or NIL)
end

local function encode_integers(values)
  local parts = { list_header(#values) }
  for index = 1, #values do parts[index + 1] = integer_bytes(values[index]) end
  return concat(parts)
end

----------------------------------------------------------------------------------------------------------------
-- Finding what the encoder refused: slow, with paths, and only after a failure.

local function in_order(t)
  local found = {}
  for key in next, t do found[#found + 1] = key end
  sort(found, function(a, b)
    if type(a) == type(b) and (type(a) == "number" or type(a) == "string") then return a < b end
    return type(a) < type(b)
  end)
  return found
end

local function join(path, key)
  if type(key) == "number" then return path .. "[" .. tostring(key - 1) .. "]" end
  return path == "" and key or path .. "." .. key
end

local search

local function search_table(t, path, depth, above)
  if above[t] then return "contains itself", path end
  if depth > MAX_DEPTH then return "is nested deeper than " .. MAX_DEPTH .. " levels", path end
  local found = in_order(t)
  local listed = type(found[1]) == "number"
  if listed and (#found ~= #t or type(found[#found]) ~= "number" or found[1] ~= 1 or found[#found] ~= #found) then
    return "is neither a list without gaps nor a map with string keys", path
  end
  above[t] = true
  for index = 1, #found do
    local key = found[index]
    if not listed and type(key) ~= "string" then
      return "has a key that is no string (a " .. type(key) .. ")", path
    end
    local problem, where = search(t[key], join(path, key), depth, above)
    if problem then return problem, where end
  end
  above[t] = nil
end

local searched

function search(value, path, depth, above)
  searched = searched + 1
  if searched > MAX_SEARCHED then return "holds a value that JSON cannot hold", "" end
  local kind = type(value)
  if kind == "table" then return search_table(value, path, depth + 1, above) end
  if kind == "number" then
    if value ~= value then return "is not a number (NaN), which JSON cannot hold", path end
    if value == huge or value == -huge then return "is infinite, which JSON cannot hold", path end
    if has_large and value % 1 == 0 and (value >= EXACT or value <= -EXACT) and not (exact and exact[value]) then
      return "was computed from integers beyond 2^53, which Lua numbers round", path
    end
  elseif kind ~= "string" and kind ~= "boolean" and value ~= nil then
    return "is a " .. kind .. ", which JSON cannot hold", path
  end
end

-- What is wrong with the results of a function, and where.
local function find_problem(first, second)
  searched = 0
  local problem, path = search(first, "", 0, {})
  if not problem then problem, path = search(second, "", 0, {}) end
  return problem or "cannot be converted", path or ""
end

return {
  reset = reset,
  decode_at = decode_at,
  list_header_size = function(payload)
    local c = byte(payload, 1)
    return c >= 0x90 and c < 0xa0 and c - 0x90 or error(REFUSED, 0)
  end,
  encode_results = encode_results,
  encode_arguments = encode_arguments,
  encode_failure = encode_failure,
  encode_integers = encode_integers,
  find_problem = find_problem,
  PROBLEM = PROBLEM,
  TOO_MANY = TOO_MANY,
  REFUSED = REFUSED,
}
