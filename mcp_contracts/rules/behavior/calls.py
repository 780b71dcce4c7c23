"""Rules about the examples of calls: that they exist, and that the tool accepts them (MC401, MC403, MC404)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from mcp_contracts.contract import Example, JsonValue, SchemaOrigin, SchemaPart, SpecTool, ToolContract
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.records import NamedTuple
from mcp_contracts.rule_names import NearestNames, nearest, shortened
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.schemas.declared_inputs import declared_input
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.formats import wrong_formats
from mcp_contracts.schema.identity import Same
from mcp_contracts.schema.references import follow
from mcp_contracts.schema.validation.compiled import Outcome
from mcp_contracts.schema.validation.plain import surely_accepts
from mcp_contracts.schema.wording import shown_value

if TYPE_CHECKING:
    from mcp_contracts.schema.validation.explanations import InstanceError

MOST_EXAMPLES = 100
"""The maximum number of examples of one tool that are checked."""

_FIELDS = ("tool_name", "arguments")
_OF_CLIENTS = ("server_name",)  # Cline and others name the server next to the tool


@rule("MC401", Severity.WARNING, since="0.1.0")
def missing_call_example(tool: SpecTool) -> Iterator[Finding]:
    """A specification has no example call.

    Models learn most from a complete call. It is also the only part of a specification that can be tested: it can be
    validated against the schema, sent to a server, and answered by a mock.
    """
    section = tool.section(7)
    if section is None or section.is_empty or (tool.is_legacy and "```" in section.text):
        return
    if not any(example.kind in ("call", "arguments") for example in tool.contract.examples):
        yield Finding(
            "the usage examples contain no call",
            f'add a `json` block: `{{"tool_name": "{show(tool.contract.name)}", "arguments": {{…}}}}`',
            section.place,
        )


@rule("MC403", Severity.ERROR, since="0.1.0")
def example_calls_another_tool(tool: ToolContract) -> Iterator[Finding]:
    """An example calls a tool with a different name.

    A model copies the name, and calls a tool that does not exist or, worse, the wrong tool. Usually, the example was
    copied or the tool was renamed.
    """
    for example in tool.examples:
        if example.kind != "call" or not isinstance(example.value, dict):
            continue
        called = example.value.get("tool_name")
        if misspelled_field(example.value, "tool_name") is not None:
            continue  # MC404 reports what is written instead
        if isinstance(called, str) and _is_called(tool, called):
            continue
        if called is None:
            message, pointer = "the call does not name a tool", ""
        else:
            named = f"`{show(called)}`" if isinstance(called, str) else shown_value(called)
            message, pointer = f"the call names {named}, not `{show(tool.name)}`", "/tool_name"
        names = (called,) if isinstance(called, str) else ()
        name = f'"tool_name": "{show(tool.name)}"' if called is None else show(tool.name)
        yield at(example, pointer, message, f"write `{name}`", names=names)


@rule("MC404", Severity.ERROR, since="0.1.0")
def example_arguments_refused(tool: ToolContract) -> Iterator[Finding]:
    """The arguments of an example do not match the tool's input schema.

    A caller that follows the example is rejected, so either the example or the schema is wrong. A call that is not in
    the section of a tool is also checked if it names a tool of the file. If not all parameters of a tool in an older
    dialect are read, other arguments are allowed.
    """
    for example in tool.examples[:MOST_EXAMPLES]:
        if example.kind == "call" and isinstance(example.value, dict) and not _calls_another(tool, example.value):
            yield from _message_faults(example, example.value)
    for judged in judged_arguments(tool):
        misspelled = dict(_misspelled_arguments(judged))
        if _shares_no_name(judged, misspelled):
            names = ", ".join(f"`{show(name)}`" for name in [*misspelled][:_MOST_NAMED])
            more = f" and {len(misspelled) - _MOST_NAMED} more" if len(misspelled) > _MOST_NAMED else ""
            message = f"none of the arguments is a parameter of the tool: {names}{more}"
            yield at(judged.example, "", message, "fix the example, or list its arguments as parameters")
            continue
        yield from refusals(judged, frozenset(name for name in misspelled.values() if name))
        for name, near in misspelled.items():
            pointer = f"{judged.base}/{escape(name)}"
            hint = f"write `{show(near)}`" if near else "declare it in the input schema, or remove it"
            yield at(judged.example, pointer, f"`{show(name)}` is not a parameter of the tool", hint, on_key=True)
        schema = judged.schema.value if judged.schema is not None else None
        for pointer, name, near in _misspelled_members(schema, judged.value, judged.base):
            message = f"`{show(name)}` is not a property of its object"
            yield at(judged.example, pointer, message, f"write `{show(near)}`", on_key=True)


def _shares_no_name(judged: JudgedValue, misspelled: Mapping[str, str | None]) -> bool:
    """Whether an object without a tool's name has no argument of a derived schema, and few that resemble one.

    It may be something else than a call, or the parameters may be misread: this is one fault, not one of each name.
    """
    is_derived = judged.schema is not None and judged.schema.origin is not SchemaOrigin.SCHEMA
    if judged.example.kind != "arguments" or not is_derived or not isinstance(judged.value, dict):
        return False
    are_few = sum(near is not None for near in misspelled.values()) * 4 < len(judged.value)
    return len(judged.value) > 1 and misspelled.keys() >= judged.value.keys() and are_few


_MOST_NAMED = 5


class JudgedValue(NamedTuple):
    """The value at `base` of an example, the schema to compare it with, and its name in messages."""

    example: Example
    base: str
    value: JsonValue
    schema: SchemaPart | None
    subject: str


def judged_arguments(tool: ToolContract) -> Iterator[JudgedValue]:
    """Yield the arguments in the examples of a tool."""
    for example in tool.examples[:MOST_EXAMPLES]:
        if example.kind == "arguments":
            yield JudgedValue(example, "", example.value, tool.input, "the arguments object")
        elif example.kind == "call" and isinstance(example.value, dict) and not _calls_another(tool, example.value):
            held = "arguments" if "arguments" in example.value else misspelled_field(example.value, "arguments")
            if held is not None:
                written = example.arguments_key if held == "arguments" else held
                subject = f"the value of `{show(written)}`" if written else "the call"
                yield JudgedValue(example, f"/{escape(held)}", example.value[held], tool.input, subject)


def misspelled_field(call: Mapping[str, JsonValue], field: str) -> str | None:
    """Return the key of a call that was probably meant as one of its missing fields."""
    if field in call:
        return None
    others = [name for name in call if name not in _FIELDS and (field != "arguments" or isinstance(call[name], dict))]
    return nearest(field, others)


def _message_faults(example: Example, call: dict[str, JsonValue]) -> Iterator[Finding]:
    """Yield the faults of the message around the arguments."""
    meant = {written: field for field in _FIELDS if (written := misspelled_field(call, field)) is not None}
    if "arguments" not in call and "arguments" not in meant.values():
        hint = 'add them, or write `"arguments": {}` if the tool needs none'
        yield at(example, "", "the call has no `arguments`", hint)
    for name in sorted(set(call).difference(_FIELDS, _OF_CLIENTS)):
        near = meant.get(name)
        hint = f"write `{near}`" if near else "a call has only `tool_name` and `arguments`"
        yield at(example, f"/{escape(name)}", f"`{show(name)}` is not a field of a call", hint, on_key=True)


def _is_called(tool: ToolContract, called: str) -> bool:
    """Whether a call names a tool, as itself or by that of a client: `server:tool`, `mcp__server__tool`."""
    own = called.replace("/", ":").replace("__", ":").rpartition(":")[2]
    return not {called, own}.isdisjoint((tool.name, tool.source_name))


def _calls_another(tool: ToolContract, call: dict[str, JsonValue]) -> bool:
    """Whether a call names a different tool, rather than this one in another spelling or module."""
    called = call.get("tool_name", tool.name)
    if not isinstance(called, str) or _is_called(tool, called):
        return False
    own, other = (name.rpartition(".")[2].casefold() for name in (tool.name, called))
    return other != own and nearest(other, [own]) is None


def refusals(judged: JudgedValue, misspelled: frozenset[str] = frozenset()) -> Iterator[Finding]:
    """Yield the errors of a value of an example under a schema.

    `misspelled` has the arguments that appear under another name, and so are not missing."""
    example, base = judged.example, judged.base
    if example.kind == "call" and not isinstance(judged.value, dict):
        yield at(example, base, f"`arguments` is {shown_value(judged.value)}, not an object", "pass parameters by name")
        return
    outcome = outcome_of(judged)
    if outcome is None or judged.schema is None:
        return
    hint = "fix the example, or the schema if the example is right"
    mistyped = {error.pointer for error in outcome.errors if error.keyword == "type"}
    meant = _meant_names(outcome.errors)
    there = {("", name) for name in misspelled} | {(owner, name) for (owner, _), name in meant.items()}
    for error in outcome.errors:
        if error.keyword != "type" and error.pointer in mistyped:
            continue  # its other constraints are for another type
        if error.keyword == "required" and (error.pointer, error.member) in there:
            continue  # it appears under another name, which is reported
        is_name = error.keyword in _REFUSING_NAMES
        near = meant.get((error.pointer.rpartition("/")[0], error.member or ""))
        near = near or (_near_unused(judged, error) if is_name else None)
        cure = f"write `{show(near)}`" if near else hint
        causes = _causes(judged.schema.value, error)
        yield at(example, f"{base}{error.pointer}", error.message, cure, causes=causes, on_key=is_name)
    if judged.schema.origin is SchemaOrigin.SCHEMA:
        for pointer, message in wrong_formats(judged.schema.value, judged.value):
            yield at(example, f"{base}{pointer}", message, hint)
    if outcome.more:
        are = "error is" if outcome.more == 1 else "errors are"
        yield at(example, base, f"{outcome.more:,} more {are} not listed", hint)
    elif outcome.is_first_only:
        yield at(example, base, f"{judged.subject} is too large to be checked for more errors", hint)


def outcome_of(judged: JudgedValue) -> Outcome | None:
    """Validate a value of an example; None if it has no schema."""
    example, schema = judged.example, judged.schema
    if judged.value is None and example.kind in ("arguments", "data"):
        return None
    if schema is None or schema.value is None:
        return None
    return _outcome(Same(example), Same(judged.value), Same(schema), judged.subject)


@lru_cache(maxsize=64)  # two rules need it
def _outcome(shown_by: Same[Example], value: Same[JsonValue], held: Same[SchemaPart], subject: str) -> Outcome:
    example, schema = shown_by.thing, held.thing
    asked: JsonValue = schema.value
    if (example.computed or not example.is_whole) and isinstance(asked, dict):
        asked = _without_requirement(asked, example)
    if schema.part == "input" and isinstance(asked, dict) and asked.get("type") != "object":
        asked = {name: value for name, value in asked.items() if name != "type"}  # MC311 reports that it must be one
    if surely_accepts(asked, value.thing):
        return Outcome()
    from mcp_contracts.schema.validation.lenient import compile_lenient  # most examples are valid
    from mcp_contracts.schema.validation.validators import instance_errors

    return instance_errors(compile_lenient(asked), value.thing, subject=subject)


def _meant_names(errors: Sequence[InstanceError]) -> dict[tuple[str, str], str]:
    """Return the missing property that a forbidden property of the same object was probably meant to be."""
    missing: dict[str, list[str]] = {}
    for error in errors:
        if error.keyword == "required" and error.member is not None:
            missing.setdefault(error.pointer, []).append(error.member)
    meant: dict[tuple[str, str], str] = {}
    for error in errors:
        owner = error.pointer.rpartition("/")[0]
        if error.keyword in _REFUSING_NAMES and error.member is not None and missing.get(owner):
            near = nearest(error.member, missing[owner]) or shortened(error.member, missing[owner])
            if near is not None:
                missing[owner].remove(near)
                meant[owner, error.member] = near
    return meant


def _near_unused(judged: JudgedValue, error: InstanceError) -> str | None:
    """Return the parameter that a forbidden argument was probably meant to be, if it has no other argument."""
    schema = judged.schema.value if judged.schema is not None else None
    declared = schema.get("properties") if isinstance(schema, dict) else None
    if error.member is None or error.pointer.count("/") != 1 or not isinstance(declared, dict):
        return None
    used = judged.value if isinstance(judged.value, dict) else {}
    return nearest(error.member, [name for name in declared if name not in used])


_REFUSING_NAMES = ("additionalProperties", "unevaluatedProperties")


def _without_requirement(schema: dict[str, JsonValue], example: Example) -> JsonValue:
    """Return the schema without the requirement of arguments that code computes or passes on."""
    required = schema.get("required")
    asked = [name for name in required if name not in example.computed] if isinstance(required, list) else []
    return {**schema, "required": asked if example.is_whole else []}


def _misspelled_arguments(judged: JudgedValue) -> Iterator[tuple[str, str | None]]:
    """Yield the undeclared arguments that the schema allows, each with the declared one that was probably meant."""
    schema, value = judged.schema, judged.value
    if schema is None or not isinstance(value, dict):
        return
    given = [*value, *sorted(judged.example.computed)]
    properties = schema.value.get("properties") if isinstance(schema.value, dict) else None
    if isinstance(properties, dict) and properties.keys() >= set(given):
        return
    if isinstance(schema.value, dict) and "additionalProperties" in schema.value:
        return  # stated explicitly: a refused name is reported elsewhere, and an allowed one is intended
    declared = declared_input(schema)
    if declared.is_open or not declared.is_known or (properties is None and not declared.pointers):  # any name
        return
    spare = [other for other in declared.pointers if other not in given]
    names = NearestNames()
    meant: dict[str, str | None] = {}
    for name in dict.fromkeys(name for name in given if name not in declared.pointers):
        meant[name] = near = names.of(name, spare)
        if near is not None:
            spare.remove(near)
    for name in [name for name, near in meant.items() if near is None and len(spare) <= _MOST_SPARE]:
        missing = [other for other in spare if other in declared.required]
        meant[name] = near = shortened(name, missing) or shortened(name, spare)
        if near is not None:
            spare.remove(near)
    yield from meant.items()


def _misspelled_members(
    schema: JsonValue, value: JsonValue, base: str, depth: int = 0
) -> Iterator[tuple[str, str, str]]:
    """Yield the misspelled members of objects in the arguments: the pointer, the name, and the declared name."""
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return
    if isinstance(value, list):
        for index, item in enumerate(value[:_MOST_ITEMS]):
            yield from _misspelled_members(schema.get("items"), item, f"{base}/{index}", depth + 1)
    properties = schema.get("properties")
    if not isinstance(value, dict) or not isinstance(properties, dict):
        return
    is_closed = depth and not schema.keys() & {"additionalProperties", "patternProperties", "$ref", "allOf", "anyOf"}
    spare = [name for name in properties if name not in value] if is_closed else []
    names = NearestNames()
    for name, member in value.items():
        if name in properties:
            yield from _misspelled_members(properties[name], member, f"{base}/{escape(name)}", depth + 1)
        elif spare and (near := names.of(name, spare)) is not None:
            yield f"{base}/{escape(name)}", name, near


_DEEPEST = 10
_MOST_ITEMS = 50
_MOST_SPARE = 100


def _causes(schema: JsonValue, error: InstanceError) -> tuple[str, ...]:
    """Return the places in a schema where a fault would explain why it refuses a value. For a property that is missing
    or not allowed, these include the places where the schema defines or requires it.
    """
    owner, _, keyword = error.schema_pointer.rpartition("/")
    name = error.member
    if name is None:
        return (error.schema_pointer,)
    listed = follow(schema, f"{owner}/required")
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
    """Return a finding at a place in an example. A tool can have many examples, so the example itself locates it."""
    place = example.locator.place(pointer, on_key=on_key)
    return Finding(message, hint, place, part="example", pointer=pointer, on_key=on_key, causes=causes, names=names)
