"""Standard input as a source: a specification, a tool list or a bundle that another command writes."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from mcp_contracts.contract import SourceFile
from mcp_contracts.errors import SourceError, UsageError
from mcp_contracts.parsing.discovery import Unreadable, decode, show
from mcp_contracts.records import dataclass
from mcp_contracts.sources.documents import read_source
from mcp_contracts.sources.source import Form, Search, Source

INPUT = "-"
"""The name of standard input."""


@dataclass(frozen=True, slots=True)
class Input:
    """The content of standard input, read on demand. `path` is the file that it represents, or `-`."""

    path: str = INPUT
    identity = INPUT
    size = 0  # unknown until it is read

    @property
    def shown(self) -> str:
        return show(self.path)

    def read(self, *, limit: int) -> SourceFile:
        """Return the content with its faults. Raises `SourceError` if it is closed or empty."""
        text = self.text(limit=limit)
        return text.read(limit=limit) if isinstance(text, Unreadable) else read_source(self.shown, text)

    def text(self, *, limit: int) -> str | Unreadable:
        """Return the content as text. Raises `SourceError` if it is closed or empty."""
        if sys.stdin is None:
            raise SourceError("standard input is closed", hint="pass a file or a folder")
        content = sys.stdin.buffer.read(limit + 1)
        if not content.strip():
            raise SourceError("standard input is empty", hint="check the command that writes to it")
        return decode(content, Path(self.path), limit=limit)


@dataclass(frozen=True, slots=True)
class GivenText:
    """Text instead of a file, such as standard input after its fixes. `path` is its name in reports."""

    path: str
    content: str

    @property
    def shown(self) -> str:
        return show(self.path)

    @property
    def identity(self) -> str:
        return self.path

    @property
    def size(self) -> int:
        return len(self.content)

    def read(self, *, limit: int) -> SourceFile:
        return read_source(self.shown, self.content)


class StandardInput(Source):
    """Standard input, written `-`. A file with that name is `./-`."""

    forms = (Form("standard input: a specification, a tool list or a bundle", INPUT),)
    is_read_once = True

    def recognizes(self, named: str) -> bool:
        return named == INPUT

    def find(self, named: Sequence[str], search: Search) -> Mapping[str, Iterable[Input]]:
        """Return a single file, whose type depends on its content."""
        return dict.fromkeys(named, (Input(),))

    def past_path(self, named: str) -> str:
        raise UsageError("standard input has no earlier version", hint="pass files or folders with `--against`")
