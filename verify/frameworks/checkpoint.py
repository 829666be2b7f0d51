"""A saved Opacus state, read without running anything that is in the file.

``torch.save`` writes a zip archive: ``NAME/data.pkl`` holds the objects as a pickle, tensors lie
beside it. A pickle is a program: it may name any function and have it called. Here no name is
looked up: every name other than ``collections.OrderedDict`` becomes a fresh class that takes
anything and does nothing (:class:`Unread`), tensors become such objects too, and what is left is
dictionaries, lists, tuples, numbers and texts, of which the accountant's state is made. The file is
never imported from, nothing of torch is needed.

The unpickler is the one written in Python: that in C makes its memo as long as the largest place
that the file names, so that twelve bytes can ask for 16 gigabytes. Attributes that a file gives to
a dictionary are not looked at (``dict.get``).
"""

from __future__ import annotations

import io
import pickle
import zipfile
from collections import OrderedDict
from pathlib import Path
from typing import Any

from verify.numbers.errors import OutOfDomain

STATE = "privacy_accountant_state_dict"
_MOST = 64 << 20  # bytes of a pickle: it has no tensors in it
_PLAIN = (int, float)


class Unread:
    """Stands for an object of the file that is not read."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        pass

    def __setstate__(self, state: object) -> None:
        pass

    def __setitem__(self, key: object, value: object) -> None:
        pass

    def append(self, value: object) -> None:
        pass

    def extend(self, values: object) -> None:
        pass

    def add(self, value: object) -> None:
        pass


class Restricted(pickle._Unpickler):
    """Plain data only."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        return type("Unread", (Unread,), {})

    def persistent_load(self, pid: Any) -> Any:
        return Unread()


def read_checkpoint(path: Path) -> tuple[list[Any], list[str] | None]:
    """The history of the accountant in a file that ``save_checkpoint`` or ``torch.save`` has written.

    The file holds the state of an accountant, or a dictionary with one under ``privacy_accountant_state_dict``.
    """
    state = _load(path)
    if isinstance(state, dict) and isinstance(dict.get(state, STATE), dict):
        state = state[STATE]
    if not isinstance(state, dict) or not isinstance(dict.get(state, "history"), list):
        raise OutOfDomain(f"{path.name}: holds no state of an Opacus accountant ({STATE}, history)")
    history = [_triple(path, i, one) for i, one in enumerate(state["history"])]
    samplings = dict.get(state, "samplings")
    if samplings is not None and not (
        isinstance(samplings, list) and all(isinstance(way, str) for way in samplings)
    ):
        raise OutOfDomain(f"{path.name}: samplings must be a list of texts")
    return history, samplings


def _triple(path: Path, i: int, one: object) -> tuple[Any, ...]:
    plain = isinstance(one, (tuple, list)) and len(one) == 3
    if not plain or not all(type(x) in _PLAIN for x in one):  # type: ignore[attr-defined]  # it is a tuple
        raise OutOfDomain(
            f"{path.name}: phase {i + 1} of the history is no triple of plain numbers (noise "
            "multiplier, sample rate, steps)"
        )
    return tuple(one)  # type: ignore[arg-type]  # it is a tuple


def _load(path: Path) -> Any:
    try:
        return Restricted(io.BytesIO(_read_pickle(path))).load()
    except OutOfDomain:
        raise
    except Exception as error:  # noqa: BLE001  # a damaged pickle can fail in any way, and none of them matters
        raise OutOfDomain(
            f"{path.name}: cannot be read as a checkpoint: no file of torch.save, or a damaged one "
            f"({type(error).__name__}: {error!s:.100})"
        ) from None


def _read_pickle(path: Path) -> bytes:
    """The pickle inside a zip archive of torch's, or the file itself."""
    try:
        if not zipfile.is_zipfile(path):
            if path.stat().st_size > _MOST:
                raise OutOfDomain(f"{path.name}: a pickle of more than {_MOST} bytes")
            return path.read_bytes()
        with zipfile.ZipFile(path) as archive:
            names = [info for info in archive.infolist() if info.filename.endswith("/data.pkl")]
            if len(names) != 1:
                raise OutOfDomain(
                    f"{path.name}: a zip archive, but none that torch.save has written"
                )
            if names[0].file_size > _MOST:
                raise OutOfDomain(f"{path.name}: a pickle of more than {_MOST} bytes")
            with archive.open(names[0]) as file:
                return file.read(_MOST)
    except (OSError, zipfile.BadZipFile) as error:
        raise OutOfDomain(f"{path.name}: cannot be read: {error!s:.100}") from error
