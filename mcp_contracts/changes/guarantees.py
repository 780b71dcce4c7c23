"""Guarantees about a tool's effects that a new version of a contract loses or gains."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.change import Bump, Verdict
from mcp_contracts.changes.base import Observation, ToolPair, change_rule
from mcp_contracts.contract import Effects, ToolContract
from mcp_contracts.diagnostics import Severity
from mcp_contracts.schema.wording import shown_text

_STRENGTH = {"read-only": 2, "additive": 1}
_REPEATABLE = {"yes": 2, "conditional": 1}


@change_rule("BC107", Severity.ERROR)
def guarantee_lost(pair: ToolPair) -> Iterator[Observation]:
    """A tool lost a guarantee that callers rely on.

    A host that runs read-only tools without asking, or repeats an idempotent call after a timeout, can now do harm with
    the same call. Without a statement, the weakest guarantee applies, as in MCP's annotations: destructive, open-world
    and not idempotent. A read-only tool may always be called again. `conditional` idempotency is not a guarantee, so
    losing it does not break callers.
    """
    if pair.both is None:
        return
    old, new = pair.both
    hint = "keep the guarantee, and add a separate tool for the additional effects"
    for side, was, now in _effects(old, new):
        if _STRENGTH.get(was or "", 0) > _STRENGTH.get(now or "", 0) or (was == "closed-world" and now != was):
            yield _guarantee(pair, f"effects/{side}", was, now, hint, Verdict.BREAKING)
    was, now = old.idempotent, _repeatable(new)
    if _REPEATABLE.get(was or "", 0) > _REPEATABLE.get(now or "", 0):
        is_break = was == "yes"
        verdict = Verdict.BREAKING if is_break else Verdict.COMPATIBLE
        way_out = hint if is_break else None
        yield _guarantee(pair, "idempotent", _idempotent(was), _idempotent(now), way_out, verdict)


@change_rule("BC108", Severity.NOTE)
def guarantee_gained(pair: ToolPair) -> Iterator[Observation]:
    """A tool guarantees more than before.

    Callers that expected less still work. Hosts may now run the tool without asking, or repeat it after a timeout, so
    the guarantee must be true.
    """
    if pair.both is None:
        return
    old, new = pair.both
    for side, was, now in _effects(old, new):
        if _STRENGTH.get(now or "", 0) > _STRENGTH.get(was or "", 0) or (now == "closed-world" and now != was):
            yield _guarantee(pair, f"effects/{side}", was, now, None, Verdict.COMPATIBLE)
    was, now = _repeatable(old), new.idempotent
    if _REPEATABLE.get(now or "", 0) > _REPEATABLE.get(was or "", 0):
        yield _guarantee(pair, "idempotent", _idempotent(was), _idempotent(now), None, Verdict.COMPATIBLE)


def _effects(old: ToolContract, new: ToolContract) -> Iterator[tuple[str, str | None, str | None]]:
    was, now = old.effects or Effects(), new.effects or Effects()
    yield "change", was.change, now.change
    yield "world", was.world, now.world


def _repeatable(tool: ToolContract) -> str | None:
    """Return what a tool states about repeated calls; a read-only tool need not state it."""
    is_read_only = tool.effects is not None and tool.effects.change == "read-only"
    return tool.idempotent or ("yes" if is_read_only else None)


def _idempotent(value: str | None) -> str | None:
    return None if value is None else f"Idempotent: {value}"


def _guarantee(
    pair: ToolPair, field: str, was: str | None, now: str | None, hint: str | None, verdict: Verdict
) -> Observation:
    """Describe one changed guarantee; None means that it is not stated."""
    if was and now:
        message = f"`{shown_text(pair.name)}` was `{was}` and is now `{now}`"
    elif was:
        message = f"`{shown_text(pair.name)}` no longer declares `{was}`"
    else:
        message = f"`{shown_text(pair.name)}` now declares `{now}`"
    return Observation(
        message,
        hint,
        verdict,
        Bump.MAJOR if verdict is Verdict.BREAKING else Bump.MINOR,
        pair.new.place_of("idempotency" if field == "idempotent" else "effects") if pair.new else None,
        None if was is None else f"/{field}",
        None if now is None else f"/{field}",
    )
