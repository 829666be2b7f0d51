"""A plain program as a harness of its own: ``python -m verify.conformance.plain plain-series``."""

import sys

from verify.conformance.healthy import serve
from verify.conformance.plain import PROGRAMS

if len(sys.argv) != 2 or sys.argv[1] not in PROGRAMS:
    sys.exit(f"give one of: {', '.join(PROGRAMS)}")
serve(PROGRAMS[sys.argv[1]])
