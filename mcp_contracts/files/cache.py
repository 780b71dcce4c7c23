"""The results of earlier runs in one file: values by key, validated when they are read.

The file is replaced as a whole, so that another process never sees half of it. A file that is damaged, too large, in
another format, or owned by another user counts as empty.
"""

from __future__ import annotations

import os
import stat
import sys

from mcp_contracts.files.hashing import blake2b

TYPE_CHECKING = False  # type checkers assume True; what is only imported for them takes longer than this module
if TYPE_CHECKING:
    from collections.abc import Iterator

FILE_NAME = "findings.cache"
KEY_SIZE = 16
MOST_VALUES = 20_000
MOST_BYTES = 64_000_000
"""The maximum size of the file. The oldest values are dropped first."""
LONGEST_VALUE = 500_000

_MAGIC = f"mcp-contracts cache 2 {sys.byteorder}\n".encode()
_COUNT_SIZE = 4
_ROW = 3
"""The numbers of a row: where the value begins, its length, its checksum. All keys precede all rows."""
_ROW_SIZE = _COUNT_SIZE * _ROW
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_READING = os.O_RDONLY | _NO_LINK | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

_Rows = dict[bytes, tuple[int, int, int]]


class Cache:
    """The values of one file. `add` and `save` never raise: without its cache, a run is only slower."""

    def __init__(self, folder: str) -> None:
        self.path = os.path.join(folder, FILE_NAME)
        self._content, self._rows = _read(self.path)
        self._added: dict[bytes, bytes] = {}

    def get(self, key: bytes) -> bytes | None:
        """Return the value of a key if it exists and is intact."""
        row = self._rows.get(key)
        return None if row is None else _value(self._content, row)

    def add(self, key: bytes, value: bytes, longest: int | None = None) -> None:
        """Add a value, which `save` writes, unless it is very long."""
        if len(value) <= (LONGEST_VALUE if longest is None else longest):
            self._added[key] = value

    def save(self) -> None:
        """Write the added values, and keep those that another process may have written meanwhile."""
        if not self._added:
            return
        try:
            os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
            content, rows = _read(self.path)
            kept = {key: value for key, value in _values(content, rows) if key not in self._added}
            _write(self.path, dict(_keep_newest({**kept, **self._added})))
            self._added = {}
        except OSError:
            pass


def read_value(folder: str, key: bytes) -> bytes | None:
    """Return the value of one key, without reading the others."""
    try:
        with open(_open(os.path.join(folder, FILE_NAME)), "rb") as file:
            head = file.read(len(_MAGIC) + _COUNT_SIZE)
            count = int.from_bytes(head[len(_MAGIC) :], sys.byteorder)
            if not head.startswith(_MAGIC) or count > MOST_VALUES:
                return None
            keys = file.read(count * KEY_SIZE)
            at = keys.find(key)
            while at % KEY_SIZE and at > 0:
                at = keys.find(key, at + 1)
            if at < 0:
                return None
            file.seek(at // KEY_SIZE * _ROW_SIZE, os.SEEK_CUR)
            start, length, check = memoryview(file.read(_ROW_SIZE)).cast("I")
            file.seek(start)
            value = file.read(min(length, MOST_BYTES))
            return value if len(value) == length and _checksum(value) == check else None
    except (OSError, ValueError, TypeError):
        return None


def remove_cache(folder: str) -> int | None:
    """Remove the file of a folder, and return its size, or None if it does not exist. Raises OSError."""
    path = os.path.join(folder, FILE_NAME)
    try:
        size = os.lstat(path).st_size
        os.unlink(path)
    except FileNotFoundError:
        return None
    try:  # noqa: SIM105  # `contextlib` takes as long to import as this module
        os.rmdir(folder)
    except OSError:  # the folder contains something else
        pass
    return size


def _open(path: str) -> int:
    """Return a descriptor of the file. Raises OSError if it belongs to another user, or is too large."""
    descriptor = os.open(path, _READING)
    status = os.fstat(descriptor)
    is_ours = not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
    if is_ours and stat.S_ISREG(status.st_mode) and status.st_size <= MOST_BYTES:
        return descriptor
    os.close(descriptor)
    raise OSError


def _read(path: str) -> tuple[bytes, _Rows]:
    try:
        with open(_open(path), "rb") as file:
            content = file.read(MOST_BYTES + 1)
        return content, _rows(content)
    except (OSError, ValueError, TypeError):
        return b"", {}


def _rows(content: bytes) -> _Rows:
    """Return the positions of the values in a file. Raises ValueError or TypeError if the file is not a cache."""
    if not content.startswith(_MAGIC):
        raise ValueError
    start = len(_MAGIC) + _COUNT_SIZE
    count = int.from_bytes(content[len(_MAGIC) : start], sys.byteorder)
    rows = start + count * KEY_SIZE
    if count > MOST_VALUES or len(content) < rows + count * _ROW_SIZE:
        raise ValueError
    numbers = iter(memoryview(content)[rows : rows + count * _ROW_SIZE].cast("I"))
    keys = (content[at : at + KEY_SIZE] for at in range(start, rows, KEY_SIZE))
    return dict(zip(keys, zip(numbers, numbers, numbers, strict=True), strict=True))


def _checksum(value: bytes) -> int:
    return int.from_bytes(blake2b(value, digest_size=_COUNT_SIZE).digest(), sys.byteorder)


def _value(content: bytes, row: tuple[int, int, int]) -> bytes | None:
    at, length, check = row
    value = content[at : at + length]
    return value if len(value) == length and _checksum(value) == check else None


def _values(content: bytes, rows: _Rows) -> Iterator[tuple[bytes, bytes]]:
    for key, row in rows.items():
        value = _value(content, row)
        if value is not None:
            yield key, value


def _keep_newest(values: dict[bytes, bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the newest values that fit, in the order in which they were added."""
    size = 0
    last: list[bytes] = []
    for key in reversed(values):
        size += len(values[key]) + KEY_SIZE + _ROW_SIZE
        if size > MOST_BYTES - 1000 or len(last) >= MOST_VALUES:
            break
        last.append(key)
    yield from ((key, values[key]) for key in reversed(last))


def _write(path: str, values: dict[bytes, bytes]) -> None:
    at = len(_MAGIC) + _COUNT_SIZE + (KEY_SIZE + _ROW_SIZE) * len(values)
    numbers = [len(values)]
    for value in values.values():
        numbers += (at, len(value), _checksum(value))
        at += len(value)
    count, *rows = (number.to_bytes(_COUNT_SIZE, sys.byteorder) for number in numbers)
    beside = f"{path}.{os.getpid()}-{os.urandom(4).hex()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(beside, flags, 0o600), "wb") as file:
            file.writelines((_MAGIC, count, *values, *rows, *values.values()))
        os.replace(beside, path)
    except BaseException:
        try:  # noqa: SIM105  # `contextlib` takes as long to import as this module
            os.unlink(beside)
        except OSError:
            pass
        raise
