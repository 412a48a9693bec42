"""``interpret run``: one operation on every object given."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from interpreter.cli import options
from interpreter.cli.main import describe
from interpreter.errors import InterpreterError, InvalidObject

if TYPE_CHECKING:
    from interpreter.api.operation import Operation
    from interpreter.machinery.unstructured import JsonObject
    from interpreter.manifests import Manifest


@dataclass(frozen=True, slots=True)
class _Inputs:
    """Inputs behind the object, as given on the command line; None where not given.

    ``alone`` is whether one object was given: then one observed object is its counterpart.
    """

    observed: list[Manifest] | None
    alone: bool
    items: list[Any] | None
    replicas: int | None
    remove_job_ttl: bool

    def for_object(self, manifest: Manifest) -> dict[str, Any]:
        """Arguments of any operation on one object, by name."""
        return {
            "observed": None if self.observed is None else self._counterpart(manifest.obj),
            "items": self.items,
            "replicas": self.replicas,
            "remove_job_ttl": self.remove_job_ttl,
        }

    def _counterpart(self, obj: JsonObject) -> JsonObject:
        candidates = self.observed or []
        if self.alone and len(candidates) == 1:
            return candidates[0].obj
        wanted = _identity(obj)
        for candidate in candidates:
            if _identity(candidate.obj) == wanted:
                return candidate.obj
        raise InvalidObject("has no counterpart of the same kind and name in the --observed file")


@click.command("run")
@click.argument("operation")
@options.filenames
@click.option(
    "--desired",
    metavar="FILE",
    help="The template, for Retain; the same as -f.",
)
@click.option(
    "--observed",
    metavar="FILE",
    help="The member's object, for Retain: one, or one of the same kind and name for each object. "
    "For InterpretHealth and ReflectStatus the same as -f.",
)
@click.option(
    "--status-items",
    metavar="FILE",
    help="Member statuses, for AggregateStatus: a list of AggregatedStatusItem.",
)
@click.option("--replicas", type=int, metavar="N", help="The count to write, for ReviseReplica.")
@click.option("--remove-job-ttl", is_flag=True, help="For Prune: drop a Job's time to live too.")
@options.interpreter_options
@options.output
def command(
    operation: str,
    filenames: tuple[str, ...],
    desired: str | None,
    observed: str | None,
    status_items: str | None,
    replicas: int | None,
    remove_job_ttl: bool,
    customizations: tuple[str, ...],
    webhooks: tuple[str, ...],
    tiers: tuple[str, ...],
    disable: tuple[str, ...],
    output: str,
) -> None:
    """Run one OPERATION on every object given.

    OPERATION is GetReplicas, GetComponents, ReviseReplica, Retain, AggregateStatus, ReflectStatus,
    InterpretHealth, GetDependencies or Prune, in any spelling; Karmada's names (InterpretReplica,
    InterpretStatus, …) work too.

    Operations that return an object print it with -o yaml or -o json as kubectl reads it.
    """
    from interpreter.api.operation import Operation
    from interpreter.operations import parse_operation

    wanted = parse_operation(operation)
    if desired is not None:
        filenames = (*filenames, desired)
    if observed is not None and wanted in (Operation.INTERPRET_HEALTH, Operation.REFLECT_STATUS):
        filenames, observed = (*filenames, observed), None
    _check_usage(wanted, filenames, observed=observed, status_items=status_items, replicas=replicas)
    interpreter = options.make_interpreter(customizations, webhooks, tiers, disable)
    manifests = list(options.read_objects(filenames))
    inputs = _Inputs(
        observed=None if observed is None else list(options.read_objects((observed,))),
        alone=len(manifests) == 1,
        items=None if status_items is None else _read_items(status_items),
        replicas=replicas,
        remove_job_ttl=remove_job_ttl,
    )
    failed = False
    results: list[tuple[Manifest, Any]] = []
    for manifest in manifests:
        try:
            result = interpreter.call(wanted, manifest.obj, **inputs.for_object(manifest))
        except InterpreterError as error:
            failed = True
            click.echo(f"error: {describe(options.located(error, manifest))}", err=True)
        else:
            results.append((manifest, result))
    if not manifests:
        raise InvalidObject("no object in the given files", source=", ".join(filenames))
    _print(wanted, results, output)
    if failed:
        sys.exit(1)


def _check_usage(
    operation: Operation,
    filenames: tuple[str, ...],
    *,
    observed: str | None,
    status_items: str | None,
    replicas: int | None,
) -> None:
    needs = {"observed": observed, "items": status_items, "replicas": replicas}
    flags = {"observed": "--observed", "items": "--status-items", "replicas": "--replicas"}
    from interpreter.operations import OPERATIONS

    for argument in OPERATIONS[operation].arguments[1:]:
        if argument in needs and needs[argument] is None:
            raise click.UsageError(f"{operation} needs {flags[argument]}.")
    for argument, value in needs.items():
        if value is not None and argument not in OPERATIONS[operation].arguments:
            raise click.UsageError(f"{operation} does not take {flags[argument]}.")
    if not filenames:
        raise click.UsageError("Missing option '-f' / '--filename'.")


def _read_items(path: str) -> list[Any]:
    from interpreter.manifests import read_documents

    items: list[Any] = []
    for entry in read_documents((path,)):
        if not isinstance(entry.value, dict):
            raise InvalidObject(
                "must be an AggregatedStatusItem (clusterName, status, …)",
                value=entry.value,
                source=entry.where,
            )
        # A whole binding may be given: its items are what is meant.
        status = entry.value.get("status")
        if "kind" in entry.value and isinstance(status, dict) and "aggregatedStatus" in status:
            items.extend(status["aggregatedStatus"] or ())
        else:
            items.append(entry.value)
    return items


def _identity(obj: Any) -> tuple[Any, ...]:
    from interpreter.machinery.unstructured import name_of, namespace_of

    return (obj["apiVersion"], obj["kind"], namespace_of(obj), name_of(obj))


def _print(operation: Operation, results: list[tuple[Manifest, Any]], output: str) -> None:
    from interpreter.cli import printing
    from interpreter.cli.short import STYLES, short
    from interpreter.operations import OPERATIONS

    spec = OPERATIONS[operation]
    answers = [(manifest, spec.show(result)) for manifest, result in results]
    if output == "name":
        for manifest, _answer in answers:
            click.echo(printing.resource_name(manifest.obj))
    elif output == "table":
        rows = [
            (printing.reference(manifest.obj), short(operation, answer, manifest.obj))
            for manifest, answer in answers
        ]
        if rows:
            printing.print_table(("OBJECT", "ANSWER"), rows, styles=STYLES)
    elif spec.returns_object:
        _print_objects([answer for _manifest, answer in answers], output)
    else:
        records = [
            {**_reference(manifest), "operation": operation.value, "answer": answer}
            for manifest, answer in answers
        ]
        if output == "json":
            printing.print_json(records)
        else:
            printing.print_yaml(records)


def _reference(manifest: Manifest) -> dict[str, Any]:
    from interpreter.machinery.unstructured import name_of, namespace_of

    obj = manifest.obj
    result = {"apiVersion": obj["apiVersion"], "kind": obj["kind"], "name": name_of(obj)}
    namespace = namespace_of(obj)
    return {**result, "namespace": namespace} if namespace else result


def _print_objects(objects: Iterable[Any], output: str) -> None:
    from interpreter.cli import printing

    found = list(objects)
    if output == "yaml":
        printing.print_yaml(found)
    elif len(found) == 1:
        printing.print_json(found[0])
    else:
        printing.print_json({"apiVersion": "v1", "kind": "List", "items": found})
