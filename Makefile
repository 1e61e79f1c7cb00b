# Every task of the repository. Needs python3 (3.11 or newer, with venv), make and git; all else is installed into .venv from
# requirements/dev.txt, each file checked against its hash. A target's line after "##" is what `make` alone prints.

PYTHON ?= python3
PY := .venv/bin/python
# Many cases wait for a deadline, so that twice as many workers as processors end sooner; WORKERS=n for another number.
WORKERS = $(shell $(PY) -c 'import os; print(2 * (os.cpu_count() or 1))')
PYTEST = $(PY) -m pytest -n $(WORKERS) --dist loadgroup

# What a user's shell sets for other projects stays outside.
unexport PYTHONPATH PYTHONHOME

.DEFAULT_GOAL := help
.PHONY: help demo test conformance clients interop fuzz lint docs format front-door fuzz-wire fuzz-index recall fuzz-mail differential corpus coverage fidelity bench bench-peers bench-fakebridge constraints clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

demo: .venv/ready ## show the main job on a sample mailbox: no account needed, all thirteen tools, the evidence at the end
	@$(PY) -m conformance.demo

test: .venv/ready ## run all tests and all cases in parallel, print how many of each
	@$(PYTEST) tests

conformance: .venv/ready ## play the cases against the server, print the table by tool
	@$(PY) -m conformance run

clients: .venv/ready ## run MCP clients that others wrote against the server, each with every tool; needs npm on Linux x86-64
	@$(PY) -m tests.clients

lint: .venv/ready ## check format, ruff, types, import contracts, cases and the repository's own rules
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy
	@.venv/bin/lint-imports --no-logo
	@$(PY) -m conformance lint
	@$(PY) -m pytest -q tests/lint

docs: .venv/ready ## write the generated tables of README and docs
	@$(PY) -m tests.documents

format: .venv/ready ## put the sources into the format that lint asks for
	@$(PY) -m ruff format .
	@$(PY) -m ruff check --fix-only --quiet .

front-door: .venv/ready ## record again what the server publishes: the front door's table and the reviewed lists of tools
	@$(PY) -m proton_safe describe --form front-door > .front-door.new && mv .front-door.new proton_safe/protocol/front_door.json
	@$(PY) -m tests.server.golden_files

fuzz-wire: .venv/ready ## play 200,000 random and mutated frames, or FRAMES=n, against the server, in all protocol versions
	@$(PY) -m tests.server.wire_fuzz $(or $(FRAMES),200000) $(SEED)

fuzz-mail: .venv/ready ## read mutated fixture mails through the server for 30 minutes, or MINUTES=n, and keep what broke it
	@$(PY) -m tests.fuzz_mail --minutes $(or $(MINUTES),30)

differential: .venv/ready ## read 3,000 ordinary mails through the server, compare with what was put in and with Python's parser
	@$(PY) -m tests.differential

corpus: .venv/ready ## read the mails of FOLDER (mails.tar.xz, manifest.json, expected.json), compare with the facts that it states
	@$(PY) -m tests.corpus $(or $(FOLDER),$(error say which folder: make corpus FOLDER=/path/to/it))

fuzz-index: .venv/ready ## play 200,000 steps of the index's state machine, or STEPS=n, from a seed that is printed, or SEED=n
	@$(PY) -m tests.index_machine $(or $(STEPS),200000) $(SEED)

recall: .venv/ready ## search 2,000 mails in 20 languages, print what was found by kind: the table of docs/search.md
	@$(PY) -m tests.recall

interop: .venv/ready ## run mbsync, curl, msmtp and swaks against fakebridge; gets them from the distribution, fails without one
	@$(PY) -m tests.interop

fuzz: .venv/ready ## throw octets at fakebridge for 30 minutes, or MINUTES=n, and show what broke it
	@$(PY) -m tests.fakebridge.fuzz --minutes $(or $(MINUTES),30)

coverage: .venv/ready ## print the branch coverage of proton_safe and fakebridge across processes, at least 90 %
	@$(PY) -m tests.coverage_report

fidelity: .venv/ready ## switch each imitated behaviour of fakebridge off in turn, show that its test then fails
	@$(PY) -m tests.fidelity

bench: .venv/ready ## measure the server beside its floor, on a Dovecot (needs dovecot-imapd) and on fakebridge; BENCH="--only ..." for less
	@$(PY) -m bench $(BENCH)

bench-peers: .venv/ready ## install the two published servers that make bench compares with
	@$(PY) -m bench.peers

bench-fakebridge: .venv/ready ## measure fakebridge alone with 1,000 and 50,000 messages
	@$(PY) -m bench.fakebridge

constraints: ## resolve requirements/dev.txt again from the ranges in pyproject.toml (the one target that needs uv)
	@command -v uv >/dev/null || { echo "make constraints needs uv on the path: python3 -m pip install uv"; exit 1; }
	uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate --extra fakebridge --group dev pyproject.toml --output-file requirements/dev.txt

clean: ## remove .venv and everything that was made
	rm -rf .venv .clients .coverage .coverage.* build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamp is younger than both files as long as nothing changed; then no target touches pip.
.venv/ready: requirements/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Proton Safe needs Python 3.11 or newer, and '$(PYTHON)' is not. Install one, or name it: make PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "'$(PYTHON)' has no venv or no ensurepip. Debian and Ubuntu: install the package python3-venv, then call make again."; exit 1; }
	@$(PY) -c 'import pip' 2>/dev/null || { echo "making .venv with $$($(PYTHON) --version)"; $(PYTHON) -m venv --clear .venv; }
	@echo "installing what requirements/dev.txt pins"
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-input --require-hashes -r requirements/dev.txt
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-input --no-deps --no-build-isolation --editable .
	@$(PY) -m pip check --disable-pip-version-check --quiet
	@touch $@
