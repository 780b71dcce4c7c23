"""The page of a rule: what it finds and why, an example with the fault and without it, and how to silence it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from typing import Literal

from mcp_contracts.diagnostics import RuleInfo
from mcp_contracts.reporting.style import paint
from mcp_contracts.reporting.visible import visible

_LINES_AROUND = 4
_LONGEST_DIFFERENCE = 30
_DIAGNOSTIC = re.compile(r"(?:(?P<file>[^:]+):)?(?P<line>\d+):\d+ (?:error|warning|note) MC\d{3} ")
_LANGUAGES = {"md": "markdown", "json": "json", "yaml": "yaml"}
_INDENT = "    "
_MARKDOWN_WIDTH = 120


@dataclass(frozen=True, slots=True)
class RuleExample:
    """A rule shown by files: `bad` and `good` hold their text by name, `expected` is what lint says about the bad ones.

    `silenced_by` says what can silence such a diagnostic: a comment in the file, the configuration, both or neither.
    """

    bad: Mapping[str, str]
    good: Mapping[str, str]
    expected: str
    silenced_by: tuple[Literal["comment", "configuration"], ...] = ("comment", "configuration")


@dataclass(frozen=True, slots=True)
class _Block:
    """A piece of a page: a heading, a paragraph, or lines that stand as they are (`language` names theirs)."""

    text: str
    kind: Literal["title", "heading", "paragraph", "code"] = "paragraph"
    language: str = ""


def rule_page(info: RuleInfo, example: RuleExample) -> str:
    """The page of a rule as Markdown."""
    return "\n\n".join(_markdown(block) for block in _blocks(info, example)) + "\n"


def rule_page_text(info: RuleInfo, example: RuleExample, *, color: bool = False, width: int = 100) -> str:
    """The page of a rule for a terminal: wrapped to a width in cells, without marks of Markdown."""
    return "\n\n".join(_text(block, color=color, width=width) for block in _blocks(info, example)) + "\n"


def _blocks(info: RuleInfo, example: RuleExample) -> Iterator[_Block]:
    yield _Block(f"{info.code}: {info.name}", "title")
    yield _Block(f"{info.severity.value.capitalize()}, since {info.since}.")
    yield _Block(info.summary)
    yield from map(_Block, info.rationale.split("\n\n"))
    yield _Block("Example", "heading")
    yield from _fault(example)
    yield from _cure(example)
    yield _Block("Silencing it", "heading")
    yield from _silence(info, example)


def _fault(example: RuleExample) -> Iterator[_Block]:
    """The lines around the first diagnostic, and all that lint says."""
    first = _DIAGNOSTIC.match(example.expected)
    if first is None:
        raise ValueError(f"an example expects no diagnostic: {example.expected!r}")
    name = first["file"] or next(iter(example.bad))
    start, lines = _excerpt(example.bad[name].splitlines(), int(first["line"]))
    of = f"`{name}`" if len(example.bad) > 1 else "an example"
    yield _Block(f"Lines {start} to {start + len(lines) - 1} of {of}:")
    yield _Block("\n".join(lines), "code", _language(name))
    yield _Block("`mcp-contracts lint` says:")
    yield _Block(example.expected.rstrip("\n"), "code", "text")


def _excerpt(lines: Sequence[str], line: int) -> tuple[int, Sequence[str]]:
    """The number of the first line to show, and those lines: some on either side, without loose ends of fences."""
    start = max(line - 1 - _LINES_AROUND, 0)
    fences = [row for row in range(start, line - 1) if lines[row].startswith("```")]
    if fences and lines[fences[0]] == "```":  # it closes a fence that began before
        start = fences[0] + 1
    while start < line - 1 and not lines[start].strip():
        start += 1
    end = min(start + 2 * _LINES_AROUND + 1, len(lines))
    fences = [row for row in range(line, end) if lines[row].startswith("```")]
    if fences and lines[fences[-1]] != "```":  # it opens a fence that goes on
        end = fences[-1]
    while end > line and not lines[end - 1].strip():
        end -= 1
    return start + 1, lines[start:end]


def _cure(example: RuleExample) -> Iterator[_Block]:
    """What to change; where most of it changes, the good example itself."""
    difference = [line for name in _names(example) for line in _difference(example, name)]
    if not difference:  # an example that has just been begun
        return
    yield _Block("Without the fault", "heading")
    if len(difference) <= _LONGEST_DIFFERENCE:
        yield _Block("\n".join(difference), "code", "diff")
        return
    for name, text in example.good.items():
        of = f"`{name}`" if len(example.good) > 1 else "the example"
        yield _Block(f"The whole of {of}, as it should be:")
        yield _Block(text.rstrip("\n"), "code", _language(name))


def _language(name: str) -> str:
    return _LANGUAGES.get(name.rpartition(".")[2], "text")


def _names(example: RuleExample) -> Sequence[tuple[str, str]]:
    """Which bad file became which good one: those of the same name, or the only ones."""
    if len(example.bad) == len(example.good) == 1:
        return [(next(iter(example.bad)), next(iter(example.good)))]
    return [(name, name) for name in sorted({*example.bad, *example.good})]


def _difference(example: RuleExample, names: tuple[str, str]) -> Iterator[str]:
    """The difference between two files, as a patch; a single stretch in a single file needs no headers."""
    before, after = (
        side.get(name, "").splitlines() for side, name in zip((example.bad, example.good), names, strict=True)
    )
    lines = list(unified_diff(before, after, *names, n=2, lineterm=""))
    if len(example.bad) == 1:
        lines = lines[2:]
    if sum(line.startswith("@@") for line in lines) == 1:
        lines = [line for line in lines if not line.startswith("@@")]
    shown = "\n".join(line.rstrip() for line in lines).strip("\n")
    if shown:
        yield from shown.split("\n")


def _silence(info: RuleInfo, example: RuleExample) -> Iterator[_Block]:
    configured = f"suppressions:\n  - code: {info.code}\n    path: path/to/the/file\n    reason: why it is right here"
    match example.silenced_by:
        case ("comment", *others):
            yield _Block(
                "Where it is right as it is, say why in a comment directly before the block that it is about. "
                "`ignore-tool` in its place holds for the tool around it, `ignore-file` for the file."
            )
            yield _Block(f"<!-- mcp-contracts: ignore {info.code} -- why it is right here -->", "code", "markdown")
            if others:
                yield _Block("What has no comments, such as a tool list, is silenced in `mcp-contracts.yaml`:")
                yield _Block(configured, "code", "yaml")
        case ("configuration",):
            yield _Block("It has no comments that could say so, hence in `mcp-contracts.yaml`:")
            yield _Block(configured, "code", "yaml")
        case _:
            yield _Block(
                "No suppression silences it. A project that does not want it at all says so in its configuration:"
            )
            yield _Block(f"ignore: [{info.code}]", "code", "yaml")


def _markdown(block: _Block) -> str:
    match block.kind:
        case "title":
            return f"# {block.text}"
        case "heading":
            return f"## {block.text}"
        case "paragraph":
            return _filled(block.text, _MARKDOWN_WIDTH)
    longest = max((len(run) for run in re.findall(r"`{3,}", block.text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{block.language}\n{_visible(block.text)}\n{fence}"


def _text(block: _Block, *, color: bool, width: int) -> str:
    match block.kind:
        case "title" | "heading":
            return paint(block.text, "strong", color=color)
        case "paragraph":
            return _filled(block.text, width)
    return "\n".join(_code_lines(block, color=color, width=width))


def _code_lines(block: _Block, *, color: bool, width: int) -> Iterator[str]:
    """Code cut to the width, since wrapped it would be other code; what lint says is wrapped."""
    for line in _visible(block.text).split("\n"):
        if block.language == "text":
            margin = _INDENT + " " * (len(line) - len(line.lstrip()))
            yield textwrap.fill(
                line.strip(), width, initial_indent=margin, subsequent_indent=f"{margin}  ", break_on_hyphens=False
            )
            continue
        room = max(width - len(_INDENT), 20)
        shown = line if len(line) <= room else f"{line[: room - 1]}…"
        style = {"+": "help", "-": "error"}.get(shown[:1]) if block.language == "diff" else None
        yield f"{_INDENT}{paint(shown, style, color=color) if style else shown}".rstrip()


def _filled(text: str, width: int) -> str:
    """A paragraph filled to a width; a list keeps its lines."""
    if any(line.startswith(("- ", "* ")) for line in text.split("\n")):
        return text
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)


def _visible(text: str) -> str:
    """Lines in which nothing is hidden: the example of hidden characters is to show them."""
    return "\n".join(visible(line) for line in text.split("\n"))
