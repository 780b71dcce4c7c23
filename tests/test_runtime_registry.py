"""The content of a registry: contracts and functions, added and removed, in versions, by channel, listed and called."""

from __future__ import annotations

import asyncio
import functools
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts import (
    CallContext,
    Effects,
    MCPToolResult,
    RegisteredTool,
    ToolContext,
    ToolContract,
    ToolRegistry,
    ToolsChanged,
    UsageError,
    load,
)
from mcp_contracts.contract import Placeholder, Status
from mcp_contracts.diagnostics import Place
from tests.repositories import PATH, commit, git, isolate, new_repository, spec, tool, write
from tests.runtime_tools import (
    NAME,
    both_ways,
    bundled,
    call_of,
    closed,
    contract,
    details_of,
    error_type,
    message_of,
    nothing,
    registry_of,
    require_valid,
    run,
    write_bundle,
)

_VERSIONS = ("1.0.0", "1.2.0", "2.0.0")


def _versioned(*versions: str | None) -> ToolRegistry:
    return ToolRegistry([contract(version=version) for version in versions])


def _saying(text: str) -> Any:
    async def say(**_: Any) -> dict[str, str]:
        return {"said": text}

    return say


def _said(registry: ToolRegistry, **options: Any) -> str:
    """Return the result of both ways to call, which must be the same."""
    first, second = both_ways(registry, call_of(), **options)
    assert first == second
    assert first.data is not None, first
    return str(first.data["said"])


# Sources


def test_a_registry_is_loaded_from_a_bundle(tmp_path: Path) -> None:
    path = write_bundle(tmp_path / "bundle.json", bundled(version="1.0.0"), bundled("notes.find"))

    registry = ToolRegistry(load(path))

    assert list(registry) == ["notes.add", "notes.find"]
    assert len(registry) == 2
    assert "notes.add" in registry
    assert "notes.nothing" not in registry
    assert [one.version for one in registry.versions("notes.add")] == ["1.0.0"]
    assert registry.versions("notes.nothing") == ()
    assert repr(registry) == "ToolRegistry(None, 2 tools)"


def test_from_specs_reads_a_source_with_the_settings_of_the_registry(tmp_path: Path) -> None:
    path = write(tmp_path / "MCP_TOOL_SPECIFICATION.md", spec(tool()))

    registry = ToolRegistry.from_specs(path, deadline=0.02)
    registry.implement("notes.find")(lambda words, limit=10: {"notes": [words]})

    assert registry.call(call_of("notes.find", words="milk")).data == {"notes": ["milk"]}


def test_a_source_with_a_fault_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "MCP_TOOL_SPECIFICATION.md", spec(tool()).replace('"words": {', '"words": [', 1))

    with pytest.raises(UsageError) as caught:
        ToolRegistry(load(path))

    assert caught.value.hint is not None
    assert "lint" in caught.value.hint


def test_a_contract_whose_schema_is_not_valid_is_refused() -> None:
    for part in ("input", "output"):
        schemas = {f"{part}_schema": {"type": "objekt"}}

        with pytest.raises(UsageError, match=f"the {part} schema of `notes.add` cannot be used"):
            ToolRegistry([contract(**schemas)])  # type: ignore[arg-type]


def test_versions_from_several_revisions_are_loaded_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path, tmp_path)
    monkeypatch.chdir(new_repository(tmp_path / "repository"))
    for version in ("1.0.0", "1.3.0", "2.0.0"):
        write(PATH, spec(tool(version=version)))
        commit()
        git("tag", f"v{version}")
    write(PATH, spec(tool(version="3.0.0")))

    registry = ToolRegistry(load("specs/"))
    for version in ("1.0.0", "1.3.0", "2.0.0"):
        registry.add(load(f"git:v{version}:specs/"))

    @registry.implement("notes.find", version="^1")
    def find_as_before(words: str, limit: int = 10) -> dict[str, list[str]]:
        return {"notes": [f"old {words}"]}

    @registry.implement("notes.find", version=">=2")
    async def find(words: str, limit: int = 10) -> dict[str, list[str]]:
        return {"notes": [f"new {words}"]}

    asked: dict[str | None, str] = {None: "new", "^1": "old", "1.0.x": "old", "2": "new", ">=1.3 <3": "new"}
    assert [one.version for one in registry.versions("notes.find")] == ["3.0.0", "2.0.0", "1.3.0", "1.0.0"]
    for wanted, word in asked.items():
        for result in both_ways(registry, call_of("notes.find", words="milk"), version=wanted):
            assert result.data == {"notes": [f"{word} milk"]}
    for result in both_ways(registry, call_of("notes.find", words="milk"), version="^4"):
        assert error_type(result) == "ResourceNotFound"
        assert message_of(result).endswith("available: `3.0.0`, `2.0.0`, `1.3.0`, `1.0.0`")
        assert details_of(result)["versions"] == ["3.0.0", "2.0.0", "1.3.0", "1.0.0"]


