"""The pytest plugin: found by its entry point, light, and of use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TEST = """\
from pathlib import Path

import pytest
from interpreter import handles
from interpreter.testing import assert_case, assert_conforms, custom_resource, find_cases


@handles("example.com/v1", "Widget")
class Widget:
    def get_replicas(self, obj):
        return obj["spec"]["size"]


@pytest.mark.parametrize("case", find_cases(Path(__file__).parent))
def test_case(case, make_interpreter):
    assert_case(case, make_interpreter(Widget))


def test_widget_conforms():
    assert_conforms(Widget, custom_resource("example.com/v1", "Widget", spec={"size": 1}))
"""
CASES = """\
- name: the size is the count
  object: {apiVersion: example.com/v1, kind: Widget, spec: {size: 3}}
  want: 3
- name: another
  object: {apiVersion: example.com/v1, kind: Widget, spec: {size: 3}}
  want: 4
- name: not yet
  skip: later
  object: {apiVersion: example.com/v1, kind: Widget, spec: {size: 3}}
  want: 4
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder of tests, and beside it the metadata of an installed kit."""
    (tmp_path / "tests" / "cases").mkdir(parents=True)
    (tmp_path / "tests" / "test_widget.py").write_text(TEST)
    (tmp_path / "tests" / "cases" / "get_replicas.yaml").write_text(CASES)
    metadata = tmp_path / "site" / "kit-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: kit\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[pytest11]\nresource_interpreter = interpreter.testing.pytest_plugin\n"
    )
    return tmp_path


def run(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(project / "site"), str(ROOT)])
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        cwd=project,
        env={**os.environ, "PYTHONPATH": paths, "PYTEST_ADDOPTS": ""},
        timeout=120,
    )


def test_a_project_has_the_fixture_and_a_test_for_each_case(project: Path) -> None:
    done = run(project, "-m", "pytest", "-v", "-p", "no:randomly", "-p", "no:cacheprovider")
    assert "[GetReplicas: the size is the count] PASSED" in done.stdout
    assert "[GetReplicas: another] FAILED" in done.stdout
    assert "[GetReplicas: not yet] SKIPPED (later)" in done.stdout
    assert "get_replicas.yaml:4: another\n" in done.stdout
    assert "want differs: want 4, got 3" in done.stdout
    assert "1 failed, 2 passed, 1 skipped" in done.stdout


def test_who_does_not_use_it_imports_nothing_for_it(project: Path) -> None:
    code = (
        "import sys, pytest\n"
        "before = {name.split('.')[0] for name in sys.modules}\n"
        "pytest.main(['-q', '--collect-only', '-p', 'no:randomly', 'nothing'])\n"
        "print(' '.join(sorted(name for name in sys.modules if name.startswith('interpreter'))))\n"
        "print({'yaml', 'pydantic', 'orjson', 'lupa'} & set(sys.modules))\n"
    )
    (project / "nothing").mkdir()
    *_, ours, heavy = run(project, "-c", code).stdout.splitlines()
    assert ours == "interpreter interpreter.testing interpreter.testing.pytest_plugin"
    assert heavy == "set()"


SERVING = """\
import pytest
from interpreter import handles
from interpreter.errors import EngineError
from interpreter.testing import custom_resource, served


@handles("example.com/v1", "Widget")
class Widget:
    def get_replicas(self, obj):
        print("x" * obj["spec"].get("printed", 0), flush=True)
        return obj["spec"]["size"]


def test_over_grpc(serve_interpreter):
    client = serve_interpreter("--plugins", "test_serving:Widget")
    widget = custom_resource("example.com/v1", "Widget", spec={"size": 4})
    assert client.get_replicas(widget).replicas == 4


def test_what_a_plugin_prints_holds_nothing_up(serve_interpreter):
    client = serve_interpreter("--plugins", "test_serving:Widget")
    widget = custom_resource("example.com/v1", "Widget", spec={"size": 4, "printed": 200_000})
    assert client.get_replicas(widget).replicas == 4


def test_what_cannot_be_served_says_why():
    with pytest.raises(EngineError, match="no plugin named 'missing'"):
        with served("--plugins", "missing"):
            pass
"""


def test_a_project_can_ask_its_plugin_over_grpc(project: Path) -> None:
    (project / "tests" / "test_serving.py").write_text(SERVING)
    done = run(project, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_serving.py")
    assert "3 passed" in done.stdout, done.stdout
