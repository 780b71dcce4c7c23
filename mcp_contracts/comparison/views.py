"""Reads subschemas in the form that a comparison needs: with references followed, keywords normalized, and places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcp_contracts.comparison.notation import (
    ANNOTATIONS,
    BRANCH_LISTS,
    IN_PLACE,
    MARKS,
    NOT_IN_DRAFT_7,
    READERS,
    constraint,
    is_idle,
    is_schema,
    members,
    name_lists,
    types_value,
)
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import NamedTuple, dataclass
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.json_equality import json_key, same_json
from mcp_contracts.schema.references import follow, shared_references
from mcp_contracts.schema.simple import strings


class Part(NamedTuple):
    """A keyword of a view: the subschema that contains it, its original notation, and its normalized value.

    `keywords` has several entries if several keywords form one part, such as `const` and `enum`. `target` is the target
    of a reference; None if it is unknown.
    """

    owner: str
    keywords: tuple[str, ...]
    value: JsonValue
    target: str | None = None

    @property
    def pointer(self) -> str:
        return f"{self.owner}/{self.keywords[0]}"


@dataclass(frozen=True, slots=True)
class View:
    """The constraints of a subschema and of its references.

    `parts` constrain values, by their names in 2020-12 (`const` is an `enum`, additional items are `items`); `notes`
    annotate. `layers` are the subschemas that contribute, the outermost first, and `links` the keywords of the
    outermost one that lead to the others. A schema that is true or false has the part `false` or none.
    """

    pointer: str
    layers: tuple[str, ...]
    parts: Mapping[str, Part]
    notes: Mapping[str, Part]
    links: tuple[str, ...] = ()
    is_boolean: bool = False

    @property
    def constraining_layers(self) -> tuple[str, ...]:
        """The subschemas whose constraints the view combines; they are the same for every path that leads there."""
        return tuple(sorted({part.owner for part in self.parts.values()})) or (self.layers[-1],)

    def owner_like(self, part: Part, other: View) -> str:
        """Return the layer of this view that corresponds to the layer of another view's part."""
        if part.owner in other.layers and len(self.layers) == len(other.layers):
            return self.layers[other.layers.index(part.owner)]
        return self.layers[0] if part.owner == other.layers[0] else self.layers[-1]


_GROUPS = {
    "patternProperties": "properties",
    "additionalProperties": "properties",
    "prefixItems": "items",
    "minContains": "contains",
    "maxContains": "contains",
    "then": "if",
    "else": "if",
}
_MAXIMUM_LAYERS = 20
_MOST_UNIONS = 50


