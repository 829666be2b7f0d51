"""Integrands in a normal form: sums of c exp(quadratic) stay such sums, exactly.

Balls know nothing of cancellation: mu1/mu0 evaluated on a ball as it is written is a quotient of two
wide exponentials. Evaluating the text once on the *variable* x instead gives the exponents as exact
rational quadratics, so that mu1/mu0 is the one exponential it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from tests.formal.coq import values
from tests.formal.coq.envelope import Envelope, NotEvaluable, ball

Exponent = tuple[Fraction, Fraction, Fraction]
"""c0 + c1 x + c2 x^2."""

_ZERO = (Fraction(0), Fraction(0), Fraction(0))
_EXPANDED = 40
"""Products of sums are multiplied out up to this many terms."""


@dataclass(frozen=True, slots=True)
class Expression:
    """Any function of x: its value at a complex ball or an envelope."""

    at: Callable[[Any, bool], Any]

    def __add__(self, other: Any) -> Any:
        return _combined("+", self, other)

    def __radd__(self, other: Any) -> Any:
        return _combined("+", other, self)

    def __sub__(self, other: Any) -> Any:
        return _combined("-", self, other)

    def __rsub__(self, other: Any) -> Any:
        return _combined("-", other, self)

    def __mul__(self, other: Any) -> Any:
        return _combined("*", self, other)

    def __rmul__(self, other: Any) -> Any:
        return _combined("*", other, self)

    def __truediv__(self, other: Any) -> Any:
        return _combined("/", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _combined("/", other, self)

    def __neg__(self) -> Any:
        return _combined("-", Fraction(0), self)

    def __pow__(self, n: int) -> Any:
        if n and not isinstance(self, Polynomial) and len(getattr(self, "terms", "..")) > 1:
            return _opaque(lambda x, flag: self.at(x, flag) ** n)
        result: Any = Fraction(1)
        for _ in range(n):
            result = self * result
        return result

    def exp(self) -> Any:
        """The exponential of a quadratic is a mixture of one term; of other things, generic."""
        quadratic = _as_quadratic(self)
        if quadratic is None:
            raise NotEvaluable("exponential of something that is no quadratic")
        return _mixture({quadratic: Fraction(1)})

    def log(self, analytic: bool = False) -> Any:
        if isinstance(self, Mixture) and len(self.terms) == 1:
            ((exponent, c),) = self.terms.items()
            return Polynomial.of(exponent) + values.ln(c)
        return _opaque(lambda x, flag: values.ln(self.at(x, flag), flag))

    def power(self, exponent: Fraction | arb) -> Any:
        """A real power of a positive function."""
        if isinstance(self, Mixture) and len(self.terms) == 1 and isinstance(exponent, Fraction):
            (((c0, c1, c2), c),) = self.terms.items()
            scaled = (exponent * c0, exponent * c1, exponent * c2)
            return _mixture({scaled: values.rpower(c, exponent)})
        return _opaque(lambda x, flag: values.rpower(self.at(x, flag), exponent, flag))


@dataclass(frozen=True, slots=True)
class Polynomial(Expression):
    """A quadratic with rational coefficients."""

    coefficients: Exponent = _ZERO

    @staticmethod
    def of(coefficients: Exponent) -> Any:
        c0, c1, c2 = coefficients
        if c1 == c2 == 0:
            return c0
        return Polynomial(lambda x, _: c0 + _times(c1, x) + _times(c2, x * x), coefficients)


@dataclass(frozen=True, slots=True)
class Mixture(Expression):
    """The sum of c exp(quadratic)."""

    terms: Mapping[Exponent, Any]


def variable() -> Any:
    """x itself."""
    return Polynomial.of((Fraction(0), Fraction(1), Fraction(0)))


def exponential_variable() -> Any:
    """e^x."""
    return _mixture({(Fraction(0), Fraction(1), Fraction(0)): Fraction(1)})


def _times(c: Any, x: Any) -> Any:
    if isinstance(c, Fraction) and c == 0:
        return Fraction(0)
    return values.arithmetic("*", c, x)


def _opaque(at: Callable[[Any, bool], Any]) -> Expression:
    return Expression(at)


def _mixture(terms: Mapping[Exponent, Any]) -> Any:
    kept = {e: c for e, c in terms.items() if not (isinstance(c, Fraction) and c == 0)}
    if not kept:
        return Fraction(0)
    if set(kept) == {_ZERO}:
        return kept[_ZERO]
    balls = [(tuple(ball(k) for k in e), ball(c)) for e, c in kept.items()]

    def at(x: Any, _: bool) -> Any:
        if isinstance(x, Envelope):
            return _envelope_sum(kept, x)
        return sum((c * ((c2 * x + c1) * x + c0).exp() for (c0, c1, c2), c in balls), arb(0))

    return Mixture(at, kept)


def _envelope_sum(terms: Mapping[Exponent, Any], x: Envelope) -> Any:
    total: Any = Fraction(0)
    for (c0, c1, c2), c in terms.items():
        exponent = _times(c1, x) + _times(c2, x * x) + c0
        total = values.arithmetic("+", total, values.arithmetic("*", c, values.exp(exponent)))
    return total


def _as_quadratic(x: Any) -> Exponent | None:
    if isinstance(x, Polynomial):
        return x.coefficients
    return (x, Fraction(0), Fraction(0)) if isinstance(x, Fraction) else None


def _as_mixture(x: Any) -> Mapping[Exponent, Any] | None:
    if isinstance(x, Mixture):
        return x.terms
    return {_ZERO: x} if isinstance(x, (Fraction, arb)) else None


def _at(x: Any, point: Any, analytic: bool) -> Any:
    return x.at(point, analytic) if isinstance(x, Expression) else x


def _combined(symbol: str, a: Any, b: Any) -> Any:
    """a op b: as a polynomial if both are, else as a mixture if both are, else opaque."""
    p, r = _as_quadratic(a), _as_quadratic(b)
    if p is not None and r is not None and (found := _polynomials(symbol, p, r)) is not None:
        return found
    m, n = _as_mixture(a), _as_mixture(b)
    if m is not None and n is not None and (found := _mixtures(symbol, m, n)) is not None:
        return found
    if (isinstance(a, Fraction) and a == 0) and symbol in "*/":
        return a
    if symbol == "*" and isinstance(b, Fraction) and b == 0:
        return b
    return _opaque(lambda x, flag: values.arithmetic(symbol, _at(a, x, flag), _at(b, x, flag)))


def _polynomials(symbol: str, p: Exponent, r: Exponent) -> Any:
    if symbol in "+-":
        sign = 1 if symbol == "+" else -1
        return Polynomial.of(tuple(a + sign * b for a, b in zip(p, r, strict=True)))  # type: ignore[arg-type]  # zip forgets the length
    if symbol == "/":
        if r[1:] != _ZERO[1:] or r[0] == 0:
            return None
        return Polynomial.of((p[0] / r[0], p[1] / r[0], p[2] / r[0]))
    product = [Fraction(0)] * 5
    for i, a in enumerate(p):
        for j, b in enumerate(r):
            product[i + j] += a * b
    return Polynomial.of((product[0], product[1], product[2])) if product[3:] == [0, 0] else None


def _mixtures(symbol: str, m: Mapping[Exponent, Any], n: Mapping[Exponent, Any]) -> Any:
    if symbol in "+-":
        total = dict(m)
        for e, c in n.items():
            total[e] = values.arithmetic(symbol, total.get(e, Fraction(0)), c)
        return _mixture(total)
    if symbol == "/":
        (first, c), *others = n.items()
        if not others:
            return _mixtures("*", m, {_scaled(first, -1): values.arithmetic("/", Fraction(1), c)})
        reduced_n = _mixtures("/", n, {first: Fraction(1)})
        reduced_m = _mixtures("/", m, {first: Fraction(1)})
        return _opaque(
            lambda x, flag: values.arithmetic("/", _at(reduced_m, x, flag), _at(reduced_n, x, flag))
        )
    if len(m) * len(n) > _EXPANDED:
        return None
    product: dict[Exponent, Any] = {}
    for e, c in m.items():
        for f, d in n.items():
            key = (e[0] + f[0], e[1] + f[1], e[2] + f[2])
            term = values.arithmetic("*", c, d)
            product[key] = values.arithmetic("+", product.get(key, Fraction(0)), term)
    return _mixture(product)


def _scaled(e: Exponent, k: int) -> Exponent:
    return (k * e[0], k * e[1], k * e[2])
