"""The parts of a contract, which an import compares, replaces and keeps one by one, and the record of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import ErrorType, JsonValue, SchemaOrigin, SchemaPart, Status, ToolContract
from mcp_contracts.parsing.markdown.blocks import Block, Html
from mcp_contracts.records import replace

LINES = ("version", "status", "category", "tags", "optional", "use when", "channels", "title", "source name")
"""The parts that are bold lines below the heading, apart from `effects` and `reach`, which share one."""
SECTIONS = {
    "description": 1,
    "input": 3,
    "output": 4,
    "errors": 5,
    "idempotency": 6,
    "examples": 7,
    "security": 8,
    "migration": 9,
}
"""The parts that are sections, with their numbers."""
EFFECTS = ("effects", "reach")
PARTS = (*LINES[:2], *EFFECTS, *LINES[2:], *SECTIONS)
"""All parts, in the order of a specification."""
OF_THE_SURFACE = ("title", "source name", *EFFECTS, "description", "input", "output", "idempotency")
"""The parts that MCP has a field for. What a source states about them is right."""

Parts = dict[str, JsonValue]
_UNFIT = re.compile("[\x00\ud800-\udfff]")
_LINE_END = re.compile(r"\r\n?")


def parts_of(contract: ToolContract) -> Parts:
    """Return the parts that a contract states, as JSON."""
    effects = contract.effects
    stated: Parts = {
        "version": contract.version,
        "status": _status_text(contract.status),
        "effects": effects.change if effects is not None else None,
        "reach": effects.world if effects is not None else None,
        "category": contract.category,
        "tags": [*contract.tags],
        "optional": contract.optional,
        "use when": contract.use_when,
        "channels": [*contract.channels],
        "title": contract.title,
        "source name": contract.source_name,
        "description": contract.description,
        "input": _schema(contract.input),
        "output": None if contract.output_schema in ({}, True) else _schema(contract.output),
        "errors": [[error.name, error.when] for error in contract.errors],
        "idempotency": contract.idempotent,
        "examples": [{"kind": example.kind, "value": example.value} for example in contract.examples],
        "security": contract.security,
        "migration": [[note.since, note.text] for note in contract.migrations],
    }
    return {name: stated[name] for name in PARTS if stated[name] not in (None, "", [])}


def digest_of(value: JsonValue) -> str:
    """Return a short digest of the JSON of a part."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return blake2b(text.encode("ascii"), digest_size=4).hexdigest()


def digests_of(parts: Mapping[str, JsonValue]) -> dict[str, str]:
    """Return the digests of all parts."""
    return {name: digest_of(value) for name, value in parts.items()}


def without(contract: ToolContract, name: str) -> ToolContract:
    """Return a contract without one part."""
    if name in EFFECTS and contract.effects is not None:
        kept = replace(contract.effects, change=None) if name == "effects" else replace(contract.effects, world=None)
        return replace(contract, effects=kept)
    empty = ToolContract(contract.name, contract.place)
    attribute = _ATTRIBUTES.get(name, name.replace(" ", "_"))
    return replace(contract, **{attribute: getattr(empty, attribute)})


_ATTRIBUTES = {"idempotency": "idempotent", "migration": "migrations"}


def fitted_contract(contract: ToolContract) -> ToolContract:
    """Return a contract with text that a Markdown file can represent.

    Lines end with a line feed, characters that UTF-8 or Markdown cannot represent become U+FFFD, and single-line fields
    have no line breaks. Schemas do not change, since JSON can escape everything.
    """
    return replace(
        contract,
        description=_fit(contract.description) if contract.description.strip() else "",
        version=_line(contract.version),
        category=_line(contract.category),
        tags=tuple(filter(None, map(_line, contract.tags))),
        use_when=_line(contract.use_when),
        channels=tuple(filter(None, map(_line, contract.channels))),
        title=_line(contract.title),
        source_name=None if contract.source_name is None else _fit(contract.source_name),
        input=_as_json(contract.input),
        output=_as_json(contract.output),
        errors=tuple(ErrorType(error.name, _line(error.when) or "", error.place) for error in contract.errors),
        security=_fit(contract.security).strip() or None if contract.security else None,
    )


def _fit(text: str) -> str:
    return _UNFIT.sub("\ufffd", _LINE_END.sub("\n", text))


def _line(text: str | None) -> str | None:
    return " ".join(_fit(text).split()) or None if text else None


def _schema(part: SchemaPart | None) -> JsonValue:
    """Return a schema as a part; a schema derived from a table is distinct from the same schema in JSON."""
    if part is None or part.value is None:
        return None
    return part.value if part.origin is SchemaOrigin.SCHEMA else {"derived": part.value}


def _as_json(part: SchemaPart | None) -> SchemaPart | None:
    return None if part is None else replace(part, origin=SchemaOrigin.SCHEMA)


def _status_text(status: Status | None) -> str | None:
    """Return a status as the format writes it."""
    if status is None:
        return None
    said = [
        f"since {status.since}" if status.since else "",
        f"removed in {status.removed_in}" if status.removed_in else "",
        f"use `{status.replacement}`" if status.replacement else "",
    ]
    details = ", ".join(filter(None, said))
    return f"{status.state} ({details})" if details else status.state


_COMMENT = re.compile(r"<!--\s*imported:\s*+([a-z][a-z ]* [0-9a-f]{8}(?:,\s*+[a-z][a-z ]* [0-9a-f]{8})*)\s*-->")
_WIDTH = 120


def record_block(blocks: Sequence[Block]) -> Html | None:
    """Return the comment from the blocks of a tool."""
    found = (block for block in blocks if isinstance(block, Html) and _COMMENT.fullmatch(block.content.strip()))
    return next(found, None)


def read_record(blocks: Sequence[Block]) -> dict[str, str]:
    """Return the digest of each part of the last import; none for a tool that was not imported."""
    block = record_block(blocks)
    match = None if block is None else _COMMENT.fullmatch(block.content.strip())
    entries = (entry.split() for entry in match[1].split(",")) if match is not None else ()
    read = {" ".join(words[:-1]): words[-1] for words in entries}
    return {name: digest for name, digest in read.items() if name in PARTS}


def record_text(digests: Mapping[str, str]) -> str:
    """Return the comment, with line breaks between its entries."""
    lines = ["<!-- imported:"]
    entries = [f"{name} {digests[name]}" for name in PARTS if name in digests]
    for number, entry in enumerate(entries, 1):
        word = f" {entry}{',' if number < len(entries) else ' -->'}"
        if len(lines[-1]) + len(word) > _WIDTH:
            lines.append("    ")
        lines[-1] += word
    return "\n".join(lines)
