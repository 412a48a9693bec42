-- Finding what the encoder refused: slow, with paths, and only after a failure.

local limits, decoder = ...

local sort = table.sort
local huge = math.huge
local next, type, tostring = next, type, tostring

local MAX_DEPTH = limits.depth
local EXACT = 2 ^ 53
-- Values looked at.
local MAX_SEARCHED = 50000

local exact, has_large

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
return function(first, second)
  searched = 0
  local _
  _, _, _, _, exact, has_large = decoder.special()
  local problem, path = search(first, "", 0, {})
  if not problem then problem, path = search(second, "", 0, {}) end
  return problem or "cannot be converted", path or ""
end
