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
from verify.report.pages import build
from verify.results import matrix
from verify.results.accountants import Accountants, JudgedAccountant, RunAnswer, RunPhase
from verify.results.evidence import Verdict
from verify.results.report import Results

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="chromium is not installed (apt-get install chromium)"
)
LISTED = "Array.from(document.querySelectorAll('li.claim')).filter(c => c.offsetParent).map(c => c.dataset.id)"
DARK = [{"name": "prefers-color-scheme", "value": "dark"}]
FIRST, CLAIMS = "report.html", "claims/index.html"
PAGES = (
    FIRST,
    CLAIMS,
    "claims/main-theorem.html",
    "figures.html",
    "method.html",
    "libraries/some-accountant.html",
)
"""One of each kind."""


@pytest.fixture(scope="module")
def out(results: Results, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    build.write(folder, results)
    return folder


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with page(tmp_path_factory.mktemp("profile")) as tab:
        yield tab


@pytest.fixture
def desk(browser: Page) -> Page:
    """A window on a desk, in daylight."""
    browser.call(
        "Emulation.setDeviceMetricsOverride",
        width=1280,
        height=900,
        deviceScaleFactor=1,
        mobile=False,
    )
    browser.call("Emulation.setEmulatedMedia", features=[])
    return browser


@pytest.fixture(params=PAGES)
def tab(desk: Page, out: Path, request: pytest.FixtureRequest) -> Page:
    """Every kind of page in turn."""
    desk.open((out / request.param).as_uri())
    return desk


@pytest.fixture
def claims(desk: Page, out: Path) -> Page:
    """The list of claims, without a selection."""
    desk.open("about:blank")
    desk.open((out / CLAIMS).as_uri())
    return desk


def listed(tab: Page) -> list[str]:
    return list(tab.evaluate(LISTED))


def test_no_complaint_and_no_request(tab: Page) -> None:
    assert tab.complaints() == []
    (asked,) = [r for r in tab.requests() if not r.startswith("data:")]
    assert asked.startswith("file:")


def test_the_policy_stops_a_script_that_got_in(tab: Page) -> None:
    """The check of complaints can fail, and the page defends itself."""
    tab.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.evil=1\">')"
    )
    tab.evaluate("new Promise(done => setTimeout(done, 200))")
    assert tab.evaluate("window.evil") is None
    assert tab.complaints() != []


def test_formulas_are_set_in_the_font_inside_the_page(desk: Page, out: Path) -> None:
    desk.open((out / "claims/main-theorem.html").as_uri())
    assert desk.evaluate("document.fonts.ready.then(() => document.fonts.check('16px Formulas'))")
    assert desk.evaluate("Array.from(document.fonts).every(f => f.status === 'loaded')")
    assert desk.evaluate(
        "Array.from(document.querySelectorAll('math')).every(m => m.getBoundingClientRect().width > 2)"
    )


def test_nothing_of_a_formula_is_cut_off(tab: Page) -> None:
    for width in (1440, 390):
        tab.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=width < 1000,
        )
        tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert (
            tab.evaluate(
                """Array.from(document.querySelectorAll('math')).filter(m => {
                     const box = m.getBoundingClientRect(), room = m.closest('.scroll, .formula, dd, p, td, li, h1, h2, h3, summary');
                     return box.width && room && box.right > room.getBoundingClientRect().right + 1
                       && getComputedStyle(room).overflowX !== 'auto'; }).map(m => m.outerHTML)"""
            )
            == []
        )


# -- the list of claims ------------------------------------------------------------------------


def test_every_claim_is_there(claims: Page, results: Results) -> None:
    assert sorted(listed(claims)) == sorted(c.id for c in results.claims)


def test_search_by_keyboard_alone(claims: Page) -> None:
    claims.press("/", "/")
    assert claims.evaluate("document.activeElement.id") == "search"
    claims.type("its TANGENT")
    assert listed(claims) == ["main-theorem/logarithm"]
    assert claims.evaluate("document.getElementById('shown').textContent").startswith("1 of ")
    claims.press("Escape")
    assert len(listed(claims)) > 1


def test_a_search_without_a_match_shows_nothing(claims: Page) -> None:
    claims.press("/", "/")
    claims.type("no such claim")
    assert listed(claims) == []


def test_filter_by_keyboard_alone(claims: Page, results: Results) -> None:
    claims.press("/", "/")
    claims.press("Tab")
    assert claims.evaluate("document.activeElement.id") == "filter-verdict"
    claims.type("refuted")
    assert listed(claims) == [c.id for c in results.claims if c.verdict is Verdict.REFUTED]


@pytest.mark.parametrize(
    ("name", "key"), [("verdict", "verdict"), ("level", "strongest"), ("severity", "severity")]
)
def test_every_value_of_every_filter(claims: Page, results: Results, name: str, key: str) -> None:
    for value in {str(getattr(c, key)) for c in results.claims}:
        claims.evaluate(
            f"(s => {{ s.value = {value!r}; s.dispatchEvent(new Event('change')); }})(document.getElementById('filter-{name}'))"
        )
        assert sorted(listed(claims)) == sorted(
            c.id for c in results.claims if getattr(c, key) == value
        )


