"""The bundle: contracts as one JSON document, so that a program can use them without parsing Markdown."""

from __future__ import annotations

from typing import Literal, NotRequired

from mcp_contracts.contract import Contracts, JsonValue, ToolContract
from mcp_contracts.records import TypedDict, as_dict

FORMAT = "mcp-contracts/bundle"
VERSION: Literal[1] = 1


class BundleStatus(TypedDict):
    """A tool's life cycle."""

    state: str
    since: str | None
    removed_in: str | None
    replacement: str | None


class BundleEffects(TypedDict):
    """What a call changes; null if not stated."""

    change: Literal["read-only", "additive", "destructive"] | None
    world: Literal["open-world", "closed-world"] | None


class BundleError(TypedDict):
    """A documented error."""

    type: str
    when: str


class BundleMigration(TypedDict):
    """What a caller of an older version must change."""

    since: str
    text: str


class BundleExample(TypedDict):
    """An example message."""

    kind: Literal["call", "result", "arguments", "data"]
    value: JsonValue


class BundleTool(TypedDict):
    """One contract. Absent keys are not stated."""

    name: str
    input_schema: NotRequired[JsonValue]
    output_schema: NotRequired[JsonValue]
    module: NotRequired[str]
    source_name: NotRequired[str]
    title: NotRequired[str]
    version: NotRequired[str]
    description: NotRequired[str]
    status: NotRequired[BundleStatus]
    effects: NotRequired[BundleEffects]
    category: NotRequired[str]
    tags: NotRequired[list[str]]
    optional: NotRequired[bool]
    use_when: NotRequired[str]
    channels: NotRequired[list[str]]
    errors: NotRequired[list[BundleError]]
    idempotent: NotRequired[Literal["yes", "no", "conditional"]]
    task_support: NotRequired[Literal["optional", "required"]]
    security: NotRequired[str]
    examples: NotRequired[list[BundleExample]]
    migrations: NotRequired[list[BundleMigration]]


class Bundle(TypedDict):
    """A set of contracts."""

    format: Literal["mcp-contracts/bundle"]
    version: Literal[1]
    tools: list[BundleTool]


def to_bundle(contracts: Contracts) -> Bundle:
    """Convert contracts to a bundle, in order; fields that are not stated are omitted."""
    tools = [bundle_tool(contract) for contract in contracts]
    return {"format": "mcp-contracts/bundle", "version": VERSION, "tools": tools}


def bundle_tool(contract: ToolContract) -> BundleTool:
    """Convert a contract to an entry of a bundle."""
    tool: BundleTool = {"name": contract.name}
    for key in ("module", "source_name", "title", "version", "category", "use_when", "security"):
        value = getattr(contract, key)
        if value is not None:
            tool[key] = value
    if contract.description:
        tool["description"] = contract.description
    if contract.optional is not None:
        tool["optional"] = contract.optional
    if contract.idempotent is not None:
        tool["idempotent"] = contract.idempotent
    if contract.task_support is not None:
        tool["task_support"] = contract.task_support
    if contract.tags:
        tool["tags"] = list(contract.tags)
    if contract.channels:
        tool["channels"] = list(contract.channels)
    if contract.status is not None:
        tool["status"] = as_dict(BundleStatus, contract.status)
    if contract.effects is not None:
        tool["effects"] = as_dict(BundleEffects, contract.effects)
    if contract.input is not None:
        tool["input_schema"] = contract.input.value
    if contract.output is not None:
        tool["output_schema"] = contract.output.value
    if contract.errors:
        tool["errors"] = [{"type": error.name, "when": error.when} for error in contract.errors]
    # An example that could not be read has no value; of all kinds, only data can be null.
    examples = [example for example in contract.examples if example.value is not None or example.kind == "data"]
    if examples:
        tool["examples"] = [{"kind": example.kind, "value": example.value} for example in examples]
    if contract.migrations:
        tool["migrations"] = [{"since": note.since, "text": note.text} for note in contract.migrations]
    return tool
