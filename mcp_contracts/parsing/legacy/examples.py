"""The examples of a tool in an older dialect, in any form, as calls of the protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Example, JsonValue, Locator
from mcp_contracts.parsing.examples.code_examples import code_examples, code_faults
from mcp_contracts.parsing.examples.code_spans import (
    call_spans,
    calls_plainly,
    is_code,
    mentioned_calls,
    misnames_plainly,
)
from mcp_contracts.parsing.examples.json_calls import RenamedLocator, openai_calls, read_call
from mcp_contracts.parsing.examples.other_calls import is_call_of, other_calls
from mcp_contracts.parsing.examples.requests import posted_faults
from mcp_contracts.parsing.legacy.reading import EXAMPLES, OUTPUT, Reading
from mcp_contracts.parsing.legacy.sketches import read_sketches
from mcp_contracts.parsing.schemas import is_data, is_property_map, is_protocol_result
from mcp_contracts.parsing.text import Line
from mcp_contracts.records import replace
from mcp_contracts.rule_names import nearest

_RESULT_WORDS = re.compile(r"\b(result|response|returns?|output|answer|success|error|failure)", re.IGNORECASE)
_CALL_WORDS = re.compile(r"\b(call(?!er)|request|invocation|invoke|arguments|input|usage)", re.IGNORECASE)


def read_examples(reading: Reading, siblings: AbstractSet[str]) -> list[Example]:
    """Read the examples in the fences without schemas. One that cannot be read is a fault."""
    declared = _declared_names(reading.input.value if reading.input is not None else None)
    returned = _declared_names(reading.output.value if reading.output is not None else None) - declared
    table = reading.tables.get("input")
    parameters = [row.name for row in table.rows] if table is not None else sorted(declared)
    examples: list[Example] = []
    name = _name_in_code(reading.raw.name, siblings)
    before: str | None = None  # what led to the fence before; a second one below the same words shows the answer
    for fence, lead, is_call_due in reading.fences:
        if is_code(fence) or calls_plainly(fence, name) or misnames_plainly(fence, name, siblings):
            calls = code_examples(reading.source, fence, name, siblings, parameters)
            examples.extend(_with_whole_name(example, name, reading.raw.name) for example in calls)
            reading.faults.extend(code_faults(reading.source, fence, name) if is_code(fence) else ())
            continue
        if not is_data(fence):
            calls = other_calls(reading.source, fence, name)
            reading.faults.extend(posted_faults(reading.source, fence, reading.raw.name.rpartition(".")[2]))
            examples.extend(_with_whole_name(example, name, reading.raw.name) for example in calls)
            continue
        for sketch in read_sketches(reading.source, fence):
            document = sketch.document
            if _RESULT_WORDS.match(sketch.lead) and all(section.about != OUTPUT for section in reading.sections):
                reading.begin(sketch.lead, reading.source.place(fence.row), OUTPUT)
                reading.fill(fence.content)
            reading.faults.extend(document.faults)
            if sketch.is_exact and document.value is not None:
                is_answer = lead == before and not is_call_due and not _CALL_WORDS.search(sketch.lead)
                names = set(document.value) if isinstance(document.value, dict) else set()
                is_result = not returned.isdisjoint(names) and declared.isdisjoint(names)
                is_sent = bool(returned) and bool(names) and names <= declared  # below the fields of the result
                due = "call" if is_sent else "response" if is_answer or is_result else sketch.lead or lead
                examples.extend(as_examples(document.value, document, due, declared, is_call_due=is_call_due))
                several = calls_in(document.value, document) if isinstance(document.value, list) else ()
                if not _RESULT_WORDS.search(due):
                    examples.extend(call for call in several if is_call_of(call, reading.raw.name))
            is_call_due, before = False, lead
    return examples


_PREFIX = re.compile(r"[A-Za-z][\w.]*[-/:](?=[A-Za-z][^\W_]*+_\w+\Z)")
"""A prefix of a tool name that a function in code cannot have: the `acme-` of `acme-find_notes`."""


def _name_in_code(name: str, siblings: AbstractSet[str]) -> str:
    """Return the name that code calls a tool by: without its prefix, if no other tool of the file ends the same."""
    prefix = _PREFIX.match(name)
    short = name[prefix.end() :] if prefix is not None else name
    is_other = prefix is not None and any(one != name and re.split(r"[-/:.]", one)[-1] == short for one in siblings)
    return name if is_other else short


def _with_whole_name(example: Example, short: str, name: str) -> Example:
    """Return a call of a tool without its prefix as a call by its whole name."""
    value = example.value
    is_own = short != name and isinstance(value, dict) and value.get("tool_name") == short
    return replace(example, value={**value, "tool_name": name}) if is_own and isinstance(value, dict) else example


def as_examples(
    value: JsonValue, locator: Locator, lead: str, declared: AbstractSet[str], *, is_call_due: bool
) -> Iterator[Example]:
    """Yield the examples that one JSON value of a fence definitely contains.

    `lead` is the heading or the text before it, `declared` the names of the tool's parameters. `is_call_due` says that
    the fence is the first one below a heading for examples.
    """
    if not isinstance(value, dict) or (isinstance(value.get("properties"), dict) and declared.isdisjoint(value)):
        return  # a JSON Schema, of errors
    if (pair := _pair(value)) is not None and declared.isdisjoint(value):
        sent, came = pair
        yield Example("arguments", value[sent], RenamedLocator(locator, {"": f"/{sent}"}))
        yield Example("data", value[came], RenamedLocator(locator, {"": f"/{came}"}))
        return
    answer = value.get("result")
    if "jsonrpc" in value and isinstance(answer, dict):
        if isinstance(answer.get("structuredContent"), dict):
            yield Example(
                "data", answer["structuredContent"], RenamedLocator(locator, {"": "/result/structuredContent"})
            )
        return
    if declared.isdisjoint(("function", "tool_calls")) and (
        isinstance(value.get("tool_calls"), list)
        or (isinstance(call := value.get("function"), dict) and {"name", "arguments"} <= call.keys())
    ):
        yield from openai_calls(value, locator)
        return
    made = read_call(value, locator, declared)
    if made is not None:
        yield made
    elif is_protocol_result(value):
        yield Example("result", value, locator)
    elif _RESULT_WORDS.search(lead) and not _CALL_WORDS.search(lead) and not _follows_errors(value, lead, declared):
        yield Example("data", value, locator)
    elif not _OF_A_TYPE.search(lead) and _looks_like_arguments(
        value, declared, is_certain=is_call_due or bool(_CALL_WORDS.search(lead)), is_said=bool(_CALLED.search(lead))
    ):
        yield Example("arguments", value, locator)


def calls_in(value: JsonValue, locator: Locator) -> Iterator[Example]:
    """Yield the calls in JSON outside every tool's section: one call, or a list of them."""
    if isinstance(value, list):
        for index, one in enumerate(value[:_MOST_CALLS]):
            if isinstance(one, dict):
                yield from calls_in(one, RenamedLocator(locator, {"": f"/{index}"}))
        return
    for example in as_examples(value, locator, "call", frozenset(), is_call_due=False):
        call = example.value if isinstance(example.value, dict) else {}
        sent = call.get("arguments")
        is_definition = isinstance(sent, dict) and (isinstance(sent.get("properties"), dict) or is_property_map(sent))
        if example.kind == "call" and example.arguments_key and not is_definition:
            yield example


