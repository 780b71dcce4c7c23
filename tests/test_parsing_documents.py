"""JSON and YAML inside a file: values, faults with their causes, and the place of every pointer."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.contract import JsonValue
from mcp_contracts.faults import FaultKind
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.parsing.data.bounds import MAX_DEPTH, MOST_FAULTS
from mcp_contracts.parsing.data.documents import Document, read_json
from mcp_contracts.parsing.data.loose_yaml import read_loose_yaml
from mcp_contracts.parsing.data.yaml_documents import read_yaml
from mcp_contracts.parsing.data.yaml_nodes import MAX_LENGTH, MAX_NODES, yaml_spans
from mcp_contracts.parsing.text import SourceText
from tests.tables import each
from tests.texts import position, standing_at

JSON: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def read(text: str) -> Document:
    """Parse a JSON text as a document that is a whole file."""
    source = SourceText.of("a.json", text)
    return read_json(source, source.body)


def read_as_yaml(text: str) -> Document:
    """Parse a YAML text as a document that is a whole file."""
    source = SourceText.of("a.yaml", text)
    return read_yaml(source, source.body)


def fault_of(document: Document) -> tuple[FaultKind, str, str, str | None]:
    """Return the kind, the message, the text and the hint of a document's only fault."""
    (fault,) = document.faults
    return fault.kind, fault.message, standing_at(document.text, fault.place), fault.hint


@pytest.mark.parametrize(
    ("pointer", "value", "key"),
    [
        ("/a", '[1, {"b": null}]', '"a"'),
        ("/a/1", '{"b": null}', '{"b": null}'),
        ("/a/1/b", "null", '"b"'),
        ("/x~1y", '"é\U0001f600"', '"x/y"'),
        ("/~0", "-1.5e3", '"\\u007e"'),
        ("/z", "{\n  }", '"z"'),
    ],
)
def test_a_pointer_leads_to_a_value_and_its_key(pointer: str, value: str, key: str) -> None:
    text = '{"a": [1, {"b": null}],\n "x/y": "é\U0001f600", "\\u007e": -1.5e3,\n  "z": {\n  }}'
    document = read(text)

    assert standing_at(text, document.place(pointer)) == value
    assert standing_at(text, document.place(pointer, on_key=True)) == key


@pytest.mark.parametrize(
    ("pointer", "place"), [("/a/9", (1, 7)), ("/b", (1, 1)), ("/a/0/x/y", (1, 8)), ("x", (1, 1)), ("/", (1, 1))]
)
def test_a_pointer_that_leads_nowhere_leads_to_what_is_nearest(pointer: str, place: tuple[int, int]) -> None:
    assert position(read('{"a": [1]}').place(pointer)) == place


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_places_count_every_line_end(line_end: str) -> None:
    text = line_end.join(['{"a":', "  [1,", "   2]}"])

    assert position(read(text).place("/a/1")) == (3, 4)


@given(JSON, st.sampled_from([None, 1, 3]))
def test_every_value_is_at_its_pointer(value: JsonValue, indent: int | None) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    document = read(text)

    assert document.value == value
    for pointer, member in members(value):
        assert json.loads(standing_at(text, document.place(pointer))) == member


def members(value: JsonValue, pointer: str = "") -> list[tuple[str, JsonValue]]:
    """Yield every value inside a value, by pointer."""
    found = [(pointer, value)]
    if isinstance(value, dict):
        for name, member in value.items():
            found.extend(members(member, f"{pointer}/{escape(name)}"))
    elif isinstance(value, list):
        for index, member in enumerate(value):
            found.extend(members(member, f"{pointer}/{index}"))
    return found


