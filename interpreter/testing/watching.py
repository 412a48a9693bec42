"""``--watch``: has anything changed that a run reads?

Modification times are compared, which needs no service of the system.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

_SUFFIXES = (".lua", ".py", ".yaml", ".yml")
_Stamp = tuple[int, int]


def snapshot(paths: Iterable[Path]) -> dict[str, _Stamp]:
    """Modification time and size of scripts, Python and YAML files; a file is its folder."""
    stamps: dict[str, _Stamp] = {}
    for path in paths:
        for file in _files(_watched(path)):
            try:
                status = os.stat(file)
            except OSError:
                continue  # gone between the listing and now
            stamps[file] = (status.st_mtime_ns, status.st_size)
    return stamps


def _watched(path: Path) -> Path:
    """A file's cases lie beside or one above it, and so do the scripts of a case file."""
    if path.is_dir():
        return path
    folder = path.parent
    return (
        folder.parent
        if folder.name in ("cases", "testdata") or folder.suffix == ".cases"
        else folder
    )


def _files(folder: Path) -> Iterator[str]:
    for name, folders, files in os.walk(folder):
        folders[:] = [
            each for each in folders if not each.startswith(".") and each != "node_modules"
        ]
        for file in files:
            if file.endswith(_SUFFIXES):
                yield os.path.join(name, file)


def wait_for_change(
    paths: Iterable[Path],
    before: dict[str, _Stamp],
    *,
    interval_seconds: float = 0.3,
    sleep: Callable[[float], None] = time.sleep,
) -> dict[str, _Stamp]:
    """Blocks until something below the paths differs from ``before``; gives the new snapshot."""
    watched = list(paths)
    while True:
        now = snapshot(watched)
        if now != before:
            return now
        sleep(interval_seconds)
