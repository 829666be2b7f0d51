"""The version, where everybody can import it without importing anything else."""

__version__ = "0.2.0.dev0"