def test_the_selection_is_in_the_address_and_comes_back(claims: Page, out: Path) -> None:
    claims.press("/", "/")
    claims.type("tangent")
    address = claims.evaluate("location.href")
    assert address.endswith("#search=tangent")
    chosen = listed(claims)
    claims.open("about:blank")
    claims.open(address)
    assert listed(claims) == chosen
    assert claims.evaluate("document.getElementById('search').value") == "tangent"


def test_a_selection_that_means_nothing_selects_nothing(claims: Page, out: Path) -> None:
    claims.open("about:blank")
    claims.open((out / CLAIMS).as_uri() + "#verdict=nonsense&other=1")
    assert claims.complaints() == []
    assert claims.evaluate("document.getElementById('filter-verdict').value") == ""


def test_a_link_into_a_closed_part_opens_it(desk: Page, out: Path) -> None:
    desk.open((out / FIRST).as_uri())
    place = desk.evaluate("document.querySelector('details.erratum article').id")
    desk.evaluate(f"location.hash = '#{place}'")
    desk.evaluate("new Promise(done => setTimeout(done, 100))")
    assert desk.evaluate(f"document.getElementById('{place}').closest('details').open") is True


# -- every page ----------------------------------------------------------------------------------


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
        """Array.from(document.querySelectorAll('.badge, .place, caption, th, td, a, label, dt')).filter(e => !e.closest('svg')).map(e => {
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


def test_names_of_accountants_have_room_on_a_phone(
    desk: Page, results: Results, tmp_path: Path
) -> None:
    case = RunAnswer(
        run="a", quantity="epsilon", numbers="float", history=(RunPhase(0.01, 1.0, 1000),), delta=1e-5, epsilon=None,
        answer=2.1, reason="", truth_lo="1.82823666", truth_hi="1.82823667", error=0.15, ruling="kept", seconds=0.1,
    )  # fmt: skip
    judged = JudgedAccountant("some-accountant", "1.0", "prv estimate", "upper", (case,))
    record = Accountants(date="2026-01-02", sgm_verify="0", seed=7, accountants=(judged,))
    build.write(tmp_path, msgspec.structs.replace(results, accountants=matrix.matrix(record)))
    desk.call(
        "Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True
    )  # fmt: skip
    desk.open((tmp_path / FIRST).as_uri())
    lines = "document.querySelector('table.matrix tbody th a').getClientRects().length"
    assert desk.evaluate(lines) == 1
    assert "15\xa0%" in desk.evaluate("document.querySelector('table.matrix').textContent")


def test_a_claim_is_found_by_its_printed_name(claims: Page) -> None:
    claims.evaluate("document.getElementById('search').focus()")
    claims.type("theorem 11")
    assert listed(claims) == [c for c in listed(claims) if c.startswith("main-theorem/")]
    assert "main-theorem/conversion" in listed(claims)


def test_the_search_comes_before_the_drawing(claims: Page) -> None:
    top = "document.getElementById('%s').getBoundingClientRect().top"
    assert claims.evaluate(top % "search") < claims.evaluate(top % "graph")


def test_controls_and_figures_have_names_for_screen_readers(tab: Page) -> None:
    named = {
        "searchbox",
        "textbox",
        "combobox",
        "button",
        "image",
        "region",
        "navigation",
        "search",
        "link",
    }
    roles: dict[str, list[str]] = {}
    for node in tab.call("Accessibility.getFullAXTree")["nodes"]:
        if not node.get("ignored"):
            roles.setdefault(node["role"]["value"], []).append(
                node.get("name", {}).get("value", "")
            )
    for role in named & set(roles):
        assert all(roles[role]), role
    assert roles["main"]
    assert roles["navigation"]


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
    assert passed > 10


def test_axe_would_complain(claims: Page) -> None:
    claims.evaluate("document.querySelector('label[for=search]').remove()")
    claims.evaluate((files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8") + ";0")
    assert any(said.startswith("label: ") for said in claims.evaluate(AXE)[1])


def test_headings_do_not_skip_a_level(tab: Page) -> None:
    levels = tab.evaluate(
        "Array.from(document.querySelectorAll('h1,h2,h3,h4')).map(h => +h.tagName[1])"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in itertools.pairwise(levels))


def test_it_prints(tab: Page) -> None:
    printed = base64.b64decode(tab.call("Page.printToPDF", printBackground=True)["data"])
    assert printed.startswith(b"%PDF")
    assert len(printed) > 20_000


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


def test_no_erratum_and_no_word_of_table_1_is_cut_on_paper(desk: Page, out: Path) -> None:
    desk.open((out / FIRST).as_uri())
    desk.call("Emulation.setEmulatedMedia", media="print", features=[])
    desk.evaluate(
        """document.body.insertAdjacentHTML('beforeend', '<div class=cards><article class=erratum></article></div>'
           + '<table class=table-1><tbody><tr><th>the procedure</th></tr></tbody></table>')"""
    )
    try:
        for chosen, style, wanted in (
            (".cards article.erratum", "breakInside", "avoid"),
            ("table.table-1 tbody th", "overflowWrap", "normal"),
        ):
            found = f"Array.from(document.querySelectorAll('{chosen}'))"
            styles = desk.evaluate(f"{found}.map(e => getComputedStyle(e).{style})")
            assert set(styles) == {wanted}
    finally:
        desk.call("Emulation.setEmulatedMedia", media="", features=[])


def test_it_can_be_read_without_script(browser: Page, out: Path, results: Results) -> None:
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open((out / CLAIMS).as_uri())
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
