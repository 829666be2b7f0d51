"""The errors of the paper, one by one, as its authors could sign them.

What the paper prints is told in our words; the counterexample of each is found by the checks of the
claims that name it, and printed from there.
"""

from __future__ import annotations

from verify.claims import Erratum

_FIRST = (
    "2026-11-16"  # the first list; a number is never given again, a later error gets the next one
)

INVOLUTION = Erratum(
    number=1,
    date=_FIRST,
    title="Theorem 5 asks too little of its involution",
    says="P(x) = Q(nu(x)) for a differentiable map nu with nu(nu(x)) = x is said to be enough; the proof takes "
    "it that such a map is continuously differentiable with Jacobian determinant +1 or -1.",
    charitable="For reflections nu(x) = c - x, the only maps that the paper applies it to, the determinant is "
    "+1 or -1, and statement and proof are right.",
    repair="Ask that nu, with nu(nu(x)) = x as before, carry Q to P: P(x) = Q(nu(x)) |det J(x)|. Then the theorem holds "
    "for every order from 1 on, by the paper's own proof, which needs no continuous derivative.",
    user="Nothing for Gaussian noise: Corollary 7 uses nu(x) = 1 - x. Anyone who applies Theorem 5 to other laws must "
    "check the factor |det J|.",
)
ABADI_ROW = Erratum(
    number=2,
    date=_FIRST,
    title="Table 1, first row: the noise has to be at least 1",
    says="The bound of Abadi et al. is listed with a condition on q and one on alpha, for every noise.",
    charitable="The row is a summary: the lemma it refers to is stated for sigma >= 1 and whole orders, and a "
    "reader who looks it up finds both.",
    repair="Add sigma >= 1. Then the remainder is at most q^3 alpha^3/sigma^3, for all real orders and all "
    "sigma of the row at once, and the leading term alone is enough as q -> 0. At a fixed order and as q -> 0 the row is true "
    "exactly from sigma = 0.89214 on, where e^{1/sigma^2} - 1 = 2/sigma^2.",
    user="With less noise than sigma = 0.89214 the row must not be used: at sigma = 1/2 and order 2 it promises an "
    "epsilon 6.7 times too small. Nothing changes at sigma >= 1.",
)
ZCDP = Erratum(
    number=3,
    date=_FIRST,
    title="Section 4: the mechanism does satisfy zCDP, but sampling does not improve it",
    says='The sampled Gaussian mechanism is given as one that "does not satisfy zCDP".',
    charitable="No zCDP guarantee becomes better by sampling, which is the point that the paragraph makes.",
    repair="It is rho-zCDP exactly for rho >= 1/(2 sigma^2), whatever the sampling rate: the constant of the "
    "Gaussian mechanism without sampling.",
    user="zCDP may be used, at the price of the mechanism without sampling. To gain from sampling use RDP, as the "
    "paper says.",
)
DEFINITIONS = Erratum(
    number=4,
    date=_FIRST,
    title="Definition 12: CDP and tCDP are not the published definitions",
    says='The conditions are introduced as "equivalent definitions". For CDP the moment of the loss is bounded '
    "without subtracting its mean, for alpha >= 1, with a beta that is not defined; for tCDP alpha runs over "
    "(0, omega).",
    charitable="The list compares four notions by one quantity, and for zCDP and RDP it is right. What is meant "
    "for the other two is in the papers that are cited.",
    repair="CDP: E exp(l (c - E c)) <= exp(l^2 tau^2/2) for all real l. tCDP: alpha in (0, omega - 1), because a "
    "moment of order alpha belongs to a divergence of order alpha + 1.",
    user="Nothing: no result of the paper uses these two. Take CDP and tCDP from their own papers.",
)
REVERSED = Erratum(
    number=5,
    date=_FIRST,
    title="Theorem 4: inequality reversed in print, proof correct",
    says='(alpha, epsilon)-RDP is promised when "epsilon <=" both divergences; Section 3 repeats it with the larger '
    "of A and B.",
    charitable="The proof bounds the divergences of the mechanism from above by these two, so any epsilon that is "
    "at least as large as both will do; every later use reads it so.",
    repair="epsilon >= both divergences. For a given f that is enough; and it is necessary if it is to hold for "
    "all f of sensitivity 1, since counting one person attains both.",
    user="Nothing: the main theorem and the libraries use the right direction.",
)
EXCHANGED = Erratum(
    number=6,
    date=_FIRST,
    title="Equation (14): the two datasets are exchanged in print",
    says="The moment of the loss of M(S) against M(S') is written with the divergence of M(S') from M(S).",
    charitable="The lines just before it have the right order, and the definitions after it run over both orders "
    "of each pair.",
    repair="M_alpha(M, S, S') = exp(alpha D_{alpha+1}(M(S) || M(S'))).",
    user="Nothing, as long as both orders of a pair are looked at.",
)
STABILITY = Erratum(
    number=7,
    date=_FIRST,
    title="Section 3.3: stable for A, not for epsilon, and without a rule when to stop",
    says='The sums for A are called a "numerically stable" way to the privacy cost, to be carried out until they '
    "converge; sum and integral are exchanged, and no reason is given.",
    charitable="A itself is computed to full accuracy, and at the usual sampling rates so is its logarithm.",
    repair="For small q sum A - 1, whose terms at whole orders are all positive, and take ln(1 + x). For "
    "fractional orders the terms fall only like k^(-alpha-2): stop by a proved error bound. The exchange is allowed: "
    "for alpha > 0 the binomial coefficients are absolutely summable.",
    user="This one matters: a library that follows the text loses all digits of epsilon near q = 1e-8, where the "
    "result can even be negative.",
)
OTHER_NOISE = Erratum(
    number=9,
    date=_FIRST,
    title="Remark on other noise: true, but not by Theorem 5 as it is stated",
    says="Theorem 5 is said to cover any centrally symmetric additive noise, Laplace, sinh-normal, discretised and "
    "multi-dimensional noise among them.",
    charitable="For noise with a symmetric law, added to a value, the reflection x -> c - x carries the noise to "
    "its shift by c, and the proof goes through.",
    repair="State the theorem for laws instead of differentiable densities: Laplace noise has no derivative at its "
    "centre, noise on a lattice no density. For a shift off the lattice the left side is infinite.",
    user="Nothing for symmetric noise. What is not covered, and is not claimed, is rounding the output after the "
    "noise was added: there the inequality can fail.",
)
ORDER_ONE = Erratum(
    number=8,
    date=_FIRST,
    title="Order 1 is included where the argument says nothing about it",
    says="Theorem 5 and the second row of this work in Table 1 include alpha = 1.",
    charitable="Order 1 is the limit, as Definition 1 says. Wherever the divergences at some order above 1 are finite, "
    "Theorem 5 at order 1 follows from the orders above it.",
    repair="Treat alpha = 1 by the relative entropy: there A = B = 1, both sides of Lemma 6 agree, and ln A/(alpha "
    "- 1) is 0/0. Theorem 5 is true at order 1, by the derivative of Lemma 6 in alpha.",
    user="Nothing at orders above 1. A library asked for order 1 has to integrate the relative entropy.",
)
LENGTH = Erratum(
    number=13,
    date=_FIRST,
    title="Proof of Theorem 4: a length is allowed to be negative",
    says="The supremum and the added noise are for all c <= 1; the rotation is allowed because the covariances are "
    '"symmetric".',
    charitable="c is the distance of two values of f, so 0 <= c <= 1; c = 0 is trivial. Symmetric means spherical, as "
    "sigma^2 I is.",
    repair="0 < c <= 1 throughout; spherical covariances.",
    user="Nothing.",
)
ENDS = Erratum(
    number=12,
    date=_FIRST,
    title="Ends of ranges: equality and the degenerate cases",
    says="ln(1+x) < x for x >= 0; q < 1/5 in Table 1 and in case I, q <= 1/5 in Theorem 11; L and r0 with q = 0 or "
    "alpha = 1 admitted; u = v in Lemma 6, where a quotient is 0/0; sqrt(1+x) for every x <= 3; z1 with q = 1.",
    charitable="In each case the end in question is trivial, or the weak inequality is all that is used. The mechanism has "
    "q > 0 by Definition 3, so Lemma 10 and Theorem 11 hold as printed.",
    repair="ln(1+x) <= x; 0 < q <= 1/5 and alpha > 1 throughout; the products instead of the quotient; x >= -1; 0 < q < 1 for z1.",
    user="Nothing: the main theorem holds for every rate of Definition 3 up to 1/5, q = 1/5 included.",
)
PARAMETERS = Erratum(
    number=16,
    date=_FIRST,
    title="Section 4: the number of parameters does not grow",
    says="Going down the list of definitions there are said to be more parameters.",
    charitable="RDP is used as a whole curve, one epsilon for each alpha, and in that sense has most parameters.",
    repair="Each definition has two parameters (zCDP one in its short form); each implies the next.",
    user="Nothing.",
)
MOMENTS = Erratum(
    number=14,
    date=_FIRST,
    title="Proof of Theorem 5: moments written as divergences",
    says="The divergence is set equal to the integral whose logarithm it is.",
    charitable="For alpha > 1 the divergence increases with the integral, so comparing integrals is comparing "
    "divergences.",
    repair="Write exp((alpha-1) D_alpha) for D_alpha in four displays.",
    user="Nothing.",
)
ROLES = Erratum(
    number=15,
    date=_FIRST,
    title="Proof of Lemma 6: q and 1 - q exchanged",
    says="The two sides are written out with 1 - q where P_q has q, and the other way round.",
    charitable="The lemma is for every q in [0, 1], so that the exchange changes nothing in the end.",
    repair="Read q for 1 - q throughout the proof: Q (P_q/Q)^alpha = v (q + (1-q) u/v)^alpha.",
    user="Nothing.",
)
ORDERS = Erratum(
    number=11,
    date=_FIRST,
    title="Definitions 1 and 2: which orders are meant is not said",
    says="The divergence is defined for every finite alpha other than 1, and RDP for an alpha without a range; what the densities refer "
    "to, and what holds where one vanishes, is left open.",
    charitable="Orders above 1 and densities with respect to one measure are meant, as in the papers that are cited.",
    repair="alpha > 0 in Definition 1 (a negative order gives negative values), alpha > 1 in Definition 2; densities with respect to a "
    "common measure.",
    user="Nothing.",
)
PANEL = Erratum(
    number=10,
    date=_FIRST,
    title="Figure 1, right: the caption does not state the parameters",
    says="The caption says that the right panel shows the exact curve and the bound, and gives no q and sigma for it.",
    charitable="The picture is not in the source that was read, and may state them. What the panel is to show, a curve below a line, holds at every q and sigma of Theorem 11.",
    repair="State them. With q = 0.01 and sigma = 4 the exact curve does not fall and is below the line up to alpha = 147.7013.",
    user="Nothing.",
)
