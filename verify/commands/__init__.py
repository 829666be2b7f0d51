"""The commands, one module each; each defines ``command``."""
