"""The limits of OpenAI, with and without strict mode."""

from __future__ import annotations

from mcp_contracts.providers.limits.provider import Basis, CountLimit, KeywordLimit, NameLimit, Provider, Target

_PLAIN = Target("openai", "function tools of Chat Completions and Responses, without strict mode")
_STRICT = Target(
    "openai-strict", "the same with `strict: true`: the limits of `openai` and the strict subset of JSON Schema"
)
_BOTH = (_PLAIN, _STRICT)


def _cite_report(source: str) -> Basis:
    return Basis("OpenAI", _BOTH, "reported", source)


OPENAI = Provider(
    "openai",
    _BOTH,
    tool_names=NameLimit(Basis("OpenAI", _BOTH, "documented", "openai 3.54, `FunctionDefinition`"), "_-", 64),
    root_keywords=(
        KeywordLimit(
            _cite_report("langchainjs#9804, github-mcp-server v1.10.0 and its fix fcdd6640"),
            ("anyOf", "oneOf", "allOf", "enum", "not"),
        ),
    ),
    root_properties=(_cite_report("wake-ai#16, collmbo#384"),),
    tool_counts=(CountLimit(Basis("OpenAI", _BOTH, "documented", "openai 3.54, types of evals and assistants"), 128),),
    description_lengths=(CountLimit(_cite_report("sentry-mcp#106, modelcontextprotocol/servers#799"), 1024),),
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
