"""What is computed again after an edit, and what is not: real edits, in a copy of the project."""

from __future__ import annotations

import fnmatch
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from verify.report.collect.cache import Cache

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Edit:
    """A file with a line more, or with one text for another; patterns of what is made again, and what stays."""

    file: str
    again: tuple[str, ...]
    stays: tuple[str, ...]
    old: str = ""
    new: str = "\n_A_LINE_MORE = 1\n"


LEFT = "rows figure-1-left-*"
COMPUTING = "claim proofs_checks.sections.main_theorem"
EDITS = [
    Edit("verify/report/draw/ticks.py", ("drawing *",), ("claim *", "rows *", "truth")),
    Edit("verify/report/draw/drawing.py", ("drawing *",), ("claim *", "rows *", "truth")),
    Edit("verify/support/escaping.py", ("drawing *",), ("claim *", "rows *", "truth")),
    Edit("verify/report/draw/plot.py", ("drawing *", "rows *"), ("claim *", "truth")),
    Edit("verify/report/draw/family_map.py", (), ("*",)),
    Edit("verify/report/pages/site.py", (), ("*",)),
    Edit("verify/report/figures/__init__.py", (), ("claim *", "rows *", "truth")),
    Edit("verify/bench/engines.py", (), ("*",)),
    Edit("verify/results/bench.py", (), ("*",)),
    Edit("verify/sweeps/run.py", (), ("*",)),
    Edit("verify/commands/claims.py", (), ("*",)),
    Edit("verify/cli.py", (), ("*",)),
    Edit("verify/accounting/tight.py", ("claim proofs_checks.beyond.accounting", "rows rdp-loss", "truth"),
         ("claim proofs_checks.sections.a_geq_b", "claim proofs_checks.sections.pointwise_lemma",
          "rows ratio", "rows series", LEFT, "drawing *")),
    Edit("verify/moments/engines/trapezoid.py", (COMPUTING, "rows *", "truth"), ("drawing ratio",)),
    Edit("verify/moments/engines/rigorous.py", (COMPUTING, "rows *", "truth"), ("drawing ratio",)),
    Edit("verify/moments/engines/mass.py", (COMPUTING, "rows *", "truth"), ("drawing ratio",)),
    Edit("verify/moments/agreement.py", (COMPUTING, "rows *", "truth"), ("drawing *",)),
    Edit("verify/moments/divergence.py", (COMPUTING, "rows ratio", LEFT, "truth"), ("drawing *",)),
    Edit("verify/numbers/balls.py", (COMPUTING, "rows *", "truth"), ("drawing ratio",)),
    Edit("verify/bounds/table.py", (LEFT, "rows figure-1-right-*", "rows ratio", "rows frontier", "truth"),
         ("rows series", "drawing *")),
    Edit("verify/bounds/largest_order.py", (LEFT, "rows frontier"),
         ("claim *", "rows figure-1-right-*", "rows ratio", "rows series", "drawing *", "truth")),
    Edit("verify/bounds/tightness.py", ("rows figure-1-right-*", "rows ratio"), ("claim *", LEFT, "drawing *", "truth")),
    Edit("proofs_checks/quantities/half_lines.py", ("claim proofs_checks.beyond.series_error", "rows series"),
         (COMPUTING, LEFT, "rows ratio", "drawing *", "truth")),
    Edit("verify/audit/kinds.py", ("truth",), ("claim *", "rows *", "drawing *")),
    Edit("proofs_checks/quantities/maximal_alpha.py", ("claim proofs_checks.sections.figure_1",),
         ("claim proofs_checks.sections.pointwise_lemma", "rows *", "drawing *", "truth")),
    Edit("verify/report/figures/ratio.py", (), ("*",), old="How to read it", new="Read it so"),
    Edit("verify/report/figures/ratio.py", ("rows ratio",), ("claim *", LEFT, "drawing *", "truth"),
         old="lo_str(5)", new="lo_str(6)"),
    Edit("verify/report/figures/ratio.py", ("drawing ratio",), ("claim *", "rows *", "drawing frontier", "truth"),
         old="markersize=3", new="markersize=4"),
]  # fmt: skip

KEYS = """
import json, pathlib, sys
from verify.claims.discovery import Installed
from verify.report import figures
from verify.report.collect import claims_part, sources
from verify.results.evidence import Profile

def keys():
    sources.of_module.cache_clear(), sources.arithmetic.cache_clear()
    found = {}
    for claim in one_of_each.values():
        found[f"claim {claim.module}"] = claims_part.key(claim, Profile.QUICK)
    for plot in figures.ALL:
        if plot.rows is not None:
            key = figures.rows_key(plot.rows, plot.columns, plot.jobs("quick"))
            found[f"rows {plot.id}"] = key
        found[f"drawing {plot.id}"] = figures.drawing_key(plot.filled([]))
    found["truth"] = sources.of_module("verify.audit.ground_truth")
    return found

one_of_each = {claim.module: claim for claim in Installed.here().claims.values()}
before, report = keys(), []
for file, old, new in json.load(sys.stdin):
    path = pathlib.Path(file)
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{file} has no {old!r}"
    path.write_text(text.replace(old, new, 1) if old else text + new, encoding="utf-8")
    after = keys()
    path.write_text(text, encoding="utf-8")
    report.append([name for name in before if before[name] != after[name]])
assert keys() == before
json.dump({"all": list(before), "changed": report}, sys.stdout)
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of both packages."""
    folder = tmp_path_factory.mktemp("project")
    for package in ("verify", "proofs_checks"):
        left_out = shutil.ignore_patterns("data", "formal", "__pycache__")
        shutil.copytree(ROOT / package, folder / package, ignore=left_out)
    return folder


