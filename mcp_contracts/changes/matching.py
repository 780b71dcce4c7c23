"""Pair old and new tools by name, and guess conservatively which tools were renamed."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from unicodedata import normalize

from mcp_contracts.bundle import FORMAT
from mcp_contracts.changes.base import ToolPair
from mcp_contracts.comparison.branches import unique_pairs
from mcp_contracts.contract import Contracts, JsonValue, SourceFile, SpecFile, ToolContract, ToolListFile
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.files.hashing import sha256
from mcp_contracts.records import dataclass

_HIDING = frozenset((
    FaultKind.UNREADABLE, FaultKind.OVERSIZED, FaultKind.INCOMPLETE, FaultKind.UNCLOSED, FaultKind.UNUSABLE_FUNCTION,
))  # fmt: skip
_ALIKE = 0.6
"""The minimum Jaccard similarity of the descriptions of a renamed tool."""


@dataclass(frozen=True, slots=True)
class _Side:
    """A tool in its file, with its own faults."""

    tool: ToolContract
    file: SourceFile
    faults: tuple[Fault, ...]


def pair_tools(old: Contracts, new: Contracts) -> tuple[ToolPair, ...]:
    """Pair the tools of two sets of contracts, sorted by name; a tool without a counterpart has one side.

    Tools match if their names are equal, or if one's name is the other's original name (`source_name`). The first of
    several with the same name counts. A removed and an added tool count as a rename if no other pair is as similar
    (see `_renames`).
    """
    before, after = _by_name(old), _by_name(new)
    matches = _matches(before, after)
    gone = {name: side for name, side in before.items() if name not in matches}
    found = set(matches.values())
    came = {name: side for name, side in after.items() if name not in found}
    renames = dict(_renames(gone, came))
    origins = {new_name: old_name for old_name, new_name in renames.items()}
    old_hidden, new_hidden = _hiding_faults(old), _hiding_faults(new)
    pairs = [_match(before[name], after[other]) for name, other in matches.items()]
    pairs.extend(
        ToolPair(side.tool, None, renamed_to=renames.get(name), new_faults=_find_hiding_faults(new_hidden, side.tool))
        for name, side in gone.items()
    )
    pairs.extend(
        ToolPair(None, side.tool, renamed_from=origins.get(name), old_faults=_find_hiding_faults(old_hidden, side.tool))
        for name, side in came.items()
    )
    return tuple(sorted(pairs, key=lambda pair: (pair.name, pair.new is not None)))


def _by_name(contracts: Contracts) -> dict[str, _Side]:
    sides: dict[str, _Side] = {}
    for file in contracts.files:
        for tool, faults in _with_faults(file):
            sides.setdefault(tool.name, _Side(tool, file, faults))
    return sides


def _with_faults(file: SourceFile) -> Iterator[tuple[ToolContract, tuple[Fault, ...]]]:
    """Yield the tools of a file, each with its faults, which are assigned by place for a tool list."""
    if isinstance(file, SpecFile):
        yield from ((tool.contract, tool.faults) for tool in file.tools)
        return
    faults = [fault for fault in file.faults if fault.part is not None]
    if not faults:  # nearly always; the places of the tools are then not needed
        yield from ((tool, ()) for tool in file.contracts)
        return
    starts = [(place.line, place.column) for place in (tool.place_of("extent") for tool in file.contracts)]
    by_tool: dict[int, list[Fault]] = defaultdict(list)
    for fault in faults:
        by_tool[bisect_right(starts, (fault.place.line, fault.place.column)) - 1].append(fault)
    yield from ((tool, tuple(by_tool[index])) for index, tool in enumerate(file.contracts))


def _matches(before: Mapping[str, _Side], after: Mapping[str, _Side]) -> dict[str, str]:
    """Map each old tool that still exists to its new name: matched by name first, then by its name at the source."""
    matches = {name: name for name in before if name in after}
    taken = set(matches)
    origins: dict[str, str] = {}
    for name, side in after.items():
        if side.tool.source_name:
            origins.setdefault(side.tool.source_name, name)
    for name, side in before.items():
        if name in matches:
            continue
        by_origin = side.tool.source_name
        candidates = (by_origin, origins.get(name), origins.get(by_origin) if by_origin else None)
        found = next((other for other in candidates if other in after and other not in taken), None)
        if found is not None:
            matches[name] = found
            taken.add(found)
    return matches


def _match(old: _Side, new: _Side) -> ToolPair:
    old_faults, new_faults = old.faults, new.faults
    if old_faults and new_faults and _text(old) == _text(new):
        old_faults = new_faults = ()  # an untouched file did not change, whether or not it can be read
    is_partial = not (_says_all(old.file) and _says_all(new.file))
    is_mixed = type(old.file) is not type(new.file)
    return ToolPair(old.tool, new.tool, None, None, old_faults, new_faults, is_partial=is_partial, is_mixed=is_mixed)


def _text(side: _Side) -> tuple[str, ...]:
    extent = side.tool.place_of("extent")
    return _lines(side.file.text)[extent.line - 1 : extent.end_line]


@lru_cache(maxsize=4)
def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n"))


def _says_all(file: SourceFile) -> bool:
    """Whether a file can express a whole contract: a specification or our own bundle, not an MCP tool list."""
    return isinstance(file, SpecFile) or (isinstance(file, ToolListFile) and _names_bundle(file.text))


@lru_cache(maxsize=4)
def _names_bundle(text: str) -> bool:
    return f'"{FORMAT}"' in text


def _hiding_faults(contracts: Contracts) -> tuple[tuple[SourceFile, Fault], ...]:
    """Return the first fault of each file that may contain tools that were not read."""
    return tuple(
        (file, fault)
        for file in contracts.files
        for fault in [next((fault for fault in file.faults if _hides(file, fault)), None)]
        if fault is not None
    )


def _hides(file: SourceFile, fault: Fault) -> bool:
    if fault.kind in _HIDING:
        return True
    return not isinstance(file, SpecFile) and fault.part is None and not file.contracts


def _find_hiding_faults(faults: Iterable[tuple[SourceFile, Fault]], tool: ToolContract) -> tuple[Fault, ...]:
    """Return the faults of files that may contain a tool: all except those known to belong to another module."""
    module = _module(tool)
    return tuple(fault for file, fault in faults if file.module is None or module is None or file.module == module)


def _module(tool: ToolContract) -> str | None:
    return tool.module or tool.name.rpartition(".")[0] or None


def _renames(gone: Mapping[str, _Side], came: Mapping[str, _Side]) -> Iterator[tuple[str, str]]:
    """Yield pairs of removed and added tools that were probably renamed: each at most once, and only if unambiguous.

    The criteria, in order: the old tool names the new one as its replacement; the names differ only in case and
    punctuation, within one module; the names differ only in the module, and parameters, results and descriptions are
    the same; within one module, parameters (at least one), results and descriptions are the same, or parameters are the
    same and descriptions are similar.
    """
    left, right = dict(gone), dict(came)
    for name, side in gone.items():
        status = side.tool.status
        target = status.replacement if status is not None else None
        if target is not None and target not in right and (module := _module(side.tool)) is not None:
            target = f"{module}.{target}"
        if target in right:
            yield name, target
            del left[name], right[target]
    for name, other in _only_ones(left, right, lambda side: (_prefix(side.tool), _fold(side.tool.name))):
        yield name, other
        del left[name], right[other]
    for name, other in _only_ones(left, right, _movable):
        yield name, other
        del left[name], right[other]
    if not left or not right:
        return
    shapes = {id(side): _shape(side.tool) for side in (*left.values(), *right.values())}

    def exact(side: _Side) -> Hashable:
        shape = shapes[id(side)]
        return shape and (*shape, _digest(side.tool.output_schema), _words(side.tool))

    for name, other in _only_ones(left, right, exact):
        yield name, other
        del left[name], right[other]
    for name, other in _only_ones(left, right, lambda side: shapes[id(side)]):
        if _are_alike(left[name].tool.description, right[other].tool.description):
            yield name, other


def _only_ones(
    left: Mapping[str, _Side], right: Mapping[str, _Side], key: Callable[[_Side], Hashable]
) -> list[tuple[str, str]]:
    """Return pairs of names that share a key with each other and with no other name on either side."""
    keys = (
        {name: [found] for name, side in tools.items() if (found := key(side)) is not None} for tools in (left, right)
    )
    return list(unique_pairs(*keys))


def _prefix(tool: ToolContract) -> str:
    """Return the module according to the name, because a server may change its own name but not its tools' names."""
    return tool.name.rpartition(".")[0]


