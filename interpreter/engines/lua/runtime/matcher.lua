-- A pattern matcher in Lua, which the hook stops like any script: that of lstrlib.c of Lua 5.1, with the frontier
-- pattern. State of one match lies in upvalues: whoever calls a script in between loads its own again.

local byte, sub = string.byte, string.sub
local error = error

-- End of a set that starts at `i`, or nil when it is not closed.
local function set_end(p, i)
  i = i + 1
  if byte(p, i) == 94 then i = i + 1 end
  local first = true
  while true do
    local c = byte(p, i)
    if not c then return nil end
    if c == 93 and not first then return i end
    first = false
    i = c == 37 and i + 2 or i + 1
  end
end

local s, p, s_size, p_size
local level, starts, lengths
local POSITION, OPEN = -2, -1

-- Raised for a broken pattern; its first item is the text.
local BROKEN = {}

local function fail(text)
  BROKEN[1] = text
  error(BROKEN, 0)
end

local function item_end(i)
  local c = byte(p, i)
  if c == 37 then
    if i + 1 > p_size then fail("malformed pattern (ends with '%')") end
    return i + 2
  end
  if c == 91 then
    local stop = set_end(p, i)
    if not stop or stop > p_size then fail("malformed pattern (missing ']')") end
    return stop + 1
  end
  return i + 1
end

local function is_class(c, class)
  local lower = class >= 65 and class <= 90 and class + 32 or class
  local yes
  if lower == 97 then yes = (c >= 65 and c <= 90) or (c >= 97 and c <= 122)
  elseif lower == 100 then yes = c >= 48 and c <= 57
  elseif lower == 115 then yes = c == 32 or (c >= 9 and c <= 13)
  elseif lower == 119 then yes = (c >= 48 and c <= 57) or (c >= 65 and c <= 90) or (c >= 97 and c <= 122)
  elseif lower == 108 then yes = c >= 97 and c <= 122
  elseif lower == 117 then yes = c >= 65 and c <= 90
  elseif lower == 112 then
    yes = (c >= 33 and c <= 47) or (c >= 58 and c <= 64) or (c >= 91 and c <= 96) or (c >= 123 and c <= 126)
  elseif lower == 99 then yes = c < 32 or c == 127
  elseif lower == 120 then yes = (c >= 48 and c <= 57) or (c >= 65 and c <= 70) or (c >= 97 and c <= 102)
  elseif lower == 122 then yes = c == 0
  elseif lower == 103 then yes = c > 32 and c < 127
  else return class == c end
  if class == lower then return yes end
  return not yes
end

-- `first` is the bracket, `last` the closing one.
local function in_set(c, first, last)
  local i, yes = first + 1, true
  if byte(p, i) == 94 then i, yes = i + 1, false end
  while i < last do
    local d = byte(p, i)
    if d == 37 then
      if is_class(c, byte(p, i + 1)) then return yes end
      i = i + 2
    elseif byte(p, i + 1) == 45 and i + 2 < last then
      if d <= c and c <= byte(p, i + 2) then return yes end
      i = i + 3
    else
      if d == c then return yes end
      i = i + 1
    end
  end
  return not yes
end

local function single(i, from, to)
  local c = byte(s, i)
  if not c then return false end
  local d = byte(p, from)
  if d == 46 then return true end
  if d == 37 then return is_class(c, byte(p, from + 1)) end
  if d == 91 then return in_set(c, from, to - 1) end
  return d == c
end

local do_match

local function longest(i, from, to)
  local count = 0
  while single(i + count, from, to) do count = count + 1 end
  while count >= 0 do
    local stop = do_match(i + count, to + 1)
    if stop then return stop end
    count = count - 1
  end
  return nil
end

local function shortest(i, from, to)
  while true do
    local stop = do_match(i, to + 1)
    if stop then return stop end
    if not single(i, from, to) then return nil end
    i = i + 1
  end
end

local function balanced(i, from)
  if from + 1 > p_size then fail("unbalanced pattern") end
  local open, close = byte(p, from, from + 1)
  if byte(s, i) ~= open then return nil end
  local depth = 1
  i = i + 1
  while i <= s_size do
    local c = byte(s, i)
    if c == close then
      depth = depth - 1
      if depth == 0 then return i + 1 end
    elseif c == open then
      depth = depth + 1
    end
    i = i + 1
  end
  return nil
