"""The pytest plugin, used as a maintainer of another library would use it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
ROOT = Path(__file__).parents[2]

HEALTHY = """
    from verify.judge.selftest.healthy import rdp
"""
BROKEN = """
    from verify.judge.causes.known_wrong import REGISTRY
    rdp = REGISTRY["truncated-order"].rdp
"""
TEST = """
    import pytest
    from mylib import rdp

    @pytest.mark.parametrize("flag", ["OrderOne", "TwoModes"])
    def test_rdp(sgm_vectors, flag):
        sgm_vectors.check(rdp, flags=[flag])
"""


@pytest.fixture
def project(pytester, monkeypatch):
    """Somebody's project; the plugin is that of this checkout, not the copy that was installed with it."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)

    def make(library, test=TEST, known=None, arguments=()):
        pytester.makepyfile(mylib=library, test_it=test)
        if known is not None:
            pytester.makeini("[pytest]\nsgm_exceptions = known.toml\n")
            (pytester.path / "known.toml").write_text(known)
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", *arguments)

    return make


def test_a_healthy_library_passes(project):
    project(HEALTHY).assert_outcomes(passed=2)


def test_a_broken_library_fails_where_it_is_broken(project):
    result = project(BROKEN)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*wrong, UNSAFE: q=*", "*truth*"])


KNOWN = '[[exception]]\nflag = "TwoModes"\nowner = "ada"\nreason = "fractions are truncated"\n'


def test_a_known_failure_is_excused(project):
    project(BROKEN, known=KNOWN).assert_outcomes(passed=2)


def test_a_stale_exception_is_an_error_at_the_end(project):
    result = project(HEALTHY, known=KNOWN)
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(["*stale exception*TwoModes (ada: fractions are truncated)*"])


def test_a_worker_does_not_call_an_exception_stale(project):
    """It sees a part of the tests only."""
    project(HEALTHY, known=KNOWN, arguments=("-n", "1")).assert_outcomes(passed=2)


def test_a_session_started_by_a_worker_is_no_worker(project, monkeypatch):
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    project(HEALTHY, known=KNOWN).assert_outcomes(passed=2, errors=1)


def test_an_incomplete_exception_is_an_error(project):
    result = project(HEALTHY, known='[[exception]]\nflag = "TwoModes"\nowner = "ada"\n')
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*BadExceptions*"])


def test_fresh_points_are_asked_and_can_be_asked_again(project, pytester):
    """A table of the vectors is right at all of them."""
    library = """
        from verify.judge.selftest.cheats import table_of_vectors
        rdp = table_of_vectors()
    """
    test = """
        from mylib import rdp
        def test_it(sgm_vectors):
            sgm_vectors.check(rdp, fresh=40)
    """
    result = project(library, test)
    result.assert_outcomes(failed=1)
    seed = next(x for x in result.outlines if "again: --sgm-seed" in x).split()[-1]
    again = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--sgm-seed", seed)
    again.assert_outcomes(failed=1)
    told = [[x for x in r.outlines if " points fail" in x] for r in (result, again)]
    assert told[0] == told[1] != []


def test_a_domain_says_what_is_supported(project):
    test = """
        from mylib import rdp
        def test_it(sgm_vectors):
            sgm_vectors.check(rdp, domain="whole")
    """
    project(BROKEN, test).assert_outcomes(passed=1)


def test_vectors_are_filtered_by_flag(project):
    test = """
        def test_it(sgm_vectors):
            chosen = sgm_vectors("EarlyStop")
            assert chosen and all("EarlyStop" in v.flags for v in chosen)
            assert len(sgm_vectors()) > len(chosen)
    """
    project(HEALTHY, test).assert_outcomes(passed=1)


def test_the_oracle_answers_anywhere(project):
    test = """
        import math, pytest
        from mylib import rdp

        def test_value(sgm_oracle):
            truth = sgm_oracle(0.0123, 1.7, 3.21)
            assert math.isclose(rdp(0.0123, 1.7, 3.21), truth.to_double(), rel_tol=1e-12)

        def test_check(sgm_oracle):
            sgm_oracle.check(rdp(0.0123, 1.7, 3.21), 0.0123, 1.7, 3.21)

        def test_wrong(sgm_oracle):
            sgm_oracle.check(rdp(0.0123, 1.7, 3.21) * 1.001, 0.0123, 1.7, 3.21)
    """
    result = project(HEALTHY, test)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*inexact, overstated: q=0.0123*"])


def test_the_plugin_loads_nothing_until_it_is_used():
    code = (
        "import sys, sgm_verify_pytest; sys.exit('verify' in sys.modules or 'flint' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_pytest_that_does_not_use_it_does_not_notice(pytester):
    pytester.makepyfile("import sys\ndef test_it():\n    assert 'verify' not in sys.modules\n")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-W", "error")
    result.assert_outcomes(passed=1)


SHARED = """
    from verify.judge.selftest.healthy import rdp as healthy
    from mylib import rdp

    def test_broken(sgm_vectors):
        sgm_vectors.check(rdp, flags=["TwoModes"])

    def test_healthy(sgm_vectors):
        sgm_vectors.check(healthy, flags=["TwoModes"])
"""


def test_a_line_that_one_test_needs_does_not_fail_another(project):
    project(BROKEN, SHARED, KNOWN).assert_outcomes(passed=2)


RUNS = """
    from mylib import epsilon, delta, sigma

    def test_published(sgm_runs):
        sgm_runs.check(epsilon, delta, sigma, flags=["DropsPhase", "SmallTarget"])

    def test_vectors(sgm_runs):
        assert len(sgm_runs("Window")) > 20
"""
ACCOUNTANT = """
    from verify.judge.selftest.accountants.certified import epsilon, delta
    from verify.judge.selftest.accountants import certified

    def sigma(q, steps, delta, epsilon):
        return certified.sigma(q, steps, epsilon, delta)
"""
NOTHING_ASKED = """
    from mylib import epsilon

    def test_other_samplings(sgm_runs):
        sgm_runs.check(epsilon, flags=["OtherNotion"])
"""
FORGETS = """
    from verify.judge.selftest.accountants import certified

    def epsilon(history, delta):
        return certified.epsilon(history[:1], delta)

    delta = sigma = None
"""


def test_a_healthy_accountant_passes(project):
    project(ACCOUNTANT, RUNS).assert_outcomes(passed=2)


def test_an_accountant_that_forgets_phases_fails(project):
    result = project(FORGETS, RUNS)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*questions fail*", "*UNSAFE: histories/*", "*again: --sgm-seed*"])


def test_a_check_that_asks_nothing_is_no_pass(project):
    """Functions of a history are not told the sampling, so they are not asked about other ones."""
    result = project(ACCOUNTANT, NOTHING_ASKED)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*nothing is asked*"])
