"""Lists the differences between two schemas as facts, with their places in both, but without verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mcp_contracts.comparison import messages as messages
from mcp_contracts.comparison.branches import (
    are_same_branches,
    branch_name,
    find_null_wrapper,
    is_null,
    pair_branches,
)
from mcp_contracts.comparison.differences import (
    MAPS,
    SINGLE,
    Pair,
    annotation_facts,
    entries,
    fact,
    find_differing_keywords,
    gains_null_in_values,
    idle_with_types,
    is_null_change,
    keyword_facts,
    required_names,
    says_null_in_values,
    schema_fact,
    type_facts,
)
from mcp_contracts.comparison.emptied import with_emptied
from mcp_contracts.comparison.fact import Fact, FactKind
from mcp_contracts.comparison.notation import APPLICATORS, BRANCH_LISTS, IN_PLACE
from mcp_contracts.comparison.property_facts import (
    added_property,
    declared_names,
    names_in,
    property_facts,
    removed_property,
)
from mcp_contracts.comparison.renames import with_renames
from mcp_contracts.comparison.views import Document, View, types_of
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import NamedTuple, dataclass, field, replace
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.json_equality import classes_of, depth_and_references, same_json

__all__ = ["Fact", "FactKind", "facts"]

_MAXIMUM_DEPTH = 100
_MAXIMUM_PAIRS = 5_000  # pairs that differ
_MAXIMUM_TRIES = 10_000  # pairs of branches that are compared with each other, with everything inside them
_MAXIMUM_TRIES_DEPTH = 20
_VISITED_PER_STEP = 1  # pairs that differ, or of branches that are tried
_NAMING_PARTS = frozenset({"properties", "required"})
_MAXIMUM_NESTING = 1_000  # beyond it, references are not followed

AreEqual = Callable[[str, str], bool]


def facts(
    old: JsonValue,
    new: JsonValue,
    *,
    are_equal: AreEqual | None = None,
    subject: str = "the value",
    budget: Budget | None = None,
) -> tuple[Fact, ...]:
    """Return the differences between two schemas, each once, in the order of the new one.

    `are_equal` says whether the subschemas at a pointer of the old and one of the new schema accept the same values. It
    is only called if their keywords differ; if it returns True, a difference in notation is not a fact. `subject` is
    the name of the whole value in messages. The work is charged to the budget, and limited to a fixed number of pairs.
    Never raises because of what a schema contains.
    """
    if same_json(old, new):
        return ()
    found: dict[Fact, Fact] = {}
    comparison = _Comparison.of(old, new, are_equal, subject)
    for fact_ in comparison.facts():
        key = replace(fact_, message="", condition=None)  # a definition has a name for each path to it
        if key not in found or (found[key].condition is not None and fact_.condition is None):
            found[key] = fact_
    if budget is not None:
        budget.pay(comparison.visited, per_step=_VISITED_PER_STEP)
    return with_renames(old, new, with_emptied(new, [*found.values()], subject))


class _Step(NamedTuple):
    """A pair of subschemas to compare. `place` is the outermost pair for the same value.

    `condition` is the `not` or `if` that leads to them, if any.
    """

    old: str
    new: str
    path: str
    place: tuple[str, str]
    depth: int = 0
    is_quiet: bool = False
    condition: str | None = None


@dataclass(slots=True)
class _Run:
    """A traversal with the visited pairs. It either lists differences or checks whether branches match."""

    is_trial: bool = False
    seen: set[tuple[object, ...]] = field(default_factory=set)
    removed: set[tuple[tuple[str, str], str]] = field(default_factory=set)


class _Comparison:
    def __init__(
        self, old: Document, new: Document, are_equal: AreEqual | None, subject: str, *, is_stable: bool
    ) -> None:
        self._old = old
        self._new = new
        self._are_equal = are_equal
        self._subject = subject
        self._is_stable = is_stable  # the same text has the same meaning on both sides
        self._classes = classes_of(old.schema, new.schema)
        self._pairs = self._tries = self._nested = 0
        self._misses_names = self._has_cut = False
        self._same: dict[tuple[tuple[str, ...], ...], bool] = {}
        self._assumed: set[tuple[tuple[str, ...], ...]] = set()
        self._declared: tuple[dict[str, dict[str, list[str]]], ...] = ({}, {})

    @classmethod
    def of(cls, old: JsonValue, new: JsonValue, are_equal: AreEqual | None, subject: str) -> _Comparison:
        """Return the comparison of two whole schemas."""
        nestings = [depth_and_references(schema, _MAXIMUM_NESTING) for schema in (old, new)]
        refers = any(has_references for _, has_references in nestings)
        resolves = refers and all(depth <= _MAXIMUM_NESTING for depth, _ in nestings)
        documents = (Document(old, resolves=resolves), Document(new, resolves=resolves))
        is_stable = documents[0].is_draft_7 == documents[1].is_draft_7 and (
            not refers or documents[0].defines_the_same(documents[1])
        )
        return cls(*documents, are_equal, subject, is_stable=is_stable)

    @property
    def visited(self) -> int:
        """Return the number of pairs that were compared."""
        return self._pairs + self._tries

    def facts(self) -> Iterator[Fact]:
        """Yield the facts in the order of the walk."""
        yield from self._walk(_Step("", "", "", ("", "")), _Run())
        if self._misses_names and not self._has_cut:
            yield self._limit_fact(f"{self._subject}: too many branches declare properties", "", "")

    def _walk(self, first: _Step, run: _Run) -> Iterator[Fact]:
        stack: list[Iterator[Fact | _Step]] = [iter((first,))]
        while stack:
            item = next(stack[-1], None)
            if item is None:
                stack.pop()
            elif isinstance(item, Fact):
                yield item
            else:
                if self._is_same_text(item):
                    continue
                self._pairs += not run.is_trial
                self._tries += run.is_trial
                if self._pairs > _MAXIMUM_PAIRS or self._tries > _MAXIMUM_TRIES:
                    if run.is_trial or not self._has_cut:
                        yield self._limit_fact(f"{self._subject}: too many differences to compare", "", "")
                    if run.is_trial:
                        return
                    continue  # the facts that are already known about these places, such as removed properties
                found = self._expand(item, run)
                stack.append(found if item.condition is None else _in_condition(found, item.condition))

    def _views(self, step: _Step) -> tuple[View, View]:
        """Return both views. A list of branches is merged into its parent only if the other side has no such list."""
        plain = (self._old.view(step.old), self._new.view(step.new))
        old_lists, new_lists = (view.parts.keys() & BRANCH_LISTS for view in plain)
        if not old_lists and not new_lists:
            return plain
        old = self._old.view(step.old, frozenset(new_lists))
        new = self._new.view(step.new, frozenset(old_lists | (old.parts.keys() & BRANCH_LISTS)))
        return self._old.view(step.old, frozenset(new_lists | (new.parts.keys() & BRANCH_LISTS))), new

    def _limit_fact(self, message: str, old: str, new: str) -> Fact:
        self._has_cut = True
        return Fact(FactKind.SCHEMA_CHANGED, message, old, new, old, new, is_cut=True)

    def _is_same_text(self, step: _Step) -> bool:
        """Whether both sides are written the same and have the same meaning."""
        values = (self._old.at(step.old), self._new.at(step.new))
        classes = [self._classes.get(id(value)) for value in values]
        return self._is_stable and (classes[0] == classes[1] is not None or values[0] is values[1])

    def _expand(self, step: _Step, run: _Run) -> Iterator[Fact | _Step]:
        if step.depth >= _MAXIMUM_DEPTH:
            yield self._limit_fact(
                f"{messages.name_value(step.path, self._subject)}: differs at a deeper level of nesting",
                step.old,
                step.new,
            )
            return
        old, new = self._views(step)
        pair = Pair(old, new, step.path, self._subject, step.is_quiet, step.condition)
        for keyword in {**new.notes, **old.notes}:
            if not run.is_trial:
                yield from annotation_facts(pair, keyword)
        key = (old.constraining_layers, new.constraining_layers, step.condition is None)
        if (*key, False) in run.seen or (*key, step.is_quiet) in run.seen:
            return
        run.seen.add((*key, step.is_quiet))
        differing = find_differing_keywords(old, new)
        if differing and not step.is_quiet and not run.is_trial and self._are_equal is not None:
            pair = pair._replace(is_quiet=self._are_equal(step.old, step.new))
        yield from self._owner_facts(pair, step, run, differing)
        if (step.old, step.new) == step.place and not run.is_trial:
            yield from self._names_of_place(pair, step, run)

    def _owner_facts(self, pair: Pair, step: _Step, run: _Run, differing: list[str]) -> Iterator[Fact | _Step]:
        wrapped = find_null_wrapper(pair, self._old, self._new)
        if wrapped is not None and not pair.is_quiet:
            inner, null_fact = wrapped
            yield null_fact
            yield self._below(step, *inner, step.path, pair, in_place=True)
            return
        merged = [] if pair.is_quiet else self._keywords_of_one_fact(pair, differing)
        if merged == ["false"]:
            yield schema_fact(pair, (self._old, self._new), differing)
            return
        if merged:
            yield schema_fact(pair, (self._old, self._new), merged)
        idle = idle_with_types(pair.old, pair.new) if "type" in differing else set()
        done = {*merged, *idle}
        if says_null_in_values(pair):
            done.add("enum")
        elif gains_null_in_values(pair):
            done.add("type")
        has_names = not _NAMING_PARTS.isdisjoint([*pair.old.parts, *pair.new.parts])
        skipped = self._names_in_one_sided(pair, merged) if has_names else set()
        for keyword in {**pair.new.parts, **pair.old.parts}:
            if keyword in ("properties", "required"):
                if "properties" not in done:
                    yield from self._properties(pair, step, run, skipped)
                done |= {"properties", "required"}
                continue
            if keyword in differing and keyword not in done and not pair.is_quiet:
                yield from type_facts(pair, idle) if keyword == "type" else keyword_facts(pair, keyword)
            if keyword in pair.old.parts and keyword in pair.new.parts:
                yield from self._children(pair, step, keyword)

    def _keywords_of_one_fact(self, pair: Pair, differing: list[str]) -> list[str]:
        """Return the keywords that one fact reports: a schema that only one side has, and related keywords."""
        if "false" in differing or ((pair.old.is_boolean or pair.new.is_boolean) and differing):
            return ["false"]
        one_sided = [keyword for keyword in differing if keyword in APPLICATORS]
        types = [view.parts["type"] for view in (pair.old, pair.new) if "type" in view.parts]
        unlike_unions = "type" in differing and any(part.keywords[0] != "type" for part in types)
        if unlike_unions and not one_sided:
            others = [keyword for keyword in differing if keyword not in ("properties", "required")]
            if len(others) > 1 and not says_null_in_values(pair) and not is_null_change(pair):
                return others
            return []
        if not one_sided:
            return []
        skipped = self._names_in_one_sided(pair, one_sided) if not _NAMING_PARTS.isdisjoint(differing) else set()
        others = [
            keyword
            for keyword in differing
            if keyword not in APPLICATORS
            and keyword not in ("then", "else")
            and (keyword not in ("properties", "required") or self._concerns(pair, keyword, skipped))
        ]
        opaque = any(keyword in pair.old.parts and keyword in pair.new.parts for keyword in one_sided)
        if not others and len(one_sided) == 1 and not opaque:
            return []
        return [keyword for keyword in differing if keyword in others or keyword in (*APPLICATORS, "then", "else")]

    def _concerns(self, pair: Pair, keyword: str, names: set[str]) -> bool:
        """Whether these names cause a difference in names, rather than names that moved."""
        if keyword == "properties":
            sides = [entries(view.parts.get(keyword)).keys() for view in (pair.old, pair.new)]
            return not names.isdisjoint(sides[0] ^ sides[1]) and not self._only_moved(pair, sides[0] ^ sides[1])
        return not names.isdisjoint(set(required_names(pair.old)) ^ set(required_names(pair.new)))

    def _only_moved(self, pair: Pair, names: set[str]) -> bool:
        declared = (self._names(0, pair.old.pointer), self._names(1, pair.new.pointer))
        return all(name in declared[0] and name in declared[1] for name in names)

    def _names_in_one_sided(self, pair: Pair, keywords: list[str]) -> set[str]:
        return {
            name
            for document, view in ((self._old, pair.old), (self._new, pair.new))
            for keyword in keywords
            if keyword in view.parts and keyword in IN_PLACE
            for name in names_in(document, view.parts[keyword], keyword)
        }

    def _properties(self, pair: Pair, step: _Step, run: _Run, skipped: set[str]) -> Iterator[Fact | _Step]:
        declared = (self._names(0, step.place[0]), self._names(1, step.place[1]))
        for item in property_facts(pair, self._new, declared, skipped):
            if isinstance(item, Fact):
                if item.kind is FactKind.PROPERTY_REMOVED and item.name is not None:
                    run.removed.add((step.place, item.name))
                yield item
            else:
                old, new, name = item
                yield self._below(step, old, new, messages.member(step.path, name), pair)

    def _names_of_place(self, pair: Pair, step: _Step, run: _Run) -> Iterator[Fact]:
        """Yield the removed properties, except those that a keyword of the pair reports."""
        if "object" not in (types_of(pair.old) or ["object"]) or "object" not in (types_of(pair.new) or ["object"]):
            return
        before, after = self._names(0, step.old), self._names(1, step.new)
        if pair.new.parts.keys() & {"false", "$ref", "$dynamicRef"} and not after:
            return
        for name, pointers in before.items():
            if name not in after and (step.place, name) not in run.removed:
                run.removed.add((step.place, name))
                yield removed_property(pair, name, pointers[0], pair.new.layers[-1], with_required=False)
        if pair.is_quiet:
            for name, pointers in after.items():
                if name not in before:
                    yield added_property(pair, name, pair.old.layers[-1], pointers[0])

    def _names(self, side: int, pointer: str) -> dict[str, list[str]]:
        known = self._declared[side]
        if pointer not in known:
            known[pointer], is_complete = declared_names((self._old, self._new)[side], pointer)
            self._misses_names |= not is_complete
        return known[pointer]

    def _children(self, pair: Pair, step: _Step, keyword: str) -> Iterator[Fact | _Step]:
        old, new = pair.old.parts[keyword], pair.new.parts[keyword]
        in_place = keyword in IN_PLACE
        if keyword in SINGLE and old.value is not False and new.value is not False:
            path = messages.path_in(step.path, keyword)
            below = self._below(step, old.pointer, new.pointer, path, pair, in_place=in_place)
            yield below._replace(condition=keyword) if keyword in ("not", "if") else below
        elif old.target is not None and new.target is not None:
            yield self._below(step, old.target, new.target, step.path, pair, in_place=True)
        elif keyword == "prefixItems" and isinstance(old.value, list) and isinstance(new.value, list):
            for index in range(min(len(old.value), len(new.value))):
                places = (f"{old.pointer}/{index}", f"{new.pointer}/{index}")
                yield self._below(step, *places, f"{step.path}[{index}]", pair)
        elif keyword in MAPS and keyword != "dependentRequired":
            before, after = entries(old), entries(new)
            for name in after:
                if name in before:
                    yield self._below(
                        step, before[name], after[name], messages.path_in(step.path, keyword), pair, in_place=in_place
                    )
        elif keyword in BRANCH_LISTS:
            yield from self._branches(pair, step, keyword)

    def _branches(self, pair: Pair, step: _Step, keyword: str) -> Iterator[Fact | _Step]:
        lists = (pair.old.parts[keyword], pair.new.parts[keyword])
        if self._nested:  # a trial ends at the first difference
            self._tries += sum(len(part.value) for part in lists if isinstance(part.value, list)) // 2
            if not are_same_branches(self._old, self._new, lists, self._are_same):
                yield fact(pair, FactKind.BRANCHES_CHANGED, "", *lists)
            return
        for old, new in pair_branches(self._old, self._new, lists, self._are_same):
            if old is not None and new is not None:
                yield self._below(step, old, new, step.path, pair, in_place=True)
            elif not pair.is_quiet:
                document, pointer = (self._new, new) if new is not None else (self._old, old or "")
                verb = "gained" if new is not None else "lost"
                if keyword != "allOf" and is_null(document.view(pointer)):
                    message = f"{pair.name} {messages.null_change(is_gained=new is not None)}"
                else:
                    message = f"{pair.name}: `{keyword}` {verb} the branch {branch_name(document, pointer)}"
                plain = fact(pair, FactKind.BRANCHES_CHANGED, message, *lists)
                yield replace(plain, old_pointer=old, new_pointer=new, keywords=(keyword,))

    def _are_same(self, old: str, new: str) -> bool:
        """Whether two branches are equal except for annotations and notation."""
        # Equal for all pointers that lead to the same constraints, such as references to one definition.
        key = (self._old.view(old).constraining_layers, self._new.view(new).constraining_layers)
        if key in self._same or key in self._assumed:
            return self._same.get(key, True)
        if self._tries > _MAXIMUM_TRIES or self._nested >= _MAXIMUM_TRIES_DEPTH:
            return False
        self._assumed.add(key)
        self._nested += 1
        found = next(self._walk(_Step(old, new, "", (old, new)), _Run(is_trial=True)), None) is None
        self._nested -= 1
        self._assumed.discard(key)
        if not found or not self._assumed:
            self._same[key] = found
        return found

    def _below(self, step: _Step, old: str, new: str, path: str, pair: Pair, *, in_place: bool = False) -> _Step:
        place = step.place if in_place else (old, new)
        return _Step(old, new, path, place, step.depth + 1, pair.is_quiet, step.condition)


def _in_condition(found: Iterator[Fact | _Step], condition: str) -> Iterator[Fact | _Step]:
    return (replace(item, condition=condition) if isinstance(item, Fact) else item for item in found)
