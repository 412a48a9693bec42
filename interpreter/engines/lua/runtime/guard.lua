-- The limits of a call: deadline, memory, and the errors that no script may catch.

local heap_bytes, now = ...

local error, type, select, next = error, type, select, next
local raw_pcall = pcall
local match = string.match
local sethook, getinfo = debug.sethook, debug.getinfo
local count_memory = collectgarbage

local guard = { heap_bytes = heap_bytes }

-- The name scripts are compiled under: it starts every message of theirs, as in the reference.
local CHUNK = "=<string>"
-- The name of the files beside this one.
local OWN_PLACE = "^interpreter:%d+: (.*)$"
local FATAL = {}
guard.CHUNK, guard.FATAL = CHUNK, FATAL

-- Instructions between two hooks, and hooks between two looks at the clock. A single instruction can take 13 ms when
-- strings are large (`text + 0` on 16 MB): with a large heap (KiB) every hook looks, with a huge one they come more often.
local INTERVAL, SHORT_INTERVAL = 100, 20
local PATIENCE = 10
local LARGE_HEAP, HUGE_HEAP = 4096, 12288

local deadline = 0
local ticks = 0
local work = 0
local lines  -- line -> true in a traced run

-- Line of the innermost script function that is running, or nil.
local function script_line()
  for level = 2, 300 do
    local info = getinfo(level, "Sl")
    if not info then return nil end
    if info.source == CHUNK then return info.currentline end
  end
end
guard.script_line = script_line

function guard.raise(kind)
  if not guard.fatal then
    guard.fatal = kind
    guard.fatal_line = script_line()
  end
  error(FATAL, 0)
end
local raise = guard.raise

----------------------------------------------------------------------------------------------------------------
-- The clock.

local function look_at_clock()
  if guard.fatal then error(FATAL, 0) end
  if now() > deadline then raise("timeout") end
end

-- Tells of work (about 10 ns a unit) that a library function is about to do out of sight of the hook.
function guard.charge(amount)
  work = work + amount
  if work > 100000 then
    work = 0
    look_at_clock()
  end
end

-- Collector pauses (percent). A runtime at rest holds below 1 MB: waiting for 4 MB saves most of the collector's work.
-- A large heap must be collected early, because nothing collects when the limit is reached.
local RELAXED, CAREFUL = 400, 120
local careful, hurried = false, false

local function hook()
  ticks = ticks + 1
  local heap = count_memory("count")
  if heap > LARGE_HEAP then
    ticks = PATIENCE
    if not careful then
      careful = true
      count_memory("setpause", CAREFUL)
    end
    if heap > HUGE_HEAP and not hurried and not lines then
      hurried = true
      sethook(guard.hook, "", SHORT_INTERVAL)
    end
  end
  if ticks >= PATIENCE then
    ticks = 0
    look_at_clock()
  end
end
guard.hook = hook

-- Which lines run: for coverage, and to find the line of a failure that left no frame behind.
local function trace_hook(event, line)
  if event == "count" then return hook() end
  if getinfo(2, "S").source == CHUNK then
    lines[line] = true
    guard.last_line = line
  end
end

function guard.reset(until_when, tracing)
  deadline, ticks, work = until_when, 0, 0
  guard.fatal, guard.fatal_line, guard.last_line, guard.seeded = nil, nil, nil, false
  lines, hurried = tracing and {} or nil, false
  if careful then
    careful = false
    count_memory("setpause", RELAXED)
  end
end
count_memory("setpause", RELAXED)
count_memory("setstepmul", 400)

function guard.arm(tracing)
  if tracing then
    sethook(trace_hook, "l", INTERVAL)
  else
    sethook(hook, "", INTERVAL)
  end
end

function guard.disarm() sethook() end

-- The last line of a traced run, then all lines.
function guard.take_lines()
  local found = { guard.last_line or 0 }
  for line in next, lines or {} do found[#found + 1] = line end
  lines = nil
  return found
end

----------------------------------------------------------------------------------------------------------------
-- Protected calls for scripts.

-- A message without a place in the files beside this one.
function guard.clean(text) return match(text, OWN_PLACE) or text end

-- What a pcall caught: goes on raising what no script may catch. Exceptions of the host are such, too: they would
-- be objects with attributes.
local function recheck(problem)
  if guard.fatal then error(FATAL, 0) end
  if problem == "not enough memory" then raise("memory") end
  local kind = type(problem)
  if kind == "userdata" then raise("host") end
  if kind == "string" then return match(problem, OWN_PLACE) or problem end
  return problem
end

local function finish(ok, problem, ...)
  if ok then return true, problem, ... end
  return false, recheck(problem)
end

local function safe_pcall(...)
  if select("#", ...) == 0 then error("bad argument #1 to 'pcall' (value expected)", 2) end
  return finish(raw_pcall(...))
end
guard.pcall = safe_pcall

local function handled(handler, ok, ...)
  if ok then return true, ... end
  -- The handler runs after unwinding: as a real error handler no hook would stop it.
  return false, select(2, safe_pcall(handler, (...)))
end

function guard.xpcall(f, handler, ...)
  if handler == nil then error("bad argument #2 to 'xpcall' (value expected)", 2) end
  return handled(handler, safe_pcall(f, ...))
end

return guard
