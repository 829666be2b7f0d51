"""What the pages say is true: commands print what is shown, examples run, links and formulas are there."""

from __future__ import annotations

import doctest
import importlib.util
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace

import click
import msgspec
import pytest

import verify
from tests.docs import console
from tests.patience import PATIENCE
from tests.report.browser import CHROMIUM
from tests.report.browser import page as browser
from verify.cli import cli

ROOT = console.ROOT
PAGES = sorted([*(ROOT / "docs").glob("*.md"), ROOT / "README.md"])
WITH_COMMANDS = [page for page in PAGES if console.blocks(page.read_text(encoding="utf-8"))]
WITH_EXAMPLES = [page for page in PAGES if "\n>>> " in page.read_text(encoding="utf-8")]
LINE = re.compile(r"^(?: {4}|\$ )?(sgm-verify [^\n]+)$", re.MULTILINE)


def name(page: Path) -> str:
    return page.name


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name)
def test_commands_print_what_is_shown(page: Path, tmp_path: Path) -> None:
    """Else: python -m tests.docs.console PAGE."""
    for block in console.blocks(page.read_text(encoding="utf-8")):
        for example in console.examples(block):
            code, got = console.run(example.command, tmp_path)
            assert (code, example.command) == (example.code, example.command), got
            assert console.alike(example.expected, got), f"$ {example.command}\n{got}"


def test_another_digit_would_be_seen(tmp_path: Path) -> None:
    (block,) = console.blocks(
        "```console\n$ sgm-verify value --q 1 --sigma 2 --alpha 3 --json\n...\n```\n"
    )
    (example,) = console.examples(block)
    _, got = console.run(example.command, tmp_path)
    assert console.alike(example.expected, got)
    assert not console.alike(got.replace("0.375", "0.376"), got)
    assert not console.alike("x = 0.62984010\n", "x = 0.62984020\n")
    assert not console.alike("x = 0.62984\n", "y = 0.62984\n")


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=name)
def test_examples_in_python_run(page: Path) -> None:
    found = doctest.testfile(
        str(page), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8"
    )
    assert found.attempted > 0
    assert found.failed == 0


def written() -> list[tuple[str, str]]:
    """Every line that shows the command, on whatever page."""
    return [
        (
            page.name,
            line.partition("  ")[0].partition(" #")[0].partition(" > ")[0].partition(" | ")[0],
        )
        for page in PAGES
        for line in LINE.findall(page.read_text(encoding="utf-8").replace("\\\n", ""))
    ]


@pytest.mark.parametrize(("page", "line"), written())
def test_a_command_that_is_shown_can_be_typed(page: str, line: str) -> None:
    """Long ones are not run, but their options exist and their values are of the right kind."""
    words = shlex.split(line)[1:]
    if "2>" in words:
        words = words[: words.index("2>")]
    command: click.Command = cli
    try:
        context = click.Context(cli)
        while isinstance(command, click.Group) and words and not words[0].startswith("-"):
            _, below, words = command.resolve_command(context, words)
            assert below is not None
            command = below
        command.make_context("sgm-verify", list(words))
    except click.exceptions.Exit:
        pass  # --help and --version
    except click.BadParameter as error:
        assert "does not exist" in error.message or "No such file" in error.message  # noqa: PT017  # most have no such file
    except click.UsageError as error:
        assert "did you mean" in error.message  # noqa: PT017  # the page shows a suggestion


def test_enough_commands_are_found() -> None:
    assert len(written()) > 40


def test_the_citation_names_this_version_and_an_author() -> None:
    cited = msgspec.yaml.decode((ROOT / "CITATION.cff").read_bytes())
    assert (
        cited["version"] == verify.__version__.partition(".dev")[0]
    )  # cited is the release to come
    assert cited["authors"]


def test_every_page_is_in_the_navigation() -> None:
    listed = set(re.findall(r"[\w-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8")))
    assert {page.name for page in (ROOT / "docs").glob("*.md")} == listed


def test_the_figure_shows_fresh_numbers() -> None:
    """Else: python docs/exact_epsilon.py."""
    drawing = loaded("exact_epsilon")
    assert drawing.FILE.read_text(encoding="utf-8") == drawing.drawn()


@pytest.fixture(scope="module")
def hooks() -> ModuleType:
    return loaded("hooks")


def loaded(module_name: str) -> ModuleType:
    """A program of the docs folder, which is no package."""
    path = ROOT / "docs" / f"{module_name}.py"
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def page_of(source: str) -> SimpleNamespace:
    return SimpleNamespace(file=SimpleNamespace(src_uri=source))


def test_a_link_to_a_file_of_the_project_is_its_text(hooks: ModuleType) -> None:
    made = hooks.on_page_markdown("see [the file](../verify/cli.py#L3)", page_of("faq.md"))
    assert made == "see the file"


@pytest.mark.parametrize("target", ["../verify/nothing.py", "../../../etc/passwd"])
def test_a_link_that_leads_nowhere_ends_the_build(hooks: ModuleType, target: str) -> None:
    from mkdocs.exceptions import PluginError

    with pytest.raises(PluginError, match="no file of the project"):
        hooks.on_page_markdown(f"[x]({target})", page_of("faq.md"))


def test_a_formula_becomes_mathml(hooks: ModuleType) -> None:
    made = hooks.on_page_content(r'<span class="arithmatex">\(a &lt; \alpha\)</span>')
    assert made.startswith("<math")
    assert "&#x0003C;" in made
    assert "arithmatex" not in made


def test_a_formula_that_is_not_understood_ends_the_build(hooks: ModuleType) -> None:
    from mkdocs.exceptions import PluginError

    with pytest.raises(PluginError, match="not known"):
        hooks.on_page_content(r'<span class="arithmatex">\(\nosuchthing\)</span>')


def test_the_changelog_is_the_projects(hooks: ModuleType) -> None:
    made = hooks.on_page_markdown("anything", page_of("changelog.md"))
    assert "## 0.2.0 (not released)" in made
    assert "](docs/" not in made


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_no_page_asks_another_address_for_anything(site: Path) -> None:
    for page in site.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert (
            re.findall(r'<(?:script|link|img|iframe)[^>]*(?:src|href)="(?:https?:)?//', text) == []
        )


def test_every_public_function_is_in_the_reference(site: Path) -> None:
    text = (site / "api.html").read_text(encoding="utf-8")
    for public in verify.__all__:
        if public != "__version__":
            assert re.search(rf'id="verify\.[\w.]*\b{public}"', text), public


def test_the_site_has_its_font_and_no_latex_left(site: Path) -> None:
    assert (site / "assets" / "fonts" / "STIXTwoMath-Regular.ttf").stat().st_size > 100_000
    assert not any("arithmatex" in page.read_text(encoding="utf-8") for page in site.glob("*.html"))


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_the_search_works_from_a_folder(site: Path, tmp_path: Path) -> None:
    with browser(tmp_path / "profile") as tab:
        tab.open((site / "index.html").as_uri())
        tab.evaluate("document.querySelector('input.md-search__input').focus()")
        tab.type("calibrate")
        found = "document.querySelectorAll('.md-search-result__item').length"
        until = time.monotonic() + PATIENCE
        while not tab.evaluate(found) and time.monotonic() < until:
            time.sleep(0.1)
        assert tab.evaluate(found) > 0
