"""HTML, Markdown, JUnit and the list of changes: complete, and text stays text."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import posixpath
import re
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from msgspec.structs import replace

from verify.claims import Verdict
from verify.claims.discovery import discover
from verify.report.collect.model import by_section
from verify.report.pages import diff, junit
from verify.report.pages.markdown import markdown
from verify.report.pages.mathml import mathml
from verify.report.pages.site import pages
from verify.results.report import Results

HOSTILE = '</style></script><script>alert(1)</script><img src=x onerror=alert(1)>" \' onclick="x" {{ 7*7 }} `|*[a](javascript:x)\x1b[31m\u202e'
_NAMES = (
    "domain statement words repair unbreakable unknown differs reproduce detail place section target version date "
    "summary floor reason answer truth quantity name text remark source failure title caption"
)
_FREE = frozenset(_NAMES.split())


class Tags(HTMLParser):
    """Every element with its attributes, and all text outside style and script."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def poisoned(value: Any, key: str = "") -> Any:
    """The same results with hostile text wherever text is free."""
    if isinstance(value, dict):
        return {k: poisoned(v, k) for k, v in value.items()}
    if isinstance(value, list):
        return [poisoned(v, key) for v in value]
    free = key in _FREE and isinstance(value, str) and value not in ("true", "false", "undecided")
    return HOSTILE if free else value


@pytest.fixture(scope="module")
def hostile(results: Results) -> Results:
    body = poisoned(json.loads(msgspec.json.encode(results)))
    body["failures"] = [HOSTILE]
    body["unreadable"] = [{"file": HOSTILE, "reason": HOSTILE}]
    body["not_covered"] = [HOSTILE]
    body["claims"][0]["broken"] = {HOSTILE: "survived"}
    for check in body["ground_truth"]:
        check |= {"passed": False, "failure": HOSTILE}
    return msgspec.convert(body, Results)


@pytest.fixture(scope="module")
def made(results: Results, drawings: dict[str, str]) -> dict[str, str]:
    return pages(results, drawings)


@pytest.fixture(scope="module")
def parsed(made: dict[str, str]) -> dict[str, Tags]:
    return {name: Tags(text) for name, text in made.items()}


def test_every_claim_is_told_once(parsed: dict[str, Tags], results: Results) -> None:
    told = [
        str(a.get("id"))
        for page in parsed.values()
        for t, a in page.found
        if t == "article" and a.get("class") == "claim"
    ]
    assert sorted(told) == sorted(f"claim-{c.id}" for c in results.claims)


def test_every_claim_is_listed_once(parsed: dict[str, Tags], results: Results) -> None:
    listed = [a["data-id"] for t, a in parsed["claims/index.html"].found if "data-id" in a]
    assert listed == [c.id for those in by_section(results.claims).values() for c in those]


def test_every_theorem_about_a_run_is_told(made: dict[str, str], results: Results) -> None:
    if results.kernel is None:
        pytest.skip("no result of the formal development")
    page = html.unescape(made["accountants.html"])
    text = markdown(results)
    assert results.kernel.runs
    for run in results.kernel.runs:
        assert run.words in page
        assert run.theorem in page
        assert run.proof_sha256[:16] in text


def test_a_page_asks_for_nothing(parsed: dict[str, Tags]) -> None:
    for page in parsed.values():
        for tag, attributes in page.found:
            assert tag not in ("link", "img", "iframe", "object", "embed", "base")
            assert "src" not in attributes
            assert not re.match("[a-z]+:|//", attributes.get("href") or "")
            assert not (attributes.get("xlink:href") or "#").startswith("http")


def test_every_link_leads_somewhere(parsed: dict[str, Tags]) -> None:
    ids = {name: {a["id"] for _, a in page.found if a.get("id")} for name, page in parsed.items()}
    for name, page in parsed.items():
        for tag, attributes in page.found:
            if tag == "a":
                place, _, anchor = str(attributes["href"]).partition("#")
                target = posixpath.normpath(posixpath.join(posixpath.dirname(name), place))
                target = target if place else name
                assert target in parsed, (name, attributes)
                assert not anchor or anchor in ids[target], (name, attributes)


def test_an_id_is_used_once_on_a_page(parsed: dict[str, Tags]) -> None:
    for name, page in parsed.items():
        ids = [a["id"] for _, a in page.found if a.get("id")]
        assert len(ids) == len(set(ids)), name


def test_hostile_text_stays_text_in_the_pages(hostile: Results) -> None:
    for name, text in pages(hostile).items():
        assert re.fullmatch(r"[a-z0-9-]+(/[a-z0-9-]+)?\.html", name)
        page = Tags(text)
        assert [t for t, _ in page.found].count("script") == text.count("<script")
        assert "alert(1)</script>" not in text
        assert not [t for t, _ in page.found if t in ("img", "iframe")]
        assert not [a for _, attributes in page.found for a in attributes if a.startswith("on")]
        assert "\x1b" not in "".join(page.text)
        assert "\u202e" not in "".join(page.text)


