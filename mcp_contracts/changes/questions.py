"""Search for values that prove a break, within the budget of one comparison, and confirm them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from mcp_contracts.change import Reason, Verdict, Witness
from mcp_contracts.comparison.declared.lost_names import Losses, LostName
from mcp_contracts.comparison.declared.schema_reader import FREE
from mcp_contracts.comparison.declared.ways import Pair
from mcp_contracts.comparison.dialects import with_dialect
from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.decision import BUDGET, Inclusion, counterexample
from mcp_contracts.json_values.pointers import unescape
from mcp_contracts.records import dataclass
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.effort import size_of
from mcp_contracts.schema.references import standalone
from mcp_contracts.schema.validation.validators import compile_schema
from mcp_contracts.schema.wording import shown_value
from mcp_contracts.witnesses.confirm import Judgment, confirm, judge, quickly_judge
from mcp_contracts.witnesses.counterexamples import make_readable, sample_witness

COMPARISON_STEPS = 50_000
"""Maximum number of steps of one comparison."""
LEAST_STEPS = 150
"""The minimum number of steps of a comparison: enough for a verdict on two ordinary schemas, though not on each
change."""
_QUESTION_STEPS = BUDGET
_LATER_STEPS = BUDGET / 8  # after a question was too hard: if the whole is too hard, its parts rarely succeed
_EQUALITY_STEPS = BUDGET / 10  # for one pair of subschemas
_FOR_EQUALITY = 0.2  # share of a comparison
_SAMPLES = 300  # values that are tried if the search is inconclusive
_SAMPLING_STEPS = 1_000
_SHAPING_STEPS = 500  # to make one witness more readable
_FOR_SHAPING = 0.2  # share of a comparison; if many changes break callers, the last witnesses are not simplified
_TAKEN_OUT_PER_STEP = 20  # subschemas visited to extract one of them
_LOOKED_AT_PER_STEP = 100  # subschemas of the schemas from which others are extracted
_EXTRACTED_PER_STEP = 4  # subschemas extracted and compiled
_MOST_EXPLAINED = 500  # maximum subschemas of an edited schema that is evaluated for the wording of its error
_MOST_SHAPED = 300  # values in a witness; a larger one is not simplified, and is reused for everything that it proves


@dataclass(frozen=True, slots=True)
class QuestionVerdict:
    """The verdict on one question: is a value accepted here and rejected there?"""

    verdict: Verdict
    witness: Witness | None = None
    reason: Reason | None = None

    @property
    def is_breaking(self) -> bool:
        """Whether such a value exists."""
        return self.verdict is Verdict.BREAKING


COMPATIBLE = QuestionVerdict(Verdict.COMPATIBLE)


class Questions:
    """The questions of one comparison, which share a budget and the results of earlier answers.

    `is_possible` says whether the schemas as written, regardless of a policy, allow a value to be a witness, so that an
    incorrect reading never results in a break. `is_input` says which side a break concerns first.
    """

    def __init__(
        self,
        budget: Budget,
        *,
        asks_equality: bool,
        is_input: bool = True,
        is_possible: Callable[[JsonValue], bool] | None = None,
    ) -> None:
        self.budget = budget
        self._is_possible = is_possible
        self._is_input = is_input
        self.troubles: list[str] = []
        self.possible: dict[str, bool] = {}  # whether subschemas of the old schema accept anything, by pointer
        self._held_together: dict[Pair, bool] = {}  # whether a value has all properties that were removed at a place
        self._unequal: dict[str, JsonValue] = {}  # what breaks a subschema on its own, by its old pointer
        self._equality = budget.part(budget.left * _FOR_EQUALITY if asks_equality else 0)
        self._shaping = budget.part(budget.left * _FOR_SHAPING)
        self._most: float = _QUESTION_STEPS
        self._large: Witness | None = None  # proves a break, and is expensive to confirm
        self._sampled: tuple[JsonValue] | None = None
        self._shown: tuple[JsonValue] | None = None  # the witness of two whole schemas

    def judge(
        self, accepting: Sequence[JsonValue], refusing: Sequence[JsonValue], *likely: JsonValue
    ) -> QuestionVerdict:
        """Decide whether a value that all `accepting` schemas accept is rejected by all `refusing` ones.

        The first of each must confirm the witness; the others narrow the search down to one fact. `likely` witnesses
        are tried before a search.
        """
        for value in likely:
            judgments = (quickly_judge(accepting[0], value), quickly_judge(refusing[0], value))
            if judgments == (Judgment.VALID, Judgment.INVALID):
                witness = self._witness(value, accepting, refusing, is_claimed=False)
                if witness is not None:
                    return QuestionVerdict(Verdict.BREAKING, witness)
        found = self.ask(accepting, refusing)
        if found.answer == "yes":
            return COMPATIBLE
        witness = None
        if found.has_witness:
            witness = self._witness(found.witness, accepting, refusing, is_claimed=found.answer == "no")
        if witness is None and not (found.has_witness and found.answer == "no"):
            witness = self._sample(accepting, refusing)
        if witness is not None:
            return QuestionVerdict(Verdict.BREAKING, witness)
        message = found.reason or "the validators do not confirm the witness that was found"
        return QuestionVerdict(Verdict.UNKNOWN, None, Reason(found.keyword, found.pointer, message))

    def judge_whole(
        self, accepting: Sequence[JsonValue], refusing: Sequence[JsonValue], *likely: JsonValue
    ) -> QuestionVerdict:
        """Return the verdict on two whole schemas; its witness may also prove breaks of single facts."""
        judged = self.judge(accepting, refusing, *likely)
        if judged.witness is not None:
            self._sampled = self._shown = (judged.witness.value,)
        return judged

    def may_accept(self, schema: JsonValue, pointer: str, size: int, *, is_draft_7: bool) -> bool:
        """Whether the subschema at a pointer of the old schema accepts anything; True once the steps are spent.

        `size` is the number of subschemas of both sides.
        """
        if pointer.startswith(("=", FREE)):
            return True  # an enumerated value, or inside a free-form map
        if pointer not in self.possible:
            if self.budget.is_spent:
                return True
            self.budget.pay(size, per_step=_TAKEN_OUT_PER_STEP)
            extracted = standalone(schema, pointer, is_draft_7=is_draft_7) if pointer else schema
            self.possible[pointer] = self.ask((extracted,), (False,)).answer != "yes"
        return self.possible[pointer]

    def may_hold(self, schema: JsonValue, lost: LostName, losses: Losses, size: int, *, is_draft_7: bool) -> bool:
        """Whether the old schema accepts a value with a removed property whose schema accepts something.

        True once the steps are spent. `size` is the number of subschemas of both sides.
        """

        def may_be_one(pointers: Iterable[str]) -> bool:
            return any(self.may_accept(schema, pointer, size, is_draft_7=is_draft_7) for pointer in pointers)

        if not may_be_one(lost.pointers):
            return False
        if not losses.is_complete:
            return may_be_one(sorted(lost.at[0].roots))

        def answer(*names: str) -> str:
            held = losses.ways.values_with(lost.at, names, lambda place: may_be_one(sorted(place.roots)))
            return self.ask((schema, held), (False,)).answer

        if lost.at not in self._held_together:
            names = [one.name for one in losses.names if one.at == lost.at]
            self._held_together[lost.at] = len(names) > 1 and answer(*names) == "no"
        return self._held_together[lost.at] or answer(lost.name) != "yes"

    def ask(self, accepting: Sequence[JsonValue], refusing: Sequence[JsonValue]) -> Inclusion:
        """Return the result of the search, without confirming its witness."""
        if self.budget.is_spent:
            return Inclusion("unknown", reason="comparing the schemas takes too many steps")
        found = counterexample(accepting, refusing, self.budget.part(self._most))
        if found.steps > self._most:
            self._most = _LATER_STEPS
        return found

    def are_equal(self, old: JsonValue, new: JsonValue, old_pointer: str, new_pointer: str) -> bool:
        """Whether a subschema of the old and one of the new schema accept the same values."""
        if self._shown is not None and not old_pointer and not new_pointer:
            return False  # regardless of the policy, which only excludes witnesses
        dialect = dialect_of(old)
        if dialect is not dialect_of(new) or self._equality.is_spent:
            return False
        is_draft_7 = dialect is Dialect.DRAFT_7
        self._equality.pay(compile_schema(old).size + compile_schema(new).size, per_step=_LOOKED_AT_PER_STEP)
        was, now = (
            with_dialect(
                standalone(schema, pointer, is_draft_7=is_draft_7) if pointer else schema, is_draft_7=is_draft_7
            )
            for schema, pointer in ((old, old_pointer), (new, new_pointer))
        )
        self._equality.pay(compile_schema(was).size + compile_schema(now).size, per_step=_EXTRACTED_PER_STEP)
        for one, other in ((was, now), (now, was)) if self._is_input else ((now, was), (was, now)):
            if self._equality.is_spent:
                return False
            found = counterexample((one,), (other,), self._equality.part(_EQUALITY_STEPS))
            if found.answer == "no" and (one is was) is self._is_input:
                self._unequal[old_pointer] = found.witness
            if found.answer != "yes":
                return False
        return True

    def suggest_proofs(self, old_pointer: str | None) -> Iterator[JsonValue]:
        """Yield a possible witness of a break: the whole schema's witness, with a value that breaks the property."""
        name = (old_pointer or "").partition("/properties/")[2].partition("/")[0]
        known = f"/properties/{name}"
        if known in self._unequal and self._shown is not None and isinstance(self._shown[0], dict):
            yield {**self._shown[0], unescape(name): self._unequal[known]}

    def _sample(self, accepting: Sequence[JsonValue], refusing: Sequence[JsonValue]) -> Witness | None:
        """Find a witness by trying values after an inconclusive search; one for the whole may prove its parts."""
        if self._sampled is None and self.budget.is_spent:
            return None
        if self._sampled is None:
            paying = self.budget.part(_SAMPLING_STEPS)
            self._sampled = (sample_witness(accepting[0], refusing[0], budget=paying, most=_SAMPLES),)
        return self._witness(self._sampled[0], accepting, refusing, is_claimed=False)

    def _witness(
        self, value: JsonValue, accepting: Sequence[JsonValue], refusing: Sequence[JsonValue], *, is_claimed: bool
    ) -> Witness | None:
        """Return a confirmed witness, made readable if possible; None if the validators disagree."""

        def is_about_this(shaped: JsonValue) -> bool:
            return (
                (self._is_possible is None or self._is_possible(shaped))
                and all(quickly_judge(schema, shaped) is Judgment.VALID for schema in accepting[1:])
                and all(quickly_judge(schema, shaped) is Judgment.INVALID for schema in refusing[1:])
            )

        if not is_about_this(value):
            if is_claimed:
                self.troubles.append(f"not confirmed: {shown_value(value)}")
            return None
        if self._large is not None and is_about_this(self._large.value):
            return self._large
        shapes = [value]
        is_small = size_of(value).values <= _MOST_SHAPED
        if is_small and not self._shaping.is_spent:
            paying = self._shaping.part(_SHAPING_STEPS)
            shapes.insert(0, make_readable(value, accepting[0], refusing[0], keeps=is_about_this, budget=paying))
        for shaped in shapes:
            confirmation = confirm(accepting[0], refusing[0], shaped, self.budget)
            if confirmation.is_confirmed:
                # The error of a single edit is about that edit, though the whole may reject more of the value.
                is_explained = len(refusing) > 1 and compile_schema(refusing[1]).size <= _MOST_EXPLAINED
                alone = judge(refusing[1], shaped, self.budget).message if is_explained else ""
                witness = Witness(shaped, alone or confirmation.error)
                self._large = None if is_small else witness
                return witness
        if is_claimed:
            self.troubles.append(f"not confirmed ({confirmation.trouble}): {shown_value(value)}")
        return None
