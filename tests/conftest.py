"""Hypothesis profiles: dev (default), ci (derandomised), thorough (tens of thousands of examples).

Choose with HYPOTHESIS_PROFILE=thorough. Timing is never judged, so there is no deadline.
"""

from __future__ import annotations

import os

import pytest
from flint import ctx
from hypothesis import HealthCheck, settings

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", max_examples=40, **_COMMON)
settings.register_profile("ci", max_examples=60, derandomize=True, **_COMMON)
settings.register_profile("thorough", max_examples=20_000, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))


@pytest.fixture(autouse=True)
def _global_precision_untouched():
    """python-flint's precision is global: no test and no function may leave it changed."""
    before = ctx.prec
    yield
    assert ctx.prec == before
