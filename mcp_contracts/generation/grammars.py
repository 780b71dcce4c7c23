"""Grammars as filters: tool calls, JSON Schemas, and GBNF from a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

import numpy as np
from llguidance import LLMatcher, LLTokenizer
from llguidance.gbnf_to_lark import gbnf_to_lark

from mcp_contracts.adapters.grammar.calls import CallGrammar, GrammarSettings, grammar_of
from mcp_contracts.adapters.grammar.lark import write_lark
from mcp_contracts.adapters.grammar.matcher import PLAIN_TEXT, create_matcher, fault_of, special_marks
from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import UsageError
from mcp_contracts.generation.filters import Logits
from mcp_contracts.generation.model import GenerationError
from mcp_contracts.tool_names import Tools

LARGEST_FILE = 1_000_000
"""Maximum size of a grammar file, in bytes."""
_DEEPEST = 200
_STUCK = "NoExtensionBias"  # the wording of llguidance
_SCHEMA_OPTIONS = {"whitespace_flexible": False}


class GrammarFilter:
    """Leaves the tokens that continue text of a grammar, and tokens that end it once it is complete.

    It follows the tokens that it is called with, and starts again for tokens that do not continue them. `grammar` is in
    Lark's notation. Raises UsageError if llguidance rejects it.
    """

    def __init__(self, grammar: str, tokenizer: LLTokenizer) -> None:
        self._open(LLMatcher.grammar_from_lark(grammar), tokenizer)

    @classmethod
    def of_tools(
        cls,
        tools: Tools,
        tokenizer: LLTokenizer,
        *,
        has_text: bool = False,
        **settings: Unpack[GrammarSettings],
    ) -> GrammarFilter:
        """Return the filter for one call to one of the current tools; `has_text` permits plain text instead.

        Raises the errors of `grammar_of`.
        """
        return cls(calls_grammar(grammar_of(tools, **settings), tokenizer, has_text=has_text), tokenizer)

    @classmethod
    def of_schema(cls, schema: JsonValue, tokenizer: LLTokenizer) -> GrammarFilter:
        """Return the filter for compact JSON that a schema accepts, as llguidance reads the schema."""
        try:
            text = json.dumps({} if schema is True else schema, allow_nan=False)
            grammar = LLMatcher.grammar_from_json_schema(text, overrides=_SCHEMA_OPTIONS)  # type: ignore[arg-type]  # all of its keys are optional
        except (RecursionError, TypeError, ValueError) as error:
            raise UsageError(f"the schema cannot be read: {fault_of(str(error))}", hint="pass a JSON Schema") from error
        found = cls.__new__(cls)
        found._open(grammar, tokenizer)
        return found

    @classmethod
    def of_gbnf(cls, path: str | Path, tokenizer: LLTokenizer) -> GrammarFilter:
        """Return the filter for a GBNF file; see `read_gbnf`."""
        return cls(read_gbnf(path), tokenizer)

    def _open(self, grammar: str, tokenizer: LLTokenizer) -> None:
        self._tokenizer = tokenizer
        self._matcher = create_matcher(grammar, tokenizer)
        self._read: list[int] = []

    def __call__(self, tokens: Sequence[int], logits: Logits) -> Logits:
        self._follow(tokens)
        mask = np.unpackbits(np.frombuffer(self._matcher.compute_bitmask(), dtype=np.uint8), bitorder="little")
        self._check()
        size = min(mask.size, logits.size, self._tokenizer.vocab_size)
        logits[:size][mask[:size] == 0] = -np.inf
        logits[size:] = -np.inf
        return logits

    def is_complete(self, tokens: Sequence[int]) -> bool:
        """Whether tokens are a whole text of the grammar."""
        self._follow(tokens)
        return self._matcher.is_accepting()

    def is_finished(self, tokens: Sequence[int]) -> bool:
        """Whether tokens are a whole text of the grammar, and nothing may follow."""
        self._follow(tokens)
        return self._matcher.is_accepting() and self._matcher.is_stopped()

    def _check(self) -> None:
        """Raise GenerationError if the matcher cannot go on."""
        if self._matcher.is_error():
            fault = fault_of(self._matcher.get_error())
            if fault == _STUCK:
                fault = "no token of the vocabulary continues the text, or the grammar allows only infinite text"
            raise GenerationError(
                f"the grammar cannot be followed after {len(self._read):,} tokens: {fault}",
                hint="check the grammar, and that the vocabulary has a token for every byte",
            )

    def _follow(self, tokens: Sequence[int]) -> None:
        given = list(tokens)
        if given[: len(self._read)] != self._read:
            self._matcher.reset()
            self._read = []
        for token in given[len(self._read) :]:
            if self._matcher.is_stopped() and token in self._tokenizer.eos_tokens:
                self._read.append(token)
                continue
            if not 0 <= token < self._tokenizer.vocab_size or self._matcher.try_consume_tokens([token]) != 1:
                self._check()
                raise GenerationError(
                    f"the grammar does not permit the token {token} at position {len(self._read) + 1}",
                    hint="pass tokens that follow the grammar; a vocabulary needs a token for every byte",
                )
            self._read.append(token)


def calls_grammar(found: CallGrammar, tokenizer: LLTokenizer, *, has_text: bool = False) -> str:
    """Return a grammar of calls in Lark's notation.

    With `has_text`, text that does not begin like a call is permitted as well.
    """
    marks = special_marks((*found.form.opening, *found.form.closing), tokenizer)
    text = write_lark(found.grammar, marks=marks)
    if not has_text:
        return text
    # No other rule has two underscores.
    return text.replace("\nstart: ", f"\nstart: any__call | ANY__TEXT\nANY__TEXT: {PLAIN_TEXT}\nany__call: ", 1)


def read_gbnf(path: str | Path) -> str:
    """Return the grammar of a GBNF file in Lark's notation.

    Raises UsageError for a file that cannot be read, is not UTF-8 or is too large, and for a grammar that is broken,
    refers to missing rules, or contains a recursion that reads no character.
    """
    name = Path(path)
    try:
        with name.open("rb") as file:
            held = file.read(LARGEST_FILE + 1)
        text = held.decode("utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"`{name}` cannot be read: {reason[0].lower()}{reason[1:]}") from error
    if len(held) > LARGEST_FILE:
        raise UsageError(f"`{name}` is larger than {LARGEST_FILE:,} bytes, the maximum size of a grammar")
    return _lark_of_gbnf(text, str(name))


def _lark_of_gbnf(text: str, name: str) -> str:
    if max(map(text.count, "([{")) > _DEEPEST and _depth(text) > _DEEPEST:
        raise UsageError(f"`{name}` is not a grammar: its groups are nested more than {_DEEPEST} levels deep")
    try:
        lark = gbnf_to_lark(text)
    except RecursionError as error:
        raise UsageError(
            f"`{name}` is not a valid GBNF grammar: it is nested too deeply, or refers to itself"
        ) from error
    except Exception as error:  # its reader raises plain exceptions
        raise UsageError(f"`{name}` is not a valid GBNF grammar: {fault_of(str(error))}") from error
    fault = LLMatcher.validate_grammar(LLMatcher.grammar_from_lark(lark))
    if fault and not fault.startswith("WARNING"):
        raise UsageError(f"llguidance rejects the grammar of `{name}`: {fault_of(fault)}")
    return lark


def _depth(text: str) -> int:
    depth = deepest = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        deepest = max(deepest, depth)
    return deepest
