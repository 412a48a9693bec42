-- Lua patterns that end: string.find, match, gmatch and gsub under the deadline.
--
-- The built-in matcher is C code that no hook interrupts, and a pattern with k repetitions can take n^k steps. So its
-- worst case is estimated first; a call that might be costly runs in the matcher below, which is written in Lua,
-- follows lstrlib.c of Lua 5.1 (with the frontier pattern) and is therefore stopped by the hook like any script.

local guard = ...

local byte, sub, find, match, gmatch, gsub = string.byte, string.sub, string.find, string.match, string.gmatch,
  string.gsub
local native_find = find
local floor, huge, concat = math.floor, math.huge, table.concat
local type, error, tostring, tonumber, pcall = type, error, tostring, tonumber, guard.pcall
local unpack = unpack

-- Steps of the built-in matcher that are let go unseen: about 30 ms in the worst case.
local MAX_STEPS = guard.max_steps or 1e7
-- From here on the clock is read after a call, so that many middling calls in a row cannot outrun the hook.
local NOTED_STEPS = guard.noted_steps or 2e4
-- Bytes compared by a plain search before it is done in Lua.
local MAX_PLAIN = guard.max_plain or 5e8

----------------------------------------------------------------------------------------------------------------
-- Cost.

local REPETITION = { [42] = true, [43] = true, [45] = true, [63] = true }  -- * + - ?

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

-- Number of items of a pattern that can match in several ways. A broken pattern counts every candidate.
local function choices(p)
  local count, i, size = 0, 1, #p
  while i <= size do
    local c = byte(p, i)
    if c == 37 then
      local d = byte(p, i + 1)
      if d == 98 then
        count, i = count + 1, i + 4
      elseif d == 102 then
        i = i + 2
      else
        if d and d >= 48 and d <= 57 then count = count + 1 end
        i = i + 2
      end
    elseif c == 91 then
      local stop = set_end(p, i)
      if not stop then return size end
      i = stop + 1
    else
      i = i + 1
    end
    if REPETITION[byte(p, i) or 0] then count, i = count + 1, i + 1 end
  end
  return count
end

local known, known_count = {}, 0

-- As `choices`; -1 for a text without any magic character.
local function choices_of(p)
  local count = known[p]
  if not count then
    count = native_find(p, "[%^%$%*%+%?%.%(%)%[%%%-]") and choices(p) or -1
    if #p <= 128 then
      if known_count >= 512 then known, known_count = {}, 0 end
      known[p] = count
      known_count = known_count + 1
    end
  end
  return count
end

-- Worst number of steps for a subject of n bytes: the ways to spread them over k repetitions, from each start.
local function steps(n, p, anchored)
  local k, total = choices_of(p), #p + 1
  if not anchored then total = total * (n + 1) end
  for i = 1, k do
    total = total * (n + i) / i
    if total > MAX_STEPS then return total end
  end
  return total
end

----------------------------------------------------------------------------------------------------------------
-- The matcher. State of one match lives in upvalues; callbacks may start another, so gsub and gmatch restore it.

local s, p, s_size, p_size
local level, starts, lengths
local POSITION, OPEN = -2, -1

-- Raised by the matcher for a broken pattern; an error of a callback passes through as it is.
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

----------------------------------------------------------------------------------------------------------------
-- Entry points.

local function start_of(subject, init)
  if not init then return 1 end
  init = init >= 0 and floor(init) or -floor(-init)
  if init < 0 then
    init = #subject + init + 1
    return init < 1 and 1 or init
  end
  return init < 1 and 1 or init
end

-- Subject and pattern as texts, or nil where the built-in function must complain.
local function texts(subject, pattern)
  local a, b = type(subject), type(pattern)
  if a == "number" then subject = tostring(subject) elseif a ~= "string" then return nil end
  if b == "number" then pattern = tostring(pattern) elseif b ~= "string" then return nil end
  return subject, pattern
end

-- Runs `work` of the matcher above; its errors point at the caller of the library function.
local function interruptible(work, ...)
  local ok, a, b, c = pcall(work, ...)
  if ok then return a, b, c end
  if a == BROKEN then error(BROKEN[1], 3) end
  error(a, 0)
end

local function slow_search(subject, pattern, init)
  load_state(subject, pattern)
  if init > s_size + 1 then init = s_size + 1 end
  local first, stop = seek(init, byte(pattern, 1) == 94)
  if not first then return nil end
  return first, stop
end

-- Plain search in Lua (Knuth, Morris and Pratt): linear, and the hook sees it.
local function slow_plain(subject, needle, init)
  local n, m = #subject, #needle
  if m == 0 then
    local at = init > n + 1 and n + 1 or init
    return at, at
  end
  local fallback, k = { 0 }, 0
  for i = 2, m do
    local c = byte(needle, i)
    while k > 0 and byte(needle, k + 1) ~= c do k = fallback[k] end
    if byte(needle, k + 1) == c then k = k + 1 end
    fallback[i] = k
  end
  k = 0
  for i = init, n do
    local c = byte(subject, i)
    while k > 0 and byte(needle, k + 1) ~= c do k = fallback[k] end
    if byte(needle, k + 1) == c then k = k + 1 end
    if k == m then return i - m + 1, i + 1 end
  end
  return nil
end

local function list_captures(first, stop, whole)
  local count, found = captures(first, stop, whole)
  return found, count
end

