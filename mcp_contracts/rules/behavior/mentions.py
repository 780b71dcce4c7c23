"""The rule about names in descriptions (MC515): tools and parameters that are mentioned but do not exist."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SchemaPart, SourceFile, SpecFile, SpecTool, ToolContract
from mcp_contracts.diagnostics import Finding, Place, Severity
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.behavior.known_names import KnownParameters, KnownTools
from mcp_contracts.rules.behavior.name_words import renamed_arguments
from mcp_contracts.rules.behavior.parameters_in_text import (
    NAME,
    excluded_names,
    names_in_calls,
)
from mcp_contracts.rules.behavior.tools_in_text import (
    NAME_IN_CODE,
    is_explained,
    is_key_in_code,
    is_of_an_api,
    names_by_gap_of,
    near_inputs,
    siblings_in_code,
    unknown_tools_in_code,
)
from mcp_contracts.rules.behavior.unknown_names import unknown_names, unlisted_codes
from mcp_contracts.rules.texts import (
    ERRORS,
    may_hold,
    may_name,
    may_speak_of_tool,
    offset_of,
    place_between,
    quoted_names_in_code,
    sections_of,
)
from mcp_contracts.rules.wording import nearest, show
from mcp_contracts.schema.vocabulary import TYPES
from mcp_contracts.schema.walk import shared_subschemas

_QUOTED = rf"(?:`({NAME})`|'({NAME})'|\"({NAME})\"|“({NAME})”)"
_BARE = r"([a-z0-9]+(?:_[a-z0-9]+)+)"
_JOINED = r"([a-z0-9]+(?:[_-][a-z0-9]+)+)"
_ELSEWHERE = r"(?!\s+(?:tool\s+)?(?:of|from|in|on|by|provided)\b)"
_VERB = r"(?i:\b(?:use|using|call|calling|run|prefer|invoke|try)\s+(?:the\s+)?)"
_TOOL = re.compile(
    rf"(?<![\w`'\"]){_QUOTED}\s+tool\b(?!-){_ELSEWHERE}"
    rf"|\btools?\s+(?:named\s+|called\s+)?{_QUOTED}{_ELSEWHERE}"
    rf"|(?:{_VERB}|\bthe\s+){_JOINED}(?=\s+tool\b(?!\s+(?:name|call)))"
    rf"|(?i:\b(?:call|calling|run|invoke)\s+(?:the\s+)?)`([A-Za-z0-9]+(?:[_.-][A-Za-z0-9]+)+)`{_ELSEWHERE}(?=\s*(?:[.,;:)]|$)|\s+(?:first|instead|to|before|after|for|when|if|and|or)\b)"
)
_ANY = rf"(?:`({NAME})`|([a-z0-9]++(?:[_.-][a-z0-9]++)++)(?![\w.(/-]*[\w(/]))"
_GOES_ON = (
    r"(?=\s*(?:[.,;:)]+(?:\s|$)|$)|\s+(?:first|instead|before\w*|after\w*|to|for|when|if|and|or|once|again|with|by)\b)"
)
_AS_TOOL = re.compile(
    rf"(?i:\b(?:call|calling|invoke|invoking|run|use|using|try|prefer|see))\s+(?:the\s+)?{_ANY}{_GOES_ON}"
    rf"|\b(?:that|which|what)\s+{_ANY}\s+(?:has\s+|had\s+)?(?:\w+(?:ed|s)|made|found|gave|wrote|sent|got|built|ran|began|took"
    rf"|chose|drew|saw|told|put|set|left|kept)\b"
    r"|^\s*(?i:(?:as )?(?:given|returned|made|created|issued|listed) by|from|see|(?:result|output) of)\s+(?:the\s+)?"
    rf"{_ANY}{_GOES_ON}"
    rf"|\b(?:returned|given|created|made|produced|listed|found|reported|issued)\s+by\s+(?:the\s+)?{_ANY}{_GOES_ON}"
    rf"|\b(?i:same|identical)\s+(?:\w+\s+){{0,2}}(?:shape|format|structure|form|parameters|arguments|fields|inputs|options|filters|categories|result|output)\s+as\s+"
    rf"(?:for\s+|in\s+|of\s+)?{_ANY}{_GOES_ON}"
    rf"|\b(?:result|output|answer|response)s?\s+of\s+(?:the\s+)?{_ANY}{_GOES_ON}"
    rf"|\b(?:[Pp]ass(?:ed)?|[Gg]ive|[Hh]and)\s+(?:it|them|this|these)\s+(?:on\s+)?to\s+{_ANY}{_GOES_ON}"
    r"|\b(?:saved|stored|obtained|fetched|retrieved|registered|uploaded|started|opened|received|comes?|taken)\s+(?:with|via|from)\s+"
    rf"{_ANY}{_GOES_ON}"
    rf"|\b(?:suitable|meant|intended|needed|required|input)\s+for\s+{_ANY}{_GOES_ON}"
    rf"|\bas\s+{_ANY}\s+(?:gives|returns|lists|reports|shows|names|needs|expects)\b"
    rf"|^[A-Z][\w -]{{0,30}}\s+(?:from|aus)\s+{_ANY}{_GOES_ON}"
    rf"|\b(?:[Ii]dentifier|[Ii]d|ID|[Tt]oken|[Hh]andle|[Nn]umber|[Cc]ursor|[Kk]ey|[Vv]alue)s?\s+from\s+{_ANY}{_GOES_ON}"
)
"""Words that always refer to a tool, if the name resembles that of another one."""
_CALLED = re.compile(rf"(?i:\b(?:call|calling|invoke|invoking))\s+{_BARE}{_GOES_ON}")
"""Words before the name of a tool without code marks, for any name."""
_SOURCE = re.compile(
    r"\b(?:(?<!enamed )(?<!ormerly )from|with|via|by|using|[Ss]ee|[Ii]nstead of|[Cc]all(?:ing)?"
    rf"|[Ii]nvok(?:e|ing)|[Rr]un|[Uu]se|[Tt]ry|[Pp]refer)\s+(?:the\s+)?{_ANY}{_GOES_ON}"
)
"""Words before the name of a tool that begins like the names of all tools, or with a verb."""
_ALONE = re.compile(r"(?<=\s)([a-z0-9]+(?:_[a-z0-9]+)+)(?![\w(=/.:-]*\w)(?!=|\(\w)")
"""A name without code marks, which is judged by its words."""
_DOTTED = re.compile(
    r"(?<!\w)`([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9]*(?:_[a-z0-9]+)+)+)`"
    r"(?!\s+(?:permission|scope|config\w*|setting|option|event|topic|table|queue|key|field|column|file|index|role|error"
    r"|metric|property|parameter|argument|environment|variable|section|flag|format|package|module|class|function)s?\b)"
)
"""A name with a module in backticks, whose last part is of several words."""
_NOT_OURS = (
    r"(?!\s+(?:(?:value|field)s?\s+)?(?:of|from)\b"
    r"|\s+(?:in|to|for)\s+(?:the\s+)?(?i:ur[li]|query|api|http|header|request|body|config\w*|settings?|environment|shell|file|command|cli|server)\b)"
)
_PARAMETER = re.compile(
    rf"(?<![\w`'\"]){_QUOTED}\s+(?:param(?:eter)?|argument)\b{_NOT_OURS}"
    rf"|\b(?:[Pp]aram(?:eter)?|[Aa]rgument)\s+(?:named\s+|called\s+)?{_QUOTED}{_NOT_OURS}"
)
_APART = " | "
"""A separator between pieces of text that are searched together, so that no word of one precedes a name in the next."""


class _Text(NamedTuple):
    """A description of a tool, or of a node of one of its schemas."""

    text: str
    contract: ToolContract
    part: SchemaPart | None = None
    pointer: str = ""
    field: str = "description"

    def place(self) -> Place:
        """Return its place; computed only for a finding, because it walks the file's JSON."""
        return self.contract.place_of(self.field) if self.part is None else self.part.locator.place(self.pointer)


