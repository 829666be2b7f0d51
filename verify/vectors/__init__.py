"""Test vectors of the sampled Gaussian's Rényi divergence, for implementations in any language.

``load()`` gives them all; ``select`` picks by flag and group. The files stand in ``data/`` next to
their schema, a manifest with checksums, and the notes of the flags.

    store      reads the published vectors
    flags      which mistake a vector catches
    grid       at which points the vectors stand
    generate   computes the vectors
    recompute  computes them again and compares
    schema     the published schema
    whole      vectors of whole runs

>>> vector = load()[0]
>>> vector.id, vector["rdp"].nearest
('default-orders/q=0.01,sigma=1.1,alpha=1.005', 6.347637636631871e-05)
"""

from verify.results.vectors import QUANTITIES, Expected, Flag, Vector
from verify.vectors.flags import FLAGS
from verify.vectors.store import BadVectors, load, select

__all__ = ["FLAGS", "QUANTITIES", "BadVectors", "Expected", "Flag", "Vector", "load", "select"]
