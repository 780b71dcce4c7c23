"""Follow a model while it writes a call: the permitted next tokens, whether the call is complete, and its tool.

Requires llguidance, the extra `[grammar]`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Unpack

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters.base import Loss
from mcp_contracts.adapters.grammar.calls import GrammarSettings, grammar_of
from mcp_contracts.adapters.grammar.lark import write_lark
from mcp_contracts.contract import ToolContract
from mcp_contracts.errors import UsageError, require_package
from mcp_contracts.tool_names import Tools, contracts_of

if TYPE_CHECKING:
    from llguidance import LLMatcher, LLTokenizer

PLAIN_TEXT = r"/[^<{\s](.|\n)*/"
"""Text that does not begin like a call of any form, as a pattern of Lark."""

_BYTES = 256
_LONGEST_HEAD = 1_000
_LONGEST_FAULT = 300
_MOST_ALTERNATIVES = 50_000  # tools, or values of an enumeration
_MARK = re.compile(r"<[!-;=?-~]+>")


class ToolCallMatcher:
    """Follows one call to one of several tools, byte by byte or token by token.

    `tools` are contracts, or a registry; then each call is to one of the tools that are registered when it begins. If
    none is registered, only plain text is permitted, which does not begin like a call and may end anywhere. `tokenizer`
    is an `llguidance.LLTokenizer` for the model's vocabulary; without one, a token is a byte. The settings are those of
    `GrammarSettings`: the form of a call, whitespace, and what is left out. Raises NotPortableError if no tool is in
    the supported subset of grammars, and UsageError if no tools are given, llguidance is not installed, or the grammar
    is too large for it.
    """

    def __init__(
        self,
        tools: Tools,
        *,
        tokenizer: LLTokenizer | None = None,
        **settings: Unpack[GrammarSettings],
    ) -> None:
        self._has_bytes = tokenizer is None
        self._tokenizer = byte_tokenizer() if tokenizer is None else tokenizer
        self._settings = settings
        self._head = b""
        self._is_begun = False
        self._contracts: tuple[ToolContract, ...] | None = None
        self._tools = tools if hasattr(tools, "tools") else contracts_of(tools)
        self._follow(contracts_of(self._tools))

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The losses of the grammar: tools that are left out, and parts that it does not enforce."""
        return () if self._grammar is None else self._grammar.losses

    def feed(self, text: str | bytes | Sequence[int]) -> bool:
        """Continue with text, bytes or tokens; return False, without any change, if the grammar rejects them.

        Text and bytes may end anywhere, even inside a character. Text beyond the limits of llguidance (strings of about
        ten thousand characters with a length limit) is rejected, and so is all further text until `reset`.
        """
        self._refresh()
        tokens = self._tokens(text)
        if tokens is None or self._matcher.validate_tokens(tokens) < len(tokens):
            return False
        if self._matcher.try_consume_tokens(tokens) < len(tokens):  # after exceeding a limit, its parser stays in error
            return False
        self._is_begun = self._is_begun or bool(tokens)
        if len(self._head) < _LONGEST_HEAD:
            self._head += bytes(tokens) if self._has_bytes else self._tokenizer.decode_bytes(tokens)
        return True

    def allowed(self) -> frozenset[int]:
        """Return the tokens that may come next (bytes without a tokenizer), without the end-of-text token.

        Empty if the call is complete and nothing may follow.
        """
        self._refresh()
        if self._matcher.is_stopped():
            return frozenset()
        mask = self._matcher.compute_bitmask()
        found = {8 * index + bit for index, byte in enumerate(mask) if byte for bit in range(8) if byte >> bit & 1}
        return frozenset(found.difference(self._tokenizer.eos_tokens))

    @property
    def is_complete(self) -> bool:
        """Whether the input is a whole call, or the plain text that is permitted while a registry has no tools."""
        return self._matcher.is_accepting()

    @property
    def tool_name(self) -> str | None:
        """The tool that is called, once the name written so far matches only one tool."""
        found = None if self._grammar is None else self._grammar.form.head().match(self._head)
        if found is None or not found[1]:
            return None
        begun = found[1].decode("utf-8", "replace")
        fitting = [
            name for sent, name in self._names.items() if (sent == begun if found[2] else sent.startswith(begun))
        ]
        return fitting[0] if len(fitting) == 1 else None

    def reset(self) -> None:
        """Start a new call to one of the tools that are registered now. Raises the same errors as the constructor."""
        self._matcher.reset()
        self._head = b""
        self._is_begun = False
        self._refresh()

    def _refresh(self) -> None:
        """Read the tools again if they have changed and no call has begun."""
        if not self._is_begun:
            contracts = contracts_of(self._tools)
            if contracts != self._contracts:
                self._follow(contracts)

    def _follow(self, contracts: tuple[ToolContract, ...]) -> None:
        found = grammar_of(contracts, **self._settings) if contracts or self._contracts is None else None
        if found is None:
            text = f"start: TEXT?\nTEXT: {PLAIN_TEXT}\n"
        else:
            text = write_lark(
                found.grammar, marks=special_marks((*found.form.opening, *found.form.closing), self._tokenizer)
            )
        self._matcher = create_matcher(_llguidance().LLMatcher.grammar_from_lark(text), self._tokenizer)
        self._contracts = contracts
        self._grammar = found
        names = self._settings.get("names")
        tools = () if found is None else found.tools
        self._names = {name if names is None else names.to_provider.get(name, name): name for name in tools}

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


def byte_tokenizer() -> LLTokenizer:
    """Return a tokenizer whose tokens are the 256 bytes. Raises UsageError if llguidance is not installed."""
    tokenizer: LLTokenizer = _llguidance().LLTokenizer("byte")
    return tokenizer


def create_matcher(grammar: str, tokenizer: LLTokenizer) -> LLMatcher:
    """Return a matcher for a grammar from `LLMatcher.grammar_from_lark` or a similar function.

    Raises UsageError if llguidance rejects it.
    """
    package = _llguidance()
    limits = package.LLParserLimits(max_items_in_row=_MOST_ALTERNATIVES, step_max_items=10 * _MOST_ALTERNATIVES)
    matcher: LLMatcher = package.LLMatcher(tokenizer, grammar, log_level=0, limits=limits)
    if matcher.is_error():
        raise UsageError(
            f"llguidance rejects the grammar: {fault_of(matcher.get_error())}",
            hint="simplify the grammar or the schemas, or pass fewer tools",
        )
    return matcher


def fault_of(text: str) -> str:
    """Return an error message from llguidance on one line."""
    line = text.strip().partition("\n")[0][:_LONGEST_FAULT]
    return "it is too large" if line.startswith("panic") else line


def special_marks(texts: Iterable[str], tokenizer: LLTokenizer) -> frozenset[str]:
    """Return the strings, such as `<tool_call>`, for which the vocabulary has a special token."""
    reader = _llguidance().LLMatcher
    return frozenset(
        text
        for text in texts
        if _MARK.fullmatch(text)
        and not reader(
            tokenizer, reader.grammar_from_lark(f"%llguidance {{}}\nstart: {text}\n"), log_level=0
        ).is_error()
    )


def _llguidance() -> ModuleType:
    return require_package("llguidance", "matching a model's output requires", extra="grammar")