@rule("MC515", Severity.WARNING, since="0.2.0")
def unknown_name_in_description(file: SourceFile) -> Iterator[Finding]:
    """A description refers to a tool or a parameter that does not exist.

    Models follow the description, and call a missing tool or send an argument that no tool accepts. This rule checks
    names that are quoted or written like identifiers, if the text calls them a tool or a parameter ("call `x`", "the
    parameter `x`", "not both `x` and `y`"), or if they differ from an existing name by one or two letters. In a
    specification, it checks all prose of the tool, including its errors. If some tools of a specification may not be
    read, or a file in an older dialect has a single tool, it only reports misspelled names of tools.
    """
    tools = KnownTools(file)
    written = {id(tool.contract): tool for tool in file.tools} if isinstance(file, SpecFile) else {}
    found, reported_names, names_by_gap = set[tuple[str, int]](), set[str](), names_by_gap_of(file, tools)
    for contract in file.contracts:
        tool, parameters = written.get(id(contract)), None
        reported, placed = set[str](), set[tuple[str, int]]()
        for said in _texts(contract, tools.marks):
            for name in _unknown_tools(said.text, tools):
                place = _of_name(file, said.place(), name)
                found.add((name, id(tool)))
                is_value = is_explained(name, file, tool, contract.description)  # a docstring does too
                if (name, place.line) not in placed and not is_value:
                    placed.add((name, place.line))
                    reported.add(name)
                    others = {one for one in tools.names - {contract.name} if one not in said.text}
                    yield _missing_tool("description", name, others, place)
            for name in (*_search(_PARAMETER, said.text), *(renamed_arguments(contract) if said.part is None else ())):
                reported.add(name)
                parameters = parameters or tools.parameters_of(contract)
                is_known = parameters.may_have(name) or tools.have_parameter(name)
                if not is_known and not is_of_an_api(name, said.text):
                    yield _missing_parameter("description", name, parameters, _of_name(file, said.place(), name))
            for name in excluded_names(said.text) if said.part is not None and said.part is contract.input else ():
                parameters = parameters or tools.parameters_of(contract)
                if name not in parameters.inputs and not tools.has(name):
                    reported.add(name)
                    yield _missing_parameter("description", name, parameters, _of_name(file, said.place(), name))
        for name in (*_tools_in_sections(tool, tools), *siblings_in_code(contract.description, file, tools)):
            if (name, id(tool)) not in found:
                found.add((name, id(tool)))
                place = _find_place(file, contract, tool)(name)
                yield _missing_tool("text", name, tools.names - {contract.name}, place)
        yield from _in_prose(file, contract, tool, tools, reported, frozenset(near_inputs(contract, names_by_gap)))
        reported_names |= reported
    for name, start in unknown_tools_in_code(file, tools) if isinstance(file, SpecFile) else ():
        place = place_between(file.path, file.text, start, start + len(name))
        owner = next((tool for tool in written.values() if tool.lines[0] <= place.line <= tool.lines[1]), None)
        if (name, id(owner)) not in found:
            found.add((name, id(owner)))
            yield _missing_tool("text", name, tools.names, place)
    codes = unlisted_codes(file) if isinstance(file, SpecFile) else ()
    for unknown in (*codes, *unknown_names(file, tools, reported_names | {name for name, _ in found})):
        name, contract = unknown.name, unknown.contract
        place = _find_place(file, contract, written.get(id(contract)))(name)
        yield Finding(unknown.message, unknown.hint(tools), place, names=(name,))


