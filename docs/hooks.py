"""What mkdocs does not do by itself: formulas without a script, links to files of the project, the
changelog.

Formulas become MathML when the site is built, by the same library as those of the report, and the
site carries a font that knows where a subscript belongs: a page needs no script and no network. A
link to a file outside the documentation becomes its text, after a look whether the file is there: a
link that leads nowhere must end the build.
"""

from __future__ import annotations

import html
import re
import shutil
from importlib import resources
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert
from mkdocs.exceptions import PluginError

ROOT = Path(__file__).parents[1]
FONT = "STIXTwoMath-Regular.ttf"
_LINK = re.compile(r"\[([^\]]*)\]\(((?:\.\./)[^)\s#]*)(?:#[^)]*)?\)")
_INLINE = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>', re.DOTALL)
_BLOCK = re.compile(r'<div class="arithmatex">\s*\\\[(.*?)\\\]\s*</div>', re.DOTALL)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links to files outside the documentation are told by their texts; the changelog is the project's."""
    source = page.file.src_uri
    if source == "changelog.md":
        text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
        markdown = text.replace("](docs/", "](")
    return _LINK.sub(lambda found: _told(found, ROOT / "docs" / source), markdown)


def _told(found: re.Match[str], page: Path) -> str:
    target = (page.parent / found[2]).resolve()
    if not target.exists() or ROOT not in target.parents:
        raise PluginError(f"{page.name}: {found[2]} is no file of the project")
    return found[1]


def on_page_content(html: str, **_: Any) -> str:
    """MathML in the place of LaTeX."""
    html = _BLOCK.sub(
        lambda found: f'<div class="formula">{_mathml(found[1], "block")}</div>', html
    )
    return _INLINE.sub(lambda found: _mathml(found[1], "inline"), html)


def on_post_build(config: Any, **_: Any) -> None:
    """The font for formulas, from the package that brings it."""
    target = Path(config["site_dir"]) / "assets" / "fonts" / FONT
    target.parent.mkdir(parents=True, exist_ok=True)
    with resources.as_file(resources.files("ziamath") / "fonts" / FONT) as font:
        shutil.copyfile(font, target)


def _mathml(escaped: str, display: str) -> str:
    latex = html.unescape(escaped).strip()
    try:
        made = convert(latex, display=display)
    except Exception as error:  # whatever the converter finds wrong with it
        raise PluginError(f"a formula cannot be typeset: {latex}") from error
    if "\\" in made:  # it lets through what it does not know
        raise PluginError(f"a formula has something that is not known: {latex}")
    return made
