"""Read annotations: the JSON values that an annotation accepts, as a JSON Schema, and its metadata."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass, field

if TYPE_CHECKING:
    import griffe

ANYTHING: JsonValue = True
"""The schema of an annotation that accepts anything or is unknown."""

_MAXIMUM_DEPTH = 16
_MAXIMUM_TEXT = 2_000
_TYPING = ("typing.", "typing_extensions.")


def _table(types: Mapping[str | tuple[str, ...], str]) -> Mapping[str, JsonValue]:
    """Map each name in lists of names to its schema."""
    schemas: dict[str, JsonValue] = {}
    for kinds, names in types.items():
        kind: JsonValue = kinds if isinstance(kinds, str) else list(kinds)
        schemas.update((name, {"type": kind}) for name in names.split())
    return MappingProxyType(schemas)


# If a library converts a JSON value to one of these, as pydantic does, all kinds that it accepts are listed.
_PLAIN = _table(
    {
        "string": "builtins.str builtins.bytes typing.Text typing.LiteralString typing.AnyStr uuid.UUID pathlib.Path "
        "pathlib.PurePath pathlib.PosixPath pathlib.PurePosixPath pydantic.StrictStr pydantic.EmailStr pydantic.AnyUrl "
        "pydantic.HttpUrl pydantic.SecretStr",
        "integer": "builtins.int pydantic.StrictInt pydantic.PositiveInt pydantic.NonNegativeInt pydantic.NegativeInt "
        "pydantic.NonPositiveInt",
        "number": "builtins.float pydantic.StrictFloat pydantic.PositiveFloat pydantic.NonNegativeFloat "
        "pydantic.NegativeFloat pydantic.NonPositiveFloat",
        "boolean": "builtins.bool pydantic.StrictBool",
        "null": "types.NoneType",
        ("string", "number"): "datetime.date datetime.datetime datetime.time datetime.timedelta decimal.Decimal",
    }
)
_LISTS = frozenset(
    (
        *("builtins.list", "builtins.set", "builtins.frozenset", "typing.List", "typing.Set", "typing.FrozenSet"),
        *("typing.AbstractSet", "typing.MutableSet", "typing.MutableSequence", "typing.Deque", "collections.deque"),
        *("collections.abc.Set", "collections.abc.MutableSet", "collections.abc.MutableSequence"),
    )
)
_TUPLES = frozenset(("builtins.tuple", "typing.Tuple"))
_TEXTS_TOO = frozenset(("typing.Sequence", "collections.abc.Sequence"))
_MAPPINGS = frozenset(
    (
        *("builtins.dict", "typing.Dict", "typing.Mapping", "typing.MutableMapping", "typing.DefaultDict"),
        *("typing.OrderedDict", "typing.Counter", "collections.defaultdict", "collections.OrderedDict"),
        *("collections.Counter", "collections.abc.Mapping", "collections.abc.MutableMapping"),
    )
)
_TRANSPARENT = frozenset(("Required", "NotRequired", "ReadOnly", "Final"))
_ENUMS = frozenset(("enum.Enum", "enum.StrEnum", "enum.IntEnum", "enum.ReprEnum"))
_MIXED_IN = frozenset(("builtins.str", "builtins.int", "builtins.float"))
_CHANGES_VALUES = frozenset(("BeforeValidator", "PlainValidator", "WrapValidator", "PlainSerializer", "WrapSerializer"))
_CHANGES_MODELS = frozenset(("model_validator", "root_validator", "model_serializer"))
_MODEL_HOOKS = frozenset(("__get_pydantic_core_schema__", "__get_validators__", "__new__", "__init__", "_missing_"))


@dataclass(frozen=True, slots=True)
class Scope:
    """The lookup of names in an annotation.

    `path_of` returns the full path of a dotted name, or None; `definition` returns the object that is defined at a
    path. `hidden` are names that mean something else at this place than at the top of the module. `ignored` are the
    last parts of names that have no meaning in a schema.
    """

    path_of: Callable[[tuple[str, ...]], str | None]
    definition: Callable[[str], griffe.Object | None]
    hidden: Collection[str] = ()
    ignored: Collection[str] = field(default_factory=frozenset)

    def path(self, node: ast.expr) -> str | None:
        """Return the full path of a name in an annotation."""
        words = words_of(node)
        if not words or words[0] in self.hidden:
            return None
        path = self.path_of(words)
        for prefix in _TYPING:
            if path is not None and path.startswith(prefix):
                return f"typing.{path.removeprefix(prefix)}"
        return path


def alternatives(node: ast.expr | None, scope: Scope) -> tuple[JsonValue, ...] | None:
    """Return a schema for each alternative of an annotation, except ignored ones; None if one may be anything."""
    if node is None:
        return None
    found: list[JsonValue] = []
    for part in _parts(node, scope, 0):
        if part is None:
            return None
        words = words_of(part.value if isinstance(part, ast.Subscript) else part)
        if words and words[-1] in scope.ignored:
            continue
        schema = _schema(part, scope, 1)
        if schema is True:
            return None
        found.append(schema)
    return tuple(found)


def accepted_schema(node: ast.expr | None, scope: Scope) -> JsonValue:
    """Return a schema of all JSON values that an annotation accepts; `True` if it may accept any."""
    return ANYTHING if node is None else _schema(node, scope, 0)


def parse_quoted(node: ast.expr) -> ast.expr | None:
    """Parse an annotation that is written as a string; None if the string is not an annotation."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return node
    if len(node.value) > _MAXIMUM_TEXT:
        return None
    try:
        return ast.parse(node.value.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def literal(node: ast.expr | None) -> tuple[bool, JsonValue]:
    """Return whether an expression is a literal JSON value, and the value; a tuple is an array."""
    if node is None:
        return False, None
    try:
        value = ast.literal_eval(node)
        text = json.dumps(value, allow_nan=False)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False, None
    return True, json.loads(text)


def metadata(node: ast.expr | None, scope: Scope) -> Iterator[ast.expr]:
    """Yield the metadata after the type in `Annotated[…]`."""
    node = None if node is None else parse_quoted(node)
    if isinstance(node, ast.Subscript) and scope.path(node.value) == "typing.Annotated":
        first, *others = _arguments(node)
        yield from others
        yield from metadata(first, scope)


def names(node: ast.expr | None, scope: Scope) -> Iterator[str]:
    """Yield the last part of the full path of each name in an annotation; as written if the path is unknown."""
    node = None if node is None else parse_quoted(node)
    for inner in ast.walk(node) if node is not None else ():
        if isinstance(inner, ast.Name | ast.Attribute):
            words = words_of(inner)
            path = scope.path(inner)
            yield (path or ".".join(words)).rpartition(".")[2]


def _schema(node: ast.expr, scope: Scope, depth: int) -> JsonValue:
    schemas = []
    for part in _parts(node, scope, depth):
        schema = ANYTHING if part is None else _of_part(part, scope, depth + 1)
        if schema is True:
            return ANYTHING
        if schema not in schemas:
            schemas.append(schema)
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas} if schemas else ANYTHING


