"""Rules about the sections of a tool (MC105 to MC108)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SpecTool
from mcp_contracts.diagnostics import Finding, Related, Severity
from mcp_contracts.parsing.topics import about, is_title_of
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.schemas.misspelled import edit_distance
from mcp_contracts.rules.wording import show
from mcp_contracts.sections import SECTION_TITLES, Section

REQUIRED = frozenset(range(1, 9))
"""The numbers of the sections that every tool has."""
_WITH_RULES_OF_THEIR_OWN = frozenset((1, 3, 4))


@rule("MC105", Severity.ERROR, since="0.1.0")
def missing_section(tool: SpecTool) -> Iterator[Finding]:
    """A tool lacks one of the sections 1 to 8.

    Each section answers a question that every caller has: what the tool does, what to send, what it returns, what can
    fail, whether to repeat a call, what a call looks like, and what its risks are. Callers guess missing answers. The
    format requires all eight sections.
    """
    missing = REQUIRED.difference(section.number for section in tool.sections)
    if not missing or tool.is_legacy:
        return
    titled = {stated_number(section): section for section in reversed(tool.sections)}
    for number in sorted(missing):
        heading, hint, place = f"### {number}. {SECTION_TITLES[number]}", "add", tool.contract.place
        if number in titled:
            if titled[number].number is not None:
                continue  # it has the number of another section, which MC107 and MC108 report
            hint, place = f"write `### {show(titled[number].title)}` as", titled[number].place
        yield Finding(
            f"section `{number}. {SECTION_TITLES[number]}` is missing",
            f"{hint} `{heading}`",
            place,
            part="input" if number == 3 else None,  # so that it takes precedence over findings about the missing part
            names=(f"{number}. {SECTION_TITLES[number]}",),
        )


@rule("MC106", Severity.WARNING, since="0.1.0")
def empty_section(tool: SpecTool) -> Iterator[Finding]:
    """A section of a tool is empty, or its table has no rows.

    Readers cannot tell whether the content is missing or the section does not apply. If it does not apply, say so in a
    sentence. Other rules report an empty purpose (MC007) and missing schemas (MC301, MC303).
    """
    of_author = (section for section in tool.sections if section.number is None and tool.is_legacy)
    for section in (*first_sections(tool), *of_author):
        if section.is_empty and section.number not in _WITH_RULES_OF_THEIR_OWN:
            number = "" if section.number is None else f"{section.number}. "
            yield Finding(
                f"section `{number}{show(section.title)}` {'has a table without rows' if section.text else 'is empty'}",
                "write its content, or a sentence that says why it is empty",
                section.place,
                part="example" if section.number == 7 else None,
            )


@rule("MC107", Severity.WARNING, since="0.1.0")
def duplicate_section(tool: SpecTool) -> Iterator[Finding]:
    """A tool has the same section twice.

    Only one of them can apply, and readers cannot tell which.
    """
    seen: dict[int, Section] = {}
    yield from _repeated_titles(tool)
    for section in tool.sections:
        number = section.number
        if number is None or seen.setdefault(number, section) is section:
            continue
        meant = stated_number(section)
        hint = "merge the two"
        if meant is not None and meant != number and tool.section(meant) is None:
            hint = f"it has the title of `### {meant}. {SECTION_TITLES[meant]}`"
        yield Finding(
            f"section {number} appears twice",
            hint,
            section.place,
            related=(Related(seen[number].place, f"the first section {number}"),),
        )


def _repeated_titles(tool: SpecTool) -> Iterator[Finding]:
    """Yield the sections of an older dialect that occur twice, except for examples and notes."""
    first: dict[tuple[int | None, tuple[str, str], int, str], Section] = {}
    errors = {normalize_title(section.title) for section in tool.sections if section.about == 5}
    error = request = ""
    for example, section in _with_examples(tool) if tool.is_legacy else ():
        error = section.title if section.about == 5 and len(errors) > 1 else error
        request = section.title if section.about == 3 and _REQUEST.match(section.title) else request
        if section.number is not None or section.about not in (3, 4, 5):
            continue
        case = _OF_A_CASE.match(section.text)
        title = f"{normalize_title(section.title) or section.title}{case[0].lower() if case is not None else ''}"
        if title.endswith(_OF_ONE):
            continue  # a label of one of several parameters
        answered = (error, request) if section.about == 4 else ("", "")  # the response to one request, or of one error
        before = first.setdefault((example, answered, section.about, title), section)
        if before is not section:
            related = (Related(before.place, "the first one"),)
            yield Finding(
                f"section `{show(section.title)}` appears twice", "merge the two", section.place, related=related
            )


_REQUEST = re.compile("(?:example |sample )?(?:request|call)", re.IGNORECASE)
_OF_A_CASE = re.compile(r"\([\w ,-]{2,40}\)(?=:)")
"""The case that a label is about: `**Returns** (on success):`"""


def _with_examples(tool: SpecTool) -> Iterator[tuple[int | None, Section]]:
    """Yield each section with the number of the example that it is a part of, if other examples have the same part."""
    example: int | None = None
    parts: list[tuple[int | None, Section]] = []
    examples: dict[str, set[int]] = {}
    for number, section in enumerate(tool.sections):
        if section.about in (1, 6, 7, 8):
            example = number if section.about == 7 else None
        if example is not None:
            examples.setdefault(normalize_title(section.title), set()).add(example)
        parts.append((example, section))
    outer = {normalize_title(section.title) for example, section in parts if example is None}
    for example, section in parts:
        title = normalize_title(section.title)
        is_half = title in outer and title in _HALVES
        yield (example if len(examples.get(title, ())) > 1 or is_half else None), section


_HALVES = ("request", "response", "input", "output", "call", "result", "answer")
"""The labels of the halves of an example, which sections may have as titles as well."""
_OF_ONE = ("parameter", "argument", "field", "error")


@rule("MC108", Severity.NOTE, since="0.1.0")
def misordered_section(tool: SpecTool) -> Iterator[Finding]:
    """The sections of a tool are out of order or at different heading levels, or have swapped or misspelled titles.

    The content is still found, but readers expect each section in its place.
    """
    sections = list(first_sections(tool))
    numbers = [section.number or 0 for section in sections]
    late = next((index for index in range(1, len(numbers)) if numbers[index] < numbers[index - 1]), None)
    if late is not None:
        order = ", ".join(str(number) for number in numbers)
        yield Finding(f"the sections are in the order {order}", "order them by number", sections[late].place)
        return
    levels = Counter(section.level for section in sections)
    level = _LEVEL if not tool.is_legacy else levels.most_common(1)[0][0] if levels else 0
    for section in sections:
        if section.level != level and (not tool.is_legacy or levels[section.level] == 1 < levels[level] - 1):
            message = f"section {section.number} is a heading of level {section.level}, not {level}"
            yield Finding(message, f"write `{'#' * level} {section.number}. {show(section.title)}`", section.place)
        right = SECTION_TITLES[section.number or 1]
        is_known = is_title_of(section.number, section.title)  # in another language
        if section.title != right and not is_known and _is_misspelled(section.title, right):
            hint = f"write `### {section.number}. {right}`"
            yield Finding(f"the title `{show(section.title)}` is misspelled", hint, section.place)
        if section.title != right and is_of_nothing(section, sections):
            message = f"section {section.number} is titled `{show(section.title)}`, not `{right}`"
            yield Finding(message, f"write `### {section.number}. {right}`", section.place)
        meant = stated_number(section)
        other = tool.section(meant) if meant is not None and meant != section.number else None
        if other is not None and stated_number(other) == section.number:
            yield Finding(
                f"sections {section.number} and {other.number} have swapped titles",
                f"write `### {meant}. {show(section.title)}`, and move it to its place",
                section.place,
                related=(Related(other.place, f"section {other.number}"),),
            )
            return


_FEWEST_OF_FORMAT = 3
_LEVEL = 3
_MOST_LETTERS = 2


def _is_misspelled(title: str, right: str) -> bool:
    """Whether a title differs from the correct one by a letter or two, apart from the plural."""
    written, meant = (
        [word.rstrip("s") for word in normalize_title(one.partition("(")[0]).split()] for one in (title, right)
    )
    wrong = [pair for pair in zip(written, meant, strict=False) if pair[0] != pair[1]]
    if len(written) != len(meant) or len(wrong) != 1 or wrong[0][0] in ("idempotence", "idempotent"):
        return False
    return edit_distance(*wrong[0]) <= _MOST_LETTERS


def is_of_nothing(section: Section, sections: Sequence[Section]) -> bool:
    """Whether a title has nothing to do with its number in the format, although all other titles match theirs."""
    others = [one for one in sections if one is not section]
    is_of_format = len(others) >= _FEWEST_OF_FORMAT and all(stated_number(one) == one.number for one in others)
    return is_of_format and section.number in REQUIRED and about(section.title) is None and not _is_said(section)


def _is_said(section: Section) -> bool:
    words = set(normalize_title(section.title).split())
    return not words.isdisjoint(normalize_title(SECTION_TITLES[section.number or 1]).split())


def first_sections(tool: SpecTool) -> Iterator[Section]:
    """Yield the numbered sections, each number once."""
    seen = set()
    for section in tool.sections:
        if section.number is not None and section.number not in seen:
            seen.add(section.number)
            yield section


def stated_number(section: Section) -> int | None:
    """Return the section that a title belongs to, if it is unambiguous."""
    if section.number is not None and section.title.startswith(_SHORT_TITLES[section.number]):
        return section.number
    return _NUMBERS.get(normalize_title(section.title), _NUMBERS.get(normalize_title(section.title.partition("(")[0])))


def normalize_title(title: str) -> str:
    """Return the words of a title in lowercase."""
    return re.sub(r"[^a-z]+", " ", title.lower()).strip()


_SHORT_TITLES = {number: title.partition(" (")[0] for number, title in SECTION_TITLES.items()}
_NUMBERS = {normalize_title(title): number for number, title in _SHORT_TITLES.items()}
