"""Sources: the forms that people can write, and the contracts that they contain."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.bundle import to_bundle
from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import (
    Contracts,
    Effects,
    ErrorType,
    Example,
    JsonValue,
    Migration,
    SchemaOrigin,
    SchemaPart,
    SpecFile,
    Status,
    ToolContract,
    ToolListFile,
)
from mcp_contracts.diagnostics import Place
from mcp_contracts.errors import SourceError, UsageError
from mcp_contracts.faults import FaultKind
from mcp_contracts.parsing.discovery import SPEC_NAME
from mcp_contracts.parsing.tool_entries import VERSION_KEY
from mcp_contracts.sources.documents import read_source
from mcp_contracts.sources.load import find_all, load
from mcp_contracts.sources.tool_lists import read_tool_list
from tests.tables import each
from tests.texts import position, standing_at

SPEC = "## Tool: `weather.get`\n\n**Version**: 1.0.0\n"
TOOL: JsonValue = {"name": "get", "description": "Gets.", "inputSchema": {"type": "object"}}
LIST = json.dumps({"tools": [TOOL]})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def standard_input(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """Provide standard input with this content."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), "utf-8"))


def listed(value: JsonValue, *, indent: int | None = None) -> ToolListFile:
    """Return a JSON value as a tool list."""
    return read_tool_list("tools.json", json.dumps(value, indent=indent))


# --- the four shapes ---


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        ({"tools": [TOOL]}, "/tools/0"),
        ([TOOL], "/0"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL], "nextCursor": None}}, "/result/tools/0"),
        ({"serverInfo": {"name": "weather"}, "tools": [TOOL]}, "/tools/0"),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_each_shape_of_a_tool_list_is_read_with_places(value: JsonValue, pointer: str, line_end: str) -> None:
    text = json.dumps(value, indent=2).replace("\n", line_end)

    read = read_tool_list("tools.json", text)

    (contract,) = read.contracts
    assert read.faults == ()
    assert (contract.name, contract.description, contract.input_schema) == ("get", "Gets.", {"type": "object"})
    assert contract.input is not None
    assert contract.input.origin is SchemaOrigin.SCHEMA
    assert standing_at(text, contract.place) == '"get"'
    assert standing_at(text, contract.place_of("description")) == '"Gets."'
    assert standing_at(text, contract.input.locator.place("/type")) == '"object"'
    assert standing_at(text, contract.place_of("input")).startswith("{")
    assert json.loads(standing_at(text, contract.place_of("extent"))) == TOOL


def test_a_server_that_gives_its_name_is_the_module() -> None:
    read = listed({"serverInfo": {"name": "weather"}, "tools": [TOOL]})

    assert (read.module, read.contracts[0].module) == ("weather", "weather")


@pytest.mark.parametrize(
    ("annotations", "effects", "idempotent"),
    [
        ({"readOnlyHint": True, "openWorldHint": False}, Effects("read-only", "closed-world"), None),
        ({"destructiveHint": False, "idempotentHint": True}, Effects("additive"), "yes"),
        ({"destructiveHint": True, "openWorldHint": True, "idempotentHint": False},
         Effects("destructive", "open-world"), "no"),
        ({"readOnlyHint": "yes"}, None, None),
        ({}, None, None),
        ("none", None, None),
    ],
)  # fmt: skip
def test_annotations_are_effects(annotations: JsonValue, effects: Effects | None, idempotent: str | None) -> None:
    (contract,) = listed([{"name": "get", "annotations": annotations}]).contracts

    assert (contract.effects, contract.idempotent) == (effects, idempotent)


