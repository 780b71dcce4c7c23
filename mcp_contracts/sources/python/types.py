"""Builds types from annotations without running code, so that one generator writes the schemas of both live and parsed
code.

A name in an annotation is looked up among the types of Python and pydantic, or rebuilt from the syntax of its class.
Only names, constants and calls of a fixed list of constructors are evaluated.
"""

from __future__ import annotations

import ast
import typing
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Literal, NewType, TypeVar, Union

from mcp_contracts.diagnostics import Place
from mcp_contracts.records import dataclass
from mcp_contracts.sources.python.annotations import parse_quoted, words_of
from mcp_contracts.sources.python.index import ModuleDefinition
from mcp_contracts.sources.python.known import METADATA, TYPES_OF_VALUES, VALIDATORS, find_known
from mcp_contracts.sources.python.modules import Names, ReadModule
from mcp_contracts.sources.python.signatures import place_of

_MAXIMUM_DEPTH = 40
_MOST_NOTES = 200
_MOST_PARTS = 10_000  # parts of one function's annotations, with aliases expanded
MOST_VALUES = 2_000
"""The maximum number of values that are read from one `Literal` or enum."""
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class UnreadPart:
    """A part of the code that is only known at run time, and what replaces it."""

    message: str
    place: Place


@dataclass(frozen=True, slots=True)
class Scope:
    """The scope of an expression: its module, and the names that mean something else there than at the top.

    `around` are the enclosing classes; their members are looked up first."""

    module: ReadModule
    hidden: Collection[str] = ()
    around: tuple[str, ...] = ()


class UnknownError(Exception):
    """The value of an expression is only known at run time."""


