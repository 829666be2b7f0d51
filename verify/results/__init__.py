"""Every JSON document the project writes: one class each, from which reader, writer and schema come."""
