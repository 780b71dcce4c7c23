"""Reads parameters and fields of a result in tags of documentation sites: `<ParamField body="city" type="string">`."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import PlacedText, TableRow
from mcp_contracts.diagnostics import Place
from mcp_contracts.parsing.markdown.blocks import Html
from mcp_contracts.parsing.parameters.types import clean_type, read_type
from mcp_contracts.parsing.text import SourceText

_TAG = re.compile(
    r"<(?P<end>/)?(?P<tag>ParamField|ResponseField)\b(?P<attributes>(?:[^<>\"'{}]|\"[^\"]*\"|'[^']*'|\{[^{}]*\})*+)>"
)
_ATTRIBUTE = re.compile(r"(?P<key>\w+)(?:=(?:\"(?P<text>[^\"]*)\"|'(?P<word>[^']*)'|\{(?P<code>[^{}]*)\}))?")
_NAMED_BY = ("body", "query", "path", "name")
_OTHER_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_LONGEST = 20_000


def is_field(block: Html) -> bool:
    """Whether a block begins with such a tag."""
    return _TAG.match(block.content.lstrip()) is not None


def tag_rows(source: SourceText, block: Html) -> Iterator[tuple[bool, TableRow]]:
    """Yield the fields of a block, and whether each belongs to a result; those inside another one are its members."""
    text = block.content[:_LONGEST]
    tags = list(_TAG.finditer(text))
    above: list[str] = []
    for number, tag in enumerate(tags):
        if tag["end"]:
            above = above[:-1]
            continue
        stated = {match["key"]: match for match in _ATTRIBUTE.finditer(text, *tag.span("attributes"))}
        named = next((stated[key] for key in _NAMED_BY if key in stated and stated[key]["text"]), None)
        if named is None:  # a header, which is not an argument
            above.append("")
            continue
        until = tags[number + 1].start() if number + 1 < len(tags) else len(text)
        said = _OTHER_TAG.sub(" ", text[tag.end() : until])
        path = (*(name for name in above if name), named["text"])
        typed, default = stated.get("type"), stated.get("default")
        cleaned = clean_type(typed["text"] or "") if typed is not None else ""
        place = _place(source, block, text, named)
        is_result = tag["tag"] == "ResponseField"
        yield (
            is_result,
            TableRow(
                name=".".join(path),
                path=path,
                type=cleaned or None,
                schema=read_type(cleaned) if cleaned else None,
                required="required" in stated and (stated["required"]["code"] or "true").strip() == "true",
                description=" ".join(said.split()),
                place=place,
                type_place=place if typed is None else _place(source, block, text, typed),
                required_place=place,
                default=None if default is None else _default(default, _place(source, block, text, default)),
            ),
        )
        if not tag["attributes"].rstrip().endswith("/"):
            above.append(named["text"])


def _default(match: re.Match[str], place: Place) -> PlacedText | None:
    value = match["text"] or match["word"] or match["code"]
    return PlacedText(value, place) if value else None


def _place(source: SourceText, block: Html, text: str, match: re.Match[str]) -> Place:
    """Return the place of an attribute's value."""
    start, end = match.span("text") if match["text"] else match.span()
    begin = text.rfind("\n", 0, start) + 1
    row = block.row + text.count("\n", 0, start)
    shift = max(0, len(source.lines[row]) - len(text[begin:].partition("\n")[0]))
    return source.place(row, start - begin + shift, end - begin + shift)