class Types:
    """Types and values by the expressions that name them. `unread` are the parts that could not be read."""

    def __init__(
        self, defined: Mapping[str, ModuleDefinition], names: Names, build: Callable[[Types, ModuleDefinition], object]
    ) -> None:
        self.unread: list[UnreadPart] = []
        self.defined, self._names = defined, names
        self._build = build
        self._built: dict[str, object] = {}
        self._parts_of: dict[str, int] = {}
        self._parts = self._depth = 0

    def type_of(self, node: ast.expr, scope: Scope) -> Any:
        """Return the type that an annotation names; `Any` for a part that cannot be read."""
        self._parts += 1
        if self._depth >= _MAXIMUM_DEPTH or self._parts > _MOST_PARTS:
            self.note(
                node, scope, "the annotation is too large or nested too deeply; it is treated as accepting any value"
            )
            return Any
        self._depth += 1
        try:
            return self._type(node, scope)
        except (UnknownError, TypeError, ValueError, AttributeError, RecursionError):
            message = f"`{_source_text(node)}` cannot be read without running it; it is treated as accepting any value"
            self.note(node, scope, message)
            return Any
        finally:
            self._depth -= 1

    def begin(self) -> None:
        """Reset the count of work, which is bounded for each function."""
        self._parts = 0

    def value_of(self, node: ast.expr, scope: Scope) -> Any:
        """Return the value of an expression. Raises UnknownError if that requires running it."""
        if self._depth >= _MAXIMUM_DEPTH:
            raise UnknownError
        self._depth += 1
        try:
            return self._value(node, scope)
        except (TypeError, ValueError, AttributeError, OverflowError, ArithmeticError, RecursionError) as error:
            raise UnknownError from error
        finally:
            self._depth -= 1

    def default_of(self, node: ast.expr, scope: Scope, name: str) -> Any:
        """Return a default. One that is only known at run time is not a JSON value, so the schema does not state it."""
        try:
            return self.value_of(node, scope)
        except UnknownError:
            self.note(node, scope, f"the default of `{name}` is computed when the code runs")
            return _UnknownValue()

    def note(self, node: ast.expr | ast.stmt, scope: Scope, message: str) -> None:
        """Record an unreadable part, once for each place."""
        one = UnreadPart(message, place_of(scope.module.source, node))
        if len(self.unread) < _MOST_NOTES and one not in self.unread:
            self.unread.append(one)

    # Types

    def _type(self, node: ast.expr, scope: Scope) -> Any:
        read = parse_quoted(node)
        if read is not node and read is not None:
            return self._type(_at(read, node), scope)
        match node:
            case ast.Constant(value=None):
                return None
            case ast.Constant(value=value) if value is ...:
                return ...
            case ast.Name() | ast.Attribute():
                return self._resolve_name(node, scope)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return Union[self.type_of(left, scope), self.type_of(right, scope)]  # noqa: UP007 - of values
            case ast.Subscript():
                return self._resolve_subscript(node, scope)
            case ast.Call():
                return self._resolve_call(node, scope)
        raise UnknownError

    def _resolve_name(self, node: ast.expr, scope: Scope) -> Any:
        path = self.path(node, scope)
        if path is None:
            if words_of(node)[-1:] == ("ToolContext",):
                return find_known("mcp_contracts.ToolContext")
            raise UnknownError
        defined = self.defined.get(path)
        found = self.built(defined) if defined is not None else find_known(path)
        if found is None:
            raise UnknownError
        return found

    def path(self, node: ast.expr, scope: Scope) -> str | None:
        """Return the full path of a name at some place."""
        words = words_of(node)
        if not words or words[0] in scope.hidden:
            return None
        for depth in range(len(scope.around), 0, -1):
            path = ".".join((scope.module.name, *scope.around[:depth], *words))
            if self.defined.get(path) is not None:
                return path
        return self._names.path_of(scope.module, words)

    def built(self, defined: ModuleDefinition) -> Any:
        """Return the type of a class or an alias; cached."""
        path = defined.path
        before = self._parts
        if path in self._built:
            self._parts += self._parts_of.get(path, 0)
        else:
            self._built[path] = None  # until it is built, its own members may refer to it
            try:
                if isinstance(defined.node, ast.ClassDef):
                    self._built[path] = self._build(self, defined)
                else:
                    self._built[path] = self.type_of(defined.node, Scope(defined.module))
            except (UnknownError, TypeError, ValueError, AttributeError, RecursionError) as error:
                self._built[path] = None
                raise UnknownError from error
            if not isinstance(defined.node, ast.ClassDef):  # a class is written once, however often it is named
                self._parts_of[path] = self._parts - before
        found = self._built[path]
        if found is None:
            raise UnknownError
        return found

    def begin_class(self, path: str, built: type | None = None) -> None:
        """Register a class while it is being built; until then, it is referred to by name."""
        self._built[path] = built or typing.ForwardRef(_forward_name(path))

    def forward_names(self) -> dict[str, Any]:
        """Return the built classes by their names in forward references."""
        return {_forward_name(path): found for path, found in self._built.items() if isinstance(found, type)}

    def _resolve_subscript(self, node: ast.Subscript, scope: Scope) -> Any:
        origin = self._resolve_name(node.value, scope)
        arguments = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        if origin is Literal:
            if len(arguments) > MOST_VALUES:
                raise UnknownError
            return Literal[tuple(self.value_of(argument, scope) for argument in arguments)]
        if origin is Annotated:
            inner = self.type_of(arguments[0], scope)
            extras = [extra for one in arguments[1:] if (extra := self._metadata(one, scope)) is not None]
            return Annotated[(inner, *extras)] if extras else inner
        if any(isinstance(argument, ast.List) for argument in arguments):
            raise UnknownError  # the parameters of a callable
        found = tuple(self.type_of(argument, scope) for argument in arguments)
        return origin[found if len(found) > 1 else found[0]]

    def _metadata(self, node: ast.expr, scope: Scope) -> object | None:
        """Return an item of metadata in `Annotated`, or None if it has no effect on the schema."""
        if isinstance(node, ast.Call) and words_of(node.func)[-1:] and words_of(node.func)[-1] in VALIDATORS:
            return None
        value: object = None
        try:
            value = self.value_of(node, scope)
        except UnknownError:
            self.note(node, scope, f"`{_source_text(node)}` cannot be read without running it; it is omitted")
        return value

    # Values

    def _value(self, node: ast.expr, scope: Scope) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.UnaryOp():
                return ast.literal_eval(node)
            case ast.List(elts=elements):
                return [self.value_of(one, scope) for one in elements]
            case ast.Tuple(elts=elements):
                return tuple(self.value_of(one, scope) for one in elements)
            case ast.Set(elts=elements):
                return {self.value_of(one, scope) for one in elements}
            case ast.Dict(keys=keys, values=values) if all(key is not None for key in keys):
                pairs = zip(keys, values, strict=True)
                return {self.value_of(key, scope): self.value_of(value, scope) for key, value in pairs if key}
            case ast.Call():
                return self._resolve_call(node, scope)
            case ast.Name() | ast.Attribute():
                return self._constant(node, scope)
            case ast.Subscript():
                return self._type(node, scope)
        raise UnknownError

    def _constant(self, node: ast.expr, scope: Scope) -> Any:
        """Return a constant of a module, a member of an enum, or a type."""
        path = self.path(node, scope)
        if path is None:
            raise UnknownError
        parent, _, member = path.rpartition(".")
        holder = self.defined.get(parent)
        if holder is not None and isinstance(holder.node, ast.ClassDef):
            enum = self.built(holder)
            members = getattr(enum, "__members__", {})
            if member in members:
                return members[member]
        defined = self.defined.get(path)
        if defined is not None and not isinstance(defined.node, ast.ClassDef):
            return self.value_of(defined.node, Scope(defined.module))
        return self._resolve_name(node, scope)

    def _resolve_call(self, node: ast.Call, scope: Scope) -> Any:
        path = self.path(node.func, scope)
        if path is None or any(word.arg is None for word in node.keywords):
            raise UnknownError
        name = path.rpartition(".")[2]
        if path in ("typing.NewType", "typing_extensions.NewType") and len(node.args) == 2:
            return NewType(str(self.value_of(node.args[0], scope)), self.type_of(node.args[1], scope))
        if path in ("typing.TypeVar", "typing_extensions.TypeVar"):
            bound = next((self.type_of(word.value, scope) for word in node.keywords if word.arg == "bound"), None)
            return TypeVar(str(self.value_of(node.args[0], scope)), bound=bound)
        if path == "enum.auto":
            return find_known(path)()  # type: ignore[operator]  # it is a class
        if path in METADATA:
            words = {str(word.arg): self._word(word, scope) for word in node.keywords}
            is_constrained = name.startswith("con") and path.startswith("pydantic.")
            values = [(self.type_of if is_constrained else self.value_of)(one, scope) for one in node.args]
            return find_known(path)(*values, **words)  # type: ignore[operator]  # one of those that can be called
        if path in TYPES_OF_VALUES:
            keywords = {str(word.arg): self.value_of(word.value, scope) for word in node.keywords}
            return find_known(path)(*(self.value_of(one, scope) for one in node.args), **keywords)  # type: ignore[operator]  # see above
        raise UnknownError

    def _word(self, word: ast.keyword, scope: Scope) -> Any:
        """Return a keyword argument of metadata. The result of a factory is computed, so only its signature counts."""
        if word.arg != "default_factory":
            return self.value_of(word.value, scope)
        if isinstance(word.value, ast.Lambda) and word.value.args.args:
            return lambda data: None
        return lambda: None


class _UnknownValue:
    """A value that exists but is unknown."""


def _forward_name(path: str) -> str:
    return "_" + path.replace(".", "__")


def _at(node: ast.expr, written: ast.expr) -> ast.expr:
    """Return an expression that was parsed from a string, with the place of the string."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.expr):
            ast.copy_location(inner, written)
    return node


def _source_text(node: ast.expr) -> str:
    try:
        text = " ".join(ast.unparse(node).split())
    except RecursionError:
        return "…"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
