"""Formulas inside sentences: "at q = 1/2 the ratio exceeds e^(1/2)" with its formulas set as formulas.

Texts of claims and errata are plain, because terminals print them, too. A stretch of numbers, single letters,
Greek names and signs is taken for a formula if it holds a sign, a Greek name or a function's value; anything
else stays as it is. What cannot be read as a formula is never lost: it is shown as it was written.
"""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from verify.report.pages.mathml import mathml
from verify.support.escaping import printable

_GREEK = "alpha beta gamma delta epsilon lambda mu nu xi pi rho sigma tau phi psi omega"
_FUNCTIONS = "ln exp log det max min sin cos sqrt erfc"
_SIGNS = {"<=": r"\le", ">=": r"\ge", "->": r"\to", "||": r"\|", "*": r"\cdot", "!=": r"\ne"}
_TOKEN = re.compile(
    rf"""(?P<number>(?<![A-Za-z\d.])\d+(?:\.\d+)?(?:e[-+]?\d+)?(?!\w*[^\W\d]{{2}}))
    |(?P<greek>(?<![A-Za-z])(?i:{_GREEK.replace(" ", "|")})[01]?(?![A-Za-z\d]))
    |(?P<function>(?<![A-Za-z])(?:{_FUNCTIONS.replace(" ", "|")})(?![A-Za-z]))
    |(?P<letter>(?<![A-Za-z])[A-Za-z](?:'+|[01](?!\d))?(?![A-Za-z'"]))
    |(?P<sign><=|>=|->|\|\||!=|[-+*/^=<>_|])
    |(?P<open>[(\[{{])|(?P<close>[)\]}}])
    |(?P<comma>,(?=\ ))|(?P<space>\ +)""",
    re.VERBOSE,
)
_GLUE = frozenset(("sign", "comma", "space", "open"))
_WORDS = frozenset("aAI")  # letters that are words, too


@dataclass(frozen=True)
class Token:
    """A piece of a formula, by what it is."""

    kind: str
    text: str


def prose(text: str) -> str:
    """Markup for a text, whatever it says, with its formulas as MathML.

    >>> prose("for sigma >= 1 & more")
    'for <math><mi>σ</mi></math><wbr><math><mo>≥</mo><mn>1</mn></math> &amp; more'
    >>> prose("a <bold>case</bold> of (14)")
    'a &lt;bold&gt;case&lt;/bold&gt; of (14)'
    """
    made, place = [], 0
    for start, end, tokens in _formulas(text):
        made += [_plain(text[place:start]), mathml(_latex(tokens))]
        place = end
    return "".join([*made, _plain(text[place:])])


def _plain(text: str) -> str:
    """Text that is no formula; a sign that stands alone is one all the same."""
    for sign, nice in (("<=", "≤"), (">=", "≥"), ("->", "→")):
        text = text.replace(sign, nice)
    return html.escape(printable(text))


def _formulas(text: str) -> Iterator[tuple[int, int, list[Token]]]:
    """The stretches that are formulas, each with its place."""
    place = 0
    while place < len(text):
        run = list(_run(text, place))
        if not run:
            place += 1
            continue
        place = run[-1].end()
        kept = _trim_run(run)
        tokens = [Token(str(m.lastgroup), m[0]) for m in kept]
        if _says_something(tokens):
            yield kept[0].start(), kept[-1].end(), tokens


def _run(text: str, place: int) -> Iterator[re.Match[str]]:
    """Adjacent tokens from a place on.

    A comma ends a formula, and so do a closing bracket too many and a number after what it cannot multiply
    ("an epsilon 6.7 times too small").
    """
    depth, last = 0, ""
    while match := _TOKEN.match(text, place):
        kind = str(match.lastgroup)
        depth += (kind == "open") - (kind == "close")
        if depth < 0 or (kind == "comma" and depth == 0):
            return
        if kind == "number" and last not in ("", "sign", "open", "comma", "function"):
            return
        yield match
        place = match.end()
        last = kind if kind != "space" else last


