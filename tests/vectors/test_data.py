"""The published vectors: complete, in order, and true."""

import itertools
import json
import math
import re
import shutil
from copy import deepcopy as copy_of
from fractions import Fraction
from hashlib import sha256

import jsonschema
import pytest
from msgspec.structs import replace

from verify.numbers.point import Point
from verify.results.document import BadDocument, decode
from verify.results.vectors import QUANTITIES, GroupFile, Witnesses
from verify.vectors import FLAGS, load, select
from verify.vectors.grid import CHAIN_SETTINGS, DEFAULT_ORDERS, GROUPS, sites
from verify.vectors.recompute import compare, sample
from verify.vectors.schema import schema
from verify.vectors.store import DATA, BadVectors, check_files, confirmed_by, manifest

VECTORS = load()


def test_files_are_in_order():
    assert check_files() == len(VECTORS)


def test_size():
    assert 2000 <= len(VECTORS) <= 10_000
    assert sum(path.stat().st_size for path in DATA.iterdir()) < 8_000_000


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(schema())


def test_the_published_schema_is_that_of_the_class():
    assert json.loads((DATA / "schema.json").read_text()) == schema()


FORMAT_1 = {
    "default-orders.json": "1ec9a44111d8a1ae0493c12f5b82a93db150f4826ce5be835a69f508eccfe261",
    "dp-sgd.json": "e243d34a3c04c530f878aaae3305ab410bcde598565fcd61010ec58e7ca5ac34",
    "near-integers.json": "737717532cf63a29a19e898273316c726b7fa27826cdf0dab8c5ba9b3606b90a",
    "near-one.json": "88531d378efac5483a3906be58a3960301f93c9b29c547fe936ee337e4841fc8",
    "q-edges.json": "b627f3229da2cb8cfd2a9fa2a8c19b8e0c25ae1977e7032aecade4ad04efdf0e",
    "sigma-edges.json": "581a5f6f621911c2423ba4059b304ff6938ceec23bf01c0adab79586066c2a63",
    "large-orders.json": "bfde81808d9eb40dcdb256abdf80b60815c593d5e43516033868c8c268011cf8",
    "cancellation.json": "7dc4d6330f9cf71f130face24cc66e7e3cfb969107b42e9356a018d536b0fc00",
    "slow-series.json": "a32991dfe744757a9591384ea4f0cfa31a69d9f56040515e8c69faddae3780f7",
    "two-modes.json": "26981eb24c309952b730c69b6e138aa667de171ba8a013646f5bd9ceab6b2f59",
    "alternating.json": "225fe9e13220111903e6ee9c60140d1e7384135193dd123cb81c4ebf7c50c9bc",
    "early-stop.json": "514ed062f5c02a7afd3382133d9fd07a1a4a4af1c77dfd9f3eabbf4d3ec2d117",
    "alpha-chain.json": "4f4e3a992826d872ed9d2baa1db8d43e876fa6fb44324d0a659ba520352c669e",
    "q-chain.json": "66dcf32d5a4838bf9dfe01a425fc54f1592e67ed514563d044bfb64ea63778b4",
    "sigma-chain.json": "cf98153a3f9ae3d27d36d0fdc50652d5c2c390f788a036b8b0f6b20d694dd04d",
    "infinite-order.json": "2457a6f66f75d34985e5e7cf6feab33dd0d0cfe433ab5e325d8afc9e70293391",
    "random.json": "9c52705eac3a13b320eac6f358e7428dc9f37f5d91d95e90440f4fd7d04d6820",
}


def test_every_double_stands_there_as_a_decimal_too():
    for vector in VECTORS:
        for name in QUANTITIES:
            value = vector[name]
            assert float(value.nearest_dec) == value.nearest
            assert float(value.up_dec) == value.up


@pytest.mark.parametrize("name", FORMAT_1)
def test_without_the_decimals_the_files_are_those_of_format_1_to_the_byte(name):
    """So no number that was published before has changed."""
    text = re.sub(r',"nearest_dec":"[^"]*","up_dec":"[^"]*"', "", (DATA / name).read_text())
    text = text.replace('{"format":2,', '{"format":1,', 1)
    assert sha256(text.encode("ascii")).hexdigest() == FORMAT_1[name]


def test_every_site_of_the_grid_is_published_and_nothing_else():
    assert [v.id for v in VECTORS] == [
        s.id for group in GROUPS for s in sites() if s.group == group.name
    ]


def test_every_flag_has_vectors_and_a_note():
    used = {flag for vector in VECTORS for flag in vector.flags}
    assert used == set(FLAGS) == {note.name for note in manifest().flags}


def test_every_group_has_vectors():
    assert {vector.group for vector in VECTORS} == {group.name for group in GROUPS}


