"""Judges what changed in a schema: every fact gets a verdict, with a witness or a reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from mcp_contracts.change import POLICIES, Bump, Change, Policy, Reason, Verdict, Witness
from mcp_contracts.changes.policies import Allowance, SchemaComparison, strictest, worst
from mcp_contracts.changes.registry import hint_for, incomparable_rule, rule_of, whole_rule
from mcp_contracts.contract import JsonValue
from mcp_contracts.diagnostics import RuleInfo
from mcp_contracts.errors import UsageError
from mcp_contracts.schema.compare import Fact, FactKind, facts
from mcp_contracts.schema.confirm import Judgement, confirm, judge, quickly_judge
from mcp_contracts.schema.declared import Reading, as_callers_send, as_consumers_read
from mcp_contracts.schema.dialects import in_one_dialect, with_dialect
from mcp_contracts.schema.edits import isolated
from mcp_contracts.schema.effort import size_of
from mcp_contracts.schema.inclusion import BUDGET, Inclusion, counterexample
from mcp_contracts.schema.json_equality import same_json
from mcp_contracts.schema.lost_names import lost_names
from mcp_contracts.schema.places import Atlas, Place, TooLargeError
from mcp_contracts.schema.references import standalone
from mcp_contracts.schema.sample import readable, sampled_witness
from mcp_contracts.schema.validators import Dialect, compile_schema, dialect_of
from mcp_contracts.schema.walk import subschemas
from mcp_contracts.schema.wording import shown_text, shown_value

SchemaDirection = Literal["input", "output"]

Schema = JsonValue | dict[str, Any]
"""A JSON Schema as Python holds it."""

ABSENT_INPUT: JsonValue = {"type": "object"}
ABSENT_OUTPUT: JsonValue = True
"""What a schema that is not stated means."""

_TOTAL_BUDGET = 2 * BUDGET
_SAMPLES = 300
_EQUALITY_BUDGET = BUDGET // 10  # of one pair of subschemas; what they take together is apart from what verdicts take
_TOTAL_EQUALITY = BUDGET // 2
_MOST_FACTS = 100  # with a question of their own; of the others only what is structural is judged, unless all is proved
_CONFIRMED_A_STEP = 4  # subschemas that the second validator reads in the time of a step
_MOST_TOLD = 500  # subschemas of an edited schema that is asked for the words of its refusal
_MOST_LISTED = 1_000  # facts that are told one by one, those that break before the others
_EDITED_A_STEP = 6  # subschemas of an edited schema that are written and compiled in the time of a step
_READ_A_STEP = 4  # subschemas that are rewritten to declared names in the time of a step
_MOST_READ = 8_000  # subschemas of a schema that is rewritten to declared names
_LEAST = 2_000  # steps for the policy `declared` where `sets` took all that `strict` has
_COMPARED = 10  # what a comparison costs whatever it finds, in steps
_MOST_SHAPED = 300  # values in a witness; a larger one stays as it was found, and serves for all that it proves
_SHAPING = 500  # values that are made nicer; where very much breaks, the last witnesses are as they were found
_ANNOTATIONS = frozenset(
    (FactKind.WORDS_CHANGED, FactKind.DEFAULT_CHANGED, FactKind.MARK_CHANGED, FactKind.FORMAT_CHANGED)
)


def compare_schemas(
    old: Schema,
    new: Schema,
    *,
    direction: SchemaDirection = "input",
    policy: Policy = "declared",
    allowance: Allowance | None = None,
) -> SchemaComparison:
    """Compare two JSON Schemas (draft-07 or 2020-12) and judge every difference.

    `direction`: what callers send (`input`: whatever was accepted must still be) or what consumers receive (`output`:
    whatever comes now must have been possible). `policy`: see `docs/changes.md`. Never raises, whatever the schemas
    hold, and ends within a counted number of steps; UsageError for an unknown direction or policy. `allowance` is what
    is left for this comparison and others of the same run; past it verdicts that need a search are unknown.
    """
    if direction not in ("input", "output"):
        raise UsageError(f"unknown direction `{direction}`", hint="choose `input` or `output`")
    check_policy(policy)
    shared = allowance or Allowance()

    first = _Comparison(old, new, direction, "declared" if policy == "declared" else "sets", shared.steps)
    before = first.left

    def compared(comparison: _Comparison) -> SchemaComparison:
        left = comparison.left
        found = comparison.compared()
        shared.steps -= left - comparison.left + _COMPARED
        return found

    def as_declared() -> SchemaComparison:
        left = max(_LEAST, min(shared.steps, _TOTAL_BUDGET - (before - first.left)))
        return compared(_Comparison(old, new, direction, "declared", left, first.found))

    return strictest(compared(first), as_declared) if policy == "strict" else compared(first)


def check_policy(policy: str) -> None:
    """Raise UsageError for an unknown policy."""
    if policy not in POLICIES:
        raise UsageError(f"unknown policy `{policy}`", hint="choose `declared`, `sets` or `strict`")


@dataclass(frozen=True, slots=True)
class _Judged:
    """The verdict on one question: can something be accepted here and refused there?"""

    verdict: Verdict
    witness: Witness | None = None
    reason: Reason | None = None

    @property
    def is_breaking(self) -> bool:
        """Whether something can."""
        return self.verdict is Verdict.BREAKING


_COMPATIBLE = _Judged(Verdict.COMPATIBLE)
_USED_UP = Reason("", "", "all changes together ask for more steps than we take")
_TOO_MANY = _Judged(Verdict.UNKNOWN, None, Reason("", "", "there are more changes than are judged one by one"))


class _Comparison:
    """Two schemas that are compared in one direction."""

    def __init__(
        self,
        old: JsonValue,
        new: JsonValue,
        direction: SchemaDirection,
        policy: Policy,
        allowed: int,
        found: tuple[Fact, ...] | None = None,
    ) -> None:
        self._old, self._new = in_one_dialect(old, new)
        self._direction: SchemaDirection = direction
        self._is_declared = policy == "declared"
        self._is_allowed = allowed > 0
        self._steps_left = min(_TOTAL_BUDGET, allowed)
        self._equality_left = _TOTAL_EQUALITY if found is None else 0
        self.found = found  # what differs, whatever the policy
        self._budget = BUDGET
        self._shaping_left = _SHAPING
        self._troubles: list[str] = []
        self._large: Witness | None = None  # one that proves a break, and is dear to confirm
        self._sampled: tuple[JsonValue] | None = None
        self._least: dict[str, Witness | None] = {}  # the shortest value that leads to a place, where it is a proof
        self._reading = self._read(self._old)

    def compared(self) -> SchemaComparison:
        """The comparison, done."""
        if same_json(self._old, self._new):
            return SchemaComparison(Verdict.COMPATIBLE)
        for schema in (self._old, self._new):
            refusal = compile_schema(schema).refusal
            if refusal is not None:
                return self._incomparable(
                    Reason(refusal.pointer.rpartition("/")[2], refusal.pointer, refusal.message),
                    "the old schema" if schema is self._old else "the new schema",
                )
        if not self._is_allowed:
            return self._incomparable(_USED_UP, "the schema")
        if self.found is None:
            self.found = facts(self._old, self._new, are_equal=self._are_equal, subject=self._subject)
        whole = self._whole()
        changes = tuple(self._changes(self.found, whole))
        if self._is_declared and not any(change.verdict is Verdict.BREAKING for change in changes):
            changes += tuple(self._losses())
        verdict = worst((whole.verdict, *(change.verdict for change in changes)))
        witness = next((change.witness for change in changes if change.witness is not None), whole.witness)
        return SchemaComparison(verdict, witness, whole.reason, changes, tuple(self._troubles))

    @property
    def left(self) -> int:
        """How many steps it may still take."""
        return self._steps_left + self._equality_left

    @cached_property
    def _size(self) -> int:
        return len(subschemas(self._old)) + len(subschemas(self._new))

    @property
    def _subject(self) -> str:
        return "the arguments object" if self._direction == "input" else "the result"

    def _read(self, schema: JsonValue) -> Reading:
        if not self._is_declared:
            return Reading(schema)
        size = len(subschemas(schema))
        self._steps_left -= size // _READ_A_STEP
        if size > _MOST_READ:
            return Reading(self._direction == "output", ("",))
        return as_callers_send(schema) if self._direction == "input" else as_consumers_read(schema)

    def _whole(self) -> _Judged:
        """The verdict on the two schemas, whatever the single facts are."""
        if self._direction == "input":
            judged = self._judge((self._reading.schema,), (self._new,))
        else:
            judged = self._judge((self._new,), (self._reading.schema,))
        if judged.witness is not None:
            self._sampled = (judged.witness.value,)
        is_proved = judged.verdict is Verdict.COMPATIBLE and not self._reading.inexact
        if judged.is_breaking or is_proved:
            return judged
        # What is compatible as plain sets of values is so for declared names as well.
        if self._reading.schema is not self._old and self._ask(*self._plain()).answer == "yes":
            return _COMPATIBLE
        if not self._reading.inexact or judged.verdict is Verdict.UNKNOWN:
            return judged
        return self._unread()

    def _plain(self, *alone: JsonValue) -> tuple[tuple[JsonValue, ...], tuple[JsonValue, ...]]:
        """The question about plain sets of values, narrowed down to one fact where its edit is given."""
        if self._direction == "input":
            return (self._old,), (*alone, self._new)
        return (self._new, *alone), (self._old,)

    def _unread(self) -> _Judged:
        pointer = self._reading.inexact[0]
        reason = Reason(pointer.rpartition("/")[2], pointer, "it cannot be read by declared names alone")
        return _Judged(Verdict.UNKNOWN, None, reason)

    def _changes(self, found: Sequence[Fact], whole: _Judged) -> Iterator[Change]:
        found, judged = self._judge_facts(found, whole)
        judged = _with_only_cause(found, judged, whole)
        found, judged = self._listed(found, judged)
        verdicts = set()
        for fact, (verdict, tags) in zip(found, judged, strict=True):
            verdicts.add(verdict.verdict)
            bump = Bump.PATCH if fact.kind is FactKind.WORDS_CHANGED else Bump.MINOR
            rule = rule_of(fact.kind, self._direction)
            yield self._change(rule, verdict, fact.message, fact.old_pointer, fact.new_pointer, tags, bump)
        if whole.is_breaking and Verdict.BREAKING not in verdicts:
            message = "some calls that were accepted are refused now"
            if self._direction == "output":
                message = "some results that were impossible can come now"
            yield self._change(whole_rule(self._direction), whole, message, "", "", (), Bump.MAJOR)
        if whole.verdict is Verdict.UNKNOWN and not verdicts & {Verdict.BREAKING, Verdict.UNKNOWN}:
            message = (
                f"it is not known whether all {'calls still work' if self._direction == 'input' else 'results fit'}"
            )
            yield self._change(incomparable_rule(self._direction), whole, message, "", "", (), Bump.MINOR)

    def _losses(self) -> Iterator[Change]:
        """The properties that are gone and that no fact tells, since the two schemas are written in unlike ways."""
        rule = rule_of(FactKind.PROPERTY_REMOVED, self._direction)
        try:
            old = Atlas(self._old, dialect_of(self._old) or Dialect.DRAFT_2020_12)
            lost = list(lost_names(old, self._places)) if self._places is not None else []
        except TooLargeError:
            reason = Reason("", "", "the schemas have more places than are compared")
            judged = _Judged(Verdict.UNKNOWN, None, reason)
            message = f"{self._subject}: it is not known whether a property is gone"
            yield self._change(incomparable_rule(self._direction), judged, message, "", "", (), Bump.MINOR)
            return
        for pointer, path in lost:
            was = standalone(self._old, pointer, is_draft_7=dialect_of(self._new) is Dialect.DRAFT_7)
            if self._ask((was,), (False,)).answer != "yes":
                judged = _Judged(Verdict.BREAKING)
                yield self._change(rule, judged, f"`{shown_text(path)}` is gone", pointer, None, (), Bump.MAJOR)

    def _judge_facts(
        self, found: Sequence[Fact], whole: _Judged
    ) -> tuple[list[Fact], list[tuple[_Judged, tuple[str, ...]]]]:
        """The facts with their verdicts and tags, without the properties of branches whose loss breaks: that is one
        break, and not one for each property."""
        left = _MOST_FACTS
        lost: tuple[str, ...] = ()
        judged: dict[int, tuple[_Judged, tuple[str, ...]]] = {}
        for number, fact in sorted(enumerate(found), key=lambda one: one[1].kind is FactKind.PROPERTY_REMOVED):
            if fact.kind is FactKind.PROPERTY_REMOVED and f"{fact.old_pointer}/".startswith(lost):
                continue
            left -= fact.kind not in _ANNOTATIONS
            judged[number] = self._judge_fact(fact, whole, asks=left >= 0 and self._steps_left > 0)
            is_loss = fact.kind is FactKind.BRANCHES_CHANGED and fact.new_pointer is None
            if is_loss and judged[number][0].is_breaking:
                lost += (f"{fact.old_pointer}/",)
        kept = sorted(judged)
        return [found[number] for number in kept], [judged[number] for number in kept]

    def _listed(
        self, found: Sequence[Fact], judged: list[tuple[_Judged, tuple[str, ...]]]
    ) -> tuple[Sequence[Fact], list[tuple[_Judged, tuple[str, ...]]]]:
        """As many facts as are told one by one, the worst ones first to be kept, and one for all that are left out."""
        if len(found) <= _MOST_LISTED:
            return found, judged
        order = [Verdict.BREAKING, Verdict.UNKNOWN, Verdict.COMPATIBLE]
        numbers = sorted(range(len(found)), key=lambda number: order.index(judged[number][0].verdict))
        kept, left_out = sorted(numbers[:_MOST_LISTED]), numbers[_MOST_LISTED:]
        verdict, tags = judged[left_out[0]]
        breaking = sum(judged[number][0].is_breaking for number in left_out)
        some = f" ({breaking:,} of them breaking)" if breaking else ""
        message = f"{self._subject}: {len(left_out):,} more changes are not listed{some}"
        rest = Fact(FactKind.SCHEMA_CHANGED, message, "", "", "", "", is_cut=True)
        return (
            [*(found[number] for number in kept), rest],
            [*(judged[number] for number in kept), (replace(verdict, witness=None), tags)],
        )

    def _change(
        self,
        rule: RuleInfo,
        judged: _Judged,
        message: str,
        old_pointer: str | None,
        new_pointer: str | None,
        tags: tuple[str, ...],
        bump: Bump,
    ) -> Change:
        reason = judged.reason
        pointer = new_pointer if new_pointer is not None else old_pointer or ""
        keyword = pointer.rpartition("/")[2]
        if reason is not None and reason.keyword in ("", keyword):  # the budget, or what the change itself is about
            reason = replace(reason, pointer=pointer, keyword=keyword)
        return Change(
            rule.code,
            rule.name,
            self._direction,
            judged.verdict,
            {Verdict.BREAKING: Bump.MAJOR, Verdict.UNKNOWN: Bump.MINOR}.get(judged.verdict, bump),
            message,
            hint_for(rule, judged.verdict),
            old_pointer,
            new_pointer,
            witness=judged.witness,
            reason=reason if judged.verdict is Verdict.UNKNOWN else None,
            tags=tags,
        )

    def _judge_fact(self, fact: Fact, whole: _Judged, *, asks: bool) -> tuple[_Judged, tuple[str, ...]]:
        """The verdict on one fact, and its tags: does it, by itself, break what really breaks?

        `asks` says whether it gets a question of its own.
        """
        if fact.kind in _ANNOTATIONS:
            return _COMPATIBLE, ("words",) if fact.kind is FactKind.WORDS_CHANGED else ()
        is_structural = self._is_declared and fact.kind is FactKind.PROPERTY_REMOVED and self._is_gone(fact)
        is_proved = whole.verdict is Verdict.COMPATIBLE
        if asks and not is_proved:
            self._steps_left -= self._size // _EDITED_A_STEP
        alone = isolated(self._old, self._new, fact) if asks else None
        if is_proved:
            judged = _COMPATIBLE
        elif not asks:
            judged = _TOO_MANY if self._steps_left > 0 else _Judged(Verdict.UNKNOWN, None, _USED_UP)
        elif alone is None:
            judged = whole
        else:
            judged = self._judge_alone(alone)
        if not asks and not is_proved and (proof := self._requirement_proof(fact)) is not None:
            return _Judged(Verdict.BREAKING, proof), ()
        if is_structural and judged.verdict is not Verdict.BREAKING:
            return _Judged(Verdict.BREAKING), ()
        if fact.is_cut and self._is_declared and not judged.is_breaking:
            return _Judged(Verdict.UNKNOWN, None, Reason("", fact.new_pointer or "", "not all of it was compared")), ()
        is_read = self._reading.schema is not self._old
        if judged.verdict is not Verdict.COMPATIBLE or alone is None or not is_read:
            return judged, ()
        plain = self._ask(*self._plain(alone))
        if self._reading.inexact and not is_proved and plain.answer != "yes":
            return self._unread(), ()
        return judged, ("open-content",) if plain.answer == "no" else ()

    def _requirement_proof(self, fact: Fact) -> Witness | None:
        """A value without a name that one side requires and the other one does not, found without a search."""
        is_input = self._direction == "input"
        owner, pointer = (fact.new_owner, fact.new_pointer) if is_input else (fact.old_owner, fact.old_pointer)
        kind = FactKind.PROPERTY_REQUIRED if is_input else FactKind.PROPERTY_OPTIONAL
        if fact.kind is not kind or pointer is None or fact.name is None:
            return None
        steps = owner.split("/")[1:]
        if steps[::2] != ["properties"] * (len(steps) // 2) or len(steps) % 2:
            return None  # what stands anywhere else may be required of some values only
        if owner not in self._least:
            value: JsonValue = {}
            for name in reversed(steps[1::2]):
                value = {name.replace("~1", "/").replace("~0", "~"): value}
            accepting, refusing = (self._old, self._new) if is_input else (self._new, self._old)
            is_proof = (
                quickly_judge(accepting, value) is Judgement.VALID
                and quickly_judge(refusing, value) is Judgement.INVALID
            )
            self._least[owner] = Witness(value, f'"{fact.name}" is a required property') if is_proof else None
        found = self._least[owner]
        return None if found is None else replace(found, error=f'"{fact.name}" is a required property')

    def _is_gone(self, fact: Fact) -> bool:
        """Whether a property that could be there is declared in no way any more, by no pattern and no map either."""
        owner = frozenset({fact.new_owner})
        try:
            if fact.name is not None and self._places and self._places.declares(Place(owner, owner), fact.name):
                return False
        except TooLargeError:
            pass
        was = standalone(self._old, fact.old_pointer or "", is_draft_7=dialect_of(self._new) is Dialect.DRAFT_7)
        return self._ask((was,), (False,)).answer != "yes"

    @cached_property
    def _places(self) -> Atlas | None:
        """The places of the new schema, found once for all that is asked about them; None where there are too many."""
        try:
            return Atlas(self._new, dialect_of(self._new) or Dialect.DRAFT_2020_12)
        except TooLargeError:
            return None

    def _judge_alone(self, alone: JsonValue) -> _Judged:
        if self._direction == "input":
            return self._judge((self._reading.schema,), (self._new, alone))
        return self._judge((self._new, self._read(alone).schema), (self._reading.schema,))

    def _judge(self, accepting: Sequence[JsonValue], refusing: Sequence[JsonValue]) -> _Judged:
        """Whether a value that all of some schemas accept is refused by all of others; the first of each must confirm.

        The others narrow the search down to one fact.
        """
        found = self._ask(accepting, refusing)
        if found.answer == "yes":
            return _COMPATIBLE
        witness = None
        if found.has_witness:
            witness = self._witness(found.witness, accepting, refusing, is_claimed=found.answer == "no")
        if witness is None and not (found.has_witness and found.answer == "no"):
            witness = self._tried(accepting, refusing)
        if witness is not None:
            return _Judged(Verdict.BREAKING, witness)
        message = found.reason or "the validators do not confirm the value that was found"
        return _Judged(Verdict.UNKNOWN, None, Reason(found.keyword, found.pointer, message))

    def _tried(self, accepting: Sequence[JsonValue], refusing: Sequence[JsonValue]) -> Witness | None:
        """A witness found by trying values, where the proof came to no end; what shows the whole may show its parts."""
        if self._sampled is None and self._steps_left <= 0:
            return None
        if self._sampled is None:
            self._steps_left -= _SAMPLES // 3
            value = sampled_witness(accepting[0], refusing[0], budget=_SAMPLES)
            self._sampled = (value,)
        return self._witness(self._sampled[0], accepting, refusing, is_claimed=False)

    def _ask(self, accepting: Sequence[JsonValue], refusing: Sequence[JsonValue]) -> Inclusion:
        if self._steps_left <= 0:
            return Inclusion("unknown", reason="the schemas ask for more steps than we take")
        found = counterexample(accepting, refusing, budget=min(self._budget, self._steps_left))
        self._steps_left -= found.steps
        if found.steps > self._budget:
            self._budget = BUDGET // 8  # what is too much as a whole is seldom settled in its parts
        return found

    def _witness(
        self, value: JsonValue, accepting: Sequence[JsonValue], refusing: Sequence[JsonValue], *, is_claimed: bool
    ) -> Witness | None:
        """A confirmed witness, readable where that keeps it one; None where the validators do not agree with us."""

        def is_about_this(shaped: JsonValue) -> bool:
            return all(quickly_judge(schema, shaped) is Judgement.VALID for schema in accepting[1:]) and all(
                quickly_judge(schema, shaped) is Judgement.INVALID for schema in refusing[1:]
            )

        if not is_about_this(value):
            if is_claimed:
                self._troubles.append(f"not confirmed: {shown_value(value)}")
            return None
        if self._large is not None and is_about_this(self._large.value):
            return self._large
        sizes = [compile_schema(schema).size for schema in (*accepting, *refusing)]
        self._steps_left -= sum(sizes) // _CONFIRMED_A_STEP
        shapes = [value]
        size = size_of(value).values
        is_small = size <= _MOST_SHAPED
        if is_small and self._shaping_left > 0:
            self._shaping_left -= size
            shapes.insert(0, readable(value, accepting[0], refusing[0], keeps=is_about_this))
        for shaped in shapes:
            confirmation = confirm(accepting[0], refusing[0], shaped)
            if confirmation.is_confirmed:
                # What a single edit refuses is told of that edit, though the whole may refuse more of the value.
                is_told = len(refusing) > 1 and sizes[-1] <= _MOST_TOLD
                alone = judge(refusing[1], shaped).message if is_told else ""
                witness = Witness(shaped, alone or confirmation.error)
                self._large = None if is_small else witness
                return witness
        if is_claimed:
            self._troubles.append(f"not confirmed ({confirmation.trouble}): {shown_value(value)}")
        return None

    def _are_equal(self, old_pointer: str, new_pointer: str) -> bool:
        """Whether two subschemas accept the same values."""
        dialect = dialect_of(self._old)
        if dialect is not dialect_of(self._new) or self._equality_left <= 0:
            return False
        is_draft_7 = dialect is Dialect.DRAFT_7
        old, new = (
            with_dialect(
                standalone(schema, pointer, is_draft_7=is_draft_7) if pointer else schema, is_draft_7=is_draft_7
            )
            for schema, pointer in ((self._old, old_pointer), (self._new, new_pointer))
        )
        for one, other in ((old, new), (new, old)):
            if self._equality_left <= 0:
                return False
            found = counterexample((one,), (other,), budget=min(_EQUALITY_BUDGET, self._equality_left))
            self._equality_left -= found.steps
            if found.answer != "yes":
                return False
        return True

    def _incomparable(self, reason: Reason, subject: str) -> SchemaComparison:
        judged = _Judged(Verdict.UNKNOWN, None, reason)
        message = f"{subject} cannot be judged: {reason.message}"
        rule = incomparable_rule(self._direction)
        change = self._change(rule, judged, message, reason.pointer, reason.pointer, (), Bump.MINOR)
        return SchemaComparison(Verdict.UNKNOWN, None, reason, (change,))


def _with_only_cause(
    found: Sequence[Fact], judged: list[tuple[_Judged, tuple[str, ...]]], whole: _Judged
) -> list[tuple[_Judged, tuple[str, ...]]]:
    """The verdicts; where the whole breaks, and a single fact can be why, that fact breaks."""
    causes = [index for index, fact in enumerate(found) if fact.kind not in _ANNOTATIONS]
    if not whole.is_breaking or len(causes) != 1:
        return judged
    return [(whole, ()) if index == causes[0] and not one[0].is_breaking else one for index, one in enumerate(judged)]
