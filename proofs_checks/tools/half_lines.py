"""The paper's two half-line series in balls: see :mod:`verify.half_lines`."""

from __future__ import annotations

from verify.balls import precision
from verify.half_lines import HalfLines, acceleration_weights, reduction

__all__ = ["HalfLines", "acceleration_weights", "precision", "reduction"]
