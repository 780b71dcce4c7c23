"""Filters of logits, chains of them, and ready-made chains: pure functions of the tokens so far, for any sampler."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mcp_contracts.errors import UsageError
from mcp_contracts.generation.model import GenerationError, LogitsModel, NoTokenError
from mcp_contracts.records import dataclass

Logits = NDArray[np.float64]
"""One number for each token of the vocabulary, of shape `(vocabulary,)`; `-inf` forbids a token."""

LogitsFilter = Callable[[Sequence[int], Logits], Logits]
"""Returns the logits after a filter, given the tokens that were generated so far; may change the array in place."""


def read_logits(given: ArrayLike) -> Logits:
    """Return a copy of logits as an array. Raises GenerationError for other values, NaN and `+inf`."""
    try:
        logits = np.array(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise GenerationError(f"the logits are not numbers: {error}") from error
    if logits.ndim != 1 or not logits.size:
        raise GenerationError(f"the logits have the shape {logits.shape}", hint="return one number for each token")
    wrong = int(np.count_nonzero(np.isnan(logits) | (logits == np.inf)))
    if wrong:
        raise GenerationError(f"{wrong:,} of {logits.size:,} logits are NaN or infinite", hint="check the model")
    return logits


@dataclass(frozen=True, slots=True)
class Chain:
    """Filters in order. Put grammars and bans first, because `TopK` may remove all tokens that they permit.

    Raises NoTokenError with the filter as soon as no token is left.
    """

    filters: tuple[LogitsFilter, ...] = ()

    def __call__(self, tokens: Sequence[int], logits: ArrayLike) -> Logits:
        found = read_logits(logits)
        if not _is_open(found):
            raise NoTokenError("the model forbids every token: all of its logits are `-inf`")
        for one in self.filters:
            size = found.shape
            found = one(tokens, found)
            name = getattr(type(one), "__name__", "function")
            if not isinstance(found, np.ndarray) or found.shape != size:
                raise GenerationError(f"the filter `{name}` does not return logits", hint="return the array")
            if not _is_open(found):
                raise NoTokenError(
                    f"no token is left after the filter `{name}`, at token {len(tokens) + 1}",
                    hint="put grammars before bans and sampling filters, and check that the vocabulary has every byte",
                )
        return found


def _is_open(logits: Logits) -> bool:
    return bool(np.any(logits > -np.inf))


class BannedTokens:
    """Forbids some tokens."""

    def __init__(self, tokens: Iterable[int]) -> None:
        self._tokens = _check_tokens(tokens)

    def __call__(self, tokens: Sequence[int], logits: Logits) -> Logits:
        logits[self._tokens[self._tokens < logits.size]] = -np.inf
        return logits


class ForcedTokens:
    """Begins with some tokens, regardless of what the model prefers."""

    def __init__(self, tokens: Iterable[int]) -> None:
        self._tokens = _check_tokens(tokens)

    def __call__(self, tokens: Sequence[int], logits: Logits) -> Logits:
        if len(tokens) >= self._tokens.size:
            return logits
        return only(logits, self._tokens[len(tokens)])


class Temperature:
    """Sharpens (below 1) or flattens the distribution; 0 leaves only the most likely token."""

    def __init__(self, value: float) -> None:
        if not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
            raise UsageError(f"a temperature cannot be {value!r}", hint="pass a number of at least 0")
        self._value = value

    def __call__(self, tokens: Sequence[int], logits: Logits) -> Logits:
        if self._value == 0:
            return only(logits, int(np.argmax(logits)))
        with np.errstate(over="ignore"):  # a tiny temperature: all but the most likely token become impossible
            return (logits - np.max(logits)) / self._value


class TopK:
    """Leaves the `k` most likely tokens, or the first of equally likely ones."""

    def __init__(self, k: int) -> None:
        if not isinstance(k, int) or isinstance(k, bool) or k < 1:
            raise UsageError(f"top-k cannot be {k!r}", hint="pass an integer of at least 1")
        self._k = k

    def __call__(self, tokens: Sequence[int], logits: Logits) -> Logits:
        logits[np.argsort(-logits, kind="stable")[self._k :]] = -np.inf
        return logits


class TopP:
    """Leaves the fewest most likely tokens whose probabilities together reach `p`."""

    def __init__(self, p: float) -> None:
        if not isinstance(p, int | float) or not 0 < p <= 1:
            raise UsageError(f"top-p cannot be {p!r}", hint="pass a number above 0, at most 1")
        self._p = p

    def __call__(self, tokens: Sequence[int], logits: Logits) -> Logits:
        order = np.argsort(-logits, kind="stable")
        before = np.concatenate(([0.0], np.cumsum(probabilities(logits)[order])[:-1]))
        logits[order[before >= self._p]] = -np.inf
        return logits


def probabilities(logits: Logits) -> NDArray[np.float64]:
    """Return the probability of each token; at least one is possible."""
    weights = np.exp(logits - np.max(logits))
    found: NDArray[np.float64] = weights / np.sum(weights)
    return found


def only(logits: Logits, token: int) -> Logits:
    """Return logits that leave one token, if it is possible."""
    found = np.full_like(logits, -np.inf)
    if 0 <= token < logits.size:
        found[token] = logits[token]
    return found


def _check_tokens(tokens: Iterable[int]) -> NDArray[np.int64]:
    listed = list(tokens)
    if not all(isinstance(token, int | np.integer) and not isinstance(token, bool) and token >= 0 for token in listed):
        raise UsageError("tokens must be integers of at least 0")
    return np.array(listed, dtype=np.int64)


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