# Versions


def test_the_newest_version_with_a_function_answers_by_default() -> None:
    registry = _versioned(*_VERSIONS)
    registry.implement(NAME, version="1.0.0")(_saying("one"))
    assert _said(registry) == "one"

    registry.implement(NAME, version="1.2.0")(_saying("two"))
    assert _said(registry) == "two"
    assert [one.version for one in registry.tools()] == ["1.2.0"]

    registry.implement(NAME)(_saying("newest"))
    assert _said(registry) == "newest"
    assert _said(registry, version="^1") == "two"


def test_a_range_is_served_by_a_version_with_a_function_before_a_newer_one_without() -> None:
    registry = _versioned(*_VERSIONS)
    registry.implement(NAME, version="1.0.0")(_saying("one"))

    assert _said(registry, version="1.x") == "one"
    for result in both_ways(registry, call_of(), version="2"):
        assert message_of(result) == "`notes.add` 2.0.0 has a contract, but no function"


@pytest.mark.parametrize("version", ["", "newest", "1.2.3.4", "^", "x" * 1_000])
def test_a_version_that_is_not_a_range_is_refused(version: str) -> None:
    registry = _versioned("1.0.0")

    with pytest.raises(UsageError):
        registry.implement(NAME, version=version)
    for result in both_ways(registry, call_of(), version=version):
        assert error_type(result) == "ValidationError"
        assert "version" in message_of(result)


def test_a_tool_without_a_version_is_any_version_and_none() -> None:
    registry = _versioned(None)
    registry.implement(NAME)(_saying("it"))

    assert _said(registry) == "it"
    assert _said(registry, version="*") == "it"
    for result in both_ways(registry, call_of(), version="^1"):
        assert "available: `unversioned`" in message_of(result)


def test_the_same_again_is_passed_over_and_something_else_refused() -> None:
    registry = _versioned("1.0.0")
    registry.implement(NAME)(_saying("it"))
    other = contract(closed("text", text={"type": "string"}), version="1.0.0")
    told: list[ToolsChanged] = []
    registry.on_change(told.append)

    registry.add([contract(version="1.0.0", description="In other words.")])
    assert _said(registry) == "it"
    with pytest.raises(UsageError, match=r"two contracts are named `notes\.add` 1\.0\.0") as caught:
        registry.add([contract(name="notes.new"), other])

    assert "replace=True" in str(caught.value.hint)
    assert "notes.new" not in registry
    assert told == []


def test_a_contract_that_is_replaced_needs_its_function_again() -> None:
    registry = _versioned("1.0.0")
    registry.implement(NAME)(_saying("it"))

    registry.add([contract(closed(), version="1.0.0")], replace=True)

    assert registry.call(call_of()).error is not None
    registry.implement(NAME)(_saying("another"))
    assert _said(registry) == "another"


def test_a_tool_that_is_described_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="described twice"):
        ToolRegistry([contract(version="1.0.0"), contract(version="1.0.0")])


# Names


def test_a_name_without_a_dot_gets_that_of_its_module() -> None:
    registry = ToolRegistry([contract(name="getForecast", module="Weather API"), contract(name="Add-Note")])

    assert list(registry) == ["tools.add_note", "weather_api.getforecast"]
    forecast, note = registry.versions("weather_api.getforecast")[0], registry.versions("tools.add_note")[0]
    assert (forecast.source_name, note.source_name) == ("getForecast", "Add-Note")


