"""Finished plans, made by hand: one that has everything, and one that means harm."""

from __future__ import annotations

from typing import Any

from interpreter.errors import NoClusterFit, SchedulingError
from interpreter.planning import (
    Candidate,
    Change,
    ClusterPlan,
    Dependency,
    Note,
    Pass,
    Placement,
    Plan,
    PlanError,
    PolicyChoice,
    RankedChoice,
    State,
    TemplatePlan,
    Usage,
)


def template(kind: str, name: str, **content: Any) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": kind,
        "metadata": {"name": name, "namespace": "shop"},
        **content,
    }


def work(cluster: str, obj: dict[str, Any], **spec: Any) -> dict[str, Any]:
    manifest = {**obj, "spec": {**obj.get("spec", {}), **spec}}
    metadata = {
        **obj["metadata"],
        "annotations": {"work.karmada.io/namespace": f"karmada-es-{cluster}"},
    }
    return {
        "apiVersion": "work.karmada.io/v1alpha1",
        "kind": "Work",
        "metadata": {"name": "work", "namespace": f"karmada-es-{cluster}"},
        "spec": {"workload": {"manifests": [{**manifest, "metadata": metadata}]}},
    }


def cluster(name: str, region: str, **facts: Any) -> ClusterPlan:
    return ClusterPlan(name=name, region=region, obj={}, **facts)


def usage(used: float, planned: float) -> Usage:
    return Usage("cpu", "100", f"{used * 100:.0f}", f"{planned * 100:.0f}", used, planned)


WEB = template("Deployment", "web", spec={"replicas": 6, "image": "web:1"})
SETTINGS = template("ConfigMap", "settings")
EUROPE = Change("OverridePolicy shop/europe", {}, "image registry")


def full_plan() -> Plan:
    """Every state and every mark of the matrix."""
    web = TemplatePlan(
        template=WEB,
        source="web.yaml, document 1",
        state=State.PLACED,
        policy=PolicyChoice(
            "PropagationPolicy shop/web",
            "selects it by name",
            (
                RankedChoice("PropagationPolicy shop/web", 0, "by name"),
                RankedChoice("PropagationPolicy shop/all", 0, "all of the kind"),
            ),
            "DynamicWeight",
            {},
        ),
        trigger="PlacementChanged",
        passes=(
            Pass("first", {}, (), {}, None, SchedulingError("no room at all")),
            Pass(
                "second",
                {"oslo": "cluster(s) had untolerated taint {maintenance: NoSchedule}"},
                (Candidate("dublin", 100, 9, True), Candidate("lima", 0, 4, True, 1)),
                {"region": {"eu": 1100}},
                (("dublin", 4), ("lima", 2)),
            ),
        ),
        replicas=6,
        requests={"cpu": "500m"},
        placements=(
            Placement(cluster="dublin", replicas=4, changes=(EUROPE,), work=work("dublin", WEB)),
            Placement(cluster="lima", replicas=2, before=5, work=work("lima", WEB, replicas=2)),
        ),
        removed=("quito",),
        dependencies=(Dependency("ConfigMap shop/settings", ("ConfigMap shop/settings",)),),
        binding={"kind": "ResourceBinding"},
        notes=(Note("Deployment shop/web", "no label to replace"),),
    )
    settings = TemplatePlan(
        template=SETTINGS,
        source="web.yaml, document 2",
        state=State.FOLLOWS,
        placements=(
            Placement(
                cluster="dublin",
                required_by=("Deployment shop/web",),
                suspended=True,
                work=work("dublin", SETTINGS),
            ),
        ),
    )
    lost = template("Job", "lost")
    failed = TemplatePlan(
        template=lost,
        source="",
        state=State.FAILED,
        errors=(
            PlanError("Job shop/lost", "schedule", NoClusterFit("0/3 clusters are available")),
            PlanError("Job shop/lost", "works", SchedulingError("no path"), cluster="lima"),
        ),
    )
    alone = TemplatePlan(template=template("Secret", "alone"), source="", state=State.UNSELECTED)
    return Plan(
        clusters=(
            cluster("dublin", "eu", usage=(usage(0.5, 0.25),), replicas=4, objects=2),
            cluster("lima", "sa", usage=(usage(0.9, 0.3),), replicas=2, objects=1),
            cluster("oslo", "eu", taints=("maintenance:NoSchedule",), leaving=True),
        ),
        templates=(web, settings, failed, alone),
        notes=(Note("cluster oslo", "capacity unknown"),),
        gates={"MultiplePodTemplatesScheduling": True},
    )


#: Ends every element and attribute that it could be in.
HARM = '\'"></script></style></pre><img src=x onerror="window.harm=1"><b>\u202e\x00\ud800'


def harmful_plan() -> Plan:
    """Texts that try to leave their place, wherever a plan has text."""
    obj = {
        "kind": HARM,
        "metadata": {"name": HARM, "namespace": HARM},
        "spec": {HARM: HARM.replace("\ud800", "")},
    }
    placed = Placement(
        cluster=HARM,
        replicas=1,
        required_by=(HARM,),
        changes=(Change(HARM, {}, HARM),),
        work={"spec": {"workload": {"manifests": [{"kind": "x", "spec": "<img src=x>"}]}}},
    )
    error = PlanError(HARM, HARM, SchedulingError(HARM), HARM, HARM)
    choice = RankedChoice(HARM, 0, HARM)
    evil = TemplatePlan(
        template=obj,
        source=HARM,
        state=State.PLACED,
        policy=PolicyChoice(HARM, HARM, (choice, choice), HARM, {}),
        trigger=HARM,
        passes=(
            Pass(
                HARM,
                {HARM: HARM},
                (Candidate(HARM, 0, 1, True),),
                {HARM: {HARM: 1}},
                ((HARM, 1),),
                SchedulingError(HARM),
            ),
        ),
        requests={HARM: HARM},
        components=((HARM, 1),),
        placements=(placed,),
        removed=(HARM,),
        dependencies=(Dependency(HARM, (HARM,)),),
        notes=(Note(HARM, HARM),),
        errors=(error,),
    )
    hostile = cluster(
        HARM,
        HARM,
        provider=HARM,
        zones=(HARM,),
        labels={HARM: HARM},
        taints=(HARM,),
        usage=(Usage(HARM, HARM, HARM, HARM, -1.0, 7.0),),
    )
    return Plan((hostile,), (evil,), (Note(HARM, HARM),), (error,), {HARM: True})
