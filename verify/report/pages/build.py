"""From results to files: all made first, then put in place one by one, the manifest last."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from pathlib import Path

from verify.numbers.errors import OutOfDomain
from verify.report.collect.cache import Cache
from verify.report.draw import drawing, family_map
from verify.report.draw.drawings import draw_all
from verify.report.pages import junit
from verify.report.pages.markdown import markdown
from verify.report.pages.site import pages
from verify.results import document
from verify.results.report import Manifest, Results

MANIFEST = "manifest.json"
_REMOVABLE = re.compile(r"figures/[a-z0-9-]+\.svg|(claims|libraries)/[a-z0-9-]+\.html")


def render(results: Results, store: Cache | None = None) -> dict[str, str]:
    """Every file of the report by name, from results alone."""
    drawings = draw_all(results, store)
    made = {
        "results.json": document.as_text(results),
        "report.md": markdown(results),
        "junit.xml": junit.as_text(results),
        **pages(results, drawings),
    }
    made |= {
        f"figures/{name}.svg": family_map.plain(drawing.standalone(svg))
        for name, svg in drawings.items()
    }
    return made


def begin(out: Path) -> set[str]:
    """No manifest while the files change (and a test of the folder); the names of the old drawings and pages."""
    try:
        old = document.read(out / MANIFEST, Manifest)
    except OutOfDomain:
        old = None
    document.write(out / MANIFEST, "")
    return {name for name in old.files if _REMOVABLE.fullmatch(name)} if old else set()


def write(
    out: Path,
    results: Results,
    store: Cache | None = None,
    old: Collection[str] = (),
) -> dict[str, str]:
    """Write the report, remove old drawings and pages it no longer has; its files with their digests."""
    made = render(results, store)
    for name, content in made.items():
        document.write(out / name, content)
    for name in old:
        if name not in made:
            (out / name).unlink(missing_ok=True)
    digests = {name: hashlib.sha256(content.encode()).hexdigest() for name, content in made.items()}
    document.write(out / MANIFEST, document.as_text(Manifest(files=digests)))
    return digests
