"""The tool lists of real servers survive an import, and newer ones update older imports."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path

import pytest

from mcp_contracts.formatting.specs import format_spec
from mcp_contracts.importing.parts import OF_THE_SURFACE
from mcp_contracts.sources.load import load
from tests.imported_lists import check_laws, imported, path_of, stated, texts
from tests.sweeps import share, sweep

CORPUS = os.environ.get("MCP_CONTRACTS_CORPUS")
LISTS = sorted((Path(CORPUS or "nowhere") / "corpus" / "servers").glob("*/*.json"))
SERVERS = [[*lists] for _, lists in groupby(LISTS, key=lambda path: path.parent)]
STEPS = [step for lists in SERVERS for step in pairwise(lists)]
BACK = [(lists[-1], lists[-2]) for lists in SERVERS]
LONGEST = [(lists[0], lists[-1]) for lists in SERVERS]
PROSE = "Only the notes of the caller can be reached."

pytestmark = pytest.mark.skipif(not LISTS, reason="MCP_CONTRACTS_CORPUS does not lead to the corpus")


@cache
def fresh(path: Path) -> Mapping[str, str]:
    """Return the specifications of a first import."""
    return texts(imported(load(path), module="server"))


def _id(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@sweep
@pytest.mark.parametrize("path", share(LISTS, 11), ids=_id)
def test_a_real_list_comes_back_from_its_specification(path: Path) -> None:
    tools = json.loads(path.read_text(encoding="utf-8"))["tools"]

    check_laws(load(path), tools, module=None)


@sweep
@pytest.mark.parametrize(("old", "new"), share([*STEPS, *BACK], 13), ids=_id)
def test_a_real_list_updates_an_older_import(old: Path, new: Path) -> None:
    found = texts(imported(load(new), fresh(old), module="server", is_pruning=True))

    assert stated(found) == stated(fresh(new))
    assert sorted(found["server"].split("\n")) == sorted(fresh(new)["server"].split("\n"))


@sweep
@pytest.mark.parametrize(("old", "new"), share(LONGEST, 5), ids=_id)
def test_an_update_of_a_real_import_keeps_what_people_wrote(old: Path, new: Path) -> None:
    before = {name: _edited(text) for name, text in fresh(old).items()}
    newest = stated(fresh(new))

    after = texts(imported(load(new), before, module="server"))

    found = stated(after)
    for name, parts in newest.items():
        assert {one: found[name].get(one) for one in OF_THE_SURFACE} == {one: parts.get(one) for one in OF_THE_SURFACE}
    for name in stated(before).keys() & newest.keys():
        assert (found[name]["version"], found[name]["security"]) == ("2.3.4", PROSE)
        assert found[name]["errors"] == [["NoteNotFound", "no note has that name"]]
    assert _prose(after["server"]) == _prose(before["server"])
    assert format_spec(path_of("server"), after["server"]).text == after["server"]
    assert texts(imported(load(new), after, module="server")) == after


def _edited(text: str) -> str:
    """Return a specification in which a person edited every part."""
    text = re.sub(r"\{\{security: [^}]*\}\}", PROSE, text)
    text = re.sub(r"\{\{errors: [^}]*\}\}", "- `NoteNotFound`: no note has that name", text)
    text = text.replace("**Version**: 0.1.0", "**Version**: 2.3.4")
    for heading in ("### 3. Input Schema (Parameters)", "### 4. Output Schema (Return Value)", "### 6. Idempotency"):
        text = text.replace(f"{heading}\n", f"{heading}\n\nA person wrote this.\n")
    return text


def _prose(text: str) -> int:
    return text.count("A person wrote this.")