def test_two_tools_that_would_get_one_name_are_refused() -> None:
    with pytest.raises(UsageError, match=r"two tools get the name `a\.b_c`"):
        ToolRegistry([contract(name="a.b-c"), contract(name="a.b c")])
    registry = ToolRegistry([contract(name="a.b-c", version="1.0.0")])
    with pytest.raises(UsageError, match=r"would both be `a\.b_c`"):
        registry.add([contract(name="a.b c", version="2.0.0")])


# Functions


class _Counter:
    def __init__(self) -> None:
        self.count = 0

    def add(self, text: str) -> dict[str, Any]:
        self.count += 1
        return {"said": text}

    async def __call__(self, text: str) -> dict[str, Any]:
        self.count += 1
        return {"said": text}

    @staticmethod
    def say(text: str) -> dict[str, Any]:
        return {"said": text}


def _prefixed(prefix: str, text: str) -> dict[str, str]:
    return {"said": prefix + text}


@pytest.mark.parametrize(
    "function",
    [
        _Counter().add,
        _Counter(),
        _Counter.say,
        functools.partial(_prefixed, ""),
        functools.partial(_prefixed, prefix=""),
        lambda text: {"said": text},
        lambda **given: {"said": given["text"]},
    ],
)
def test_any_callable_is_a_function(function: Any) -> None:
    registry = registry_of(function, closed("text", text={"type": "string"}))

    for result in both_ways(registry, call_of(text="milk")):
        assert require_valid(result).data == {"said": "milk"}


def test_a_decorated_function_stays_what_it_is() -> None:
    registry = _versioned("1.0.0")

    def say() -> dict[str, str]:
        return {"said": "it"}

    assert registry.implement(NAME)(say) is say


def test_a_function_that_cannot_take_what_the_contract_declares_is_refused() -> None:
    registry = ToolRegistry([contract(closed("text", text={"type": "string"}))])

    with pytest.raises(UsageError, match="declares the property `text`"):
        registry.implement(NAME)(lambda words="": {})
    with pytest.raises(UsageError, match="is required"):
        registry.implement(NAME)(lambda text, more: {})
    assert error_type(registry.call(call_of(text="a"))) == "ToolExecutionError"


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("notes.ad", {}, "unknown tool `notes.ad`"),
        ("add", {}, "unknown tool `add`; did you mean `notes.add`"),
        (NAME, {"version": "^3"}, "no version of `notes.add` matches `^3`"),
        (NAME, {"deadline": 0}, "leaves no time"),
        (NAME, {"deadline": float("nan")}, "leaves no time"),
    ],
)
def test_a_mistake_is_reported_at_the_decorator(name: str, options: Any, message: str) -> None:
    registry = _versioned("1.0.0")

    with pytest.raises(UsageError) as caught:
        registry.implement(name, **options)

    assert message in str(caught.value)
    assert caught.value.hint


def test_a_second_function_is_refused() -> None:
    registry = _versioned("1.0.0", "1.1.0")
    registry.implement(NAME, version="1.0.0")(_saying("first"))

    with pytest.raises(UsageError, match=r"`notes.add` 1.0.0 already has a function"):
        registry.implement(NAME, version="^1")(_saying("second"))

    assert _said(registry) == "first"  # and the other version got none of it


# Channels


def test_the_channel_chooses_the_function() -> None:
    registry = ToolRegistry([contract(channels=("sms", "mail", "fax"))])
    registry.implement(NAME, channel="sms")(_saying("sms"))
    registry.implement(NAME, channel="mail")(_saying("mail"))

    assert _said(registry, context=CallContext(channel="sms")) == "sms"
    assert _said(registry, context=CallContext(channel="mail")) == "mail"
    for context in (CallContext(channel="fax"), CallContext(), None):
        for result in both_ways(registry, call_of(), context=context):
            assert error_type(result) == "ResourceNotFound"
            assert details_of(result)["channels"] == ["mail", "sms"]

    registry.implement(NAME)(_saying("default"))
    assert _said(registry, context=CallContext(channel="fax")) == "default"
    assert _said(registry) == "default"
    assert _said(registry, context=CallContext(channel="sms")) == "sms"