@each(
    ("execution", "support", "fault"),
    [
        ({"taskSupport": "optional"}, "optional", None),
        ({"taskSupport": "required", "other": 1}, "required", None),
        ({"taskSupport": "forbidden"}, None, None),
        ({"taskSupport": None}, None, None),
        ({}, None, None),
        (None, None, None),
        ({"taskSupport": "Required"}, None, '`taskSupport` of `get` is "Required", not a value that MCP defines'),
        ({"taskSupport": ["optional"]}, None, '`taskSupport` of `get` is ["optional"], not a value that MCP defines'),
        ("optional", None, '`execution` of `get` is "optional", not an object'),
        ([], None, "`execution` of `get` is [], not an object"),
    ],
)
def test_an_execution_says_whether_a_tool_is_called_as_a_task(
    execution: JsonValue, support: str | None, fault: str | None
) -> None:
    file = listed({"tools": [{"name": "get", "inputSchema": {"type": "object"}, "execution": execution}]})

    assert [contract.task_support for contract in file.contracts] == [support]
    assert [(one.kind, one.message) for one in file.faults] == (
        [] if fault is None else [(FaultKind.INVALID_TOOL_LIST, fault)]
    )


@pytest.mark.parametrize(
    ("meta", "version"),
    [
        ({VERSION_KEY: "1.2.0"}, "1.2.0"),
        ({"fastmcp": {"version": "2"}}, "2"),
        ({"_fastmcp": {"version": 2}}, None),
        (1, None),
    ],
)
def test_a_version_may_be_in_the_meta_of_a_tool(meta: JsonValue, version: str | None) -> None:
    (contract,) = listed([{"name": "get", "_meta": meta}]).contracts

    assert contract.version == version


@pytest.mark.parametrize(
    ("tool", "title"),
    [
        ({"title": "Get"}, "Get"),
        ({"annotations": {"title": "Get"}}, "Get"),
        ({"title": "A", "annotations": {"title": "B"}}, "A"),
    ],
)
def test_a_title_is_in_the_tool_or_its_annotations(tool: dict[str, JsonValue], title: str) -> None:
    (contract,) = listed([{"name": "get", **tool}]).contracts

    assert contract.title == title


@each(
    ("text", "kind", "message", "written"),
    [
        (
            "{",
            FaultKind.INVALID_JSON,
            "invalid JSON: the text ends before the JSON does (line 1, column 1 of the JSON)",
            "{",
        ),
        ("", FaultKind.INVALID_JSON, "invalid JSON: the text is empty (line 1, column 1 of the JSON)", ""),
        ("null", FaultKind.INVALID_TOOL_LIST, "the file contains `null` instead of tools", "null"),
        ("3", FaultKind.INVALID_TOOL_LIST, "the file contains no list of tools", "3"),
        ('{"a": 1}', FaultKind.INVALID_TOOL_LIST, "the file contains no list of tools", '{"a": 1}'),
        ('{"tools": {}}', FaultKind.INVALID_TOOL_LIST, "`tools` is not an array", "{}"),
        (
            '{"jsonrpc": "2.0", "error": {}}',
            FaultKind.INVALID_TOOL_LIST,
            "the file contains a JSON-RPC error, not a list of tools",
            "{}",
        ),
        ("[1]", FaultKind.INVALID_TOOL_LIST, "tool 1 is not an object", "1"),
        ('[{"a": 1}]', FaultKind.INVALID_TOOL_LIST, "tool 1 has no `name`", '{"a": 1}'),
        ('[{"name": 1}]', FaultKind.INVALID_TOOL_LIST, "the `name` of tool 1 is not a string", "1"),
        ('[{"name": ""}]', FaultKind.INVALID_TOOL_LIST, "the `name` of tool 1 is empty", '""'),
        ('[{"name": "a", "description": 1}]', FaultKind.INVALID_TOOL_LIST, "`description` of `a` is not a string", "1"),
        (
            '[{"name": "a", "inputSchema": "x"}]',
            FaultKind.INVALID_TOOL_LIST,
            "`inputSchema` of `a` is not a JSON Schema",
            '"x"',
        ),
        (
            '[{"name": "a", "name": "b"}]',
            FaultKind.DUPLICATE_KEY,
            "the key `name` appears twice in one object, and only the last one counts",
            '"name"',
        ),
        (
            '{"format": "mcp-contracts/bundle", "version": 2, "tools": []}',
            FaultKind.INVALID_TOOL_LIST,
            "the version of the bundle is not supported, expected 1",
            "2",
        ),
        (
            '{"format": "mcp-contracts/bundle", "version": 1, "tools": [{"name": "a", "security": []}]}',
            FaultKind.INVALID_TOOL_LIST,
            "`security` of `a` is not a string",
            "[]",
        ),
        ("[" * 10_000, FaultKind.TOO_DEEP, "the JSON is nested more than 128 levels deep", "["),
    ],
)
def test_what_is_wrong_with_a_tool_list_is_reported_and_placed(
    text: str, kind: FaultKind, message: str, written: str
) -> None:
    read = read_tool_list("tools.json", text)

    (fault,) = read.faults
    assert (fault.kind, fault.message) == (kind, message)
    assert standing_at(text, fault.place) == written


