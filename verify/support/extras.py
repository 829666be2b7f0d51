"""What a plain installation leaves out, and how to get it: the report's libraries are heavier than the rest."""

from __future__ import annotations

import importlib.util

EXTRAS = {
    "report": ("sympy", "jinja2", "matplotlib", "latex2mathml"),
    "dask": ("distributed", "dask"),
    "parquet": ("pyarrow",),
    "pandas": ("pandas",),
    "opacus": ("opacus",),
    "dp-accounting": ("dp_accounting",),
    "bench": ("dp_accounting",),
}


def need(extra: str) -> None:
    """ModuleNotFoundError for the first library of an extra that is missing, before anything is done."""
    for name in EXTRAS[extra]:
        if importlib.util.find_spec(name) is None:
            raise ModuleNotFoundError(f"no module named {name}", name=name)


def what_to_install(error: ModuleNotFoundError) -> str:
    """What to install, in one line; an error that no extra can mend is raised again.

    >>> what_to_install(ModuleNotFoundError("no module named jinja2", name="jinja2"))
    "this needs jinja2, which a plain installation leaves out: pip install '.[report]' in a checkout"
    """
    name = (error.name or "").partition(".")[0]
    for extra, names in EXTRAS.items():
        if name in names:
            return (
                f"this needs {name}, which a plain installation leaves out: "
                f"pip install '.[{extra}]' in a checkout"
            )
    raise error