def _fold(name: str) -> str:
    """Remove case and punctuation from a name: `getTinyImage` and `get-tiny-image` become equal."""
    return "".join(filter(str.isalnum, normalize("NFC", name).casefold()))


def _movable(side: _Side) -> tuple[str | None, ...] | None:
    """Return what a tool keeps if it only moves to another module; None for a tool without a description."""
    tool, words = side.tool, _words(side.tool)
    if not words:
        return None
    return tool.name.rpartition(".")[2], _digest(tool.input_schema), _digest(tool.output_schema), words


def _words(tool: ToolContract) -> str:
    return " ".join(tool.description.split())


def _shape(tool: ToolContract) -> tuple[str, str] | None:
    """Return what two tools must have in common: module and parameters; None for a tool without parameters."""
    schema = tool.input_schema
    if not isinstance(schema, dict) or not schema.get("properties"):
        return None
    digest = _digest(schema)
    return None if digest is None else (_prefix(tool), digest)


def _digest(value: JsonValue) -> str | None:
    try:
        text = json.dumps(value, sort_keys=True)
    except (RecursionError, TypeError, ValueError):  # values created in Python need not be JSON
        return None
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _are_alike(one: str, other: str) -> bool:
    these, those = (set(text.lower().split()) for text in (one, other))
    return bool(these and those) and len(these & those) >= _ALIKE * len(these | those)
