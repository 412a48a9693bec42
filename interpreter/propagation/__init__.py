"""Propagation: from templates and policies to what each member cluster gets.

Everything here is a function of its arguments: objects, feature gates, times and the interpreter
are handed in, new objects are handed back. Nothing is read, written or waited for, and no input is
changed. Results share with their inputs what is not edited.
"""

from interpreter.propagation.admission import admit_binding, admit_policy
from interpreter.propagation.asking import Interpreter, uses_components, workload
from interpreter.propagation.bindings import binding_key, build_binding, merge_binding, resource_of
from interpreter.propagation.claiming import Claim, claim_of, claimed, released
from interpreter.propagation.dependencies import (
    DependenciesOutcome,
    Event,
    Stock,
    concerns_binding,
    reconcile_dependencies,
    recorded_dependencies,
)
from interpreter.propagation.events import UpdateEvent, is_watched, skip_patterns, update_event
from interpreter.propagation.marking import ObjectKey, key_of, reference_key
from interpreter.propagation.policies import Surroundings, TemplateOutcome, reconcile_template
from interpreter.propagation.preemption import (
    Estate,
    PolicyOutcome,
    QueuedTemplate,
    delete_policy,
    policies_to_review,
    upsert_policy,
)
from interpreter.propagation.selection import (
    Match,
    PolicyIndex,
    RankedPolicy,
    policy_match,
    selectors_match,
)

__all__ = [
    "Claim",
    "DependenciesOutcome",
    "Estate",
    "Event",
    "Interpreter",
    "Match",
    "ObjectKey",
    "PolicyIndex",
    "PolicyOutcome",
    "QueuedTemplate",
    "RankedPolicy",
    "Stock",
    "Surroundings",
    "TemplateOutcome",
    "UpdateEvent",
    "admit_binding",
    "admit_policy",
    "binding_key",
    "build_binding",
    "claim_of",
    "claimed",
    "concerns_binding",
    "delete_policy",
    "is_watched",
    "key_of",
    "merge_binding",
    "policies_to_review",
    "policy_match",
    "reconcile_dependencies",
    "reconcile_template",
    "recorded_dependencies",
    "reference_key",
    "released",
    "resource_of",
    "selectors_match",
    "skip_patterns",
    "update_event",
    "upsert_policy",
    "uses_components",
    "workload",
]
