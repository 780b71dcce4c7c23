"""Rules about harmful text: secrets, hidden characters, poisoned descriptions (MC506 to MC508)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SchemaPart, SourceFile, SpecFile, ToolContract, ToolListFile
from mcp_contracts.diagnostics import Finding, Place, Severity
from mcp_contracts.masking.forms import may_hold_secret, secrets
from mcp_contracts.masking.words import summary
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.hidden import describe, hidden_runs, holds_hidden, spelled_text
from mcp_contracts.rules.safety.poison import (
    LONGEST_EXAMINED,
    FoldedText,
    Passage,
    Suspect,
    gather,
    passages,
    strong_passages,
    suspects,
    suspects_in,
)
from mcp_contracts.rules.texts import offset_of, place_between, slice_at
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.identity import cached_by_identity
from mcp_contracts.schema.walk import SchemaNode, shared_subschemas
from mcp_contracts.schema.wording import shown_value

_LONG_NAME = 20
_NEAR = 200  # characters between two passages of one instruction
_ESCAPE = r"\\[uUx]"
_FRONT_MATTER = r"---\n(?s:.){0,20000}?\n---\n"
_DELIMITER = r"(?<!\\)\"(?:[\s:,{}\[\]]*(?<!\\)\")*|\\n|(?<=: )'|'(?=\n)"
_MOST_EXAMINED = 300_000  # characters of tools with suspicious words; a file that has more is suspicious anyway


@rule("MC506", Severity.WARNING, since="0.1.0")
def secret_in_text(file: SourceFile) -> Iterator[Finding]:
    """Text contains what looks like a live secret: a token, a key, or a password.

    Specifications are published, and tool lists are sent to every model that may call a tool. Treat a secret that was
    ever committed as public. Placeholders (`<token>`, `sk-…`) and example keys from well-known documentation are not
    reported.
    """
    text = file.text
    about = summary(text)
    if not may_hold_secret(text, about):
        return
    for secret in secrets(text, about):
        head = text[secret.start : secret.start + (4 if secret.end - secret.start >= 12 else 1)]
        yield Finding(
            f"`{show(head)}…` looks like a live {secret.kind}",
            "revoke it, and write a placeholder such as `<token>`",
            place_between(file.path, text, secret.start, secret.end),
        )


@rule("MC507", Severity.ERROR, since="0.1.0")
def hidden_characters(file: SourceFile) -> Iterator[Finding]:
    """Text contains characters that readers cannot see but models can.

    Zero-width characters, tag characters and variation selectors can hide instructions from a reviewer. Bidirectional
    controls make text look different from what a model reads: characters are displayed in another order (Unicode
    Technical Standard 55; Boucher and Anderson, "Trojan Source"). Joiners inside emoji, joiners in the scripts that
    need them, and right-to-left text are allowed.
    """
    text = file.text
    about = summary(text)
    for run in hidden_runs(text) if holds_hidden(about.unusual) else ():
        place = place_between(file.path, text, run.start, run.end)
        yield Finding(_message(run.characters), "remove them" if len(run.characters) > 1 else "remove it", place)
    if re.search(_ESCAPE, text):
        yield from _find_escaped_characters(file)


@rule("MC508", Severity.WARNING, since="0.1.0")
def poisoned_text(file: SourceFile) -> Iterator[Finding]:
    """Text that models read contains instructions beyond the tool's purpose.

    Descriptions enter the model's context with the authority of its host, while people seldom see them in full.
    Attackers therefore use them to ask for files, to keep something from the user, or to misuse other tools (Invariant
    Labs, "Tool Poisoning Attacks", 2025; OWASP MCP03). An agent may also read the whole file, so every other part is
    searched for instructions that are never needed in a specification. Quoted instructions, and instructions that the
    text warns about, are not reported. Only English is recognized: instructions in other languages are not found.
    Declare inputs of the tool as parameters, and state facts about the tool; neither needs an instruction to the model.
    """
    examination = _examination(file)
    reported: list[tuple[int, int]] = []
    for contract, spoken, speech, possible in examination.examined:
        for index, found in passages(speech, possible).items():
            reported.append(_span_of(file, contract, spoken[index]))
            yield _report_poisoning(file, contract, spoken[index], found)
    suspected = examination.suspected
    for found in _groups(file.text, strong_passages(_without_delimiters(file), suspected) if suspected else ()):
        passage = _whole_words(file.text, found[0])
        start = file.text.index(passage, found[0].start)
        end = start + len(passage)
        if not any(start < last and first < end for first, last in reported):
            yield Finding(
                _poisoning("the text", file.text, found), _HINT, place_between(file.path, file.text, start, end)
            )


def unexamined_tools(file: SourceFile) -> Iterator[ToolContract]:
    """Yield the tools whose text MC508 does not read completely, because it is too long."""
    yield from _examination(file).too_long


class _SearchedTool(NamedTuple):
    """A tool with the text that may contain a suspicious passage."""

    contract: ToolContract
    spoken: Sequence[_ExposedText]
    speech: FoldedText
    possible: Sequence[Suspect]


class _Examination(NamedTuple):
    """The tools of a file that are searched, and those that are only searched in part."""

    suspected: Sequence[Suspect] = ()
    examined: Sequence[_SearchedTool] = ()
    too_long: Sequence[ToolContract] = ()


@cached_by_identity(1)  # two rules need it
def _examination(file: SourceFile) -> _Examination:
    suspected = suspects(file.text, summary(file.text))
    if not suspected:
        return _Examination()
    examined: list[_SearchedTool] = []
    too_long = []
    length = 0
    for contract in file.contracts:
        spoken = list(_exposed_texts(contract))
        texts = [said.text for said in spoken]
        speech = gather(texts)
        possible = suspects_in(speech, suspected)
        is_left_out = bool(possible) and length >= _MOST_EXAMINED
        if possible and not is_left_out:
            length += len(speech.folded)
            examined.append(_SearchedTool(contract, spoken, speech, possible))
        if is_left_out or sum(map(len, texts)) > LONGEST_EXAMINED:
            too_long.append(contract)
    return _Examination(suspected, examined, too_long)


class _ExposedText(NamedTuple):
    """Text that hosts send to the model, and where it is.

    `field` is a field of the contract or a keyword of a schema, where `schema` and `pointer` lead to the text. `owner`
    is the name of the property or definition that the text is about.
    """

    text: str
    field: str
    schema: SchemaPart | None = None
    pointer: str | None = None
    owner: str | None = None

    @property
    def label(self) -> str:
        """Return the name of the text in messages."""
        if self.schema is None:
            return f"the {self.field.replace('_', ' ')}"
        if self.field == "name":
            return "the name of a parameter"
        what = "a value" if self.field in _LISTS else f"the {self.field}"
        return f"{what} of " + (f"`{show(self.owner)}`" if self.owner else f"the {self.schema.part} schema")

    def place(self, contract: ToolContract) -> Place:
        """Return the place of the text; computed only for a finding, because it walks the file's JSON."""
        if self.schema is None:
            return contract.place_of(self.field)
        return self.schema.locator.place(self.pointer or "", on_key=self.field == "name")


