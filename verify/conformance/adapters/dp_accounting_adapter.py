"""dp-accounting's RDP accountant, one Poisson-sampled Gaussian event."""

import json
import math
import os
import sys


def load():
    import dp_accounting
    from dp_accounting.rdp import RdpAccountant

    def rdp(q, sigma, alpha):
        event = dp_accounting.PoissonSampledDpEvent(q, dp_accounting.GaussianDpEvent(sigma))
        accountant = RdpAccountant(orders=[alpha])
        accountant.compose(event)
        return accountant._rdp[0]  # the value before conversion has no public name in all releases

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
