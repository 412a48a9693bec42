"""One run of ``assert_conforms``: asks a plugin about examples, and asks again."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.errors import InterpreterError, NoInterpreter
from interpreter.facade import ResourceInterpreter
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject, JsonValue, metadata_of
from interpreter.operations import OPERATIONS
from interpreter.testing.comparison import first_difference
from interpreter.testing.examples import Example, arguments_for


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is not as it must be.

    Attributes:
        check: Name of the check, as ``skip`` takes it.
        subject: What it is about: an operation and an example, or the plugin.
        text: What was found.
    """

    check: str
    subject: str
    text: str

    def __str__(self) -> str:
        return f"{self.subject}: {self.text} [{self.check}]"


@dataclass(frozen=True, slots=True)
class _Answer:
    """One call: its arguments, its context, and what came out."""

    operation: Operation
    example: Example
    arguments: tuple[Any, ...]
    context: HookContext | None
    result: Any

    @property
    def question(self) -> tuple[Operation, Example, tuple[Any, ...], HookContext | None]:
        """What was asked."""
        return self.operation, self.example, self.arguments, self.context

    @property
    def shown(self) -> JsonValue:
        """The result as JSON."""
        return OPERATIONS[self.operation].show(self.result)

    @property
    def subject(self) -> str:
        """``ReviseReplica of CronTab example, 3``."""
        extra = self.arguments[1:]
        short = f", {extra[0]}" if extra and isinstance(extra[0], int) else ""
        return f"{self.operation} of {self.example.label}{short}"


@dataclass(slots=True)
class Run:
    """Asks about examples and keeps what is wrong.

    Attributes:
        ri: Who is asked.
        fresh: Another one, which nobody has asked anything.
        context: What hooks are told in every second call.
        problems: What was found.
    """

    ri: ResourceInterpreter
    fresh: ResourceInterpreter
    context: HookContext
    problems: list[Problem] = field(default_factory=list)

    def problems_of(
        self, claims: Iterable[tuple[GVK, Operation]], examples: Iterable[Example]
    ) -> list[Problem]:
        """Asks everything; what was found."""
        kinds: dict[Operation, list[GVK]] = {}
        for claim, operation in claims:
            kinds.setdefault(operation, []).append(claim)
        answers = [
            answer for operation in kinds for answer in self._asked(operation, kinds, examples)
        ]
        for answer in answers:
            self._check_answer(answer)
        self._check_state(answers)
        for example in examples:
            self._check_round_trip(example)
        return self.problems

    def _asked(
        self,
        operation: Operation,
        kinds: Mapping[Operation, Iterable[GVK]],
        examples: Iterable[Example],
    ) -> list[_Answer]:
        """Answers of one operation about its examples, with the context and without."""
        matching = [
            one for one in examples if any(kind.matches(one.gvk) for kind in kinds[operation])
        ]
        answers = []
        for example in matching:
            for arguments in arguments_for(example, operation, self._shown_or_none):
                for context in (None, self.context):
                    answer = self._answer(operation, example, arguments, context)
                    if answer is not None:
                        answers.append(answer)
        if matching and not any(self._is_the_plugins(one) for one in answers):
            text = "the plugin answered about no example"
            self.problems.append(Problem("answered", operation.value, text))
        return answers

    def _answer(
        self,
        operation: Operation,
        example: Example,
        arguments: tuple[Any, ...],
        context: HookContext | None,
    ) -> _Answer | None:
        answer = _Answer(operation, example, arguments, context, None)
        try:
            return replace(answer, result=_ask(self.ri, operation, arguments, context))
        except NoInterpreter:
            return None  # "not mine", and nobody else's
        except InterpreterError as error:
            told = "" if context is None else " (told of a cluster)"
            self.problems.append(Problem("raises", f"{answer.subject}{told}", str(error)))
            return None

    def _shown_or_none(self, operation: Operation, arguments: tuple[Any, ...]) -> JsonValue:
        try:
            return OPERATIONS[operation].show(_ask(self.ri, operation, arguments, None))
        except InterpreterError:
            return None

    def _is_the_plugins(self, answer: _Answer) -> bool:
        inputs = _inputs(answer.operation, answer.arguments)
        inputs.pop("remove_job_ttl", None)
        explanation = self.ri.explain(
            answer.arguments[0], answer.operation, context=answer.context, **inputs
        )
        by = explanation.by
        return (by is not None and by.tier == "plugin") or any(
            label.startswith("plugin:") for label in explanation.wrapped_by
        )

    def _check_answer(self, answer: _Answer) -> None:
        """What can be said of one answer, and of the same question asked again."""
        for arguments in (answer.arguments, tuple(map(_reordered, answer.arguments))):
            self._check_same("deterministic", answer, arguments)
        again = self._answer(*answer.question)
        if again is not None and _shares(answer.result, again.result):
            text = "two answers share a part: who changes one changes the other"
            self._add("own", answer, text)
        try:
            copied = pickle.loads(pickle.dumps(answer.result))  # noqa: S301 - it was made here
            self._compare("picklable", answer, copied)
        except Exception as error:
            self._add("picklable", answer, f"{type(error).__name__}: {error}")
        if OPERATIONS[answer.operation].returns_object:
            self._check_identity(answer)
            self._check_same("idempotent", answer, (answer.result, *answer.arguments[1:]))

    def _check_same(self, check: str, answer: _Answer, arguments: tuple[Any, ...]) -> None:
        try:
            result = _ask(self.ri, answer.operation, arguments, answer.context)
        except InterpreterError as error:
            self._add(check, answer, f"asked again, it fails: {error}")
            return
        self._compare(check, answer, result)

    def _check_identity(self, answer: _Answer) -> None:
        before, after = _identity(answer.arguments[0]), _identity(answer.result)
        if before != after:
            self._add("identity", answer, f"{before} has become {after}")

    def _check_state(self, answers: list[_Answer]) -> None:
        """Asks one that was never asked before, in the reverse order."""
        for answer in reversed(answers):
            try:
                result = _ask(self.fresh, answer.operation, answer.arguments, answer.context)
            except InterpreterError as error:
                self._add("stateless", answer, f"asked in another order, it fails: {error}")
                continue
            self._compare("stateless", answer, result)

    def _check_round_trip(self, example: Example) -> None:
        pair = (Operation.REVISE_REPLICA, Operation.GET_REPLICAS)
        candidates = [self.ri.claims(example.gvk, operation) for operation in pair]
        asked = [[one.implementation for one in each if one.skipped is None] for each in candidates]
        if not all(asked) or not any(one.tier == "plugin" for each in asked for one in each):
            return
        for count in example.replicas:
            try:
                revised = self.ri.revise_replica(example.obj, count, context=self.context)
                read = self.ri.get_replicas(revised, context=self.context).replicas
            except InterpreterError:
                continue  # told of as such
            if read != count:
                subject = f"ReviseReplica, GetReplicas of {example.label}"
                text = f"{count} was written, {read} is read"
                self.problems.append(Problem("round trip", subject, text))

    def _compare(self, check: str, answer: _Answer, result: Any) -> None:
        difference = first_difference(answer.shown, OPERATIONS[answer.operation].show(result))
        if difference is not None:
            self._add(check, answer, f"asked again, it says something else: {difference}")

    def _add(self, check: str, answer: _Answer, text: str) -> None:
        self.problems.append(Problem(check, answer.subject, text))