_LISTS = ("enum", "examples")


def _exposed_texts(contract: ToolContract) -> Iterator[_ExposedText]:
    for field, text in (
        ("title", contract.title),
        ("description", contract.description),
        ("use_when", contract.use_when),
    ):
        if text:
            yield _ExposedText(text, field)
    for part in (contract.input, contract.output):
        if part is not None:
            for node in shared_subschemas(part.value):
                yield from _schema_texts(part, node)


def _schema_texts(part: SchemaPart, node: SchemaNode) -> Iterator[_ExposedText]:
    if node.name is not None and len(node.name) >= _LONG_NAME:
        yield _ExposedText(node.name, "name", part, node.pointer)
    for keyword in ("title", "description", "$comment", "default", "const"):
        value = node.value.get(keyword)
        if isinstance(value, str):
            yield _ExposedText(value, keyword, part, f"{node.pointer}/{keyword}", node.name)
    for keyword in _LISTS:
        values = node.value.get(keyword)
        if isinstance(values, list):
            for index, value in enumerate(values):
                if isinstance(value, str):
                    yield _ExposedText(value, keyword, part, f"{node.pointer}/{keyword}/{index}", node.name)


_HINT = "describe what the tool does and needs, and remove instructions to the model"


def _report_poisoning(file: SourceFile, contract: ToolContract, spoken: _ExposedText, found: list[Passage]) -> Finding:
    return Finding(
        _poisoning(spoken.label, spoken.text, found),
        _HINT,
        _place_in(file, contract, spoken, _whole_words(spoken.text, found[0])),
        part=spoken.schema.part if spoken.schema else None,
        pointer=spoken.pointer,
    )


