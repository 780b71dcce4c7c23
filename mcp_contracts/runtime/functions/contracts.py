"""Derive a contract from a function's signature and docstring.

The registry passes live functions, and the source `python:` passes functions that it only parses; both get the same
contract.
"""

from __future__ import annotations

import inspect
import json
import re
import types
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Coroutine,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from typing import Annotated, Any, Literal, Never, NoReturn, Union, get_args, get_origin

import pydantic
from pydantic import TypeAdapter
from pydantic.errors import PydanticUserError
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import PydanticSerializationError

from mcp_contracts.contract import (
    Effects,
    ErrorType,
    JsonValue,
    Locator,
    SchemaOrigin,
    SchemaPart,
    Status,
    ToolContract,
)
from mcp_contracts.diagnostics import Place
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import TOOL_NAME_PATTERN, MCPToolResult
from mcp_contracts.runtime.base64_bytes import MARK, base64_length
from mcp_contracts.runtime.blocks import may_be_blocks
from mcp_contracts.runtime.context import Progress
from mcp_contracts.runtime.functions.conversions import adapter_of
from mcp_contracts.runtime.functions.docstrings import Documentation
from mcp_contracts.runtime.functions.parameters import Parameter, Signature
from mcp_contracts.runtime.outcomes import NoChangeNeeded, PartialSuccess
from mcp_contracts.runtime.tools import ToolFacts
from mcp_contracts.schema.validation.validators import compile_schema
from mcp_contracts.schema.walk import subschemas
from mcp_contracts.tool_names import fit_name
from mcp_contracts.version_ranges import Version

_Schema = dict[str, JsonValue]

_STATES = ("experimental", "stable", "deprecated")
_OUTCOMES = (NoChangeNeeded, PartialSuccess, MCPToolResult, Progress)
"""Types that a function may return or yield in addition to its result."""
_ITERATORS = (AsyncGenerator, AsyncIterator, AsyncIterable, Generator, Iterator, Iterable)


def function_contract(
    signature: Signature,
    documentation: Documentation,
    written_name: str,
    place: Place,
    locator: Locator,
    facts: ToolFacts,
) -> tuple[ToolContract, bool]:
    """Return the contract of a function, and whether its result belongs under `result`.

    `written_name` is `module.function` as in the code, and is used if `facts` contain no name. Raises UsageError if the
    signature or one of the facts cannot be used.
    """
    name, description, status = facts.get("name"), facts.get("description"), facts.get("status")
    fitted_name = fit_name(written_name)
    source_name = None if name is not None or fitted_name == written_name else written_name
    tool_name = fitted_name if name is None else _check_name(name)
    output, wraps_result = _output_schema(signature, documentation)
    version, effects = facts.get("version"), facts.get("effects")
    if version is not None and (not isinstance(version, str) or Version.parse(version) is None):
        raise UsageError(f"`{version}` is not a semantic version", hint="write it as `1.2.3`")
    if status is not None and status not in _STATES:
        raise UsageError(f"`{status}` is not a status", hint="use `experimental`, `stable` or `deprecated`")
    if effects is not None and not isinstance(effects, Effects):
        raise UsageError(f"`effects` cannot be {effects!r}", hint='write it as `Effects(change="read-only")`')
    contract = ToolContract(
        tool_name,
        place,
        module=tool_name.rpartition(".")[0],
        source_name=source_name,
        title=facts.get("title"),
        version=version,
        description=documentation.text if description is None else description,
        status=None if status is None else Status(status),
        effects=effects,
        category=facts.get("category"),
        tags=_check_texts("tags", facts.get("tags", ())),
        optional=facts.get("optional"),
        use_when=facts.get("use_when"),
        channels=_check_texts("channels", facts.get("channels", ())),
        input=SchemaPart("input", _input_schema(signature, documentation), SchemaOrigin.SCHEMA, locator),
        output=None if output is None else SchemaPart("output", output, SchemaOrigin.SCHEMA, locator),
        errors=tuple(ErrorType(error, when, place) for error, when in documentation.raises),
        idempotent=facts.get("idempotent"),
    )
    _refuse_unusable(signature, contract)
    return contract, wraps_result


def _refuse_unusable(signature: Signature, contract: ToolContract) -> None:
    for part in (contract.input, contract.output):
        refusal = None if part is None else compile_schema(part.value).refusal
        if part is not None and refusal is not None:
            raise UsageError(
                f"the {part.part} schema of {signature.subject} cannot be used: {refusal.message}"
                + (f" (at `{refusal.pointer}`)" if refusal.pointer else ""),
                hint="change the annotation, or the `Field` or `WithJsonSchema` that defines it",
            )


