"""Rewrites the subschemas of a schema, and the references between them, for the places of a value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container

from mcp_contracts.comparison.declared.bounds import Bound, survives_dropping
from mcp_contracts.comparison.declared.name_schemas import undeclared_names
from mcp_contracts.comparison.declared.nodes import TooLargeError
from mcp_contracts.comparison.declared.places import Place, PlaceTree
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.records import dataclass
from mcp_contracts.schema.vocabulary import BRANCH_LISTS, NAMING, Effect, names

ORIGIN = "x-origin"
"""The key under which a rewritten subschema states its origin."""

LEFT_OUT = NAMING | {"contentSchema"}
OF_MEMBERS = frozenset(names(Effect.INSIDE, holds="one")) - {"propertyNames"}
_MOST_NODES = 20_000
_MOST_DEPTH = 100
_SINGLE = names(Effect.IN_PLACE, holds="one")


@dataclass(slots=True)
class Draft:
    """A subschema at a place that is being written keyword by keyword, with additional constraints."""

    pointer: str
    node: dict[str, JsonValue]
    place: Place
    found: dict[str, JsonValue]
    conjuncts: list[JsonValue]


class Rewriter(ABC):
    """Writes subschemas for places. Subschemas at places that drop no name, and at None, are unchanged.

    `inexact` has the pointers of what could not be written exactly. With a `bound`, the result errs on that side;
    otherwise it accepts too much, unless it is under a negation. `has_changed` says whether more is accepted. A
    subclass writes the keywords at a place that drops names.
    """

    def __init__(self, tree: PlaceTree, dropping: Container[Place] = (), *, bound: Bound | None = None) -> None:
        self.is_draft_7 = tree.is_draft_7
        self.inexact: dict[str, None] = {}
        self.has_changed = False
        self._tree = tree
        self._dropping = dropping
        self._bound = bound
        self._names: dict[tuple[str, Place | None, Bound | None], str] = {}
        self._others: dict[Place, str] = {}
        self._pending: list[tuple[str, Place | None, Bound | None]] = []
        self._written: dict[str, JsonValue] = {}
        self._nodes = 0.0
        self._depth = 0

    def definitions(self) -> dict[str, JsonValue]:
        """Return the definitions that the rewritten schemas refer to."""
        while self._pending:
            pointer, place, self._bound = key = self._pending.pop()
            self._written[self._names[key]] = self.rewrite(pointer, place)
        return dict(sorted(self._written.items()))

    def rewrite(self, pointer: str, place: Place | None) -> JsonValue:
        """Return the subschema at a pointer, as it applies to values at a place."""
        node = self._tree.at(pointer)
        if not isinstance(node, dict):
            return node
        self._count_node()
        if self._depth > _MOST_DEPTH:
            raise TooLargeError
        self._depth += 1
        place = self._dropping_place(place)
        if self.is_draft_7 and "$ref" in node:
            node = {"$ref": node["$ref"]}
        found: dict[str, JsonValue] = {}
        conjuncts: list[JsonValue] = []
        for keyword, asked in node.items():
            if keyword in LEFT_OUT or keyword == ORIGIN:
                continue
            target = self._tree.targets.get((pointer, keyword))
            if target is not None:
                conjuncts.append({"$ref": self._refers(target, place)})
            else:
                found[keyword] = self._project_keyword(f"{pointer}/{keyword}", keyword, asked, place)
        if place is not None:
            self._drop_names(Draft(pointer, node, place, found, conjuncts))
        if conjuncts:
            own = found.get("allOf")
            found["allOf"] = [*(own if isinstance(own, list) else ()), *conjuncts]
        self._depth -= 1
        return {ORIGIN: pointer, **found}

    def _count_node(self, nodes: float = 1) -> None:
        self._nodes += nodes
        if self._nodes > _MOST_NODES:
            raise TooLargeError

    def _dropping_place(self, place: Place | None) -> Place | None:
        return place if place is not None and place in self._dropping else None

    def _refers(self, target: str, place: Place | None) -> str:
        place = self._dropping_place(place)
        key = (target, place, None if place is None else self._bound)
        if key not in self._names:
            self._names[key] = f"schema-{len(self._names):04}"
            self._pending.append(key)
        return f"#/{self._tree.holder}/{self._names[key]}"

    def _undeclared(self, place: Place) -> JsonValue:
        """Return a schema of the names that a place does not declare, shared by all schemas written for the place."""
        if place not in self._others:
            self._others[place] = f"names-{len(self._others):04}"
            self._written[self._others[place]] = undeclared_names(self._tree.declared(place))
        return {"$ref": f"#/{self._tree.holder}/{self._others[place]}"}

    def _project_keyword(self, base: str, keyword: str, asked: JsonValue, place: Place | None) -> JsonValue:
        """Return the value of a keyword, with its subschemas rewritten for the same place, or unchanged."""
        is_list = keyword in BRANCH_LISTS or (place is None and keyword in ("prefixItems", "items"))
        if isinstance(asked, list) and is_list:
            return [self.rewrite(f"{base}/{index}", place) for index in range(len(asked))]
        if not isinstance(asked, dict):
            return asked
        if keyword in _SINGLE:
            return self._opposite(base, place) if keyword == "not" else self.rewrite(base, place)
        if keyword in ("dependentSchemas", "dependencies"):
            return {
                name: self.rewrite(f"{base}/{escape(name)}", place) if isinstance(held, dict) else held
                for name, held in asked.items()
            }
        if keyword in ("properties", "patternProperties"):
            if place is None:
                return {name: self.rewrite(f"{base}/{escape(name)}", None) for name in asked}
        elif keyword == "propertyNames" or (place is None and keyword in OF_MEMBERS):
            return self.rewrite(base, None)
        return asked

    def _opposite(self, pointer: str, place: Place | None) -> JsonValue:
        """Return the other bound of the subschema at a pointer, for use under a negation."""
        bound = self._bound
        self._bound = None if bound is None else bound.opposite
        written = self.rewrite(pointer, place)
        self._bound = bound
        return written

    def _drop_constraints(self, pointer: str) -> None:
        self.inexact[pointer] = None
        self.has_changed = True

    def _approximate(self, draft: Draft, base: str) -> JsonValue:
        """Return the replacement of an inner subschema that cannot be written exactly."""
        self._drop_constraints(base)
        if self._bound is not Bound.LOWER:
            return True
        is_declared = draft.pointer in self._tree.members(draft.place)  # a subschema under a negation declares nothing
        return self.rewrite(base, None) if is_declared and survives_dropping(self._tree, base) else False

    @abstractmethod
    def _drop_names(self, draft: Draft) -> None:
        """Write the keywords of a subschema at a place that drops names."""
