"""Whatever the objects look like: an answer or an error of ours, and nothing lost on the way."""

from __future__ import annotations

import copy
import functools
import math
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interpreter import ResourceInterpreter
from interpreter.api.operation import Operation
from interpreter.api.results import Health
from interpreter.errors import InterpreterError, InvalidObject, NoInterpreter
from interpreter.manifests import read, read_documents
from interpreter.operations import OPERATIONS

Obj = dict[str, Any]

EXAMPLES = Path(__file__).parents[3] / "examples"
OBJECTS: list[Obj] = [manifest.obj for manifest in read([str(EXAMPLES / "shop")])]
ITEMS: list[Obj] = [
    entry.value for entry in read_documents([str(EXAMPLES / "status-items" / "frontend.yaml")])
]


def _container(name: str) -> Obj:
    reference = {"name": "r", "key": "k"}
    return {
        "name": name,
        "env": [{"name": "A", "valueFrom": {"configMapKeyRef": reference}}, {"name": "B"}],
        "envFrom": [{"secretRef": {"name": "r"}}, {"configMapRef": {"name": "r"}}],
        "resources": {"requests": {"cpu": "1", "a.io/gpu": 1}, "limits": {"memory": "1Gi"}},
        "volumeMounts": [{"name": "v"}],
    }


#: What people rarely write, and handlers read all the same.
RICH_POD_SPEC: Obj = {
    "serviceAccountName": "sa",
    "nodeName": "n",
    "restartPolicy": "Always",
    "nodeSelector": {"a": "b"},
    "tolerations": [{"operator": "Exists"}],
    "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {}}},
    "overhead": {"cpu": "1m"},
    "containers": [_container("c")],
    "initContainers": [_container("i")],
    "ephemeralContainers": [_container("e")],
    "imagePullSecrets": [{"name": "p"}],
    "volumes": [
        {"projected": {"sources": [{"secret": {"name": "s"}}, {"configMap": {"name": "c"}}]}},
        {"csi": {"nodePublishSecretRef": {"name": "s"}}},
        {"azureFile": {"secretName": "s"}},
        {"persistentVolumeClaim": {"claimName": "c"}},
    ],
}
RICH_POD_STATUS: Obj = {
    "phase": "Failed",
    "reason": "",
    "containerStatuses": [
        {"name": "c", "ready": False, "state": {"terminated": {"exitCode": 1, "reason": "Error"}}},
    ],
    "initContainerStatuses": [
        {"name": "i", "state": {"waiting": {"reason": "CrashLoopBackOff", "message": "m"}}}
    ],
}


def _rich(api_version: str, kind: str, spec: Obj, status: Obj, **fields: Any) -> Obj:
    annotations = {"resourcetemplate.karmada.io/generation": "1", "mine": "x"}
    labels = {"resourcetemplate.karmada.io/retain-replicas": "true"}
    metadata = {"name": "o", "generation": 1, "annotations": annotations, "labels": labels}
    head = {"apiVersion": api_version, "kind": kind, "metadata": metadata}
    return copy.deepcopy({**head, "spec": spec, "status": status, **fields})


