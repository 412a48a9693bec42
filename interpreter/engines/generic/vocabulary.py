"""The words that controllers use, and what they tell.

Types of conditions have a polarity, told by their last word (``PodsHealthy``,
``InstallPlanFailed``); states and reasons are words that tell by themselves (``ImagePullFailed``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Final, NamedTuple, TypeVar

from interpreter.api.results import HealthStatus
from interpreter.machinery.conditions import Condition, words_of

_Meaning = TypeVar("_Meaning")

#: A pause on purpose explains why something is not there yet, so it comes before Progressing.
_WORST_FIRST: Final[tuple[HealthStatus, ...]] = (
    "Degraded",
    "Missing",
    "Suspended",
    "Progressing",
    "Unknown",
    "Healthy",
)


def rank(status: HealthStatus) -> int:
    """Place of a state among the others, the worst first."""
    return _WORST_FIRST.index(status)


class Polarity(NamedTuple):
    """What the truth of a condition tells; None is nothing."""

    true: HealthStatus
    false: HealthStatus | None = None
    unknown: HealthStatus | None = None


GOAL: Final = Polarity("Healthy", false="Progressing", unknown="Progressing")
#: Somebody looked and decided: a no is an answer, not a beginning.
DECISION: Final = Polarity("Healthy", false="Degraded", unknown="Progressing")
#: True is a good sign, false no bad one: a scaler at rest is not active.
ACTIVITY: Final = Polarity("Healthy")
WORK: Final = Polarity("Progressing", unknown="Progressing")
PAUSE: Final = Polarity("Suspended")
FAULT: Final = Polarity("Degraded")


def _by_word(table: Mapping[_Meaning, str]) -> dict[str, _Meaning]:
    return {word: meaning for meaning, words in table.items() for word in words.split()}


def word_set(words: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(words.split())


#: By the last word of a condition's type. ``Running`` is left out: to some controllers it is the
#: goal, to others the work.
_POLARITIES: Final = _by_word(
    {
        GOAL: "ready available healthy succeeded successful success complete completed synced"
        " synchronized established programmed initialized deployed configured installed"
        " reconciled provisioned reachable connected",
        DECISION: "accepted admitted approved valid refs compliant",
        ACTIVITY: "active",
        WORK: "reconciling progressing progress issuing creating updating update upgrading rolling"
        " scaling unpacking deleting terminating",
        PAUSE: "suspended paused stopped waiting",
        FAULT: "stalled failed failing failure degraded error errors invalid orphan unhealthy"
        " terminal unavailable denied pressure dangling",
    }
)
#: A first word that makes the rest a fault: ``NotReady``, ``ErrorOccurred``, ``PartiallyReady``.
_FAULT_PREFIXES: Final = word_set("not non invalid failed error partially")
#: What is reached, or can be done: ``Scheduled``, ``Discoverable``.
_STEP: Final = re.compile(r".{2,}(ed|able|ible)")
#: Endings of the same kind that name no step; nobody waits for them.
_NO_STEPS: Final = word_set(
    "blocked changed cordoned deleted deprecated detected disabled drifted evicted exceeded expired"
    " interrupted limited modified need needed occurred preempted skipped tainted disposable"
    " consolidatable"
)
#: Conditions that sum up the others, the usual one first. Of equal findings, theirs is shown.
SUMMARIES: Final = ("Ready", "Available", "Healthy", "Succeeded", "Complete", "Completed")

#: Words of ``status.phase`` and its like, and of the reasons of conditions.
_WORDS: Final[dict[str, HealthStatus]] = _by_word(
    {
        "Degraded": "failed failing failure fail err error errors errored invalid unhealthy"
        " degraded red crash aborted canceled cancelled rejected denied forbidden unauthorized"
        " conflict conflicted unreachable timeout exceeded stalled evicted lost violations"
        " violation warning warn broken offline disconnected expired unschedulable",
        "Missing": "missing",
        "Suspended": "suspended paused stopped hibernated hibernating",
        "Progressing": "pending waiting creating provisioning progress progressing reconciling"
        " initializing starting restarting deploying installing updating upgrading scaling"
        " expanding migrating importing scheduling scheduled promoting finalizing finalising"
        " deleting stopping terminating yellow preparing bootstrapping resizing recovering"
        " restoring building cloning pulling queued retrying",
        "Unknown": "unknown inconclusive",
        "Healthy": "running ready bound active available healthy green valid operational compliant"
        " succeeded successful success complete completed created deployed installed initialized"
        " exists accepted ok online finished done synced provisioned connected attached",
    }
)
#: Two words that say no for good: ``PolicyNotAllowed``, ``ImagePullBackOff``.
_REFUSALS: Final = frozenset(
    {("not", "allowed"), ("not", "permitted"), ("not", "valid"), ("not", "supported")}
    | {("not", "authorized"), ("back", "off")}
)
#: A state is a word or a few; a longer text is prose.
_MOST_STATE_WORDS: Final = 4
_FAILURE_TEXT: Final = re.compile(
    r"\b(fail(s|ed|ure)?|errors?|cannot|could not|unable|invalid|denied|forbidden|rejected"
    r"|not found|timed? ?out)\b",
    re.IGNORECASE,
)


def polarity_of(kind: str) -> Polarity | None:
    """The polarity of a condition's type; None when its words are not known."""
    words = words_of(kind)
    if not words:
        return None
    return FAULT if words[0] in _FAULT_PREFIXES else _POLARITIES.get(words[-1])


