"""What calibrates with dp-accounting: jax-privacy, and TensorFlow Privacy's file that does it. Run by
tests/frameworks/test_real.py.

The package of TensorFlow Privacy asks for TensorFlow and an old dp-accounting; the file for noise
needs neither, so it is loaded by itself.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

dp = pytest.importorskip("dp_accounting", reason="run by tests/frameworks/test_real.py")
jax_privacy = pytest.importorskip("jax_privacy", reason="run by tests/frameworks/test_real.py")
from jax_privacy.accounting import accountants, analysis, calibrate  # noqa: E402
from jax_privacy.experimental import accounting, execution_plan  # noqa: E402

import verify  # noqa: E402
from verify.frameworks.dp_accounting import ExactAccountant  # noqa: E402

TENSORFLOW_PRIVACY = os.environ.get("SGM_VERIFY_TENSORFLOW_PRIVACY", "")
RECORDS, BATCH, STEPS, DELTA = 50_000, 500, 1000, 1e-5
Q = BATCH / RECORDS


class ExactConfig(accountants.DpAccountantConfig):
    """As docs/frameworks.md shows it."""

    def create_accountant(self):
        return ExactAccountant()


def least_noise(epsilon):
    return verify.calibrate(epsilon=epsilon, delta=DELTA, q=Q, steps=STEPS).value


def jax_noise(config):
    return calibrate.calibrate_noise_multiplier(
        target_epsilon=2.0,
        accountant=analysis.DpsgdTrainingAccountant(config),
        batch_sizes=BATCH,
        num_updates=STEPS,
        num_samples=RECORDS,
        target_delta=DELTA,
        tol=1e-4,
    )


def test_jax_privacy_reports_the_exact_epsilon():
    params = analysis.DpParams(
        noise_multipliers=1.0, num_samples=RECORDS, batch_size=BATCH, delta=DELTA
    )
    found = analysis.DpsgdTrainingAccountant(ExactConfig()).compute_epsilon(STEPS, params)
    assert found == verify.epsilon(Q, 1.0, STEPS, DELTA).to_double_up()


def test_jax_privacy_calibrates_noise():
    found, exact = jax_noise(ExactConfig()), least_noise(2)
    assert exact <= found <= exact + 3e-4
    assert found < jax_noise(accountants.RdpAccountantConfig())


def test_jax_privacy_plans_a_run():
    """Its plans copy the accountant that they are given, for each trial of the search."""
    plan = execution_plan.BandMFExecutionPlanConfig(
        iterations=STEPS,
        strategy=[1.0],
        epsilon=2.0,
        delta=DELTA,
        sampling_prob=Q,
        partition_type=jax_privacy.batch_selection.PartitionType.INDEPENDENT,
        accountant=ExactAccountant(),
    ).plan
    run = verify.read_run(plan.dp_event)
    assert 1.99 < run.epsilon(DELTA).to_double_up() <= 2


def test_events_of_jax_privacy_are_runs():
    event = accounting.dpsgd_event(1.0, STEPS, sampling_prob=Q)
    exact = verify.epsilon(Q, 1.0, STEPS, DELTA)
    assert verify.read_run(event).epsilon(DELTA).text() == exact.text()


def tensorflow_noise():
    """The function behind its command compute_noise_from_budget: 20 epochs are 2000 steps."""
    path = Path(TENSORFLOW_PRIVACY) / "tensorflow_privacy/privacy/analysis"
    spec = importlib.util.spec_from_file_location(
        "compute_noise", path / "compute_noise_from_budget_lib.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.compute_noise(RECORDS, BATCH, 2.0, 20, DELTA, 0.5)


def test_tensorflow_privacy_calibrates_noise(monkeypatch):
    """It names its accountant in the function, so that is what is replaced."""
    theirs = tensorflow_noise()
    monkeypatch.setattr(dp.rdp, "RdpAccountant", lambda orders: ExactAccountant())
    found = tensorflow_noise()
    exact = verify.calibrate(epsilon=2, delta=DELTA, q=Q, steps=2000).value
    assert exact <= found <= exact + 1e-4
    assert found < theirs
