"""The exact accountant inside training frameworks, and runs read from what they leave behind. See docs/frameworks.md.

    opacus         ExactAccountant for Opacus: register(), then PrivacyEngine(accountant="exact")
    dp_accounting  ExactAccountant for dp-accounting, and for what calibrates with it
    reading        read_run: an accountant, a checkpoint, an event or a log becomes a TrainingRun
    run            phases, how their batches were drawn, which data sets are neighbours
    asking         what an accountant asks: certified upper ends as doubles
    events         dp-accounting's events as phases, or the reason why not
    checkpoint     a saved Opacus state, read without running anything of it
    logs           phases from CSV and JSON

Importing any of them needs none of the frameworks.
"""

from __future__ import annotations

import importlib
from types import ModuleType

_MODULES = ("opacus", "dp_accounting", "reading", "run")


def __getattr__(name: str) -> ModuleType:
    if name in _MODULES:
        return importlib.import_module(f"verify.frameworks.{name}")
    raise AttributeError(f"module 'verify.frameworks' has no attribute {name!r}")
