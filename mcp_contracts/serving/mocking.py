"""A mock of a specification: answers from its examples, or sampled from its output schemas, always the same."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from random import Random

from mcp_contracts.contract import Contracts, JsonValue, ToolContract, ToolListFile
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import STANDARD_ERROR_TYPES, MCPToolResult, ResultStatus, ToolError
from mcp_contracts.records import dataclass, field, replace
from mcp_contracts.runtime.context import ToolContext
from mcp_contracts.runtime.registry import ToolRegistry
from mcp_contracts.schema.json_equality import same_json
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from mcp_contracts.serving.implementations import ImplementedTools
from mcp_contracts.tool_names import nearest_names, qualified_name
from mcp_contracts.witnesses.sampling import NoSampleError, sample

Arguments = Mapping[str, JsonValue]
_RECORDED = ("content", "structuredContent", "isError")


@dataclass(frozen=True, slots=True)
class Exchange:
    """A tool call and its result: of an example, or recorded from a server.

    `answer` is the `CallToolResult` of the server that the result was read from.
    """

    tool: str
    arguments: Arguments
    result: MCPToolResult
    answer: Mapping[str, JsonValue] | None = None


@dataclass(frozen=True, slots=True)
class MockSettings:
    """The settings of a mock.

    `seed` determines the sampled values. A call takes between the two numbers of `latency`, in seconds. `failures`
    names the error type that a tool always fails with. `exchanges` take precedence over the examples of the
    specification.
    """

    seed: int = 0
    latency: tuple[float, float] = (0.0, 0.0)
    failures: Mapping[str, str] = field(default_factory=dict)
    exchanges: tuple[Exchange, ...] = ()


def mocked_tools(contracts: Contracts, settings: MockSettings) -> ImplementedTools:
    """Return the tools of some contracts, answered by a mock, which also accepts contracts with placeholders. Raises
    `UsageError` for a failure of an unknown tool, or of a type that the tool does not have.
    """
    ready = tuple(replace(contract, placeholders=()) for contract in contracts)
    registry = ToolRegistry(Contracts((ToolListFile("", "", contracts=ready, faults=contracts.faults),)))
    known = {qualified_name(contract): contract for contract in contracts}
    for name, error_type in settings.failures.items():
        _check_failure(known, name, error_type)
    recorded = _by_tool(settings.exchanges, known)
    for contract in contracts:
        mock = _answerer(contract, settings, recorded.get(qualified_name(contract), []))
        registry.implement(qualified_name(contract), version=contract.version)(mock)
        for channel in contract.channels:
            registry.implement(qualified_name(contract), version=contract.version, channel=channel)(mock)
    return ImplementedTools(registry)


def _by_tool(exchanges: Iterable[Exchange], known: Mapping[str, ToolContract]) -> dict[str, list[Exchange]]:
    """Group recorded calls by their contract: by its name, or by a last part that only one name has.

    Raises `UsageError` if all calls are of other tools.
    """
    last_parts: dict[str, list[str]] = {}
    for name in known:
        last_parts.setdefault(name.rpartition(".")[2], []).append(name)
    found: dict[str, list[Exchange]] = {}
    other = None
    for exchange in exchanges:
        names = [exchange.tool] if exchange.tool in known else last_parts.get(exchange.tool.rpartition(".")[2], [])
        if len(names) == 1:
            found.setdefault(names[0], []).append(exchange)
        else:
            other = other or exchange.tool
    if other is not None and not found:
        raise UsageError(
            f"none of the recorded calls is to a tool in the contracts; the first one is to `{other}`",
            hint="record calls to the server that the contracts describe",
        )
    return found


def exchanges_of(contract: ToolContract) -> Iterator[Exchange]:
    """Return the calls in a contract's examples, each with the result after it."""
    name, arguments = qualified_name(contract), None
    for example in contract.examples:
        value = example.value
        match example.kind:
            case "call" if isinstance(value, dict) and isinstance(value.get("arguments"), dict):
                arguments = value["arguments"]
            case "arguments" if isinstance(value, dict):
                arguments = value
            case "result" | "data" if arguments is not None:
                result = _result(example.kind, value)
                if result is not None and isinstance(arguments, dict) and _fits(contract, result):
                    yield Exchange(name, arguments, result)
                    arguments = None


def _result(kind: str, value: JsonValue) -> MCPToolResult | None:
    try:
        if kind == "result":
            return MCPToolResult.model_validate(value)
        return MCPToolResult(data=value if isinstance(value, dict) else {"result": value})
    except ValueError:
        return None


