"""Constrained generation with a tiny random model: each output is valid, whatever the model prefers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts.adapters.grammar.forms import FORM_NAMES
from mcp_contracts.errors import ContractError, UsageError
from mcp_contracts.runtime.registry import ToolRegistry
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from tests.random_model import END, TOKENIZER, TOKENS, numpy, random_logits, random_model
from tests.support_schemas import tool
from tests.tables import each

from mcp_contracts.generation import (  # isort: skip  # after the check that it can be imported
    PRESETS,
    BannedTokens,
    Chain,
    CutTextError,
    ForcedTokens,
    GenerationError,
    GrammarFilter,
    LogitsModel,
    NoTokenError,
    Temperature,
    TopK,
    TopP,
    generate,
    generate_structured,
    generate_tool_call,
    preset,
    read_gbnf,
    try_preset,
    vocabulary,
)

CONTRACTS = [
    tool(
        {
            "type": "object",
            "properties": {
                "place": {"type": "string", "minLength": 1, "maxLength": 12},
                "days": {"type": "integer", "minimum": 1, "maximum": 14},
                "units": {"type": "array", "items": {"enum": ["c", "f", "k"]}, "uniqueItems": True, "minItems": 1},
            },
            "required": ["place", "units"],
        },
        name="weather.forecast",
    ),
    tool(
        {
            "type": "object",
            "properties": {"slug": {"type": "string", "pattern": "^[a-z]+(-[a-z]+)*$", "maxLength": 9}},
            "required": ["slug"],
        },
        name="notes.open",
    ),
    tool(None, name="clock.now"),
]
LETTERS = {"anyOf": [{"const": "a"}, {"const": "b"}]}
BY_NAME = {contract.name: contract for contract in CONTRACTS}


@each("seed", range(6))
@each("form", FORM_NAMES)
def test_every_output_is_a_valid_call_of_a_registered_tool(form: str, seed: int) -> None:
    call = generate_tool_call(
        random_model(seed), "Call a tool.", ToolRegistry(CONTRACTS), form=form, preset=PRESETS[seed % 5].name, seed=seed
    )

    schema = BY_NAME[call.tool_name].input_schema
    assert schema is None or accepts(compile_schema(schema), call.arguments) is True


def test_a_map_whose_names_are_repeated_is_a_valid_call() -> None:
    flags: Any = {"type": "object", "additionalProperties": {"type": "boolean"}, "propertyNames": {"enum": ["x"]}}
    contract = tool({"type": "object", "properties": {"flags": flags}, "required": ["flags"]}, name="a.b")
    wanted = '{"tool_name":"a.b","arguments":{"flags":{"x":true,"x":false}}}'
    tokens = TOKENIZER.tokenize_str(wanted)

    call = generate_tool_call(random_model(1), "", [contract], filters=[ForcedTokens(tokens)])

    assert call.arguments == {"flags": {"x": False}}


def test_the_tools_that_are_called_vary_with_the_seed() -> None:
    calls = {
        generate_tool_call(random_model(1), "", CONTRACTS, seed=seed, preset="plain").tool_name for seed in range(9)
    }

    assert len(calls) > 1


SCHEMAS: list[Any] = [
    {"type": "object", "properties": {"a": {"enum": [1, "x"]}, "b": {"type": "boolean"}}, "required": ["a", "b"]}
    | {"additionalProperties": False},
    {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 9}, "maxItems": 4},
    {"const": {"q": [None]}},
    {"type": "string", "maxLength": 5},
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("schema", SCHEMAS, ids=json.dumps)
def test_every_structured_output_is_accepted_by_its_schema(schema: Any, seed: int) -> None:
    value = generate_structured(random_model(seed), "Write JSON: ", schema, seed=seed)

    assert accepts(compile_schema(schema), value) is True


def test_the_same_seed_gives_the_same_text_and_the_maximum_bounds_it() -> None:
    one, same, other = (generate(random_model(3), "x", seed=seed, max_tokens=20, preset="plain") for seed in (1, 1, 2))

    assert one == same
    assert one != other
    assert all(len(found.tokens) <= 20 for found in (one, other))


def test_a_text_of_a_gbnf_file_is_generated(tmp_path: Path) -> None:
    path = tmp_path / "date.gbnf"
    path.write_text('root ::= digit{4} "-" digit digit # a comment\ndigit ::= [0-9]\n', "utf-8")

    found = generate(random_model(0), "", grammar=GrammarFilter.of_gbnf(path, TOKENIZER), seed=0)

    assert re.fullmatch(r"[0-9]{4}-[0-9]{2}", found.text)
    assert found.end == "end"


BROKEN = {
    "unbalanced": 'root ::= "a" (\n',
    "no root": 'start ::= "a"\n',
    "unknown rule": "root ::= nothing\n",
    "left recursion": 'root ::= root "a"\n',
    "endless": 'root ::= "a" root\n',
    "circle": "root ::= b\nb ::= root\n",
    "nested": "root ::= " + "(" * 5_000 + '"a"' + ")" * 5_000 + "\n",
    "huge count": 'root ::= ("a" | "b"){1000000000}\n',
    "class": "root ::= [z-a]\n",
    "open class": "root ::= [abc\n",
    "open text": 'root ::= "abc\n',
    "prose": "Hello, this is no grammar.\n",
    "empty": "",
    "zero": "\0\0\0",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_grammar_is_refused_with_a_reason(name: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.gbnf"
    path.write_text(BROKEN[name], "utf-8")

    with pytest.raises(ContractError) as caught:
        generate(random_model(0), "", grammar=GrammarFilter.of_gbnf(path, TOKENIZER), seed=0, max_tokens=50)

    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 1_000


def test_files_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    (tmp_path / "large").write_bytes(b" " * 1_000_001)

    for name, reason in (("bytes", "UTF-8"), ("large", "larger"), ("none", "no such file"), (".", "directory")):
        with pytest.raises(UsageError, match=reason):
            read_gbnf(tmp_path / name)


def _logits(*values: float) -> Any:
    return numpy.array(values)


FILTERED: list[tuple[Any, list[float], set[int]]] = [
    (BannedTokens([1, 99]), [1, 5, 3, 2], {0, 2, 3}),
    (ForcedTokens([2]), [1, 5, 3, 2], {2}),
    (Temperature(0), [1, 5, 3, 2], {1}),
    (Temperature(1e-320), [1, 5, 3, 2], {1}),
    (Temperature(2), [1, 5, 3, 2], {0, 1, 2, 3}),
    (TopK(2), [1, 5, 3, 2], {1, 2}),
    (TopK(2), [1, 1, 1, 1], {0, 1}),
    (TopK(9), [1, 5, 3, 2], {0, 1, 2, 3}),
    (TopP(0.5), [0, 0, 0, 0], {0, 1}),
    (TopP(1e-9), [1, 5, 3, 2], {1}),
    (TopP(1), [1, 5, 3, 2], {0, 1, 2, 3}),
]


@pytest.mark.parametrize(("one", "logits", "left"), FILTERED)
def test_a_filter_leaves_what_it_says(one: Any, logits: list[float], left: set[int]) -> None:
    found = Chain((one,))((), logits)

    assert {token for token, value in enumerate(found) if value > -numpy.inf} == left


def test_banned_and_forced_tokens_shape_a_text() -> None:
    banned = BannedTokens(range(ord("a"), ord("z") + 1))
    forced = ForcedTokens(TOKENIZER.tokenize_str("OK: "))

    text = generate(random_model(5), "", filters=[forced, banned], seed=5, max_tokens=30, preset="plain").text

    assert text.startswith("OK: ")
    assert not re.search("[a-z]", re.sub("|".join(["name", "arguments", "weather", "true", "tool_call"]), "", text))


@pytest.mark.parametrize(
    ("logits", "reason"),
    [
        ([float("nan")] * 4, "4 of 4 logits are NaN"),
        ([1.0, float("inf")], "1 of 2 logits are NaN or infinite"),
        ([[1.0]], r"shape \(1, 1\)"),
        ([], r"shape \(0,\)"),
        ("text", "not numbers"),
        (None, "NaN|not numbers|shape"),
    ],
)
def test_logits_that_cannot_be_used_are_refused(logits: Any, reason: str) -> None:
    with pytest.raises(GenerationError, match=reason):
        generate(LogitsModel(lambda tokens: logits, TOKENIZER), "")


def test_a_filter_must_return_logits() -> None:
    with pytest.raises(GenerationError, match="`function` does not return logits"):
        generate(random_model(0), "", filters=[lambda tokens, logits: None])  # type: ignore[list-item, return-value]


def test_no_token_left_is_reported_with_the_filter() -> None:
    everything = BannedTokens(range(len(TOKENS) + 5))
    late = GrammarFilter('start: "a"', TOKENIZER)

    with pytest.raises(NoTokenError, match="after the filter `BannedTokens`, at token 1"):
        generate(random_model(0), "", filters=[everything])
    with pytest.raises(NoTokenError, match="`GrammarFilter`"):
        generate(random_model(0), "", filters=[ForcedTokens([ord("b")]), late])
    with pytest.raises(NoTokenError, match="all of its logits are `-inf`"):
        generate(LogitsModel(lambda tokens: [-numpy.inf] * 9, TOKENIZER), "")


@each(
    "make",
    [
        lambda: Temperature(float("nan")), lambda: Temperature(-1), lambda: TopK(0), lambda: TopP(0), lambda: TopP(1.5),
        lambda: BannedTokens([-1]), lambda: ForcedTokens(["a"]), lambda: preset("wild"),  # type: ignore[list-item]
        lambda: generate(random_model(0), "", max_tokens=0), lambda: generate(random_model(0), [9_999]),
        lambda: vocabulary([], end=0), lambda: vocabulary([b"a"], end=1), lambda: vocabulary(["a"], end=0),  # type: ignore[list-item]
        lambda: generate_tool_call(random_model(0), "", []), lambda: generate_tool_call(random_model(0), "", ["a.b"]),  # type: ignore[list-item]
        lambda: generate_structured(random_model(0), "", {"type": "strnig"}),
        lambda: generate_structured(random_model(0), "", {"type": "string", "pattern": "(?<=a)b(?!c)"}),
        lambda: generate_structured(random_model(0), "", {"not": {}}),
        lambda: GrammarFilter("start: (((", TOKENIZER),
        lambda: generate(random_model(0), "", seed=-1), lambda: generate(random_model(0), "", seed="x"),  # type: ignore[arg-type]
        lambda: generate_tool_call(random_model(0), "", CONTRACTS, nonsense=1),  # type: ignore[call-arg]
    ],
)  # fmt: skip
def test_settings_that_cannot_be_used_are_refused(make: Any) -> None:
    with pytest.raises(UsageError):
        make()


def test_a_vocabulary_without_needed_bytes_is_reported() -> None:
    poor = vocabulary([bytes([byte]) for byte in range(256) if byte != ord(":")] + [b"<end>"], end=255)
    tiny = vocabulary([b"a", b"<end>"], end=1)

    for tokenizer in (poor, tiny):
        size = tokenizer.vocab_size
        model = LogitsModel(lambda tokens, size=size: numpy.zeros(size), tokenizer)  # type: ignore[misc]
        with pytest.raises(GenerationError, match=r"cannot be followed|does not permit"):
            generate_tool_call(model, "", CONTRACTS, max_tokens=200, seed=0)


def test_a_call_that_is_too_long_is_cut_with_its_text() -> None:
    endless = tool({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, name="a.b")
    model = LogitsModel(lambda tokens: numpy.arange(len(TOKENS)) == ord("x"), TOKENIZER)

    with pytest.raises(CutTextError, match="not complete after 60 tokens") as caught:
        generate_tool_call(model, "", [endless], max_tokens=60, preset="greedy")

    assert caught.value.text.startswith('{"tool_name":"a.b","arguments":{"a":"xxx')


def test_a_loss_may_give_an_invalid_call_which_is_refused() -> None:
    never = tool(
        {"type": "object", "properties": {"a": {"type": "boolean", "not": {"type": "boolean"}}}, "required": ["a"]}
    )

    with pytest.raises(ContractError, match="cannot express"):
        generate_tool_call(random_model(0), "", [never])
    with pytest.raises(GenerationError, match="the generated call is not valid"):
        generate_tool_call(random_model(0), "", [never], lossy=True, seed=0)


@pytest.mark.parametrize("name", [one.name for one in PRESETS])
def test_a_preset_can_be_tried(name: str) -> None:
    ranked = try_preset(name, random_model(2), "Hello", most=4)

    assert 1 <= len(ranked) <= 4
    assert ranked == sorted(ranked, key=lambda pair: -pair[1])
    assert 0 < sum(chance for _, chance in ranked) <= 1.000001


def test_a_filter_follows_texts_that_are_not_its_last_one() -> None:
    one = GrammarFilter('start: "ab" | "cd"', TOKENIZER)

    assert one.is_complete([ord("a"), ord("b")])
    assert not one.is_complete([ord("c")])
    assert one.is_complete([ord("c"), ord("d")])
    with pytest.raises(GenerationError, match="does not permit the token 98 at position 2"):
        one.is_complete([ord("c"), ord("b")])
    assert one.is_finished([ord("a"), ord("b"), END])


def test_random_logits_are_the_same_each_time() -> None:
    assert (random_logits(1)([3, 4]) == random_logits(1)([3, 4])).all()
