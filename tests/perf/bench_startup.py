"""CPU time of starting the command, next to starting Python alone, in one run."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

ROUNDS = 15


def cpu(*arguments: str) -> float:
    """User and system milliseconds of one process."""
    before = os.times()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    spent = after.children_user + after.children_system
    return (spent - before.children_user - before.children_system) * 1e3


def main() -> None:
    """Prints medians and the ratio."""
    commands = {
        "python -c pass": ("-c", "pass"),
        "interpret --help": ("-m", "interpreter", "--help"),
        "interpret kinds": ("-m", "interpreter", "kinds"),
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, arguments in commands.items():
            times[name].append(cpu(*arguments))
    bare = statistics.median(times["python -c pass"])
    for name, found in times.items():
        middle = statistics.median(found)
        print(f"{name:<18} {middle:7.1f} ms of CPU, {middle / bare:5.1f} x bare Python")


if __name__ == "__main__":
    main()
