"""A truthful implementation that takes two milliseconds: sweeps that last, however fast the engine is."""

from __future__ import annotations

import json
import sys
import time

import verify

for line in sys.stdin:
    asked = json.loads(line)
    time.sleep(0.002)
    value = verify.rdp(asked["q"], asked["sigma"], asked["alpha"], digits=20).to_double()
    print(json.dumps({"id": asked["id"], "value": value.hex()}), flush=True)
