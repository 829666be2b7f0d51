# Check a function against the published vectors: python consumer.py dp-sgd.json
import json
import math
import sys


def my_rdp(q: float, sigma: float, alpha: float) -> float:  # yours goes here
    n, total = int(alpha), 0.0  # a small whole order by the binomial sum, as an example
    for k in range(n + 1):
        weight = math.comb(n, k) * (1 - q) ** (n - k) * q**k
        total += weight * math.exp((k * k - k) / (2 * sigma**2))
    return math.log(total) / (alpha - 1)


for v in json.load(open(sys.argv[1]))["vectors"]:  # noqa: SIM115, PTH123  # short on purpose
    q, sigma, alpha = (float(v[name]["dec"]) for name in ("q", "sigma", "alpha"))
    if "IntegerOrder" in v["flags"] and alpha <= 16:  # what it supports
        got, truth = my_rdp(q, sigma, alpha), float(v["rdp"]["nearest_dec"])
        if not abs(got - truth) <= 1e-6 * truth + 1e-12:
            sys.exit(f"{v['id']}: {got!r}, and the truth is {truth!r}")
