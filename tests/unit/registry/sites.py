"""Installed distributions, as files that a process finds: modules and their metadata."""

from __future__ import annotations

from pathlib import Path


def install(
    site: Path,
    distribution: str,
    *,
    files: dict[str, str],
    plugins: dict[str, str] | None = None,
    kinds: dict[str, str] | None = None,
    packs: dict[str, str] | None = None,
    version: str = "1.0",
) -> None:
    """Writes what an installer would: the files, and the entry points in the metadata."""
    for name, text in files.items():
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    metadata = site / f"{distribution.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
    )
    groups = {"plugins": plugins, "kinds": kinds, "lua_packs": packs}
    lines = []
    for group, points in groups.items():
        if points:
            lines.append(f"[resource_interpreter.{group}]")
            lines += [f"{name} = {value}" for name, value in points.items()]
    (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n")