def names_a_part(kind: str) -> bool:
    """Whether a type is about what is reached in part: the whole makes it out of date."""
    return words_of(kind)[:1] == ["partially"]


def names_a_step(kind: str) -> bool:
    """Whether an unknown type names a step or an ability, by the form of its last word."""
    words = words_of(kind)
    return bool(words) and words[-1] not in _NO_STEPS and _STEP.fullmatch(words[-1]) is not None


def names_a_remainder(kind: str) -> bool:
    """Whether a condition tells what holds up a deletion, as namespaces have them.

    ``NamespaceContentRemaining``, ``NamespaceDeletionContentFailure``.
    """
    words = words_of(kind)
    return bool(words) and (
        words[-1] == "remaining" or (words[-1] == "failure" and "deletion" in words)
    )


def told_by(text: str) -> HealthStatus | None:
    """The worst that the words of a state or reason tell; None when none is known."""
    words = words_of(text)
    if ("not", "found") in pairwise(words):
        return "Missing"
    if "non" in words:
        return "Degraded"
    if any((first, second) in _REFUSALS for first, second in pairwise(words)):
        return "Degraded"
    if "not" in words:
        return "Progressing"
    return _worst(words)


def told_by_state(text: str) -> HealthStatus | None:
    """What a state tells.

    The words of prose tell nothing alone, but for the first one when it says that something failed
    or goes on: ``ERROR, the key is not there``, ``Provisioning the network``.
    """
    words = words_of(text)
    if words == ["new"]:
        return "Progressing"
    if len(words) <= _MOST_STATE_WORDS:
        return told_by(text)
    told = _worst(words[:1])
    return told if told in ("Degraded", "Progressing") else None


def _worst(words: Iterable[str]) -> HealthStatus | None:
    return min((_WORDS[word] for word in words if word in _WORDS), key=rank, default=None)


def is_under_way(text: str) -> bool:
    """Whether a word of a reason says that something goes on."""
    return "Progressing" in map(_WORDS.get, words_of(text))


def tells_failure(condition: Condition, polarity: Polarity | None) -> bool:
    """Whether a false condition failed. A message is prose, so it counts for known goals only."""
    if told_by(condition.reason) in ("Degraded", "Missing"):
        return True
    known = polarity in (GOAL, DECISION, WORK)
    return known and _FAILURE_TEXT.search(condition.message) is not None