def _parts(node: ast.expr, scope: Scope, depth: int) -> Iterator[ast.expr | None]:
    """Yield the alternatives of a union, or the annotation itself; None for an unreadable part."""
    read = parse_quoted(node)
    if read is None or depth > _MAXIMUM_DEPTH:
        yield None
    elif isinstance(read, ast.BinOp) and isinstance(read.op, ast.BitOr):
        yield from _parts(read.left, scope, depth + 1)
        yield from _parts(read.right, scope, depth + 1)
    elif isinstance(read, ast.Subscript) and scope.path(read.value) in ("typing.Optional", "typing.Union"):
        for argument in _arguments(read):
            yield from _parts(argument, scope, depth + 1)
        if scope.path(read.value) == "typing.Optional":
            yield ast.Constant(None)
    elif isinstance(read, ast.Subscript) and scope.path(read.value) == "typing.Annotated":
        first, *others = _arguments(read)
        is_changed = any(last_word(other) in _CHANGES_VALUES for other in others)
        yield from (None,) if is_changed else _parts(first, scope, depth + 1)
    else:
        yield read


def _of_part(node: ast.expr, scope: Scope, depth: int) -> JsonValue:
    if depth > _MAXIMUM_DEPTH:
        return ANYTHING
    if isinstance(node, ast.Constant):
        return {"type": "null"} if node.value is None else ANYTHING
    if isinstance(node, ast.Subscript):
        return _of_subscript(node, scope, depth)
    path = scope.path(node)
    return ANYTHING if path is None else _of_name(path, scope, depth)


