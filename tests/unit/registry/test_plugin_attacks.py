"""Plugins that do what no plugin should: the caller gets an answer, or an error that names them."""

from __future__ import annotations

import asyncio
import enum
import sys
import types
from collections import OrderedDict, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from interpreter import (
    Component,
    DependentObjectReference,
    HookContext,
    ReplicaRequirements,
    ReplicaResult,
    ResourceInterpreter,
    handles,
    hookimpl,
)
from interpreter.errors import (
    ConfigurationError,
    InterpreterError,
    InvalidObject,
    NoInterpreter,
    PluginError,
)

CLAIM = handles("example.com/v1", "Widget")
WIDGET = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}}
DEPLOYMENT = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web"},
    "spec": {"replicas": 2},
}


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise SystemExit


LEAVING = [
    pytest.param(SystemExit(3), id="the-process"),
    pytest.param(GeneratorExit(), id="a-generator"),
    pytest.param(asyncio.CancelledError(), id="a-task"),
    pytest.param(BaseExceptionGroup("all", [GeneratorExit()]), id="several-things"),
    pytest.param(Unspeakable(), id="while-its-text-is-made"),
]


def raising(error: BaseException) -> Any:
    def hook(*_arguments: Any) -> Any:
        raise error

    return hook


# --- Leaving instead of answering ----------------------------------------------------------------


@pytest.mark.parametrize("error", LEAVING)
def test_a_hook_that_leaves_is_an_error_that_names_the_plugin(error: BaseException) -> None:
    @CLAIM
    class Leaves:
        def get_replicas(self, obj: Any) -> Any:
            raise error

    with (
        ResourceInterpreter(plugins=[Leaves]) as ri,
        pytest.raises(PluginError, match=f"'Leaves'.* raised {type(error).__name__}"),
    ):
        ri.get_replicas(WIDGET)


@pytest.mark.parametrize("error", LEAVING)
@pytest.mark.parametrize("late", [False, True])
def test_a_wrapper_that_leaves_is_an_error_that_names_the_plugin(
    error: BaseException, late: bool
) -> None:
    class Wraps:
        name = "wraps"

        @hookimpl
        def handles(self) -> Any:
            return [handles("apps/v1", "Deployment")]

        @hookimpl(wrapper=True)
        def get_replicas(self) -> Any:
            if not late:
                raise error
            yield
            raise error

    with (
        ResourceInterpreter(plugins=[Wraps()]) as ri,
        pytest.raises(PluginError, match=f"'wraps'.* raised {type(error).__name__}"),
    ):
        ri.get_replicas(DEPLOYMENT)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_wrapper_that_refuses_to_end_is_an_error_that_names_the_plugin() -> None:
    stubborn = True

    class Wraps:
        name = "wraps"

        @hookimpl
        def handles(self) -> Any:
            return [handles("apps/v1", "Deployment")]

        @hookimpl(wrapper=True)
        def get_replicas(self) -> Any:
            while stubborn:
                try:
                    yield
                except GeneratorExit:
                    continue

    with (
        ResourceInterpreter(plugins=[Wraps()]) as ri,
        pytest.raises(PluginError, match="'wraps': a wrapper must yield exactly once"),
    ):
        ri.get_replicas(DEPLOYMENT)
    stubborn = False


def test_an_interrupt_is_for_whoever_runs_the_process() -> None:
    @CLAIM
    class Interrupted:
        def get_replicas(self, obj: Any) -> Any:
            raise KeyboardInterrupt

    with ResourceInterpreter(plugins=[Interrupted]) as ri, pytest.raises(KeyboardInterrupt):
        ri.get_replicas(WIDGET)


def test_the_text_of_an_error_that_quotes_everything_is_cut() -> None:
    @CLAIM
    class Verbose:
        def get_replicas(self, obj: Any) -> Any:
            raise ValueError("x" * 1_000_000)

    with ResourceInterpreter(plugins=[Verbose]) as ri, pytest.raises(PluginError) as caught:
        ri.get_replicas(WIDGET)
    assert len(str(caught.value)) < 3000


class ExitsWhenRead(type):
    def __getattr__(cls, name: str) -> Any:
        raise SystemExit(name)


@CLAIM
class ExitsWhenMade:
    __init__ = raising(SystemExit(9))

    def prune(self, obj: Any) -> Any: ...


class ExitsWhenAsked:
    handles = hookimpl(lambda self: raising(SystemExit(9))())

    @hookimpl
    def prune(self, obj: Any) -> Any: ...


@CLAIM
class HasBrokenProperty:
    @property
    def prune(self) -> Any:
        raise OSError("no database")


@pytest.mark.parametrize(
    "plugin",
    [
        ExitsWhenMade,
        pytest.param(ExitsWhenRead("Hostile", (), {}), id="a-metaclass-that-exits"),
        ExitsWhenAsked(),
        HasBrokenProperty,
    ],
)
def test_a_plugin_that_leaves_while_it_is_registered_is_an_error_that_names_it(plugin: Any) -> None:
    with pytest.raises(PluginError, match=r"plugin '.*' cannot be used: (SystemExit|OSError)"):
        ResourceInterpreter(plugins=[plugin]).start()


