"""Call a tool with sampled arguments, valid and invalid, and reduce each failure to the smallest call."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from mcp_contracts.checks.verification.plan import PlannedCall, invalid_calls, is_accepted
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.records import dataclass, replace
from mcp_contracts.rules.base import RuleOptions
from mcp_contracts.rules.live.answers import ANSWER_RULES
from mcp_contracts.rules.live.engine import run_tool_rules
from mcp_contracts.rules.live.observed import LiveTool, ObservedCall
from mcp_contracts.schema.simple import value_key
from mcp_contracts.witnesses.candidates import candidates
from mcp_contracts.witnesses.sampling import NoSampleError, sample

if TYPE_CHECKING:
    from mcp_contracts.checks.verification.probing import Caller  # the SDK, which is an extra

_MOST_EDGES = 2_000
_TRIES = 5  # per sample, since many samples are equal
_MOST_ROUNDS = 12
_MOST_IN_A_ROUND = 24
_MOST_DEPTH = 6
_EXACT = 2**53


@dataclass(frozen=True, slots=True)
class Fuzz:
    """The number of calls for each tool, and the seed of the samples: the same seed gives the same calls."""

    calls: int
    seed: int = 0


_Fault = tuple[int, str]
"""The number of a tool, and the code of a rule that it breaks."""


_Call = tuple[int, PlannedCall]
"""A call to a tool, by the tool's number."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A call that breaks a rule, reduced as far as possible."""

    code: str
    call: ObservedCall


def failures(tools: Sequence[LiveTool], caller: Caller, fuzz: Fuzz) -> list[tuple[Failure, ...]]:
    """Return, for each tool, the smallest call for each rule that sampled calls break, sorted by code.

    All tools share each batch of calls, since some servers take seconds to start.
    """
    planned = [
        (index, call)
        for index, tool in enumerate(tools)
        for call in islice(sampled_calls(tool.contract, tool.listed, fuzz.seed), fuzz.calls)
    ]
    first: dict[_Fault, ObservedCall] = {}
    for index, call in sorted(_observe(tools, caller, planned), key=lambda one: _size(one[1])):
        for code in codes_of(tools[index], call):
            first.setdefault((index, code), call)
    smallest = _shrink_calls(tools, caller, first)
    return [
        tuple(
            Failure(code, call) for (at, code), call in sorted(smallest.items(), key=lambda one: one[0]) if at == index
        )
        for index in range(len(tools))
    ]


def codes_of(tool: LiveTool, call: ObservedCall) -> frozenset[str]:
    """Return the codes of the rules that a call breaks."""
    found = run_tool_rules(replace(tool, changes=(), calls=(call,)), ANSWER_RULES, RuleOptions())
    return frozenset(diagnostic.code for diagnostic in found)


def sampled_calls(contract: ToolContract, listed: ToolContract, seed: int) -> Iterator[PlannedCall]:
    """Yield calls to try, alternately valid and invalid: the limits of the schema first, then samples and their
    neighbors.
    """
    random = Random(f"{seed} {contract.name}")
    seen: set[object] = set()
    turns = [_edges(contract, listed, is_valid=True), _edges(contract, listed, is_valid=False)]
    turns += [_samples(contract, random), _near_samples(contract, listed, random)]
    while turns:
        for turn in tuple(turns):
            call = next((call for call in turn if value_key(call.arguments) not in seen), None)
            if call is None:
                turns.remove(turn)
            else:
                seen.add(value_key(call.arguments))
                yield replace(call, arguments=_as_written(call.arguments))


def _edges(contract: ToolContract, listed: ToolContract, *, is_valid: bool) -> Iterator[PlannedCall]:
    schema: JsonValue = {"type": "object"} if contract.input is None else contract.input.value
    for value in candidates(schema, schema, most=_MOST_EDGES):
        if isinstance(value, dict) and is_accepted(contract, value) is is_valid:
            if is_valid:
                yield PlannedCall(value, "sample", is_valid=True)
            elif is_accepted(listed, value) is False:
                yield PlannedCall(value, "invalid", is_valid=False)


