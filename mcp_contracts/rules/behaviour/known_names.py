"""The names that the tools of a file have, and those that their schemas declare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, SchemaPart, SourceFile, ToolContract
from mcp_contracts.rules.behaviour.docstring_names import words_of
from mcp_contracts.rules.schemas.declared_inputs import declared_input
from mcp_contracts.rules.wording import nearest
from mcp_contracts.schema.walk import shared_subschemas

_MARKS = ("`", "'", '"', "“", "_")
"""The text around or in a name that is checked."""
_STYLES = (re.compile("_"), re.compile("[a-z][A-Z]"))
_NAMES_OF_STYLES = frozenset(("snake_case", "camelCase", "PascalCase", "UPPER_CASE", "SCREAMING_SNAKE_CASE"))


class KnownTools:
    """The tools of a file by name, as a description may write them."""

    def __init__(self, file: SourceFile) -> None:
        self._file = file
        self.names = {contract.name for contract in file.contracts}
        self._last = {name.rpartition(".")[2] for name in self.names}
        self._folded = {_fold(name) for name in (*self.names, *self._last)}
        self._modules = {contract.name.rpartition(".")[0] for contract in file.contracts} - {""}
        self._parameters: set[str] | None = None
        joined = [mark for mark in "-." if any(mark in name for name in self.names)]
        self.marks = (*_MARKS, *joined)

    def has(self, name: str) -> bool:
        """Whether there is a tool of that name, with or without its module, in any case."""
        return _fold(name) in self._folded

    def is_meant(self, name: str) -> bool:
        """Whether a name is surely meant as one of these tools, and not as that of a program or another server.

        It is in their module, or written in their style (`a_b`, `aB`) and no parameter; or it is near to one of them.
        """
        module = name.rpartition(".")[0]
        if module:
            return module in self._modules
        if any(style.search(name) and self._may_have(style) for style in _STYLES):
            return name not in _NAMES_OF_STYLES and not self.have_parameter(name)
        near = nearest(name, self._last)
        return near is not None and abs(len(near) - len(name)) <= 1

    def is_akin(self, name: str) -> bool:
        """Whether a name has the form of a tool's, shares a word with one at the same end, and is no parameter."""
        module, _, last = name.rpartition(".")
        if module and module not in self._modules:
            return False
        if module and not self.have_parameter(last) and not self.have_parameter(module) and last not in _SUFFIXES:
            return True
        words = words_of(last)
        if len(words) < _FEWEST_WORDS or self.have_parameter(name) or self.have_parameter(last):
            return False
        separators = set(re.sub(r"[A-Za-z0-9]", "", last))
        return any(
            separators == set(re.sub(r"[A-Za-z0-9]", "", other))
            and (other_words[0] == words[0] or other_words[-1] == words[-1])
            for other in self._last
            if len(other_words := words_of(other)) >= _FEWEST_WORDS
        )

    def are_siblings_of(self, name: str) -> bool:
        """Whether a name is that of a tool but for one word, or begins as the names of all tools do.

        The first word of such a name is one of a tool, or a verb. Names of what tools take or give (`note_id` beside
        `note_find`) are none.
        """
        if not _OF_SEVERAL_WORDS.search(name):
            return False
        module, _, last = name.rpartition(".")
        words, form = _stems_of(last), re.sub(r"[A-Za-z0-9]", "", last)[:1]
        if (module and module not in self._modules) or len(words) < _FEWEST_WORDS or last in self._said:
            return False
        if words[-1] in _OF_VALUES and not any(other[-1] == words[-1] for other, _ in self._stems):
            return False
        for other, other_form in self._stems:
            if other_form != form or len(other) < _FEWEST_WORDS:
                continue
            if len(other) == len(words):
                odd = [at for at, pair in enumerate(zip(words, other, strict=True)) if pair[0] != pair[1]]
                if len(odd) == 1 and (odd != [0] or words[0] in _VERBS):
                    return True
            elif abs(len(other) - len(words)) == 1 and (other[0], other[-1]) == (words[0], words[-1]):
                short, long = sorted((words, other), key=len)
                if any(long[:at] + long[at + 1 :] == short for at in range(len(long))):
                    return True
        return self.are_named_like(name) and form in {other for _, other in self._stems}

    def are_written_like(self, name: str) -> bool:
        """Whether a name begins with a verb as names of tools do, is joined like theirs, and is of nothing else."""
        last = name.rpartition(".")[2]
        form = re.sub(r"[A-Za-z0-9]", "", last)[:1]
        is_verb = _stems_of(last)[0] in _VERBS and name == last and last not in self._said
        return is_verb and bool(form) and {form} == {other for _, other in self._stems}

    @cached_property
    def _stems(self) -> Sequence[tuple[list[str], str]]:
        """The words of each tool's name in the singular, and what joins them."""
        return [(_stems_of(name), re.sub(r"[A-Za-z0-9]", "", name)[:1]) for name in sorted(self._last)]

    @cached_property
    def _said(self) -> AbstractSet[str]:
        """The names that a file gives anything else: parameters, fields, values, errors, and the module itself."""
        said = {error.name for contract in self._file.contracts for error in contract.errors}
        said |= {word for contract in self._file.contracts for word in (contract.category or "", *contract.tags)}
        self.have_parameter("")
        return said | (self._parameters or set()) | self._modules | {self._file.module or ""}

    def are_named_like(self, name: str) -> bool:
        """Whether all tools, of several, begin with the first word of a name that is none of a parameter or a value."""
        first, *others = words_of(name.rpartition(".")[2]) or [""]
        if not others or len(self._last) < _FEWEST_WORDS or self.have_parameter(name):
            return False
        return all(words_of(last)[:1] == [first] for last in self._last)

    def is_of_module(self, name: str) -> bool:
        """Whether a dotted name is in a module of these tools, and no path into their schemas."""
        module, _, last = name.rpartition(".")
        return module in self._modules and not self.have_parameter(last) and not self.have_parameter(module)

    def _may_have(self, style: re.Pattern[str]) -> bool:
        """Whether the tools are named in a style, or in single words, so that they show none."""
        return any(map(style.search, self._last)) or not any(
            other.search(name) for other in _STYLES for name in self._last
        )

    def have_parameter(self, name: str) -> bool:
        """Whether any of the tools has a parameter of that name: the text may speak of that one."""
        if self._parameters is None:
            self._parameters = set()
            for contract in self._file.contracts:
                self._parameters |= KnownParameters(contract).names
        return name in self._parameters


