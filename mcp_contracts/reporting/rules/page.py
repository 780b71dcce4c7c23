"""The page of a rule: what it finds and why, an example, and how to suppress it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from difflib import unified_diff
from typing import Literal

from mcp_contracts import lazy_re as re
from mcp_contracts.diagnostics import RuleInfo, Severity
from mcp_contracts.records import dataclass
from mcp_contracts.reporting.finish import finish
from mcp_contracts.reporting.layout import paint
from mcp_contracts.reporting.rules.reported_changes import reported_changes
from mcp_contracts.reporting.visible import visible

_LINES_AROUND = 4
_LONGEST_DIFFERENCE = 30
_LONGEST_CHANGE = 50
_DIAGNOSTIC = re.compile(r"(?:(?P<file>[^:]+):)?(?P<line>\d+):\d+ (?:error|warning|note) MC\d{3} ")
_LANGUAGES = {"md": "markdown", "json": "json", "yaml": "yaml", "py": "python"}
_INDENT = "    "
_MARKDOWN_WIDTH = 120


@dataclass(frozen=True, slots=True)
class RuleExample:
    """A rule with example files: `bad` and `good` map names to text, `expected` is the output of lint for the bad
    ones.

    `silenced_by` states what can suppress such a diagnostic: a comment in the file, the configuration, both or neither.
    """

    bad: Mapping[str, str]
    good: Mapping[str, str]
    expected: str
    silenced_by: tuple[Literal["comment", "configuration"], ...] = ("comment", "configuration")


@dataclass(frozen=True, slots=True)
class ChangeExample:
    """A change rule with example files: the text of `old` and `new` by name, and the changes that diff finds.

    `expected` is empty until it is recorded.
    """

    old: Mapping[str, str]
    new: Mapping[str, str]
    expected: str


OLD, NEW = "old", "new"
"""How the files of a release are named in the `bad` and the `good` of an example that compares two."""
SERVER = "server.json"
"""The file of an example that contains the lists and responses of a live server."""

_CHANGE_WORDS = {
    Severity.ERROR: "Can break callers",
    Severity.WARNING: "Cannot be decided",
    Severity.NOTE: "Does not break callers",
}


@dataclass(frozen=True, slots=True)
class _Block:
    """A piece of a page: a heading, a paragraph, or preformatted lines in `language`."""

    text: str
    kind: Literal["title", "heading", "paragraph", "code"] = "paragraph"
    language: str = ""


def rule_page(info: RuleInfo, example: RuleExample | ChangeExample) -> str:
    """Return the page of a rule as Markdown."""
    return "\n\n".join(_markdown(block) for block in _blocks(info, example)) + "\n"


def rule_page_text(
    info: RuleInfo, example: RuleExample | ChangeExample, *, color: bool = False, width: int = 100
) -> str:
    """Return the page of a rule for a terminal: wrapped to a width in cells, without Markdown markup."""
    text = "\n\n".join(_text(block, color=color, width=width) for block in _blocks(info, example)) + "\n"
    return finish(text, color=color)


def _blocks(info: RuleInfo, example: RuleExample | ChangeExample) -> Iterator[_Block]:
    is_change = isinstance(example, ChangeExample)
    level = _CHANGE_WORDS[info.severity] if is_change else info.severity.value.capitalize()
    yield _Block(f"{info.code}: {info.name}", "title")
    yield _Block(f"{level}. Added in {info.since}.")
    yield _Block(info.summary)
    yield from map(_Block, info.rationale.split("\n\n"))
    yield _Block("Example", "heading")
    if isinstance(example, ChangeExample):
        yield from _change(example)
        yield from _acceptance(info)
        return
    yield from _step(example) if _is_release(example) else _fault(example)
    yield from _fix_blocks(example)
    yield _Block("Suppressing the finding", "heading")
    yield from _suppression_blocks(info, example)


def _change(example: ChangeExample) -> Iterator[_Block]:
    """Yield the change to the old file, and the output of diff."""
    yield from _comparison(example.old, example.new)
    if example.expected:
        yield from _code("`mcp-contracts diff` reports:", reported_changes(example.expected))


def _acceptance(info: RuleInfo) -> Iterator[_Block]:
    """Explain how to announce or accept a change that breaks callers, or may break them."""
    if info.severity is Severity.NOTE:
        return
    yield _Block("Intended changes", "heading")
    if info.severity is Severity.ERROR:
        yield _Block(
            "An announced breaking change does not fail the run: bump the major version (below 1.0.0 the minor one), "
            "and describe in section 9 what callers must change."
        )
    yield _Block(
        "If the change is harmless, accept it with `mcp-contracts diff --accept`. The command records it in a file "
        "that you commit next to the contracts, with the reason and an optional expiry date."
    )


def _is_release(example: RuleExample) -> bool:
    """Whether an example compares two files instead of checking each."""
    return {OLD, NEW} <= set(map(_stem, example.bad))


def _step(example: RuleExample) -> Iterator[_Block]:
    """Yield the change to the old file, the other files, and the output of lint."""
    sides = {word: {name: text for name, text in example.bad.items() if _stem(name) == word} for word in (OLD, NEW)}
    yield from _comparison(sides[OLD], sides[NEW])
    for name, text in example.bad.items():
        if _stem(name) not in sides:
            yield from _code(f"`{name}`:", text, _language(name))
    if example.expected:
        yield from _code("`mcp-contracts lint --against REF`, where REF is the old version, reports:", example.expected)


def _code(lead: str, text: str, language: str = "text") -> Iterator[_Block]:
    yield _Block(lead)
    yield _Block(text.rstrip("\n"), "code", language)


def _stem(name: str) -> str:
    return name.partition(".")[0]


def _comparison(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[_Block]:
    """Yield the change, or the whole new file if most of it changed."""
    difference = _differences(old, new)
    if len(difference) <= _LONGEST_CHANGE:
        yield _Block("The change:")
        yield _Block("\n".join(difference), "code", "diff")
        return
    for word, side in (("Before", old), ("After", new)):
        for name, text in side.items():
            yield from _code(f"{word}:", text, _language(name))


def _fault(example: RuleExample) -> Iterator[_Block]:
    """Yield the lines around the first diagnostic, and the output of lint."""
    if SERVER in example.bad:
        lead = f"`mcp-contracts verify tools.json SERVER` reports for the server that `{SERVER}` describes:"
        yield from _code(lead, example.expected)
        return
    first = _DIAGNOSTIC.match(example.expected)
    if first is None:
        raise ValueError(f"an example expects no diagnostic: {example.expected!r}")
    name = first["file"] or next(iter(example.bad))
    start, lines = _excerpt(example.bad[name].splitlines(), int(first["line"]))
    of = f"`{name}`" if len(example.bad) > 1 else "an example"
    yield _Block(f"Lines {start} to {start + len(lines) - 1} of {of}:")
    yield _Block("\n".join(lines), "code", _language(name))
    code = next((f" --implementation {name}" for name in example.bad if name.endswith(".py")), "")
    yield from _code(f"`mcp-contracts lint{code}` reports:", example.expected)


def _excerpt(lines: Sequence[str], line: int) -> tuple[int, Sequence[str]]:
    """Return the number of the first line to show, and the lines: some on either side, without unmatched fences."""
    start = max(line - 1 - _LINES_AROUND, 0)
    fences = [row for row in range(start, line - 1) if lines[row].startswith("```")]
    if fences and lines[fences[0]] == "```":  # it closes a fence that begins above
        start = fences[0] + 1
    while start < line - 1 and not lines[start].strip():
        start += 1
    end = min(start + 2 * _LINES_AROUND + 1, len(lines))
    fences = [row for row in range(line, end) if lines[row].startswith("```")]
    if fences and lines[fences[-1]] != "```":  # it opens a fence that continues below
        end = fences[-1]
    while end > line and not lines[end - 1].strip():
        end -= 1
    return start + 1, lines[start:end]


def _fix_blocks(example: RuleExample) -> Iterator[_Block]:
    """Yield the change to make, or the whole good example if most of the file changes."""
    difference = _differences(example.bad, example.good)
    if not difference:  # an example that was just created
        return
    yield _Block("Fixed", "heading")
    if len(difference) <= _LONGEST_DIFFERENCE:
        yield _Block("\n".join(difference), "code", "diff")
        return
    for name, text in example.good.items():
        of = f"`{name}`" if len(example.good) > 1 else "the example"
        yield from _code(f"The fixed version of {of}:", text, _language(name))


def _language(name: str) -> str:
    return _LANGUAGES.get(name.rpartition(".")[2], "text")


def _differences(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    """Return the differences between the files of the same name, or between the only ones."""
    pairs = [(name, name) for name in sorted({*old, *new})]
    if len(old) == len(new) == 1:
        pairs = [(next(iter(old)), next(iter(new)))]
    return [line for names in pairs for line in _difference(old, new, names)]


def _difference(old: Mapping[str, str], new: Mapping[str, str], names: tuple[str, str]) -> Iterator[str]:
    """Yield the difference between two files, as a patch; a single hunk in a single file needs no headers."""
    before, after = (side.get(name, "").splitlines() for side, name in zip((old, new), names, strict=True))
    lines = list(unified_diff(before, after, *names, n=2, lineterm=""))
    if len(old) == 1:
        lines = lines[2:]
    if sum(line.startswith("@@") for line in lines) == 1:
        lines = [line for line in lines if not line.startswith("@@")]
    shown = "\n".join(line.rstrip() for line in lines).strip("\n")
    if shown:
        yield from shown.split("\n")


def _suppression_blocks(info: RuleInfo, example: RuleExample) -> Iterator[_Block]:
    configured = f"suppressions:\n  - code: {info.code}\n    path: path/to/the/file\n    reason: why this is intended"
    match example.silenced_by:
        case ("comment", *others):
            yield _Block(
                "If this is intended, add a comment with the reason directly before the block. Use "
                "`ignore-tool` for the whole tool, or `ignore-file` for the whole file."
            )
            yield _Block(f"<!-- mcp-contracts: ignore {info.code} -- why this is intended -->", "code", "markdown")
            if others:
                lead = "For files without comments, such as tool lists, add a suppression to `mcp-contracts.yaml`:"
                yield from _code(lead, configured, "yaml")
        case ("configuration",):
            yield _Block("If this is intended, add a suppression to `mcp-contracts.yaml`:")
            yield _Block(configured, "code", "yaml")
        case _:
            yield _Block("This rule cannot be suppressed. To turn it off for a project, add it to the configuration:")
            yield _Block(f"ignore: [{info.code}]", "code", "yaml")


def _markdown(block: _Block) -> str:
    match block.kind:
        case "title":
            return f"# {block.text}"
        case "heading":
            return f"## {block.text}"
        case "paragraph":
            return _fill(block.text, _MARKDOWN_WIDTH)
    longest = max((len(run) for run in re.findall(r"`{3,}", block.text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{block.language}\n{_visible(block.text)}\n{fence}"


def _text(block: _Block, *, color: bool, width: int) -> str:
    match block.kind:
        case "title" | "heading":
            return paint(block.text, "strong", color=color)
        case "paragraph":
            return _fill(block.text, width)
    return "\n".join(_code_lines(block, color=color, width=width))


def _code_lines(block: _Block, *, color: bool, width: int) -> Iterator[str]:
    """Return code cut to the width, because wrapping would change it; the output of lint is wrapped."""
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


def _fill(text: str, width: int) -> str:
    """Return a paragraph filled to a width; a list keeps its lines."""
    if any(line.startswith(("- ", "* ")) for line in text.split("\n")):
        return text
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)


def _visible(text: str) -> str:
    """Return lines with hidden characters as escapes, so that the page about hidden characters shows them."""
    return "\n".join(visible(line) for line in text.split("\n"))