_REQUESTS = {"requests": {"cpu": "1"}}
_TEMPLATE = {
    "metadata": {"labels": {"job-name": "o"}},
    "spec": {"serviceAccountName": "sa", "containers": [{"name": "c", "resources": _REQUESTS}]},
}
_ENTRY = {"ip": "i", "hostname": "h", "ipMode": "VIP", "ports": [{"port": 1, "error": "e"}]}
_TRUE = {"type": "Complete", "status": "True", "reason": "r", "message": "m"}
_TIME = "2026-01-01T00:00:00Z"
RICH: list[Obj] = [
    _rich("v1", "Pod", RICH_POD_SPEC, RICH_POD_STATUS),
    _rich("v1", "Pod", RICH_POD_SPEC, {**RICH_POD_STATUS, "phase": "Running"}),
    _rich(
        "apps/v1",
        "Deployment",
        {"replicas": 2, "paused": False, "template": _TEMPLATE},
        {"replicas": 1, "conditions": [{**_TRUE, "type": "Progressing"}]},
    ),
    _rich(
        "apps/v1",
        "StatefulSet",
        {
            "replicas": 2,
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 1}},
            "volumeClaimTemplates": [{"metadata": {"name": "c"}}],
            "template": _TEMPLATE,
        },
        {"readyReplicas": 2, "observedGeneration": 1, "updateRevision": "a", "updatedReplicas": 1},
    ),
    _rich(
        "batch/v1",
        "Job",
        {"parallelism": 2, "completions": 3, "selector": {"matchLabels": {"a": "b"}}},
        {"conditions": [{**_TRUE, "type": "Failed"}], "startTime": _TIME, "completionTime": _TIME},
    ),
    _rich("batch/v1", "Job", {"template": _TEMPLATE}, {"active": 1, "startTime": _TIME}),
    _rich(
        "batch/v1",
        "CronJob",
        {"jobTemplate": {"spec": {"template": _TEMPLATE}}},
        {"active": [{"name": "a"}], "lastScheduleTime": _TIME},
    ),
    _rich("v1", "Service", {"type": "LoadBalancer"}, {"loadBalancer": {"ingress": [_ENTRY]}}),
    _rich(
        "networking.k8s.io/v1",
        "Ingress",
        {"tls": [{"secretName": "s"}]},
        {"loadBalancer": {"ingress": [_ENTRY]}},
    ),
    _rich(
        "policy/v1",
        "PodDisruptionBudget",
        {},
        {
            "currentHealthy": 1,
            "disruptedPods": {"p": _TIME},
            "conditions": [{**_TRUE, "type": "DisruptionAllowed", "reason": "SyncFailed"}],
        },
    ),
    _rich("v1", "ServiceAccount", {}, {}, secrets=[{"name": "o-token-1"}]),
    _rich("v1", "Secret", {}, {}, type="kubernetes.io/service-account-token", data={"a": "b"}),
    _rich("multicluster.x-k8s.io/v1alpha1", "ServiceImport", {}, {}),
    _rich("stable.example.com/v1", "Tab", {}, {"phase": "Ready", "conditions": [_TRUE]}),
]
OBJECTS += RICH

RI = ResourceInterpreter(plugins=None)
BY_KIND = {str(obj["kind"]): obj for obj in reversed(OBJECTS)}
OBJECT_OPERATIONS = [operation for operation, spec in OPERATIONS.items() if spec.returns_object]

#: Fields that handlers look for, so that mutations put odd values where somebody reads.
FIELDS = [
    "active",
    "affinity",
    "annotations",
    "claimRef",
    "clusterIP",
    "conditions",
    "configMap",
    "containerStatuses",
    "containers",
    "cpu",
    "currentHealthy",
    "data",
    "disruptedPods",
    "env",
    "envFrom",
    "exitCode",
    "generation",
    "hostname",
    "imagePullSecrets",
    "ingress",
    "initContainers",
    "ip",
    "ipMode",
    "jobTemplate",
    "labels",
    "limits",
    "loadBalancer",
    "matchLabels",
    "memory",
    "metadata",
    "name",
    "namespace",
    "nodeAffinity",
    "nodeName",
    "nodeSelector",
    "observedGeneration",
    "overhead",
    "parallelism",
    "partition",
    "paused",
    "phase",
    "ports",
    "projected",
    "readyReplicas",
    "replicas",
    "requests",
    "resourceTemplateGeneration",
    "resources",
    "secretName",
    "secrets",
    "selector",
    "serviceAccountName",
    "sources",
    "spec",
    "startTime",
    "state",
    "status",
    "template",
    "terminated",
    "tls",
    "tolerations",
    "type",
    "updateStrategy",
    "valueFrom",
    "volumeMounts",
    "volumeName",
    "volumes",
    "waiting",
]
ODD_TEXTS = [
    "",
    "a",
    "1",
    "500m",
    "1e9999",
    "1Gi",
    "True",
    "Running",
    "Failed",
    "default",
    "x" * 70,
]
ODD_TEXTS += [
    "a\nb",
    "\u00e9\ud800",
    "2026-01-01T00:00:00Z",
    "9999-12-31T23:59:59-23:59",
    "Complete",
]
TEXTS = st.sampled_from(ODD_TEXTS) | st.text(max_size=5)
NUMBERS = (
    st.sampled_from([0, -1, 1, 3.0, 0.5, -0.0, 2**31, 2**63, -(2**64), 10**400, 1e300])
    | st.sampled_from([math.nan, math.inf, -math.inf])
    # Python refuses to write this one out, so not even a strategy may hold it.
    | st.builds(pow, st.just(10), st.just(5000))
    | st.integers()
    | st.floats()
)
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS
KEYS = st.sampled_from(FIELDS) | TEXTS
ODD_KEYS = KEYS | st.none() | st.booleans() | st.integers(-3, 3) | st.just((1, "a"))


