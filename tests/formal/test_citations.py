"""Every theorem of the development carries a claim, or there is a reason why it does not."""

from __future__ import annotations

import pytest

from proofs_checks import kernel
from verify.claims.discovery import discover

_MEANING = "says what a definition means; no claim is about that"
_LINE = "the case of real-valued f, which the theorem for every dimension contains: "
_EXACT = (
    "about exact accounting, of which the paper makes no claim; the tight certificates rest on it"
)
UNCITED = {
    "int_line_meaning": _MEANING,
    "int_space_unique": _MEANING,
    "is_renyi_unique": _MEANING,
    "conditions_met_case_IIa": "one case of the proof is not empty; the other two carry introduction/relaxed",
    "theorem_11_instance": "an example of theorem_11",
    "mu0_shift_normalised": "a step of normal_space_normalised",
    "gaussian_tail_half": "sharper by 1/2 than the paper's tail bound, which gaussian_tail is",
    "A_and_B_at_least_1": "divergences are not negative: introduction/divergence says it of all laws",
    "A_greater_than_1": "the same, strictly, for the mechanism",
    "small_rate": "quadratic_in_q with the rate of its limit",
    "A_le_B_below_one": "divergence_order_below_one, as moments",
    "general_bound_on_line": "general_bound_transport for the integral over the line",
    "mechanism_density": _LINE + "space_mechanism_density",
    "reduction_moments": _LINE + "space_reduction_moments",
    "reduction": _LINE + "space_reduction_moments",
    "rdp_exactly": _LINE + "space_rdp_exactly",
    "mechanism_rdp": _LINE + "space_mechanism_rdp",
    "mechanism_zcdp": _LINE + "space_mechanism_zcdp",
    "mechanism_rdp_large_q": _LINE + "space_mechanism_rdp_large_q",
    "step_dominated": _EXACT,
    "run_dominated": _EXACT,
    "run_dp_of_pair": _EXACT,
    "run_dp_exactly": _EXACT,
}


def cited() -> set[str]:
    return {name for c in discover().values() for name in (*c.kernel, *c.kernel_against)}


def test_every_theorem_carries_a_claim_or_has_a_reason() -> None:
    there = {t.name for t in kernel.theorems()}
    assert there - cited() == set(UNCITED)


def test_claims_name_theorems_that_are_there() -> None:
    assert cited() <= {t.name for t in kernel.theorems()}


@pytest.mark.parametrize("name", [n for n, why in UNCITED.items() if why.startswith(_LINE)])
def test_what_contains_an_uncited_theorem_is_cited(name: str) -> None:
    assert UNCITED[name].rpartition(" ")[2] in cited()
