"""Texts of a new plugin project; ``$name`` is a place for :class:`string.Template`."""

from __future__ import annotations

from string import Template
from typing import Final

PYPROJECT: Final = Template("""\
[build-system]
requires = ["hatchling>=1.24"]
build-backend = "hatchling.build"

[project]
name = "$name"
version = "0.1.0"
description = "What a control plane has to know about $kinds"
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["resource-interpreter"]

[project.optional-dependencies]
test = ["resource-interpreter[testing]"]

[project.entry-points."resource_interpreter.plugins"]
$name = "$module"

# Declared here, the kinds are known without importing the module. They have to be those of its
# classes: what is not declared is not asked, and assert_conforms says so.
[project.entry-points."resource_interpreter.kinds"]
$declared

[tool.hatch.build.targets.wheel]
packages = ["src/$module"]

[tool.pytest.ini_options]
testpaths = ["tests"]
addopts = ["--import-mode=importlib", "--strict-markers", "--strict-config"]
""")

MODULE: Final = Template('''\
"""What a control plane has to know about $kinds.

A hook takes the arguments that it needs, by name, and returns None where it is not responsible; the
tiers below are asked then. Its objects are copies, but change a copy of them all the same: the test
kit insists. Further hooks: get_components, retain, reflect_status, get_dependencies, prune.
"""

from __future__ import annotations

from typing import Any

from interpreter import Health, ReplicaResult, handles
$classes''')

CLASS: Final = Template('''\


$decorators
class $class_name:
    """$described."""

    def get_replicas(self, obj: dict[str, Any]) -> ReplicaResult:
        """How many copies run; the second value may say what each of them needs."""
        return ReplicaResult(obj.get("spec", {}).get("replicas", 1))

    def revise_replica(self, obj: dict[str, Any], replicas: int) -> dict[str, Any]:
        """The object with another count."""
        return {**obj, "spec": {**obj.get("spec", {}), "replicas": replicas}}

    def aggregate_status(
        self, obj: dict[str, Any], items: list[dict[str, Any]] | None
    ) -> dict[str, Any]:
        """What the members report, as one status."""
        statuses = [item.get("status") or {} for item in items or ()]
        ready = sum(status.get("readyReplicas", 0) for status in statuses)
        return {**obj, "status": {"readyReplicas": ready}}

    def interpret_health(self, obj: dict[str, Any]) -> Health:
        """How the object fares in a member."""
        wanted = obj.get("spec", {}).get("replicas", 1)
        ready = obj.get("status", {}).get("readyReplicas", 0)
        if ready >= wanted:
            return Health("Healthy")
        return Health("Progressing", "NotReady", f"{ready} of {wanted} replicas are ready")
''')

TESTS: Final = Template('''\
"""The cases beside this file, and everything that a control plane relies on."""

from __future__ import annotations

from pathlib import Path

from interpreter.testing import assert_conforms, custom_resource, run_plugin_cases

CASES = Path(__file__).with_name("cases")
KINDS = [
$kinds
]
EXAMPLES = [
    custom_resource(api_version, kind, spec={"replicas": 2}, status={"readyReplicas": 1})
    for api_version, kind in KINDS
]


def test_the_cases_hold_and_every_hook_has_one() -> None:
    report = run_plugin_cases(CASES, plugins=["$name"])
    assert report.ok(), report.text()


def test_the_plugin_conforms() -> None:
    assert_conforms("$name", *EXAMPLES)
''')

README: Final = Template("""\
# $name

Answers a control plane's questions about $kinds.

```text
pip install -e '.[test]'
interpret plugins --load
interpret explain -f object.yaml --answered
pytest
```

* `src/$module` is the plugin: a class with hooks for each kind.
* `pyproject.toml` registers it (`resource_interpreter.plugins`) and declares its kinds
  (`resource_interpreter.kinds`).
* `tests/cases` says what comes out: inputs and answers, a file for each hook.
  `interpret test --plugins $name` runs them, too, and writes observed answers with `--update`.
""")