def nested(depth: int, *, lists: bool) -> Any:
    """A value of many levels, built without recursion."""
    value: Any = []
    for _ in range(depth):
        value = [value] if lists else {"a": value}
    return value


DEEP = st.builds(
    lambda depth, lists: nested(depth, lists=lists), st.sampled_from([50, 400]), st.booleans()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ODD_KEYS, inner, max_size=3),
    max_leaves=5,
)


def mutate(draw: st.DrawFn, value: Any, *, fixed: tuple[str, ...] = ()) -> None:
    """Changes a value in one place; top-level fields in ``fixed`` stay."""
    container, top = value, True
    while True:
        keys = list(container) if isinstance(container, dict) else list(range(len(container)))
        if top:
            keys = [key for key in keys if key not in fixed]
        if not keys:
            return
        key = draw(st.sampled_from(keys))
        inner = container[key]
        # Three steps of four lead down: what is read lies deep in most kinds.
        if not isinstance(inner, (dict, list)) or not inner or draw(st.integers(0, 3)) == 0:
            break
        container, top = inner, False
    kind = draw(st.sampled_from(["replace", "replace", "remove", "add", "add", "double", "deep"]))
    if kind == "replace":
        container[key] = draw(VALUES)
    elif kind == "remove":
        del container[key]
    elif kind == "add" and isinstance(container, dict):
        new = draw(ODD_KEYS)
        if not (top and new in fixed):
            container[new] = draw(VALUES)
    elif kind == "double" and isinstance(container, list):
        container.insert(key, container[key])
    elif kind == "deep":
        container[key] = draw(DEEP)


@st.composite
def mutants(draw: st.DrawFn, *, kinds: bool = True, of: str | None = None) -> Obj:
    """An example with up to four mutations; ``kinds``: it still says what it is."""
    originals = [obj for obj in OBJECTS if of in (None, obj["kind"])]
    obj: Obj = copy.deepcopy(draw(st.sampled_from(originals)))
    for _ in range(draw(st.integers(1, 4))):
        mutate(draw, obj, fixed=("apiVersion", "kind") if kinds else ())
    return obj


@st.composite
def item_lists(draw: st.DrawFn, kind_name: str) -> Any:
    """Status items: the given ones or statuses of the same kind, mutated, or no list at all."""
    alike = [obj for obj in OBJECTS if obj["kind"] == kind_name]
    kind = draw(st.sampled_from(["none", "empty", "given", "own", "own", "odd"]))
    if kind == "none":
        return None
    if kind == "odd":
        return draw(VALUES)
    if kind == "empty":
        return []
    items = copy.deepcopy(ITEMS)
    if kind == "own":
        sources = draw(st.lists(st.sampled_from(alike), min_size=1, max_size=3))
        items = [
            {"clusterName": f"m{index}", "status": copy.deepcopy(source.get("status"))}
            for index, source in enumerate(sources)
        ]
    for _ in range(draw(st.integers(0, 3))):
        mutate(draw, items)
    return items


REPLICAS = st.integers(0, 9) | st.sampled_from([True, False, None, "3", 2.0, -1, 2**31, math.nan])