def _of_name(file: SourceFile, place: Place, name: str) -> Place:
    """Return the place of a name in the line of a place that does not contain it: in another cell of a table's row."""
    start, end = offset_of(file.text, place.line, 1), offset_of(file.text, place.end_line + 1, 1)
    within = file.text[
        offset_of(file.text, place.line, place.column) : offset_of(file.text, place.end_line, place.end_column)
    ]
    found = -1 if name in within else file.text.find(name, start, end)
    return place if found < 0 else place_between(file.path, file.text, found, found + len(name))


def _missing_tool(where: str, name: str, known: AbstractSet[str], place: Place) -> Finding:
    near = nearest(name, known)
    other = "use the name of an existing tool, or remove the mention"
    hint = f"write `{show(near)}` if that tool is meant; otherwise, {other}" if near else other
    message = f"the {where} mentions the tool `{show(name)}`, which does not exist"
    return Finding(message, hint, place, names=(name,))


def _missing_parameter(where: str, name: str, parameters: KnownParameters, place: Place) -> Finding:
    near = nearest(name, parameters.names)
    hint = f"write `{show(near)}`" if near else "use the name of an existing parameter, or remove the mention"
    return Finding(f"the {where} mentions the parameter `{show(name)}`, which the tool does not have", hint, place)


