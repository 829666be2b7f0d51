"""The paper section by section: one function a claim."""
