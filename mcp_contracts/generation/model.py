"""A source of logits with its vocabulary, vocabularies from plain lists of tokens, and the errors of generation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from llguidance import LLTokenizer, TokenizerWrapper
from numpy.typing import ArrayLike

from mcp_contracts.errors import ContractError, UsageError
from mcp_contracts.records import dataclass


class GenerationError(ContractError):
    """Text cannot be generated: the model's logits cannot be used, or the result is not valid."""


class NoTokenError(GenerationError):
    """No token is left, because the filters together forbid all of them."""


class CutTextError(GenerationError):
    """The maximum number of tokens was reached before the text was complete; `text` is the incomplete text."""

    def __init__(self, message: str, text: str, *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.text = text


LogitsSource = Callable[[Sequence[int]], ArrayLike]
"""Returns the logits of the next token after some tokens, one number for each token of the vocabulary."""


@dataclass(frozen=True, slots=True)
class LogitsModel:
    """A model as a function from tokens to logits, and its vocabulary.

    `logits` is called with the whole text so far, as tokens. `tokenizer` is an `llguidance.LLTokenizer`: of
    `vocabulary(…)`, `llguidance.hf.from_tokenizer(…)`, or `llguidance.llamacpp.lltokenizer_from_vocab(…)`.
    """

    logits: LogitsSource
    tokenizer: LLTokenizer

    def tokens_of(self, text: str | Sequence[int]) -> list[int]:
        """Return text as tokens; tokens are unchanged. Raises UsageError for tokens that do not exist."""
        if isinstance(text, str):
            return list(self.tokenizer.tokenize_bytes(text.encode("utf-8", "replace"), parse_special=True))
        tokens = list(text)
        if not all(isinstance(token, int) and 0 <= token < self.tokenizer.vocab_size for token in tokens):
            raise UsageError(f"the vocabulary has the tokens 0 to {self.tokenizer.vocab_size - 1}, and no others")
        return tokens

    def text_of(self, tokens: Sequence[int]) -> str:
        """Return tokens as text, without the tokens that end it; incomplete characters become `�`."""
        ends = set(self.tokenizer.eos_tokens)
        return self.tokenizer.decode_bytes([token for token in tokens if token not in ends]).decode("utf-8", "replace")


def vocabulary(tokens: Sequence[bytes], *, end: int, special: Iterable[int] = ()) -> LLTokenizer:
    """Return a tokenizer for a list of tokens. `end` ends the text, and `special` tokens never occur in text. Text
    becomes the longest tokens that fit, from left to right. Raises UsageError for an empty vocabulary, a vocabulary
    that lacks a byte of the text, and an `end` that is not one of its tokens.
    """
    held = list(tokens)
    if not held or not all(isinstance(token, bytes) for token in held):
        raise UsageError("a vocabulary is a list of `bytes`, one for each token", hint='pass `[b"a", b"b", b"<end>"]`')
    marks = {end, *special}
    if not all(isinstance(token, int) and 0 <= token < len(held) for token in marks):
        raise UsageError(f"the vocabulary has the tokens 0 to {len(held) - 1}, and no others")
    return LLTokenizer(TokenizerWrapper(_Greedy(held, end, sorted(marks))))


class _Greedy:
    """The interface that llguidance requires of a tokenizer."""

    bos_token_id = None

    def __init__(self, tokens: list[bytes], end: int, special: list[int]) -> None:
        self.tokens = tokens
        self.eos_token_id = end
        self.special_token_ids = special
        marks = set(special)
        self._numbers = {token: number for number, token in reversed(list(enumerate(tokens))) if number not in marks}
        self._longest = max(map(len, self._numbers), default=0)

    def __call__(self, text: bytes | str) -> list[int]:
        left = text.encode() if isinstance(text, str) else text
        found: list[int] = []
        at = 0
        while at < len(left):
            size = next((size for size in range(self._longest, 0, -1) if left[at : at + size] in self._numbers), None)
            if size is None:
                break  # llguidance writes the rest byte by byte, as far as it can
            found.append(self._numbers[left[at : at + size]])
            at += size
        return found
