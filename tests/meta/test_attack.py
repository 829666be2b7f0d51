"""Nothing false is confirmed: every number moved past the truth, and claims that were confirmed once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
import sympy

from proofs_checks import paper
from proofs_checks.quantities.at_points import Place, holds
from proofs_checks.sections import a_geq_b, closed_form_a1, closed_form_a2_lemma
from proofs_checks.tools.balls import ball
from proofs_checks.tools.formula import written
from tests.meta.attack import ALTHOUGH, attack, fate, kept, summary
from tests.meta.attack_known import CEILINGS, EDGES, EXACT, WEAKER
from tests.meta.dense import holds_densely
from tests.meta.moves import STEPS, Variant, numbers, variants
from tests.meta.readings import DOMAINS, reading
from tests.meta.truth import false_at, inside, known_false, places
from verify.claims import Claim, Evidence, Rejected, Sign, Undecided, claim, symbolic
from verify.claims.discovery import discover

CLAIMS = discover()
MILLIONTH = (Fraction(1, 10**6),)
FOUR = Fraction(4)
FAST = [
    "closed-form/z0", "closed-form/lemma-8/excess", "closed-form/lemma-8/first-half",
    "closed-form/lemma-10/z0-bound", "closed-form/lemma-10/use-of-z0",
    "closed-form/lemma-10/case-1/l-bound", "closed-form/lemma-10/case-2a/half",
    "closed-form/lemma-10/case-2b/root", "closed-form/lemma-10/case-2b/last-step",
    "main-theorem/exponential", "main-theorem/sum", "main-theorem/conversion",
    "discussion/definitions/zcdp", "discussion/change-of-measure",
    "numerical/whole/complete-the-square", "numerical/comparison", "beyond/conversion/pointwise",
    "beyond/graph-expansion/lower-bound",
]  # fmt: skip
"""Checks that take little time; ``python -m tests.meta.attack`` is for all of them and all steps."""


@pytest.mark.parametrize("above", FAST)
def test_no_number_moved_past_the_truth_is_confirmed(above: str) -> None:
    chosen = [c for i, c in CLAIMS.items() if f"{i}/".startswith(f"{above}/")]
    outcomes = [attack(c, MILLIONTH) for c in chosen]
    assert [hole for o in outcomes for hole in o.holes] == []
    assert summary(outcomes)["variants"] > 0


@pytest.mark.parametrize(("claim_id", "parameter"), list(EDGES))
@pytest.mark.parametrize("step", ["1/10", "1/1000", "1/1000000"])
def test_a_number_below_the_truth_is_not_confirmed(
    claim_id: str, parameter: str, step: str
) -> None:
    refused(claim_id, parameter, EDGES[claim_id, parameter]() * (1 - Fraction(step)))


@pytest.mark.parametrize(("claim_id", "parameter"), list(CEILINGS))
@pytest.mark.parametrize("step", ["1/10", "1/1000", "1/1000000"])
def test_a_number_above_the_truth_is_not_confirmed(
    claim_id: str, parameter: str, step: str
) -> None:
    refused(claim_id, parameter, CEILINGS[claim_id, parameter]() * (1 + Fraction(step)))


def refused(claim_id: str, parameter: str, false: Fraction) -> None:
    claim = CLAIMS[claim_id]
    places = [n for n in numbers(claim) if n.parameter == parameter]
    assert places
    assert all(claim.check(**{parameter: n.moved(false)}).refuses for n in places)


CONFIRMED_ONCE: list[tuple[str, dict[str, Any]]] = [
    ("introduction/divergence", {"orders": (1, 3)}),
    ("table-1/bun", {"constant": Fraction(5_999_999, 10**6)}),
    ("table-1/abadi/asymptotic", {"constant": Fraction(99_999, 10**6)}),
    ("discussion/definitions/going-down", {"counts": (3, 2, 2, 2)}),
    ("discussion/definitions/rdp", {"orders": (2, -1)}),
    ("beyond/graph-expansion/nonnegative", {"least": Fraction(1, 10**12)}),
    ("beyond/conditions/second-interval", {"threshold": Fraction(999_999, 10**6)}),
]


@pytest.mark.parametrize(("claim_id", "parameters"), CONFIRMED_ONCE)
def test_what_was_confirmed_once_is_not(claim_id: str, parameters: dict[str, Any]) -> None:
    assert CLAIMS[claim_id].check(**parameters).refuses


def test_a_partner_that_is_not_q_after_the_involution_is_no_counterexample() -> None:
    other = 2 * a_geq_b.x * (1 + a_geq_b.x) ** -3  # of mass 1 as well
    assert CLAIMS["a-geq-b/theorem-5/statement"].check(partner=other).refuses


@pytest.mark.parametrize("table", [EDGES, CEILINGS, EXACT, WEAKER])
def test_what_is_known_is_known_of_numbers_that_there_are(
    table: Mapping[tuple[str, str], object],
) -> None:
    for claim_id, parameter in table:
        assert parameter.split()[0] in signature(CLAIMS[claim_id].function).parameters


def test_the_main_theorem_with_0528_is_refuted() -> None:
    finding = CLAIMS["main-theorem/statement"].check(constant=Fraction(528, 1000))
    assert finding.rejected


def test_lemma_9_with_0515_of_the_constant_is_not_confirmed() -> None:
    q = paper.q
    smaller = closed_form_a1.LEMMA_9.put({q**2: q**2 * sympy.Rational(515, 1000)})
    assert not holds(smaller, Place(Fraction(1, 20), Fraction(4), Fraction(12)))
    assert CLAIMS["closed-form/lemma-9/statement"].check(formula=smaller).rejected


def test_zcdp_with_99_percent_of_the_constant_is_not_confirmed() -> None:
    assert CLAIMS["discussion/sgm-and-zcdp"].check(share=Fraction(99, 100)).refuses


def test_a_larger_constant_is_another_statement_and_undecided() -> None:
    finding = CLAIMS["main-theorem/statement"].check(constant=Fraction(3))
    assert (finding.refuses, finding.rejected) == (True, False)


def blind(formula: paper.Formula = paper.CONDITION_1) -> Iterator[Evidence]:
    """A check that ignores its parameter."""
    yield symbolic(detail="whatever the formula says")


AN_EQUATION = written(lambda: (paper.r0, "=", 1 + 1 / (paper.q * (paper.alpha - 1))))


def nearly(formula: paper.Formula = AN_EQUATION) -> Iterator[Evidence]:
    """A check that takes a formula for its own if the two agree to three digits."""
    where = places()[2]  # r_0 = 8/3
    own, other = (ball(f.sides[1], where) for f in (AN_EQUATION, formula))
    if not abs(own - other) < abs(own) / 1000:
        raise Undecided("another formula")
    yield symbolic(detail="the same formula")


def lenient(constant: Fraction = Fraction(2)) -> Iterator[Evidence]:  # immutable
    """A check of "at least 2" that lets a little less pass."""
    if constant < 2 - Fraction(1, 10**5):
        raise Undecided("smaller than 2")
    yield symbolic(detail="at least 2")


def made(check: Callable[..., Iterator[Evidence]]) -> Claim:
    return claim(
        "toy/blind",
        lines="1",
        kind="inequality",
        domain="x",
        statement=paper.CONDITION_1,
        unbreakable="it cannot fail",
    )(check)


@pytest.mark.parametrize("step", STEPS)
def test_a_check_that_ignores_its_parameter_is_found_out(step: Fraction) -> None:
    outcome = attack(made(blind), (step,))
    assert any(f"by {float(step):g}" in hole for hole in outcome.holes)


TRUE_OR_FALSE = [
    ("main-theorem/exponential", "noise", "3", True),
    ("main-theorem/exponential", "noise", "231/100", True),
    ("main-theorem/exponential", "noise", "23/10", False),
    ("closed-form/lemma-8/power-bound", "extent", "3/2", True),
    ("closed-form/lemma-8/power-bound", "extent", "17/10", True),
    ("closed-form/lemma-8/power-bound", "extent", "2", False),
    ("closed-form/lemma-10/case-2a/first-term", "inverse", "29/10", True),
    ("closed-form/lemma-10/case-2a/first-term", "inverse", "2", False),
    ("closed-form/lemma-10/case-2a/conclusion", "noise", "2", True),
    ("closed-form/lemma-10/case-2a/conclusion", "noise", "11/10", False),
    ("beyond/closed-form/six-fifths", "reach", "1", True),
    ("beyond/closed-form/six-fifths", "reach", "3/2", False),
    ("table-1/abadi/uniform", "constant", "1", True),
    ("table-1/abadi/uniform", "constant", "1/20", False),
]


@pytest.mark.parametrize(("claim_id", "parameter", "number", "true"), TRUE_OR_FALSE)
def test_a_dense_grid_tells_a_true_domain_from_a_false_one(
    claim_id: str, parameter: str, number: str, true: bool
) -> None:
    said = reading(CLAIMS[claim_id], parameter, Fraction(number))
    assert said is not None
    assert holds_densely(*said) is true


@pytest.mark.parametrize(
    ("constant", "true"), [("45/100", True), ("8/10", True), ("9/10000", False)]
)
def test_a_dense_grid_knows_lemma_10_with_other_constants(constant: str, true: bool) -> None:
    lemma = CLAIMS["closed-form/lemma-10/statement"]
    formula = closed_form_a2_lemma.LEMMA_10.put({sympy.Rational(9, 10): sympy.Rational(constant)})
    assert holds_densely(formula, r"0 < q \le 1/5,\ " + lemma.domain.split(r",\ ", 1)[1]) is true


def test_a_formula_that_fails_by_a_millionth_in_a_corner_is_found_to_fail():
    """Where both sides are equal at a point of the grid, the grid once looked no further."""
    domain = CLAIMS["closed-form/lemma-8/w-in-range"].domain
    true = written(lambda: (-1, "<", paper.q * (paper.r - 1)))
    assert holds_densely(true, domain) is True
    millionth = sympy.Rational(1, 10**6)
    false = written(lambda: (-1, "<", paper.q * (paper.r - (1 + millionth))))
    assert holds_densely(false, domain) is False


def test_every_domain_that_is_read_anew_is_one_on_which_the_claim_holds() -> None:
    for claim_id, parameter in DOMAINS:
        claim = CLAIMS[claim_id]
        own = next(n.value for n in numbers(claim) if n.parameter == parameter)
        said = reading(claim, parameter, own)
        assert said is not None
        assert holds_densely(*said), claim_id


def harsh(formula: paper.Formula = paper.CONDITION_1, noise: Fraction = FOUR) -> Iterator[Evidence]:
    """A check that refutes every noise but its own."""
    if noise != FOUR:
        raise Rejected("another noise")
    yield symbolic(detail="its own noise")


def test_a_check_that_refutes_what_is_true_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        DOMAINS, ("toy/blind", "noise"), lambda x: rf"\sigma \ge {x},\ q \le 1/5,\ (4)"
    )
    number = next(n for n in numbers(made(harsh)) if n.parameter == "noise")
    assert fate(made(harsh), Variant(number, Fraction(5), "fewer"))[0] == ALTHOUGH


def test_a_check_that_looks_at_three_digits_is_found_out_by_a_millionth() -> None:
    assert attack(made(nearly), MILLIONTH).holes
    assert attack(made(nearly), (Fraction(1, 10),)).holes == []


def test_a_check_that_lets_a_hundred_thousandth_pass_is_found_out_by_a_millionth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(EDGES, ("toy/blind", "constant"), lambda: Fraction(2))
    assert attack(made(lenient), MILLIONTH).holes
    assert attack(made(lenient), (Fraction(1, 10),)).holes == []


def dies(constant: Fraction = Fraction(2)) -> Iterator[Evidence]:  # immutable
    """A check that ends its process at any number but its own."""
    if constant != 2:
        os._exit(6)
    yield symbolic(detail="two")


def test_a_check_that_ends_its_process_does_not_end_the_attack() -> None:
    outcome = attack(made(dies), MILLIONTH)
    assert outcome.counts == {"crashed": 2}


def sleeps(constant: Fraction = Fraction(2)) -> Iterator[Evidence]:  # immutable
    """A check that computes for ever at any number but its own."""
    while constant != 2:
        pass
    yield symbolic(detail="two")


def test_a_check_without_an_answer_in_time_has_proved_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tests.meta.attack.PATIENCE", 1)
    outcome = attack(made(sleeps), MILLIONTH)
    assert outcome.counts == {"out of time": 2}
    assert len(outcome.late) == 2


def test_what_is_done_is_read_again_and_a_line_cut_short_is_not(tmp_path: Path) -> None:
    done = attack(made(dies), MILLIONTH)
    file = tmp_path / "done.jsonl"
    file.write_text(f"{done.line()}\n{done.line()[:40]}")
    assert kept(file, MILLIONTH) == {"toy/blind": done}
    assert kept(file, STEPS) == {}


def test_a_whole_number_is_moved_by_one_and_a_sign_turned() -> None:
    def check(count: int = 3, sign: Sign = 1, orders: tuple[int, ...] = (2,)) -> Iterator[Evidence]:
        """Words."""
        yield symbolic()

    toy = made(check)
    moved = {n.parameter: [n.moved(v.new) for v in variants(toy, n)] for n in numbers(toy)}
    assert moved == {"count": [4, 2], "sign": [-1], "orders": [(3,), (1,)]}


def test_numbers_are_found_in_formulas_tuples_and_plain_parameters() -> None:
    def check(
        formula: paper.Formula = paper.CONDITION_1,
        orders: tuple[int, ...] = (2, 3),
        maps: tuple[sympy.Expr, ...] = (1 - paper.x, 1 / paper.x),
        constant: Fraction = Fraction(2),  # immutable
        turned: bool = False,
    ) -> Iterator[Evidence]:
        """Words."""
        yield symbolic()

    found = [n.parameter for n in numbers(made(check))]
    assert set(found) == {"formula", "orders", "maps", "constant"}
    assert found.count("orders") == 2


def test_a_variant_past_the_truth_is_known_to_be_false() -> None:
    toy = made(blind)
    past = [v for n in numbers(toy) for v in variants(toy, n, MILLIONTH) if "past" in v.label]
    assert past
    assert all(known_false(paper.CONDITION_1, v.number.moved(v.new)) for v in past)


def test_the_places_are_points_of_the_main_theorem() -> None:
    assert all(paper.allowed(*where.place.at) for where in places())
    assert not any(false_at(paper.CONDITION_2, where) for where in inside(paper.CONDITION_2))