# Facts


def _check_name(name: str) -> str:
    if not isinstance(name, str) or not re.fullmatch(TOOL_NAME_PATTERN, name):
        raise UsageError(
            f"`{name}` is not a valid tool name",
            hint="use lowercase letters, digits and `_` in two or more parts, such as `weather.get_forecast`",
        )
    return name


def _check_texts(name: str, texts: Sequence[str] | set[str]) -> tuple[str, ...]:
    if isinstance(texts, str):
        raise UsageError(f"`{name}` is a string, not a sequence of strings", hint=f'write it as `{name}=("{texts}",)`')
    return tuple(sorted(texts) if isinstance(texts, set | frozenset) else texts)


# Schemas


class _Generator(GenerateJsonSchema):
    """Pydantic's generator without the titles that it derives from the names of fields."""

    # It would warn about defaults that JSON cannot represent; they are omitted.
    ignored_warning_kinds = GenerateJsonSchema.ignored_warning_kinds | {"non-serializable-default"}

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Use only titles that the author wrote."""
        return False

    def bytes_schema(self, schema: Any) -> dict[str, Any]:
        """Describe bytes whose JSON form is base64 as such; bounds are those of the text."""
        if MARK not in schema.get("metadata", {}):
            return super().bytes_schema(schema)
        found: dict[str, Any] = {"type": "string", "contentEncoding": "base64"}
        for bound, keyword in (("min_length", "minLength"), ("max_length", "maxLength")):
            if bound in schema:
                found[keyword] = base64_length(schema[bound])
        return found


def _input_schema(signature: Signature, documentation: Documentation) -> _Schema:
    takers = list(signature.parameters)
    if signature.rest is not None:
        takers.append(signature.rest)
    adapters = {taker.name: _adapter(taker, signature.subject) for taker in takers}
    schemas, definitions = _schemas(adapters, "validation", signature.subject)
    properties: _Schema = {}
    required: list[JsonValue] = []
    for parameter in signature.parameters:
        schema = schemas[parameter.name]
        if "description" not in schema and documentation.parameters.get(parameter.name):
            schema["description"] = documentation.parameters[parameter.name]
        if parameter.default is None:
            required.append(parameter.property_name)
        else:
            schema.update(_default_of(parameter, adapters[parameter.name]))
        properties[parameter.property_name] = schema
    result: _Schema = {"type": "object", "properties": properties}
    if required:
        result["required"] = required
    result["additionalProperties"] = False
    if signature.rest is not None:
        schema = schemas[signature.rest.name]
        result["additionalProperties"] = schema or True
    return _with_definitions(result, definitions)


def _adapter(parameter: Parameter, subject: str) -> TypeAdapter[Any]:
    named = f"parameter `{parameter.name}` of {subject}"
    if parameter.unresolved is not None:
        raise _unresolved_error(named, parameter.unresolved)
    annotation, field = parameter.annotation, parameter.field
    if field is not None:
        said = {
            key: getattr(field, key)
            for key in ("title", "description", "examples", "deprecated", "json_schema_extra")
            if getattr(field, key) is not None
        }
        annotation = Annotated[annotation, pydantic.Field(**said)] if said else annotation
    return adapter_of(annotation, named)


def _unresolved_error(named: str, annotation: str) -> UsageError:
    return UsageError(
        f"the annotation `{annotation}` of {named} cannot be resolved",
        hint="define or import its names at the top of the module, not under `if TYPE_CHECKING:` or in a function",
    )


def _schemas(
    adapters: Mapping[str, TypeAdapter[Any]], mode: Literal["validation", "serialization"], subject: str
) -> tuple[dict[str, _Schema], _Schema]:
    """Return the schema of each adapter by its name, and the definitions that they share."""
    for name, adapter in adapters.items():
        try:
            adapter.json_schema(mode=mode, schema_generator=_Generator)
        except (PydanticUserError, TypeError, ValueError) as error:  # the last two for keys of different types
            named = f"parameter `{name}`" if mode == "validation" else "the result"
            raise UsageError(
                f"no JSON Schema describes the type of {named} of {subject}",
                hint="annotate it with a JSON type, a dataclass or a pydantic model, or add `pydantic.WithJsonSchema`",
            ) from error
    inputs = [(name, mode, adapter) for name, adapter in adapters.items()]
    found, shared = TypeAdapter.json_schemas(inputs, schema_generator=_Generator)
    definitions: _Schema = {key: _without_title(key, schema) for key, schema in shared.get("$defs", {}).items()}
    schemas = {name: dict(schema) for (name, _), schema in found.items()}
    for root in (*schemas.values(), *definitions.values()):
        for node in subschemas(root):
            if node.value.get("$ref") == "#/$defs/JsonValue" and definitions.get("JsonValue") == {}:
                del node.value["$ref"]  # any value, and easier to read without the reference
    return schemas, definitions


def _without_title(key: str, schema: JsonValue) -> JsonValue:
    """Remove a title that only repeats the name of its class."""
    title = schema.get("title") if isinstance(schema, dict) else None
    if isinstance(schema, dict) and isinstance(title, str) and re.sub(r"[^\w.-]", "_", title) in key:
        return {name: value for name, value in schema.items() if name != "title"}
    return schema


def _with_definitions(schema: _Schema, definitions: _Schema) -> _Schema:
    """Return the schema with the definitions that it uses, sorted by name."""
    used: set[str] = set()
    reached: list[JsonValue] = [schema]
    while reached:
        for node in subschemas(reached.pop()):
            reference = node.value.get("$ref")
            key = reference.removeprefix("#/$defs/") if isinstance(reference, str) else ""
            if key in definitions and key not in used:
                used.add(key)
                reached.append(definitions[key])
    return {**schema, "$defs": {key: definitions[key] for key in sorted(used)}} if used else schema


def _default_of(parameter: Parameter, adapter: TypeAdapter[Any]) -> _Schema:
    """Return the default of a parameter as JSON, unless JSON or its type cannot represent it (`x: int = None`)."""
    if parameter.default is None or (parameter.field is not None and parameter.field.default_factory is not None):
        return {}
    try:
        written = adapter.dump_python(parameter.default(), mode="json", warnings=False)
        text = json.dumps(written, allow_nan=False)
        adapter.validate_json(text, strict=True)
    except (ValueError, TypeError, RecursionError, PydanticSerializationError):
        return {}
    return {"default": json.loads(text)}


# The result


def _output_schema(signature: Signature, documentation: Documentation) -> tuple[_Schema | None, bool]:
    """Return the schema of a function's data if it is annotated, and whether the value belongs under `result`."""
    if signature.unresolved_return is not None:
        raise _unresolved_error(f"the result of {signature.subject}", signature.unresolved_return)
    annotation = _result_type(_yielded_type(signature.returns) if signature.is_generator else signature.returns)
    if annotation in (inspect.Parameter.empty, Any, object, None, types.NoneType, Never, NoReturn):
        return None, False
    if may_be_blocks(annotation):
        return None, False
    adapter = adapter_of(annotation, f"the result of {signature.subject}")
    schemas, definitions = _schemas({"result": adapter}, "serialization", signature.subject)
    schema = schemas["result"]
    reference = schema.get("$ref")
    target = definitions.get(reference.removeprefix("#/$defs/")) if isinstance(reference, str) else schema
    is_object = isinstance(target, dict) and target.get("type") == "object"
    if is_object and isinstance(target, dict):
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        schema = {**target, **beside}
    if documentation.returns:
        schema = {**schema, "description": documentation.returns}
    if not is_object:
        schema = {
            "type": "object",
            "properties": {"result": schema},
            "required": ["result"],
            "additionalProperties": False,
        }
    return _with_definitions(schema, definitions), not is_object


def _yielded_type(annotation: Any) -> Any:
    """Return the type of a generator's result: of what it returns, or else of what it yields."""
    if get_origin(annotation) not in _ITERATORS:
        return Any
    yielded, *others = get_args(annotation)
    returned = others[1] if get_origin(annotation) is Generator and len(others) == 2 else None
    return yielded if returned in (None, types.NoneType) else returned


def _result_type(annotation: Any) -> Any:
    """Return the type of a function's data: without awaitables, `NoChangeNeeded` and similar outcomes."""
    if get_origin(annotation) in (Awaitable, Coroutine):
        return _result_type(get_args(annotation)[-1])
    if get_origin(annotation) not in (Union, types.UnionType):
        return None if annotation in _OUTCOMES else annotation
    left = [member for member in get_args(annotation) if member not in _OUTCOMES]
    return Union[tuple(left)] if left else None  # noqa: UP007 - of a tuple
