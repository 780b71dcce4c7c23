"""Find the secret values in a call's arguments, by schema or by name, and redact them."""

from __future__ import annotations

import base64
import marshal
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, time
from enum import Enum
from functools import lru_cache, partial
from pathlib import PurePath
from types import MappingProxyType
from typing import Any

from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.json_values.text import MAXIMUM_DEPTH
from mcp_contracts.records import NamedTuple, dataclass, field
from mcp_contracts.runtime.telemetry.secret_names import (
    DEFAULT_SECRET_NAMES,
    holds_secret,
    is_secret_name,
    secret_words,
)
from mcp_contracts.schema.applicable import EVERY, applicable, in_place, inside, of_item, of_property
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.references import Reference, ReferenceState, references
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from mcp_contracts.schema.vocabulary import REFERENCES
from mcp_contracts.schema.walk import is_within, subschemas

REDACTED = "[redacted]"
"""The replacement for a secret value."""

_Path = tuple[str, JsonValue]  # a subschema with its pointer


def redacted(value: object, schema: JsonValue, names: Iterable[str] = DEFAULT_SECRET_NAMES) -> JsonValue:
    """Return a copy of `value` as JSON in which `REDACTED` replaces each secret value.

    A value is secret if its schema says `writeOnly: true` or `format: "password"` in any branch, or if its key is one
    of `names`: in any spelling (`apiKey`, `API-KEY`, `api key`), and as whole words of a longer name (`user_password`,
    but neither `tokenize` nor `max_tokens`), unless the name ends in a measure (`token_count`). A boolean or null is
    not secret because of its name. In `{"name": "API_KEY", "value": …}` the value has the name next to it. Text is
    secret if it contains a URL with user information, a private key, or such a name with its value (see
    `holds_secret`), and so is an object with such text as a key.

    If in doubt, a value is secret: behind an unresolved reference, nested too deeply, past the limit on values, of a
    type that JSON does not have, or under an undeclared name next to a marked property, because that may be a
    misspelling. Dates, paths, bytes and enums are converted as in messages. Never raises for any value or schema;
    raises UsageError if `names` is a string.
    """
    plan = _plan_of(schema)
    return _Copier(plan, secret_words(names)).copy(value, (("", plan.schema),))


def visible(text: str) -> str:
    """Return a name or other external text, or `REDACTED` if it contains a recognizable secret."""
    return REDACTED if holds_secret(text, secret_words(DEFAULT_SECRET_NAMES)) else text


def visible_pointer(pointer: str, secret: Collection[str]) -> str:
    """Return a JSON pointer without the names inside a secret value; `secret` must come from `secret_pointers`."""
    return next((one for one in secret if is_within(pointer, one)), pointer)


def secret_pointers(value: object, schema: JsonValue, names: Iterable[str] = DEFAULT_SECRET_NAMES) -> frozenset[str]:
    """Return the JSON pointers of the outermost values that `redacted` redacts; `""` for the whole value."""
    found: set[str] = set()
    stack: list[tuple[str, JsonValue]] = [("", redacted(value, schema, names))]
    while stack:
        pointer, item = stack.pop()
        if item is REDACTED:
            found.add(pointer)
        elif isinstance(item, dict):
            stack.extend((f"{pointer}/{escape(name)}", inner) for name, inner in item.items())
        elif isinstance(item, list):
            stack.extend((f"{pointer}/{index}", inner) for index, inner in enumerate(item))
    return frozenset(found)


# Schemas

_LARGE_KEY = 64 * 1024
_MAXIMUM_REFERENCES = 10_000  # the limit of `references`


class _Plan(NamedTuple):
    """A copy of a schema, with the targets of its references by the subschema that contains them.

    `may_mark` is False if nothing in the schema can make a value secret; `is_unreadable` means that this is unknown.
    `spreads` caches, for subschemas that apply to a value, all subschemas that then apply, and whether they mark it.
    """

    schema: JsonValue
    references: Mapping[str, tuple[Reference, ...]]
    dynamic: Mapping[str, tuple[_Path, ...]]
    spreads: dict[tuple[str, ...], tuple[tuple[_Path, ...], bool]]
    may_mark: bool
    is_draft_7: bool = False
    is_unreadable: bool = False


