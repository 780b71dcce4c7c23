"""The grammar of a call to one of several tools, with valid arguments; and a call serialized in that order."""

from __future__ import annotations

from collections.abc import Iterable

from mcp_contracts.adapters.base import Loss, NotPortableError
from mcp_contracts.adapters.grammar.conjuncts import (
    Branch,
    Conjunct,
    Document,
    UnreadableError,
    branches_of,
    disjunction_of,
    items_of,
    properties_of,
)
from mcp_contracts.adapters.grammar.facts import Inexpressible, listed_values
from mcp_contracts.adapters.grammar.model import (
    Expression,
    Grammar,
    Reference,
    Rule,
    Text,
    choice,
    endless_rule,
    is_finite,
    pruned,
    sequence,
)
from mcp_contracts.adapters.grammar.naming import free_name
from mcp_contracts.adapters.grammar.strings import RULES as STRING_RULES
from mcp_contracts.adapters.grammar.strings import written
from mcp_contracts.adapters.grammar.subset import arguments_rules
from mcp_contracts.adapters.grammar.values import RULES as VALUE_RULES
from mcp_contracts.adapters.grammar.values import SPACE, SPACE_RULE, enclosed, following, member, written_scalar
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPToolCall
from mcp_contracts.schema.json_equality import same_json
from mcp_contracts.tool_names import qualified

NO_ARGUMENTS: JsonValue = {"type": "object"}
"""The meaning of an absent input schema."""
_LEVELS = 110  # a message is at most 100 levels deep


def grammar_of(contracts: Iterable[ToolContract], *, has_whitespace: bool = False) -> Grammar:
    """Return the grammar of exactly one call to one of the tools, in the form `{"tool_name": …, "arguments": {…}}`.

    The JSON is compact, or has bounded whitespace between tokens. Raises NotPortableError with everything that a
    grammar cannot express, and UsageError for no tools, duplicate names or several versions of a tool.
    """
    tools = named_tools(contracts)
    shared = (*STRING_RULES, *VALUE_RULES, *((SPACE_RULE,) if has_whitespace else ()))
    taken = {"root", "start", "space", *(rule.name for rule in shared)}
    calls: list[Expression] = []
    rules: list[Rule] = []
    losses: list[Loss] = []
    tokens: dict[Expression, Rule] = {}
    for name, contract in tools.items():
        call, own, refused = _call_of(name, contract, shared, taken, tokens)
        losses += [Loss(name, "input", one.pointer, one.keyword, one.message) for one in refused]
        calls.append(call)
        rules += own
    if losses:
        raise refusal(losses)
    body = sequence(Text('"tool_name"'), SPACE, Text(":"), SPACE, choice(*calls))
    root = Rule("root", enclosed("{", body, "}", may_be_empty=False))
    return pruned(Grammar({rule.name: rule for rule in (root, *rules, *shared)}))


def named_tools(contracts: Iterable[ToolContract]) -> dict[str, ToolContract]:
    """Map dotted names to contracts, in order and without duplicates. Raises UsageError."""
    found: dict[str, ToolContract] = {}
    for contract in qualified(contracts):
        if contract.name in found:
            raise UsageError(f"the tool `{contract.name}` appears in two versions", hint="pass one of them")
        found[contract.name] = contract
    if not found:
        raise UsageError("there are no tools to call", hint="pass at least one contract")
    return found


def refusal(losses: list[Loss]) -> NotPortableError:
    """Return the error for schemas that a grammar cannot express."""
    tools = list(dict.fromkeys(loss.tool for loss in losses))
    names = ", ".join(f"`{name}`" for name in tools[:3]) + (f" and {len(tools) - 3} more" if len(tools) > 3 else "")
    first = losses[0]
    message = f"a grammar cannot express the arguments of {names}: {first.message} at `{first.pointer}`"
    return NotPortableError(message, losses, hint="exclude these tools, or simplify their schemas")


