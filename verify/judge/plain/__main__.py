"""A plain program as a harness of its own: ``python -m verify.judge.plain plain-series``."""

import sys

from verify.judge.plain import PROGRAMS
from verify.judge.selftest.healthy import serve

if len(sys.argv) != 2 or sys.argv[1] not in PROGRAMS:
    sys.exit(f"give one of: {', '.join(PROGRAMS)}")
serve(PROGRAMS[sys.argv[1]])
