"""`examples/agent.py` with the real `openai` package and a scripted server that validates requests."""

from __future__ import annotations

import asyncio
import runpy
import sys
from pathlib import Path

import pytest

from examples.agent import main
from tests.offline_install import require
from tests.scripted_model import Fails, Says, ScriptedModel, scripted_model

require("openai")

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "agent.py"
OSLO = {"place": "Oslo", "country": None, "days": 1, "units": "metric"}


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> object:
    def select(model: ScriptedModel) -> None:
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        monkeypatch.setenv("OPENAI_API_KEY", model.key)

    return select


def test_it_asks_calls_and_answers(use, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    first = Says("First the date.", (("clock__today", {}), ("weather__get_forecast", {**OSLO, "place": "Olso"})))
    second = Says(None, (("weather__get_forecast", OSLO),))

    with scripted_model([Fails(429), first, second, Says("Take an umbrella.")]) as model:
        use(model)
        asyncio.run(main("scripted", "an umbrella?", is_react=False))

    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        "call",
        "call",
        "result",
        "result",
        "call",
        "result",
        "answer",
    ]
    assert "2026-11-22" in model.tool_messages()[0]["data"]["result"]
    assert model.tool_messages()[1]["error"]["error_type"] == "ResourceNotFound"
    assert lines[-1] == "answer: Take an umbrella."


def test_it_is_a_command_and_says_why_there_is_no_answer(  # type: ignore[no-untyped-def]
    use, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE), "scripted", "an umbrella?"])

    with scripted_model([Says(""), Says(""), Says("")]) as model:
        use(model)
        runpy.run_path(str(EXAMPLE), run_name="__main__")

    assert capsys.readouterr().out.startswith("no answer: 3 replies in a row")
