"""The kit as a whole: every name that it offers is there."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

from interpreter import testing


def test_every_exported_name_exists() -> None:
    assert sorted(testing.__all__) == sorted(testing._HOMES)
    assert all(getattr(testing, name) is not None for name in testing.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        testing.nonsense  # noqa: B018


def test_no_name_is_that_of_a_module() -> None:
    # An import of the module would put it in the place of the name.
    modules = {module.name for module in pkgutil.iter_modules(testing.__path__)}
    assert modules.isdisjoint(testing.__all__)
    assert all(importlib.import_module(f"interpreter.testing.{home}") for home in modules)