def test_a_module_that_exits_while_it_is_imported_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "exits_at_import.py").write_text("raise SystemExit(0)\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ConfigurationError, match="'exits_at_import:': SystemExit: 0"):
        ResourceInterpreter(plugins=["exits_at_import:"])


class Proxy:
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("working outside of a context")


class Anything:
    def __getattr__(self, name: str) -> Any:
        return self


@pytest.mark.parametrize("make", [Proxy, Anything])
def test_what_else_stands_in_a_module_is_not_taken_for_a_hook(make: Any) -> None:
    @CLAIM
    class Widgets:
        def get_replicas(self, obj: Any) -> int:
            return 3

    module = types.ModuleType("widgets")
    Widgets.__module__ = "widgets"
    module.__dict__.update(value=make(), Widgets=Widgets)
    with ResourceInterpreter(plugins=[module]) as ri:
        assert ri.get_replicas(WIDGET).replicas == 3


async def _later(self: Any, obj: Any) -> Any:
    return obj


def _by_keyword(self: Any, *, obj: Any) -> Any:
    return obj


@pytest.mark.parametrize(
    ("function", "message"),
    [(_later, "is async"), (_by_keyword, "takes arguments by keyword only")],
)
def test_a_function_that_can_never_answer_is_refused_when_it_is_loaded(
    function: Any, message: str
) -> None:
    plugin = CLAIM(type("Never", (), {"prune": function}))
    with pytest.raises(PluginError, match=f"'Never': .* {message}"):
        ResourceInterpreter(plugins=[plugin]).start()


def test_a_load_that_is_interrupted_is_made_up_for(tmp_path: Path) -> None:
    flag = tmp_path / "interrupted"
    (tmp_path / "late.py").write_text(
        "import pathlib\n"
        "from interpreter import handles\n"
        f"flag = pathlib.Path({str(flag)!r})\n"
        "if not flag.exists():\n"
        "    flag.touch()\n"
        "    raise KeyboardInterrupt\n"
        "@handles('example.com/v1', 'Widget')\n"
        "class Late:\n"
        "    def get_replicas(self, obj):\n"
        "        return 3\n"
    )
    with ResourceInterpreter(plugins=[tmp_path / "late.py"]) as ri:
        with pytest.raises(KeyboardInterrupt):
            ri.get_replicas(WIDGET)
        assert ri.get_replicas(WIDGET).replicas == 3


def test_a_third_plugin_of_a_name_fails_like_the_second(tmp_path: Path) -> None:
    for folder in "abc":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.py").write_text(
            "from interpreter import handles\n"
            "@handles('example.com/v1', 'Widget')\n"
            "class Same:\n"
            "    def get_replicas(self, obj):\n"
            f"        return {ord(folder) - ord('a')}\n"
        )
    with ResourceInterpreter(plugins=[tmp_path / folder for folder in "abc"]) as ri:
        assert ri.get_replicas(WIDGET).replicas == 0
        assert [report.status for report in ri.plugins()] == ["loaded", "failed", "failed"]


def test_a_plugin_that_asks_while_it_is_imported_is_asked_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "asks.py").write_text(
        "import asking_interpreter as app\n"
        "from interpreter import handles\n"
        "early = app.ri.get_replicas(app.deployment).replicas\n"
        "@handles('apps/v1', 'Deployment')\n"
        "class Asks:\n"
        "    def get_replicas(self, obj):\n"
        "        return early + 40\n"
    )
    app: Any = types.ModuleType("asking_interpreter")
    app.deployment = DEPLOYMENT
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "asking_interpreter", app)
        with ResourceInterpreter(plugins=[tmp_path / "asks.py"]) as ri:
            app.ri = ri
            ri.get_replicas(DEPLOYMENT)
            assert ri.get_replicas(DEPLOYMENT).replicas == 42


# --- Keeping what was given away -----------------------------------------------------------------


def test_an_answer_that_a_plugin_keeps_is_not_the_callers() -> None:
    kept = {"kind": "Widget", "spec": {"ports": [1]}, "null": None, "huge": 2**80}

    @CLAIM
    class Keeps:
        def prune(self, obj: Any) -> Any:
            return kept

        def reflect_status(self, obj: Any) -> Any:
            return kept

    with ResourceInterpreter(plugins=[Keeps]) as ri:
        for ask in (ri.prune, ri.reflect_status):
            answer = ask(WIDGET)
            assert answer == kept
            answer["spec"]["ports"].append(2)
            assert ask(WIDGET)["spec"]["ports"] == [1]


