"""A tiny random model with a vocabulary of bytes, words and marks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

numpy: Any = pytest.importorskip("numpy", reason="needs pip install 'mcp-contracts[generate]'")
pytest.importorskip("llguidance", reason="needs pip install 'mcp-contracts[generate]'")
from mcp_contracts.generation import LogitsModel, vocabulary  # noqa: E402, after the check that it can be imported

WORDS = [
    '{"',
    '":"',
    '","',
    '"}',
    '"}}',
    "name",
    "arguments",
    "weather.",
    "true",
    "12",
    "é",
    '\\"',
    "],[",
    "<tool_call>",
]
TOKENS = [*(bytes([byte]) for byte in range(256)), *(word.encode() for word in WORDS), b"<end>"]
END = len(TOKENS) - 1
TOKENIZER = vocabulary(TOKENS, end=END, special=[TOKENS.index(b"<tool_call>")])


def random_logits(seed: int) -> Callable[[Sequence[int]], Any]:
    """Return random logits that depend on the tokens so far; the end of a string or an object is likelier."""

    def logits(tokens: Sequence[int]) -> Any:
        found = numpy.random.default_rng([seed, len(tokens), *tokens[-3:]]).normal(size=len(TOKENS) + 5, scale=3)
        found[[ord('"'), ord("}"), ord("]")]] += 4
        return found

    return logits


def random_model(seed: int) -> LogitsModel:
    """Return a random model; its logits are padded, like those of real models."""
    return LogitsModel(random_logits(seed), TOKENIZER)
