"""Semantic versions, and version ranges in the notation of npm and Cargo."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, total_ordering

from mcp_contracts import lazy_re as re
from mcp_contracts.records import NamedTuple, dataclass, field, replace

# The expression that semver.org suggests, in ASCII.
SEMANTIC_VERSION = (
    r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)"
    r"(?:-((?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*))?"
    r"(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?"
)
_SEMANTIC_VERSION = re.compile(SEMANTIC_VERSION)
_LONGEST_VERSION = 200
_LONGEST_RANGE = 500
_MOST_PARTS = 50
_TWO_NUMBERS = re.compile(r"([0-9]+\.[0-9]+)((?:[-+].*)?)")

# One comparator: `^1.2`, `>= 1.2.3-rc.1`, `1.x`. Every repetition ends where the next begins, so nothing backtracks.
_NUMBER = r"(?:0|[1-9][0-9]*|[xX*])"
_COMPARATOR = re.compile(
    r"(?P<operator>>=|<=|>|<|=|~>|~|\^)?[ \t]*[vV]?"
    rf"(?P<major>{_NUMBER})(?:\.(?P<minor>{_NUMBER}))?(?:\.(?P<patch>{_NUMBER}))?"
    r"(?:-(?P<prerelease>[0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?"
    r"(?=[ \t,]|$)"
)
_HYPHEN = re.compile(r"[ \t]+-[ \t]+")
_BETWEEN = re.compile(r"[ \t]*,[ \t]*|[ \t]+")
_LOWEST = "0"  # the lowest pre-release, so that `<2.0.0-0` also excludes the pre-releases of 2.0.0


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """A semantic version, ordered as semver.org defines: build metadata does not count."""

    major: int
    minor: int = 0
    patch: int = 0
    prerelease: str | None = None
    build: str | None = None

    @classmethod
    def parse(cls, text: str) -> Version | None:
        """Parse a version; None if the text is not one."""
        match = _SEMANTIC_VERSION.fullmatch(text) if len(text) < 2 * _LONGEST_VERSION else None
        return None if match is None else cls(int(match[1]), int(match[2]), int(match[3]), match[4], match[5])

    @property
    def release(self) -> Version:
        """The version without a pre-release and metadata."""
        return Version(self.major, self.minor, self.patch)

    def after(self, part: str) -> Version:
        """Return the next release that raises a part: `major`, `minor` or `patch`."""
        if part == "major":
            return Version(self.major + 1)
        return (
            Version(self.major, self.minor + 1) if part == "minor" else Version(self.major, self.minor, self.patch + 1)
        )

    def _rank(self) -> tuple[object, ...]:
        words = () if self.prerelease is None else self.prerelease.split(".")
        ranked = tuple((0, int(word), "") if word.isdigit() else (1, 0, word) for word in words)
        return self.major, self.minor, self.patch, self.prerelease is None, ranked

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self._rank() == other._rank()

    def __lt__(self, other: Version) -> bool:
        return self._rank() < other._rank()

    def __hash__(self) -> int:
        return hash(self._rank())

    def __str__(self) -> str:
        prerelease, build = (
            f"{sign}{text}" if text else "" for sign, text in (("-", self.prerelease), ("+", self.build))
        )
        return f"{self.major}.{self.minor}.{self.patch}{prerelease}{build}"


def read_version(text: str | None) -> Version | None:
    """Return the version in a string, or None if it cannot be read.

    Versions are semantic (semver.org). Two other unambiguous forms, which occur in tool lists, are also accepted: a
    leading `v`, and a missing third number, which is 0.
    """
    if text is None or len(text) > _LONGEST_VERSION:
        return None
    text = text.strip()
    written = text[1:] if text[:1] in ("v", "V") else text
    match = _TWO_NUMBERS.fullmatch(written)
    return Version.parse(f"{match[1]}.0{match[2]}" if match else written)


class _Bound(NamedTuple):
    """One side of a comparator: `operator` is `>=`, `>`, `<`, `<=` or `=`."""

    operator: str
    version: Version

    def holds(self, version: Version) -> bool:
        """Whether a version satisfies the bound."""
        return _COMPARE[self.operator](version, self.version)


_COMPARE: Mapping[str, Callable[[Version, Version], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
}


class _Partial(NamedTuple):
    """A version with trailing numbers omitted: None for any number."""

    major: int | None
    minor: int | None
    patch: int | None
    prerelease: str | None


@dataclass(frozen=True, slots=True)
class VersionRange:
    """The versions that `text` matches. Create it with `read_range`; otherwise, it matches nothing."""

    text: str
    alternatives: tuple[tuple[_Bound, ...], ...] = field(default=(), repr=False, compare=False)

    def allows(self, version: str | None) -> bool:
        """Whether the range contains a version; build metadata is ignored.

        It contains a pre-release only if it names one with the same three numbers. Only `*` contains a version that is
        missing or cannot be read.
        """
        found = read_version(version)
        if found is None:
            return () in self.alternatives
        return any(_allows(bounds, found) for bounds in self.alternatives)


def _allows(bounds: tuple[_Bound, ...], version: Version) -> bool:
    if not all(bound.holds(version) for bound in bounds):
        return False
    # The rule of both npm and Cargo: a range that names one pre-release does not include all of them.
    return version.prerelease is None or any(
        bound.version.prerelease is not None and bound.version.release == version.release for bound in bounds
    )


@lru_cache(maxsize=256)
def read_range(text: str) -> VersionRange:
    """Read a range of versions.

    The forms are `1.2.3` and `=1.2.3` (that version), `1`, `1.2`, `1.x`, `1.2.*` (versions with that prefix), `*`
    (any), `^1.2` (versions compatible with 1.2: up to the next change of the leftmost non-zero number), `~1.2` (the
    last number may increase), `>=1.2`, `>`, `<`, `<=`, `1.2 - 1.4` (both ends included), several separated by a space
    or a comma (all must match), and alternatives with `||`. A `v` may precede a version. The semantics are those of npm
    (https://github.com/npm/node-semver#ranges), so a bare `1.2.3` is only that version, unlike in Cargo. Raises
    ValueError, with a message for the user, for anything else.
    """
    if len(text) > _LONGEST_RANGE:
        raise ValueError(f"a version range is at most {_LONGEST_RANGE} characters long, and this one has {len(text)}")
    stripped = text.strip()
    if not stripped:
        raise ValueError("the version range is empty (`*` allows any version)")
    parts = stripped.split("||")
    alternatives = tuple(_read_alternative(part.strip(), text) for part in parts)
    if sum(map(len, alternatives)) > _MOST_PARTS:
        raise ValueError(f"a version range has at most {_MOST_PARTS} bounds")
    return VersionRange(text, alternatives)


def newest(versions: Iterable[str | None]) -> int | None:
    """Return the index of the newest version: the highest release, otherwise the highest pre-release.

    None if no version can be read. The first of versions that differ only in build metadata counts.
    """
    best: tuple[bool, Version] | None = None
    position = None
    for index, text in enumerate(versions):
        version = read_version(text)
        if version is not None:
            rank = (version.prerelease is None, version)
            if best is None or rank > best:
                best, position = rank, index
    return position


def _read_alternative(part: str, text: str) -> tuple[_Bound, ...]:
    if not part:
        raise _unreadable(text, "a side of `||` is empty")
    bounds: list[_Bound] = []
    position = count = 0
    while True:
        match = _COMPARATOR.match(part, position)
        if match is None:
            raise _unreadable(text, _fault_at(part[position:]))
        partial = _partial(match, text)
        hyphen = _HYPHEN.match(part, match.end())
        if hyphen is not None and match["operator"] is None and count == 0:
            end = _COMPARATOR.match(part, hyphen.end())
            if end is None or end["operator"] is not None or end.end() != len(part):
                raise _unreadable(text, "` - ` must be between two versions")
            return (*_bounds(">=", partial), *_bounds("<=", _partial(end, text)))
        bounds += _bounds(match["operator"] or "=", partial)
        count += 1
        position = match.end()
        if position == len(part):
            return tuple(bounds)
        between = _BETWEEN.match(part, position)
        position = between.end() if between is not None else position


def _fault_at(rest: str) -> str:
    word = re.split(r"[ \t,]", rest.strip(), maxsplit=1)[0]
    return f"`{_shorten(word)}` is not a version" if word else "a version is missing"


def _unreadable(text: str, fault: str) -> ValueError:
    return ValueError(f"`{_shorten(text)}` is not a version range such as `^1.2` or `>=1.2 <2`: {fault}")


def _shorten(text: str) -> str:
    short = text if len(text) <= 60 else f"{text[:59]}…"
    return "".join(character if character.isprintable() else "�" for character in short)


def _partial(match: re.Match[str], text: str) -> _Partial:
    major, minor, patch = (_number(match[name]) for name in ("major", "minor", "patch"))
    if (major is None and minor is not None) or (minor is None and patch is not None):
        raise _unreadable(text, "a number follows a wildcard")
    prerelease = match["prerelease"]
    if prerelease is not None:
        if patch is None:
            raise _unreadable(text, "a pre-release needs all three numbers before it")
        if read_version(f"1.0.0-{prerelease}") is None:
            raise _unreadable(text, f"`{_shorten(prerelease)}` is not a pre-release")
    return _Partial(major, minor, patch, prerelease)


def _number(text: str | None) -> int | None:
    return None if text is None or text in "xX*" else int(text)


def _bounds(operator: str, partial: _Partial) -> tuple[_Bound, ...]:
    """Convert a comparator to bounds of whole versions; empty if it allows all versions."""
    major, minor, patch, prerelease = partial
    if major is None:
        return (_Bound("<", Version(0, prerelease=_LOWEST)),) if operator in ("<", ">") else ()
    floor = Version(major, minor or 0, patch or 0, prerelease)
    from_floor = _Bound(">=", floor)
    match operator:
        case "^":
            return (from_floor, _Bound("<", _after_caret(major, minor, patch)))
        case "~" | "~>":
            after = _after(major, None) if minor is None else _after(major, minor)
            return (from_floor, _Bound("<", after))
        case ">=":
            return (from_floor,)
        case "<":
            return (_Bound("<", floor if patch is not None else replace(floor, prerelease=_LOWEST)),)
    if patch is not None:
        return (_Bound(operator, floor),)
    after = _after(major, minor)
    match operator:
        case ">":  # beyond all versions that `1.2` matches
            return (_Bound(">=", after.release),)
        case "<=":
            return (_Bound("<", after),)
        case _:
            return (from_floor, _Bound("<", after))


def _after(major: int, minor: int | None) -> Version:
    """Return the first version beyond all that begin with one number, or with two."""
    return Version(major + 1, prerelease=_LOWEST) if minor is None else Version(major, minor + 1, prerelease=_LOWEST)


def _after_caret(major: int, minor: int | None, patch: int | None) -> Version:
    """Return the first version that may break callers: increment the leftmost non-zero, or the last stated number."""
    if major > 0 or minor is None:
        return _after(major, None)
    if minor > 0 or patch is None:
        return _after(major, minor)
    return Version(major, minor, patch + 1, _LOWEST)
