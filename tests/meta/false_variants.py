"""Why must-fail variants are false that no check refutes and no formula at places decides."""

FALSE_BECAUSE: dict[tuple[str, str], str] = {
    ("table-1/caption", "L with alpha"): "q = 1/2, alpha = 2: ln 3 and ln 2",
    ("reduction/theorem-4/rotation", "a covariance that is only symmetric"): (
        "diag(1, 4) turned by 45 degrees is another matrix"
    ),
    ("reduction/theorem-4/added-noise", "variances subtracted"): "independent variances add",
    ("a-geq-b/theorem-5/statement", "corrected theorem without the Jacobian"): (
        "that is the printed theorem, with its counterexample"
    ),
    ("a-geq-b/theorem-5/jacobian", "no involution"): "2x is none",
    ("a-geq-b/lemma-6/without-loss", "only one term of each side"): "P = 3, Q = 2, q = 1/3",
    ("a-geq-b/remark/other-noise", "noise off centre by a millionth"): (
        "noise about a millionth is not its mirror image"
    ),
    ("beyond/graph-expansion/nonnegative", "reflected with the weight r^2"): (
        "k = 3, r = 3: 16/3 with the weight r^2, and (r-1)^3 (1 - r^-2) is 64/9"
    ),
    ("a-geq-b/remark/other-noise", "an asymmetric noise"): "noise about 1 is not its mirror image",
    ("closed-form/z0/positions", "r0 > 2"): "q = 1, alpha = 3: r0 = 3/2",
    ("closed-form/z0/ratios-confined", "a longer interval"): "z = z0 + 1: r0 e^{1/sigma^2}",
    ("closed-form/lemma-9/inner-ratio", "a longer interval"): "z = z0 + 1: r0 e^{1/sigma^2}",
    ("closed-form/lemma-8/w-in-range", "r up to 2 r0"): "r = 2 r0: above 1/(alpha-1)",
    ("closed-form/lemma-9/three-pieces", "cut at -z0"): "[-z0, 1-z0] is counted once more",
    ("closed-form/lemma-9/three-pieces", "overlapping pieces"): "the middle of one half is missing",
    ("closed-form/lemma-9/outer-bases", "z from 1 - z0 on"): "at 1 - z0 the ratio is r0 > 1",
    ("closed-form/lemma-9/outer-bases", "z near z0"): "at z0 the base is alpha/(alpha-1) > 1",
    ("closed-form/lemma-9/integrand", "a third of the constant"): (
        "(A - 1)/q^2 tends to half of the constant as q -> 0"
    ),
    ("closed-form/lemma-9/dependency", "factor 4"): "the limit is 2 with e^{1/sigma^2} only",
    ("closed-form/lemma-10/integrand", "power -alpha"): "q alpha r > 1 right of the cut",
    ("discussion/definitions/going-down", "another rho"): "a = 1: 1/2 and 1 of tau^2",
    ("discussion/sgm-and-zcdp", "amplification by sampling"): "D/alpha tends to 1/(2 sigma^2)",
    ("beyond/conditions/first-interval", "slope without the factor q(alpha-1)+1"): (
        "q = 1, alpha = 2: the derivative has the factor 2"
    ),
    ("beyond/conditions/second-interval", "h' with +q(alpha-1)/(q(alpha-1)+1)"): (
        "the derivative has the other sign there"
    ),
    ("beyond/conversion/pointwise", "constant smaller by a millionth"): "v = alpha/(alpha-1)",
    ("beyond/conversion/pointwise", "touching at alpha"): "alpha = 3, v = 3: 2 and 4",
    ("beyond/excess/log-convex", "concave"): "two atoms apart: strictly convex",
    ("beyond/zcdp/exact-constant", "rho smaller by 1 %"): "D/alpha tends to 1/(2 sigma^2)",
    ("beyond/zcdp/exact-constant", "sampling amplifies: q/(2 sigma^2)"): (
        "D/alpha tends to 1/(2 sigma^2), whatever q is"
    ),
    ("abstract/quadratic", "linear"): "epsilon/q vanishes",
    ("abstract/quadratic", "cubic"): "epsilon/q^3 is unbounded",
    (
        "abstract/quadratic",
        "half the constant",
    ): "the limit is the coefficient of q^2 of A at order 2, and is not 0",
    (
        "abstract/numerically-stable",
        "logarithm of the summed A",
    ): "at q = 1e-8 the logarithm has no right digit",
    (
        "numerical/fractional/accountant",
        "a digit more at these rates",
    ): "q = 1/1000, sigma = 4, alpha = 3/2: eight digits",
    (
        "numerical/fractional/accountant",
        "right to one digit at q = 1e-8 in double precision",
    ): "A - 1 is below 2^-53",
    (
        "introduction/relaxed",
        "a whole order and a small rate",
    ): "q = 1/100 < 1/64 and order 2 are in the earlier conditions",
    (
        "introduction/relaxed",
        "an order the theorem excludes",
    ): "at q = 1/100, sigma = 4 its orders end at 14.34",
    (
        "introduction/rdp",
        "a negative order allowed",
    ): "Bernoulli(1/2), Bernoulli(1/4), order -1: the divergence is negative",
    (
        "introduction/adjacency",
        "replacing one person",
    ): "{1} and {2} are at distance 2 and not adjacent",
    ("table-1/abadi/asymptotic", "counterexample at sigma = 1"): "e - 1 < 2: there the row is true",
    (
        "table-1/this-work/numerical",
        "the series of a nearby order",
    ): "A rises strictly with the order",
    ("table-1/this-work/numerical", "order 1 from the same formula"): "ln A_1/(1 - 1) is 0/0",
    ("table-1/caption", "replacing counted as one change"): "replacing -1 by 1 moves a sum by 2",
    (
        "reduction/theorem-4/statement",
        "no sampling, no noise difference",
    ): "without a shift the divergence is 0: no counterexample",
    ("reduction/theorem-4/statement", "sensitivity 2"): "q = 1, f doubled: D = 2 alpha/sigma^2",
    (
        "reduction/theorem-4/supremum",
        "negative shifts as well",
    ): "c = -3 has a larger divergence than c = 1",
    (
        "reduction/theorem-4/added-noise",
        "an admissible shift as counterexample",
    ): "c = 1/2: the variance is 3 sigma^2, not negative",
    (
        "reduction/theorem-4/without-the-person",
        "sensitivity 2",
    ): "q = 1, f doubled: D = 2 alpha/sigma^2",
    (
        "reduction/theorem-4/without-the-person",
        "sensitivity 11/10",
    ): "q = 1, f times 11/10: D is 1.21 times as large",
    (
        "reduction/theorem-4/with-the-person",
        "sensitivity 2",
    ): "q = 1, f doubled: D = 2 alpha/sigma^2",
    (
        "reduction/theorem-4/with-the-person",
        "sensitivity 11/10",
    ): "q = 1, f times 11/10: D is 1.21 times as large",
    (
        "one-dimensional/equivalence",
        "a function that ignores the person",
    ): "both laws are N(0, sigma^2): nothing is attained",
    (
        "one-dimensional/rdp",
        "no noise difference",
    ): "without a shift the divergence is 0: no counterexample",
    (
        "a-geq-b/theorem-5/statement",
        "image measure as counterexample",
    ): "the image of Q under nu satisfies the corrected theorem",
    (
        "a-geq-b/theorem-5/statement",
        "corrected theorem below order 1/2",
    ): "Gaussian noise, q = 1/3, sigma = 1, order 1/4",
    (
        "a-geq-b/theorem-5/continuously-differentiable",
        "a cubic wiggle is C^1",
    ): "x^3 sin(1/x) has a continuous derivative",
    (
        "a-geq-b/theorem-5/continuously-differentiable",
        "a wiggle too large",
    ): "the slope changes its sign: no involution",
    ("a-geq-b/theorem-5/exchange", "a map that is no involution"): "x + 1 twice is x + 2",
    ("a-geq-b/theorem-5/jacobian", "a reflection as counterexample"): "the slope of 1 - x is -1",
    (
        "a-geq-b/theorem-5/forms-of-a",
        "an involution that stretches",
    ): "1/x has the slope -1/x^2: the printed forms differ by it",
    (
        "a-geq-b/theorem-5/forms-of-b",
        "an involution that stretches",
    ): "1/x has the slope -1/x^2: the printed forms differ by it",
    (
        "a-geq-b/theorem-5/domination",
        "logarithmic form reversed",
    ): "the difference is -2 sinh^2(s/2) at s > 0",
    (
        "a-geq-b/theorem-5/domination",
        "order 1 by the lemma",
    ): "at order 1 both integrands agree: nothing follows",
    (
        "a-geq-b/lemma-6/statement",
        "order below one",
    ): "order 3/4: the two sides are the other way round",
    ("a-geq-b/lemma-6/statement", "sampling rate above one"): "q > 1: y z < 1",
    ("a-geq-b/lemma-6/order-of-variables", "u below v"): "u < v: y < 1",
    ("a-geq-b/lemma-6/order-of-variables", "z >= 1"): "u > v: z < 1 < y",
    ("a-geq-b/lemma-6/increasing", "order below one"): "order 3/4: the quotient falls",
    ("a-geq-b/lemma-6/powers", "y below one"): "y = e^-s: sinh is odd",
    ("a-geq-b/lemma-6/sinh", "y below one"): "y = e^-s: sinh is odd",
    ("closed-form/z0/ratio-decreases", "increasing"): "mu0/mu1 = e^{(1-2z)/(2 sigma^2)} falls",
    (
        "closed-form/z0/ratio-decreases",
        "the inverse ratio",
    ): "mu1/mu0 = e^{(2z-1)/(2 sigma^2)} rises",
    ("closed-form/lemma-8/w-in-range", "q up to 2"): "q = 2, r near 0: q(r-1) < -1",
    (
        "closed-form/lemma-8/terms-nonnegative",
        "q up to 2",
    ): "q = 2, y/x near 0: the base is negative",
    ("closed-form/lemma-8/terms-nonnegative", "alpha below 1"): "alpha (alpha-1) < 0",
    ("closed-form/lemma-9/integrand", "twice the density outside"): "x = y: no room for another x",
    (
        "closed-form/lemma-10/gaussian-tail",
        "t negative",
    ): "t = -3 sqrt(2) sigma: the tail is almost 1",
    ("closed-form/lemma-10/gaussian-tail", "a quarter of it"): "t = 0: 1/2 and 1/4",
    (
        "closed-form/lemma-10/tail-applies",
        "the tail bound at -1/100",
    ): "there the tail bound holds: 0.504 < 0.99995",
    (
        "closed-form/lemma-10/case-1/second-summand",
        "0.6",
    ): "L near ln 6, sigma = 4: 1.403 and 1.511",
    ("closed-form/lemma-10/case-2a/first-term", "q alpha < 1/2"): "alpha = 2, q = 0.3: 0.6",
    ("main-theorem/logarithm", "no counterexample at 1"): "ln 2 < 1",
    (
        "numerical/overview/swap",
        "order -1/2, where the coefficients do not decay",
    ): "the partial sums behave like the square root of N",
    ("numerical/overview/swap", "all signs positive"): "Pascal's rule has the other sign",
    ("numerical/fractional/left-series", "beyond z1"): "u = 3/2: the terms grow",
    ("numerical/fractional/right-series", "left of z1"): "u = 2/3: the terms grow",
    (
        "numerical/fractional/to-convergence",
        "error a hundredth of the first omitted term",
    ): "q = 1/2, sigma = 1, alpha = 11/10, N = 7",
    (
        "numerical/fractional/to-convergence",
        "stopping already at N = 2 < alpha",
    ): "q = 1/10, sigma = 2, alpha = 5/2: the terms do not alternate yet",
    (
        "figure-1/left",
        "exact order for a quarter of the bound",
    ): "as q -> 0 epsilon is above a quarter of the bound at every order",
    (
        "figure-1/left",
        "exact order below the conditions",
    ): "q = 1e-6, sigma = 4: 441.8 is above 73.5",
    (
        "discussion/moment-and-divergence",
        "equal laws as counterexample",
    ): "equal laws: both sides are 1",
    (
        "discussion/definitions/equivalent",
        "CDP taken as equivalent",
    ): "tau^2 = 2: M_1 = e meets the printed bound, no counterexample",
    (
        "discussion/definitions/equivalent",
        "tCDP taken as equivalent",
    ): "the moment of order 1/4 is finite, no counterexample",
    (
        "discussion/definitions/cdp",
        "a tau that the printed form allows",
    ): "tau^2 = 2: M_1 = e meets the printed bound",
    (
        "discussion/definitions/tcdp",
        "an order inside the corrected range",
    ): "the moment of order 1/4 is finite",
    (
        "discussion/definitions/tcdp",
        "a smaller rho",
    ): "Exp(1) against Exp(2) at order 3/2: 3/16 < ln(2)/2",
    ("discussion/definitions/rdp", "order 1 included"): "order 1 says 1 <= 1",
    (
        "discussion/definitions/going-down",
        "a list with growing counts",
    ): "each of the four has two parameters",
    ("discussion/accountant", "half of the delta"): "Markov's inequality is sharp for two outcomes",
    (
        "beyond/bound/four-is-needed",
        "a factor larger by a millionth",
    ): "the quotient is below 4 everywhere",
    (
        "beyond/closed-form/runs",
        "without rho",
    ): "q = 1/10, sigma = 4, T = 100000, delta = 1e-5: epsilon = 65.54, and the root alone is 54.5",
    (
        "beyond/closed-form/wall-any-constant",
        "a reach of 1 as wall",
    ): "the bound to remember has the reach 1",
    (
        "beyond/closed-form/wall-any-constant",
        "a reach of 3/2 as wall",
    ): "the bound in the place of Theorem 11 has the reach 3/2",
    (
        "beyond/closed-form/wall-every-sigma",
        "a reach of 1/2 as wall",
    ): "0.7 with the reach 1/2 is a theorem",
    (
        "beyond/conditions/corner",
        "by the first condition",
    ): "the second is the smaller one at the corner",
    ("beyond/samplings/real-roots", "weights e^{+j^2/(2 sigma^2)}"): (
        "k = 2: the discriminant is 4 q^2 (1-q)^2 (e^{2c} - e^{4c}) < 0 with c = 1/(2 sigma^2)"
    ),
    ("beyond/samplings/half-lines", "both on one side"): (
        "U = 1, V = -1, a = 1: the two laws differ, and N(1) does not differ from itself"
    ),
    ("beyond/series/binomials-are-moments", "exponent alpha-1 of 1-u"): (
        "alpha = 1/2, n = 1, j = 0: |C(1/2, 1)| = 1/2, and Beta(1/2, 1/2)/pi = 1"
    ),
    ("beyond/series/binomials-are-moments", "without the 1/pi"): (
        "alpha = 1/2, n = 1, j = 0: |C(1/2, 1)| = 1/2, and Beta(1/2, 3/2) = pi/2"
    ),
    ("beyond/conditions/first-interval", "increasing"): "the slope is negative",
    ("beyond/conditions/orders-to-4", "orders to 5"): "q = 1/5, sigma = 4: the orders end at 4.04",
    (
        "beyond/conditions/orders-to-4",
        "q up to 1/4",
    ): "q = 1/4, sigma = 4, alpha = 4: the second condition fails",
    (
        "beyond/conditions/orders-to-4",
        "sigma from 3",
    ): "q = 1/5, sigma = 3, alpha = 4: the first condition fails",
    ("beyond/graph-expansion/monotone", "divided by q^3"): "n = 2: q^2 t/q^3 falls with q",
    (
        "beyond/graph-expansion/monotone",
        "multiplied by sigma^4",
    ): "n = 2: t sigma^4 rises with sigma",
    (
        "beyond/maximal-order/forty-digits",
        "the orders exchanged",
    ): "147.7 belongs to q = 0.01, 347.4 to q = 0.2",
    (
        "beyond/maximal-order/forty-digits",
        "bound a quarter as large",
    ): "epsilon is above a quarter of the bound next to order 1",
    (
        "beyond/maximal-order/one-crossing",
        "bracket moved up by a millionth",
    ): "147.7015 is past the crossing 147.70138...",
    (
        "beyond/maximal-order/one-crossing",
        "bracket moved down by a millionth",
    ): "147.7012 is before the crossing 147.70138...",
    (
        "beyond/minimal-hypothesis/necessary",
        "two equal exponents",
    ): "equal exponentials are dependent",
    (
        "beyond/minimal-hypothesis/rounded-output",
        "apart by a millionth more",
    ): "the moments are 1.6071256 and 1.7273380",
    (
        "beyond/minimal-hypothesis/rounded-output",
        "without a shift",
    ): "without a shift both moments are 1",
    (
        "beyond/minimal-hypothesis/rounded-output",
        "the other way round",
    ): "the moments are 1.6071256 and 1.7273380",
    (
        "beyond/minimal-hypothesis/sufficient",
        "a pair whose laws differ",
    ): "the laws of the two ratios differ: no example",
    (
        "beyond/minimal-hypothesis/sufficient",
        "weight 1 instead of r",
    ): "the reflected law has the weight r",
    ("beyond/order-one/limit", "the two limits exchanged"): "the two relative entropies differ",
    ("beyond/series/acceleration", "d_n = (3+sqrt8)^n"): "n = 1: d_1 = 3",
    ("beyond/series/acceleration", "polynomial T_n(1-x)"): "n = 1: T_1(1-x) at -1 is 2, not 3",
    ("beyond/series/algebraic-decay", "k^{alpha+1}"): "the terms fall like k^(-alpha-2)",
    ("beyond/series/algebraic-decay", "k^{alpha+3}"): "the terms fall like k^(-alpha-2)",
    ("beyond/series/algebraic-decay", "without the 2"): "both half-lines have the same limit",
    ("beyond/series/factors-are-moments", "right of z1"): "right of z1 u is above 1",
    (
        "beyond/series/proved-error",
        "plain summation with that error",
    ): "q = 1/2, sigma = 1, alpha = 11/10, n = 5",
    (
        "beyond/series/proved-error",
        "error smaller by 10^8",
    ): "q = 1/2, sigma = 1, alpha = 11/10, n = 5",
    ("beyond/unconditional/first-failure", "one order later"): "R_31 = 2.178 > 2",
    ("beyond/unconditional/first-failure", "one order earlier"): "R_30 = 1.942 < 2",
}


