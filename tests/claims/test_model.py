"""What a claim, an evidence and a verdict are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sympy

from verify.claims import (
    Claim,
    Evidence,
    Level,
    MisstatedClaim,
    Rejected,
    Undecided,
    Verdict,
    all_of,
    certified_points,
    certified_region,
    claim,
    judge,
    rests_on,
    sampled,
    shown_by,
    symbolic,
)


def make(function: Callable[..., Iterator[Evidence]] | None = None, **changes: Any) -> Claim:
    """A claim that is right unless changed."""

    def check(sign: int = 1) -> Iterator[Evidence]:
        """Words."""
        if sign < 0:
            raise Rejected("x = 1")
        yield symbolic()

    fields: dict[str, Any] = {
        "lines": "319",
        "kind": "identity",
        "domain": "x",
        "statement": "x = x",
        "broken": {"sign": {"sign": -1}},
    }
    fields |= changes
    claim_id = fields.pop("claim_id", "section/place")
    return claim(claim_id, **fields)(function or check)


def test_a_confirmed_check_holds() -> None:
    assert make().check().verdict is Verdict.HOLDS


def test_a_broken_variant_is_the_same_check_with_other_parameters() -> None:
    outcome = make().check(sign=-1)
    assert (outcome.rejected, outcome.refuses, outcome.why) == (True, True, "x = 1")


def test_undecided_is_unknown_and_never_a_pass() -> None:
    def check(sign: int = 1) -> Iterator[Evidence]:
        """Words."""
        yield symbolic()
        raise Undecided("half the box is left")

    outcome = make(check).check()
    assert outcome.verdict is Verdict.UNKNOWN
    assert not outcome.confirms
    assert not outcome.rejected


def test_no_evidence_is_unknown() -> None:
    def check(sign: int = 1) -> Iterator[Evidence]:
        """Words."""
        yield sampled(0, 50)

    assert make(check).check().verdict is Verdict.UNKNOWN


def test_a_crash_is_neither_a_pass_nor_a_rejection() -> None:
    def check(sign: int = 1) -> Iterator[Evidence]:
        """Words."""
        yield symbolic()
        raise ZeroDivisionError("oops")

    outcome = make(check).check()
    assert (outcome.confirms, outcome.refuses, outcome.crashed) == (False, False, True)


def test_an_empty_reason_still_rejects() -> None:
    def check(sign: int = 1) -> Iterator[Evidence]:
        """Words."""
        yield symbolic()
        raise Rejected

    outcome = make(check).check()
    assert outcome.verdict is Verdict.UNKNOWN
    assert outcome.rejected


def test_an_empty_reason_still_leaves_it_undecided() -> None:
    def check(sign: int = 1) -> Iterator[Evidence]:
        """Words."""
        yield symbolic()
        raise Undecided

    finding = make(check).check()
    assert (finding.verdict, finding.confirms, finding.crashed) == (Verdict.UNKNOWN, False, False)


@pytest.mark.parametrize(
    "wrong", [symbolic(sympy.Integer(3)), symbolic(-1), symbolic(1.5), symbolic(detail=3), "true", None]
)  # fmt: skip
def test_what_cannot_be_written_down_is_no_evidence(wrong: Any) -> None:
    def check(sign: int = 1) -> Iterator[Evidence]:
        """Words."""
        yield symbolic()
        yield wrong

    finding = make(check).check()
    assert (finding.verdict, finding.crashed) == (Verdict.UNKNOWN, True)
    assert "is no evidence" in finding.why
    assert finding.evidence == (symbolic(),)


def test_refuting_needs_a_checked_correction() -> None:
    with pytest.raises(MisstatedClaim, match="no corrected statement"):
        judge("a/b", [symbolic().against()])


def test_a_counterexample_with_a_correction_refutes() -> None:
    assert judge("a/b", [symbolic().against(), sampled(3).repaired()]) is Verdict.REFUTED


def test_a_correction_alone_is_a_repair() -> None:
    assert judge("a/b", [sampled(3).repaired()]) is Verdict.REPAIRED


def test_levels_are_ordered_from_kernel_to_sampled() -> None:
    assert [level.rank for level in Level] == [0, 1, 2, 3, 4]
    assert Level.KERNEL.rank < Level.SYMBOLIC.rank < Level.REGION.rank < Level.SAMPLED.rank


def test_steps_are_as_strong_as_the_weakest() -> None:
    assert all_of(symbolic(), certified_region(), certified_points()).level is Level.POINTS


def test_a_conclusion_is_as_strong_as_the_weakest_premise() -> None:
    def weak(sign: int = 1) -> Iterator[Evidence]:
        """Words."""
        yield sampled(3)

    assert rests_on(make(), make(weak)).level is Level.SAMPLED


def test_a_failing_premise_stops_the_conclusion() -> None:
    def wrong(sign: int = 1) -> Iterator[Evidence]:
        """Words."""
        yield from ()
        raise Rejected("no")

    with pytest.raises(Undecided, match="is false: no"):
        rests_on(make(), make(wrong))


def conclusion(**given: Any) -> Claim:
    """A claim that rests on another one, by its own parameters or by these."""

    def premise(constant: int = 2) -> Iterator[Evidence]:
        """Words."""
        if constant < 1:
            raise Rejected("too small")
        yield certified_region(constant)

    def check(constant: int = 2, profile: Any = None) -> Iterator[Evidence]:
        """Words."""
        base = make(premise, broken={"0": {"constant": 0}})
        if "own" in given:
            yield rests_on(base.given())
        else:
            yield rests_on(base.given(constant=constant) if given else base)
        if constant == 7:
            raise Rejected("x = 7")

    return make(check, broken={"1": {"constant": 1}})


def test_a_variant_that_rests_on_premises_for_other_parameters_is_undecided() -> None:
    finding = conclusion().check(constant=3)
    assert (finding.verdict, finding.rejected) == (Verdict.UNKNOWN, False)
    assert "another constant than the one that section/place gives" in finding.why


def test_a_premise_is_checked_with_the_parameters_it_is_needed_for() -> None:
    assert conclusion(passed=True).check(constant=3).confirms
    finding = conclusion(passed=True).check(constant=0)
    assert (finding.refuses, finding.rejected) == (True, False)
    assert "with another constant is false: too small" in finding.why


def test_a_premise_may_be_declared_to_be_about_something_else() -> None:
    assert conclusion(own=True).check(constant=3).confirms


def test_a_counterexample_counts_whatever_the_premises_were() -> None:
    assert conclusion().check(constant=7).rejected


def test_a_claim_with_its_own_parameters_or_more_time_is_no_variant() -> None:
    assert conclusion().check(constant=2, profile="full").confirms


def test_a_conclusion_names_its_premises_once() -> None:
    one, other = make(claim_id="section/one"), make(claim_id="section/other")
    assert rests_on(one, other, one.given()).premises == ("section/one", "section/other")


def test_a_premise_with_other_parameters_is_the_same_claim() -> None:
    assert conclusion(passed=True).check(constant=3).evidence[0].premises == ("section/place",)


def test_steps_together_rest_on_the_premises_of_each() -> None:
    one, other = make(claim_id="section/one"), make(claim_id="section/other")
    both = all_of(rests_on(one), symbolic(), rests_on(other, one))
    assert both.premises == ("section/one", "section/other")


def test_evidence_taken_from_another_claim_rests_on_it() -> None:
    (taken,) = shown_by(make(claim_id="section/one"))
    assert (taken.level, taken.premises) == (Level.SYMBOLIC, ("section/one",))


def test_evidence_taken_from_another_claim_can_fail() -> None:
    with pytest.raises(Rejected, match="x = 1"):
        shown_by(make(), sign=-1)


def test_a_circle_of_premises_is_an_error() -> None:
    def first(sign: int = 1) -> Iterator[Evidence]:
        """Words."""
        yield rests_on(claims[1])

    def second(sign: int = 1) -> Iterator[Evidence]:
        """Words."""
        yield rests_on(claims[0].given(sign=sign + 1))

    claims = [make(first, claim_id="section/one"), make(second, claim_id="section/other")]
    finding = claims[0].check()
    assert finding.crashed
    assert finding.why == "a circle: section/one needs section/other needs section/one"


def test_a_premise_with_an_unknown_parameter_is_refused() -> None:
    with pytest.raises(MisstatedClaim, match="no parameter 'factor'"):
        conclusion().given(factor=2)


def test_a_premise_without_evidence_supports_nothing() -> None:
    def empty(sign: int = 1) -> Iterator[Evidence]:
        """Words."""
        yield from ()

    with pytest.raises(Undecided):
        rests_on(make(empty))


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"claim_id": "Nowhere"}, "an id looks like"),
        ({"lines": "somewhere"}, "give numbers"),
        ({"statement": ""}, "statement and domain are needed"),
        ({"verdict": "refuted", "severity": "slip"}, "repair and severity"),
        ({"verdict": "refuted", "repair": "y"}, "repair and severity"),
        ({"severity": "gap"}, "repair and severity"),
        ({"verdict": "unknown"}, "needs a reason"),
        ({"unknown": "why"}, "needs a reason"),
        ({"broken": {}}, "broken variants"),
        ({"unbreakable": "why"}, "broken variants"),
        ({"broken": {"typo": {"sgn": -1}}}, "no parameter 'sgn'"),
        ({"broken": {"same": {}}}, "changes nothing"),
    ],
)
def test_a_misstated_claim_is_refused(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(MisstatedClaim, match=complaint):
        make(**changes)


def test_a_claim_needs_words() -> None:
    def check(sign: int = 1) -> Iterator[Evidence]:
        yield symbolic()

    with pytest.raises(MisstatedClaim, match="docstring"):
        make(check)


def test_an_invented_kind_is_refused() -> None:
    with pytest.raises(MisstatedClaim, match="'poem' is none of definition, identity"):
        make(kind="poem")


def test_a_check_that_forgot_to_yield_is_told_so() -> None:
    def check(sign: int = 1) -> Any:
        """Returns nothing."""

    finding = make(check).check()
    assert finding.crashed
    assert "write yield" in finding.why


def test_a_counterexample_to_the_wording_does_not_refute() -> None:
    exact = Evidence(Level.SYMBOLIC)
    assert judge("a/b", [exact.against_the_wording(), exact.repaired()]) is Verdict.REPAIRED


def test_a_counterexample_to_the_wording_needs_the_repair() -> None:
    with pytest.raises(MisstatedClaim, match="no corrected statement"):
        judge("a/b", [Evidence(Level.SYMBOLIC).against_the_wording()])