def test_a_sample_is_reproduced_to_the_last_digit():
    wrong = [
        difference for vector in sample(VECTORS, 120, seed=1) for difference in compare(vector)
    ]
    assert wrong == []


def test_enclosures_are_40_digits_wide_and_hold_the_doubles():
    for vector in VECTORS:
        for name in QUANTITIES:
            value = vector[name]
            low, high = value.bounds()
            if low == math.inf:
                assert value.nearest == value.up == math.inf
                continue
            assert high - low <= abs(low) / 10**38
            assert Fraction(value.up) >= low
            assert abs(Fraction(value.nearest) - low) <= Fraction(math.ulp(value.nearest))
            assert value.up in (value.nearest, math.nextafter(value.nearest, math.inf))


def test_decimals_and_hexadecimals_are_the_same_doubles():
    for entry in manifest().files:
        for item in json.loads((DATA / entry.name).read_text())["vectors"]:
            for name in ("q", "sigma", "alpha"):
                number = item[name]
                exact = math.inf if number["hex"] == "inf" else float.fromhex(number["hex"])
                assert float(number["dec"]) == exact


def test_ln_a_and_epsilon_tell_the_same_story():
    for vector in VECTORS:
        if 1 < vector.alpha < math.inf and vector.q > 0:
            for log, eps in (("log_a", "rdp"), ("log_b", "rdp_reverse")):
                scale = Fraction(vector.alpha) - 1
                low, high = vector[log].bounds()
                eps_low, eps_high = vector[eps].bounds()
                assert eps_low * scale <= high
                assert low <= eps_high * scale


def test_reverse_is_never_larger():
    for vector in VECTORS:
        assert vector["rdp_reverse"].bounds()[0] <= vector["rdp"].bounds()[1]


@pytest.mark.parametrize("setting", CHAIN_SETTINGS)
def test_alpha_chains_are_monotone_and_convex(setting):
    chain = sorted(
        (v for v in VECTORS if (v.q, v.sigma) == setting and "ChainAlpha" in v.flags),
        key=lambda v: v.alpha,
    )
    assert len(chain) == 48
    logs = [(Fraction(v.alpha), v["log_a"].bounds()) for v in chain]
    for a, b in itertools.pairwise(chain):
        assert a["rdp"].bounds()[0] <= b["rdp"].bounds()[1]
    for (x, a), (y, b), (z, c) in zip(logs, logs[1:], logs[2:], strict=False):
        assert b[0] * (z - x) <= c[1] * (y - x) + a[1] * (z - y)


@pytest.mark.parametrize(
    ("flag", "parameter", "sign"), [("ChainQ", "q", 1), ("ChainSigma", "sigma", -1)]
)
def test_other_chains_are_monotone(flag, parameter, sign):
    chains = {}
    for vector in select(VECTORS, (flag,)):
        key = (vector.sigma, vector.alpha) if flag == "ChainQ" else (vector.q, vector.alpha)
        chains.setdefault(key, []).append(vector)
    assert [len(chain) for chain in chains.values()] == [24, 24]
    for chain in chains.values():
        chain.sort(key=lambda v: sign * getattr(v, parameter))
        values = [v["rdp"].bounds() for v in chain]
        assert all(a[0] <= b[1] for a, b in itertools.pairwise(values))


def test_default_orders_of_the_libraries_are_covered():
    dp_accounting = (
        [1 + x / 10.0 for x in range(1, 100)] + list(range(11, 64)) + [128, 256, 512, 1024]
    )
    assert set(map(float, dp_accounting)) <= set(DEFAULT_ORDERS)
    assert {v.alpha for v in select(VECTORS, ("DefaultOrder",))} == set(DEFAULT_ORDERS)


def test_cancellation_means_below_1e_16():
    for vector in VECTORS:
        tiny = 0 < vector["rdp"].bounds()[0] < Fraction(1, 10**16)
        assert ("Cancellation" in vector.flags) == tiny


def test_infinite_orders():
    for vector in select(VECTORS, ("InfiniteOrder",)):
        assert vector["rdp"].nearest == (0 if vector.q == 0 else math.inf)
        if 0 < vector.q < 1:
            assert vector["rdp_reverse"].nearest == pytest.approx(-math.log1p(-vector.q), rel=1e-15)


def test_every_number_was_confirmed_by_a_second_engine():
    attested = confirmed_by()
    assert attested.vectors == len(VECTORS)
    assert attested.usual == Witnesses(a=("series", "quadrature"), b=("series", "quadrature"))
    assert len(attested.others) < len(VECTORS) / 20


# -- what must not pass ---------------------------------------------------------------------


@pytest.fixture
def copy(tmp_path):
    shutil.copytree(DATA, tmp_path / "data")
    return tmp_path / "data"


def _swap(path, old, new, count=1):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, count))


