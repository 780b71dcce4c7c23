"""The parts of a file that belong to one tool, before they are interpreted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from mcp_contracts import lazy_re as re
from mcp_contracts.diagnostics import Place
from mcp_contracts.parsing.markdown.blocks import Block, Heading
from mcp_contracts.parsing.topics import about
from mcp_contracts.records import dataclass
from mcp_contracts.sections import SECTION_TITLES

_NUMBERED = re.compile(r"\**(\d{1,2})[.)]?\**[\s:.–—-]++(?!\d{1,2}(?:[.)]?\s|\.\d))(.+)", re.DOTALL)
_NESTED_NUMBER = re.compile(r"\**\d{1,2}(?:\.\d{1,2})++[.):]?\s+")
_NUMBER_OF = {
    written.lower(): number for number, title in SECTION_TITLES.items() for written in (title, title.partition(" (")[0])
}


@dataclass(frozen=True, slots=True)
class RawSection:
    """A heading inside a tool and the blocks below it.

    `number` is its canonical number or, without one, that of its title. `meaning` is the subject of its content, by its
    title if the format has that title, otherwise by its number.
    """

    heading: Heading
    number: int | None
    meaning: int | None
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class RawTool:
    """The part of a file for one tool: its heading, the blocks before the first section, and the sections."""

    heading: Heading
    name: str
    name_place: Place
    module: str | None
    intro: tuple[Block, ...]
    sections: tuple[RawSection, ...]
    end_row: int
    extent: Place

    def blocks(self, meaning: int) -> tuple[Block, ...]:
        """Return the blocks of all sections with the same meaning."""
        return tuple(block for section in self.sections if section.meaning == meaning for block in section.blocks)

    @property
    def numbered(self) -> int:
        """Return the number of sections that are numbered as in the format."""
        return sum(1 for one in self.sections if one.number is not None and _NUMBERED.fullmatch(one.heading.text))


def split_sections(body: Sequence[Block]) -> tuple[tuple[Block, ...], tuple[RawSection, ...]]:
    """Return the blocks before the first section of a tool, and its sections.

    Sections are the headings of the highest existing level, and deeper ones with a number and a title of the format,
    because some authors mix levels.
    """
    top = min((block.level for block in body if isinstance(block, Heading)), default=0)
    starts = [
        index
        for index, block in enumerate(body)
        if isinstance(block, Heading) and (block.level == top or _is_canonical(block.text))
    ]
    if not starts:
        return tuple(body), ()
    return tuple(body[: starts[0]]), tuple(_sections(body, starts))


def _sections(body: Sequence[Block], starts: Sequence[int]) -> Iterator[RawSection]:
    parts = [
        (block, *_split_number(block.text), tuple(body[start + 1 : stop]))
        for start, stop in zip(starts, [*starts[1:], len(body)], strict=True)
        if isinstance(block := body[start], Heading)
    ]
    is_own = _are_own_numbers([(number, title) for _, number, title, _ in parts if number is not None])
    for heading, number, title, blocks in parts:
        titled = number_of_title(title)
        number = None if is_own else number
        yield RawSection(heading, number or titled, titled or number, title, blocks)


def _are_own_numbers(parts: Sequence[tuple[int, str]]) -> bool:
    """Whether the numbers of sections are an author's own: no title is one of the format, and some contradict it."""
    if any(number_of_title(title) for _, title in parts):
        return False
    subjects = ((about(title), number) for number, title in parts)
    return any(subject not in (None, number) for subject, number in subjects)


def number_of_title(title: str) -> int | None:
    """Return the number of the section of the format that has a title, whatever number the title has in the file."""
    plain = title.strip("*: ").lower()
    return _NUMBER_OF.get(plain) or _NUMBER_OF.get(plain.partition(" (")[0])


@lru_cache(maxsize=1_000)  # the tools of a project have the same titles
def _split_number(text: str) -> tuple[int | None, str]:
    match = _NUMBERED.fullmatch(text)
    if match and int(match[1]) in SECTION_TITLES:
        return int(match[1]), match[2].strip()
    return None, text[nested.end() :].strip() if (nested := _NESTED_NUMBER.match(text)) else text.strip()


def _is_canonical(text: str) -> bool:
    number, title = _split_number(text)
    return number is not None and _NUMBER_OF.get(title.lower()) == number
