"""The report in a real browser: opened from disk, offline, by keyboard, dark, narrow and on paper."""

from __future__ import annotations

import base64
import itertools
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from tests.report.browser import CHROMIUM, Page, page
from verify.report import build
from verify.results.evidence import Verdict
from verify.results.report import Results

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="chromium is not installed (apt-get install chromium)"
)
SHOWN = "Array.from(document.querySelectorAll('details.claim')).filter(c => c.offsetParent).map(c => c.id)"
DARK = [{"name": "prefers-color-scheme", "value": "dark"}]


@pytest.fixture(scope="module")
def address(results: Results, tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("report")
    build.write(out, results)
    return (out / "report.html").as_uri()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with page(tmp_path_factory.mktemp("profile")) as tab:
        yield tab


@pytest.fixture
def tab(browser: Page, address: str) -> Page:
    browser.call(
        "Emulation.setDeviceMetricsOverride",
        width=1280,
        height=900,
        deviceScaleFactor=1,
        mobile=False,
    )
    browser.call("Emulation.setEmulatedMedia", features=[])
    browser.open(address)
    return browser


def shown(tab: Page) -> list[str]:
    return list(tab.evaluate(SHOWN))


def test_no_complaint_and_no_request(tab: Page, address: str) -> None:
    assert tab.complaints() == []
    assert tab.requests() == [address]


def test_the_policy_stops_a_script_that_got_in(tab: Page) -> None:
    """The check of complaints can fail, and the page defends itself."""
    tab.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.evil=1\">')"
    )
    tab.evaluate("new Promise(done => setTimeout(done, 200))")
    assert tab.evaluate("window.evil") is None
    assert tab.complaints() != []


def test_every_claim_is_there(tab: Page, results: Results) -> None:
    assert sorted(shown(tab)) == sorted(f"claim-{c.id}" for c in results.claims)


def test_the_four_numbers(tab: Page, results: Results) -> None:
    numbers = tab.evaluate(
        "Array.from(document.querySelectorAll('.numbers b')).map(b => +b.textContent)"
    )
    assert numbers == list(msgspec.structs.astuple(results.numbers))


def test_search_by_keyboard_alone(tab: Page) -> None:
    tab.press("/", "/")
    assert tab.evaluate("document.activeElement.id") == "search"
    tab.type("its TANGENT")
    assert shown(tab) == ["claim-main-theorem/logarithm"]
    assert tab.evaluate("document.getElementById('shown').textContent").startswith("1 of ")
    tab.press("Escape")
    assert len(shown(tab)) > 1


def test_a_search_without_a_match_shows_nothing(tab: Page) -> None:
    tab.press("/", "/")
    tab.type("no such claim")
    assert shown(tab) == []


def test_filter_by_keyboard_alone(tab: Page, results: Results) -> None:
    tab.press("/", "/")
    tab.press("Tab")
    assert tab.evaluate("document.activeElement.id") == "filter-verdict"
    tab.type("refuted")
    refuted = [f"claim-{c.id}" for c in results.claims if c.verdict is Verdict.REFUTED]
    assert shown(tab) == refuted


@pytest.mark.parametrize(
    ("name", "key"), [("verdict", "verdict"), ("level", "strongest"), ("severity", "severity")]
)
def test_every_value_of_every_filter(tab: Page, results: Results, name: str, key: str) -> None:
    for value in {str(getattr(c, key)) for c in results.claims}:
        tab.evaluate(
            f"(s => {{ s.value = {value!r}; s.dispatchEvent(new Event('change')); }})(document.getElementById('filter-{name}'))"
        )
        assert sorted(shown(tab)) == sorted(
            f"claim-{c.id}" for c in results.claims if getattr(c, key) == value
        )


def test_a_claim_opens_by_keyboard(tab: Page) -> None:
    tab.evaluate("document.querySelector('details.claim summary').focus()")
    tab.press("Enter", "\r")
    assert tab.evaluate("document.querySelector('details.claim').open") is True


def test_a_link_to_a_claim_opens_it(tab: Page, address: str) -> None:
    tab.evaluate("location.hash = '#claim-main-theorem/logarithm'")
    tab.evaluate("new Promise(done => setTimeout(done, 100))")
    assert tab.evaluate("document.getElementById('claim-main-theorem/logarithm').open") is True


def test_formulas_are_mathml_with_a_size(tab: Page) -> None:
    assert tab.evaluate(
        "Array.from(document.querySelectorAll('summary math')).every(m => m.getBoundingClientRect().width > 5)"
    )


def test_dark_mode_is_dark_and_legible(tab: Page) -> None:
    light = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    tab.call("Emulation.setEmulatedMedia", features=DARK)
    paper, ink = (
        tab.evaluate(f"getComputedStyle(document.body).{p}") for p in ("backgroundColor", "color")
    )
    assert paper != light
    assert contrast(paper, ink) > 7


