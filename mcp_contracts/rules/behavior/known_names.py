"""The names of the tools of a file, and the names that their schemas declare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, SchemaPart, SourceFile, SpecFile, ToolContract
from mcp_contracts.rules.behavior.name_words import (
    FEWEST_WORDS,
    NOUNS,
    OF_VALUES,
    VERBS,
    NearNames,
    Words,
    stems_of,
)
from mcp_contracts.rules.schemas.declared_inputs import declared_input
from mcp_contracts.rules.schemas.names import fold_name, words_of
from mcp_contracts.rules.wording import is_misspelled, nearest
from mcp_contracts.schema.walk import nodes_by_keyword

_MARKS = ("`", "'", '"', "“", "_")
"""Limits on the text in and around a name that is checked."""
_STYLES = (re.compile("_"), re.compile("[a-z][A-Z]"))
_NAMES_OF_STYLES = frozenset(("snake_case", "camelCase", "PascalCase", "UPPER_CASE", "SCREAMING_SNAKE_CASE"))


def _may_be_of_set(file: SpecFile) -> bool:
    """Whether a file is the contract of one tool in an older dialect, next to which others may have their own files."""
    return len(file.tools) == 1 and file.tools[0].is_legacy


class KnownTools:
    """The tools of a file by name, as a description may write them."""

    def __init__(self, file: SourceFile) -> None:
        self._file = file
        self.names = {contract.name for contract in file.contracts}
        self._last = {name.rpartition(".")[2] for name in self.names}
        unread = (*file.unread_tools, *file.unread_siblings) if isinstance(file, SpecFile) else ()
        self._folded = {fold_name(name) for name in (*self.names, *self._last, *(one.name for one in unread))}
        self._modules = {contract.name.rpartition(".")[0] for contract in file.contracts} - {""}
        self._parameters: set[str] | None = None
        self._folded_parameters: set[str] | None = None
        self._judged: dict[str, bool] = {}
        self._of_contract: dict[int, KnownParameters] = {}
        joined = [mark for mark in "-." if any(mark in name for name in self.names)]
        self.marks = (*_MARKS, *joined)
        self._are_all_known = not isinstance(file, SpecFile) or (file.is_closed and not _may_be_of_set(file))

    def has(self, name: str) -> bool:
        """Whether a tool has that name, with or without its module, ignoring case."""
        return fold_name(name) in self._folded

    def lack(self, name: str) -> bool:
        """Whether a name is definitely not a tool's. If some tools may not be read, it must be misspelled."""
        if self.has(name) or self.have_parameter_in_any_style(name) or any(map(name.startswith, self._patterns)):
            return False
        if name in self._denied:
            return False
        if name.isupper() and not any(map(str.isupper, self._last)):
            return False  # an environment variable
        if "-" in name and name.rpartition("-")[2] in _OF_ADJECTIVES:
            return False
        return self._are_all_known or any(is_misspelled(name.rpartition(".")[2], own) for own in self._last)

    def may_name_others(self, text: str) -> bool:
        """Whether text contains a name of several words that resembles tool names but is not one of them."""
        return any(map(self.may_mean, _NAMES.findall(text)))

    def may_mean(self, name: str) -> bool:
        """Whether a name of several words may be meant as a tool name but is not one."""
        is_like = self._judged.get(name)
        if is_like is None:
            words = stems_of(name.rpartition(".")[2])
            is_like = (
                (not self._words.isdisjoint(words) or words[1] in VERBS or "." in name)
                and not name[-1].isdigit()
                and not self.has(name)
                and words[1:] not in self._objects
                and (
                    self.are_siblings_of(name)
                    or self.is_akin(name)
                    or self.are_written_like(name)
                    or self.is_of_module(name)
                )
            )
            self._judged[name] = is_like
        return is_like

    def parameters_of(self, contract: ToolContract) -> KnownParameters:
        """Return the names that the schemas of one tool declare."""
        known = self._of_contract.get(id(contract))
        if known is None:
            known = self._of_contract[id(contract)] = KnownParameters(contract)
        return known

    def is_meant(self, name: str) -> bool:
        """Whether a name definitely means one of these tools, not a program or a tool of another server.

        The name is in their module, is written in their style (`a_b`, `aB`) and is not a parameter, or resembles one of
        them.
        """
        module = name.rpartition(".")[0]
        if module:
            return module in self._modules
        if "-" in name:
            return self.is_akin(name)
        if any(style.search(name) and self._may_have(style) for style in _STYLES):
            return name not in _NAMES_OF_STYLES and not self.have_parameter(name)
        near = nearest(name, self._last)
        return near is not None and abs(len(near) - len(name)) <= 1

    def is_akin(self, name: str) -> bool:
        """Whether a name has the form of a tool name, shares the first or last word of one, and is not a parameter."""
        module, _, last = name.rpartition(".")
        if module and module not in self._modules:
            return False
        if module and not self.have_parameter(last) and not self.have_parameter(module) and last not in _SUFFIXES:
            return True
        words = words_of(last)
        if (
            len(words) < FEWEST_WORDS
            or self._ends.isdisjoint((words[0], words[-1]))
            or self.have_parameter(name)
            or self.have_parameter(last)
        ):
            return False
        separators = set(re.sub(r"[A-Za-z0-9]", "", last))
        return any(
            separators == set(re.sub(r"[A-Za-z0-9]", "", other))
            and (other_words[0] == words[0] or other_words[-1] == words[-1])
            for other in self._last
            if len(other_words := words_of(other)) >= FEWEST_WORDS
        )

    def are_siblings_of(self, name: str) -> bool:
        """Whether a name differs from a tool name in one word, or begins like the names of all tools.

        The first word of such a name is that of a tool name, or a verb. Names of inputs and outputs (`note_id` next to
        `note_find`) do not count.
        """
        module, _, last = name.rpartition(".")
        if (module and module not in self._modules) or not (self._near.has_near(last) or self.are_named_like(name)):
            return False
        return (
            stems_of(last)[0] in self._near.forms
            and stems_of(last)[-1] not in self._of_values
            and last not in self._mentioned
        )

    def may_be_alone(self, name: str) -> bool:
        """Whether a name counts without any words about it: it resembles the name of a tool, and begins with a verb or
        as the names of all tools do.
        """
        is_like = stems_of(name)[1] in VERBS - NOUNS or self.are_named_like(name)
        return is_like and self.are_siblings_of(name)

    def are_written_like(self, name: str) -> bool:
        """Whether a name begins with a verb and is joined like tool names, and is not the name of anything else in the
        file."""
        form, *words = stems_of(name)
        is_verb = len(words) >= FEWEST_WORDS and words[0] in VERBS - NOUNS and name not in self._mentioned
        return is_verb and bool(form) and self._near.forms == {form}

    def are_joined_like(self, name: str) -> bool:
        """Whether a name is written in the style of all tool names, and is not the name of anything else."""
        return self._near.forms == {stems_of(name)[0]} and name not in self._mentioned

    @cached_property
    def _patterns(self) -> AbstractSet[str]:
        """The beginnings of names that a specification gives as patterns: `boat_get_<part>` or `boat_get_*`."""
        return set(_PATTERN.findall(self._file.text)) if isinstance(self._file, SpecFile) else set()

    @cached_property
    def _denied(self) -> AbstractSet[str]:
        """The names that a specification says are no tools: `` `close_all` is an internal function ``."""
        text = self._file.text if isinstance(self._file, SpecFile) else ""
        return {name for match in _DENIED.finditer(text) for name in re.findall(r"`(\w+)", match[0])}

    @cached_property
    def _words(self) -> AbstractSet[str]:
        """The words of the tools, in the singular."""
        return {word for name in self._last for word in stems_of(name)[1:]}

    @cached_property
    def _objects(self) -> AbstractSet[Words]:
        """The objects in tool names: the `open_orders` of `get_open_orders`."""
        words = [stems_of(name)[1:] for name in self._last]
        return {one[1:] for one in words if one[0] in VERBS}.difference(words)

    @cached_property
    def _ends(self) -> AbstractSet[str]:
        """The first and the last words of the tools."""
        return {end for name in self._last for words in (words_of(name),) for end in (words[0], words[-1])}

    @cached_property
    def _near(self) -> NearNames:
        return NearNames(self._last)

    @cached_property
    def _of_values(self) -> AbstractSet[str]:
        """The last words of value names that are not last words of tool names."""
        return OF_VALUES - {words[-1] for words in self._near.words}

    @cached_property
    def _mentioned(self) -> AbstractSet[str]:
        """All other names in a file: parameters, fields, values, errors, and the module itself."""
        said = {error.name for contract in self._file.contracts for error in contract.errors}
        said |= {word for contract in self._file.contracts for word in (contract.category or "", *contract.tags)}
        self.have_parameter("")
        return said | (self._parameters or set()) | self._modules | {self._file.module or ""}

    def are_named_like(self, name: str) -> bool:
        """Whether several tools, but no parameter or value, begin with the first word of a name."""
        words = stems_of(name.rpartition(".")[2])
        is_like = len(words) > FEWEST_WORDS and words[1] == self._first_word
        return is_like and (words[2] in VERBS or words[2] in self._words) and not self.have_parameter(name)

    @cached_property
    def _first_word(self) -> str | None:
        """The first word that several tool names all share."""
        first = {stems_of(name)[1] for name in self._last}
        return first.pop() if len(first) == 1 and len(self._last) > 1 else None

    def is_of_module(self, name: str) -> bool:
        """Whether a dotted name is in a module of these tools, and is not a path into their schemas."""
        module, _, last = name.rpartition(".")
        return module in self._modules and not self.have_parameter(last) and not self.have_parameter(module)

    def have_parameter_in_any_style(self, name: str) -> bool:
        """Whether a tool has a parameter of that name, possibly in another style (`uploadId`, `upload_id`)."""
        if self._folded_parameters is None:
            self._folded_parameters = {
                fold_name(own) for contract in self._file.contracts for own in self.parameters_of(contract).names
            }
        return fold_name(name) in self._folded_parameters

    def _may_have(self, style: re.Pattern[str]) -> bool:
        """Whether the tools are named in a given style, or in single words, which have no style."""
        return any(map(style.search, self._last)) or not any(
            other.search(name) for other in _STYLES for name in self._last
        )

    def have_parameter(self, name: str) -> bool:
        """Whether any of the tools has a parameter with that name, which the text may mention."""
        if self._parameters is None:
            self._parameters = set()
            for contract in self._file.contracts:
                self._parameters |= self.parameters_of(contract).names
            for line in returned_lines(self._file.text) if isinstance(self._file, SpecFile) else ():
                names = _IN_CODE.findall(line)
                self._parameters |= set(names) if len(names) > 1 else set()
        return name in self._parameters


