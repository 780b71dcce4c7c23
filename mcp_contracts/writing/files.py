"""Writing files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from mcp_contracts.errors import UsageError


def write_atomically(path: Path, text: str) -> None:
    """Write a file so that it is either the old one or the new one, never half of it; folders are not made.

    A link is followed, the file's permissions are kept, and a device or pipe is written straight to.
    Raises UsageError where the place cannot be written.
    """
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            if target.is_dir():
                raise UsageError(f"`{path}` is a folder", hint="name a file in it")
            target.write_text(text, encoding="utf-8", newline="\n")
            return
        mode = target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask()
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
        try:
            with open(descriptor, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(name, mode)
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"`{path}` cannot be written: {reason}") from error


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
