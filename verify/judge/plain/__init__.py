"""Three plainly written double programs in different styles: what the judge must accept.

None of them is clever. Each is what a careful programmer writes in an afternoon who knows two things: that the
integrand has two peaks, and that ln A / (alpha - 1) has no digits left next to order 1.

    trapezoid   log-sum-exp over equidistant nodes, in numpy
    series      the series, with signed terms
    quadrature  adaptive quadrature
"""

from verify.judge.plain import quadrature, series, trapezoid

PROGRAMS = {
    "plain-trapezoid": trapezoid.rdp,
    "plain-series": series.rdp,
    "plain-quadrature": quadrature.rdp,
}