def _of_subscript(node: ast.Subscript, scope: Scope, depth: int) -> JsonValue:
    path = scope.path(node.value)
    arguments = _arguments(node)
    if path is None or not arguments:
        return ANYTHING
    if path == "typing.Literal":
        return _of_values([literal(argument) for argument in arguments])
    if path.startswith("typing.") and path.removeprefix("typing.") in _TRANSPARENT:
        return _schema(arguments[0], scope, depth)
    if path in _LISTS or path in _TEXTS_TOO:
        return _of_list(path, _schema(arguments[0], scope, depth))
    if path in _TUPLES:
        is_endless = len(arguments) == 2 and isinstance(arguments[1], ast.Constant) and arguments[1].value is Ellipsis
        return _of_list(path, _schema(arguments[0], scope, depth) if is_endless else ANYTHING)
    if path in _MAPPINGS:
        values = _schema(arguments[1], scope, depth) if len(arguments) == 2 else ANYTHING
        return {"type": "object"} if values is True else {"type": "object", "additionalProperties": values}
    return ANYTHING


def _of_name(path: str, scope: Scope, depth: int) -> JsonValue:
    if path in _PLAIN:
        return _PLAIN[path]
    if path in _LISTS or path in _TUPLES or path in _TEXTS_TOO:
        return _of_list(path, ANYTHING)
    if path in _MAPPINGS:
        return {"type": "object"}
    defined = scope.definition(path)
    return ANYTHING if defined is None or not defined.is_class else _of_class(defined, scope, depth)  # type: ignore[arg-type]  # it is one


def _of_list(path: str, items: JsonValue) -> JsonValue:
    kind: JsonValue = ["array", "string"] if path in _TEXTS_TOO else "array"
    return {"type": kind} if items is True else {"type": kind, "items": items}


def _of_values(values: list[tuple[bool, JsonValue]]) -> JsonValue:
    """Return the schema of literal values, or of any value if one is not literal."""
    if not values or not all(is_known for is_known, _ in values):
        return ANYTHING
    return {"enum": [value for _, value in values]}


def _of_class(defined: griffe.Class, scope: Scope, depth: int) -> JsonValue:
    """Return the schema of an enum, a dataclass, a typed dictionary or a model from its code."""
    if _MODEL_HOOKS.intersection(defined.members):
        return ANYTHING
    bases = [_base_path(base) for base in defined.bases]
    if _ENUMS.intersection(bases):
        return _of_enum(defined) if all(base in _ENUMS or base in _MIXED_IN for base in bases) else ANYTHING
    if any(_last_of(decorator.callable_path) == "dataclass" for decorator in defined.decorators):
        return {"type": "object"}
    if any(_is_changed(member) for member in defined.members.values()):
        return ANYTHING
    if "typing.TypedDict" in bases or "pydantic.BaseModel" in bases:
        return {"type": "object"}
    for base in bases:
        above = scope.definition(base)
        if above is not None and above.is_class and depth < _MAXIMUM_DEPTH:
            return _of_class(above, scope, depth + 1)  # type: ignore[arg-type]  # it is one
    return ANYTHING


def _is_changed(member: griffe.Object | griffe.Alias) -> bool:
    """Whether a method of a model converts the JSON value first."""
    if member.is_alias or not member.is_function:
        return False
    return any(_last_of(decorator.callable_path) in _CHANGES_MODELS for decorator in member.decorators)  # type: ignore[union-attr]  # functions have it


def _of_enum(defined: griffe.Class) -> JsonValue:
    values = []
    for name, member in defined.members.items():
        if member.is_alias or not member.is_attribute or name.startswith("_"):
            continue
        value = member.value  # type: ignore[union-attr]  # attributes have one
        if value is None:
            continue
        try:
            values.append(literal(ast.parse(str(value), mode="eval").body))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ANYTHING
    return _of_values(values)


def _base_path(base: griffe.Expr | str) -> str:
    path = base if isinstance(base, str) else base.canonical_path
    for prefix in _TYPING:
        if path.startswith(prefix):
            return f"typing.{path.removeprefix(prefix)}"
    return f"builtins.{path}" if f"builtins.{path}" in _MIXED_IN else path


def _last_of(path: str) -> str:
    return path.rpartition(".")[2]


def last_word(node: ast.expr) -> str:
    """Return the last part of the name of an expression or of its callee, or ""."""
    words = words_of(node.func if isinstance(node, ast.Call) else node)
    return words[-1] if words else ""


def _arguments(node: ast.Subscript) -> list[ast.expr]:
    return list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]


def words_of(node: ast.AST) -> tuple[str, ...]:
    """Return the parts of a dotted name; empty for any other expression."""
    words: list[str] = []
    while isinstance(node, ast.Attribute):
        words.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ()
    return (*reversed([*words, node.id]),)
