"""From results to files: all made first, then put in place one by one, the manifest last."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verify.report import drawing, figures, model
from verify.report.cache import Cache
from verify.report.html import html
from verify.report.junit import junit
from verify.report.markdown import markdown

MANIFEST = "manifest.json"


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


def write(out: Path, results: Mapping[str, Any], store: Cache | None = None) -> dict[str, str]:
    """Write the report; the names of its files with their digests."""
    made = render(results, store)
    for name, content in made.items():
        model.write(out / name, content)
    digests = {name: hashlib.sha256(content.encode()).hexdigest() for name, content in made.items()}
    manifest = {"format": "sgm-verify manifest 1", "files": digests, "complete": True}
    model.write(out / MANIFEST, json.dumps(manifest, indent=1) + "\n")
    return digests
