"""The examples in documents work: each command, program, message and configuration runs, and its output is compared."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.document_folders import STATES, build_folder, names_for
from tests.documents import DOCUMENTS, Runner, blocks_of, working_in
from tests.repositories import isolate


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        isolate(patch, tmp_path_factory.mktemp("home"), tmp_path_factory.getbasetemp())
        return build_folder(tmp_path_factory.mktemp("documents") / "project")


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if blocks_of(path)])
def test_what_a_document_shows_runs(
    path: str, base: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolate(monkeypatch, tmp_path_factory.mktemp("home"), tmp_path_factory.getbasetemp())
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MCP_CONTRACTS_CACHE_DIR", str(base.parent / "cache"))  # remembered from block to block
    monkeypatch.setenv("RUNNER_TEMP", str(tmp_path))  # as GitHub sets it for the steps of a workflow
    with working_in(base):
        runner = Runner(names_for(path))
    failures = []
    for block in blocks_of(path):
        is_run = "not run" not in block.notes
        folder = Path(shutil.copytree(base, tmp_path / f"line {block.line}", symlinks=True)) if is_run else base
        with working_in(folder):
            try:
                if "in" in block.notes:
                    STATES[block.notes["in"]]()
                runner.run(block)
            except Exception as error:  # each block is reported, whatever it raises
                failures.append(f"{path}:{block.line}: {type(error).__name__}: {error}")
    runner.close()

    assert not failures, "\n\n".join(failures)
