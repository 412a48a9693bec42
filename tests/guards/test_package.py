"""What must stay true of the package as a whole."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import interpreter
from interpreter.cli.main import COMMANDS, group

ROOT = Path(__file__).parents[2]
#: Libraries that cost time to import; nothing may need them before there is work for them.
HEAVY = (
    *("yaml", "orjson", "jsonpatch", "jsonpath_ng", "pydantic", "lupa", "rich", "pluggy", "numpy"),
    *(
        "grpc",
        "google.protobuf",
        "prometheus_client",
        "uvicorn",
        "urllib3",
        "cryptography",
        "ssl",
        "asyncio",
    ),
)
GENERATED = ROOT / "interpreter" / "rpc" / "v1"
MODULES = sorted(path for path in (ROOT / "interpreter").rglob("*.py") if path.parent != GENERATED)


def loaded_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(' '.join(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("import interpreter", id="the package"),
        pytest.param("import interpreter.manifests", id="manifests"),
        pytest.param(
            "from interpreter.cli.main import group\ngroup.main(['--help'], standalone_mode=False)",
            id="help",
        ),
    ],
)
def test_importing_costs_no_heavy_library(code: str) -> None:
    assert loaded_after(code).isdisjoint(HEAVY)


def test_engines_of_unused_tiers_are_not_imported() -> None:
    code = (
        "from interpreter import ResourceInterpreter\n"
        "ResourceInterpreter(plugins=None, tiers=('generic',)).start()"
    )
    assert not {
        name for name in loaded_after(code) if name.startswith("interpreter.engines.native")
    }


def test_every_exported_name_exists() -> None:
    assert sorted(interpreter.__all__) == sorted(interpreter._HOMES)
    assert all(getattr(interpreter, name) is not None for name in interpreter.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        interpreter.nonsense  # noqa: B018


def test_every_command_has_a_module_and_its_help_line() -> None:
    modules = {path.stem for path in (ROOT / "interpreter" / "cli").glob("*.py")}
    for name in COMMANDS:
        module = name.replace("-", "_")
        assert module in modules
        command = importlib.import_module(f"interpreter.cli.{module}").command
        assert command.name == name
    assert group.list_commands(None) == list(COMMANDS)  # type: ignore[arg-type]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_says_what_it_holds_and_stays_readable(path: Path) -> None:
    text = path.read_text()
    assert text.startswith(('"""', 'r"""')), "no module docstring"
    assert len(text.splitlines()) <= 400, "a room for two: split it"


def test_the_readme_has_exactly_two_setup_commands() -> None:
    text = (ROOT / "README.md").read_text()
    blocks = re.findall(r"<!-- (\S+) -->\n```sh\n(.*?)```", text, re.DOTALL)
    assert [name for name, _command in blocks] == ["main-job", "test-command"]
    for _name, command in blocks:
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install ")
        assert len(command.strip().splitlines()) == 1
    assert text.count("```sh") == 2


def test_documents_link_to_files_that_exist() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_documents_name_every_setting_and_every_command() -> None:
    text = "".join(
        page.read_text() for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    )
    from dataclasses import fields

    from interpreter import Settings

    for setting in fields(Settings):
        assert f"RESOURCE_INTERPRETER_{setting.name.upper()}" in text
    for command in COMMANDS:
        assert f"interpret {command}" in text


def test_documents_name_an_operation_to_explain_by_its_option() -> None:
    operations = "|".join(operation.value for operation in interpreter.Operation)
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        assert not re.search(rf"interpret explain (?:{operations})\b", page.read_text()), page.name


def test_a_session_makes_the_certificates_that_it_uses() -> None:
    text = (ROOT / "docs/karmada.md").read_text()
    used = re.search(r"--cacert (\S+)", text)
    assert used is not None
    assert f"> {used[1]}\n" in text[: used.start()]
