"""Automata for patterns: nondeterministic machines built from the syntax, made deterministic lazily.

https://swtch.com/~rsc/regexp/regexp2.html
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum

from mcp_contracts.patterns.characters import ANY, Ranges, most_readable, readability
from mcp_contracts.patterns.syntax import (
    Chain,
    Characters,
    Choice,
    Edge,
    Look,
    Node,
    Repeat,
    UnsafeError,
    has_look,
    read_expression,
    width_of,
)
from mcp_contracts.records import NamedTuple, dataclass
from mcp_contracts.schema.budget import Budget

STEPS = 10_000
"""Maximum number of steps of the machine of one pattern, with its repetitions expanded."""


class TooHardError(Exception):
    """Raised if a question cannot be answered. `pattern` is the unsupported pattern, or "" if the budget is spent."""

    def __init__(self, message: str, pattern: str = "") -> None:
        super().__init__(message)
        self.pattern = pattern


class Kind(Enum):
    """The kind of a step."""

    READ = "read"  # reads one character of a set
    FORK = "fork"  # continues at each of the targets
    START = "start"  # continues only at the start of the text
    END = "end"
    DONE = "done"


class Step(NamedTuple):
    """One step of a machine, and the numbers of its successors."""

    kind: Kind
    targets: tuple[int, ...] = ()
    ranges: Ranges = ()


@dataclass(frozen=True, eq=False, slots=True)  # eq by identity: the cache creates each machine once
class Machine:
    """The steps of a machine from `start` to step 0, which is the match.

    `live` contains the steps from which step 0 can be reached after the start of the text. `sets` are the distinct
    character sets, and `set_numbers` has the number of the set that each step reads, or -1.
    """

    steps: tuple[Step, ...]
    start: int
    live: frozenset[int]
    sets: tuple[Ranges, ...]
    set_numbers: tuple[int, ...]


class Condition(NamedTuple):
    """A machine that must find a match, or must not."""

    machine: Machine
    is_wanted: bool


def read_conditions(pattern: str) -> tuple[Condition, ...]:
    """Read a pattern as machines, each of which must find (or must not find) a match. Raises TooHardError."""
    try:
        return tuple(Condition(_machine(node), is_wanted) for node, is_wanted in _split(read_expression(pattern)))
    except UnsafeError as error:
        raise TooHardError(str(error), pattern) from error


def _split(node: Node) -> Iterator[tuple[Node, bool]]:
    """Yield an expression without its lookarounds, and each lookaround as a separate expression.

    This is possible if a lookaround is a fixed number of characters after `^` or before `$`.
    """
    items = node.items if isinstance(node, Chain) else (node,)
    kept, ahead = _looks(items, is_ahead=True)
    kept, behind = _looks(kept, is_ahead=False)
    if any(has_look(item) for item in (*kept, *(look.item for _, look in (*ahead, *behind)))):
        raise UnsafeError("it has a lookaround inside a repetition or alternatives")
    yield Chain(kept), True
    for width, look in ahead:
        yield Chain((Edge(True), Repeat(Characters(ANY), width, width), look.item)), not look.is_negative
    for width, look in behind:
        yield Chain((look.item, Repeat(Characters(ANY), width, width), Edge(False))), not look.is_negative


def _looks(items: tuple[Node, ...], *, is_ahead: bool) -> tuple[tuple[Node, ...], list[tuple[int, Look]]]:
    """Return the rest of a chain, and its lookarounds of one kind that have a fixed distance to their edge."""
    kept: list[Node] = []
    found: list[tuple[int, Look]] = []
    ordered = items if is_ahead else items[::-1]
    width = 0 if ordered[:1] == (Edge(is_ahead),) else None
    for item in ordered:
        if isinstance(item, Look) and item.is_ahead is is_ahead and width is not None:
            found.append((width, item))
            continue
        kept.append(item)
        more = width_of(item)
        width = None if width is None or more is None else width + more
    return tuple(kept if is_ahead else kept[::-1]), found


def _machine(node: Node) -> Machine:
    steps = [Step(Kind.DONE)]
    start = _build(node, 0, steps)
    # By identity, because large sets are slow to hash.
    sets = {id(step.ranges): step.ranges for step in steps if step.kind is Kind.READ}
    numbers = {identity: number for number, identity in enumerate(sets)}
    set_numbers = tuple(numbers[id(step.ranges)] if step.kind is Kind.READ else -1 for step in steps)
    return Machine(tuple(steps), start, _live(steps), tuple(sets.values()), set_numbers)


def _add(step: Step, steps: list[Step]) -> int:
    if len(steps) >= STEPS:
        raise UnsafeError("its repetitions are too large")
    steps.append(step)
    return len(steps) - 1


def _build(node: Node, following: int, steps: list[Step]) -> int:
    """Add the steps of an expression that continue at `following`, and return its first step."""
    match node:
        case Characters(ranges):
            return _add(Step(Kind.READ, (following,), ranges), steps)
        case Edge(is_start):
            return _add(Step(Kind.START if is_start else Kind.END, (following,)), steps)
        case Chain(items):
            for item in reversed(items):
                following = _build(item, following, steps)
            return following
        case Choice(options):
            return _add(Step(Kind.FORK, tuple(_build(option, following, steps) for option in options)), steps)
        case Repeat(item, low, high):
            return _build_repeat(item, low, high, following, steps)
        case Look():
            raise UnsafeError("it has a lookaround inside a repetition or alternatives")


def _build_repeat(item: Node, low: int, high: int | None, following: int, steps: list[Step]) -> int:
    if high is None:
        loop = _add(Step(Kind.FORK), steps)
        body = _build(item, loop, steps)
        steps[loop] = Step(Kind.FORK, (body, following))
        following = loop if low == 0 else body
        low = max(low - 1, 0)
    else:
        after = following
        for _ in range(high - low):
            following = _add(Step(Kind.FORK, (_build(item, following, steps), after)), steps)
    for _ in range(low):
        before = _build(item, following, steps)
        if before == following:  # the item is empty, so repeating it adds nothing
            break
        following = before
    return following


def _live(steps: Sequence[Step]) -> frozenset[int]:
    """Return the steps from which a match can be reached after the start of the text."""
    sources: list[list[int]] = [[] for _ in steps]
    for number, step in enumerate(steps):
        for target in step.targets:
            sources[target].append(number)

    def reaching(kinds: Collection[Kind], seeds: Iterable[int]) -> set[int]:
        passing = [one.kind in kinds and (one.kind is not Kind.READ or bool(one.ranges)) for one in steps]
        found = set(seeds)
        pending = list(found)
        while pending:
            for source in sources[pending.pop()]:
                if passing[source] and source not in found:
                    found.add(source)
                    pending.append(source)
        return found

    at_end = reaching((Kind.FORK, Kind.END), (0,))
    return frozenset(reaching((Kind.FORK, Kind.READ), {0} | {s for s in at_end if steps[s].kind is Kind.END}))


# Alphabets


@dataclass(frozen=True, slots=True)
class Alphabet:
    """Classes of characters that no pattern distinguishes, most readable first; a symbol is the number of a class.

    `members` maps a set of characters to a bit mask of its symbols; `bounds` and `symbols` are the ranges of all
    characters in order, each given by its first character.
    """

    readable: tuple[str, ...]
    members: Mapping[Ranges, int]
    bounds: tuple[int, ...]
    symbols: tuple[int, ...]

    def symbol_of(self, character: str) -> int:
        """Return the symbol of a character that is not a surrogate."""
        return self.symbols[bisect_right(self.bounds, ord(character)) - 1]


def alphabet_of(words: Iterable[str], conditions: Iterable[Condition]) -> Alphabet:
    """Return the alphabet of some machines, which also distinguishes the characters of the given words."""
    sets = {ANY: None}
    for machine, _ in conditions:
        sets.update(dict.fromkeys(machine.sets))
    sets.update(dict.fromkeys(((ord(character), ord(character)),) for word in words for character in word))
    changes: dict[int, int] = {}
    for number, ranges in enumerate(sets):
        for low, high in ranges:
            changes[low] = changes.get(low, 0) ^ 1 << number
            changes[high + 1] = changes.get(high + 1, 0) ^ 1 << number
    bounds = sorted(changes)
    signatures: list[int] = []
    groups: dict[int, list[tuple[int, int]]] = {}
    signature = 0
    for low, after in zip(bounds, [*bounds[1:], 0x110000], strict=True):
        signature ^= changes[low]
        signatures.append(signature)
        if signature & 1:  # in ANY, so not a surrogate
            groups.setdefault(signature, []).append((low, after - 1))
    best = {signature: most_readable(ranges) for signature, ranges in groups.items()}
    ordered = sorted(best, key=lambda signature: readability(best[signature]))
    members = [0] * len(sets)
    for symbol, signature in enumerate(ordered):
        for number in _bits(signature):
            members[number] |= 1 << symbol
    numbers = {signature: symbol for symbol, signature in enumerate(ordered)}
    return Alphabet(
        readable=tuple(best[signature] for signature in ordered),
        members=dict(zip(sets, members, strict=True)),
        bounds=tuple(bounds),
        symbols=tuple(numbers.get(signature, -1) for signature in signatures),
    )


def _bits(number: int) -> Iterator[int]:
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


# Running


STATES_PER_STEP = 2.5
"""States that automata running in parallel explore per step of the budget."""
_PASSED_PER_STEP = 32 * STATES_PER_STEP  # machine steps that states contain, per step of the budget

DEAD = 0
"""The state from which nothing is accepted."""
MATCHED = 1
"""The state from which everything is accepted."""


class Automaton:
    """A machine made deterministic while it runs: each state is a set of machine steps."""

    def __init__(self, machine: Machine, alphabet: Alphabet, budget: Budget) -> None:
        self._steps = machine.steps
        self._live = machine.live
        self._budget = budget
        members = [*(alphabet.members[ranges] for ranges in machine.sets), 0]
        self._masks = [members[number] for number in machine.set_numbers]
        self._after: dict[int, frozenset[int]] = {}  # the live steps reached from a step without reading
        self._again = self._closure([machine.start]) & machine.live  # a match may begin anywhere
        self.size = 0  # of all states together
        self._sets: list[frozenset[int]] = [frozenset(), frozenset()]
        self._moves: list[dict[int, int]] = [{}, {}]
        self._numbers: dict[frozenset[int], int] = {}
        first = self._closure([machine.start], is_start=True)
        self.start = MATCHED if 0 in first else self._new(first)
        self._accepting = {self.start: self._ends(first, is_start=True), DEAD: False, MATCHED: True}

    def follow(self, state: int, symbol: int) -> int:
        """Return the state after a symbol."""
        if state <= MATCHED:
            return state
        known = self._moves[state].get(symbol)
        if known is None:
            known = self._moves[state][symbol] = self._number(self._sets[state], symbol)
        return known

    def width(self, state: int) -> int:
        """Return the number of machine steps in a state."""
        return len(self._sets[state])

    def accepts(self, state: int) -> bool:
        """Whether the text may end in this state."""
        known = self._accepting.get(state)
        if known is None:
            known = self._accepting[state] = self._ends(self._sets[state], is_start=False)
        return known

    def _number(self, current: frozenset[int], symbol: int) -> int:
        self._budget.spend(len(current), _PASSED_PER_STEP)
        seeds = [self._steps[step].targets[0] for step in current if self._masks[step] >> symbol & 1]
        reached = self._again.union(*map(self._live_after, seeds)) if seeds else self._again
        if 0 in reached:
            return MATCHED
        if not reached:
            return DEAD
        known = self._numbers.get(reached)
        if known is None:
            known = self._numbers[reached] = self._new(reached)
        return known

    def _live_after(self, step: int) -> frozenset[int]:
        known = self._after.get(step)
        if known is None:
            known = self._after[step] = self._closure((step,)) & self._live
            self.size += len(known)
        else:
            self._budget.spend(len(known), _PASSED_PER_STEP)
        return known

    def _new(self, reached: frozenset[int]) -> int:
        self.size += 1 + len(reached)
        self._sets.append(reached)
        self._moves.append({})
        return len(self._sets) - 1

    def _closure(self, seeds: Iterable[int], *, is_start: bool = False, is_end: bool = False) -> frozenset[int]:
        """Return the steps reachable without reading a character: those that read one, wait for the end, or match."""
        found: set[int] = set()
        seen = set(seeds)
        stack = list(seen)
        while stack:
            number = stack.pop()
            step = self._steps[number]
            match step.kind:
                case Kind.READ | Kind.DONE:
                    found.add(number)
                    continue
                case Kind.START if not is_start:
                    continue
                case Kind.END if not is_end:
                    found.add(number)
                    continue
            for target in step.targets:
                if target not in seen:
                    seen.add(target)
                    stack.append(target)
        self._budget.spend(len(seen), _PASSED_PER_STEP)
        return frozenset(found)

    def _ends(self, current: frozenset[int], *, is_start: bool) -> bool:
        waiting = [step for step in current if self._steps[step].kind is Kind.END]
        return bool(waiting) and 0 in self._closure(waiting, is_start=is_start, is_end=True)
