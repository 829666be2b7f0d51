"""Where people train: published runs of DP-SGD, and the region of parameters that they span.

This is the one place that says what counts as an ordinary training run. A verdict inside the region
concerns users today; outside it, an extreme that an implementation should survive. The region is the box
around the published runs with room to spare, in round numbers:

* q from 1e-5 (tens of examples a step, out of millions) to 1/2 (the largest published batches are a third
  of the data);
* sigma from 0.3 (below it, says TensorFlow Privacy's tutorial, there is no rigorous guarantee) to 30
  (published: up to 21);
* orders from 1.01 to 1024: the least and the largest that dp-accounting, Opacus and jax-privacy try by
  default. Nobody's epsilon depends on another order.
"""

from __future__ import annotations

from dataclasses import dataclass

from verify.judge.protocol.question import Question
from verify.results.conformance import Region

Q = (1e-5, 0.5)
SIGMA = (0.3, 30.0)
ALPHA = (1.01, 1024.0)


@dataclass(frozen=True, slots=True)
class Training:
    """A published run: sampling rate, noise, steps, the delta its epsilon is quoted at, and where."""

    name: str
    q: float
    sigma: float
    steps: int
    delta: float
    source: str


RUNS = (
    Training("MNIST, much noise", 0.01, 4.0, 10_000, 1e-5, "Abadi et al., arXiv:1607.00133"),
    Training("MNIST, little noise", 0.004, 0.7, 11_250, 1e-5, "Opacus, examples/mnist_README.md"),
    Training("MNIST", 256 / 60_000, 1.12, 14_062, 1e-5, "TensorFlow Privacy, tutorials/README.md"),
    Training("MNIST, brief", 0.004, 1.3, 3_750, 1e-5, "Opacus, examples/mnist_README.md"),
    Training("CIFAR-10", 4096 / 50_000, 10.0, 875, 1e-5, "De et al., arXiv:2204.13650; jax-privacy"),
    Training("CIFAR-100, fine-tuned", 16_384 / 50_000, 21.1, 250, 1e-5, "as CIFAR-10"),
    Training("ImageNet", 16_384 / 1_281_167, 2.5, 71_589, 8e-7, "as CIFAR-10"),
    Training("next words, federated", 5_000 / 763_430, 1.0, 4_120, 1e-9,
             "McMahan et al., arXiv:1710.06963"),
)  # fmt: skip


def region(question: Question) -> Region:
    """Whether training runs ask this question.

    >>> str(region(Question("rdp", 0.01, 1.1, 8.5))), str(region(Question("rdp", 0.5, 200.0, 60.5)))
    ('training runs', 'extremes')
    """
    inside = all(
        low <= x <= high
        for x, (low, high) in (
            (question.q, Q),
            (question.sigma, SIGMA),
            (question.alpha, ALPHA),
        )
    )
    return Region.TRAINING if inside else Region.EXTREMES
