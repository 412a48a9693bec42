"""A template on its way through the pipeline."""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.errors import InterpreterError
from interpreter.machinery.unstructured import JsonObject
from interpreter.planning.plan import (
    Dependency,
    Note,
    Pass,
    Placement,
    PlanError,
    PolicyChoice,
    State,
    TemplatePlan,
    reference,
)
from interpreter.propagation.marking import ObjectKey, key_of


@dataclass(kw_only=True)
class Draft:
    """What is known of a template so far; fields are those of :class:`TemplatePlan`.

    Attributes:
        before: Replicas by cluster that its existing binding has.
    """

    template: JsonObject
    source: str
    policy: PolicyChoice | None = None
    trigger: str = ""
    passes: tuple[Pass, ...] = ()
    placements: tuple[Placement, ...] = ()
    removed: tuple[str, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    binding: JsonObject | None = None
    before: dict[str, int] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    errors: list[PlanError] = field(default_factory=list)

    @property
    def key(self) -> ObjectKey:
        """Key of the template."""
        return key_of(self.template)

    @property
    def reference(self) -> str:
        """The template for people."""
        return reference(self.template)

    @property
    def shown(self) -> str:
        """The template with its API version, for people."""
        return f"{self.template['apiVersion']} {self.reference}"

    def note(self, text: str) -> None:
        """Notes something that was assumed or passed over."""
        self.notes.append(Note(self.reference, text))

    def fail(self, step: str, error: InterpreterError, cluster: str = "") -> None:
        """Notes what failed."""
        self.errors.append(PlanError(self.reference, step, error, self.source, cluster))

    @property
    def state(self) -> State:
        """What became of it."""
        if self.errors:
            return State.FAILED
        if self.policy is not None:
            return State.PLACED
        return State.FOLLOWS if self.placements else State.UNSELECTED

    def finished(self) -> TemplatePlan:
        """The template's part of the plan."""
        spec = {} if self.binding is None else self.binding["spec"]
        requirements = spec.get("replicaRequirements")
        components = tuple(
            (each.get("name", ""), each.get("replicas", 0)) for each in spec.get("components") or ()
        )
        counts = "replicas" in spec or requirements is not None
        return TemplatePlan(
            template=self.template,
            source=self.source,
            state=self.state,
            policy=self.policy,
            trigger=self.trigger,
            passes=self.passes,
            replicas=spec.get("replicas", 0) if counts else None,
            requests=(requirements or {}).get("resourceRequest") or {},
            components=components,
            placements=self.placements,
            removed=self.removed,
            dependencies=self.dependencies,
            binding=self.binding,
            notes=tuple(dict.fromkeys(self.notes)),
            errors=tuple(self.errors),
        )
