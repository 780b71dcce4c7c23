"""Applies accepted changes to a comparison, and reports invalid entries."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date

from mcp_contracts.change import Change, ToolDiff, ToolState, Verdict
from mcp_contracts.config.accepted import AcceptedChange
from mcp_contracts.contract import Contracts, JsonValue, ToolContract
from mcp_contracts.diagnostics import Diagnostic, Finding, RuleInfo
from mcp_contracts.files.hashing import sha256
from mcp_contracts.masking.mask import SecretMask
from mcp_contracts.records import dataclass, field, replace
from mcp_contracts.rules.releases import (
    ACCEPTED_CHANGE_EXPIRED,
    ACCEPTED_CHANGE_UNUSED,
    ACCEPTED_CHANGE_WITHOUT_REASON,
)
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.references import follow

_WORDS = frozenset(("title", "description", "examples", "default", "$comment"))
_DEFINITIONS = ("$defs", "definitions")
_COMMAND = "`mcp-contracts diff --accept`"
_MAXIMUM_MESSAGE = 160


@dataclass(frozen=True, slots=True)
class SinceRelease:
    """The comparison with a release that contained the contracts `old`, for the tools that entries mention."""

    old: Contracts
    tools: tuple[ToolDiff, ...]


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The effect of accepted changes on a comparison.

    `tools` have their changes marked. `applied` entries accept a change, `carried` ones accept a change that only a
    comparison with the last release shows, `stale` ones accept nothing, and `expired` ones are past their last day;
    other entries are about tools that were not compared. `mask` masks the secrets that entries must not contain.
    """

    tools: tuple[ToolDiff, ...]
    applied: tuple[AcceptedChange, ...] = ()
    carried: tuple[AcceptedChange, ...] = ()
    stale: tuple[AcceptedChange, ...] = ()
    expired: tuple[AcceptedChange, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    mask: SecretMask = field(default_factory=SecretMask, compare=False)


def apply_accepted(
    tools: Sequence[ToolDiff],
    accepted: Sequence[AcceptedChange],
    old: Contracts,
    new: Contracts,
    *,
    today: date | None,
    mask: SecretMask | None = None,
    is_whole: bool = False,
    releases: Callable[[], Sequence[SinceRelease]] = tuple,
) -> Acceptance:
    """Mark the changes that a project has accepted, and report invalid entries (MC212, MC213, MC214).

    An entry applies to the change with its fingerprint, if that may still break and is still the reviewed change; its
    pointer is compared in the form that `mask` wrote. `today` decides whether an entry has expired. An entry is only
    stale if its tool or module was compared; `is_whole` means that all tools of the project were. An entry stays valid
    until the release that contains its change: if `releases` show the change, the entry is not stale. They are only
    loaded if an entry would be stale.
    """
    mask = mask or SecretMask()
    found = _EntryStates(accepted, new, mask)
    marked = found.mark(tools, old, today)
    compared = {tool.tool for tool in tools} | {tool.module or tool.tool.rpartition(".")[0] for tool in tools}
    missing = [
        entry
        for entry in accepted
        if entry.key not in found.outcomes
        and (is_whole or entry.tool in compared or entry.tool.rpartition(".")[0] in compared)
    ]
    if missing:
        for release in releases():
            found.look_at(release)
    for entry in missing:
        found.outcomes.setdefault(entry.key, "stale")
    # A break that was extended in a second step has an entry for each step: the first is obsolete once the second
    # applies.
    alive = {fingerprint for (fingerprint, _), outcome in found.outcomes.items() if outcome in ("applied", "carried")}
    by_outcome = {
        outcome: tuple(entry for entry in accepted if found.outcomes.get(entry.key) == outcome)
        for outcome in ("applied", "carried", "stale", "expired")
    }
    reported = [
        entry
        for entry in accepted
        if entry.fingerprint not in alive or found.outcomes.get(entry.key) in ("applied", "expired")
    ]
    diagnostics = tuple(_diagnostics(reported, found.outcomes, found.at_place))
    return Acceptance(marked, **by_outcome, diagnostics=diagnostics, mask=mask)


class _EntryStates:
    """The state of the entries, by fingerprint and digest."""

    def __init__(self, accepted: Sequence[AcceptedChange], new: Contracts, mask: SecretMask) -> None:
        self._entries: dict[str, list[AcceptedChange]] = {}
        for entry in accepted:
            self._entries.setdefault(entry.fingerprint, []).append(entry)
        self._new = new
        self._mask = mask
        self.outcomes: dict[tuple[str, str], str] = {}
        self.at_place: dict[str, Change] = {}

    def mark(self, tools: Sequence[ToolDiff], old: Contracts, today: date | None) -> tuple[ToolDiff, ...]:
        """Return the tools with their accepted changes marked."""
        if not self._entries:
            return tuple(tools)
        digests = Digests(old, self._new)

        def mark_one(tool: ToolDiff, change: Change) -> Change:
            entry = self._entry(tool, change, digests)
            if entry is None:
                return change
            self.outcomes[entry.key] = "expired" if entry.has_expired(today) else "applied"
            return change if entry.has_expired(today) else replace(change, accepted=entry.reason or "no reason given")

        return tuple(replace(tool, changes=tuple(mark_one(tool, change) for change in tool.changes)) for tool in tools)

    def look_at(self, release: SinceRelease) -> None:
        """Record the entries whose change a release still shows."""
        digests = Digests(release.old, self._new)
        for tool in release.tools:
            for change in tool.changes:
                entry = self._entry(tool, change, digests, is_compared=False)
                if entry is not None:
                    self.outcomes.setdefault(entry.key, "carried")

    def _entry(
        self, tool: ToolDiff, change: Change, digests: Digests, *, is_compared: bool = True
    ) -> AcceptedChange | None:
        entries = self._entries.get(change.fingerprint)
        if not entries or change.verdict is Verdict.COMPATIBLE:
            return None
        if is_compared:
            self.at_place[change.fingerprint] = change
        digest = digests.of(tool, change)
        return next(
            (entry for entry in entries if entry.digest == digest and self._is_about(entry, tool, change)), None
        )

    def _is_about(self, entry: AcceptedChange, tool: ToolDiff, change: Change) -> bool:
        """Whether an entry describes the change that its fingerprint identifies."""
        pointer = pointer_of(change)
        written = pointer if pointer is None else self._mask.text(pointer)
        stated = (entry.tool, entry.code, entry.direction, entry.pointer)
        return stated == (tool.tool, change.code, change.direction, written)


def pointer_of(change: Change) -> str | None:
    return (change.old_pointer if change.new_pointer is None else change.new_pointer) or None


class Digests:
    """Digests of the subjects of changes, in two sets of contracts."""

    def __init__(self, old: Contracts, new: Contracts) -> None:
        self._old, self._new = _by_name(old), _by_name(new)

    def of(self, tool: ToolDiff, change: Change) -> str:
        """Return a digest of the old and new content at a change's place.

        It depends on values rather than messages, so that it survives rewording. A change of the tool itself is
        identified by its message, and all removals are equal.
        """
        content: JsonValue
        if change.direction == "tool":
            content = None if tool.state is ToolState.REMOVED else change.message
        else:
            old, new = self._old.get(tool.tool), self._new.get(tool.tool)
            content = [_content(old, change, change.old_pointer), _content(new, change, change.new_pointer)]
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()[:16]


def _content(tool: ToolContract | None, change: Change, pointer: str | None) -> JsonValue:
    """Return the value at a pointer with what determines its meaning: its sibling keywords and its definitions."""
    if tool is None or pointer is None:
        return None
    schema = tool.input_schema if change.direction == "input" else tool.output_schema
    value = follow(schema, pointer)
    holder = follow(schema, pointer.rpartition("/")[0])
    beside: dict[str, JsonValue] = {}
    if isinstance(holder, dict) and not isinstance(value, dict):
        beside = {name: item for name, item in holder.items() if name not in _WORDS and not _holds_schemas(item)}
    definitions: dict[str, JsonValue] = {}
    if isinstance(schema, dict) and '"$ref"' in json.dumps(value):
        definitions = {name: schema.get(name) for name in _DEFINITIONS}
    return [value, beside, definitions]


def _holds_schemas(value: JsonValue) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(item, dict) for item in value))


