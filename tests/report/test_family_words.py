"""Families in words: the table of the first page, a family's own page, and the same in Markdown."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import jinja2
import msgspec
import pytest
from msgspec.structs import replace

from tests.report.browser import CHROMIUM, page
from tests.report.conftest import conformance_file
from verify.report.collect import families_part
from verify.report.pages import family_lines, family_pages, family_words
from verify.report.pages import page as pages
from verify.results.conformance import Cluster, Direction, Effect, Grade, Region, Tally
from verify.results.families import AnswerTheorem, Family
from verify.results.verdicts import KernelVerdict

HOSTILE = '</pre></script><script>alert(1)</script><img src=x onerror=alert(1)>" onclick="x" {{ 7*7 }} |*[a](javascript:x)\x1b[31m'


@pytest.fixture(scope="module")
def family(tmp_path_factory: pytest.TempPathFactory) -> Family:
    """With everything a page can show."""
    folder = tmp_path_factory.mktemp("conformance")
    (folder / "some.json").write_text(json.dumps(conformance_file()))
    [made], _ = families_part.read_all(folder)
    smallest = made.regions[Region.EXTREMES].worst[Direction.UNSAFE]
    cluster = Cluster("early-stop", 15, {Region.EXTREMES: 15}, {"UNSAFE": 15}, "it stops", "seen", "go on", (), smallest, "import some")  # fmt: skip
    run = Effect("MNIST", 0.01, 1.1, 1000, 1e-5, 10, 2.0, 1.0, 0.5)
    verdict = KernelVerdict("answer of some", "not-valid", "1/100", "2", "3", False, "1/1000", None, "X is too small", "forall x, ~ P x", ("classic",), 7, "ab" * 32, "cd" * 32)  # fmt: skip
    return replace(
        made, clusters=(cluster,), effects=(run,), theorem=AnswerTheorem("8.16", verdict)
    )


def cells(families: list[Family], title: str) -> list[str]:
    [column] = [c for c in family_words.columns(families) if c.title == title]
    return [family_words.in_line(cell) for cell in column.cells]


def test_a_cell_says_which_way_and_how_far(family: Family) -> None:
    assert cells([family], "at extremes") == [
        "15 too small, by up to 20%; 5 without an answer; 70 of 100 right"
    ]


def test_a_region_that_is_right_says_only_so(family: Family) -> None:
    right = {Region.TRAINING: Tally({Grade.FULL: 3}, {}, {})}
    made = replace(family, regions=right)
    assert family_words.region(made, Region.TRAINING)[0].words == "all 3 right"
    assert family_words.region(made, Region.EXTREMES)[0].words == "not asked"


def test_a_column_that_says_the_same_in_every_row_is_left_out(family: Family) -> None:
    other = replace(family, effects=())
    titles = {column.title for column in family_words.columns([family, other])}
    assert titles == {"RDP ε of published runs"}
    assert len(family_words.columns([family])) == 5  # one row: there is nothing to compare


@pytest.mark.parametrize(
    ("factor", "said"),
    [
        (1.0, "right in all 1"),
        (0.44, "too small in 1 of 1: down to 0.44 of the right one"),
        (1.009, "too large in 1 of 1, by up to 0.9%"),
        (3.0, "too large in 1 of 1, up to 3 times the right one"),
        (None, "none in 1 of 1"),
    ],
)
def test_the_effect_on_epsilon_in_words(family: Family, factor: float | None, said: str) -> None:
    [run] = family.effects
    given = None if factor is None else factor * run.true
    made = replace(family, effects=(replace(run, given=given, factor=factor),))
    assert family_words.in_line(family_words.effect_on_epsilon(made)) == said


def test_it_matters_if_epsilon_is_half(family: Family) -> None:
    assert family_words.matters(family).startswith("Yes: ")
    [run] = family.effects
    for factor, word in ((1.0, "No: "), (1.009, "Barely: "), (None, "Yes: ")):
        made = replace(family, effects=(replace(run, factor=factor),))
        assert family_words.matters(made).startswith(word)
    assert family_words.matters(replace(family, effects=())).startswith("Not asked")


def table(families: list[Family]) -> str:
    """The macro in a template of its own."""
    source = (
        '{% from "families.html.j2" import family_table with context %}{{ family_table(families) }}'
    )
    environment = jinja2.Environment(
        loader=jinja2.ChoiceLoader(
            [jinja2.DictLoader({"table": source}), jinja2.FunctionLoader(pages.asset)]
        ),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.get_template("table").render(families=families, **family_words.GLOBALS)


def test_the_table_has_a_row_and_a_link_for_each_family(family: Family) -> None:
    text = table([family, replace(family, slug="other", effects=())])
    assert re.findall(r'href="([^"]*)"', text) == [
        "libraries/some-accountant.html",
        "libraries/other.html",
    ]
    assert 'data-label="RDP ε of published runs"' in text


def shown(family: Family) -> str:
    [made] = family_pages.family_pages([family])
    return pages.render(made)


@pytest.mark.parametrize("words", [
    "Yes: the RDP ε of published training runs is too small in 1 of 1", "too small by 50%", "early-stop", "go on", "import some",
    "forall x, ~ P x", "classic", "X is too small", "8.16", "sgm-verify check some-accountant==1.2.3",
    "sgm-verify value --q 0.1 --sigma 2.0 --alpha 1.5", "2 × not monotone", "conformance/some.json",
])  # fmt: skip
def test_the_page_tells(family: Family, words: str) -> None:
    assert words in shown(family)


def test_a_page_without_a_theorem_says_so(family: Family) -> None:
    bare = replace(family, theorem=None)
    assert "no theorem of the kernel about one of them is kept" in shown(bare)
    assert "nothing to prove" in shown(replace(bare, regions={}))


def poisoned(family: Family) -> Family:
    """Hostile text wherever a library or a file can put text."""

    def evil(value: object, key: str = "") -> object:
        if isinstance(value, dict):
            return {k: evil(v, k) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return [evil(v, key) for v in value]
        fixed = ("slug", "sha256", "verdict", "direction", "region", "failing")
        free = isinstance(value, str) and key not in fixed and value not in ("inf", "nan")
        return HOSTILE if free else value

    body = evil(msgspec.to_builtins(family))
    assert isinstance(body, dict)
    return msgspec.convert(body, Family)


def test_hostile_text_stays_text_on_the_page_and_in_the_table(family: Family) -> None:
    evil = poisoned(family)
    for text in (shown(evil), table([evil, family])):
        assert "<img" not in text
        assert text.count("<script") == (2 if "<html" in text else 0)
        assert 'onclick="' not in text
        assert "49" not in re.findall(r"\b49\b(?= \|)", text)


def test_hostile_text_stays_text_in_markdown(family: Family) -> None:
    text = "\n".join(family_lines.lines([poisoned(family), family]))
    outside = re.sub(r"\\.|(`+).*?(?<!`)\1(?!`)", "", text)
    assert not re.search(r"<(script|img|/)", outside)
    assert "[a" not in outside
    assert "\x1b" not in text


def test_markdown_has_a_row_a_map_and_the_causes(family: Family) -> None:
    text = "\n".join(family_lines.lines([family]))
    assert "| some-accountant 1.2.3 | " in text
    assert "(figures/library-some-accountant.svg)" in text
    assert "* **early-stop** (15 points): it stops. Change: go on." in text
    assert "`forall x, ~ P x`" in text


AXE = """axe.run(document, {resultTypes: ["violations"]}).then(found => [found.passes.length,
    found.violations.map(v => v.id + ": " + v.nodes[0].html.slice(0, 200))])"""


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_axe_finds_nothing_to_complain_of(family: Family, tmp_path: Path) -> None:
    out = tmp_path / "family.html"
    out.write_text(shown(family), encoding="utf-8")
    with page(tmp_path / "profile") as tab:
        for scheme in ("light", "dark"):
            tab.call(
                "Emulation.setEmulatedMedia",
                features=[{"name": "prefers-color-scheme", "value": scheme}],
            )
            tab.open(out.as_uri())
            tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
            script = (files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8")
            tab.evaluate(script + ";0")
            passed, violations = tab.evaluate(AXE)
            assert violations == []
            assert passed > 20
            assert tab.complaints() == []
