"""Confirms that a value proves a break: two validators that share no code must agree.

The second one is jsonschema, whose import takes five times as long as running an empty Python; `plain_validator`
replaces it for schemas with only the keywords that it supports.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from mcp_contracts.contract import JsonValue
from mcp_contracts.patterns import languages
from mcp_contracts.records import dataclass
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.effort import UnfitValueError, size_of
from mcp_contracts.schema.validation.compiled import Outcome
from mcp_contracts.schema.validation.explanations import InstanceError
from mcp_contracts.schema.validation.plain_validator import UnclearError, plainly_accepts
from mcp_contracts.schema.validation.validators import accepts, compile_schema, instance_errors
from mcp_contracts.schema.wording import name_at, refusal
from mcp_contracts.witnesses.second_validator import UndecidedError, second_error

if TYPE_CHECKING:
    from jsonschema import ValidationError


class Judgment(StrEnum):
    """The combined result for a value under a schema."""

    VALID = "valid"
    INVALID = "invalid"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Opinion:
    """The combined result of both validators for a value.

    `message` is the most informative error, or the reason why the judgment is unknown. `pointer` is the place of the
    error in the value, and `keyword` and `schema_pointer` the part of the schema that rejects it.
    """

    judgment: Judgment
    message: str = ""
    pointer: str = ""
    keyword: str = ""
    schema_pointer: str = ""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Whether a value is definitely accepted by one schema and rejected by another.

    `error` is the error of the rejecting schema on one line, and `pointer` its place in the value; `trouble` is the
    reason why the value is not confirmed.
    """

    error: str = ""
    pointer: str = ""
    trouble: str | None = None

    @property
    def is_confirmed(self) -> bool:
        """Whether both validators agree on both schemas."""
        return self.trouble is None


_BYTES_PER_STEP = 2_000  # bytes of compiled schemas
_STATES_PER_STEP = 250  # states of automata, which are rebuilt for each schema
_EVALUATIONS_PER_STEP = 1_500
_ERRORS_PER_STEP = 1  # errors that are put into words
_LARGEST = 50_000  # characters and values that are read plainly
MAXIMUM_MESSAGE = 160
"""The maximum length of the error of a confirmation, in characters."""


def judge(schema: JsonValue, value: JsonValue, budget: Budget | None = None) -> Opinion:
    """Return the combined result for a value; unknown if the validators disagree or one is inconclusive. Never raises.

    The work is charged to a budget but not stopped by it, because the validators have their own bounds.
    """
    paying = Budget(0) if budget is None else budget
    first = _outcome(schema, value, paying)
    if first.unknown is not None:
        return Opinion(Judgment.UNKNOWN, first.unknown)
    rejection = None if first.is_valid else _most_specific(first.errors)
    is_accepted = read_plainly(schema, value, paying)
    error = None
    if is_accepted is None or (not is_accepted and rejection is not None and _needs_second_error(rejection)):
        try:
            error = second_error(schema, value, paying, is_wanted=rejection is not None)
        except UndecidedError as reason:
            return Opinion(Judgment.UNKNOWN, str(reason))
        is_accepted = error is None
    if is_accepted != first.is_valid:
        return Opinion(Judgment.UNKNOWN, "the validators disagree")
    return Opinion(Judgment.VALID) if rejection is None else _refusal(rejection, error)


def read_plainly(schema: JsonValue, value: JsonValue, budget: Budget) -> bool | None:
    """Whether a valid schema accepts a value, without jsonschema-rs; None if that requires a complete validator."""
    size = size_of(value)
    if size.characters + size.values > _LARGEST:
        return None
    return plainly_accepts(schema, value, matches=_matches, budget=budget)


def _matches(pattern: str, text: str) -> bool:
    try:
        return languages.matches(pattern, text)
    except languages.TooHardError as error:
        raise UnclearError from error