def test_a_channel_that_the_contract_does_not_name_is_refused() -> None:
    registry = ToolRegistry([contract(channels=("sms",))])

    with pytest.raises(UsageError, match="has no channel `mail`"):
        registry.implement(NAME, channel="mail")(_saying("mail"))
    registry.implement(NAME, channel="sms")(_saying("sms"))
    with pytest.raises(UsageError, match="already has a function for the channel `sms`"):
        registry.implement(NAME, channel="sms")(_saying("again"))


# Listing


def test_tools_are_listed_by_what_their_contracts_say() -> None:
    registry = ToolRegistry(
        [
            contract(name="a.one", category="notes", tags=("x", "y"), status=Status("stable"), optional=True),
            contract(name="a.two", category="mail", tags=("y",), status=Status("deprecated"), channels=("sms",)),
            contract(name="a.three", optional=False),
        ]
    )
    registry.implement("a.two", channel="sms")(_saying("sms"))
    registry.implement("a.three")(_saying("any"))

    def names(**filters: Any) -> list[str]:
        return [one.name for one in registry.tools(**filters)]

    assert names() == ["a.one", "a.three", "a.two"]
    assert names(category="notes") == ["a.one"]
    assert names(tag="y") == ["a.one", "a.two"]
    assert names(tag="y", category="mail") == ["a.two"]
    assert names(status="deprecated") == ["a.two"]
    assert names(optional=True) == ["a.one"]
    assert names(optional=False) == ["a.three", "a.two"]
    assert names(channel="sms") == ["a.three", "a.two"]
    assert names(channel="mail") == ["a.three"]
    assert names(category="nothing") == []


# Changes


def test_those_who_watch_are_reported_of_tools_that_come_and_go() -> None:
    registry = ToolRegistry()
    told: list[ToolsChanged] = []
    stop = registry.on_change(told.append)

    registry.add([contract(name="b.two"), contract(name="a.one", version="1.0.0")])
    registry.add([contract(name="a.one", version="2.0.0")])
    registry.remove("a.one", "1.0.0")
    registry.remove("a.one")
    registry.add([])
    stop()
    registry.remove("b.two")

    assert told == [
        ToolsChanged(added=("a.one", "b.two")),
        ToolsChanged(added=("a.one",)),
        ToolsChanged(removed=("a.one",)),
        ToolsChanged(removed=("a.one",)),
    ]
    assert list(registry) == []


def test_one_who_watches_may_change_the_registry() -> None:
    registry = ToolRegistry()

    def follow(change: ToolsChanged) -> None:
        for name in change.added:
            registry.implement(name)(_saying(name))
        if "a.one" in change.added:
            registry.add([contract(name="a.two")])
            raise RuntimeError("no more")

    registry.on_change(follow)

    registry.add([contract(name="a.one")])

    assert registry.call(call_of("a.two")).data == {"said": "a.two"}


def test_what_is_not_there_cannot_be_removed() -> None:
    registry = _versioned("1.0.0")

    with pytest.raises(UsageError, match=r"unknown tool `notes.ad`; did you mean `notes.add`"):
        registry.remove("notes.ad")
    with pytest.raises(UsageError, match=r"`notes.add` has no version `2.0.0`"):
        registry.remove(NAME, "2.0.0")


def test_a_call_on_its_way_continues_when_its_tool_is_removed() -> None:
    registry = ToolRegistry([contract()])

    async def ask() -> tuple[MCPToolResult, MCPToolResult]:
        gone = asyncio.Event()

        @registry.implement(NAME)
        async def wait() -> dict[str, str]:
            await gone.wait()
            return {"said": "it"}

        task = asyncio.create_task(registry.acall(call_of()))
        await asyncio.sleep(0)
        registry.remove(NAME)
        gone.set()
        return await task, await registry.acall(call_of())

    first, second = run(ask())

    assert first.data == {"said": "it"}
    assert error_type(second) == "ResourceNotFound"


