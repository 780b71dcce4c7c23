"""The limits of each provider, and the table of those that tools can be checked against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mcp_contracts.errors import UsageError
from mcp_contracts.providers.limits.provider import Basis, CountLimit, KeywordLimit, NameLimit, Provider, Target
from mcp_contracts.rule_names import nearest

MCP_2025_11_25 = Target("mcp-2025-11-25", "clients of that MCP revision")
MCP_2026_07_28 = Target("mcp-2026-07-28", "clients of that MCP revision")
_REVISIONS = (MCP_2025_11_25, MCP_2026_07_28)

MCP = Provider(
    "mcp",
    _REVISIONS,
    tool_names=NameLimit(
        Basis("MCP", _REVISIONS, "documented", "MCP 2025-11-25, server/tools, Tool Names"), "_-.", 128
    ),
)

OUTPUT_ROOT = Basis("MCP 2025-11-25", (MCP_2025_11_25,), "documented", "MCP 2025-11-25, server/tools")
"""Requires `"type": "object"` at the root of an output schema."""

HEADER_ANNOTATION = Basis(
    "MCP 2026-07-28", (MCP_2026_07_28,), "documented", "MCP 2026-07-28, server/tools and transports (SEP-2243)"
)
"""Reads `x-mcp-header`, and drops a tool that misuses it."""

HEADER_KEYWORD = "x-mcp-header"
HEADER_TYPES = ("string", "integer", "boolean")
"""The types of a property that can be mirrored in a header."""

_PLAIN = Target("openai", "function tools of Chat Completions and Responses, without strict mode")
_STRICT = Target(
    "openai-strict", "the same with `strict: true`: the limits of `openai` and the strict subset of JSON Schema"
)
_MODES = (_PLAIN, _STRICT)

OPENAI = Provider(
    "openai",
    _MODES,
    tool_names=NameLimit(Basis("OpenAI", _MODES, "documented", "openai 3.54, `FunctionDefinition`"), "_-", 64),
    root_keywords=(
        KeywordLimit(
            Basis("OpenAI", _MODES, "reported", "langchainjs#9804, github-mcp-server v1.10.0 and its fix fcdd6640"),
            ("anyOf", "oneOf", "allOf", "enum", "not"),
        ),
    ),
    root_properties=(Basis("OpenAI", _MODES, "reported", "wake-ai#16, collmbo#384"),),
    tool_counts=(CountLimit(Basis("OpenAI", _MODES, "documented", "openai 3.54, types of evals and assistants"), 128),),
    description_lengths=(
        CountLimit(Basis("OpenAI", _MODES, "reported", "sentry-mcp#106, modelcontextprotocol/servers#799"), 1024),
    ),
)

STRICT_SUBSET = Basis(
    "OpenAI strict",
    (_STRICT,),
    "documented",
    "OpenAI, Structured Outputs, supported schemas, as profiled by jsonschemaprofiles.unitvectorylabs.com",
)
"""The subset that strict mode accepts; `providers.strict.form` converts a schema to it."""

STRICT_DEPTH = CountLimit(STRICT_SUBSET, 10)
STRICT_DEPTH_OF_SOME_MODELS = CountLimit(Basis("OpenAI strict", (_STRICT,), "reported", "tidyverse/ellmer#671"), 5)
STRICT_PROPERTIES = CountLimit(STRICT_SUBSET, 5_000)
STRICT_ENUM_VALUES = CountLimit(STRICT_SUBSET, 1_000)
"""Maximum number of values in all enums of a schema together."""
STRICT_LARGE_ENUM = CountLimit(STRICT_SUBSET, 250)
"""Beyond this number of values, STRICT_LARGE_ENUM_CHARACTERS applies to the strings of one enum."""
STRICT_LARGE_ENUM_CHARACTERS = CountLimit(STRICT_SUBSET, 15_000)
STRICT_CHARACTERS = CountLimit(STRICT_SUBSET, 120_000)
"""Maximum number of characters in the names of properties and definitions and the values of enums together."""

_MESSAGES = (Target("anthropic", "tools of the Messages API"),)
ANTHROPIC = Provider(
    "anthropic",
    _MESSAGES,
    tool_names=NameLimit(Basis("Anthropic", _MESSAGES, "reported", "pi-mcp-adapter#190, coday#1239"), "_-", 128),
    parameter_names=(
        NameLimit(Basis("Anthropic", _MESSAGES, "reported", "anthropics/claude-code#79418, n8n#30590"), "_-.", 64),
    ),
    root_keywords=(
        KeywordLimit(
            Basis("Anthropic", _MESSAGES, "reported", "anthropics/claude-code#40075, notion-mcp-server#341"),
            ("anyOf", "oneOf", "allOf"),
        ),
    ),
)

_DECLARATIONS = (Target("gemini", "function declarations"),)
_DECLARATION = Basis("Gemini", _DECLARATIONS, "documented", "google-genai 3.4, `FunctionDeclaration`")

GEMINI = Provider(
    "gemini",
    _DECLARATIONS,
    tool_names=NameLimit(_DECLARATION, "_-.:", 128, starts_with_letter=True),
    parameter_names=(NameLimit(_DECLARATION, "_", 64, starts_with_letter=True),),
    root_keywords=(
        KeywordLimit(
            Basis("Gemini", _DECLARATIONS, "reported", "one report, of Vertex AI"),
            ("anyOf", "oneOf", "allOf"),
        ),
    ),
    lacking_keywords=(
        KeywordLimit(
            Basis("Gemini", _DECLARATIONS, "documented", "google-genai 3.4, `Schema`"),
            (
                *("oneOf", "allOf", "not", "if", "const", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
                *("uniqueItems", "prefixItems", "additionalItems", "contains", "unevaluatedItems", "propertyNames"),
                *("patternProperties", "dependentRequired", "dependentSchemas", "dependencies"),
                "unevaluatedProperties",
            ),
        ),
    ),
)

PROVIDERS: tuple[Provider, ...] = (MCP, OPENAI, ANTHROPIC, GEMINI)
"""All providers, in the order in which messages name them."""

TARGETS: tuple[Target, ...] = tuple(target for provider in PROVIDERS for target in provider.targets)
_NAMED: Mapping[str, tuple[Target, ...]] = {
    **{target.name: (target,) for target in TARGETS},
    **{
        provider.name: provider.targets
        for provider in PROVIDERS
        if all(provider.name != target.name for target in provider.targets)
    },
    "all": TARGETS,
}
TARGET_NAMES: Sequence[str] = tuple(_NAMED)
"""The names of targets in options and configurations; `mcp` stands for both revisions."""

TOOL_NAMES = tuple(provider.tool_names for provider in PROVIDERS)
PARAMETER_NAMES = tuple(limit for provider in PROVIDERS for limit in provider.parameter_names)
ROOT_KEYWORDS = tuple(limit for provider in PROVIDERS for limit in provider.root_keywords)
ROOT_PROPERTIES = tuple(basis for provider in PROVIDERS for basis in provider.root_properties)
TOOL_COUNTS = tuple(limit for provider in PROVIDERS for limit in provider.tool_counts)
DESCRIPTION_LENGTHS = tuple(limit for provider in PROVIDERS for limit in provider.description_lengths)
LACKING_KEYWORDS = tuple(limit for provider in PROVIDERS for limit in provider.lacking_keywords)
"""The limits of all providers by kind; see `Provider`."""


def read_targets(words: Iterable[str]) -> tuple[Target, ...]:
    """Return the named targets, each once and in a fixed order. Raises UsageError for an unknown name."""
    chosen: set[Target] = set()
    for word in words:
        if word not in _NAMED:
            meant = nearest(word, TARGET_NAMES)
            hint = f"did you mean `{meant}`?" if meant else f"the targets are {', '.join(TARGET_NAMES)}"
            raise UsageError(f"unknown target `{word}`", hint=hint)
        chosen.update(_NAMED[word])
    return tuple(target for target in TARGETS if target in chosen)
