"""The list of the rules, by family: for a terminal, as Markdown, as plain values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mcp_contracts.diagnostics import RuleInfo
from mcp_contracts.reporting.layout import paint


def rule_values(info: RuleInfo) -> dict[str, str]:
    """Return the entry of a rule in a list."""
    return {
        "code": info.code,
        "name": info.name,
        "severity": info.severity.value,
        "since": info.since,
        "summary": info.summary,
    }


def rule_list_text(rules: Sequence[RuleInfo], families: Mapping[str, str]) -> str:
    """Return a line for each rule under the name of its family; families without rules are left out."""
    width = max((len(rule.name) for rule in rules), default=0)
    blocks = []
    for title, members in _by_family(rules, families):
        lines = [f"  {rule.code}  {rule.severity:<7}  {rule.name:<{width}}  {rule.summary}" for rule in members]
        blocks.append("\n".join([title, *lines]))
    return "\n\n".join(blocks) + "\n"


def rule_list_terminal(rules: Sequence[RuleInfo], families: Mapping[str, str], width: int) -> str:
    """Return a table for each family, for a terminal that shows colors."""
    from mcp_contracts.reporting.terminal import paint_lines, table_text  # Rich

    blocks = []
    for title, members in _by_family(rules, families):
        rows = [
            ((rule.code, "strong"), (rule.name, None), (rule.severity.value, rule.severity.value), (rule.summary, None))
            for rule in members
        ]
        table = table_text(("code", "name", "severity", "what it finds"), rows, width)
        blocks.append(f"{paint_lines(paint(title, 'strong', color=True))}\n\n{table}")
    return "\n\n".join(blocks) + "\n"


def rule_list_markdown(rules: Sequence[RuleInfo], families: Mapping[str, str], *, has_pages: bool = False) -> str:
    """Return a table for each family; with pages, each code links to the page of its rule."""
    blocks = []
    for title, members in _by_family(rules, families):
        lines = [f"## {title}", "", "| code | name | severity | what it finds |", "|---|---|---|---|"]
        for rule in members:
            code = f"[{rule.code}]({rule.code}.md)" if has_pages else rule.code
            lines.append(f"| {code} | `{rule.name}` | {rule.severity} | {rule.summary} |")
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _by_family(rules: Sequence[RuleInfo], families: Mapping[str, str]) -> Iterator[tuple[str, Sequence[RuleInfo]]]:
    for family, title in families.items():
        members = [rule for rule in rules if rule.code.startswith(family)]
        if members:
            yield f"{family}: {title}", members
