"""Environments of their own for tests: empty, but for what an installer puts there.

Nothing is downloaded: the dependencies of this project are those of the interpreter that runs the
tests, by a path file; this project and the plugins are built and installed.
"""

from __future__ import annotations

import importlib.util
import os
import site
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment.

    Attributes:
        folder: Where it is.
    """

    folder: Path

    @property
    def scripts(self) -> Path:
        """The folder of its commands."""
        return self.folder / ("Scripts" if os.name == "nt" else "bin")

    def install(self, *projects: Path) -> None:
        """Builds projects and installs them, without their dependencies."""
        arguments = ["-m", "pip", "--python", str(self.scripts / "python"), "install"]
        arguments += ["--quiet", "--no-deps", "--disable-pip-version-check"]
        if importlib.util.find_spec("hatchling") is not None:
            # The build backend is there already; elsewhere pip gets it.
            arguments.append("--no-build-isolation")
        done = self._run([sys.executable, *arguments, *map(str, projects)], self.folder)
        assert done.returncode == 0, done.stderr

    def run(self, *command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Runs a command of the environment, ``python`` or an installed one."""
        return self._run([str(self.scripts / command[0]), *command[1:]], cwd)

    def pytest(self, project: Path) -> subprocess.CompletedProcess[str]:
        """Runs the tests of a project, as its README says."""
        plain = ("-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:xdist")
        return self.run("python", "-m", "pytest", *plain, cwd=project)

    def _run(self, command: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
        own = {name: text for name, text in os.environ.items() if _is_neutral(name)}
        return subprocess.run(
            command, capture_output=True, text=True, cwd=cwd, env=own, timeout=300, check=False
        )


def _is_neutral(name: str) -> bool:
    """Whether a variable says nothing about the environment that runs the tests."""
    return not name.startswith(("PYTHON", "PYTEST", "COV_", "RESOURCE_INTERPRETER_", "VIRTUAL_"))


def new_environment(folder: Path) -> Environment:
    """An environment with this project in it."""
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    environment = Environment(folder)
    paths = sysconfig.get_paths(vars={"base": str(folder), "platbase": str(folder)}, scheme="venv")
    known = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *site.getsitepackages()}
    own = Path(paths["purelib"])
    own.mkdir(parents=True, exist_ok=True)
    # Behind its own packages, and without the path files there: an editable install stays out.
    (own / "dependencies.pth").write_text("\n".join(sorted(known)) + "\n")
    environment.install(ROOT)
    return environment
