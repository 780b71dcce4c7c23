"""Changes of a tool as a whole, except its schemas (BC1)."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import normalize

from mcp_contracts.change import Bump, Reason, Verdict
from mcp_contracts.changes.base import Observation, ToolPair, change_rule, field_changed
from mcp_contracts.contract import ErrorType, Status, ToolContract
from mcp_contracts.diagnostics import Severity
from mcp_contracts.faults import FaultKind
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.records import replace
from mcp_contracts.schema.wording import MAXIMUM_SHOWN, shown_text

_WORDS_SHOWN = 8
_LISTED = 3
_LONGEST_STATUS = 100


@change_rule("BC101", Severity.ERROR)
def tool_removed(pair: ToolPair) -> Iterator[Observation]:
    """A deprecated tool was removed.

    Its callers were warned and had time to migrate, but those that did not migrate fail now. The removal is a breaking
    change like any other and requires a major bump of the module's version.
    """
    old = _removed(pair)
    if old is not None and _is_deprecated(old) and pair.renamed_to is None:
        use = old.status.replacement if old.status else None
        replacement = f" in favor of `{shown_text(use)}`" if use else ""
        yield _removal(
            old,
            f"`{shown_text(pair.name)}` was deprecated{replacement}, and is now removed",
            "bump the module's major version, or keep the tool until the next major version",
        )


@change_rule("BC102", Severity.NOTE)
def tool_added(pair: ToolPair) -> Iterator[Observation]:
    """A tool was added.

    It has no callers yet, so nothing breaks. But every agent that lists the tools reads its description, and may choose
    it instead of another tool.
    """
    if pair.old is None and pair.new is not None and not pair.old_faults:
        instead = f"; it probably replaces `{shown_text(pair.renamed_from)}`" if pair.renamed_from else ""
        yield Observation(f"`{shown_text(pair.name)}` is new{instead}", place=pair.new.place, new_pointer="")


@change_rule("BC103", Severity.ERROR)
def tool_renamed(pair: ToolPair) -> Iterator[Observation]:
    """A tool was removed, and it was probably renamed to a similar new one.

    Callers identify a tool by its name, so for them a rename is a removal. The match is a guess: the names differ only
    in case and punctuation or in the module, parameters and descriptions are alike, or the old tool named the new one
    as its replacement.
    """
    old = _removed(pair)
    if old is not None and pair.renamed_to is not None:
        new = shown_text(pair.renamed_to)
        became = f"it was probably renamed to `{new}`"
        if normalize("NFC", pair.name) == normalize("NFC", pair.renamed_to):
            became = f"`{new}` differs only in its Unicode normalization"
        yield _removal(
            old,
            f"`{shown_text(pair.name)}` was removed; {became}",
            f"keep the old name next to the new one, as `deprecated (since …, use {new})`, until the next major "
            "version",
            tags=("guess",),
        )


@change_rule("BC104", Severity.ERROR)
def tool_removed_without_deprecation(pair: ToolPair) -> Iterator[Observation]:
    """A tool was removed without being deprecated first.

    Every call to it now fails without warning. A deprecated tool still works, and its status says which version
    deprecated it, which version will remove it, and what to use instead. Agents read the status before they call the
    tool.
    """
    old = _removed(pair)
    if old is not None and not _is_deprecated(old) and pair.renamed_to is None:
        yield _removal(
            old,
            f"`{shown_text(pair.name)}` was removed without being deprecated first",
            "bring it back as `deprecated (since …, removed in …, use …)`, and remove it in a later major version",
        )


@change_rule("BC105", Severity.NOTE)
def tool_deprecated(pair: ToolPair) -> Iterator[Observation]:
    """A tool was deprecated.

    It works as before. Callers should migrate, and agents should choose another tool.
    """
    if pair.complete is not None:
        old, new = pair.complete
        if new.status is not None and _is_deprecated(new) and not _is_deprecated(old):
            message = f"`{shown_text(pair.name)}` is now deprecated: `{_status(new.status)}`"
            hint = (
                None
                if new.status.replacement is not None
                else "say what to use instead: `deprecated (since …, use module.other)`"
            )
            yield replace(field_changed(pair, "status", message, old.status, new.status), hint=hint)


@change_rule("BC106", Severity.NOTE)
def status_changed(pair: ToolPair) -> Iterator[Observation]:
    """A tool's status changed to something other than `deprecated`.

    Calls work as before, but the guarantees differ: an experimental tool may change at any time, a stable one may not,
    and an earlier removal date of a deprecated tool leaves callers less time. A tool without a status counts as stable.
    """
    if pair.complete is not None:
        was, now = (tool.status for tool in pair.complete)
        old, new = was or Status("stable"), now or Status("stable")
        if old != new and (new.state != "deprecated" or old.state == "deprecated"):
            message = f"the status of `{shown_text(pair.name)}` changed from `{_status(old)}` to `{_status(new)}`"
            yield field_changed(pair, "status", message, was, now)


@change_rule("BC109", Severity.NOTE)
def error_type_added(pair: ToolPair) -> Iterator[Observation]:
    """A tool documents a new error.

    Any tool may fail in ways that it does not list, so callers must be prepared for unknown errors. Callers can now
    handle the new error separately.
    """
    if pair.complete is not None:
        old, new = pair.complete
        for error in _errors_without(new, old):
            name = shown_text(error.name)
            when = f": {shown_text(error.when.removesuffix('.'))}" if error.when else ""
            message = f"`{shown_text(pair.name)}` now documents the error `{name}`{when}"
            yield Observation(message, place=error.place, new_pointer=f"/errors/{escape(error.name)}")


@change_rule("BC110", Severity.NOTE)
def error_type_removed(pair: ToolPair) -> Iterator[Observation]:
    """An error was removed from a tool's documentation.

    Handling an error that never occurs is harmless. If the error has a new name, callers do not recognize it; in that
    case, list both names for a while.
    """
    if pair.complete is not None:
        old, new = pair.complete
        for error in _errors_without(old, new):
            message = f"`{shown_text(pair.name)}` no longer documents the error `{shown_text(error.name)}`"
            place = new.place_of("section:5")
            yield Observation(message, place=place, old_pointer=f"/errors/{escape(error.name)}")


@change_rule("BC111", Severity.NOTE)
def description_changed(pair: ToolPair) -> Iterator[Observation]:
    """A tool's description changed.

    All calls that were valid still are. But models choose tools by their descriptions, so they may now choose it more
    or less often. Differences in whitespace are ignored.
    """
    if pair.both is not None:
        old, new = pair.both
        yield from _reworded(pair, "description", old.description, new.description)


@change_rule("BC112", Severity.NOTE)
def guidance_changed(pair: ToolPair) -> Iterator[Observation]:
    """The information that agents use to choose a tool changed, apart from its description.

    Title, use-when, category and tags are wording. Its channels, and whether it is optional, determine whether an agent
    sees it. Calls work as before.
    """
    if pair.both is None:
        return
    old, new = pair.both
    if not pair.is_mixed or (old.title and new.title):
        yield from _reworded(pair, "title", old.title, new.title)
    if pair.is_partial:
        return
    yield from _reworded(pair, "use_when", old.use_when, new.use_when)
    yield from _reworded(pair, "category", old.category, new.category)
    for field, listed, lists in (("tags", old.tags, new.tags), ("channels", old.channels, new.channels)):
        change = _list_change(listed, lists)
        if change is not None:
            found = field_changed(pair, field, f"the {field} of `{shown_text(pair.name)}`: {change}", listed, lists)
            yield _words(found) if field == "tags" else found
    if bool(old.optional) is not bool(new.optional):
        message = f"`{shown_text(pair.name)}` is {'now' if new.optional else 'no longer'} optional"
        yield field_changed(pair, "optional", message, old.optional is not None, new.optional is not None)


@change_rule("BC113", Severity.WARNING)
def tool_unreadable(pair: ToolPair) -> Iterator[Observation]:
    """A tool cannot be read on one side, so its changes are unknown.

    A missing schema does not prove that everything is allowed. A tool that is missing from an unreadable file, or from
    one page of a list, is not necessarily removed. Until the error is fixed, the change is unknown rather than
    harmless.
    """
    hint = "fix the error, then compare again"
    for part, fault in pair.unreadable():
        reason = Reason("", "", fault.message)
        message = f"the {part} schema of `{shown_text(pair.name)}` cannot be read: {fault.message}"
        yield Observation(message, hint, Verdict.UNKNOWN, Bump.MINOR, fault.place, reason=reason)
    faults, word, contract = (
        (pair.new_faults, "is missing", pair.old) if pair.new is None else (pair.old_faults, "may be new", pair.new)
    )
    if pair.both is None and faults and contract is not None:
        fault = faults[0]
        reason = Reason("", "", fault.message)
        state = "is incomplete" if fault.kind is FaultKind.INCOMPLETE else "could not be read"
        message = f"`{shown_text(pair.name)}` {word}: `{shown_text(fault.place.path)}` {state}"
        old_pointer, new_pointer = ("", None) if pair.new is None else (None, "")
        yield Observation(
            message, hint, Verdict.UNKNOWN, Bump.MINOR, contract.place, old_pointer, new_pointer, reason=reason
        )


def _removed(pair: ToolPair) -> ToolContract | None:
    return pair.old if pair.new is None and not pair.new_faults else None


def _removal(old: ToolContract, message: str, hint: str, *, tags: tuple[str, ...] = ()) -> Observation:
    return Observation(message, hint, Verdict.BREAKING, Bump.MAJOR, old.place, old_pointer="", tags=tags)


def _is_deprecated(tool: ToolContract) -> bool:
    return tool.status is not None and tool.status.state == "deprecated"


def _status(status: Status) -> str:
    """Write a status as an author does."""
    details = (("since", status.since), ("removed in", status.removed_in), ("use", status.replacement))
    said = ", ".join(f"{word} {value}" for word, value in details if value)
    return shown_text(f"{status.state} ({said})" if said else status.state, limit=_LONGEST_STATUS)


def _errors_without(these: ToolContract, those: ToolContract) -> Iterator[ErrorType]:
    """Yield the errors of one side whose types the other does not list, in order."""
    known = {error.name for error in those.errors}
    for error in these.errors:
        if error.name not in known:
            known.add(error.name)
            yield error


def _words(found: Observation) -> Observation:
    """Return the observation of changed wording, which requires a patch."""
    return replace(found, bump=Bump.PATCH, tags=("words",))


def _reworded(pair: ToolPair, field: str, old: str | None, new: str | None) -> Iterator[Observation]:
    change = _word_change(old or "", new or "")
    if change is not None:
        of = "the description" if field == "description" else f"`{field.replace('_', ' ')}`"
        yield _words(field_changed(pair, field, f"{of} of `{shown_text(pair.name)}`: {change}", old, new))


def _word_change(old: str, new: str) -> str | None:
    """Describe a change of text, shortened to the part between the first and the last different word."""
    before, after = old.split(), new.split()
    if before == after:
        return None
    shorter = min(len(before), len(after))
    start = next((index for index in range(shorter) if before[index] != after[index]), shorter)
    rest = shorter - start
    end = next((index for index in range(rest) if before[-1 - index] != after[-1 - index]), rest)
    was, now = (_stretch(words[start : len(words) - end]) for words in (before, after))
    if was and now:
        return f"`{was}` became `{now}`"
    return f"`{now}` was added" if now else f"`{was}` was removed"


def _stretch(words: list[str]) -> str:
    kept = words[:_WORDS_SHOWN]
    while len(kept) > 1 and len(" ".join(kept)) > MAXIMUM_SHOWN - len(" …"):
        kept.pop()  # whole words, rather than a cut in one of them
    text = " ".join(kept)
    return shown_text(f"{text} …" if len(kept) < len(words) else text).replace("`", "'")


def _list_change(old: tuple[str, ...], new: tuple[str, ...]) -> str | None:
    """Describe the additions to and removals from a list; its order is ignored."""
    came = sorted(set(new).difference(old))
    left = sorted(set(old).difference(new))
    said = [
        f"{what} {', '.join(f'`{shown_text(name)}`' for name in names[:_LISTED])}{' …' if len(names) > _LISTED else ''}"
        for what, names in (("added", came), ("removed", left))
        if names
    ]
    return " and ".join(said) or None