_FEWEST_WORDS = 2
_OF_SEVERAL_WORDS = re.compile(r"[a-z0-9][_-][a-z0-9]|[a-z][A-Z]")
_VERBS = frozenset(
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
_OF_A_NUMBER = frozenset(("num", "number", "count", "n", "total", "nr", "no", "of"))
_OF_VALUES = frozenset(
    ("id", "name", "type", "key", "token", "path", "url", "uri", "count", "size", "limit", "date", "time", "at", "data",
     "code", "config", "options", "mode", "format", "number", "index", "list", "map", "value", "by", "only", "server",
     "error", "result", "results", "response", "request", "output", "input", "file", "dir", "text", "message", "tool",
     "tools", "resource", "prompt")
)  # fmt: skip
"""Words with which the names of arguments and fields end, and those of the protocol itself."""
_SUFFIXES = frozenset(("py", "md", "json", "yaml", "yml", "toml", "txt", "js", "ts", "csv", "db", "com", "org"))
"""What may follow the dot in the name of a file or a host."""


def _stems_of(name: str) -> list[str]:
    return [word[:-1] if word.endswith("s") and len(word) > _SHORTEST_PLURAL else word for word in words_of(name)]


_SHORTEST_PLURAL = 3


def _fold(name: str) -> str:
    return name.replace("_", "").replace("-", "").casefold()


class KnownParameters:
    """The names that a tool's schemas declare anywhere."""

    def __init__(self, contract: ToolContract) -> None:
        self._input = contract.input
        self.inputs = frozenset(_declared_names(contract.input))
        self.names: set[str] = set()
        for part in (contract.input, contract.output):
            self.names |= set(_declared_names(part))

    def may_have(self, name: str) -> bool:
        """Whether a name is declared somewhere, or may be, since the schema is open or not known."""
        if self._input is None or name in self.names:
            return True
        declared = declared_input(self._input)
        return declared.is_open or not declared.is_known or not (declared.pointers or _states_none(self._input.value))

    def are_siblings_of(self, name: str) -> bool:
        """Whether a name is that of an argument but for one word, or for the order and the word for a number."""
        form, words = re.sub(r"[A-Za-z0-9]", "", name)[:1], _stems_of(name)
        for other in self.inputs if len(words) >= _FEWEST_WORDS else ():
            others = _stems_of(other)
            if re.sub(r"[A-Za-z0-9]", "", other)[:1] == form and len(others) == len(words):
                odd = [pair for pair in zip(words, others, strict=True) if pair[0] != pair[1]]
                if len(odd) == 1 or {*words} - _OF_A_NUMBER == {*others} - _OF_A_NUMBER:
                    return True
        return False


def _states_none(schema: JsonValue) -> bool:
    """Whether a schema says itself that it has no properties."""
    return (
        isinstance(schema, dict) and schema.get("properties") == {} and schema.get("additionalProperties") is not True
    )


def _declared_names(part: SchemaPart | None) -> Iterator[str]:
    for node in shared_subschemas(part.value) if part is not None else ():
        properties: JsonValue = node.value.get("properties")
        if isinstance(properties, dict):
            yield from properties
        for keyword in ("enum", "required"):
            values = node.value.get(keyword)
            yield from (value for value in values if isinstance(value, str)) if isinstance(values, list) else ()
