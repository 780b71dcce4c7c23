"""`export` on the command line: its output, what it rejects, its messages, and its exit codes."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from mcp_contracts.checks.exporting.formats import FORMAT_NAMES
from mcp_contracts.checks.exporting.staleness import staleness
from mcp_contracts.cli.app import run
from mcp_contracts.sources.load import load
from tests.adapter_corpus import CORPUS, needs_corpus
from tests.commands import process, programs
from tests.repositories import in_another_process
from tests.sweeps import share, sweep

ROOT = Path(__file__).resolve().parents[1]
SPEC = ROOT / "specs" / "weather" / "MCP_TOOL_SPECIFICATION.md"
NAMES = ["weather__get_forecast", "weather__get_alerts", "weather__forecast"]
_OBJECT = {"type": "object", "properties": {}}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one specification, outside any configuration, as the working directory."""
    path = tmp_path / "specs" / "weather" / "MCP_TOOL_SPECIFICATION.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(SPEC.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_list(path: Path, *tools: Mapping[str, object]) -> None:
    listed = [{"description": "Does something useful.", "inputSchema": _OBJECT, **tool} for tool in tools]
    path.write_text(json.dumps({"tools": listed}), encoding="utf-8")


# What it writes


def test_every_format_is_written_the_same_in_every_process(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = [["export", "specs", "--to", name, "--tool", "weather.*forecast"] for name in FORMAT_NAMES]

    there = in_another_process(*runs, cwd=folder, PYTHONHASHSEED="1", LC_ALL="C")
    here = [(run(arguments), capsys.readouterr().out) for arguments in runs]

    assert there == here
    assert all(code == 0 and out.endswith("\n") for code, out in here)


def test_only_the_document_is_on_standard_output(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["export", "specs", "--to", "openai"])

    captured = capsys.readouterr()
    assert code == 0
    assert [tool["function"]["name"] for tool in json.loads(captured.out)] == NAMES
    assert "°C" in captured.out
    assert captured.out.startswith('[\n  {\n    "type"')
    assert "lost: weather.get_forecast and 2 more tools: OpenAI has no field for the version" in captured.err


def test_a_loss_inside_a_schema_is_a_line_with_tool_and_pointer(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["export", "specs", "--to", "openai-strict", "--tool", "weather.get_forecast"])

    assert "lost: weather.get_forecast input /properties/place/minLength: " in capsys.readouterr().err


def test_quiet_hides_losses(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["export", "specs", "--to", "anthropic", "--quiet"])

    assert (code, capsys.readouterr().err) == (0, "")


def test_a_bundle_loads_as_the_contracts_that_it_was_made_of(folder: Path) -> None:
    code = run(["export", "specs", "--to", "bundle", "--output", "bundle.json"])

    assert code == 0
    assert [tool.name for tool in load("bundle.json")] == [tool.name for tool in load("specs")]


def test_a_bundle_of_a_bundle_is_the_same_bundle(folder: Path) -> None:
    run(["export", "specs", "--to", "bundle", "--output", "one.json"])
    run(["export", "one.json", "--to", "bundle", "--output", "two.json"])

    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()


def test_the_era_of_mcp_shapes_the_list(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["export", "specs", "--to", "mcp", "-q"])
    old = json.loads(capsys.readouterr().out)
    run(["export", "specs", "--to", "mcp", "--era", "2026-07-28", "-q"])
    new = json.loads(capsys.readouterr().out)

    assert list(old) == ["tools"]
    assert {"resultType", "ttlMs", "cacheScope"} <= set(new)


def test_the_interface_of_openai_shapes_the_tools(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["export", "specs", "--to", "openai", "--api", "responses", "-q"])

    assert [tool["name"] for tool in json.loads(capsys.readouterr().out)] == NAMES


def test_the_names_lead_back_to_the_contracts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["export", "specs", "--to", "anthropic", "--names", "names.json", "-q"])

    sent = [tool["name"] for tool in json.loads(capsys.readouterr().out)]
    names = json.loads(Path("names.json").read_text(encoding="utf-8"))
    assert code == 0
    assert [names[name] for name in sent] == [tool.name for tool in load("specs")]


