"""Judge the changes of a schema: every fact gets a verdict, with a witness or a reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any

from mcp_contracts.change import Bump, Change, Policy, Reason, Verdict, Witness
from mcp_contracts.changes.absent import SchemaDirection, compare_with_absent, stated_schema
from mcp_contracts.changes.listing import ANNOTATIONS, Tagged, schema_change, select_listed, with_only_cause
from mcp_contracts.changes.policies import SchemaComparison, check_policy, strictest, worst
from mcp_contracts.changes.proofs import Proofs
from mcp_contracts.changes.questions import (
    COMPARISON_STEPS,
    COMPATIBLE,
    LEAST_STEPS,
    Questions,
    QuestionVerdict,
)
from mcp_contracts.changes.registry import hint_for, incomparable_rule, rule_of, whole_rule
from mcp_contracts.comparison.compare import Fact, FactKind, facts
from mcp_contracts.comparison.declared.lost_names import Losses, LostName, find_losses
from mcp_contracts.comparison.declared.matched_names import MatchedNames
from mcp_contracts.comparison.declared.policy import Reading, as_callers_send, as_consumers_read
from mcp_contracts.comparison.dialects import in_one_dialect
from mcp_contracts.comparison.edits import Edits, differ_only_in_words, refers_to_words
from mcp_contracts.comparison.readable import without_unread
from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import UsageError
from mcp_contracts.records import replace
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.json_equality import same_json
from mcp_contracts.schema.validation.compiled import RefusalKind
from mcp_contracts.schema.validation.unfit import misfit_refusal
from mcp_contracts.schema.validation.validators import compile_schema
from mcp_contracts.schema.walk import subschemas
from mcp_contracts.schema.wording import shown_text
from mcp_contracts.witnesses.confirm import Judgment, judge, quickly_judge

Schema = JsonValue | dict[str, Any]  # a JSON Schema as a Python value

_MOST_FACTS = 100  # facts with their own question; of the others, only structural ones are judged
_EDITED_PER_STEP = 6  # subschemas of an edited schema that are written and compiled
_LISTED_PER_STEP = 2  # subschemas whose differences are listed
_BYTES_PER_STEP = 500  # bytes of schemas whose differences are listed, for the values of enums
_COMPILED_PER_STEP = 1  # subschemas compiled, as given and as the policy reads them
_READ_PER_STEP = 1  # subschemas rewritten to declared names
_VISITED_PER_STEP = 4  # subschemas whose places are visited for removed properties
_MOST_READ = 8_000  # subschemas of a schema that is rewritten to declared names
_MOST_TIMES = 10  # subschemas of a reading for each one of both schemas, beyond which plain sets are asked first
_FOR_DECLARED = 0.2  # share of the steps of `strict`, reserved from `sets`
_COMPARED = 10  # the fixed cost of a comparison, in steps


def compare_schemas(
    old: Schema,
    new: Schema,
    *,
    direction: SchemaDirection = "input",
    policy: Policy = "declared",
    budget: Budget | None = None,
) -> SchemaComparison:
    """Compare two JSON Schemas (draft-07 or 2020-12) and judge every difference.

    `direction`: what callers send (`input`: all values accepted before must still be accepted) or what consumers
    receive (`output`: all values possible now must have been possible). `policy`: see `docs/changes.md`. Pass None for
    a schema that is not stated. Never raises because of what a schema contains, and ends within a fixed number of
    steps. Raises UsageError for an unknown direction or policy. Beyond the budget, verdicts that need a search are
    unknown.
    """
    if direction not in ("input", "output"):
        raise UsageError(f"unknown direction `{direction}`", hint="choose `input` or `output`")
    check_policy(policy)
    if (found := compare_with_absent(old, new, direction)) is not None:
        return found
    old, new = stated_schema(old, direction), stated_schema(new, direction)
    if same_json(old, new):
        return SchemaComparison(Verdict.COMPATIBLE)
    whole = Budget(COMPARISON_STEPS) if budget is None else budget.part(COMPARISON_STEPS)
    if policy != "strict":
        return _Comparison(old, new, direction, policy, whole).run()
    first = _Comparison(old, new, direction, "sets", whole.part(whole.left * (1 - _FOR_DECLARED)))
    found = first.run()

    def as_declared() -> SchemaComparison:
        # If all values are compatible, so are those with declared names.
        is_proved = found.verdict is Verdict.COMPATIBLE
        left = whole.part(whole.left)
        return _Comparison(old, new, direction, "declared", left, first.found, is_proved=is_proved).run()

    return strictest(found, as_declared)


_USED_UP = Reason("", "", "checking all changes takes too many steps")
_UNASKED = QuestionVerdict(Verdict.UNKNOWN, None, _USED_UP)
_UNDECLARED = QuestionVerdict(Verdict.UNKNOWN, None, Reason("", "", "not all declared names can be determined"))
_TOO_MANY = QuestionVerdict(Verdict.UNKNOWN, None, Reason("", "", "too many changes to check individually"))


class _Comparison:
    """A comparison of two schemas in one direction."""

    def __init__(
        self,
        old: JsonValue,
        new: JsonValue,
        direction: SchemaDirection,
        policy: Policy,
        budget: Budget,
        found: tuple[Fact, ...] | None = None,
        *,
        is_proved: bool = False,
    ) -> None:
        self._old, self._new = (old, new) if budget.is_spent else in_one_dialect(old, new)
        self._direction: SchemaDirection = direction
        self._is_declared = policy == "declared"
        self._budget = budget
        self._is_brief = budget.total <= LEAST_STEPS  # single changes are then judged by the witness of the whole
        self._is_proved = is_proved  # proved compatible, except for removed properties
        self._questions = Questions(
            budget,
            asks_equality=found is None and not self._is_brief,
            is_input=direction == "input",
            is_possible=self._may_break if self._is_declared else None,
        )
        self._matched = MatchedNames(budget)
        self._proofs = Proofs(self._old, self._new, is_input=direction == "input")
        self.found = found  # the differences, regardless of the policy

    def run(self) -> SchemaComparison:
        """Run the comparison."""
        if same_json(self._old, self._new):
            return SchemaComparison(Verdict.COMPATIBLE)
        if self._budget.is_spent:
            return self._incomparable(_USED_UP, "the schema")
        for schema in (self._old, self._new):
            refusal = compile_schema(schema).refusal
            if refusal is not None:
                reason = Reason(refusal.pointer.rpartition("/")[2], refusal.pointer, refusal.message)
                hint = "fix the schema, then compare again" if refusal.kind is RefusalKind.INVALID else ""
                of = f"the {'old' if schema is self._old else 'new'} schema"
                return self._incomparable(reason, of, self._known_breaks(refusal.kind), hint)
        self._budget.pay(_COMPARED + self._size / _COMPILED_PER_STEP)
        whole = self._judge_whole()
        if whole.witness is not None and self._direction == "input":
            self._questions.possible[""] = True
        if self.found is None:
            lengths = sum(compile_schema(schema).length for schema in (self._old, self._new))
            self._budget.pay(self._size / _LISTED_PER_STEP + lengths / _BYTES_PER_STEP)
            same = partial(self._questions.are_equal, self._old, self._new)
            self.found = facts(self._old, self._new, are_equal=same, subject=self._subject, budget=self._budget)
        changes = tuple(self._changes(self.found, whole))
        if self._is_declared and not any(change.verdict is Verdict.BREAKING for change in changes):
            changes += tuple(self._unreported_losses())
        verdict = worst((whole.verdict, *(change.verdict for change in changes)))
        witness = next((change.witness for change in changes if change.witness is not None), whole.witness)
        why = whole.reason
        if verdict is Verdict.UNKNOWN and why is None:
            why = next((change.reason for change in changes if change.reason is not None), None)
        return SchemaComparison(verdict, witness, why, changes, tuple(self._questions.troubles))

    def _known_breaks(self, kind: RefusalKind) -> Iterator[Change]:
        """Yield the breaks that hold whatever the parts that cannot be read mean."""
        if kind is RefusalKind.TOO_LARGE or any(map(misfit_refusal, (self._old, self._new))):
            return
        found: Sequence[Change] = ()
        rest = without_unread(*self._in_order())
        if rest is not None:
            old, new = rest if self._direction == "input" else rest[::-1]
            policy: Policy = "declared" if self._is_declared else "sets"
            found = _Comparison(old, new, self._direction, policy, self._budget.part(self._budget.left)).run().changes
        known = [change for change in found if change.verdict is Verdict.BREAKING]
        yield from known
        if self._is_declared:
            reported = {change.old_pointer for change in known}
            yield from (loss for loss in self._unreported_losses() if loss.old_pointer not in reported)

    def _in_order(self) -> tuple[JsonValue, JsonValue]:
        """Return the schema that accepts a witness, and the one that rejects it."""
        return (self._old, self._new) if self._direction == "input" else (self._new, self._old)

    def _may_break(self, value: JsonValue) -> bool:
        """Whether the old schema as written allows a value to be a witness; a policy can only exclude witnesses."""
        contrary = Judgment.INVALID if self._direction == "input" else Judgment.VALID
        return quickly_judge(self._old, value) is not contrary

    @cached_property
    def _size(self) -> int:
        return len(subschemas(self._old)) + len(subschemas(self._new))

    @cached_property
    def _edits(self) -> Edits:
        return Edits(self._old, self._new)

    @cached_property
    def _showing(self) -> Budget:
        """The budget for checking single changes against the witness of the whole, once the main budget is spent."""
        return Budget(LEAST_STEPS)

    @property
    def _subject(self) -> str:
        return "the arguments object" if self._direction == "input" else "the result"

    @cached_property
    def _reading(self) -> Reading:
        """The old schema as the policy reads it."""
        return self._read(self._old)

    def _read(self, schema: JsonValue) -> Reading:
        if not self._is_declared:
            return Reading(schema)
        size = len(subschemas(schema))
        self._budget.pay(size, per_step=_READ_PER_STEP)
        if size > _MOST_READ:
            return Reading(self._direction == "output", ("",))
        reads = as_callers_send if self._direction == "input" else as_consumers_read
        return reads(schema, self._matched)

    def _judge_whole(self) -> QuestionVerdict:
        if self._is_proved or (differ_only_in_words(self._old, self._new) and not refers_to_words(self._old)):
            return COMPATIBLE
        likely: tuple[JsonValue, ...] = ()
        # A reading is much larger if the schema lists objects, each of which is read as a schema of its own.
        if compile_schema(self._reading.schema).size > _MOST_TIMES * self._size:
            plain = self._questions.ask(*self._plain_question())
            likely = (plain.witness,) if plain.answer == "no" else ()
        judged = self._questions.judge_whole(*self._sides(self._reading.schema), *likely)
        is_proved = judged.verdict is Verdict.COMPATIBLE and not self._reading.inexact
        if judged.is_breaking or is_proved:
            return judged
        proving = self._reading.proving
        if proving is not None and self._questions.ask(*self._sides(proving)).answer == "yes":
            return COMPATIBLE
        # If plain sets of values are compatible, so are values with declared names.
        if self._reading.schema is not self._old and self._questions.ask(*self._plain_question()).answer == "yes":
            return COMPATIBLE
        if not self._reading.inexact or judged.verdict is Verdict.UNKNOWN:
            return judged
        size = len(subschemas(self._old))
        if self._direction == "output" and size <= _MOST_READ:
            # such a value has only declared names, so it breaks unchanged
            self._budget.pay(size, per_step=_READ_PER_STEP)
            named = as_callers_send(self._old, self._matched, is_judged_apart=True).schema
            judged = self._questions.judge((self._new, named), (self._old,))
        return judged if judged.is_breaking else self._unread()

    def _sides(self, read: JsonValue) -> tuple[tuple[JsonValue], tuple[JsonValue]]:
        """Return the accepting and the rejecting schemas, for the old schema as it is read."""
        return ((read,), (self._new,)) if self._direction == "input" else ((self._new,), (read,))

    def _plain_question(self, *alone: JsonValue) -> tuple[tuple[JsonValue, ...], tuple[JsonValue, ...]]:
        """Return the question about plain sets of values, narrowed down to one fact if its edit is given."""
        return (
            ((self._old,), (*alone, self._new)) if self._direction == "input" else ((self._new, *alone), (self._old,))
        )

    def _unread(self) -> QuestionVerdict:
        pointer = self._reading.inexact[0]
        reason = Reason(pointer.rpartition("/")[2], pointer, "the policy `declared` cannot be applied to it")
        return QuestionVerdict(Verdict.UNKNOWN, None, reason)

    def _changes(self, found: Sequence[Fact], whole: QuestionVerdict) -> Iterator[Change]:
        found, judged = self._judge_facts(found, whole)
        listed_facts, listed_verdicts = select_listed(found, with_only_cause(found, judged, whole), self._subject)
        verdicts = set()
        for fact, (verdict, tags) in zip(listed_facts, listed_verdicts, strict=True):
            verdicts.add(verdict.verdict)
            bump = Bump.PATCH if fact.kind is FactKind.WORDS_CHANGED else Bump.MINOR
            rule = rule_of(fact.kind, self._direction)
            change = schema_change(
                self._direction, rule, verdict, fact.message, fact.old_pointer, fact.new_pointer, tags, bump
            )
            if fact.condition is not None:
                advised = rule_of(FactKind.CONDITION_CHANGED, self._direction)
                change = replace(change, hint=hint_for(advised, verdict.verdict))
            yield change
        if whole.is_breaking and Verdict.BREAKING not in verdicts:
            message = "some calls that were accepted are now rejected"
            if self._direction == "output":
                message = "some results that were impossible are now possible"
            yield schema_change(self._direction, whole_rule(self._direction), whole, message)
        if whole.verdict is Verdict.UNKNOWN and not verdicts & {Verdict.BREAKING, Verdict.UNKNOWN}:
            asked = "calls still work" if self._direction == "input" else "results were possible before"
            message = f"it is unknown whether all {asked}"
            yield schema_change(self._direction, incomparable_rule(self._direction), whole, message)

    @cached_property
    def _losses(self) -> Losses:
        self._budget.pay(self._size, per_step=_VISITED_PER_STEP)
        return find_losses(self._old, self._new, self._matched)

    def _is_real(self, lost: LostName) -> bool:
        is_draft_7 = dialect_of(self._new) is Dialect.DRAFT_7
        return self._questions.may_hold(self._old, lost, self._losses, self._size, is_draft_7=is_draft_7)

    def _unreported_losses(self) -> Iterator[Change]:
        """Yield removed properties that no fact reports, because the two schemas are written differently."""
        if not self._losses.is_complete:
            message = f"{self._subject}: it is unknown whether a property was removed"
            yield schema_change(self._direction, incomparable_rule(self._direction), _UNDECLARED, message)
        rule = rule_of(FactKind.PROPERTY_REMOVED, self._direction)
        for lost in filter(self._is_real, self._losses.names):
            judged, message = QuestionVerdict(Verdict.BREAKING), f"`{shown_text(lost.path)}` was removed"
            yield schema_change(self._direction, rule, judged, message, lost.pointers[0], None)

    def _judge_facts(self, found: Sequence[Fact], whole: QuestionVerdict) -> tuple[list[Fact], list[Tagged]]:
        """Return the facts with their verdicts and tags.

        If removing a branch breaks, its properties are omitted: it is one break, not one for each property.
        """
        left = _MOST_FACTS
        lost: tuple[str, ...] = ()
        judged: dict[int, Tagged] = {}
        for number, fact in sorted(enumerate(found), key=lambda one: one[1].kind is FactKind.PROPERTY_REMOVED):
            if fact.kind is FactKind.PROPERTY_REMOVED and f"{fact.old_pointer}/".startswith(lost):
                continue
            left -= fact.kind not in ANNOTATIONS
            judged[number] = self._judge_fact(
                fact, whole, asks=left >= 0 and not self._budget.is_spent and not self._is_brief
            )
            is_loss = fact.kind is FactKind.BRANCHES_CHANGED and fact.new_pointer is None
            if is_loss and judged[number][0].is_breaking:
                lost += (f"{fact.old_pointer}/",)
        kept = sorted(judged)
        return [found[number] for number in kept], [judged[number] for number in kept]

    def _judge_fact(self, fact: Fact, whole: QuestionVerdict, *, asks: bool) -> Tagged:
        """Return the verdict on a single fact, and its tags. `asks` says whether it gets a question of its own."""
        if fact.kind in ANNOTATIONS:
            return COMPATIBLE, ("words",) if fact.kind is FactKind.WORDS_CHANGED else ()
        is_removal = self._is_declared and fact.kind in (FactKind.PROPERTY_REMOVED, FactKind.SCHEMA_REMOVED)
        is_structural = is_removal and any(map(self._is_real, self._losses.by_pointer.get(fact.old_pointer, ())))
        is_proved = whole.verdict is Verdict.COMPATIBLE
        if asks and not is_proved:
            self._budget.pay(self._size, per_step=_EDITED_PER_STEP)
        is_read = self._is_declared and self._reading.schema is not self._old
        alone = self._edits.isolate(fact) if asks and (is_read or not is_proved) else None
        if is_proved:
            judged = COMPATIBLE
        elif not asks:
            is_used_up = self._budget.is_spent or self._is_brief
            judged = (self._break_shown_by(whole, fact) or _UNASKED) if is_used_up else _TOO_MANY
        elif alone is None:
            judged = whole
        else:
            judged = self._judge_alone(alone, whole, fact)
        is_open = not is_proved and (not asks or (bool(self._reading.inexact) and not judged.is_breaking))
        if is_open and (proof := self._proofs.of(fact)) is not None:
            return QuestionVerdict(Verdict.BREAKING, proof), ()
        if is_structural and judged.verdict is not Verdict.BREAKING:
            return QuestionVerdict(Verdict.BREAKING), ()
        if is_removal and not judged.is_breaking and not self._losses.is_complete:
            return _UNDECLARED, ()
        if fact.is_cut and self._is_declared and not judged.is_breaking:
            reason = Reason("", fact.new_pointer or "", "it was only partly compared")
            return QuestionVerdict(Verdict.UNKNOWN, None, reason), ()
        if judged.verdict is not Verdict.COMPATIBLE or alone is None or not is_read:
            return judged, ()
        plain = self._questions.ask(*self._plain_question(alone))
        if self._reading.inexact and not is_proved and plain.answer != "yes":
            return self._unread(), ()
        return judged, ("open-content",) if plain.answer == "no" else ()

    def _break_shown_by(self, whole: QuestionVerdict, fact: Fact) -> QuestionVerdict | None:
        """Return the break of one fact that the witness of the whole proves, if no steps are left for a search."""
        if whole.witness is None or self._showing.is_spent:
            return None
        before = self._showing.spent
        self._showing.pay(self._size, per_step=_EDITED_PER_STEP)
        alone = self._edits.isolate(fact)
        if alone is None:
            return None
        value, is_input = whole.witness.value, self._direction == "input"
        found = judge(alone if is_input else self._read(alone).schema, value, self._showing)
        self._budget.pay(self._showing.spent - before)
        if found.judgment is not (Judgment.INVALID if is_input else Judgment.VALID):
            return None
        return QuestionVerdict(Verdict.BREAKING, Witness(value, found.message or whole.witness.error))

    def _judge_alone(self, alone: JsonValue, whole: QuestionVerdict, fact: Fact) -> QuestionVerdict:
        is_input, reading = self._direction == "input", self._reading
        read = alone if is_input else self._read(alone).schema
        facts_asked = sum(fact.kind not in ANNOTATIONS for fact in self.found or ())
        may_be_whole = whole.is_breaking and facts_asked == 1 and not reading.inexact and read is alone
        if may_be_whole and differ_only_in_words(alone, self._new):
            return whole  # the question was the same
        sides = ((reading.schema,), (self._new, alone)) if is_input else ((self._new, read), (reading.schema,))
        return self._questions.judge(*sides, *self._questions.suggest_proofs(fact.old_pointer))

    def _incomparable(self, reason: Reason, of: str, breaks: Iterable[Change] = (), hint: str = "") -> SchemaComparison:
        judged = QuestionVerdict(Verdict.UNKNOWN, None, reason)
        message = f"{of} cannot be compared: {reason.message}"
        rule, at = incomparable_rule(self._direction), reason.pointer
        change = schema_change(self._direction, rule, judged, message, at, at)
        known = [one for one in breaks if one.verdict is Verdict.BREAKING]
        witness = next((one.witness for one in known if one.witness is not None), None)
        changes = (*known, replace(change, hint=hint or change.hint))
        return SchemaComparison(Verdict.BREAKING if known else Verdict.UNKNOWN, witness, reason, changes)
