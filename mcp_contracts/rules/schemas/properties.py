"""Rules about the properties of a schema (MC302, MC305, MC312, MC313, MC339)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, SchemaOrigin
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.records import NamedTuple
from mcp_contracts.rule_names import NearestNames
from mcp_contracts.rules.base import ToolSchema, rule
from mcp_contracts.rules.schemas.misspelled import nearest_keyword
from mcp_contracts.rules.schemas.names import name_of, texts, within
from mcp_contracts.rules.schemas.plain_names import explains_itself
from mcp_contracts.rules.schemas.references import unused_definitions
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.applicable import EVERY, Located, Schema, applicable, in_place
from mcp_contracts.schema.dialects import Dialect
from mcp_contracts.schema.references import follow, shared_references
from mcp_contracts.schema.vocabulary import BRANCH_LISTS
from mcp_contracts.schema.walk import SchemaNode, escape
from mcp_contracts.schema.wording import one_of

_MOST_SEEN = 50
_SAYS_WHAT = frozenset({"type", "$ref", "$dynamicRef", "enum", "const", *BRANCH_LISTS})
_ANYTHING = re.compile(
    r"\b(any (?:json |kind of |type of )?(?:value|data|object|thing|shape|type|kind)s?|anything|arbitrary|whatever"
    r"|free-form|freeform|untyped|opaque|json)\b",
    re.IGNORECASE,
)
_SAYS_ITEMS = frozenset(
    {"items", "prefixItems", "contains", "unevaluatedItems", "$ref", "enum", "const", *BRANCH_LISTS}
)


class _Property(NamedTuple):
    """A property's schema (empty for `true`), its name, and the subschema that lists it."""

    holder: SchemaNode
    name: str
    schema: dict[str, JsonValue]

    @property
    def pointer(self) -> str:
        """The pointer of the property."""
        return f"{self.holder.pointer}/properties/{escape(self.name)}"


@rule("MC302", Severity.ERROR, since="0.1.0", needs=["required"])
def required_property_undefined(schema: ToolSchema) -> Iterator[Finding]:
    """A schema requires a property that it does not define.

    Callers cannot know what to send: the name is required, but its type and meaning are not given. Usually the name is
    misspelled in one of the two places. If undefined properties are forbidden, no call can succeed.
    """
    groups: _Groups | None = None
    for node in schema.having("required"):
        required = node.value["required"]
        if not isinstance(required, list) or not required:
            continue
        own = node.value.get("properties")
        known = own if isinstance(own, dict) else {}
        missing = [(index, name) for index, name in enumerate(required) if isinstance(name, str) and name not in known]
        if not missing or (schema.dialect is Dialect.DRAFT_7 and "$ref" in node.value):
            continue
        misspelled = misspelled_properties(node, schema.dialect)
        if misspelled is not None:
            listed = one_of([f"`{show(name)}`" for _, name in missing], "and")
            are = "are" if len(missing) > 1 else "is"
            message = f"{listed} {are} required but not defined: `{show(misspelled)}` is unknown"
            hint = f"write `properties` for `{show(misspelled)}`"
            yield schema.finding(message, hint, f"{node.pointer}/required/{missing[0][0]}")
            continue
        groups = groups or _Groups(schema)
        defined = _find_defined_names(groups, node)
        if defined is None:
            continue
        asked = {one for one in required if isinstance(one, str)}
        spare = [other for other in defined if other not in asked]
        names = NearestNames()
        for index, name in missing:
            if name in defined:
                continue
            near = names.of(name, spare)
            yield schema.finding(
                f"`{show(name)}` is required but not defined{within(node.pointer)}",
                f"write `{show(near)}`" if near else "define it under `properties`, or remove it from `required`",
                f"{node.pointer}/required/{index}",
            )


