"""Which changes are looked at."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from propagation_samples import config_map, deployment, policy

from interpreter.errors import ConfigurationError
from interpreter.propagation.claiming import claimed
from interpreter.propagation.events import is_watched, skip_patterns, update_event
from interpreter.propagation.selection import PolicyIndex


@pytest.mark.parametrize(
    ("namespace", "name", "watched"),
    [
        ("prod", "a", True),
        ("karmada-system", "a", False),
        ("karmada-es-m1", "a", False),
        ("kube-system", "a", True),
        ("kube-system", "extension-apiserver-authentication", False),
        ("other", "extension-apiserver-authentication", True),
    ],
)
def test_the_control_plane_and_one_config_map_are_not_watched(
    namespace: str, name: str, watched: bool
) -> None:
    assert is_watched(config_map(name, namespace)) is watched


def test_patterns_of_the_option_match_whole_namespaces() -> None:
    skipped = skip_patterns(["kube-.*", "a|b"])
    assert not is_watched(config_map(namespace="kube-system"), skipped=skipped)
    assert is_watched(config_map(namespace="my-kube-x"), skipped=skipped)
    assert not is_watched(config_map(namespace="b"), skipped=skipped)
    assert is_watched(config_map(namespace="ab"), skipped=skipped)


def test_a_pattern_that_matches_everything_hits_cluster_scoped_objects_too() -> None:
    everything = skip_patterns([".*"])
    assert not is_watched({"kind": "Node", "metadata": {"name": "n"}}, skipped=everything)


def test_a_broken_pattern_is_an_error_that_shows_it() -> None:
    with pytest.raises(ConfigurationError, match=r"cannot be used.*'kube-\('"):
        skip_patterns(["kube-("])


def changed(template: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    new = copy.deepcopy(template)
    for key, value in metadata.items():
        if isinstance(value, dict):
            new["metadata"].setdefault(key, {}).update(value)
        else:
            new["metadata"][key] = value
    return new


LAZY = PolicyIndex([policy(activationPreference="Lazy")])
HELD = claimed(deployment(), policy())


def test_bookkeeping_is_no_change() -> None:
    new = changed(HELD, resourceVersion="2", managedFields=[{}])
    assert update_event(HELD, {**new, "status": {"replicas": 1}}, policies=LAZY) == (False, False)


@pytest.mark.parametrize(
    ("metadata", "by_system"),
    [
        ({"labels": {"x.karmada.io/a": "1"}, "generation": 7}, True),
        ({"annotations": {"policy.karmada.io/a": "1"}}, True),
        ({"labels": {"x.karmada.io/a": "1", "app": "web"}}, False),
        ({"labels": {"namespace.karmada.io/skip-auto-propagation": "true"}}, False),
    ],
)
def test_marks_of_the_system_are_its_own_change_under_a_lazy_policy(
    metadata: dict[str, Any], by_system: bool
) -> None:
    new = changed(HELD, **metadata)
    assert update_event(HELD, new, policies=LAZY) == (True, by_system)
    eager = PolicyIndex([policy()])
    assert update_event(HELD, new, policies=eager) == (True, False)
    assert update_event(HELD, new, policies=PolicyIndex()) == (True, False)


def test_a_template_that_nobody_claims_is_always_changed_by_its_users() -> None:
    new = changed(deployment(), labels={"x.karmada.io/a": "1"})
    assert update_event(deployment(), new, policies=LAZY) == (True, False)
