from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import BROWSER, Tab, browser
from page_samples import HARM, full_plan, harmful_plan

from interpreter.planning.page import render_page

pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium here")

#: Texts whose contrast with what is behind them is below that of WCAG 2.2, level AA.
PALE = """
(() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (color) => {
    const [r, g, b] = color.map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const color = rgba(getComputedStyle(each).backgroundColor);
      if (color[3] === 255) return color;
    }
    return [255, 255, 255];
  };
  const pale = [];
  let seen = 0;
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].some(
      (node) => node.nodeType === 3 && node.textContent.trim());
    if (!text || element.closest("script, svg, .hidden, .skip")) continue;
    seen += 1;
    const pair = [light(rgba(getComputedStyle(element).color)), light(behind(element))];
    const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    if (ratio < 4.5) pale.push(`${element.textContent.slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return {seen, pale};
})()
"""


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "plan.html"
    path.write_text(render_page(full_plan()), encoding="utf-8")
    return path


def quiet(tab: Tab) -> bool:
    """Whether the page had no error, no complaint, and asked for nothing but itself."""
    assert tab.told("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled") == []
    asked = [each["request"]["url"] for each in tab.told("Network.requestWillBeSent")]
    return all(url.startswith("file:") for url in asked) and len(asked) == 1


def test_the_page_works_without_errors_and_without_network(tab: Tab, page: Path) -> None:
    tab.open(page)
    assert tab.run("document.title") == "Plan"
    assert tab.run("document.querySelectorAll('.matrix tbody tr').length") == 4
    assert tab.run("getComputedStyle(document.body).maxWidth") == "1440px"
    assert quiet(tab)


def test_a_cell_opens_the_detail_of_its_template(tab: Tab, page: Path) -> None:
    tab.open(page)
    assert tab.run("document.querySelectorAll('details[open]').length") == 0
    tab.run("document.querySelector('td.heat-4 a').click()")
    opened = "[...document.querySelectorAll('details[open]')].map((each) => each.id)"
    assert tab.run(f"new Promise((done) => setTimeout(() => done({opened})))") == ["template-0"]
    assert tab.run("document.activeElement.tagName") == "SUMMARY"
    tab.run("document.querySelector('details[open]').open = false")
    tab.run("document.querySelector('td.heat-4 a').click()")
    assert tab.run(f"new Promise((done) => setTimeout(() => done({opened}), 20))") == ["template-0"]
    assert quiet(tab)


def test_a_link_from_outside_opens_its_detail(tab: Tab, page: Path) -> None:
    tab.open(page, "#template-2")
    assert tab.run("document.querySelector('details[open] h3').textContent") == "Job shop/lost"
    assert quiet(tab)


def test_searching_leaves_what_has_the_text(tab: Tab, page: Path) -> None:
    tab.open(page)
    tab.run("search.value = 'SHOP/LOST'; search.dispatchEvent(new Event('input'))")
    shown = "[...document.querySelectorAll('[data-text]')].filter((each) => each.offsetParent)"
    assert tab.run(f"{shown}.map((each) => each.dataset.text)") == ["job shop/lost"] * 2
    tab.run("search.value = ''; search.dispatchEvent(new Event('input'))")
    assert tab.run(f"{shown}.length") == 8
    assert quiet(tab)


def test_bars_are_as_wide_as_their_shares(tab: Tab, page: Path) -> None:
    tab.open(page)
    widths = tab.run(
        "[...document.querySelector('svg').children]"
        ".map((each) => each.getBoundingClientRect().width)"
    )
    assert widths[1] / widths[0] == pytest.approx(0.5, abs=0.01)
    assert widths[2] / widths[0] == pytest.approx(0.25, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out(tab: Tab, page: Path, scheme: str) -> None:
    tab.dress(scheme)
    tab.open(page)
    tab.run("document.querySelectorAll('details').forEach((each) => each.open = true)")
    found = tab.run(PALE)
    assert found["pale"] == []
    assert found["seen"] > 100
    shown = tab.screenshot()
    assert shown.startswith(b"\x89PNG")
    if folder := os.environ.get("SCREENSHOTS"):
        Path(folder, f"plan-{scheme}.png").write_bytes(shown)


def test_a_narrow_window_scrolls_the_matrix_and_not_the_page(tab: Tab, page: Path) -> None:
    tab.dress("light", width=360)
    tab.open(page)
    assert tab.run("document.documentElement.scrollWidth") <= 360
    tab.dress("light")


def test_texts_that_mean_harm_stay_texts(tab: Tab, tmp_path: Path) -> None:
    page = tmp_path / "harm.html"
    page.write_text(render_page(harmful_plan(), title=HARM), encoding="utf-8")
    tab.open(page)
    tab.run("document.querySelectorAll('details').forEach((each) => each.open = true)")
    assert tab.run("typeof window.harm") == "undefined"
    assert tab.run("document.images.length") == 0
    assert quiet(tab)


def test_a_script_that_is_not_the_page_s_own_cannot_run(tab: Tab, tmp_path: Path) -> None:
    page = tmp_path / "other.html"
    text = render_page(full_plan())
    page.write_text(text.replace("</main>", "<script>window.harm = 1</script></main>"))
    tab.open(page)
    assert tab.run("typeof window.harm") == "undefined"
    assert "Content Security Policy" in tab.told("Log.entryAdded")[0]["entry"]["text"]
