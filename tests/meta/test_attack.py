"""Nothing false is confirmed: every number moved past the truth, and claims that were confirmed once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest
import sympy

from proofs_checks import paper
from proofs_checks.quantities.at_points import Place, holds
from proofs_checks.sections import closed_form_a1
from tests.meta.attack import attack, numbers, summary, variants
from tests.meta.attack_known import EDGES
from tests.meta.truth import false_at, inside, known_false, places
from verify.claims import Claim, Evidence, claim, symbolic
from verify.claims.discovery import discover

CLAIMS = discover()
MILLIONTH = (Fraction(1, 10**6),)
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
def test_a_constant_below_the_truth_is_not_confirmed(
    claim_id: str, parameter: str, step: str
) -> None:
    false = EDGES[claim_id, parameter]() * (1 - Fraction(step))
    assert CLAIMS[claim_id].check(**{parameter: false}).refuses


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


def made(check: Callable[..., Iterator[Evidence]]) -> Claim:
    return claim(
        "toy/blind",
        lines="1",
        kind="inequality",
        domain="x",
        statement=paper.CONDITION_1,
        unbreakable="it cannot fail",
    )(check)


def test_a_check_that_ignores_its_parameter_is_found_out_by_a_millionth() -> None:
    outcome = attack(made(blind), MILLIONTH)
    assert outcome.holes
    assert any("by 1e-06" in hole for hole in outcome.holes)


def dies(constant: Fraction = Fraction(2)) -> Iterator[Evidence]:  # immutable
    """A check that ends its process at any number but its own."""
    if constant != 2:
        os._exit(6)
    yield symbolic(detail="two")


def test_a_check_that_ends_its_process_does_not_end_the_attack() -> None:
    outcome = attack(made(dies), MILLIONTH)
    assert outcome.counts == {"crashed": 2}


def test_numbers_are_found_in_formulas_tuples_and_plain_parameters() -> None:
    def check(
        formula: paper.Formula = paper.CONDITION_1,
        orders: tuple[int, ...] = (2, 3),
        constant: Fraction = Fraction(2),  # immutable
        turned: bool = False,
    ) -> Iterator[Evidence]:
        """Words."""
        yield symbolic()

    found = [n.parameter for n in numbers(made(check))]
    assert set(found) == {"formula", "orders", "constant"}
    assert found.count("orders") == 2


def test_a_variant_past_the_truth_is_known_to_be_false() -> None:
    toy = made(blind)
    past = [v for n in numbers(toy) for v in variants(toy, n, MILLIONTH) if "past" in v.label]
    assert past
    assert all(known_false(paper.CONDITION_1, v.number.moved(v.new)) for v in past)


def test_the_places_are_points_of_the_main_theorem() -> None:
    assert all(paper.allowed(*where.place.at) for where in places())
    assert not any(false_at(paper.CONDITION_2, where) for where in inside(paper.CONDITION_2))
