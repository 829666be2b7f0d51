"""``python -m proofs_checks.kernel [--full] [--accept] [--jobs N]``; ``make formal`` runs it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from proofs_checks.kernel.audit import audit
from proofs_checks.kernel.build import ensure_coq
from proofs_checks.kernel.model import FormalError


def main(arguments: Sequence[str]) -> int:
    """0 if everything is as it should be, 1 and why if not, 130 if interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m proofs_checks.kernel",
        description="Compile the Coq proofs, ask the kernel what they say and assume.",
    )
    parser.add_argument(
        "--full",
        action="store_true",
        help="compile from clean, let coqchk read everything again, compare with the recorded result",
    )
    parser.add_argument(
        "--accept",
        action="store_true",
        help="what the theorems say now is what they should say: write it to formal/pinned.txt",
    )
    parser.add_argument(
        "--jobs", type=int, default=min(os.cpu_count() or 1, 4), help="files at a time"
    )
    options = parser.parse_args(arguments)
    if options.jobs < 1:
        parser.error("--jobs must be at least 1")
    try:
        ensure_coq()
        checked = audit(
            full=options.full,
            accept=options.accept,
            jobs=options.jobs,
            say=lambda line: print(line, flush=True),
        )
    except (FormalError, OSError) as error:
        print(f"formal: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("formal: interrupted; what was compiled is kept", file=sys.stderr)
        return 130
    used = sorted({axiom for t in checked for axiom in t.axioms})
    print(f"{len(checked)} theorems proved; axioms: {', '.join(used) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
