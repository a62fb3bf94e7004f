# The doors of this project. Everything is set up in .venv; nothing is installed outside it but missing system
# libraries, and those only when run as root.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: run test check bench package test-package translations clean setup setup-dev system

run: setup ## open the window on the sample stores; without a display do the main job headless into demo-out/
	@$(BIN)/python packaging/run_demo.py

test: setup-dev ## run all tests
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest $(PYTEST_ARGS)

check: setup-dev ## lint, types, layering
	@$(BIN)/ruff check inspector tests packaging
	@$(BIN)/ruff format --check inspector tests packaging
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: setup-dev ## ratios against the peers and the physical floors, in one run
	@$(BIN)/python tests/perf/bench.py

package: setup-dev ## wheel, source distribution and Debian package in dist/, the frozen program in build/bundle/
	@sh packaging/system_libraries.sh package
	@$(BIN)/python packaging/package.py

test-package: setup-dev ## the Debian package of `make package` installed, used by double click and removed in a clean root
	@sh packaging/system_libraries.sh package
	@$(BIN)/python packaging/try_package.py

translations: setup ## the translation files, after texts of the window changed
	@$(BIN)/python packaging/translations.py

clean: ## remove everything that make made
	rm -rf $(VENV) build dist demo-out .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

system:
	@sh packaging/system_libraries.sh

setup: system $(VENV)/.installed

setup-dev: setup $(VENV)/.installed-dev

$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Inspector needs Python 3.11 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { echo "The venv module is missing; on Debian: apt-get install -y python3-venv"; exit 1; }
	@echo "Setting up $(VENV) (once; takes a minute or two)"
	@$(BIN)/python -m pip install -q -e .
	@$(BIN)/python -m compileall -q inspector # as pip does for what it installs from a wheel
	@touch $@

$(VENV)/.installed-dev: pyproject.toml
	@echo "Setting up the test tools (once)"
	@$(BIN)/python -m pip install -q -e '.[test,check]'
	@touch $@
