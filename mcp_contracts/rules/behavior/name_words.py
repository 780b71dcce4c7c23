"""The words of names: names that differ from others in one word, and the names of arguments in docstrings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import ToolContract
from mcp_contracts.rules.schemas.names import words_of

VERBS = frozenset(
    ("add", "analyze", "apply", "approve", "archive", "assign", "book", "browse", "build", "cancel", "change", "check",
     "clear", "close", "commit", "compute", "convert", "copy", "count", "create", "delete", "describe", "disable",
     "download", "edit", "enable", "execute", "explain", "export", "fetch", "find", "generate", "get", "import",
     "insert", "inspect", "list", "load", "lookup", "make", "merge", "modify", "move", "open", "pause", "place", "play",
     "post", "preview", "publish", "put", "query", "read", "refresh", "register", "reject", "remove", "rename",
     "render", "replace", "report", "reserve", "reset", "resolve", "restart", "restore", "resume", "run", "save",
     "scan", "schedule", "search", "send", "set", "show", "split", "start", "stop", "store", "submit", "subscribe",
     "sync", "track", "trigger", "update", "upload", "validate", "verify", "view", "write")
)  # fmt: skip
"""Words with which the names of tools begin."""
NOUNS = frozenset(
    ("book", "build", "change", "commit", "copy", "count", "export", "import", "place", "play", "post", "query",
     "report", "run", "scan", "schedule", "set", "store", "track", "view")
)  # fmt: skip
"""Verbs that are also nouns."""
OF_VALUES = frozenset(
    ("id", "name", "type", "key", "token", "path", "url", "uri", "count", "size", "limit", "date", "time", "at", "data",
     "code", "config", "option", "mode", "format", "number", "index", "list", "map", "value", "by", "only", "server",
     "error", "result", "response", "request", "output", "input", "file", "dir", "text", "message", "tool", "resource",
     "prompt")
)  # fmt: skip
"""Words, in the singular, that end the names of arguments and fields, and words of the protocol itself."""
_OF_A_NUMBER = frozenset(("num", "number", "count", "n", "total", "nr", "no", "of"))
FEWEST_WORDS = 2
_SHORTEST_PLURAL = 3

Words = tuple[str, ...]


@lru_cache(maxsize=4_096)
def stems_of(name: str) -> Words:
    """Return the words of a name in the singular and in lowercase, preceded by their separator: `_`, `-` or ""."""
    words = name.split("_") if name.islower() and "-" not in name else words_of(name)
    singular = (word[:-1] if word.endswith("s") and len(word) > _SHORTEST_PLURAL else word for word in words)
    return ("_" if "_" in name else "-" if "-" in name else "", *singular)


def gaps_in(words: Words) -> Iterator[Words]:
    """Yield keys for the words of a name: all words but one, and the sorted words without those for a number."""
    for at in range(1, len(words)):
        yield (*words[:at], "", *words[at + 1 :])
    rest = sorted({*words} - _OF_A_NUMBER)
    if len(rest) < len(words):
        yield ("n", *rest)


class NearNames:
    """Names of tools, indexed to find names that differ from one of them in one word."""

    def __init__(self, names: Iterable[str]) -> None:
        self.words = [words for name in sorted(names) if len(words := stems_of(name)) > FEWEST_WORDS]
        self._whole = frozenset(self.words)
        self._gaps = frozenset(gap for words in self.words for gap in gaps_in(words))
        self._shortened = frozenset(short for words in self.words for short in _without_a_middle_word(words))
        self.forms = frozenset(words[0] for words in self.words)

    def has_near(self, name: str) -> bool:
        """Whether a name differs in one word, in the middle or in a verb, and is not an argument's or a field's."""
        words = stems_of(name)
        if len(words) <= FEWEST_WORDS:
            return False
        gaps = (gap for at, gap in enumerate(gaps_in(words)) if at > 0 or words[1] in VERBS)
        return (
            any(gap in self._gaps for gap in gaps)
            or words in self._shortened
            or any(short in self._whole for short in _without_a_middle_word(words))
        )


def _without_a_middle_word(words: Words) -> Iterator[Words]:
    for at in range(2, len(words) - 1):
        yield (*words[:at], *words[at + 1 :])


_ARGUMENTS = re.compile(
    r"^[ \t]*(?:Args|Arguments|Parameters):[ \t]*\n(?P<lines>(?:[ \t]+\S[^\n]*(?:\n|\Z))+)", re.MULTILINE
)
_ARGUMENT = re.compile(r"^(?P<indent>[ \t]+)(?P<name>[a-z_]\w*)(?: ?\([^()\n]*\))?: ", re.MULTILINE)
_NO_ARGUMENTS = frozenset(
    ("ctx", "context", "self", "cls", "request", "state", "session", "db", "conn", "client", "config", "settings",
     "logger", "deps", "callback", "progress", "user", "kwargs", "args", "tool_context", "run_context", "mcp_context",
     "default", "example", "examples", "format", "note", "raises", "returns", "type", "values")
)  # fmt: skip
"""Arguments that frameworks pass themselves, and a line that explains an argument."""


def renamed_arguments(contract: ToolContract) -> Iterator[str]:
    """Yield the arguments in a docstring that the tool does not have, except arguments that frameworks pass themselves.

    Such an argument also counts if it differs by one word from a parameter without an explanation.
    """
    listed = _ARGUMENTS.search(contract.description) if "rg" in contract.description else None
    schema = contract.input_schema
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if listed is None or not isinstance(properties, dict):
        return
    lines = list(_ARGUMENT.finditer(listed["lines"]))
    names = [match["name"] for match in lines if match["indent"] == lines[0]["indent"]]
    silent = [name for name in properties if name not in names]
    for name in names:
        shared = {word.rstrip("s") for word in words_of(name)}
        is_passed = name in _NO_ARGUMENTS and not any(
            shared & {word.rstrip("s") for word in words_of(other)} for other in silent
        )
        if name not in properties and not is_passed:
            yield name
