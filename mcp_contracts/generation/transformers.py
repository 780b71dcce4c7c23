"""A chain of filters as a `LogitsProcessor` of Hugging Face's `transformers`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcp_contracts.generation.filters import Chain


class TransformersProcessor:
    """Pass it to `model.generate(…, logits_processor=LogitsProcessorList([processor]))`.

    `make` creates the chain for one text, and is called once for each row of a batch. The tokens of the first call are
    the prompt. A row that has ended is padded and does not change. Use a processor for one call of `generate`.
    """

    def __init__(self, make: Callable[[], Chain], *, ends: set[int] | frozenset[int]) -> None:
        self._make = make
        self._ends = ends
        self._chains: list[Chain] = []
        self._begin = 0

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """Return the scores after the filters; both are tensors, of shape `(rows, tokens)` and `(rows, vocabulary)`."""
        rows = input_ids.tolist()
        if not self._chains:
            self._begin = len(rows[0])
            self._chains = [self._make() for _ in rows]
        filtered = scores.clone()
        for number, (row, chain) in enumerate(zip(rows, self._chains, strict=True)):
            tokens = row[self._begin :]
            if self._ends.isdisjoint(tokens):
                filtered[number] = scores.new_tensor(chain(tokens, scores[number].tolist()))
        return filtered