_MOST_CALLS = 50


def _follows_errors(value: Mapping[str, JsonValue], lead: str, declared: AbstractSet[str]) -> bool:
    """Whether arguments follow a label about errors, which is not about them."""
    return (
        all(word[1].lower() in ("error", "failure") for word in _RESULT_WORDS.finditer(lead)) and set(value) <= declared
    )


def _pair(value: Mapping[str, JsonValue]) -> tuple[str, str] | None:
    """Return the keys of the arguments and of the result, in an example that contains nothing else."""
    sent = [key for key in value if key in ("input", "arguments", "request", "args", "params")]
    returned = [key for key in value if key in ("output", "result", "response", "returns", "expected")]
    is_pair = len(sent) == len(returned) == 1 and set(value) <= {*sent, *returned, "name", "title", "description"}
    if not is_pair or not all(isinstance(value[key], dict) for key in (*sent, *returned)):
        return None
    return sent[0], returned[0]


_OF_A_TYPE = re.compile(r"\b(?:[A-Z][a-z]+){2,}\W{0,3} (?:schema|type|object|model|shape|structure|fields)\W*$")
"""A heading above a part of the parameters: `LineItem schema`."""
_CALLED = re.compile(r"\b(?:example|sample) (?:call|request|invocation|arguments|input)\b", re.IGNORECASE)


def _looks_like_arguments(
    value: Mapping[str, JsonValue], declared: AbstractSet[str], *, is_certain: bool, is_said: bool
) -> bool:
    if "status" in value and "status" not in declared:
        return False
    if not value:
        return is_certain and bool(declared)
    known = sum(name in declared or nearest(name, declared) is not None for name in value)
    if not declared.isdisjoint(value) and (is_certain or known * 2 >= len(value)):
        return True
    return (is_said and bool(declared)) or (is_certain and any(nearest(name, declared) for name in value))


def _declared_names(schema: JsonValue) -> frozenset[str]:
    """Return the names of the parameters that a schema lists at its root."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return frozenset(properties) if isinstance(properties, dict) else frozenset()


def shows_no_arguments(examples: Sequence[Example]) -> bool:
    """Whether all examples are calls without arguments."""
    calls = [one.value for one in examples if one.kind == "call" and isinstance(one.value, dict)]
    shown = [call.get("arguments") for call in calls] + [one.value for one in examples if one.kind == "arguments"]
    return bool(shown) and not any(shown)


def read_calls(reading: Reading, line: Line, *, is_labeled: bool = False) -> None:
    """Read the calls in a line of examples, and those that other text gives as an example."""
    if reading.topic == EXAMPLES:
        spans = call_spans(line, reading.raw.name, is_labeled=is_labeled)
    else:
        spans = mentioned_calls(line, reading.raw.name)
    reading.fences.extend((fence, reading.lead, False) for fence in spans)