def python(folder: Path, code: str, given: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env={"PYTHONPATH": str(folder)}, input=given,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def found(project: Path) -> dict[Edit, tuple[set[str], set[str]]]:
    """For every edit what has another key, and everything that has one."""
    given = json.dumps([(edit.file, edit.old, edit.new) for edit in EDITS])
    said = json.loads(python(project, KEYS, given))
    everything = set(said["all"])
    return {e: (set(changed), everything) for e, changed in zip(EDITS, said["changed"], strict=True)}  # fmt: skip


@pytest.mark.parametrize("edit", EDITS, ids=lambda e: f"{e.file}{': ' if e.old else ''}{e.old}")
def test_an_edit_makes_again_what_rests_on_it_and_nothing_else(
    edit: Edit, found: dict[Edit, tuple[set[str], set[str]]]
) -> None:
    changed, everything = found[edit]
    for pattern in (*edit.again, *edit.stays):
        assert fnmatch.filter(everything, pattern), f"nothing is called {pattern}"
    for pattern in edit.again:
        assert set(fnmatch.filter(everything, pattern)) <= changed, pattern
    for pattern in edit.stays:
        assert not set(fnmatch.filter(everything, pattern)) & changed, pattern


@pytest.mark.parametrize(("old", "new", "edit"), [
    ("_DOTTED.fullmatch(", "_DOTTED.fullmatch('' and ", Edit("verify/moments/engines/rigorous.py", ("rows ratio",), ())),
    ("todo += _modules(_parsed_mentions(path.read_bytes()), name, path)", "pass",
     Edit("verify/bounds/table.py", ("rows frontier",), ())),
    ("for name in statements[place].uses", "for name in ()",
     Edit("verify/report/figures/ratio.py", ("rows ratio",), (), old="DIGITS = 8", new="DIGITS = 9")),
], ids=["blind to names", "blind to what is imported", "blind to constants"])  # fmt: skip
def test_a_blind_follower_would_be_seen(project: Path, old: str, new: str, edit: Edit) -> None:
    """Each rule is needed: without it an edit that matters goes unnoticed; with it, it does not."""
    path = project / "verify/report/collect/imports.py"
    sighted = path.read_text(encoding="utf-8")
    given = json.dumps([(edit.file, edit.old, edit.new)])
    code = KEYS.replace("Installed.here().claims.values()", "()")
    assert old in sighted
    noticed = []
    for text in (sighted, sighted.replace(old, new)):
        path.write_text(text, encoding="utf-8")
        noticed.append(set(json.loads(python(project, code, given))["changed"][0]))
    path.write_text(sighted, encoding="utf-8")
    assert set(edit.again) <= noticed[0]
    assert not set(edit.again) & noticed[1]


DRAW = """
import sys
from pathlib import Path
from verify.report import figures
from verify.report.collect.cache import Cache
plot = next(p for p in figures.ALL if p.id == "series")
rows = [[str(10**k), f"1e-{k}", f"1e-{2 * k}", f"1e-{k}"] for k in range(1, 5)]
store = Cache(Path("store"))
figure = plot.filled(rows)
svg = store.get_or_make(figures.drawing_key(figure), lambda: figures.draw(figure))
print(store.computed, store.reused, "10⁻²" in svg, "10^-2" in svg)
"""


def test_other_labels_of_the_axes_are_on_the_next_drawing(project: Path) -> None:
    """The whole way: drawn, known, drawn again after an edit, known again after another."""
    ticks, bench = project / "verify/report/draw/ticks.py", project / "verify/bench/engines.py"
    assert python(project, DRAW).split() == ["1", "0", "True", "False"]
    assert python(project, DRAW).split() == ["0", "1", "True", "False"]
    text = ticks.read_text(encoding="utf-8")
    ticks.write_text(
        text.replace('"10" + str(whole).translate(_SUPERSCRIPTS)', '"10^" + str(whole)')
    )
    assert python(project, DRAW).split() == ["1", "0", "False", "True"]
    bench.write_text(bench.read_text(encoding="utf-8") + "\n# a remark\n")
    assert python(project, DRAW).split() == ["0", "1", "False", "True"]
    ticks.write_text(text, encoding="utf-8")


# -- the folder ------------------------------------------------------------------------------


def test_what_is_remembered_is_not_made_again(tmp_path: Path) -> None:
    made = []

    def make() -> list[int]:
        made.append(1)
        return [1, 2]

    cache = Cache(tmp_path)
    assert cache.get_or_make("key", make) == cache.get_or_make("key", make) == [1, 2]
    assert (len(made), cache.computed, cache.reused) == (1, 1, 1)


def test_without_a_folder_nothing_is_remembered() -> None:
    cache = Cache(None)
    cache.put("key", [1])
    assert cache.get("key") is None
