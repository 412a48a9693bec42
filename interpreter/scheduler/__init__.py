"""Placement: which clusters an object goes to, and how many replicas each gets.

Everything here is a function of its arguments: clusters, bindings, feature gates and times are
handed in, results are handed back. Nothing is read, written or waited for, and no input is changed.

A :class:`Fleet` holds the clusters and a :class:`Scheduler` makes passes over it;
:func:`reconcile` says what a pass means for a binding, and :func:`apply` writes it in.
"""

from interpreter.scheduler.bindings import (
    Event,
    Outcome,
    Try,
    apply,
    reconcile,
    schedule_binding,
)
from interpreter.scheduler.fleet import Fleet
from interpreter.scheduler.groups import Candidates
from interpreter.scheduler.scheduler import Assumed, Attempt, Scheduler
from interpreter.scheduler.triggers import Trigger, trigger_of
from interpreter.scheduler.workloads import Workloads

__all__ = [
    "Assumed",
    "Attempt",
    "Candidates",
    "Event",
    "Fleet",
    "Outcome",
    "Scheduler",
    "Trigger",
    "Try",
    "Workloads",
    "apply",
    "reconcile",
    "schedule_binding",
    "trigger_of",
]
