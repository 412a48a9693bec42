"""Planning: the whole pipeline over given objects, without a server.

Everything here is a function of its arguments: manifests, the interpreter and feature gates are
handed in, a :class:`Plan` is handed back. Nothing is read, written or waited for; identifiers are
derived from names, so the same inputs give the same plan.
"""

from interpreter.planning.differences import Difference, compare
from interpreter.planning.inputs import Inputs, continue_from, read_inputs
from interpreter.planning.pipeline import Progress, make_plan
from interpreter.planning.plan import (
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
    Step,
    TemplatePlan,
    Usage,
)
from interpreter.planning.story import story_of

__all__ = [
    "Candidate",
    "Change",
    "ClusterPlan",
    "Dependency",
    "Difference",
    "Inputs",
    "Note",
    "Pass",
    "Placement",
    "Plan",
    "PlanError",
    "PolicyChoice",
    "Progress",
    "RankedChoice",
    "State",
    "Step",
    "TemplatePlan",
    "Usage",
    "compare",
    "continue_from",
    "make_plan",
    "read_inputs",
    "story_of",
]