end

local function back_reference(i, digit)
  local index = digit - 48
  if index < 1 or index > level or lengths[index] == OPEN then fail("invalid capture index") end
  local size = lengths[index]
  if size < 0 then return nil end  -- a position has no text
  if s_size - i + 1 < size then return nil end
  local from = starts[index]
  for offset = 0, size - 1 do
    if byte(s, from + offset) ~= byte(s, i + offset) then return nil end
  end
  return i + size
end

local function frontier(i, from, to)
  local before, after = i > 1 and byte(s, i - 1) or 0, byte(s, i) or 0
  return not in_set(before, from, to - 1) and in_set(after, from, to - 1)
end

function do_match(i, j)
  while true do
    if j > p_size then return i end
    local c = byte(p, j)
    if c == 40 then
      local mark, k = OPEN, j + 1
      if byte(p, k) == 41 then mark, k = POSITION, j + 2 end
      if level >= 32 then fail("too many captures") end
      level = level + 1
      starts[level], lengths[level] = i, mark
      local stop = do_match(i, k)
      if not stop then level = level - 1 end
      return stop
    end
    if c == 41 then
      local open = level
      while open > 0 and lengths[open] ~= OPEN do open = open - 1 end
      if open == 0 then fail("invalid pattern capture") end
      lengths[open] = i - starts[open]
      local stop = do_match(i, j + 1)
      if not stop then lengths[open] = OPEN end
      return stop
    end
    if c == 36 and j == p_size then return i == s_size + 1 and i or nil end
    local d = c == 37 and byte(p, j + 1) or 0
    if d == 98 then
      local stop = balanced(i, j + 2)
      if not stop then return nil end
      i, j = stop, j + 4
    elseif d == 102 then
      if byte(p, j + 2) ~= 91 then fail("missing '[' after '%f' in pattern") end
      local to = item_end(j + 2)
      if not frontier(i, j + 2, to) then return nil end
      j = to
    elseif d >= 48 and d <= 57 then
      i = back_reference(i, d)
      if not i then return nil end
      j = j + 2
    else
      local to = item_end(j)
      local follow = byte(p, to)
      if follow == 63 then
        if single(i, j, to) then
          local stop = do_match(i + 1, to + 1)
          if stop then return stop end
        end
        j = to + 1
      elseif follow == 42 then
        return longest(i, j, to)
      elseif follow == 43 then
        if not single(i, j, to) then return nil end
        return longest(i + 1, j, to)
      elseif follow == 45 then
        return shortest(i, j, to)
      else
        if not single(i, j, to) then return nil end
        i, j = i + 1, to
      end
    end
  end
end

local function load_state(subject, pattern)
  s, p, s_size, p_size = subject, pattern, #subject, #pattern
end

local function match_from(i, j)
  level, starts, lengths = 0, {}, {}
  return do_match(i, j)
end

local function capture(index, first, last)
  if index > level then
    if index ~= 1 then fail("invalid capture index") end
    return sub(s, first, last - 1)
  end
  local size = lengths[index]
  if size == POSITION then return starts[index] end
  if size == OPEN then fail("unfinished capture") end
  return sub(s, starts[index], starts[index] + size - 1)
end

local function captures(first, last, whole)
  local count = (level == 0 and whole) and 1 or level
  local found = {}
  for index = 1, count do found[index] = capture(index, first, last) end
  return count, found
end

-- First match at or behind `i`: its bounds (end exclusive), or nil.
local function seek(i, anchored)
  local j = anchored and 2 or 1
  while true do
    local stop = match_from(i, j)
    if stop then return i, stop end
    i = i + 1
    if anchored or i > s_size + 1 then return nil end
  end
end


return {
  BROKEN = BROKEN, fail = fail, set_end = set_end, load = load_state, match_from = match_from, seek = seek,
  capture = capture, captures = captures,
  -- A subject may take megabytes: it must not outlive its call.
  release = function() s, p, starts, lengths = nil, nil, nil, nil end,
}
