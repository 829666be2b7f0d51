"""sgm-verify under a name of its own: ``import sgm_verify`` is ``import verify``, for environments in
which another package is called verify.

>>> import sgm_verify
>>> sgm_verify.epsilon("0.01", 1, 1000, "1e-5").to_double_up()
1.828236666516577
>>> sgm_verify.frameworks.opacus.ExactAccountant.mechanism()
'exact'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import verify

if TYPE_CHECKING:
    from verify import *  # noqa: F403  # the same names
    from verify import frameworks

__version__ = verify.__version__
__all__ = [*verify.__all__, "frameworks"]


def __getattr__(name: str) -> Any:
    if name == "frameworks":
        return importlib.import_module("verify.frameworks")
    return getattr(verify, name)


def __dir__() -> list[str]:
    return sorted(__all__)
