"""What is on its way out is no rollout any more, whatever the kind."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.api.operation import Operation
from interpreter.api.results import Health
from interpreter.engines.native.kind import NativeKind
from interpreter.engines.native.table import KINDS, handlers
from interpreter.errors import InvalidObject

WITH_HEALTH = [
    pytest.param(kind, id=kind.gvk.kind) for kind in KINDS if kind.interpret_health is not None
]


@pytest.mark.parametrize("kind", WITH_HEALTH)
def test_a_deletion_that_was_requested_is_progressing_and_leaves_the_boolean(
    ask: Any, kind: NativeKind
) -> None:
    handler = handlers()[kind.gvk, Operation.INTERPRET_HEALTH]
    obj: dict[str, Any] = {"metadata": {"name": "shop"}}
    before = ask(handler, obj)
    obj["metadata"]["deletionTimestamp"] = "2026-05-04T10:00:00Z"
    want = Health(
        "Progressing",
        "Terminating",
        "deletion was requested at 2026-05-04T10:00:00Z",
        before.healthy,
    )
    assert ask(handler, obj) == want


def test_a_deletion_of_a_wrong_type_is_an_error() -> None:
    handler = handlers()[KINDS[0].gvk, Operation.INTERPRET_HEALTH]
    with pytest.raises(InvalidObject) as caught:
        handler({"metadata": {"deletionTimestamp": 5}})
    assert caught.value.path == "metadata.deletionTimestamp"
