"""Checking a Python function in a test suite, with a list of known failures."""

import pytest

from verify.conformance import healthy
from verify.conformance.inprocess import BadSkipList, Skip, check, read_skips
from verify.conformance.known_wrong import REGISTRY
from verify.vectors import load, select

VECTORS = select(load(), ("OrderOne", "TwoModes"))
TRUNCATED = REGISTRY["truncated-order"].rdp
FLAG = Skip("ada", "fractions are truncated", flag="TwoModes")


def test_a_healthy_function_has_no_complaints():
    assert check(healthy.rdp, VECTORS) == []


def test_a_broken_one_has():
    complaints = check(TRUNCATED, VECTORS)
    assert "vectors fail" in complaints[0]


def test_a_skip_hides_failures():
    assert check(TRUNCATED, VECTORS, skips=[FLAG]) == []


def test_a_skip_hides_nothing_else():
    assert check(REGISTRY["sigma-squared"].rdp, VECTORS, skips=[Skip("a", "b", flag="OrderOne")])


def test_a_stale_skip_is_a_complaint():
    (complaint,) = check(healthy.rdp, VECTORS, skips=[FLAG])
    assert complaint.startswith("stale skip")


def test_a_stale_skip_of_one_vector_is_a_complaint():
    integer = next(v for v in VECTORS if "IntegerOrder" in v.flags)
    complaints = check(
        TRUNCATED, VECTORS, skips=[FLAG, Skip("ada", "was wrong once", id=integer.id)]
    )
    assert [c for c in complaints if c.startswith("stale skip") and integer.id in c]


def test_an_exception_is_an_answer():
    def refuses(q, sigma, alpha):
        raise RuntimeError("no\x1b")

    complaints = check(refuses, VECTORS)
    assert "no answer" in complaints[1]
    assert "\x1b" not in "".join(complaints)


@pytest.mark.parametrize(
    "text",
    [
        '[[skip]]\nflag = "TwoModes"\nowner = "ada"\n',
        '[[skip]]\nflag = "TwoModes"\nreason = "because"\n',
        '[[skip]]\nflag = "TwoModes"\nowner = "ada"\nreason = " "\n',
        '[[skip]]\nflag = "TwoModes"\nid = "x"\nowner = "ada"\nreason = "because"\n',
        '[[skip]]\nid = "no-such-vector"\nowner = "ada"\nreason = "because"\n',
        '[[skip]]\nflag = "NoSuchFlag"\nowner = "ada"\nreason = "because"\n',
        '[[skip]]\nflag = 1\nowner = "ada"\nreason = "because"\n',
        "[[skip]\n",
        "skip = 1\n",
        "other = 1\n",
    ],
)
def test_a_skip_list_must_be_complete_and_true(tmp_path, text):
    path = tmp_path / "skips.toml"
    path.write_text(text)
    with pytest.raises(BadSkipList, match=r"skips\.toml"):
        read_skips(path, load())


def test_a_missing_skip_list_is_an_error(tmp_path):
    with pytest.raises(BadSkipList):
        read_skips(tmp_path / "none.toml", load())


def test_skips_are_read(tmp_path):
    path = tmp_path / "skips.toml"
    path.write_text(
        '[[skip]]\nflag = "TwoModes"\nowner = "ada"\nreason = "fractions are truncated"\n'
    )
    assert read_skips(path, load()) == [FLAG]
