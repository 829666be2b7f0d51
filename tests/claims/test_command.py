"""sgm-verify claims."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

from tests.claims.toys import HELPERS
from verify.bounds.table import table
from verify.claims import Claim, Erratum, Evidence, Paper, Rejected, Verdict, claim, symbolic
from verify.claims.discovery import Installed, discover
from verify.cli import cli
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Point
from verify.results import document
from verify.results.claims import ClaimsRun, Outcomes, Recorded


@claim(
    "toy/right",
    lines="1",
    kind="identity",
    domain="x",
    statement="1 = 1",
    broken={"two": {"value": 2}},
)
def right(value: int = 1) -> Iterator[Evidence]:
    """One is one."""
    if value != 1:
        raise Rejected("value = 2")
    yield symbolic(detail="by \x1b[31mred\x1b[0m thought")


@claim(
    "toy/deep/wrong",
    lines="2",
    kind="inequality",
    domain="x",
    statement="2 < 1",
    broken={"three": {"value": 3}},
)
def wrong(value: int = 2) -> Iterator[Evidence]:
    """Recorded as true, found false."""
    yield symbolic()
    raise Rejected(f"value = {value}")


def call(toy: dict[str, Claim], *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["claims", *arguments], obj=Installed(toy))


@pytest.fixture
def toy() -> dict[str, Claim]:
    return {c.id: c for c in (right, wrong)}


def test_the_table_lists_every_claim(toy: dict[str, Claim]) -> None:
    result = call(toy)
    assert result.exit_code == 0
    assert "toy/right" in result.output
    assert "2 claims" in result.output


def test_a_check_that_differs_exits_with_1(toy: dict[str, Claim]) -> None:
    result = call(toy, "--check", "--jobs", "1")
    assert result.exit_code == 1
    assert "DIFFERS: recorded holds, found rejected: value = 2" in result.output


def test_a_check_that_agrees_exits_with_0(toy: dict[str, Claim]) -> None:
    result = call(toy, "--check", "toy/right", "--jobs", "1")
    assert result.exit_code == 0
    assert "1 of 1 claims (100.0%)" in result.output


def test_an_id_selects_all_claims_below_it(toy: dict[str, Claim]) -> None:
    output = call(toy, "--check", "toy/deep", "--jobs", "1").output
    assert "toy/deep/wrong" in output
    assert "toy/right" not in output


def printed(toy: dict[str, Claim], *arguments: str) -> str:
    return call(toy, "--check", "--json", "--jobs", "1", *arguments).stdout


def test_json_is_a_document_of_its_class(toy: dict[str, Claim]) -> None:
    found = document.from_text(printed(toy), ClaimsRun)
    first, second = found.claims
    assert (first.id, first.verdict, first.strongest) == ("toy/right", "holds", "symbolic")
    assert (first.broken, first.evidence[0].effective) == ({"two": "refuted"}, 1)
    assert second.verdict is Verdict.UNKNOWN
    assert second.differs == "recorded holds, found rejected: value = 2"
    assert set(found.seconds) == set(toy)
    assert found.score.claims == 2


def test_json_fits_its_schema(toy: dict[str, Claim]) -> None:
    jsonschema.validate(json.loads(printed(toy)), document.schema(ClaimsRun))


@pytest.mark.parametrize("part", [0.0, 0.5, 0.9, 0.99])
def test_json_that_was_cut_short_is_refused(toy: dict[str, Claim], part: float) -> None:
    whole = printed(toy)
    with pytest.raises(document.BadDocument, match="truncated"):
        document.from_text(whole[: int(part * len(whole))], ClaimsRun)


def test_json_with_one_digit_changed_is_refused(toy: dict[str, Claim]) -> None:
    text = printed(toy, "toy/right")
    changed = text.replace('"effective": 1', '"effective": 2', 1)
    assert changed != text
    with pytest.raises(document.BadDocument, match="digest"):
        document.from_text(changed, ClaimsRun)


@claim("toy/stopped", lines="3", kind="identity", domain="x", statement="x", unbreakable="stops")
def stopped() -> Iterator[Evidence]:
    """Somebody presses Ctrl-C here."""
    yield symbolic()
    raise KeyboardInterrupt


def test_an_interrupted_run_prints_no_document(toy: dict[str, Claim]) -> None:
    toy[stopped.id] = stopped
    result = call(toy, "--check", "--json", "--jobs", "1")
    assert result.exit_code != 0
    assert result.stdout == ""


def test_json_without_a_check_is_the_recorded_outcome(toy: dict[str, Claim]) -> None:
    found = document.from_text(call(toy, "--json").stdout, Outcomes)
    assert [(c.id, c.verdict, c.checked) for c in found.claims] == [
        ("toy/right", "holds", False),
        ("toy/deep/wrong", "holds", False),
    ]
    one = document.from_text(call(toy, "toy/right", "--json").stdout, Outcomes)
    assert one.claims == found.claims[:1]


def never() -> Iterator[Evidence]:
    raise AssertionError("was run")
    yield symbolic()


@pytest.mark.parametrize("arguments", [(), ("--json",), ("toy/right",), ("toy/right", "--json")])
def test_without_check_nothing_is_computed(toy: dict[str, Claim], arguments: tuple[str]) -> None:
    toy["toy/right"] = replace(right, function=never)
    assert call(toy, *arguments).exit_code == 0
    assert "was run" in call(toy, "--check", "toy/right", "--jobs", "1").output


def test_the_recorded_table_fits_80_columns() -> None:
    lines = CliRunner().invoke(cli, ["claims"]).output.splitlines()
    assert len(lines) > 100
    assert [line for line in lines if len(line) > 80] == []


def test_a_mistyped_id_gets_a_suggestion(toy: dict[str, Claim]) -> None:
    assert "did you mean toy/right?" in str(call(toy, "toy/rihgt").exception)


def test_one_claim_in_full_says_how_to_reproduce_it(toy: dict[str, Claim]) -> None:
    output = call(toy, "toy/right").output
    assert "sgm-verify claims --check toy/right" in output
    assert "must fail      two" in output


def test_control_characters_are_escaped(toy: dict[str, Claim]) -> None:
    output = call(toy, "--check", "toy/right", "--jobs", "1").output
    assert "\x1b" not in output
    assert r"\x1b[31mred" in output


def test_an_unknown_id_is_one_clear_error(toy: dict[str, Claim]) -> None:
    assert "no claim 'nowhere'" in str(call(toy, "nowhere").exception)


@pytest.mark.parametrize(
    "arguments",
    [("--record",), ("--check", "--record", "toy/right"), ("--kernel", "x.json")],
)
def test_options_that_make_no_sense_are_refused(
    toy: dict[str, Claim], arguments: tuple[str, ...]
) -> None:
    assert call(toy, *arguments).exit_code != 0


def test_without_claims_there_is_an_error() -> None:
    assert "no claims are installed" in str(call({}).exception)


def test_the_table_shows_what_was_recorded(
    package: Callable[..., Paper], toy: dict[str, Claim]
) -> None:
    made = package(helpers=HELPERS)
    given = Installed(discover([made]), (made,))

    def run(*arguments: str) -> str:
        return CliRunner().invoke(cli, ["claims", *arguments], obj=given).output

    assert "not recorded" in run()
    run("--check", "--record", "--jobs", "1")
    assert "not recorded" not in run()
    path = made.folder() / "recorded.json"
    assert document.read(path, Recorded).levels == {"toy/borrowed/claim": "symbolic"}
    path.write_text(path.read_text().replace("symbolic", "kernel"))
    result = CliRunner().invoke(cli, ["claims"], obj=given)
    assert isinstance(result.exception, OutOfDomain)


def test_a_formal_result_can_be_given(toy: dict[str, Claim], tmp_path: Path) -> None:
    theorem = {"name": "t", "file": "S.v", "line": 1, "statement": "1 = 1", "axioms": ["Lib.a"]}
    result = {
        "format": "sgm-verify kernel 2",
        "coq": "8",
        "digest": "d",
        "pinned": "p",
        "allowed": ["Lib.a"],
    }
    path = tmp_path / "result.json"
    path.write_text(json.dumps({**result, "theorems": [theorem], "complete": True}))
    toy["toy/right"] = replace(right, kernel=("t",))
    assert "theorems       t" in call(toy, "toy/right", "--kernel", str(path)).output
    checked = call(toy, "--check", "toy/right", "--jobs", "1", "--kernel", str(path)).output
    output = " ".join(checked.split())
    assert "kernel (1 effective, 0 vacuous): t (S.v: 1 = 1; axioms: a)" in output
    path.write_text(json.dumps({**result, "theorems": [theorem]}))
    assert isinstance(call(toy, "toy/right", "--kernel", str(path)).exception, OutOfDomain)


def test_a_changed_verdict_in_the_record_is_noticed(toy: dict[str, Claim]) -> None:
    toy["toy/right"] = replace(right, verdict=Verdict.REFUTED)
    assert call(toy, "--check", "toy/right", "--jobs", "1").exit_code == 1


def test_a_value_does_not_load_the_algebra() -> None:
    program = (
        "import sys; import verify.cli, verify.commands.value; "
        "sys.exit('sympy' in sys.modules or 'proofs_checks' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_surviving_variant_makes_the_check_fail(toy: dict[str, Claim]) -> None:
    blind = replace(toy["toy/right"], broken={"one is one, too": {"value": 1}})
    done = call({"toy/right": blind}, "--check", "toy/right", "--jobs", "1")
    assert "survived" in done.output
    assert done.exit_code == 1


@claim(
    "toy/misprint",
    lines="3",
    kind="inequality",
    domain="x",
    statement="x < x",
    verdict="holds-with-repair",
    severity="slip",
    repair="x <= x",
    erratum=Erratum("Strict in print", "x < x.", "Weak is meant.", "x <= x.", "Nothing."),
    broken={"two": {"value": 2}},
)
def misprint(value: int = 1) -> Iterator[Evidence]:
    """An inequality that should be weak."""
    if value != 1:
        raise Rejected("value = 2")
    yield symbolic(detail="0 is not below 0").against_the_wording()
    yield symbolic().repaired()


def test_the_errata_are_told_with_the_counterexample_that_was_found(toy: dict[str, Claim]) -> None:
    output = call({**toy, misprint.id: misprint}, "--errata").stdout
    assert output.startswith("Strict in print (slip)")
    assert "0 is not below 0." in output
    assert "for a user       Nothing." in output
    assert "claim            toy/misprint\n                     line 3" in output


def test_a_claim_tells_its_erratum(toy: dict[str, Claim]) -> None:
    output = call({**toy, misprint.id: misprint}, "toy/misprint").stdout
    assert "erratum        Strict in print" in output


def test_errata_can_be_found_again(toy: dict[str, Claim]) -> None:
    output = call({**toy, misprint.id: misprint}, "--errata", "--check").stdout
    assert "0 is not below 0." in output


def test_errata_are_not_json(toy: dict[str, Claim]) -> None:
    assert "--errata goes without --json" in str(call(toy, "--errata", "--json").exception)


def test_the_recorded_errata_need_no_package_of_the_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The light installation: importing the claims would fail."""
    monkeypatch.setattr(Installed, "here", classmethod(lambda cls: pytest.fail("imported")))
    output = CliRunner().invoke(cli, ["claims", "--errata"]).stdout
    assert "Erratum 1, 2026-11-16. Theorem 5 asks too little" in output
    assert "counterexample" in output


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Theorem 11", "main-theorem/statement"),
        ("Lemma 6", "a-geq-b/lemma-6/statement"),
        ("eq. 5", "closed-form/lemma-10/statement"),
        ("Table 1", "table-1/bun"),
    ],
)
def test_a_claim_is_found_by_its_printed_name(name: str, found: str) -> None:
    output = CliRunner().invoke(cli, ["claims", name]).stdout
    assert f"\n{found}  (" in "\n" + output
    assert "\\" not in output  # no markup