def test_complete_carries_what_has_an_optional_place(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["export", "specs", "--to", "mcp", "--complete"])

    captured = capsys.readouterr()
    assert "org.mcp-contracts/contract" in captured.out
    assert "has no field for the category" not in captured.err


def test_a_prompt_keeps_its_budget_and_says_what_it_left_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["export", "specs", "--to", "prompt", "--budget", "1500"])

    captured = capsys.readouterr()
    assert code == 0
    assert len(captured.out) <= 1500
    assert "omitted to fit 1,500 characters: the example call" in captured.err


def test_several_sources_and_standard_input_are_exported_together(folder: Path) -> None:
    tools = json.dumps({"tools": [{"name": "ping", "description": "Answers.", "inputSchema": _OBJECT}]}).encode()

    found = process("export", "specs", "-", "--to", "anthropic", "-q", cwd=folder, stdin=tools)

    assert found.returncode == 0
    assert [tool["name"] for tool in json.loads(found.stdout)] == [*NAMES, "tools__ping"]


def test_without_sources_the_paths_of_the_configuration_are_exported(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "mcp-contracts.yaml").write_text("paths: [specs]\n", encoding="utf-8")
    (folder / "deep").mkdir()
    monkeypatch.chdir(folder / "deep")

    code = run(["export", "--to", "openai", "-q"])

    assert code == 0
    assert len(json.loads(capsys.readouterr().out)) == 3


@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        (["--tool", "weather.get_forecast"], NAMES[:1]),
        (["--tool", "weather.get_*"], NAMES[:2]),
        (["--exclude", "weather.forecast"], NAMES[:2]),
        (["--tool", "weather.*", "--exclude", "*.get_*"], NAMES[2:]),
        (["--category", "Weather"], NAMES),
    ],
)
def test_tools_are_chosen_by_name_pattern_and_category(
    folder: Path, capsys: pytest.CaptureFixture[str], chosen: list[str], names: list[str]
) -> None:
    code = run(["export", "specs", "--to", "anthropic", "-q", *chosen])

    assert code == 0
    assert [tool["name"] for tool in json.loads(capsys.readouterr().out)] == names


# What it refuses


def test_a_tool_without_a_form_is_refused_by_tool_and_pointer_and_nothing_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    free = {"type": "object", "properties": {"labels": {"type": "object", "additionalProperties": {"type": "string"}}}}
    write_list(folder / "tools.json", {"name": "tag", "inputSchema": free}, {"name": "ping"})

    code = run(["export", "tools.json", "--to", "openai-strict", "--output", "out.json"])

    captured = capsys.readouterr()
    assert (code, captured.out) == (1, "")
    assert "refused: tools.tag input /properties/labels/additionalProperties: " in captured.err
    assert "error: `tools.tag` has no equivalent in `openai-strict`, so nothing is exported" in captured.err
    assert not Path("out.json").exists()
    assert run(["export", "tools.json", "--to", "openai-strict", "--exclude", "tag", "-q"]) == 0
    assert run(["export", "tools.json", "--to", "openai-strict", "--plain-where-refused", "-q"]) == 0


