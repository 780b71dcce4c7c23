"""Handle a call: find the tool, validate, limit, run within the deadline, and always return a result."""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from functools import partial
from itertools import count
from typing import Any

from mcp_contracts.messages import MCPErrorDetail, MCPToolCall, MCPToolResult, ResultStatus, trusted_result
from mcp_contracts.records import dataclass, field
from mcp_contracts.runtime.arguments import detail
from mcp_contracts.runtime.calls.answers import (
    RefusedError,
    above_limit,
    cancellation_error,
    failure,
    limits_unreachable,
    result_of,
)
from mcp_contracts.runtime.calls.background import BackgroundLoops, running_loop
from mcp_contracts.runtime.calls.deadlines import DeadlinePassedError, SelfCancelledError
from mcp_contracts.runtime.calls.requests import ArgumentChecks, check_arguments, find, read_request
from mcp_contracts.runtime.calls.running import Attempt, Functions, RaisedError, is_closing
from mcp_contracts.runtime.calls.workers import NoWorkerError, Workers
from mcp_contracts.runtime.context import CallContext, Progress, ToolContext
from mcp_contracts.runtime.failures import ErrorTypes, error_of, is_a, is_expected, is_interrupt
from mcp_contracts.runtime.functions.binding import ArgumentsRefusedError
from mcp_contracts.runtime.limits import Exceeded, LimitsUnreachableError, RateLimits
from mcp_contracts.runtime.outcomes import copy_object
from mcp_contracts.runtime.telemetry import events
from mcp_contracts.runtime.telemetry.exceptions import log_exception
from mcp_contracts.runtime.telemetry.redaction import secret_pointers, visible, visible_pointer
from mcp_contracts.runtime.telemetry.spans import CallSpans
from mcp_contracts.runtime.tools import Family, Handler

