"""autodp's Poisson-sampled Gaussian mechanism with its improved bound."""

import json
import math
import os
import sys


def load():
    from autodp.mechanism_zoo import GaussianMechanism
    from autodp.transformer_zoo import AmplificationBySampling

    def rdp(q, sigma, alpha):
        sample = AmplificationBySampling(PoissonSampling=True)
        mechanism = sample(GaussianMechanism(sigma=sigma), q, improved_bound_flag=True)
        return mechanism.RenyiDP(
            int(alpha) if math.isfinite(alpha) and alpha == int(alpha) else alpha
        )

    return rdp


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the library prints is a log, not an answer
    rdp = load()
    for line in sys.stdin:
        question = json.loads(line)
        answer = {"id": question["id"]}
        if question["quantity"] != "rdp":
            print(json.dumps({**answer, "error": "only rdp"}), file=answers, flush=True)
            continue
        try:
            value = float(rdp(question["q"], question["sigma"], float(question["alpha"])))
            answer["value"] = value if math.isfinite(value) else str(value)
        except Exception as error:  # noqa: BLE001  # whatever the library raises is its answer
            answer["error"] = f"{type(error).__name__}: {error}"
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