_NAMES = re.compile(r"\b(?:[A-Za-z][A-Za-z0-9]*+(?:[_.-][A-Za-z0-9]++)++|[a-z][a-z0-9]*+[A-Z][A-Za-z0-9]*+)")
"""Names of several words."""
_PATTERN = re.compile(r"`([a-z]\w*[_.-])(?:<[\w -]+>|\{[\w -]+\}|\*)`")
"""A pattern for names, and its beginning."""
_ONE_IN_CODE = r"`[A-Za-z_]\w*(?:\(\))?`"
_LISTED = rf"{_ONE_IN_CODE}(?:(?:, (?:and |or )?| and | or ){_ONE_IN_CODE}){{0,20}}"
_DENIED = re.compile(
    rf"{_LISTED}(?: ?[:–—(-]{{1,2}} ?| )(?:(?:is|are|was|were|stays?|remains?)(?: | ?n[’']t )(?:only |still |just )?)?"
    r"(?:(?<=n[’']t )|not |no |never )(?:longer )?(?:an? |yet |any )?(?:(?:MCP|agent) )?(?:tools?|exposed|registered"
    r"|offered|published|provided|available|callable|accepted|supported|served)\b"
    rf"|{_ONE_IN_CODE} (?:of|in|from) [\w -]{{1,40}} (?:is|are)(?: not| ?n[’']t) (?:an? )?(?:MCP )?tools?\b"
    rf"|{_LISTED}[^.;`\n]{{0,40}}, but (?:it|they|these) (?:is|are)(?: not| ?n[’']t) (?:an? )?(?:MCP )?tools?\b"
    rf"|{_LISTED} (?:is|are) (?:only )?(?:an? )?(?:internal|private|helpers?\b)"
    rf"|\b(?:no|not|never|n[’']t) (?:provide|expose|offer|register|publish|have|ship|add) (?:an? |any |the )?"
    rf"(?:tools? )?(?:named |called )?{_LISTED}|\b(?:no|not an?) (?:MCP )?tools? (?:named |called )?{_LISTED}"
    rf"|\bnot (?:MCP )?tools?:? (?:\*\* ?)?{_LISTED}",
    re.IGNORECASE,
)
"""Names in code that text says are no tools."""
_RETURNED = re.compile(r"[^\w\n]*returns?\b[^\n]*`,[^\n]*", re.IGNORECASE)
_IN_CODE = re.compile(r"`([A-Za-z_]\w*)`")
"""A line that lists what a call returns, and a name in it or in the description of an object."""
_OF_ADJECTIVES = frozenset(
    ("only", "based", "in", "like", "specific", "level", "wide", "side", "time", "purpose", "first", "aware", "free",
     "safe", "native", "enabled", "ready", "driven", "powered", "party", "source", "end", "up", "run", "call", "out")
)  # fmt: skip
"""The last words of adjectives with a hyphen: `read-only`, `built-in`."""
_SUFFIXES = frozenset(("py", "md", "json", "yaml", "yml", "toml", "txt", "js", "ts", "csv", "db", "com", "org"))
"""Words that may follow the dot in a file or host name."""


