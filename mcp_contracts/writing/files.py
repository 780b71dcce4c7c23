"""Write files atomically, and never through a link."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from mcp_contracts.errors import UsageError
from mcp_contracts.files.trees import OutsideError, is_inside, open_folder, tree_root
from mcp_contracts.parsing.discovery import read_text

_DEVICES = f"{os.sep}dev{os.sep}"
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def write_atomically(path: Path, text: str) -> None:
    """Write a file atomically; folders are not created.

    A file keeps its permissions, except for set-uid and set-gid. A link is refused, and so is a path that leaves its
    tree through a linked folder; devices and pipes are written to directly. Raises UsageError if the file cannot be
    written.
    """
    content = text.encode("utf-8")
    try:
        if os.path.abspath(path).startswith(_DEVICES):  # /dev/stdout is a link, which stands for its target
            _write_straight(path, content, os.O_APPEND)
            return
        mode = _mode(path)
        if mode is not None and not stat.S_ISREG(mode):
            _write_straight(path, content, _NO_LINK)
            return
        _replace(path, content, stat.S_IMODE(mode) & 0o777 if mode is not None else 0o666 & ~_umask())
    except OutsideError as error:
        raise _leading_out(path) from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"`{path}` cannot be written: {reason}") from error


def replace_file(path: Path, old: str, new: str) -> None:
    """Replace a file atomically if its text has not changed since it was read.

    Raises UsageError if it has changed, or cannot be written.
    """
    if read_text(path, limit=len(old.encode("utf-8"))) != old:
        hint = "run the command again; nothing was written to it"
        raise UsageError(f"`{path}` changed after it was read", hint=hint)
    write_atomically(path, new)


def make_folder(folder: Path) -> None:
    """Create a folder and its parents, inside the tree that its name is in. Raises UsageError."""
    try:
        root = tree_root(folder)
        if root is not None and not is_inside(folder, root):
            raise _leading_out(folder)
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"the folder `{folder}` cannot be created: {reason}") from error


def _leading_out(path: Path) -> UsageError:
    hint = "to write there, pass the real path of that folder"
    return UsageError(f"`{path}` leads outside the tree through a symbolic link, and is not written", hint=hint)


def _mode(path: Path) -> int | None:
    """Return the mode of the file at a writable path, or None if it does not exist."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(mode):
        hint = "remove the link, or pass its target"
        raise UsageError(f"`{path}` is a symbolic link, and links are not followed for writing", hint=hint)
    if stat.S_ISDIR(mode):
        raise UsageError(f"`{path}` is a folder", hint="pass a file in it")
    return mode


def _replace(path: Path, content: bytes, mode: int) -> None:
    """Write a temporary file, and move it into place. No temporary file remains, even if the run fails."""
    above, name = os.path.split(os.path.abspath(path))
    folder = open_folder(above, tree_root(path))
    start = f"{above}{os.sep}" if folder is None else ""
    beside = f"{start}.mcp-contracts-{os.urandom(8).hex()}.tmp"
    try:
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | _NO_LINK
            with open(os.open(beside, flags, 0o600, dir_fd=folder), "wb") as file:
                file.write(content)
                file.flush()
                if hasattr(os, "fchmod"):
                    os.fchmod(file.fileno(), mode)
                os.fsync(file.fileno())
            os.replace(beside, f"{start}{name}", src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside, dir_fd=folder)
            raise
    finally:
        if folder is not None:
            os.close(folder)


def _write_straight(path: Path, content: bytes, flags: int) -> None:
    with open(os.open(path, os.O_WRONLY | getattr(os, "O_NOCTTY", 0) | flags), "wb") as file:
        file.write(content)


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
