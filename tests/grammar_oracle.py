"""llguidance and llama.cpp as judges of grammars: which texts a grammar permits, and random ones of these."""

from __future__ import annotations

import random
from typing import Any

import pytest

from mcp_contracts.adapters.grammar.calls import CallGrammar
from mcp_contracts.adapters.grammar.gbnf import write_gbnf
from mcp_contracts.adapters.grammar.lark import write_lark
from tests.llama_engine import LIBRARY, LlamaGrammar

llguidance = pytest.importorskip("llguidance", reason="needs pip install 'mcp-contracts[grammar]'")
from llguidance.gbnf_to_lark import gbnf_to_lark  # noqa: E402, after the check that it is installed

__all__ = ["begins", "gbnf_to_lark", "permitted", "reader", "readers", "takes"]

TOKENIZER = llguidance.LLTokenizer("byte")
_ENDINGS = frozenset(b'"}],:')


def readers(found: CallGrammar) -> tuple[Any, ...]:
    """Return the readers of a grammar: llguidance for our Lark and our GBNF, and llama.cpp for GBNF, if installed."""
    text = write_gbnf(found.grammar)
    engine = (LlamaGrammar(text),) if LIBRARY else ()
    return reader(write_lark(found.grammar)), reader(gbnf_to_lark(text)), *engine


def reader(text: str) -> Any:
    """Return a grammar, in its notation, as llguidance reads it."""
    found = llguidance.LLMatcher(TOKENIZER, llguidance.LLMatcher.grammar_from_lark(text), log_level=0)
    assert not found.is_error(), found.get_error()
    return found


def takes(matcher: Any, text: str | bytes) -> bool:
    """Whether a grammar permits a text."""
    if isinstance(matcher, LlamaGrammar):
        return matcher.takes(text)
    matcher.reset()
    tokens = list(text.encode() if isinstance(text, str) else text)
    return bool(matcher.try_consume_tokens(tokens) == len(tokens) and matcher.is_accepting())


def begins(matcher: Any, text: str) -> bool:
    """Whether a text is the beginning of a text that a grammar permits, but not a complete one."""
    if isinstance(matcher, LlamaGrammar):
        return matcher.begins(text)
    matcher.reset()
    tokens = list(text.encode())
    return bool(matcher.try_consume_tokens(tokens) == len(tokens) and not matcher.is_accepting())


def permitted(matcher: Any, chance: random.Random, *, longest: int = 2_000) -> str | None:
    """Return a random text that a grammar permits, chosen byte by byte; None if it becomes too long."""
    matcher.reset()
    written = bytearray()
    while not matcher.is_accepting():
        if len(written) >= longest:
            return None
        mask = matcher.compute_bitmask()
        allowed = [byte for byte in range(256) if mask[byte // 8] >> byte % 8 & 1]
        endings = [byte for byte in allowed if byte in _ENDINGS]
        byte = chance.choice(endings if endings and chance.random() < 0.6 else allowed)
        assert matcher.consume_token(byte)
        written.append(byte)
    return written.decode("utf-8")
