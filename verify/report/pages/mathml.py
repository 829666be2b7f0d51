"""LaTeX to MathML that can be put into a page whatever the LaTeX says.

latex2mathml's own text output turns ``&lt;`` back into ``<``: a formula could then carry markup. So
its element tree is taken instead, every text is un-escaped first and escaped by the serializer after,
and only MathML elements and harmless attributes are kept.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Iterator
from xml.etree import ElementTree

_NAMES = """
math mrow mi mn mo mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable
mtr mtd mstyle mpadded mphantom menclose mfenced
"""
ELEMENTS = frozenset(_NAMES.split())
_HARMLESS = (
    "display stretchy fence form lspace rspace width mathvariant linethickness minsize maxsize"
)
ATTRIBUTES = frozenset(_HARMLESS.split())
_SHORT = "is|in|of|at|by|or|to|as|if|on|an|it|no|be"
_ONE = rf"(?:[A-Za-z]?[a-z]{{2,}}|{_SHORT})(?![A-Za-z_^{{(])"
_WORD = re.compile(rf"(?<![\\A-Za-z]){_ONE}(?:,? +(?:{_ONE}|a(?= +[a-z]{{2}})))*")
_RELATIONS = frozenset("=<>≤≥∈⟹⟺⇒⇔→↦≠∼⟶∧")
_SUMS = frozenset("+-−")
_OPEN, _CLOSE = frozenset("(["), frozenset(")]")  # what is listed between braces may be broken
_LONG = 24
_MAX = 4000


def mathml(latex: str) -> str:
    """MathML for a formula; the formula as code where it cannot be read.

    >>> mathml("x < 1")
    '<math><mi>x</mi></math><wbr><math><mo>&lt;</mo><mn>1</mn></math>'
    >>> "<script>" in mathml(r"\\text{<script>alert(1)</script>}")
    False
    """
    return _to_mathml(latex)


@functools.lru_cache(4096)
def _to_mathml(latex: str) -> str:
    from latex2mathml.converter import convert_to_element

    try:
        root = ElementTree.Element("root")
        convert_to_element(words(latex[:_MAX]), parent=root)
        return _join_pieces(_pieces(_clean(root[0])))
    except Exception:  # noqa: BLE001  # the converter raises whatever it likes; the text is shown instead
        return f'<code class="tex">{html.escape(latex)}</code>'


def _join_pieces(pieces: Iterator[str]) -> str:
    """A line may end between two pieces; a sign brings its own space, words and what follows a comma do not."""
    made = ""
    for piece in pieces:
        bare = made.endswith("</math>") and piece.startswith("<math><mo")
        made += piece if not made else f"<wbr>{piece}" if bare else f" {piece}"
    return made


def _pieces(formula: ElementTree.Element) -> Iterator[str]:
    """The formula cut before relations, after commas and at words: browsers do not break one in two.

    A long piece is cut before a sum's signs, too.
    """
    row = formula[0] if len(formula) == 1 and formula[0].tag == "mrow" else formula
    piece, depth = ElementTree.Element("math"), 0
    for child in row:
        text = child.text or ""
        long = text in _SUMS and sum(1 for _ in piece.iter()) > _LONG
        if child.tag == "mtext" or (depth == 0 and (text in _RELATIONS or long)):
            yield from _piece(piece)
            piece = ElementTree.Element("math")
        if child.tag == "mtext":
            yield f"<span>{html.escape(' '.join(text.split()))}</span>"
            continue
        if long and len(piece) == 0:
            child.set("form", "infix")  # alone at the beginning it would be set as a sign
        piece.append(child)
        depth += (text in _OPEN) - (text in _CLOSE) if child.tag == "mo" else 0
        if depth == 0 and text == ",":
            yield from _piece(piece)
            piece = ElementTree.Element("math")
    yield from _piece(piece)


def _piece(piece: ElementTree.Element) -> Iterator[str]:
    if len(piece):
        yield ElementTree.tostring(piece, encoding="unicode")


def _clean(element: ElementTree.Element) -> ElementTree.Element:
    tag = element.tag if element.tag in ELEMENTS else "mrow"
    allowed = {k: v for k, v in element.attrib.items() if k in ATTRIBUTES}
    made = ElementTree.Element(tag, allowed)
    made.text = None if element.text is None else _printable(html.unescape(element.text))
    made.extend(_clean(child) for child in element)
    return made


def _printable(text: str) -> str:
    """Control characters made visible: XML has no place for them."""
    return "".join(c if c.isprintable() or c.isspace() else repr(c)[1:-1] for c in text)


def words(latex: str) -> str:
    """Plain words between formulas become text; a run of letters would be set as a product.

    >>> words(r"\\text{for all } x with \\sigma \\ge 1")
    '\\\\text{for all } x \\\\text{ with } \\\\sigma \\\\ge 1'
    >>> words("q = 1, in the source, (1-q)P + qQ")
    'q = 1, \\\\text{ in the source }, (1-q)P + qQ'
    >>> words("(1+vw)^2 dv of b")
    '(1+vw)^2 dv \\\\text{ of } b'
    """
    pieces, depth, start = [], 0, 0
    for index, character in enumerate(latex + "\0"):
        if character in "{\0" and depth == 0:
            pieces.append(_WORD.sub(_text, latex[start:index]))
            start = index
        depth += (character == "{") - (character == "}")
        if character == "}" and depth == 0:
            pieces.append(latex[start : index + 1])
            start = index + 1
    return "".join(pieces) if depth == 0 else latex


_SHORT_WORDS = frozenset(
    [
        "an",
        "and",
        "as",
        "at",
        "by",
        "if",
        "in",
        "is",
        "it",
        "no",
        "of",
        "on",
        "or",
        "so",
        "to",
        "up",
        "we",
    ]
)


def _text(match: re.Match[str]) -> str:
    """Two letters that are no word are a product: dv, bs."""
    pieces = re.findall(r"[A-Za-z]+|[^A-Za-z]+", match[0])
    plain = [i for i, p in enumerate(pieces) if p.isalpha() and (len(p) > 2 or p in _SHORT_WORDS)]
    if not plain:
        return match[0]
    first, last = plain[0], plain[-1] + 1
    text = "".join(pieces[first:last])
    return "".join(pieces[:first]) + rf"\text{{ {text} }}" + "".join(pieces[last:])
