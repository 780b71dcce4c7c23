"""The dotted name of a tool in messages, regardless of its name at the source."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Protocol

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import ToolContract
from mcp_contracts.diagnostics import Place
from mcp_contracts.errors import UsageError
from mcp_contracts.records import replace

# `messages.TOOL_NAME_PATTERN` for `fullmatch`; repeated here because `messages` imports pydantic. A test compares the
# two.
_DOTTED = re.compile(r"[a-z0-9_]+(?:\.[a-z0-9_]+)+")
_UNFIT = re.compile(r"[^a-z0-9_.]")
_LONGEST = 128
"""Maximum length of a fitted name, which is MCP's, so that no MCP name is shortened."""
_NO_MODULE = "tools"

_COMPARED_CHARACTERS = 64
_COMPARED_NAMES = 5_000
_COMPARED_CLOSELY = 40
_ALIKE = 0.6  # the default of difflib.get_close_matches


def qualified_name(contract: ToolContract) -> str:
    """Return the dotted name of a contract, for `MCPToolCall.tool_name`.

    It is the contract's own name if that is valid. A dotted name with other characters is fitted; any other name
    becomes `module.name`, fitted, or `tools.name` without a module.
    """
    if _DOTTED.fullmatch(contract.name):
        return contract.name
    name = fit_name(contract.name)
    return name if "." in name else f"{fit_name(contract.module or _NO_MODULE)}.{name}"


def fit_name(text: str) -> str:
    """Fit a segment or a dotted name: lowercase, other characters become underscores, at most 128 characters.

    An empty segment becomes `_`.
    """
    name = _UNFIT.sub("_", text[:_LONGEST].lower())
    segments = (segment or "_" for segment in name.split("."))
    return ".".join(segments)[:_LONGEST].removesuffix(".")


class SupportsTools(Protocol):
    """Something with tools, such as a registry."""

    def tools(self) -> tuple[ToolContract, ...]:
        """Return the contracts of the tools."""


class SupportsContract(Protocol):
    """A function that is a tool."""

    @property
    def contract(self) -> ToolContract:
        """The contract of the tool."""


Tools = ToolContract | SupportsContract | Iterable[ToolContract | SupportsContract] | SupportsTools
"""One contract or tool, several, or a registry of them."""


def contracts_of(tools: Tools) -> tuple[ToolContract, ...]:
    """Return contracts in order, including those of a registry and of functions that are tools.

    Raises UsageError for anything else.
    """
    single = getattr(tools, "contract", tools)
    if isinstance(single, ToolContract):
        return (single,)
    listed = getattr(tools, "tools", None)
    given = listed() if callable(listed) else tools
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise _not_contracts(given)
    found = []
    for tool in given:
        contract = getattr(tool, "contract", tool)
        if not isinstance(contract, ToolContract):
            raise _not_contracts(contract)
        found.append(contract)
    return tuple(found)


def _not_contracts(given: object) -> UsageError:
    return UsageError(
        f"expected contracts, got `{type(given).__name__}`", hint="pass a registry, or what `load(…)` returns"
    )


def qualify(contracts: Tools) -> tuple[ToolContract, ...]:
    """Return the contracts with their dotted names, in order; `source_name` keeps a name that differs.

    Raises UsageError if two tools get the same name, unless they are versions of one tool.
    """
    found = []
    first: dict[str, ToolContract] = {}
    versions: set[tuple[str, str | None]] = set()
    for contract in contracts_of(contracts):
        name = qualified_name(contract)
        other = first.setdefault(name, contract)
        if _full_name(other) != _full_name(contract) or (name, contract.version) in versions:
            raise _collision(name, other, contract)
        versions.add((name, contract.version))
        if name != contract.name:
            contract = replace(contract, name=name, source_name=contract.source_name or contract.name)
        found.append(contract)
    return tuple(found)


def nearest_names(name: str, names: Iterable[str], *, limit: int = 3) -> tuple[str, ...]:
    """Return the names most similar to an unknown one, the most similar first; empty if none is similar.

    If tools in some modules have the name, only these count, because the module was probably forgotten. Bounded,
    because the name may be anything: only the first 64 characters of names and the first 5,000 names count.
    """
    wanted = _comparable(name)
    candidates = [(_comparable(known), known) for known in islice(names, _COMPARED_NAMES)]
    ending = f".{fit_name(wanted)}"
    if wanted and (same := sorted(known for text, known in candidates if text.endswith(ending))):
        return tuple(same[:limit])
    if len(candidates) > _COMPARED_CLOSELY:
        pairs = _pairs(wanted)
        candidates.sort(key=lambda candidate: (-_similarity(pairs, _pairs(candidate[0])), candidate[1]))
        del candidates[_COMPARED_CLOSELY:]
    from difflib import SequenceMatcher  # only needed for a mistaken name

    matcher = SequenceMatcher(b=wanted, autojunk=False)
    ranked = []
    for text, known in candidates:
        matcher.set_seq1(text)
        # The quick ratio is an upper bound, and cheap where the true ratio is cubic in the worst case.
        if matcher.quick_ratio() >= _ALIKE and (ratio := matcher.ratio()) >= _ALIKE:
            ranked.append((-ratio, known))
    return tuple(known for _, known in sorted(ranked)[:limit])


def _full_name(contract: ToolContract) -> str:
    """Return the name of a tool, with its module if it is not dotted: `weather` and `get` become `weather.get`."""
    if "." in contract.name or contract.module is None:
        return contract.name
    return f"{contract.module}.{contract.name}"


def _collision(name: str, first: ToolContract, second: ToolContract) -> UsageError:
    if _full_name(first) == _full_name(second):
        version = f" in version {_shorten(second.version)}" if second.version is not None else ""
        return UsageError(
            f"the tool `{_shorten(name)}` is described twice{version}: {_at(first.place)} and {_at(second.place)}",
            hint="remove one of them, or give it its own version",
        )
    return UsageError(
        f"two tools get the name `{_shorten(name)}`: `{_shorten(_full_name(first))}` ({_at(first.place)}) and "
        f"`{_shorten(_full_name(second))}` ({_at(second.place)})",
        hint="rename one of them, or put it into another module",
    )


def _at(place: Place) -> str:
    return f"{place.path}:{place.line}"


def _shorten(text: str) -> str:
    short = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    return "".join(character if character.isprintable() else "�" for character in short)


def _comparable(name: str) -> str:
    return name[:_COMPARED_CHARACTERS].lower()


def _pairs(text: str) -> set[str]:
    return {text[index : index + 2] for index in range(len(text) - 1)}


def _similarity(wanted: set[str], found: set[str]) -> float:
    return len(wanted & found) / (len(wanted) + len(found) or 1)
