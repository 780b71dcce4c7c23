"""Lint a specification from Python: `python examples/lint_from_python.py [SOURCE]`."""

import sys

from mcp_contracts import lint, load

contracts = load(sys.argv[1] if len(sys.argv) > 1 else "examples/five_faults")
for contract in contracts:
    print(f"{contract.name} {contract.version or 'without a version'}")
for diagnostic in lint(contracts).shown():
    place = diagnostic.place
    print(f"{place.path}:{place.line}:{place.column}: {diagnostic.severity} {diagnostic.code} {diagnostic.message}")
