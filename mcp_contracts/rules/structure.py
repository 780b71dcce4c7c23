"""Rules about the sections of a tool (MC105 to MC108)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_contracts.contract import SECTION_TITLES, Section, SpecTool
from mcp_contracts.diagnostics import Finding, Related, Severity
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.wording import shown

_REQUIRED = frozenset(range(1, 9))
_WITH_RULES_OF_THEIR_OWN = frozenset((1, 3, 4))


@rule("MC105", Severity.ERROR, since="0.1.0")
def missing_section(tool: SpecTool) -> Iterator[Finding]:
    """A tool lacks one of the sections 1 to 8.

    Each answers a question that every caller has: what it does, what to send, what comes back, what can fail, whether
    to repeat it, how a call looks, what is at risk. An answer that is not there is guessed, and the format says that
    each section must be there.
    """
    missing = _REQUIRED.difference(section.number for section in tool.sections)
    if not missing or tool.is_legacy:
        return
    titled = {_number_of_title(section): section for section in reversed(tool.sections)}
    for number in sorted(missing):
        heading, hint, place = f"### {number}. {SECTION_TITLES[number]}", "add", tool.contract.place
        if number in titled:
            if titled[number].number is not None:
                continue  # it has the number of another section, which MC107 and MC108 say
            hint, place = f"write `### {shown(titled[number].title)}` as", titled[number].place
        yield Finding(
            f"section `{number}. {SECTION_TITLES[number]}` is missing",
            f"{hint} `{heading}`",
            place,
            part="input" if number == 3 else None,  # so that it beats what the part then lacks
        )


@rule("MC106", Severity.WARNING, since="0.1.0")
def empty_section(tool: SpecTool) -> Iterator[Finding]:
    """A section of a tool has a heading and nothing below it.

    A reader cannot tell whether there is nothing to say or whether it was forgotten. Where there is nothing, one
    sentence says so. An empty purpose (MC007) and a schema that is not there (MC301, MC303) have rules of their own.
    """
    for section in _first_sections(tool):
        if section.is_empty and section.number not in _WITH_RULES_OF_THEIR_OWN:
            yield Finding(
                f"section `{section.number}. {shown(section.title)}` is empty",
                "write what it asks for, or one sentence on why there is nothing to say",
                section.place,
                part="example" if section.number == 7 else None,
            )


@rule("MC107", Severity.WARNING, since="0.1.0")
def duplicate_section(tool: SpecTool) -> Iterator[Finding]:
    """A tool has the same section twice.

    Only one of them can be what holds, and readers and programs do not agree on which.
    """
    seen: dict[int, Section] = {}
    for section in tool.sections:
        number = section.number
        if number is None or seen.setdefault(number, section) is section:
            continue
        meant = _number_of_title(section)
        hint = "merge the two"
        if meant is not None and meant != number and tool.section(meant) is None:
            hint = f"by its title this is `### {meant}. {SECTION_TITLES[meant]}`"
        yield Finding(
            f"section {number} appears twice",
            hint,
            section.place,
            related=(Related(seen[number].place, f"the first section {number}"),),
        )


@rule("MC108", Severity.NOTE, since="0.1.0")
def misordered_section(tool: SpecTool) -> Iterator[Finding]:
    """The sections of a tool are not in their order, or two of them have each other's titles.

    Everything is found, but a reader who goes through many specifications looks for each answer in its place.
    """
    sections = list(_first_sections(tool))
    numbers = [section.number or 0 for section in sections]
    late = next((index for index in range(1, len(numbers)) if numbers[index] < numbers[index - 1]), None)
    if late is not None:
        order = ", ".join(str(number) for number in numbers)
        yield Finding(
            f"the sections are in the order {order}", "put them in the order of their numbers", sections[late].place
        )
        return
    for section in sections:
        meant = _number_of_title(section)
        other = tool.section(meant) if meant is not None and meant != section.number else None
        if other is not None and _number_of_title(other) == section.number:
            yield Finding(
                f"sections {section.number} and {other.number} have each other's titles",
                f"write `### {meant}. {shown(section.title)}`, and move it to its place",
                section.place,
                related=(Related(other.place, f"section {other.number}"),),
            )
            return


def _first_sections(tool: SpecTool) -> Iterator[Section]:
    """The numbered sections, each number once."""
    seen = set()
    for section in tool.sections:
        if section.number is not None and section.number not in seen:
            seen.add(section.number)
            yield section


def _number_of_title(section: Section) -> int | None:
    """The section that a title belongs to, where it says so beyond doubt."""
    if section.number is not None and section.title.startswith(_SHORT_TITLES[section.number]):
        return section.number
    return _NUMBERS.get(_plain(section.title), _NUMBERS.get(_plain(section.title.partition("(")[0])))


def _plain(title: str) -> str:
    return re.sub(r"[^a-z]+", " ", title.lower()).strip()


_SHORT_TITLES = {number: title.partition(" (")[0] for number, title in SECTION_TITLES.items()}
_NUMBERS = {_plain(title): number for number, title in _SHORT_TITLES.items()}
