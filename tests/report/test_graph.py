"""The drawing of what rests on what: every claim once, every step a line to the right, nothing hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.report.browser import CHROMIUM, Page, page
from verify.numbers.errors import OutOfDomain
from verify.report.collect.model import first_sentence
from verify.report.graph.columns import columns, label, needed_width, text_width, wrap_label
from verify.report.graph.layout import Arrow, ClaimBox, Layout, layout
from verify.report.graph.picture import draw
from verify.report.graph.style import COLOURS, LETTERS, PAPER
from verify.results import document
from verify.results.claims import ClaimResult
from verify.results.evidence import Erratum, Evidence, Kind, Level, Severity, Verdict
from verify.results.report import Results

SVG = "{http://www.w3.org/2000/svg}"
ERRATUM = Erratum("Title", "says", "charitable", "repair", "user")


def result(
    claim_id: str,
    *premises: str,
    level: Level | None = Level.SYMBOLIC,
    erratum: bool = False,
    words: str = "Words. More words.",
) -> ClaimResult:
    """A claim with what it rests on."""
    evidence = (Evidence(level, premises=premises),) if level else ()
    return ClaimResult(
        claim_id, claim_id.partition("/")[0], "line 1", Kind.IDENTITY, "x", "x = x", words, "",
        Verdict.HOLDS, Verdict.HOLDS, Severity.NONE, level, evidence, {}, "", "", "", "",
        ERRATUM if erratum else None,
    )  # fmt: skip


CLAIMS = (
    result("one/first"),
    result("one/second", "one/first"),
    result("two/lemma-1/wrong", erratum=True),
    result("two/lemma-1/statement", "two/lemma-1/wrong", "one/first"),
    result("three/end", "two/lemma-1/statement", "one/second", "one/first"),
    result("three/beside", "one/second"),
    result("three/alone", level=Level.SAMPLED),
    result("three/none", level=None),
    result("four/wrong", erratum=True),
)
STEPS = {(p, c.id) for c in CLAIMS for p in c.premises}


def address(claim_id: str) -> str:
    return f"claims/{claim_id}.html"


def drawn(claims: tuple[ClaimResult, ...] = CLAIMS) -> ElementTree.Element:
    return ElementTree.fromstring(draw(claims, address))


def paths(svg: ElementTree.Element, kind: str = "") -> set[tuple[str, str]]:
    """The steps that are drawn, of one kind or all."""
    return {
        (path.attrib["data-from"], path.attrib["data-to"])
        for path in svg.iter(f"{SVG}path")
        if "data-from" in path.attrib and kind in ("", path.attrib["class"])
    }


@pytest.fixture(scope="module")
def recorded() -> tuple[ClaimResult, ...]:
    """The claims of the reference report."""
    path = Path(__file__).parents[2] / "reports" / "results.json"
    if not path.exists():
        pytest.skip("no reference report in reports/ (make report)")
    return document.read(path, Results).claims


def test_every_claim_appears_exactly_once() -> None:
    links = Counter(a.attrib["href"] for a in drawn().iter(f"{SVG}a"))
    assert links == {address(c.id): 1 for c in CLAIMS}


def test_every_recorded_claim_appears_exactly_once(recorded: tuple[ClaimResult, ...]) -> None:
    links = Counter(a.attrib["href"] for a in drawn(recorded).iter(f"{SVG}a"))
    assert links == {address(c.id): 1 for c in recorded}


def test_every_step_is_a_line() -> None:
    assert paths(drawn()) == STEPS


def test_every_recorded_step_is_a_line(recorded: tuple[ClaimResult, ...]) -> None:
    assert paths(drawn(recorded)) == {(p, c.id) for c in recorded for p in c.premises}


def test_the_recorded_drawing_is_small(recorded: tuple[ClaimResult, ...]) -> None:
    assert sum(1 for _ in drawn(recorded).iter()) < 1500


def test_equal_claims_are_drawn_with_equal_bytes() -> None:
    assert draw(CLAIMS, address) == draw(CLAIMS, address)


def arranged(claims: tuple[ClaimResult, ...] = CLAIMS) -> Layout:
    return layout({c.id: c.premises for c in claims})


def test_no_line_goes_back() -> None:
    for edge in arranged().edges:
        assert all(hop.x1 < hop.bend < hop.x2 for hop in edge.hops)


def test_a_line_begins_at_its_premise_and_ends_at_its_conclusion() -> None:
    made = arranged()
    boxes = {box.id: box for box in made.boxes}
    for edge in made.edges:
        start, end = boxes[edge.premise], boxes[edge.conclusion]
        first, last = edge.hops[0], edge.hops[-1]
        assert (first.x1, first.y1) == (start.x + start.width, start.y + start.height / 2)
        assert (last.x2, last.y2) == (end.x, end.y + end.height / 2)


def apart(one: ClaimBox, other: ClaimBox) -> bool:
    return (
        one.x + one.width <= other.x
        or other.x + other.width <= one.x
        or one.y + one.height <= other.y
        or other.y + other.height <= one.y
    )


def rails(edge: Arrow) -> list[ClaimBox]:
    """Where a line passes a column."""
    return [
        ClaimBox("", left.x2, left.y2, right.x1 - left.x2, 0, ())
        for left, right in pairwise(edge.hops)
    ]


def test_claims_do_not_cover_each_other(recorded: tuple[ClaimResult, ...]) -> None:
    for claims in (CLAIMS, recorded):
        boxes = layout({c.id: c.premises for c in claims}).boxes
        assert all(apart(a, b) for k, a in enumerate(boxes) for b in boxes[:k])


def test_no_line_runs_behind_a_claim(recorded: tuple[ClaimResult, ...]) -> None:
    """Between gaps a line is level, in a place of its own."""
    made = layout({c.id: c.premises for c in recorded})
    for edge in made.edges:
        assert all(left.y2 == right.y1 for left, right in pairwise(edge.hops))
        assert all(apart(rail, box) for rail in rails(edge) for box in made.boxes)


def test_claims_are_inside_of_the_drawing() -> None:
    made = arranged()
    for box in made.boxes:
        assert 0 < box.x < box.x + box.width < made.width
        assert 0 < box.y < box.y + box.height < made.height


def test_a_circle_is_one_error() -> None:
    circle = (result("a/b", "a/c"), result("a/c", "a/b"))
    with pytest.raises(OutOfDomain, match="claims rest on each other: a/"):
        draw(circle, address)


def test_a_premise_that_is_not_among_the_claims_is_left_out() -> None:
    svg = drawn((result("one/second", "one/first"),))
    assert paths(svg) == set()
    assert len(list(svg.iter(f"{SVG}a"))) == 1


def test_no_claims_are_a_drawing_too() -> None:
    assert list(drawn(()).iter(f"{SVG}a")) == []


def test_what_an_erratum_feeds_is_marked_and_only_that() -> None:
    assert paths(drawn(), "fed") == {
        ("two/lemma-1/wrong", "two/lemma-1/statement"),
        ("two/lemma-1/statement", "three/end"),
    }


def test_claims_of_errata_are_marked_and_only_they() -> None:
    marked = {a.attrib["href"] for a in drawn().iter(f"{SVG}a") if a.get("class") == "erratum"}
    assert marked == {address("two/lemma-1/wrong"), address("four/wrong")}


def test_claims_of_errata_have_a_sign_besides_the_colour() -> None:
    for a in drawn().iter(f"{SVG}a"):
        flags = [u for u in a.iter(f"{SVG}use") if u.attrib["href"] == "#claim-graph-flag"]
        assert len(flags) == (a.get("class") == "erratum")


def words(svg: ElementTree.Element, claim_id: str) -> str:
    (link,) = (a for a in svg.iter(f"{SVG}a") if a.attrib["href"] == address(claim_id))
    return link.findtext(f"{SVG}title") or ""


def test_a_claim_tells_what_was_found_and_what_it_says() -> None:
    assert words(drawn(), "one/first") == "one/first: holds, symbolic\nWords."


def test_a_claim_tells_the_errata_that_it_rests_on() -> None:
    assert words(drawn(), "three/end").endswith("Rests on what was corrected: two/lemma-1/wrong")


HOSTILE = "<script>alert(1)</script>\"'&]]>\x00\x1b"


@pytest.mark.parametrize("joined", [True, False])
def test_foreign_text_stays_text(joined: bool) -> None:
    claims = [result(f"a/{HOSTILE}", words=HOSTILE), result(f"b/{HOSTILE}", erratum=True)]
    if joined:
        claims.append(result(f"{HOSTILE}/d", claims[0].id, claims[1].id))
    text = draw(claims, lambda claim_id: f"x{claim_id}")
    svg = ElementTree.fromstring(text)
    assert "<script" not in text
    assert not any(c < " " and c != "\n" for c in text)
    assert {element.tag for element in svg.iter()} <= {element.tag for element in drawn().iter()}
    assert all(not name.startswith("on") for element in svg.iter() for name in element.attrib)


def test_longer_chains_end_further_right() -> None:
    found = columns({c.id: c.premises for c in CLAIMS})
    assert found["three/end"] == max(found.values())
    assert all(found[p] < found[c] for p, c in STEPS)


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, tuple[str, ...]]:
    """Any claims, each resting on some of those before it."""
    count = draw(st.integers(1, 12))
    names = [f"section-{draw(st.integers(0, 2))}/claim-{k}" for k in range(count)]
    return {
        name: tuple(sorted(draw(st.sets(st.sampled_from(names[:k]), max_size=3)))) if k else ()
        for k, name in enumerate(names)
    }


@settings(max_examples=60, deadline=None)
@given(graphs())
def test_whatever_the_graph_premises_are_left_and_no_column_is_wasted(
    premises: dict[str, tuple[str, ...]],
) -> None:
    found = columns(premises)
    assert all(found[p] < found[name] for name, those in premises.items() for p in those)
    longest: dict[str, int] = {}
    for name, those in premises.items():
        longest[name] = 1 + max((longest[p] for p in those), default=-1)
    assert min(found.values()) >= 0
    assert max(found.values()) == max(longest.values())


@settings(max_examples=30, deadline=None)
@given(graphs())
def test_whatever_the_graph_nothing_covers_a_claim(premises: dict[str, tuple[str, ...]]) -> None:
    made = layout(premises)
    assert all(apart(a, b) for k, a in enumerate(made.boxes) for b in made.boxes[:k])
    for edge in made.edges:
        assert all(hop.x1 < hop.bend < hop.x2 for hop in edge.hops)
        assert all(apart(rail, box) for rail in rails(edge) for box in made.boxes)


def test_lines_that_need_not_cross_do_not() -> None:
    """In the order given every line would cross every other one."""
    count = 6
    premises: dict[str, tuple[str, ...]] = {f"a/{k}": () for k in range(count)}
    premises |= {f"b/{k}": (f"a/{count - 1 - k}",) for k in range(count)}
    ends = sorted((edge.hops[0].y1, edge.hops[0].y2) for edge in layout(premises).edges)
    assert [y for _, y in ends] == sorted(y for _, y in ends)


def test_a_premise_stands_next_to_what_rests_on_it() -> None:
    found = columns({"a": (), "b": ("a",), "c": ("b",), "d": (), "e": ("c", "d")})
    assert found["d"] == found["e"] - 1


@pytest.mark.parametrize(
    "text", ["short", "two-words", "one-two-three-four-five", "a/very-long/one"]
)
def test_a_label_has_at_most_three_lines_and_all_its_letters(text: str) -> None:
    lines = list(wrap_label(text, needed_width(text)))
    assert len(lines) <= 3
    assert "".join(lines) == text
    assert max(map(text_width, lines)) <= needed_width(text)


def test_a_very_long_id_is_cut() -> None:
    assert len(label("a/" + "b" * 10_000, "a")) < 60


def test_a_sentence_ends_at_a_full_stop_not_at_a_decimal_point() -> None:
    assert first_sentence("At 1.5 it\nholds. Nothing else.\n\nMore.") == "At 1.5 it holds."


def luminance(colour: str) -> float:
    parts = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("which", [0, 1])
def test_every_colour_can_be_seen_and_its_letter_be_read(which: int) -> None:
    for pair in COLOURS.values():
        assert contrast(pair[which], PAPER[which]) >= 4.5  # the letter has the paper's colour


def test_no_level_has_only_a_colour() -> None:
    assert set(LETTERS) == set(COLOURS) == {*Level, None}
    assert len(set(LETTERS.values())) == len(LETTERS)


OVERFULL = """Array.from(document.querySelectorAll('svg a')).filter(a => {
  const box = a.querySelector(':scope > rect')?.getBBox();
  return box && Array.from(a.querySelectorAll(':scope > text')).some(t => {
    const text = t.getBBox();
    return text.x < box.x || text.x + text.width > box.x + box.width
        || text.y < box.y - 1 || text.y + text.height > box.y + box.height + 1; }) }).length"""
COLOUR = "getComputedStyle(document.querySelector('rect.claim-graph-symbolic')).fill"
Shown = Callable[[int], Page]


@pytest.fixture(scope="module")
def shown(
    recorded: tuple[ClaimResult, ...], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shown]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed (apt-get install chromium)")
    folder = tmp_path_factory.mktemp("graph")
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    scroll = f'<div style="overflow-x: auto">{draw(recorded, address)}</div>'
    (folder / "graph.html").write_text(f"{head}<title>graph</title>{scroll}", encoding="utf-8")

    with page(folder) as tab:

        def at(width: int) -> Page:
            tab.call(
                "Emulation.setDeviceMetricsOverride",
                width=width, height=900, deviceScaleFactor=1, mobile=width < 500,
            )  # fmt: skip
            tab.call("Emulation.setEmulatedMedia", features=[])
            tab.open((folder / "graph.html").as_uri())
            return tab

        yield at


def test_labels_fit_into_their_boxes(shown: Shown) -> None:
    assert shown(1280).evaluate(OVERFULL) == 0


@pytest.mark.parametrize("width", [390, 1200])
def test_text_has_eleven_pixels_and_the_page_does_not_scroll(shown: Shown, width: int) -> None:
    tab = shown(width)
    scale = tab.evaluate(
        "(s => s.getBoundingClientRect().width / s.viewBox.baseVal.width)(document.querySelector('svg'))"
    )
    assert 12 * scale >= 10.99
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_the_colours_follow_the_dark_mode(shown: Shown) -> None:
    tab = shown(1280)
    light = tab.evaluate(COLOUR)
    tab.call(
        "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}]
    )
    assert tab.evaluate(COLOUR) != light


def test_every_claim_can_be_reached_by_keyboard(shown: Shown) -> None:
    tab = shown(1280)
    for _ in range(2):
        tab.press("Tab")
    assert ": " in tab.evaluate("document.activeElement.getAttribute('aria-label') || ''")
