"""A value that is secret by its schema or its name is never shown; other values are."""

from __future__ import annotations

import json
from datetime import date
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import UsageError
from mcp_contracts.runtime.telemetry.redaction import REDACTED, redacted, secret_pointers
from tests.schema_strategies import values
from tests.support_schemas import DRAFT_7
from tests.tables import each

SECRET: dict[str, JsonValue] = {"type": "string", "writeOnly": True}
TEXT: dict[str, JsonValue] = {"type": "string"}


def only_named(value: object, *names: str) -> JsonValue:
    """Return a copy that is redacted only by names."""
    return redacted(value, None, names) if names else redacted(value, None)


@each(
    "schema",
    [
        {"properties": {"a": SECRET}},
        {"properties": {"a": {"format": "password"}}},
        {"patternProperties": {"^a": SECRET}},
        {"patternProperties": {"^(?=a)": SECRET}},
        {"additionalProperties": SECRET},
        {"properties": {"b": TEXT}, "additionalProperties": SECRET},
        {"unevaluatedProperties": SECRET},
        {"allOf": [{"properties": {"a": SECRET}}]},
        {"anyOf": [{"properties": {"a": TEXT}}, {"properties": {"a": SECRET}}]},
        {"oneOf": [{"properties": {"a": {"anyOf": [SECRET, {"type": "null"}]}}}]},
        {"if": {"properties": {"b": TEXT}}, "then": {"properties": {"a": SECRET}}},
        {"if": {"properties": {"b": TEXT}}, "else": {"properties": {"a": SECRET}}},
        {"dependentSchemas": {"a": {"properties": {"a": SECRET}}}},
        {"$schema": DRAFT_7, "dependencies": {"a": {"properties": {"a": SECRET}}}},
        {"$ref": "#/$defs/o", "$defs": {"o": {"properties": {"a": {"$ref": "#/$defs/s"}}}, "s": SECRET}},
        {"$schema": DRAFT_7, "properties": {"a": {"$ref": "#/definitions/s"}}, "definitions": {"s": SECRET}},
        {"properties": {"a": {"$ref": "#/components/s"}}, "components": {"s": SECRET}},
        {"properties": {"a": {"$ref": "#s"}}, "$defs": {"x": {"$anchor": "s", **SECRET}}},
        {"properties": {"a": {"$dynamicRef": "#s"}}, "$defs": {"x": {"$dynamicAnchor": "s", **SECRET}}},
        {"$id": "http://x/y", "properties": {"a": {"$ref": "z"}}, "$defs": {"d": {"$id": "z", **SECRET}}},
        {
            "properties": {"a": {"$dynamicRef": "#t"}},
            "$defs": {"x": {"$dynamicAnchor": "t"}, "y": {"$dynamicAnchor": "t", **SECRET}},
        },
        {"properties": {"a": {"$ref": "#/$defs/loop"}}, "$defs": {"loop": {"$ref": "#/$defs/loop", **SECRET}}},
    ],
)
def test_value_marked_anywhere_in_the_schema_is_redacted(schema: JsonValue) -> None:
    value = {"a": "hunter2"}

    copy = redacted(value, schema)

    assert copy == {"a": REDACTED}
    assert value == {"a": "hunter2"}


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"$ref": "https://example.com/a.json"}}},
        {"properties": {"a": {"$ref": "#/$defs/gone"}}},
        {"properties": {"a": {"$recursiveRef": "#"}}},
        {"properties": {"a": {"$ref": 7}}, "$defs": {"x": SECRET}},
        {"patternProperties": {"^(": SECRET}},
        {"properties": {"aa": SECRET, "b": TEXT}},
    ],
)
def test_value_in_doubt_is_redacted(schema: JsonValue) -> None:
    copy = redacted({"a": "hunter2"}, schema)

    assert copy == {"a": REDACTED}


def test_object_whose_names_are_secret_is_redacted_as_a_whole() -> None:
    copy = redacted({"users": {"hunter2": 1}}, {"properties": {"users": {"propertyNames": SECRET}}})

    assert copy == {"users": REDACTED}