local function safe_find(subject, pattern, init, plain)
  local text, pat = texts(subject, pattern)
  if not text or (init ~= nil and type(init) ~= "number") then return find(subject, pattern, init, plain) end
  local size = #text
  if plain or choices_of(pat) < 0 then
    if size * #pat <= MAX_PLAIN then return find(text, pat, init, true) end
    local first, stop = interruptible(slow_plain, text, pat, start_of(text, init))
    if first then return first, stop - 1 end
    return nil
  end
  local cost = steps(size, pat, byte(pat, 1) == 94)
  if cost <= NOTED_STEPS then return find(text, pat, init) end
  if cost <= MAX_STEPS then
    guard.charge(cost)
    return find(text, pat, init)
  end
  local first, stop = interruptible(slow_search, text, pat, start_of(text, init))
  if not first then return nil end
  local found, count = interruptible(list_captures, first, stop, false)
  return first, stop - 1, unpack(found, 1, count)
end

local function safe_match(subject, pattern, init)
  local text, pat = texts(subject, pattern)
  if not text or (init ~= nil and type(init) ~= "number") then return match(subject, pattern, init) end
  local cost = steps(#text, pat, byte(pat, 1) == 94)
  if cost <= NOTED_STEPS then return match(text, pat, init) end
  if cost <= MAX_STEPS then
    guard.charge(cost)
    return match(text, pat, init)
  end
  local first, stop = interruptible(slow_search, text, pat, start_of(text, init))
  if not first then return nil end
  local found, count = interruptible(list_captures, first, stop, true)
  return unpack(found, 1, count)
end

local function next_match(text, pat, at)
  load_state(text, pat)
  if at > s_size + 1 then return nil end
  local first, stop = seek(at, false)
  if not first then return nil end
  local count, found = captures(first, stop, true)
  return stop > first and stop or stop + 1, found, count
end

local function safe_gmatch(subject, pattern)
  local text, pat = texts(subject, pattern)
  if not text then return gmatch(subject, pattern) end
  -- `^` is no anchor here. All steps together are bounded by those from every start.
  local cost = steps(#text, pat, false)
  if cost <= NOTED_STEPS then return gmatch(text, pat) end
  if cost <= MAX_STEPS then
    guard.charge(cost)
    return gmatch(text, pat)
  end
  local at = 1
  return function()
    if not at then return nil end
    local found, count
    at, found, count = interruptible(next_match, text, pat, at)
    if not at then return nil end
    return unpack(found, 1, count)
  end
end

local function expand(template, first, stop)
  local parts, count, i, size = {}, 0, 1, #template
  while i <= size do
    local c = byte(template, i)
    if c == 37 then
      local d = byte(template, i + 1)
      if d == 48 then
        count = count + 1
        parts[count] = sub(s, first, stop - 1)
      elseif d and d >= 49 and d <= 57 then
        count = count + 1
        parts[count] = capture(d - 48, first, stop)
      elseif d then
        count = count + 1
        parts[count] = sub(template, i + 1, i + 1)
      end
      i = i + 2
    else
      local stop_at = native_find(template, "%", i, true) or size + 1
      count = count + 1
      parts[count] = sub(template, i, stop_at - 1)
      i = stop_at
    end
  end
  return concat(parts)
end

local function slow_gsub(text, pat, replacement, limit)
  local anchored = byte(pat, 1) == 94
  local kind = type(replacement)
  local parts, count, at, done = {}, 0, 1, 0
  while done < limit do
    load_state(text, pat)  -- a callback may have matched something else
    local stop = match_from(at, anchored and 2 or 1)
    if stop then
      done = done + 1
      local value
      if kind == "string" then
        value = expand(replacement, at, stop)
      elseif kind == "table" then
        value = replacement[capture(1, at, stop)]
      else
        local size, found = captures(at, stop, true)
        value = replacement(unpack(found, 1, size))
      end
      if not value then
        value = sub(text, at, stop - 1)
      elseif type(value) ~= "string" and type(value) ~= "number" then
        fail("invalid replacement value (a " .. type(value) .. ")")
      end
      count = count + 1
      parts[count] = value
    end
    if stop and stop > at then
      at = stop
    elseif at <= #text then
      count = count + 1
      parts[count] = sub(text, at, at)
      at = at + 1
    else
      break
    end
    if anchored then break end
  end
  count = count + 1
  parts[count] = sub(text, at)
  return concat(parts), done
end

local REPLACEMENTS = { string = true, number = true, table = true, ["function"] = true }

local function safe_gsub(subject, pattern, replacement, limit)
  local text, pat = texts(subject, pattern)
  if not text or not REPLACEMENTS[type(replacement)] or (limit ~= nil and type(limit) ~= "number") then
    return gsub(subject, pattern, replacement, limit)
  end
  -- A function runs in Lua only: nested callbacks of the built-in gsub take 10 KB of C stack each, and a script that
  -- recurses through them would end the process.
  local cost = type(replacement) == "function" and huge or steps(#text, pat, byte(pat, 1) == 94)
  if cost <= NOTED_STEPS then return gsub(text, pat, replacement, limit) end
  if cost <= MAX_STEPS then
    guard.charge(cost)
    return gsub(text, pat, replacement, limit)
  end
  if type(replacement) == "number" then replacement = tostring(replacement) end
  local result, count = interruptible(slow_gsub, text, pat, replacement, limit or #text + 1)
  return result, count
end

return { find = safe_find, match = safe_match, gmatch = safe_gmatch, gsub = safe_gsub }
