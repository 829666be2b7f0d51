"""Poisson sampling when records are replaced, or several are added or removed: pairs of Gaussian mixtures.

side       one direction of a run, and the proofs of the pairs
step       one step off the real line
transform  psi at complex orders, and bounds on it
table      delta(epsilon) as an integral over a vertical line
plan       where to integrate, in doubles
sketch     one step in doubles
exact      one step and two steps in closed form
bracket    the independent route by convolution
brute      sums over outcomes, for the audit
renyi      Renyi divergences at real orders
"""

from __future__ import annotations

from verify.accounting.pairs.mixtures.side import Mixture

__all__ = ["Mixture"]
