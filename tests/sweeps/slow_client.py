"""Answers 1 to everything, after three milliseconds: sweeps that last, however fast the engine is."""

from __future__ import annotations

import json
import sys
import time

if __name__ == "__main__":
    for line in sys.stdin:
        time.sleep(0.003)
        print(json.dumps({"id": json.loads(line)["id"], "value": 1.0}), flush=True)
