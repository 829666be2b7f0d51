"""The generator: the same bytes every time, nothing unconfirmed, nothing contested."""

from fractions import Fraction

import pytest

from verify.moments import agreement
from verify.numbers.certified import Certified, Enclosure
from verify.numbers.errors import EnginesDisagree, OutOfReach, PrecisionExhausted
from verify.vectors.generate import alone, confirmed_vector, generate, published_form
from verify.vectors.grid import Site, sites
from verify.vectors.store import DATA, BadVectors, check_files

FEW = [s for s in sites() if s.group in ("infinite-order", "q-chain")][:14]


def test_generation_is_deterministic(tmp_path):
    generate(tmp_path / "a", chosen=FEW, compute=alone)
    generate(tmp_path / "b", chosen=FEW, compute=alone)
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert "manifest.json" in names
    assert all(
        (tmp_path / "a" / n).read_bytes() == (tmp_path / "b" / n).read_bytes() for n in names
    )


def test_the_published_file_is_what_the_generator_writes(tmp_path):
    group = [s for s in sites() if s.group == "infinite-order"]
    generate(tmp_path, chosen=group, compute=alone)
    name = "infinite-order.json"
    assert (tmp_path / name).read_bytes() == (DATA / name).read_bytes()


def test_a_run_without_witnesses_is_not_fit_to_publish(tmp_path):
    generate(tmp_path, chosen=FEW, compute=alone)
    with pytest.raises(BadVectors, match="no second engine"):
        check_files(tmp_path)


def test_confirmed_names_the_witnesses():
    _, names = confirmed_vector(Site("dp-sgd", 0.02, 2.0, 4.0, ()))
    assert {"series", "quadrature"} <= set(names.a) & set(names.b)


def _broken_witness(factor):
    real = agreement.engine

    def engine(name):
        def evaluate(moment, digits, deadline):
            value = real(name)(moment, digits, deadline)
            return value if name == agreement.REFERENCE else value.scaled(factor)

        return evaluate

    return engine


def test_a_contested_number_is_not_published(monkeypatch):
    monkeypatch.setattr(agreement, "engine", _broken_witness(1 + Fraction(1, 10**30)))
    with pytest.raises(EnginesDisagree):
        confirmed_vector(Site("dp-sgd", 0.02, 2.0, 4.0, ()))


def test_a_number_nobody_confirms_is_not_published(monkeypatch):
    real = agreement.engine

    def engine(name):
        def out_of_reach(moment, digits, deadline):
            raise OutOfReach("too far")

        return real(name) if name == agreement.REFERENCE else out_of_reach

    monkeypatch.setattr(agreement, "engine", engine)
    with pytest.raises(OutOfReach):
        confirmed_vector(Site("dp-sgd", 0.02, 2.0, 4.0, ()))


def test_published_decimals_do_not_depend_on_the_width_of_the_enclosure():
    third = Fraction(1, 3)

    def coarse(digits):
        return Certified(third - Fraction(1, 10**digits), third + Fraction(1, 10**digits), coarse)

    def fine(digits):
        return Certified(third - Fraction(1, 10 ** (2 * digits)), third, fine)

    assert published_form(coarse) == published_form(fine)
    assert published_form(fine).lo == "0." + "3" * 40


def test_a_number_that_never_gets_sharp_is_an_error():
    wide = Certified(Fraction(1, 3), Fraction(2, 3))
    with pytest.raises(PrecisionExhausted):
        published_form(lambda digits: wide)


def test_enclosures_scale():
    assert Enclosure(Fraction(1), Fraction(2), True).scaled(Fraction(-1)).lo == -2
