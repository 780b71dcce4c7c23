"""The forms in which models write calls: the same calls in grammars, prompts and free text."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_contracts.adapters import openai
from mcp_contracts.adapters.free_text.reading import parse_tool_calls
from mcp_contracts.adapters.grammar.calls import grammar_of, serialize_call
from mcp_contracts.adapters.grammar.forms import FORM_NAMES, FORMS, find_form
from mcp_contracts.adapters.prompts.writing import prompt
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPToolCall
from tests.grammar_oracle import begins, readers, takes
from tests.support_schemas import tool

SCHEMA: Any = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "code": {"type": "string", "pattern": r"^[\"\\\\\n]a$"},
        "limits": {"type": "array", "items": {"type": "integer", "minimum": 3}},
    },
    "required": ["text"],
}
CONTRACT = tool(SCHEMA, name="notes.add")
ARGUMENTS: list[dict[str, Any]] = [
    {"text": ""},
    {"text": 'é😀"\\\n\u2028', "limits": [3, 40]},
    {"text": "x", "code": '"a'},
    {"text": "x", "code": "\\a", "limits": []},
    {"text": "x", "code": "\na"},
]
WRITTEN = {
    "protocol": '{"tool_name":"notes.add","arguments":{"text":"a\\"b"}}',
    "openai": '{"type":"function","function":{"name":"notes.add","arguments":"{\\"text\\":\\"a\\\\\\"b\\"}"}}',
    "hermes": '<tool_call>\n{"name":"notes.add","arguments":{"text":"a\\"b"}}\n</tool_call>',
    "llama3": '{"name":"notes.add","parameters":{"text":"a\\"b"}}',
}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_call_has_the_text_of_its_form(form: Any) -> None:
    call = MCPToolCall(tool_name="notes.add", arguments={"text": 'a"b'})

    assert serialize_call(call, CONTRACT, form=form.name) == WRITTEN[form.name]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("form", FORM_NAMES)
def test_grammars_permit_only_the_calls_of_their_form(form: str, indent: int | None) -> None:
    other = tool({"type": "object", "properties": {}}, name="notes.all")
    every = readers(grammar_of([CONTRACT, other], form=form, has_whitespace=indent is not None))

    for arguments in ARGUMENTS:
        call = MCPToolCall(tool_name="notes.add", arguments=arguments)
        text = serialize_call(call, CONTRACT, form=form, indent=indent)
        for matcher in every:
            assert takes(matcher, text), text
            assert begins(matcher, text[:-1])
            assert not takes(matcher, text.replace("notes.add", "notes.ad", 1))
            assert not takes(matcher, text + "\n")
            assert not takes(matcher, text.replace("3,", "2,")) or "3," not in text
        if indent is None:
            (read,) = parse_tool_calls(text, tools=[CONTRACT]).calls
            assert read.arguments == arguments
    for one in FORMS:
        if one is not find_form(form):
            foreign = serialize_call(MCPToolCall(tool_name="notes.add", arguments={"text": ""}), CONTRACT, form=one)
            assert not any(takes(matcher, foreign) for matcher in every)


def test_arguments_as_text_are_read_by_openai() -> None:
    call = MCPToolCall(tool_name="notes.add", arguments=ARGUMENTS[1])
    written = json.loads(serialize_call(call, CONTRACT, form="openai"))

    assert json.loads(written["function"]["arguments"]) == ARGUMENTS[1]


def test_tools_have_the_names_that_the_model_knows() -> None:
    names = openai.tools_out([CONTRACT]).names

    for matcher in readers(grammar_of([CONTRACT], form="qwen", names=names)):
        assert takes(matcher, WRITTEN["hermes"].replace("notes.add", "notes__add"))
        assert not takes(matcher, WRITTEN["hermes"])


@pytest.mark.parametrize("form", FORM_NAMES)
def test_a_prompt_shows_the_form_that_the_grammar_permits(form: str) -> None:
    text = prompt([CONTRACT], call_form=form).text
    example = text.partition("Example:")[2].strip()

    (call,) = parse_tool_calls(example, tools=[CONTRACT]).calls

    matcher = readers(grammar_of([CONTRACT], form=form, has_whitespace=True))[0]
    assert takes(matcher, example)
    assert call.call is not None
    assert call.call.tool_name == "notes.add"
    keys = [
        key
        for key in ("tool_name", "name", "function", "parameters", "<tool_call>")
        if key in WRITTEN[find_form(form).name]
    ]
    head = text.partition("###")[0]
    assert all(key in head for key in keys)


def test_an_unknown_form_is_refused_with_those_that_exist() -> None:
    with pytest.raises(UsageError, match="unknown call form `yaml`") as caught:
        grammar_of([CONTRACT], form="yaml")

    assert caught.value.hint == "the forms are protocol, openai, hermes, llama3, qwen"