def _fits(contract: ToolContract, result: MCPToolResult) -> bool:
    if result.status is not ResultStatus.SUCCESS or contract.output is None:
        return True
    compiled = compile_schema(contract.output.value)
    data = result.data
    values: list[JsonValue] = [data]
    if data is not None and data.keys() == {"result"}:
        values.append(data["result"])
    return any(accepts(compiled, value) is True for value in values)


# Answers


def _answerer(
    contract: ToolContract, settings: MockSettings, recorded: Sequence[Exchange]
) -> Callable[..., Awaitable[object]]:
    name = qualified_name(contract)
    exchanges = [*recorded, *exchanges_of(contract)]
    failure = _failure(contract, settings.failures.get(name))

    async def answer(context: ToolContext, /, **arguments: JsonValue) -> object:
        text = json.dumps([settings.seed, name, arguments], sort_keys=True)
        random = Random(sha256(text.encode()).digest())  # a mock needs the same numbers, not secret ones
        shortest, longest = settings.latency
        if longest > 0:
            await asyncio.sleep(random.uniform(shortest, longest))
        if failure is not None:
            raise failure
        found = nearest_exchange(exchanges, arguments)
        if found is None:
            return _sample(contract, random)
        if found.answer is not None and context.call.on_answer is not None:
            context.call.on_answer(found.answer)
        return found.result

    return answer


def nearest_exchange(exchanges: Sequence[Exchange], arguments: Arguments) -> Exchange | None:
    """Return the exchange with the most similar arguments, the first of several.

    An exchange with equal arguments is used even if it is a failure. Of the others, only successful ones count;
    otherwise, return None.
    """
    same = next((one for one in exchanges if same_json(dict(one.arguments), dict(arguments))), None)
    if same is not None:
        return same
    succeeded = [one for one in exchanges if one.result.status is not ResultStatus.FAILURE]
    return max(succeeded, key=lambda one: _likeness(one.arguments, arguments), default=None)


def _likeness(example: Arguments, arguments: Arguments) -> tuple[int, int]:
    """Return the number of equal arguments, and the negated number of others."""
    same = sum(1 for name, value in arguments.items() if name in example and same_json(example[name], value))
    return same, -len(example.keys() | arguments.keys())


def _sample(contract: ToolContract, random: Random) -> JsonValue:
    if contract.output is None:
        return None
    try:
        return sample(contract.output.value, random)
    except NoSampleError as error:
        message = f"the mock has no result: no example has one, and {error}"
        raise ToolError("ToolExecutionError", message) from error


# Failures


def _check_failure(known: Mapping[str, ToolContract], name: str, error_type: str) -> None:
    contract = known.get(name)
    if contract is None:
        near = nearest_names(name, known, limit=1)
        hint = f"did you mean `{near[0]}`?" if near else "name a tool of the specification"
        raise UsageError(f"`--fail {name}={error_type}`: unknown tool `{name}`", hint=hint)
    types = [*dict.fromkeys([*(error.name for error in contract.errors), *STANDARD_ERROR_TYPES])]
    if error_type not in types:
        raise UsageError(
            f"`--fail {name}={error_type}`: the tool has no such error",
            hint=f"use one of {', '.join(f'`{one}`' for one in types)}",
        )


def _failure(contract: ToolContract, error_type: str | None) -> ToolError | None:
    """Return a failure of a type, from an example or in the words of the contract."""
    if error_type is None:
        return None
    for example in contract.examples:
        result = _result("result", example.value) if example.kind == "result" else None
        error = None if result is None else result.error
        if error is not None and error.error_type == error_type:
            return ToolError(error_type, error.error_message, error.error_details)
    when = next((error.when for error in contract.errors if error.name == error_type and error.when), None)
    return ToolError(error_type, when or "the mock was configured to fail")


# Recorded exchanges


def read_exchanges(lines: Iterable[str], path: str) -> tuple[Exchange, ...]:
    """Return the exchanges of a recording: a JSON object in each line, with `tool_name`, `arguments`, `result` and
    `answer`.

    Raises `UsageError` for any other line.
    """
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
            result = MCPToolResult.model_validate(value["result"])
            answer = value.get("answer")
            received = None if answer is None else dict(answer)
            found.append(Exchange(str(value["tool_name"]), dict(value["arguments"]), result, received))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise UsageError(
                f"{path}:{number}: this line is not a recorded call",
                hint='each line is `{"tool_name": …, "arguments": {…}, "result": {…}}`, as `--record` writes it',
            ) from error
    return tuple(found)


def recorded_line(exchange: Exchange) -> str:
    """Return an exchange as a line of a recording."""
    value: dict[str, JsonValue] = {
        "tool_name": exchange.tool,
        "arguments": dict(exchange.arguments),
        "result": exchange.result.to_dict(),
    }
    if exchange.answer is not None:
        value["answer"] = {key: part for key, part in exchange.answer.items() if key in _RECORDED}
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
