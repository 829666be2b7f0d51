"""MindArmour's RDP monitor functions; MindSpore, which they do not use, is replaced by a name."""

NAME = "mindarmour"
VERSION = "2.0.0"
NEEDS = ("numpy", "scipy")
SNIPPET = """\
from mindarmour.privacy.diff_privacy.monitor.monitor import _compute_rdp_with_order
print(_compute_rdp_with_order(q, sigma, alpha))
"""


def load():
    import sys
    import types
    from pathlib import Path

    from serve import module_at, package_folder, whole

    def bare_package(name, *path):
        """A package that can be imported from, whose own __init__ is not run."""
        module = types.ModuleType(name)
        module.__path__ = list(path)
        sys.modules[name] = module
        return module

    root = package_folder("mindarmour")
    bare_package("mindarmour", root)
    bare_package("mindarmour.utils", str(Path(root, "utils")))
    for name in ("mindspore", "mindspore.train"):
        bare_package(name)
    bare_package("mindspore.train.callback").Callback = object  # base class of the monitors only
    monitor = module_at(Path(root, "privacy", "diff_privacy", "monitor", "monitor.py"))

    def rdp(q, sigma, alpha):
        return monitor._compute_rdp_with_order(q, sigma, whole(alpha))

    return {"rdp": rdp}
