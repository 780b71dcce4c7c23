.DEFAULT_GOAL := help
.PHONY: help check test laws generate new-rule bench fuzz mutants

help: ## Show the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

check: ## All that CI checks beside `make test`: format, lint, types, floors, generated files, our own specs, installations
	ruff format --check .
	ruff check .
	mypy
	lint-imports
	python -m tests.maintenance.generate --check
	mcp-contracts lint --max-warnings 0
	mcp-contracts fmt --check specs module_template
	python -m tests.maintenance.check_wheel
	pytest -m installs

test: ## Run the tests
	pytest

laws: ## Run the tests that generate their cases with far more of them than `make test`, and sweeps with all their rows
	MCP_CONTRACTS_SWEEPS=whole pytest -m "hypothesis or sweep" --hypothesis-profile thorough

generate: ## Write the generated files anew: schemas, rule pages, help texts, the README's picture, outputs in documents
	python -m tests.maintenance.generate
	python -m tests.maintenance.documents
	python -m tests.proofs.effort

new-rule: ## Begin a rule: make new-rule CODE=MC399 NAME=some-fault [TOPIC=schemas/values] [SCOPE=ToolSchema]
	@python -m tests.maintenance.new_rule $(CODE) $(NAME) $(if $(TOPIC),--topic $(TOPIC)) $(if $(SCOPE),--scope $(SCOPE))

bench: ## Measure our commands beside their floors and the tools of others, and write docs/benchmarks.md
	python -m benchmarks $(ARGUMENTS)

fuzz: ## Lint 5,000 damaged specifications and look for anything that breaks; ask about all pairs of tiny schemas
	python -m tests.fuzz --runs 5000
	python -m tests.fuzz --hostile --runs 100
	python -m tests.fuzz_trees --runs 300
	python -m tests.proofs.exact
	python -m tests.proofs.families
	python -m tests.proofs.readings

mutants: ## Change the code that decides in 100 places, one at a time, and see the tests fail each time
	python -m tests.proofs.mutants