def test_one_bad_tool_does_not_hide_the_others() -> None:
    read = listed([1, TOOL, {"name": None}, {"name": "b", "inputSchema": []}])

    assert [contract.name for contract in read.contracts] == ["get", "b"]
    assert len(read.faults) == 3


def test_a_null_schema_is_left_to_the_rules() -> None:
    read = listed([{"name": "a", "inputSchema": None, "outputSchema": True}])

    assert read.faults == ()
    assert (read.contracts[0].input, read.contracts[0].output_schema) == (None, True)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.sampled_from(["a", "get", ""]),
        lambda inner: st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["tools", "result", "name", "description", "inputSchema", "annotations", "_meta", "errors", "status",
                 "format", "version", "jsonrpc", "error", "serverInfo", "examples", "kind", "effects", "tags"]
            ),
            inner,
            max_size=5,
        ),
        max_leaves=25,
    )
)  # fmt: skip
def test_no_json_can_stop_the_reader(value: JsonValue) -> None:
    forms: tuple[JsonValue, ...] = (value, {"format": "mcp-contracts/bundle", "version": 1, "tools": [value]})
    for form in forms:
        read = listed(form, indent=1)

        assert all(position(place) > (0, 0) for contract in read.contracts for place in contract.places.values())


# --- the bundle ---


class Nowhere:
    """A locator for values without a file."""

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        """Return the same place for everything."""
        return Place("", 1, 1, 1, 1)


WORDS = st.text(max_size=8)
SCHEMAS: st.SearchStrategy[JsonValue] = st.booleans() | st.dictionaries(
    WORDS, st.none() | WORDS | st.lists(WORDS), max_size=3
)
EXAMPLES = st.builds(
    Example,
    st.sampled_from(["call", "result", "arguments", "data"]),
    st.none() | st.dictionaries(WORDS, st.integers()),
    st.just(Nowhere()),
)
CONTRACTS = st.builds(
    ToolContract,
    name=st.text(min_size=1, max_size=8),
    place=st.just(Place("", 1, 1, 1, 1)),
    module=st.none() | WORDS,
    source_name=st.none() | WORDS,
    title=st.none() | WORDS,
    version=st.none() | WORDS,
    description=WORDS,
    status=st.none() | st.builds(Status, WORDS, st.none() | WORDS, st.none() | WORDS, st.none() | WORDS),
    effects=st.none()
    | st.builds(
        Effects,
        st.sampled_from([None, "read-only", "additive", "destructive"]),
        st.sampled_from([None, "open-world", "closed-world"]),
        st.just(("odd",)),
    ),
    category=st.none() | WORDS,
    tags=st.lists(WORDS, max_size=2).map(tuple),
    optional=st.none() | st.booleans(),
    use_when=st.none() | WORDS,
    channels=st.lists(WORDS, max_size=2).map(tuple),
    input=st.none() | st.builds(SchemaPart, st.just("input"), SCHEMAS, st.just(SchemaOrigin.TABLE), st.just(Nowhere())),
    output=st.none()
    | st.builds(SchemaPart, st.just("output"), SCHEMAS, st.just(SchemaOrigin.TABLE), st.just(Nowhere())),
    errors=st.lists(st.builds(ErrorType, WORDS, WORDS, st.just(Place("", 1, 1, 1, 1))), max_size=2).map(tuple),
    idempotent=st.sampled_from([None, "yes", "no", "conditional"]),
    security=st.none() | WORDS,
    examples=st.lists(EXAMPLES, max_size=2).map(tuple),
    migrations=st.lists(st.builds(Migration, WORDS, WORDS), max_size=2).map(tuple),
)