def calls(obj: Any, observed: Any, items: Any, replicas: Any) -> dict[str, Callable[[], Any]]:
    """Every operation of the facade on the same inputs."""
    return {
        "get_replicas": lambda: RI.get_replicas(obj),
        "get_components": lambda: RI.get_components(obj),
        "revise_replica": lambda: RI.revise_replica(obj, replicas),
        "retain": lambda: RI.retain(obj, observed),
        "aggregate_status": lambda: RI.aggregate_status(obj, items),
        "reflect_status": lambda: RI.reflect_status(obj),
        "interpret_health": lambda: RI.interpret_health(obj),
        "get_dependencies": lambda: RI.get_dependencies(obj),
        "prune": lambda: RI.prune(obj, remove_job_ttl=bool(replicas)),
    }


def answer(call: Callable[[], Any]) -> Any:
    """What an operation gives, or its error; anything but an error of ours escapes."""
    try:
        return call()
    except InterpreterError as error:
        text = str(error)
        assert text
        assert len(text) < 4000, "an error repeats what it was given"
        return error


def check(name: str, result: Any) -> None:
    """The least that can be said about any answer."""
    if isinstance(result, Health):
        assert isinstance(result.healthy, bool)
        for text in (result.reason, result.message):
            assert len(text.splitlines()) <= 1
    elif isinstance(result, Exception) or name == "reflect_status":
        pass
    elif name in {"get_components", "get_dependencies"}:
        assert isinstance(result, list)
        for entry in result:
            entry.to_dict()
    elif name == "get_replicas":
        assert 0 <= result.replicas < 2**31
        result.to_dict()
    else:
        assert isinstance(result, dict)


FUZZ = settings(
    max_examples=250,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@st.composite
def all_inputs(draw: st.DrawFn) -> tuple[Obj, Obj, Any, Any]:
    """Object, observed object, items and replicas of one kind."""
    kind = draw(st.sampled_from(sorted(BY_KIND)))
    obj, observed = draw(mutants(of=kind)), draw(mutants(of=kind))
    return obj, observed, draw(item_lists(kind)), draw(REPLICAS)


@FUZZ
@given(all_inputs())
def test_only_errors_of_ours_come_out_and_inputs_stay(inputs: tuple[Obj, Obj, Any, Any]) -> None:
    before = snapshot(inputs)
    for name, call in calls(*inputs).items():
        check(name, answer(call))
        assert snapshot(inputs) == before, f"{name} changed its input"


@settings(FUZZ, max_examples=100)
@given(mutants(kinds=False) | VALUES, VALUES, VALUES, VALUES)
def test_an_argument_may_be_anything(obj: Any, observed: Any, items: Any, replicas: Any) -> None:
    inputs = (obj, observed, items, replicas)
    before = snapshot(inputs)
    for name, call in calls(*inputs).items():
        check(name, answer(call))
        assert snapshot(inputs) == before, f"{name} changed its input"


@settings(FUZZ, max_examples=100)
@given(all_inputs(), st.none() | VALUES)
def test_an_explanation_holds_the_error_of_an_operation(
    inputs: tuple[Obj, Any, Any, Any], odd: Any
) -> None:
    obj, observed, items, replicas = inputs
    observed = odd if isinstance(odd, (str, int)) else observed
    before = snapshot((obj, observed, items))
    found = RI.explain(obj, observed=observed, items=items, replicas=replicas)
    assert [entry.operation for entry in found] == list(OPERATIONS)
    assert all(entry.error is None or isinstance(entry.error, InterpreterError) for entry in found)
    assert snapshot((obj, observed, items)) == before


def snapshot(value: Any) -> str:
    """All that can be seen of a value. ``repr`` tells 1 from 1.0 and from True, and knows NaN."""
    limit, depth = sys.get_int_max_str_digits(), sys.getrecursionlimit()
    try:
        sys.set_int_max_str_digits(0)
        sys.setrecursionlimit(max(depth, 3000))
        return repr(value)
    finally:
        sys.set_int_max_str_digits(limit)
        sys.setrecursionlimit(depth)


# --- Every place, one by one ---------------------------------------------------------------------

ODD_VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    3.0,
    0.5,
    math.nan,
    2**63,
    10**5000,
    "",
    "3",
    "a\nb \ud800",
    [],
    [None],
    ["x"],
    {},
    {"name": 5},
    {5: 5},
]
ODD_NAMES: list[Any] = [5, None, True, (1,), "\ud800", ""]


