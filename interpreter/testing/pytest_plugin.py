"""Fixtures and names for pytest, found by the entry point group ``pytest11``.

pytest loads this module wherever the package is installed, so it imports nothing of the package
until a test asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from interpreter.facade import ResourceInterpreter
    from interpreter.rpc import Client


@pytest.fixture
def make_interpreter() -> Iterator[Callable[..., ResourceInterpreter]]:
    """Makes interpreters for tests of plugins, which are closed when the test ends.

    Takes plugins as :class:`~interpreter.facade.ResourceInterpreter` does, each as an argument of
    its own: objects, names of installed plugins, paths. What is wrong about one is an error at
    once.

        def test_it(make_interpreter):
            assert make_interpreter(CronTab).get_replicas(TABLE).replicas == 3
    """
    from interpreter.testing.plugin_cases import strict_interpreter

    with ExitStack() as made:
        yield lambda *plugins: made.enter_context(strict_interpreter(plugins))


@pytest.fixture
def serve_interpreter() -> Iterator[Callable[..., Client]]:
    """Serves plugins over gRPC on a loopback address; the servers end when the test does.

    Takes arguments of ``interpret serve`` and gives a connected client, whose methods are those of
    :class:`~interpreter.facade.ResourceInterpreter`.

        def test_it(serve_interpreter):
            client = serve_interpreter("--plugins", "widget_plugin:Widget")
            assert client.get_replicas(WIDGET).replicas == 2
    """
    from interpreter.testing.serving import served

    with ExitStack() as servers:
        yield lambda *arguments: servers.enter_context(served(*arguments))


def pytest_make_parametrize_id(val: Any) -> str | None:
    """A case is called by its operation and its name."""
    # By its name: who has no cases does not import what they are.
    if f"{type(val).__module__}.{type(val).__qualname__}" != "interpreter.testing.cases.Case":
        return None
    return f"{val.operation or 'file'}: {val.name}"
