"""The folder that our own tools are confined to: no path leads out of it, by its name or by a symbolic link."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mcp_contracts.config import Config
from mcp_contracts.config.files import find_config_file
from mcp_contracts.config.reading import load_config
from mcp_contracts.contract import Contracts
from mcp_contracts.files.trees import is_in_git_folder, is_inside, repository_of
from mcp_contracts.messages import ToolError
from mcp_contracts.rules.listing import known_rules
from mcp_contracts.sources.load import find_all
from mcp_contracts.sources.paths import NamedFile
from mcp_contracts.sources.source import Found, read_found


class Confinement:
    """A folder, which is also the working folder of the process, so that all paths are relative to it."""

    def __init__(self, root: Path) -> None:
        self.root = os.path.realpath(root)

    def path(self, named: str) -> Path:
        """Return a path inside the folder, which need not exist. Raises `ToolError` for any other."""
        if "\0" in named or named.startswith("~"):
            raise ToolError("PermissionError", "the path is outside the root folder", {"path": named})
        path = Path(self.root, named)
        if not is_inside(path, self.root) or is_in_git_folder(path):
            raise ToolError("PermissionError", "the path is outside the root folder", {"path": named})
        return Path(os.path.relpath(os.path.normpath(path), self.root))

    def existing(self, named: str) -> Path:
        """Return an existing path inside the folder. Raises `ToolError`."""
        path = self.path(named)
        if not os.path.lexists(Path(self.root, path)):
            raise ToolError("FileNotFoundError", "no such file or folder", {"path": named})
        return path

    def config(self, named: str | None = None) -> Config:
        """Return the configuration of the folder: a named file, or the folder's own; those of parent folders are not
        read.
        """
        if named is not None:
            return load_config(Path(self.root), known=known_rules(), file=self.existing(named))
        found = find_config_file(Path(self.root))
        if found is None or not is_inside(found.path, self.root):
            return Config(None, Path(self.root))
        return load_config(Path(self.root), known=known_rules())

    def found(self, named: Sequence[str], config: Config) -> list[Found]:
        """Return the files that paths refer to. Raises `ToolError` for files outside the folder."""
        paths = [str(self.existing(one)) for one in named] or self._list_configured_paths(config)
        found = find_all(paths, is_excluded=config.is_excluded, max_file_size=config.limits.max_file_size)
        return list(self._inside(found))

    def contracts(self, named: Sequence[str], config: Config) -> Contracts:
        """Return the contracts of paths. Raises `ToolError` if no file can be read."""
        files = tuple(read_found(self.found(named, config), max_file_size=config.limits.max_file_size))
        if not files:
            raise ToolError("ResourceNotFound", "no specification was found", {"paths": list(named)})
        return Contracts(files)

    def revision(self, revision: str, named: Sequence[str], config: Config) -> Contracts:
        """Return the contracts that paths had at a git revision. Raises `ToolError`.

        Only the root of a repository has revisions here: a link in one may lead anywhere in the repository.
        """
        if repository_of(self.root) != self.root:
            raise ToolError("PermissionError", "the root folder is not the root of a git repository")
        paths = [str(self.path(one)) for one in named] or self._list_configured_paths(config)
        sources = [f"git:{revision}:{Path(path).as_posix()}" for path in paths]
        found = find_all(sources, max_file_size=config.limits.max_file_size)
        return Contracts(tuple(read_found(found, max_file_size=config.limits.max_file_size)))

    def _list_configured_paths(self, config: Config) -> list[str]:
        if config.path is None:
            return ["."]
        return [str(self.existing(path)) for path in config.paths] or ["."]

    def _inside(self, found: Iterable[Found]) -> Iterator[Found]:
        for one in found:
            if not isinstance(one, NamedFile) or is_inside(one.path, self.root):
                yield one
