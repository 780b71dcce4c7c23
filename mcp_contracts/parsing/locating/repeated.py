"""Recognizes headings that begin no tool of their own: an action of a tool, its name in another section, a server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.odd_headings import Beginning
from mcp_contracts.parsing.markdown.blocks import Block, Fence, Heading, TableBlock
from mcp_contracts.parsing.parameters.tables import cells_of
from mcp_contracts.parsing.topics import about

_OF_NO_PART = frozenset((5, 6, 7, 8))
"""Errors, idempotency, examples and security: a section about one of them repeats the names of the tools."""
_OF_OTHER_THINGS = re.compile(
    r"\b(?:performance|latency|timings?|benchmarks?|comparisons?|rate limits?|limitations?|quotas?|costs?"
    r"|trouble ?shooting|FAQ|testing|test cases|workflows?|use cases|scenarios|best practices|implementation|internals"
    r"|changelog|migration|roadmap|caching|monitoring|metrics)\b",
    re.IGNORECASE,
)


def without_repeated(blocks: Sequence[Block], found: Iterable[Beginning]) -> list[Beginning]:
    """Return the beginnings of tools without those that another section describes: `## Performance`, `### find_notes`.

    A name that only such a section contains is kept.
    """
    beginnings = [one for one in found if not _is_server(blocks, one)]
    aside = {at for _, at, *_ in beginnings if _is_aside(blocks, at)} if len(beginnings) > 1 else set()
    described = {name for _, at, name, _ in beginnings if at not in aside}
    return [one for one in beginnings if one[1] not in aside or one[2] not in described]


def _is_server(blocks: Sequence[Block], found: Beginning) -> bool:
    """Whether the first table below a heading is one of other tools, so that the heading names their server."""
    _, at, own, _ = found
    below = next((block for block in blocks[at + 1 :] if isinstance(block, TableBlock | Heading)), None)
    if not isinstance(below, TableBlock) or len(below.lines) < _FEWEST_LINES:
        return False
    title = cells_of(below.lines[0])[0].text.strip("*_` ").lower()
    names = [cells_of(line)[0].text for line in below.lines[2:]]
    return title in _TITLES_OF_TOOLS and all(_NAME_IN_CODE.match(name) and own not in name for name in names)


_FEWEST_LINES = 3
_TITLES_OF_TOOLS = frozenset(("tool", "tools", "tool name", "mcp tool", "工具"))
_NAME_IN_CODE = re.compile(r"[*_]{0,2}`[a-z]\w*[_.-]\w+")


def _is_aside(blocks: Sequence[Block], at: int) -> bool:
    """Whether a heading above the one at `at` is that of a section about something else."""
    block = blocks[at]
    level = block.level if isinstance(block, Heading) else 0
    for above in reversed(blocks[:at]):
        if not isinstance(above, Heading) or above.level >= level:
            continue
        level = above.level
        if level > 1 and (about(above.text) in _OF_NO_PART or _OF_OTHER_THINGS.search(above.text) is not None):
            return True
    return False


def is_action(blocks: Sequence[Block], found: Beginning) -> bool:
    """Whether a heading is an action of a tool: `{"action": "run"}` is below `### run`."""
    _, at, name, _ = found
    block = next((one for one in blocks[at + 1 :] if isinstance(one, Fence | Heading)), None)
    action = _ACTION.match(block.content) if isinstance(block, Fence) else None
    return action is not None and action[1] == name


_ACTION = re.compile(r"\s*\{\s*\"(?:action|operation|command|op)\"\s*:\s*\"([\w.-]{1,80})\"")
