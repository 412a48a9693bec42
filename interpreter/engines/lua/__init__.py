"""Lua scripts of ResourceInterpreterCustomization documents.

``engine`` is the door: ``LuaEngine`` runs a script on JSON values. ``vm`` holds LuaJIT (through
lupa) with its limits, ``convert`` brings JSON into Lua and back without loss, ``runtime/*.lua`` is
what runs inside, ``results`` checks answers, ``customizations`` says which script answers for a
kind, ``process`` runs scripts in worker processes.
"""
