"""What installed plugins cost those who do not use them, in one run.

Prints medians over interleaved rounds; asserts nothing. Start-up is everything that a process pays
for plugins: the scan of the metadata, making an interpreter, the first call of a kind that no
plugin claims. A call is one for such a kind afterwards.
"""

from __future__ import annotations

import contextlib
import importlib
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "registry"))

from sites import install

from interpreter import ResourceInterpreter
from interpreter.registry.plugin_sources import installed

ROUNDS = 41
CALLS = 2000
MANY = 50
POD: dict[str, Any] = {"apiVersion": "v1", "kind": "Pod", "status": {"phase": "Running"}}


def write_site(folder: Path, count: int, *, declared: bool = True) -> Path:
    """A folder with installed plugins, each for a kind of its own."""
    folder.mkdir()
    for number in range(count):
        module, kind = f"{folder.name}_{number}", f"Kind{number}"
        text = (
            "from interpreter import handles\n"
            f'@handles("example.com/v1", "{kind}")\n'
            "class Plugin:\n"
            "    def interpret_health(self, obj):\n"
            "        return True\n"
        )
        install(
            folder,
            f"{folder.name}-{number}",
            files={f"{module}.py": text},
            plugins={f"plugin-{number}": f"{module}:Plugin"},
            kinds={f"example.com/v1/{kind}": f"{module}:Plugin"} if declared else None,
        )
    return folder


@contextlib.contextmanager
def in_front(folder: Path) -> Iterator[None]:
    """A process that finds the folder and has scanned nothing yet."""
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    installed.cache_clear()
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def start(folder: Path) -> float:
    """Milliseconds of a start with the plugins of a folder."""
    with in_front(folder):
        begun = time.perf_counter()
        with ResourceInterpreter() as ri:
            ri.interpret_health(POD)
            return (time.perf_counter() - begun) * 1e3


def call(ri: ResourceInterpreter) -> float:
    """Microseconds of a call."""
    begun = time.perf_counter()
    for _ in range(CALLS):
        ri.interpret_health(POD)
    return (time.perf_counter() - begun) / CALLS * 1e6


def main() -> None:
    """Prints both tables."""
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        none = write_site(top / "none", 0)
        sites = {
            "1 plugin": write_site(top / "one", 1),
            f"{MANY} plugins": write_site(top / "many", MANY),
        }
        undeclared = write_site(top / "undeclared", MANY, declared=False)
        _print_starts(none, sites)
        _print_calls(
            {
                "no plugins": none,
                f"{MANY} plugins, none loaded": sites[f"{MANY} plugins"],
                f"{MANY} plugins, all loaded": undeclared,
            }
        )


def _print_starts(none: Path, sites: dict[str, Path]) -> None:
    start(none)  # imports what every start needs
    bare: list[float] = []
    added: dict[str, list[float]] = {name: [] for name in sites}
    for _ in range(ROUNDS):
        bare.append(start(none))
        for name, folder in sites.items():
            added[name].append(start(folder) - bare[-1])
    print(f"start without plugins       {statistics.median(bare):7.2f} ms, {ROUNDS} rounds")
    for name, found in added.items():
        print(f"{name + ', unused, add':<27} {statistics.median(found):7.2f} ms")


def _print_calls(sites: dict[str, Path]) -> None:
    with contextlib.ExitStack() as made:
        interpreters = {}
        for name, folder in sites.items():
            with in_front(folder):
                interpreters[name] = made.enter_context(ResourceInterpreter())
                interpreters[name].interpret_health(POD)
        rounds = [{name: call(ri) for name, ri in interpreters.items()} for _ in range(ROUNDS)]
    for name in sites:
        middle = statistics.median(one[name] for one in rounds)
        ratio = statistics.median(one[name] / one["no plugins"] for one in rounds)
        print(f"call, {name:<26} {middle:5.2f} us, ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