_NOTHING_MARKED = _Plan(None, {}, {}, {}, may_mark=False)
_UNREADABLE = _Plan(None, {}, {}, {}, may_mark=True, is_unreadable=True)
_MAXIMUM_SPREADS = 1000  # for one schema


def _plan_of(schema: JsonValue) -> _Plan:
    if not isinstance(schema, dict):
        return _NOTHING_MARKED
    try:
        key = marshal.dumps(schema, 2)
    except ValueError:  # nested too deeply, or not JSON
        return _UNREADABLE
    return (_large_plan if len(key) > _LARGE_KEY else _small_plan)(key)


def _plan(key: bytes) -> _Plan:
    schema: JsonValue = marshal.loads(key)
    nodes = subschemas(schema)
    found: dict[str, tuple[Reference, ...]] = {}
    dynamic: dict[str, tuple[_Path, ...]] = {}
    known = {node.pointer for node in nodes}
    may_mark = any(_is_marked(node.value) or "$recursiveRef" in node.value for node in nodes)
    for node in nodes:
        anchor = node.value.get("$dynamicAnchor")
        if isinstance(anchor, str):
            dynamic[anchor] = (*dynamic.get(anchor, ()), (node.pointer, node.value))
    every = references(schema, nodes)
    for reference in every:
        holder = reference.pointer.rpartition("/")[0]
        found[holder] = (*found.get(holder, ()), reference)
        is_known = reference.target_pointer is None or reference.target_pointer in known
        may_mark = may_mark or reference.state is not ReferenceState.LOCAL or not is_known
    may_mark = may_mark or len(every) >= _MAXIMUM_REFERENCES
    return _Plan(schema, found, dynamic, {}, may_mark, is_draft_7=dialect_of(schema) is Dialect.DRAFT_7)


_small_plan = lru_cache(maxsize=128)(_plan)
_large_plan = lru_cache(maxsize=4)(_plan)


def _is_marked(node: Mapping[str, JsonValue]) -> bool:
    return node.get("writeOnly") is True or node.get("format") == "password"


class _DoubtError(Exception):
    """It cannot be decided whether a value is secret."""


_MAXIMUM_STEPS = 100_000  # values, and schemas that they are checked against: 1 µs each
_PATTERN_STEPS = 25
_MAXIMUM_LEVELS = 4  # levels searched for a secret below a value whose type its schema does not allow


