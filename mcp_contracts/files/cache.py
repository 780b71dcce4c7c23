"""What earlier runs found, in one file: values by key, checked when they are read, and never trusted.

The file is written anew as a whole and put in place of the old one, so that two processes never see half of it. A file
that is damaged, too large, of another format, or of another user counts as empty.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterator
from contextlib import suppress
from zlib import crc32

FILE_NAME = "findings.cache"
KEY_SIZE = 16
MOST_VALUES = 20_000
MOST_BYTES = 64_000_000
"""The size of the file. The values that were added first are dropped first."""
LONGEST_VALUE = 500_000

_MAGIC = b"mcp-contracts cache 1\n"
_COUNT = struct.Struct("<I")
_ROW = struct.Struct(f"<{KEY_SIZE}sIII")  # the key; where the value begins, its length, its checksum
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_READING = os.O_RDONLY | _NO_LINK | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

_Rows = dict[bytes, tuple[int, int, int]]


class Cache:
    """The values of one file. `add` and `save` never raise: a run without its cache is a slower one."""

    def __init__(self, folder: str) -> None:
        self.path = os.path.join(folder, FILE_NAME)
        self._content, self._rows = _read(self.path)
        self._added: dict[bytes, bytes] = {}

    def get(self, key: bytes) -> bytes | None:
        """The value of a key, if it is there and whole."""
        row = self._rows.get(key)
        return None if row is None else _value(self._content, row)

    def add(self, key: bytes, value: bytes) -> None:
        """Keep a value from `save` on, unless it is very long."""
        if len(value) <= LONGEST_VALUE:
            self._added[key] = value

    def save(self) -> None:
        """Write what was added, beside what another process may have written meanwhile."""
        if not self._added:
            return
        with suppress(OSError):
            os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
            content, rows = _read(self.path)
            _write(self.path, dict(_kept({**dict(_values(content, rows)), **self._added})))
            self._added = {}


def remove_cache(folder: str) -> int | None:
    """Remove the file of a folder, and return its size; None where there is none. Raises OSError."""
    path = os.path.join(folder, FILE_NAME)
    try:
        size = os.lstat(path).st_size
        os.unlink(path)
    except FileNotFoundError:
        return None
    with suppress(OSError):  # something else is in it
        os.rmdir(folder)
    return size


def _read(path: str) -> tuple[bytes, _Rows]:
    try:
        with open(os.open(path, _READING), "rb") as file:
            status = os.fstat(file.fileno())
            is_ours = not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
            if not is_ours or not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
                return b"", {}
            content = file.read(MOST_BYTES + 1)
        return content, _rows(content)
    except (OSError, ValueError, struct.error):
        return b"", {}


def _rows(content: bytes) -> _Rows:
    """Where the values of a file are. Raises ValueError or struct.error where it is none of ours."""
    if not content.startswith(_MAGIC):
        raise ValueError
    [count] = _COUNT.unpack_from(content, len(_MAGIC))
    start = len(_MAGIC) + _COUNT.size
    table = content[start : start + count * _ROW.size]
    if count > MOST_VALUES or len(table) != count * _ROW.size:
        raise ValueError
    return {key: (at, length, check) for key, at, length, check in _ROW.iter_unpack(table)}


def _value(content: bytes, row: tuple[int, int, int]) -> bytes | None:
    at, length, check = row
    value = content[at : at + length]
    return value if len(value) == length and crc32(value) == check else None


def _values(content: bytes, rows: _Rows) -> Iterator[tuple[bytes, bytes]]:
    for key, row in rows.items():
        value = _value(content, row)
        if value is not None:
            yield key, value


def _kept(values: dict[bytes, bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the values for which there is room, in the order in which they were added."""
    size = 0
    last: list[bytes] = []
    for key in reversed(values):
        size += len(values[key]) + _ROW.size
        if size > MOST_BYTES - 1000 or len(last) >= MOST_VALUES:
            break
        last.append(key)
    yield from ((key, values[key]) for key in reversed(last))


def _write(path: str, values: dict[bytes, bytes]) -> None:
    at = len(_MAGIC) + _COUNT.size + _ROW.size * len(values)
    table = []
    for key, value in values.items():
        table.append(_ROW.pack(key, at, len(value), crc32(value)))
        at += len(value)
    beside = f"{path}.{os.getpid()}-{os.urandom(4).hex()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(beside, flags, 0o600), "wb") as file:
            file.writelines((_MAGIC, _COUNT.pack(len(values)), *table, *values.values()))
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise
