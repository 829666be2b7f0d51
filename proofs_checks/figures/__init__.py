"""Figures about the paper, one file each, as those of ``verify.report.figures``.

    series  how fast the half-line series converges, summed as it stands and accelerated

``proofs_checks.plugin`` names them, and the report takes them from there.
"""
