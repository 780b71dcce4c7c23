"""A provider as data: its targets, and each limit with its certainty and source."""

from __future__ import annotations

from typing import Literal

from mcp_contracts.records import NamedTuple, dataclass

Certainty = Literal["documented", "reported"]
"""`documented` in a specification or a provider's package, or `reported` by users whose requests were rejected."""


class Target(NamedTuple):
    """A revision of MCP, or a provider's API in one of its modes."""

    name: str
    meaning: str
    """Its description in the documentation."""


class Basis(NamedTuple):
    """The provider of a limit, the affected targets, its certainty and its source."""

    provider: str
    targets: tuple[Target, ...]
    certainty: Certainty
    source: str


class NameLimit(NamedTuple):
    """Names of at most `longest` ASCII letters, digits and `extra`, optionally with a letter or `_` first."""

    basis: Basis
    extra: str
    longest: int
    starts_with_letter: bool = False


class CountLimit(NamedTuple):
    """A maximum number."""

    basis: Basis
    most: int


class KeywordLimit(NamedTuple):
    """Keywords of JSON Schema that are rejected, or missing from a subset."""

    basis: Basis
    keywords: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider. Its name also represents all its targets if none of them has that name, such as `mcp`."""

    name: str
    targets: tuple[Target, ...]
    tool_names: NameLimit
    """The allowed names of tools."""
    parameter_names: tuple[NameLimit, ...] = ()
    """The allowed names of properties at the root of an input schema."""
    root_keywords: tuple[KeywordLimit, ...] = ()
    """Keywords that are rejected at the root of an input schema, even with `"type": "object"`."""
    root_properties: tuple[Basis, ...] = ()
    """Set if the provider rejects an input schema without `properties`."""
    tool_counts: tuple[CountLimit, ...] = ()
    """Maximum number of tools in a request."""
    description_lengths: tuple[CountLimit, ...] = ()
    """Maximum length of a tool's description in characters."""
    lacking_keywords: tuple[KeywordLimit, ...] = ()
    """Keywords that the provider's subset of JSON Schema lacks."""
