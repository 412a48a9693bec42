"""``python -m interpreter`` is ``interpret``."""

from interpreter.cli.main import main

main()