def _call_of(
    name: str, contract: ToolContract, shared: tuple[Rule, ...], taken: set[str], tokens: dict[Expression, Rule]
) -> tuple[Expression, list[Rule], tuple[Inexpressible, ...]]:
    call_name = free_name(f"{name}-call", taken)
    schema = NO_ARGUMENTS if contract.input_schema is None else contract.input_schema
    arguments, rules, refused = arguments_rules(schema, name, taken, tokens)
    body = sequence(Text(written(name)), following(member(Text('"arguments"'), arguments)))
    own = [Rule(call_name, body), *rules]
    if not refused:
        grammar = Grammar({rule.name: rule for rule in (*own, *shared)}, call_name)
        if not is_finite(grammar):
            refused = (Inexpressible("", "", "no arguments satisfy the schema"),)
        elif endless_rule(pruned(grammar)) is not None:
            refused = (Inexpressible("", "$ref", "the schema refers to itself as an alternative"),)
    return Reference(call_name), own, refused


# Serializing a call in the order of its grammar


def serialised(call: MCPToolCall, contract: ToolContract, *, indent: int | None = None) -> str:
    """Serialize a call as JSON in the order that the grammar of its contract accepts; undeclared properties come last.

    The JSON is compact, or has lines indented by `indent` spaces for each level (at most 40 in total), for a grammar
    with whitespace.
    """
    document = Document(NO_ARGUMENTS if contract.input_schema is None else contract.input_schema)
    ordered = _order(document, [("", document.schema)], call.arguments, _LEVELS)
    return _text({"tool_name": call.tool_name, "arguments": ordered}, indent, 0)


def _order(document: Document, branches: list[Branch], value: JsonValue, levels: int) -> JsonValue:
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
            prefix, rest = items_of(applying, is_draft_7=document.is_draft_7)
            places = [*prefix, *[rest] * max(0, len(value) - len(prefix))]
            return [_order(document, place, item, levels - 1) for place, item in zip(places, value, strict=False)]
        declared = properties_of(applying)
        names = [*(name for name in declared if name in value), *(name for name in value if name not in declared)]
        more = [
            (f"{conjunct.pointer}/additionalProperties", conjunct.get("additionalProperties"))
            for conjunct in applying
            if "additionalProperties" in conjunct.schema
        ]
        return {name: _order(document, declared.get(name, more), value[name], levels - 1) for name in names}
    except UnreadableError:
        return value


def _choose(document: Document, branches: list[Branch], value: JsonValue) -> tuple[Conjunct, ...] | None:
    """Return the subschemas that apply to a value, with the accepting alternatives that declare most of its names."""
    found: dict[Conjunct, None] = {}
    for branch in branches:
        applying = document.applying(*branch)
        if applying is None:
            return None
        found.update(dict.fromkeys(applying))
    for _ in range(_LEVELS):
        whole = tuple(found)
        disjunction = disjunction_of(whole)
        if disjunction is None:
            return whole
        holder, keyword = disjunction
        rest = [conjunct.without(keyword) if conjunct == holder else conjunct for conjunct in whole]
        options = [
            (*rest, *applying)
            for pointer, branch in branches_of(holder, keyword)
            if document.accepts(pointer, value) and (applying := document.applying(pointer, branch)) is not None
        ]
        best = min(options, key=lambda option: _undeclared(option, value), default=tuple(rest))
        found = dict.fromkeys(best)
    return tuple(found)


def _undeclared(applying: tuple[Conjunct, ...], value: JsonValue) -> int:
    declared = properties_of(applying)
    return sum(name not in declared for name in value) if isinstance(value, dict) else 0


def _text(value: JsonValue, indent: int | None, level: int) -> str:
    if isinstance(value, dict):
        colon = ":" if indent is None else ": "
        return _lines(
            "{", [f"{written(k)}{colon}{_text(v, indent, level + 1)}" for k, v in value.items()], "}", indent, level
        )
    if isinstance(value, list):
        return _lines("[", [_text(item, indent, level + 1) for item in value], "]", indent, level)
    return written_scalar(value)


def _lines(opening: str, parts: list[str], closing: str, indent: int | None, level: int) -> str:
    if indent is None or not parts:
        return opening + ",".join(parts) + closing
    inner, outer = (" " * min(indent * depth, 40) for depth in (level + 1, level))
    return f"{opening}\n{inner}" + f",\n{inner}".join(parts) + f"\n{outer}{closing}"
