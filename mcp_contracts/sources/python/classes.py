"""Rebuilds classes from their syntax: enums, dataclasses, typed dictionaries, named tuples and pydantic models.

A class gets its fields, its docstring and its configuration, but no methods, so that none of its code can run.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import types
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import pydantic
import typing_extensions

from mcp_contracts.records import dataclass
from mcp_contracts.sources.python.annotations import last_word
from mcp_contracts.sources.python.index import ModuleDefinition
from mcp_contracts.sources.python.known import find_known
from mcp_contracts.sources.python.types import MOST_VALUES, Scope, Types, UnknownError

_DATACLASSES = frozenset(("dataclasses.dataclass", "pydantic.dataclasses.dataclass"))
_NAMED_TUPLES = frozenset(("typing.NamedTuple", "typing_extensions.NamedTuple"))
_CONFIG = "model_config"
_CHANGES_SCHEMAS = frozenset(
    (
        *("__get_pydantic_core_schema__", "__get_pydantic_json_schema__", "__get_validators__", "__modify_schema__"),
        *("model_json_schema", "__new__", "_missing_", "_generate_next_value_"),
    )
)
_CHANGES_MODELS = frozenset(("computed_field", "model_serializer", "field_serializer"))


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    annotation: ast.expr
    default: ast.expr | None


def build_class(found: Types, defined: ModuleDefinition) -> object:
    """Return the class that a definition describes. Raises UnknownError for other kinds of classes."""
    node = defined.node
    if not isinstance(node, ast.ClassDef):
        raise UnknownError
    around = tuple(defined.path.removeprefix(f"{defined.module.name}.").split("."))
    scope = Scope(defined.module, around=around)
    _note_what_changes(found, node, scope)
    bases = [found.type_of(base, Scope(defined.module, around=around[:-1])) for base in node.bases]
    dataclass_call = _dataclass_call(found, node, scope)
    if dataclass_call is not None:
        return _dataclass(found, node, scope, bases, dataclass_call)
    if any(isinstance(base, type) and issubclass(base, enum.Enum) for base in bases):
        return _enum(found, node, scope, bases)
    if any(base is find_known("typing.TypedDict") or typing_extensions.is_typeddict(base) for base in bases):
        return _build_plain_class(found, node, scope, bases, defaults=False)
    if any(found.path(base, scope) in _NAMED_TUPLES for base in node.bases):
        return _build_plain_class(found, node, scope, bases, defaults=True)
    if any(isinstance(base, type) and issubclass(base, pydantic.BaseModel) for base in bases):
        return _model(found, node, scope, bases)
    raise UnknownError


def finish_classes(found: Types) -> None:
    """Resolve the references by name between the built models."""
    names = found.forward_names()
    for built in names.values():
        if issubclass(built, pydantic.BaseModel) and not built.__pydantic_complete__:
            built.model_rebuild(raise_errors=False, _types_namespace=names)


def _note_what_changes(found: Types, node: ast.ClassDef, scope: Scope) -> None:
    """Record methods that may change the schema of a class."""
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            names = {last_word(decorator) for decorator in statement.decorator_list}
            if statement.name in _CHANGES_SCHEMAS or names & _CHANGES_MODELS:
                found.note(
                    statement, scope, f"`{statement.name}` of `{node.name}` may change its schema, but is not run"
                )


def _dataclass_call(found: Types, node: ast.ClassDef, scope: Scope) -> Mapping[str, Any] | None:
    """Return the arguments of the decorator that makes a class a dataclass, or None."""
    for decorator in node.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        if found.path(decorator if call is None else call.func, scope) in _DATACLASSES:
            words = call.keywords if call is not None else []
            values = {str(word.arg): word.value for word in words if word.arg in ("kw_only", "frozen")}
            return {name: found.value_of(value, scope) for name, value in values.items()}
    return None


def _fields(node: ast.ClassDef) -> Iterator[_Field]:
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield _Field(statement.target.id, statement.annotation, statement.value)


def _members(node: ast.ClassDef, scope: Scope) -> dict[str, Any]:
    """Return the attributes of every class: its module and its docstring."""
    members: dict[str, Any] = {"__module__": scope.module.name, "__qualname__": ".".join(scope.around)}
    docstring = ast.get_docstring(node, clean=False)
    if docstring is not None:
        members["__doc__"] = docstring
    return members


def _own(members: Mapping[str, Any]) -> Any:
    return lambda namespace: namespace.update(members)


def _bases(bases: list[Any]) -> tuple[Any, ...]:
    """Return the bases that could be read."""
    known_bases = tuple(base for base in bases if base is not Any and base is not Protocol)
    return known_bases or (object,)


def _enum(found: Types, node: ast.ClassDef, scope: Scope, bases: list[Any]) -> object:
    members = [(name, found.value_of(value, scope)) for name, value in _assignments(node)]
    if len(members) > MOST_VALUES:
        raise UnknownError

    def fill(namespace: Any) -> None:
        for name, value in (*_members(node, scope).items(), *members):
            namespace[name] = value

    return types.new_class(node.name, tuple(bases), {}, fill)


def _assignments(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value


def _dataclass(found: Types, node: ast.ClassDef, scope: Scope, bases: list[Any], words: Mapping[str, Any]) -> object:
    """Return a dataclass. The class is created before its fields are read, because these may refer to it."""
    built = types.new_class(node.name, _bases(bases), {}, _own(_members(node, scope)))
    found.begin_class(".".join((scope.module.name, *scope.around)), built)
    annotations: dict[str, Any] = {}
    for field in _fields(node):
        annotations[field.name] = found.type_of(field.annotation, scope)
        if field.default is not None:
            setattr(built, field.name, found.default_of(field.default, scope, field.name))
    built.__annotations__ = annotations
    return dataclasses.dataclass(**words)(built)


def _build_plain_class(found: Types, node: ast.ClassDef, scope: Scope, bases: list[Any], *, defaults: bool) -> object:
    """Return a typed dictionary or a named tuple."""
    members = _members(node, scope)
    members["__annotations__"] = {field.name: found.type_of(field.annotation, scope) for field in _fields(node)}
    if defaults:
        stated = ((field.name, field.default) for field in _fields(node) if field.default is not None)
        members |= {name: found.default_of(default, scope, name) for name, default in stated}
    words = {str(word.arg): found.value_of(word.value, scope) for word in node.keywords if word.arg == "total"}
    return types.new_class(node.name, tuple(bases), words, _own(members))


def _model(found: Types, node: ast.ClassDef, scope: Scope, bases: list[Any]) -> object:
    found.begin_class(".".join((scope.module.name, *scope.around)))
    members = _members(node, scope)
    annotations: dict[str, Any] = {}
    for field in _fields(node):
        if field.name == _CONFIG:
            continue
        annotations[field.name] = found.type_of(field.annotation, scope)
        if field.default is not None:
            members[field.name] = found.default_of(field.default, scope, field.name)
    members["__annotations__"] = annotations
    for name, value in _assignments(node):
        if name == _CONFIG:
            try:
                members[_CONFIG] = found.value_of(value, scope)
            except UnknownError:
                found.note(value, scope, f"the configuration of `{node.name}` is computed when the code runs")
    words = {str(word.arg): found.value_of(word.value, scope) for word in node.keywords if word.arg != "metaclass"}
    return types.new_class(node.name, tuple(base for base in bases if base is not Any), words, _own(members))