def test_an_altered_file_is_refused(copy):
    _swap(copy / "dp-sgd.json", '"lo":"0.0', '"lo":"0.1')
    with pytest.raises(BadVectors, match="checksum"):
        load(copy)


def test_a_missing_manifest_is_refused(copy):
    (copy / "manifest.json").unlink()
    with pytest.raises(BadVectors, match="manifest"):
        load(copy)


def test_a_file_that_the_manifest_does_not_know_is_refused(copy):
    (copy / "more.json").write_text("{}")
    with pytest.raises(BadVectors, match="not in the manifest"):
        check_files(copy)


def test_an_unconfirmed_vector_is_refused(copy):
    _swap(copy / "confirmed.json", '"b":["series","quadrature"]', '"b":[]')
    with pytest.raises(BadVectors, match="no second engine"):
        check_files(copy)


INFINITE = json.loads((DATA / "infinite-order.json").read_text())


def changed(place, value):
    """The file with one value changed, or added."""
    data = copy_of(INFINITE)
    *path, last = place
    inner = data
    for step in path:
        inner = inner[step]
    inner[last] = value
    return data


BROKEN = [
    (("format",), 1),
    (("license",), "none"),
    (("comment",), "hello"),
    (("group",), "Infinite"),
    (("count",), 0),
    (("vectors",), []),
    (("vectors", 0, "comment"), "hello"),
    (("vectors", 0, "id"), "infinite-order/q=0.1"),
    (("vectors", 0, "flags"), []),
    (("vectors", 0, "flags"), ["lower"]),
    (("vectors", 0, "flags"), ["Same", "Same"]),
    (("vectors", 0, "q"), 0.5),
    (("vectors", 0, "q", "hex"), "0x1p-1"),
    (("vectors", 0, "q", "dec"), "-0.5"),
    (("vectors", 0, "rdp", "lo"), "0.5x"),
    (("vectors", 0, "rdp", "up"), 0.5),
    (("vectors", 0, "rdp", "nearest"), "nan"),
]


@pytest.mark.parametrize(("place", "value"), BROKEN)
def test_class_and_schema_reject_the_same(place, value):
    data = changed(place, value)
    assert not jsonschema.Draft202012Validator(schema()).is_valid(data)
    with pytest.raises(BadDocument):
        decode(json.dumps(data).encode(), GroupFile)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("count",), 11),
        (("group",), "near-one"),
        (("vectors", 0, "q", "dec"), "0.1234567"),
        (("vectors", 0, "rdp", "nearest_dec"), "0.1234567"),
        (("vectors", 0, "rdp_reverse", "up_dec"), "0.1234567"),
    ],
)
def test_the_class_sees_contradictions_that_no_schema_can(place, value):
    data = changed(place, value)
    assert jsonschema.Draft202012Validator(schema()).is_valid(data)
    with pytest.raises(BadDocument):
        decode(json.dumps(data).encode(), GroupFile)


def test_a_missing_key_is_refused():
    data = copy_of(INFINITE)
    del data["vectors"][0]["rdp"]["up"]
    assert not jsonschema.Draft202012Validator(schema()).is_valid(data)
    with pytest.raises(BadDocument):
        decode(json.dumps(data).encode(), GroupFile)


@pytest.mark.parametrize("name", ["manifest.json", "confirmed.json"])
@pytest.mark.parametrize("text", ["", "[]", '{"format":2}', "\xff", "[" * 100_000])
def test_a_foreign_file_is_one_clear_error(copy, name, text):
    (copy / name).write_bytes(text.encode("latin-1"))
    with pytest.raises(BadVectors, match=rf"{name}: not in format 2 \([^\n]*\)$"):
        check_files(copy)


def test_other_spaces_are_not_the_canonical_form(copy):
    """Even if the manifest vouches for them."""
    path = copy / "infinite-order.json"
    old = path.read_bytes()
    new = old.replace(b",", b", ", 1)
    path.write_bytes(new)
    _swap(copy / "manifest.json", sha256(old).hexdigest(), sha256(new).hexdigest())
    with pytest.raises(BadVectors, match="canonical"):
        check_files(copy)


def test_a_wrong_digit_is_found():
    vector = VECTORS[100]
    value = vector["rdp"]
    other = value.lo[:-1] + ("1" if value.lo[-1] != "1" else "2")
    broken = replace(vector, rdp=replace(value, lo=other))
    assert [difference.quantity for difference in compare(broken)] == ["rdp"]


def test_an_unknown_flag_is_an_error():
    with pytest.raises(BadVectors, match="NoSuchFlag"):
        select(VECTORS, ("NoSuchFlag",))


def test_points_are_valid():
    for vector in VECTORS:
        Point.of(vector.q, vector.sigma, vector.alpha)