def test_items_are_redacted_by_their_position() -> None:
    schema: JsonValue = {"properties": {"a": {"prefixItems": [TEXT, SECRET], "items": TEXT}, "b": {"items": SECRET}}}

    copy = redacted({"a": ["x", "y", "z"], "b": ["x", "y"]}, schema)

    assert copy == {"a": ["x", REDACTED, "z"], "b": [REDACTED, REDACTED]}


def test_items_of_draft_7_are_redacted_by_their_position() -> None:
    lists: JsonValue = {"$schema": DRAFT_7, "items": [SECRET, TEXT], "additionalItems": SECRET}
    single: JsonValue = {"$schema": DRAFT_7, "prefixItems": [TEXT], "items": SECRET}

    assert redacted(["x", "y", "z"], lists) == [REDACTED, "y", REDACTED]
    assert redacted(["x"], single) == [REDACTED]


def test_text_next_to_a_secret_is_kept() -> None:
    schema: JsonValue = {
        "properties": {"user": TEXT, "key_phrase": SECRET, "deep": {"items": {"properties": {"a": TEXT}}}},
        "patternProperties": {"^x_": SECRET},
    }
    value = {"user": "ann", "key_phrase": "s", "x_1": "s", "deep": [{"a": "kept"}]}

    copy = redacted(value, schema)

    assert copy == {"user": "ann", "key_phrase": REDACTED, "x_1": REDACTED, "deep": [{"a": "kept"}]}


def test_secret_of_another_type_than_its_schema_says_is_redacted_as_a_whole() -> None:
    copy = redacted({"a": {"value": ["hunter2"]}}, {"properties": {"a": SECRET}})

    assert copy == {"a": REDACTED}


@each(
    "name",
    [
        *("password", "Password", "PASSWORD", "user_password", "userPassword", "password_confirmation", "password2"),
        *("passWord", "db.password", "api_key", "apiKey", "APIKey", "API-KEY", "api key", "apikey", "X-Api-Key"),
        *("OPENAI_API_KEY", "openaiApiKey", "token", "accessToken", "page_token", "client_secret", "clientSecret"),
        *("Authorization", "proxy-authorization", "privateKey", "credentials", "Set-Cookie", "pin", "user_pin", "otp"),
        *("größe_password", "ｐａｓｓｗｏｒｄ", "x" * 300),
    ],
)
def test_name_of_a_secret_is_known_in_any_spelling(name: str) -> None:
    assert only_named({name: "v"}) == {name: REDACTED}


@each(
    "name",
    [
        *("tokenize", "tokenizer", "max_tokens", "maxTokens", "tokens", "token_count", "tokenLimit", "password_policy"),
        *("secretary", "spin", "pinned", "opinion", "shipping", "key", "primary_key", "author", "passport", "", "_"),
        *("compass", "cookiecutter", "monkey", "keyboard", "city", "max_password_length"),
    ],
)
def test_name_that_only_looks_like_a_secret_is_kept(name: str) -> None:
    assert only_named({name: "v"}) == {name: "v"}


@each(
    "text",
    [
        "https://user:hunter2@host/x",
        "https://host/x?size=3&api_key=hunter2",
        "https://host/back#access_token=hunter2",
        "Server=db;User Id=ann;Password=hunter2;",
        "export PGPASSWORD=hunter2",
        "tool --auth-token=hunter2",
        '{"user": "ann", "password": "hunter2"}',
        "{'user': 'ann', 'password': 'hunter2'}",
        "<user>ann</user><password>hunter2</password>",
        "tool --auth-token hunter2",
        'curl -H "Authorization: Bearer hunter2" host',
        "curl -H 'X-Api-Key: hunter2' host",
        "user: ann\npassword: hunter2",
        "host:\n  - apiKey: hunter2",
        "-----BEGIN RSA PRIVATE KEY-----\nhunter2",
        "%7B%22password%22%3A%20%22hunter2%22%7D",
        "https://host/?state=%257B%2522password%2522%253A%2522hunter2%2522%257D",
        "data=eyJwYXNzd29yZCI6ICJodW50ZXIyIn0=",
        r"{\u0022password\u0022: \u0022hunter2\u0022}",
        "{&quot;password&quot;: &quot;hunter2&quot;}",
    ],
)
def test_text_that_names_a_secret_is_redacted_as_a_whole(text: str) -> None:
    assert redacted({"a": ["kept", text], text: 1}, None) == REDACTED
    assert redacted({"a": ["kept", text]}, None) == {"a": ["kept", REDACTED]}


