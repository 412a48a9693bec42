"""The story of a template."""

from __future__ import annotations

import pytest
from plan_samples import DYNAMIC, cluster, config_map, deployment, only, override, planned, policy

from interpreter.planning import Step, TemplatePlan, story_of


def steps(template: TemplatePlan) -> dict[str, Step]:
    return {step.title: step for step in story_of(template)}


def test_a_story_goes_from_policy_to_works() -> None:
    image = {"imageOverrider": [{"component": "Tag", "operator": "replace", "value": "2"}]}
    tainted = cluster("m3", taints=[{"key": "gpu", "effect": "NoSchedule"}])
    web = only(
        planned(
            cluster("m1", region="eu", cpu="20"),
            cluster("m2", region="us"),
            tainted,
            deployment(needs="settings"),
            config_map(),
            policy(
                placement={
                    "replicaScheduling": DYNAMIC,
                    "spreadConstraints": [
                        {"spreadByField": "region", "minGroups": 1, "maxGroups": 1}
                    ],
                },
                propagateDeps=True,
            ),
            policy("zzz"),
            override("tag", image, clusterNames=["m1"]),
        )
    )

    told = [(step.title, step.summary, step.details) for step in story_of(web)]

    assert told[:-1] == [
        (
            "policy",
            (
                "PropagationPolicy shop/web: as PropagationPolicy shop/zzz, "
                "and web comes first by name"
            ),
            (
                "1. PropagationPolicy shop/web: priority 0, selects by name",
                "2. PropagationPolicy shop/zzz: priority 0, selects by name",
            ),
        ),
        (
            "binding",
            "ResourceBinding shop/web-deployment: 3 replicas of cpu 1 each",
            ("strategy DynamicWeight", "spread by region, 1 to 1"),
        ),
        (
            "filter",
            "2 of 3 clusters left",
            ("m3: cluster(s) had untolerated taint {gpu:NoSchedule}",),
        ),
        (
            "score",
            "1 of 2 selected, best first",
            (
                "by region: eu 3000, us 3000",
                "m1: score 0, takes 20",
                "m2: score 0, takes 10, not selected",
            ),
        ),
        ("schedule", "1 cluster", ("m1: 3",)),
        ("dependencies", "1 travel with it", ("ConfigMap shop/settings",)),
        (
            "overrides",
            "applied in 1 cluster",
            ("m1: OverridePolicy shop/tag: image tag replace 2",),
        ),
    ]
    title, summary, details = told[-1]
    assert (title, summary, len(details)) == ("works", "1 Work", 1)
    assert details[0].startswith("m1: karmada-es-m1/web-")
    assert details[0].endswith(", 3 replicas")


def test_a_story_says_for_whom_an_object_travels() -> None:
    plan = planned(
        cluster("m1"), deployment(needs="settings"), config_map(), policy(propagateDeps=True)
    )

    story = steps(only(plan, "settings"))

    assert story["policy"].summary == "no policy selects it"
    assert story["required"].details == ("m1: for Deployment shop/web",)
    assert "schedule" not in story


def test_a_story_says_what_failed() -> None:
    web = only(planned(cluster("m1", cpu="1"), deployment(), policy(
        placement={"replicaScheduling": DYNAMIC}
    )))  # fmt: skip

    story = steps(web)

    assert story["schedule"].summary.startswith("failed: failed to assign replicas: ")
    assert story["errors"].summary == "1 error"
    assert story["errors"].details[0].startswith("schedule: Deployment shop/web: ")


@pytest.mark.parametrize("needed", [False, True])
def test_a_story_of_what_stays_is_short(needed: bool) -> None:
    objects = [deployment(needs="settings")] if needed else []

    story = story_of(only(planned(cluster("m1"), *objects, config_map()), "settings"))

    assert [step.title for step in story] == ["policy"]
    assert story[0].summary == (
        "no policy selects it, and nothing that is placed depends on it: it stays in the control "
        "plane"
    )
