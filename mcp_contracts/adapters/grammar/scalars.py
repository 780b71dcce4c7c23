"""Strings and numbers of a schema as tokens, without the constraints that a grammar cannot express."""

from __future__ import annotations

from collections.abc import Callable

from mcp_contracts.adapters.grammar import model
from mcp_contracts.adapters.grammar.conjuncts import Conjunct
from mcp_contracts.adapters.grammar.facts import Notes, limits_of, sizes_of
from mcp_contracts.adapters.grammar.model import NOTHING, Expression, Reference, Rule, sequence
from mcp_contracts.adapters.grammar.values import strings
from mcp_contracts.adapters.grammar.values.numbers import UnboundedDigitsError, decimals, integers
from mcp_contracts.patterns.automata import DEAD, MATCHED, Alphabet, Automaton, Condition, TooHardError, alphabet_of
from mcp_contracts.patterns.characters import ANY, Ranges, unite
from mcp_contracts.patterns.matchers import matcher_of
from mcp_contracts.records import dataclass, field
from mcp_contracts.schema.budget import Budget, SpentError
from mcp_contracts.schema.simple import exact

MOST_STATES = 3_000
"""Maximum number of states, each with a count of characters."""
_MOST_LOOPED = 12  # states whose loops are eliminated, each of which may triple the expression
_MOST_WEIGHT = 20_000
_BUDGET = 4_000

_State = tuple[int, ...]
_Place = tuple[_State, int]  # a state, and the number of counted characters


def accepted_texts(
    limits: strings.StringLimits, name: Callable[[], str], budget: Budget
) -> tuple[model.Expression, tuple[model.Rule, ...]]:
    """Return the strings within limits in which every pattern matches, with their rules.

    `name` creates the name of a rule. Raises TooHardError if a pattern is not regular, or there are too many states.
    """
    try:
        return _Product(limits, name, budget.part(_BUDGET)).texts()
    except SpentError:
        raise TooHardError("it requires too many states") from None


@dataclass(slots=True)
class _Moves:
    """The transitions of a state: the characters for each next place, and whether the text may end."""

    ends: bool
    following: dict[_Place, Ranges] = field(default_factory=dict)


