"""A provider as data: the targets that tools can be meant for, and each limit with how sure it is and its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Certainty = Literal["documented", "reported"]
"""`documented`: read in a specification or a provider's own package; `reported`: told by those who were refused."""


class Target(NamedTuple):
    """What tools can be meant for: a revision of MCP, or a provider's API in one of its modes."""

    name: str
    meaning: str
    """What the name stands for, as the documentation puts it."""


class Basis(NamedTuple):
    """Whose limit it is, which targets it concerns, how sure it is, and where it is known from."""

    provider: str
    targets: tuple[Target, ...]
    certainty: Certainty
    source: str


class NameLimit(NamedTuple):
    """ASCII letters, digits and `extra`, at most `longest` of them, beginning with a letter or `_` if it says so."""

    basis: Basis
    extra: str
    longest: int
    starts_with_letter: bool = False


class CountLimit(NamedTuple):
    """The most there may be of something."""

    basis: Basis
    most: int


class KeywordLimit(NamedTuple):
    """Keywords of JSON Schema that are refused, or that a subset lacks."""

    basis: Basis
    keywords: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Provider:
    """Who takes tools. Several targets that share no name with the provider go by its name together, such as `mcp`."""

    name: str
    targets: tuple[Target, ...]
    tool_names: NameLimit
    """What a tool may be named."""
    parameter_names: tuple[NameLimit, ...] = ()
    """What a property at the root of an input schema may be named."""
    root_keywords: tuple[KeywordLimit, ...] = ()
    """What must not stand at the root of an input schema, beside `"type": "object"` or without it."""
    root_properties: tuple[Basis, ...] = ()
    """Stated by a provider that refuses an input schema without `properties`."""
    tool_counts: tuple[CountLimit, ...] = ()
    """How many tools a request may have."""
    description_lengths: tuple[CountLimit, ...] = ()
    """How many characters the description of a tool may have."""
    lacking_keywords: tuple[KeywordLimit, ...] = ()
    """What the provider's subset of JSON Schema lacks."""