@dataclass(slots=True)
class _Copier:
    """The state of one copy, with the number of steps taken.

    `marking` caches whether a schema, or one within a number of levels below it, marks a value.
    """

    plan: _Plan
    secrets: frozenset[str]
    steps: int = 0
    marking: dict[tuple[str, int], bool] = field(default_factory=dict)

    def copy(self, value: object, schemas: tuple[_Path, ...], depth: int = 0) -> JsonValue:
        """Copy a value at a place where `schemas` apply."""
        if self.plan.is_unreadable or depth > MAXIMUM_DEPTH:
            return REDACTED
        every: tuple[_Path, ...] = ()
        if schemas and self.plan.may_mark:
            try:
                every, is_marked = self._spread(schemas)
                is_marked = is_marked or self._is_misplaced(value, every)
            except _DoubtError:
                return REDACTED
            if is_marked:
                return REDACTED
        if isinstance(value, Enum):
            value = value.value
        if type(value) is str:
            return REDACTED if holds_secret(value, self.secrets) else value
        if value is None:
            return value
        match value:
            case dict() | MappingProxyType():
                return self._object(value, every, depth)
            case list() | tuple():
                return self._array(value, every, depth)
            case _:
                plain = _scalar(value)
                return REDACTED if isinstance(plain, str) and holds_secret(plain, self.secrets) else plain

    def _object(self, value: Mapping[Any, object], schemas: tuple[_Path, ...], depth: int) -> JsonValue:
        members = tuple(value.items())  # a snapshot, because another thread may modify it
        if not all(isinstance(name, str) and not holds_secret(name, self.secrets) for name, _ in members):
            return REDACTED
        try:
            self._step(len(members) * 2)
            if any(self._is_secret(path) for path in _at_key(schemas, "propertyNames")):
                return REDACTED
            inner = {name: tuple(self._of_member(schemas, name)) for name, _ in members} if schemas else {}
            holds_secrets = not all(inner.values()) and any(
                self._is_secret(path) for path in _declared_properties(schemas)
            )
        except _DoubtError:
            return REDACTED
        result: dict[str, JsonValue] = {}
        beside = _name_beside(value)
        for name, item in members:
            is_misspelled = holds_secrets and not inner[name]
            called = beside if name == "value" and beside is not None else name
            if is_misspelled or (is_secret_name(called, self.secrets) and not isinstance(item, bool | None)):
                result[name] = REDACTED
            else:
                result[name] = self.copy(item, inner.get(name, ()), depth + 1)
        return result

    def _array(self, value: list[object] | tuple[object, ...], schemas: tuple[_Path, ...], depth: int) -> JsonValue:
        items = tuple(value)
        try:
            self._step(len(items) * (1 + len(schemas)))
        except _DoubtError:
            return REDACTED
        return [self.copy(item, tuple(self._of_item(schemas, index)), depth + 1) for index, item in enumerate(items)]

    def _step(self, count: int) -> None:
        self.steps += count
        if self.steps > _MAXIMUM_STEPS:
            raise _DoubtError

    def _is_secret(self, path: _Path) -> bool:
        return self._spread((path,))[1]

    def _is_misplaced(self, value: object, schemas: tuple[_Path, ...]) -> bool:
        """Whether a value is in a place where the schema requires an object or array that contains a secret.

        It may be the secret itself, one level too high.
        """
        if value is None or isinstance(value, bool):
            return False
        is_object = isinstance(value, dict | MappingProxyType)
        is_array = isinstance(value, list | tuple)
        return (not is_object and self._marks(schemas, "object")) or (not is_array and self._marks(schemas, "array"))

    def _marks(self, schemas: tuple[_Path, ...], kind: str, levels: int = _MAXIMUM_LEVELS) -> bool:
        """Whether a schema inside the given ones, at most `levels` below, marks a value."""
        return any(self._marks_within(path, levels) for path in _inside(schemas, kind))

    def _marks_within(self, path: _Path, levels: int) -> bool:
        """Whether a schema, or one at most `levels` below it, marks a value."""
        self._step(1)
        key = (path[0], levels)
        if key not in self.marking:
            every, is_marked = self._spread((path,))
            self.marking[key] = is_marked or (
                levels > 0 and (self._marks(every, "object", levels - 1) or self._marks(every, "array", levels - 1))
            )
        return self.marking[key]

    def _spread(self, schemas: tuple[_Path, ...]) -> tuple[tuple[_Path, ...], bool]:
        """Return all schemas that may apply to a value if the given ones do, and whether one of them marks it."""
        self._step(len(schemas))
        key = tuple(pointer for pointer, _ in schemas)
        known = self.plan.spreads.get(key)
        if known is None:
            every = tuple(self._schemas_in_place(schemas))
            known = every, any(isinstance(node, dict) and _is_marked(node) for _, node in every)
            if len(self.plan.spreads) < _MAXIMUM_SPREADS:
                self.plan.spreads[key] = known
        return known

    def _schemas_in_place(self, schemas: tuple[_Path, ...]) -> Iterator[_Path]:
        """Yield schemas, their branches, and the targets of their references."""
        for found in applicable(schemas, self._reference_targets, most=_MAXIMUM_STEPS + 1, branches=_in_place):
            if isinstance(found.schema, dict):
                self._step(1)
                if "$recursiveRef" in found.schema:  # a keyword of 2019-09, which is never resolved
                    raise _DoubtError
                yield found.pointer, found.schema

    def _reference_targets(self, pointer: str, node: Mapping[str, JsonValue]) -> Iterator[_Path]:
        known = self.plan.references.get(pointer, ())
        if len(known) != sum(keyword in node for keyword in REFERENCES):
            raise _DoubtError
        for reference in known:
            if reference.state is not ReferenceState.LOCAL:
                raise _DoubtError
            if reference.target_pointer is not None:  # otherwise it is a meta-schema, which marks nothing
                yield reference.target_pointer, reference.target
                if isinstance(reference.target, dict) and isinstance(reference.target.get("$dynamicAnchor"), str):
                    yield from self.plan.dynamic.get(str(reference.target["$dynamicAnchor"]), ())

    def _of_member(self, schemas: tuple[_Path, ...], name: str) -> Iterator[_Path]:
        """Yield the schemas for the value of a key, if `schemas` apply to the object."""
        self._step(len(schemas))
        for pointer, node in schemas:
            if not isinstance(node, dict):
                continue
            for branch in of_property(node, name, lambda pattern: self._matches(pattern, name)):
                if branch.key is not None or isinstance(branch.schema, dict):
                    yield branch.below(pointer), branch.schema

    def _matches(self, pattern: str, name: str) -> bool | None:
        self._step(_PATTERN_STEPS)
        return accepts(compile_schema({"pattern": pattern}), name)

    def _of_item(self, schemas: tuple[_Path, ...], index: int) -> Iterator[_Path]:
        """Yield the schemas for an item, if `schemas` apply to the array."""
        for pointer, node in schemas:
            if not isinstance(node, dict):
                continue
            for branch in of_item(node, index, is_draft_7=self.plan.is_draft_7 or None, idle=True):
                if branch.key is not None or isinstance(branch.schema, dict):
                    yield branch.below(pointer), branch.schema


