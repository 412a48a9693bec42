-- RecommendationProvided is the goal; a selector without pods and an unsupported configuration wait for a correction.
local FAULTS = { NoPodsMatched = true, ConfigUnsupported = true }

local function answer(status, condition, reason, message)
  return { status = status, reason = condition.reason or reason, message = condition.message or message }
end

function InterpretHealth(obj)
  local provided = {}
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  for _, condition in ipairs((obj.status or {}).conditions or {}) do
    if FAULTS[condition.type] and condition.status == "True" then
      return answer("Degraded", condition, condition.type)
    elseif condition.type == "RecommendationProvided" then
      provided = condition
    end
  end
  if provided.status == "True" then
    return answer("Healthy", provided, provided.type)
  end
  return answer("Progressing", provided, "NoRecommendation", "the recommender has not come to a recommendation yet")
end
