"""Rules about the examples of calls: that there are some, and that the tool would take them (MC401, MC403, MC404)."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.contract import Example, JsonValue, SchemaPart, SpecTool, ToolContract
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.rule_names import NearestNames, nearest
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.declared_inputs import declared_input
from mcp_contracts.rules.wording import shown
from mcp_contracts.schema.explanations import InstanceError
from mcp_contracts.schema.lenient import compile_lenient
from mcp_contracts.schema.references import pointed_at
from mcp_contracts.schema.validators import instance_errors
from mcp_contracts.schema.walk import escape
from mcp_contracts.schema.wording import shown_value

MOST_EXAMPLES = 100
"""How many examples of one tool are judged."""

_FIELDS = ("tool_name", "arguments")


@rule("MC401", Severity.WARNING, since="0.1.0")
def missing_call_example(tool: SpecTool) -> Iterator[Finding]:
    """A specification shows no call of its tool.

    A complete call is what a model learns most from, and the one part of a specification that can be tried: it is held
    to the schema, sent to a server, and answered by a mock.
    """
    section = tool.section(7)
    if section is None or section.is_empty or (tool.is_legacy and "```" in section.text):
        return
    if not any(example.kind in ("call", "arguments") for example in tool.contract.examples):
        yield Finding(
            "the usage examples hold no call",
            f'add a `json` block: `{{"tool_name": "{shown(tool.contract.name)}", "arguments": {{…}}}}`',
            section.place,
        )


@rule("MC403", Severity.ERROR, since="0.1.0")
def example_calls_another_tool(tool: ToolContract) -> Iterator[Finding]:
    """An example calls a tool of another name.

    A model copies the name with the rest, and calls what is not there, or worse, what is. Most often the example was
    copied, or the tool renamed.
    """
    for example in tool.examples:
        if example.kind != "call" or not isinstance(example.value, dict):
            continue
        called = example.value.get("tool_name")
        if isinstance(called, str) and called in (tool.name, tool.source_name):
            continue
        if called is None:
            message, pointer = "the call names no tool", ""
        else:
            named = f"`{shown(called)}`" if isinstance(called, str) else shown_value(called)
            message, pointer = f"the call names {named}, not `{shown(tool.name)}`", "/tool_name"
        names = (called,) if isinstance(called, str) else ()
        yield at(example, pointer, message, f'write `"tool_name": "{shown(tool.name)}"`', names=names)


@rule("MC404", Severity.ERROR, since="0.1.0")
def example_arguments_refused(tool: ToolContract) -> Iterator[Finding]:
    """An example's arguments are refused by the tool's own input schema.

    A caller that follows the example is turned away, so either the example or the schema does not say what the tool
    takes.
    """
    for example in tool.examples[:MOST_EXAMPLES]:
        if example.kind == "arguments":
            yield from refusals(example, "", example.value, tool.input, "the arguments object")
            yield from _undeclared(example, "", example.value, tool.input)
        elif example.kind == "call" and isinstance(example.value, dict) and _calls_another(tool, example.value):
            continue  # which takes other arguments
        elif example.kind == "call" and isinstance(example.value, dict):
            if "arguments" not in example.value:
                hint = "add them; a call without any has `{}`"
                yield at(example, "", "the call has no `arguments`", hint)
            else:
                arguments = example.value["arguments"]
                yield from refusals(example, "/arguments", arguments, tool.input, "the value of `arguments`")
                yield from _undeclared(example, "/arguments", arguments, tool.input)
            for name in sorted(set(example.value).difference(_FIELDS)):
                hint = "a call holds `tool_name` and `arguments` and nothing else"
                yield at(example, f"/{escape(name)}", f"`{shown(name)}` is not a field of a call", hint, on_key=True)


def _calls_another(tool: ToolContract, call: dict[str, JsonValue]) -> bool:
    """Whether a call is of a tool of quite another name, and not of this one in another spelling or module."""
    called = call.get("tool_name", tool.name)
    if not isinstance(called, str) or called in (tool.name, tool.source_name):
        return False
    own, other = (name.rpartition(".")[2].casefold() for name in (tool.name, called))
    return other != own and nearest(other, [own]) is None


def refusals(
    example: Example, base: str, value: JsonValue, schema: SchemaPart | None, subject: str
) -> Iterator[Finding]:
    """What a schema has against the value at `base` of an example."""
    if value is None and example.kind in ("arguments", "data"):
        return
    if not isinstance(value, dict) and base == "/arguments":
        yield at(example, base, f"`arguments` is {shown_value(value)}, not an object", "pass parameters by name")
        return
    if schema is None or schema.value is None:
        return
    asked: JsonValue = schema.value
    if (example.computed or not example.is_whole) and isinstance(asked, dict):
        asked = _without_requirement(asked, example)
    if base == "/arguments" and isinstance(asked, dict) and asked.get("type") != "object":
        asked = {name: value for name, value in asked.items() if name != "type"}  # MC311 says that it must be
    outcome = instance_errors(compile_lenient(asked), value, subject=subject)
    hint = "correct the example, or the schema if the example is right"
    mistyped = {error.pointer for error in outcome.errors if error.keyword == "type"}
    for error in outcome.errors:
        if error.keyword == "type" or error.pointer not in mistyped:  # what else is asked of it is for another type
            yield at(example, f"{base}{error.pointer}", error.message, hint, causes=_causes(schema.value, error))
    if outcome.more:
        are = "fault is" if outcome.more == 1 else "faults are"
        yield at(example, base, f"{outcome.more:,} more {are} not listed", hint)


def _without_requirement(schema: dict[str, JsonValue], example: Example) -> JsonValue:
    """A schema that does not ask for the arguments that code computes, or passes on."""
    required = schema.get("required")
    asked = [name for name in required if name not in example.computed] if isinstance(required, list) else []
    return {**schema, "required": asked if example.is_whole else []}


def _undeclared(example: Example, base: str, value: JsonValue, schema: SchemaPart | None) -> Iterator[Finding]:
    """The arguments that no schema declares, where the schema lets any name pass."""
    if schema is None or not isinstance(value, dict):
        return
    given = [*value, *sorted(example.computed)]
    properties = schema.value.get("properties") if isinstance(schema.value, dict) else None
    if isinstance(properties, dict) and properties.keys() >= set(given):
        return
    if isinstance(schema.value, dict) and "additionalProperties" in schema.value:
        return  # said on purpose: what is refused is reported, and what is allowed is meant
    declared = declared_input(schema)
    if declared.is_open or not declared.is_known or (properties is None and not declared.pointers):
        return
    spare = [other for other in declared.pointers if other not in value]
    names = NearestNames()
    for name in [name for name in given if name not in declared.pointers]:
        near = names.of(name, spare)
        hint = f"write `{shown(near)}`" if near else "declare it in the input schema, or leave it out"
        pointer = f"{base}/{escape(name)}"
        yield at(example, pointer, f"`{shown(name)}` is not a parameter of the tool", hint, on_key=True)


def _causes(schema: JsonValue, error: InstanceError) -> tuple[str, ...]:
    """Where in a schema a fault would explain why it refuses a value.

    For a property that is missing or not allowed, that is also where the schema defines or requires it.
    """
    owner, _, keyword = error.schema_pointer.rpartition("/")
    name = error.member
    if name is None:
        return (error.schema_pointer,)
    listed = pointed_at(schema, f"{owner}/required")
    required = (
        [f"{owner}/required/{index}" for index, one in enumerate(listed) if one == name]
        if isinstance(listed, list)
        else []
    )
    defined = f"{owner}/properties/{escape(name)}"
    return (*required, *((defined, error.schema_pointer) if keyword != "required" else ()))


def at(
    example: Example,
    pointer: str,
    message: str,
    hint: str | None,
    *,
    on_key: bool = False,
    causes: tuple[str, ...] = (),
    names: tuple[str, ...] = (),
) -> Finding:
    """A finding at a place of an example. A tool can have many, so its own locator says where that is."""
    place = example.locator.place(pointer, on_key=on_key)
    return Finding(message, hint, place, part="example", pointer=pointer, on_key=on_key, causes=causes, names=names)
