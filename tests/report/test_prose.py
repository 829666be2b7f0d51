"""Formulas inside sentences are found, and nothing else is taken for one."""

from __future__ import annotations

import html
import re

import pytest

from verify.report.pages.prose import prose


def told(text: str) -> str:
    """What a reader sees, formulas between guillemets."""
    marked = prose(text).replace("</math><wbr><math>", "")
    marked = marked.replace("<math>", "«").replace("</math>", "»")
    return html.unescape(re.sub(r"<[^>]*>", "", marked))


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("for sigma >= 1 and whole orders", "for «σ≥1» and whole orders"),
        ("P(x) = Q(nu(x)) |det J(x)|. Then", "«P(x)=Q(ν(x))|detJ(x)|». Then"),
        ("a map nu with nu(nu(x)) = x", "a map «ν» with «ν(ν(x))=x»"),
        ("(alpha, epsilon)-RDP", "«(α,ε)»-RDP"),
        ("rho-zCDP", "«ρ»-zCDP"),
        ("near q = 1e-8, where", "near «q=10−8», where"),
        ("(mu0/mu)^alpha at z1", "«(μ0/μ)α» at z1"),
        ("E exp(l (c - E c)) <= exp(l^2 tau^2/2) for", "«Eexp(l(c−Ec))≤exp(l2τ2/2)» for"),
        ("Epsilon = 0 satisfies it", "«ε=0» satisfies it"),
        ("D(P || Q)", "«D(P‖Q)»"),
        ("x -> c - x carries", "«x→c−x» carries"),
        ("both (4) alpha <= 2 L - ln 5 and", "both (4) «α≤2L−ln5» and"),
        ("A_2 = 1 + q^2 lies", "«A2=1+q2» lies"),
    ],
)
def test_a_formula_is_set(text: str, seen: str) -> None:
    assert told(text) == seen


@pytest.mark.parametrize(
    "text",
    [
        "a case of (14)", "1,129 points in 3.5 s", "Section 3.3: A, B and I", "it's a test", "f(x", "))) (", "",
        "well-known x-ray", "q(", "A", "10 of 13",
    ],
)  # fmt: skip
def test_what_is_no_formula_stays_as_it_was(text: str) -> None:
    assert told(text) == text
    assert "<math>" not in prose(text)


def test_a_number_is_no_factor_of_what_stands_before_it() -> None:
    assert told("an epsilon 6.7 times too small") == "an «ε» 6.7 times too small"


def test_a_sign_alone_is_a_sign() -> None:
    assert told('"epsilon <=" both') == '"«ε» ≤" both'


@pytest.mark.parametrize(
    "text", ["<script>x = 1</script>", "q = <b>1</b>", "a\x00 = \x1b[31m", "alpha & <i", '" = "']
)
def test_text_from_outside_is_text(text: str) -> None:
    made = prose(text)
    assert not re.search(r"<(?!/?(?:math|m[a-z]+|wbr|span)\b)", made)
    assert "\x1b" not in made


def test_a_power_and_an_index_are_groups() -> None:
    assert "<msup>" in prose("k^(-alpha-2)")
    assert "<msub>" in prose("D_{alpha+1}")
    assert "(" not in prose("k^(-alpha-2)")