@rule("MC305", Severity.NOTE, since="0.1.0", needs=["properties"])
def property_without_description(schema: ToolSchema) -> Iterator[Finding]:
    """A property has no description.

    A name and a type do not explain the meaning, the unit or the origin of a value, so models guess. A line about the
    parameter in the tool's own description (`Args:`, `:param word:`) is sufficient.

    No description is needed where it could only repeat the name. Examples are numbers that have a meaning together (`x`
    and `y`, `latitude` and `longitude`), optional parameters such as `include_archived`, `page_size`, `weight_kg` and
    `title`, and, inside objects and results, flags, lists of values, counts, and parts such as `id` and
    `backgroundColor`.
    """
    is_list = schema.origin is SchemaOrigin.PROSE
    if not is_list and not any(True for _ in _properties(schema, lambda child: texts(child.get("description")))):
        return  # the usual case
    items = list(_properties(schema))
    described = _described_names(schema.tool.description) if schema.part == "input" else frozenset()
    if is_list and (schema.part == "output" or not any(map(_says_more, items))):
        return  # a signature has no room for descriptions, and a line about the result rarely has
    for item in items:
        if (item.holder.pointer or item.name not in described) and not (
            _is_described(schema, item.schema) or _explains_itself(schema, item)
        ):
            yield _about(schema, item, "no description", "say what the value means, its unit and its limits")


def _explains_itself(schema: ToolSchema, item: _Property) -> bool:
    owner = _LAST_NAME.search(name_of(item.holder.pointer) or "")
    return explains_itself(
        item.name, item.schema, item.holder.value, owner[0] if owner else None, is_output=schema.part == "output"
    )


_LAST_NAME = re.compile(r"\w+(?=\W*\Z)")


def _says_more(item: _Property) -> bool:
    """Whether a description says more than limits in brackets."""
    said = item.schema.get("description")
    return isinstance(said, str) and not re.fullmatch(r"(?:\([^()]*\))?", said)


def _described_names(description: str) -> frozenset[str]:
    """Return the parameters that the description of a tool describes line by line, as docstrings do."""
    names = set(_PARAM.findall(description))
    for listed in _ARGS.finditer(description):
        names.update(_ARG.findall(listed[1]))
    return frozenset(names)


_PARAM = re.compile(r"^[ \t]*[:@]param[ \t]+(?:\w+[ \t]+)?(\w+)(?::|[ \t])[ \t]*\w", re.MULTILINE)
_ARGS = re.compile(r"^[ \t]*(?:Args|Arguments|Parameters|Params):[ \t]*\n((?:[ \t]*\S.*(?:\n|\Z))+)", re.MULTILINE)
_ARG = re.compile(r"^[ \t]*(?:[-*][ \t]+)?`?(\w+)`?[ \t]*(?:\([^()\n]*\))?:[ \t]*\S", re.MULTILINE)


@rule("MC312", Severity.NOTE, since="0.1.0", needs=["properties"])
def property_without_type(schema: ToolSchema) -> Iterator[Finding]:
    """A property has no type.

    Without a type, every value is allowed and nothing is checked, so callers guess. If a property deliberately accepts
    any value, say so in its description ("any JSON value").
    """
    if schema.origin is not SchemaOrigin.SCHEMA:
        return  # types in rows are checked as written
    for item in _properties(schema, lambda child: not _SAYS_WHAT.isdisjoint(child)):
        if not _says_what(item.schema):
            yield _about(schema, item, "no type", "add `type`, or say in the description that any value is allowed")


@rule("MC313", Severity.WARNING, since="0.1.0", needs=["type"])
def array_without_items(schema: ToolSchema) -> Iterator[Finding]:
    """An array does not describe its items.

    Callers cannot know what to send. OpenAI and Gemini are known to reject a request with such a schema, including all
    its tools.
    """
    if schema.origin is SchemaOrigin.PROSE and schema.part == "output":
        return  # a line about the result
    for node in schema.having("type"):
        stated = node.value["type"]
        is_array = stated == "array" or (isinstance(stated, list) and "array" in stated)
        if is_array and _SAYS_ITEMS.isdisjoint(node.value) and not _tells_items(schema, node.value):
            name = name_of(node.pointer)
            yield schema.finding(
                f"array `{name}` does not say what its items are"
                if name
                else "the array does not say what its items are",
                'add `"items"` with the schema of one item'
                if schema.origin is SchemaOrigin.SCHEMA
                else "write the type of one item as well, such as `array[string]`",
                node.pointer,
                on_key=name is not None,
            )


