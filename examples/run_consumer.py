# Check an accountant against the published vectors of whole runs: python run_consumer.py whole-runs.json
import json
import math
import sys


def my_epsilon(history: list[tuple[float, float, int]], delta: float) -> float:  # yours goes here
    def rdp(q: float, sigma: float, n: int) -> float:  # one step, as an example by the binomial sum
        logs = [
            math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * math.log(q)
            + ((n - k) * math.log1p(-q) if n > k else 0.0) + (k * k - k) / (2 * sigma**2)
            for k in range(n + 1) if q < 1 or k == n
        ]  # fmt: skip
        return (max(logs) + math.log(sum(math.exp(x - max(logs)) for x in logs))) / (n - 1)

    return min(
        sum(steps * rdp(q, sigma, n) for q, sigma, steps in history)
        + math.log1p(-1 / n) - math.log(delta * n) / (n - 1)
        for n in (*range(2, 64), 128, 256, 512)
    )  # fmt: skip


for v in json.load(open(sys.argv[1]))["vectors"]:  # noqa: SIM115, PTH123  # short on purpose
    if v["quantity"] == "epsilon" and v["sampling"] == "poisson" and v["relation"] == "add/remove":
        history = [
            (float(p["q"]["dec"]), float(p["sigma"]["dec"]), p["steps"]) for p in v["history"]
        ]
        got, truth = my_epsilon(history, float(v["delta"]["dec"])), float(v["value"]["nearest_dec"])
        if not truth * (1 - 1e-6) - 1e-12 <= got <= 1000 * max(truth, 1e-3):  # an upper bound
            sys.exit(f"{v['id']} ({', '.join(v['flags'])}): {got!r}, and the truth is {truth!r}")
