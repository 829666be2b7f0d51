r"""Expressions to LaTeX, term by term in the order in which they were written.

sympy's own printer sorts terms; a formula that is to be found again in a paper keeps its order. A
quotient is a fraction, and a slash inside exponents and other fractions.

>>> x, s = sympy.symbols("x sigma", positive=True)
>>> with sympy.evaluate(False):
...     print(typeset(1 + sympy.exp(-(x**2) / (2 * s**2)) * sympy.Rational(9, 10)))
1+e^{-x^2/(2\sigma^2)} \cdot 0.9
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import sympy

GREEK = "alpha beta delta ell epsilon varepsilon gamma kappa lambda mu nu sigma tau omega"
SPECIAL: dict[object, str] = {
    sympy.pi: r"\pi",
    sympy.E: "e",
    sympy.oo: r"\infty",
    -sympy.oo: r"-\infty",
}
FUNCTIONS = {
    sympy.log: r"\ln",
    sympy.sinh: r"\sinh",
    sympy.cosh: r"\cosh",
    sympy.coth: r"\coth",
    sympy.sin: r"\sin",
    sympy.cos: r"\cos",
    sympy.gamma: r"\Gamma",
    sympy.erf: r"\mathrm{erf}",
    sympy.erfc: r"\mathrm{erfc}",
    sympy.Max: r"\max",
}
_DECIMALS = 20  # numbers with more are printed as fractions
_SHORT = 6  # an argument with a quotient that is printed with a slash: ln(1/q), sinh(s/2)
_TALL = re.compile(r"\\frac|\\int|\\sum|\\binom")
ADD, MUL, POW, ATOM = 1, 2, 3, 4  # how tightly what was printed holds together


def typeset(expr: sympy.Expr, small: bool = False) -> str:
    """The LaTeX of an expression; ``small`` in exponents and fractions, where quotients get a slash."""
    return _print(sympy.sympify(expr), small)[0]


def _print(e: sympy.Expr, small: bool) -> tuple[str, int]:
    if e in SPECIAL:
        return SPECIAL[e], ATOM
    if isinstance(e, sympy.Symbol):
        return _symbol(e.name), ATOM
    if isinstance(e, sympy.Rational):
        return _number(e)
    for kind, printer in _PRINTERS.items():
        if isinstance(e, kind):
            return printer(e, small)
    return _function(e, small)


def _symbol(name: str) -> str:
    return rf"\{name}" if name in GREEK.split() else name


def _number(e: sympy.Rational) -> tuple[str, int]:
    if e < 0:
        return "-" + _number(-e)[0], ADD
    if e.q == 1:
        return str(e.p), ATOM
    if e.q > 8 and 10**_DECIMALS % e.q == 0:  # 0.9, but a half is a fraction
        whole, rest = divmod(int(e.p) * (10**_DECIMALS // int(e.q)), 10**_DECIMALS)
        return f"{whole}.{rest:0{_DECIMALS}d}".rstrip("0"), ATOM
    return rf"\tfrac{{{e.p}}}{{{e.q}}}", ATOM


def _print_tightly(e: sympy.Expr, least: int, small: bool) -> str:
    """Printed, in parentheses if it holds together less tightly than asked."""
    text, tightness = _print(e, small)
    return text if tightness >= least else _parenthesise(text)


def _parenthesise(text: str) -> str:
    return rf"\left({text}\right)" if _TALL.search(text) else f"({text})"


def _terms(e: sympy.Expr) -> Iterator[sympy.Expr]:
    """The terms of a sum; one that was written as a bracket on the right stays one."""
    first, *others = e.args
    yield from _terms(first) if isinstance(first, sympy.Add) else (first,)
    yield from others


def _negative(e: sympy.Expr) -> sympy.Expr | None:
    """-e if e was written with a minus sign in front."""
    if isinstance(e, sympy.Rational) and e < 0:
        return -e
    if not isinstance(e, sympy.Mul):
        return None
    first, *others = e.args
    inner = _negative(first)
    if inner is None:
        return None
    if inner == 1:
        return others[0] if len(others) == 1 else sympy.Mul(*others, evaluate=False)
    return sympy.Mul(inner, *others, evaluate=False)


def _add(e: sympy.Add, small: bool) -> tuple[str, int]:
    text = ""
    for term in _terms(e):
        minus = _negative(term)
        body = _print_tightly(term if minus is None else minus, MUL, small)
        text += ("-" if minus is not None else "+" if text else "") + body
    return text, ADD


def _factors(e: sympy.Expr, small: bool) -> Iterator[sympy.Expr]:
    """The factors of a product; a quotient that was written as a bracket on the right stays one."""
    first, *others = e.args
    yield from _factors(first, small) if isinstance(first, sympy.Mul) else (first,)
    for factor in others:
        nested = isinstance(factor, sympy.Mul) and _negative(factor) is None
        if nested and (small or not any(_inverse(f) is not None for f in factor.args)):
            yield from _factors(factor, small)
        else:
            yield factor


def _mul(e: sympy.Mul, small: bool) -> tuple[str, int]:
    minus = _negative(e)
    if minus is not None:
        return "-" + _print_tightly(minus, MUL, small), ADD
    above: list[sympy.Expr] = []
    below: list[sympy.Expr] = []
    groups: list[str] = []  # factors before a quotient in the middle: a x/y, kept apart
    for factor in _factors(e, small):
        inverse = _inverse(factor)
        if inverse is not None:
            below.append(inverse)
            continue
        if below and above:
            groups.append(_quotient(above, below, small)[0])
            above, below = [], []
        above.append(factor)
    if not below and not groups:
        return _product(above, small), MUL
    text, tightness = _quotient(above, below, small) if below else (_product(above, small), MUL)
    return " ".join([*groups, text]), MUL if groups else tightness


def _inverse(e: sympy.Expr) -> sympy.Expr | None:
    """x where 1/x was written."""
    if isinstance(e, sympy.Pow) and isinstance(e.exp, sympy.Rational) and e.exp < 0:
        return e.base if e.exp == -1 else sympy.Pow(e.base, -e.exp, evaluate=False)
    return None


def _quotient(above: list[sympy.Expr], below: list[sympy.Expr], small: bool) -> tuple[str, int]:
    denominator = below[0] if len(below) == 1 else sympy.Mul(*below, evaluate=False)
    if small:
        return f"{_product(above, True)}/{_print_tightly(denominator, POW, True)}", MUL
    head, lead = "", list(above)
    if len(lead) > 1 and isinstance(lead[0], sympy.Rational) and lead[0].q != 1:
        head = _number(lead.pop(0))[0]  # a fraction in front stays in front
    top = typeset(lead[0], True) if len(lead) == 1 else _product(lead, True)
    return rf"{head}\frac{{{top}}}{{{typeset(denominator, True)}}}", MUL if head else POW


def _product(factors: list[sympy.Expr], small: bool) -> str:
    if not factors:
        return "1"
    if len(factors) == 1:
        return _print_tightly(factors[0], MUL, small)
    text = ""
    if factors[0] == 1:  # Integral puts a factor 1 before what it is given
        return _product(factors[1:], small)
    for index, factor in enumerate(factors):
        loose = index < len(factors) - 1 and _open_ended(factor)
        piece = (
            _parenthesise(typeset(factor, small)) if loose else _print_tightly(factor, POW, small)
        )
        text = _join(text, piece)
    return text


def _open_ended(e: sympy.Expr) -> bool:
    """Whether what follows would be read as part of it: ln x y, or an integral."""
    if isinstance(e, sympy.Integral | sympy.Sum | sympy.Limit | sympy.Derivative):
        return True
    return isinstance(e, sympy.log) and not isinstance(e.args[0], sympy.Add)


def _join(left: str, right: str) -> str:
    if not left:
        return right
    if right[0].isdigit() or (left[-1].isdigit() and right.startswith(r"\tfrac")):
        return rf"{left} \cdot {right}"
    if re.search(r"\\[A-Za-z]+$", left) and right[0].isalpha():
        return f"{left} {right}"
    if right.startswith(("\\ln", "\\sinh", "e^", r"\mathrm", r"\mu")) and left[-1].isalpha():
        return rf"{left}\,{right}"
    return left + right


def _pow(e: sympy.Expr, small: bool) -> tuple[str, int]:
    base, exponent = (sympy.E, e.args[0]) if isinstance(e, sympy.exp) else e.args
    if base is sympy.E:
        text = typeset(exponent, True)
        if len(text) > 40:
            return rf"\exp\left({typeset(exponent, small)}\right)", ATOM
        return f"e^{{{text}}}", POW
    inverse = _inverse(e)
    if inverse is not None:
        return _quotient([], [inverse], small)
    if exponent == sympy.Rational(1, 2):
        return rf"\sqrt{{{typeset(base, True)}}}", ATOM
    if isinstance(base, sympy.Function) and not isinstance(base, sympy.exp) and exponent == 2:
        name, arguments = _print_name(base, small)
        if not isinstance(base, sympy.log):
            return f"{name}{arguments}^2", POW
    power = typeset(exponent, True)
    shown = power if len(power) == 1 or re.fullmatch(r"\\[a-z]+", power) else f"{{{power}}}"
    return f"{_print_tightly(base, ATOM, small)}^{shown}", POW


def _print_name(e: sympy.Expr, small: bool) -> tuple[str, str]:
    name = FUNCTIONS.get(e.func) or _symbol(e.func.__name__)
    short = ", ".join(typeset(argument, True) for argument in e.args)
    inside = ", ".join(typeset(argument, small or len(short) < _SHORT) for argument in e.args)
    if name.startswith((r"\mathbb{E}", "E_")):  # an expectation
        return name, rf"\left[{inside}\right]"
    return name, _parenthesise(inside)


def _function(e: sympy.Expr, small: bool) -> tuple[str, int]:
    if isinstance(e, sympy.log) and (
        isinstance(e.args[0], sympy.Symbol) or (e.args[0].is_Rational and e.args[0] > 0)
    ):
        return rf"\ln {typeset(e.args[0], True)}", POW
    name, arguments = _print_name(e, small)
    return name + arguments, ATOM


def _integral(e: sympy.Expr, small: bool) -> tuple[str, int]:
    x, low, high = e.limits[0]
    ends = rf"_{{{typeset(low, True)}}}^{{{typeset(high, True)}}}"
    return rf"\int{ends} {_print_tightly(e.function, MUL, small)}\,d{typeset(x)}", POW


def _sum(e: sympy.Expr, small: bool) -> tuple[str, int]:
    k, low, high = e.limits[0]
    ends = rf"_{{{typeset(k)}={typeset(low, True)}}}^{{{typeset(high, True)}}}"
    return rf"\sum{ends} {_print_tightly(e.function, MUL, small)}", POW


def _limit(e: sympy.Expr, small: bool) -> tuple[str, int]:
    f, x, to = e.args[:3]
    return rf"\lim_{{{typeset(x)} \to {typeset(to)}}} {_print_tightly(f, MUL, small)}", POW


def _derivative(e: sympy.Expr, small: bool) -> tuple[str, int]:
    x, count = e.variable_count[0]
    times = "" if count == 1 else f"^{count}"
    operator = rf"\frac{{d{times}}}{{d{typeset(x)}{times}}}"
    return f"{operator}{_parenthesise(typeset(e.expr, small))}", MUL


def _bracket(e: sympy.Expr, small: bool) -> tuple[str, int]:
    return _parenthesise(typeset(e.args[0], small)), ATOM


def _abs(e: sympy.Expr, small: bool) -> tuple[str, int]:
    return f"|{typeset(e.args[0], small)}|", ATOM


def _binomial(e: sympy.Expr, small: bool) -> tuple[str, int]:
    n, k = e.args
    return rf"\binom{{{typeset(n, True)}}}{{{typeset(k, True)}}}", ATOM


_PRINTERS: dict[type, Callable[[sympy.Expr, bool], tuple[str, int]]] = {
    sympy.Add: _add,
    sympy.Mul: _mul,
    sympy.Pow: _pow,
    sympy.exp: _pow,
    sympy.Integral: _integral,
    sympy.Sum: _sum,
    sympy.Limit: _limit,
    sympy.Derivative: _derivative,
    sympy.Abs: _abs,
    sympy.UnevaluatedExpr: _bracket,
    sympy.binomial: _binomial,
}
