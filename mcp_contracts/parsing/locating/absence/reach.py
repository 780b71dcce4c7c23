"""Which tools a denial is about: all of the file, or those of its section."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.absence.statements import is_general, is_title_of_all, without_markup
from mcp_contracts.parsing.locating.absence.vocabulary import kinds_of
from mcp_contracts.parsing.markdown.blocks import Block, Heading


def reaches_all(
    block: Block,
    said: str,
    blocks: Sequence[Block],
    rows: Sequence[int],
    own: frozenset[str],
    *,
    names_module: bool,
    is_of_parts: bool,
) -> bool:
    """Whether what a block denies in a statement is about the tools at these rows.

    A section about a part, a user, another module, a case or an earlier version speaks of its own tools only. A remark
    at the end of the file may be about all. `is_of_parts` says that the block is about functions near it.
    """
    above = _above(block, blocks)
    if not above:
        return True
    inner = above[-1]
    later = (one.row for one in blocks if isinstance(one, Heading) and one.row > inner.row and one.level <= inner.level)
    end = next(later, blocks[-1].end)
    if any(inner.row < row < end for row in rows):
        return True
    if isinstance(block, Heading):
        return all(row > block.row for row in rows)
    if inner.row in rows:
        return names_module or (block is blocks[-1] and _OF_SEVERAL.search(said) is not None)
    titles = [without_markup(one.text) for one in above]
    if titles[-1].endswith("?") and _OF_MODULE.search(titles[-1]) is None:
        return False  # `Does the export have tools?`
    if any(_OF_OTHERS.match(one) or _is_of_other_module(one, own) for one in titles):
        return False
    title = titles[-1]
    is_of_module = is_title_of_all(title) or is_general(title) or _MCP.search(title) is not None
    if names_module or is_of_module:
        return True
    return not is_of_parts and re.search("[xen]", kinds_of(title, own)[1]) is None  # `Sandbox disabled`


def names_it(said: str, own: frozenset[str]) -> bool:
    """Whether a statement calls the module by a noun or its name, not only `this` or `here`."""
    return _MODULE.search(said) is not None or not own.isdisjoint(kinds_of(said, own)[0])


_OF_MODULE = re.compile(
    r"\b(?:this|it|there|we|you|your|our|modules?|package|library|project|server|here|why|which|what|any)\b",
    re.IGNORECASE,
)
_OF_SEVERAL = re.compile(r"\b(?:tools|none|nothing|anything|they|these)\b", re.IGNORECASE)
_MODULE = re.compile(
    r"\b(?:we|modules?|package|library(?! function)|project|repo(?:sitory)?|server|spec(?:ification)?"
    r"|document|file|page|crate"
    r"|app(?:lication)?|service|code|component|folder|directory)\b",
    re.IGNORECASE,
)


def _above(block: Block, blocks: Sequence[Block]) -> Sequence[Heading]:
    """Return the titles of the sections that a block is in or begins, from the outermost, without that of the file."""
    above: list[Heading] = []
    for one in blocks:
        if one.row > block.row:
            break
        if isinstance(one, Heading) and one.level > 1:
            above = [*(title for title in above if title.level < one.level), one]
    return above


def _is_of_other_module(title: str, own: frozenset[str]) -> bool:
    """Whether a title names another module, or another kind of program than the title of the file."""
    words, kinds = kinds_of(title, own)
    found = _PROGRAM.search(title)
    return found is not None and ("x" in kinds or (len(words) - kinds.count("g") == 1 and found[1].lower() not in own))


_MCP = re.compile(r"\b(?:MCP|Model Context Protocol)\b")
_PROGRAM = re.compile(
    r"\b((?:sub-?)?modules?|packages?|services?|plugins?|component|app|application|sdk|cli|client|server|bridge)\b",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(
    r"\W*(?:(?:version |v)?\d+\.\d[\w.]*\b(?! \w)|version \w|v\d|(?:changelog|release notes|(?:version )?history"
    r"|roadmap|versions|releases|previously|formerly|earlier|future|planned)\b"
    r"|(?:when|if|while|without|during|before|after|until|unless|on|in)\b (?!general|short|brief|summary|purpose))",
    re.IGNORECASE,
)
"""The titles of sections about another time or a case."""
