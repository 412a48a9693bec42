"""Whether a kind of the catalogue has a namespace."""

from __future__ import annotations

from interpreter.catalogue.folders import CORE_FOLDER
from interpreter.catalogue.kind_files import KIND_FILE, read_kind_file
from interpreter.catalogue.location import bundled_scripts
from interpreter.errors import ConfigurationError


def bundled_scope(group: str, kind: str) -> str | None:
    """Scope of a kind by its ``kind.yaml``; all versions of a kind have one scope.

    Args:
        group: API group, empty for the core group.
        kind: The kind.

    Returns:
        ``Namespaced`` or ``Cluster``; None when the catalogue does not know the kind or its scope.

    Raises:
        InvalidCustomization: The file holds something else than it may.
    """
    if "/" in group or "/" in kind or ".." in (group, kind):
        return None
    try:
        top = bundled_scripts() / (group or CORE_FOLDER)
    except ConfigurationError:
        return None
    if not top.is_dir():
        return None
    for version in sorted(top.iterdir()):
        folder = version / kind
        if (folder / KIND_FILE).is_file():
            scope = read_kind_file(folder).scope
            if scope is not None:
                return scope
    return None
