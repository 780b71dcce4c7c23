"""Globs with the semantics of git's `.gitignore`, matched in time proportional to pattern times path.

Each pattern becomes one regular expression over bytes. A `*` matches up to the nearest place where the text up to the
next `*` fits, and never backtracks. For globs, the nearest place leaves the most to the rest, so no match is lost, and
no pattern can cause excessive backtracking.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.records import dataclass, field

MAXIMUM_LENGTH = 4096
"""Maximum length of a pattern in bytes: no path in a file system is longer."""

_SPECIAL = re.compile(rb"[*?\[\\]")
_CLASSES = {
    b"alnum": b"0-9A-Za-z", b"alpha": b"A-Za-z", b"blank": b" \\t", b"cntrl": b"\\x00-\\x1f\\x7f", b"digit": b"0-9",
    b"graph": b"!-~", b"lower": b"a-z", b"print": b" -~", b"punct": b"!-/:-@\\[-`{-~", b"space": b" \\t-\\r",
    b"upper": b"A-Z", b"xdigit": b"0-9A-Fa-f",
}  # fmt: skip
_NEVER = rb"(?!)"


class GlobError(ValueError):
    """A pattern that can match nothing."""


@dataclass(frozen=True, slots=True)
class Glob:
    """One pattern: a literal `prefix`, then `rest`, which begins with the first special character.

    With `is_basename`, only the last name of a path is compared.
    """

    prefix: bytes
    rest: bytes
    is_negative: bool
    is_for_folders: bool
    is_basename: bool

    def matches(self, path: bytes, compiled: dict[bytes, re.Pattern[bytes] | None], *, is_folder: bool) -> bool:
        """Whether it matches a path, which must be relative to the folder of the pattern and use `/`.

        `compiled` are the patterns that were compiled before, by their text.
        """
        if self.is_for_folders and not is_folder:
            return False
        subject = path[path.rfind(b"/") + 1 :] if self.is_basename else path
        if not subject.startswith(self.prefix):
            return False
        if not self.rest:
            return len(subject) == len(self.prefix)
        if self.rest not in compiled:
            compiled[self.rest] = _compile(self.rest)
        expression = compiled[self.rest]
        return expression is not None and expression.fullmatch(subject, len(self.prefix)) is not None


@dataclass(frozen=True, slots=True)
class Globs:
    """The patterns of one file; the last matching one decides."""

    patterns: tuple[Glob, ...]
    _compiled: dict[bytes, re.Pattern[bytes] | None] = field(default_factory=dict, compare=False, repr=False)

    @property
    def special(self) -> int:
        """Return the number of patterns that are compared as regular expressions."""
        return sum(bool(pattern.rest) for pattern in self.patterns)

    def decide(self, path: str, *, is_folder: bool) -> bool | None:
        """Return True if a path matches, False if the last match begins with `!`, and None without a match."""
        subject = os.fsencode(path)
        for pattern in reversed(self.patterns):
            if pattern.matches(subject, self._compiled, is_folder=is_folder):
                return not pattern.is_negative
        return None

    def cover(self, path: str) -> bool:
        """Whether a path, or a folder that contains it, is matched. The path may be a file or a folder."""
        above = [path[:at] for at, character in enumerate(path) if character == "/" and at]
        if any(self.decide(folder, is_folder=True) for folder in above):
            return True
        path = path.rstrip("/")
        return bool(self.decide(path, is_folder=False) or self.decide(path, is_folder=True))


def read_globs(patterns: Iterable[str]) -> Globs:
    """Read patterns from a user. Raises GlobError for a pattern that can match nothing."""
    read = tuple(_read(pattern.encode("utf-8", "surrogatepass")) for pattern in patterns)
    for pattern in read:
        _expression(pattern.rest)
    return Globs(read)


def read_ignore_file(text: str) -> Globs:
    """Read the patterns of a `.gitignore`, without comments and patterns that can match nothing."""
    return Globs(tuple(_read_lines(text.encode("utf-8", "surrogateescape"))))


def _read_lines(content: bytes) -> Iterator[Glob]:
    for line in content.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        line = _without_spaces(line.removesuffix(b"\r"))
        if line and not line.startswith(b"#"):
            try:
                yield _read(line)
            except GlobError:
                continue  # like git


def _without_spaces(line: bytes) -> bytes:
    """Remove the spaces at the end of a line, except for an escaped one."""
    bare = line.rstrip(b" ")
    escapes = len(bare) - len(bare.rstrip(b"\\"))
    return line[: len(bare) + 1] if escapes % 2 else bare


def _read(line: bytes) -> Glob:
    is_negative = line.startswith(b"!")
    pattern = line[1:] if is_negative else line
    is_for_folders = pattern.endswith(b"/")
    if is_for_folders:
        pattern = pattern[:-1]
    is_basename = b"/" not in pattern
    pattern = pattern.removeprefix(b"/")
    if not pattern:
        raise GlobError("it matches nothing")
    if len(pattern) > MAXIMUM_LENGTH:
        raise GlobError(f"it is longer than {MAXIMUM_LENGTH} bytes")
    # git compares the text before the first special character literally, and matches the rest as a separate pattern.
    special = _SPECIAL.search(pattern)
    start = special.start() if special is not None else len(pattern)
    return Glob(pattern[:start], pattern[start:], is_negative, is_for_folders, is_basename)


def _compile(pattern: bytes) -> re.Pattern[bytes] | None:
    """Compile a pattern to a regular expression; None if it can match nothing."""
    try:
        return re.compile(_expression(pattern), re.DOTALL)
    except GlobError:
        return None


def _expression(pattern: bytes) -> bytes:
    """Convert a pattern to an expression without backtracking into groups.

    Segments between `**` consist of whole folders, so the nearest place for a segment is the best one. Within a segment
    the same is true for the text between two stars, because a star never leaves its folder.
    """
    written: list[bytes] = []
    segments: list[bytes] = []
    before, gap, piece = b"", b"", b""  # what may precede the segment, and its current piece
    at = 0
    while at < len(pattern):
        if pattern[at : at + 1] != b"*":
            part, at = _single(pattern, at)
            piece += part
            continue
        end = at
        while pattern[end : end + 1] == b"*":
            end += 1
        rest = pattern[end : end + 2]
        segments.append(_atomic(gap, piece))
        gap, piece = rb"[^/]*?", b""
        if (
            end - at > 1
            and (at == 0 or pattern[at - 1 : at] == b"/")
            and (not rest or rest[:1] == b"/" or rest == b"\\/")
        ):
            written.append(_atomic(before, b"".join(segments)))
            segments, gap = [], b""
            before = rb".*+" if not rest else rb"(?:[^/]*+/)*?" if rest[:1] == b"/" else rb"(?:[^/]*+/)+?"
            end += 0 if not rest else 1 if rest[:1] == b"/" else 2
        at = end
    return b"".join((*written, before, *segments, gap, piece))


def _atomic(gap: bytes, piece: bytes) -> bytes:
    """Return a gap and the text after it, at the nearest place where it fits."""
    return b"(?>" + gap + piece + b")" if gap else piece


def _single(pattern: bytes, at: int) -> tuple[bytes, int]:
    """Return the regular expression for one character of a pattern, and the next position."""
    character = pattern[at : at + 1]
    if character == b"?":
        return rb"[^/]", at + 1
    if character == b"\\":
        if at + 1 == len(pattern):
            raise GlobError("it ends with a backslash that escapes nothing")
        return re.escape(pattern[at + 1 : at + 2]), at + 2
    if character == b"[":
        return _bracket(pattern, at + 1)
    return re.escape(character), at + 1


def _bracket(pattern: bytes, at: int) -> tuple[bytes, int]:
    """Return the regular expression for a bracket expression, which never matches a slash, and the next position."""
    is_negative = pattern[at : at + 1] in (b"!", b"^")
    at += is_negative
    members: list[bytes] = []
    last: int | None = None
    is_first = True
    while is_first or pattern[at : at + 1] != b"]":
        is_first = False
        if at >= len(pattern):
            raise GlobError("its `[` is never closed")
        character = pattern[at]
        end = pattern.find(b"]", at + 2) if pattern[at : at + 2] == b"[:" else -1
        if end > at + 2 and pattern[end - 1 : end] == b":":
            name = pattern[at + 2 : end - 1]
            if name not in _CLASSES:
                raise GlobError("it has an unknown character class")
            members.append(_CLASSES[name])
            at, last = end + 1, None
            continue
        if character == ord("-") and last is not None and pattern[at + 1 : at + 2] not in (b"", b"]"):
            at += 1
            at += pattern[at : at + 1] == b"\\"
            if at >= len(pattern):
                raise GlobError("its `[` is never closed")
            if last <= pattern[at]:
                members.append(_hex(last) + b"-" + _hex(pattern[at]))
            at, last = at + 1, None
            continue
        if character == ord("\\"):
            at += 1
            if at >= len(pattern):
                raise GlobError("its `[` is never closed")
            character = pattern[at]
        members.append(_hex(character))
        at, last = at + 1, character
    inner = b"".join(members)
    if is_negative:
        return b"[^/" + inner + b"]", at + 1
    return (b"(?!/)[" + inner + b"]" if inner else _NEVER), at + 1


def _hex(byte: int) -> bytes:
    return b"\\x%02x" % byte
