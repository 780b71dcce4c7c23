"""The comment of an imported tool that records the imported parts, so that changes of the source are detected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.importing.parts import PARTS
from mcp_contracts.parsing.markdown.blocks import Block, Html

_COMMENT = re.compile(r"<!--\s*imported:\s*([a-z ]+ [0-9a-f]{8}(?:,\s*[a-z ]+ [0-9a-f]{8})*)\s*-->")
_WIDTH = 120


def record_block(blocks: Sequence[Block]) -> Html | None:
    """Return the comment from the blocks of a tool."""
    found = (block for block in blocks if isinstance(block, Html) and _COMMENT.fullmatch(block.content.strip()))
    return next(found, None)


def read_record(blocks: Sequence[Block]) -> dict[str, str]:
    """Return the digest of each part of the last import; none for a tool that was not imported."""
    block = record_block(blocks)
    match = None if block is None else _COMMENT.fullmatch(block.content.strip())
    entries = (entry.split() for entry in match[1].split(",")) if match is not None else ()
    read = {" ".join(words[:-1]): words[-1] for words in entries}
    return {name: digest for name, digest in read.items() if name in PARTS}


def record_text(digests: Mapping[str, str]) -> str:
    """Return the comment, with line breaks between its entries."""
    lines = ["<!-- imported:"]
    entries = [f"{name} {digests[name]}" for name in PARTS if name in digests]
    for number, entry in enumerate(entries, 1):
        word = f" {entry}{',' if number < len(entries) else ' -->'}"
        if len(lines[-1]) + len(word) > _WIDTH:
            lines.append("    ")
        lines[-1] += word
    return "\n".join(lines)
