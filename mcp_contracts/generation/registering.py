"""Generation as tools of a registry: text, values and calls to its own tools, and the presets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcp_contracts.contract import Effects
from mcp_contracts.errors import ContractError
from mcp_contracts.generation.filters import PRESETS, try_preset
from mcp_contracts.generation.generating import MOST_TOKENS, generate, generate_structured, generate_tool_call
from mcp_contracts.generation.model import LogitsModel
from mcp_contracts.runtime.failures import ErrorTypes
from mcp_contracts.runtime.registry import ToolRegistry

_ERRORS: ErrorTypes = {ContractError: "ToolExecutionError"}


def add_generation_tools(registry: ToolRegistry, model: LogitsModel, *, module: str = "generation") -> None:
    """Add the tools `generate`, `generate_structured`, `generate_tool_call`, `list_presets` and `try_preset`.

    They run a model on this machine. `generate_tool_call` writes a call to one of the registry's other tools, and does
    not run it. Raises UsageError if one of them is already registered.
    """

    def generate_text(prompt: str, preset: str = "balanced", max_tokens: int = 256, seed: int | None = None) -> str:
        """Continue a prompt with the local model.

        Args:
            prompt: The text that comes before the answer.
            preset: The name of a preset, as `list_presets` lists them.
            max_tokens: The maximum number of tokens.
            seed: Makes the text the same each time.
        """
        return generate(model, prompt, preset=preset, max_tokens=max_tokens, seed=seed).text

    def structured(
        prompt: str,
        schema: dict[str, Any],
        preset: str = "precise",
        max_tokens: int = MOST_TOKENS,
        seed: int | None = None,
    ) -> Any:
        """Generate a JSON value that a JSON Schema accepts, with the local model.

        Args:
            prompt: The text that comes before the value.
            schema: The JSON Schema of the value.
            preset: The name of a preset, as `list_presets` lists them.
            max_tokens: The maximum number of tokens.
            seed: Makes the value the same each time.
        """
        value = generate_structured(model, prompt, schema, preset=preset, max_tokens=max_tokens, seed=seed)
        return {"value": value}

    def tool_call(
        prompt: str,
        tools: list[str] | None = None,
        form: str = "protocol",
        preset: str = "precise",
        max_tokens: int = MOST_TOKENS,
        seed: int | None = None,
    ) -> dict[str, Any]:
        """Generate a valid call to one of the registered tools, with the local model, without running it.

        Args:
            prompt: The text that comes before the call.
            tools: The names of the tools that may be called; by default all but these.
            form: The form in which the model writes the call.
            preset: The name of a preset, as `list_presets` lists them.
            max_tokens: The maximum number of tokens.
            seed: Makes the call the same each time.
        """
        own = f"{module}."
        offered = [one for one in registry.tools() if (one.name in tools if tools else not one.name.startswith(own))]
        call = generate_tool_call(model, prompt, offered, form=form, preset=preset, max_tokens=max_tokens, seed=seed)
        return {"tool_name": call.tool_name, "arguments": call.arguments}

    def list_presets() -> list[dict[str, str]]:
        """List the presets of sampling filters."""
        return [{"name": one.name, "description": one.description} for one in PRESETS]

    def try_one(preset: str, prompt: str, most: int = 10) -> list[dict[str, Any]]:
        """Show the most likely next tokens after a prompt under a preset.

        Args:
            preset: The name of a preset, as `list_presets` lists them.
            prompt: The text that comes before the tokens.
            most: The maximum number of tokens.
        """
        ranked = try_preset(preset, model, prompt, most=most)
        return [{"token": token, "probability": chance} for token, chance in ranked]

    functions: dict[str, Callable[..., Any]] = {
        "generate": generate_text,
        "generate_structured": structured,
        "generate_tool_call": tool_call,
        "list_presets": list_presets,
        "try_preset": try_one,
    }
    for name, function in functions.items():
        registry.tool(function, name=f"{module}.{name}", effects=Effects("read-only", "closed-world"), errors=_ERRORS)
