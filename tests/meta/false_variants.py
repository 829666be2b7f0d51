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
}
