"""Where lines of the paper's source stand in the paper as it is printed: section, theorem, equation, page.

Numbers are those that LaTeX gives the source: one counter for definitions, lemmas, theorems and
corollaries, one for equations. Pages are those of the source typeset with blank figures of the given width,
whatever their height (the breaks are the same from 0.6 to 0.85 of it), and without its bibliography, so
that a line next to a break may stand on the other side of it in print.

>>> printed_place("168-174"), printed_place("200-202"), printed_place("261-263")
('Theorem 4, page 3', 'proof of Theorem 4, page 4', 'proof of Theorem 5, equation (1), page 5')
>>> printed_place("378-379"), printed_place("beyond")
('Lemma 10, equations (4) and (5), page 8', '')
>>> printed_place("99, 521"), printed_place("386-447")
('Section 1, page 2; Section 3.3, case II, page 12', 'proof of Lemma 10, pages 8-10')
"""

from __future__ import annotations

from bisect import bisect_right

# First line, last line, what is printed there; the shortest stretch that holds a line is its place.
_PLACES = (
    (68, 72, "abstract"),
    (89, 163, "Section 1"),
    (109, 114, "Definition 1"),
    (117, 121, "Definition 2"),
    (124, 129, "Definition 3"),
    (133, 161, "Table 1"),
    (164, 210, "Section 2"),
    (168, 174, "Theorem 4"),
    (175, 208, "proof of Theorem 4"),
    (213, 232, "Section 3"),
    (240, 308, "Section 3.1"),
    (244, 248, "Theorem 5"),
    (249, 298, "proof of Theorem 5"),
    (270, 274, "Lemma 6"),
    (275, 296, "proof of Lemma 6"),
    (300, 301, "Corollary 7"),
    (302, 305, "proof of Corollary 7"),
    (307, 307, "remark after Corollary 7"),
    (310, 470, "Section 3.2"),
    (321, 326, "Lemma 8"),
    (328, 341, "proof of Lemma 8"),
    (343, 347, "after Lemma 8"),
    (349, 353, "Lemma 9"),
    (355, 371, "proof of Lemma 9"),
    (373, 373, "after Lemma 9"),
    (375, 385, "Lemma 10"),
    (386, 447, "proof of Lemma 10"),
    (418, 422, "proof of Lemma 10, case I"),
    (426, 430, "proof of Lemma 10, case IIa"),
    (432, 445, "proof of Lemma 10, case IIb"),
    (450, 459, "Theorem 11"),
    (460, 469, "proof of Theorem 11"),
    (472, 523, "Section 3.3"),
    (482, 498, "Section 3.3, case I"),
    (500, 521, "Section 3.3, case II"),
    (525, 536, "Figure 1"),
    (539, 588, "Section 4"),
    (563, 585, "Definition 12"),
)
_EQUATIONS = (
    (261, 263),
    (265, 267),
    (343, 346),
    (378, 378),
    (379, 379),
    (396, 396),
    (397, 397),
    (400, 402),
    (411, 414),
    (418, 421),
    (476, 479),
    (505, 510),
    (543, 546),
    (559, 561),
)
_STATEMENTS = ("Definition", "Lemma", "Theorem", "Corollary")
_PAGES = (68, 99, 133, 188, 240, 275, 319, 363, 399, 438, 482, 512, 549)
"""The first line that begins on each page."""


def printed_place(lines: str) -> str:
    """The printed place of lines such as 319, 321-326 or 227, 229; empty for a result beyond it."""
    if not lines[0].isdigit():
        return ""
    return "; ".join(
        dict.fromkeys(f"{_place(*ends)}, {_page(*ends)}" for ends in map(_ends, lines.split(",")))
    )


def _place(first: int, last: int) -> str:
    around = [p for p in _PLACES if p[0] <= first <= p[1]]
    where = min(around, key=lambda place: place[1] - place[0])[2] if around else ""
    inside = [f"({i})" for i, (a, b) in enumerate(_EQUATIONS, 1) if first <= b and a <= last]
    whole = (first, last) in [p[:2] for p in _PLACES]
    if not inside or (whole and not where.startswith(_STATEMENTS)):  # a whole proof is its name
        return where
    return f"{where}, equation{'s' * (len(inside) > 1)} {' and '.join(inside)}"


def _page(first: int, last: int) -> str:
    begin, end = bisect_right(_PAGES, first), bisect_right(_PAGES, last)
    return f"page {begin}" if begin == end else f"pages {begin}-{end}"


def _ends(part: str) -> tuple[int, int]:
    first, _, last = part.strip().partition("-")
    return int(first), int(last or first)
