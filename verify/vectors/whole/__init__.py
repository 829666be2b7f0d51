"""Test vectors of whole runs: epsilon, delta and the least noise of histories, for accountants.

flags     which mistake a vector shows
grid      which questions are published
recompute  computed again and compared
generate  their certified answers
store     reading the published file, and refusing anything else
"""

from verify.vectors.whole.flags import RUN_FLAGS
from verify.vectors.whole.store import load_runs, select_runs

__all__ = ["RUN_FLAGS", "load_runs", "select_runs"]
