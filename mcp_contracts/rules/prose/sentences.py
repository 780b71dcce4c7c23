"""The prose of a tool in sentences: its purpose, its idempotency and its security considerations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SourceFile, SpecFile, SpecTool, ToolContract
from mcp_contracts.diagnostics import Place
from mcp_contracts.records import NamedTuple, dataclass
from mcp_contracts.rules.prose.schema_limits import listed_texts, plain_schema
from mcp_contracts.rules.texts import LONGEST_PROSE, line_starts, may_say, place_between
from mcp_contracts.schema.identity import cached_by_identity
from mcp_contracts.schema.simple import properties_of

PURPOSE, REPETITION, SECURITY = 1, 6, 8
_TITLE = 20
_LONGEST_SENTENCE = 600
_HIDDEN = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,}).*?(?:^ {0,3}(?P=fence)[^\n]*|\Z)|<!--.*?(?:-->|\Z)|^[ \t]*(?:\||#{1,6} |:)[^\n]*"
    r"|https?://\S+"
    r"|^[ \t]*(?:[-*] )?\*\*(?:tool )?(?:purpose|description|summary|what it does|security|security considerations"
    r"|security notes|idempotency|notes?)(?::\*\*|\*\*[ \t]*:)",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_QUOTED = re.compile(r"`(?P<code>[^`\n]+)`|\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”")
_EFFECTS = re.compile(r"\W*effects? *:")
_BREAK = re.compile(
    r"\n[ \t]*\n|\n[ \t]*(?=(?:[-*+]|\d+[.)])[ \t]|\*\*)|(?<=[.!?;])[ \t]*+(?:\n[ \t]*+)?(?=\**[A-Z\"'(\[]|\Z)| — "
)


class Sentence(NamedTuple):
    """A sentence of a tool's prose.

    `text` is in lowercase and has the length of the original, with spaces in place of marks, `x` in place of every
    name in code or in quotes, `it` in place of the tool's own name, and `unchanged` in place of the status
    `no_change_needed`. `about` is the section of the sentence.
    """

    text: str
    about: int
    start: int


class Passage(NamedTuple):
    """A part of text: its subject and its offset."""

    text: str
    about: int
    start: int


@dataclass(frozen=True)
class Prose:
    """The sentences of a tool in some parts of its file, or in its description."""

    passages: Sequence[Passage]
    file: SourceFile
    contract: ToolContract
    is_in_file: bool

    def holds(self, words: frozenset[bytes], pattern: re.Pattern[str] | None = None) -> bool:
        """Whether the text contains one of the words, or a lowercase pattern; cheaper than searching its sentences."""
        return may_say(words, self.text) or (pattern is not None and pattern.search(self.text.lower()) is not None)

    @cached_property
    def text(self) -> str:
        """The whole text, as written."""
        return "\n".join(passage.text for passage in self.passages)

    @cached_property
    def sentences(self) -> Sequence[Sentence]:
        """The sentences, in order, without the line that states the effects of the contract."""
        own = self.contract.name.rpartition(".")[2]
        found = (sentence for passage in self.passages for sentence in _sentences(*passage, own))
        is_stated = self.is_in_file and self.contract.effects is not None
        return [one for one in found if not (is_stated and _EFFECTS.match(one.text))]

    def place(self, sentence: Sentence, start: int, end: int) -> Place:
        """Return the place of a part of a sentence."""
        if not self.is_in_file:
            return self.contract.place_of("description")
        first = sentence.start + start
        return place_between(self.file.path, self.file.text, first, sentence.start + end)

    def written(self, sentence: Sentence, start: int, end: int) -> str:
        """Return a part of a sentence as its author wrote it, on one line."""
        source = self.file.text if self.is_in_file else self.contract.description
        return " ".join(source[sentence.start + start : sentence.start + end].split())


@cached_by_identity(1)  # two rules use it
def prose_of(file: SourceFile) -> Sequence[Prose]:
    """Return the prose of each tool of a file: the description of a list, the sections of a specification.

    The description of a tool of several actions is left out, because its sentences may be about one of them.
    """
    if not isinstance(file, SpecFile):
        own = (contract for contract in file.contracts if not _has_actions(contract))
        return [Prose([_find_description(contract)], file, contract, is_in_file=False) for contract in own]
    found = []
    rows = [*line_starts(file.text), len(file.text)]
    for tool in file.tools:
        found.append(Prose(list(_passages(file.text, rows, tool)), file, tool.contract, is_in_file=True))
        if _is_in_code(file.text, rows, tool):
            found.append(Prose([_find_description(tool.contract)], file, tool.contract, is_in_file=False))
    return found


def _has_actions(contract: ToolContract) -> bool:
    """Whether an argument of a tool selects one of several actions."""
    named = properties_of(contract.input_schema)
    chosen = (named[name] for name in _OF_ACTIONS if name in named)
    return any(isinstance(one, dict) and len(listed_texts(plain_schema(one))) > 1 for one in chosen)


_OF_ACTIONS = ("action", "command", "method", "operation", "subCommand", "subcommand")


def _find_description(contract: ToolContract) -> Passage:
    return Passage(contract.description[:LONGEST_PROSE], PURPOSE, 0)


def _passages(text: str, rows: Sequence[int], tool: SpecTool) -> Iterator[Passage]:
    """Yield the parts of a file with a tool's purpose, its idempotency and its security considerations.

    `rows` has the offset of each line of the text, and of its end."""
    starts = [(tool.lines[0] + 1, PURPOSE)]
    for section in sorted(tool.sections, key=lambda section: (section.place.line, section.place.column)):
        line = section.place.line
        if line < len(rows) and section.title[:_TITLE] in text[rows[line - 1] : rows[line]]:  # the others are in code
            starts.append((line, section.number or section.about or 0))
    left = LONGEST_PROSE
    ends = [*(line for line, _ in starts[1:]), tool.lines[1] + 1]
    for (line, about), following in zip(starts, ends, strict=True):
        if about in (PURPOSE, REPETITION, SECURITY) and line < following and left > 0:
            start = rows[min(line, len(rows)) - 1]
            end = min(rows[min(following, len(rows)) - 1], start + left)
            left -= end - start
            yield Passage(text[start:end], about, start)


def _is_in_code(text: str, rows: Sequence[int], tool: SpecTool) -> bool:
    """Whether the description of a tool is inside a fence, such as that of a tool object in JSON."""
    place = tool.contract.places.get("description")
    if place is None or not tool.lines[0] <= place.line <= tool.lines[1] < len(rows):
        return False
    start = rows[tool.lines[0] - 1]
    before = text[start : rows[place.line - 1]]
    return "```" in before and any(match.end() == len(before) for match in _HIDDEN.finditer(before))


def _sentences(text: str, about: int, base: int, own: str) -> Iterator[Sentence]:
    shown = _HIDDEN.sub(_blank, text.replace("\r\n", " \n").replace("\r", "\n"))
    shown = _QUOTED.sub(lambda match: _replace_name(match, own), shown)
    start = 0
    for match in [*_BREAK.finditer(shown), None]:
        end = match.start() if match is not None else len(shown)
        part = shown[start:end].replace("*", " ")
        lead = len(part) - len(part.lstrip(" \t\n-+>•"))
        if part.strip():
            plain = part[lead : lead + _LONGEST_SENTENCE].rstrip()
            yield Sentence(plain.replace("\n", " ").replace("\t", " ").lower(), about, base + start + lead)
        start = match.end() if match is not None else end


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _replace_name(match: re.Match[str], own: str) -> str:
    """Return the replacement of a name in code or of quoted words, with the same length."""
    size = len(match[0])
    if match["code"] == "no_change_needed":
        return "unchanged".ljust(size)
    is_own = (match["code"] or "").partition("(")[0].rpartition(".")[2] == own
    return "It".ljust(size) if is_own else "X" * size
