"""Which calls a verification makes: the examples of a contract, and a call that must be rejected."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Literal

from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.records import dataclass
from mcp_contracts.rules.live.observed import Purpose
from mcp_contracts.schema.simple import value_key
from mcp_contracts.schema.validation.validators import accepts, compile_shared
from mcp_contracts.witnesses.sampling import NoSampleError, sample

CallPolicy = Literal["none", "safe", "all"]
"""The tools to call: none, those that are read-only or idempotent according to their contracts, or all."""

_MOST_EXAMPLES = 20  # per tool
_WRONG: tuple[JsonValue, ...] = ({"mcp-contracts": True}, 12345.5, "mcp-contracts", None, [], True)
"""A value of each type, used as a wrong value."""


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call to make. `is_valid` says whether the contract accepts the arguments."""

    arguments: JsonValue
    purpose: Purpose
    is_valid: bool


def may_call(contract: ToolContract, policy: CallPolicy) -> bool:
    """Whether a policy allows calls to a tool. The server's own statements about the tool do not count."""
    if policy != "safe":
        return policy == "all"
    is_read_only = contract.effects is not None and contract.effects.change == "read-only"
    return is_read_only or contract.idempotent == "yes"


def planned_calls(contract: ToolContract, listed: ToolContract) -> tuple[PlannedCall, ...]:
    """Return the examples that the contract accepts, and a call that both schemas reject."""
    examples = [arguments for arguments in _examples(contract) if is_accepted(contract, arguments) is True]
    calls = [PlannedCall(arguments, "example", is_valid=True) for arguments in examples[:_MOST_EXAMPLES]]
    invalid = next(invalid_calls(contract, listed, examples[0] if examples else None), None)
    return (*calls, *(() if invalid is None else (invalid,)))


def invalid_calls(contract: ToolContract, listed: ToolContract, valid: JsonValue) -> Iterator[PlannedCall]:
    """Yield calls that both the contract and the server's own schema reject, derived from a valid one."""
    for arguments in _mutants(contract, valid if isinstance(valid, dict) else _sample(contract)):
        if is_accepted(contract, arguments) is False and is_accepted(listed, arguments) is False:
            yield PlannedCall(arguments, "invalid", is_valid=False)


def is_accepted(contract: ToolContract, arguments: JsonValue) -> bool | None:
    """Whether the input schema of a contract accepts some arguments; None if it is unknown."""
    if contract.input is None:
        return isinstance(arguments, dict)
    return accepts(compile_shared(contract.input.value), arguments)


def _examples(contract: ToolContract) -> Iterator[JsonValue]:
    seen = set()
    for example in contract.examples:
        if example.computed or not example.is_whole:
            continue
        value = example.value
        arguments = value.get("arguments") if example.kind == "call" and isinstance(value, dict) else value
        if example.kind not in ("call", "arguments") or not isinstance(arguments, dict):
            continue
        key = value_key(arguments)
        if key not in seen:
            seen.add(key)
            yield arguments


def _sample(contract: ToolContract) -> dict[str, JsonValue]:
    if contract.input is None:
        return {}
    try:
        value = sample(contract.input.value, Random(0))
    except NoSampleError:
        return {}
    return value if isinstance(value, dict) else {}


def _mutants(contract: ToolContract, valid: dict[str, JsonValue]) -> Iterator[JsonValue]:
    """Yield arguments that are probably invalid: a wrong type, a missing required member, or an unknown one."""
    schema = contract.input_schema
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for name in dict.fromkeys((*valid, *(properties if isinstance(properties, dict) else ()))):
        for wrong in _WRONG:
            yield {**valid, name: wrong}
    for name in valid:
        yield {key: value for key, value in valid.items() if key != name}
    yield {**valid, "mcp_contracts_unknown": True}
