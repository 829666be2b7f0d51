"""The accountant inside the real Opacus: a small model is trained. Run by
tests/frameworks/test_real.py, where Opacus is."""

from __future__ import annotations

import inspect
import math
import warnings

import pytest

opacus = pytest.importorskip("opacus", reason="run by tests/frameworks/test_real.py")
import torch  # noqa: E402  # comes with Opacus
from opacus.accountants import IAccountant, create_accountant  # noqa: E402
from opacus.accountants.utils import get_noise_multiplier  # noqa: E402
from torch import nn  # noqa: E402
from torch.utils.data import DataLoader, TensorDataset  # noqa: E402

import verify  # noqa: E402
from verify.frameworks.opacus import ExactAccountant, register  # noqa: E402

RECORDS, BATCH, DELTA = 400, 20, 1e-5
pytestmark = pytest.mark.filterwarnings("ignore")  # Opacus and torch have many


@pytest.fixture(autouse=True)
def _registered():
    register()


def engine(accountant="exact", *, poisson=True, steps=50, noise=1.0, accumulated=1, path=None):
    """A privacy engine after so many steps."""
    torch.manual_seed(0)
    inputs = torch.randn(RECORDS, 5)
    labels = (inputs.sum(1) > 0).long()
    model = nn.Linear(5, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(TensorDataset(inputs, labels), batch_size=BATCH, shuffle=True)
    made = opacus.PrivacyEngine(accountant=accountant)
    model, optimizer, loader = made.make_private(
        module=model,
        optimizer=optimizer,
        data_loader=loader,
        noise_multiplier=noise,
        max_grad_norm=1.0,
        poisson_sampling=poisson,
    )
    taken, seen = 0, 0
    while taken < steps:
        for x, y in loader:
            nn.functional.cross_entropy(model(x), y).backward()
            seen += 1
            if seen % accumulated:
                continue  # its gradients are added to the next
            optimizer.step()
            optimizer.zero_grad()
            taken += 1
            if taken == steps:
                break
    if path is not None:
        made.save_checkpoint(path=path, module=model, optimizer=optimizer)
    made.trained = model, optimizer
    return made


def test_a_trained_model_has_the_exact_epsilon():
    made = engine()
    assert made.accountant.history == [(1.0, BATCH / RECORDS, 50)]
    exact = verify.epsilon(BATCH / RECORDS, 1.0, 50, DELTA)
    assert made.get_epsilon(DELTA) == exact.to_double_up()
    assert made.accountant.certified(DELTA).text() == exact.text()


def test_the_other_accountants_of_opacus_are_not_below_and_gdp_is():
    """PRV and RDP promise an upper bound; GDP is an estimate, and too small."""
    found = {name: engine(name).get_epsilon(DELTA) for name in ("exact", "prv", "rdp", "gdp")}
    assert found["exact"] <= found["prv"] <= found["rdp"]
    assert found["gdp"] < found["exact"]


def test_the_noise_for_a_target_is_that_of_calibrate_up_to_opacus_tolerance():
    target = {"target_epsilon": 2.0, "target_delta": DELTA, "sample_rate": 0.01, "steps": 1000}
    exact = verify.calibrate(epsilon=2, delta=DELTA, q=0.01, steps=1000).value
    noise = get_noise_multiplier(**target, accountant="exact", epsilon_tolerance=1e-6)
    assert exact <= noise < exact * (1 + 1e-5)
    assert noise < get_noise_multiplier(**target, accountant="prv")
    assert noise < get_noise_multiplier(**target, accountant="rdp")


def noise_for_two(name, **options):
    """The noise that an engine chooses for epsilon = 2 in five epochs."""
    model = nn.Linear(5, 2)
    _, optimizer, _ = opacus.PrivacyEngine(accountant=name).make_private_with_epsilon(
        module=model,
        optimizer=torch.optim.SGD(model.parameters(), lr=0.1),
        data_loader=DataLoader(TensorDataset(torch.randn(RECORDS, 5)), batch_size=BATCH),
        target_epsilon=2.0,
        target_delta=DELTA,
        epochs=5,
        max_grad_norm=1.0,
        **options,
    )
    return optimizer.noise_multiplier


def test_make_private_with_epsilon_trains_with_less_noise():
    assert noise_for_two("exact") < noise_for_two("rdp")


def test_make_private_with_epsilon_meets_its_target_without_poisson_sampling():
    """Five passes of the Gaussian mechanism; the noise that other accountants choose misses the target by far."""
    noise = noise_for_two("exact", poisson_sampling=False)
    assert 1.98 < verify.epsilon(1, noise, 5, DELTA).hi <= 2
    others = noise_for_two("rdp", poisson_sampling=False)
    assert verify.epsilon(1, others, 5, DELTA).lo > 7


def test_accumulated_steps_have_the_rate_of_their_logical_batch():
    made = engine(poisson=False, steps=10, accumulated=2)
    assert made.accountant.history == [(1.0, 2 * BATCH / RECORDS, 10)]


def test_without_poisson_sampling_the_answer_is_the_upper_end_with_a_warning():
    made = engine(poisson=False, steps=2 * RECORDS // BATCH + 1)  # two passes and a batch
    with pytest.warns(UserWarning, match="upper end"):
        found = made.get_epsilon(DELTA)
    assert found == verify.epsilon(1, 1.0, 3, DELTA).to_double_up()
    assert found > engine(steps=2 * RECORDS // BATCH + 1).get_epsilon(DELTA)


def test_without_poisson_sampling_an_error_can_be_asked_for():
    made = engine(poisson=False, steps=3)
    register(shuffled="refuse")
    with pytest.raises(verify.OutOfDomain, match="no exact epsilon is known"):
        engine(poisson=False, steps=3)  # before anything is trained
    loaded = create_accountant("exact")
    loaded.load_state_dict(made.accountant.state_dict())
    with pytest.raises(verify.OutOfDomain, match="no exact epsilon is known"):
        loaded.get_epsilon(DELTA)
    assert engine(steps=3).get_epsilon(DELTA) > 0


@pytest.mark.parametrize("poisson", [True, False])
def test_a_checkpoint_is_saved_loaded_and_read_without_torch(tmp_path, poisson):
    path = tmp_path / "saved.pt"
    before = engine(steps=20, poisson=poisson, path=path)
    after = opacus.PrivacyEngine(accountant="exact")
    after.load_checkpoint(path=path, module=before.trained[0], optimizer=before.trained[1])
    assert after.accountant.history == before.accountant.history
    assert after.get_epsilon(DELTA) == before.get_epsilon(DELTA)
    run = verify.read_run(path)
    assert run == before.accountant.run()
    if poisson:
        assert run.epsilon(DELTA).to_double_up() == before.get_epsilon(DELTA)


@pytest.mark.parametrize("name", ["prv", "rdp", "gdp"])
def test_a_run_recorded_by_another_accountant_is_loaded(name, tmp_path):
    other = engine(name, steps=20, path=tmp_path / "other.pt")
    ours = ExactAccountant()
    ours.load_state_dict(other.accountant.state_dict())
    exact = verify.epsilon(BATCH / RECORDS, 1.0, 20, DELTA).to_double_up()
    assert ours.get_epsilon(DELTA) == exact
    assert verify.read_run(other).epsilon(DELTA).to_double_up() == exact
    assert verify.read_run(tmp_path / "other.pt").epsilon(DELTA).to_double_up() == exact


def test_it_is_an_accountant_of_opacus_with_all_its_methods():
    """A method that Opacus adds must be added here."""
    made = create_accountant("exact")
    assert isinstance(made, IAccountant)
    assert made.mechanism() == "exact"
    for name, theirs in inspect.getmembers(IAccountant, inspect.isfunction):
        if name == "__init__" or not name.startswith("_") or name == "__len__":
            ours = inspect.signature(getattr(ExactAccountant, name)).parameters
            for parameter in inspect.signature(theirs).parameters.values():
                if parameter.kind is not parameter.VAR_POSITIONAL:
                    assert parameter.name in ours


def test_no_noise_is_no_privacy():
    made = create_accountant("exact")
    made.step(noise_multiplier=0.0, sample_rate=0.01)
    assert made.get_epsilon(DELTA) == math.inf


def test_a_new_registration_replaces_the_old_one():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert register(max_seconds=5.0) is not register()
