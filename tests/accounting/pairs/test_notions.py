"""One vocabulary: every pair of words is answered or refused with a sentence, whatever the spelling."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from verify.accounting.pairs.notions import (
    RELATIONS,
    SAMPLINGS,
    TABLE,
    Standing,
    answerable_entry,
    relation_named,
    sampling_named,
)
from verify.numbers.errors import OutOfDomain
from verify.results import run_vectors


def test_the_table_has_every_pair():
    assert set(TABLE) == set(itertools.product(SAMPLINGS, RELATIONS))


def test_documents_have_the_same_words():
    """Questions to accountants and vectors: a new word has to stand in results/run_vectors.py as well."""
    assert set(run_vectors.SAMPLINGS) == set(SAMPLINGS)
    assert set(run_vectors.RELATIONS) == set(RELATIONS)


def test_the_page_of_samplings_explains_how_each_loader_draws():
    """Every sampling is the answer to a loader in the first table of the page."""
    page = (Path(__file__).parents[3] / "docs" / "samplings.md").read_text(encoding="utf-8")
    table = page.partition("## Look at your loader")[2].partition("\n## ")[0]
    assert [name for name in SAMPLINGS if f"`{name}`" not in table] == []


@pytest.mark.parametrize("pair", TABLE, ids=lambda pair: " ".join(pair))
def test_an_answer_names_its_data_sets_and_anything_else_its_reason(pair):
    entry = TABLE[pair]
    assert bool(entry.attained) == (entry.standing is not Standing.REFUSED)
    assert bool(entry.why) == (entry.standing is not Standing.EXACT)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Poisson", "poisson"),
        ("FIXED_SIZE", "fixed-size"),
        ("without replacement", "fixed-size"),
        ("Balls-and-Bins", "allocation"),
        (" Shuffling ", "shuffle"),
    ],
)
def test_letter_case_and_spelling_of_a_sampling_do_not_matter(written, meant):
    assert sampling_named(written) == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [("ADD/REMOVE", "add/remove"), ("add_or_remove_one", "add/remove"), ("Replace", "replace-one")],
)
def test_letter_case_and_spelling_of_a_relation_do_not_matter(written, meant):
    assert relation_named(written) == meant


def test_an_unknown_word_is_refused_with_the_choices():
    with pytest.raises(OutOfDomain, match="must be one of poisson, fixed-size"):
        sampling_named("lottery")


def test_a_relation_is_no_sampling():
    with pytest.raises(OutOfDomain):
        sampling_named("replace-one")


def test_what_nobody_knows_is_refused_with_its_sentence():
    with pytest.raises(OutOfDomain, match="batches of a shuffled epoch are not defined"):
        answerable_entry("shuffle", "add/remove")
