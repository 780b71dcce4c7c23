"""Rules about the properties of a schema (MC305, MC312 and MC313)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, SchemaOrigin, SchemaPart
from mcp_contracts.diagnostics import Finding, Related, Severity
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.base import ToolSchema, rule
from mcp_contracts.rules.schemas.misspelled import nearest_keyword
from mcp_contracts.rules.schemas.names import name_of, texts
from mcp_contracts.rules.schemas.plain_names import (
    Surroundings,
    as_meant,
    declares_parts,
    described_names,
    explains_itself,
    is_clear_among_others,
    is_clear_to_callers,
)
from mcp_contracts.rules.schemas.references import unused_definitions
from mcp_contracts.rules.schemas.required import below_branches
from mcp_contracts.schema.applicable import EVERY, Located, Schema, applicable, in_place
from mcp_contracts.schema.dialects import Dialect
from mcp_contracts.schema.json_equality import json_key
from mcp_contracts.schema.references import follow
from mcp_contracts.schema.simple import properties_of
from mcp_contracts.schema.vocabulary import BRANCH_LISTS
from mcp_contracts.schema.walk import SchemaNode

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


@rule("MC305", Severity.NOTE, since="0.1.0", needs=["properties"])
def property_without_description(schema: ToolSchema) -> Iterator[Finding]:
    """A property has no description.

    A name and a type do not explain the meaning, the unit or the origin of a value, so models guess. A line about the
    parameter in the tool's description (`Args:`, `:param word:`) is sufficient, and so is a title that says more than
    the name.

    A description that could only repeat the name is not required: for example, for numbers that belong together (`x`
    and `y`, `latitude` and `longitude`), for optional parameters such as `include_archived`, `page_size`, `weight_kg`
    and `title`, and for the ends of a range (`cost_from` and `cost_to` next to `cost`). Inside objects and results,
    this also applies to flags, counts, and parts such as `id` and `backgroundColor`. Input properties that are
    `readOnly` are skipped, because callers do not send them.

    Lists of values, text that people write (`title`, `body`, `tags`) and parameters that the tool's description names
    (`by name`) do not require a description either. Nor do strings inside objects and results if their names consist of
    several words (`logo_text`). Such a property is reported only if it is the only property of its object without a
    description. In results, repeated parameters and lists of things (`boats`) require no description. If a schema
    contains the same object several times, only the first one is reported.

    If most properties of a schema have no description, they are reported once for the schema. A result is only checked
    if it describes at least one of its fields.

    Otherwise, only required arguments are reported in tool lists, and only if neither the name (`boat_id` in
    `rent_boat`) nor the tool's description says what to send. An empty description is always reported. Because only
    English is understood, a long description of the tool in another language counts as an explanation.
    """
    is_list = schema.origin is SchemaOrigin.PROSE
    if not is_list and not any(True for _ in _properties(schema, lambda child: texts(child.get("description")))):
        return  # the usual case
    items = list(_properties(schema))
    is_input = schema.part == "input"
    # a result repeats what was sent
    described = described_names(schema.tool.description) if is_input else {*properties_of(schema.tool.input_schema)}
    if is_list and (schema.part == "output" or not any(map(_says_more, items))):
        return  # a signature has no room for descriptions, and a line about the result rarely has
    silent = [
        item
        for item in items
        if (item.holder.pointer or item.name not in described) and not _is_described(schema, item.schema)
    ]
    if not is_input and not any(_is_described(schema, item.schema) for item in items):
        return  # the caller reads the result, and its author describes none of it
    unclear = [
        (item, meant, around)
        for item in silent
        if not _is_reported_elsewhere(schema, item)
        for meant, around in ((as_meant(schema.value, item.schema), _surroundings(schema, item)),)
        if _is_blank(item)
        or not (
            (declares_parts(schema.value, meant) and not _has_cell(schema, item))
            or explains_itself(item.name, meant, around)
        )
    ]
    gaps = Counter(item.holder.pointer for item, *_ in unclear)
    reported = [
        (item, others)
        for item, others in _equal_ones(
            item
            for item, meant, around in unclear
            if _is_blank(item)
            or _is_the_gap(item, gaps)
            or not is_clear_among_others(item.name, meant, around, schema.tool.description)
        )
    ]
    if len(reported) >= _MANY and len(silent) * 2 > len(items):
        if is_input or not schema.is_listed:
            yield _most(schema, [item for item, _ in reported], len(silent), len(items))
        return
    for item, others in filter(partial(_is_told_in_list, schema), reported) if schema.is_listed else reported:
        yield _about(schema, item, others, "no description", _DESCRIBE)


_MANY = 3
"""The number of properties without a description that are reported as one finding if most have none."""
_DESCRIBE = "say what the value means, its unit and its limits"


def _most(schema: ToolSchema, unclear: Sequence[_Property], silent: int, total: int) -> Finding:
    """Return the finding about a schema that describes fewer than half of its properties."""
    part = _part_of(schema)
    places = () if part is None else (part.locator.place(item.pointer, on_key=True) for item in unclear)
    related = tuple(Related(at, f"`{name_of(item.pointer) or ''}`") for at, item in zip(places, unclear, strict=False))
    lack = "none" if silent == total else str(silent)
    message = f"{lack} of the {total} properties {'has a' if silent == total else 'have no'} description"
    return Finding(message, _DESCRIBE, part=schema.part, pointer="", related=related)


def _is_told_in_list(schema: ToolSchema, told: tuple[_Property, Sequence[_Property]]) -> bool:
    """Whether a property of a tool list has an empty description, or is a required argument for which neither the name
    nor the tool's description says what to send.
    """
    item, _ = told
    required = item.holder.value.get("required")
    is_required = isinstance(required, list) and item.name in required
    if _is_blank(item) or schema.part == "output" or item.holder.pointer or not is_required:
        return _is_blank(item)
    return not is_clear_to_callers(item.name, as_meant(schema.value, item.schema), schema.tool)


def _is_blank(item: _Property) -> bool:
    return "description" in item.schema and not texts(item.schema["description"])


def _has_cell(schema: ToolSchema, item: _Property) -> bool:
    """Whether a property has its own row in a table, with an empty cell for the description."""
    part = _part_of(schema)
    if schema.origin is not SchemaOrigin.TABLE or part is None:
        return False
    return part.locator.place(item.pointer, on_key=True) != part.locator.place("")


def _part_of(schema: ToolSchema) -> SchemaPart | None:
    return schema.tool.input if schema.part == "input" else schema.tool.output


def _is_reported_elsewhere(schema: ToolSchema, item: _Property) -> bool:
    """Whether a part of an object has the schema of a property with the same name elsewhere."""
    target = item.schema.get("$ref")
    is_part = bool(item.holder.pointer) or schema.part == "output"
    return is_part and isinstance(target, str) and target.endswith(f"/properties/{item.name}")


def _surroundings(schema: ToolSchema, item: _Property) -> Surroundings:
    owner = _LAST_NAME.search(name_of(item.holder.pointer) or "")
    named = _OWNER.match(item.holder.pointer)
    objects = (item.holder.value, follow(schema.value, named[0]) if named is not None else None)
    is_described = any(isinstance(one, dict) and texts(one.get("description")) for one in objects)
    return Surroundings(item.holder.value, owner[0] if owner else None, is_described, schema.part == "output")


def _is_the_gap(item: _Property, gaps: Mapping[str, int]) -> bool:
    """Whether a property is the only unclear one of its object, and others have a description."""
    siblings = item.holder.value["properties"]
    if gaps[item.holder.pointer] > 1 or not isinstance(siblings, dict):
        return False
    described = sum(isinstance(sibling, dict) and "description" in sibling for sibling in siblings.values())
    return described >= _FEWEST_DESCRIBED


_OWNER = re.compile(r".*/properties/[^/]+")
_FEWEST_DESCRIBED = 2
_LAST_NAME = re.compile(r"\w+(?=\W*\Z)")


def _says_more(item: _Property) -> bool:
    """Whether a description says more than limits in brackets."""
    said = item.schema.get("description")
    return isinstance(said, str) and not re.fullmatch(r"(?:\([^()]*\))?", said)


@rule("MC312", Severity.NOTE, since="0.1.0", needs=["properties"])
def property_without_type(schema: ToolSchema) -> Iterator[Finding]:
    """A property has no type.

    Without a type, every value is allowed and nothing is checked, so callers guess. If a property deliberately accepts
    any value, say so in its description ("any JSON value"). An empty schema (`{}` or `true`) is not reported.

    Properties that are `readOnly` are skipped in inputs, because callers do not send them. If a schema contains the
    same object several times, only the first one is reported.
    """
    if schema.origin is not SchemaOrigin.SCHEMA:
        return  # types in rows are checked as written
    untyped = _properties(schema, lambda child: not child or not _SAYS_WHAT.isdisjoint(child))
    for item, others in _equal_ones(item for item in untyped if item.schema and not _says_what(item.schema)):
        yield _about(schema, item, others, "no type", "add `type`, or say in the description that any value is allowed")


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
        if is_array and _SAYS_ITEMS.isdisjoint(node.value) and not _tells_items(schema, node.pointer):
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


def _tells_items(schema: ToolSchema, pointer: str) -> bool:
    """Whether a row describes the items of an array, or of one inside its value, in words or with an example."""
    if schema.origin is SchemaOrigin.SCHEMA:
        return False
    ends = [at for at, character in enumerate(f"{pointer}/") if character == "/"]
    around = (follow(schema.value, pointer[:end]) for end in ends)
    said = (one.get("description") for one in around if isinstance(one, dict))
    return any(isinstance(text, str) and _ITEMS.search(text) for text in said)


_ITEMS = re.compile(
    r"^each(?: (?:item|entry|element|one|object))?(?::| is\b| has\b)"
    r"|\b(?:array|list|pair|tuple|triple|triplet)s? of (?:[\w-]+ ){0,3}(?:[\w-]+s\b|`)|^per [\w ]+: ?`"
    r"|\[[\"'][^\]]|\[ ?\{ ?[\w\"]|\[\w+(?:, ?\w+)+\]|`[^`]+` (?:entries|items|objects|records|rows)\b",
    re.IGNORECASE,
)


def _properties(
    schema: ToolSchema, is_fine: Callable[[dict[str, JsonValue]], bool] | None = None
) -> Iterator[_Property]:
    """Yield every property that a caller can send or receive, each once, except those that `is_fine` accepts.

    This leaves out properties that `not` and `if` only test for, unused definitions, the same property in another
    branch or again in itself, where a recursive type is unrolled, those that callers must not send (`readOnly` in an
    input) or do not receive, and the `result` that servers put around a value that is not an object.
    """
    unsent = "readOnly" if schema.part == "input" else "writeOnly"
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
            left_out = (
                *below_branches(schema, "/not", "/if"),
                *(f"{pointer}/" for pointer in unused_definitions(schema)),
            )
        if left_out and f"{node.pointer}/".startswith(left_out):
            continue
        if schema.part == "output" and not node.pointer and named.keys() == {"result"}:
            continue
        for name, child in named.items():
            if child is not True and not isinstance(child, dict):
                continue
            if child is not True and ((is_fine is not None and is_fine(child)) or child.get(unsent) is True):
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
    """Whether a property was seen before in an object like its own: `nodes[].nodes[].name`."""
    name = f"{name_of(item.pointer) or ''}.".replace("[]", "")
    once = _UNROLLED.sub(r"\1", name)
    own = item.holder.value["properties"]
    before = seen.setdefault(once, own)
    return once != name and isinstance(own, dict) and isinstance(before, dict) and own.keys() <= before.keys()


_UNROLLED = re.compile(r"(?:(?<=\.)|^)((?:[^.]+\.)+?)\1+")


def _equal_ones(items: Iterable[_Property]) -> Iterator[tuple[_Property, Sequence[_Property]]]:
    """Yield each property, with those of the same name in other objects that declare the same properties, as written by
    generators that do not share definitions.
    """
    by_name: dict[str, list[_Property]] = {}
    for item in items:
        by_name.setdefault(item.name, []).append(item)
    keys: dict[int, object] = {}
    for named in by_name.values():
        equal: dict[object, list[_Property]] = {}
        for item in named:
            own = item.holder.value["properties"]
            key = keys.setdefault(id(own), json_key(own) if id(own) not in keys else None) if named[1:] else None
            equal.setdefault(key, []).append(item)
        for first, *others in equal.values():
            yield first, others


def _about(schema: ToolSchema, item: _Property, others: Sequence[_Property], lack: str, hint: str) -> Finding:
    part = _part_of(schema)
    places = () if part is None else ((other, part.locator.place(other.pointer, on_key=True)) for other in others)
    related = tuple(Related(at, f"`{name_of(other.pointer) or ''}`, in an identical object") for other, at in places)
    message = f"property `{name_of(item.pointer) or ''}` has {lack}"
    return Finding(message, hint, part=schema.part, pointer=item.pointer, on_key=True, related=related)


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
    said = [one.get("description") for one in (value, value.get("items")) if isinstance(one, Mapping)]
    if any(map(texts, said)) or "const" in value:
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
