"""Guarantees about the calls of a tool that a new version loses or gains: their effects, and calls as tasks."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.change import Bump, Verdict
from mcp_contracts.changes.base import Observation, ToolPair, change_rule, field_changed
from mcp_contracts.contract import Effects, ToolContract
from mcp_contracts.diagnostics import Severity
from mcp_contracts.records import replace
from mcp_contracts.schema.wording import shown_text

_STRENGTH = {"read-only": 2, "additive": 1, "closed-world": 1, "yes": 2, "conditional": 1}


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
    for field, was, now in _stronger(old, new):
        is_break = was != "conditional"
        yield replace(
            _guarantee(pair, field, was, now),
            hint=hint if is_break else None,
            verdict=Verdict.BREAKING if is_break else Verdict.COMPATIBLE,
            bump=Bump.MAJOR if is_break else Bump.MINOR,
        )


@change_rule("BC108", Severity.NOTE)
def guarantee_gained(pair: ToolPair) -> Iterator[Observation]:
    """A tool guarantees more than before.

    Callers that expected less still work. Hosts may now run the tool without asking, or repeat it after a timeout, so
    the guarantee must be true.
    """
    if pair.both is not None:
        old, new = pair.both
        for field, now, was in _stronger(new, old):
            yield _guarantee(pair, field, was, now)


@change_rule("BC114", Severity.ERROR)
def task_support_changed(pair: ToolPair) -> Iterator[Observation]:
    """A tool's task support changed.

    In MCP 2025-11-25, `execution.taskSupport` says how a tool is called: only without a task (`forbidden`, the
    default), either way (`optional`), or only as a task (`required`). The server rejects calls of the other kind, so a
    change that rules out a kind of call breaks the callers that use it. The two sides are compared only if both are
    tool lists, because specifications and other MCP revisions do not have this field.
    """
    if pair.both is None or pair.is_mixed:
        return
    old, new = (tool.task_support for tool in pair.both)
    if old == new:
        return
    name = shown_text(pair.name)
    if new == "optional":
        message = f"`{name}` can now also be called {'as a task' if old is None else 'without a task'}"
    else:
        message = f"`{name}` can {'now only' if new else 'no longer'} be called as a task"
    was, now = (support or "forbidden" for support in (old, new))
    message += f': `taskSupport` "{was}" became "{now}"'
    found = field_changed(pair, "task_support", message, old, new)
    if new == "optional":
        yield found
    else:
        hint = "set `taskSupport` to `optional`, so that all callers can call the tool as before"
        yield replace(found, hint=hint, verdict=Verdict.BREAKING, bump=Bump.MAJOR)


def _stronger(tool: ToolContract, other: ToolContract) -> Iterator[tuple[str, str, str | None]]:
    """Yield the guarantees of a tool that another one does not give: the field, and what both state.

    A read-only tool need not state that it may be called again.
    """
    own, others = tool.effects or Effects(), other.effects or Effects()
    repeatable = other.idempotent or ("yes" if others.change == "read-only" else None)
    for field, stated, held in (
        ("effects/change", own.change, others.change),
        ("effects/world", own.world, others.world),
        ("idempotent", tool.idempotent, repeatable),
    ):
        if stated is not None and _STRENGTH.get(stated, 0) > _STRENGTH.get(held or "", 0):
            yield field, stated, held


def _guarantee(pair: ToolPair, field: str, was: str | None, now: str | None) -> Observation:
    """Describe one changed guarantee; None means that it is not stated."""
    section, lead = ("idempotency", "Idempotent: ") if field == "idempotent" else ("effects", "")
    if was and now:
        message = f"`{shown_text(pair.name)}` was `{lead}{was}` and is now `{lead}{now}`"
    elif was:
        message = f"`{shown_text(pair.name)}` no longer declares `{lead}{was}`"
    else:
        message = f"`{shown_text(pair.name)}` now declares `{lead}{now}`"
    return field_changed(pair, field, message, was, now, section=section)