@each(
    "text",
    [
        *("https://host/x?size=3#top", "password = ?", "a=1", "max_tokens=5", "the password: at least 8 letters"),
        *("--max-tokens 5", "<token></token>", "max_tokens: 5", "'tokens': 5", "12:30", "a::b", "password:"),
        *("100%25 safe", "internationalization_of_everything", "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB", "&lt;b&gt;", "%"),
        "a_" * 100_000,
        "QUFB" * 100_000,
        "%25" * 100_000,
        "password " * 10_000 + ": x",
    ],
)
def test_text_without_a_secret_is_kept(text: str) -> None:
    assert redacted([text], None) == [text]


@each("name", ["name", "key"])
def test_value_of_a_pair_is_redacted_by_the_name_next_to_it(name: str) -> None:
    pairs: JsonValue = [{name: "PGPASSWORD", "value": "hunter2", "is_on": True}, {name: "PATH", "value": "/bin"}]

    copy = redacted({"env": pairs}, None)

    assert copy == {"env": [{name: "PGPASSWORD", "value": REDACTED, "is_on": True}, {name: "PATH", "value": "/bin"}]}


def test_boolean_and_null_are_no_secrets_by_their_name() -> None:
    value = {"pin": True, "use_token": False, "password": None}

    assert only_named(value) == value
    assert redacted({"a": True}, {"properties": {"a": {"writeOnly": True}}}) == {"a": REDACTED}


def test_given_names_replace_the_default_ones() -> None:
    copy = only_named({"seed": 1, "my_Seed": [2], "password": "x", "token_count": 5}, "SEED", "token count", "")

    assert copy == {"seed": REDACTED, "my_Seed": REDACTED, "password": "x", "token_count": REDACTED}


def test_one_string_for_the_names_is_refused() -> None:
    with pytest.raises(UsageError, match="one string") as raised:
        redacted({}, None, "password")

    assert raised.value.hint == "pass a list: `['password']`"


def test_pointers_lead_to_the_outermost_secrets() -> None:
    schema: JsonValue = {"properties": {"a/b": SECRET, "list": {"items": {"properties": {"~": SECRET}}}, "user": TEXT}}
    value = {"a/b": "s", "list": [{"~": "s"}, {}], "token": {"password": "s"}, "user": "ann"}

    assert secret_pointers(value, schema) == {"/a~1b", "/list/0/~0", "/token"}
    assert secret_pointers(value, SECRET) == {""}
    assert secret_pointers({"user": "ann"}, None) == frozenset()


def test_what_json_cannot_write_is_redacted_or_written_as_messages_write_it() -> None:
    value = {
        "day": date(2026, 1, 2),
        "path": PurePosixPath("a/b"),
        "bytes": b"ab",
        "tuple": (1, 2),
        "object": object(),
        "nan": float("nan"),
        "huge": 10**5000,
        "keys": {1: "x"},
    }

    copy = redacted(value, None)

    assert copy == {
        "day": "2026-01-02",
        "path": "a/b",
        "bytes": "YWI=",
        "tuple": [1, 2],
        "object": REDACTED,
        "nan": REDACTED,
        "huge": REDACTED,
        "keys": REDACTED,
    }


def test_cycles_and_depth_come_to_an_end() -> None:
    cycle: list[Any] = []
    cycle += [cycle, cycle]
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}

    for value in (cycle, deep):
        assert REDACTED in json.dumps(redacted(value, {"properties": {"a": {"$ref": "#"}, "b": SECRET}}))


def test_schema_that_nests_too_deep_redacts_everything() -> None:
    schema: dict[str, Any] = {}
    for _ in range(5000):
        schema = {"properties": {"a": schema}}

    assert redacted({"a": 1}, schema) == REDACTED


def test_hostile_schemas_and_values_cost_bounded_steps() -> None:
    many: JsonValue = {"patternProperties": {f"^{number}_[a-z]+$": SECRET for number in range(300)}}
    wide: JsonValue = {"allOf": [{"properties": {f"p{number}": TEXT}} for number in range(3000)], "writeOnly": False}
    wide["properties"] = {"x": SECRET}  # type: ignore[call-overload, index]  # a JsonValue that is an object
    value = {f"k{number}": "v" for number in range(20_000)}

    copies = [redacted(value, schema) for schema in (many, wide)]  # without bounds it takes minutes

    assert copies == [REDACTED, REDACTED]


