-- msgpack to Lua values, without losing what Lua cannot say.
--
-- A Lua table has one kind of empty, no null, and numbers are doubles. What that would lose is kept in side tables
-- of the running call, keyed by table identity; the tables a script sees are plain, so `#`, pairs, insert and
-- remove behave as usual. The side tables exist only when an input needs them.

local limits = ...

local byte, sub = string.byte, string.sub
local floor, frexp, ldexp, huge = math.floor, math.frexp, math.ldexp, math.huge
local next, error = next, error
local sort = table.sort
local new_table = require("table.new")

local MAX_DEPTH = limits.depth
local EXACT = 2 ^ 53
local TWO32 = 2 ^ 32

-- Raised for a payload that is not taken: too deep, or no JSON.
local REFUSED = {}

----------------------------------------------------------------------------------------------------------------
-- What the tables of the running call cannot say themselves.

local kinds       -- empty table -> "list" | "map"
local null_keys   -- map -> list of keys that were null
local null_slots  -- list -> {count of items, total length, null positions, items}
local spellings   -- table -> key -> whole float
local exact       -- double -> msgpack bytes of the number it stands for
local has_large   -- whether an integer beyond 2^53 came in
local clashes     -- {double, bytes} of numbers whose double stands for another one already
local assigned    -- bytes -> the double that stands for them, once doubles were spread
local settled     -- whether the arguments are decoded: what follows comes from a host function

local buf         -- the payload being decoded

local function reset()
  buf = nil
  kinds, null_keys, null_slots, spellings, exact, has_large = nil, nil, nil, nil, nil, false
  clashes, assigned, settled = nil, nil, false
end

local function mark_kind(t, kind)
  if not kinds then kinds = {} end
  kinds[t] = kind
  return t
end

-- The next double away from zero.
local function next_double(value)
  local _, exponent = frexp(value)
  local step = ldexp(1, exponent - 53)
  return value < 0 and value - step or value + step
end

-- The double that stands for a number beyond 2^53: the nearest one, unless it stands for another number.
local function stand_in(value, bytes)
  if assigned and assigned[bytes] then return assigned[bytes] end
  if not exact then exact = {} end
  local other = exact[value]
  if other and other ~= bytes then
    if not settled then
      clashes = clashes or {}
      clashes[#clashes + 1] = { value, bytes }
      return value
    end
    while exact[value] and exact[value] ~= bytes do value = next_double(value) end
  end
  exact[value] = bytes
  return value
end

-- Bytes of one sign are in the order of the numbers.
local function nearer_to_zero(a, b)
  if a[1] ~= b[1] then
    if (a[1] < 0) ~= (b[1] < 0) then return a[1] < 0 end
    return a[1] > 0 and a[1] < b[1] or a[1] < 0 and a[1] > b[1]
  end
  if a[1] < 0 then return a[2] > b[2] end
  return a[2] < b[2]
end

-- Where numbers share their nearest double, chooses neighbours that keep the order of all numbers. Returns whether there
-- was such a case: then the arguments must be decoded again.
local function spread()
  if not clashes then
    settled = true
    return false
  end
  local numbers, seen = {}, {}
  for value, bytes in next, exact do
    seen[bytes] = true
    numbers[#numbers + 1] = { value, bytes }
  end
  for index = 1, #clashes do
    local bytes = clashes[index][2]
    if not seen[bytes] then
      seen[bytes] = true
      numbers[#numbers + 1] = clashes[index]
    end
  end
  sort(numbers, nearer_to_zero)
  local spread_out, doubles, last = {}, {}, nil
  for index = 1, #numbers do
    local value, bytes = numbers[index][1], numbers[index][2]
    if last and (last < 0) == (value < 0) and (value < 0 and value >= last or value > 0 and value <= last) then
      value = next_double(last)
    end
    spread_out[value], doubles[bytes], last = bytes, value, value
  end
  reset()
  exact, assigned, settled = spread_out, doubles, true
  return true
end

-- The side tables, for the encoder; each may be nil.
local function special()
  return kinds, null_keys, null_slots, spellings, exact, has_large
end

----------------------------------------------------------------------------------------------------------------
-- Decoding.

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

-- Number of items of a payload's outermost list.
local function list_size(payload)
  local c = byte(payload, 1)
  if c < 0x90 or c >= 0xa0 then error(REFUSED, 0) end
  return c - 0x90
end

return {
  reset = reset, special = special, spread = spread, decode_at = decode_at, list_size = list_size, REFUSED = REFUSED,
}
