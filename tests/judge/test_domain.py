"""What an implementation supports, as text."""

import math

import pytest

from verify.judge.protocol.domain import Domain
from verify.numbers.errors import OutOfDomain


@pytest.mark.parametrize(
    ("text", "point", "inside"),
    [
        ("", (0.5, 1.0, math.inf), True),
        ("alpha>=2", (0.5, 1.0, 2.0), True),
        ("alpha>2", (0.5, 1.0, 2.0), False),
        ("q<=0.5, sigma < 2", (0.5, 2.0, 2.0), False),
        ("whole", (0.5, 1.0, 3.0), True),
        ("whole", (0.5, 1.0, 3.5), False),
        ("whole", (0.5, 1.0, math.inf), False),
        ("fractional", (0.5, 1.0, math.inf), False),
        ("fractional", (0.5, 1.0, 3.5), True),
        ("finite", (0.5, 1.0, math.inf), False),
        ("alpha<inf", (0.5, 1.0, math.inf), False),
    ],
)
def test_a_point_is_inside_or_not(text, point, inside):
    assert Domain(text).holds(*point) is inside


@pytest.mark.parametrize(
    "text", ["alpha", "alpha=2", "beta<1", "q<=x", "q<=1e", "import os", "0<q"]
)
def test_anything_else_is_one_clear_error(text):
    with pytest.raises(OutOfDomain, match="is no condition"):
        Domain(text)
