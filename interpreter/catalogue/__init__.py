"""Folders of Lua scripts: what they hold, what they say about a kind, where the bundled ones are.

A new kind is new files only: nothing here, nor anywhere else in the package, names one.
"""
