"""Ready-made chains of sampling filters, by name."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_contracts.errors import UsageError
from mcp_contracts.generation.filters import Chain, LogitsFilter, Temperature, TopK, TopP, probabilities
from mcp_contracts.generation.model import LogitsModel
from mcp_contracts.records import dataclass


@dataclass(frozen=True, slots=True)
class Preset:
    """Sampling filters with a name and a purpose."""

    name: str
    description: str
    filters: tuple[LogitsFilter, ...]


PRESETS = (
    Preset(
        "greedy", "always the most likely token: calls and values that must be the same each time", (Temperature(0),)
    ),
    Preset("precise", "close to the most likely tokens: tool calls, extraction", (Temperature(0.3), TopP(0.9))),
    Preset("balanced", "the usual settings for a conversation", (Temperature(0.7), TopK(40), TopP(0.95))),
    Preset("creative", "varied text", (Temperature(1.1), TopK(200), TopP(0.98))),
    Preset("plain", "the model's own distribution", ()),
)
"""All presets."""


def preset(name: str | Preset) -> Preset:
    """Return the preset with a name, or a preset itself. Raises UsageError."""
    if isinstance(name, Preset):
        return name
    found = next((one for one in PRESETS if one.name == name), None)
    if found is None:
        raise UsageError(f"unknown preset `{name}`", hint=f"the presets are {', '.join(p.name for p in PRESETS)}")
    return found


def try_preset(
    name: str | Preset, model: LogitsModel, prompt: str | Sequence[int], *, most: int = 10
) -> list[tuple[str, float]]:
    """Return the `most` likely next tokens after a prompt under a preset, as text, each with its probability."""
    chosen = preset(name)
    logits = Chain(chosen.filters)((), model.logits(model.tokens_of(prompt)))
    found = probabilities(logits)
    ranked = sorted(((float(found[token]), -token) for token in found.nonzero()[0]), reverse=True)[: max(most, 0)]
    size = model.tokenizer.vocab_size
    return [(model.tokenizer.decode_str([int(-n)]) if -n < size else "", chance) for chance, n in ranked]
