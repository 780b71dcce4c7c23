"""The subschemas of some documents as one graph, where equal subschemas are the same node.

Two subschemas are equal if they have the same assertions once references are followed, annotations dropped and
notations normalized. An inlined reference, a renamed definition or a different order of keys makes no difference, even
in recursive definitions, and parts that two versions of a schema share need no proof.
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.nodes import FALSE, TRUE, Node, Origin, equal_classes, in_place_depth
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.effort import size_of
from mcp_contracts.schema.references import follow, shared_references
from mcp_contracts.schema.simple import exact, strings, value_key
from mcp_contracts.schema.vocabulary import REFUSING

MAXIMUM_NODES = 20_000
ORIGIN = "x-origin"
"""The keyword that `declared` leaves in the schemas that it rewrites: the pointer to the original."""


class TooLargeError(Exception):
    """A document has more subschemas than the search follows."""


_NUMBERS_IN_ORDER = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_SIZES_IN_ORDER = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_NUMBERS, _SIZES = frozenset(_NUMBERS_IN_ORDER), frozenset(_SIZES_IN_ORDER)
_NEUTRAL_SIZES = ("minLength", "minItems", "minProperties")
_SCALARS = frozenset(("type", "enum", "const", *_NUMBERS, *_SIZES, "pattern"))
_ARRAYS = frozenset((
    "uniqueItems", "prefixItems", "items", "additionalItems", "contains", "minContains", "maxContains",
    "unevaluatedItems",
))  # fmt: skip
_OBJECTS = frozenset((
    "properties", "patternProperties", "additionalProperties", "propertyNames", "required", "unevaluatedProperties",
    "dependencies", "dependentRequired", "dependentSchemas",
))  # fmt: skip
_LOGIC = frozenset(("allOf", "anyOf", "oneOf", "not", "if", "then", "else"))
READ = frozenset(("$ref", "$dynamicRef")) | _SCALARS | _ARRAYS | _OBJECTS | _LOGIC
"""The keywords that the search supports. A subschema with another keyword that may refuse a value is opaque."""

OPAQUE: frozenset[str] = frozenset()
"""The keywords that are deliberately opaque, because their negation is not exact or not implemented."""

_UNREAD = REFUSING - READ


class Graph:
    """The nodes of one or more documents; `root(i)` is the node of the i-th.

    `in_place_depth` is the maximum nesting of subschemas that apply to one value; `is_endless` says that some refer to
    themselves for the same value, so that no validator can evaluate them.
    """

    def __init__(self, *documents: JsonValue) -> None:
        self._nodes: dict[int, Node] = {}
        readers = [_Reader(number, document, self._nodes) for number, document in enumerate(documents)]
        roots = [reader.target("") for reader in readers]
        for reader in readers:
            reader.read_pending()
        self.in_place_depth, endless = in_place_depth(self._nodes)
        self.is_endless = bool(endless)
        for number in endless:
            self._nodes[number] = Node(self._nodes[number].origin, opaque=("$ref",))
        classes = equal_classes(self._nodes)
        self._roots = [classes[root] if root > 0 else -classes[-root] for root in roots]
        self._by_class: dict[int, Node] = {}
        for number, node in self._nodes.items():
            if classes[number] not in self._by_class:
                self._by_class[classes[number]] = node.map_classes(classes)

    def root(self, document: int) -> int:
        """Return the number of a document's root; a negative number is the negation of a node."""
        return self._roots[document]

    def __len__(self) -> int:
        return len(self._nodes)

    @property
    def listed(self) -> int:
        """Return the number of values that the nodes list, including nested ones, plus the names that they require."""
        return sum(
            sum(map(_size, node.values or ())) + len(node.required) + sum(map(len, node.dependent_required.values()))
            for node in self._nodes.values()
        )

    def __getitem__(self, number: int) -> Node:
        return self._by_class[number]


