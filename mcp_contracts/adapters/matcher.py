"""Follow a model while it writes a call: which tokens may come next, whether the call is complete, and its tool.

Requires llguidance, the extra `[grammar]`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mcp_contracts import lazy_re as re
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
    """Follows one call to one of several tools, byte by byte or token by token.

    `tokenizer` is an `llguidance.LLTokenizer` for the model's vocabulary; without one, a token is a byte. With
    `has_whitespace` the call may contain bounded whitespace. Raises NotPortableError if the tools are outside the
    supported subset of grammars, and UsageError if llguidance is not installed or the grammar is too large for it.
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
        self._tokenizer, self._matcher = _create_matcher(grammar, tokenizer)
        self._head = b""

    def feed(self, text: str | bytes | Sequence[int]) -> bool:
        """Continue with text, bytes or tokens; return False, without any change, if the grammar rejects them.

        Text and bytes may end anywhere, even inside a character. Text beyond the limits of llguidance (strings of about
        ten thousand characters with a length limit) is rejected, and so is all further text until `reset`.
        """
        tokens = self._tokens(text)
        if tokens is None or self._matcher.validate_tokens(tokens) < len(tokens):
            return False
        if self._matcher.try_consume_tokens(tokens) < len(tokens):  # its reader is beyond its limits, and stays so
            return False
        if len(self._head) < _LONGEST_HEAD:
            self._head += bytes(tokens) if self._has_bytes else self._tokenizer.decode_bytes(tokens)
        return True

    def allowed(self) -> frozenset[int]:
        """Return the tokens that may come next (bytes without a tokenizer), without the end-of-text token.

        Empty if the call is complete and nothing may follow.
        """
        if self._matcher.is_stopped():
            return frozenset()
        mask = self._matcher.compute_bitmask()
        found = {8 * index + bit for index, byte in enumerate(mask) if byte for bit in range(8) if byte >> bit & 1}
        return frozenset(found.difference(self._tokenizer.eos_tokens))

    @property
    def is_complete(self) -> bool:
        """Whether the input is a whole call."""
        return self._matcher.is_accepting()

    @property
    def tool_name(self) -> str | None:
        """The tool that is being called, as soon as the name written so far matches only one tool."""
        found = _NAME.match(self._head)
        if found is None or not found[1]:
            return None
        begun = found[1].decode("ascii")
        fitting = [name for name in self._names if (name == begun if found[2] else name.startswith(begun))]
        return fitting[0] if len(fitting) == 1 else None

    def reset(self) -> None:
        """Start a new call."""
        self._matcher.reset()
        self._head = b""

    def _tokens(self, text: str | bytes | Sequence[int]) -> list[int] | None:
        """Convert input to tokens; None for tokens that do not exist."""
        if isinstance(text, str):
            try:
                text = text.encode("utf-8")
            except UnicodeEncodeError:  # a lone surrogate
                return None
        if isinstance(text, bytes):
            return list(text) if self._has_bytes else self._tokenizer.tokenize_bytes(text)
        size = _BYTES if self._has_bytes else self._tokenizer.vocab_size
        tokens = list(text)
        return tokens if all(0 <= token < size for token in tokens) else None


def _create_matcher(grammar: str, tokenizer: LLTokenizer | None) -> tuple[LLTokenizer, LLMatcher]:
    try:
        import llguidance  # optional, and only useful when running a model
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
