"""Commands, one module each: argument parsing and printing only.

A command module holds a click command named ``command``. It is imported when its command runs, so
that ``interpret --help`` stays fast; what a command computes lives in the rooms below.
"""