def _by_name(contracts: Contracts) -> Mapping[str, ToolContract]:
    return {contract.name: contract for contract in reversed(contracts.tools)}


def _diagnostics(
    accepted: Iterable[AcceptedChange], outcomes: Mapping[tuple[str, str], str], at_place: Mapping[str, Change]
) -> Iterator[Diagnostic]:
    for entry in accepted:
        name = f"`{entry.code}` of `{show(entry.tool)}`"
        match outcomes.get(entry.key):
            case "stale" if entry.fingerprint in at_place:
                message = f"accepted change {name} has changed: {_short(at_place[entry.fingerprint].message)}"
                hint = f"review it, and accept it again with {_COMMAND} if it is intended"
                yield _diagnostic(ACCEPTED_CHANGE_UNUSED, entry, message, hint)
            case "stale":
                message = f"accepted change {name} does not exist"
                yield _diagnostic(ACCEPTED_CHANGE_UNUSED, entry, message, f"remove it, or let {_COMMAND} do so")
            case "expired":
                message = f"accepted change {name} expired on {entry.until}"
                hint = f"revert the change, or accept it again with {_COMMAND}"
                yield _diagnostic(ACCEPTED_CHANGE_EXPIRED, entry, message, hint)
            case "applied" if entry.reason is None:
                message = f"accepted change {name} has no reason"
                yield _diagnostic(
                    ACCEPTED_CHANGE_WITHOUT_REASON, entry, message, "explain in `reason` why it is intended"
                )


def _diagnostic(rule: RuleInfo, entry: AcceptedChange, message: str, hint: str) -> Diagnostic:
    return Diagnostic.of(rule, Finding(message, hint), entry.place, entry.tool)


def _short(message: str) -> str:
    return message if len(message) <= _MAXIMUM_MESSAGE else f"{message[: _MAXIMUM_MESSAGE - 1]}…"