def _samples(contract: ToolContract, random: Random) -> Iterator[PlannedCall]:
    schema: JsonValue = {"type": "object"} if contract.input is None else contract.input.value
    keys: set[object] = set()
    misses = 0
    while misses < _TRIES:
        try:
            value = sample(schema, random)
        except NoSampleError:
            return
        if value_key(value) in keys or not isinstance(value, dict):
            misses += 1
            continue
        misses = 0
        keys.add(value_key(value))
        yield PlannedCall(value, "sample", is_valid=True)


def _near_samples(contract: ToolContract, listed: ToolContract, random: Random) -> Iterator[PlannedCall]:
    for call in _samples(contract, random):
        found = list(islice(invalid_calls(contract, listed, call.arguments), _MOST_IN_A_ROUND))
        if found:
            yield random.choice(found)


def _as_written(value: JsonValue) -> JsonValue:
    """Write 5.0 as 5, as clients in JavaScript do: JSON Schema does not distinguish them, but many servers do."""
    if isinstance(value, dict):
        return {name: _as_written(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_as_written(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT else value


# Shrinking


def _shrink_calls(
    tools: Sequence[LiveTool], caller: Caller, found: Mapping[_Fault, ObservedCall]
) -> dict[_Fault, ObservedCall]:
    """Return the smallest calls of some rounds that break the same rules; each round is one batch."""
    best = dict(found)
    active = set(found)
    for _ in range(_MOST_ROUNDS):
        planned = [(fault[0], call) for fault in sorted(active) for call in _smaller_calls(tools, fault, best)]
        tried = _observe(tools, caller, planned)
        for fault in tuple(active):
            index, code = fault
            smaller = [call for at, call in tried if at == index and _size(call) < _size(best[fault])]
            kept = [call for call in smaller if code in codes_of(tools[index], call)]
            if kept:
                best[fault] = min(kept, key=_size)
            else:
                active.discard(fault)
        if not active:
            break
    return best


def _smaller_calls(
    tools: Sequence[LiveTool], fault: _Fault, best: Mapping[_Fault, ObservedCall]
) -> Iterator[PlannedCall]:
    call = best[fault]
    smaller = (one for one in _smaller(call.arguments, 0) if _fits(tools[fault[0]], one, is_valid=call.is_valid))
    return (PlannedCall(one, call.purpose, is_valid=call.is_valid) for one in islice(smaller, _MOST_IN_A_ROUND))


def _fits(tool: LiveTool, value: JsonValue, *, is_valid: bool) -> bool:
    if is_accepted(tool.contract, value) is not is_valid:
        return False
    return is_valid or is_accepted(tool.listed, value) is False


def _smaller(value: JsonValue, depth: int) -> Iterator[JsonValue]:
    """Yield simpler versions of a value: with one member or item fewer, or with a simpler one."""
    if depth > _MOST_DEPTH:
        return
    if isinstance(value, dict):
        for name in value:
            yield {key: member for key, member in value.items() if key != name}
        for name, member in value.items():
            yield from ({**value, name: other} for other in _smaller(member, depth + 1))
    elif isinstance(value, list):
        yield from (value[: len(value) // 2], value[len(value) // 2 :]) if len(value) > 1 else ([],) * len(value)
        for index, item in enumerate(value):
            yield from ([*value[:index], other, *value[index + 1 :]] for other in _smaller(item, depth + 1))
    elif isinstance(value, str) and value:
        yield from dict.fromkeys(("", value[:1], value[: len(value) // 2], value[:-1]))
    elif isinstance(value, int | float) and not isinstance(value, bool) and value:
        yield from dict.fromkeys(
            (0, int(value / 2) if abs(value) < 1e15 else 1, int(value) if abs(value) < 1e15 else 1)
        )


def _size(call: ObservedCall) -> tuple[int, str]:
    text = json.dumps(call.arguments, sort_keys=True)
    return len(text), text


def _observe(tools: Sequence[LiveTool], caller: Caller, planned: Sequence[_Call]) -> list[tuple[int, ObservedCall]]:
    answers = caller.answers((tools[index].listed.name, call.arguments) for index, call in planned)
    return [
        (index, ObservedCall(call.arguments, answer, call.purpose, call.is_valid))
        for (index, call), answer in zip(planned, answers, strict=True)
    ]
