# The two commands: `make report` and `make test`. Both set up what they need (Python >= 3.11, pip).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: report test formal verdicts lint types docs bench clean help

help:  ## what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed (PYTHON=...)")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $(STAMP)

report: $(STAMP)  ## run the verification and write the report
	$(BIN)/sgm-verify report --out reports

lint: $(STAMP)  ## ruff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)  ## mypy, strict
	$(BIN)/mypy

test: lint types  ## the whole test suite
	$(BIN)/python -m pytest -n 2 --dist loadfile

formal: $(STAMP)  ## compile the Coq proofs, ask the kernel what they say and assume (FORMAL=--full: from clean)
	$(BIN)/python -m proofs_checks.kernel $(FORMAL)

docs: $(STAMP)  ## the documentation site, as static files in site/ (a link that leads nowhere is an error)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "site/index.html"

verdicts: $(STAMP)  ## the library of kernel verdicts, three theorems, refused lies (after formal; VERDICTS=--kept: the kept ones again)
	$(BIN)/python -m proofs_checks.verdicts $(VERDICTS)

bench: $(STAMP)  ## speed of the certified engine, as ratios
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/sgm-verify bench

clean:  ## remove the environment and caches
	rm -rf $(VENV) site .pytest_cache .mypy_cache .ruff_cache .hypothesis