class _Reader:
    """Reads one document's subschemas into nodes, each pointer once."""

    def __init__(self, number: int, document: JsonValue, nodes: dict[int, Node]) -> None:
        self._number, self._document, self._nodes = number, document, nodes
        self._is_draft_7 = dialect_of(document) is Dialect.DRAFT_7
        found = shared_references(document)
        self._targets = {reference.pointer: reference.target_pointer for reference in found}
        self._dynamic = _dynamic_names(document) if any(one.pointer.endswith("/$dynamicRef") for one in found) else {}
        self._numbers: dict[str, int] = {}
        self._pending: list[tuple[int, str, dict[str, JsonValue]]] = []

    def target(self, pointer: str) -> int:
        """Return the number of the node that a pointer leads to."""
        return self.node(pointer, follow(self._document, pointer))

    def node(self, pointer: str, value: JsonValue) -> int:
        """Return the number of the node of a subschema at a pointer, which is read later."""
        chain = []
        while True:
            known = self._numbers.get(pointer)
            if known is not None:
                break
            chain.append(pointer)
            if not isinstance(value, dict):
                known = FALSE if value is False else TRUE
                break
            target = self._alias(pointer, value)
            if target is None or target in chain:
                known = self._fresh(pointer, value)
                break
            pointer, value = target, follow(self._document, target)
        for passed in chain:
            self._numbers[passed] = known
        return known

    def _fresh(self, pointer: str, value: dict[str, JsonValue]) -> int:
        if not ASSERTIONS.intersection(value):
            return TRUE
        number = len(self._nodes) + 2
        if number > MAXIMUM_NODES:
            raise TooLargeError
        origin = value.get(ORIGIN)
        self._nodes[number] = Node(Origin(self._number, origin if isinstance(origin, str) else pointer))
        self._pending.append((number, pointer, value))
        return number

    def _add(self, node: Node) -> int:
        """Return the number of a new node that represents no subschema."""
        number = len(self._nodes) + 2
        self._nodes[number] = node
        return number

    def _without_annotations(self, origin: Origin, number: int) -> int:
        """Return a node that accepts the same values as another one but evaluates nothing."""
        return self._add(Node(origin, negated=self._add(Node(origin, negated=number))))

    def _alias(self, pointer: str, value: dict[str, JsonValue]) -> str | None:
        """Return the pointer of the subschema that this one only refers to."""
        if "$ref" in value and (self._is_draft_7 or ASSERTIONS.isdisjoint(value.keys() - {"$ref"})):
            return self._targets.get(f"{pointer}/$ref")
        branches = value.get("allOf")
        if (
            isinstance(branches, list)
            and len(branches) == 1
            and ASSERTIONS.isdisjoint(value.keys() - {"allOf"})
            and isinstance(branches[0], dict)
        ):
            return f"{pointer}/allOf/0"
        return None

    def read_pending(self) -> None:
        """Read the pending nodes, and those that they lead to."""
        while self._pending:
            number, pointer, value = self._pending.pop()
            self._read(self._nodes[number], pointer, value)

    def _read(self, node: Node, pointer: str, value: dict[str, JsonValue]) -> None:
        opaque = []
        if "$ref" in value:
            target = self._targets.get(f"{pointer}/$ref")
            if target is None or target == pointer or self._is_draft_7:
                opaque.append("$ref")  # a reference that points outside the documents, or directly to itself
            else:
                node.all_of += (self.target(target),)
            if self._is_draft_7:
                node.opaque = tuple(opaque)
                return
        if "$dynamicRef" in value and not self._is_draft_7:
            target = self._targets.get(f"{pointer}/$dynamicRef")
            name = str(value["$dynamicRef"]).rpartition("#")[2]
            if target is None or target == pointer or self._dynamic.get(name, 0) > 1:
                opaque.append("$dynamicRef")
            else:
                node.all_of += (self.target(target),)
        if not _SCALARS.isdisjoint(value):
            self._read_scalars(node, value)
        if not _ARRAYS.isdisjoint(value):
            self._read_arrays(node, pointer, value)
        if not _OBJECTS.isdisjoint(value):
            self._read_objects(node, pointer, value)
        if not _LOGIC.isdisjoint(value):
            self._read_logic(node, pointer, value)
        node.opaque = (*opaque, *sorted(_UNREAD.intersection(value)))

    def _read_scalars(self, node: Node, value: dict[str, JsonValue]) -> None:
        stated = value.get("type")
        names = [stated] if isinstance(stated, str) else strings(stated)
        if names:
            node.types = frozenset(names) - {"integer"} if "number" in names else frozenset(names)
        options = value.get("enum")
        if isinstance(options, list):
            node.values = tuple(options)
        if "const" in value:
            key = value_key(value["const"])
            if node.values is None or any(value_key(option) == key for option in node.values):
                node.values = (value["const"],)
            else:
                node.values = ()
        if not _NUMBERS.isdisjoint(value):
            node.numbers = {
                keyword: number for keyword in _NUMBERS_IN_ORDER if (number := exact(value.get(keyword))) is not None
            }
        if not _SIZES.isdisjoint(value):
            node.sizes = {
                keyword: int(size)
                for keyword in _SIZES_IN_ORDER
                if (size := exact(value.get(keyword))) is not None and (size or keyword not in _NEUTRAL_SIZES)
            }
        pattern = value.get("pattern")
        node.pattern = pattern if isinstance(pattern, str) else None

    def _read_arrays(self, node: Node, pointer: str, value: dict[str, JsonValue]) -> None:
        node.is_unique = value.get("uniqueItems") is True
        keyword = "items" if self._is_draft_7 else "prefixItems"
        prefix = value.get(keyword)
        rest_keyword = "items"
        if isinstance(prefix, list):
            node.prefix = tuple(self.node(f"{pointer}/{keyword}/{i}", item) for i, item in enumerate(prefix))
            rest_keyword = "additionalItems" if self._is_draft_7 else "items"
        node.rest = self._optional(pointer, value, rest_keyword)
        if node.rest is not None and isinstance(value.get(rest_keyword), list):
            node.rest = None
        contains = self._optional(pointer, value, "contains")
        if contains is not None:
            low, high = (None, None) if self._is_draft_7 else (value.get("minContains"), value.get("maxContains"))
            low_count, high_count = exact(low), exact(high)
            node.contains = (
                contains,
                1 if low_count is None else int(low_count),
                None if high_count is None else int(high_count),
            )
        if not self._is_draft_7:
            node.unevaluated_items = self._optional(pointer, value, "unevaluatedItems")

    def _read_objects(self, node: Node, pointer: str, value: dict[str, JsonValue]) -> None:
        node.properties = dict(self._children(pointer, value, "properties"))
        node.patterns = dict(self._children(pointer, value, "patternProperties"))
        node.additional = self._optional(pointer, value, "additionalProperties")
        node.names = self._optional(pointer, value, "propertyNames")
        node.required = frozenset(strings(value.get("required")))
        if not self._is_draft_7:
            node.unevaluated_properties = self._optional(pointer, value, "unevaluatedProperties")
        # Validators of 2020-12 still apply `dependencies`.
        keywords = ("dependencies",) if self._is_draft_7 else ("dependentRequired", "dependentSchemas", "dependencies")
        for keyword in keywords:
            stated = value.get(keyword)
            if isinstance(stated, dict):
                listed = {name: frozenset(strings(one)) for name, one in stated.items() if strings(one)}
                known = node.dependent_required
                node.dependent_required = {
                    **known,
                    **{name: names | known.get(name, frozenset()) for name, names in listed.items()},
                }
                for name, one in stated.items():
                    if isinstance(one, dict | bool):
                        schema = self.node(f"{pointer}/{keyword}/{escape(name)}", one)
                        if keyword == "dependencies" and not self._is_draft_7:
                            schema = self._without_annotations(node.origin, schema)
                            if name in node.dependent_schemas:
                                schema = self._add(Node(node.origin, all_of=(node.dependent_schemas[name], schema)))
                        node.dependent_schemas = {**node.dependent_schemas, name: schema}

    def _read_logic(self, node: Node, pointer: str, value: dict[str, JsonValue]) -> None:
        for keyword in ("allOf", "anyOf", "oneOf"):
            branches = value.get(keyword)
            if not isinstance(branches, list):
                continue
            numbers = tuple(self.node(f"{pointer}/{keyword}/{i}", branch) for i, branch in enumerate(branches))
            if keyword == "allOf":
                node.all_of += numbers
            elif keyword == "anyOf" or len(numbers) == 1:
                node.any_of += (numbers,)
            else:
                node.one_of = numbers
        node.negated = self._optional(pointer, value, "not")
        condition = self._optional(pointer, value, "if")
        if condition is not None:  # it annotates by itself
            then, otherwise = (self._optional(pointer, value, keyword) for keyword in ("then", "else"))
            node.condition = (condition, TRUE if then is None else then, TRUE if otherwise is None else otherwise)

    def _optional(self, pointer: str, value: dict[str, JsonValue], keyword: str) -> int | None:
        return self.node(f"{pointer}/{keyword}", value[keyword]) if keyword in value else None

    def _children(self, pointer: str, value: dict[str, JsonValue], keyword: str) -> Iterator[tuple[str, int]]:
        stated = value.get(keyword)
        if isinstance(stated, dict):
            for name, child in stated.items():
                yield name, self.node(f"{pointer}/{keyword}/{escape(name)}", child)


def _size(value: JsonValue) -> int:
    return size_of(value).values if isinstance(value, dict | list) else 1


ASSERTIONS = REFUSING
"""The keywords that may reject a value, without those that only modify another keyword."""


def _dynamic_names(document: JsonValue) -> dict[str, int]:
    """Count the schemas with each dynamic anchor: a dynamic reference to a unique one is a plain reference."""
    from mcp_contracts.schema.walk import subschemas

    found: dict[str, int] = {}
    for node in subschemas(document):
        name = node.value.get("$dynamicAnchor")
        if isinstance(name, str):
            found[name] = found.get(name, 0) + 1
    return found
