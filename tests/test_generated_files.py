"""The generated files are up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.maintenance.generate import generated_files, main, stale_files, write_schemas


def test_every_generated_file_is_fresh() -> None:
    assert stale_files() == [], "run `make generate`"


def test_what_is_written_is_fresh(tmp_path: Path) -> None:
    main([], root=tmp_path)

    assert stale_files(tmp_path) == []


def test_only_the_schemas_can_be_written(tmp_path: Path) -> None:
    write_schemas(tmp_path)

    written = sorted(path.name for path in (tmp_path / "schemas").iterdir())
    assert written == [
        *("mcp_call_context.schema.json", "mcp_error_detail.schema.json", "mcp_tool_call.schema.json"),
        *("mcp_tool_calls.schema.json", "mcp_tool_result.schema.json", "mcp_tool_results.schema.json"),
    ]


def test_check_names_the_stale_files_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([], root=tmp_path)
    changed, missing = sorted(generated_files())[:2]
    (tmp_path / changed).write_text("{}", encoding="utf-8")
    (tmp_path / missing).unlink()

    exit_code = main(["--check"], root=tmp_path)

    lines = capsys.readouterr().out.splitlines()
    assert exit_code == 1
    assert [line.split(" is stale")[0] for line in lines] == [changed, missing]
    assert not (tmp_path / missing).exists()


def test_the_page_of_a_rule_that_is_gone_is_stale_and_goes(tmp_path: Path) -> None:
    main([], root=tmp_path)
    page = tmp_path / "docs" / "rules" / "MC399.md"
    page.write_text("# MC399\n", encoding="utf-8")

    stale = stale_files(tmp_path)
    main([], root=tmp_path)

    assert stale == ["docs/rules/MC399.md"]
    assert not page.exists()