@each(
    ("text", "cause", "at"),
    [
        ("", "the text is empty", ""),
        ("  \n", "the text is empty", " "),
        ('{"a": 1, // no\n "b": 2}', "a comment", "/"),
        ('{"a": 1 /* no */}', "a comment", "/"),
        ("{\n # no\n}", "a comment", "#"),
        ('{"a": 1,}', "a trailing comma", ","),
        ("[1, ]", "a trailing comma", ","),
        ("[1,\n\n]", "a trailing comma", ","),
        ("{'a': 1}", "single quotes", "'"),
        ("{\"a\": 'x'}", "single quotes", "'"),
        ("{“a”: 1}", "typographic quotes", "“"),
        ('{"a": 1, ...}', "`...` stands for omitted text", "."),
        ("[1, …]", "`...` stands for omitted text", "…"),
        ('{"a": "x\ny"}', "a raw line break or control character inside a string", ""),
        ('{"a": "x\ty"}', "a raw tab inside a string", "\t"),
        ('{"a": "x\n  "b": 1}', "a string that is not closed before the end of its line", ""),
        ("{}\n\n### 4. Output", "a heading, so the fence above is not closed where it should be", "#"),
        ("{} {}", "several documents in one block", "{"),
        ('{"a": 1}\n{"b": 2}', "several documents in one block", "{"),
        ('{"a": 1}}', "an unmatched `}`", "}"),
        ('"a": 1', "members without enclosing braces", ":"),
        ('{"a": 1}, {"b": 2}', "text after the end of the JSON", ","),
        ('{"a": True}', "`True` is not a JSON literal", "T"),
        ("[undefined]", "`undefined` is not a JSON literal", "u"),
        ('{"a": [1, 2', "the text ends before the JSON does", "2"),
        ('{"a": "x', "a string that is not closed", '"'),
        ('["\\x"]', "an invalid escape in a string", "\\"),
        ("{a: 1}", "a key without double quotes", "a"),
        ('{"a": 1,, "b": 2}', "an extra comma", ","),
        ('{"a": 1 "b": 2}', "a missing comma or an extra character", '"'),
        ('{"a": ["[", "x"}', "an array that is not closed", "}"),
        ('{"a": [1, 2, "b": 3}', "an array that is not closed", ":"),
        ('[{"a": [1], "b": 2]', "an object that is not closed", "]"),
        ('{"a": 1: 2}', "a missing comma or an extra character", ":"),
        ('{"a": "x" | "y"}', "alternatives separated by `|`", "|"),
        ('{"a"}', "a key without a value", "}"),
        ('{"a": }', "a missing value", "}"),
        ('{"a": text}', "something that is not a JSON value", "t"),
        ('{"a": <details>}', "a placeholder", "<"),
        ('{"a":\u00a01}', "an invisible character (U+00A0)", "\u00a0"),
        ("[NaN]", "`NaN` is not a JSON number", "NaN"),
        ('["NaN", -Infinity]', "`-Infinity` is not a JSON number", "-Infinity"),
        ('["1e999", {"a": 1e999}]', "the number `1e999` is too large", "1e999"),
        (f"[1, {'9' * 401}]", "a number of 401 digits is too large", "9" * 401),
        ('["\\ud83d\\ude00", "x\\ud83d"]', "an unpaired surrogate, which is not a character", "\\ud83d"),
        ('{"\\ude00": 1}', "an unpaired surrogate, which is not a character", "\\ude00"),
        ('["\\ud83d\\ud83d"]', "an unpaired surrogate, which is not a character", "\\ud83d"),
        ('["\\\\ud83d", "\\ud83dx"]', "an unpaired surrogate, which is not a character", "\\ud83d"),
    ],
)
def test_invalid_json_is_reported_with_its_cause_and_place(text: str, cause: str, at: str) -> None:
    document = read(text)

    kind, message, standing, hint = fault_of(document)
    assert kind is FaultKind.INVALID_JSON
    assert message.startswith(f"invalid JSON: {cause} (line ")
    assert standing == at
    assert hint
    assert document.value is None


def test_the_message_has_the_position_inside_the_json() -> None:
    source = SourceText.of("a.md", "x\ny\n  {\n  1}")

    document = read_json(source, "{\n1}", 2)

    (fault,) = document.faults
    assert fault.message == "invalid JSON: a key without double quotes (line 2, column 1 of the JSON)"
    assert position(fault.place) == (4, 3)