def quickly_judge(schema: JsonValue, value: JsonValue) -> Judgment:
    """Return the result of only the first validator: fast, but not a proof."""
    try:
        accepted = accepts(compile_schema(schema), value)
    except RecursionError:
        accepted = None
    if accepted is None:
        return Judgment.UNKNOWN
    return Judgment.VALID if accepted else Judgment.INVALID


def confirm(accepting: JsonValue, refusing: JsonValue, value: JsonValue, budget: Budget | None = None) -> Confirmation:
    """Return whether one schema accepts a value and the other rejects it, with the error of the latter.

    The work is charged to a budget but not stopped by it.
    """
    accepted = judge(accepting, value, budget)
    if accepted.judgment is not Judgment.VALID:
        why = "says" if accepted.judgment is Judgment.INVALID else "cannot tell"
        return Confirmation(trouble=f"the accepting schema {why}: {accepted.message}")
    refused = judge(refusing, value, budget)
    if refused.judgment is not Judgment.INVALID:
        why = f" cannot tell: {refused.message}" if refused.judgment is Judgment.UNKNOWN else " accepts the value"
        return Confirmation(trouble=f"the rejecting schema{why}")
    return Confirmation(refused.message, refused.pointer)


def _outcome(schema: JsonValue, value: JsonValue, budget: Budget) -> Outcome:
    compiled = compile_schema(schema)
    budget.pay(compiled.length, per_step=_BYTES_PER_STEP)
    budget.pay(compiled.states, per_step=_STATES_PER_STEP)
    try:
        budget.pay(compiled.size * size_of(value).values, per_step=_EVALUATIONS_PER_STEP)
        outcome = instance_errors(compiled, value)
    except (RecursionError, UnfitValueError):
        return Outcome(unknown="the schema or the value is nested too deeply")
    budget.pay(len(outcome.errors), per_step=_ERRORS_PER_STEP)
    return outcome


# The error to report

_WEAK = frozenset({"anyOf", "oneOf", "not", "falseSchema", "unevaluatedProperties", "unevaluatedItems"})
_NO_ALTERNATIVE = "which matches none of the alternatives"


def _most_specific(errors: Sequence[InstanceError]) -> InstanceError:
    """Return the most informative error: an error of a plain keyword, as deep in the value as possible."""
    return max(errors, key=lambda each: (each.keyword not in _WEAK, each.pointer.count("/")))  # the first, if equal


def _needs_second_error(error: InstanceError) -> bool:
    """Whether the second validator has a better error: for values too large for the first, and for alternatives."""
    return not error.keyword or error.message.endswith(_NO_ALTERNATIVE)


def _refusal(error: InstanceError, second: ValidationError | None) -> Opinion:
    message = error.message
    if second is not None and not error.keyword:
        message = _nearest(second) or _message(second) or message
    if second is not None and message.endswith(_NO_ALTERNATIVE):
        nearest = _nearest(second)
        if nearest is not None:
            message = f"{message}; nearest: {nearest}" if len(message) < MAXIMUM_MESSAGE // 2 else nearest
    return Opinion(
        Judgment.INVALID, _one_line(message, error.pointer), error.pointer, error.keyword, error.schema_pointer
    )


def _nearest(error: ValidationError) -> str | None:
    """Return the error that prevents the best matching alternative: the deepest of all."""
    if error.validator not in ("anyOf", "oneOf") or not error.context:
        return None
    while error.context and error.validator in ("anyOf", "oneOf"):
        error = max(error.context, key=lambda each: (each.validator not in _WEAK, len(each.absolute_path)))
    return _message(error)


def _message(error: ValidationError) -> str | None:
    asked: Any = error.validator_value
    value: Any = error.instance
    if error.validator == "required":
        asked = next((name for name in asked if name not in value), None)
    return refusal(str(error.validator or "falseSchema"), asked, value, name_at(list(error.absolute_path), "the value"))


def _one_line(message: str, pointer: str) -> str:
    if len(message) <= MAXIMUM_MESSAGE:
        return message
    place = f"…, at `{pointer[:40]}`" if pointer else "…"
    return message[: MAXIMUM_MESSAGE - len(place)] + place
