"""A run as its data loader makes it: records, batch size and epochs, as they were typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.accounting.pairs.notions import BY_EPOCHS, POISSON, SEQUENTIAL
from verify.accounting.pairs.run import Run, Stage, of_loader
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import exact_text

NEEDED = ("records", "batch", "epochs", "sigma")


@dataclass(frozen=True, slots=True)
class Loader:
    """Numbers that were typed, and whether the loader drops a last, smaller batch.

    >>> given = {"records": "50000", "batch": "512", "epochs": "20", "sigma": "0.9"}
    >>> one = Loader(given, drop_last=False)
    >>> print(one)
    50000 records in batches of 512, 20 epochs of 98 batches, the last one smaller
    >>> one.rate, one.opacus_rate
    (Fraction(32, 3125), Fraction(1, 98))
    """

    given: Mapping[str, Any]
    drop_last: bool

    def stage(self, sampling: str) -> Stage:
        return of_loader(
            records=self.given["records"],
            batch=self.given["batch"],
            epochs=self.given["epochs"],
            sigma=self.given["sigma"],
            sampling=sampling,
            drop_last=self.drop_last,
        )

    @property
    def batches(self) -> int:
        """Those of one epoch."""
        return self.stage(SEQUENTIAL).steps

    @property
    def rate(self) -> Fraction:
        """That of Poisson sampling: batch size over records."""
        q = self.stage(POISSON).q
        assert q is not None
        return q

    @property
    def opacus_rate(self) -> Fraction:
        """That of Opacus: one over the batches of an epoch. Another rate if the last batch is smaller."""
        return Fraction(1, self.batches)

    @property
    def opacus_draws(self) -> str:
        return f"Opacus draws with 1/{self.batches}, one over the batches of an epoch"

    def opacus(self, run: Run) -> Run | None:
        """The same run with the rate of Opacus; None if the run has that rate already, or if its
        batches are not Poisson-sampled."""
        if any(s.sampling != POISSON for s in run.stages) or self.opacus_rate == self.rate:
            return None
        row = (self.opacus_rate, self.given["sigma"], self.stage(POISSON).steps)
        return Run.of_rows([row], run.relation, run.group)

    def rate_of_opacus(self, run: Run) -> str:
        """That Opacus draws with another rate, and the options that ask for it; empty if it does not.

        >>> given = {"records": "50000", "batch": "512", "epochs": "20", "sigma": "0.9"}
        >>> one = Loader(given, drop_last=True)
        >>> print(one.rate_of_opacus(Run.of_stages([one.stage(POISSON)])))
        Opacus draws with 1/97, one over the batches of an epoch (--q 1/97 --steps 1940)
        """
        if self.opacus(run) is None:
            return ""
        steps = self.stage(POISSON).steps
        return f"{self.opacus_draws} (--q 1/{self.batches} --steps {steps})"

    def __str__(self) -> str:
        last = ""
        if self.rate * self.batches != 1:
            last = ", a smaller one dropped" if self.drop_last else ", the last one smaller"
        rounds = "1 epoch" if self.given["epochs"] == "1" else f"{self.given['epochs']} epochs"
        size = f"{self.given['records']} records in batches of {self.given['batch']}"
        return f"{size}, {rounds} of {self.batches} batches{last}"

    def as_json(self, sampling: str) -> dict[str, Any]:
        """What was typed and what was counted; the rates where batches are drawn with one."""
        counted: dict[str, Any] = {
            **{name: self.given[name] for name in ("records", "batch", "epochs")},
            "drop_last": self.drop_last,
            "batches_per_epoch": self.batches,
        }
        if sampling not in BY_EPOCHS:
            counted["rate"] = exact_text(self.rate)
        if sampling == POISSON:
            counted["opacus_rate"] = exact_text(self.opacus_rate)
        return counted


def read(row: Mapping[str, str], drop_last: bool) -> Loader:
    """The loader that the options describe."""
    if missing := [name for name in NEEDED if name not in row]:
        raise OutOfDomain(
            f"--batch needs --records, --epochs and --sigma: --{missing[0]} is missing"
        )
    if extra := [name for name in ("q", "steps", "limit") if name in row]:
        raise OutOfDomain(f"--batch and --{extra[0]} exclude each other")
    return Loader({name: str(row[name]) for name in NEEDED}, drop_last)


@dataclass(frozen=True, slots=True)
class LoaderToFill:
    """A loader of which either the noise or the number of epochs is to be found.

    >>> print(LoaderToFill("50000", "512", "20", None, False))
    50000 records in batches of 512, 20 epochs of 98 batches
    """

    records: str
    batch: str
    epochs: str | None
    sigma: str | None
    drop_last: bool

    def full(self, sigma: Any = 1, epochs: Any = 1) -> Loader:
        """With these numbers where none was given."""
        given = {"records": self.records, "batch": self.batch}
        given |= {"epochs": self.epochs or epochs, "sigma": self.sigma or sigma}
        return Loader(given, self.drop_last)

    @property
    def batches(self) -> int:
        return self.full().batches

    def as_json(self, sampling: str) -> dict[str, Any]:
        """What was typed and what was counted; epochs that are to be found are null."""
        return {**self.full().as_json(sampling), "epochs": self.epochs}

    def other_rate(self) -> str:
        """The rate of Poisson sampling, and that Opacus draws with another one; empty if it does not.

        >>> print(LoaderToFill("50000", "512", "20", None, False).other_rate())
        512/50000, batch over records. Opacus draws with 1/98, one over the batches of an epoch: ask with --q 1/98 --steps 1960
        """
        one = self.full()
        if one.opacus_rate == one.rate:
            return ""
        draws = f"{self.batch}/{self.records}, batch over records. {one.opacus_draws}"
        asked = f" --steps {one.stage(POISSON).steps}" if self.epochs else ""
        return f"{draws}: ask with --q 1/{self.batches}{asked}"

    def __str__(self) -> str:
        rounds = f", {self.epochs} epochs" if self.epochs else ", epochs"
        size = f"{self.records} records in batches of {self.batch}"
        return f"{size}{rounds} of {self.batches} batches"


def loader_to_fill(
    rows: Mapping[str, str | None], records: str | None, batch: str | None, drop_last: bool
) -> LoaderToFill | None:
    """The loader that the options of calibrate describe; None if they describe none."""
    if records is None and batch is None:
        if drop_last:
            raise OutOfDomain("--drop-last goes with --records and --batch")
        return None
    if records is None or batch is None:
        raise OutOfDomain("--records and --batch go together")
    if extra := [name for name in ("q", "steps") if rows[name] is not None]:
        raise OutOfDomain(f"--batch and --{extra[0]} exclude each other")
    if (rows["epochs"] is None) == (rows["sigma"] is None):
        raise OutOfDomain(
            "leave out either --sigma or --epochs: the one that is missing is calculated"
        )
    return LoaderToFill(records, batch, rows["epochs"], rows["sigma"], drop_last)
