"""All parts of a run are made by the same programs."""

from __future__ import annotations

import pytest

from tests.sweeps import injecting
from tests.sweeps.test_spec import GOOD, spec
from verify.numbers.errors import OutOfDomain
from verify.parallel import programs as module
from verify.parallel.programs import programs
from verify.sweeps.work import Batch, compute


@pytest.fixture
def _other_flint(monkeypatch):
    """This process alone has another python-flint."""
    programs.cache_clear()
    known = module.importlib.metadata.version
    monkeypatch.setattr(
        module.importlib.metadata,
        "version",
        lambda name: "0.0.1" if name == "python-flint" else known(name),
    )
    yield
    programs.cache_clear()


def batch(**more):
    return Batch(spec(GOOD).text, 0, 3, frozenset(), 0.1, 60.0, **more)


def test_a_worker_with_other_programs_computes_nothing():
    other = programs().replace("python-flint ", "python-flint 9")
    with pytest.raises(OutOfDomain, match=r"a worker on .* has .*; the sweep is made by .*flint 9"):
        compute(batch(programs=other))
    assert len(compute(batch()).rows) == 3


@pytest.mark.usefixtures("_other_flint")
def test_a_batch_carries_the_programs_of_the_one_who_gives_it_out():
    assert batch().programs.endswith("python-flint 0.0.1")


@pytest.mark.usefixtures("_other_flint")
def test_a_cluster_with_another_flint_is_refused_before_anything_begins():
    pytest.importorskip("distributed")
    from verify.parallel.cluster import DaskCluster

    with (
        injecting.cluster() as (address, _, _),
        pytest.raises(OutOfDomain, match=r"here it is .*0\.0\.1"),
    ):
        DaskCluster(address)


def test_a_batch_says_how_long_an_answer_may_take():
    assert 60.0 * 5 < batch().longest < 3600.0
