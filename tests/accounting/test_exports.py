"""The accounting is there when asked for, and not before."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction

import pytest

import verify


def test_the_questions_are_exported():
    for name in (
        "epsilon",
        "delta",
        "calibrate",
        "privacy_curve",
        "history_epsilon",
        "history_delta",
    ):
        assert callable(getattr(verify, name))


def test_what_the_questions_return_is_exported():
    epsilon = verify.epsilon("0.01", 1, 1000, "1e-5", 6)
    assert isinstance(epsilon, verify.Certified)
    curve = verify.privacy_curve("0.01", 1, 1000, epsilons=[1], digits=6)
    assert isinstance(curve, verify.PrivacyCurve)
    assert isinstance(curve[0], verify.CurvePoint)
    assert isinstance(verify.calibrate(epsilon=1, delta="1e-5", q=1, steps=10), verify.Calibrated)
    run = verify.Run.of(q="0.01", sigma=1, steps=1000)
    assert isinstance(run.stages[0], verify.Stage)


def test_a_run_has_a_curve_and_json():
    run = verify.Run.of_loader(records=100, batch=10, epochs=10, sigma=2, sampling="poisson")
    curve = run.curve(deltas=["1e-5"], digits=6)
    assert curve[0].epsilon.lo == run.epsilon("1e-5", 6).lo
    told = json.loads(json.dumps(curve[0].epsilon.as_json(6)))
    assert float(told["lo"]) <= float.fromhex(told["double"]) <= float(told["hi"])
    assert verify.Bracketed(Fraction(1, 3), Fraction(1, 2)).as_json()["double"] is None


def test_unknown_names_are_unknown():
    with pytest.raises(AttributeError):
        _ = verify.epsilons


def test_importing_verify_does_not_load_the_accounting_nor_numpy():
    code = (
        "import sys, verify; verify.rdp('0.01', 1, 2);"
        "assert not any(m.startswith('verify.accounting') for m in sys.modules);"
        "verify.epsilon('0.01', 1, 1000, '1e-5', 10);"
        "assert 'numpy' not in sys.modules and 'mpmath' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