class _Case(NamedTuple):
    """A schema, a value that it describes, and the definitions that it needs."""

    schema: dict[str, Any]
    value: Any
    definitions: dict[str, Any]


@st.composite
def _cases(draw: st.DrawFn, place: str = "d") -> _Case:
    """Draw secrets, written `HIDDEN…`, and other texts, `shown…`, in places that every keyword may lead to."""
    kind = draw(
        st.sampled_from(["secret", "plain", "object", "array", "tuple"] if len(place) < 5 else ["secret", "plain"])
    )
    definitions: dict[str, Any] = {}
    schema: dict[str, Any]
    value: Any
    parts: list[_Case] = []
    if kind in ("object", "array", "tuple"):
        parts = [draw(_cases(f"{place}{index}")) for index in range(draw(st.integers(1, 3)))]
        for part in parts:
            definitions.update(part.definitions)
    match kind:
        case "secret":
            mark: dict[str, Any] = draw(st.sampled_from([{"writeOnly": True}, {"format": "password"}]))
            schema, value = {"type": "string", **mark}, f"HIDDEN{draw(st.integers(0, 99))}"
        case "plain":
            schema, value = {"type": "string", "writeOnly": False}, f"shown{draw(st.integers(0, 99))}"
        case "object":
            names = [f"k{index}" for index in range(len(parts))]
            value = {name: part.value for name, part in zip(names, parts, strict=True)}
            schema = {"type": "object"}
            for name, part in zip(names, parts, strict=True):
                keyword = draw(st.sampled_from(["properties", "patternProperties"]))
                key = name if keyword == "properties" else f"^{name}$"
                schema.setdefault(keyword, {})[key] = part.schema
            if len(parts) == 1 and draw(st.booleans()):
                schema = {"additionalProperties": parts[0].schema}
        case "array":
            schema, value = {"items": parts[0].schema}, [parts[0].value] * 2
        case _:
            schema, value = {"prefixItems": [part.schema for part in parts]}, [part.value for part in parts]
    for wrapping in draw(st.lists(st.sampled_from(["allOf", "anyOf", "oneOf", "if", "then", "$ref"]), max_size=2)):
        match wrapping:
            case "$ref":
                name = f"{place}_{len(definitions)}"
                definitions[name] = schema
                schema = {"$ref": f"#/$defs/{name}"}
            case "if":
                schema = {"if": schema, "else": {"type": "null"}}
            case "then":
                schema = {"if": {"type": "string"}, "then": schema, "else": schema}
            case _:
                schema = {wrapping: [{"description": "nothing"}, schema]}
    return _Case(schema, value, definitions)


@settings(max_examples=50)
@given(_cases())
def test_marked_value_never_comes_out_and_others_do(case: _Case) -> None:
    text = json.dumps(redacted(case.value, {**case.schema, "$defs": case.definitions}))

    written = json.dumps(case.value)
    assert "HIDDEN" not in text
    assert text.count("shown") + text.count(REDACTED) == written.count("shown") + written.count("HIDDEN")


_ANY_SCHEMA = st.recursive(
    st.one_of(
        values, st.just({"writeOnly": True}), st.sampled_from(["#", "#/x", "http://x/y"]).map(lambda r: {"$ref": r})
    ),
    lambda inner: st.dictionaries(
        st.sampled_from(
            ["properties", "items", "prefixItems", "allOf", "$defs", "patternProperties", "not", "a", "$id"]
        ),
        st.one_of(inner, st.lists(inner, max_size=2), st.dictionaries(st.sampled_from(["a", "b", "("]), inner)),
        max_size=3,
    ),
    max_leaves=8,
)


@settings(max_examples=50)
@given(values, _ANY_SCHEMA)
def test_no_schema_however_broken_makes_it_raise(value: JsonValue, schema: Any) -> None:
    copy = redacted(value, schema)

    json.dumps(copy, allow_nan=False)
    assert secret_pointers(value, schema) or copy == value
