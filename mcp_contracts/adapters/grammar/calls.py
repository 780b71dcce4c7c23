"""The grammar of a call to one of several tools, with valid arguments; and calls serialized to match it."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypedDict, Unpack

from mcp_contracts.adapters.base import Loss, NotPortableError
from mcp_contracts.adapters.grammar import conjuncts, model
from mcp_contracts.adapters.grammar.facts import Inexpressible, listed_values
from mcp_contracts.adapters.grammar.forms import ARGUMENTS, NAME, PROTOCOL, CallForm, find_form
from mcp_contracts.adapters.grammar.notation import free_name
from mcp_contracts.adapters.grammar.subset import GRAMMAR_STEPS, arguments_rules
from mcp_contracts.adapters.grammar.values.json_values import RULES as VALUE_RULES
from mcp_contracts.adapters.grammar.values.json_values import SPACE, SPACE_RULE, quote, quoted_rule, write_scalar
from mcp_contracts.adapters.grammar.values.strings import RULES as STRING_RULES
from mcp_contracts.adapters.grammar.values.strings import write_text
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPToolCall
from mcp_contracts.providers.names import NameMap
from mcp_contracts.records import dataclass
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.json_equality import same_json
from mcp_contracts.tool_names import Tools, qualify

NO_ARGUMENTS: JsonValue = {"type": "object"}
"""The meaning of an absent input schema."""
_LEVELS = 110  # a message is at most 100 levels deep


class GrammarSettings(TypedDict, total=False):
    """Settings of a grammar of calls.

    - `form`: the name of the form of a call, one of `forms.FORM_NAMES`; by default `protocol`.
    - `names`: the names that the model uses for the tools, from a provider's `ToolSet`; by default the dotted names.
    - `has_whitespace`: permit bounded whitespace between the tokens of the JSON.
    - `lossy`: permit tools with parts that a grammar cannot express; the grammar then permits what such a part rejects.
    - `strict`: refuse all tools if one of them has no grammar; otherwise, it is left out.
    """

    form: str | CallForm
    names: NameMap | None
    has_whitespace: bool
    lossy: bool
    strict: bool


@dataclass(frozen=True, slots=True)
class CallGrammar:
    """The grammar of a call to one of `tools`, by dotted name, in a form, and what it does not express.

    `refused` says why tools were left out; `losses` also lists these reasons.
    """

    grammar: model.Grammar
    tools: Mapping[str, ToolContract]
    form: CallForm
    losses: tuple[Loss, ...] = ()
    refused: tuple[Loss, ...] = ()


def grammar_of(contracts: Tools, **settings: Unpack[GrammarSettings]) -> CallGrammar:
    """Return the grammar of exactly one call to one of the tools.

    The JSON is compact, or has bounded whitespace between tokens. A tool that has no grammar is left out, which is a
    loss. Raises NotPortableError, with everything that a grammar cannot express, if no tool is left, or with `strict`;
    and UsageError for no tools, duplicate names, several versions of a tool, or an unknown form.
    """
    form = find_form(settings.get("form", PROTOCOL))
    tools = named_tools(contracts)
    shared = (*STRING_RULES, *VALUE_RULES, *((SPACE_RULE,) if settings.get("has_whitespace") else ()))
    builder = _Builder(form, settings.get("names"), shared, is_lossy=settings.get("lossy", False))
    for name, contract in tools.items():
        builder.add(name, contract)
    if builder.refused and (settings.get("strict") or not builder.calls):
        raise refusal(builder.refused)
    return CallGrammar(
        builder.grammar(),
        {name: contract for name, contract in tools.items() if name in builder.calls},
        form,
        tuple(builder.losses),
        tuple(builder.refused),
    )


def warn_of_losses(found: CallGrammar) -> model.Grammar:
    """Return a grammar, and warn of what it does not enforce and which tools it leaves out."""
    lost = [loss for loss in found.losses if loss.part == "input"]
    if lost:
        tools = list(dict.fromkeys(loss.tool for loss in found.refused))
        begun = f"the grammar leaves out {_list(tools)}" if tools else f"the grammar of {_name_losses(lost)} is lossy"
        warnings.warn(f"{begun}: {_first(found.refused or lost)}", stacklevel=3)
    return found.grammar


def named_tools(contracts: Tools) -> dict[str, ToolContract]:
    """Map dotted names to contracts, in order and without duplicates. Raises UsageError."""
    found: dict[str, ToolContract] = {}
    for contract in qualify(contracts):
        if contract.name in found:
            raise UsageError(f"the tool `{contract.name}` appears in two versions", hint="pass one of them")
        found[contract.name] = contract
    if not found:
        raise UsageError("no tools to call", hint="pass at least one contract")
    return found


def refusal(losses: list[Loss]) -> NotPortableError:
    """Return the error for schemas that a grammar cannot express."""
    message = f"a grammar cannot express the arguments of {_name_losses(losses)}: {_first(losses)}"
    return NotPortableError(message, losses, hint="exclude these tools, simplify their schemas, or permit losses")


def _first(losses: Sequence[Loss]) -> str:
    return f"{losses[0].message} at `{losses[0].pointer}`"


def _name_losses(losses: Iterable[Loss]) -> str:
    return _list(list(dict.fromkeys(loss.tool for loss in losses)))


def _list(tools: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in tools[:3]) + (f" and {len(tools) - 3} more" if len(tools) > 3 else "")


class _Builder:
    """The calls to some tools, with the rules of their arguments."""

    def __init__(
        self, form: CallForm, names: NameMap | None, shared: tuple[model.Rule, ...], *, is_lossy: bool
    ) -> None:
        self.calls: dict[str, model.Expression] = {}
        self.losses: list[Loss] = []
        self.refused: list[Loss] = []
        self._form = form
        self._names = names
        self._shared = tuple(map(quoted_rule, shared)) if form.has_text_arguments else shared
        self._is_lossy = is_lossy
        self._taken = {"root", "start", "space", *(rule.name for rule in shared)}
        self._tokens: dict[model.Expression, model.Rule] = {}
        self._budget = Budget(GRAMMAR_STEPS)
        self._rules: list[model.Rule] = []
        tokens = form.tokens()
        name, arguments = tokens.index(NAME), tokens.index(ARGUMENTS)
        self._before, self._between, self._after = tokens[:name], tokens[name + 1 : arguments], tokens[arguments + 1 :]

    def add(self, name: str, contract: ToolContract) -> None:
        """Add a tool, or note why it has no grammar."""
        call_name = free_name(f"{name}-call", self._taken)
        schema = NO_ARGUMENTS if contract.input_schema is None else contract.input_schema
        arguments, rules, notes = arguments_rules(schema, name, self._taken, self._tokens, self._budget)
        faults = [*([] if self._is_lossy else notes.dropped), *notes.faults]
        if self._form.has_text_arguments:
            arguments, rules = quote(arguments), tuple(map(quoted_rule, rules))
        sent = name if self._names is None else self._names.to_provider.get(name, name)
        written_name = model.Text(write_text(sent))
        body = model.sequence(written_name, _join_tokens(*self._between, before=True, after=True), arguments)
        own = [model.Rule(call_name, body), *rules]
        if not faults:
            grammar = model.Grammar({rule.name: rule for rule in (*own, *self._shared)}, call_name)
            if not model.is_finite(grammar):
                faults = [Inexpressible("", "", "no arguments satisfy the schema")]
            elif model.endless_rule(model.prune(grammar)) is not None:
                faults = [Inexpressible("", "$ref", "the schema refers to itself as an alternative")]
        if faults:
            self.refused += _losses(name, faults)
            self.losses += _losses(name, faults, "the tool is left out: {}")
            return
        self.losses += _losses(name, notes.dropped, "{}, so it is not enforced")
        if contract.input_schema is not None:
            self.losses += [Loss(name, "tool", "", one.keyword, one.message) for one in notes.narrowed]
        self.calls[name] = model.Reference(call_name)
        self._rules += own

    def grammar(self) -> model.Grammar:
        """Return the grammar of a call to one of the tools that were added."""
        body = model.sequence(
            *map(model.Text, self._form.opening),
            _join_tokens(*self._before, after=True),
            model.choice(*self.calls.values()),
            _join_tokens(*self._after, before=True),
            *map(model.Text, self._form.closing),
        )
        return model.prune(
            model.Grammar({rule.name: rule for rule in (model.Rule("root", body), *self._rules, *self._shared)})
        )


def _losses(name: str, found: Iterable[Inexpressible], words: str = "{}") -> Iterator[Loss]:
    for one in found:
        yield Loss(name, "input", one.pointer, one.keyword, words.replace("{}", one.message))


def _join_tokens(*tokens: str, before: bool = False, after: bool = False) -> model.Expression:
    """Return JSON tokens with whitespace between them, and before or after them."""
    parts = [part for token in tokens for part in (SPACE, model.Text(token))][1:]
    return model.sequence(*([SPACE] if before else []), *parts, *([SPACE] if after else []))


# Serializing a call in the order of its grammar


def serialize_call(
    call: MCPToolCall, contract: ToolContract, *, indent: int | None = None, form: str | CallForm = PROTOCOL
) -> str:
    """Serialize a call in a form, in the order that the grammar of its contract accepts; other properties come last.

    The JSON is compact, or has lines indented by `indent` spaces for each level (at most 40 in total), for a grammar
    with whitespace. Raises UsageError for an unknown form.
    """
    form = find_form(form)
    document = conjuncts.Document(NO_ARGUMENTS if contract.input_schema is None else contract.input_schema)
    ordered = _order(document, [("", document.schema)], call.arguments, _LEVELS)
    arguments = _text(ordered, None, 0) if form.has_text_arguments else ordered
    text = _text(form.message(call.tool_name, arguments), indent, 0)
    return "".join((*form.opening, text, *form.closing))


def _order(document: conjuncts.Document, branches: list[conjuncts.Branch], value: JsonValue, levels: int) -> JsonValue:
    if not isinstance(value, dict | list) or levels == 0:
        return value
    try:
        applying = _choose(document, branches, value)
        if applying is None:
            return value
        for conjunct in applying:
            for known in listed_values(conjunct) or ():
                if same_json(known, value):
                    return known
        if isinstance(value, list):
            prefix, rest = conjuncts.items_of(applying, is_draft_7=document.is_draft_7)
            places = [*prefix, *[rest] * max(0, len(value) - len(prefix))]
            return [_order(document, place, item, levels - 1) for place, item in zip(places, value, strict=False)]
        declared = conjuncts.properties_of(applying)
        names = [*(name for name in declared if name in value), *(name for name in value if name not in declared)]
        more = [
            (f"{conjunct.pointer}/additionalProperties", conjunct.get("additionalProperties"))
            for conjunct in applying
            if "additionalProperties" in conjunct.schema
        ]
        return {name: _order(document, declared.get(name, more), value[name], levels - 1) for name in names}
    except conjuncts.UnreadableError:
        return value


def _choose(
    document: conjuncts.Document, branches: list[conjuncts.Branch], value: JsonValue
) -> tuple[conjuncts.Conjunct, ...] | None:
    """Return the subschemas that apply to a value, with the accepting alternatives that declare most of its names."""
    found: dict[conjuncts.Conjunct, None] = {}
    for branch in branches:
        applying = document.applying(*branch)
        if applying is None:
            return None
        found.update(dict.fromkeys(applying))
    for _ in range(_LEVELS):
        whole = tuple(found)
        disjunction = conjuncts.disjunction_of(whole)
        if disjunction is None:
            return whole
        holder, keyword = disjunction
        rest = [conjunct.without(keyword) if conjunct == holder else conjunct for conjunct in whole]
        options = [
            (*rest, *applying)
            for pointer, branch in conjuncts.branches_of(holder, keyword)
            if document.accepts(pointer, value) and (applying := document.applying(pointer, branch)) is not None
        ]
        best = min(options, key=lambda option: _rank_undeclared(option, value), default=tuple(rest))
        found = dict.fromkeys(best)
    return tuple(found)


def _rank_undeclared(applying: tuple[conjuncts.Conjunct, ...], value: JsonValue) -> int:
    declared = conjuncts.properties_of(applying)
    return sum(name not in declared for name in value) if isinstance(value, dict) else 0


def _text(value: JsonValue, indent: int | None, level: int) -> str:
    if isinstance(value, dict):
        colon = ":" if indent is None else ": "
        return _lines(
            "{", [f"{write_text(k)}{colon}{_text(v, indent, level + 1)}" for k, v in value.items()], "}", indent, level
        )
    if isinstance(value, list):
        return _lines("[", [_text(item, indent, level + 1) for item in value], "]", indent, level)
    return write_scalar(value)


def _lines(opening: str, parts: list[str], closing: str, indent: int | None, level: int) -> str:
    if indent is None or not parts:
        return opening + ",".join(parts) + closing
    inner, outer = (" " * min(indent * depth, 40) for depth in (level + 1, level))
    return f"{opening}\n{inner}" + f",\n{inner}".join(parts) + f"\n{outer}{closing}"