def test_paired_and_escaped_surrogates_are_fair() -> None:
    assert read('["\\ud83d\\ude00", "\\\\ud83d"]').faults == ()


def test_a_duplicate_key_is_reported_and_the_last_one_counts() -> None:
    text = '{"a": 1, "b": {"c": 1, "c": 2}, "\\u0061": [3]}'
    document = read(text)

    assert document.value == {"a": [3], "b": {"c": 2}}
    assert [fault.kind for fault in document.faults] == [FaultKind.DUPLICATE_KEY] * 2
    assert [standing_at(text, fault.place) for fault in document.faults] == ['"c"', '"\\u0061"']
    assert [fault.pointer for fault in document.faults] == ["/b/c", "/a"]
    assert standing_at(text, document.place("/a")) == "[3]"


def test_a_duplicate_key_before_an_error_does_not_hide_it() -> None:
    kind, message, *_ = fault_of(read('{"a": 1, "a": 2, }'))

    assert kind is FaultKind.INVALID_JSON
    assert "a trailing comma" in message


def test_the_faults_of_one_document_are_bounded() -> None:
    document = read("{" + ",".join(['"a": 1'] * 1000) + "}")

    assert len(document.faults) == MOST_FAULTS


def test_json_may_nest_so_deep_and_no_deeper() -> None:
    fair = read("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    deep = read("[" * 10_000)

    assert fair.faults == ()
    kind, _, standing, _ = fault_of(deep)
    assert kind is FaultKind.TOO_DEEP
    assert standing == "["
    assert position(deep.faults[0].place) == (1, MAX_DEPTH + 1)


def test_brackets_in_strings_do_not_nest() -> None:
    assert read('["' + "[{" * 1000 + '\\"[[["]').faults == ()


YAML = """\
type: object
properties:
  x: {type: [string, "null"], default: "a: b"}   # a comment
  yes:
    enum: [no, 1, 2.5, ~, 2026-01-01, "1", 0x1F]
  text: |
    a
    b
"""


def test_yaml_is_read_as_json() -> None:
    document = read_as_yaml(YAML)

    assert document.faults == ()
    assert document.value == {
        "type": "object",
        "properties": {
            "x": {"type": ["string", "null"], "default": "a: b"},
            "yes": {"enum": ["no", 1, 2.5, None, "2026-01-01", "1", "0x1F"]},
            "text": "a\nb\n",
        },
    }


@pytest.mark.parametrize(
    ("pointer", "value", "key"),
    [
        ("/type", "object", "type"),
        ("/properties/x/type/1", '"null"', '"null"'),
        ("/properties/x/default", '"a: b"', "default"),
        ("/properties/yes/enum/2", "2.5", "2.5"),
        ("/properties/text", "|\n    a\n    b", "text"),
        ("/properties/nowhere", YAML[YAML.index("x:") :].rstrip(), "properties"),
    ],
)
def test_a_pointer_leads_to_its_place_in_yaml(pointer: str, value: str, key: str) -> None:
    document = read_as_yaml(YAML)

    assert standing_at(YAML, document.place(pointer)) == value
    assert standing_at(YAML, document.place(pointer, on_key=True)) == key


@pytest.mark.parametrize(
    ("text", "cause", "at"),
    [
        ("a: b: c", "a colon inside an unquoted string", ":"),
        ("a:\n\tb: 1", "a tab in the indentation", "\t"),
        ("a: `x`", "a string that begins with ``", "`"),
        ("a: 1\n---\nb: 2", "several documents in one block", "-"),
        ("a: *x", "an undefined alias", "*"),
        ("a: \x01", "a character that YAML does not allow", "\x01"),
        ("\U0001f600: [", "did not find", "["),
    ],
)
def test_invalid_yaml_is_reported_with_its_cause_and_place(text: str, cause: str, at: str) -> None:
    document = read_as_yaml(text)

    kind, message, standing, _ = fault_of(document)
    assert kind is FaultKind.INVALID_JSON
    assert message.startswith(f"invalid YAML: {cause}")
    assert standing == at


@pytest.mark.parametrize(
    ("text", "cause", "hint", "at"),
    [
        ("boat:\n  type object\n  properties: {}", "the line `type object` has no colon", "write `type: object`", "t"),
        ("boat:\n\n  type object\n\n  size: 1", "the line `type object` has no colon", "`type: object`", "t"),
        ("size: 1\nboat 2\nname: 3", "the line `boat 2` has no colon", "write `boat: 2`", "b"),
        ("size: 1\nrequired\n  - boat", "the line `required` has no colon", "write `required:`", "r"),
        ("size: 1\none of two\nname: 3", "the line `one of two` has no colon", "write `key: value`", "o"),
        ("boat: one\n  size: 2", "a key below a value", "indent it like the key above, or remove that value", ":"),
        ("- boat: one: two", "a colon inside an unquoted string", "put the text in double quotes", ":"),
    ],
)
def test_yaml_without_a_colon_where_one_is_due_is_explained(text: str, cause: str, hint: str, at: str) -> None:
    _, message, standing, advice = fault_of(read_as_yaml(text))

    assert message == f"invalid YAML: {cause}"
    assert hint in (advice or "")
    assert standing == at


def test_a_duplicate_key_in_yaml_is_reported_and_the_last_one_counts() -> None:
    text = "a: 1\nb:\n  c: 2\n  c: 3\n"
    document = read_as_yaml(text)

    assert document.value == {"a": 1, "b": {"c": 3}}
    assert position(document.faults[0].place) == (4, 3)
    assert position(document.place("/b/c")) == (4, 6)


@pytest.mark.parametrize(
    "text",
    [
        "&a [*a]",
        "a: &a {b: *a}",
        "[" * 200 + "]" * 200,
        "\n".join(" " * depth + "a:" for depth in range(200)),
        "a: &a [1,1]\n"
        + "\n".join(f"{new}: &{new} [*{old},*{old},*{old},*{old}]" for old, new in pairwise("abcdefghi")),
        "a: &a '" + "x" * 100_000 + "'\nb: [" + ",".join(["*a"] * 100) + "]",
        "x" * (MAX_LENGTH + 1),
        "[" + "1," * MAX_NODES + "]",
        "[" * 200_000,
    ],
)
def test_yaml_that_means_too_much_is_refused(text: str) -> None:
    document = read_as_yaml(text)

    assert [fault.kind for fault in document.faults] == [FaultKind.TOO_DEEP]
    assert document.value is None


def test_numbers_that_json_cannot_hold_are_texts_in_yaml() -> None:
    assert read_as_yaml("[.inf, .nan, 1e999]").value == [".inf", ".nan", "1e999"]


def test_an_aliased_value_is_placed_where_it_is_written() -> None:
    spans = yaml_spans("a: &x {b: 1}\nc: *x")

    assert spans["/c/b"] == spans["/a/b"]


def test_invalid_yaml_is_read_by_its_author_s_intent_with_exact_places() -> None:
    text = 'd: limit (default: 5)   \nn: #1\nu: http://a:1  # b\nb: |\n  x: y: z\nl:\n  - t: @a\nq: "s: t"\n'
    source = SourceText.of("a.md", text)

    document = read_loose_yaml(read_yaml(source, text))

    assert document.value == {
        "d": "limit (default: 5)",
        "n": "#1",
        "u": "http://a:1",
        "b": "x: y: z\n",
        "l": [{"t": "@a"}],
        "q": "s: t",
    }
    assert standing_at(text, document.place("/d")) == "limit (default: 5)"
    assert standing_at(text, document.place("/l/0/t")) == "@a"
    assert standing_at(text, document.place("/q")) == '"s: t"'


def test_half_a_surrogate_pair_is_not_yaml() -> None:
    (fault,) = read_as_yaml("a: \ud800").faults

    assert fault.kind is FaultKind.INVALID_JSON


@given(st.text())
def test_nothing_that_is_written_raises(text: str) -> None:
    for document in (read(text), read_as_yaml(text)):
        document.place("/a/0", on_key=True)

        assert document.value is None or not [f for f in document.faults if f.kind is not FaultKind.DUPLICATE_KEY]