_LOG = logging.getLogger(events.LOGGER_NAME)
_NO_CONTEXT = CallContext()
_SUCCESS = ResultStatus.SUCCESS
_MOST_FAULTS = 20
_OWN = (RaisedError, RefusedError, ArgumentsRefusedError, DeadlinePassedError, NoWorkerError, LimitsUnreachableError)
_NO_SPAN: AbstractContextManager[Callable[[MCPToolResult], None]] = nullcontext(lambda result: None)


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings for all calls of a registry, documented at `ToolRegistry`."""

    deadline: float | None = None
    errors: ErrorTypes = field(default_factory=dict)
    checks: ArgumentChecks = field(default_factory=ArgumentChecks)
    rates: RateLimits | None = None
    spans: CallSpans | None = None


class Calls:
    """Handles the calls of a registry. Exceptions caused by a caller or a function never propagate.

    Only `KeyboardInterrupt`, the cancellation of the awaiting task, and the closing of its coroutine propagate, after
    the end of the call is recorded.
    """

    def __init__(
        self,
        settings: Settings,
        workers: Workers,
        loops: BackgroundLoops,
        subscribers: events.Subscribers[events.CallEvent],
    ) -> None:
        self._settings = settings
        self._functions = Functions(workers, loops)
        self._events = subscribers
        self._deliveries = events.Deliveries()
        self._prefix = secrets.token_hex(6)
        self._numbers = count(1)
        self._rewrites = settings.checks.coerce or settings.checks.fill_defaults
        is_watched = settings.rates is not None or settings.spans is not None or settings.deadline is not None
        self._is_plain = not (is_watched or settings.checks.coerce or settings.checks.fill_defaults)

    def new_id(self) -> str:
        """Return an identifier that is unique across processes."""
        return f"{self._prefix}-{next(self._numbers)}"

    async def acall(
        self,
        families: Mapping[str, Family],
        call: object,
        version: str | None,
        context: CallContext | None,
        call_id: str = "",
    ) -> MCPToolResult:
        """Handle one call and return its result."""
        # Fast path for calls that only need their function, which are most calls of most tools: a third of the cost.
        started = time.monotonic()
        family = None
        name = ""
        arguments: Any = None
        try:
            if version is None and self._is_plain and (context is None or context.deadline is None):
                if type(call) is MCPToolCall:
                    name, arguments = call.tool_name, call.arguments
                    family = families.get(name)
                elif type(call) is dict and len(call) == 2 and type(call.get("tool_name")) is str:
                    name, arguments = call["tool_name"], call.get("arguments")
                    family = families.get(name)
            is_short = family is not None and family.plain is not None and family.default.is_valid_input(arguments)
        except Exception:  # the regular path below reports what is wrong
            is_short = False
        if not is_short or self._events.subscriptions or family is None or family.plain is None:
            attempt = Attempt(context or _NO_CONTEXT, call_id, started)
            try:
                self._prepare(attempt, families, call, version)
            except BaseException as error:  # this promises to return a result in every case
                return self._finish_with_error(attempt, error)
            return await self._run_call(attempt)
        tool, handler = family.default, family.plain
        try:
            returned = await handler.invoke(arguments, None)  # type: ignore[misc]
            result = (
                trusted_result(_SUCCESS, returned)
                if tool.is_valid_output(returned)
                else result_of(returned, tool, handler)
            )
            is_watched = self._events.subscriptions or _LOG.isEnabledFor(logging.DEBUG)
            if result.status is not ResultStatus.FAILURE and not is_watched:
                return result
            ending: MCPToolResult | BaseException = result
        except BaseException as error:  # see above
            ending = error
        attempt = Attempt(context or _NO_CONTEXT, call_id, started)
        attempt.name, attempt.arguments = name, arguments
        attempt.tool, attempt.handler, attempt.has_begun = tool, handler, True
        return (
            self._finish_with_error(attempt, ending)
            if isinstance(ending, BaseException)
            else self._finish_call(attempt, ending)
        )

    def call(
        self, families: Mapping[str, Family], call: object, version: str | None, context: CallContext | None
    ) -> MCPToolResult:
        """Handle one call and return its result, blocking until it is available."""
        attempt = Attempt(context or _NO_CONTEXT, "", time.monotonic())
        try:
            handler = self._prepare(attempt, families, call, version)
            if handler.is_async:
                if handler.home is not None and running_loop() is handler.home:
                    message = "a blocking call would stop the event loop that answers it: use `acall`"
                    raise RefusedError(detail("ToolExecutionError", message))
                return self._functions.wait_for(self._run_call(attempt), attempt)
            return self._run_call_here(attempt)
        except BaseException as error:  # see acall
            return self._finish_with_error(attempt, error)

    # Before the function

    def _prepare(self, attempt: Attempt, families: Mapping[str, Family], call: object, version: str | None) -> Handler:
        """Read a call, find its function and validate its arguments. Raises `RefusedError`."""
        if not isinstance(attempt.context, CallContext):
            fault = f"expected a `CallContext` as context, got `{type(attempt.context).__name__}`"
            attempt.context = _NO_CONTEXT
            raise RefusedError(detail("ValidationError", fault))
        self._set_end(attempt, self._settings.deadline)  # for a call that is refused before its function is known
        if type(call) is MCPToolCall:
            attempt.name, attempt.arguments = call.tool_name, call.arguments
        else:
            attempt.name, attempt.arguments = read_request(call, self._settings.checks.bounds)
        context = attempt.context
        family = families.get(attempt.name)
        handler = None
        if family is not None and version is None:
            tool = family.default
            handler = tool.handlers.get(context.channel) or tool.handlers.get(None)
        if handler is None:
            tool, handler = find(families, attempt.name, version, context.channel)
        attempt.tool, attempt.handler = tool, handler
        if self._rewrites or not tool.is_valid_input(attempt.arguments):
            attempt.arguments = check_arguments(tool, attempt.arguments, self._settings.checks)
        if handler.deadline is not None:
            self._set_end(attempt, handler.deadline)
        if handler.takes_context:
            attempt.running = ToolContext(
                tool.contract,
                context,
                self._id(attempt),
                ends_at=attempt.ends_at,
                report=partial(self._report_progress, attempt),
            )
        return handler

    @staticmethod
    def _set_end(attempt: Attempt, seconds: float | None) -> None:
        """Make a call end after some seconds, unless its caller sets an earlier deadline."""
        own = attempt.context.deadline
        if own is not None:
            seconds = own if seconds is None else min(seconds, own)
        attempt.ends_at = attempt.started + seconds if seconds is not None and seconds < math.inf else None

    def _begin(self, attempt: Attempt) -> None:
        if attempt.has_ended:  # its caller gave up while the loop was blocked
            raise DeadlinePassedError(0)
        attempt.has_begun = True
        if self._events:
            attempt.shown = copy_object(attempt.arguments)  # because the function may modify its arguments
            self._publish(events.EventKind.CALLED, attempt)

    # The function

    async def _run_call(self, attempt: Attempt) -> MCPToolResult:
        """Run a prepared call, from its limits to its result; every failure becomes a result."""
        try:
            rates = self._settings.rates
            if rates is not None:
                take = partial(_take_rates, rates, attempt)
                _refuse_exceeded(await self._functions.run_in_thread(attempt, take) if rates.is_blocking else take())
            self._begin(attempt)
            with self._span(attempt) as note:
                try:
                    result = await self._functions.run(attempt)
                except Exception as error:  # see acall; a function's own exceptions are `RaisedError`
                    result = self._failure(attempt, error)
                note(result)
            return self._finish_call(attempt, result)
        except BaseException as error:  # see acall
            return self._finish_with_error(attempt, error)

    def _run_call_here(self, attempt: Attempt) -> MCPToolResult:
        """Do the same as `_run_call` for a sync function that this thread waits for; earlier exceptions propagate."""
        rates = self._settings.rates
        if rates is not None:
            _refuse_exceeded(_take_rates(rates, attempt))
        self._begin(attempt)
        with self._span(attempt) as note:
            try:
                result = self._functions.run_here(attempt)
            except Exception as error:  # see acall
                result = self._failure(attempt, error)
            note(result)
        return self._finish_call(attempt, result)

    # After the function

    def _finish_call(self, attempt: Attempt, result: MCPToolResult) -> MCPToolResult:
        """Notify the subscribers, once, that a call finished."""
        if not attempt.end():
            return result
        if result.status is not ResultStatus.FAILURE:
            kind = events.EventKind.FINISHED
        else:
            kind = events.EventKind.FAILED if attempt.has_begun else events.EventKind.REFUSED
        if self._settings.spans is not None and not attempt.is_traced:
            with self._span(attempt) as note:
                note(result)
        if self._events or _LOG.isEnabledFor(events.log_level(kind, result) or logging.DEBUG):
            self._publish(kind, attempt, result)
        return result

    def _failure(self, attempt: Attempt, error: BaseException) -> MCPToolResult:
        """Return the result for an exception that ended a call."""
        settings = self._settings
        raised = error
        own = error if is_a(error, _OWN) else None
        match own:
            case RaisedError():
                raised = own.error
            case RefusedError():
                return failure(own.error)
            case ArgumentsRefusedError():
                attempt.has_begun = False
                return failure(self._unfit_arguments(attempt, own.faults))
            case DeadlinePassedError():
                if attempt.running is not None:
                    attempt.running.give_up()
                seconds = (attempt.ends_at or 0) - attempt.started
                details = {"deadline_seconds": round(seconds, 3)}
                return failure(detail("TimeoutError", f"the call did not finish within {seconds:g} s", details))
            case NoWorkerError():
                message = f"the call cannot be run now: {own}"
                return failure(detail("ToolExecutionError", message, {"reason": "no-worker"}))
            case LimitsUnreachableError():
                return failure(limits_unreachable())
        handler = attempt.handler
        declared = attempt.tool.declared if attempt.tool is not None else frozenset()
        mapping = {**settings.errors, **handler.errors} if handler is not None else settings.errors
        package = handler.package if handler is not None else ""
        found = error_of(raised, declared=declared, package=package, mapping=mapping, call_id=self._id(attempt))
        if not is_expected(found):
            log_exception(_LOG, raised, "`%s` failed unexpectedly, call `%s`", attempt.name, self._id(attempt))
        return failure(found)

    def _unfit_arguments(self, attempt: Attempt, found: Sequence[tuple[str, str]]) -> MCPErrorDetail:
        """Return the error for arguments that the schema accepts but the function's types reject."""
        schema = None if attempt.tool is None else attempt.tool.input.schema
        secret = secret_pointers(attempt.arguments, schema, self._settings.checks.secret_names)
        faults = [{"pointer": visible_pointer(pointer, secret), "message": message} for pointer, message in found]
        rest = len(faults) - 1
        more = f", and {rest} more error{'' if rest == 1 else 's'}" if rest else ""
        message = f"the tool does not take these arguments: `{faults[0]['pointer']}` {faults[0]['message']}{more}"
        shown = faults[:_MOST_FAULTS]
        return detail("ValidationError", message, {"faults": shown, "more": len(faults) - len(shown)})

    def _finish_with_error(self, attempt: Attempt, error: BaseException) -> MCPToolResult:
        """Return the result of a call that an exception ended.

        A cancellation propagates after subscribers are notified, and so does an interrupt of the program. Everything
        else that a function raises is a failure, including a `CancelledError` without a cancellation.
        """
        try:
            if not _is_passed_on(error):
                error = SelfCancelledError() if is_a(error, asyncio.CancelledError) else error
                return self._finish_call(attempt, self._failure(attempt, error))
            if attempt.running is not None:
                attempt.running.give_up()
            self._finish_call(attempt, failure(cancellation_error()))
            raise error
        finally:
            del error  # its traceback refers to this frame

    # Watching

    def _publish(
        self,
        kind: events.EventKind,
        attempt: Attempt,
        result: MCPToolResult | None = None,
        progress: Progress | None = None,
    ) -> None:
        contract = attempt.tool.contract if attempt.tool is not None else None
        event = events.CallEvent(
            kind,
            attempt.name if contract is not None else visible(attempt.name),
            contract.version if contract is not None else None,
            self._id(attempt),
            datetime.now(UTC),
            attempt.context,
            contract,
            attempt.arguments if attempt.shown is None else attempt.shown,
            None if result is None else time.monotonic() - attempt.started,
            result,
            progress,
        )
        events.log_call(event)
        remaining = attempt.remaining()
        if remaining is None or not self._events:
            self._events.publish(event)
        else:
            self._deliveries.deliver(partial(self._events.publish, event), remaining)

    def _report_progress(self, attempt: Attempt, progress: Progress) -> None:
        callback = attempt.context.on_progress
        if callback is not None and not attempt.has_ended:
            try:
                callback(progress)
            except (Exception, SystemExit) as error:  # it belongs to the caller, and must not break the function
                log_exception(_LOG, error, "the progress of the call `%s` could not be reported", self._id(attempt))
        if self._events and not attempt.has_ended:
            self._publish(events.EventKind.PROGRESS, attempt, progress=progress)

    def _span(self, attempt: Attempt) -> AbstractContextManager[Callable[[MCPToolResult], None]]:
        spans = self._settings.spans
        if spans is None:
            return _NO_SPAN
        attempt.is_traced = True
        contract = attempt.tool.contract if attempt.tool is not None else None
        return spans.span(contract, self._id(attempt), attempt.context)

    def _id(self, attempt: Attempt) -> str:
        if not attempt.call_id:
            attempt.call_id = self.new_id()
        return attempt.call_id


def _is_passed_on(error: BaseException) -> bool:
    """Whether an exception is for the awaiting code: an interrupt, its cancellation, or the end of its coroutine."""
    if is_a(error, asyncio.CancelledError):
        try:
            task = asyncio.current_task()
        except RuntimeError:  # a sync function raised it
            return False
        return task is None or bool(task.cancelling())
    return is_interrupt(error) or is_closing(error)


def _take_rates(rates: RateLimits, attempt: Attempt) -> Exceeded | None:
    caller = attempt.context.caller
    return rates.take(attempt.name, None if caller is None else str(caller))


def _refuse_exceeded(exceeded: Exceeded | None) -> None:
    if exceeded is not None:
        raise RefusedError(above_limit(exceeded))