def _unknown_tools(text: str, tools: KnownTools) -> Iterator[str]:
    """Yield the unknown tools that a description mentions, recognized by its words or the words of the name."""
    spoken = dict.fromkeys(_search(_TOOL, text := _OF_FORMER.sub("", text)), tools.is_meant)
    if tools.may_name_others(text):
        for name in _search(_SOURCE, text):
            if tools.are_named_like(name) or tools.are_written_like(name):
                spoken.setdefault(name, tools.are_written_like)
        for pattern, is_meant in ((_AS_TOOL, tools.is_akin), (_DOTTED, tools.is_of_module)):
            for name in _search(pattern, text):
                spoken.setdefault(name, is_meant)
        spoken |= dict.fromkeys(filter(tools.may_be_alone, _search(_ALONE, text)), tools.may_be_alone)
    spoken |= dict.fromkeys(filter(tools.are_joined_like, _search(_CALLED, text)), tools.are_joined_like)
    for name, is_meant in spoken.items():
        if tools.lack(name) and (is_meant(name) or tools.is_akin(name)):
            yield name


_OF_FORMER = re.compile(r"(?:\A|(?<=[.\n]))[^.\n]*\b(?:replaces|supersedes|formerly|renamed from)\b[^.\n]*")
_STRONG = re.compile(
    r"(?<!\w)(?=[`aefgilnoprsuwAEFGILNOPRSUW])"  # rules out most places quickly
    rf"(?:(?i:\b(?:leav(?:e|ing)) (?:the )?)`({NAME})` (?i:out|empty|blank|unset|off|away)\b"
    rf"|(?i:\b(?:at most|at least|no more than|up to|over the last) )`({NAME})`{_NOT_OURS}(?= \w)"
    r"|(?i:\b(?:omit(?:ting)?|pass(?:ing)?|supply(?:ing)?|provid(?:e|ing)|specify(?:ing)?|set"
    r"|(?<!\bthe )(?<!\ba )(?<!server )setting) (?:the )?)"
    rf"`({NAME})`{_NOT_OURS}"
    rf"|(?i:\b(?:if|when|unless|where|once) )(?:the |no )?`({NAME})` (?i:is|was|are) (?i:not )?"
    r"(?i:given|passed|provided|supplied|specified|omitted|left (?:out|empty))\b"
    rf"|(?i:\b(?:errors?|fails?|raises?|reject\w*|refus\w*|ignored)\b)[^.;\n`]{{0,60}}\b(?i:if|when|unless) "
    rf"(?i:either |neither |both |the |no |any )?`({NAME})`{_NOT_OURS} (?i:is|was|are|does|do|has|or|and|exceeds)\b"
    rf"|(?i:\b(?:send|pass|set|give|use)) `\"({NAME})\": |(?i:\bwithout )`([a-z]+(?:_[a-z0-9]+)+)`,"
    rf"|(?<![\w`])(?<!ets )(?<!as )(?<!lter )(?<!here )`({NAME})=(?:[Tt]rue|[Ff]alse)`"
    rf"|(?<![\w`])`({NAME})` (?:parameter|argument)\b{_NOT_OURS}"
    rf"|\b(?:[Pp]arameter|[Aa]rgument) `({NAME})`{_NOT_OURS}"
    rf"|\b[Gg]iven an? `({NAME})`,|(?<!\w|`)(?<!or |as |`, )(?<!use )`({NAME})` \((?:optional, )?default(?: is|:|=)? )"
)
"""Words that always refer to a parameter."""
_LIKELY = re.compile(
    r"(?<!\w)(?=[`abiuswABIUSW])"
    rf"(?:(?i:\b(?:if|when|unless|where|since|because) )(?:the )?`({NAME})` (?i:is|was|are) (?i:not )?"
    r"(?i:set|missing|absent|empty|invalid|unknown|negative|too \w+|malformed|out of range|longer|shorter|larger"
    r"|smaller)\b"
    rf"|(?i:\ban? )`({NAME})` (?i:of|above|below|over|under|outside) (?=[-\d`])"
    rf"|(?<![\w`])`({NAME})` (?i:must|has to|cannot|may not) (?i:not )?"
    r"(?i:be|have|contain|hold|lie|match|point|start|end)\b"
    rf"|(?<![\w`])`({NAME})` (?i:defaults to|is (?:required|optional|mandatory|ignored|clamped|capped"
    rf"|validated|truncated"
    r"|escaped|saniti[sz]ed|trimmed|restricted|checked|limited))\b)"
)
"""Words that refer to a parameter, or to a field of the result."""
_OF_THE_ANSWER = re.compile(
    rf"(?<![\w`])`({NAME})` (?i:of|from|in) the (?i:previous|preceding|prior|last|page before|call before"
    rf"|answer before)\b"
)
"""Words that refer to a field of the result."""
_MAY_NAME_A_PARAMETER = (
    tuple(
        f"{word} `"
        for word in (
            *("leave", "leaving", "omit", "omitting", "pass", "passing", "supply", "supplying", "provide", "providing"),
            *("specify", "specifying", "set", "setting", "if", "when", "unless", "where", "once", "since", "because"),
            *("at most", "at least", "more than", "up to", "last"),
            *("the", "no", "either", "neither", "both", "any", "parameter", "argument", "iven a", "iven an"),
        )
    )
    + tuple(
        f"` {word}"
        for word in (
            *("must", "has to", "cannot", "may not", "defaults to", "is", "and", "or", "of", "from", "in", "above"),
            *("below", "over", "under", "outside", "parameter", "argument", "to", "until", "till", "through"),
            *("(default", "(optional"),
        )
    )
    + ("=true`", "=false`", '": ', "without `", " both ")
)
"""Text without any of these words mentions no parameter."""
_NO_NAMES = frozenset((*TYPES, "none", "true", "false", "id"))