def returned_lines(text: str) -> Iterator[str]:
    """Yield the lines of text that list what a call returns."""
    for line in text.split("\n") if "`," in text else ():
        if "`," in line and _RETURNED.match(line):
            yield line


class KnownParameters:
    """The names that a tool's schemas declare anywhere."""

    def __init__(self, contract: ToolContract) -> None:
        self._input = contract.input
        self.inputs = frozenset(_declared_names(contract.input))
        self.outputs = frozenset(_declared_names(contract.output))
        self.names = self.inputs | self.outputs

    def may_have(self, name: str) -> bool:
        """Whether a name is declared somewhere, or may be because the schema is open or unknown."""
        if self._input is None or name in self.names:
            return True
        declared = declared_input(self._input)
        return declared.is_open or not declared.is_known or not (declared.pointers or _states_none(self._input.value))


def _states_none(schema: JsonValue) -> bool:
    """Whether a schema states that it has no properties."""
    return (
        isinstance(schema, dict) and schema.get("properties") == {} and schema.get("additionalProperties") is not True
    )


def _declared_names(part: SchemaPart | None) -> Iterator[str]:
    nodes = nodes_by_keyword(part.value) if part is not None else {}
    for node in nodes.get("properties", ()):
        properties: JsonValue = node.value["properties"]
        yield from properties if isinstance(properties, dict) else ()
    for keyword in ("enum", "required", "const"):
        for node in nodes.get(keyword, ()):
            values = node.value[keyword]
            yield from (value for value in (values if isinstance(values, list) else [values]) if isinstance(value, str))
    for node in nodes.get("description", ()) if part is not None and part.part == "output" else ():
        said = node.value["description"]
        if isinstance(said, str) and _may_hold_others(node.value):
            yield from _IN_CODE.findall(said)


def _may_hold_others(schema: Mapping[str, JsonValue]) -> bool:
    """Whether a schema allows objects or lists whose fields only its description may name."""
    items = schema.get("items")
    is_plain = not isinstance(items, dict) or "properties" not in items
    return schema.get("type") in ("object", "array") and "properties" not in schema and is_plain