def test_records_that_a_plugin_keeps_are_not_the_callers() -> None:
    needed = ReplicaRequirements.from_dict({"resourceRequest": {"cpu": "1"}})
    replicas = ReplicaResult(1, needed)
    components = [Component("a", 1, needed)]
    dependencies = [DependentObjectReference("v1", "Pod", "", "", {"matchLabels": {"a": "b"}})]

    @CLAIM
    class Keeps:
        def get_replicas(self, obj: Any) -> Any:
            return replicas

        def get_components(self, obj: Any) -> Any:
            return components

        def get_dependencies(self, obj: Any) -> Any:
            return dependencies

    with ResourceInterpreter(plugins=[Keeps]) as ri:
        assert ri.get_replicas(WIDGET) == replicas
        assert ri.get_replicas(WIDGET).requirements is not needed
        assert ri.get_components(WIDGET) == components
        assert ri.get_components(WIDGET)[0] is not components[0]
        assert ri.get_dependencies(WIDGET) == dependencies
        assert ri.get_dependencies(WIDGET)[0].label_selector is not dependencies[0].label_selector


class Text(str):
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        raise AssertionError

    __hash__ = str.__hash__


class Word(enum.StrEnum):
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


class Share(float):
    pass


def test_answers_are_of_plain_types() -> None:
    odd = defaultdict(
        list,
        kind="Widget",
        spec=OrderedDict(text=Text("a"), word=Word.RED, level=Level.LOW, share=Share(0.5)),
        pair=(1, (2,)),
        big=2**80,
    )

    @CLAIM
    class Odd:
        def prune(self, obj: Any) -> Any:
            return odd

    with ResourceInterpreter(plugins=[Odd]) as ri:
        answer = ri.prune(WIDGET)
    assert type(answer) is dict
    assert type(answer["spec"]) is dict
    assert [type(value) for value in answer["spec"].values()] == [str, str, int, float]
    assert answer == {
        "kind": "Widget",
        "spec": {"text": "a", "word": "red", "level": 1, "share": 0.5},
        "pair": [1, [2]],
        "big": 2**80,
    }


# --- The tiers below -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"replicas": 2.5}, "replicas: must be an integer"),
        ({"replicas": True}, "replicas: must be an integer"),
        ({"replicas": None}, "replicas: must be an integer"),
        ({"replicas": -1}, "replicas: must be in 0"),
        ({"obj": None}, "must be a dict"),
        ({"obj": {}}, "apiVersion"),
        ({"obj": WIDGET}, "obj: must stay of the kind that is asked about, apps/v1/Deployment"),
    ],
)
def test_the_tiers_below_are_asked_with_what_a_caller_may_ask(changes: Any, message: str) -> None:
    @handles("apps/v1", "Deployment")
    class Asks:
        def revise_replica(self, obj: Any, replicas: int, context: HookContext) -> Any:
            return context.next_tier(**changes)

    with (
        ResourceInterpreter(plugins=[Asks]) as ri,
        pytest.raises(InvalidObject, match=message) as caught,
    ):
        ri.revise_replica(DEPLOYMENT, 3)
    assert caught.value.plugin == "Asks"


@pytest.mark.parametrize("observed", [None, [], "x"])
def test_an_observed_object_for_the_tiers_below_is_an_object(observed: Any) -> None:
    @handles("apps/v1", "Deployment")
    class Asks:
        def retain(self, desired: Any, observed: Any, context: HookContext) -> Any:
            return context.next_tier(observed=given)

    given = observed
    with (
        ResourceInterpreter(plugins=[Asks]) as ri,
        pytest.raises(InvalidObject, match="observed: must be an object"),
    ):
        ri.retain(DEPLOYMENT, DEPLOYMENT)


# --- Many at once --------------------------------------------------------------------------------


def _numbered(number: int) -> Any:
    def get_replicas(self: Any, obj: Any) -> Any:
        if number == 100:
            raise RuntimeError("broken")
        return number

    claim = handles("example.com/v1", f"Widget{number}")
    return claim(type(f"Plugin{number}", (), {"get_replicas": get_replicas}))


def _answers(ri: ResourceInterpreter) -> list[Any]:
    found: list[Any] = []
    for number in range(200):
        try:
            found.append(ri.get_replicas({**WIDGET, "kind": f"Widget{number}"}).replicas)
        except InterpreterError as error:
            found.append(type(error))
    return found


def test_one_of_many_goes_into_quarantine_while_threads_ask_and_documents_are_swapped() -> None:
    with (
        ResourceInterpreter(plugins=[_numbered(number) for number in range(200)]) as ri,
        ThreadPoolExecutor(16) as pool,
    ):
        asked = [pool.submit(_answers, ri) for _each in range(16)]
        while not all(each.done() for each in asked):
            ri.set_customizations([])
        wanted: list[Any] = list(range(200))
        for each in asked:
            found = each.result()
            assert found[100] in (PluginError, NoInterpreter)
            assert found[:100] + found[101:] == wanted[:100] + wanted[101:]
        states = {report.name: report.status for report in ri.plugins()}
    assert states.pop("Plugin100") == "quarantined"
    assert set(states.values()) == {"loaded"}
