.DEFAULT_GOAL := help
.PHONY: help check test laws generate new-rule bench fuzz mutants

help: ## Show the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

check: ## Run all checks of CI except `make test`: format, lint, types, layers, generated files, our own specs, installations
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

laws: ## Run generated tests with far more cases than `make test`, and the sweeps with all rows
	MCP_CONTRACTS_SWEEPS=whole pytest -m "hypothesis or sweep" --hypothesis-profile thorough

generate: ## Rewrite the generated files: schemas, rule pages, command help, the README's picture, outputs in documents
	python -m tests.maintenance.generate
	python -m tests.maintenance.documents
	python -m tests.proofs.effort

new-rule: ## Create a rule: make new-rule CODE=MC399 NAME=some-fault [TOPIC=schemas/values] [SCOPE=ToolSchema]
	@python -m tests.maintenance.new_rule $(CODE) $(NAME) $(if $(TOPIC),--topic $(TOPIC)) $(if $(SCOPE),--scope $(SCOPE))

bench: ## Compare our commands with their baselines and with other tools, and write docs/benchmarks.md
	python -m benchmarks $(ARGUMENTS)

fuzz: ## Lint 5,000 damaged specifications and tool lists to find crashes, and 2,400 repetitive ones to find stalls; test all patterns; compare all pairs of tiny schemas
	python -m tests.fuzz --runs 5000
	python -m tests.fuzz --hostile --runs 100
	python -m tests.fuzz_trees --runs 300
	python -m tests.fuzz_growth
	python -m tests.fuzz_patterns
	python -m tests.proofs.exact
	python -m tests.proofs.families
	python -m tests.proofs.readings

mutants: ## Make 100 mutations, one at a time, in the code that computes verdicts, and check that the tests fail
	python -m tests.proofs.mutants
