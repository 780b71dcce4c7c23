"""The supported subset of JSON Schema: what a grammar expresses exactly, and what is rejected with its pointer.

The schema accepts everything that the grammar permits. The grammar permits less in a few ways that `docs/grammars.md`
lists: properties are in the schema's order, and an open object only has its declared properties.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mcp_contracts.adapters.grammar import conjuncts, facts, model
from mcp_contracts.adapters.grammar.disjoint import are_disjoint
from mcp_contracts.adapters.grammar.notation import free_name
from mcp_contracts.adapters.grammar.scalars import Scalars
from mcp_contracts.adapters.grammar.values import json_values
from mcp_contracts.adapters.grammar.values.strings import LONGEST, write_text
from mcp_contracts.adapters.grammar.values.unique import distinct_items
from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.simple import is_surely_accepted
from mcp_contracts.schema.validation.validators import compile_schema
from mcp_contracts.schema.vocabulary import REFUSING

MAXIMUM_RULES = 5_000
"""Maximum number of rules for one tool."""
MAXIMUM_STEPS = 5_000
"""Maximum number of places of one tool; combined alternatives multiply them."""
GRAMMAR_STEPS = 100_000
"""Maximum number of steps for all tools of a grammar."""
_STEPS_PER_PLACE = 2  # also of a rule
_STEPS_PER_LISTED = 4  # object or array
_STEPS_PER_SCALAR = 0.1  # for each listed scalar
_LEVELS = 60
_MAXIMUM_PREFIX = 50
_SHORT = 4
_WITHOUT_EFFECT: tuple[JsonValue, ...] = (None, True, {}, [])

_MADE = "#"  # the prefix of generated subschemas; no JSON pointer begins with it
_OBJECT = conjuncts.Conjunct(f"{_MADE}object", {"type": "object"})
_CLOSED = conjuncts.Conjunct(f"{_MADE}closed", {"additionalProperties": False})
_OPENING = frozenset(("additionalProperties", "patternProperties", "propertyNames", "minProperties", "maxProperties"))
"""The keywords that apply to undeclared names."""
_ANY = model.Reference("value")
_STRING: conjuncts.Branch = (f"{_MADE}string", {"type": "string"})

Key = frozenset[conjuncts.Conjunct]


def arguments_rules(
    schema: JsonValue, prefix: str, names: set[str], tokens: dict[model.Expression, model.Rule], budget: Budget
) -> tuple[model.Expression, tuple[model.Rule, ...], facts.Notes]:
    """Return the arguments of a tool as an expression with its rules, and what a grammar cannot express of them.

    The names of the rules begin with `prefix` and are added to `names`; `tokens` contains the token rules that other
    tools have created, by their expression; `budget` limits the work for all tools. The rules of arbitrary strings,
    numbers and values are in `strings.RULES` and `values.RULES`.
    """
    refusal = compile_schema(schema).refusal
    if refusal is not None:
        keyword = refusal.pointer.rpartition("/")[2] or "$schema"
        notes = facts.Notes()
        notes.refuse(refusal.pointer, keyword, refusal.message)
        return model.NOTHING, (), notes
    builder = _Builder(conjuncts.Document(schema), prefix, names, tokens, budget)
    expression = builder.arguments()
    return expression, tuple(builder.rules.values()), builder.notes


class _TooLargeError(Exception):
    """A schema needs more rules or work than allowed; the message says so."""


class _Builder:
    """The rules of one schema, and what they do not express. The subschemas that apply at a place identify it."""

    def __init__(
        self,
        document: conjuncts.Document,
        prefix: str,
        names: set[str],
        tokens: dict[model.Expression, model.Rule],
        budget: Budget,
    ) -> None:
        self.rules: dict[str, model.Rule] = {}
        self.notes = facts.Notes()
        self._document = document
        self._prefix = prefix
        self._budget = budget
        self._known: dict[Key, model.Expression] = {}
        self._open: set[Key] = set()  # in progress
        self._recursive: set[Key] = set()  # referenced while in progress
        self._names = names
        self._scalars = Scalars(self._token_name, tokens, self._add, self.notes, budget)
        self._left = MAXIMUM_STEPS

    def arguments(self) -> model.Expression:
        schema = self._document.schema
        try:
            applying = self._document.applying("", schema)
            if applying is None:
                return model.NOTHING
            whole = (*applying, _OBJECT)
            says_more = any(_OPENING & conjunct.schema.keys() for conjunct in applying)
            if conjuncts.is_map(whole) and not says_more and conjuncts.disjunction_of(whole) is None:
                whole = (*whole, _CLOSED)
                self.notes.narrow("", "properties", "no parameters are declared, so only `{}` is permitted")
            return self._value(whole, "", frozenset(), _LEVELS)
        except conjuncts.UnreadableError as error:
            self.notes.drop(error.pointer, error.keyword, str(error))
            return model.Reference("object")
        except _TooLargeError as error:
            self.notes.refuse("", "", str(error))
        return model.NOTHING

    def _drop(self, pointer: str, keyword: str, message: str, instead: model.Expression = _ANY) -> model.Expression:
        self.notes.drop(pointer, keyword, message)
        return instead

    # Places

    def _place(self, branches: Iterable[conjuncts.Branch], name: str, levels: int) -> model.Expression:
        """Return the expression for the value after a token, to which the given subschemas apply."""
        found: dict[conjuncts.Conjunct, None] = {}
        try:
            for branch in branches:
                applying = self._document.applying(*branch)
                if applying is None:
                    return model.NOTHING
                found.update(dict.fromkeys(applying))
            return self._value(tuple(found), name, frozenset(), levels - 1)
        except conjuncts.UnreadableError as error:
            return self._drop(error.pointer, error.keyword, str(error))

    def _value(
        self, applying: tuple[conjuncts.Conjunct, ...], name: str, around: frozenset[Key], levels: int
    ) -> model.Expression:
        """Return the expression for a value. `around` contains the sets of subschemas that it is an alternative of."""
        key = frozenset(applying)
        if key in around:
            message = "the schema refers to itself as an alternative"
            return self._drop(applying[0].pointer, "$ref", message, instead=model.NOTHING)
        if key in self._known:
            if key in self._open:
                self._recursive.add(key)
            return self._known[key]
        if levels <= 0:
            return self._drop(applying[0].pointer, "", f"the schema is nested more than {_LEVELS} levels deep")
        self._spend(1)
        rule_name = self._name(name)
        self._known[key] = model.Reference(rule_name)
        self._open.add(key)
        body = self._body(applying, name, around | {key}, levels)
        self._open.remove(key)
        if key not in self._recursive and _is_short(body):
            self._known[key] = body
            self._names.remove(rule_name)
        else:
            self._add(model.Rule(rule_name, body))
        return self._known[key]

    def _body(
        self, applying: tuple[conjuncts.Conjunct, ...], name: str, around: frozenset[Key], levels: int
    ) -> model.Expression:
        enumeration = next((conjunct for conjunct in applying if facts.listed_values(conjunct) is not None), None)
        if enumeration is not None:
            return self._enumerated_values(enumeration, applying)
        if not any(REFUSING & conjunct.schema.keys() for conjunct in applying):
            return model.Reference("value")
        disjunction = conjuncts.disjunction_of(applying)
        if disjunction is not None:
            return self._alternatives(applying, *disjunction, name, around, levels)
        for conjunct in applying:
            for keyword in facts.OF_ANY:
                if keyword in conjunct.schema and (keyword != "if" or {"then", "else"} & conjunct.schema.keys()):
                    self._drop(f"{conjunct.pointer}/{keyword}", keyword, f"a grammar cannot express `{keyword}`")
        return model.choice(*self._kinds(facts.types_of(applying), applying, name, levels))

    def _kinds(
        self, atoms: frozenset[str], applying: tuple[conjuncts.Conjunct, ...], name: str, levels: int
    ) -> Iterator[model.Expression]:
        if "object" in atoms:
            yield self._object(applying, name, levels)
        if "array" in atoms:
            yield self._array(applying, name, levels)
        if "string" in atoms:
            self._drop_all(applying, facts.REFUSED["string"])
            yield self._scalars.string(applying)
        if "integer" in atoms:
            self._drop_all(applying, facts.REFUSED["number"])
            yield self._scalars.number(applying, is_integer="fraction" not in atoms)
        if "boolean" in atoms:
            yield from (model.Text("true"), model.Text("false"))
        if "null" in atoms:
            yield model.Text("null")

    def _alternatives(
        self, applying: tuple[conjuncts.Conjunct, ...], holder: conjuncts.Conjunct, keyword: str, name: str,
        around: frozenset[Key], levels: int,
    ) -> model.Expression:  # fmt: skip
        branches = conjuncts.branches_of(holder, keyword)
        rest = tuple(conjunct.without(keyword) if conjunct == holder else conjunct for conjunct in applying)
        self._spend(len(branches))
        if keyword == "oneOf" and not are_disjoint(self._document, rest, branches, self._budget):
            self._drop(f"{holder.pointer}/oneOf", "oneOf", "the branches are not proven to be mutually exclusive")
        options = []
        for number, branch in enumerate(branches, 1):
            found = self._document.applying(*branch)
            if found is not None:
                together = tuple(dict.fromkeys((*rest, *found)))
                options.append(self._value(together, f"{name}-{number}", around, levels - 1))
        return model.choice(*options)

    def _enumerated_values(
        self, enumeration: conjuncts.Conjunct, applying: tuple[conjuncts.Conjunct, ...]
    ) -> model.Expression:
        """Return the enumerated values that all subschemas accept, as a validator decides."""
        options = []
        values = facts.listed_values(enumeration) or ()
        self._pay(sum(_STEPS_PER_LISTED if isinstance(value, dict | list) else _STEPS_PER_SCALAR for value in values))
        for value in values:
            verdicts = {self._accepts(conjunct, value) for conjunct in applying}
            if False in verdicts:
                continue
            options.append(json_values.write_value(value))
            if None in verdicts:
                keyword = "const" if "const" in enumeration.schema else "enum"
                self._drop(f"{enumeration.pointer}/{keyword}", keyword, "it is unknown whether a listed value is valid")
        return model.choice(*options)

    def _accepts(self, conjunct: conjuncts.Conjunct, value: JsonValue) -> bool | None:
        is_sure = is_surely_accepted(value, conjunct.schema)  # without a validator for each of a thousand constants
        is_decided = is_sure or conjunct.pointer.startswith(_MADE)
        return is_sure if is_decided else self._document.accepts(conjunct.pointer, value)

    # Arrays

    def _array(self, applying: tuple[conjuncts.Conjunct, ...], name: str, levels: int) -> model.Expression:
        self._drop_all(applying, facts.REFUSED["array"])
        low, high = facts.sizes_of(applying, "minItems", "maxItems")
        prefix, rest = conjuncts.items_of(applying, is_draft_7=self._document.is_draft_7)
        if low > LONGEST:
            self._drop_keyword(applying, "minItems", f"`minItems` is more than {LONGEST:,}")
            low = 0
        if high is not None and high > LONGEST:
            self._drop_keyword(applying, "maxItems", f"`maxItems` is more than {LONGEST:,}")
            high = None
        if len(prefix) > _MAXIMUM_PREFIX:
            message = f"more than {_MAXIMUM_PREFIX} positions have their own schema"
            prefix, rest = [], []
            self._drop(applying[0].pointer, "prefixItems", message)
        heads = [self._place(branches, f"{name}-{number}", levels) for number, branches in enumerate(prefix, 1)]
        item = self._place(rest, f"{name}-item", levels) if rest else model.Reference("value")
        if (high is None or high > 1) and any(conjunct.get("uniqueItems") is True for conjunct in applying):
            distinct = distinct_items(heads, item, low, high, self.rules, lambda body: self._rest(body, name))
            if distinct is not None:
                return distinct
            self._drop_keyword(applying, "uniqueItems", "a grammar cannot express `uniqueItems` of these items")
        return json_values.array_of(heads, item, low, high)

    # Objects

    def _object(self, applying: tuple[conjuncts.Conjunct, ...], name: str, levels: int) -> model.Expression:
        self._drop_all(applying, facts.REFUSED["object"])
        if conjuncts.is_map(applying):
            return self._open_object(applying, name, levels)
        required = conjuncts.list_required(applying)
        properties = conjuncts.properties_of(applying)
        for conjunct in applying:
            more = conjunct.get("additionalProperties")
            if isinstance(more, dict) and REFUSING & more.keys():
                message = "next to `properties`, a grammar can express `additionalProperties` only as true or false"
                self._drop(f"{conjunct.pointer}/additionalProperties", "additionalProperties", message)
        members = []
        for property_name, branches in properties.items():
            is_name = self._is_name(applying, property_name)
            value = self._place(branches, f"{name}-{property_name}", levels) if is_name else model.NOTHING
            is_required = property_name in required
            if value == model.NOTHING and not is_required:
                continue
            members.append((json_values.member(model.Text(write_text(property_name)), value), is_required))
        low, high = facts.sizes_of(applying, "minProperties", "maxProperties")
        if low > max(1, len(required)):
            self._drop_keyword(applying, "minProperties", "a grammar cannot count the properties of an object")
        if high is not None and high < len(members):
            self._drop_keyword(applying, "maxProperties", "a grammar cannot count the properties of an object")
        return json_values.object_of(members, lambda body: self._rest(body, name), may_be_empty=low == 0)

    def _rest(self, body: model.Expression, name: str) -> model.Reference:
        rule = model.Rule(self._name(f"{name}-rest"), body)
        self._add(rule)
        return model.Reference(rule.name)

    def _open_object(self, applying: tuple[conjuncts.Conjunct, ...], name: str, levels: int) -> model.Expression:
        low, high = facts.sizes_of(applying, "minProperties", "maxProperties")
        if low > 1:  # a grammar permits repeating a name
            self._drop_keyword(applying, "minProperties", "a grammar cannot count distinct names")
        if high is not None and high > LONGEST:
            self._drop_keyword(applying, "maxProperties", f"`maxProperties` is more than {LONGEST:,}")
            high = None
        held = ("additionalProperties", "propertyNames")
        more, names = (
            [(f"{c.pointer}/{keyword}", c.get(keyword)) for c in applying if keyword in c.schema] for keyword in held
        )
        value = self._place(more, f"{name}-value", levels)
        key: model.Expression = model.Reference("string")
        if names:
            key = self._place([*names, _STRING], f"{name}-name", levels)
        empty = model.sequence(model.Text("{"), json_values.SPACE, model.Text("}")) if low == 0 else model.NOTHING
        if model.NOTHING in (value, key) or high == 0:
            return empty
        return json_values.enclose(
            "{", json_values.repeat(json_values.member(key, value), low, high), "}", may_be_empty=low == 0
        )

    def _is_name(self, applying: tuple[conjuncts.Conjunct, ...], name: str) -> bool:
        pointers = [f"{conjunct.pointer}/propertyNames" for conjunct in applying if "propertyNames" in conjunct.schema]
        verdicts = {pointer: self._document.accepts(pointer, name) for pointer in pointers}
        for pointer, verdict in verdicts.items():
            if verdict is None:
                self._drop(pointer, "propertyNames", f"it is unknown whether `{name}` is an allowed name")
        return False not in verdicts.values()

    # Names and notes

    def _drop_all(self, applying: tuple[conjuncts.Conjunct, ...], keywords: tuple[str, ...]) -> None:
        for conjunct in applying:
            for keyword in keywords:
                if conjunct.get(keyword) not in _WITHOUT_EFFECT or (
                    keyword == "contains" and keyword in conjunct.schema
                ):
                    self._drop(f"{conjunct.pointer}/{keyword}", keyword, f"a grammar cannot express `{keyword}`")

    def _drop_keyword(self, applying: tuple[conjuncts.Conjunct, ...], keyword: str, message: str) -> None:
        holder = next(conjunct for conjunct in applying if conjunct.get(keyword) not in _WITHOUT_EFFECT[:1])
        self._drop(f"{holder.pointer}/{keyword}", keyword, message)

    def _token_name(self, kind: str) -> str:
        self._spend(0)
        return free_name(kind, self._names)

    def _name(self, place: str) -> str:
        return self._token_name(f"{self._prefix}-{place}")

    def _spend(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0 or len(self.rules) >= MAXIMUM_RULES:
            raise _TooLargeError("the schema is too large for a grammar")
        self._pay(_STEPS_PER_PLACE)

    def _pay(self, steps: float) -> None:
        if not self._budget.pay(steps):
            raise _TooLargeError("the tools of the grammar need more work than allowed")

    def _add(self, rule: model.Rule) -> None:
        self.rules[rule.name] = rule


def _is_short(body: model.Expression) -> bool:
    """Whether an expression is short enough to be inlined."""
    options = body.options if isinstance(body, model.Choice) else (body,)
    return len(options) <= _SHORT and all(isinstance(option, model.Text | model.Reference) for option in options)