def test_a_theorem_that_is_not_printed_is_refused() -> None:
    result = CliRunner().invoke(cli, ["claims", "Theorem 13"])
    assert "no claim 'Theorem 13'" in str(result.exception)


def test_theorem_11_says_first_that_it_may_be_used() -> None:
    output = CliRunner().invoke(cli, ["claims", "Theorem 11"]).stdout
    assert "May I use it? Yes" in output.split("statement      ")[0]


@pytest.mark.parametrize("name", ["eq. 5", "table-1/this-work/closed-form"])
def test_conditions_that_a_domain_names_by_number_are_written_out(name: str) -> None:
    output = " ".join(CliRunner().invoke(cli, ["claims", name]).stdout.split())
    (row,) = table(Point.of("0.01", 4, 14), ["this-work"])
    first, second = (c.text for c in row.conditions if c.text.startswith("alpha"))
    assert f"(4) {first}; (5) {second}; L = " in output


def test_a_claim_without_them_does_not_tell_them() -> None:
    assert "(5)" not in CliRunner().invoke(cli, ["claims", "Lemma 6"]).stdout


@pytest.mark.parametrize("words", [("erratum 5",), ("Erratum #5",), ("--errata", "5")])
def test_an_erratum_is_found_by_its_number(words: tuple[str, ...]) -> None:
    found = CliRunner().invoke(cli, ["claims", *words]).stdout
    assert found.startswith("Erratum 5, ")
    assert found.count("Erratum ") == 1


def test_a_number_that_was_not_given_is_an_error() -> None:
    result = CliRunner().invoke(cli, ["claims", "erratum 99"])
    assert "no erratum 99 (they are 1 to 16)" in str(result.exception)
