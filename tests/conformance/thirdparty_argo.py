"""Where the bundled scripts of Argo's kinds differ from their recordings on purpose."""

from __future__ import annotations

from typing import Any

from compare import same
from recordings import Answer, Case, Rule


def _missed_secrets(case: Case) -> list[dict[str, Any]]:
    """Secrets that volumes name by ``secretName``, and that the recording does not have."""
    obj = case.input.get("desired") or {}
    found = []
    for volume in (obj.get("spec") or {}).get("volumes") or ():
        name = ((volume or {}).get("secret") or {}).get("secretName")
        secret = {"apiVersion": "v1", "kind": "Secret", "name": name}
        if namespace := (obj.get("metadata") or {}).get("namespace"):
            secret["namespace"] = namespace
        recorded = case.expect.get("dependencies") or ()
        if name and secret not in recorded and secret not in found:
            found.append(secret)
    return found


def _secret_missed(case: Case, _answer: Answer) -> bool:
    obj = case.input.get("desired") or {}
    return (
        case.operation == "InterpretDependency"
        and str(obj.get("apiVersion")).startswith("argoproj.io/")
        and obj.get("kind") == "Workflow"
        and bool(_missed_secrets(case))
    )


def _secret_found(case: Case, answer: Answer) -> bool:
    """Ours are the recorded dependencies and exactly the secrets they miss, in any order."""
    wanted = [*(case.expect.get("dependencies") or ()), *_missed_secrets(case)]
    got = answer.get("dependencies")
    return got is not None and same(_sorted(wanted), _sorted(got))


def _sorted(dependencies: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(dependencies, key=lambda entry: (entry["kind"], entry["name"]))


RULES: tuple[Rule, ...] = (
    Rule(
        "secret volumes are named by secretName",
        "the only field that Kubernetes has for it; the recorded program reads another one, and"
        " misses those secrets",
        _secret_missed,
        _secret_found,
    ),
)
