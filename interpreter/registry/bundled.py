"""The bundled tier: the package's own script folders, read group by group when first asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.api.operation import Operation
from interpreter.catalogue.folders import ANY_FOLDER, CORE_FOLDER, find_folders
from interpreter.machinery.gvk import GVK
from interpreter.registry.tiers import Implementation

if TYPE_CHECKING:
    from interpreter.engines.lua.engine import LuaEngine


class BundledTier:
    """Scripts of a folder ``<group>/<version>/<Kind>/<operation>.lua``.

    Only the names of groups are read at first, and no engine is made: most processes ask about few
    of them. Folders whose group is a pattern are read at the first question. Safe to share between
    threads.
    """

    tier = "bundled"

    def __init__(self, top: Path, engine: Callable[[], LuaEngine]) -> None:
        """Lists the groups.

        Args:
            top: The folder of groups.
            engine: Gives what runs the scripts.
        """
        self._top = top
        self._engine = engine
        self._unread = {folder.name for folder in top.iterdir() if folder.is_dir()}
        self._table: dict[tuple[GVK, Operation], Implementation] = {}
        self._patterns: list[Implementation] = []
        self._lock = threading.Lock()

    def find(self, gvk: GVK, operation: Operation) -> Sequence[Implementation]:
        """The kind's most specific script for the operation, or none.

        Raises:
            InvalidCustomization: A folder of its group cannot be used.
        """
        self._read(gvk.group or CORE_FOLDER)
        for group in [name for name in self._unread if name[0] == ANY_FOLDER]:
            self._read(group)
        found = self._table.get((gvk, operation))
        if found is not None:
            return (found,)
        for row in self._patterns:
            if row.operation is operation and row.gvk.matches(gvk):
                return (row,)
        return ()

    def all(self) -> Iterable[Implementation]:
        """All scripts, for each kind and pattern that they serve, in the order of these.

        Raises:
            InvalidCustomization: A folder cannot be used.
        """
        for group in sorted(self._unread):
            self._read(group)
        # Groups were read in the order in which somebody asked about them.
        return sorted(self._table.values(), key=lambda row: row.gvk)

    def _read(self, group: str) -> None:
        if group not in self._unread:
            return
        from interpreter.registry.script_folders import folder_rows

        with self._lock:
            if group in self._unread:
                for folder in find_folders(self._top / group):
                    for row in folder_rows(self.tier, folder, self._engine()):
                        self._table[row.gvk, row.operation] = row
                self._patterns = sorted(
                    (row for row in self._table.values() if row.gvk.is_pattern),
                    key=lambda row: row.gvk.generality,
                )
                # Last: who sees a group as read finds all of it in the table.
                self._unread.discard(group)
