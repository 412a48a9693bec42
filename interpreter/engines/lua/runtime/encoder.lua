-- Lua values to msgpack. What the decoder noted about the inputs of the running call comes back: see `decoder.lua`.

local limits, decoder = ...

local char = string.char
local concat = table.concat
local floor, frexp, ldexp, huge = math.floor, math.frexp, math.ldexp, math.huge
local next, type, error = next, type, error
local special = decoder.special

local MAX_DEPTH = limits.depth
local EXACT = 2 ^ 53
local TWO32, TWO63, TWO64 = 2 ^ 32, 2 ^ 63, 2 ^ 64

-- Raised for what cannot be encoded; the path is searched afterwards, so that it costs nothing while all is well.
local PROBLEM = {}
-- Raised for a result with too many values: searching it would take as long again.
local TOO_MANY = {}

-- The side tables of the running call, fetched when encoding starts.
local kinds, null_keys, null_slots, spellings, exact, has_large

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
-- A text takes two parts of the output, other values one.
local count_limit = 2 * limits.nodes

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
  kinds, null_keys, null_slots, spellings, exact, has_large = special()
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
  kinds, null_keys, null_slots, spellings, exact, has_large = special()
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

-- Lets go of everything of the running call.
local function reset()
  out, kinds, null_keys, null_slots, spellings, exact = nil, nil, nil, nil, nil, nil
end

return {
  reset = reset, results = encode_results, arguments = encode_arguments, failure = encode_failure, integers = encode_integers,
  PROBLEM = PROBLEM, TOO_MANY = TOO_MANY,
}