def edits(value: Any) -> Iterator[None]:
    """Changes a value everywhere, one place at a time; it is as before at the end."""
    if isinstance(value, dict):
        before = dict(value)
        for key in before:
            yield from edits(value[key])
            for odd in ODD_VALUES:
                value[key] = odd
                yield
            value[key] = before[key]
        for key in before:
            del value[key]
            yield
            value.clear()
            value.update(before)
        for name in ODD_NAMES:
            for odd in ("1", {}):
                value[name] = odd
                yield
                del value[name]
                value.update(before)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from edits(item)
            for odd in ODD_VALUES:
                value[index] = odd
                yield
            value[index] = item


@pytest.mark.parametrize("index", range(len(RICH)), ids=lambda index: RICH[index]["kind"])
def test_an_odd_value_in_any_place_is_no_crash(index: int) -> None:
    plain = RICH[index]
    obj = copy.deepcopy(plain)
    items = [{"clusterName": "a", "status": obj.get("status")}]
    for _ in edits(obj):
        own = calls(obj, plain, items, 1)
        for name, call in own.items():
            check(name, answer(call))
        check("retain", answer(lambda: RI.retain(plain, obj)))
        check("aggregate_status", answer(lambda: RI.aggregate_status(plain, items)))
    assert snapshot(obj) == snapshot(plain)


# --- Unknown fields ------------------------------------------------------------------------------

PLANTED = {"x-empty": {}, "x-none": None, "x-list": [{}, [], 2.0, 2**70], "x-zero": 0}


def plant(obj: Obj) -> list[tuple[str, ...]]:
    """Puts unknown fields on top, into the spec and into the template; returns where."""
    planted = []
    for path in ((), ("spec",), ("spec", "template"), ("spec", "template", "spec")):
        target: Any = obj
        for key in path:
            target = target.get(key) if isinstance(target, dict) else None
        if isinstance(target, dict):
            target["x-planted"] = copy.deepcopy(PLANTED)
            planted.append(path)
    return planted


@settings(FUZZ, max_examples=150)
@given(all_inputs())
def test_unknown_fields_survive_in_every_object_that_comes_back(
    inputs: tuple[Obj, Obj, Any, Any],
) -> None:
    obj, _observed, items, replicas = inputs
    observed = copy.deepcopy(obj)
    planted = plant(obj)
    for operation in OBJECT_OPERATIONS:
        name = OPERATIONS[operation].hook
        result = answer(calls(obj, observed, items, replicas)[name])
        if isinstance(result, Exception):
            continue
        for path in planted:
            target = result
            for key in path:
                target = target[key]
            assert snapshot(target["x-planted"]) == snapshot(PLANTED), f"{name}: {path}"
        untouched = [key for key in obj if key not in ("metadata", "spec", "status")]
        if obj["kind"] in ("Secret", "ServiceAccount"):
            untouched = ["apiVersion", "kind", "x-planted"]
        for key in untouched:
            assert snapshot(result[key]) == snapshot(obj[key]), f"{name}: {key}"
        if operation is not Operation.PRUNE:
            assert snapshot(result.get("metadata")) == snapshot(obj.get("metadata")), name
        if operation is not Operation.AGGREGATE_STATUS and operation is not Operation.PRUNE:
            assert snapshot(result.get("status")) == snapshot(obj.get("status")), name
        if operation is Operation.AGGREGATE_STATUS:
            assert snapshot(result.get("spec")) == snapshot(obj.get("spec")), name


