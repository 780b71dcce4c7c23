"""Rules about the description by which a model chooses a tool (MC509 and MC510)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_contracts.contract import SourceFile, SpecFile, SpecTool, ToolContract
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.parsing.placeholder_texts import is_placeholder
from mcp_contracts.rules.base import RuleOptions, rule
from mcp_contracts.rules.portability.tools import exceeded_lengths
from mcp_contracts.sections import Section

_HINT = "say what the tool does, when to choose it and what it returns"
_SHORTEST = 10
_AROUND_A_NAME = 30
_WIDE = "\u2e80"  # from here on, most scripts write a word in a character or two


@rule("MC509", Severity.WARNING, since="0.1.0")
def description_too_short(file: SourceFile) -> Iterator[Finding]:
    """A description is too short to help choose the tool.

    It is empty, repeats the name, or has fewer than ten characters. Models choose among tools by their descriptions.
    Without one, they choose by the name or not at all.
    """
    if isinstance(file, SpecFile):
        listed = [bool(tool.contract.description) for tool in file.tools if tool.is_listed_only]
        names_only = sum(listed) * 4 < len(listed)
        for tool in file.tools:
            if names_only and tool.is_listed_only:
                continue  # a list of names, as MC006 reports
            if _has_description(tool) and not (tool.is_legacy and any(map(_continues_with_description, tool.sections))):
                yield from _brevity_findings(tool.contract)
    else:
        for contract in file.contracts:
            yield from _brevity_findings(contract)


@rule("MC510", Severity.NOTE, since="0.1.0")
def description_too_long(tool: ToolContract, options: RuleOptions) -> Iterator[Finding]:
    """A description is longer than some hosts accept.

    OpenAI's function calling has been reported to reject descriptions of more than 1,024 characters, and one rejected
    tool fails the whole request (getsentry/sentry-mcp issue 106, modelcontextprotocol/servers issue 799). Descriptions
    are also sent, and paid for, with every request. With a target whose limit is exceeded, MC605 reports this instead.
    """
    length = len(tool.description)
    is_past_target = bool(options.targets) and any(exceeded_lengths(length, options))
    if length > options.description_length and not is_past_target:
        yield Finding(
            f"the description is {length:,} characters long, and some hosts accept {options.description_length:,}",
            "keep what helps to choose the tool, and move the rest to the parameters' descriptions",
            tool.place_of("description"),
        )


def _brevity_findings(contract: ToolContract) -> Iterator[Finding]:
    text = contract.description.strip()
    if len(text) > max(len(contract.name) + _AROUND_A_NAME, _SHORTEST) or is_placeholder(text):
        return
    if not text:
        fault = "is empty"
    elif _letters(text) in (_letters(contract.name), _letters(contract.name.rpartition(".")[2])):
        fault = "only repeats the name"
    elif sum(2 if character >= _WIDE else 1 for character in text) < _SHORTEST:
        fault = f"is only {len(text)} characters long"
    else:
        return
    yield Finding(f"the description {fault}", _HINT, contract.place_of("description"))


def _continues_with_description(section: Section) -> bool:
    """Whether a section continues with what the tool does: `Output: records. The tool refuses broad requests.`"""
    return re.search(r"\n\n(?:The|This) tool \w+s\b", section.text) is not None


def _has_description(tool: SpecTool) -> bool:
    """Whether there is a description; another rule reports a missing or empty section."""
    section = tool.section(1)
    return not section.is_empty if section is not None else tool.is_legacy


def _letters(text: str) -> str:
    """Return text without the characters that do not change its meaning as a name."""
    return re.sub(r"[\W_]+|\b(?:the|a|an|tool|function|api)\b", "", text.casefold().replace("_", " "))
