"""Runs as they were published, and ordinary ones: what accountants are compared at."""

from __future__ import annotations

from fractions import Fraction

# (name, q, sigma, steps, delta): batch/size, noise and length of published and ordinary runs
RUNS: tuple[tuple[str, Fraction, float, int, float], ...] = (
    ("MNIST tutorial, TF Privacy", Fraction(256, 60000), 1.1, 14062, 1e-5),
    ("MNIST tutorial, Opacus", Fraction(64, 60000), 1.0, 9380, 1e-5),
    ("CIFAR-10, Opacus", Fraction(2048, 50000), 1.5, 2450, 1e-5),
    ("CIFAR-10, large batch", Fraction(4096, 50000), 3.0, 2500, 1e-5),
    ("IMDB", Fraction(512, 25000), 0.56, 975, 1e-5),
    ("language model", Fraction(1, 1000), 0.7, 10_000, 1e-6),
    ("ImageNet", Fraction(16384, 1281167), 2.5, 70_000, 8e-7),
    ("tiny rate", Fraction(1, 10_000), 0.8, 100_000, 1e-6),
    ("quick test", Fraction(1, 100), 1.0, 1000, 1e-5),
    ("census-like", Fraction(1, 10), 10.0, 1000, 1e-8),
    ("long run", Fraction(1, 200), 1.0, 200_000, 1e-7),
    ("few large steps", Fraction(1, 4), 4.0, 60, 1e-5),
)
