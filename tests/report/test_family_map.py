"""The map of a family: a mark for every failing point, text stays text, and a point told on demand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from xml.etree import ElementTree

import msgspec
import pytest
from msgspec.structs import replace

from tests.report.browser import CHROMIUM, Page, page
from tests.report.conftest import conformance_file
from verify.report.collect import families_part
from verify.report.draw import drawing, family_map
from verify.report.pages import cells, family_pages
from verify.report.pages import page as pages
from verify.results.conformance import Cluster, Conformance, Direction, Grade, Region
from verify.results.families import Family

FILE = msgspec.convert(conformance_file(), Conformance)
HOSTILE = '</script><script>alert(1)</script>" onload="x'


@pytest.fixture(scope="module")
def family(tmp_path_factory: pytest.TempPathFactory) -> Family:
    """With a cause for each kind of failure."""
    folder = tmp_path_factory.mktemp("conformance")
    (folder / "some.json").write_text(json.dumps(conformance_file()))
    [made], _ = families_part.read_all(folder)
    smallest = FILE.failures[Grade.WRONG][0]
    names = {"UNSAFE": "early stop", "overstated": "dropped sign", "crash": "it crashed"}
    clusters = tuple(
        Cluster(name, 1, {Region.EXTREMES: 1}, {kind: 1}, "", "", "", (), smallest, "")
        for kind, name in names.items()
    )
    kinds = list(names)
    failing = tuple(
        replace(p, causes=(kinds.index(str(p.direction or p.silence)),)) for p in made.failing
    )
    return replace(made, clusters=clusters, failing=failing)


def repeated(family: Family, times: int) -> Family:
    """The same failing points several times."""
    more = (times - 1) * len(family.failing)
    wrong = family.verdicts[Grade.WRONG] + more
    first, *others = family.cells
    return replace(
        family,
        points=family.points + more,
        verdicts={**family.verdicts, Grade.WRONG: wrong},
        failing=family.failing * times,
        cells=(replace(first, points=first.points + more), *others),
    )


def marks(text: str, kind: str) -> int:
    """How many points the paths of a kind have."""
    return sum(d.count("M") for d in re.findall(rf'<path class="{kind}"[^>]* d="([^"]*)"', text))


def test_every_failing_point_has_one_mark_of_its_kind(family: Family) -> None:
    counts = [marks(family_map.svg(family), k.name) for k in family_map.KINDS]
    assert counts == [5, 10, 15]
    assert sum(counts) == len(family.failing)


def test_few_elements_whatever_the_number_of_points(family: Family) -> None:
    many = repeated(family, 100)
    assert len(many.failing) == 100 * len(family.failing)
    assert family_map.svg(many).count("<") == family_map.svg(family).count("<") < 250


def test_the_kinds_differ_in_shape_and_colour() -> None:
    shapes = {(k.mark, "round" in k.style, "square" in k.style) for k in family_map.KINDS}
    colours = {re.search(r'stroke="([^"]*)"', k.style)[1] for k in family_map.KINDS}  # type: ignore[index]  # each has one
    assert len(shapes) == len(colours) == len(family_map.KINDS)


def test_a_point_stands_in_the_panel_of_its_sigma(family: Family) -> None:
    for panel, _, points in family_map.groups(family):
        assert {cells.index(cells.SIGMA, p.sigma) for p in points} == {panel}


def test_orders_next_to_one_stand_apart() -> None:
    places = [cells.along_alpha(1 + x) for x in (0, 1e-15, 1e-9, 1e-3, 0.01, 0.1, 1, 1e3, 1e9)]
    assert sorted(places) == places
    assert len(set(places)) == len(places)


def tints(family: Family) -> int:
    """How many cells are tinted on the panels."""
    panels = family_map.figure(family).partition('<ul class="key">')[0]
    return sum(d.count("M") for d in re.findall(r'fill-opacity="\.13" d="([^"]*)"', panels))


def test_a_cell_is_tinted_only_if_every_point_is_right(family: Family) -> None:
    right = [cell for cell in family.cells if cell.good == cell.points]
    assert tints(family) == len(right) > 0
    assert right[0] == family.cells[0]
    assert tints(repeated(family, 2)) == len(right) - 1  # its first cell has failing points


def test_a_file_of_its_own_is_xml_with_its_own_colours(family: Family) -> None:
    text = family_map.plain(drawing.standalone(family_map.svg(family)))
    ElementTree.fromstring(text)
    assert "var(" not in text


def test_the_legend_fits_below_the_panels(family: Family) -> None:
    text = family_map.svg(family)
    legend = text[text.rindex("</g>\n") :]
    *_, last = re.finditer(r'translate\(([0-9.]+) 0\)".*?<text[^>]*>([^<]*)', legend)
    width = float(text.partition('viewBox="0 0 ')[2].partition(" ")[0])
    assert float(last[1]) + 7 * len(last[2]) < width - 46  # letters are some 6 wide


def test_hostile_names_stay_out_of_markup(family: Family) -> None:
    evil = replace(
        family, name=HOSTILE, clusters=tuple(replace(c, name=HOSTILE) for c in family.clusters)
    )
    [text] = [pages.render(p) for p in family_pages.family_pages([evil])]
    assert text.count("<script") == 2  # the points, and ours
    assert 'onload="' not in text
    ElementTree.fromstring(family_map.svg(evil))


def test_the_points_are_listed_in_the_order_of_the_paths(family: Family) -> None:
    told = json.loads(family_map.data(family))
    groups = list(family_map.groups(family))
    assert [len(path) for path in told["paths"]] == [len(points) for _, _, points in groups]
    assert told["paths"][0][0][:3] == [
        groups[0][2][0].q, groups[0][2][0].sigma, groups[0][2][0].alpha
    ]  # fmt: skip


# -- in a browser ------------------------------------------------------------------------------------

browsed = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")


@pytest.fixture(scope="module")
def address(family: Family, tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("libraries") / "family.html"
    [made] = family_pages.family_pages([repeated(family, 2)])
    out.write_text(pages.render(made), encoding="utf-8")
    return out.as_uri()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with page(tmp_path_factory.mktemp("profile")) as tab:
        yield tab


@pytest.fixture
def tab(browser: Page, address: str) -> Page:
    browser.open(address)
    browser.evaluate("document.documentElement.style.scrollBehavior = 'auto'")
    return browser


def line(tab: Page) -> str:
    return str(tab.evaluate("document.querySelector('.point').textContent"))


def over(tab: Page, kind: str, type_: str, away: int = 0) -> None:
    """Point at, or tap, the first mark of a kind, from some pixels away."""
    tab.evaluate("document.querySelector('.panels').scrollIntoView({block: 'start'})")
    x, y = tab.evaluate(
        f"""(() => {{ const path = document.querySelector('path.{kind}'), svg = path.ownerSVGElement;
            const [, x, y] = path.getAttribute('d').match(/M([0-9.]+) ([0-9.]+)/);
            const at = new DOMPoint(+x, +y).matrixTransform(svg.getScreenCTM()); return [at.x, at.y] }})()"""
    )
    if type_ == "move":
        tab.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + away, y=y)
        return
    for what in ("mousePressed", "mouseReleased"):
        tab.call(
            "Input.dispatchMouseEvent", type=what, x=x + away, y=y, button="left", clickCount=1
        )


@browsed
@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("unsafe", "(wrong, UNSAFE); cause: early stop"),
        ("overstated", "(inexact, overstated); cause: dropped sign"),
        ("silent", "answer none (no answer: crash); cause: it crashed"),
    ],
)
def test_pointing_at_a_mark_tells_the_point(tab: Page, kind: str, said: str) -> None:
    over(tab, kind, "move")
    assert said in line(tab)
    assert tab.complaints() == []


@browsed
def test_the_command_is_that_of_the_point(tab: Page, family: Family) -> None:
    over(tab, "unsafe", "move")
    told = str(tab.evaluate("document.querySelector('.point code').textContent")).split()
    point = tuple(float(told[told.index(f"--{name}") + 1]) for name in ("q", "sigma", "alpha"))
    unsafe = [p for p in family.failing if p.direction is Direction.UNSAFE]
    assert point in {(p.q, p.sigma, float(p.alpha)) for p in unsafe}


@browsed
def test_pointing_nowhere_tells_nothing_and_a_tap_reaches_farther(tab: Page) -> None:
    before = line(tab)
    tab.call("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)
    assert line(tab) == before
    over(tab, "unsafe", "tap", away=12)
    assert line(tab) != before


@browsed
def test_arrow_keys_go_from_point_to_point(tab: Page) -> None:
    tab.evaluate("document.querySelector('.panels').focus()")
    seen = []
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowUp"):
        tab.press(key)
        seen.append(line(tab))
    assert seen[0] != seen[1]
    assert all(text.startswith("q = ") for text in seen)
    assert tab.evaluate("document.querySelectorAll('.ring').length") == 1


@browsed
def test_points_in_one_place_are_told_in_turn(tab: Page) -> None:
    tab.evaluate("document.querySelector('.panels').focus()")
    tab.press("ArrowRight")
    first = line(tab)
    tab.press("Enter", "\r")
    assert re.findall(r"Point (\d+) of 2", first + line(tab)) == ["1", "2"]


@browsed
@pytest.mark.parametrize("width", [1440, 390])
def test_nothing_is_wider_than_the_window(tab: Page, width: int) -> None:
    tab.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 500)  # fmt: skip
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