def _in_prose(
    file: SourceFile,
    contract: ToolContract,
    tool: SpecTool | None,
    tools: KnownTools,
    seen: set[str],
    near: AbstractSet[str],
) -> Iterator[Finding]:
    """Yield the names in backticks that text uses as parameters, but that no tool of the file has."""
    texts = [
        (said, may_name)
        for said in _prose(file, contract, tool)
        if (may_name := may_hold(_MAY_NAME_A_PARAMETER, said[0])) or any(map(said[0].__contains__, near))
    ]
    parameters = tools.parameters_of(contract) if texts else None
    if parameters is None or parameters.may_have(""):
        return
    told_of = {name for (text, *_), _ in texts for name in NAME_IN_CODE.findall(text) if "." not in name}
    known = {name for name in told_of if parameters.may_have(name) or tools.have_parameter(name) or tools.has(name)}
    if (others := len(told_of - known)) > max(6, len(known)):
        return  # the text is about names of other things
    near = near if others <= max(1, len(known)) else frozenset()
    errors = {error.name for error in contract.errors}
    for (text, place, is_of_input), may_name in texts:
        patterns = (
            () if not may_name else (_STRONG, _LIKELY) if contract.output is not None or is_of_input else (_STRONG,)
        )
        patterns = (*patterns, _OF_THE_ANSWER) if may_name and contract.output is not None else patterns
        spoken = [name for pattern in patterns for name in _search(pattern, text)]
        for name in dict.fromkeys((*spoken, *names_in_calls(text, parameters.inputs, near))):
            is_known = parameters.may_have(name) or tools.have_parameter(name) or tools.has(name) or name in errors
            is_key = is_key_in_code(file, tool, name) or re.search(rf'[{{,]\s*"{name}":', text) is not None
            is_other = is_key or is_of_an_api(name, text) or f'"{name}"`' in text
            if name in seen or is_known or is_other or name.lower() in _NO_NAMES or re.search(r"[.-]|^[A-Z]", name):
                continue
            seen.add(name)
            yield _missing_parameter("text", name, parameters, place(name))


