"""Claims by the name that is printed in the paper: Theorem 11, Lemma 6, eq. 5, Table 1."""

from __future__ import annotations

import re
from collections.abc import Iterable

from verify.numbers.errors import OutOfDomain
from verify.results.claims import RecordedErratum

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
    >>> stands_at("Theorem11", "Theorem 11, page 10, lines 450-459")
    True
    >>> stands_at("eq. (5)", "Lemma 10, equations (4) and (5), page 8, lines 375-385")
    True
    """
    return _plain(wanted) in _names(place)


def is_erratum(wanted: str) -> bool:
    """Whether it is the number of an error of the paper.

    >>> is_erratum("Erratum 5"), is_erratum("equation 5"), is_erratum("5")
    (True, False, False)
    """
    return re.fullmatch(r"erratum #?\d+", _plain(wanted)) is not None


def numbered(ids: Iterable[str], errata: Iterable[RecordedErratum]) -> tuple[str, ...]:
    """The ids, with the claims of an erratum in place of its number."""
    claims = {e.number: tuple(name for name, _ in e.claims) for e in errata}
    found: list[str] = []
    for wanted in ids:
        digits = re.fullmatch(r"(?:erratum )?#?(\d+)", _plain(wanted))
        if not digits:
            found.append(wanted)
        elif int(digits[1]) not in claims:
            raise OutOfDomain(
                f"no erratum {digits[1]:.20} (they are 1 to {max(claims, default=0)})"
            )
        else:
            found += claims[int(digits[1])]
    return tuple(found)


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
    apart = re.sub(r"(?<=[a-z])(?=\d)", " ", name.lower())  # theorem11
    words = re.sub(r"[().#]+(?=\s|\d|$)|[()]", " ", apart).split()
    return " ".join(_SHORT.get(word, word) for word in words)