@given(st.lists(CONTRACTS, max_size=3))
def test_a_bundle_comes_back_as_it_went(contracts: list[ToolContract]) -> None:
    bundle = to_bundle(
        Contracts((SpecFile("a.md", "", tools=()), ToolListFile("a.json", "", contracts=tuple(contracts))))
    )

    read = read_tool_list("bundle.json", json.dumps(bundle))

    assert read.faults == ()
    assert to_bundle(Contracts((read,))) == bundle


def test_statements_of_a_bundle_have_places() -> None:
    text = '{"format": "mcp-contracts/bundle", "version": 1, "tools": [{"name": "a.b", "idempotent": "yes", "effects": {"change": "additive"}, "input_schema": {}, "errors": [{"type": "E", "when": "w"}], "examples": [{"kind": "call", "value": {"x": 1}}]}]}'  # fmt: skip  # noqa: E501 (a text with exact columns)

    (contract,) = read_tool_list("bundle.json", text).contracts

    assert standing_at(text, contract.place_of("idempotency")) == '"yes"'
    assert standing_at(text, contract.place_of("effects")) == '{"change": "additive"}'
    assert standing_at(text, contract.place_of("input")) == "{}"
    assert standing_at(text, contract.errors[0].place) == '{"type": "E", "when": "w"}'
    assert standing_at(text, contract.examples[0].locator.place("/x")) == "1"


# --- load ---


@pytest.mark.usefixtures("folder")
def test_every_kind_of_source_is_loaded() -> None:
    Path("specs/a").mkdir(parents=True)
    Path(f"specs/a/{SPEC_NAME}").write_text(SPEC)
    Path("notes.md").write_text(SPEC.replace("weather", "notes"))
    Path("tools.json").write_text(LIST)
    Path("list.txt").write_text(f"\ufeff  {LIST}")
    Path("bundle.json").write_text(json.dumps(to_bundle(load("specs"))))

    contracts = load(["specs", "notes.md", Path("tools.json"), "list.txt", "bundle.json"])

    assert [contract.name for contract in contracts] == ["weather.get", "notes.get", "get", "get", "weather.get"]
    assert [file.path for file in contracts.files] == [
        f"specs/a/{SPEC_NAME}", "notes.md", "tools.json", "list.txt", "bundle.json",
    ]  # fmt: skip
    assert contracts["notes.get"].version == "1.0.0"
    assert contracts.faults == ()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("content", "kind"), [(SPEC.encode(), SpecFile), (f"\n {LIST}".encode(), ToolListFile)])
