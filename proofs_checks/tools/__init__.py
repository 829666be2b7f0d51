"""What the checks are made with: readers and evaluators that are not claims themselves."""
