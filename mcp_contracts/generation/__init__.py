"""Constrained generation: a source of logits, a chain of filters, and text, values and calls that are valid.

Requires numpy and llguidance, the extra `[generate]`.
"""

try:
    import llguidance  # noqa: F401  # checked here, so that its absence is reported at once
    import numpy  # noqa: F401
except ImportError as error:
    raise ImportError(
        "constrained generation requires `numpy` and `llguidance`: pip install 'mcp-contracts[generate]'"
    ) from error

from mcp_contracts.generation.filters import (
    PRESETS,
    BannedTokens,
    Chain,
    ForcedTokens,
    Preset,
    Temperature,
    TopK,
    TopP,
    preset,
    try_preset,
)
from mcp_contracts.generation.generating import Generated, generate, generate_structured, generate_tool_call
from mcp_contracts.generation.grammars import GrammarFilter, read_gbnf
from mcp_contracts.generation.model import CutTextError, GenerationError, LogitsModel, NoTokenError, vocabulary
from mcp_contracts.generation.registering import add_generation_tools

__all__ = [
    "PRESETS",
    "BannedTokens",
    "Chain",
    "CutTextError",
    "ForcedTokens",
    "Generated",
    "GenerationError",
    "GrammarFilter",
    "LogitsModel",
    "NoTokenError",
    "Preset",
    "Temperature",
    "TopK",
    "TopP",
    "add_generation_tools",
    "generate",
    "generate_structured",
    "generate_tool_call",
    "preset",
    "read_gbnf",
    "try_preset",
    "vocabulary",
]
