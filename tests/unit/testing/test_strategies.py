"""Strategies: what they make is valid, and every interpreter can read it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

from interpreter import ResourceInterpreter
from interpreter.codec.json import check_json
from interpreter.machinery.quantity import parse
from interpreter.testing import strategies as kube

_FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
KINDS = {
    "Deployment": kube.deployments(),
    "StatefulSet": kube.statefulsets(),
    "Job": kube.jobs(),
    "Pod": kube.pods(),
    "Service": kube.services(),
    "CronTab": kube.custom_resources("stable.example.com/v1", "CronTab"),
}


@pytest.fixture(scope="module")
def ri() -> Any:
    with ResourceInterpreter(plugins=None) as made:
        yield made


@pytest.mark.parametrize("kind", KINDS)
@_FEW
@given(data=st.data())
def test_objects_are_json_of_their_kind_that_native_handlers_read(
    ri: Any, kind: str, data: Any
) -> None:
    obj = data.draw(KINDS[kind])
    check_json(obj)
    assert obj["kind"] == kind
    for explanation in ri.explain(obj):
        assert explanation.error is None, explanation


@_FEW
@given(name=kube.names(max_size=63), labels=kube.label_maps())
def test_names_and_labels_are_valid(name: str, labels: dict[str, str]) -> None:
    assert re.fullmatch(r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?", name)
    for key, value in labels.items():
        assert re.fullmatch(r"(example\.com/)?[a-z][a-z0-9-]*", key)
        assert value == "" or re.fullmatch(r"[a-z][a-z0-9-]*", value)


@_FEW
@given(quantity=kube.quantities())
def test_quantities_are_quantities(quantity: str) -> None:
    assert parse(quantity).sign >= 0


_READY = st.fixed_dictionaries({}, optional={"readyReplicas": kube.counts(max_value=100)})


@_FEW
@given(obj=kube.deployments(), items=kube.status_items(_READY), context=kube.hook_contexts())
def test_items_and_contexts_fit_the_operations(ri: Any, obj: Any, items: Any, context: Any) -> None:
    status = ri.aggregate_status(obj, items, context=context).get("status", {})
    ready = sum(item.get("status", {}).get("readyReplicas", 0) for item in items)
    assert status.get("readyReplicas", 0) == ready


def test_values_that_tests_tend_to_forget_are_found() -> None:
    for wanted in (
        lambda value: value == [],
        lambda value: value == {},
        lambda value: isinstance(value, int) and value > 2**53,
        lambda value: isinstance(value, dict) and None in value.values(),
    ):
        find(kube.json_values(), wanted, settings=settings(max_examples=5000))
    assert find(kube.counts(), lambda count: count > 10**6) == 10**6 + 1
    assert find(kube.conditions("Synced"), lambda one: one["status"] == "Unknown") == {
        "type": "Synced",
        "status": "Unknown",
    }
