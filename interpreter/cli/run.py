"""``interpret run``: one operation on every object given."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from interpreter.cli import inputs, options
from interpreter.cli.main import describe
from interpreter.errors import InterpreterError
from interpreter.machinery.wording import visible

if TYPE_CHECKING:
    from interpreter.api.operation import Operation
    from interpreter.facade import ResourceInterpreter
    from interpreter.manifests import Manifest


@click.command("run")
@click.argument("operation")
@options.filenames
@click.option("--desired", metavar="FILE", help="The template, for Retain: another name for -f.")
@inputs.with_inputs
@click.option("--remove-job-ttl", is_flag=True, help="For Prune: drop a Job's time to live too.")
@options.with_interpreter
@options.output
def command(
    operation: str,
    filenames: tuple[str, ...],
    desired: str | None,
    observed: str | None,
    status_items: str | None,
    replicas: int | None,
    remove_job_ttl: bool,
    make_interpreter: Callable[[], ResourceInterpreter],
    output: str,
) -> None:
    """Run one OPERATION on every object given.

    OPERATION is GetReplicas, GetComponents, ReviseReplica, Retain, AggregateStatus, ReflectStatus,
    InterpretHealth, GetDependencies or Prune, in any spelling; Karmada's names (InterpretReplica,
    InterpretStatus, …) work too.

    For InterpretHealth and ReflectStatus, which are about a member's object, --observed is another
    name for -f. Operations that return an object print it with -o yaml or -o json as kubectl
    reads it.
    """
    from interpreter.explanation import may_be_scripted, ordered_answer
    from interpreter.machinery.gvk import gvk_of
    from interpreter.operations import OPERATIONS, parse_operation

    wanted = parse_operation(operation)
    spec = OPERATIONS[wanted]
    if observed is not None and spec.hook in ("interpret_health", "reflect_status"):
        filenames, observed = _another_name(filenames, observed, "--observed"), None
    if desired is not None:
        if spec.subject != "desired":
            raise click.UsageError(f"{wanted} does not take --desired.")
        filenames = _another_name(filenames, desired, "--desired")
    _check_usage(wanted, observed=observed, items=status_items, replicas=replicas)
    if remove_job_ttl and "remove_job_ttl" not in spec.arguments:
        raise click.UsageError(f"{wanted} does not take --remove-job-ttl.")
    manifests = options.read_objects(filenames)
    given = inputs.read_inputs(observed, status_items, replicas)
    interpreter = make_interpreter()
    extra = {"remove_job_ttl": True} if remove_job_ttl else {}
    answers: list[tuple[Manifest, Any]] = []
    for manifest in manifests:
        try:
            arguments = {**given.for_object(manifest.obj), **extra}
            result = interpreter.call(wanted, manifest.obj, **arguments)
        except InterpreterError as error:
            click.echo(f"error: {describe(options.located(error, manifest))}", err=True)
        else:
            answer = spec.show(result)
            if may_be_scripted(interpreter.claims(gvk_of(manifest.obj), wanted)):
                answer = ordered_answer(wanted, answer, manifest.obj)
            answers.append((manifest, answer))
            _note_neutral(interpreter, wanted, manifest)
    _print(wanted, answers, output)
    if len(answers) < len(manifests):
        sys.exit(1)


def _another_name(filenames: tuple[str, ...], path: str, flag: str) -> tuple[str, ...]:
    if filenames:
        raise click.UsageError(f"{flag} is another name for -f here: give one of them.")
    return (path,)


def _check_usage(operation: Operation, **given: Any) -> None:
    from interpreter.operations import OPERATIONS, REQUIRED

    wanted = {
        argument.name for argument in OPERATIONS[operation].inputs if argument.default is REQUIRED
    }
    for name, flag in inputs.FLAGS.items():
        if name in wanted and given[name] is None:
            raise click.UsageError(f"{operation} needs {flag}.")
        if name not in wanted and given[name] is not None:
            raise click.UsageError(f"{operation} does not take {flag}.")


def _note_neutral(
    interpreter: ResourceInterpreter, operation: Operation, manifest: Manifest
) -> None:
    """Tells when an answer is nobody's: it looks like one, but no rule gave it."""
    from interpreter.machinery.gvk import gvk_of
    from interpreter.operations import OPERATIONS

    if OPERATIONS[operation].neutral is None:
        return
    if not interpreter.hook_enabled(gvk_of(manifest.obj), operation):
        text = f"nobody interprets {operation} of this kind, the answer is the neutral one"
        click.echo(f"note: {visible(manifest.where)}: {text}", err=True)


def _print(operation: Operation, answers: list[tuple[Manifest, Any]], output: str) -> None:
    from interpreter.cli import printing
    from interpreter.cli.short import STYLES, short
    from interpreter.operations import OPERATIONS

    spec = OPERATIONS[operation]
    if output == "name":
        for manifest, _answer in answers:
            click.echo(printing.resource_name(manifest.obj))
    elif output == "table":
        rows = [
            (printing.reference(manifest.obj), short(operation, answer, manifest.obj))
            for manifest, answer in answers
        ]
        if rows:
            headers = ("OBJECT", "ANSWER")
            printing.print_table(headers, rows, styles=STYLES, flexible="ANSWER")
    elif spec.returns_object:
        _print_objects([answer for _manifest, answer in answers], output)
    else:
        records = [
            {
                "object": printing.identity(manifest.obj),
                "source": manifest.where,
                "operation": operation.value,
                "answer": answer,
            }
            for manifest, answer in answers
        ]
        printing.print_records(records, output)


def _print_objects(objects: list[Any], output: str) -> None:
    from interpreter.cli import printing

    if output == "yaml":
        printing.print_yaml(objects)
    elif len(objects) == 1:
        printing.print_json(objects[0])
    else:
        printing.print_json({"apiVersion": "v1", "kind": "List", "items": objects})