def test_tools_come_and_go_in_one_thread_while_others_call() -> None:
    registry = ToolRegistry([contract(name="a.stays")])
    registry.implement("a.stays")(_saying("it"))
    done = threading.Event()

    def change() -> None:
        for number in range(200):
            registry.add([contract(name="a.comes")])
            registry.implement("a.comes")(_saying(str(number)))
            registry.remove("a.comes")
        done.set()

    def ask() -> set[str]:
        seen = set()
        while not done.is_set():
            assert registry.call(call_of("a.stays")).data == {"said": "it"}
            result = registry.call(call_of("a.comes"))
            seen.add("answered" if result.error is None else error_type(result))
            list(registry), registry.tools()
        return seen

    with ThreadPoolExecutor(4) as pool:
        asking = [pool.submit(ask) for _ in range(3)]
        pool.submit(change).result(30)

    seen = set().union(*(one.result() for one in asking))
    assert seen <= {"answered", "ResourceNotFound", "ToolExecutionError"}


# Tools of functions


def test_a_tool_is_created_from_only_a_function() -> None:
    registry = ToolRegistry()

    @registry.tool(
        name="notes.add",
        version="1.0.0",
        status="stable",
        category="notes",
        tags=["a"],
        effects=Effects(change="additive"),
        optional=True,
    )
    async def add(text: str, day: date | None = None, *, context: ToolContext) -> dict[str, Any]:
        """Add a note.

        Args:
            text: What it says.
            day: When it is due.
        """
        return {"text": text, "due": day, "by": context.call.caller}

    (only,) = registry.tools(status="stable", category="notes", tag="a", optional=True)
    assert (only.name, only.version, only.description) == ("notes.add", "1.0.0", "Add a note.")
    assert isinstance(only.input_schema, dict)
    assert isinstance(only.input_schema["properties"], dict)
    assert set(only.input_schema["properties"]) == {"text", "day"}
    for result in both_ways(registry, call_of(text="milk", day="2026-01-01"), context=CallContext(caller="ada")):
        assert require_valid(result).data == {"text": "milk", "due": "2026-01-01", "by": "ada"}
    for result in both_ways(registry, call_of(text="milk", day="tomorrow")):
        assert error_type(result) == "ValidationError"
    with pytest.raises(UsageError):
        registry.tool(name="notes.add", version="1.0.0")(nothing)


def test_a_tool_of_a_function_is_called_like_it() -> None:
    registry = ToolRegistry()

    @registry.tool(name="notes.add")
    def add(text: str, day: date | None = None) -> str:
        """Add a note."""
        return f"{text} {day}"

    assert isinstance(add.tool, RegisteredTool)
    assert add.call("milk", date(2026, 1, 1)).data == {"result": "milk 2026-01-01"}
    assert add.call(text="milk").data == {"result": "milk None"}
    assert run(add.acall("milk")).data == {"result": "milk None"}
    assert error_type(add.call(text=5)) == "ValidationError"  # type: ignore[arg-type]
    assert error_type(add.call(text=object())) == "ValidationError"  # type: ignore[arg-type]


def test_a_tool_is_called_by_its_name() -> None:
    registry = registry_of(lambda **given: given)
    found = registry[NAME]

    assert found.contract.name == NAME
    assert found(day=date(2026, 1, 1)).data == {"day": "2026-01-01"}
    assert run(found.acall(a=[1])).data == {"a": [1]}
    assert found(self=1, args=2).data == {"self": 1, "args": 2}
    with pytest.raises(KeyError):
        registry["notes.nothing"]
    with pytest.raises(TypeError, match="only keyword arguments"):
        found("milk")
    assert "notes.add" in repr(found)


# Settings


@pytest.mark.parametrize("deadline", [0, -1, float("nan")])
def test_a_deadline_that_leaves_no_time_is_refused(deadline: float) -> None:
    with pytest.raises(UsageError, match="leaves no time"):
        ToolRegistry(deadline=deadline)


def test_at_least_one_call_runs_at_once() -> None:
    registry = ToolRegistry()

    with pytest.raises(UsageError, match="at least 1"):
        run(registry.acall_many([call_of()], concurrency=0))


