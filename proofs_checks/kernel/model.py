"""What the parts of the audit share: the theorem, the error, the axioms that are allowed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "formal"
PACKAGES = ("coq", "libcoq-coquelicot")

ALLOWED = frozenset(
    {
        "Coq.Reals.ClassicalDedekindReals.sig_forall_dec",
        "Coq.Reals.ClassicalDedekindReals.sig_not_dec",
        "Coq.Logic.FunctionalExtensionality.functional_extensionality_dep",
        "Coq.Logic.Classical_Prop.classic",
    }
)
"""What the standard library's real numbers and Coquelicot assume, by full name; nothing else may be."""


class FormalError(Exception):
    """The development is refused: it does not compile, assumes too much, or says something else."""


@dataclass(frozen=True, slots=True)
class Theorem:
    """A final theorem: where it stands, what it says, what the kernel says it assumes."""

    name: str
    file: str
    line: int
    statement: str
    axioms: tuple[str, ...] = ()

    @property
    def full_name(self) -> str:
        """The name that nothing else can have.

        >>> Theorem("lemma_6", "Statements.v", 1, "True").full_name
        'SGM.Statements.lemma_6'
        """
        return f"SGM.{Path(self.file).stem}.{self.name}"
