"""dp-accelerator's RDP curve."""

import json
import math
import os
import sys


def load():
    from dp_accelerator import DPSGDAccountant

    def rdp(q, sigma, alpha):
        accountant = DPSGDAccountant(noise_multiplier=sigma, batch_size=1, dataset_size=1)
        accountant.q, accountant.orders = (
            q,
            [alpha],
        )  # any rate and order, not only ratios of counts
        return accountant.get_rdp_curve(1)[alpha]

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