@pytest.mark.parametrize("features", [[], DARK])
def test_small_text_has_contrast(tab: Page, features: list[dict[str, str]]) -> None:
    tab.call("Emulation.setEmulatedMedia", features=features)
    pairs = tab.evaluate(
        """Array.from(document.querySelectorAll('.badge, .place, caption, th, td, a, label, dt')).map(e => {
             let b = e; while (b && getComputedStyle(b).backgroundColor === 'rgba(0, 0, 0, 0)') b = b.parentElement;
             return [getComputedStyle(b || document.body).backgroundColor, getComputedStyle(e).color, e.className + e.tagName] })"""
    )
    assert pairs
    for paper, ink, what in pairs:
        assert contrast(paper, ink) >= 4.5, what


def test_a_phone_needs_no_sideways_scrolling(tab: Page) -> None:
    tab.call(
        "Emulation.setDeviceMetricsOverride",
        width=360,
        height=800,
        deviceScaleFactor=2,
        mobile=True,
    )
    tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360


def test_controls_and_figures_have_names_for_screen_readers(tab: Page) -> None:
    tree = tab.call("Accessibility.getFullAXTree")["nodes"]
    roles: dict[str, list[str]] = {}
    for node in tree:
        if not node.get("ignored"):
            roles.setdefault(node["role"]["value"], []).append(
                node.get("name", {}).get("value", "")
            )
    for role in (
        "searchbox",
        "combobox",
        "button",
        "image",
        "region",
        "navigation",
        "search",
        "link",
    ):
        assert roles.get(role), role
        assert all(roles[role]), role
    assert roles["main"]
    assert roles["status"]


AXE = """axe.run(document, {resultTypes: ["violations"]}).then(found => [found.passes.length,
    found.violations.map(v => v.id + ": " + v.nodes[0].html.slice(0, 200))])"""


@pytest.mark.parametrize("features", [[], DARK])
def test_axe_finds_nothing_to_complain_of(tab: Page, features: list[dict[str, str]]) -> None:
    """axe-core's rules (WCAG 2.1 A and AA, and good practice) with everything opened."""
    tab.call("Emulation.setEmulatedMedia", features=features)
    tab.evaluate("document.querySelectorAll('details:not(.data)').forEach(d => d.open = true)")
    tab.evaluate((files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8") + ";0")
    passed, violations = tab.evaluate(AXE)
    assert violations == []
    assert passed > 20


def test_axe_would_complain(tab: Page) -> None:
    tab.evaluate("document.querySelector('label[for=search]').remove()")
    tab.evaluate((files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8") + ";0")
    assert any(said.startswith("label: ") for said in tab.evaluate(AXE)[1])


def test_headings_do_not_skip_a_level_and_ids_are_unique(tab: Page) -> None:
    levels = tab.evaluate(
        "Array.from(document.querySelectorAll('h1,h2,h3,h4')).map(h => +h.tagName[1])"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in itertools.pairwise(levels))
    ids = tab.evaluate("Array.from(document.querySelectorAll('[id]')).map(e => e.id)")
    assert len(ids) == len(set(ids))
    links = tab.evaluate(
        "Array.from(document.querySelectorAll('a[href^=\"#\"]')).map(a => a.getAttribute('href').slice(1))"
    )
    assert set(links) <= set(ids)


def test_it_prints(tab: Page, tmp_path: Path) -> None:
    printed = base64.b64decode(tab.call("Page.printToPDF", printBackground=True)["data"])
    assert printed.startswith(b"%PDF")
    assert (
        printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") >= 3
        or len(printed) > 50_000
    )


def test_on_paper_nothing_is_closed_or_cut(tab: Page) -> None:
    """A4 between its margins is 680 pixels wide."""
    tab.call(
        "Emulation.setDeviceMetricsOverride", width=680, height=960, deviceScaleFactor=1, mobile=False
    )  # fmt: skip
    tab.call("Emulation.setEmulatedMedia", media="print", features=[])
    tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    try:
        assert (
            tab.evaluate("document.querySelectorAll('details:not([open]):not(.data)').length") == 0
        )
        too_wide = tab.evaluate(
            """Array.from(document.querySelectorAll('math, td, th, dd, svg')).filter(e => e.offsetParent !== null
                 && e.getBoundingClientRect().right > 680).map(e => e.outerHTML.slice(0, 200))"""
        )
        assert too_wide == []
    finally:
        tab.call("Emulation.setEmulatedMedia", media="", features=[])


def test_it_can_be_read_without_script(browser: Page, address: str, results: Results) -> None:
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(address)
        tree = browser.call("Accessibility.getFullAXTree")["nodes"]
        text = " ".join(str(n.get("name", {}).get("value", "")) for n in tree)
        assert all(c.id in text for c in results.claims)
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two CSS colours by the usual definition (21 is black on white)."""

    def luminance(colour: str) -> float:
        parts = [float(p) / 255 for p in colour[colour.index("(") + 1 : -1].split(",")[:3]]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
