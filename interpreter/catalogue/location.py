"""Where the scripts that belong to this package are."""

from __future__ import annotations

from pathlib import Path

from interpreter.errors import ConfigurationError

FOLDER = "lua_scripts"
_PACKAGE = Path(__file__).parents[1]


def bundled_scripts() -> Path:
    """The folder of the bundled scripts.

    A wheel has it inside the package; a checkout and an editable install have it beside the
    package.

    Raises:
        ConfigurationError: It is in neither place: the installation is damaged.
    """
    for folder in (_PACKAGE / "_bundled" / FOLDER, _PACKAGE.parent / FOLDER):
        if folder.is_dir():
            return folder
    raise ConfigurationError(
        f"the package's own {FOLDER} are missing beside {_PACKAGE}",
        hint="install the package again, or leave out the tier bundled",
    )