@pytest.mark.parametrize("kind", sorted(BY_KIND))
def test_every_example_gets_an_answer_or_has_no_rule(kind: str) -> None:
    obj = BY_KIND[kind]
    before = snapshot(obj)
    for name, call in calls(obj, copy.deepcopy(obj), [{"status": obj.get("status")}], 2).items():
        result = answer(call)
        check(name, result)
        assert not isinstance(result, InvalidObject), f"{name}: {result}"
        assert not isinstance(result, Exception) or isinstance(result, NoInterpreter), name
    assert snapshot(obj) == before


# --- Depth ---------------------------------------------------------------------------------------

LEVELS = 10_000
DEEP_PLACES = [(), ("metadata",), ("spec",), ("spec", "template", "spec"), ("status",)]
DEEP_FIELDS = ["unknown", "conditions", "claimRef", "disruptedPods", "loadBalancer", "volumes"]


@pytest.fixture(scope="module")
def bottomless() -> tuple[Any, Any]:
    """A list and an object of ten thousand levels; nobody changes them."""
    return nested(LEVELS, lists=True), {"a": nested(LEVELS, lists=False)}


def run_deep(ri: ResourceInterpreter, kind: str, values: tuple[Any, Any]) -> None:
    """Every operation of a kind, with a value of many levels wherever an input can have it."""
    plain = BY_KIND[kind]
    for path in DEEP_PLACES:
        for value in values:
            deep = copy.deepcopy(plain)
            target = deep
            for key in path:
                target = target.setdefault(key, {})
            target.update(dict.fromkeys(DEEP_FIELDS, value))
            items = [{"clusterName": "a", "status": deep.get("status")}]
            for operation, spec in OPERATIONS.items():
                given = {"observed": plain, "items": items, "replicas": 2, "remove_job_ttl": True}
                answer(functools.partial(ri.call, operation, deep, **given))
                if "observed" in spec.arguments:
                    answer(functools.partial(ri.retain, plain, deep))
            answer(functools.partial(ri.explain, deep))


@pytest.mark.parametrize("kind", sorted(BY_KIND))
def test_ten_thousand_levels_are_an_error_and_no_crash(
    kind: str, bottomless: tuple[Any, Any]
) -> None:
    run_deep(RI, kind, bottomless)


@pytest.mark.parametrize("tiers", [(), ("generic",), ("native",)], ids=str)
def test_ten_thousand_levels_are_an_error_whoever_answers(
    tiers: tuple[str, ...], bottomless: tuple[Any, Any]
) -> None:
    for kind in ("CronTab", "Deployment"):
        run_deep(ResourceInterpreter(plugins=None, tiers=tiers), kind, bottomless)


def test_an_object_that_contains_itself_is_an_error_and_no_crash() -> None:
    for kind in sorted(BY_KIND):
        obj = copy.deepcopy(BY_KIND[kind])
        obj["spec"] = obj["status"] = obj["metadata"]["labels"] = obj
        for call in calls(obj, obj, [obj, {"status": obj}], 2).values():
            answer(call)


SCRIPT = """
import sys
from interpreter import ResourceInterpreter
from interpreter.errors import InvalidObject

value = {}
for _ in range(LEVELS):
    value = {"a": [value]}
obj = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "x"}, "spec": value}
obj["status"] = {"conditions": [value]}
ri = ResourceInterpreter(plugins=None)
refused = 0
for call in (
    lambda: ri.revise_replica(obj, 1),
    lambda: ri.retain(obj, obj),
    lambda: ri.prune(obj),
    lambda: ri.aggregate_status(obj, [{"status": value}, {"status": {"replicas": 1}}]),
    lambda: ri.reflect_status({**obj, "kind": "Unknown"}),
):
    try:
        call()
    except InvalidObject as error:
        assert "nested too deeply" in str(error), error
        assert error.gvk is not None
        refused += 1
print("refused", refused)
"""


@pytest.mark.parametrize("levels", [LEVELS, 100_000])
def test_a_fresh_process_survives_deep_objects(levels: int) -> None:
    script = SCRIPT.replace("LEVELS", str(levels))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=EXAMPLES.parent,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "refused 5\n", "")
