"""Serving a ``ResourceInterpreter``: the life of the process, and its listeners.

A listener answers one protocol at one address. ``lifecycle`` starts and stops all of them.
"""
