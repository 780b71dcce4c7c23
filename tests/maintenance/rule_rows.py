"""Writes `mcp_contracts/rules/listed.py`: the rows of all rules."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.rules.registry import (
    LINT_RULES,
    PORTABILITY_ON_DEMAND,
    PORTABILITY_TARGETS,
    all_rule_infos,
)

_HEAD = '''"""All rules as `rules.registry` lists them, in order of code. Written by `make generate`.

A row holds a rule's code, name, severity, version, summary, rationale and scope. For a rule about portability, it also
says whether it only runs on demand, and for which targets.
"""

RULES: tuple[tuple[str, str, str, str, str, str, str, tuple[bool, tuple[str, ...]] | None], ...] = (
'''


def rule_row_files() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of the module."""
    scopes = {rule.info.code: rule.scope for rule in LINT_RULES}
    rows = []
    for info in all_rule_infos():
        about = PORTABILITY_TARGETS.get(info.code)
        targets = tuple(sorted(target.name for target in about)) if about is not None else None
        portable = None if targets is None else (info.code in PORTABILITY_ON_DEMAND, targets)
        row = (info.code, info.name, info.severity.value, info.since, info.summary, info.rationale)
        rows.append(f"    {(*row, scopes.get(info.code, ''), portable)!r},\n")
    yield "mcp_contracts/rules/listed.py", f"{_HEAD}{''.join(rows)})\n"
