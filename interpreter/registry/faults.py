"""What foreign code may do to its caller instead of answering, and how that is told."""

from __future__ import annotations

import sys
from typing import Final

from interpreter.errors import InterpreterError

#: Longest text of a foreign exception: it may quote a whole manifest.
_LONGEST_TEXT = 2000
#: Exceptions that are a failure of the code that they leave, as far as no import is needed.
FAULTS: Final = (Exception, SystemExit, GeneratorExit, BaseExceptionGroup)


def is_fault(error: BaseException) -> bool:
    """Whether an exception that left foreign code is a failure of that code.

    Ending the process, a generator or a task is none of a plugin's business. What is left
    (``KeyboardInterrupt``, the outcomes of test tools) is meant for whoever runs the process.
    """
    if isinstance(error, FAULTS):
        return True
    # Not imported for this: without it nobody can have raised its exception.
    asyncio = sys.modules.get("asyncio")
    return asyncio is not None and isinstance(error, asyncio.CancelledError)


def told(error: BaseException) -> str:
    """An exception for people: ``ValueError: no such thing``; one of this package as it is."""
    if isinstance(error, InterpreterError):
        return str(error)
    return f"{type(error).__name__}: {_text(error)}"


def _text(error: BaseException) -> str:
    try:
        text = str(error)
    except BaseException as problem:
        if not is_fault(problem):
            raise
        return "<its text cannot be made>"
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"
