"""The paper's claims, checked: one module a section, one function a claim."""
