"""The rule about sections that the other tools of a file have (MC109)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SpecFile, SpecTool
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.parsing.topics import about
from mcp_contracts.rule_names import nearest
from mcp_contracts.rules.base import LEGACY, rule
from mcp_contracts.rules.structure.sections import (
    REQUIRED,
    first_sections,
    is_of_nothing,
    normalize_title,
    stated_number,
)
from mcp_contracts.rules.wording import show
from mcp_contracts.sections import SECTION_TITLES, Section


@rule("MC109", Severity.WARNING, since="0.2.0", needs=[LEGACY])
def section_of_siblings_missing(file: SpecFile) -> Iterator[Finding]:
    """A tool in an older dialect lacks a section that the other tools of its file have, or misspells its title.

    No format defines the sections of such a tool, but its neighbors suggest them. Usually, the section was forgotten or
    lost.
    """
    tools = [tool for tool in file.tools if tool.is_legacy and not tool.is_listed_only]
    examples = {title for tool in tools if len(several := _example_titles(tool)) > 1 for title in several}
    lines = SourceText.of(file.path, file.text).lines
    by_tool = [_subjects(tool, examples, lines) for tool in tools]
    counts = Counter(key for subjects in by_tool for key in subjects)
    titles = {key: title for subjects in reversed(by_tool) for key, title in subjects.items()}
    shared = Counter(title for tool in tools for title in {*map(_title, tool.sections)})
    common = _common_sections(tools, shared)
    shows_calls = any(example.kind in _CALLS for tool in tools for example in tool.contract.examples)
    for tool, subjects in zip(tools, by_tool, strict=True):
        for section in tool.sections:
            if (meant := _meant_title(section)) is not None:
                message = f"section `{show(section.title)}` is unknown"
                yield Finding(message, f"write `{meant.capitalize()}`", section.place)
        own = {*map(_title, tool.sections)}
        expected = [section for section in common if _title(section) not in own]
        renamed = _renamed_section(tool, expected, shared, tools)
        if renamed is not None and _meant_title(renamed[0]) is None:
            unknown, meant = (show(section.title) for section in renamed)
            message = f"section `{unknown}` is unknown; the other tools of the file have `{meant}`"
            yield Finding(message, f"write `{meant}`", renamed[0].place)
        is_uniform = any(section.about == _RETURNS for section in expected)
        lost = (key for key in titles if key not in subjects and (renamed is None or titles[key] != renamed[1].title))
        for key in lost:
            lacking = len(tools) - counts[key]
            if (
                _is_gap(key, lacking, by_tool, subjects)
                and not _is_said_otherwise(tool, key, titles[key], is_uniform=is_uniform, shows_calls=shows_calls)
                and not (key == 7 and _takes_nothing(tool))
                and not any(_is_about_all(key, other) for other in tools)
            ):
                others = "the other tool of the file has" if len(tools) == 2 else "other tools of the file have"
                message = f"section `{show(titles[key])}`, which {others}, is missing"
                yield Finding(
                    message,
                    "add the section; if it does not apply, write a sentence that says so",
                    tool.contract.place,
                )
        yield from _lost_numbers(tool, counts, by_tool, subjects)


def _meant_title(section: Section) -> str | None:
    """Return the known title that a misspelled title stands for, if there is one."""
    title = normalize_title(section.title)
    if section.number or section.about is not None or title in _OF_CHOICE or not _TITLES.isdisjoint(title.split()):
        return None
    return nearest(title, _TITLES)


def _common_sections(tools: Sequence[SpecTool], shared: Mapping[str, int]) -> Sequence[Section]:
    """Return the sections whose titles all tools have, or all but one, of at least three tools."""
    sections = {_title(section): section for tool in tools[:2] for section in reversed(tool.sections)}
    most = len(tools) - 1
    return [section for title, section in sections.items() if shared[title] >= most >= _FEWEST_OTHERS]


def _renamed_section(
    tool: SpecTool, expected: Sequence[Section], shared: Mapping[str, int], tools: Sequence[SpecTool]
) -> tuple[Section, Section] | None:
    """Return the only section of a tool with an unknown title, and the one that all other tools have in its place."""
    odd = [one for one in tool.sections if shared[_title(one)] == 1 and _title(one) not in _OF_CHOICE]
    own = [one for one in odd if about(one.title) is None]
    if len(own) != 1 or len(expected) != 1 or own[0].number != expected[0].number:
        return None
    if own[0].title.rstrip("s").lower() == expected[0].title.rstrip("s").lower():
        return None
    if all(_title_before(own[0], tool) != _title_before(expected[0], other) for other in tools if other is not tool):
        return None
    is_reported = own[0].number is not None and is_of_nothing(own[0], list(first_sections(tool)))
    return None if is_reported else (own[0], expected[0])


def _title_before(section: Section, tool: SpecTool) -> str | None:
    """Return the title of the section before that of the same title in a tool; "" for its first."""
    titles = ["", *map(_title, tool.sections)]
    return titles[titles.index(_title(section), 1) - 1] if _title(section) in titles[1:] else None


def _title(section: Section) -> str:
    """Return the title of a section in its words, without a remark in parentheses."""
    return normalize_title(section.title.partition(" (")[0])


def _takes_nothing(tool: SpecTool) -> bool:
    """Whether a tool has no parameters, so that an example would show nothing."""
    schema = tool.contract.input_schema
    return isinstance(schema, dict) and schema.get("properties") == {}


_Subject = int | str
_TITLES = frozenset(("parameters", "arguments", "returns", "description", "purpose", "example", "errors", "security"))
_OF_CHOICE = frozenset(
    ("note", "notes", "warning", "warnings", "tip", "tips", "see also", "caveats", "limitations", "remarks", "severity")
)
"""Titles of sections that only some tools need."""
_FEWEST_OTHERS = 2
_RETURNS = 4
_EXAMPLES = 7
_CALLS = ("call", "arguments")
_MOST_LOST = 2
_SHORTEST_WORD = 3
_FEWEST_ALIKE = 5


def _example_titles(tool: SpecTool) -> set[str]:
    """Return the titles of a tool's examples: `Request Example` and `Response Example` are two sections."""
    return {_title(section) for section in tool.sections if section.about == _EXAMPLES and not section.number}