class _Product:
    """Automata in parallel, with a count."""

    def __init__(self, limits: strings.StringLimits, name: Callable[[], str], budget: Budget) -> None:
        conditions = tuple(dict.fromkeys(one for pattern in limits.patterns for one in matcher_of(pattern).conditions))
        self._conditions: tuple[Condition, ...] = conditions
        alphabet = alphabet_of((), conditions)
        self._sets = _sets_of(alphabet)
        self._runners = [Automaton(condition.machine, alphabet, budget) for condition in conditions]
        self._low, self._high = limits.minimum, limits.maximum
        self._name = name
        self._budget = budget

    def texts(self) -> tuple[model.Expression, tuple[model.Rule, ...]]:
        start: _Place = (tuple(runner.start for runner in self._runners), 0)
        moves = self._explore(start)
        live = _live(moves)
        if start not in live:
            return model.NOTHING, ()
        for one in moves.values():
            one.following = {place: ranges for place, ranges in one.following.items() if place in live}
        looped = [place for place in moves if place in live and self._high is None and place[1] >= self._low]
        if len(looped) > _MOST_LOOPED:
            raise TooHardError("it requires too many states without a maximum length")
        endings = {place: self._eliminate_states(place, looped, moves) for place in looped}
        return self._rules(start, moves, endings)

    def _explore(self, start: _Place) -> dict[_Place, _Moves]:
        """Return the moves of all places that can be reached."""
        moves: dict[_Place, _Moves] = {}
        pending = [start]
        while pending:
            place = pending.pop()
            if place in moves:
                continue
            state, count = place
            moves[place] = found = _Moves(ends=count >= self._low and self._accepts(state))
            if len(moves) > MOST_STATES:
                raise TooHardError("it requires too many states")
            if self._is_free(state) or (self._high is not None and count >= self._high):
                continue
            after = count + 1 if self._high is not None else min(count + 1, self._low)
            sets: dict[_Place, list[tuple[int, int]]] = {}
            for symbol, ranges in enumerate(self._sets):
                reached = tuple(runner.follow(one, symbol) for runner, one in zip(self._runners, state, strict=True))
                pairs = zip(reached, self._conditions, strict=True)
                if not any(one == (DEAD if condition.is_wanted else MATCHED) for one, condition in pairs):
                    sets.setdefault((reached, after), []).extend(ranges)
            self._budget.spend(1 + len(self._sets) * len(state) // 16)
            found.following = {other: unite(ranges) for other, ranges in sets.items()}
            pending += found.following
        # Any text is accepted at a free place, up to the maximum length.
        for place, one in moves.items():
            one.ends = one.ends or (self._is_free(place[0]) and (self._high is None or place[1] <= self._high))
        return moves

    def _accepts(self, state: _State) -> bool:
        pairs = zip(self._runners, state, self._conditions, strict=True)
        return all(runner.accepts(one) is condition.is_wanted for runner, one, condition in pairs)

    def _is_free(self, state: _State) -> bool:
        """Whether any text may follow."""
        pairs = zip(state, self._conditions, strict=True)
        return all(one == (MATCHED if condition.is_wanted else DEAD) for one, condition in pairs)

    def _rest(self, place: _Place) -> model.Expression | None:
        """Return what may follow a free place; None for other places."""
        state, count = place
        if not self._is_free(state):
            return None
        high = None if self._high is None else self._high - count
        return model.repetition(strings.written_character(ANY), max(self._low - count, 0), high)

    # Loops

    def _eliminate_states(self, start: _Place, looped: list[_Place], moves: dict[_Place, _Moves]) -> model.Expression:
        """Return the strings from a place to an end, without a maximum length: all other places are eliminated."""
        edges: dict[_Place, dict[_Place | None, model.Expression]] = {}
        for place in looped:
            rest = self._rest(place)
            edges[place] = {
                other: strings.written_character(ranges) for other, ranges in moves[place].following.items()
            }
            if rest is not None:
                edges[place][None] = rest
            elif moves[place].ends:
                edges[place][None] = model.EMPTY
        for gone in [place for place in looped if place != start]:
            leaving = edges.pop(gone)
            loop = model.repetition(leaving.pop(gone, model.NOTHING), 0, None)
            for from_gone in edges.values():
                entering = from_gone.pop(gone, None)
                if entering is None:
                    continue
                for other, text in leaving.items():
                    whole = model.sequence(entering, loop, text)
                    from_gone[other] = model.choice(from_gone[other], whole) if other in from_gone else whole
                    if model.size_of(from_gone[other]) > _MOST_WEIGHT:
                        raise TooHardError("its loops are too large")
        last = edges[start]
        return model.sequence(model.repetition(last.get(start, model.NOTHING), 0, None), last.get(None, model.NOTHING))

    # Rules

    def _rules(
        self, start: _Place, moves: dict[_Place, _Moves], endings: dict[_Place, model.Expression]
    ) -> tuple[model.Expression, tuple[model.Rule, ...]]:
        """Return the text from a place on, and a rule for each other place. Counted places form no cycle."""
        rules: dict[_Place, model.Rule] = {}
        bodies: dict[_Place, model.Expression] = {}
        for place in sorted(moves, key=lambda place: place[1], reverse=True):
            body = endings.get(place)
            if body is None:
                body = self._rest(place)
            if body is None:
                options = [
                    model.sequence(strings.written_character(ranges), bodies[other])
                    for other, ranges in moves[place].following.items()
                    if other in bodies
                ]
                body = model.repetition(model.choice(*options), 0, 1) if moves[place].ends else model.choice(*options)
            if body == model.NOTHING:
                continue
            if place == start or body == model.EMPTY or model.size_of(body) <= 1:
                bodies[place] = body
            else:
                rules[place] = model.Rule(self._name(), body, is_token=True)
                bodies[place] = model.Reference(rules[place].name)
        return bodies.get(start, model.NOTHING), tuple(rules.values())


def _live(moves: dict[_Place, _Moves]) -> set[_Place]:
    """Return the places from which the text can end."""
    sources: dict[_Place, list[_Place]] = {}
    for place, one in moves.items():
        for other in one.following:
            sources.setdefault(other, []).append(place)
    live = {place for place, one in moves.items() if one.ends}
    pending = list(live)
    while pending:
        for source in sources.get(pending.pop(), ()):
            if source not in live:
                live.add(source)
                pending.append(source)
    return live


def _sets_of(alphabet: Alphabet) -> tuple[Ranges, ...]:
    """Return the characters of each symbol."""
    found: list[list[tuple[int, int]]] = [[] for _ in alphabet.readable]
    ends = [*alphabet.bounds[1:], 0x110000]
    for low, after, symbol in zip(alphabet.bounds, ends, alphabet.symbols, strict=True):
        if symbol >= 0:
            found[symbol].append((low, after - 1))
    return tuple(unite(ranges) for ranges in found)


@dataclass(frozen=True, slots=True)
class Scalars:
    """The tokens of one schema. `name` creates the name of a rule; `known` are the tokens of all tools."""

    name: Callable[[str], str]
    known: dict[Expression, Rule]
    add: Callable[[Rule], None]
    notes: Notes
    budget: Budget

    def string(self, applying: tuple[Conjunct, ...]) -> Expression:
        """Return the strings at a place."""
        patterns = tuple(dict.fromkeys(str(c.get("pattern")) for c in applying if isinstance(c.get("pattern"), str)))
        low, high = sizes_of(applying, "minLength", "maxLength")
        return self._token(self._strings(strings.StringLimits(low, high, patterns), applying), "string")

    def _strings(self, limits: strings.StringLimits, applying: tuple[Conjunct, ...]) -> Expression:
        try:
            return strings.strings(limits)
        except strings.InexpressibleError as error:
            found = self._build_from_automaton(limits) if limits.patterns else None
            if found is not None:
                return found
            holder = next(conjunct for conjunct in reversed(applying) if error.keyword in conjunct.schema)
            self.notes.drop(f"{holder.pointer}/{error.keyword}", error.keyword, str(error))
            return self._strings(limits.without(error.keyword), applying)

    def _build_from_automaton(self, limits: strings.StringLimits) -> Expression | None:
        """Return the strings that an automaton accepts; None if it needs too many states."""
        try:
            text, rules = accepted_texts(limits, lambda: self.name("string"), self.budget)
        except TooHardError:
            return None
        for rule in rules:
            self.add(rule)
        return sequence(strings.QUOTE, text, strings.QUOTE)

    def number(self, applying: tuple[Conjunct, ...], *, is_integer: bool) -> Expression:
        """Return the numbers at a place, or only its integers."""
        for conjunct in applying:
            step = exact(conjunct.get("multipleOf"))
            if step is None:
                continue
            if step == 1:
                is_integer = True
            elif not (is_integer and step > 0 and (1 / step).denominator == 1):
                message = "a grammar cannot express `multipleOf`"
                self.notes.drop(f"{conjunct.pointer}/multipleOf", "multipleOf", message)
        limits, place = limits_of(applying)
        kind = "integer" if is_integer else "number"
        if limits.is_open:
            return Reference(kind)
        try:
            found = integers(limits) if is_integer else decimals(limits)
        except UnboundedDigitsError as error:
            self.notes.drop(*place, str(error))
            return Reference(kind)
        return self._token(found, kind)

    def _token(self, body: Expression, kind: str) -> Expression:
        if isinstance(body, Reference) or body == NOTHING:
            return body
        known = self.known.get(body)
        if known is None:
            known = self.known[body] = Rule(self.name(kind), body, is_token=True)
        self.add(known)
        return Reference(known.name)
