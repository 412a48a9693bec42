from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_samples import HARM, WEB, cluster, full_plan, harmful_plan

from interpreter.planning import Candidate, Pass, Placement, Plan, State, TemplatePlan
from interpreter.planning.page import render_page
from interpreter.planning.page.field_differences import differences
from interpreter.planning.page.markup import Markup, tag

VOID = {"meta", "input", "col"}


class Outline(HTMLParser):
    """What a browser makes of a page: elements with their attributes, and the text of each cell."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.cells: list[list[str]] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, name: str, attributes: Any) -> None:
        self.elements.append((name, dict(attributes)))
        if name not in VOID:
            self.open.append(name)
        if name == "tr":
            self.cells.append([])
        if name in ("td", "th"):
            self.cells[-1].append("")

    def handle_endtag(self, name: str) -> None:
        assert self.open.pop() == name

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.text += data
        if {"td", "th"} & set(self.open):
            self.cells[-1][-1] += data

    def all(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for found, attributes in self.elements if found == name]


def row(page: Outline, first: str) -> list[str]:
    return next(cells for cells in page.cells if cells and cells[0].startswith(first))


def test_the_matrix_has_a_row_for_each_template_and_a_column_for_each_cluster() -> None:
    page = Outline(render_page(full_plan()))
    assert row(page, "Template") == ["Template", "eu", "sa", "Replicas"]
    assert page.cells[1] == ["dublin", "oslomaintenance:NoSchedulebeing deleted", "lima"]
    assert row(page, "Deployment shop/web") == [
        "Deployment shop/web",
        "4± in dublin; changed by OverridePolicy shop/europe",
        "\N{MULTIPLICATION SIGN}",
        "2before 5 in lima",
        "6",
    ]
    assert row(page, "ConfigMap")[1] == (
        "✓suspended placed in dublin; for Deployment shop/web; dispatching suspended"
    )
    assert row(page, "Job")[3] == "! failed: Job shop/lost in lima: no path"
    assert row(page, "All") == ["All", "42 objects", "00 objects", "21 object", "6"]


def test_heat_grows_with_the_share_of_a_template() -> None:
    classes = [each.get("class") for each in Outline(render_page(full_plan())).all("td")]
    assert classes[:3] == ["heat-8", "rejected", "heat-4"]
    assert "heat-0 follows" in classes


def test_bars_add_the_plan_to_what_is_used_and_end_where_the_cluster_ends() -> None:
    page = Outline(render_page(full_plan()))
    labels = [each["aria-label"] for each in page.all("svg")]
    assert labels == [
        "cpu: 50 + 25 of 100 (75 %)",
        "cpu: 90 + 30 of 100 (120 %), more than there is",
    ]
    bars = [(each["class"], each.get("x"), each["width"]) for each in page.all("rect")]
    assert bars[1:3] == [("used", None, "500"), ("planned", "500", "250")]
    assert bars[4:] == [("used", None, "900"), ("over", "900", "100")]


@pytest.mark.parametrize(
    "text",
    [
        "PropagationPolicy shop/web: selects it by name",
        "500m",
        "PlacementChanged",
        "no room at all",
        "cluster(s) had untolerated taint {maintenance: NoSchedule}",
        "Result: dublin 4, lima 2",
        "OverridePolicy shop/europe: image registry",
        "quito",
        "The object in lima, compared with dublin",
        "no label to replace",
        "cluster oslo: capacity unknown",
        "0/3 clusters are available",
        "none selects it, and nothing depends on it",
        "MultiplePodTemplatesScheduling=true",
        "kind: ResourceBinding",
    ],
)
def test_the_page_tells(text: str) -> None:
    assert text in Outline(render_page(full_plan())).text


def test_a_second_object_is_shown_by_its_differences() -> None:
    page = Outline(render_page(full_plan()))
    assert row(page, "spec.replicas") == ["spec.replicas", "6", "2"]


def test_every_link_leads_somewhere_and_no_id_is_there_twice() -> None:
    page = Outline(render_page(full_plan()))
    ids = [attributes["id"] for _name, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {each["href"] for each in page.all("a")} <= {f"#{name}" for name in ids}
    for _name, attributes in page.elements:
        for reference in (attributes.get("aria-labelledby") or "").split():
            assert reference in ids


def test_the_page_needs_nothing_else() -> None:
    text = render_page(full_plan())
    assert not re.search(r"(?:src|href)=\"(?!#)|url\(|@import|https?:", text)
    assert "default-src &#x27;none&#x27;" in text


@pytest.mark.parametrize("title", ["Plan", HARM])
def test_no_text_leaves_its_place(title: str) -> None:
    page = Outline(render_page(harmful_plan(), title=title))
    assert page.all("img") == []
    assert [each for each in page.all("script") if each] == []
    assert len(page.all("script")) == len(page.all("style")) == 1
    assert not [key for _name, found in page.elements for key in found if key.startswith("on")]
    assert "\x00" not in page.text
    assert "<img src=x onerror=" in page.text
    render_page(harmful_plan(), title=title).encode("utf-8")


def test_an_empty_plan_is_a_page() -> None:
    page = Outline(render_page(Plan((), ())))
    assert "0 templates" in page.text


def test_a_plan_is_rendered_the_same_each_time() -> None:
    assert render_page(full_plan()) == render_page(full_plan())


@given(st.text())
def test_any_text_comes_back_from_the_page_as_it_was(text: str) -> None:
    outline = Outline(tag("p", text, title=text))
    shown = outline.text
    assert outline.all("p") == [{"title": shown}]
    if text.isprintable():
        assert shown == text
    assert len(outline.elements) == 1


def test_only_markup_is_left_as_it_is() -> None:
    assert tag("p", "<", Markup("<br>"), None, ["&"], title='"', hidden=True, lang=None) == (
        '<p title="&quot;" hidden>&lt;<br>&amp;</p>'
    )


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        pytest.param({"a": 1}, {"a": 1}, [], id="the same"),
        pytest.param({"a": {"b": 1}}, {"a": {"b": 2}}, [("a.b", 1, 2)], id="a field"),
        pytest.param({"a": 1}, {"b": 2}, [("a", 1, None), ("b", None, 2)], id="other fields"),
        pytest.param([1, 2], [1, 3], [("[1]", 2, 3)], id="an entry"),
        pytest.param({"a": [1]}, {"a": [1, 2]}, [("a", [1], [1, 2])], id="a longer list"),
        pytest.param({"a": 1}, {"a": True}, [("a", 1, True)], id="another type"),
        pytest.param({"x.y/z": 1}, {"x.y/z": 2}, [('["x.y/z"]', 1, 2)], id="a key with a dot"),
    ],
)
def test_differences_are_told_by_field(first: Any, second: Any, found: list[Any]) -> None:
    assert differences(first, second) == found


def test_candidates_that_were_not_chosen_are_cut_and_chosen_ones_are_not() -> None:
    names = [f"c{number:02d}" for number in range(15)]
    candidates = tuple(Candidate(name, 0, 1, name == "c14") for name in names)
    passed = Pass("", {"x": "full", "y": "full"}, candidates, {}, (("c14", 1),))
    one = TemplatePlan(template=WEB, source="", state=State.PLACED, passes=(passed,))
    page = Outline(render_page(Plan((), (one,))))
    shown = [cells[0] for cells in page.cells if cells and cells[0] in names]
    assert shown == [*names[:10], "c14"]
    assert "and 4 that were not chosen" in page.text
    assert row(page, "full") == ["full", "x, y"]


def test_a_large_matrix_leaves_cells_blank_that_have_nothing() -> None:
    clusters = tuple(cluster(f"c{number:03d}", "eu") for number in range(201))
    placed = TemplatePlan(
        template=WEB, source="", state=State.PLACED, placements=(Placement(cluster="c000"),)
    )
    page = render_page(Plan(clusters, (placed,) * 100))
    assert page.count("<td></td>") >= 200 * 100
