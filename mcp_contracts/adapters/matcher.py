"""Follows a model while it writes a call: what may come next, whether the call is complete, and which tool it is of.

Needs llguidance, the extra `[grammar]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mcp_contracts.adapters.grammar.calls import grammar_of, named_tools
from mcp_contracts.adapters.grammar.lark import written_lark
from mcp_contracts.contract import ToolContract
from mcp_contracts.errors import UsageError

if TYPE_CHECKING:
    from llguidance import LLMatcher, LLTokenizer

_BYTES = 256
_NAME = re.compile(rb'\s*\{\s*"tool_name"\s*:\s*"([a-z0-9_.]*)("?)')
_LONGEST_HEAD = 1_000


class ToolCallMatcher:
    """Follows one call of one of some tools, byte by byte or token by token.

    `tokenizer` is an `llguidance.LLTokenizer` of the model's vocabulary; without one a token is a byte. With
    `has_whitespace` the call may hold bounded whitespace. Raises NotPortableError where the tools are outside of the
    subset of grammars, and UsageError where llguidance is not installed or the grammar is too large for it.
    """

    def __init__(
        self,
        contracts: Iterable[ToolContract],
        *,
        tokenizer: LLTokenizer | None = None,
        has_whitespace: bool = False,
    ) -> None:
        tools = named_tools(contracts)
        grammar = written_lark(grammar_of(tools.values(), has_whitespace=has_whitespace))
        self._names = tuple(tools)
        self._has_bytes = tokenizer is None
        self._tokenizer, self._matcher = _opened(grammar, tokenizer)
        self._head = b""

    def feed(self, text: str | bytes | Sequence[int]) -> bool:
        """Goes on by some text, bytes or tokens; False, and nothing has changed, where the grammar refuses them.

        Text and bytes may end anywhere, also inside of a character. A text that grows past the limits of llguidance
        (strings of some ten thousand characters under a length) is refused, and so is all that follows until `reset`.
        """
        tokens = self._tokens(text)
        if tokens is None or self._matcher.validate_tokens(tokens) < len(tokens):
            return False
        if self._matcher.try_consume_tokens(tokens) < len(tokens):  # its reader is past its own limits, and stays so
            return False
        if len(self._head) < _LONGEST_HEAD:
            self._head += bytes(tokens) if self._has_bytes else self._tokenizer.decode_bytes(tokens)
        return True

    def allowed(self) -> frozenset[int]:
        """The tokens that may come next, bytes without a tokenizer; without the token that ends the text.

        None of them where the call is complete and nothing may follow.
        """
        if self._matcher.is_stopped():
            return frozenset()
        mask = self._matcher.compute_bitmask()
        found = {8 * index + bit for index, byte in enumerate(mask) if byte for bit in range(8) if byte >> bit & 1}
        return frozenset(found.difference(self._tokenizer.eos_tokens))

    @property
    def is_complete(self) -> bool:
        """Whether what was fed is a whole call."""
        return self._matcher.is_accepting()

    @property
    def tool_name(self) -> str | None:
        """The tool that is being called, as soon as its name, as far as it is written, is that of no other tool."""
        found = _NAME.match(self._head)
        if found is None or not found[1]:
            return None
        begun = found[1].decode("ascii")
        fitting = [name for name in self._names if (name == begun if found[2] else name.startswith(begun))]
        return fitting[0] if len(fitting) == 1 else None

    def reset(self) -> None:
        """Begins a new call."""
        self._matcher.reset()
        self._head = b""

    def _tokens(self, text: str | bytes | Sequence[int]) -> list[int] | None:
        """Tokens of what is fed, or None for tokens that there are not."""
        if isinstance(text, str):
            try:
                text = text.encode("utf-8")
            except UnicodeEncodeError:  # half a surrogate pair
                return None
        if isinstance(text, bytes):
            return list(text) if self._has_bytes else self._tokenizer.tokenize_bytes(text)
        size = _BYTES if self._has_bytes else self._tokenizer.vocab_size
        tokens = list(text)
        return tokens if all(0 <= token < size for token in tokens) else None


def _opened(grammar: str, tokenizer: LLTokenizer | None) -> tuple[LLTokenizer, LLMatcher]:
    try:
        import llguidance  # optional, and of no use to anyone who does not run a model
    except ImportError as error:
        message = "matching a model's output requires the package `llguidance`"
        raise UsageError(message, hint="pip install 'mcp-contracts[grammar]'") from error
    if tokenizer is None:
        tokenizer = llguidance.LLTokenizer("byte")
    matcher = llguidance.LLMatcher(tokenizer, llguidance.LLMatcher.grammar_from_lark(grammar), log_level=0)
    if matcher.is_error():
        fault = matcher.get_error().splitlines()[0]
        raise UsageError(f"llguidance rejects the grammar: {fault}", hint="pass fewer tools")
    return tokenizer, matcher
