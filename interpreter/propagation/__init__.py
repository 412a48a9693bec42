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
    reconcile_dependencies,
)
from interpreter.propagation.dependency_records import concerns_binding, recorded_dependencies
from interpreter.propagation.events import UpdateEvent, is_watched, skip_patterns, update_event
from interpreter.propagation.eviction import GracefulEviction, assess_tasks
from interpreter.propagation.eviction_taints import TaintEviction, assess_taints, sweep_delay
from interpreter.propagation.failover import ApplicationFailover, assess_application
from interpreter.propagation.failover_state import preserved_label_state
from interpreter.propagation.marking import ObjectKey, key_of, reference_key
from interpreter.propagation.member_asking import MemberInterpreter, health_for_works
from interpreter.propagation.member_update import MemberUpdate, update_member_object
from interpreter.propagation.overrides import AppliedOverride, Overridden, OverrideIndex
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
from interpreter.propagation.status import BindingStatus, sync_status
from interpreter.propagation.status_reflection import Reflected, reflect_status
from interpreter.propagation.taints import tainted
from interpreter.propagation.work_reconcile import MemberOperation, WorkReconciled, reconcile_work
from interpreter.propagation.works import (
    BindingReconciled,
    EnsuredWorks,
    PlannedWork,
    WorkKey,
    ensure_works,
    reconcile_binding,
)
from interpreter.propagation.works_leaving import superfluous_works
from interpreter.propagation.works_targets import Target, targets_of

__all__ = [
    "ApplicationFailover",
    "AppliedOverride",
    "BindingReconciled",
    "BindingStatus",
    "Claim",
    "DependenciesOutcome",
    "EnsuredWorks",
    "Estate",
    "Event",
    "GracefulEviction",
    "Interpreter",
    "Match",
    "MemberInterpreter",
    "MemberOperation",
    "MemberUpdate",
    "ObjectKey",
    "Overridden",
    "OverrideIndex",
    "PlannedWork",
    "PolicyIndex",
    "PolicyOutcome",
    "QueuedTemplate",
    "RankedPolicy",
    "Reflected",
    "Stock",
    "Surroundings",
    "TaintEviction",
    "Target",
    "TemplateOutcome",
    "UpdateEvent",
    "WorkKey",
    "WorkReconciled",
    "admit_binding",
    "admit_policy",
    "assess_application",
    "assess_taints",
    "assess_tasks",
    "binding_key",
    "build_binding",
    "claim_of",
    "claimed",
    "concerns_binding",
    "delete_policy",
    "ensure_works",
    "health_for_works",
    "is_watched",
    "key_of",
    "merge_binding",
    "policies_to_review",
    "policy_match",
    "preserved_label_state",
    "reconcile_binding",
    "reconcile_dependencies",
    "reconcile_template",
    "reconcile_work",
    "recorded_dependencies",
    "reference_key",
    "reflect_status",
    "released",
    "resource_of",
    "selectors_match",
    "skip_patterns",
    "superfluous_works",
    "sweep_delay",
    "sync_status",
    "tainted",
    "targets_of",
    "update_event",
    "update_member_object",
    "upsert_policy",
    "uses_components",
    "workload",
]
