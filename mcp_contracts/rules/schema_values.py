"""Rules about the values that schemas allow: whether there are any, and whether their own fit (MC320, MC321)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mcp_contracts.contract import JsonValue
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.rules.base import ToolSchema, rule
from mcp_contracts.rules.schema_names import in_place, name_of
from mcp_contracts.schema.satisfiability import contradictions
from mcp_contracts.schema.simple import is_surely_accepted
from mcp_contracts.schema.validators import Dialect, compile_schema, instance_errors
from mcp_contracts.schema.walk import SchemaNode

_MOST_JUDGED = 500


class _Value(NamedTuple):
    """A value that stands in a schema: where, and what messages call it."""

    pointer: str
    value: JsonValue
    subject: str


@rule("MC320", Severity.ERROR, since="0.1.0")
def unsatisfiable_schema(schema: ToolSchema) -> Iterator[Finding]:
    """Nothing can satisfy a schema.

    Limits, types or lists of values exclude each other, so every call is refused, or every result is wrong. Only what
    is certain is said: a contradiction that depends on a pattern, a format or a condition is not.
    """
    if schema.dialect is None:
        return
    for contradiction in contradictions(schema.nodes, schema.dialect):
        yield Finding(
            f"{contradiction.message}{in_place(contradiction.owner)}",
            "change one of the two",
            part=schema.part,
            pointer=contradiction.pointer,
        )


@rule("MC321", Severity.ERROR, since="0.1.0")
def value_refused_by_own_schema(schema: ToolSchema) -> Iterator[Finding]:
    """A default, an example or a listed value is refused by the schema that it stands in.

    One of the two is wrong. A model copies examples and leaves defaults to the server, and both then fail; a value of
    `enum` that another keyword refuses can never be sent.
    """
    judged = 0
    for node in schema.nodes:
        for values in _values(node, schema.dialect):
            doubtful = [value for value in values if not is_surely_accepted(value.value, node.value)]
            if not doubtful or judged >= _MOST_JUDGED:
                continue
            judged += len(doubtful)
            if node.pointer not in _impossible(schema):
                yield from _refused(schema, node, doubtful[:_MOST_JUDGED])


def _values(node: SchemaNode, dialect: Dialect | None) -> Iterator[list[_Value]]:
    """The values of a subschema that it must accept itself, together where one finding can speak of them."""
    if dialect is Dialect.DRAFT_7 and "$ref" in node.value:
        return
    if "default" in node.value:
        yield [_Value(f"{node.pointer}/default", node.value["default"], "default")]
    if "const" in node.value:
        yield [_Value(f"{node.pointer}/const", node.value["const"], "const")]
    for keyword, subject in (("examples", "example"), ("enum", "enum value")):
        listed = node.value.get(keyword)
        if isinstance(listed, list):
            yield [_Value(f"{node.pointer}/{keyword}/{index}", item, subject) for index, item in enumerate(listed)]


def _impossible(schema: ToolSchema) -> set[str]:
    """The subschemas that nothing satisfies: their values are refused for that alone."""
    found = contradictions(schema.nodes, schema.dialect) if schema.dialect is not None else ()
    return {contradiction.owner for contradiction in found}


def _refused(schema: ToolSchema, node: SchemaNode, values: list[_Value]) -> Iterator[Finding]:
    """One finding on the first value that is refused, with the number of the others."""
    compiled = compile_schema(schema.value, node.pointer)
    name = name_of(node.pointer)
    owner = f" of `{name}`" if name is not None else ""
    found: Finding | None = None
    more = 0
    for pointer, value, subject in values:
        errors = instance_errors(compiled, value, subject=f"the {subject}{owner}").errors
        if not errors:
            continue
        if found is not None:
            more += 1
            continue
        first = errors[0]
        inner = f"the {subject}{owner} is refused by its own schema: " if first.pointer else ""
        hint = _cure(subject, value)
        found = Finding(f"{inner}{first.message}", hint, part=schema.part, pointer=f"{pointer}{first.pointer}")
    if found is not None:
        message = f"{found.message} (and {more} more like it)" if more else found.message
        yield Finding(message, found.hint, part=found.part, pointer=found.pointer)


def _cure(subject: str, value: JsonValue) -> str:
    if subject == "default" and value is None:
        return "leave the default out, or allow `null` in `type`"
    return f"correct the {subject} or the schema"
