"""Following a call while it is written: possible next tokens, completeness, and the called tool."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from mcp_contracts.adapters.base import NotPortableError
from mcp_contracts.adapters.grammar.matcher import ToolCallMatcher
from mcp_contracts.errors import UsageError
from mcp_contracts.runtime.registry import ToolRegistry
from tests.support_schemas import tool

llguidance = pytest.importorskip("llguidance", reason="needs pip install 'mcp-contracts[grammar]'")

CITY: Any = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
CONTRACTS = [tool(CITY, name="weather.get"), tool(CITY, name="weather.get_all"), tool(None, name="clock.now")]
CALL = '{"tool_name":"weather.get_all","arguments":{"city":"Zürich"}}'


def test_a_call_is_followed_to_its_end() -> None:
    matcher = ToolCallMatcher(CONTRACTS)

    assert matcher.feed(CALL)
    assert matcher.is_complete
    assert matcher.allowed() == frozenset()
    assert matcher.tool_name == "weather.get_all"


def test_bytes_continue_inside_a_character() -> None:
    matcher = ToolCallMatcher(CONTRACTS)

    assert all(matcher.feed(bytes([byte])) for byte in CALL.encode())
    assert matcher.is_complete


def test_each_byte_that_is_permitted_is_one_that_is_allowed() -> None:
    matcher = ToolCallMatcher(CONTRACTS)

    for byte in CALL.encode():
        assert byte in matcher.allowed()
        assert matcher.feed([byte])


def test_what_is_refused_changes_nothing() -> None:
    matcher = ToolCallMatcher(CONTRACTS)
    matcher.feed('{"tool_name":"weather.')
    before = matcher.allowed()

    for wrong in ("put", b"\xff", [300], [-1], "\ud800", 'get","arguments":{"city":1}}'):
        assert not matcher.feed(wrong)
    assert matcher.allowed() == before == frozenset(b"g")
    assert matcher.feed('get","arguments":{"city":""}}')
    assert matcher.is_complete


def test_nothing_may_follow_a_complete_call() -> None:
    matcher = ToolCallMatcher(CONTRACTS)
    matcher.feed(CALL)

    assert not matcher.feed(" ")
    assert matcher.feed("")
    assert matcher.is_complete


NAMED = [
    ("", None),
    ('{"tool_name":"', None),
    ('{"tool_name":"c', "clock.now"),
    ('{"tool_name":"weather.get', None),
    ('{"tool_name":"weather.get_', "weather.get_all"),
    ('{"tool_name":"weather.get"', "weather.get"),
    (CALL, "weather.get_all"),
]


@pytest.mark.parametrize(("text", "name"), NAMED)
def test_the_tool_is_known_as_soon_as_the_text_decides_it(text: str, name: str | None) -> None:
    matcher = ToolCallMatcher(CONTRACTS)

    assert matcher.feed(text)
    assert matcher.tool_name == name


def test_a_matcher_begins_again() -> None:
    matcher = ToolCallMatcher(CONTRACTS)
    matcher.feed(CALL)

    matcher.reset()

    assert not matcher.is_complete
    assert matcher.tool_name is None
    assert matcher.feed(CALL)
    assert matcher.is_complete


def test_whitespace_is_permitted_on_request() -> None:
    spaced = CALL.replace(":", ": ").replace("{", "{\n  ")

    assert ToolCallMatcher(CONTRACTS, has_whitespace=True).feed(spaced)
    assert not ToolCallMatcher(CONTRACTS).feed(spaced)


def test_tokens_are_those_of_the_tokenizer() -> None:
    tokenizer = _tokenizer_of_words()
    matcher = ToolCallMatcher(CONTRACTS, tokenizer=tokenizer)

    for token in tokenizer.tokenize_str(CALL):
        assert token in matcher.allowed()
        assert matcher.feed([token])

    assert matcher.is_complete
    assert matcher.tool_name == "weather.get_all"
    assert not matcher.feed([tokenizer.vocab_size])


def test_text_is_cut_into_the_tokens_of_the_tokenizer() -> None:
    matcher = ToolCallMatcher(CONTRACTS, tokenizer=_tokenizer_of_words())

    assert matcher.feed(CALL[:20])
    assert matcher.feed(CALL[20:])
    assert matcher.is_complete


def _tokenizer_of_words(*special: str) -> Any:
    words = [bytes([byte]) for byte in range(256)] + [
        b"weather.",
        b'{"',
        b'":"',
        b"tool_name",
        b"get",
        b'","arg',
        b"<end>",
        *(mark.encode() for mark in special),
    ]
    end = words.index(b"<end>")

    class Words:
        """A tokenizer for llguidance, with the longest word first."""

        eos_token_id = end
        bos_token_id = None
        tokens = words
        special_token_ids = tuple(range(end, len(words)))

        def __call__(self, text: bytes | str) -> list[int]:
            left = text.encode() if isinstance(text, str) else text
            found = []
            while left:
                word = max((word for word in words[:end] if left.startswith(word)), key=len)
                found.append(words.index(word))
                left = left[len(word) :]
            return found

    from llguidance import LLTokenizer, TokenizerWrapper

    return LLTokenizer(TokenizerWrapper(Words()))


def test_tools_outside_of_the_subset_are_refused() -> None:
    with pytest.raises(NotPortableError):
        ToolCallMatcher([tool({"type": "object", "properties": {"a": {"not": {}}}})])


def test_a_tool_outside_of_the_subset_is_omitted_and_reported() -> None:
    odd = tool({"type": "object", "properties": {"a": {"not": {}}}, "required": ["a"]}, name="odd.one")
    matcher = ToolCallMatcher([odd, *CONTRACTS])

    assert matcher.feed(CALL)
    assert [(loss.tool, loss.keyword) for loss in matcher.losses] == [("odd.one", "not")]
    with pytest.raises(NotPortableError):
        ToolCallMatcher([odd, *CONTRACTS], strict=True)


def test_a_matcher_follows_a_registry_from_call_to_call() -> None:
    registry = ToolRegistry(CONTRACTS[:1])
    matcher = ToolCallMatcher(registry)
    assert not matcher.feed(CALL)

    registry.add(CONTRACTS[1:])
    assert matcher.feed(CALL[:30])  # before a call begins, changes are seen at once
    registry.remove("weather.get_all")
    assert matcher.feed(CALL[30:])  # a call that has begun is finished
    assert matcher.is_complete

    matcher.reset()
    assert not matcher.feed(CALL)
    assert matcher.feed('{"tool_name":"clock.now","arguments":{}}')


@pytest.mark.parametrize("form", ["protocol", "hermes", "llama3"])
def test_a_registry_whose_tools_are_gone_permits_text_and_no_call(form: str) -> None:
    registry = ToolRegistry()
    with pytest.raises(UsageError, match="no tools to call"):
        ToolCallMatcher(registry)
    registry.add(CONTRACTS)
    matcher = ToolCallMatcher(registry, form=form)
    for name in list(registry):
        registry.disable(name)

    matcher.reset()
    assert matcher.is_complete
    assert not matcher.feed(CALL)
    assert not matcher.feed("<tool_call>")
    assert matcher.feed("It is noon {here}.")
    assert (matcher.is_complete, matcher.tool_name, matcher.losses) == (True, None, ())
    for name in [contract.name for contract in CONTRACTS]:
        registry.enable(name)
    matcher.reset()
    assert not matcher.feed("It is noon.")
    assert not matcher.is_complete


@pytest.mark.parametrize("wrong", [3, ["weather.get"], None])
def test_what_is_not_a_tools_is_refused(wrong: Any) -> None:
    with pytest.raises(UsageError, match="expected contracts, got"):
        ToolCallMatcher(wrong)


def test_a_mark_of_a_form_may_be_its_own_token() -> None:
    matcher = ToolCallMatcher(CONTRACTS, tokenizer=_tokenizer_of_words("<tool_call>"), form="hermes")
    begun = '\n{"name":"clock.now","arguments":{}}\n</tool_call>'

    assert len(matcher.allowed()) == 2  # the token, and the text's first byte
    assert matcher.feed([max(matcher.allowed())])
    assert matcher.feed(begun)
    assert matcher.tool_name == "clock.now"
    assert matcher.is_complete
    matcher.reset()
    assert matcher.feed(f"<tool_call>{begun}")
    assert matcher.is_complete


def test_without_llguidance_the_error_has_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llguidance", None)

    with pytest.raises(UsageError, match="llguidance") as caught:
        ToolCallMatcher(CONTRACTS)

    assert caught.value.hint == "pip install 'mcp-contracts[grammar]'"
