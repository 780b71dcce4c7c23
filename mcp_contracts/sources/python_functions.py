"""Python functions as sources: `python:package.module`, `python:path/to/file.py`, or the path of a `.py` file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from mcp_contracts.contract import PythonFile
from mcp_contracts.errors import UsageError
from mcp_contracts.parsing.discovery import show
from mcp_contracts.records import dataclass
from mcp_contracts.sources.source import Form, Search, Source

_PREFIX = "python:"
_SUFFIX = ".py"


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A module that was read together with its neighbors, because they may define its names."""

    file: PythonFile

    @property
    def shown(self) -> str:
        return self.file.path

    @property
    def identity(self) -> str:
        return os.path.abspath(self.file.path)

    @property
    def size(self) -> int:
        return len(self.file.text)

    def read(self, *, limit: int) -> PythonFile:
        return self.file


class PythonFunctions(Source):
    """The functions of a module or package that are marked as tools. Nothing is imported or run."""

    forms = (Form("Python functions", "python:package.module", "tools.py"),)

    def recognizes(self, named: str) -> bool:
        """Recognize the prefix, or the name of a Python file."""
        return named.startswith(_PREFIX) or (named.endswith(_SUFFIX) and not os.path.isdir(named))

    def find(self, named: Sequence[str], search: Search) -> Mapping[str, Sequence[ReadFile]]:
        """Return the modules that contain tools."""
        from mcp_contracts.sources.python.contracts import read_python_files  # pydantic and griffe, which are slow
        from mcp_contracts.sources.python.modules import find_modules

        found = {}
        for one in named:
            modules = find_modules([_module(one)], written=_PREFIX)
            kept = [file for file in modules if search.is_excluded is None or not search.is_excluded(file.path)]
            found[one] = [ReadFile(file) for file in read_python_files(kept, limit=search.max_file_size)]
        return found

    def folder(self, named: str) -> str | None:
        """Return the folder of a path; None for a dotted name, which is looked up from the working directory."""
        path = Path(_module(named))
        if not path.exists():
            return None
        return os.path.abspath(path if path.is_dir() else path.parent)

    def in_project(self, named: str, root: Path) -> tuple[str, Path | None]:
        """Return the path of the module below the configuration's folder."""
        from mcp_contracts.sources.python.modules import locate  # see find

        path = locate(_module(named), root, written=_PREFIX)
        return f"{_PREFIX}{os.path.relpath(path)}", path

    def past_path(self, named: str) -> str:
        """Raise UsageError: functions at a revision are not supported yet."""
        raise UsageError(
            f"`{show(named)}` names Python functions, which cannot be read from a git revision",
            hint="check out the revision next to this one (`git worktree add ../old REF`), and compare the two: "
            "`mcp-contracts diff python:../old/PATH python:PATH`",
        )


def _module(named: str) -> str:
    return named.removeprefix(_PREFIX)
