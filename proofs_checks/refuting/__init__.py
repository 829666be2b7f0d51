"""Refuting a formula: a point of its domain at which its own two sides fail, certified by balls.

    domain    the printed domain of a claim, read as conditions that balls decide
    search    points of that domain, and a formula looked at there

A claim's domain is LaTeX that people read; what is read here is the same text, so that "inside the domain"
means what the report prints. A domain with words in it cannot be read, and then nothing is refuted.
"""

from proofs_checks.refuting.search import counterexample

__all__ = ["counterexample"]
