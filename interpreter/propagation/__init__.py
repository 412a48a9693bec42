"""Propagation: from templates and policies to what each member cluster gets.

Everything here is a function of its arguments: objects, feature gates, times and the interpreter
are handed in, new objects are handed back. Nothing is read, written or waited for, and no input is
changed. Results share with their inputs what is not edited.
"""
