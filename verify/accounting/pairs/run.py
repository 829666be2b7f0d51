"""What was run: stages, each with its sampling and its noise, and which data sets are neighbours.

>>> Run.of(sigma=1, q="0.01", steps=1000)
Run(stages=(Stage(sampling='poisson', sigma=Fraction(1, 1), steps=1000, q=Fraction(1, 100), ...),), relation='add/remove', group=1)
>>> print(Run.of(sigma="0.9", steps=98, epochs=20, sampling="shuffle", relation="replace-one"))
shuffle: 20 epochs of 98 batches, sigma = 0.9; neighbours: replace-one
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from verify.accounting.history import History, phase, several
from verify.accounting.pairs.notions import (
    ADD_REMOVE,
    BY_EPOCHS,
    FIXED,
    POISSON,
    REPLACE_ONE,
    SHUFFLE,
    SHUFFLE_ONCE,
    TABLE,
    TRUNCATED,
    Standing,
    answerable_entry,
    relation_named,
    sampling_named,
)
from verify.numbers.budget import DEFAULT_SECONDS
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Number, exact, out_of_domain, shown

if TYPE_CHECKING:
    from verify.accounting.questions import Account
    from verify.numbers.curves import PrivacyCurve

MOST_RECORDS = 64
"""Records of a group."""

_FIELDS = ("q", "sigma", "steps", "sampling", "epochs", "records", "limit")


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a run with one sampling and one noise multiplier.

    ``steps`` are all steps, or for samplings by epochs the batches of one epoch. ``idle`` is the probability that a
    record takes part in no batch of an epoch (a loader that drops the last, smaller batch). ``small`` says that each
    epoch has one more batch, smaller than the others, with the ``idle`` records.

    Added in version 0.2.0.
    """

    sampling: str
    sigma: Fraction
    steps: int
    q: Fraction | None = None
    epochs: int = 1
    records: int | None = None
    limit: int | None = None
    idle: Fraction = Fraction(0)
    small: bool = False

    def __str__(self) -> str:
        noise = f"sigma = {shown(self.sigma)}"
        if self.sampling not in BY_EPOCHS:
            assert self.q is not None
            cut = f", cut to {self.limit} of {self.records} records" if self.limit else ""
            return f"{self.sampling}: q = {shown(self.q)}{cut}, {noise}, {self.steps} steps"
        epochs = "1 epoch" if self.epochs == 1 else f"{self.epochs} epochs"
        rest = ""
        if self.idle:
            last = "and a smaller one with" if self.small else "without"
            rest = f" ({last} {shown(self.idle)} of the records)"
        return f"{self.sampling}: {epochs} of {self.steps} batches{rest}, {noise}"


