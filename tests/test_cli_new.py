"""`new` writes specifications that lack only what the options did not state."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_contracts import lint, load
from mcp_contracts.cli.app import run

ALL_OPTIONS = (
    *("--description", "Returns the forecast for one place, day by day: warm or cold."),
    *("--param", "place:string:required:The name of a town: in any language."),
    *("--param", "days:integer:optional:How many days to look ahead."),
    *("--param", 'units:enum["metric", "imperial"]:The units of the answer.'),
    *("--returns", "summary:string:The weather in a few words."),
    *("--returns", "days:array[object]:One entry for each day."),
    *("--error", "ResourceNotFound:no place has that name"),
    *("--effects", "read-only, open-world"),
    *("--idempotent", "yes"),
    *("--security", "The name of the place goes to the weather service; nothing else leaves the machine."),
)


def findings(folder: Path) -> list[str]:
    return [f"{one.code} {one.message}" for one in lint(load(folder)).shown()]


def test_all_options_give_a_clean_file(tmp_path: Path) -> None:
    code = run(["new", "weather.get_forecast", "--into", str(tmp_path), *ALL_OPTIONS])

    assert code == 0
    assert findings(tmp_path) == []


def test_only_a_name_leaves_one_warning_for_each_placeholder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["new", "weather.get_forecast", "--into", str(tmp_path)])

    assert code == 0
    found = findings(tmp_path)
    assert {one.split()[0] for one in found} == {"MC007"}
    assert f"{len(found)} placeholders to fill" in capsys.readouterr().out


@pytest.mark.parametrize("left_out", range(0, len(ALL_OPTIONS), 2))
def test_an_omitted_option_causes_only_its_own_warning(tmp_path: Path, left_out: int) -> None:
    options = ALL_OPTIONS[:left_out] + ALL_OPTIONS[left_out + 2 :]

    code = run(["new", "weather.get_forecast", "--into", str(tmp_path), *options])

    assert code == 0
    is_optional = ALL_OPTIONS[left_out] in ("--param", "--returns")
    assert [one.split()[0] for one in findings(tmp_path)] == ([] if is_optional else ["MC007"])


def test_a_parameter_without_description_is_one_warning(tmp_path: Path) -> None:
    options = [*ALL_OPTIONS, "--param", "language:string or null"]

    run(["new", "weather.get_forecast", "--into", str(tmp_path), *options])

    assert [one.split()[0] for one in findings(tmp_path)] == ["MC007"]
    path = tmp_path / "weather" / "MCP_TOOL_SPECIFICATION.md"
    text = path.read_text(encoding="utf-8")
    placeholder = "{{language: say what it means, its unit and its limits}}"
    assert text.count(placeholder) == 2  # in the table and in the schema: filling in one of them is not enough

    path.write_text(text.replace(placeholder, "The language of the answer.", 1), encoding="utf-8")

    assert [one.split()[0] for one in findings(tmp_path)] == ["MC007"]


def test_a_second_tool_joins_the_file_and_leaves_the_first_as_it_was(tmp_path: Path) -> None:
    run(["new", "weather.get_forecast", "--into", str(tmp_path), *ALL_OPTIONS])
    path = tmp_path / "weather" / "MCP_TOOL_SPECIFICATION.md"
    before = path.read_text(encoding="utf-8")

    code = run(
        ["new", "weather.get_alerts", "--into", str(tmp_path), *ALL_OPTIONS, "--description", "Lists storm warnings."]
    )

    assert code == 0
    assert path.read_text(encoding="utf-8").startswith(before.rstrip())
    assert [tool.name for tool in load(tmp_path)] == ["weather.get_forecast", "weather.get_alerts"]
    assert findings(tmp_path) == []


def test_the_file_keeps_its_line_endings_and_the_text_after_its_tools(tmp_path: Path) -> None:
    run(["new", "weather.get_forecast", "--into", str(tmp_path), *ALL_OPTIONS])
    path = tmp_path / "weather" / "MCP_TOOL_SPECIFICATION.md"
    text = path.read_text(encoding="utf-8") + "\n## Links\n\n- [Read me](README.md)\n"
    path.write_bytes(text.replace("\n", "\r\n").encode())

    run(["new", "weather.get_alerts", "--into", str(tmp_path), *ALL_OPTIONS])

    content = path.read_bytes().decode()
    assert content.count("\n") == content.count("\r\n")
    assert content.rstrip().endswith("- [Read me](README.md)")
    assert len(load(tmp_path)) == 2


def test_an_existing_tool_is_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["new", "weather.get_forecast", "--into", str(tmp_path), *ALL_OPTIONS])
    path = tmp_path / "weather" / "MCP_TOOL_SPECIFICATION.md"
    before = path.read_bytes()

    code = run(["new", "weather.get_forecast", "--into", str(tmp_path)])

    assert code == 2
    assert path.read_bytes() == before
    assert "already defines `weather.get_forecast` on line 11" in capsys.readouterr().err


def test_a_parameter_may_be_named_like_the_template_s_own_words(tmp_path: Path) -> None:
    run(
        ["new", "weather.find", "--into", str(tmp_path), *ALL_OPTIONS, "--param", "module_name:string:The module_name."]
    )

    schema = load(tmp_path)["weather.find"].input_schema
    assert isinstance(schema, dict)
    assert schema["properties"]["module_name"]["description"] == "The module_name."  # type: ignore[index,call-overload]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["Weather"], "write `my_module.weather`"),
        (["weather.get forecast"], "write `weather.get_forecast`"),
        (["a.b", "--param", "x"], "is not `name:type"),
        (["a.b", "--param", "x:strnig"], "`strnig` is not a known type"),
        (["a.b", "--param", "x:array"], "does not have an item type"),
        (["a.b", "--param", "x y:string"], "is not a valid name for a parameter"),
        (["a.b", "--param", "x:string", "--param", "x:integer"], "gives `x` twice"),
        (["a.b", "--error", "not found"], "is not `Type:when`"),
        (["a.b", "--effects", "read-only, destructive"], "`destructive` is not valid here"),
        (["a.b", "--idempotent", "maybe"], "maybe"),
    ],
)
def test_a_wrong_option_says_what_is_right_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    code = run(["new", *arguments, "--into", str(tmp_path)])

    assert code == 2
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
