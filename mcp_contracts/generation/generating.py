"""Generate text, a value or a call, token by token, from any source of logits."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, TypedDict, Unpack

import numpy as np

from mcp_contracts.adapters.grammar.calls import GrammarSettings
from mcp_contracts.adapters.grammar.forms import PROTOCOL, CallForm, find_form
from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import UsageError
from mcp_contracts.generation.filters import Chain, LogitsFilter, Preset, preset, probabilities
from mcp_contracts.generation.grammars import GrammarFilter
from mcp_contracts.generation.model import CutTextError, GenerationError, LogitsModel
from mcp_contracts.messages import MCPToolCall
from mcp_contracts.providers.names import NameMap
from mcp_contracts.records import dataclass
from mcp_contracts.schema.validation.validators import accepts, compile_schema, compile_shared, instance_errors
from mcp_contracts.tool_names import Tools, contracts_of, qualify

MOST_TOKENS = 2_048


class End(StrEnum):
    """Why generation ended."""

    END = "end"  # the model ended it, or the grammar permits nothing more
    LENGTH = "length"  # the maximum number of tokens was reached


@dataclass(frozen=True, slots=True)
class Generated:
    """A generated text, its tokens without the prompt and the end, and why it ended."""

    text: str
    tokens: tuple[int, ...]
    end: End


class SamplingSettings(TypedDict, total=False):
    """Settings of a generation.

    - `preset`: the sampling filters, by name; by default `precise`.
    - `filters`: more filters, which come before those of the preset: bans, forced tokens, your own functions.
    - `max_tokens`: the maximum number of tokens.
    - `seed`: makes the result the same each time, for the same logits.
    """

    preset: str | Preset
    filters: Sequence[LogitsFilter]
    max_tokens: int
    seed: int | None


def generate(
    model: LogitsModel,
    prompt: str | Sequence[int],
    *,
    grammar: GrammarFilter | None = None,
    **settings: Unpack[SamplingSettings],
) -> Generated:
    """Generate text after a prompt; with a grammar, the text matches it.

    Raises UsageError for settings that cannot be used, GenerationError if the model's logits cannot be used,
    NoTokenError if the filters leave no token, and CutTextError if the text is longer than the maximum.
    """
    most = settings.get("max_tokens", MOST_TOKENS)
    if not isinstance(most, int) or isinstance(most, bool) or most < 1:
        raise UsageError(f"`max_tokens` must be a positive number, not {most!r}")
    first = () if grammar is None else (grammar,)
    chain = Chain((*first, *settings.get("filters", ()), *preset(settings.get("preset", "precise")).filters))
    try:
        chance = np.random.default_rng(settings.get("seed"))
    except (TypeError, ValueError) as error:
        raise UsageError("`seed` must be an integer of at least 0") from error
    before = model.tokens_of(prompt)
    ends = set(model.tokenizer.eos_tokens)
    tokens: list[int] = []
    end = End.LENGTH
    while len(tokens) < most:
        logits = chain(tokens, model.logits([*before, *tokens]))
        token = int(chance.choice(logits.size, p=probabilities(logits)))
        if token in ends:
            end = End.END
            break
        tokens.append(token)
        if grammar is not None and grammar.is_finished(tokens):
            end = End.END
            break
    if end is End.LENGTH and grammar is not None and not grammar.is_complete(tokens):
        message = f"the text is not complete after {most:,} tokens"
        raise CutTextError(
            message, model.text_of(tokens), hint="raise `max_tokens`, or limit the lengths in the schema"
        )
    return Generated(model.text_of(tokens), tuple(tokens), end)


def generate_structured(
    model: LogitsModel, prompt: str | Sequence[int], schema: JsonValue, **settings: Unpack[SamplingSettings]
) -> JsonValue:
    """Generate a JSON value that a schema accepts.

    Raises the errors of `generate`, and GenerationError if a validator rejects the value, for example because of a
    keyword that llguidance reads differently.
    """
    compiled = compile_schema(schema)
    if compiled.refusal is not None:
        raise UsageError(f"the schema is invalid: {compiled.refusal.message} at `{compiled.refusal.pointer}`")
    grammar = GrammarFilter.of_schema(schema, model.tokenizer)
    text = generate(model, prompt, grammar=grammar, **settings).text
    try:
        value: JsonValue = json.loads(text)
    except (RecursionError, ValueError) as error:
        raise GenerationError("the generated text is not valid JSON", hint="report this with the schema") from error
    if accepts(compiled, value) is not True:
        raise GenerationError("the generated value could not be validated with certainty", hint="simplify the schema")
    return value


class CallSettings(SamplingSettings, GrammarSettings, total=False):
    """Settings of a generated call: those of sampling and those of the grammar."""


def generate_tool_call(
    model: LogitsModel,
    prompt: str | Sequence[int],
    tools: Tools,
    **settings: Unpack[CallSettings],
) -> MCPToolCall:
    """Generate a call to one of the tools, contracts or a registry, with arguments that its contract accepts.

    Raises the errors of `generate` and `grammar_of`, and GenerationError if the contract rejects the arguments, which
    happens only with `lossy`.
    """
    unknown = settings.keys() - CallSettings.__annotations__.keys()
    if unknown:
        raise UsageError(f"unknown setting `{min(unknown)}`")
    contracts = contracts_of(tools)
    sampling: Any = {key: value for key, value in settings.items() if key in SamplingSettings.__annotations__}
    shaping: Any = {key: value for key, value in settings.items() if key in GrammarSettings.__annotations__}
    grammar = GrammarFilter.of_tools(contracts, model.tokenizer, **shaping)
    text = generate(model, prompt, grammar=grammar, **sampling).text
    return read_generated_call(text, contracts, find_form(settings.get("form", PROTOCOL)), settings.get("names"))


def read_generated_call(text: str, contracts: Tools, form: CallForm, names: NameMap | None = None) -> MCPToolCall:
    """Read text that was generated with the grammar of some tools.

    Raises GenerationError if the contract is not known to accept the arguments.
    """
    try:
        sent, arguments = form.read(text)
        name = sent if names is None else names.from_provider.get(sent, sent)
        call = MCPToolCall(tool_name=name, arguments=arguments)
    except (RecursionError, ValueError) as error:
        raise GenerationError("the generated text is not a call", hint="limit the depth of the schema") from error
    schema = next(one.input_schema for one in qualify(contracts) if one.name == name)
    outcome = (
        None if schema is None else instance_errors(compile_shared(schema), arguments, subject="the arguments object")
    )
    if outcome is not None and (outcome.errors or outcome.unknown is not None):
        reason = outcome.errors[0].message if outcome.errors else outcome.unknown
        raise GenerationError(f"the generated call is not valid: {reason}", hint="generate again, or without `lossy`")
    return call
