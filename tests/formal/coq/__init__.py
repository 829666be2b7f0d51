"""The statements of the formal development as numbers: the Coq text is read, drawn and evaluated."""
