"""The number of tools that a specification states, in its text and in the headings of groups (MC020)."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SpecFile
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.texts import blank_fences, blank_history, may_hold, offset_of, place_between

_CORRECT_COUNT = "fix the number, or begin each tool with its own heading"


_LONGEST_HEAD = 20_000
_IN_WORDS = {
    word: number
    for words in (
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
        " eighteen nineteen twenty",
        "ein zwei drei vier fünf sechs sieben acht neun zehn",
        "un deux trois quatre cinq six sept huit neuf dix",
        "una dos tres cuatro cinco seis siete ocho nueve diez",
        "uma duas três quatro cinco seis sete oito nove dez",
        "uno due tre quattro cinque sei sette otto nove dieci",
    )
    for number, word in enumerate(words.split(), 1)
}
_SOME = rf"\**+(?:\d{{1,3}}|{'|'.join(_IN_WORDS)})\**+"
_NOT_OF_SOME = (
    r"(?! ?\(`)(?! of (?!(?:this|the) (?:`[^`]+` |[\w-]+ ){0,4}(?:module|server)\b))"
    r"(?! (?:above|below|(?:that|which)(?! (?:let|allow|enable|help|give|make|cover)s?\b)"
    r"|in th(?:is|e) (?:section|group|category)|each|per|from|at a time|or more"
    rf"|an? (?:line|row|file)|[^.\n]{{0,60}} and {_SOME}(?! tools?)"
    r"|listed (?:above|below)|take|accept|share|support|need|require|return)\b)"
)
_OF_ANY_KIND = (
    r"(?:(?!(?:and|or|of|to|in|more|other|others|additional|new|optional|read-only|write|dynamic|core|main|different"
    r"|kinds|types|groups|categories|deprecated|destructive|internal|external|public)\b)[\w()*`_/-]+,? ){0,5}?tools?\b"
    + _NOT_OF_SOME
)
_OF_ANY_KIND_AT_ALL = r"(?:[\w()*`_/-]+,? ){0,3}?tools?(?= that\b|, each\b)"
"""A title, which covers everything that the file defines."""
_COUNT = re.compile(
    r"\b(?:exposes?|provides?|offers?|defines?|contains?|documents?|describes?|has|lists?|specifies|registers?"
    r"|there are|set of|collection of|total of|through)"
    rf" (?:(?:the|these|exactly|only) ){{0,3}}(?:following )?(?P<number>{_SOME})"
    rf" (?:read-only (?=tools\b(?!,| and\b)))?{_OF_ANY_KIND}"
    rf"|\n\|[ *]*(?:MCP |total )?tools?[ *]*\|[ `]*(?P<cell>{_SOME})[ `]*\|[ \t]*(?=\n)"
    rf"|(?:^|\n\n|[.] |[*]{{2}}:?[*]{{0,2}} )(?:All |The |These )?(?P<first>{_SOME}) {_OF_ANY_KIND}"
    rf"|\A(?:---\n.*?\n---\s+)?# [^\n]+\n+(?P<opening>{_SOME}) {_OF_ANY_KIND_AT_ALL}"
    rf"|\b(?:as|all|reference (?:for|of)|list of|index of|the) (?P<as>{_SOME})"
    rf" (?:(?:MCP|v\d+|available|supported|public|registered) ){{1,2}}tools\b{_NOT_OF_SOME}"
    rf"|\w [—–] (?P<dash>{_SOME}) (?:MCP )?tools(?=[,.;:]|\s*\n)"
    rf"|\ball (?P<all>{_SOME}) tools\b{_NOT_OF_SOME}"
    rf"|\b(?:tool count|number of tools|total tools|tools in total|tools total"
    rf"|(?<!\w )tools|(?<=\bMCP )tools)\W{{1,5}}(?P<count>{_SOME})"
    r"(?=\**[.;,)]?(?:\s*\n|$))"
    r"|\b(?:stellt|bietet|enthält|umfasst|hat|expose|fournit|propose|contient|expone|ofrece|contiene|proporciona|oferece|fornece|expõe|espone|offre)"
    rf" (?P<other>{_SOME}) (?:MCP-?)?(?:werkzeuge?|tools?|outils?|herramientas?|ferramentas?|strumenti)\b"
    r"|(?:提供|暴露|公开|包含|内置|支持|定义|注册|共有|共) ?了? ?(?P<zh>\d{1,3}) ?(?:个|種|种|款)"
    r"(?:只读)?(?:的)? ?(?:MCP ?)?工具"
    r"|\n\| *[^|\n]{0,10}工具[^|\n]{0,4}\|[^|\n\d]{0,4}(?P<of>\d{1,3}) ?个 *\|"
    r"|(?<!\d)(?P<ja>\d{1,3}) ?(?:個|種類?|つ)の ?(?:MCP ?)?ツール(?:を|が|で)"
    r"|(?<!\d)(?P<ko>\d{1,3}) ?개의 ?(?:MCP ?)?도구(?:를|가|로)",
    re.IGNORECASE | re.DOTALL,
)
_GROUP = re.compile(
    rf"^(#{{1,5}})[ \t][^\n#]*(?:\((?P<number>{_SOME}) tools?\)|\btools \((?P<alone>\d{{1,3}})\)"
    r"|(?:工具|ツール|도구)[^\n（(]{0,10}[（(] ?(?P<counted>\d{1,3}) ?(?:个|個|種類?|种|つ|개)[^\n]*)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_IN_GROUPS = ("tool)", "tools)", "tools (", "工具", "ツール", "도구")
"""Text without these words has no heading that counts the tools of a group."""
_GROUP_OF_SECTION = re.compile(r"^#{3,5}[ \t][^\n]*\btools \(\d{1,3}\)[ \t]*$", re.MULTILINE | re.IGNORECASE)
_ANY_HEADING = re.compile(r"^(#{1,6})[ \t]", re.MULTILINE)
_ENTRY = re.compile(r"^(?:[-*+] |\d+[.)] |\|(?![ \t:|-]+$)(?![^\n]+\n\|[ \t:|-]+$))", re.MULTILINE)
"""A bullet, or a row of a table except its header."""
_NEAR = 40
_ELSEWHERE = re.compile(
    r"\b(?:other|another|sibling|upstream|parent|different|third-party)\b[^.\n]{0,40}$", re.IGNORECASE
)
"""Words before a number that counts the tools of another server."""
_OF_SOME = re.compile(
    r" (?:are|is|need|require|can|may|only|take|return|write|change|modify|delete)s?\b"
    r"(?! (?:exposed|available|defined|provided|registered|offered|listed|documented|described|implemented|supported"
    r"|specified|here|there|in)\b)",
    re.IGNORECASE,
)
"""The end of a statement on what some tools do or are: `two tools are read-only`."""
_COUNTED = ("tool", "werkzeug", "outil", "herramienta", "ferramenta", "strument", "工具", "ツール", "도구")
"""Text without these words does not count tools."""


@rule("MC020", Severity.WARNING, since="0.2.0")
def tool_count_disagrees(file: SpecFile) -> Iterator[Finding]:
    """A file states a different number of tools than it defines.

    Either the text was not updated when a tool was added or removed, or a tool is not recognized. This rule checks the
    text before the first tool and the headings of groups (`## Reports (4 tools)`).
    """
    if not file.is_closed:
        return
    of_groups = list(_miscounted_groups(file))
    yield from of_groups
    stated = _stated_counts(file)
    if len({number for _, number in stated}) == 1 and stated[0][1] != len(file.tools):
        match, number = stated[0]
        sentence = re.split(r"\n\n|(?<=[.!?])\s", match.string[match.start() :].lstrip(), maxsplit=1)[0]
        if re.search(rf"\b{len(file.tools)}\b", sentence):
            return  # it also states this number, for a different case
        if sum(_number(word) for word in re.findall(rf"\b{_SOME}\b", sentence, re.IGNORECASE)) == len(file.tools):
            return  # it counts them in parts: two for readers, one for editors
        if number < len(file.tools) and _OF_SOME.match(match.string, match.end()):
            return  # it says something of a part of them
        place = place_between(file.path, file.text, *match.span(match.lastgroup or 0))
        if any(one.place == place for one in of_groups):
            return
        message = f"the text mentions {number} tool{'' if number == 1 else 's'}, but the file defines {len(file.tools)}"
        yield Finding(message, _CORRECT_COUNT, place)


def states_more_tools(file: SpecFile) -> bool:
    """Whether the text before the first tool states more tools than the file defines, which are then only some."""
    return any(number > len(file.tools) for _, number in _stated_counts(file))


def _stated_counts(file: SpecFile) -> list[tuple[re.Match[str], int]]:
    """Return the numbers of tools that the text before the first one states, each with its match in that text."""
    end = offset_of(file.text, file.tools[0].lines[0], 1) if file.tools else 0
    head = file.text[: min(end, _LONGEST_HEAD)]
    if not may_hold(_COUNTED, head):
        return []
    head = blank_history(blank_fences(head))
    head = _GROUP_OF_SECTION.sub(lambda match: " " * len(match[0]), head)
    head = re.sub(r"(?<=\w)\n(?=\w)", " ", head)  # the sentence continues
    return [
        (match, _number(match[match.lastgroup or 0]))
        for match in _COUNT.finditer(head)
        if not _ELSEWHERE.search(head, max(0, match.start() - _NEAR), match.start())
    ]


def _miscounted_groups(file: SpecFile) -> Iterator[Finding]:
    """Yield the headings of groups of tools that state a number that differs from that of the group.

    Rows and bullets are compared if each one in the group is a tool; others may be tools in an unsupported form.
    """
    groups = [*_GROUP.finditer(file.text)] if may_hold(_IN_GROUPS, file.text) else []
    if not groups:
        return
    starts = [offset_of(file.text, tool.lines[0], 1) for tool in file.tools]
    headings = [*_ANY_HEADING.finditer(file.text)]
    for match in groups:
        level, end = len(match[1]), match.end()
        last = next((one.start() for one in headings if one.start() > end and len(one[1]) <= level), len(file.text))
        number, inside = _number(match[match.lastgroup or 0]), [start for start in starts if end < start < last]
        listed = [start for start in inside if file.text[start] != "#"]
        entries = [*_ENTRY.finditer(file.text, end, last)] if listed else []
        if len(inside) not in (0, number) and len(listed) == len(entries):
            found = len(inside)
            message = f"the heading mentions {number} tool{'' if number == 1 else 's'}, but the group has {found}"
            yield Finding(
                message,
                _CORRECT_COUNT,
                place_between(file.path, file.text, *match.span(match.lastgroup or 0)),
            )


def _number(written: str) -> int:
    plain = written.strip("*").lower()
    return int(plain) if plain.isdigit() else _IN_WORDS[plain]
