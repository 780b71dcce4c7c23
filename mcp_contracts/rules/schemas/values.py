"""Rules about the values that a schema allows and states (MC320, MC321, MC325, MC327, MC328)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, SchemaPart, SourceFile, SpecFile, SpecTool
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.base import ToolSchema, rule
from mcp_contracts.rules.schemas.names import name_of, within
from mcp_contracts.rules.tables.cell_values import stated_value
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.conflicts.satisfiability import contradictions
from mcp_contracts.schema.dialects import Dialect
from mcp_contracts.schema.identity import cached_by_identity
from mcp_contracts.schema.simple import is_surely_accepted, value_key
from mcp_contracts.schema.validation.compiled import RefusalKind
from mcp_contracts.schema.walk import SchemaNode, nodes_by_keyword, shared_subschemas
from mcp_contracts.schema.wording import shown_value


@rule("MC328", Severity.WARNING, since="0.2.0", needs=["enum"])
def repeated_enum_value(schema: ToolSchema) -> Iterator[Finding]:
    """An `enum` lists a value twice.

    The duplicate has no effect. Usually, it replaced another value by mistake, and calls with that value are rejected.
    The values of an `enum` should be unique (JSON Schema 2020-12, validation, section 6.1.2).
    """
    for node in schema.having("enum"):
        values = node.value["enum"]
        if not isinstance(values, list):
            continue
        seen = set()
        for index, value in enumerate(values):
            key = value_key(value)
            if key in seen:
                name = name_of(node.pointer)
                of = f" of `{show(name)}`" if name else ""
                yield schema.finding(
                    f"the `enum`{of} lists {shown_value(value)} twice",
                    "remove it, or write the value that was meant",
                    f"{node.pointer}/enum/{index}",
                )
            seen.add(key)


_HOLDERS = frozenset({"default", "const", "examples", "enum"})
_MOST_JUDGED = 1_000
_MOST_WORK = 100_000


class _Value(NamedTuple):
    """A value in a schema: its pointer, and its name in messages."""

    pointer: str
    value: JsonValue
    subject: str


@rule("MC320", Severity.ERROR, since="0.1.0")
def unsatisfiable_schema(schema: ToolSchema) -> Iterator[Finding]:
    """No value can satisfy a schema.

    Limits, types or listed values contradict each other, so every call is rejected or every result is invalid. Only
    definite contradictions are reported. Patterns, formats and conditions are not considered.
    """
    if schema.dialect is None:
        return
    for contradiction in contradictions(schema.nodes, schema.dialect):
        yield schema.finding(
            f"{contradiction.message}{within(contradiction.owner)}",
            "change or remove one of them",
            contradiction.pointer,
        )


@rule("MC321", Severity.ERROR, since="0.1.0", needs=_HOLDERS)
def value_refused_by_own_schema(schema: ToolSchema) -> Iterator[Finding]:
    """A default, an example or a listed value does not match its own schema.

    One of the two is wrong. Models copy examples and leave defaults to the server, and both fail. A value of `enum`
    that another keyword rejects can never be sent. MC327 reports a default of null.
    """
    yield from _refused_values(schema, _doubtful_values(schema.value))


@rule("MC327", Severity.NOTE, since="0.2.0", needs=["default"])
def null_default_not_allowed(schema: ToolSchema) -> Iterator[Finding]:
    """A default is null, but null is not allowed.

    Some generators write `null` for a property without a default. A client that fills in defaults sends it, and the
    call is rejected.
    """
    null = (node for node in schema.having("default") if node.value["default"] is None)
    doubtful = ((node, _default(node)) for node in null if not is_surely_accepted(None, node.value))
    yield from _refused_values(schema, doubtful)


@rule("MC325", Severity.WARNING, since="0.2.0")
def required_property_with_default(file: SourceFile) -> Iterator[Finding]:
    """A required parameter has a default.

    The default suggests that the parameter may be omitted, but `required` rejects such a call. Models and clients
    follow one or the other. Only inputs are checked, because defaults mean nothing in a result.
    """
    for contract in file.contracts:
        if contract.input is not None:
            yield from _in_schema(contract.input)
    for tool in file.tools if isinstance(file, SpecFile) else ():
        yield from _in_table(tool)


def _in_schema(part: SchemaPart) -> Iterator[Finding]:
    keywords = nodes_by_keyword(part.value)
    for node in keywords.get("required", ()) if "default" in keywords else ():
        required, properties = node.value.get("required"), node.value.get("properties")
        if not isinstance(required, list) or not isinstance(properties, dict):
            continue
        for name in (name for name in required if isinstance(name, str)):
            value = properties.get(name)
            if isinstance(value, dict) and "default" in value and "const" not in value:
                pointer = f"{node.pointer}/properties/{escape(name)}"
                yield Finding(
                    f"`{name_of(pointer)}` is required but has a default",
                    "remove it from `required`, or remove the default",
                    part.locator.place(f"{pointer}/default", on_key=True),
                    part=part.part,
                    pointer=f"{pointer}/default",
                    on_key=True,
                )


_IN_CODE = re.compile(r"`[^`\s]+`")


def _in_table(tool: SpecTool) -> Iterator[Finding]:
    """Return the rows of a table or the items of a list that state both. Schemas are checked separately."""
    table, part = tool.input_table, tool.contract.input
    rows = [row for row in table.rows if row.required and row.default is not None] if table is not None else []
    reported = {finding.pointer for finding in _in_schema(part)} if rows and part is not None else set()
    for row in rows:
        pointer = "".join("/items" if step == "[]" else f"/properties/{escape(step)}" for step in row.path)
        if row.default is None or f"{pointer}/default" in reported:
            continue
        stated = stated_value(row.default.text)
        is_code = stated is None and _IN_CODE.fullmatch(row.default.text) is not None
        if is_code or (stated is not None and stated.value is not None):
            message = f"`{show(row.name)}` is required but has a default"
            hint = "make it optional, or remove the default"
            yield Finding(message, hint, row.default.place, part="input", pointer=f"{pointer}/default")


class UncheckedValues(NamedTuple):
    """Values that are not checked against their schema: the first pointer, the count, and the reason."""

    pointer: str
    many: int
    reason: str


def unjudged_values(schema: ToolSchema) -> Iterator[UncheckedValues]:
    """Yield the values of a schema that are not checked, because they exceed the bounds of this module or of the
    validator.
    """
    found = _judgments(schema, _doubtful_values(schema.value), is_explained=False)
    yield from (one for one in found if isinstance(one, UncheckedValues))


@cached_by_identity(16)  # two rules need them
def _doubtful_values(schema: JsonValue) -> Sequence[tuple[SchemaNode, list[_Value]]]:
    """Return the subschemas with values that they may reject."""
    holders = (node for node in shared_subschemas(schema) if not _HOLDERS.isdisjoint(node.value))
    return [(node, values) for node in holders for values in _doubtful(node)]


def _refused_values(schema: ToolSchema, doubtful: Iterable[tuple[SchemaNode, list[_Value]]]) -> Iterator[Finding]:
    """Yield findings for the values, among those that the schema may reject, that it does reject."""
    yield from (one for one in _judgments(schema, doubtful) if isinstance(one, Finding))


def _judgments(
    schema: ToolSchema, doubtful: Iterable[tuple[SchemaNode, list[_Value]]], *, is_explained: bool = True
) -> Iterator[Finding | UncheckedValues]:
    """Validate values. With `is_explained`, return findings, which are far slower to compute than verdicts."""
    impossible: set[str] | None = None
    work = 0
    for node, values in doubtful:
        if schema.dialect is Dialect.DRAFT_7 and "$ref" in node.value:
            continue
        # Each may compile the whole schema again, to resolve its references.
        work += len(schema.nodes)
        if work > _MOST_WORK:
            yield UncheckedValues(values[0].pointer, len(values), "the schema is too large")
            continue
        if impossible is None:
            impossible = _impossible(schema)
        if node.pointer not in impossible:
            yield from _judge_values(schema, node, values, is_explained=is_explained)


def _default(node: SchemaNode) -> list[_Value]:
    return [_Value(f"{node.pointer}/default", node.value["default"], "default")]


def _doubtful(node: SchemaNode) -> Iterator[list[_Value]]:
    """Yield the values of a subschema that it may reject, by keyword, except for a default of null."""
    schema = node.value
    if schema.get("default") is not None and not is_surely_accepted(schema["default"], schema):
        yield _default(node)
    if "const" in schema and not is_surely_accepted(schema["const"], schema):
        yield [_Value(f"{node.pointer}/const", schema["const"], "const")]
    for keyword, subject in (("examples", "example"), ("enum", "enum value")):
        listed = schema.get(keyword)
        if not isinstance(listed, list):
            continue
        others = {name: asked for name, asked in schema.items() if name != keyword}
        doubtful = [
            _Value(f"{node.pointer}/{keyword}/{index}", item, subject)
            for index, item in enumerate(listed)
            if not is_surely_accepted(item, others)
        ]
        if doubtful:
            yield doubtful


def _impossible(schema: ToolSchema) -> set[str]:
    """Return the subschemas that no value satisfies, which reject their values anyway."""
    found = contradictions(schema.nodes, schema.dialect) if schema.dialect is not None else ()
    return {contradiction.owner for contradiction in found}


def _judge_values(
    schema: ToolSchema, node: SchemaNode, values: list[_Value], *, is_explained: bool
) -> Iterator[Finding | UncheckedValues]:
    from mcp_contracts.schema.validation.lenient import compile_lenient  # most values are checked without it
    from mcp_contracts.schema.validation.validators import accepts, instance_errors

    compiled = compile_lenient(schema.value, node.pointer)
    if compiled.refusal is not None:
        if compiled.refusal.kind is not RefusalKind.DIALECT:  # MC310 reports it
            yield UncheckedValues(values[0].pointer, len(values), compiled.refusal.message)
        return
    name = name_of(node.pointer)
    owner = f" of `{name}`" if name is not None else ""
    for pointer, value, subject in values[:_MOST_JUDGED]:
        if not is_explained and accepts(compiled, value) is not None:
            continue
        outcome = instance_errors(compiled, value, subject=f"the {subject}{owner}")
        if outcome.unknown is not None:
            yield UncheckedValues(pointer, 1, outcome.unknown)
        if not outcome.errors:
            continue
        first = outcome.errors[0]
        inner = f"the {subject}{owner} is rejected by its own schema: " if first.pointer else ""
        hint = _hint_for_value(subject, value)
        yield schema.finding(f"{inner}{first.message}", hint, f"{pointer}{first.pointer}")
    if len(values) > _MOST_JUDGED:
        reason = f"only the first {_MOST_JUDGED:,} are checked"
        yield UncheckedValues(values[_MOST_JUDGED].pointer, len(values) - _MOST_JUDGED, reason)


def _hint_for_value(subject: str, value: JsonValue) -> str:
    if subject == "default" and value is None:
        return "remove the default, or allow `null` in `type`"
    return f"fix the {subject} or the schema"
