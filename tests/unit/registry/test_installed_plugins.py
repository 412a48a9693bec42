"""Installed plugins: found by metadata, imported when needed, chosen, blocked, listed."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sites import install

from interpreter import GVK, Operation, ResourceInterpreter, Settings
from interpreter.errors import ConfigurationError, NoInterpreter, PluginError
from interpreter.registry.plugin_reports import PluginReport
from interpreter.registry.plugin_sources import declared_kind, installed

WIDGET = {"apiVersion": "example.com/v1", "kind": "Widget", "spec": {"size": 3}}
GADGET = {"apiVersion": "example.com/v1", "kind": "Gadget", "spec": {"size": 4}}


def plugin(kind: str, answer: int, *, extra: str = "") -> str:
    """The text of a module with one decorated class."""
    return (
        "from interpreter import handles\n"
        f'@handles("example.com/v1", "{kind}")\n'
        "class Plugin:\n"
        f"    {extra or 'pass'}\n"
        "    def get_replicas(self, obj):\n"
        f"        return {answer}\n"
    )


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder where distributions are installed; modules in it are forgotten afterwards."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    before = set(sys.modules)
    installed.cache_clear()
    yield folder
    installed.cache_clear()
    for name in set(sys.modules) - before:
        path = getattr(sys.modules[name], "__file__", None) or ""
        if path.startswith(str(folder)):
            del sys.modules[name]
    importlib.invalidate_caches()


def reports(interpreter: ResourceInterpreter) -> dict[str, PluginReport]:
    return {report.name: report for report in interpreter.plugins()}


def two_plugins(site: Path) -> None:
    """One that declares its kinds, and one that does not."""
    install(
        site,
        "widgets",
        files={"widgets.py": plugin("Widget", 7)},
        plugins={"widget": "widgets:Plugin"},
        kinds={"example.com/v1/Widget": "widgets:Plugin"},
    )
    install(
        site,
        "gadgets",
        files={"gadgets.py": plugin("Gadget", 8)},
        plugins={"gadget": "gadgets"},
    )


def test_a_declared_plugin_is_imported_when_its_kind_is_asked_for(site: Path) -> None:
    two_plugins(site)
    with ResourceInterpreter(disable=["plugin:gadget"]) as ri:
        assert "widgets" not in sys.modules
        assert not ri.hook_enabled(GVK("other.com", "v1", "X"), Operation.GET_REPLICAS)
        assert "widgets" not in sys.modules
        assert reports(ri)["widget"].status == "not needed yet"
        assert reports(ri)["widget"].kinds == ("example.com/v1/Widget",)
        assert ri.get_replicas(WIDGET).replicas == 7
        assert reports(ri)["widget"].status == "loaded"


def test_a_plugin_that_declares_nothing_is_imported_at_the_first_operation(site: Path) -> None:
    two_plugins(site)
    with ResourceInterpreter() as ri:
        assert reports(ri)["gadget"].kinds is None
        assert not ri.hook_enabled(GVK("other.com", "v1", "X"), Operation.GET_REPLICAS)
        assert "gadgets" in sys.modules
        assert "widgets" not in sys.modules
        assert ri.get_replicas(GADGET).replicas == 8


def test_listing_shows_where_a_plugin_comes_from(site: Path) -> None:
    two_plugins(site)
    with ResourceInterpreter() as ri:
        report = reports(ri)["widget"]
        assert (report.distribution, report.version, report.value) == (
            "widgets",
            "1.0",
            "widgets:Plugin",
        )
        assert Path(report.path) == site
        assert report.hooks == ()
        (loaded, _) = sorted(ri.plugins(load=True), key=lambda one: one.name, reverse=True)
        assert loaded.hooks == ("get_replicas",)


@pytest.mark.parametrize(
    ("options", "imported"),
    [
        ({"plugins": None}, set()),
        ({"plugins": ["widget"]}, {"widgets"}),
        ({"settings": Settings(plugins=())}, set()),
        ({"settings": Settings(plugins=("gadget",))}, {"gadgets"}),
        ({"settings": Settings(allowed_plugins=("widget",))}, {"widgets"}),
        ({"plugins": ["gadget"], "settings": Settings(allowed_plugins=("widget",))}, set()),
        ({"disable": ["plugin:widget"]}, {"gadgets"}),
    ],
    ids=[
        "none",
        "by name",
        "empty list",
        "by setting",
        "allow-list",
        "named, not allowed",
        "switched off",
    ],
)
def test_only_what_is_wanted_and_allowed_is_imported(
    site: Path, options: dict[str, Any], imported: set[str]
) -> None:
    two_plugins(site)
    with ResourceInterpreter(**options) as ri:
        for obj in (WIDGET, GADGET):
            ri.hook_enabled(GVK("example.com", "v1", obj["kind"]), Operation.GET_REPLICAS)
        assert {"widgets", "gadgets"} & set(sys.modules) == imported
        assert ri.idle_disables() == []


def test_a_blocked_plugin_is_listed_and_explained(site: Path) -> None:
    two_plugins(site)
    with ResourceInterpreter(settings=Settings(allowed_plugins=())) as ri:
        assert reports(ri)["widget"].status == "blocked"
        assert reports(ri)["widget"].reason == "not among the allowed plugins"
        explanation = ri.explain(WIDGET, Operation.GET_REPLICAS)
        assert [(one.plugin, one.reason) for one in explanation.skipped] == [
            ("widget", "blocked: not among the allowed plugins")
        ]


def test_a_name_that_is_not_installed_says_which_one_is_near(site: Path) -> None:
    two_plugins(site)
    with pytest.raises(ConfigurationError, match=r"no plugin named 'wigdet' .*\(widget\?\)"):
        ResourceInterpreter(plugins=["wigdet"])


def test_of_two_plugins_with_one_name_the_first_distribution_counts(site: Path) -> None:
    for distribution, answer in (("b-dist", 2), ("a-dist", 1)):
        module = distribution.replace("-", "_")
        install(
            site,
            distribution,
            files={f"{module}.py": plugin("Widget", answer)},
            plugins={"widget": f"{module}:Plugin"},
        )
    with ResourceInterpreter() as ri:
        assert ri.get_replicas(WIDGET).replicas == 1
        first, second = ri.plugins()
        assert (first.distribution, first.status) == ("a-dist", "loaded")
        assert (second.distribution, second.status) == ("b-dist", "blocked")
        assert second.reason == "its name is that of a plugin of a-dist"


BROKEN = {
    "import": ("raise RuntimeError('no licence')\n", "RuntimeError: no licence"),
    "exit": ("import sys\nsys.exit(3)\n", "SystemExit: 3"),
    "no hooks": ("x = 1\n", "plugin 'broken' has no hooks"),
    "API": (plugin("Widget", 1, extra="requires_api = '2'"), "requires hook API '2', this is '1'"),
}


@pytest.mark.parametrize(("text", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_plugin_that_fails_is_named_and_takes_nobody_down(
    site: Path, text: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    two_plugins(site)
    install(site, "broken", files={"broken.py": text}, plugins={"broken": "broken"})
    with ResourceInterpreter() as ri:
        assert ri.get_replicas(WIDGET).replicas == 7
        assert ri.get_replicas(GADGET).replicas == 8
        report = reports(ri)["broken"]
    assert report.status == "failed"
    assert reason in (report.reason or "")
    assert "Traceback" in (report.trace or "")
    assert "plugin broken cannot be used" in caplog.text


@pytest.mark.parametrize(("text", "reason"), BROKEN.values(), ids=BROKEN)
def test_in_strict_mode_a_plugin_that_fails_is_an_error_at_the_start(
    site: Path, text: str, reason: str
) -> None:
    two_plugins(site)
    install(site, "broken", files={"broken.py": text}, plugins={"broken": "broken"})
    ri = ResourceInterpreter(settings=Settings(strict_plugins=True))
    with pytest.raises(PluginError, match=r"'broken' \(broken\) cannot be used") as caught:
        ri.start()
    assert reason in str(caught.value)


def test_a_declared_plugin_that_fails_is_told_of_where_its_kind_is_explained(site: Path) -> None:
    install(
        site,
        "widgets",
        files={"widgets.py": "import not_there\n"},
        plugins={"widget": "widgets:Plugin"},
        kinds={"example.com/*/Widget": "widgets:Plugin"},
    )
    with ResourceInterpreter() as ri:
        with pytest.raises(NoInterpreter):
            ri.get_replicas(WIDGET)
        (skipped,) = ri.explain(WIDGET, Operation.GET_REPLICAS).skipped
    assert skipped.plugin == "widget"
    assert "No module named 'not_there'" in skipped.reason


def test_what_metadata_and_claims_do_not_share_is_noted_and_not_asked(site: Path) -> None:
    text = (
        "from interpreter import handles\n"
        '@handles("example.com/v1", "Widget")\n'
        '@handles("example.com/v1", "Gadget")\n'
        "class Plugin:\n"
        "    def get_replicas(self, obj):\n"
        "        return 9\n"
    )
    install(
        site,
        "both",
        files={"both.py": text},
        plugins={"both": "both:Plugin"},
        kinds={"example.com/v1/Widget": "both:Plugin", "example.com/v1/Other": "both:Plugin"},
    )
    with ResourceInterpreter() as ri:
        assert ri.get_replicas(WIDGET).replicas == 9
        with pytest.raises(NoInterpreter):
            ri.get_replicas(GADGET)
        assert reports(ri)["both"].notes == (
            "claims example.com/v1/Gadget, which its metadata does not declare: not asked for it",
            "does not claim example.com/v1/Other, which its metadata declares",
        )


def test_in_strict_mode_metadata_that_is_not_true_is_an_error(site: Path) -> None:
    install(
        site,
        "widgets",
        files={"widgets.py": plugin("Widget", 7)},
        plugins={"widget": "widgets:Plugin"},
        kinds={"example.com/v1/Wigdet": "widgets:Plugin"},
    )
    ri = ResourceInterpreter(settings=Settings(strict_plugins=True))
    with pytest.raises(PluginError, match=r"claims example\.com/v1/Widget, which its metadata"):
        ri.start()


def test_a_kind_in_metadata_of_another_form_is_the_plugins_fault(site: Path) -> None:
    install(
        site,
        "widgets",
        files={"widgets.py": plugin("Widget", 7)},
        plugins={"widget": "widgets:Plugin"},
        kinds={"Widget": "widgets:Plugin"},
    )
    with ResourceInterpreter() as ri:
        ri.hook_enabled(GVK("example.com", "v1", "Widget"), Operation.GET_REPLICAS)
        report = reports(ri)["widget"]
    assert report.status == "failed"
    assert "'Widget' is not group/version/Kind" in (report.reason or "")


@pytest.mark.parametrize(
    ("text", "gvk"),
    [
        ("example.com/v1/Widget", GVK("example.com", "v1", "Widget")),
        ("v1/Pod", GVK("", "v1", "Pod")),
        ("core/v1/Pod", GVK("", "v1", "Pod")),
        ("*.example.com/*/*", GVK("*.example.com", "*", "*")),
    ],
)
def test_a_kind_in_metadata_is_named_like_a_folder_or_an_object(text: str, gvk: GVK) -> None:
    assert declared_kind(text) == gvk


# --- Lua packs -----------------------------------------------------------------------------------

SCRIPT = "function GetReplicas(obj)\n  return obj.spec.size * 10\nend\n"


def test_a_pack_of_scripts_answers_without_importing_anything(site: Path) -> None:
    install(
        site,
        "widget-pack",
        files={
            "widget_pack/__init__.py": "raise RuntimeError('imported')\n",
            "widget_pack/lua_scripts/example.com/v1/Widget/get_replicas.lua": SCRIPT,
            "widget_pack/lua_scripts/example.com/v1/Widget/kind.yaml": "versions: [v2]\n",
        },
        packs={"widget-pack": "widget_pack"},
        kinds={"example.com/*/Widget": "widget_pack"},
    )
    with ResourceInterpreter() as ri:
        assert ri.get_replicas(WIDGET).replicas == 30
        assert ri.get_replicas({**WIDGET, "apiVersion": "example.com/v2"}).replicas == 30
        explanation = ri.explain(WIDGET, Operation.GET_REPLICAS)
        report = reports(ri)["widget-pack"]
    assert (explanation.tier, explanation.plugin) == ("plugin", "widget-pack")
    assert explanation.handler == "example.com/v1/Widget/get_replicas.lua"
    assert report.hooks == ("get_replicas.lua",)
    assert report.kinds == ("example.com/v1/Widget", "example.com/v2/Widget")


def test_a_pack_without_scripts_is_named(site: Path) -> None:
    install(site, "empty", files={"empty_pack/__init__.py": ""}, packs={"empty": "empty_pack"})
    install(site, "missing", files={}, packs={"missing": "missing_pack"})
    with ResourceInterpreter() as ri:
        ri.hook_enabled(GVK("example.com", "v1", "Widget"), Operation.GET_REPLICAS)
        found = reports(ri)
    assert "there is no script in" in (found["empty"].reason or "")
    assert "missing_pack is no package" in (found["missing"].reason or "")


# --- Files ---------------------------------------------------------------------------------------


def test_files_of_a_folder_are_plugins(tmp_path: Path) -> None:
    (tmp_path / "widget.py").write_text(plugin("Widget", 5))
    (tmp_path / "gadget.py").write_text(plugin("Gadget", 6))
    (tmp_path / "_shared.py").write_text("raise RuntimeError\n")
    (tmp_path / "broken.py").write_text("def\n")
    with ResourceInterpreter(plugins=[tmp_path]) as ri:
        assert ri.get_replicas(WIDGET).replicas == 5
        assert ri.get_replicas(GADGET).replicas == 6
        found = reports(ri)
    assert sorted(found) == ["broken", "gadget", "widget"]
    assert "SyntaxError" in (found["broken"].reason or "")
    assert found["widget"].path == str(tmp_path / "widget.py")


def test_a_file_may_hold_several_classes(tmp_path: Path) -> None:
    text = plugin("Widget", 5) + plugin("Gadget", 6).replace("class Plugin", "class Other")
    (tmp_path / "both.py").write_text(text)
    with ResourceInterpreter(plugins=[tmp_path / "both.py"]) as ri:
        assert ri.get_replicas(WIDGET).replicas == 5
        assert ri.get_replicas(GADGET).replicas == 6
        assert ri.explain(GADGET, Operation.GET_REPLICAS).plugin == "both"


def test_a_class_in_a_file_may_state_its_claims_in_a_hook(tmp_path: Path) -> None:
    text = (
        "from interpreter import handles, hookimpl\n"
        "class Long:\n"
        "    @hookimpl\n"
        "    def handles(self):\n"
        '        return [handles("example.com/v1", "Widget")]\n'
        "    @hookimpl\n"
        "    def get_replicas(self, obj):\n"
        "        return 4\n"
    )
    (tmp_path / "long.py").write_text(text)
    with ResourceInterpreter(plugins=[tmp_path]) as ri:
        assert ri.get_replicas(WIDGET).replicas == 4


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="does not exist"):
        ResourceInterpreter(plugins=[tmp_path / "nowhere"])


def test_entry_points_are_listed_once_in_a_process(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib.metadata

    scans: list[int] = []
    real: Callable[..., Any] = importlib.metadata.entry_points

    def counted(**chosen: Any) -> Any:
        scans.append(1)
        return real(**chosen)

    monkeypatch.setattr(importlib.metadata, "entry_points", counted)
    two_plugins(site)
    for _ in range(3):
        with ResourceInterpreter() as ri:
            ri.plugins()
    assert len(scans) == 1
