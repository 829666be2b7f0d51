"""results.json: strict, closed, and recognisably damaged when damaged."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from msgspec.structs import replace

from verify.claims import Level, Role, Severity, Verdict
from verify.numbers.errors import OutOfDomain
from verify.report.collect import model
from verify.results import document
from verify.results.evidence import Evidence, Theorem
from verify.results.report import Results


@pytest.fixture(scope="module")
def text(results: Results) -> str:
    return document.as_text(results)


def test_results_of_a_run_fit_the_schema(text: str) -> None:
    jsonschema.validate(json.loads(text), document.schema(Results))


def test_what_was_written_is_read_back(results: Results, text: str, tmp_path: Path) -> None:
    document.write(tmp_path / "results.json", text)
    found = document.read(tmp_path / "results.json", Results)
    assert replace(found, closing=None) == results


@pytest.mark.parametrize(("spoil", "says"), [
    (lambda r: r.update(extra=1), "unknown field `extra`"),
    (lambda r: r["claims"][0].update(seconds=1.0), "unknown field `seconds`"),
    (lambda r: r.pop("claims"), "missing required field `claims`"),
    (lambda r: r["claims"][0].pop("evidence"), "missing required field `evidence`"),
    (lambda r: r["numbers"].update(claims="4"), "Expected `int`, got `str` - at `$.numbers.claims`"),
    (lambda r: r["numbers"].update(claims=-1), "$.numbers.claims"),
    (lambda r: r["claims"][0].update(verdict="maybe"), "maybe"),
    (lambda r: r["claims"][0].update(strongest="none"), "none"),
    (lambda r: _kernel_evidence(r).pop("theorems"), "kernel evidence without a theorem"),
    (lambda r: _kernel_evidence(r)["theorems"][0].pop("statement"), "missing required field `statement`"),
    (lambda r: r["ground_truth"][0].update(effective=0), "effective cases and no failure"),
    (lambda r: r["figures"][0].update(id="../x"), "$.figures"),
    (lambda r: r["families"][0].update(slug="../x"), "$.families"),
    (lambda r: r.pop("closing"), "the closing record is missing"),
    (lambda r: r["closing"].update(complete=False), "complete"),
    (lambda r: r["claims"].pop(), "digest"),
    (lambda r: r["numbers"].update(refuted=0), "digest"),
    (lambda r: r.update(format="sgm-verify results 4"), "format"),
])  # fmt: skip
def test_whatever_is_spoilt_is_refused_with_one_line(
    text: str, spoil: Callable[[Any], object], says: str
) -> None:
    content = json.loads(text)
    spoil(content)
    with pytest.raises(document.BadDocument) as caught:
        document.from_text(json.dumps(content), Results)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def _kernel_evidence(content: Any) -> Any:
    return next(e for c in content["claims"] for e in c["evidence"] if e["level"] == "kernel")


def test_one_digit_of_a_figure_changed_is_noticed(results: Results, text: str) -> None:
    number = next(cell for cell in results.figures[0].rows[0][1:] if cell)
    changed = number[:-1] + str((int(number[-1]) + 1) % 10)
    with pytest.raises(document.BadDocument, match="digest"):
        document.from_text(text.replace(f'"{number}"', f'"{changed}"', 1), Results)


@pytest.mark.parametrize("part", [0.0, 0.3, 0.999])
def test_a_file_cut_short_is_an_error(text: str, tmp_path: Path, part: float) -> None:
    (tmp_path / "cut.json").write_text(text[: int(len(text) * part)])
    with pytest.raises(OutOfDomain, match=r"cut\.json: not a whole 'sgm-verify results 5' file"):
        document.read(tmp_path / "cut.json", Results)


def test_times_are_not_in_the_results(text: str) -> None:
    """They would make equal runs differ."""
    assert "seconds" not in text


def test_a_row_stands_on_one_line(text: str) -> None:
    assert re.search(r'^ +\[0\.7, 2\.0, 1\.001, null, "no answer", .*\],?$', text, re.MULTILINE)


# -- questions -----------------------------------------------------------------------------


def test_gravest_first(results: Results) -> None:
    claim = results.claims[0]
    rows = [
        replace(claim, verdict=Verdict.REFUTED, severity=s)
        for s in (Severity.SLIP, Severity.THEOREM, Severity.GAP)
    ]
    assert [c.severity for c in model.by_severity(rows, Verdict.REFUTED)] == [
        "theorem false",
        "gap",
        "slip",
    ]


def test_a_counterexample_in_short_names_the_theorem_by_its_field(results: Results) -> None:
    theorem = Theorem("odd (name", "S.v", 1, "x; y", ())
    evidence = (
        Evidence(Level.KERNEL, role=Role.COUNTEREXAMPLE, theorems=(theorem,)),
        Evidence(Level.SYMBOLIC, detail="x = 1; x**2 = 1", role=Role.COUNTEREXAMPLE),
        Evidence(Level.SYMBOLIC, detail="the repair", role=Role.REPAIR),
    )
    claim = replace(results.claims[0], evidence=evidence)
    assert model.counterexample(claim) == "x = 1; proved by the kernel as odd (name"
