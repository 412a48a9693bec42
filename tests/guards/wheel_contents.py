"""Compares a wheel with the checkout: the package and its scripts, every file and nothing else.

Run by ``.ci/run`` on the wheel that it built: ``python tests/guards/wheel_contents.py dist/*.whl``.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def main(wheel: str) -> None:
    """Exits with a message when the listings differ."""
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    listed = subprocess.run(
        ["git", "ls-files", "interpreter", "lua_scripts"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    tracked = {
        f"interpreter/_bundled/{name}" if name.startswith("lua_scripts/") else name
        for name in listed.stdout.splitlines()
    }
    if packed != tracked:
        sys.exit(f"only in the wheel: {packed - tracked}; not in the wheel: {tracked - packed}")
    print(f"{Path(wheel).name}: {len(packed)} files, as in the checkout")


if __name__ == "__main__":
    main(sys.argv[1])
