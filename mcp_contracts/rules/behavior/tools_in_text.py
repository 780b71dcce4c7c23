"""Names anywhere in the text of a file that resemble its tools or arguments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SourceFile, SpecFile, SpecTool, ToolContract
from mcp_contracts.parsing.topics import about
from mcp_contracts.rules.behavior.known_names import KnownTools
from mcp_contracts.rules.behavior.name_words import FEWEST_WORDS, Words, gaps_in, stems_of
from mcp_contracts.rules.schemas.misspelled import near_words
from mcp_contracts.rules.structure.overviews import unknown_tools_in_lists
from mcp_contracts.rules.structure.tool_counts import states_more_tools
from mcp_contracts.rules.texts import blank_history, offset_of

_LONGEST = 500_000
_LONGEST_NAME = 80
_OUTSIDE = re.compile(
    r"^ {0,3}(`{3,}|~{3,})[^\n]*+(?:\n(?! {0,3}\1)[^\n]*+)*+(?:\n {0,3}\1[^\n]*)?|<!--.*?(?:-->|\Z)|^#[^\n]*"
    r"|^[ \t]*(?:[-*+][ \t]+)?\**(?:Returns?|Output|Result)\b[^\n`]*(?:`[^`\n]*`[^`\n]*){3,}"
    r"|^[ \t]*(?:[-*+]|\d+[.)])[ \t]+(?:\[[ x]\] )?\**`[^`\n]*`|^[ \t]*\|[ \t]*\**`[^`\n]*`",
    re.MULTILINE | re.DOTALL,
)
"""Code blocks, comments, headings, and entries of lists, tables and results, where names are defined."""
NAME_IN_CODE = re.compile(
    r"`(?<!``)([a-z][a-z0-9]*+(?:[_.-][a-zA-Z0-9]++|[A-Z][a-zA-Z0-9]*+)+)(?:\([\w, ]{0,60}\))?`(?!`)"
)
"""A name of several words in code."""
OTHER_THINGS = (
    r"functions?|methods?|class(?:es)?|(?:sub-?)?modules?|namespaces?|packages?|librar(?:y|ies)|endpoints?|routes?|commands?"
    r"|scripts?|permissions?|scopes?|roles?|fields?|keys?|columns?|tables?|propert(?:y|ies)|events?|hooks?|signals?"
    r"|settings?|options?|flags?|variables?|exceptions?|codes?|metrics?|queues?|topics?|jobs?|servers?|services?"
    r"|prompts?|resources?|values?|types?|modes?|folders?|files?|attributes?|sections?|headers?|categor(?:y|ies)"
    r"|actions?|operations?|schemas?|databases?|views?|buckets?"
)
"""Words for named things that are not tools, parameters or fields."""
OF_OTHER_NAMES = (
    r"formerly|previously|renamed(?: from)?|replac(?:es|ed|ing)|removed|deprecated|old|legacy|earlier|former|planned"
    r"|future|upcoming|underlying|internal\w*|wrap\w*|helpers?|python(?:['’]s)?|backed by|named|called|e\.g\.|such as"
    r"|like|pattern|prefix|was"
)
"""Words before a name that is not a tool's, a parameter's or a field's."""
_OTHER = rf"{OTHER_THINGS}|subcommands?|errors?|status(?:es)?|states?|parameters?|arguments?|mutations?|quer(?:y|ies)"
_NO_TOOL_BEFORE = re.compile(
    rf"\b(?:{_OTHER}|{OF_OTHER_NAMES}|no|an?|no hay|kein\w*|sans|alias(?:es)?(?: of)?|delegates to"
    r"|implemented (?:by|in|as))[^\w.;:!?]{0,3}$"
    rf"|(?:^|\n)[-*_> ]{{0,5}}(?:(?:{_OTHER})|planned|dropped)[*_]{{0,2}} ?:[*_]{{0,2}} ?$|~~$",
    re.IGNORECASE,
)
_NO_TOOL_AFTER = re.compile(
    rf"^[\"'*]*\s+(?:(?:\w+\s+)?(?:{_OTHER})\b|→|->|(?:is|are|was|were) (?:only )?"
    r"(?:planned|dropped|removed|retired|an idea)\b|will (?:follow|come)\b)",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"\b(?:(?:older|old|former|legacy|earlier|previous) names|not (?:registered|exposed|available|provided|implemented)"
    r"|no longer|must not be used|do(?:es)? not exist)\b",
    re.IGNORECASE,
)
"""Matches words that mark a paragraph as being about names that are not, or are no longer, tools."""
_ELSEWHERE = re.compile(
    r"`([\w.-]+)`(?: tool)? (?:(?:has|needs|have) )?(?:to|must|should|will) be (?:implemented|added|built)\b"
)
"""Matches a tool of another specification that is not built yet."""
_DEPENDS = re.compile(
    r"^[-*_> \t]{0,5}(?:module )?(?:depend\w+(?: on)?|requires|imports?)[*_]{0,2} ?:[^\n]*",
    re.MULTILINE | re.IGNORECASE,
)
"""Matches a line about the modules that the module of a file uses, before its tools."""
_FEWEST_OF_MODULE = 2
_NEAR = 40
_LEADS = re.compile(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\**$", re.MULTILINE)
_LEAD = re.compile(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\**`([\w.-]+)(?:\(\))?`", re.MULTILINE)
_ITEM = 400
"""The number of characters that are searched for the previous or next item of a list."""
_JOINED = r"(?:,|,? (?:and|or)|,?(?: and)? then|/)"
_AFTER_TOOL = re.compile(rf"`([\w.-]+)(?:\(\))?`\s*{_JOINED}\s*$")
_BEFORE_TOOL = re.compile(rf"\s*{_JOINED}\s*`([\w.-]+)(?:\(\))?`")
"""A tool that is joined with a name, as in a sequence of calls."""


@lru_cache(maxsize=2)  # for tools and for parameters
def names_in_code(text: str) -> AbstractSet[str]:
    """Return the names of several words that text writes in code."""
    parts = {part for part in text[:_LONGEST].split("`") if len(part) <= _LONGEST_NAME and not part[:1].isspace()}
    plain = {part for part in parts if part.isidentifier() and "_" in part and part.islower()}
    others = {match[1] for part in parts - plain if (match := NAME_IN_CODE.fullmatch(f"`{part}`")) is not None}
    return plain | others


def unknown_tools_in_code(file: SpecFile, tools: KnownTools) -> Sequence[tuple[str, int]]:
    """Return the names in code that differ from tool names in one word, with their offsets. A file that mentions many
    such names, or states a greater number of tools, describes only some of its tools.
    """
    found = list(_find_unknown_tools(file, tools))
    if len({match[1] for match in found}) > _MOST_UNKNOWN or (found and states_more_tools(file)):
        return []
    similar = [(match[1], match.start(1)) for match in found if not _is_one_of_many(file.text, match, tools)]
    return [*similar, *_called_words(file.text[:_LONGEST], tools)]


def siblings_in_code(text: str, file: SourceFile, tools: KnownTools) -> Iterator[str]:
    """Yield the names in code that differ from a tool name in one word, in a description in any language.

    They are only those of a tool list; `unknown_tools_in_code` finds those of a specification.
    """
    if isinstance(file, SpecFile) or "`" not in text or _GONE.search(text):
        return
    for match in NAME_IN_CODE.finditer(text):
        is_one = tools.are_siblings_of(match[1]) and tools.lack(match[1]) and not _OF_A_SERVER.match(text, match.end())
        if is_one and not _is_of_other_thing(text, match):
            yield match[1]


_OF_A_SERVER = re.compile(r"\s+(?:tool\s+)?(?:of|from|in|on|by|provided)\b")


def _is_of_other_thing(text: str, match: re.Match[str]) -> bool:
    """Whether the words around a name in code say that it is not a tool."""
    before, after = text[max(0, match.start() - _NEAR) : match.start()], text[match.end() : match.end() + _NEAR]
    return _NO_TOOL_BEFORE.search(before) is not None or _NO_TOOL_AFTER.match(after) is not None


_CALLS = re.compile(
    r"\bcalls? (?:to|of) (?:the )?`(?P<to>[a-z]{3,20})`(?: tool)?(?![\w`])"
    r"|(?<![\w`])`(?P<by>[a-z]{3,20})` (?:tool )?calls?\b"
)


def _called_words(text: str, tools: KnownTools) -> Iterator[tuple[str, int]]:
    """Yield the single words that are called once, in a file with tools whose names are single words."""
    if " call" not in text or not any(name.rpartition(".")[2].isalpha() for name in tools.names):
        return
    for match in _CALLS.finditer(text):
        group = "to" if match["to"] else "by"
        if tools.lack(match[group]) and not tools.have_parameter(match[group]) and text.count(f"`{match[group]}`") == 1:
            yield match[group], match.start(group)


_MOST_UNKNOWN = 3


def _find_unknown_tools(file: SpecFile, tools: KnownTools) -> Iterator[re.Match[str]]:
    text = blank_history(file.text[:_LONGEST])
    likely = {name for name in names_in_code(file.text) if tools.may_mean(name) and tools.lack(name)}
    of_module = {name for name in names_in_code(file.text) if "." in name and tools.is_of_module(name)}
    gone = {name for name in of_module if tools.lack(name)}
    is_sure = len(gone) == 1 and len(of_module) > _FEWEST_OF_MODULE
    likely |= gone if is_sure else set()
    candidates = [
        (match[1], match)
        for match in (NAME_IN_CODE.finditer(text) if likely else ())
        if match[1] in likely
        and (
            (is_sure and match[1] in gone)
            or tools.are_siblings_of(match[1])
            or (tools.is_akin(match[1]) and _is_beside_tool(text, match, tools))
            or (tools.is_akin(match[1]) and _is_listed_beside_tool(text, match, tools))
        )
    ]
    if not candidates:
        return
    blank = [match.span() for match in _OUTSIDE.finditer(text)]
    head = offset_of(file.text, min((tool.lines[0] for tool in file.tools), default=1), 1)
    of_modules = [match.span() for match in _DEPENDS.finditer(text, 0, min(head, len(text)))]
    reported = {listed.start for listed in unknown_tools_in_lists(file)}  # MC022 reports them
    elsewhere = {match[1] for match in _ELSEWHERE.finditer(text)}
    known = {word for start, end in blank for word in re.findall(r"[A-Za-z_][\w.-]*\w", text[start:end])}
    for name, match in candidates:
        at = match.start(1)
        is_explained = name in known or any(start <= at < end for start, end in blank)
        is_module = any(start <= at < end for start, end in of_modules)
        if (
            at in reported
            or name in elsewhere
            or is_module
            or (is_explained and not _is_listed_beside_tool(text, match, tools))
        ):
            continue
        begin = max(text.rfind("\n\n", 0, match.start()), match.start() - _ITEM, 0)
        end = text.find("\n\n", match.end(), match.end() + _ITEM)
        end = end if end >= 0 else match.end() + _ITEM
        if _GONE.search(text, begin, end):
            continue
        if not _is_of_other_thing(text, match):
            yield match


def _is_one_of_many(text: str, match: re.Match[str], tools: KnownTools) -> bool:
    """Whether most names on the line of a name in code are unknown, because the file describes only some tools."""
    begin = text.rfind("\n", max(match.start() - _ITEM, 0), match.start()) + 1 or max(match.start() - _ITEM, 0)
    end = text.find("\n", match.end(), match.end() + _ITEM)
    named = {other[1] for other in NAME_IN_CODE.finditer(text, begin, end if end >= 0 else match.end() + _ITEM)}
    known = {other for other in named if tools.has(other) or tools.have_parameter(other)}
    return len(named - known) > max(len(known), 1)


def is_explained(name: str, file: SourceFile, tool: SpecTool | None, description: str) -> bool:
    """Whether a row or an item in a tool's part of a file, or in its description in a tool list, begins with a name,
    which is then a value of a parameter.
    """
    text, start, end = (description, 0, len(description)) if tool is None else (file.text, *_extent(file, tool))
    lead = re.compile(rf"^[ \t]*(?:[-*+|]|\d+[.)])[ \t]*\**([`'\"]){re.escape(name)}\1", re.MULTILINE)
    return lead.search(text, start, end) is not None


def _extent(file: SourceFile, tool: SpecTool) -> tuple[int, int]:
    return offset_of(file.text, tool.lines[0], 1), offset_of(file.text, tool.lines[1], 1_000_000)


def is_of_an_api(name: str, text: str) -> bool:
    """Whether a line of text gives a name to a parameter of a URL: ``- `/users/search` (use the `query` param)``."""
    named = re.compile(rf"[`'\"]{re.escape(name)}")
    return any(_URL.search(line) and named.search(line) for line in text.split("\n"))


_URL = re.compile(r"`(?:[A-Z]+ )?/[\w{]|\b(?:query|url|path|body) param|\b(?:callback|redirect) url", re.IGNORECASE)


def is_key_in_code(file: SourceFile, tool: SpecTool | None, name: str) -> bool:
    """Whether a code block of a tool has an object with that field: a line with `name: value` or `"name": value,`."""
    if tool is None or not isinstance(file, SpecFile):
        return False
    start, end = _extent(file, tool)
    return (
        re.search(rf"^[ \t]+(?:{name}\??: \S[^\n]*,|\"{name}\": ?[^\s{{\[][^\n]*)$", file.text[start:end], re.MULTILINE)
        is not None
    )


def _is_beside_tool(text: str, match: re.Match[str], tools: KnownTools) -> bool:
    """Whether a name in code is joined with others, and the next one is a tool."""
    before = _AFTER_TOOL.search(text, max(0, match.start() - 2 * _NEAR), match.start())
    after = _BEFORE_TOOL.match(text, match.end())
    return any(found is not None and tools.has(found[1]) for found in (before, after))


def _is_listed_beside_tool(text: str, match: re.Match[str], tools: KnownTools) -> bool:
    """Whether a name in code begins an item of a list, and a tool begins the previous or next item."""
    if not _LEADS.search(text, max(0, match.start() - _NEAR), match.start()) or _is_of_fields(text, match.start()):
        return False
    begin = max(text.rfind("\n#", 0, match.start()), match.start() - _ITEM, 0)
    end = text.find("\n#", match.end(), match.end() + _ITEM)
    before = [lead[1] for lead in _LEAD.finditer(text, begin, match.start())][-1:]
    after = [lead[1] for lead in _LEAD.finditer(text, match.end(), end if end >= 0 else match.end() + _ITEM)][:1]
    return any(map(tools.has, (*before, *after)))


def _is_of_fields(text: str, at: int) -> bool:
    """Whether the list around an offset is below a label of parameters or of a result."""
    for line in reversed(text[max(0, at - _FARTHEST) : at].split("\n")[:-1]):
        if line.strip() and not _ITEM_OR_MORE.match(line):
            return about(line.strip("#*_: ")) in (3, 4)
    return False


_FARTHEST = 2_000
_ITEM_OR_MORE = re.compile(r"[ \t]+\S|[-*+][ \t]|\d+[.)][ \t]")
_SHORTEST = 5
_LONG = 7
_MOST_NAMES = 200
_ONE_WORD = re.compile(rf"(?<!`)`([a-z][a-z0-9]{{{_SHORTEST - 2},40}})`(?!`)")


def names_by_gap_of(file: SourceFile, tools: KnownTools) -> Mapping[Words, Sequence[str]]:
    """Return the unknown names in code that share a word with an argument, by each of their keys (`gaps_in`), the
    unknown names of one word, by the empty key, and those that a sentence begins with, by their first word alone.
    """
    found = defaultdict[Words, list[str]](list)
    values: AbstractSet[str] | None = None
    for name in [*dict.fromkeys(_ONE_WORD.findall(file.text))][:_MOST_NAMES] if isinstance(file, SpecFile) else ():
        if not tools.have_parameter(name) and not tools.has(name):
            values = _values_in(file.text[:_LONGEST], tools) if values is None else values
            if name not in values:
                found[()].append(name)
    words = {word for name in _arguments(file.contracts) for word in stems_of(name)[1:]}
    for name in names_in_code(file.text) if words else ():
        own = stems_of(name)
        if not words.isdisjoint(own) and "." not in name and not tools.have_parameter(name) and not tools.has(name):
            for gap in gaps_in(own):
                found[gap].append(name)
    for match in _OBJECT.finditer(file.text) if isinstance(file, SpecFile) else ():
        name = match[1]
        if not tools.have_parameter(name) and not tools.has(name) and file.text.count(f"`{name}`") == 1:
            found[(name.partition("_")[0],)].append(name)
    return found


_OBJECT = re.compile(
    r"^(?!Returns?\b|Wraps?\b|Calls?\b|Uses?\b|Runs?\b|Sees?\b|Invokes?\b|Delegates?\b|Executes?\b)"
    r"[A-Z][a-z]+ (?:the |an? )?`([a-z]+_[a-z0-9]+)`(?![\w`])",
    re.MULTILINE,
)
"""The object of the verb that a description begins with: ``Checks `proof_blob`, …``."""


def _arguments(contracts: Sequence[ToolContract]) -> Iterator[str]:
    for contract in contracts:
        schema = contract.input_schema
        properties = schema.get("properties") if isinstance(schema, dict) else None
        yield from properties if isinstance(properties, dict) else ()


def _values_in(text: str, tools: KnownTools) -> AbstractSet[str]:
    """Return the names in code beside another one that is no parameter, `` `new` or `used` ``, and those in quotes."""
    values = {match[1] for match in _QUOTED.finditer(text)}
    for match in _ALTERNATIVES.finditer(text):
        pair = match.groups()
        if not any(tools.have_parameter(name) or tools.has(name) for name in pair):
            values.update(pair)
    return values


_QUOTED = re.compile(r'"(\w{1,40})"(?!\s*:)')
_ALTERNATIVES = re.compile(r"`(\w{1,40})`(?:, | or |, or | ?[/|] ?)(?=`(\w{1,40})`)")


def near_inputs(contract: ToolContract, names_by_gap: Mapping[Words, Sequence[str]]) -> Iterator[str]:
    """Yield the names that differ from an argument in one word, in the order of the words and the word for a number, or
    in one or two letters that are not a plural ending.
    """
    for own in _arguments([contract]) if names_by_gap else ():
        words = stems_of(own)
        if len(own) >= _SHORTEST:
            near = (name for name in names_by_gap.get((), ()) if name.rstrip("s") != own.rstrip("s"))
            most = 1 if len(own) < _LONG else 2
            yield from names_by_gap.get((own,), ())
            yield from (name for _, name in near_words(own, near, most))
        for gap in gaps_in(words) if len(words) > FEWEST_WORDS else ():
            yield from names_by_gap.get(gap, ())