def test_standard_input_is_known_by_its_content(content: bytes, kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    standard_input(monkeypatch, content)

    (file,) = load("-").files

    assert isinstance(file, kind)
    assert file.path == "<stdin>"
    assert len(file.contracts) == 1


@pytest.mark.usefixtures("folder")
def test_standard_input_has_a_limit_and_may_be_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    standard_input(monkeypatch, b"x" * 100)
    large = load("-", max_file_size=10)
    standard_input(monkeypatch, b"\xff")
    binary = load("-")

    assert [fault.kind for fault in large.faults] == [FaultKind.OVERSIZED]
    assert [fault.kind for fault in binary.faults] == [FaultKind.UNREADABLE]


@pytest.mark.usefixtures("folder")
def test_a_file_named_like_standard_input_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("./-").write_text(LIST)
    standard_input(monkeypatch, SPEC.encode())

    contracts = load(["./-", "-"])

    assert [contract.name for contract in contracts] == ["get", "weather.get"]


@pytest.mark.usefixtures("folder")
def test_a_file_that_is_named_twice_is_read_once() -> None:
    Path("a").mkdir()
    Path(f"a/{SPEC_NAME}").write_text(SPEC)

    contracts = load(["a", f"a/{SPEC_NAME}", f"./a/../a/{SPEC_NAME}", str(Path("a").absolute())])

    assert len(contracts.files) == 1


@pytest.mark.usefixtures("folder")
def test_names_with_spaces_and_without_utf_8_are_fair() -> None:
    for name in (b"a b.md", b"\xff.md", b"\xfe.md"):
        Path(os.fsdecode(name)).write_text(SPEC)

    contracts = load([os.fsdecode(name) for name in (b"a b.md", b"\xff.md", b"\xfe.md")])

    assert [file.path for file in contracts.files] == ["a b.md", "\ufffd.md", "\ufffd.md"]


@pytest.mark.usefixtures("folder")
def test_an_unreadable_file_is_a_fault_and_the_others_are_read() -> None:
    Path("a.md").write_bytes(b"\xff")
    Path("b.json").write_bytes(b"\xff")
    os.mkfifo("c.md")
    Path("d.json").write_text(" " * 100 + LIST)
    Path("e.md").write_text(SPEC)

    contracts = load(["a.md", "b.json", "c.md", "d.json", "e.md"], max_file_size=100)

    assert [type(file) for file in contracts.files] == [SpecFile, ToolListFile, SpecFile, ToolListFile, SpecFile]
    assert [fault.kind for fault in contracts.faults] == [
        FaultKind.UNREADABLE, FaultKind.UNREADABLE, FaultKind.UNREADABLE, FaultKind.OVERSIZED,
    ]  # fmt: skip
    assert [contract.name for contract in contracts] == ["weather.get"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("nowhere.md", "`nowhere.md`: no such file or directory"),
        ("", "a source is empty"),
        ("a\0b", "a path cannot contain a null character"),
        ("x" * 300, f"`{'x' * 300}`: file name too long"),
        ("stdio:", "`stdio:` has no command"),
        ("python:package", "no module named `package` here or in `src/`"),
    ],
)
def test_a_source_that_cannot_be_had_is_refused_with_a_way_out(source: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(source)

    assert caught.value.message == message


@pytest.mark.usefixtures("folder")
def test_a_wrong_source_is_refused_before_the_first_is_read() -> None:
    Path("a.md").write_text(SPEC)

    with pytest.raises(UsageError):
        next(find_all(["a.md", "nowhere"]))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("sources", [".", []])
def test_nothing_to_read_is_an_error(sources: str | list[str]) -> None:
    with pytest.raises(SourceError):
        load(sources)


@pytest.mark.parametrize(
    ("path", "text", "kind"),
    [
        ("a.json", "# not JSON", ToolListFile),
        ("A.JSON", "[]", ToolListFile),
        ("a.md", "[not](a list)", SpecFile),
        ("a.markdown", "{}", SpecFile),
        ("a", "\ufeff\n[]", ToolListFile),
        ("a", "# words", SpecFile),
        ("<stdin>", "{", ToolListFile),
    ],
)
def test_a_source_is_known_by_its_name_or_its_first_character(path: str, text: str, kind: type) -> None:
    assert isinstance(read_source(path, text), kind)


def test_a_schema_under_another_interface_s_name_is_one_fault_with_the_right_name() -> None:
    text = '[{"name": "get", "description": "Gets one thing by its name.", "input_schema": {"type": "object"}}]'

    found = [(one.code, one.message) for one in lint(Contracts((read_source("tools.json", text),))).shown()]

    assert found == [
        ("MC008", "`input_schema` of `get` is named `inputSchema` in MCP, and clients only read that name")
    ]
