"""The formats of `export`: providers, bundles, grammars and prompts, one row for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from mcp_contracts.adapters.base import Loss
from mcp_contracts.adapters.table import ADAPTERS, AdapterRow, ExportOptions
from mcp_contracts.bundle import to_bundle
from mcp_contracts.contract import Contracts
from mcp_contracts.records import dataclass, field
from mcp_contracts.reporting.visible import json_text


@dataclass(frozen=True, slots=True)
class Output:
    """Contracts in a format, with the dotted names for the names in the text, and the losses."""

    text: str
    names: Mapping[str, str] = field(default_factory=dict)
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """A format. `options` describes each option of the command for it; `row` is the row of a provider's format.

    `has_output` says whether the format carries output schemas.
    """

    name: str
    write: Callable[[Contracts, ExportOptions], Output]
    options: Mapping[str, str] = field(default_factory=dict)
    row: AdapterRow | None = None
    has_output: bool = False


def _provider_format(row: AdapterRow, contracts: Contracts, options: ExportOptions) -> Output:
    tool_set = row.tools_out(contracts, options)
    return Output(json_text(row.document(tool_set)), dict(tool_set.names.from_provider), tool_set.losses)


def _bundle(contracts: Contracts, options: ExportOptions) -> Output:
    return Output(json_text(to_bundle(contracts)))


def _grammar(contracts: Contracts, options: ExportOptions, *, is_gbnf: bool) -> Output:
    from mcp_contracts.adapters.grammar.calls import grammar_of  # grammars and prompts are slow to import
    from mcp_contracts.adapters.grammar.gbnf import write_gbnf
    from mcp_contracts.adapters.grammar.lark import write_lark

    found = grammar_of(
        contracts,
        form=options.call_form,
        has_whitespace=options.has_whitespace,
        lossy=options.is_lossy,
        strict=options.is_strict,
    )
    return Output((write_gbnf if is_gbnf else write_lark)(found.grammar), losses=found.losses)


def _json_schema(contracts: Contracts, options: ExportOptions) -> Output:
    from mcp_contracts.adapters.grammar.union import union_of

    schema, losses = union_of(contracts, strict=options.is_strict)
    return Output(json_text(schema), losses=losses)


def _prompt(contracts: Contracts, options: ExportOptions) -> Output:
    from mcp_contracts.adapters.prompts.writing import prompt

    found = prompt(contracts, budget=options.budget, call_form=options.call_form)
    return Output(found.text, losses=found.losses)


_CALL_FORM = {"call-form": "the form of a call"}
_STRICT = {"strict": "fail if the format cannot express one of the tools"}
_GRAMMAR = {
    "whitespace": "permit whitespace in the JSON",
    **_CALL_FORM,
    "lossy": "do not enforce the parts of a schema that a grammar cannot express",
    **_STRICT,
}

FORMATS: tuple[Format, ...] = (
    *(Format(row.name, partial(_provider_format, row), row.options, row, row.name == "mcp") for row in ADAPTERS),
    Format("bundle", _bundle, has_output=True),
    Format("gbnf", partial(_grammar, is_gbnf=True), _GRAMMAR),
    Format("lark", partial(_grammar, is_gbnf=False), _GRAMMAR),
    Format("json-schema", _json_schema, _STRICT),
    Format("prompt", _prompt, {"budget": "the maximum number of characters", **_CALL_FORM}, has_output=True),
)
"""All formats, in the order of `export --help`."""
FORMAT_NAMES = tuple(one.name for one in FORMATS)


def formats_with(option: str) -> tuple[str, ...]:
    """Return the names of the formats that support an option."""
    return tuple(one.name for one in FORMATS if option in one.options)


def option_help(option: str) -> str:
    """Describe an option for the help of the command, as in "With mcp: …; with anthropic: …"."""
    uses: dict[str, list[str]] = {}
    for one in FORMATS:
        if option in one.options:
            uses.setdefault(one.options[option], []).append(one.name)
    text = "; ".join(f"with {', '.join(names)}: {use}" for use, names in uses.items())
    return f"{text[:1].upper()}{text[1:]}."