def _poisoning(label: str, text: str, found: Sequence[Passage]) -> str:
    excerpt = shown_value(" ".join(_whole_words(text, found[0]).split()))
    kinds = dict.fromkeys(passage.what for passage in found)
    others = "; it also " + ", and ".join([*kinds][1:3]) if len(kinds) > 1 else ""
    return f"{label} {found[0].what}: {excerpt}{others}"


def _without_delimiters(file: SourceFile) -> str:
    """Return a file's text in which strings of JSON and front matter do not look like quotations; offsets do not
    change."""
    end = 0
    if isinstance(file, ToolListFile):
        end = len(file.text)
    elif isinstance(file, SpecFile) and (front := re.match(_FRONT_MATTER, file.text)):
        end = front.end()
    return re.sub(_DELIMITER, lambda mark: "!".ljust(len(mark[0]), "\n"), file.text[:end]) + file.text[end:]


def _groups(text: str, found: Sequence[Passage]) -> Iterator[list[Passage]]:
    """Yield the passages of a file, grouped if they are near each other in one paragraph."""
    group: list[Passage] = []
    for passage in found:
        if group and (passage.start - group[-1].end > _NEAR or "\n\n" in text[group[-1].end : passage.start]):
            yield group
            group = []
        group.append(passage)
    if group:
        yield group


def _span_of(file: SourceFile, contract: ToolContract, spoken: _ExposedText) -> tuple[int, int]:
    """Return the offsets of a tool's text in the file."""
    place = _place_in(file, contract, spoken, spoken.text)
    return offset_of(file.text, place.line, place.column), offset_of(file.text, place.end_line, place.end_column)


def _whole_words(text: str, passage: Passage) -> str:
    """Return a passage without the end of the previous sentence, and with a complete path or address."""
    said = text[passage.start : passage.end].lstrip('".!?]>- \n')
    rest = re.match(r"[\w~/@.-]*\w", text[passage.end :]) if re.search(r"[\w/@.]$", said) else None
    return said + (rest[0] if rest else "")


def _place_in(file: SourceFile, contract: ToolContract, spoken: _ExposedText, passage: str) -> Place:
    """Return the place of a passage in the file, or of the whole text that contains it.

    Markdown may break and indent lines, and JSON may write characters as escapes.
    """
    text, place = file.text, spoken.place(contract)
    # A field of a specification may continue after the line of its place.
    last = contract.place_of("extent") if isinstance(file, SpecFile) and spoken.schema is None else place
    start, end = offset_of(text, place.line, place.column), offset_of(text, last.end_line, last.end_column)
    for form in (passage, json.dumps(passage, ensure_ascii=False)[1:-1], json.dumps(passage)[1:-1]):
        at = text.find(form, start, end)
        if at >= 0:
            return place_between(file.path, text, at, at + len(form))
    words = r"[\s>]+".join(re.escape(word) for word in passage.split())
    match = re.compile(words).search(text, start, end)
    return place_between(file.path, text, *match.span()) if match else place


def _find_escaped_characters(file: SourceFile) -> Iterator[Finding]:
    """Yield hidden characters that are escapes in text for the model; in a pattern, they may be intended."""
    for contract in file.contracts:
        for spoken in _exposed_texts(contract):
            if spoken.text.isascii() or not holds_hidden(spoken.text):
                continue
            runs = list(hidden_runs(spoken.text))
            place = spoken.place(contract)
            if runs and not holds_hidden(slice_at(file.text, place)):
                message = f"{spoken.label} holds {_message(runs[0].characters)}"
                part = spoken.schema.part if spoken.schema else None
                yield Finding(message, "remove the escape", place, part=part, pointer=spoken.pointer)


def _message(characters: str) -> str:
    spelled = spelled_text(characters)
    return describe(characters) + (f": {shown_value(spelled)}" if spelled is not None else "")