def _subjects(tool: SpecTool, examples: AbstractSet[str], lines: Sequence[str]) -> dict[_Subject, str]:
    """Return the subjects of a tool's sections, with their titles: a number of the format, or a title.

    `examples` are the titles of which one tool has several; each is a subject of its own. The result in a signature is
    no section: its title is not in the `lines` of the file.
    """
    subjects: dict[_Subject, str] = {}
    for section in tool.sections:
        if section.about == _RETURNS and "->" in (line := lines[section.place.line - 1]) and section.title not in line:
            continue
        key = section.number or section.about or normalize_title(section.title)
        if key == _EXAMPLES and _title(section) in examples:
            key = _title(section)
        if key and key not in _OF_CHOICE:
            subjects.setdefault(key, section.title)
    return subjects


def _is_gap(key: _Subject, lacking: int, by_tool: Sequence[dict[_Subject, str]], own: dict[_Subject, str]) -> bool:
    """Whether a section that others have was probably lost.

    If a file has only two tools, neither is the norm, so the section must be the only difference between them.
    """
    if len(by_tool) == 2:
        whole = by_tool[0] if by_tool[1] is own else by_tool[1]
        return key in (4, 5, 7) and len(own) > 1 and whole.keys() - own.keys() == {key} and own.keys() < whole.keys()
    if isinstance(key, str) and len(by_tool) < _FEWEST_ALIKE:
        return False  # a title that the author made up may fit only some tools
    return len(by_tool) > 2 and lacking <= max(1, len(by_tool) // 5)


def _is_about_all(key: _Subject, tool: SpecTool) -> bool:
    """Whether a section of a tool says that it is about the other tools as well."""
    sections = (one for one in tool.sections if key in (one.number, one.about, normalize_title(one.title)))
    return any(_OF_ALL_TOOLS.search(section.text) for section in sections)


_OF_ALL_TOOLS = re.compile(
    r"\b(?:both|all|each|every|either)(?: of)?(?: the| these| those)?(?: two| three| four)? (?:\w+ )?"
    r"(?:tools|tool(?! call)|functions|commands|operations|methods|endpoints)\b",
    re.IGNORECASE,
)


def _is_said_otherwise(tool: SpecTool, key: _Subject, title: str, *, is_uniform: bool, shows_calls: bool) -> bool:
    """Whether another rule reports the section, or the tool has it in another form or under a similar title.

    `shows_calls` says that the examples of the file contain calls, which a result does not replace.
    """
    words = {word.rstrip("s") for word in normalize_title(title).split() if len(word) > _SHORTEST_WORD}
    own = {word.rstrip("s") for one in tool.sections for word in normalize_title(one.title).split()}
    if words and words <= own:
        return True
    if key == 1:
        return bool(tool.contract.description) or not tool.sections
    if key == 3:
        return True  # another rule reports a tool without parameters in any form
    if key == _EXAMPLES:
        return any(not shows_calls or example.kind in _CALLS for example in tool.contract.examples)
    if key == _RETURNS:
        texts = (tool.contract.description or "", *(section.text for section in tool.sections))
        says_nothing = any(map(_RETURNS_NOTHING.search, texts))
        return says_nothing or (tool.contract.output is not None and not is_uniform)
    return False


_RETURNS_NOTHING = re.compile(
    r"\breturns? (?:nothing|none|no (?:value|result|output|data))\b"
    r"|\bno (?:response|result|output|return value|response body)(?: body)?(?=\W*$|[.,;]| is returned)",
    re.IGNORECASE | re.MULTILINE,
)


def _lost_numbers(
    tool: SpecTool, counts: Counter[_Subject], by_tool: Sequence[dict[_Subject, str]], subjects: dict[_Subject, str]
) -> Iterator[Finding]:
    """Yield the missing sections of a tool with numbered sections, if it and its file have most of them."""
    own = {section.number for section in tool.sections} | {stated_number(section) for section in tool.sections}
    if not any(section.number for section in tool.sections):
        return
    lost = sorted(REQUIRED - own)
    if len(own & REQUIRED) < len(REQUIRED) - _MOST_LOST:
        return
    for number in lost:
        is_said = _is_gap(number, len(by_tool) - counts[number], by_tool, subjects)
        is_gap_in_own = {number - 1, number + 1} <= own
        if not is_said and (is_gap_in_own or counts[number] * 2 >= len(by_tool) - 1):
            message = f"section `{number}. {SECTION_TITLES[number]}` is missing"
            yield Finding(message, f"add `### {number}. {SECTION_TITLES[number]}`", tool.contract.place)
