"""Recordings of quantities, apportionment and cluster affinity."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from compare import same
from recordings import Answer, Case, Rule

from interpreter.errors import InvalidObject
from interpreter.machinery import apportionment, quantity
from interpreter.machinery.affinity import matches_affinity
from interpreter.machinery.unstructured import INT64_MAX, INT64_MIN

#: From so many seats on the recorded program's divisor does not fit its integer.
_WRAPS = 2**30


def agrees(case: Case, answer: Answer) -> bool:
    """Equality of all recorded fields."""
    return all(field in answer and same(case.expect[field], answer[field]) for field in case.expect)


def explaining(*rules: Rule) -> Callable[[Case, Answer], Rule | None]:
    """Gives the first rule that applies, None when there is none or it does not hold."""

    def explain(case: Case, answer: Answer) -> Rule | None:
        for rule in rules:
            if rule.applies(case, answer):
                return rule if rule.holds(case, answer) else None
        return None

    return explain


# --- Quantities ----------------------------------------------------------------------------------


def run_quantity(case: Case) -> Answer:
    """All that is recorded of a quantity; a count beyond 64 bits is None."""
    try:
        parsed = quantity.parse(case.input["quantity"])
    except InvalidObject:
        return {"error": True}
    return {
        "canonical": str(parsed),
        "format": parsed.format,
        "sign": parsed.sign,
        "value": _count(parsed, 0),
        "milliValue": _count(parsed, -3),
    }


def _count(parsed: quantity.Quantity, exponent: int) -> int | None:
    try:
        return parsed.scaled(exponent)
    except InvalidObject:
        return None


def _beyond_64_bits(case: Case, answer: Answer) -> bool:
    return "error" not in answer and None in (answer["value"], answer["milliValue"])


def _is_beyond(case: Case, answer: Answer) -> bool:
    parsed = quantity.parse(case.input["quantity"])
    if any(answer[field] != case.expect[field] for field in ("sign", "format")):
        return False
    for field, power in (("value", 0), ("milliValue", 3)):
        amount = Decimal(parsed.digits).scaleb(parsed.exponent + power)
        fits = INT64_MIN <= amount <= INT64_MAX
        if fits != (answer[field] is not None) or (fits and abs(answer[field] - amount) >= 1):
            return False
    return answer["canonical"] == case.expect["canonical"] or quantity.parse(
        answer["canonical"]
    ) == quantity.parse(case.input["quantity"])


# --- Apportionment -------------------------------------------------------------------------------


def _pairs(entries: list[Any], name: str = "name", count: str = "replicas") -> list[Any]:
    return [(entry[name], entry[count]) for entry in entries or ()]


def _entries(pairs: list[tuple[str, int]]) -> list[Any]:
    return [{"name": name, "replicas": count} for name, count in pairs]


def run_webster(case: Case) -> Answer:
    """The answer of the function that the case names."""
    given = case.input
    uid = given.get("uid") or ""
    match case.operation:
        case "AllocateWebsterSeats":
            votes, initial = given["partyVotes"] or {}, given["initialAssignments"] or {}
            seats = apportionment.allocate(given["newSeats"], votes, initial, uid=uid)
            return {
                "parties": [
                    {"name": name, "seats": count, "votes": votes.get(name, 0)}
                    for name, count in seats.items()
                ]
            }
        case "Dispenser":
            result, remaining = _pairs(given["init"]), given["replicas"]
            for weights in given["weights"]:
                result, remaining = apportionment.dispense(
                    remaining, _pairs(weights, "clusterName", "weight"), result, uid=uid
                )
            done = remaining == 0 and bool(result)
            return {"result": _entries(result), "remaining": remaining, "done": done}
        case "SpreadReplicasByTargetClusters":
            result, _ = apportionment.dispense(
                given["replicas"], _pairs(given["targetClusters"]), _pairs(given["init"]), uid=uid
            )
            return {"result": _entries(result)}
        case "TieBreak":
            return {"descending": apportionment.ties_descend(uid)}
    return {"result": _entries(apportionment.merge(_pairs(given["old"]), _pairs(given["new"])))}


def _agrees_webster(case: Case, answer: Answer) -> bool:
    expected = {key: value for key, value in case.expect.items() if key != "unordered_tail"}
    return same(expected, answer)


def _seats_wrap(case: Case, answer: Answer) -> bool:
    counts = (case.input.get("initialAssignments") or {}).values()
    return any(count >= _WRAPS for count in counts)


def _largest_quotient_served(case: Case, answer: Answer) -> bool:
    """Whether no party with a vote would rather have had another's last new seat."""
    before = case.input["initialAssignments"]
    parties = answer["parties"]
    new = sum(party["seats"] - before.get(party["name"], 0) for party in parties)
    got = [
        party["votes"] / (2 * party["seats"] - 1)
        for party in parties
        if party["seats"] > before.get(party["name"], 0)
    ]
    missed = [party["votes"] / (2 * party["seats"] + 1) for party in parties]
    votes = [(party["name"], party["votes"]) for party in parties]
    if votes != [(party["name"], party["votes"]) for party in case.expect["parties"]]:
        return False
    return new == case.input["newSeats"] and min(got) >= max(missed)


QUANTITY = (
    run_quantity,
    agrees,
    explaining(
        Rule(
            "quantity out of range",
            "an amount beyond int64 is an error where a count is wanted, and prints exactly",
            _beyond_64_bits,
            _is_beyond,
        )
    ),
)
WEBSTER = (
    run_webster,
    _agrees_webster,
    explaining(
        Rule(
            "seats beyond 2^30",
            "the divisor is exact; the recorded program computes it in 32 bits and wraps around",
            _seats_wrap,
            _largest_quotient_served,
        )
    ),
)
AFFINITY = (
    lambda case: {"matches": matches_affinity(case.input["cluster"], case.input["affinity"])},
    agrees,
    explaining(),
)
