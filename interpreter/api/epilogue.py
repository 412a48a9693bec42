"""Health scripts for Karmada, whose answer is a boolean: what a bundle puts behind such a script.

Here a script may answer with a table (status, reason, message). A bundle for Karmada ends such a
script with an epilogue that turns the table into the boolean; whoever reads the bundle here takes
it off again, so that no status is lost on the way.
"""

from __future__ import annotations

from typing import Final

_EPILOGUE: Final = """
-- interpret bundle: for Karmada, whose health is a boolean; taken off when it is read back.
local interpretHealth = InterpretHealth
function InterpretHealth(obj)
  local health = interpretHealth(obj)
  if health == nil or health == true or health == false then
    return health
  end
  if health.healthy ~= nil then
    return health.healthy
  end
  return health.status == "Healthy" or health.status == "Suspended"
end
"""


def with_epilogue(script: str) -> str:
    """A health script, with the epilogue behind it."""
    return script + _EPILOGUE


def without_epilogue(script: str) -> str:
    """A script without the epilogue; one whose epilogue was changed is left as it is."""
    bare = script.rstrip()
    ending = _EPILOGUE.rstrip()
    return bare.removesuffix(ending) if bare.endswith(ending) else script
