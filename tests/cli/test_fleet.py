"""The example's fleet: the whole pipeline with every kind of policy, as README plans it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_commands import ROOT, interpret

FLEET = str(ROOT / "examples" / "fleet")
PLUGIN = ROOT / "plugins" / "fleet-rules" / "src"

MATRIX = {
    "Job shop/reindex": {"frankfurt": 8, "virginia": 4},
    "SearchIndex shop/products": {"dublin": 2, "frankfurt": 3, "virginia": 3},
    "FlinkDeployment data/clickstream": {"virginia": 5},
    "RayCluster data/recommender": {"ohio": None},
    "ConfigMap shop/shop-settings": dict.fromkeys(["dublin", "frankfurt", "mumbai", "virginia"]),
    "Secret shop/checkout-keys": dict.fromkeys(["frankfurt", "mumbai"]),
    "Deployment shop/frontend": {"dublin": 6, "frankfurt": 8, "virginia": 10},
    "Service shop/frontend": dict.fromkeys(["dublin", "frankfurt", "mumbai", "virginia"]),
    "Deployment shop/edge-proxy": {"dublin": 2, "frankfurt": 2, "mumbai": 2, "virginia": 2},
    "Deployment shop/catalog": {"dublin": 2, "frankfurt": 3, "virginia": 4},
    "Deployment shop/checkout": {"frankfurt": 9, "mumbai": 11},
    "StatefulSet shop/cart": {"frankfurt": 4, "virginia": 2},
}


def planned(*arguments: str) -> str:
    """What is printed; nothing may be wrong, and nothing is noted."""
    done = interpret("plan", "-f", FLEET, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@cache
def table() -> str:
    return planned()


def matrix(text: str) -> dict[str, dict[str, int | None]]:
    """Template, cluster, replicas: None where it is placed without any."""
    lines = text.split("\n\n")[0].splitlines()
    names = lines[0].split()[2:]
    rows = {}
    for line in lines[1:]:
        kind, name, _replicas, *cells = line.split()
        rows[f"{kind} {name}"] = {
            cluster: None if cell == "yes" else int(cell)
            for cluster, cell in zip(names, cells, strict=True)
            if cell != "-"
        }
    return rows


@cache
def manifests() -> dict[tuple[str, str], dict[str, Any]]:
    """What members get, by reference and cluster."""
    found = {}
    for work in json.loads(planned("-o", "json"))["items"]:
        (obj,) = work["spec"]["workload"]["manifests"]
        metadata = obj["metadata"]
        cluster = work["metadata"]["namespace"].removeprefix("karmada-es-")
        found[f"{obj['kind']} {metadata['namespace']}/{metadata['name']}", cluster] = obj
    return found


def container(template: str, cluster: str) -> dict[str, Any]:
    (one,) = manifests()[template, cluster]["spec"]["template"]["spec"]["containers"]
    found: dict[str, Any] = one
    return found


def test_every_template_lands_where_its_policy_says() -> None:
    assert matrix(table()) == MATRIX


def test_works_are_those_of_the_matrix() -> None:
    assert set(manifests()) == {(name, each) for name, row in MATRIX.items() for each in row}


@pytest.mark.parametrize(
    ("field", "templates"),
    [
        pytest.param("replicas", ["Deployment", "StatefulSet"], id="replicas"),
        pytest.param("shards", ["SearchIndex"], id="by the customization of its own"),
        pytest.param("parallelism", ["Job"], id="parallelism"),
    ],
)
def test_members_get_the_scheduler_s_numbers(field: str, templates: list[str]) -> None:
    rows = {name: row for name, row in MATRIX.items() if name.split()[0] in templates}
    assert rows
    for name, row in rows.items():
        assert {each: manifests()[name, each]["spec"][field] for each in row} == row


def test_completions_are_shared_like_the_job_s_replicas() -> None:
    job = {
        each: manifests()["Job shop/reindex", each]["spec"] for each in ("frankfurt", "virginia")
    }
    assert {each: spec["completions"] for each, spec in job.items()} == {
        "frankfurt": 32,
        "virginia": 16,
    }


def test_a_kind_without_a_rule_for_its_number_keeps_its_own() -> None:
    flink = manifests()["FlinkDeployment data/clickstream", "virginia"]["spec"]
    ray = manifests()["RayCluster data/recommender", "ohio"]["spec"]
    assert flink["jobManager"]["replicas"] == 1
    assert "replicas" not in flink["taskManager"]
    assert ray["workerGroupSpecs"][0]["replicas"] == 3


def test_components_are_placed_whole_with_the_gate() -> None:
    text = planned("--feature-gates", "MultiplePodTemplatesScheduling=true")
    assert matrix(text) == {**MATRIX, "FlinkDeployment data/clickstream": {"virginia": None}}
    assert "RayCluster data/recommender       1+3" in text


def test_europe_has_its_registry_and_asks_for_consent() -> None:
    name = "Deployment shop/frontend"
    assert container(name, "dublin")["image"] == "registry.eu.example.com/shop/frontend:5.2.0"
    assert container(name, "dublin")["args"] == ["--port=8080", "--consent=required"]
    assert container(name, "virginia")["image"] == "registry.example.com/shop/frontend:5.2.0"
    assert container(name, "virginia")["args"] == ["--port=8080"]


@pytest.mark.parametrize(
    ("cluster", "currency", "level"),
    [("dublin", "EUR", "info"), ("mumbai", "INR", "debug"), ("virginia", "USD", "info")],
)
def test_the_currency_is_that_of_the_region(cluster: str, currency: str, level: str) -> None:
    data = manifests()["ConfigMap shop/shop-settings", cluster]["data"]
    assert f"currency: {currency}\n" in data["shop.yaml"]
    assert data["LOG_LEVEL"] == level


def test_every_object_says_its_region() -> None:
    regions = {"dublin": "eu", "frankfurt": "eu", "mumbai": "ap", "ohio": "us", "virginia": "us"}
    for (_name, cluster), obj in manifests().items():
        assert obj["metadata"]["labels"]["fleet.example.com/region"] == regions[cluster]


@pytest.mark.parametrize(
    "row",
    [
        (
            "Deployment shop/checkout",
            "PropagationPolicy shop/checkout",
            "Aggregated",
            "selects by name, PropagationPolicy shop/web by labels",
        ),
        (
            "Deployment shop/frontend",
            "ohio",
            "cluster(s) had untolerated taint {nvidia.com/gpu=present:NoSchedule}",
        ),
        (
            "FlinkDeployment data/clickstream",
            "mumbai, ohio, singapore",
            "cluster(s) did not have the API resource",
        ),
        ("SearchIndex shop/products", "ConfigMap shop/shop-settings"),
        ("Deployment shop/checkout", "Secret shop/checkout-keys"),
    ],
)
def test_the_plan_says_why(row: tuple[str, ...]) -> None:
    rows = [re.split(r" {2,}", line) for line in table().splitlines()]
    assert list(row) in rows


def test_the_readme_shows_this_plan() -> None:
    _, _, shown = (ROOT / "README.md").read_text().partition("$ interpret plan -f examples/fleet\n")
    shown = shown.partition("```")[0]
    lines = iter(table().splitlines())
    for line in shown.splitlines():
        assert line == "…" or line in lines, "not in the plan, or not there"
    assert shown.startswith(table().split("\n\n")[0])


@pytest.mark.parametrize(
    "options",
    [
        ("-o", "yaml"),
        ("-o", "json"),
        ("--explain", "products"),
        ("--diff", f"{FLEET}/clusters.yaml", "-o", "yaml"),
    ],
    ids=" ".join,
)
def test_two_processes_print_the_same(options: tuple[str, ...]) -> None:
    assert planned(*options) == planned(*options)


def test_no_cluster_gets_more_than_it_has() -> None:
    assert "52%->100% of 24" in table()
    assert "31 Works in 5 clusters" in table()


def test_the_story_of_checkout_tells_of_its_overflow() -> None:
    story = planned("--explain", "Deployment/shop/checkout")
    assert "mumbai: score 0, takes 11" in story
    assert "frankfurt: score 0, takes 34, overflow 1" in story
    assert "virginia: score 0, takes 45, overflow 2" in story


def test_the_end_of_a_maintenance_is_a_difference(tmp_path: Path) -> None:
    new = tmp_path / "fleet"
    shutil.copytree(FLEET, new)
    clusters = new / "clusters.yaml"
    text = clusters.read_text()
    taint = "  taints:\n    - {key: maintenance, value: kernel, effect: NoSchedule}\n"
    assert taint in text
    clusters.write_text(text.replace(taint, ""))

    done = interpret("plan", "-f", str(new), "--diff", FLEET)
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["singapore", "Deployment", "shop/checkout", "added", "-", "->", "20"] in lines
    assert ["mumbai", "Deployment", "shop/checkout", "removed", "11", "->", "-"] in lines


def with_plugin(*arguments: str) -> str:
    """A plan with the example's plugin, which need not be installed for it."""
    command = [sys.executable, "-m", "interpreter", "plan", "-f", FLEET, *arguments]
    done = subprocess.run(
        [*command, "--plugins", "fleet_rules:FleetRules"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(PLUGIN)])},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_a_plugin_s_score_decides_between_clusters_with_room() -> None:
    # Both clusters that know Ray have room; the dearer one loses.
    row = {"RayCluster data/recommender": {"virginia": None}}
    assert matrix(with_plugin()) == {**MATRIX, **row}


