"""The findings of lint in a specification, and the content of an informal one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from textwrap import dedent
from typing import Any

from pydantic import BaseModel

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts, SpecFile
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.rules.informal import is_informal, is_specification

_TITLE = re.compile(r"^(# .*\S)", re.MULTILINE)


class Schema(BaseModel):
    """The names in a schema of parameters."""

    properties: dict[str, Any] = {}
    required: list[str] = []


def as_specification(text: str) -> str:
    """Return a document that says in its title that it is a tool specification."""
    if is_specification(read_spec("notes.md", text)):
        return text
    titled = _TITLE.sub(r"\1: tool specification", text, count=1)
    return titled if titled != text else f"# Tool specification\n\n{text}"


def said(text: str, apart_from: Collection[str] = ("MC006",)) -> list[str]:
    """Return each finding with its code, except for some codes, then the tools of an informal file as calls."""
    file = read_spec("notes.md", as_specification(dedent(text).lstrip("\n")))
    found = [one for one in lint(Contracts((file,))).shown() if one.code not in apart_from]
    return [*(f"{one.code} {one.message}" for one in found), *(_calls(file) if is_informal(file) else ())]


def _calls(file: SpecFile) -> Iterator[str]:
    for contract in file.contracts:
        if contract.input is None:
            yield f"{contract.name}(…)"
            continue
        schema = Schema.model_validate(contract.input.value)
        names = (name if name in schema.required else f"{name}?" for name in schema.properties)
        yield f"{contract.name}({', '.join(names)})"