# Misuse


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"deadline": "5"}, "a deadline must be a number of seconds, not '5'"),
        ({"errors": [KeyError]}, "`errors` is not a mapping"),
        ({"errors": {KeyError: 3}}, "`errors` maps <class 'KeyError'> to 3"),
        ({"errors": {KeyError: ""}}, "`errors` maps <class 'KeyError'> to ''"),
        ({"errors": {"KeyError": "Gone"}}, "`errors` maps 'KeyError' to 'Gone'"),
        ({"errors": {KeyboardInterrupt: "Stopped"}}, "`errors` maps <class 'KeyboardInterrupt'> to 'Stopped'"),
    ],
)
def test_settings_that_no_call_could_use_are_refused_at_once(settings: dict[str, Any], message: str) -> None:
    for refuse in (
        lambda: ToolRegistry(**settings),
        lambda: ToolRegistry([contract()]).implement(NAME, **settings)(nothing),
        lambda: ToolRegistry().tool(nothing, name="notes.none", **settings),
    ):
        with pytest.raises(UsageError) as caught:
            refuse()

        assert caught.value.message == message
        assert caught.value.hint


def test_path_in_the_place_of_contracts_is_refused_with_the_way_to_load_it() -> None:
    for path in ("specs/", Path("specs")):
        with pytest.raises(UsageError) as caught:
            ToolRegistry(path)  # type: ignore[arg-type]

        assert "from_specs" in str(caught.value.hint)


def test_implement_without_a_name_says_how_to_write_it() -> None:
    with pytest.raises(UsageError) as caught:
        ToolRegistry([contract()]).implement(nothing)  # type: ignore[arg-type]

    assert "@registry.implement(" in str(caught.value.hint)


def test_a_tool_of_a_registry_is_not_a_function_for_another_tool() -> None:
    registry = ToolRegistry([contract()])
    registry.tool(nothing, name="notes.none")

    for again in (registry.implement(NAME), registry.tool(name="notes.other")):
        with pytest.raises(UsageError, match=r"`notes\.none` is already a tool"):
            again(registry["notes.none"])