def test_refused_tools_are_skipped_and_reported_on_request(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    free = {"type": "object", "properties": {"labels": {"type": "object", "additionalProperties": {"type": "string"}}}}
    broken = {"type": "object", "properties": {"x": {"type": "strng"}}}
    write_list(
        folder / "tools.json",
        {"name": "tag", "inputSchema": free},
        {"name": "wrong", "inputSchema": broken},
        {"name": "ping"},
    )
    command = ["export", "tools.json", "--to", "openai-strict"]

    assert run(command) == 1
    told = capsys.readouterr().err
    assert "error: nothing is exported: `wrong` has errors" in told
    assert "write the other 2 tools with `--skip-refused`" in told
    assert run([*command, "--skip-refused"]) == 0

    captured = capsys.readouterr()
    assert [tool["function"]["name"] for tool in json.loads(captured.out)] == ["tools__ping"]
    assert "MC308" in captured.err
    assert "refused: tools.tag input /properties/labels/additionalProperties: " in captured.err
    assert "warning: `tools.tag`, `tools.wrong` are left out because of errors" in captured.err
    assert run([*command, "--skip-refused", "--exclude", "ping"]) == 1
    told = capsys.readouterr().err
    assert "so nothing is exported" in told
    assert "with `--skip-refused`" not in told


def test_a_refused_tool_is_skipped_by_its_real_name_though_the_report_masks_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    token = "ghp" + "_q8Zr2LmX7vTk0bWc5NdYs3HfJ9uPgA1eRo6i"
    broken = {"type": "object", "properties": {"x": {"type": "strng"}}}
    write_list(folder / "tools.json", {"name": token, "inputSchema": broken}, {"name": "ping"})

    assert run(["export", "tools.json", "--to", "openai", "--skip-refused"]) == 0

    captured = capsys.readouterr()
    assert [tool["function"]["name"] for tool in json.loads(captured.out)] == ["tools__ping"]
    assert token not in captured.err


def test_an_error_of_an_output_schema_matters_only_to_formats_that_carry_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_list(folder / "tools.json", {"name": "ping", "outputSchema": {"type": "strng"}})

    codes = {name: run(["export", "tools.json", "--to", name, "-q"]) for name in ("openai", "gbnf", "mcp", "bundle")}

    assert codes == {"openai": 0, "gbnf": 0, "mcp": 1, "bundle": 1}


def test_a_tool_without_a_grammar_is_omitted_refused_or_a_loss_as_requested(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = {"type": "object", "properties": {"x": {"not": {"type": "string"}}}, "required": ["x"]}
    write_list(
        folder / "tools.json",
        {"name": "odd", "description": "Odd.", "inputSchema": odd},
        {"name": "fine", "description": "Fine.", "inputSchema": {**odd, "properties": {"x": {"type": "string"}}}},
    )
    command = ["export", "tools.json", "--to", "gbnf", "--call-form", "llama3"]

    assert run(command) == 0
    left_out = capsys.readouterr()
    assert "lost: tools.odd input /properties/x/not: the tool is left out: a grammar cannot" in left_out.err
    assert "tools.odd" not in left_out.out
    assert '"\\"parameters\\""' in left_out.out
    assert run([*command, "--lossy"]) == 0
    lossy = capsys.readouterr()
    assert "lost: tools.odd input /properties/x/not: a grammar cannot express `not`, so it is not" in lossy.err
    assert "tools.odd" in lossy.out
    assert run([*command, "--strict"]) == 1
    assert "refused: tools.odd" in capsys.readouterr().err


@pytest.mark.parametrize("format_name", FORMAT_NAMES)
def test_a_broken_specification_is_refused_in_every_format(
    folder: Path, capsys: pytest.CaptureFixture[str], format_name: str
) -> None:
    path = folder / "specs" / "weather" / "MCP_TOOL_SPECIFICATION.md"
    path.write_text(path.read_text(encoding="utf-8").replace('"minimum": 1,', '"minimum": ,', 1), encoding="utf-8")

    code = run(["export", "specs", "--to", format_name, "--output", "out.txt"])

    captured = capsys.readouterr()
    assert (code, captured.out) == (1, "")
    assert "error MC304" in captured.err
    assert "nothing is exported" in captured.err
    assert not Path("out.txt").exists()


def test_hidden_characters_are_refused_unless_the_rule_is_passed_over(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_list(folder / "tools.json", {"name": "ping", "description": "Answers.\u202eobey"})

    refused = run(["export", "tools.json", "--to", "prompt"])
    err = capsys.readouterr().err
    passed = run(["export", "tools.json", "--to", "prompt", "--ignore", "MC507"])

    assert (refused, passed) == (1, 0)
    assert "error MC507" in err
    assert "> Answers.obey\n" in capsys.readouterr().out


def test_a_refused_export_leaves_the_old_file_unchanged(folder: Path) -> None:
    (folder / "broken.json").write_text('{"tools": [', encoding="utf-8")
    Path("out.json").write_text("old", encoding="utf-8")

    code = run(["export", "specs", "broken.json", "--to", "mcp", "--output", "out.json"])

    assert code == 1
    assert Path("out.json").read_text(encoding="utf-8") == "old"


def test_too_many_tools_for_a_provider_are_refused_only_for_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for part in ("one", "two"):
        write_list(folder / f"{part}.json", *({"name": f"{part}_{number}"} for number in range(80)))

    refused = run(["export", "one.json", "two.json", "--to", "openai"])

    assert refused == 1
    assert "MC604 160 tools are over the limit of 128" in capsys.readouterr().err
    assert run(["export", "one.json", "two.json", "--to", "anthropic", "-q"]) == 0
    assert run(["export", "one.json", "two.json", "--to", "openai", "-q", "--tool", "one_*"]) == 0
    assert run(["export", "one.json", "two.json", "--to", "openai", "-q", "--ignore", "MC604"]) == 0


def test_a_warning_about_the_provider_is_reported_and_counts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_list(folder / "tools.json", {"name": "ping", "description": "Says a lot. " * 100})

    told = run(["export", "tools.json", "--to", "openai", "--output", "one.json"])
    err = capsys.readouterr().err
    counted = run(["export", "tools.json", "--to", "openai", "--output", "two.json", "--max-warnings", "0"])

    assert (told, counted) == (0, 1)
    assert "warning MC605" in err
    assert (Path("one.json").exists(), Path("two.json").exists()) == (True, False)


def test_a_fault_that_the_adapter_mends_is_a_loss_and_no_refusal(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    either = {**_OBJECT, "properties": {"a": {"type": "string"}}, "anyOf": [{"required": ["a"]}, {}]}
    write_list(folder / "tools.json", {"name": "a b", "inputSchema": either})

    code = run(["export", "tools.json", "--to", "openai"])

    captured = capsys.readouterr()
    assert code == 0
    assert "anyOf" not in json.loads(captured.out)[0]["function"]["parameters"]
    assert "lost: tools.a_b input /anyOf: " in captured.err


def test_the_configuration_of_the_rules_applies_to_export(folder: Path) -> None:
    write_list(folder / "tools.json", *({"name": f"tool_{number}"} for number in range(130)))
    (folder / "mcp-contracts.yaml").write_text("ignore: [MC604]\n", encoding="utf-8")

    assert run(["export", "tools.json", "--to", "openai", "-q", "--output", "out.json"]) == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["specs"], 2, "`--to` is missing"),
        (["specs", "--to", "gemeni"], 2, "did you mean `gemini`?"),
        (["nowhere", "--to", "mcp"], 2, "`nowhere`: no such file or directory"),
        (["specs", "--to", "mcp", "--check"], 2, "pass one with `--output FILE`"),
        (["specs", "--to", "mcp", "--api", "chat"], 2, "`--api` does not apply to `mcp`"),
        (["specs", "--to", "openai", "--budget", "9"], 2, "it applies to `prompt`"),
        (["specs", "--to", "bundle", "--names", "n.json"], 2, "`--names` does not apply to `bundle`"),
        (["specs", "--to", "mcp", "-o", "a.json", "--names", "./a.json"], 2, "are the same file"),
        (["specs", "--to", "mcp", "--tool", "weather.get_forcast"], 2, "did you mean `weather.get_forecast`?"),
        (["specs", "--to", "mcp", "--exclude", "x.*"], 2, "unknown tool `x.*`"),
        (["specs", "--to", "mcp", "--category", "news"], 2, "the categories are `weather`"),
        (["specs", "--to", "prompt", "--budget", "10"], 2, "more than the budget of 10"),
        (["specs", "--to", "mcp", "-o", "no/such/folder/out.json"], 2, "cannot be written"),
        (["empty", "--to", "mcp"], 3, "nothing to export"),
        (["none.json", "--to", "mcp"], 3, "no tools to export"),
        (["specs", "--to", "mcp", "--exclude", "*"], 3, "no tools to export"),
        (["git:main", "--to", "mcp"], 3, "not in a git repository"),
    ],
)
def test_what_cannot_work_says_why_and_exits_as_documented(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, words: str
) -> None:
    (folder / "empty").mkdir()
    write_list(folder / "none.json")

    found = run(["export", *arguments])

    captured = capsys.readouterr()
    assert (found, captured.out) == (code, "")
    assert words in captured.err


def test_a_closed_pipe_ends_it_without_a_traceback(folder: Path) -> None:
    write_list(folder / "tools.json", *({"name": f"tool_{number}"} for number in range(1_000)))
    command = [str(programs() / "mcp-contracts"), "export", "tools.json", "--to", "bundle"]

    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.read(1)
        running.stdout.close()
        code, complaints = running.wait(timeout=60), running.stderr.read()

    assert (code, complaints) == (141, b"")


# Checking


@pytest.mark.parametrize("format_name", FORMAT_NAMES)
def test_a_fresh_file_passes_the_check_and_is_not_touched(folder: Path, format_name: str) -> None:
    arguments = ["export", "specs", "--to", format_name, "--tool", "weather.*forecast", "-q", "--output", "out.txt"]
    run(arguments)
    os.utime("out.txt", (1, 1))

    code = run([*arguments, "--check"])

    assert code == 0
    assert Path("out.txt").stat().st_mtime == 1


def test_a_stale_file_fails_the_check_and_the_tools_are_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["export", "specs", "--to", "openai", "-q", "--output", "out.json"]
    run(arguments)
    path = folder / "specs" / "weather" / "MCP_TOOL_SPECIFICATION.md"
    path.write_text(path.read_text(encoding="utf-8").replace('"maximum": 14', '"maximum": 16', 1), encoding="utf-8")
    before = Path("out.json").read_bytes()

    code = run([*arguments, "--check"])

    captured = capsys.readouterr()
    assert (code, captured.out) == (1, "")
    assert "error: `out.json` is out of date: `weather.get_forecast` changed\n" in captured.err
    assert Path("out.json").read_bytes() == before


def test_a_missing_file_fails_the_check(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["export", "specs", "--to", "mcp", "-q", "--output", "out.json", "--check"])

    assert code == 1
    assert "error: `out.json` is missing" in capsys.readouterr().err
    assert not Path("out.json").exists()


def test_the_file_of_the_names_is_checked_as_well(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["export", "specs", "--to", "openai", "-q", "--output", "out.json", "--names", "names.json"]
    run(arguments)
    Path("names.json").write_text("{}\n", encoding="utf-8")

    code = run([*arguments, "--check"])

    assert code == 1
    assert "`names.json` is out of date" in capsys.readouterr().err


def test_line_endings_of_a_checkout_make_nothing_stale() -> None:
    assert staleness("[]\r\n", "[]\n", format_name="mcp", names={}) is None


@pytest.mark.parametrize(
    "format_name", ["mcp", "openai-strict", "anthropic", "gemini", "bundle", "json-schema", "prompt"]
)
def test_a_tool_that_came_and_one_that_went_are_named_in_every_format(
    folder: Path, capsys: pytest.CaptureFixture[str], format_name: str
) -> None:
    write_list(folder / "old.json", {"name": "kept"}, {"name": "gone"})
    write_list(folder / "new.json", {"name": "kept"}, {"name": "come"})
    run(["export", "old.json", "--to", format_name, "-q", "--output", "out.txt"])

    code = run(["export", "new.json", "--to", format_name, "-q", "--output", "out.txt", "--check"])

    err = capsys.readouterr().err
    assert code == 1
    assert "come` is not in it" in err
    assert "gone` no longer exist" in err
    assert "changed" not in err


@pytest.mark.parametrize("committed", ["", "no json", "[[[", '{"tools": 3}', "[1, null]", '{"$defs": {}}'])
def test_a_file_that_is_not_ours_is_stale(committed: str) -> None:
    found = staleness(committed, '[\n  {"name": "a"}\n]\n', format_name="anthropic", names={"a": "x.a"})

    assert found is not None
    assert (found.line, found.missing) == (1, ("x.a",))


# Published servers


@sweep
@needs_corpus
@pytest.mark.parametrize("format_name", FORMAT_NAMES)
def test_every_published_server_can_be_exported(format_name: str, capsys: pytest.CaptureFixture[str]) -> None:
    folders = sorted((Path(CORPUS or "") / "corpus" / "servers").iterdir())
    latest = [
        max(folder.glob("*.json"), key=lambda path: [int(part) for part in path.stem.split(".")]) for folder in folders
    ]
    plain = ["--plain-where-refused"] if format_name == "openai-strict" else []

    latest = list(share(latest[FORMAT_NAMES.index(format_name) % 3 :], 3))
    codes = [run(["export", str(path), "--to", format_name, "-q", *plain]) for path in latest]

    capsys.readouterr()
    assert codes == [0] * len(latest)


@pytest.mark.parametrize("purpose", ["TODO", "<describe what it does>", "{{description: say it}}", ""])
def test_a_specification_with_a_placeholder_is_not_exported(
    folder: Path, purpose: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "specs" / "weather" / "MCP_TOOL_SPECIFICATION.md"
    before, heading, after = path.read_text(encoding="utf-8").partition("### 1. Tool Purpose and Description\n")
    rest = after[after.index("### 2.") :]
    path.write_text(f"{before}{heading}\n{purpose}\n\n{rest}", encoding="utf-8")

    code = run(["export", "specs", "--to", "openai"])

    captured = capsys.readouterr()
    assert (code, captured.out) == (1, "")
    assert "error MC007" in captured.err
    assert "(weather.get_forecast)" in captured.err


def test_a_placeholder_of_another_tool_does_not_stop_an_export(folder: Path) -> None:
    path = folder / "specs" / "weather" / "MCP_TOOL_SPECIFICATION.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(_with_note(text, 1, "TODO: say more"), encoding="utf-8")

    assert run(["export", "specs", "--to", "openai", "--tool", "weather.get_forecast"]) == 0
    assert run(["export", "specs", "--to", "openai"]) == 1


@pytest.mark.parametrize(
    ("section", "format_name", "options", "code"),
    [
        (8, "openai", [], 0),
        (8, "mcp", [], 0),
        (5, "anthropic", [], 0),
        (7, "gemini", [], 0),
        (8, "mcp", ["--complete"], 1),
        (8, "bundle", [], 1),
        (8, "prompt", [], 1),
        (4, "mcp", [], 1),
        (6, "mcp", [], 1),
        (3, "gemini", [], 1),
    ],
)
def test_a_placeholder_stops_an_export_that_carries_its_section(
    folder: Path, section: int, format_name: str, options: list[str], code: int
) -> None:
    path = folder / "specs" / "weather" / "MCP_TOOL_SPECIFICATION.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(_with_note(text, section, "{{note: say more}}"), encoding="utf-8")

    assert run(["export", "specs", "--to", format_name, *options, "-q"]) == code


def _with_note(text: str, section: int, note: str) -> str:
    """Add a paragraph to the end of a section of a specification's last tool."""
    before, _, after = text.rpartition(f"\n### {section + 1}. ")
    return f"{before}\n{note}\n\n### {section + 1}. {after}" if before else f"{text}\n{note}\n"