def test_hostile_text_is_shown(hostile: Results) -> None:
    first = "".join(Tags(pages(hostile)["report.html"]).text)
    assert "alert(1)" in first
    assert "{{ 7*7 }}" in first


def test_the_policy_names_the_scripts_and_nothing_else(made: dict[str, str]) -> None:
    for page in made.values():
        scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
        hashes = (base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts)
        expected = " ".join(f"'sha256-{digest}'" for digest in hashes) or "'none'"
        assert f"script-src {expected};" in page


def test_hostile_text_stays_text_in_markdown(hostile: Results) -> None:
    text = markdown(hostile)
    outside = re.sub(
        r"\\.|(`+).*?(?<!`)\1(?!`)", "", text
    )  # escapes, and code spans, which show what they hold
    assert not re.search(r"<(script|img|/)", outside)
    assert "[a" not in outside
    assert "\x1b" not in text


def test_tables_in_markdown_keep_their_columns(hostile: Results) -> None:
    lines = markdown(hostile).splitlines()
    heads = [i for i, line in enumerate(lines) if re.fullmatch(r"\|(---\|)+", line)]
    assert heads
    for head in heads:
        columns = lines[head].count("|")
        for line in lines[head + 1 :]:
            if not line.startswith("|"):
                break
            assert len(re.findall(r"(?<!\\)\|", line)) == columns, line


def test_junit_is_xml_and_fails_where_the_run_failed(hostile: Results, results: Results) -> None:
    good, bad = (ElementTree.fromstring(junit.as_text(r)) for r in (results, hostile))
    assert good.attrib["failures"] == "0"
    assert int(bad.attrib["failures"]) == len(bad.findall("testcase/failure")) > 0
    assert int(good.attrib["tests"]) == len(good.findall("testcase"))


@pytest.mark.parametrize("latex", [
    r"\text{<script>alert(1)</script>}", r"x & \lt \amp &lt;script&gt;", r"\href{javascript:alert(1)}{x}",
    r"\class{evil}{x} \style{color:red}{y}", "\x00\x1b", "{" * 500, r"\frac{", "", "<img onerror=x>",
])  # fmt: skip
def test_formulas_cannot_carry_markup(latex: str) -> None:
    for tag, attributes in Tags(mathml(latex)).found:
        assert tag.startswith("m") or tag in ("code", "span", "wbr")
        assert not {"href", "style", "onclick", "src", "onerror"} & set(attributes)


def test_every_formula_of_the_claims_is_understood() -> None:
    for claim in discover().values():
        for latex in (claim.statement, claim.domain, claim.repair):
            assert not latex or "<code" not in mathml(latex), (claim.id, latex)


def test_every_picture_of_the_markdown_is_drawn(results: Results, drawings: dict[str, str]) -> None:
    shown = re.findall(r"\]\(figures/([a-z0-9-]+)\.svg\)", markdown(results))
    assert sorted(shown) == sorted(drawings)


# -- changes -------------------------------------------------------------------------------


def test_nothing_changed(results: Results) -> None:
    changed = diff.with_changes(results, results).changes
    assert changed is not None
    assert changed.rows == ()


def older(results: Results) -> Results:
    """With another verdict on the first claim, and the second under another id."""
    first, second, *others = results.claims
    spoilt = replace(first, verdict=Verdict.UNKNOWN), replace(second, id="gone/claim")
    return replace(results, claims=(*spoilt, *others))


def test_a_changed_verdict_a_new_and_a_lost_claim_are_listed(results: Results) -> None:
    rows = diff.changes(older(results), results)
    what = {row.what: (row.before, row.after) for row in rows}
    first, second = results.claims[:2]
    assert what[f"claim {first.id}: verdict"] == ("unknown", first.verdict)
    assert what["claim gone/claim"] == ("present", "absent")
    assert what[f"claim {second.id}"] == ("absent", "present")


def test_one_digit_of_a_figure_is_a_change(results: Results) -> None:
    figure = results.figures[0]
    row = tuple(f"{cell}1" if cell else cell for cell in figure.rows[0])
    other = replace(figure, rows=(row, *figure.rows[1:]))
    old = replace(results, figures=(other, *results.figures[1:]))
    assert [c.what for c in diff.changes(old, results)] == [f"figure {figure.id}: rows"]


def test_changes_are_in_the_page(
    results: Results, made: dict[str, str], drawings: dict[str, str]
) -> None:
    what = f"claim {results.claims[0].id}: verdict"
    changed = pages(diff.with_changes(results, older(results)), drawings)
    assert what in changed["method.html"]
    assert what not in made["method.html"]
    assert "not given an older report" in made["method.html"]


def test_a_long_sum_can_be_broken_into_lines() -> None:
    long = " + ".join(rf"\frac{{a_{{{k}}}}}{{b}}" for k in range(20))
    assert mathml(long).count("<math") > 3
    assert mathml("a + b - c").count("<math") == 1


def test_what_stands_in_brackets_stays_together() -> None:
    assert mathml("f(x, y)").count("<math") == 1
    assert mathml(r"\max\{f(x, y), g\}").count("<math") == 2
