# The two commands: `make report` and `make test`. Both set up what they need (Python >= 3.11, pip).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: report test formal mutations cheats verdicts lint types docs bench attack audit frameworks faults coverage tagged dist setup-system skipped clean help

help:  ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

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

test: skipped lint types  ## the whole test suite
	$(BIN)/python -m pytest -n 2 --dist loadfile

skipped:  # said first: what the machine lacks for some tests
	@command -v coqc > /dev/null || echo "coqc is missing: tests of the Coq proofs are skipped (make setup-system installs it on Debian and Ubuntu)"
	@command -v chromium > /dev/null || command -v chromium-browser > /dev/null || command -v google-chrome > /dev/null || \
		echo "Chromium is missing: tests of the report in a browser are skipped (make setup-system)"

setup-system:  ## Coq with its libraries, and Chromium, by apt-get
	apt-get update -qq || sudo apt-get update -qq || true
	APT="apt-get install -y -qq --no-install-recommends coq libcoq-coquelicot libcoq-interval chromium"; \
		DEBIAN_FRONTEND=noninteractive $$APT > /dev/null || sudo DEBIAN_FRONTEND=noninteractive $$APT > /dev/null

faults: $(STAMP)  ## kill -9 at any moment, a full disk, a lost cluster: sweeps lose nothing
	SGM_VERIFY_FAULTS=1 $(BIN)/python -m pytest -q tests/sweeps/test_faults.py

frameworks: $(STAMP)  ## trains with the real Opacus, and runs dp-accounting's own suite, in an environment of their own
	SGM_VERIFY_FRAMEWORKS=1 $(BIN)/python -m pytest -q -rs tests/frameworks/test_real.py

audit: $(STAMP)  ## certified intervals contain the truth
	$(BIN)/sgm-verify audit --seconds 60

attack: $(STAMP)  ## every number of every claim's check, changed (about 50 minutes)
	$(BIN)/python -m tests.meta.attack

coverage: $(STAMP)  ## branch coverage of the suite, by room, with a badge; fails below the floor in pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'coverage>=7.6'
	COVERAGE_PROCESS_START=pyproject.toml $(BIN)/python -m coverage run -m pytest -q -n 0
	$(BIN)/python -m coverage json -q --fail-under 0 -o coverage.json
	$(BIN)/python -m tests.meta.coverage_rooms coverage.json reports/coverage-badge.json
	$(BIN)/python -m coverage report

tagged:  # in the workflow of a release: the tag is the version, so nothing is published as a .dev version
	@test "$${GITHUB_REF_TYPE:-}" != tag || grep -qx "__version__ = \"$${GITHUB_REF_NAME#v}\"" verify/version.py || \
		{ echo "the tag $$GITHUB_REF_NAME is not the version in verify/version.py"; exit 1; }

dist: tagged $(STAMP)  ## wheel and source archive, checked
	$(BIN)/python -m pip install --quiet --disable-pip-version-check build twine
	rm -rf dist && $(BIN)/python -m build --quiet && $(BIN)/python -m twine check --strict dist/*

formal: $(STAMP)  ## compile the Coq proofs, ask the kernel what they say and assume (FORMAL=--full: from clean)
	$(BIN)/python -m proofs_checks.kernel $(FORMAL)

mutations: $(STAMP)  ## statements of the Coq development made false do not compile (after formal)
	$(BIN)/python -m proofs_checks.mutations

cheats: $(STAMP)  ## developments that lie, and what of the audit catches each (after formal, some ten minutes; CHEATS=--small: two files)
	$(BIN)/python -m proofs_checks.cheats $(CHEATS)

docs: $(STAMP)  ## the documentation site, as static files in site/ (a link that leads nowhere is an error)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "site/index.html"

verdicts: $(STAMP)  ## the library of kernel verdicts, theorems about numbers and runs, refused lies (after formal; VERDICTS=--kept: the kept ones again)
	$(BIN)/python -m proofs_checks.verdicts $(VERDICTS)
	$(BIN)/python -m proofs_checks.runs $(VERDICTS)

bench: $(STAMP)  ## speed of the certified engine, as ratios
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/sgm-verify bench

clean:  ## remove the environment and caches
	rm -rf $(VENV) site .pytest_cache .mypy_cache .ruff_cache .hypothesis
