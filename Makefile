# What a person runs. Everything behind it is in tools/ and operations/.
# Python 3.11 or newer is all that must be there: make sets up .venv and the tools by itself.

.DEFAULT_GOAL := help
SHELL := /bin/sh

PYTHON ?= python3
STACK ?= dev
GPU ?= gb200
NODES ?= 4
VENV_PYTHON := .venv/bin/python

# A value reaches a command through its environment, not as an argument: quotes and secrets survive the shell.
export STACK TOOLS YES GPU NODES CRD_DIR SKIP_PREFLIGHT
GIVEN = $(filter command,$(origin $(1)))

.PHONY: help up preview preflight destroy render watch targets set env check test test-unit test-engine test-cluster mutants cluster cluster-down clean \
	python venv dev

help: ## Show this list
	@echo 'Usage: make TARGET [STACK=dev]'
	@echo
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  \1|\2/p' Makefile | awk -F'|' '{ printf "  %-13s %s\n", $$1, $$2 }'

up: venv ## Create or update a stack. YES=1 agrees without being asked; SKIP_PREFLIGHT=1 asks no preflight; ARGS= for pulumi
	@$(VENV_PYTHON) -m tools up --stack "$$STACK" -- $(ARGS)

preview: venv ## Show what `make up` would change. ARGS=--diff shows every field
	@$(VENV_PYTHON) -m tools preview --stack "$$STACK" -- $(ARGS)

preflight: venv ## Check whether a stack fits its cluster; changes nothing. ARGS=--all-targets for every target
	@$(VENV_PYTHON) -m operations preflight --stack "$$STACK" $(ARGS)

destroy: venv ## Remove what a stack has made; protected things stay, and how to remove them is said
	@$(VENV_PYTHON) -m tools destroy --stack "$$STACK" -- $(ARGS)

render: venv ## Print a stack's manifests; needs neither Pulumi nor a cluster
	@$(VENV_PYTHON) -m operations render --stack "$$STACK" $(ARGS)

watch: venv ## Say what a stack is waiting for on its cluster, until it is ready or has failed
	@$(VENV_PYTHON) -m operations watch --stack "$$STACK" $(ARGS)

targets: venv ## Show the published targets side by side
	@$(VENV_PYTHON) -m operations targets $(ARGS)

# $(value ...): a dollar sign in a value stays one.
set: export SET_KEY = $(value KEY)
set: export SET_VALUE = $(value VALUE)
set: venv ## Put KEY=path VALUE=value into a stack file. SECRET=1 asks for the value and encrypts it
	@$(VENV_PYTHON) -m tools set --stack "$$STACK" --key "$$SET_KEY" \
		$(if $(call GIVEN,VALUE),--value-in SET_VALUE) $(if $(filter 1,$(SECRET)),--secret)

env: venv ## Print export lines for a shell:  eval "$(make -s env)"
	@$(VENV_PYTHON) -m tools env

check: dev ## Format, lint and types, as CI runs them
	@$(VENV_PYTHON) -m ruff format --check .
	@$(VENV_PYTHON) -m ruff check .
	@$(VENV_PYTHON) -m mypy

test: dev ## All test tiers; builds missing tools meanwhile
	@$(VENV_PYTHON) -m tools test

test-unit: dev ## The unit tier: needs pip only
	@$(VENV_PYTHON) -m tools test unit

test-engine: dev ## The engine tier: real Pulumi runs
	@$(VENV_PYTHON) -m tools test engine

test-cluster: dev ## The cluster tier: a real API server on this machine
	@$(VENV_PYTHON) -m tools test cluster

mutants: dev ## Break the program in many places; every break must fail a test
	@$(VENV_PYTHON) -m tests.mutants

cluster: venv ## A test cluster in the background: GPU=gb200 NODES=4; CRD_DIR= for other CRDs
	@$(VENV_PYTHON) -m tests.stand_in up --gpu "$$GPU" --nodes "$$NODES" --crd-dir "$$CRD_DIR"

cluster-down: venv ## Stop the test cluster and remove all of it
	@$(VENV_PYTHON) -m tests.stand_in down

clean: ## Remove .venv, caches and rendered files; never the state of a stack
	@rm -rf .venv .pulumi-tools .pytest_cache .ruff_cache .mypy_cache .hypothesis rendered

venv: python
	@$(PYTHON) tools/venv.py runtime

dev: python
	@$(PYTHON) tools/venv.py dev

python:
	@found=$$(command -v "$(PYTHON)" >/dev/null && "$(PYTHON)" --version 2>&1 || echo 'not there'); \
	"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Python 3.11 or newer is needed; $(PYTHON) is $$found." >&2; \
		echo "Name another one:  make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