def _trim_run(run: list[re.Match[str]]) -> list[re.Match[str]]:
    """Without what hangs over: signs at the end, words at either end, brackets that are not closed."""
    kept = list(run)
    while kept:
        if [m.lastgroup for m in kept[:4]] == ["open", "number", "close", "space"]:
            kept = kept[4:]  # the name of an equation, "(4) alpha <= 2"
            continue
        depths = [0]
        for m in kept:
            depths.append(depths[-1] + (m.lastgroup == "open") - (m.lastgroup == "close"))
        if depths[-1] > 0:  # from the bracket that stays open on it is no formula
            last = max(i for i, depth in enumerate(depths) if depth < depths[-1])
            kept = kept[:last]
        elif kept[-1].lastgroup in _GLUE and not _closes(kept):
            kept.pop()
        elif _begins_badly(kept):
            kept.pop(0)
        else:
            break
    return kept


def _begins_badly(kept: list[re.Match[str]]) -> bool:
    """Whether the first token is a space, a sign that needs something before it, or a word."""
    first = kept[0]
    if first.lastgroup == "sign":
        return first[0] not in "-+|"
    word = first[0] in _WORDS and len(kept) > 2 and kept[1].lastgroup == "space"
    return first.lastgroup == "space" or (word and kept[2].lastgroup != "sign")


def _closes(kept: list[re.Match[str]]) -> bool:
    """Whether the last sign is the second bar of an absolute value."""
    return kept[-1][0] == "|" and sum(m[0] == "|" for m in kept) % 2 == 0


def _says_something(tokens: list[Token]) -> bool:
    """Whether it is more than a number, a letter or a bracket."""
    if any(t.kind == "greek" for t in tokens):
        return True
    if not any(t.kind in ("letter", "function", "number") for t in tokens):
        return False
    called = any(
        a.kind in ("letter", "function") and b.text == "(" for a, b in itertools.pairwise(tokens)
    )
    return called or any(t.kind == "sign" for t in tokens)


def _latex(tokens: list[Token]) -> str:
    """The formula for LaTeX: a power's bracket, or a root's, becomes a group."""
    made: list[str] = []
    groups: list[bool] = []  # for each open bracket, whether it is a group
    bars = 0
    for token, after in itertools.pairwise([*tokens, Token("", "")]):
        raised = bool(made) and made[-1] in ("^", "_", r"\sqrt")
        if token.kind == "open":
            groups.append(raised or token.text == "{")
            made.append("{" if groups[-1] else token.text)
        elif token.kind == "close":
            group = groups.pop()
            made.append("}" if group else token.text)
        elif token.text == "|":
            bars += 1
            made.append(r"\left|" if bars % 2 else r"\right|")
        elif token.kind != "space":
            made.append(f"{{{_piece(token)}}}" if raised else _piece(token))
            if token.kind == "function" and after.kind == "space":
                made.append(r"\,")  # ln x, not lnx
    return " ".join(made)


def _piece(token: Token) -> str:
    if token.kind == "greek":  # a capital is that of a sentence
        name, index = token.text.lower().rstrip("01"), token.text[-1]
        letter = r"\varepsilon" if name == "epsilon" else f"\\{name}"
        return f"{letter}_{index}" if index.isdigit() else letter
    if token.kind == "function":
        known = token.text != "erfc"
        return f"\\{token.text}" if known else r"\operatorname{erfc}"
    if token.kind == "number" and "e" in token.text:
        mantissa, _, exponent = token.text.partition("e")
        power = f"10^{{{int(exponent)}}}"
        return power if mantissa == "1" else rf"{mantissa} \cdot {power}"
    if token.kind == "letter" and token.text[-1] in "01":
        return f"{token.text[0]}_{token.text[1]}"
    return _SIGNS.get(token.text, token.text)
