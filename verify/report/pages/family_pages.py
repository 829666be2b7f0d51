"""One page a family of libraries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from verify.report.pages import family_words
from verify.report.pages.page import Page, asset
from verify.results.families import Family

STYLES = ("report.css", "families.css")


def family_pages(families: Iterable[Family]) -> Iterator[Page]:
    """The pages, each with its map and the script that tells points."""
    for family in families:
        context = {"family": family, **family_words.GLOBALS}
        yield Page(
            f"libraries/{family.slug}.html",
            f"{family.name}: is its epsilon right?",
            "family.html.j2",
            context,
            (asset("family_map.js"),),
            STYLES,
        )