# includes keywords without effect, which the author may expect to have one
_in_place = partial(in_place, keywords=EVERY, idle=True)


def _at_key(schemas: tuple[_Path, ...], keyword: str) -> Iterator[_Path]:
    for pointer, node in schemas:
        if isinstance(node, dict) and keyword in node:
            yield f"{pointer}/{keyword}", node[keyword]


def _name_beside(value: Mapping[Any, object]) -> str | None:
    """Return the name of the member `value`, as in lists of variables and headers: `{"name": …, "value": …}`."""
    if "value" not in value:
        return None
    return next((name for key in ("name", "key") if type(name := value.get(key)) is str), None)


def _inside(schemas: tuple[_Path, ...], kind: str) -> Iterator[_Path]:
    """Yield the schemas of all members of an object, or of all items of an array."""
    for pointer, node in schemas:
        if isinstance(node, dict):
            for branch in inside(node, kind):
                yield branch.below(pointer), branch.schema


def _declared_properties(schemas: tuple[_Path, ...]) -> Iterator[_Path]:
    for pointer, properties in _at_key(schemas, "properties"):
        if isinstance(properties, dict):
            yield from ((f"{pointer}/{escape(name)}", part) for name, part in properties.items())


_MAXIMUM_BITS = 4096  # bits of an integer; Python refuses to write more than 4,300 digits


def _scalar(value: object) -> JsonValue:
    """Convert a scalar to JSON as messages do; `REDACTED` if it has no JSON form."""
    match value:
        case None | bool() | str():
            return value
        case int():
            return value if value.bit_length() <= _MAXIMUM_BITS else REDACTED
        case float():
            return value if math.isfinite(value) else REDACTED
        case date() | time():
            return value.isoformat()
        case PurePath():
            return str(value)
        case bytes():
            return base64.b64encode(value).decode("ascii")
        case _:
            return REDACTED