def _tells_items(schema: ToolSchema, value: Mapping[str, JsonValue]) -> bool:
    """Whether a table or list describes the items of an array in words, or with an example."""
    said = value.get("description")
    return schema.origin is not SchemaOrigin.SCHEMA and isinstance(said, str) and _ITEMS.search(said) is not None


_ITEMS = re.compile(
    r"\b(?:array|list) of (?:[\w-]+ ){0,3}(?:names|ids|identifiers|urls|paths|strings|numbers|integers|tags|emails)\b"
    r"|\[\"\w",
    re.IGNORECASE,
)


def _properties(
    schema: ToolSchema, is_fine: Callable[[dict[str, JsonValue]], bool] | None = None
) -> Iterator[_Property]:
    """Yield every property that a caller can send or receive, each once, except for those that pass.

    Left out are properties that `not` and `if` only test for, unused definitions, the same property in another branch
    or again in itself, where a recursive type is unrolled, and the `result` that servers put around a value that is
    not an object, since nobody wrote it.
    """
    left_out: tuple[str, ...] | None = None
    in_branches: dict[str, list[JsonValue]] = {}
    seen: dict[str, JsonValue] = {}
    for node in schema.having("properties"):
        named = node.value["properties"]
        if not isinstance(named, dict):
            continue
        if is_fine is not None and all(isinstance(child, dict) and is_fine(child) for child in named.values()):
            continue
        if left_out is None:
            left_out = (*_below(schema, "/not", "/if"), *(f"{pointer}/" for pointer in unused_definitions(schema)))
        if left_out and f"{node.pointer}/".startswith(left_out):
            continue
        if schema.part == "output" and not node.pointer and named.keys() == {"result"}:
            continue
        for name, child in named.items():
            if child is not True and not isinstance(child, dict):
                continue
            if child is not True and is_fine is not None and is_fine(child):
                continue
            item = _Property(node, name, {} if child is True else child)
            if "/properties/" in node.pointer and _is_repeated(item, seen):
                continue
            if "Of/" in node.pointer:
                others = in_branches.setdefault(name_of(item.pointer) or "", [])
                if child in others:
                    continue
                others.append(child)
            yield item


def _is_repeated(item: _Property, seen: dict[str, JsonValue]) -> bool:
    """Whether a property is one that was seen before in an object like its own: `nodes[].nodes[].name`."""
    name = f"{name_of(item.pointer) or ''}.".replace("[]", "")
    once = _UNROLLED.sub(r"\1", name)
    own = item.holder.value["properties"]
    before = seen.setdefault(once, own)
    return once != name and isinstance(own, dict) and isinstance(before, dict) and own.keys() <= before.keys()


_UNROLLED = re.compile(r"(?:(?<=\.)|^)((?:[^.]+\.)+?)\1+")


def _below(schema: ToolSchema, *keywords: str) -> tuple[str, ...]:
    """Return the pointer prefixes of everything in some branches, such as those of `not`."""
    branches = [node.pointer for node in schema.nodes if node.role == "branch"]
    return tuple(f"{pointer}/" for pointer in branches if pointer.endswith(keywords))


def _about(schema: ToolSchema, item: _Property, lack: str, hint: str) -> Finding:
    message = f"property `{name_of(item.pointer) or ''}` has {lack}"
    return schema.finding(message, hint, item.pointer, on_key=True)


def _is_described(schema: ToolSchema, value: dict[str, JsonValue]) -> bool:
    """Whether a property has a description, its own or that of a referenced schema or an alternative."""
    if _describes(value):
        return True
    is_unknown = False

    def referred(_: str, node: Schema) -> Iterator[Located]:
        nonlocal is_unknown
        reference = node.get("$ref")
        if isinstance(reference, str):
            target = follow(schema.value, reference[1:]) if reference.startswith("#/") else None
            # Another rule reports an unresolved reference, and what it would say is unknown.
            is_unknown = is_unknown or not isinstance(target, dict)
            yield "", target

    found = applicable([("", value)], referred, most=_MOST_SEEN, branches=_branches, by_identity=True)
    return any(isinstance(one.schema, dict) and _describes(one.schema) for one in found) or is_unknown


