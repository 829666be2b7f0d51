"""Real libraries by name. Environments need pip and a package index: set SGM_VERIFY_LIBRARIES=1."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from verify.judge.protocol.harness import Harness, HarnessFailed, Limits, run
from verify.judge.protocol.libraries import ADAPTERS, BadAdapter, canonical, known_libraries, parse
from verify.judge.protocol.targets import checkout, commit_of, installed_target, release
from verify.judge.verdict.grading import Grade
from verify.judge.verdict.judged import judge_answers, questions
from verify.numbers.errors import OutOfDomain
from verify.vectors import load
from verify.vectors.recompute import sample

needs_network = pytest.mark.skipif(
    "SGM_VERIFY_LIBRARIES" not in os.environ,
    reason="installs packages with pip; set SGM_VERIFY_LIBRARIES=1 to run",
)


@pytest.mark.parametrize("library", known_libraries().values(), ids=known_libraries())
def test_adapters_stand_alone(library):
    """An adapter runs where this project is not installed: its library is, and what it says the library needs."""
    there = {library.adapter.stem, "serve", *map(module_of, library.needs or ())}
    found = set(imported(library.adapter))
    assert found <= set(sys.stdlib_module_names) | there
    stem = (
        library.adapter.stem
    )  # letter for letter: the version is read where the package of that name is
    assert {name for name in found if name.lower() == stem.lower()} <= {stem}


def module_of(requirement):
    """The module that a requirement installs, if it is named after it: dp-accounting==0.6.0 is dp_accounting."""
    return requirement.partition("==")[0].replace("-", "_")


def test_the_shared_loop_stands_alone():
    assert imported(ADAPTERS / "serve.py") <= set(sys.stdlib_module_names)


def imported(path):
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            found.add(node.module.partition(".")[0])
    return found


# -- one file a library --------------------------------------------------------------------

GOOD = '''"""Something: the value without sampling."""

NAME = "some-accountant"
VERSION = "1.0"
NEEDS = None


def load():
    from some_accountant import noise

    print("what a library prints is no answer")

    def rdp(q, sigma, alpha):
        return alpha / (2 * noise(sigma))

    def epsilon(q, sigma, steps, delta):
        return q * sigma * steps * delta

    return {"rdp": rdp, "epsilon": epsilon}
'''


@pytest.fixture
def folder(tmp_path):
    """Adapters, one of them for a library that is called like its file."""
    made = tmp_path / "adapters"
    made.mkdir()
    (made / "serve.py").write_text((ADAPTERS / "serve.py").read_text())
    (made / "some_accountant.py").write_text(GOOD)
    return made


def test_adding_a_file_adds_a_library(folder):
    library = known_libraries(folder)["some-accountant"]
    assert (library.version, library.needs) == ("1.0", None)
    assert library.about == "Something: the value without sampling."


def test_the_adapter_of_the_documentation_is_complete(tmp_path, monkeypatch, capsys):
    """A file like it is found, gives its function, and shows how the library is called by hand."""
    page = (Path(__file__).parents[2] / "docs" / "conformance.md").read_text(encoding="utf-8")
    code = page.partition("### Adding a library")[2].partition("```python\n")[2].partition("```")[0]
    (tmp_path / "some_accountant.py").write_text(code)
    assert known_libraries(tmp_path)["some-accountant"].version == "1.2.3"
    library = SimpleNamespace(compute_rdp=lambda q, sigma, steps, orders: [q * sigma * orders[0]])
    monkeypatch.setitem(sys.modules, "some_accountant", library)
    names = {}
    exec(code, names)
    assert names["load"]()["rdp"](0.5, 2.0, 3.0) == 3.0
    exec(names["SNIPPET"], {"q": 0.5, "sigma": 2.0, "alpha": 3.0})
    assert capsys.readouterr().out == "3.0\n"


def test_an_adapter_may_have_other_names_of_its_own(folder):
    (folder / "some_accountant.py").write_text(GOOD.replace("NEEDS", "ORDERS = range(9)\nNEEDS", 1))
    assert "some-accountant" in known_libraries(folder)


def test_what_it_says_is_read_without_running_it(folder):
    (folder / "some_accountant.py").write_text(GOOD + "raise SystemExit\n")
    assert "some-accountant" in known_libraries(folder)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('NAME = "some-accountant"', ""),
        ('VERSION = "1.0"', "VERSION = 1.0"),
        ('VERSION = "1.0"', 'VERSION = str("1.0")'),
        ("NEEDS = None", ""),
        ("NEEDS = None", "NEEDS = (1,)"),
        ("NEEDS = None", 'NEEDS = "numpy"'),
        ("def load", "def loaded"),
        ("def load", "def load load"),
        (GOOD.splitlines()[0], ""),
    ],
)
def test_an_incomplete_adapter_is_one_clear_error(folder, old, new):
    (folder / "some_accountant.py").write_text(GOOD.replace(old, new, 1))
    with pytest.raises(BadAdapter, match=r"^some_accountant\.py: [^\n]+$"):
        known_libraries(folder)


def test_two_adapters_for_one_library_are_an_error(folder):
    (folder / "other.py").write_text(GOOD)
    with pytest.raises(BadAdapter, match="already"):
        known_libraries(folder)


def ask(folder, *questions):
    """The real program, in an environment that has the library and not this project."""
    site = folder.parent / "site" / "some_accountant"
    site.mkdir(parents=True)
    (site / "__init__.py").write_text("def noise(sigma):\n    return sigma * sigma\n")
    done = subprocess.run(
        [sys.executable, folder / "serve.py", folder / "some_accountant.py"],
        input="".join(json.dumps(q) + "\n" for q in questions),
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(site.parent)},
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def question(quantity="rdp", **parameters):
    return {"id": "7", "quantity": quantity, "q": 0.5, "sigma": 2.0, **parameters}


def test_the_shared_loop_answers(folder):
    said = ask(folder, question(alpha=3.0), question(alpha="inf"), question(alpha=0.0, sigma=0.0))
    assert said[:2] == [{"id": "7", "value": 0.375}, {"id": "7", "value": "inf"}]
    assert said[2]["error"].startswith("ZeroDivisionError")


def test_an_adapter_may_offer_more_quantities(folder):
    said = ask(folder, question("epsilon", steps=4, delta=0.25), question("log_a", alpha=2.0))
    assert said == [{"id": "7", "value": 1.0}, {"id": "7", "error": "only rdp, epsilon"}]


# -- by name -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec", ["no-such-library", "opacus>=1", "opacus==1; rm", "--help", "", "opacus=="]
)
def test_unknown_specifications_are_one_clear_error(spec):
    with pytest.raises(HarnessFailed, match="no library known here"):
        parse(spec)


def test_names_are_normalised():
    assert parse("Dp_Accounting==0.4.3") == (known_libraries()["dp-accounting"], "0.4.3")


@pytest.mark.parametrize(("one", "other"), [("1.6", "1.6.0"), ("1.0.0", "1"), ("V2.0", "2")])
def test_one_release_has_many_spellings(one, other):
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    ("one", "other"), [("1.6", "1.6.1"), ("1.10", "1.1"), ("1.0.0rc1", "1.0.0")]
)
def test_other_releases_are_others(one, other):
    assert canonical(one) != canonical(other)


def test_an_interpreter_without_the_library_is_one_clear_error():
    with pytest.raises(HarnessFailed, match="cannot be loaded"):
        installed_target("deepee", sys.executable)


def test_an_interpreter_that_does_not_exist_is_one_clear_error():
    with pytest.raises(HarnessFailed, match="cannot run"):
        installed_target("opacus", "/no/such/python")


# -- version and code are of one place ---------------------------------------------------------

SOURCE = "def compute_rdp(q, noise_multiplier, steps, orders):\n    return [0.5 for _ in orders]\n"


def package(root, version=None):
    """An opacus of our own; with a version it is installed, else it is a checkout."""
    folder = root / "opacus" / "accountants" / "analysis"
    folder.mkdir(parents=True)
    (root / "opacus" / "__init__.py").write_text("")
    (folder / "rdp.py").write_text(SOURCE)
    if version:
        info = root / f"opacus-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: opacus\nVersion: {version}\n")
    return root


def test_what_is_installed_says_its_version(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(package(tmp_path, "1.2.3")))
    found = installed_target("opacus", sys.executable)
    assert (found.version, found.code) == ("1.2.3", str(tmp_path / "opacus"))
    assert found.python.endswith(".".join(map(str, sys.version_info[:3])))


def test_a_version_other_than_the_one_asked_for_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(package(tmp_path, "1.2.3")))
    with pytest.raises(HarnessFailed, match=r"asked for 1\.6\.0, .* has 1\.2\.3"):
        installed_target("opacus==1.6.0", sys.executable)


def test_code_that_shadows_the_installed_one_is_not_given_its_version(tmp_path, monkeypatch):
    """Two places on the path: the code of the first would be judged under the version of the second."""
    code, version = package(tmp_path / "a"), package(tmp_path / "b", "1.2.3")
    monkeypatch.setenv("PYTHONPATH", f"{code}{os.pathsep}{version}")
    with pytest.raises(HarnessFailed, match="belongs to no installed version"):
        installed_target("opacus", sys.executable)


def git(folder, *words):
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", "-C", folder, *who, *words], check=True, capture_output=True)


def test_a_checkout_is_judged_with_its_commit(tmp_path):
    package(tmp_path)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    found = checkout("opacus", tmp_path, sys.executable)
    assert found.code == str(tmp_path / "opacus")
    assert re.fullmatch("[0-9a-f]{40}", found.commit)
    (tmp_path / "opacus" / "more.py").write_text("")
    assert commit_of(tmp_path) == found.commit + "+"


def test_a_checkout_of_a_library_of_one_module_is_judged(folder, tmp_path, monkeypatch):
    library = known_libraries(folder)["some-accountant"]
    monkeypatch.setattr("verify.judge.protocol.targets.parse", lambda name: (library, "1.0"))
    code = tmp_path / "code"
    code.mkdir()
    (code / "some_accountant.py").write_text("def noise(sigma):\n    return sigma**2\n")
    found = checkout("some-accountant", code, sys.executable)
    assert found.code == str(code / "some_accountant.py")


@pytest.mark.parametrize("name", ["", "nothing"])
def test_a_folder_without_the_library_is_one_clear_error(tmp_path, name):
    with pytest.raises(OutOfDomain, match="--checkout"):
        checkout("opacus", tmp_path / name, sys.executable)


@needs_network
@pytest.mark.parametrize("name", known_libraries())
def test_every_library_answers(name):
    program = release(name)
    vectors = sample(load(), 60, seed=4)
    with Harness(list(program.command), Limits()) as harness:
        answers = run(harness, questions(vectors, "rdp"), seed=0)
    found = judge_answers(vectors, "rdp", answers)
    assert found.answered
    assert harness.violations == []
    assert found.counts[Grade.CORRECT] + found.counts[Grade.NO_ANSWER] < len(vectors)