def test_a_plugin_s_filter_is_told_with_the_others(tmp_path: Path) -> None:
    text = (ROOT / "examples" / "fleet" / "clusters.yaml").read_text()
    clusters = tmp_path / "clusters.yaml"
    clusters.write_text(text.replace("tenants: data", "tenants: research"))
    story = with_plugin("--clusters", str(clusters), "--explain", "recommender")
    assert "ohio: cluster(s) are kept for other tenants" in story


def test_the_page_is_written_and_says_so(tmp_path: Path) -> None:
    page = tmp_path / "plan.html"
    done = interpret("plan", "-f", FLEET, "--html", str(page))
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"{page}: 12 templates, 6 clusters\n"
    assert page.read_text().startswith('<!doctype html>\n<html lang="en">')


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        pytest.param(["--explain", "cart"], 2, "leave out --explain and --diff", id="a story"),
        pytest.param(["--diff", FLEET], 2, "leave out --explain and --diff", id="differences"),
        pytest.param([], 1, "No such file or directory", id="no folder"),
    ],
)
def test_a_page_that_cannot_be_is_an_error(
    arguments: list[str], code: int, told: str, tmp_path: Path
) -> None:
    page = str(tmp_path / "missing" / "plan.html")
    done = interpret("plan", "-f", FLEET, "--html", page, *arguments)
    assert done.returncode == code
    assert told in done.stderr
