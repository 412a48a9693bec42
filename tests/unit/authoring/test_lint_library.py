"""The table of library names says what the engine has."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.authoring.lint.library import (
    AVAILABLE,
    KUBE_SIGNATURES,
    MODULES,
    NOT_PORTABLE,
    REPLACEMENTS,
    RESULT_TYPES,
    UNAVAILABLE,
)
from interpreter.engines.lua.engine import LuaEngine
from interpreter.engines.lua.scripts import Script


def run(body: str, argument: Any) -> Any:
    source = f'local kube = require("kube")\nfunction ReflectStatus(obj)\n{body}\nend\n'
    return LuaEngine().call(Script("test/reflect", source, "ReflectStatus"), [argument])[0]


def test_every_available_name_is_there() -> None:
    body = """
    local missing = {}
    for _, name in ipairs(obj.names) do
      local library, member = name:match("^(%w+)%.(%w+)$")
      local value
      if library == "kube" then value = kube[member]
      elseif library then value = _G[library][member]
      else value = _G[name] end
      if value == nil then missing[#missing + 1] = name end
    end
    return table.concat(missing, " ")
    """
    assert run(body, {"names": sorted(AVAILABLE)}) == ""


@pytest.mark.parametrize("library", sorted(MODULES - {"_G"}))
def test_a_library_has_nothing_that_the_table_does_not_know(library: str) -> None:
    body = f"""
    local names = {{}}
    for name in pairs(require("{library}")) do names[#names + 1] = "{library}." .. name end
    return names
    """
    assert set(run(body, {})) - AVAILABLE <= set(UNAVAILABLE)


def test_globals_are_in_one_table_or_the_other() -> None:
    body = "local n = {} for name in pairs(_G) do n[#n + 1] = name end return n"
    known = AVAILABLE | set(UNAVAILABLE)
    assert set(run(body, {})) - known == {"ReflectStatus"}


@pytest.mark.parametrize("name", sorted(UNAVAILABLE))
def test_an_unavailable_name_is_absent_or_refuses_to_be_called(name: str) -> None:
    body = f"""
    local ok, value = pcall(function() return {name} end)
    if not ok or value == nil then return "absent" end
    return pcall(value, {{}}) and "works" or "refuses"
    """
    assert run(body, {}) in ("absent", "refuses")


def test_the_tables_do_not_contradict_each_other() -> None:
    assert not AVAILABLE & set(UNAVAILABLE)
    assert not AVAILABLE & set(REPLACEMENTS)
    assert set(NOT_PORTABLE) | set(KUBE_SIGNATURES) | set(RESULT_TYPES) <= AVAILABLE