@dataclass(frozen=True, slots=True)
class Run:
    """Stages in any order, the relation of neighbours, and how many records differ.

    Added in version 0.2.0.
    """

    stages: tuple[Stage, ...]
    relation: str = ADD_REMOVE
    group: int = 1

    @classmethod
    def of(
        cls,
        *,
        sigma: Number,
        steps: Number,
        q: Number | None = None,
        sampling: str = POISSON,
        relation: str | None = None,
        group: Number = 1,
        epochs: Number = 1,
        records: Number | None = None,
        limit: Number | None = None,
    ) -> Run:
        """A run with one stage, validated; without a relation the usual one of its sampling."""
        name = sampling_named(
            sampling
        )  # here None is no word; in a row of a table it is an empty cell
        row = {"q": q, "sigma": sigma, "steps": steps, "sampling": name, "epochs": epochs}
        return cls.of_rows([row | {"records": records, "limit": limit}], relation, group)

    @classmethod
    def of_rows(
        cls,
        rows: Iterable[Any],
        relation: str | None = None,
        group: Number = 1,
        sampling: str = POISSON,
    ) -> Run:
        """Rows (q, sigma, steps), or mappings that may also name sampling, epochs, records and limit.

        >>> len(Run.of_rows([("0.01", 1, 500), {"sigma": 2, "steps": 50, "sampling": "allocation"}]).stages)
        2
        """
        listed = several("phases", rows)
        if not listed:
            raise OutOfDomain("a history needs at least one phase (q, sigma, steps)")
        stages = []
        for i, row in enumerate(listed):
            try:
                stages.append(stage(**_row(row, sampling)))
            except OutOfDomain as error:
                where = f"phase {i + 1}: " if len(listed) > 1 else ""
                raise OutOfDomain(f"{where}{error}") from None
        return cls.of_stages(stages, relation, group)

    @classmethod
    def of_stages(
        cls, stages: Iterable[Stage], relation: str | None = None, group: Number = 1
    ) -> Run:
        """Composition commutes: equal stages are joined, idle ones are dropped."""
        listed = list(stages)
        if relation is None:
            relation = usual_relation(*(one.sampling for one in listed))
        run = cls(_join_equal(listed), relation_named(relation), _checked_group(group))
        for one in run.stages:
            answerable_entry(one.sampling, run.relation)
            if run.group > 1 and one.sampling != POISSON:
                raise OutOfDomain(
                    f"group = {run.group}: groups of records are answered for poisson sampling only, not for {one.sampling}"
                )
            if one.sampling == FIXED and one.q == 1 and run.relation == ADD_REMOVE:
                raise OutOfDomain("A batch of all n records cannot be drawn from n - 1.")
        return run

    @classmethod
    def poisson(cls, history: History) -> Run:
        """Phases (q, sigma, steps) with Poisson sampling, for add/remove."""
        return cls(tuple(Stage(POISSON, p.sigma, p.steps, p.q) for p in history))

    @classmethod
    def of_loader(
        cls,
        *,
        records: Number,
        batch: Number,
        epochs: Number,
        sigma: Number,
        sampling: str,
        relation: str | None = None,
        drop_last: bool = False,
    ) -> Run:
        """A run as a data loader makes it. The relation is add/remove where that is defined, else replace-one.

        >>> run = Run.of_loader(records=50_000, batch=512, epochs=20, sigma="0.9", sampling="poisson")
        >>> print(run.epsilon("1e-5", 6))
        3.279717
        """
        name = sampling_named(sampling)
        one = of_loader(
            records=records,
            batch=batch,
            epochs=epochs,
            sigma=sigma,
            sampling=name,
            drop_last=drop_last,
        )
        return cls.of_stages([one], relation)

    def epsilon(self, delta: Number, digits: int = 20, **options: Any) -> Certified:
        """The tight epsilon at this delta; ``options`` are direction and max_seconds."""
        return _account(self, options).epsilon(delta, digits, options.get("direction", "both"))

    def delta(self, epsilon: Number, digits: int = 20, **options: Any) -> Certified:
        """The tight delta at this epsilon; ``options`` are direction and max_seconds."""
        return _account(self, options).delta(epsilon, digits, options.get("direction", "both"))

    def curve(
        self,
        *,
        epsilons: Iterable[Number] = (),
        deltas: Iterable[Number] = (),
        digits: int = 20,
        **options: Any,
    ) -> PrivacyCurve:
        """delta at many epsilons, or epsilon at many deltas, as :func:`verify.privacy_curve`;
        ``options`` as for epsilon."""
        from verify.accounting.questions import curve_points  # which is made of runs

        account, direction = _account(self, options), options.get("direction", "both")
        return curve_points(account, epsilons, deltas, digits, direction)

    @property
    def standing(self) -> Standing:
        """Whether answers are exact or brackets. One step with a batch of fixed size is exact for all relations."""
        if self.one_fixed_step:
            return Standing.EXACT
        standings = {answerable_entry(s.sampling, self.relation).standing for s in self.stages}
        return Standing.BRACKET if Standing.BRACKET in standings else Standing.EXACT

    @property
    def one_fixed_step(self) -> bool:
        return [(s.sampling, s.steps) for s in self.stages] == [(FIXED, 1)]

    @property
    def attained(self) -> str:
        """The data sets that attain the answer, or the lower end of the bracket."""
        return "; ".join(
            dict.fromkeys(answerable_entry(s.sampling, self.relation).attained for s in self.stages)
        )

    @property
    def why(self) -> str:
        """Why the answer is a bracket; empty if it is exact."""
        if self.standing is Standing.EXACT:
            return ""
        reasons = (answerable_entry(s.sampling, self.relation).why for s in self.stages)
        return "; ".join(dict.fromkeys(reason for reason in reasons if reason))

    def __str__(self) -> str:
        what = "; ".join(map(str, self.stages)) or "nothing is released"
        many = f" ({self.group} records)" if self.group > 1 else ""
        return f"{what}; neighbours: {self.relation}{many}"


def _account(run: Run, options: Mapping[str, Any]) -> Account:
    from verify.accounting.questions import Account  # which is made of runs

    if unknown := set(options) - {"direction", "max_seconds"}:
        raise TypeError(f"unexpected argument {min(unknown)!r}")
    return Account(run, options.get("max_seconds", DEFAULT_SECONDS))


def usual_relation(*samplings: str) -> str:
    """The relation that is meant if none is said: add/remove where all samplings define it, else replace-one.

    >>> usual_relation("poisson"), usual_relation("poisson", "shuffle")
    ('add/remove', 'replace-one')
    """
    refused = any(TABLE[one, ADD_REMOVE].standing is Standing.REFUSED for one in samplings)
    return REPLACE_ONE if refused else ADD_REMOVE


