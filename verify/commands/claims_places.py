"""Claims by the name that is printed in the paper: Theorem 11, Lemma 6, eq. 5, Table 1."""

from __future__ import annotations

import re

_SHORT = {
    "thm": "theorem",
    "eq": "equation",
    "eqn": "equation",
    "equations": "equation",
    "def": "definition",
    "cor": "corollary",
    "sec": "section",
    "fig": "figure",
    "lem": "lemma",
    "tab": "table",
}


def stands_at(wanted: str, place: str) -> bool:
    """Whether a printed name is one of those in a place.

    >>> stands_at("theorem 11", "Theorem 11, page 10, lines 450-459")
    True
    >>> stands_at("Theorem 11", "proof of Theorem 11, page 10, line 465")
    False
    >>> stands_at("eq. (5)", "Lemma 10, equations (4) and (5), page 8, lines 375-385")
    True
    """
    return _plain(wanted) in _names(place)


def _names(place: str) -> set[str]:
    found = set()
    for part in re.split(r"[;,]", place):
        name = _plain(part)
        if name.startswith("equation "):
            found |= {f"equation {number}" for number in re.findall(r"\d+", name)}
        else:
            found.add(name)
    return found - {""}


def _plain(name: str) -> str:
    words = re.sub(r"[().#]+(?=\s|\d|$)|[()]", " ", name.lower()).split()
    return " ".join(_SHORT.get(word, word) for word in words)
