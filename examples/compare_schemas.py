"""Compare two schemas, and two revisions, from Python: `python examples/compare_schemas.py [OLD NEW]`."""

import sys

from mcp_contracts import compare_schemas, diff, load

before = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "limit": {"type": "integer", "maximum": 100}},
    "required": ["query"],
}
after = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "limit": {"type": "integer", "maximum": 50},
        "language": {"type": "string"},
    },
    "required": ["query"],
}

for policy in ("declared", "sets", "strict"):
    result = compare_schemas(before, after, direction="input", policy=policy)
    print(f"{policy}: {result.verdict}")
    for change in result.changes:
        print(f"  {change.verdict} {change.code} {change.message}")
        if change.witness is not None:
            print(f"    worked before and fails now: {change.witness.value}, {change.witness.error}")

if len(sys.argv) == 3:  # two sources, for instance `git:origin/main:specs specs`
    report = diff(load(sys.argv[1]), load(sys.argv[2]))
    for tool, change in report.changes():
        print(f"{tool.tool}: {change.verdict} {change.code} {change.message}")
    sys.exit(1 if report.has_failed else 0)