@pytest.mark.parametrize("facts", [{"tags": "abc"}, {"channels": "sms"}, {"effects": "read-only"}])
def test_facts_of_another_type_are_refused(facts: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as caught:
        ToolRegistry().tool(nothing, name="notes.none", **facts)

    assert str(caught.value.hint).startswith("write it as ")


def test_a_contract_with_a_placeholder_is_refused_with_its_name_and_place() -> None:
    left = (Placeholder("TODO", Place("specs/a.md", 7, 1, 7, 5)), Placeholder("", Place("specs/a.md", 3, 1, 3, 5)))

    with pytest.raises(
        UsageError, match=r"specs/a\.md:7: `notes\.add` still contains the placeholder `TODO`"
    ) as caught:
        ToolRegistry([contract(placeholders=left)])

    assert caught.value.message.endswith("(and 1 more placeholder)")
    assert caught.value.hint == "write what is missing; `mcp-contracts lint` lists every placeholder"


def test_a_contract_with_an_empty_purpose_is_refused() -> None:
    with pytest.raises(UsageError, match=r"specs/a\.md:3: `notes\.add` has an empty purpose"):
        ToolRegistry([contract(placeholders=(Placeholder("", Place("specs/a.md", 3, 1, 3, 5)),))])


# The obvious lines


def test_a_registry_has_a_name_or_contracts_or_both() -> None:
    tool = ToolContract.from_schema("add", "Add.", input_schema={"type": "object"}, version="1.0.0")

    assert ToolRegistry("Demo app").name == "Demo app"
    assert list(ToolRegistry("Demo app", [tool])) == ["demo_app.add"]
    assert list(ToolRegistry([tool], name="demo")) == ["demo.add"]
    assert list(ToolRegistry([tool])) == ["tools.add"]
    assert ToolRegistry(tool)["tools.add"].contract.version == "1.0.0"


@pytest.mark.parametrize("name", ["", " ", "../x", Path("specs"), "tools.json", "a\nb", 3])
def test_a_name_that_cannot_be_is_refused(name: Any) -> None:
    with pytest.raises(UsageError):
        ToolRegistry(name)


@pytest.mark.parametrize(
    "tools",
    [
        [{"name": "add", "inputSchema": {"type": "object"}}],
        {"tools": [{"name": "add", "inputSchema": {"type": "object"}}]},
        [{"name": "add", "input_schema": {"type": "object"}}],
        [{"name": "add", "input_schema": {"type": "object"}}, {"type": "web_search_20250305", "name": "web_search"}],
        {"name": "add", "input_schema": {"type": "object"}},
        [{"type": "function", "function": {"name": "add", "parameters": {"type": "object"}}}],
        [{"type": "function", "name": "add", "parameters": {"type": "object"}, "strict": False}],
        {"functionDeclarations": [{"name": "add", "parameters": {"type": "OBJECT"}}]},
    ],
)
def test_a_json_tool_list_is_read(tools: Any) -> None:
    assert ToolRegistry("demo", tools)["demo.add"].contract.input_schema == {"type": "object"}


@pytest.mark.parametrize(
    ("tools", "message"),
    [
        ([{"inputSchema": {}}], "<tools>:1: tool 1 has no `name`"),
        ([{"name": object()}], "the tool list has an `object` at `/0/name`, which JSON cannot represent"),
        ([3], "expected contracts, got `int`"),
        (3, "expected contracts, got `int`"),
        (["specs"], "expected contracts, got `str`"),
    ],
)
def test_what_is_not_a_tool_is_refused(tools: Any, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        ToolRegistry().add(tools)


def test_a_function_is_replaced_where_that_is_wanted() -> None:
    registry = ToolRegistry([contract()])
    registry.implement(NAME)(lambda **given: {"old": True})
    registry.tool(nothing, name="notes.none")

    with pytest.raises(UsageError, match="already has a function"):
        registry.implement(NAME)(lambda **given: {"new": True})
    registry.implement(NAME, replace=True)(lambda **given: {"new": True})
    with pytest.raises(UsageError, match="two contracts are named"):
        registry.tool(lambda: "new", name="notes.none")
    registry.tool(lambda: "new", name="notes.none", replace=True)

    assert registry.call(call_of(NAME)).data == {"new": True}
    assert registry["notes.none"]().data == {"result": "new"}


def test_a_disabled_tool_is_hidden_until_it_is_enabled() -> None:
    registry = registry_of(lambda **given: given)
    changes: list[ToolsChanged] = []
    registry.on_change(changes.append)

    registry.disable(NAME)
    registry.disable(NAME)

    assert (NAME in registry, registry.tools()) == (False, ())
    assert error_type(registry.call(call_of(NAME))) == "ResourceNotFound"
    with pytest.raises(KeyError, match="is disabled; enable it first"):
        registry[NAME]
    with pytest.raises(UsageError, match="is disabled"):
        registry.add([contract()])

    registry.enable(NAME)
    registry.enable(NAME)

    assert registry.call(call_of(NAME)).ok
    assert changes == [ToolsChanged(removed=(NAME,)), ToolsChanged(added=(NAME,))]
    registry.disable(NAME)
    registry.remove(NAME)
    for change in (registry.enable, registry.disable):
        with pytest.raises(UsageError, match="unknown tool"):
            change(NAME)


def test_a_batch_is_handled_without_a_loop_and_on_a_running_one() -> None:
    registry = registry_of(lambda **given: given)
    calls = [call_of(NAME, number=number) for number in range(20)]

    async def from_loop() -> list[MCPToolResult]:
        return registry.call_many(calls, concurrency=3)

    for results in (registry.call_many(calls), run(from_loop())):
        assert [result.unwrap() for result in results] == [{"number": number} for number in range(20)]


def test_a_whole_number_is_handed_over_as_an_integer() -> None:
    registry = ToolRegistry("demo")

    @registry.tool
    def show(
        a: int,
        b: int | None = None,
        c: list[int] | None = None,
        d: dict[str, int] | None = None,
        e: int | float = 0,
        f: list[list[int]] | list[str] | None = None,
    ) -> str:
        """Show the arguments."""
        return repr((a, b, c, d, e, f))

    found = show.call(1.0, 2.0, [3.0, 4], {"x": 5.0}, 6.0, [[7.0]])  # type: ignore[arg-type,list-item,dict-item]

    assert found.unwrap() == {"result": "(1, 2, [3, 4], {'x': 5}, 6.0, [[7]])"}
    assert show.call(1, e=1.5).unwrap() == {"result": "(1, None, None, None, 1.5, None)"}
    assert error_type(show.call(1.5)) == "ValidationError"  # type: ignore[arg-type]
