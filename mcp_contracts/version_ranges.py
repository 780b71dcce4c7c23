"""Semantic versions read from text, and ranges of them as npm and Cargo users write them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from semver import Version

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
_LOWEST = "0"  # the lowest pre-release there is, so `<2.0.0-0` leaves the pre-releases of 2.0.0 out as well


def read_version(text: str | None) -> Version | None:
    """The version that a text states, or None where it states none that can be read.

    Versions are semantic (semver.org). Two other spellings have one sure meaning and are read as well, since tool lists
    hold them: a `v` in front, and a missing third number, which is 0. Of anything else nothing is known.
    """
    if text is None or len(text) > _LONGEST_VERSION:
        return None
    from semver import Version  # takes 14 ms, and only comparisons need it

    text = text.strip()
    written = text[1:] if text[:1] in ("v", "V") else text
    match = _TWO_NUMBERS.fullmatch(written)
    try:
        return Version.parse(f"{match[1]}.0{match[2]}" if match else written)
    except ValueError:
        return None


class _Bound(NamedTuple):
    """One side of a comparator: `operator` is `>=`, `>`, `<`, `<=` or `=`."""

    operator: str
    version: Version

    def holds(self, version: Version) -> bool:
        """Whether a version is on the right side."""
        order = version.compare(self.version)
        match self.operator:
            case ">=":
                return order >= 0
            case ">":
                return order > 0
            case "<":
                return order < 0
            case "<=":
                return order <= 0
            case _:
                return order == 0


class _Partial(NamedTuple):
    """A version with numbers left out from the right: None for a number that may be any."""

    major: int | None
    minor: int | None
    patch: int | None
    prerelease: str | None


@dataclass(frozen=True, slots=True)
class VersionRange:
    """Which versions are meant by `text`; made by `read_range`, and nothing is allowed without it."""

    text: str
    alternatives: tuple[tuple[_Bound, ...], ...] = field(default=(), repr=False, compare=False)

    def allows(self, version: str | None) -> bool:
        """Whether a version lies in the range; build metadata counts for nothing.

        A pre-release does only where the range names one of the same three numbers. What states no version, or none
        that can be read, is allowed by `*` alone.
        """
        found = read_version(version)
        if found is None:
            return () in self.alternatives
        return any(_allows(bounds, found) for bounds in self.alternatives)


def _allows(bounds: tuple[_Bound, ...], version: Version) -> bool:
    if not all(bound.holds(version) for bound in bounds):
        return False
    # The rule of both npm and Cargo: to ask for one unfinished version is not to ask for all of them.
    return version.prerelease is None or any(
        bound.version.prerelease is not None and bound.version.to_tuple()[:3] == version.to_tuple()[:3]
        for bound in bounds
    )


@lru_cache(maxsize=256)
def read_range(text: str) -> VersionRange:
    """Read a range of versions.

    `1.2.3` and `=1.2.3` (that version), `1`, `1.2`, `1.x`, `1.2.*` (what begins so), `*` (any), `^1.2` (what a caller
    of 1.2 can use: up to the next change of the leftmost number that is not 0), `~1.2` (the last number may rise),
    `>=1.2`, `>`, `<`, `<=`, `1.2 - 1.4` (both ends included), several with a space or a comma between (all must hold),
    and alternatives with `||`. A `v` may stand before a version. They mean what they mean to npm
    (https://github.com/npm/node-semver#ranges), so a bare `1.2.3` is that version alone, unlike in Cargo.

    Raises ValueError, with a message to show, for anything else.
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
    """The position of the newest of some versions: the highest release, else the highest pre-release.

    None where no version can be read. Of versions that are equal but for build metadata the first counts.
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
    return f"`{_shown(word)}` is not a version" if word else "a version is missing"


def _unreadable(text: str, fault: str) -> ValueError:
    return ValueError(f"`{_shown(text)}` is not a version range such as `^1.2` or `>=1.2 <2`: {fault}")


def _shown(text: str) -> str:
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
            raise _unreadable(text, f"`{_shown(prerelease)}` is not a pre-release")
    return _Partial(major, minor, patch, prerelease)


def _number(text: str | None) -> int | None:
    return None if text is None or text in "xX*" else int(text)


def _version(major: int, minor: int = 0, patch: int = 0, prerelease: str | None = None) -> Version:
    from semver import Version  # see read_version

    return Version(major, minor, patch, prerelease)


def _bounds(operator: str, partial: _Partial) -> tuple[_Bound, ...]:
    """What a comparator asks for, in bounds of whole versions; nothing where it allows all."""
    major, minor, patch, prerelease = partial
    if major is None:
        return (_Bound("<", _version(0, prerelease=_LOWEST)),) if operator in ("<", ">") else ()
    floor = _version(major, minor or 0, patch or 0, prerelease)
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
            return (_Bound("<", floor if patch is not None else floor.replace(prerelease=_LOWEST)),)
    if patch is not None:
        return (_Bound(operator, floor),)
    after = _after(major, minor)
    match operator:
        case ">":  # past all that `1.2` means
            return (_Bound(">=", after.finalize_version()),)
        case "<=":
            return (_Bound("<", after),)
        case _:
            return (from_floor, _Bound("<", after))


def _after(major: int, minor: int | None) -> Version:
    """The first version past all that begin with one number, or with two."""
    return _version(major + 1, prerelease=_LOWEST) if minor is None else _version(major, minor + 1, prerelease=_LOWEST)


def _after_caret(major: int, minor: int | None, patch: int | None) -> Version:
    """The first version that may break callers: the leftmost number that is not 0 rises, or the last that is stated."""
    if major > 0 or minor is None:
        return _after(major, None)
    if minor > 0 or patch is None:
        return _after(major, minor)
    return _version(major, minor, patch + 1, _LOWEST)
