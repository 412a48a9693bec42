"""Recordings of override policies."""

from __future__ import annotations

import copy
import json
from typing import Any

from compare import same
from pipeline_judging import explainer, runner
from recordings import Answer, Case, Rule

from interpreter.codec import yaml
from interpreter.errors import InvalidObject, NotFound
from interpreter.propagation.overrides import AppliedOverride, OverrideIndex, recorded
from interpreter.propagation.overrides_image import override_image, parse_image
from interpreter.propagation.overrides_patch import value_at


def _parse_image(given: dict[str, Any]) -> Answer:
    name = parse_image(given["image"])
    return {**name._asdict(), "string": str(name)}


def _override_image(given: dict[str, Any]) -> Answer:
    return {"image": override_image(given["image"], given["imageOverrider"])}


def _apply(given: dict[str, Any]) -> Answer:
    if given.get("cluster") is None:
        raise NotFound("the cluster does not exist")
    policies = [
        *given.get("clusterOverridePolicies", ()),
        *given.get("overridePolicies", ()),
    ]
    before = copy.deepcopy(given)
    result = OverrideIndex(policies).apply(given["object"], given["cluster"])
    assert before == given
    return {
        "object": result.object,
        "appliedClusterOverrides": recorded(result.cluster_overrides),
        "appliedOverrides": recorded(result.overrides),
        "notes": result.notes,
    }


def _record(given: dict[str, Any]) -> Answer:
    items = [AppliedOverride(item["policyName"], item["overriders"]) for item in given["items"]]
    return {"value": recorded(items)}


run = runner(
    {
        "parse_image": _parse_image,
        "override_image": _override_image,
        "apply": _apply,
        "record_applied": _record,
    }
)
_TEXTS = ("appliedClusterOverrides", "appliedOverrides", "value")


def agrees(case: Case, answer: Answer) -> bool:
    """Equality; texts that are JSON or YAML are compared as what they hold."""
    if case.failed or answer["error"] is not None:
        return case.failed and answer["error"] is not None
    wanted, got = copy.deepcopy(case.expect), copy.deepcopy(answer)
    for side in (wanted, got):
        for field in _TEXTS:
            if side.get(field) is not None:
                side[field] = json.loads(side[field])
        for language, read in (("jsonFields", _json), ("yamlFields", _yaml)):
            for pointer in case.expect.get(language, ()):
                *path, last = pointer.split("/")
                parent = value_at(side["object"], "/".join(path))
                key = last.replace("~1", "/").replace("~0", "~")
                parent[key] = read(parent[key])
    return all(
        same(value, got.get(field))
        for field, value in wanted.items()
        if field not in ("error", "jsonFields", "yamlFields")
    )


def _json(text: str) -> Any:
    return json.loads(text) if text else text


def _yaml(text: str) -> Any:
    return next((document.value for document in yaml.load_all(text)), None)


# --- Differences ---------------------------------------------------------------------------------


def _overriders(case: Case) -> list[tuple[str, dict[str, Any]]]:
    """Group and overrider of every rule of every policy of a case."""
    found = []
    for field in ("clusterOverridePolicies", "overridePolicies"):
        for policy in case.input.get(field) or ():
            spec = policy["spec"]
            for rule in [*(spec.get("overrideRules") or ()), spec]:
                for group, entries in (rule.get("overriders") or {}).items():
                    found.extend((group, entry) for entry in entries or ())
    return found


def _paths(case: Case) -> list[str]:
    paths = []
    for group, entry in _overriders(case):
        if group == "plaintext":
            paths.append(entry["path"])
        elif group == "fieldOverrider":
            paths.append(entry["fieldPath"])
            paths.extend(op["subPath"] for op in entry.get("json") or ())
            paths.extend(op["subPath"] for op in entry.get("yaml") or ())
        elif "predicate" in entry:
            paths.append(entry["predicate"]["path"])
    return paths


def _relative_path(case: Case, _answer: Answer) -> bool:
    return case.operation == "apply" and any(
        path and not path.startswith("/") for path in _paths(case)
    )


def _relative_path_holds(_case: Case, answer: Answer) -> bool:
    return isinstance(answer["error"], InvalidObject) and "slash" in answer["error"].message


#: Keys that are booleans to a YAML 1.1 reader.
_BOOLEAN_KEYS = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"), "true"),
    **dict.fromkeys(("True", "TRUE"), "true"),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF"), "false"),
    **dict.fromkeys(("False", "FALSE"), "false"),
}


def _boolean_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {_BOOLEAN_KEYS.get(key, key): _boolean_keys(item) for key, item in value.items()}
    return [_boolean_keys(item) for item in value] if isinstance(value, list) else value


def _yaml_keys(case: Case, answer: Answer) -> bool:
    return answer["error"] is None and any(
        _boolean_keys(document) != document
        for document in (
            _yaml(value_at(answer["object"], pointer))
            for pointer in case.expect.get("yamlFields", ())
        )
    )


def _yaml_keys_hold(case: Case, answer: Answer) -> bool:
    as_recorded = copy.deepcopy(answer)
    for pointer in case.expect["yamlFields"]:
        *path, last = pointer.split("/")
        parent = value_at(as_recorded["object"], "/".join(path))
        key = last.replace("~1", "/").replace("~0", "~")
        parent[key] = yaml.dumps(_boolean_keys(_yaml(parent[key])))
    return agrees(case, as_recorded)


RULES = (
    Rule(
        "path without a slash",
        "a path that does not start with a slash is an error; the recorded program drops its first "
        "segment",
        _relative_path,
        _relative_path_holds,
    ),
    Rule(
        "keys of embedded YAML",
        "keys stay as written; the recorded program turns those like yes and on into booleans",
        _yaml_keys,
        _yaml_keys_hold,
    ),
)

SUITE = (run, agrees, explainer(RULES))
