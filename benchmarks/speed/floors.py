"""`python -m benchmarks.speed.floors NAME FOLDER`: the minimum work for the files of a folder."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path


def block_parse(paths: list[Path]) -> None:
    """Parse the blocks of each file with markdown-it-py: without tables, and without the inline phase."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark")
    for path in paths:
        parser.block.parse(path.read_text(encoding="utf-8"), parser, {}, [])


def read_and_hash(paths: list[Path]) -> None:
    """Read and hash each file."""
    for path in paths:
        sha256(path.read_bytes()).digest()


if __name__ == "__main__":
    floor = {"parse": block_parse, "hash": read_and_hash}[sys.argv[1]]
    floor(sorted(Path(sys.argv[2]).rglob("MCP_TOOL_SPECIFICATION.md")))