CASE_2A = r"0 < q \le 1/5,\ (4),\ (5),\ \alpha \ge 2,\ q(\alpha-1) < 1/3"
REGION = r"0 < q \le 1/5,\ \sigma \ge 4"
FALSE_ON: dict[tuple[str, str], str] = {
    ("main-theorem/exponential", "sigma from 2"): r"\sigma \ge 2",
    (
        "closed-form/lemma-8/power-bound",
        "w up to 2/(alpha-1)",
    ): r"\alpha > 1,\ -1 < w \le 2/(\alpha-1)",
    ("closed-form/lemma-10/case-2b/root", "x up to 4"): r"-1 \le x \le 4",
    ("closed-form/lemma-10/case-2b/last-step", "q(alpha-1) >= 1/4"): (
        REGION + r",\ \alpha \ge 2,\ q(\alpha-1) \ge 1/4"
    ),
    ("closed-form/lemma-10/case-2a/half", "alpha from 3/2"): r"\alpha \ge 3/2",
    (
        "closed-form/lemma-10/case-2a/first-term",
        "q(alpha-1) < 1",
    ): r"\alpha \ge 2,\ q(\alpha-1) < 1",
    ("closed-form/lemma-10/case-2a/conclusion", "sigma from 11/10"): CASE_2A
    + r",\ \sigma \ge 11/10",
    ("closed-form/lemma-10/case-1/second-summand", "sigma from 2"): r"L > \ln 6,\ \sigma \ge 2",
    ("closed-form/lemma-10/case-1/second-summand", "L from ln 4"): r"L > \ln 4,\ \sigma \ge 4",
    ("closed-form/lemma-10/case-1/l-bound", "alpha above 2"): r"0 < q \le 1/5,\ \alpha > 2",
    ("closed-form/lemma-10/case-1/first-summand", "q up to 1"): r"0 < q \le 1,\ 1 < \alpha < 2",
    ("closed-form/lemma-10/z0-above-2-alpha", "sigma below 1"): r"0 < \sigma \le 1/8,\ (4)",
    ("closed-form/lemma-10/statement", "without the conditions"): REGION + r",\ \alpha > 1",
    (
        "beyond/excess/below-two",
        "orders up to 2.1",
    ): r"0 < q \le 1,\ \sigma > 0,\ 1 < \alpha \le 21/10",
    ("beyond/closed-form/remember", "twice the reach"): (
        r"0 < q \le 1,\ \sigma \ge 1/2,\ 1 < \alpha \le 1 + 2 \sigma^2 \ln(1/q)"
    ),
    ("beyond/closed-form/remember", "sigma from 1/4"): (
        r"0 < q \le 1,\ \sigma \ge 1/4,\ 1 < \alpha \le 1 + \sigma^2 \ln(1/q)"
    ),
    ("beyond/closed-form/in-place-of-theorem-11", "reach 2"): (
        r"0 < q \le 1,\ \sigma \ge 1,\ 1 < \alpha \le 1 + 2 \sigma^2 \ln(1/q)"
    ),
    ("beyond/closed-form/in-place-of-theorem-11", "sigma from 9/10"): (
        r"0 < q \le 1,\ \sigma \ge 9/10,\ 1 < \alpha \le 1 + 3/2 \sigma^2 \ln(1/q)"
    ),
    ("beyond/closed-form/six-fifths", "reach 3/2"): (
        r"0 < q \le 1,\ \sigma \ge 1,\ 1 < \alpha \le 1 + 3/2 \sigma^2 \ln(1/q)"
    ),
    ("beyond/closed-form/six-fifths", "sigma from 9/10"): (
        r"0 < q \le 1,\ \sigma \ge 9/10,\ 1 < \alpha \le 1 + \sigma^2 \ln(1/q)"
    ),
    ("beyond/closed-form/to-the-wall", "reach 4/5"): (
        r"0 < q \le 1,\ \sigma > 0,\ 1 < \alpha \le 1 + 4/5 \sigma^2 \ln(1/q)"
    ),
    ("beyond/closed-form/to-the-wall", "reach 1"): (
        r"0 < q \le 1,\ \sigma > 0,\ 1 < \alpha \le 1 + \sigma^2 \ln(1/q)"
    ),
    ("beyond/closed-form/every-sigma", "reach 1"): (
        r"0 < q \le 1,\ \sigma > 0,\ 1 < \alpha \le 1 + \sigma^2 \ln(1/q)"
    ),
}
"""Variants that only widen the domain: the claim's own formula fails somewhere on this one. Run, not believed."""
