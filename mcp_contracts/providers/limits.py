"""What providers take and refuse, as data: each limit with how sure it is and where it is known from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Literal, NamedTuple

from mcp_contracts.errors import UsageError
from mcp_contracts.rule_names import nearest

Certainty = Literal["documented", "reported"]
"""`documented`: read in a specification or a provider's own package; `reported`: told by those who were refused."""


class Target(StrEnum):
    """What tools can be meant for: a revision of MCP, or a provider's API in one of its modes."""

    MCP_2025_11_25 = "mcp-2025-11-25"
    MCP_2026_07_28 = "mcp-2026-07-28"
    OPENAI = "openai"
    OPENAI_STRICT = "openai-strict"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"


ALL_TARGETS = tuple(Target)
_GROUPS: dict[str, tuple[Target, ...]] = {
    "all": ALL_TARGETS,
    "mcp": (Target.MCP_2025_11_25, Target.MCP_2026_07_28),
    **{target.value: (target,) for target in ALL_TARGETS},
}
TARGET_NAMES: Sequence[str] = (*(target.value for target in ALL_TARGETS), "mcp", "all")
"""How targets are named in options and configurations; `mcp` is both revisions."""


def read_targets(words: Iterable[str]) -> tuple[Target, ...]:
    """The targets that some words name, each once, in one order. Raises UsageError for an unknown one."""
    chosen: set[Target] = set()
    for word in words:
        if word not in _GROUPS:
            meant = nearest(word, TARGET_NAMES)
            hint = f"did you mean `{meant}`?" if meant else f"the targets are {', '.join(TARGET_NAMES)}"
            raise UsageError(f"unknown target `{word}`", hint=hint)
        chosen.update(_GROUPS[word])
    return tuple(target for target in ALL_TARGETS if target in chosen)


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


_OPENAI = (Target.OPENAI, Target.OPENAI_STRICT)
_BOTH_MCP = (Target.MCP_2025_11_25, Target.MCP_2026_07_28)
_OPENAI_PACKAGE = "openai 3.54, `FunctionDefinition`"
_GEMINI_PACKAGE = "google-genai 3.4, `FunctionDeclaration`"
_STRICT_PROFILE = "OpenAI, Structured Outputs, supported schemas, as profiled by jsonschemaprofiles.unitvectorylabs.com"

TOOL_NAMES: Sequence[NameLimit] = (
    NameLimit(Basis("MCP", _BOTH_MCP, "documented", "MCP 2025-11-25, server/tools, Tool Names"), "_-.", 128),
    NameLimit(Basis("OpenAI", _OPENAI, "documented", _OPENAI_PACKAGE), "_-", 64),
    NameLimit(Basis("Anthropic", (Target.ANTHROPIC,), "reported", "pi-mcp-adapter#190, coday#1239"), "_-", 128),
    NameLimit(Basis("Gemini", (Target.GEMINI,), "documented", _GEMINI_PACKAGE), "_-.:", 128, starts_with_letter=True),
)
"""What a tool may be named."""

PARAMETER_NAMES: Sequence[NameLimit] = (
    NameLimit(
        Basis("Anthropic", (Target.ANTHROPIC,), "reported", "anthropics/claude-code#79418, n8n#30590"), "_-.", 64
    ),
    NameLimit(Basis("Gemini", (Target.GEMINI,), "documented", _GEMINI_PACKAGE), "_", 64, starts_with_letter=True),
)
"""What a property at the root of an input schema may be named."""

ROOT_KEYWORDS: Sequence[KeywordLimit] = (
    KeywordLimit(
        Basis("OpenAI", _OPENAI, "reported", "langchainjs#9804, github-mcp-server v1.10.0 and its fix fcdd6640"),
        ("anyOf", "oneOf", "allOf", "enum", "not"),
    ),
    KeywordLimit(
        Basis("Anthropic", (Target.ANTHROPIC,), "reported", "anthropics/claude-code#40075, notion-mcp-server#341"),
        ("anyOf", "oneOf", "allOf"),
    ),
    KeywordLimit(
        Basis("Gemini", (Target.GEMINI,), "reported", "one report, of Vertex AI"), ("anyOf", "oneOf", "allOf")
    ),
)
"""What must not stand at the root of an input schema, beside `"type": "object"` or without it."""

ROOT_PROPERTIES: Sequence[Basis] = (Basis("OpenAI", _OPENAI, "reported", "wake-ai#16, collmbo#384"),)
"""Who refuses an input schema without `properties`."""

TOOL_COUNTS: Sequence[CountLimit] = (
    CountLimit(Basis("OpenAI", _OPENAI, "documented", "openai 3.54, types of evals and assistants"), 128),
)
"""How many tools a request may have."""

DESCRIPTION_LENGTHS: Sequence[CountLimit] = (
    CountLimit(Basis("OpenAI", _OPENAI, "reported", "sentry-mcp#106, modelcontextprotocol/servers#799"), 1024),
)
"""How many characters the description of a tool may have."""

STRICT_SUBSET = Basis("OpenAI strict", (Target.OPENAI_STRICT,), "documented", _STRICT_PROFILE)
"""What strict mode takes; `providers.strict.form` brings a schema into it."""

STRICT_DEPTH = CountLimit(STRICT_SUBSET, 10)
STRICT_DEPTH_OF_SOME_MODELS = CountLimit(
    Basis("OpenAI strict", (Target.OPENAI_STRICT,), "reported", "tidyverse/ellmer#671"), 5
)
STRICT_PROPERTIES = CountLimit(STRICT_SUBSET, 5_000)
STRICT_ENUM_VALUES = CountLimit(STRICT_SUBSET, 1_000)
"""How many values all enums of a schema may have together."""
STRICT_LARGE_ENUM = CountLimit(STRICT_SUBSET, 250)
"""From more values than these on, STRICT_LARGE_ENUM_CHARACTERS holds for the texts of one enum."""
STRICT_LARGE_ENUM_CHARACTERS = CountLimit(STRICT_SUBSET, 15_000)
STRICT_CHARACTERS = CountLimit(STRICT_SUBSET, 120_000)
"""How many characters the names of properties and definitions and the values of enums may have together."""

LACKING_KEYWORDS: Sequence[KeywordLimit] = (
    KeywordLimit(
        Basis("Gemini", (Target.GEMINI,), "documented", "google-genai 3.4, `Schema`"),
        (
            *("oneOf", "allOf", "not", "if", "const", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
            *("uniqueItems", "prefixItems", "additionalItems", "contains", "unevaluatedItems", "propertyNames"),
            *("patternProperties", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties"),
        ),
    ),
)
"""What the subset of a provider lacks, beside strict mode's."""

OUTPUT_ROOT = Basis("MCP 2025-11-25", (Target.MCP_2025_11_25,), "documented", "MCP 2025-11-25, server/tools")
"""Who wants `"type": "object"` at the root of an output schema."""

HEADER_ANNOTATION = Basis(
    "MCP 2026-07-28", (Target.MCP_2026_07_28,), "documented", "MCP 2026-07-28, server/tools and transports (SEP-2243)"
)
"""Who reads `x-mcp-header`, and drops a tool that misuses it."""

HEADER_KEYWORD = "x-mcp-header"
HEADER_TYPES = ("string", "integer", "boolean")
"""The types of a property that can be mirrored in a header."""
