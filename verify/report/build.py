"""From results to files: all made first, then put in place one by one, the manifest last."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from verify.report import drawing, figures, model
from verify.report.cache import Cache
from verify.report.html import html
from verify.report.junit import junit
from verify.report.markdown import markdown

MANIFEST = "manifest.json"
_DRAWING = re.compile(r"figures/[a-z0-9-]+\.svg")


def render(results: Mapping[str, Any], store: Cache | None = None) -> dict[str, str]:
    """Every file of the report by name, from results alone."""
    drawings = figures.draw_all(results, store)
    made = {
        "results.json": model.as_text(results),
        "report.html": html(results, drawings),
        "report.md": markdown(results),
        "junit.xml": junit(results),
    }
    made |= {f"figures/{name}.svg": drawing.standalone(svg) for name, svg in drawings.items()}
    return made


def begin(out: Path) -> set[str]:
    """No manifest while the files change (and a test of the folder); the names of the old drawings."""
    try:
        old = model.load(out / MANIFEST)
    except (OSError, ValueError):
        old = None
    model.write(out / MANIFEST, "")
    files = old.get("files") if isinstance(old, dict) else None
    return {n for n in files if _DRAWING.fullmatch(n)} if isinstance(files, dict) else set()


def write(
    out: Path,
    results: Mapping[str, Any],
    store: Cache | None = None,
    old: Collection[str] = (),
) -> dict[str, str]:
    """Write the report, remove old drawings it no longer has; its files with their digests."""
    made = render(results, store)
    for name, content in made.items():
        model.write(out / name, content)
    for name in old:
        if name not in made:
            (out / name).unlink(missing_ok=True)
    digests = {name: hashlib.sha256(content.encode()).hexdigest() for name, content in made.items()}
    manifest = {"format": "sgm-verify manifest 1", "files": digests, "complete": True}
    model.write(out / MANIFEST, json.dumps(manifest, indent=1) + "\n")
    return digests
