"""Finds a value that satisfies formulas, or proves that none exists.

`A ⊆ B` holds if nothing satisfies A and the negation of B. The search considers one type of values at a time, splits
disjunctions, and passes the remaining atoms to the solver for the type; constraints on parts of a value are separate
searches. A smallest value never contains itself, so a search that returns to its goal finds no value there, which makes
recursive schemas finite. Steps are counted, so every run ends, and always with the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from mcp_contracts.inclusion import arrays, objects, scalars
from mcp_contracts.inclusion.answers import Answer, Doubt, Found, Search, UndecidedError, find_first
from mcp_contracts.inclusion.atoms import (
    And,
    Atom,
    Dual,
    Formula,
    Has,
    In,
    Lacks,
    Members,
    NotIn,
    NotOnly,
    Only,
    Opaque,
    Or,
    Value,
)
from mcp_contracts.inclusion.formulas import TYPES, disjunction, negation
from mcp_contracts.inclusion.meanings import Formulas
from mcp_contracts.inclusion.nodes import FALSE, TRUE
from mcp_contracts.schema.budget import Budget

_DEEPEST = 48
_COPIED_PER_STEP = 1_000  # known entries that are copied
_LOOKED_AT_PER_STEP = 250  # known entries that are checked
_COMPARED_PER_STEP = 500  # listed and excluded values that are compared
_CONTAINERS = ("array", "object")


class Prover:
    """One search over the nodes of a graph, within a budget."""

    def __init__(self, formulas: Formulas, budget: Budget) -> None:
        self.formulas = formulas
        self.budget = budget
        self._indexes: dict[int, tuple[tuple[tuple[str, Formula], ...], dict[str, Formula]]] = {}
        self._known: dict[frozenset[Formula], Answer] = {}
        # Goals that are being searched, with their depth.
        self._active: dict[frozenset[Formula], int] = {}
        # Goals that are empty if the goals being searched are empty, with the smallest depth of those, in order of
        # discovery.
        self._assumed: dict[frozenset[Formula], int] = {}
        self._trail: list[frozenset[Formula]] = []
        self._lowest = 0

    def index(self, pairs: tuple[tuple[str, Formula], ...]) -> Mapping[str, Formula]:
        found = self._indexes.get(id(pairs))
        if found is None:
            found = self._indexes[id(pairs)] = (pairs, dict(pairs))
        return found[1]

    def satisfy(self, parts: Iterable[Formula]) -> Answer:
        ordered = dict.fromkeys(
            part for part in parts if part != TRUE
        )  # the order of a set of strings differs between processes
        goal = frozenset(ordered)
        if FALSE in goal or any(isinstance(part, int) and -part in goal for part in goal):
            return None
        if goal in self._known:
            return self._known[goal]
        if goal in self._active:
            self._lowest = min(self._lowest, self._active[goal])
            return None
        if goal in self._assumed:
            self._lowest = min(self._lowest, self._assumed[goal])
            return None
        depth = len(self._active)
        if depth > _DEEPEST:
            return Doubt("", f"the schemas are nested more than {_DEEPEST} levels deep")
        self.budget.spend()
        outer, self._lowest = self._lowest, depth + 1
        before = len(self._trail)
        self._active[goal] = depth
        answer = find_first(self.satisfy_type(ordered, kind) for kind in TYPES)
        del self._active[goal]
        lowest, self._lowest = self._lowest, outer
        since = self._trail[before:]
        del self._trail[before:]
        if answer is not None:
            # Goals that are empty only if this goal or an outer one is empty are open again.
            for other in since:
                del self._assumed[other]
            self._known[goal] = answer
        elif lowest >= depth:
            self._known[goal] = None
            for other in since:
                del self._assumed[other]
                self._known[other] = None
        else:
            self._lowest = min(outer, lowest)
            for other in (*since, goal):
                self._assumed[other] = min(self._assumed.get(other, lowest), lowest)
                self._trail.append(other)
        return answer

    def satisfy_type(self, parts: Iterable[Formula], kind: str) -> Answer:
        return self._search(kind, set(), [], [], list(parts))

    def _search(
        self, kind: str, seen: set[int], atoms: list[Atom], choices: list[list[Formula]], pending: list[Formula]
    ) -> Answer:
        self.budget.spend(1 + (len(seen) + len(atoms) + len(choices)) / _COPIED_PER_STEP)
        seen, atoms, choices = set(seen), list(atoms), list(choices)
        if not self._take_in(kind, seen, atoms, choices, pending):
            return None
        while True:
            settled = self._settle_choices(kind, seen, atoms, choices)
            if settled is None:
                return None
            choices = settled
            if len(choices) < 2:
                break
            if self._solve(kind, atoms) is None:
                return None
            if any(map(_is_positive, choices)):
                break
            narrowed = self._narrow_choices(kind, seen, atoms, choices)
            if narrowed is None:
                return None
            choices = narrowed
            if all(len(options) > 1 for options in choices):
                break
        if not choices:
            return self._solve(kind, atoms)
        # Accepting schemas constrain a value the most, so their choices come before those of rejecting ones.
        choices.sort(key=lambda options: (not _is_positive(options), len(options)))
        first, *others = choices
        return find_first(self._search(kind, seen, atoms, others, [part]) for part in first)

    def _narrow_choices(
        self, kind: str, seen: set[int], atoms: list[Atom], choices: list[list[Formula]]
    ) -> list[list[Formula]] | None:
        """Return the open choices without options that are ruled out; None if a choice has no option.

        Without this, several rejecting schemas of several keywords each would be tried in every combination.
        """
        narrowed: list[list[Formula]] = []
        for index, options in enumerate(choices):
            others = [*narrowed, *choices[index + 1 :]]
            possible = [part for part in options if self._peek(kind, seen, atoms, part, others) is not None]
            if not possible:
                return None
            if not any(self._is_entailed(kind, seen, atoms, part) for part in possible):
                narrowed.append(possible)
        return narrowed

    def _take_in(
        self, kind: str, seen: set[int], atoms: list[Atom], choices: list[list[Formula]], pending: list[Formula]
    ) -> bool:
        """Split formulas into atoms and choices; False if they contradict the known ones."""
        stack = pending[::-1]
        taken = 0
        while stack or (kind in _CONTAINERS and self._take_in_values(atoms, choices, stack)):
            part = stack.pop()
            taken += 1
            if taken % _LOOKED_AT_PER_STEP == 0:
                self.budget.spend()
            if isinstance(part, int):
                if part == TRUE or part in seen:
                    continue
                if part == FALSE or -part in seen:
                    return False
                seen.add(part)
                stack.append(self.formulas.of(part, kind))
            elif isinstance(part, And):
                stack.extend(reversed(part.parts))
            elif isinstance(part, Or):
                choices.append(list(part.parts))
            elif isinstance(part, Dual):
                stack.append(part.formula)
            elif isinstance(part, Only):
                stack.append(self.formulas.only(part.constant.value, kind))
            elif isinstance(part, NotOnly):
                stack.append(negation(self.formulas.only(part.constant.value, kind)))
            else:
                atoms.append(part)
        return True

    def _take_in_values(self, atoms: list[Atom], choices: list[list[Formula]], stack: list[Formula]) -> bool:
        """Replace listed arrays and objects with constraints on their parts; whether any is left to split.

        Values that are both listed and excluded are compared as a whole, and a value that only has to be listed is kept
        as it is: there may be thousands of values, each with many parts.
        """
        listed = [atom.keys for atom in atoms if isinstance(atom, In)]
        excluded = [atom.keys for atom in atoms if isinstance(atom, NotIn)]
        if not (listed or excluded):
            return False
        others = [atom for atom in atoms if not isinstance(atom, In | NotIn)]
        self.budget.spend(sum(map(len, (*listed, *excluded))), _COMPARED_PER_STEP)
        if not listed:
            atoms[:] = others
            stack.extend(
                negation(self.formulas.exactly(key)) for keys in excluded for key in self.formulas.in_order(keys)
            )
            return bool(stack)
        keys = frozenset.intersection(*listed).difference(*excluded)
        if keys and not others and not choices:
            atoms[:] = [In(keys)]
            return False
        atoms[:] = others
        stack.append(disjunction(map(self.formulas.exactly, self.formulas.in_order(keys))))
        return True

    def _settle_choices(
        self, kind: str, seen: set[int], atoms: list[Atom], choices: list[list[Formula]]
    ) -> list[list[Formula]] | None:
        """Return the open choices, after those with one remaining option are made; None if a choice has no option."""
        while True:
            self.budget.spend(len(atoms) + sum(map(_width, choices)), _LOOKED_AT_PER_STEP)
            open_choices: list[list[Formula]] = []
            forced: list[Formula] = []
            outline = _Outline(self, atoms) if kind == "object" else None
            for options in choices:
                live = []
                for part in options:
                    is_known = _is_known(part, seen, outline)
                    if is_known:
                        break
                    if is_known is None:
                        live.append(part)
                else:
                    if not live:
                        return None
                    if len(live) == 1:
                        forced.append(live[0])
                    else:
                        open_choices.append(live)
            if not forced:
                return open_choices
            self.budget.spend()
            if not self._take_in(kind, seen, atoms, open_choices, forced):
                return None
            choices = open_choices

    def _peek(
        self, kind: str, seen: set[int], atoms: list[Atom], part: Formula, others: Sequence[list[Formula]] = ()
    ) -> Answer:
        """Return the atoms that an option leads to, with the other choices that it forces; None if it is impossible."""
        self.budget.spend(1 + (len(seen) + len(atoms) + len(others)) / _COPIED_PER_STEP)
        seen, atoms, choices = set(seen), list(atoms), list(others)
        if not self._take_in(kind, seen, atoms, choices, [part]):
            return None
        if self._settle_choices(kind, seen, atoms, choices) is None:
            return None
        return self._solve(kind, atoms)

    def _is_entailed(self, kind: str, seen: set[int], atoms: list[Atom], part: Formula) -> bool:
        """Whether the known constraints require an option anyway, so that the choice needs no assumption."""
        opposite = negation(part)
        ways = opposite.parts if isinstance(opposite, Or) else (opposite,)
        outer, self._lowest = self._lowest, len(self._active)
        is_empty = all(self._peek(kind, seen, atoms, way) is None for way in ways)
        is_sure, self._lowest = self._lowest >= len(self._active), outer
        return is_empty and is_sure

    def _solve(self, kind: str, atoms: list[Atom]) -> Answer:
        """Find a value of one type that satisfies atoms."""
        self.budget.spend(1 + len(atoms) / _LOOKED_AT_PER_STEP)
        doubt: Doubt | None = None
        known: list[Atom] = []
        for atom in atoms:
            if isinstance(atom, Opaque):
                message = "it refers to itself" if atom.keyword == "$ref" else "it is not supported"
                doubt = doubt or Doubt(atom.keyword, message, atom.origin)
            else:
                known.append(atom)
        try:
            answer = _SOLVERS[kind](self, known)
        except UndecidedError as error:
            return error.doubt
        if doubt is not None and isinstance(answer, Found) and answer.doubt is None:
            return Found(answer.value, doubt)
        return answer


_SOLVERS: Mapping[str, Callable[[Search, Sequence[Atom]], Answer]] = {
    "string": scalars.find_string,
    "number": scalars.find_number,
    "boolean": lambda _, atoms: scalars.find_constant(atoms, (True, False)),
    "null": lambda _, atoms: scalars.find_constant(atoms, (None,)),
    "array": lambda search, atoms: _first_listed(search, atoms) or arrays.find_array(search, atoms),
    "object": lambda search, atoms: _first_listed(search, atoms) or objects.find_object(search, atoms),
}


def _first_listed(search: Search, atoms: Sequence[Atom]) -> Answer:
    """Return the first of the values that are listed, if a value only has to be one of them."""
    listed = next((atom.keys for atom in atoms if isinstance(atom, In)), None)
    return None if listed is None else Found(search.formulas.constants[search.formulas.in_order(listed)[0]])


class _Outline:
    """The known constraints on an object's names, to rule out options before values are built."""

    def __init__(self, prover: Prover, atoms: Sequence[Atom]) -> None:
        self._prover = prover
        members = [atom for atom in atoms if isinstance(atom, Members)]
        self._members = [(prover.index(atom.properties), atom.patterns, atom.rest) for atom in members]
        self._values: dict[str, list[Formula]] = {}
        for atom in atoms:
            if isinstance(atom, Value):
                self._values.setdefault(atom.name, []).append(atom.part)
        self._has = {*self._values, *(atom.name for atom in atoms if isinstance(atom, Has))}
        self._lacks = {atom.name for atom in atoms if isinstance(atom, Lacks)}

    def is_against(self, part: Formula) -> bool:
        """Whether an option about one name is impossible."""
        if isinstance(part, Has):
            return part.name in self._lacks
        if isinstance(part, Lacks):
            return part.name in self._has
        if not isinstance(part, Value):
            return False
        name, asked = part.name, part.part
        if name in self._lacks:
            return True
        # Two versions of an object are mostly equal, so most ways to reject one contradict the other.
        parts = dict.fromkeys((asked, *self._values.get(name, ())))
        for properties, patterns, rest in self._members:
            if name in properties:
                parts[properties[name]] = None
            elif not patterns:
                parts[rest] = None
        return len(parts) > 1 and self._prover.satisfy(parts) is None


def _is_known(part: Formula, seen: set[int], outline: _Outline | None) -> bool | None:
    """Whether an option is known to hold or to fail; None if unknown."""
    if isinstance(part, int):
        return True if part == TRUE or part in seen else False if part == FALSE or -part in seen else None
    if not isinstance(part, And):
        return False if outline is not None and outline.is_against(part) else None
    is_sure = True
    for one in part.parts:
        known = _is_known(one, seen, outline)
        if known is False:
            return False
        is_sure = is_sure and known is True
    return True if is_sure else None


def _width(options: list[Formula]) -> int:
    """Return the number of formulas to check for known options."""
    return sum(len(part.parts) if isinstance(part, And) else 1 for part in options)


def _is_positive(options: list[Formula]) -> bool:
    """Whether a choice is among schemas that accept the value."""
    return all(_first(part) > 0 for part in options)


def _first(part: Formula) -> int:
    if isinstance(part, int):
        return part
    return _first(part.parts[0]) if isinstance(part, And) else FALSE
