"""Rules about the validity of a schema: dialect, root, keywords, types, meta-schema (MC307 to MC311)."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, SchemaOrigin, SchemaPart, SourceFile, SpecFile
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.rules.base import ToolSchema, rule
from mcp_contracts.rules.schemas.misspelled import (
    FORMATS,
    is_silently_ignored,
    nearest_format,
    nearest_keyword,
    nearest_type,
)
from mcp_contracts.rules.schemas.names import name_of, of_place
from mcp_contracts.rules.schemas.required import misspelled_properties
from mcp_contracts.rules.tables.cells import unreadable_types
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.dialects import Dialect
from mcp_contracts.schema.references import follow
from mcp_contracts.schema.simple import as_list
from mcp_contracts.schema.validation.explanations import SchemaError
from mcp_contracts.schema.validation.plain import compiles
from mcp_contracts.schema.vocabulary import ALTERNATIVES, KEYWORDS, TYPES, VOCABULARY
from mcp_contracts.schema.walk import SchemaNode, nodes_by_keyword, shared_subschemas
from mcp_contracts.schema.wording import one_of, shown_value, type_names

_LITERAL = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?|true|false")
_DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema"


@rule("MC307", Severity.ERROR, since="0.1.0")
def invalid_schema(schema: ToolSchema) -> Iterator[Finding]:
    """A schema does not conform to the meta-schema of its dialect.

    A keyword has a value of the wrong kind. Validators, servers and clients reject the whole schema. MCP requires
    schemas to be valid according to their dialect (2026-07-28, basic, JSON Schema usage).
    """
    if compiles(schema.value):
        return
    from mcp_contracts.schema.validation.validators import schema_errors  # few schemas are invalid

    errors = [error for error in schema_errors(schema.value) if not _states_unknown_type(schema.value, error)]
    for error in errors:
        owner = error.pointer.rpartition(f"/{escape(error.keyword)}")[0]
        message = error.message.replace(f"`{error.keyword}`", f"`{error.keyword}`{of_place(owner)}", 1)
        yield schema.finding(message, _hint_for_error(schema, error), error.pointer)


@rule("MC308", Severity.ERROR, since="0.1.0")
def unknown_type(file: SourceFile) -> Iterator[Finding]:
    """A type is not a JSON Schema type.

    The types are string, number, integer, boolean, object, array and null. Validators reject a schema with any other
    type, and models interpret it arbitrarily.
    """
    if isinstance(file, SpecFile):
        for tool in file.tools:
            yield from unreadable_types(tool)
    for contract in file.contracts:
        for part in (contract.input, contract.output):
            # A schema that compiles has only known types.
            if part is not None and not compiles(part.value):
                yield from _unknown_types(part)


@rule("MC309", Severity.WARNING, since="0.1.0")
def unknown_keyword(schema: ToolSchema) -> Iterator[Finding]:
    """An unknown keyword resembles a known one.

    Validators ignore unknown keywords, so a misspelled `minLength` or `required` has no effect. The same applies to a
    `format` such as `datetime`, which is spelled `date-time`. A flag such as `"optional": true` has no effect either:
    the object's `required` lists what must be sent. `"nullable": true` is the syntax of OpenAPI 3.0: validators still
    reject null, and `diff` compares the schema without it. A property that is written beside `type` rather than in
    `properties` is such a keyword too. Extensions (`x-…`) and the keywords and formats of other
    vocabularies are not reported.
    """
    dialect = schema.dialect
    if dialect is None:
        return
    known = KEYWORDS[dialect]
    keywords = nodes_by_keyword(schema.value).keys()
    if "format" not in keywords and known.issuperset(keywords):
        return
    for node in schema.nodes:
        stated = node.value.get("format")
        if isinstance(stated, str) and (meant := nearest_format(stated)) is not None:
            message = f"format `{show(stated)}`{of_place(node.pointer)} is unknown and ignored"
            yield schema.finding(message, f"write `{meant}`", f"{node.pointer}/format")
        if known.issuperset(node.value):
            continue
        bare = _bare_properties(node, known) if schema.origin is SchemaOrigin.SCHEMA else []
        if bare:
            message = f"`{show(bare[0])}`{of_place(node.pointer)} is not in `properties`, so it is ignored"
            names = one_of([f"`{show(name)}`" for name in bare[:3]], "and", total=len(bare))
            yield schema.finding(
                message, f"put {names} in `properties`", f"{node.pointer}/{escape(bare[0])}", on_key=True
            )
        for keyword in node.value:
            if keyword in bare:
                continue
            if keyword in known or keyword == misspelled_properties(node, dialect):
                continue  # MC302 reports a misspelled `properties`, with the names that it leaves undefined
            if is_silently_ignored(keyword, dialect):
                message = f"keyword `{keyword}`{of_place(node.pointer)} has no effect in {dialect}"
                hint = f'write `"$schema": "{_DEFAULT_DIALECT}"` at the root: that dialect supports it'
            elif keyword in _FLAGS and node.role == "property" and isinstance(node.value[keyword], bool):
                if schema.origin is not SchemaOrigin.SCHEMA:
                    continue  # a map of properties, which is not a schema
                message = f"keyword `{keyword}`{of_place(node.pointer)} is unknown and ignored"
                hint = _hint_for_flag(schema, node, is_optional=node.value[keyword] is _FLAGS[keyword])
            elif keyword == "nullable" and node.value[keyword] is True:
                stated = node.value.get("type")
                branches = [one for word in ALTERNATIVES for one in as_list(node.value.get(word))]
                is_accepted = {"type": "null"} in branches or (isinstance(stated, list) and "null" in stated)
                if schema.origin is not SchemaOrigin.SCHEMA or is_accepted:
                    continue
                message = f"keyword `{keyword}`{of_place(node.pointer)} is unknown and ignored"
                hint = "to accept null, add `null` to the allowed types"
                if isinstance(stated, str) and stated in TYPES:
                    hint = f'to accept null, write `"type": ["{stated}", "null"]`'
            elif (near := nearest_keyword(keyword, dialect)) is not None:
                message = f"keyword `{show(keyword)}`{of_place(node.pointer)} is unknown and ignored"
                hint = f"write `{near}`" if near not in node.value else f"remove it: `{near}` already exists"
            else:
                continue
            pointer = f"{node.pointer}/{escape(keyword)}"
            yield schema.finding(message, hint, pointer, on_key=True)


def _bare_properties(node: SchemaNode, known: AbstractSet[str]) -> list[str]:
    """Return the unknown keywords of an object without `properties` whose values are schemas with types."""
    if "properties" in node.value or node.value.get("type", "object") != "object":
        return []
    return [
        keyword
        for keyword, value in node.value.items()
        if keyword not in known
        and not keyword.startswith(("x-", "$"))
        and isinstance(value, dict)
        and isinstance(kind := value.get("type"), str)
        and kind in TYPES
    ]


_FLAGS = {"optional": True, "isOptional": True, "mandatory": False, "isMandatory": False}
"""Keywords that people write next to a property, with the value that makes it optional."""


def _hint_for_flag(schema: ToolSchema, node: SchemaNode, *, is_optional: bool) -> str:
    holder = follow(schema.value, node.pointer.rpartition("/properties/")[0])
    required = holder.get("required") if isinstance(holder, dict) else None
    is_listed = isinstance(required, list) and node.name in required
    name = show(node.name or "")
    if is_optional and is_listed:
        return f"remove it, and remove `{name}` from `required` of the enclosing object"
    if not is_optional and not is_listed:
        return f'remove it, and list the name in `"required": ["{name}"]` of the enclosing object'
    return "remove it: only properties in `required` must be sent"


@rule("MC338", Severity.WARNING, since="0.2.0", needs=["type"])
def keyword_without_effect(schema: ToolSchema) -> Iterator[Finding]:
    """A keyword does not apply to the type next to it.

    `minLength` only limits strings, and `minimum` only numbers. Next to another `type`, validators accept them but
    check nothing: either the type is wrong, or the intended limit is missing.
    """
    for node in schema.having("type") if schema.dialect is not None else ():
        stated = node.value["type"]
        if isinstance(stated, str) and _OF_OTHER_TYPES.get(stated, _NO_KEYWORDS).isdisjoint(node.value):
            continue
        listed = stated if isinstance(stated, list) else [stated]
        types = {one for one in listed if isinstance(one, str) and one in TYPES}
        if not types or len(types) < len(listed):
            continue
        for keyword in node.value:
            value = node.value[keyword]
            is_format = keyword == "format" and isinstance(value, str) and value in FORMATS
            meant = ("string",) if is_format else _FOR_TYPES.get(keyword)
            if meant is None or not types.isdisjoint(meant) or (keyword == "required" and isinstance(value, bool)):
                continue  # MC307 reports the boolean, with a suggestion
            message = f"`{keyword}`{of_place(node.pointer)} has no effect: the type is {type_names(types)}"
            hint = f"remove it, or fix the type: it only applies to values of type {type_names(meant[:1])}"
            pointer = f"{node.pointer}/{escape(keyword)}"
            yield schema.finding(message, hint, pointer, on_key=True)


_FOR_TYPES = {
    row.name: (*row.types, *(("integer",) if "number" in row.types else ())) for row in VOCABULARY if row.types
}
_NO_KEYWORDS: frozenset[str] = frozenset()
_OF_OTHER_TYPES = {
    kind: frozenset(keyword for keyword, types in _FOR_TYPES.items() if kind not in types)
    | (frozenset() if kind == "string" else {"format"})
    for kind in TYPES
}
"""The keywords that may have no effect with each type."""


@rule("MC310", Severity.ERROR, since="0.1.0", needs=["$schema"])
def unsupported_dialect(schema: ToolSchema) -> Iterator[Finding]:
    """A schema uses an unsupported dialect.

    Draft-07 and 2020-12 are supported; 2020-12 is the default (MCP, SEP-1613). In another dialect, the same keywords
    may have other meanings, so the schema itself is not checked. Examples and defaults are only checked if the dialect
    is another draft of JSON Schema.
    """
    if schema.dialect is None and isinstance(schema.value, dict):
        yield schema.finding(
            f"`$schema` is {shown_value(schema.value['$schema'])}, a dialect that is not supported",
            f"write `{_DEFAULT_DIALECT}`, or omit `$schema`",
            "/$schema",
        )


@rule("MC311", Severity.ERROR, since="0.1.0")
def root_not_object(schema: ToolSchema) -> Iterator[Finding]:
    """The input schema does not have the type object.

    Arguments are passed by name, so MCP requires a literal `"type": "object"` at the root of every input schema; a
    reference or an alternative is not enough (2025-11-25 and 2026-07-28, server/tools). Official clients reject a
    server's whole list if one tool lacks it.
    """
    if schema.part != "input" or schema.value is None:
        return
    hint = 'write `"type": "object"` at the root, and the parameters under `properties`'
    if not isinstance(schema.value, dict):
        message = f"the input schema is {shown_value(schema.value)}, not an object schema"
        yield schema.finding(message, hint, "")
    elif "type" not in schema.value:
        yield schema.finding('the input schema does not declare `"type": "object"`', hint, "")
    elif schema.value["type"] != "object":
        message = f"the type of the input schema is {shown_value(schema.value['type'])}, not `object`"
        yield schema.finding(message, hint, "/type")


def _unknown_types(part: SchemaPart) -> Iterator[Finding]:
    for node in shared_subschemas(part.value):
        stated = node.value.get("type")
        pointer = f"{node.pointer}/type"
        if isinstance(stated, str) and stated not in TYPES:
            yield _unknown(part, stated, pointer)
        elif isinstance(stated, list):
            for index, item in enumerate(stated):
                if isinstance(item, str) and item not in TYPES:
                    yield _unknown(part, item, f"{pointer}/{index}")


def _unknown(part: SchemaPart, stated: str, pointer: str) -> Finding:
    near = nearest_type(stated)
    if near is not None:
        hint = f"write `{near}`"
    elif stated.lower() == "any":
        hint = "omit `type` if any value is allowed"
    else:
        hint = "use one of string, number, integer, boolean, object, array and null"
    owner = pointer.removesuffix("/type") if pointer.endswith("/type") else pointer.rpartition("/type/")[0]
    message = f"type `{show(stated)}`{of_place(owner)} is not a JSON Schema type"
    return Finding(message, hint, part.locator.place(pointer), part.part, pointer)


def _states_unknown_type(schema: JsonValue, error: SchemaError) -> bool:
    """Whether a fault is an unknown type, which another rule reports."""
    if error.keyword != "type":
        return False
    stated = follow(schema, error.pointer)
    names = stated if isinstance(stated, list) else [stated]
    return any(isinstance(name, str) and name not in TYPES for name in names)


def _hint_for_error(schema: ToolSchema, error: SchemaError) -> str | None:
    value = follow(schema.value, error.pointer)
    owner = error.pointer.rpartition("/")[0]
    if error.keyword == "required" and isinstance(value, bool):
        name = name_of(owner)
        listed = f'`"required": ["{name.rpartition(".")[2]}"]`' if name else "`required`"
        return f"list the name in {listed} of the enclosing object" if value else "remove it"
    if error.keyword in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(value, bool):
        limit = error.keyword.replace("exclusiveM", "m")
        return f"write the limit itself (`{error.keyword}` instead of `{limit}`): a boolean is draft-04 syntax"
    if error.keyword == "items" and isinstance(value, list) and schema.dialect is Dialect.DRAFT_2020_12:
        return "write `prefixItems`, the keyword for a list of schemas since 2020-12"
    if (
        isinstance(value, str)
        and _LITERAL.fullmatch(value)
        and error.message.endswith(("number", "integer", "boolean"))
    ):
        return f"write `{value}`, without quotes"
    if isinstance(value, str) and owner.endswith("/properties"):
        known = nearest_type(value)
        return f'write `{{"type": "{known}"}}`' if known else "write a schema: an object with a `type`"
    return None
