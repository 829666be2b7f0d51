"""Draws docs/exact-epsilon.svg: what accountants report for ordinary runs, and the exact epsilon.

    python docs/exact_epsilon.py

The numbers are computed when it is drawn; tests/docs compares the file with a fresh drawing.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from verify.accounting.history import history
from verify.accounting.questions import Account
from verify.accounting.rdp import rdp_table
from verify.numbers.budget import Deadline

FILE = Path(__file__).parent / "exact-epsilon.svg"
RUNS = (  # name, q, sigma, steps, delta: those of docs/accounting.md that train ordinary models
    ("MNIST, as in Opacus", "64/60000", "1", 9380, "1e-5"),
    ("MNIST, as in TF Privacy", "256/60000", "1.1", 14062, "1e-5"),
    ("language model", "1/1000", "0.7", 10000, "1e-6"),
    ("CIFAR-10", "2048/50000", "1.5", 2450, "1e-5"),
    ("ImageNet", "16384/1281167", "2.5", 70000, "8e-7"),
)
BARS = (  # colour, what it is
    ("#1b4f8f", "exact"),
    ("#d98032", "RDP accountant, default orders, best conversion"),
    ("#b9b9b9", "the same with the basic conversion"),
)
_LEFT, _SCALE, _BAR, _GAP, _TOP = 236, 48, 13, 16, 86


def numbers(q: str, sigma: str, steps: int, delta: str) -> tuple[float, float, float]:
    """The exact epsilon, and those of an accountant by way of RDP with dp-accounting's orders."""
    phases = history([(q, sigma, steps)])
    exact = Account(phases).epsilon(delta, 10)
    table = rdp_table(phases, Fraction(delta), 10, Deadline(), ("cks", "mironov"))
    by = {(one.orders, one.conversion): float(one.epsilon.hi) for one in table}
    return float(exact), by["dp-accounting", "cks"], by["dp-accounting", "mironov"]


def drawn() -> str:
    """The drawing, the same for the same numbers."""
    parts, y = [], _TOP
    for name, q, sigma, steps, delta in RUNS:
        parts.append(_text(_LEFT - 10, y + 1.5 * _BAR, name, "end"))
        about = f"q = {q}, sigma = {sigma}, {steps} steps"
        parts.append(_text(_LEFT - 10, y + 1.5 * _BAR + 14, about, "end", 9, "#555"))
        for (colour, _), value in zip(BARS, numbers(q, sigma, steps, delta), strict=True):
            parts.append(
                f'<rect x="{_LEFT}" y="{y}" width="{_SCALE * value:.1f}" height="{_BAR - 1}" fill="{colour}"/>'
            )
            parts.append(_text(_LEFT + _SCALE * value + 5, y + _BAR - 3, f"{value:.2f}", size=10))
            y += _BAR
        y += _GAP
    legend = []
    for i, (colour, what) in enumerate(BARS):
        legend.append(
            f'<rect x="{_LEFT}" y="{28 + 16 * i}" width="12" height="10" fill="{colour}"/>'
        )
        legend.append(_text(_LEFT + 18, 37 + 16 * i, what, size=11))
    title = _text(
        12, 18, "epsilon of ordinary training runs at their delta", size=13, weight="bold"
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {y}" width="720" height="{y}"'
            ' font-family="sans-serif" role="img">',
            "<title>For ordinary runs an RDP accountant reports more than the exact epsilon</title>",
            f'<rect width="720" height="{y}" fill="#fff"/>',
            title,
            *legend,
            *parts,
            "</svg>\n",
        ]
    )


def _text(
    x: float, y: float, text: str, anchor: str = "start", size: int = 12, fill: str = "#222",
    weight: str = "normal",
) -> str:  # fmt: skip
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
        f'font-weight="{weight}" fill="{fill}">{text}</text>'
    )


if __name__ == "__main__":
    FILE.write_text(drawn(), encoding="utf-8")
