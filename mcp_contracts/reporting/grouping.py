"""Groups of diagnostics of one code and shape, shown once with all places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.records import dataclass
from mcp_contracts.reporting.document import Entry
from mcp_contracts.reporting.visible import visible

MOST_PLACES = 5
"""The maximum number of places of a group that are shown, the first one included."""
_NAME = re.compile(r"`[^`]*`")
_CORRECTION = re.compile(r"write `[^`]*`")
"""A hint about a single place, which is repeated for each place."""
_LONGEST_NAME = 48


@dataclass(frozen=True, slots=True)
class Group:
    """The first of several similar diagnostics, and the others in order of their places."""

    first: Entry
    others: tuple[Entry, ...] = ()

    def __len__(self) -> int:
        return 1 + len(self.others)


def group_diagnostics(entries: Iterable[Entry], *, is_wanted: bool = True) -> list[Group]:
    """Return the diagnostics of one file in groups, in the order of their first places; ungrouped if so requested."""
    if not is_wanted:
        return [Group(one) for one in entries]
    alike: dict[tuple[str, str | None, str | None], list[Entry]] = {}
    for one in entries:
        alike.setdefault((one.group, one.severity, one.suppressed), []).append(one)
    return [Group(first, tuple(others)) for first, *others in alike.values()]


def other_places(group: Group, width: int) -> Iterator[str]:
    """Yield the other places of a group and the differences there, in lines of a width.

    The first four are listed, each like "30:5 `limit`": the place if it differs from the first one, the names that
    differ, the tool if it is another one, and what to write there. The others are counted.
    """
    shown = group.others[: MOST_PLACES - 1]
    pieces = [f"{_describe(one, group.first)}," for one in shown]
    pieces[-1] = pieces[-1].removesuffix(",")
    if len(group.others) > len(shown):
        pieces.append(f"and {len(group.others) - len(shown):,} more")
    line = ""
    for piece in pieces:
        if line and len(line) + 1 + len(piece) > width:
            yield line
            line = piece
        else:
            line = f"{line} {piece}".lstrip()
    yield line


def _describe(one: Entry, first: Entry) -> str:
    names = _find_differing_names(first.message, one.message)
    words = [one.position] if one.position != first.position or not names else []
    words.extend(names)
    if one.tool is not None and one.tool != first.tool and not any(visible(one.tool) in name for name in names):
        words.append(f"({visible(one.tool)})")
    if one.hint is not None and one.hint != first.hint and _CORRECTION.fullmatch(one.hint):
        words.append(f"({_limit(visible(one.hint))})")
    return " ".join(words)


def _find_differing_names(first: str, other: str) -> list[str]:
    """Return the names in a message that differ from those in another one of the same shape."""
    pairs = zip(_NAME.findall(first), _NAME.findall(other), strict=False)
    return [_limit(visible(name)) for mine, name in pairs if name != mine][:2]


def _limit(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 2]}…`"
