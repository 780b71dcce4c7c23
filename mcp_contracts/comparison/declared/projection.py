"""Rewrites a schema so that it applies to a value without the names that a place does not declare."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_contracts.comparison.declared.bounds import Bound, bound_choice, bound_condition, without_evaluation
from mcp_contracts.comparison.declared.name_schemas import names_held, names_matching, none_of
from mcp_contracts.comparison.declared.nodes import TooLargeError, holds_object, is_anything
from mcp_contracts.comparison.declared.places import NameClass, Place
from mcp_contracts.comparison.declared.rewriter import Draft, Rewriter
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.schema.simple import strings

_REFUSED_NAMES_PER_NODE = 5  # names of other branches that a closed one refuses, in the cache of a subschema
_NO_OBJECT: JsonValue = {"not": {"type": "object"}}
_PLAIN_ITEMS: JsonValue = {"not": {"contains": {"type": ["object", "array"]}}}


_Members = tuple[dict[str, JsonValue], dict[str, JsonValue]]
"""Schemas for the members of objects, by their names and by patterns."""


class Projection(Rewriter):
    """Writes subschemas without the names that the dropping places do not declare.

    `may_lack_names` says whether dropping names can make a value invalid because a name is missing, and `has_negations`
    whether the schema contains negations, under which accepting too much means rejecting too much.
    """

    may_lack_names = False
    has_negations = False

    def _drop_names(self, draft: Draft) -> None:
        self.has_negations |= not {"not", "oneOf", "if", "maxContains"}.isdisjoint(draft.node)
        if self._bound is not None:
            self._rewrite_negating(draft)
        self._rewrite_values(draft)
        if self._tree.may_be(draft.place, "object"):
            self._rewrite_properties(draft, self._rewrite_rest(draft), self._rewrite_patterns(draft))
            self._rewrite_unevaluated(draft)
            if not self._tree.declared(draft.place).every:
                self._rewrite_names(draft)
        else:
            for keyword in ("properties", "patternProperties", "additionalProperties", "unevaluatedProperties"):
                draft.found.pop(keyword, None)
        if self._tree.may_be(draft.place, "array"):
            self._rewrite_items(draft)
        else:
            for keyword in ("prefixItems", "items", "additionalItems", "contains", "unevaluatedItems"):
                draft.found.pop(keyword, None)

    def _rewrite_negating(self, draft: Draft) -> None:
        """Rewrite the keywords that use the same subschemas both to accept and to reject."""
        base = draft.pointer
        if "if" in draft.found:
            condition = (draft.found.pop("if"), self._opposite(f"{base}/if", draft.place))
            then, otherwise = (draft.found.pop(keyword, True) for keyword in ("then", "else"))
            draft.conjuncts.append(bound_condition(condition, then, otherwise))
        branches = draft.found.get("oneOf")
        if isinstance(branches, list):
            del draft.found["oneOf"]
            opposites = [self._opposite(f"{base}/oneOf/{index}", draft.place) for index in range(len(branches))]
            choice, is_exact = bound_choice(branches, opposites)
            draft.conjuncts.append({"not": {}} if self._bound is Bound.LOWER and not is_exact else choice)
            self.inexact.update({} if is_exact else {f"{base}/oneOf": None})

    def _rewrite_values(self, draft: Draft) -> None:
        place = draft.place
        if holds_object(draft.node.get("const")):
            draft.conjuncts.append(without_evaluation(self._equal(place, draft.found.pop("const"))))
            self.has_changed = True
        options = draft.node.get("enum")
        if isinstance(options, list) and holds_object(options):
            del draft.found["enum"]
            draft.conjuncts.append(without_evaluation({"anyOf": [self._equal(place, option) for option in options]}))
            self.has_changed = True

    def _equal(self, place: Place, value: JsonValue) -> JsonValue:
        """Return a schema for values that equal a value once undeclared names are dropped, there and inside it."""
        tree = self._tree
        is_kept = place not in self._dropping
        if not is_kept and isinstance(value, dict) and not all(tree.declares(place, name) for name in value):
            return False
        self._count_node()
        if is_kept or not isinstance(value, dict | list):
            return {"const": value}
        if isinstance(value, list):
            items: list[JsonValue] = [self._equal(tree.item(place, index), item) for index, item in enumerate(value)]
            first = {tree.first: items} if items else {}
            return {"type": "array", "minItems": len(items), "maxItems": len(items), **first}
        properties = {name: self._equal(tree.named(place, name), item) for name, item in value.items()}
        equal: dict[str, JsonValue] = {"type": "object", "required": list(value), "properties": {**properties}}
        if tree.declared(place).every:
            equal["additionalProperties"] = False
        else:
            equal["propertyNames"] = {"anyOf": [{"enum": list(value)}, self._undeclared(place)]}
        return equal

    def _rewrite_properties(self, draft: Draft, *parts: _Members) -> None:
        """Write `properties`, and what other keywords say about single names and about the names of patterns."""
        tree = self._tree
        own = draft.node.get("properties")
        names: dict[str, JsonValue] = {
            name: self.rewrite(f"{draft.pointer}/properties/{escape(name)}", tree.named(draft.place, name))
            for name in (own if isinstance(own, dict) else ())
            if tree.declares(draft.place, name)
        }
        self.has_changed |= isinstance(own, dict) and len(names) < len(own)
        patterns: dict[str, JsonValue] = {}
        for listed, matched in parts:
            for found, more in ((names, listed), (patterns, matched)):
                for name, schema in more.items():
                    _add(found, name, schema)
        for keyword, found in (("properties", names), ("patternProperties", patterns)):
            if found or keyword in draft.found:
                draft.found[keyword] = found

    def _rewrite_patterns(self, draft: Draft) -> _Members:
        """Return what `patternProperties` says about names that are listed, and about others."""
        tree, place = self._tree, draft.place
        patterns = draft.node.get("patternProperties")
        listed: dict[str, JsonValue] = {}
        written: dict[str, JsonValue] = {}
        for pattern, schema in patterns.items() if isinstance(patterns, dict) else ():
            base = f"{draft.pointer}/patternProperties/{escape(pattern)}"
            is_declared = pattern in tree.declared(place).patterns  # not under a negation
            if is_anything(schema) or (schema is False and is_declared):
                _add(written, pattern, schema)
                continue
            names = [name for name in tree.declared(place).names if tree.matches(pattern, name)]
            classes = self._classes(place)
            if is_declared:
                classes = [one for one in classes if pattern in one.matching]
                places = [*(one.place for one in classes), *(tree.named(place, name) for name in names)]
                is_uniform = all(one.is_exact for one in classes) and all(inner == places[0] for inner in places)
                if is_uniform or not any(inner in self._dropping for inner in places):
                    _add(written, pattern, self.rewrite(base, places[0] if is_uniform else None))
                    continue
            self.has_changed |= not is_declared  # dropped names are exempt
            parts = self._of_classes(base, classes, () if is_declared else (pattern,))
            if parts is None:
                _add(written, pattern, self._approximate(draft, base))
                continue
            for name in names:
                _add(listed, name, self.rewrite(base, tree.named(place, name)))
            for part, one in parts.items():
                _add(written, part, one)
        return listed, written

    def _classes(self, place: Place) -> list[NameClass]:
        """Return the classes of the names that a place keeps and does not list."""
        tree, declared = self._tree, self._tree.declared(place)
        classes = list(tree.classes(place))
        if declared.every:
            classes.append(NameClass(tree.others(place), "", (), declared.patterns, declared.names))
        return classes

    def _of_classes(
        self,
        base: str,
        classes: Sequence[NameClass],
        wanted: Sequence[str],
        unwanted: Sequence[str] = (),
        excluded: Sequence[str] = (),
    ) -> dict[str, JsonValue] | None:
        """Return the subschema at a pointer for classes of names, or None if they cannot be distinguished."""
        found: dict[str, JsonValue] = {}
        for one in classes:
            pattern = one.part(
                wanted,
                unwanted,
                [name for name in excluded if all(self._tree.matches(own, name) for own in one.matching)],
            )
            if not one.is_exact or pattern is None:
                return None
            self._count_node()
            _add(found, pattern, self.rewrite(base, one.place))
        return found

    def _rewrite_rest(self, draft: Draft) -> _Members:
        """Return what `additionalProperties` says about names that other schemas of the place declare, if it must be
        explicit.
        """
        rest = draft.node.get("additionalProperties", True)
        if is_anything(rest):
            return {}, {}
        tree, declared, base = self._tree, self._tree.declared(draft.place), f"{draft.pointer}/additionalProperties"
        own, patterns = draft.node.get("properties", {}), draft.node.get("patternProperties", {})
        if not isinstance(own, dict) or not isinstance(patterns, dict):
            raise TooLargeError
        foreign = [name for name in declared.names if name not in own]
        if patterns:
            foreign = [name for name in foreign if not tree.matches_any(patterns, name)]
        classes = [one for one in tree.classes(draft.place) if patterns.keys().isdisjoint(one.matching)]
        inner = tree.others(draft.place)
        if declared.every:
            places = [*(tree.named(draft.place, name) for name in foreign), *(one.place for one in classes)]
            is_uniform = rest is False or all(other == inner for other in places)
            if is_uniform or not any(other in self._dropping for other in (inner, *places)):
                draft.found["additionalProperties"] = self.rewrite(base, inner if is_uniform else None)
                return {}, {}
        else:
            del draft.found["additionalProperties"]
            self.has_changed = True
        negated = [pattern for pattern in patterns if pattern not in declared.patterns]
        written = self._of_classes(base, classes, (), negated, tuple(own))
        if written is not None:
            if declared.every:
                draft.found["additionalProperties"] = self.rewrite(base, inner)
            self._count_node(len(foreign) / _REFUSED_NAMES_PER_NODE)
            return {name: self.rewrite(base, tree.named(draft.place, name)) for name in foreign}, written
        if declared.every:
            draft.found["additionalProperties"] = self._approximate(draft, base)
            return {}, {}
        if rest is not False:
            self._drop_constraints(base)
        if rest is False or self._bound is Bound.LOWER:
            kinds: list[JsonValue] = [{"enum": list(own)}] if own else []
            kinds += ({"pattern": pattern} for pattern in patterns)
            draft.conjuncts.append({"propertyNames": {"anyOf": [*kinds, self._undeclared(draft.place)]}})
        return {}, {}

    def _rewrite_unevaluated(self, draft: Draft) -> None:
        base, rest = f"{draft.pointer}/unevaluatedProperties", draft.node.get("unevaluatedProperties", True)
        if is_anything(rest):
            return
        declared = self._tree.declared(draft.place)
        is_alone = not declared.names and not declared.patterns
        dropped = None
        if rest is False and not declared.every:
            has_patterns = bool(declared.patterns)
            dropped = names_matching((), declared.patterns, declared.names) if has_patterns else none_of(declared.names)
        if dropped is not None:
            self.has_changed = True  # so that the names that are dropped count as evaluated
            draft.conjuncts.append({"patternProperties": {dropped: True}})
        elif declared.every and not any(inner in self._dropping for inner in self._tree.inner(draft.place)):
            draft.found["unevaluatedProperties"] = self.rewrite(base, None)
        elif declared.every and (rest is False or is_alone):
            draft.found["unevaluatedProperties"] = self.rewrite(base, self._tree.others(draft.place))
        else:
            del draft.found["unevaluatedProperties"]
            if not self.is_draft_7:
                draft.found["unevaluatedProperties"] = self._approximate(draft, base)

    def _rewrite_names(self, draft: Draft) -> None:
        """Rewrite the keywords that require or count names."""
        tree, declared = self._tree, self._tree.declared(draft.place)
        if not all(tree.declares(draft.place, name) for name in strings(draft.node.get("required"))):
            draft.conjuncts.append(_NO_OBJECT)
            self.has_changed = True
        for keyword in tree.dependents:
            asked = draft.found.get(keyword)
            if isinstance(asked, dict):
                kept = {name: held for name, held in asked.items() if tree.declares(draft.place, name)}
                self.has_changed |= len(kept) < len(asked)
                draft.found[keyword] = kept
                for name, needed in kept.items():
                    if not all(tree.declares(draft.place, other) for other in strings(needed)):
                        draft.conjuncts.append({"not": {"type": "object", "required": [name]}})
                        self.has_changed = True
        if "propertyNames" in draft.found and not is_anything(draft.found["propertyNames"]):
            draft.found["propertyNames"] = {"anyOf": [draft.found["propertyNames"], self._undeclared(draft.place)]}
            self.has_changed = True
        for keyword in ("minProperties", "maxProperties"):
            count = draft.node.get(keyword)
            if not isinstance(count, int | float) or (keyword == "minProperties" and count <= 0):
                continue
            many = names_held(declared, int(count) + (keyword == "maxProperties"), self._undeclared(draft.place))
            if keyword == "minProperties":
                self.may_lack_names = True
                if many is None:  # it is unchanged, and counts too much
                    self.inexact[f"{draft.pointer}/{keyword}"] = None
                    if self._bound is Bound.LOWER:
                        draft.conjuncts.append({"propertyNames": {"not": self._undeclared(draft.place)}})
                    continue
                draft.conjuncts.append({"anyOf": [_NO_OBJECT, many]})
            elif many is None:
                self._drop_constraints(f"{draft.pointer}/{keyword}")
                if self._bound is Bound.LOWER:
                    continue  # it counts too much
            else:
                self.has_changed = True
                if many is not False:
                    draft.conjuncts.append({"not": {"allOf": [{"type": "object"}, many]}})
            del draft.found[keyword]

    def _rewrite_items(self, draft: Draft) -> None:
        tree, positions = self._tree, self._tree.positions(draft.place)
        first = tree.first
        own = held if isinstance(held := draft.node.get(first), list) else []
        rest = tree.after if isinstance(held, list) else "items"
        places = [tree.item(draft.place, index) for index in range(max(positions, len(own)))]
        last = tree.item(draft.place, None)
        dropping = [inner for inner in (*places, last) if inner in self._dropping]
        items: list[JsonValue] = [
            self.rewrite(f"{draft.pointer}/{first}/{index}", places[index]) for index in range(len(own))
        ]
        if isinstance(draft.node.get(rest), dict):
            base = f"{draft.pointer}/{rest}"
            if any(inner != last for inner in places[len(own) :]):
                items += (self.rewrite(base, inner) for inner in places[len(own) :])
                draft.found.pop(rest, None)
                rest = tree.after
            draft.found[rest] = self.rewrite(base, last)
        if items:
            draft.found[first] = items
        for keyword in ("contains", "unevaluatedItems"):
            if keyword == "unevaluatedItems" and self.is_draft_7:
                continue
            base = f"{draft.pointer}/{keyword}"
            if isinstance(draft.node.get(keyword), dict):
                if not dropping:
                    draft.found[keyword] = self.rewrite(base, None)
                elif not positions and not places:
                    draft.found[keyword] = self.rewrite(base, last)
                    if keyword == "contains" and self._bound is not None and "maxContains" in draft.found:
                        opposite = self._opposite(base, last)
                        most = draft.found.pop("maxContains")
                        draft.conjuncts.append(
                            without_evaluation({"contains": opposite, "minContains": 0, "maxContains": most})
                        )
                elif keyword == "contains" and self._bound is Bound.LOWER:
                    draft.found[keyword] = self._approximate(draft, base)
                    if "maxContains" in draft.found:
                        draft.conjuncts.append({"maxItems": draft.found.pop("maxContains")})
                else:
                    draft.found[keyword] = self._approximate(draft, base)  # which still evaluates items
                    if keyword == "contains":
                        draft.found.pop("maxContains", None)
        if draft.node.get("uniqueItems") is True and dropping:
            self.may_lack_names = True  # items may be equal except for dropped names
            self.inexact[f"{draft.pointer}/uniqueItems"] = None
            if self._bound is Bound.LOWER:
                draft.conjuncts.append({"anyOf": [{"maxItems": 1}, _PLAIN_ITEMS]})
            elif any(inner != last for inner in places):  # equal items may differ once names are dropped
                del draft.found["uniqueItems"]
                self.has_changed = True


def _add(members: dict[str, JsonValue], name: str, schema: JsonValue) -> None:
    """Add a schema for a name or a pattern, in addition to the one that it may already have."""
    members[name] = {"allOf": [members[name], schema]} if name in members else schema
