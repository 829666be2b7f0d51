"""The pytest plugin, used as a maintainer of another library would use it."""

import subprocess
import sys

import pytest

pytest_plugins = ["pytester"]

HEALTHY = """
    from verify.conformance.healthy import rdp
"""
BROKEN = """
    from verify.conformance.known_wrong import REGISTRY
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
def project(pytester):
    def make(library, test=TEST, known=None):
        pytester.makepyfile(mylib=library, test_it=test)
        if known is not None:
            pytester.makeini("[pytest]\nsgm_exceptions = known.toml\n")
            (pytester.path / "known.toml").write_text(known)
        return pytester.runpytest_subprocess("-p", "no:cacheprovider")

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


def test_a_stale_exception_is_an_error(project):
    result = project(HEALTHY, known=KNOWN)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*stale exception*TwoModes (ada: fractions are truncated)*"])


def test_an_incomplete_exception_is_an_error(project):
    result = project(HEALTHY, known='[[exception]]\nflag = "TwoModes"\nowner = "ada"\n')
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*BadExceptions*"])


def test_fresh_points_are_asked_and_can_be_asked_again(project, pytester):
    """A table of the vectors is right at all of them."""
    library = """
        from verify.conformance.cheats import table_of_vectors
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
