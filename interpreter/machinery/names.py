"""Kubernetes name and label rules.

A check returns what is wrong, in the words of ``k8s.io/apimachinery``.

Those words are published and others match on them, so they are kept exactly.
"""

from __future__ import annotations

import json
import re
from typing import Any

from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import JsonObject, list_or_empty, map_or_empty, objects_at

_NAME = r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_VALUE = rf"({_NAME})?"
_SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_IS_NAME = re.compile(rf"(?:{_NAME})\Z", re.ASCII)
_IS_VALUE = re.compile(rf"(?:{_VALUE})\Z", re.ASCII)
_IS_SUBDOMAIN = re.compile(rf"(?:{_SUBDOMAIN})\Z", re.ASCII)
_LABEL_LENGTH = 63
_SUBDOMAIN_LENGTH = 253
#: A message repeats no more of a value.
_SHOWN = 500
_CHARACTERS = (
    "must consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character"
)


def _pattern_problem(rule: str, pattern: str, *examples: str) -> str:
    shown = " or ".join(f"'{example}', " for example in examples)
    return f"{rule} (e.g. {shown}regex used for validation is '{pattern}')"


def _too_long(text: str, limit: int) -> list[str]:
    return (
        [f"must be no more than {limit} bytes"]
        if len(text.encode(errors="surrogatepass")) > limit
        else []
    )


def label_value_problems(text: str) -> tuple[str, ...]:
    """What keeps a text from being a label's value; empty when it is one."""
    problems = _too_long(text, _LABEL_LENGTH)
    if not _IS_VALUE.match(text):
        rule = (
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' "
            "or '.', and must start and end with an alphanumeric character"
        )
        problems.append(_pattern_problem(rule, _VALUE, "MyValue", "my_value", "12345"))
    return tuple(problems)


def label_key_problems(text: str) -> tuple[str, ...]:
    """What keeps a text from being a label's key: a name, with an optional DNS prefix."""
    problems = []
    *prefixes, name = text.split("/")
    if len(prefixes) > 1:
        rule = f"a qualified name {_CHARACTERS}"
        problem = _pattern_problem(rule, _NAME, "MyName", "my.name", "123-abc")
        return (
            f"{problem} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
        )
    for prefix in prefixes:
        if not prefix:
            problems.append("prefix part must be non-empty")
        else:
            problems.extend(f"prefix part {problem}" for problem in subdomain_problems(prefix))
    if not name:
        problems.append("name part must be non-empty")
    problems.extend(f"name part {problem}" for problem in _too_long(name, _LABEL_LENGTH))
    if not _IS_NAME.match(name):
        problem = _pattern_problem(_CHARACTERS, _NAME, "MyName", "my.name", "123-abc")
        problems.append(f"name part {problem}")
    return tuple(problems)


def subdomain_problems(text: str) -> tuple[str, ...]:
    """What keeps a text from being a DNS subdomain (RFC 1123)."""
    problems = _too_long(text, _SUBDOMAIN_LENGTH)
    if not _IS_SUBDOMAIN.match(text):
        rule = (
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, "
            "'-' or '.', and must start and end with an alphanumeric character"
        )
        problems.append(_pattern_problem(rule, _SUBDOMAIN, "example.com"))
    return tuple(problems)


def is_label_key(text: str) -> bool:
    """Whether a text can be a label's key."""
    return not label_key_problems(text)


def selector_problems(selector: JsonObject, path: str) -> list[str]:
    """Problems of a ``metav1.LabelSelector``, each with its field path.

    Raises:
        InvalidObject: A field has the wrong type.
    """
    problems: list[str] = []
    labels = f"{path}.matchLabels"
    for key, value in map_or_empty(selector, "matchLabels", path).items():
        problems.extend(_invalid(labels, key, label_key_problems(_text(key, labels))))
        problems.extend(_invalid(labels, value, label_value_problems(_text(value, labels))))
    for index, expression in enumerate(objects_at(selector, "matchExpressions", path)):
        problems.extend(_expression_problems(expression or {}, f"{path}.matchExpressions[{index}]"))
    return problems


def _expression_problems(expression: JsonObject, path: str) -> list[str]:
    operator = _text(expression.get("operator"), f"{path}.operator")
    values = list_or_empty(expression, "values", path)
    problems = []
    if operator in ("In", "NotIn"):
        if not values:
            problems.append(
                f"{path}.values: Required value: must be specified when `operator` is 'In' or "
                "'NotIn'"
            )
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            problems.append(
                f"{path}.values: Forbidden: may not be specified when `operator` is 'Exists' or "
                "'DoesNotExist'"
            )
    else:
        problems.append(invalid(f"{path}.operator", operator, "not a valid selector operator"))
    key = _text(expression.get("key"), f"{path}.key")
    problems.extend(_invalid(f"{path}.key", key, label_key_problems(key)))
    for index, value in enumerate(values):
        where = f"{path}.values[{index}]"
        problems.extend(_invalid(where, value, label_value_problems(_text(value, where))))
    return problems


def _text(value: Any, path: str) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    raise InvalidObject("must be a string", path=path, value=value)


def _invalid(path: str, value: str, problems: tuple[str, ...]) -> list[str]:
    return [invalid(path, value, problem) for problem in problems]


def invalid(path: str, value: str, problem: str) -> str:
    """A problem of a text value, as the API machinery words it."""
    short = value if len(value) <= _SHOWN else f"{value[:_SHOWN]}…"
    shown = json.dumps(short, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
    return f"{path}: Invalid value: {shown}: {problem}"
