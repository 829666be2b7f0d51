"""The accounting is there when asked for, and not before."""

from __future__ import annotations

import subprocess
import sys

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
