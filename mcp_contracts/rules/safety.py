"""Rules about text that harms whoever reads it: secrets, hidden characters, poisoned descriptions (MC506 to MC508)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from mcp_contracts.contract import SchemaPart, SourceFile, SpecFile, ToolContract
from mcp_contracts.diagnostics import Finding, Place, Related, Severity
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.hidden import HIDDEN_RUN, describe, hidden_runs, spelled_text
from mcp_contracts.rules.poison import Passage, may_be_poisoned, passages
from mcp_contracts.rules.secrets import may_hold_secret, secrets
from mcp_contracts.rules.texts import offset_of, place_between, slice_at, summary
from mcp_contracts.rules.wording import shown
from mcp_contracts.schema.walk import subschemas
from mcp_contracts.schema.wording import shown_value

_MOST_FINDINGS = 20
_LONG_NAME = 20


@rule("MC506", Severity.WARNING, since="0.1.0")
def secret_in_text(file: SourceFile) -> Iterator[Finding]:
    """A text holds what looks like a live secret: a token, a key, or a password.

    Specifications are published, and tool lists are sent to every model that may call a tool. A secret that was ever
    committed counts as known to everyone. Placeholders (`<token>`, `sk-…`) and the keys of well-known documentation are
    not meant.
    """
    text = file.text
    about = summary(text)
    if not may_hold_secret(text, about):
        return
    places: dict[tuple[str, str], list[Place]] = {}
    for secret in secrets(text, about):
        place = place_between(file.path, text, secret.start, secret.end)
        places.setdefault((text[secret.start : secret.end], secret.kind), []).append(place)
    for (value, kind), found in list(places.items())[:_MOST_FINDINGS]:
        head = value[: 4 if len(value) >= 12 else 1]
        yield Finding(
            f"`{shown(head)}…` looks like a live {kind}",
            "revoke it, and write a placeholder such as `<token>`",
            found[0],
            related=tuple(Related(place, "here again") for place in found[1:6]),
        )


@rule("MC507", Severity.ERROR, since="0.1.0")
def hidden_characters(file: SourceFile) -> Iterator[Finding]:
    """A text holds characters that a reader does not see and a model does.

    Zero-width characters, tags and variation selectors carry instructions past a reviewer; bidirectional controls show
    text in another order than it is read in (Unicode Technical Standard 55; Boucher and Anderson, "Trojan Source").
    Joiners inside emoji and in the scripts that need them are fair, and so is text that runs from right to left.
    """
    text = file.text
    about = summary(text)
    runs = list(hidden_runs(text)) if about.unusual and HIDDEN_RUN.search(about.unusual) else []
    for run in runs[:_MOST_FINDINGS]:
        place = place_between(file.path, text, run.start, run.end)
        yield Finding(_message(run.characters), "remove them" if len(run.characters) > 1 else "remove it", place)
    if len(runs) > _MOST_FINDINGS:
        run = runs[_MOST_FINDINGS]
        place = place_between(file.path, text, run.start, run.end)
        yield Finding(f"{len(runs) - _MOST_FINDINGS} more runs of hidden characters", "remove them", place)
    if "\\" in text:
        yield from _escaped(file)


@rule("MC508", Severity.WARNING, since="0.1.0")
def poisoned_text(file: SourceFile) -> Iterator[Finding]:
    """A text that a model reads instructs it past the tool's purpose.

    Descriptions go into the model's context with the authority of its host, while people seldom see them whole. So this
    is where attackers ask for files, for silence towards the user, or for the misuse of other tools (Invariant Labs, "Tool
    Poisoning Attacks", 2025; OWASP MCP03). What the tool needs is a parameter, and what a caller must know is a fact about
    the tool: neither needs an order to the model.
    """
    if not may_be_poisoned(summary(file.text)) and "\\u" not in file.text and "&#" not in file.text:
        return
    for contract in file.contracts:
        for spoken in _spoken_texts(contract):
            found = passages(spoken.text)
            if found:
                yield _poisoned(file, contract, spoken, found)


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A text that hosts send to the model, what it is called, and the way to where it stands.

    `field` is a field of the contract, or else `schema` and `pointer` lead to the text.
    """

    label: str
    text: str
    field: str = ""
    schema: SchemaPart | None = None
    pointer: str | None = None
    is_key: bool = False

    def place(self, contract: ToolContract) -> Place:
        """Where the text stands; looked up only for a finding, since it takes a walk through the file's JSON."""
        if self.schema is None:
            return contract.place_of(self.field)
        return self.schema.locator.place(self.pointer or "", on_key=self.is_key)


def _spoken_texts(contract: ToolContract) -> Iterator[_Spoken]:
    if contract.title:
        yield _Spoken("the title", contract.title, "title")
    if contract.description:
        yield _Spoken("the description", contract.description, "description")
    if contract.use_when:
        yield _Spoken("the advice when to use it", contract.use_when, "use_when")
    for part in (contract.input, contract.output):
        if part is not None:
            yield from _schema_texts(part)


def _schema_texts(part: SchemaPart) -> Iterator[_Spoken]:
    for node in subschemas(part.value):
        of = f" of `{shown(node.name, limit=30)}`" if node.name is not None else f" of the {part.part} schema"
        if node.name is not None and len(node.name) >= _LONG_NAME:
            yield _Spoken("the name of a parameter", node.name, schema=part, pointer=node.pointer, is_key=True)
        for keyword in ("title", "description", "$comment", "default", "const"):
            value = node.value.get(keyword)
            if isinstance(value, str):
                yield _Spoken(f"the {keyword}{of}", value, schema=part, pointer=f"{node.pointer}/{keyword}")
        for keyword in ("enum", "examples"):
            values = node.value.get(keyword)
            for index, value in enumerate(values if isinstance(values, list) else ()):
                if isinstance(value, str):
                    yield _Spoken(f"a value{of}", value, schema=part, pointer=f"{node.pointer}/{keyword}/{index}")


def _poisoned(file: SourceFile, contract: ToolContract, spoken: _Spoken, found: list[Passage]) -> Finding:
    first = found[0]
    excerpt = shown_value(" ".join(spoken.text[first.start : first.end].split()))
    others = "; it also " + ", and ".join(passage.what for passage in found[1:3]) if len(found) > 1 else ""
    return Finding(
        f"{spoken.label} {first.what}: {excerpt}{others}",
        "say what the tool does and needs, and leave out what the model should do beyond it",
        _place_in(file, contract, spoken, spoken.text[first.start : first.end]),
        part=spoken.schema.part if spoken.schema else None,
        pointer=spoken.pointer,
    )


def _place_in(file: SourceFile, contract: ToolContract, spoken: _Spoken, passage: str) -> Place:
    """Where a passage stands in the file, or else the whole text that it is part of.

    Markdown breaks and indents lines where the description does not, and JSON writes some characters as escapes.
    """
    text, place = file.text, spoken.place(contract)
    # A field of a specification may go on after the line that it is placed at.
    last = contract.place_of("extent") if isinstance(file, SpecFile) and spoken.schema is None else place
    start, end = offset_of(text, place.line, place.column), offset_of(text, last.end_line, last.end_column)
    for form in (passage, json.dumps(passage, ensure_ascii=False)[1:-1], json.dumps(passage)[1:-1]):
        at = text.find(form, start, end)
        if at >= 0:
            return place_between(file.path, text, at, at + len(form))
    words = r"[\s>]+".join(re.escape(word) for word in passage.split())
    match = re.compile(words).search(text, start, end)
    return place_between(file.path, text, *match.span()) if match else place


def _escaped(file: SourceFile) -> Iterator[Finding]:
    """Hidden characters that stand as escapes in what a model reads; in a pattern they may well be meant."""
    for contract in file.contracts:
        for spoken in _spoken_texts(contract):
            if spoken.text.isascii() or not HIDDEN_RUN.search(spoken.text):
                continue
            runs = list(hidden_runs(spoken.text))
            place = spoken.place(contract)
            if runs and not HIDDEN_RUN.search(slice_at(file.text, place)):
                message = f"{spoken.label} holds {_message(runs[0].characters)}"
                part = spoken.schema.part if spoken.schema else None
                yield Finding(message, "remove the escape", place, part=part, pointer=spoken.pointer)


def _message(characters: str) -> str:
    spelled = spelled_text(characters)
    return describe(characters) + (f": {shown_value(spelled)}" if spelled is not None else "")
