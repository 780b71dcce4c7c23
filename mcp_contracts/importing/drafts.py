"""A contract as an import writes it: the parts that a specification can represent, and the whole text."""

from __future__ import annotations

from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.importing.parts import (
    EFFECTS,
    LINES,
    Parts,
    digest_of,
    digests_of,
    fitted_contract,
    parts_of,
    without,
)
from mcp_contracts.importing.texts import tool_text
from mcp_contracts.parsing.discovery import MAX_FILE_SIZE
from mcp_contracts.parsing.spec import MAX_LINES, read_spec
from mcp_contracts.records import dataclass
from mcp_contracts.witnesses.counterexamples import make_readable, sample_witness


def sampled_call(contract: ToolContract) -> JsonValue:
    """Return a call that the input schema accepts; None if sampling finds none."""
    schema = contract.input_schema
    if not isinstance(schema, dict):
        return None
    arguments = sample_witness(schema, False)
    if not isinstance(arguments, dict):
        return None
    return {"tool_name": contract.name, "arguments": make_readable(arguments, schema, False)}


_FREE = ("security", "migration", "errors", "title", "use when", "source name", "description")
"""Parts of any text, the least important first."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A tool to be written. `parts` are the parts to write, including the sampled call; `lost` are those that cannot be
    written.
    """

    contract: ToolContract
    parts: Parts
    sampled: JsonValue
    text: str
    lost: tuple[str, ...]

    @property
    def stated(self) -> Parts:
        """The parts that the source states itself."""
        return {name: value for name, value in self.parts.items() if name != "examples" or self.sampled is None}


def draft_of(contract: ToolContract) -> Draft:
    """Return a contract as text that parses to the same contract; parts that would not are left out.

    Raises UsageError for an invalid tool name, and for a tool that exceeds the limits of a file.
    """
    contract = fitted_contract(contract)
    lost: list[str] = []
    is_sampling = True
    while True:
        parts = parts_of(contract)
        sampled = sampled_call(contract) if is_sampling and "examples" not in parts else None
        if sampled is not None:
            parts["examples"] = [{"kind": "call", "value": sampled}]
        draft = Draft(contract, parts, sampled, "", tuple(lost))
        text = tool_text(contract, draft.stated, digests_of(parts), sampled)
        check_length(contract.name, text, hint="leave the tool out with `--exclude`")
        wrong = _unread(text, contract.name, parts)
        if not wrong:
            return Draft(contract, parts, sampled, text, tuple(lost))
        if sampled is not None and "examples" in wrong:
            wrong.remove("examples")
            is_sampling = False
        for name in wrong:
            contract = without(contract, name)
        lost += wrong


def check_length(subject: str, text: str, *, hint: str) -> None:
    """Raise UsageError for text that is too long for any command to read."""
    lines, size = text.count("\n"), len(text.encode("utf-8", "replace"))
    if lines >= MAX_LINES or size > MAX_FILE_SIZE:
        raise UsageError(
            f"`{subject}` would have {lines:,} lines and {size:,} bytes, and at most {MAX_LINES:,} lines and "
            f"{MAX_FILE_SIZE:,} bytes of a specification are read",
            hint=hint,
        )


def _first_of(parts: Parts, name: str) -> list[str]:
    """Return the least important part. Raises UsageError if none is left, since the name must be the cause."""
    found = [one for one in (*_FREE, *parts) if one in parts]
    if not found:
        hint = "leave the tool out with `--exclude`, or rename it"
        raise UsageError(f"a specification cannot contain a tool named `{name}`", hint=hint)
    return found[:1]


def _unread(text: str, name: str, parts: Parts) -> list[str]:
    """Return the parts that the text does not preserve; if it is not one tool, a part that may be the cause."""
    spec = read_spec("", text)
    if [tool.contract.name for tool in spec.tools] != [name] or spec.tools[0].is_legacy:
        return _first_of(parts, name)
    read = parts_of(spec.tools[0].contract)
    wrong = [one for one, value in parts.items() if one not in read or digest_of(read[one]) != digest_of(value)]
    # A value such as `x | **Effects**: read-only` would be read as two lines.
    is_forged = bool(({*LINES, *EFFECTS} - {"version"}) & (read.keys() - parts.keys()))
    return wrong or [one for one in LINES if is_forged and "**" in str(parts.get(one))]
