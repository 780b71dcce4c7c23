"""Rules about the description by which a model chooses a tool (MC509 and MC510)."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SourceFile, SpecFile, SpecTool, ToolContract
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.parsing.placeholder_texts import is_placeholder
from mcp_contracts.rules.base import RuleOptions, rule
from mcp_contracts.rules.portability.tools import exceeded_lengths
from mcp_contracts.rules.texts import LONGEST_PROSE, offset_of, without_fences
from mcp_contracts.schema.identity import cached_by_identity

_HINT = "say what the tool does, when to choose it and what it returns"
_SHORTEST = 10
_AROUND_A_NAME = 30
_IN_CODE = re.compile(r"`[^`\n]*`")
_NAME_IN_CODE = re.compile(r"`(?=([^`(\n]{1,200})[`(])")
_OF_PARAMETERS = re.compile(
    r"^(?:[ \t>]*\||[ \t]*#|[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]*)?"
    r"(?:[`*_]|[\w-]+(?: [\w-]+){0,2} ?(?::|\([^)]*\)|[–—-] ))).*"
    r"|\b[Nn]o \w+\b\.?|\*\*[^*\n]+\*\*.*",
    re.MULTILINE,
)
"""Lines of tables, lists of parameters and labels."""
_ABOUT = re.compile(r"^(?:The|This) tool \w+s\b.*", re.MULTILINE)
_WIDE = "\u2e80"  # most scripts from this character on write a word in one or two characters
_LETTERS_OF_WIDE = 3


@rule("MC509", Severity.WARNING, since="0.1.0")
def description_too_short(file: SourceFile) -> Iterator[Finding]:
    """A description is too short to help choose the tool.

    It is empty, repeats the name, or has fewer than ten characters. Models choose tools by their descriptions. Without
    one, they choose by name or not at all.

    In an older dialect, a list item or a table row may repeat the name. An empty description is reported only if the
    tool has no other text, no other row or item describes it, and, for items and rows, at least half of those in its
    list or table have descriptions.
    """
    if isinstance(file, SpecFile):
        terse = set(_terse_lines(file))
        for tool in file.tools:
            is_left_empty = "description" in tool.contract.places and not tool.contract.description.strip()
            if tool.contract.name in terse and not is_left_empty:
                continue
            may_be_described = tool.is_legacy and not is_left_empty and _may_be_described(file, tool)
            if _has_description(tool) and not may_be_described:
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
    if length > LONGEST_PROSE:
        return  # MC015 says how much to leave out
    if length > options.description_length and not is_past_target:
        yield Finding(
            f"the description is {length:,} characters long, but some hosts accept at most "
            f"{options.description_length:,}",
            "keep what helps a model choose the tool, and move the rest to the parameters' descriptions",
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
    elif sum(_LETTERS_OF_WIDE if character >= _WIDE else 1 for character in text) < _SHORTEST:
        fault = f"is only {len(text)} characters long"
    else:
        return
    yield Finding(f"the description {fault}", _HINT, contract.place_of("description"))


def _terse_lines(file: SpecFile) -> Iterator[str]:
    """Yield the tools in lists of names, which MC006 reports, and those on lines with room for only a name."""
    lists: dict[int, list[SpecTool]] = {}
    for tool in file.tools:
        if _is_line(file, tool):
            heading = file.text.rfind("\n#", 0, offset_of(file.text, tool.lines[0], 1))
            lists.setdefault(heading, []).append(tool)
    for tools in lists.values():
        described = [tool for tool in tools if tool.contract.description.strip()]
        is_of_names = len(described) * 2 < len(tools)
        yield from (tool.contract.name for tool in (tools if is_of_names else described))


def _is_line(file: SpecFile, tool: SpecTool) -> bool:
    """Whether a tool has no heading but is a row of a table, an item of a list, or a signature in code."""
    return tool.is_legacy and not file.text.startswith("#", offset_of(file.text, tool.lines[0], 1))


def _may_be_described(file: SpecFile, tool: SpecTool) -> bool:
    """Whether a tool without a description has another text, or another line of the file is about it."""
    if tool.contract.description.strip():
        return False
    if "unread_input" in tool.contract.places:
        return True  # what is not read may describe the tool
    row = file.text[offset_of(file.text, tool.lines[0], 1) :].partition("\n")[0].strip()
    if row.startswith("|"):
        if re.search(r"\|[ \t]*+[-–—]*+[ \t]*+\|", row) is None:
            return True  # the table may have no column for descriptions
    elif not row.startswith("#") and len(_IN_CODE.findall(row)) > 1:
        return True  # a list of names
    name = tool.contract.name.rpartition(".")[2]
    start, end = offset_of(file.text, tool.lines[0], 1), offset_of(file.text, tool.lines[1], 1_000_000)
    heading, _, own = without_fences(file.text[start:end]).partition("\n")
    heading = re.sub(r"^[#>\s]*(?:Tool\b:?)?", "", heading)
    lines = [heading, *_OF_PARAMETERS.sub("", own.strip("\n").partition("\n\n")[0]).split("\n"), *_ABOUT.findall(own)]
    if (others := _lines_with_names(file).get(name)) is not None:
        first, last = tool.lines
        is_first = _are_usually_described(file)  # a mention in another place is about something else
        row = r"\|[ \t]*(?:#?\d{1,3}[ \t]*\|[ \t]*)?[*_\[]*" if is_first else r"\|.*"
        item = r"(?:[-*+]|\d+[.)]) " + (r"[*_\[]*" if is_first else ".*")
        entry = re.compile(rf"[ \t]*(?:{row}|{item})`{re.escape(name)}[`(]")
        lines += [line for at, line in others.items() if not first <= at <= last and entry.match(line)]
    plain = (_letters(_IN_CODE.sub("", line)).replace(_letters(name), "") for line in lines)
    return any(sum(_LETTERS_OF_WIDE if letter >= _WIDE else 1 for letter in text) >= _SHORTEST for text in plain)


@cached_by_identity(1)
def _lines_with_names(file: SpecFile) -> dict[str, dict[int, str]]:
    """Return the lines that contain each name in code, by their numbers."""
    found: dict[str, dict[int, str]] = {}
    for number, line in enumerate(file.text.split("\n"), start=1):
        for match in _NAME_IN_CODE.finditer(line):
            found.setdefault(match[1], {})[number] = line
    return found


@cached_by_identity(1)
def _are_usually_described(file: SpecFile) -> bool:
    """Whether most tools of a file have descriptions of their own, so that a mention elsewhere is none."""
    return sum(bool(tool.contract.description.strip()) for tool in file.tools) * 2 >= len(file.tools)


def _has_description(tool: SpecTool) -> bool:
    """Whether a description exists; another rule reports a missing or empty section."""
    section = tool.section(1)
    return not section.is_empty if section is not None else tool.is_legacy


def _letters(text: str) -> str:
    """Return text without the characters that are irrelevant in a name."""
    return re.sub(r"[\W_]+|\b(?:the|a|an|tool|function|api)\b", "", text.casefold().replace("_", " "))