def stage(
    sigma: Number,
    steps: Number,
    q: Number | None = None,
    sampling: str = POISSON,
    epochs: Number = 1,
    records: Number | None = None,
    limit: Number | None = None,
) -> Stage:
    """One stage of any sampling, validated.

    >>> stage(1, 100, sampling="shuffle", q="0.01")
    Traceback (most recent call last):
    ...
    verify.numbers.errors.OutOfDomain: q = 0.01: a stage of shuffle has no rate; give steps, the batches of one epoch, and epochs
    """
    name = sampling_named(sampling)
    if (name == TRUNCATED) != (records is not None or limit is not None):
        raise OutOfDomain(
            "records and limit belong to truncated-poisson"
            if name != TRUNCATED
            else "truncated-poisson needs records, the size of the larger data set, and limit, the largest batch"
        )
    if name in BY_EPOCHS:
        if q is not None:
            raise OutOfDomain(
                f"q = {q!s:.40}: a stage of {name} has no rate; give steps, the batches of one epoch, and epochs"
            )
        valid = phase(1, sigma, steps)
        return Stage(name, valid.sigma, valid.steps, epochs=_count("epochs", epochs))
    if q is None:
        raise OutOfDomain(f"q = None: {name} sampling needs a rate q")
    if _count("epochs", epochs) != 1:
        raise OutOfDomain(f"{name} sampling counts all steps: epochs must be 1")
    valid = phase(q, sigma, steps)
    one = Stage(name, valid.sigma, valid.steps, valid.q)
    if name != TRUNCATED:
        return one
    assert records is not None
    assert limit is not None
    size, most = _count("records", records), _count("limit", limit)
    if most > size:
        raise OutOfDomain(f"limit = {most}: must not be above records = {size}")
    return replace(one, records=size, limit=most)


def of_loader(
    *,
    records: Number,
    batch: Number,
    epochs: Number,
    sigma: Number,
    sampling: str,
    drop_last: bool = False,
) -> Stage:
    """A stage as a data loader makes it: batches of one size from so many records, for so many epochs.

    An epoch has ceil(records/batch) batches, or floor with ``drop_last``. The rate of Poisson and fixed-size
    sampling is batch/records.

    >>> of_loader(records=50_000, batch=512, epochs=20, sigma="0.9", sampling="poisson").steps
    1960
    >>> print(of_loader(records=50_000, batch=512, epochs=20, sigma="0.9", sampling="shuffle"))
    shuffle: 20 epochs of 97 batches (and a smaller one with 0.00672 of the records), sigma = 0.9
    """
    name = sampling_named(sampling)
    n, m, rounds = _count("records", records), _count("batch", batch), _count("epochs", epochs)
    if m > n:
        raise OutOfDomain(f"batch = {m}: must not be above records = {n}")
    full, rest = divmod(n, m)
    if name == TRUNCATED:
        raise OutOfDomain("truncated-poisson needs q, steps, records and limit")
    if name not in BY_EPOCHS:
        each = full if drop_last or not rest else full + 1
        return stage(sigma, each * rounds, Fraction(m, n), name)
    one = stage(sigma, full, sampling=name, epochs=rounds)
    if not rest:
        return one
    if name not in (SHUFFLE, SHUFFLE_ONCE):
        # allocation has no batch size, and a fixed batch of any size is one step
        return one if drop_last else replace(one, steps=full + 1)
    return replace(one, idle=Fraction(rest, n), small=not drop_last)


def _row(row: Any, sampling: str) -> dict[str, Any]:
    if isinstance(row, Mapping):
        unknown = [name for name in row if name not in _FIELDS]
        if unknown:
            raise OutOfDomain(f"a phase has no {unknown[0]!s:.40}: only {', '.join(_FIELDS)}")
        given = {name: value for name, value in row.items() if value not in (None, "")}
        if missing := [name for name in ("sigma", "steps") if name not in given]:
            raise OutOfDomain(f"{missing[0]} = None: a phase needs a number")
        return {"sampling": sampling} | given
    try:
        q, sigma, steps = several("a phase", row)
    except (OutOfDomain, ValueError):
        raise OutOfDomain("a phase has three numbers: (q, sigma, steps)") from None
    return {"q": q, "sigma": sigma, "steps": steps, "sampling": sampling}


def _join_equal(stages: Iterable[Stage]) -> tuple[Stage, ...]:
    """Equal stages as one; a second shuffle-once stage has a permutation of its own and stays apart."""
    apart: list[Stage] = []
    count: dict[Stage, int] = {}
    for one in stages:
        if one.q == 0:
            continue
        if one.sampling == SHUFFLE_ONCE:
            apart.append(one)
        elif one.sampling in BY_EPOCHS:
            key = replace(one, epochs=1)
            count[key] = count.get(key, 0) + one.epochs
        else:
            key = replace(one, steps=1)
            count[key] = count.get(key, 0) + one.steps
    joined = [
        replace(key, epochs=n) if key.sampling in BY_EPOCHS else replace(key, steps=n)
        for key, n in count.items()
    ]
    return tuple(sorted(joined + apart, key=_order))


def _order(one: Stage) -> tuple[Any, ...]:
    return one.sampling, one.q or 0, one.sigma, one.steps, one.epochs, one.idle


def _checked_group(group: Number) -> int:
    size = _count("group", group)
    if size > MOST_RECORDS:
        raise out_of_domain("group", group, f"a whole number from 1 to {MOST_RECORDS}")
    return size


def _count(name: str, value: Number) -> int:
    allowed = "a whole number from 1 to 1000000000000"
    found = exact(name, value, allowed)
    if found is None or found.denominator != 1 or not 1 <= found <= 10**12:
        raise out_of_domain(name, value, allowed)
    return found.numerator