class Document:
    """A whole schema, and the views of its subschemas by their pointers."""

    def __init__(self, schema: JsonValue, *, resolves: bool = True) -> None:
        self.schema = schema
        self.is_draft_7 = dialect_of(schema) is Dialect.DRAFT_7
        found = shared_references(schema) if resolves else ()
        self.targets = {reference.pointer: reference.target_pointer for reference in found}
        self._at: dict[str, JsonValue] = {"": schema}
        self._known: dict[str, tuple[dict[str, Part], dict[str, Part]]] = {}
        self._views: dict[tuple[str, frozenset[str]], View] = {}
        self._unions = 0  # nested unions that are being read

    def defines_the_same(self, other: Document) -> bool:
        """Whether a reference with the same text is certain to resolve to the same schema in another document."""
        targets = {**self.targets, **other.targets}.values()
        if not all(target is not None and target.startswith(("/$defs/", "/definitions/")) for target in targets):
            return False
        sides: list[JsonValue] = [
            {name: schema.get(name) for name in ("$id", "$defs", "definitions")} if isinstance(schema, dict) else {}
            for schema in (self.schema, other.schema)
        ]
        return same_json(sides[0], sides[1])

    def at(self, pointer: str) -> JsonValue:
        """Return the target of a pointer."""
        if pointer not in self._at:
            # Resolved from the nearest known container: from the root, deep schemas have a quadratic cost.
            holder, inside = pointer, ""
            while holder not in self._at:
                holder, _, token = holder.rpartition("/")
                inside = f"/{token}{inside}"
            self._at[pointer] = follow(self._at[holder], inside)
        return self._at[pointer]

    def view(self, pointer: str, kept: frozenset[str] = frozenset(BRANCH_LISTS)) -> View:
        """Return the view of the subschema at a pointer; lists of branches in `kept` are not merged into it."""
        key = (pointer, kept)
        found = self._views.get(key)
        if found is None:
            found = self._views[key] = self._follow_references(
                pointer, kept
            )  # the view of a union that contains itself, from inside
            if self._unions < _MOST_UNIONS:
                self._unions += 1
                found = self._views[key] = self._plain_union(found, kept)
                self._unions -= 1
        return found

    def _follow_references(self, pointer: str, kept: frozenset[str]) -> View:
        layers: list[str] = []
        parts: dict[str, Part] = {}
        notes: dict[str, Part] = {}
        links: list[str] = []
        place = pointer
        seen: set[str] = set()
        while True:
            node = self.at(place)
            if not isinstance(node, dict):
                if node is False:
                    parts["false"] = Part(place, (), False)
                break
            seen.add(place)
            own, own_notes = self._read(place, node)
            if not (self.is_draft_7 and own.keys() == {"$ref"} and own["$ref"].target is not None):
                layers.append(place)  # otherwise `$ref` hides it
            parts |= own
            for keyword, note in own_notes.items():
                notes.setdefault(keyword, note)
            link = self._link(parts, own, kept)
            if link is None or link[1] in seen or len(seen) >= _MAXIMUM_LAYERS:
                break
            keyword, place = link
            if len(seen) == 1:
                links.append(keyword)
            del parts[keyword]
        return View(
            pointer,
            tuple(layers) or (place,),
            parts,
            notes,
            tuple(links),
            is_boolean=not isinstance(self.at(pointer), dict),
        )

    def _link(self, parts: Mapping[str, Part], own: Mapping[str, Part], kept: frozenset[str]) -> tuple[str, str] | None:
        """Return the keyword that leads to another schema, and its pointer, if that schema can be merged here."""
        for keyword, part in own.items():
            if keyword == "$ref" and part.target is not None:
                target = part.target
            elif (
                keyword in BRANCH_LISTS
                and keyword not in kept
                and isinstance(part.value, list)
                and len(part.value) == 1
            ):
                target = f"{part.pointer}/0"
            else:
                continue
            node = self.at(target)
            there = self._read(target, node)[0] if isinstance(node, dict) else {}
            here = {name for name in parts if name != keyword}
            if not here or not _interact(here, set(there)):
                return keyword, target
        return None

    def _plain_union(self, view: View, kept: frozenset[str]) -> View:
        """Return the `type` that is equivalent to a union of types, or of something and null."""
        keyword, part = next(iter(view.parts.items()), ("", Part("", (), None)))
        if len(view.parts) != 1 or keyword not in ("anyOf", "oneOf") or keyword in kept:
            return view
        branches = part.value if isinstance(part.value, list) else []
        views = [self.view(f"{part.pointer}/{index}", kept) for index in range(min(len(branches), _MAXIMUM_LAYERS))]
        if len(views) != len(branches):
            return view
        lists = [types_of(branch) for branch in views]
        if all(branch.parts.keys() == {"type"} and not branch.is_boolean for branch in views):
            merged = {name for names in lists for name in names}
            overlaps = sum(map(len, lists)) > len(merged) or {"integer", "number"} <= merged
            if keyword == "oneOf" and overlaps:
                return view
            types = types_value(merged)
            parts = {"type": Part(part.owner, part.keywords, types)} if types is not None else {}
            return View(view.pointer, view.layers, parts, view.notes, view.links)
        inner = next((branch for branch, names in zip(views, lists, strict=True) if names != ["null"]), None)
        if len(views) != 2 or ["null"] not in lists or inner is None:
            return view
        types_inside = types_of(inner)
        if not types_inside or "null" in types_inside or not IN_PLACE.isdisjoint(inner.parts):
            return view
        parts = dict(inner.parts)
        parts["type"] = Part(part.owner, part.keywords, types_value([*types_inside, "null"]))
        if "enum" in parts and isinstance(parts["enum"].value, list):
            parts["enum"] = parts["enum"]._replace(value=[*parts["enum"].value, None])
        return View(view.pointer, (*view.layers, *inner.layers), parts, {**inner.notes, **view.notes}, view.links)

    def _read(self, pointer: str, node: dict[str, JsonValue]) -> tuple[dict[str, Part], dict[str, Part]]:
        found = self._known.get(pointer)
        if found is None:
            found = self._known[pointer] = (dict(self._parts(pointer, node)), dict(self._notes(pointer, node)))
        return found

    def _notes(self, pointer: str, node: dict[str, JsonValue]) -> Iterator[tuple[str, Part]]:
        if self.is_draft_7 and isinstance(node.get("$ref"), str):
            return
        for keyword, value in node.items():
            if keyword in ANNOTATIONS and not (value is False and keyword in MARKS):
                yield keyword, Part(pointer, (keyword,), value)

    def _parts(self, pointer: str, node: dict[str, JsonValue]) -> Iterator[tuple[str, Part]]:
        hides = self.is_draft_7 and isinstance(node.get("$ref"), str)
        for keyword, value in node.items():
            if hides and keyword != "$ref":
                continue
            match keyword:
                case "$ref" | "$dynamicRef":
                    if isinstance(value, str) and not (self.is_draft_7 and keyword == "$dynamicRef"):
                        target = self.targets.get(f"{pointer}/{keyword}")
                        yield keyword, Part(pointer, (keyword,), value, target)
                    continue
                case "const" if not isinstance(node.get("enum"), list):
                    yield "enum", Part(pointer, ("const",), [value])
                    continue
                case "enum" if "const" in node and isinstance(value, list):
                    wanted = json_key(node["const"])
                    both = [item for item in value if json_key(item) == wanted]
                    yield "enum", Part(pointer, ("enum", "const"), both)
                    continue
                case "items" if self.is_draft_7 and isinstance(value, list):
                    if all(map(is_schema, value)) and value:
                        yield "prefixItems", Part(pointer, ("items",), value)
                    continue
                case "additionalItems":
                    if self.is_draft_7 and isinstance(node.get("items"), list) and constraint(value) is not None:
                        yield "items", Part(pointer, ("additionalItems",), value)
                    continue
                case "dependencies" if isinstance(value, dict):
                    lists, schemas = name_lists(value), members(value)
                    if lists is not None and "dependentRequired" not in node:
                        yield "dependentRequired", Part(pointer, ("dependencies",), lists)
                    if schemas is not None and "dependentSchemas" not in node:
                        yield "dependentSchemas", Part(pointer, ("dependencies",), schemas)
                    continue
            reader = READERS.get(keyword)
            if reader is None or (self.is_draft_7 and keyword in NOT_IN_DRAFT_7) or is_idle(keyword, node):
                continue
            read = reader(value)
            if read is not None:
                yield keyword, Part(pointer, (keyword,), read)


def types_of(view: View) -> list[str]:
    """Return the types that a view names, or None."""
    part = view.parts.get("type")
    return strings(part.value) if part is not None else []


def _interact(here: set[str], there: set[str]) -> bool:
    """Whether keywords of two schemas for the same value would change their meaning in one schema."""
    groups = [{_GROUPS.get(name, name) for name in names} for names in (here, there)]
    unevaluated = any(name.startswith("unevaluated") for name in (*here, *there))
    return unevaluated or not groups[0].isdisjoint(groups[1])
