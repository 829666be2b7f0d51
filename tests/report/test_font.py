"""The font inside the pages has every character that a formula of the claims uses."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from io import BytesIO
from xml.etree import ElementTree

import pytest
from fontTools.ttLib import TTFont

from verify.claims.discovery import Installed
from verify.report.pages.mathml import mathml

_LATIN, _GREEK = 0x1D44E - ord("a"), 0x1D6FC - ord("α")
_INVISIBLE = frozenset("\u2061\u2062\u2063\u2064\u200b\xa0")


@pytest.fixture(scope="module")
def font() -> TTFont:
    data = (files("verify.report") / "fonts" / "stix-two-math.woff2").read_bytes()
    return TTFont(BytesIO(data))


def characters(formula: str) -> Iterator[str]:
    """What a browser draws: a single letter of an identifier stands for its italic."""
    root = ElementTree.fromstring(f"<r>{mathml(formula).replace('<wbr>', '')}</r>")
    for element in (e for m in root.iter("math") for e in m.iter()):
        text = (element.text or "").strip()
        yield from (c for c in text if c not in _INVISIBLE)
        if element.tag == "mi" and len(text) == 1:
            if "a" <= text <= "z" and text != "h":  # italic h has an older place
                yield chr(ord(text) + _LATIN)
            elif "α" <= text <= "ω":
                yield chr(ord(text) + _GREEK)


def test_every_character_of_every_formula_is_there(font: TTFont) -> None:
    known = font.getBestCmap()
    for claim in Installed.here().claims.values():
        for formula in (claim.statement, claim.repair, claim.domain):
            missing = {c for c in characters(formula) if ord(c) not in known}
            assert not missing, claim.id


def test_it_knows_where_a_subscript_belongs(font: TTFont) -> None:
    assert font["MATH"].table.MathConstants.SubscriptShiftDown.Value > 0


def test_a_character_that_is_missing_would_be_seen(font: TTFont) -> None:
    assert any(ord(c) not in font.getBestCmap() for c in characters("x = 漢"))