_branches = partial(in_place, keywords={name: EVERY[name] for name in BRANCH_LISTS})


def _describes(value: Mapping[str, JsonValue]) -> bool:
    if texts(value.get("description")) or "const" in value:
        return True
    # Another rule reports a misspelled `description`.
    return any(nearest_keyword(keyword, Dialect.DRAFT_2020_12) == "description" for keyword in value)


def _says_what(value: Mapping[str, JsonValue]) -> bool:
    if not _SAYS_WHAT.isdisjoint(value):
        return True
    description = value.get("description")
    if isinstance(description, str) and _ANYTHING.search(description):
        return True
    # Another rule reports a misspelled `type`.
    return any(nearest_keyword(keyword, Dialect.DRAFT_2020_12) == "type" for keyword in value)


def misspelled_properties(node: SchemaNode, dialect: Dialect | None) -> str | None:
    """Return the unknown keyword that defines all required names and was most likely meant to be `properties`."""
    required = node.value.get("required")
    if dialect is None or "properties" in node.value or not isinstance(required, list) or not required:
        return None
    for keyword, value in node.value.items():
        if isinstance(value, dict) and nearest_keyword(keyword, dialect) == "properties":
            return keyword if all(isinstance(name, str) and name in value for name in required) else None
    return None


def _find_defined_names(groups: _Groups, node: SchemaNode) -> set[str] | None:
    """Return the names that are defined in a schema or wherever it is combined with another one; None if any name may
    be.
    """
    if groups.excluded and f"{node.pointer}/".startswith(groups.excluded):
        return None
    names: set[str] = set()
    for member in groups.of(node):
        value = member.value
        if value.get("patternProperties"):
            return None
        if any(isinstance(value.get(keyword), dict) and value[keyword] for keyword in _OPEN):
            return None
        properties = value.get("properties")
        if isinstance(properties, dict):
            names.update(properties)
    return names


_OPEN = ("additionalProperties", "unevaluatedProperties")


class _Groups:
    """The subschemas that apply to the same value: branches and their parents, references and their targets.

    `excluded` are the pointer prefixes of subschemas that only say what a value must not be.
    """

    def __init__(self, schema: ToolSchema) -> None:
        self.excluded = _below(schema, "/not")
        self._nodes = {node.pointer: node for node in schema.nodes}
        self._beside: dict[str, list[str]] = {}
        for node in schema.nodes:
            owner = _owner(node)
            if owner is not None:
                self._join(node.pointer, owner)
        if any("$ref" in node.value for node in schema.nodes):
            for reference in shared_references(schema.value):
                if reference.target_pointer is not None:
                    self._join(reference.pointer.rpartition("/")[0], reference.target_pointer)

    def _join(self, first: str, second: str) -> None:
        self._beside.setdefault(first, []).append(second)
        self._beside.setdefault(second, []).append(first)

    def of(self, node: SchemaNode) -> Iterator[SchemaNode]:
        """Yield a subschema, and all others that apply to the same value."""
        seen = {node.pointer}
        pending = [node.pointer]
        while pending:
            pointer = pending.pop()
            if pointer in self._nodes:
                yield self._nodes[pointer]
            for other in self._beside.get(pointer, ()):
                if other not in seen:
                    seen.add(other)
                    pending.append(other)


def _owner(node: SchemaNode) -> str | None:
    """Return the subschema that a branch belongs to."""
    parent, _, last = node.pointer.rpartition("/")
    if node.role == "branch" and last != "not":
        return parent.rpartition("/")[0] if last.isdigit() else parent
    if node.role == "other" and parent.endswith(("/dependentSchemas", "/dependencies")):
        return parent.rpartition("/")[0]
    return None
