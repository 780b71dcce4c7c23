"""`mcp-contracts explain`: the pages of rules."""

from __future__ import annotations

from typing import Annotated, Literal

from mcp_contracts.checks.catalog import CATALOG_FAMILIES, catalog, known_codes, read_example_of
from mcp_contracts.cli.command_line.parameters import Argument, Option, command_app
from mcp_contracts.cli.options import Color, deliver, has_colors, terminal_width
from mcp_contracts.diagnostics import RuleInfo
from mcp_contracts.errors import UsageError
from mcp_contracts.reporting.rules.listing import rule_list_markdown, rule_list_text, rule_values
from mcp_contracts.reporting.rules.page import ChangeExample, rule_page, rule_page_text
from mcp_contracts.reporting.visible import json_text
from mcp_contracts.rule_names import rule_prefix, rule_suggestion


@command_app(
    "Explain a rule by its code or its name: explain MC305",
    "List the rules with a code prefix: explain BC2",
    "Print the page of a rule as Markdown: explain property-without-description --format markdown",
)
def app(
    rules: Annotated[
        list[str],
        Argument("RULE...", "A code (MC305, BC207), a name (property-without-description), or a code prefix (MC3)."),
    ],
    format_name: Annotated[
        Literal["text", "json", "markdown"], Option("--format -f", "The format of the page.")
    ] = "text",
    color: Annotated[Color, Option("--color", "Color the text output.")] = "auto",
) -> int:
    """Explain rules: what each finds, why it matters, and how to fix it.

    A code prefix lists the rules that match it.
    """
    prefixes = dict.fromkeys(_prefix(word) for word in rules)
    if format_name == "json":
        named = [info for prefix in prefixes for info in _rules_of(prefix)]
        deliver(json_text([_values(info) for info in dict.fromkeys(named)]), None)
        return 0
    is_text = format_name == "text"
    colored = is_text and has_colors(color)
    pages = []
    for prefix in prefixes:
        infos = _rules_of(prefix)
        if prefix not in known_codes():
            pages.append((rule_list_text if is_text else rule_list_markdown)(infos, CATALOG_FAMILIES))
        elif is_text:
            page = rule_page_text(infos[0], read_example_of(infos[0]), color=colored, width=terminal_width())
            pages.append(page)
        else:
            pages.append(rule_page(infos[0], read_example_of(infos[0])))
    deliver("\n\n".join(pages) if is_text else "\n".join(pages), None)
    return 0


def _prefix(word: str) -> str:
    """Return the code or code prefix that a word names, in any case."""
    for spelling in (word.upper(), word.lower()):
        prefix = rule_prefix(spelling, known_codes())
        if prefix is not None:
            return prefix
    raise UsageError(f"unknown rule `{word}`", hint=rule_suggestion(word, known_codes()))


def _rules_of(prefix: str) -> tuple[RuleInfo, ...]:
    return tuple(info for info in catalog() if info.code.startswith(prefix))


def _values(info: RuleInfo) -> dict[str, object]:
    example = read_example_of(info)
    if isinstance(example, ChangeExample):
        shown = {"old": dict(example.old), "new": dict(example.new)}
    else:
        shown = {"bad": dict(example.bad), "good": dict(example.good)}
    return {**rule_values(info), "rationale": info.rationale, **shown, "expected": example.expected}