def _tools_in_sections(tool: SpecTool | None, tools: KnownTools) -> Iterator[str]:
    """Yield the unknown tools that a tool's sections and examples mention, without schemas and the description."""
    texts = [section.text for section in sections_of(tool) if section.number != 1] if tool is not None else []
    rows = tool.input_table.rows if tool is not None and tool.input_table is not None else ()
    texts += [row.example.text for row in rows if row.example is not None]
    for text in filter(tools.may_name_others, texts) if may_speak_of_tool(_APART.join(texts)) else ():
        yield from (name for name in _search(_AS_TOOL, text) if tools.lack(name) and tools.is_akin(name))
        yield from (name for name in _search(_SOURCE, text) if tools.lack(name) and tools.are_named_like(name))


def _prose(
    file: SourceFile, contract: ToolContract, tool: SpecTool | None
) -> Iterator[tuple[str, Callable[[str], Place], bool]]:
    """Yield each piece of a tool's text with a function that locates a name, and whether it is only about the input."""
    place = _find_place(file, contract, tool)
    description = quoted_names_in_code(contract.description)
    if "`" in description or " both " in description:
        yield description, place, False
    for node in shared_subschemas(contract.input.value) if contract.input is not None else ():
        said = node.value.get("description")
        if isinstance(said, str) and "`" in said:
            yield said, place, True
    for table in (tool.input_table, tool.output_table) if tool is not None else ():
        for row in table.rows if table is not None else ():
            if "`" in row.description:
                said = f"{row.description} {row.example.text}" if row.example is not None else row.description
                yield said, place, table is (tool.input_table if tool is not None else None)
    for section in sections_of(tool) if tool is not None else ():
        if "`" in section.text and section.is_prose:
            yield section.text, place, section.number == ERRORS
    for error in contract.errors if tool is not None else ():
        if "`" in error.when:
            yield error.when, place, True


def _find_place(file: SourceFile, contract: ToolContract, tool: SpecTool | None) -> Callable[[str], Place]:
    """Return a function that returns the place of a name in code in the text of a tool."""
    described = contract.place_of("description")

    def place(name: str) -> Place:
        if tool is None:
            return described
        start = offset_of(file.text, tool.lines[0], 1)
        end = offset_of(file.text, tool.lines[1], 1_000_000)
        found = max(file.text.find(f"{mark}{name}{end_mark}", start, end) for mark, end_mark in ("``", '""', "`="))
        return described if found < 0 else place_between(file.path, file.text, found + 1, found + 1 + len(name))

    return place


def _texts(contract: ToolContract, marks: Sequence[str]) -> Iterator[_Text]:
    """Yield the descriptions of a tool and of its schemas, if they mention tools or parameters."""
    described = [
        (node.value["description"], part, node.pointer)
        for part in (contract.input, contract.output)
        if part is not None
        for node in shared_subschemas(part.value)
        if "description" in node.value
    ]
    own = (quoted_names_in_code(contract.description), contract.use_when or "")
    has_names = may_name(_APART.join((*own, *(text for text, *_ in described if isinstance(text, str)))))
    if "s:\n" in own[0] or (has_names and _may_name(own[0], marks)):  # `Args:` of a docstring
        yield _Text(own[0], contract)
    if not has_names:
        return
    if contract.use_when and _may_name(contract.use_when, marks):
        yield _Text(contract.use_when, contract, field="use_when")
    for said, part, pointer in described:
        if isinstance(said, str) and _may_name(said, marks):
            yield _Text(said, contract, part, f"{pointer}/description")


def _may_name(text: str, marks: Sequence[str]) -> bool:
    """Whether text may contain a name to check; few do."""
    return any(mark in text for mark in marks) and may_name(text)


def _search(pattern: re.Pattern[str], text: str) -> Sequence[str]:
    """Return the names that a pattern finds in text, each once."""
    found = (next(filter(None, match.groups()), "") for match in pattern.finditer(text))
    return list(dict.fromkeys(name for name in found if len(name) > 1 and not name.endswith("_only")))