def _ask(
    ri: ResourceInterpreter,
    operation: Operation,
    arguments: tuple[Any, ...],
    context: HookContext | None,
) -> Any:
    return ri.call(operation, arguments[0], context=context, **_inputs(operation, arguments))


def _inputs(operation: Operation, arguments: tuple[Any, ...]) -> dict[str, Any]:
    names = (argument.name for argument in OPERATIONS[operation].inputs)
    return dict(zip(names, arguments[1:], strict=True))


def _reordered(value: Any) -> Any:
    """The same value with the keys of its objects in the opposite order, as an API may send it."""
    if isinstance(value, dict):
        return {key: _reordered(value[key]) for key in reversed(value)}
    return [_reordered(item) for item in value] if isinstance(value, list) else value


def _shares(first: Any, second: Any) -> bool:
    """Whether two answers have a part in common that can be changed."""
    parts = {id(part) for part in _parts(first)}
    return any(id(part) in parts for part in _parts(second))


def _parts(value: Any) -> Iterator[Any]:
    """All objects and lists in an answer; result types are values that nobody changes."""
    if isinstance(value, Mapping):
        yield value
        inner: Iterable[Any] = value.values()
    elif isinstance(value, (list, tuple)):
        if isinstance(value, list):
            yield value
        inner = value
    else:
        return
    for item in inner:
        yield from _parts(item)


def _identity(obj: JsonObject) -> str:
    metadata = metadata_of(obj)
    names = (metadata.get("namespace"), metadata.get("name"))
    return " ".join(map(str, (obj.get("apiVersion"), obj.get("kind"), *filter(None, names))))
