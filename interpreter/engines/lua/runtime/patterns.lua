-- Lua patterns that end: string.find, match, gmatch and gsub under the deadline.
--
-- The built-in matcher is C code that no hook interrupts, and a pattern with k repetitions can take n^k steps. So its
-- worst case is estimated first; a call that might be costly runs in the matcher of `matcher.lua`, which is
-- interruptible. None is refused for its cost alone.

local guard, matcher = ...

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
local BROKEN, fail, set_end = matcher.BROKEN, matcher.fail, matcher.set_end
local load_state, match_from, seek = matcher.load, matcher.match_from, matcher.seek
local capture, captures = matcher.capture, matcher.captures

----------------------------------------------------------------------------------------------------------------
-- Cost.

local REPETITION = { [42] = true, [43] = true, [45] = true, [63] = true }  -- * + - ?

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

-- Runs work of the matcher; its errors point at the caller of the library function.
local function interruptible(work, ...)
  local ok, a, b, c = pcall(work, ...)
  if ok then return a, b, c end
  if a == BROKEN then error(BROKEN[1], 3) end
  error(a, 0)
end

local function slow_search(subject, pattern, init)
  load_state(subject, pattern)
  if init > #subject + 1 then init = #subject + 1 end
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
  if at > #text + 1 then return nil end
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

local function expand(template, text, first, stop)
  local parts, count, i, size = {}, 0, 1, #template
  while i <= size do
    local c = byte(template, i)
    if c == 37 then
      local d = byte(template, i + 1)
      if d == 48 then
        count = count + 1
        parts[count] = sub(text, first, stop - 1)
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
        value = expand(replacement, text, at, stop)
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
