"""The key of a cached value: the content of its file, this version with its packages, and the options."""

from __future__ import annotations

import sys

from mcp_contracts.files.cache import KEY_SIZE
from mcp_contracts.files.hashing import blake2b
from mcp_contracts.files.installation import installation
from mcp_contracts.parsing.discovery import read_text, show
from mcp_contracts.sources.documents import Blob
from mcp_contracts.sources.paths import NamedFile
from mcp_contracts.sources.source import Readable
from mcp_contracts.version import __version__

_FORMAT = 4


def content_of(item: Readable, limit: int) -> tuple[str, str | None, bytes]:
    """The name of a file, its text, and a hash of its content. The hash is empty if the meaning of the file depends on
    something else. The text of a git revision is not read.
    """
    if isinstance(item, NamedFile):
        text = read_text(item.path, limit=limit)
        if isinstance(text, str):
            text = text.removeprefix("\ufeff")
            return show(item.path), text, digest_of(text)
    if isinstance(item, Blob):
        return f"{show(item.path)}\0{item.folder}", None, f"git:{item.object_id}".encode()
    return "", None, b""


def run_key(*asked: object) -> bytes:
    """What any cached value depends on besides its file: this version, its packages, and the request."""
    return blake2b(repr((_FORMAT, __version__, sys.version, installation(), asked)).encode()).digest()


def file_key(run: bytes, name: str, digest: bytes) -> bytes:
    """The key of a file, under its name."""
    return blake2b(run + f"{name}\0".encode("utf-8", "surrogatepass") + digest).digest()[:KEY_SIZE]


def digest_of(text: str) -> bytes:
    """The hash of a text."""
    return blake2b(text.encode("utf-8", "surrogatepass")).digest()
