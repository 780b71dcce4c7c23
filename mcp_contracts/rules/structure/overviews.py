"""Rules about the text around the tools of a file: links to headings, and lists of tools (MC021, MC022)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SpecFile
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.parsing.locating.absence.shown import is_denied
from mcp_contracts.parsing.locating.odd_headings import names_other_group
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.texts import offset_of, place_between
from mcp_contracts.rules.wording import nearest, show

_LONGEST = 200_000
_LONGEST_HEAD = 20_000
_LONGEST_LINE = 1_000
_FEWEST_DESCRIBED = 3
_FENCED = re.compile(r"^ {0,3}(`{3,}+|~{3,}+)[^\n]*\n.*?(?:^ {0,3}\1|\Z)|<!--.*?(?:-->|\Z)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!`)\[[^\]\n]{1,200}\]\(#([^)\s]{1,200})\)")
_HEADING = re.compile(r"^(?:[ >]{0,3}#{1,6}[ \t]+(?P<title>[^\n]+)|(?P<above>[^\n]+)\n(?:=+|-+)[ \t]*$)", re.MULTILINE)
_ANCHOR = re.compile(r"(?:\b(?:id|name)=[\"']?|\{#)([^\"'\s>}]+)")


@rule("MC021", Severity.NOTE, since="0.2.0")
def heading_of_link_missing(file: SpecFile) -> Iterator[Finding]:
    """A link points to a heading that does not exist.

    Usually, a tool was renamed but its entry in the table of contents was not. Punctuation and case are ignored,
    because hosts derive anchors differently.
    """
    text = file.text
    if "](#" not in text or len(text) > _LONGEST:
        return
    plain = _FENCED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    titles = {_fold(match["title"] or match["above"]) for match in _HEADING.finditer(plain)}
    known = titles | {_fold(match[1]) for match in _ANCHOR.finditer(text)}
    for match in _LINK.finditer(plain):
        meant = _fold(match[1])
        is_known = meant in known or meant.rstrip("0123456789") in titles  # equal headings are numbered
        if meant and not is_known and "%" not in match[1]:
            near = nearest(meant, known)
            hint = f"the nearest heading is `{show(near)}`" if near else "fix the link, or add the heading"
            place = place_between(file.path, text, *match.span(1))
            yield Finding(f"the file has no heading for the link `#{show(match[1])}`", hint, place)


@lru_cache(maxsize=1_000)  # the tools of a project have the same titles
def _fold(title: str) -> str:
    """Return the letters and digits of a heading, or of its name in a link."""
    return re.sub(r"[\W_]", "", re.sub(r"\]\([^)]{0,500}\)", "", title).lower())


_NAME = r"(?P<name>[A-Za-z]\w*(?:[.-]\w+)*)"
_ENTRY = (
    r"[ \t]*+(?:{0})[*_]{{0,2}}(?P<link>\[)?[*_]{{0,2}}`?" + _NAME + r"(?:\([^`|\n]*\))?(?P<code>`)?[*_]{{0,2}}"
    r"(?:\](?:\([^)\n]*\))?)?(?P<rest>{1}[^\n]*)"
)
_ROW = re.compile(_ENTRY.format(r"(?:\|[ \t]*+)?(?:\d++[ \t]*+\|[ \t]*+)?", r"[ \t]*+\|"))
_BULLET = re.compile(_ENTRY.format(r"(?:[-*+]|\d++[.)])[ \t]++(?:\[[ x]\] )?", r"[ \t]*+(?:[:–—(|,]|->?[ \t]|→|$)"))
_IN_A_SENTENCE = re.compile(
    r"\btools?\b[^.\n`]{0,60}?(?P<list>`[A-Za-z][\w.-]*`(?:(?:, and |, or |, | and | or | & )`[A-Za-z][\w.-]*`)+)"
)
_BARE_LIST = re.compile(
    r"^[*_]*(?:(?:MCP|available|exposed|public) )*tools?(?: (?:exposed|available|provided|offered))?[*_]*:[*_]* "
    r"(?P<list>[a-z][a-z0-9]*_\w+(?:(?:, and |, | and )[a-z][a-z0-9]*_\w+)+)\.?$",
    re.MULTILINE | re.IGNORECASE,
)
"""A line that lists names without code: `Tools: find_boat, lift_boat.`"""
_ELSEWHERE = re.compile(
    r"\]\([^)#][^)]{0,500}\)|\b(?:planned|future|todo|tbd|coming|removed|deprecated|internal|formerly|renamed|not"
    r" (?:yet )?(?:exposed|implemented|available|an? (?:MCP )?tool)|no (?:MCP )?tool|see)\b",
    re.IGNORECASE,
)


_LINKED = re.compile(r"\[([^\]\n]{1,80})\]\([^)\n]{0,300}\)")


class _Entry(NamedTuple):
    """A name in a list, and its offset in the file."""

    name: str
    start: int


@rule("MC022", Severity.WARNING, since="0.2.0")
def listed_tool_undefined(file: SpecFile) -> Iterator[Finding]:
    """A list of tools names a tool that the file does not define.

    The tool is missing, or it was renamed in only one of the two places. This rule checks tables, lists and sentences
    before the first tool, and `tools` in the front matter, if at least half of the names are tools of the file. A row
    with `no` in a column such as `MCP tool` or `Exposed` lists no tool. The rule reports nothing if some tools of the
    file may not be read. If an overview lists exactly one tool that has no heading and omits exactly one that has, only
    the listed name is reported.
    """
    names = {tool.contract.name for tool in file.tools}
    for name, start in unknown_tools_in_lists(file):
        near = nearest(name, (names | {own.rpartition(".")[2] for own in names}) - {name})
        hint = f"write `{show(near)}`" if near else "define it, or remove it from the list"
        place = place_between(file.path, file.text, start, start + len(name))
        yield Finding(f"the tool `{show(name)}` is listed, but the file does not define it", hint, place)


def unknown_tools_in_lists(file: SpecFile) -> Iterator[_Entry]:
    """Yield the tools that a list before the first tool names but the file does not define, each once."""
    if not file.is_closed:
        return
    renamed = _renamed_in_overview(file)
    if renamed is not None:
        yield renamed
    names = {tool.contract.name for tool in file.tools}
    lasts = {name.rpartition(".")[2] for name in names}
    modules = {name.rpartition(".")[0] for name in names}
    known = {_fold(name) for name in (*names, *lasts)}
    reported: set[str] = set()
    for entries in _lists(file):
        unknown = [entry for entry in entries if _fold(entry.name) not in known]
        if len(unknown) * 2 > len(entries):
            continue
        for name, start in unknown:
            module = name.rpartition(".")[0]
            if name in reported or (module and module not in modules):
                continue
            reported.add(name)
            yield _Entry(name, start)


def _renamed_in_overview(file: SpecFile) -> _Entry | None:
    """Return the only tool of an overview without a heading, if the overview lacks a tool with a heading."""
    starts = {tool.contract.name: offset_of(file.text, tool.lines[0], 1) for tool in file.tools}
    described = [name for name, start in starts.items() if file.text.startswith("#", start)]
    listed = [tool.contract for tool in file.tools if tool.is_listed_only and tool.contract.name not in described]
    if len(listed) != 1 or len(described) < _FEWEST_DESCRIBED or len(described) + 1 < len(starts):
        return None
    place = listed[0].place_of("name")
    start = offset_of(file.text, place.line, place.column)
    head = file.text[: min(starts[described[0]], _LONGEST_HEAD)]
    lacking = [name for name in described if f"`{name}`" not in head]
    return _Entry(listed[0].name, start) if len(lacking) == 1 and start < len(head) else None


def _lists(file: SpecFile) -> Iterator[Sequence[_Entry]]:
    """Yield the names of each table, bulleted list or list in a sentence above the tools, and of the front matter."""
    start = offset_of(file.text, min(tool.lines[0] for tool in file.tools), 1)
    head = file.text[: min(start, _LONGEST_HEAD)]
    matter = file.front_matter.values.get("tools") if file.front_matter is not None else None
    if isinstance(matter, list):
        listed = [name for name in matter if isinstance(name, str)]
        yield [_Entry(name, at) for name in listed if (at := head.find(name)) >= 0]
        head = re.sub(r"\A---\n.*?\n---\n", lambda match: re.sub(r"[^\n]", " ", match[0]), head, flags=re.DOTALL)
    for bare in _BARE_LIST.finditer(head):
        yield [_Entry(one[0], bare.start("list") + one.start()) for one in re.finditer(r"\w+_\w+", bare["list"])]
    if "`" not in head and "[" not in head:
        return  # every other name in a list is in code or a link
    head = _FENCED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), head)
    for pattern in (_ROW, _BULLET):
        entries: list[_Entry] = []
        at = 0
        outer: list[tuple[int, str]] = []  # the items around a line, with their indents
        titles: Sequence[str] = ()  # the cells of the first row of a table
        for line in head.split("\n"):
            plain = line.strip()
            titles = (titles or _cells(plain)) if "|" in plain else ()
            indent = len(line) - len(line.lstrip())
            outer = [] if not plain else [one for one in outer if one[0] < indent]
            is_entry = 0 < len(plain) <= _LONGEST_LINE and ("`" in plain or "[" in plain)
            match = pattern.fullmatch(plain) if is_entry else None
            if match is not None and (match["code"] or (match["link"] and re.search(r"[_.]", match["name"]))):
                is_other = any(names_other_group(title) for _, title in outer) or is_denied(titles, _cells(plain))
                if not _ELSEWHERE.search(line) and not is_other:
                    entries.append(_Entry(match["name"], at + line.index(plain) + match.start("name")))
            elif not line.strip():
                yield entries
                entries = []
            outer.append((indent, _LINKED.sub(r"\1", plain.lstrip("-*+ "))))
            at += len(line) + 1
        yield entries
    for match in _IN_A_SENTENCE.finditer(head):
        yield [_Entry(one[1], match.start("list") + one.start(1)) for one in re.finditer(r"`([^`]+)`", match["list"])]


def _cells(row: str) -> Sequence[str]:
    return [cell.strip("*_` ") for cell in row.strip("|").split("|")]
