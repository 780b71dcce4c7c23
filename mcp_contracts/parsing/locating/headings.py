"""Finds the headings of a file that begin a tool, and the name in each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.alike import Entry, entry_of
from mcp_contracts.parsing.locating.called_names import LAUNCHERS
from mcp_contracts.parsing.locating.odd_headings import (
    BEFORE,
    NUMBER,
    PROSE,
    REMARK,
    Beginning,
    as_written_plainly,
    leads_to_no_tools,
    modules_of,
    odd_beginnings,
)
from mcp_contracts.parsing.locating.other_languages import names_tools
from mcp_contracts.parsing.locating.repeated import is_action, without_repeated
from mcp_contracts.parsing.locating.whole_files import tools_of_whole_file
from mcp_contracts.parsing.markdown.blocks import (
    Block,
    Fence,
    Heading,
    ListBlock,
    Paragraph,
    TableBlock,
    end_of_details,
)
from mcp_contracts.parsing.topics import about
from mcp_contracts.records import dataclass

IDENTIFIER = re.compile(r"[a-z0-9_]+(?:[.-][a-z0-9_]+)*+")
GROUP = re.compile(
    r"(?<![a-z])tools?\b|^\W*what (?:an? |the )?(?:agents?|models?|assistants?) (?:can|may) (?:call|use|do)\W*$",
    re.IGNORECASE,
)
OF_AUTHORS = re.compile(
    r"\btools? (?:used|required|needed|(?:you|we|I|they) (?:\w+ )?(?:use|need|want|require|must|should)"
    r"|and (?:libraries|technologies|frameworks))\b"
    r"|\b(?:dev(?:elopment|eloper)?|build|third-party|required|used|testing|command[- ]line|CLI|design"
    r"|recommended|suggested|useful|handy) tools?\b"
    r"|\btools? (?:considered|evaluated|compared)\b"
    r"|\btech(?:nology)? stack\b|\bprerequisites\b",
    re.IGNORECASE,
)
"""Development tools and shell commands, which no module exposes."""
OF_TOOLS_ELSEWHERE = re.compile(
    r"\b(?:related|other|others|external|deprecated|removed|planned|future|upcoming|comparison|migrat\w+|changelog"
    r"|renamed|(?:switched|turned) off"
    r"|see also|roadmap|add(?:ing)?|develop\w*|contribut\w+|examples?|usage|test\w*|protocol|messages?"
    r"|internal|old|legacy|formerly|replaced|depend\w+|uses|used|calls|clients?|responses?|tool template)\b"
    r"|\bnot (?:\w+ as )?(?:(?:MCP|agent) )?tools?\W*$",
    re.IGNORECASE,
)
"""Titles of sections about tools of other modules, former tools, other things, or the development of tools."""
NOT_OF_TOOLS = re.compile(
    r"\b(?:tool|these|following) (?:namespaces|categories|groups|toolsets)\b|\btools (?:like|such as)\W*$"
    r"|\btools (?:accept|take|expect)\b|\b(?:keys|fields|settings|codes|events|flags):\W*$"
    r"|\b(?:for example|e\.g\.)\W*$|\b(?:are|is) planned\W*$|\bplanned (?:for|tools)\b|\b(?:intend|plan|hope"
    r"|aim) to (?:offer|add|expose|provide)\b|\b(?:are|is) \**not\** (?:MCP |agent )?tools\**:\W*$|(?:\bnot"
    r"|n[’']t) (?:create|expose|offer|provide|define|register|have) (?:any )?(?:MCP )?tools\b",
    re.IGNORECASE,
)
"""Text that introduces a list of tool groups, of some tools only, of what tools take, or of what is no tool."""
TEMPLATE_NAME = "module_name.tool_name"
PLACEHOLDER_NAMES = frozenset(
    ("tool_name", "your_tool", "your_tool_name", "my_tool", "example_tool", "module.tool", "module.tool_name",
     TEMPLATE_NAME, "your_module.your_tool", "tool_name_1", "tool_name_2", "toolname")
)  # fmt: skip
_NO_NAME = re.compile(
    r"(?:Error|Exception|[a-z](?:Registry|Client|Server|Manager))$|^[A-Z][A-Z0-9_]*$|\.(?:py|md|json|ya?ml|toml|txt|ts|js|sh|cfg|ini|env|db|log|csv|lock)$"
)
_STATED = re.compile(
    rf"[^\w`]*+{NUMBER}(?:MCP )?Tool(?: (?:Specification|Spec|Definition|Reference|Name|Contract))?\**+"
    r" ?(?::|[—–-] )\s*+",
    re.IGNORECASE,
)
_OF_MODULE = re.compile(r"Spec|Definition|Reference|Contract", re.IGNORECASE)
"""The title of a file that names a module: `# MCP Tool Specification: name`."""
_IN_CODE = re.compile(r"\**+`([^`]+)`")
# A name without code marks ends at the first character that cannot be part of a name.
_BARE = re.compile(r"\**+([A-Za-z0-9_-]++(?:\.[A-Za-z0-9_-]+)++)\**+(?=\s*[(\[{<:,;]|\s+[—–-]|\s*$)")
_JOINED = re.compile(r"\**+([a-z0-9]++(?:_[a-z0-9]++)++)\**+(?=\s+[(\[—–-])")
# Only a name in code, and its parameters, its result or a remark after it.
_CODE_ALONE = re.compile(rf"`([a-z0-9_.-]+)(?:\([^`]*\)(?:\s*(?:->|=>|→|:)[^`]*)?)?`{REMARK}")
_TYPED_CALL = re.compile(r"\([^()`]*\w\??\s*:\s*\w|\)\s*(?:->|=>|→|:)\s*\w")
_TYPED_ALONE = re.compile(r"([a-z0-9_.]+)\([^()`]*\w\??\s*:\s*\w.*\)\s*(?:(?:->|=>|→|:)[^`]*)?$")
_CALL_ALONE = re.compile(r"([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\(\w+ ?[,=][\w\s,=\"'.*?\[\]-]{0,300}\)$")  # of several
_QUALIFIED = re.compile(
    r"`(?P<module>[a-z0-9_]+)`\.`(?P<own>[a-z0-9_]+)`"
    r"|[^\w`]{0,10}(?:\d{1,3}[a-z]?[.)] )?[^\w`]{0,10}(?P<titled>[^\W\d_a-z][^`()|→]{1,60}?)[*_ ]*(?:[(\[]|[—–-] )"
    r"`?(?P<in_code>[a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?:\([^()`]*\))?`?[)\]]?[*_]*"
    r"|(?P<before>[\w -]{2,40}|`[\w.-]{2,40}`) ?(?::{1,2}|/|→|>|›|[—–-] ) ?`?(?P<name>[a-z0-9]+(?:_[a-z0-9]+)+)`?"
)
# Names in code with the same description: `a` / `b`.
_SEVERAL = re.compile(
    r"[^\w`]{0,10}(?:\d{1,3}[.)] )?(?:[A-Z][\w &]{1,40} ?[:–—-] )?"
    r"(?:(?:`[a-z0-9_.]{2,80}(?:\([^()`]*\))?`(?: ?[/,&+|]| and| or|$) ?){2,12}"
    r"|[a-z0-9]+_[a-z0-9_]+(?: ?[/,&|] ?[a-z0-9]+_[a-z0-9_]+){1,11}(?: \([^()_`]{1,60}\))?)"
)
_MARKS_OF_ONE = 2
_ONE_OF_SEVERAL = re.compile(r"`([a-z0-9_.]+)")
_ONE_PLAIN = re.compile(r"(?<![a-z0-9])([a-z0-9]++_[a-z0-9_]+)")
_OF_OTHERS = re.compile(
    r"\b(?:examples?|modules?|files?|class(?:es)?|packages?|scripts?|folder|section|steps?|tables?|variables?|fields?"
    r"|parameters?|arguments?|errors?|events?|resources?|prompts?|types?|schemas?|models?|enums?|settings?|keys?|since"
    r"|changed?|new|fixed|removed|deprecated|renamed|v?\d[\d.]*)\b",
    re.IGNORECASE,
)
_ROUTE = re.compile(
    r"(?:\d[\d.]*[.)]? )?`?(?:GET|POST|PUT|PATCH|DELETE) (?:/[\w.-]+)*/tools?/"
    r"(?!(?:list|call|execute|invoke|run|register|search|refresh)\b)(?P<name>[a-z][\w.-]*)`?",
    re.IGNORECASE,
)
"""The route of one tool: `POST /tools/find_order`."""
_VERSION = re.compile(r"v?\d+(?:[._]\d+)*", re.IGNORECASE)
_TOPICS = frozenset(
    ("overview", "usage", "notes", "note", "examples", "example", "introduction", "description", "parameters", "errors",
     "security", "returns", "navigation", "references", "changelog", "dependencies", "configuration", "installation",
     "authentication", "authorization", "transport", "setup", "environment", "limits", "versioning", "testing")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ToolHeading:
    """A heading that begins a tool, at index `at` of the blocks; the tool ends before the block at `end`.

    `name` is in the heading's line from `column` on. `is_canonical` is true for `## Tool: …`.
    """

    heading: Heading
    at: int
    end: int
    name: str
    column: int
    is_canonical: bool


_NO_NAMES = LAUNCHERS | {"none", "n/a"}


def is_no_name(name: str) -> bool:
    """Whether a name is definitely not that of a tool: a file, a variable, an error, a launcher, or not a name."""
    return _NO_NAME.search(name) is not None or name in PLACEHOLDER_NAMES or name.lower() in _NO_NAMES


def tool_headings(blocks: Sequence[Block]) -> Iterator[ToolHeading]:
    """Yield the headings that begin a tool. Deeper ones inside a tool are its sections, unless they say `Tool:`."""
    modules = modules_of(blocks)
    found = [one for one in _beginnings(blocks, modules) if not is_action(blocks, one)]
    if not any(map(_is_stated, found)) and is_about_others(blocks):
        return
    odd = (one for one in odd_beginnings(blocks, found, modules) if not is_action(blocks, one))
    found = sorted([*found, *odd], key=lambda beginning: beginning[1])
    found = sorted([*found, *_alike(blocks, found)], key=lambda beginning: beginning[1])
    found = without_repeated(blocks, found) or tools_of_whole_file(blocks)
    for number, (heading, at, name, column) in enumerate(found):
        later = (found[index][1] for index in range(number + 1, len(found)))
        next_tool = next((other for other in later if other > at), len(blocks))
        end = next((index for index in range(at + 1, next_tool) if _ends(blocks[index], heading.level)), next_tool)
        end = end_of_details(blocks, at, end)
        is_canonical = heading.level == 2 and _STATED.match(heading.text) is not None
        yield ToolHeading(heading, at, end, name, column, is_canonical)


def _alike(blocks: Sequence[Block], found: Sequence[Beginning]) -> Iterator[Beginning]:
    """Yield the siblings of tools' headings, with the same level and parent, that are names in the same form.

    The groups of a file, such as `Boat Tools` and `Pier Tools`, count as one parent.
    """
    forms: dict[int, set[tuple[str, bool, str]]] = {}
    beside: list[tuple[int, Beginning, Entry]] = []
    known = {name for _, _, name, _ in found}
    above: dict[int, int] = {}
    taken = {at for _, at, *_ in found}
    for at, block in enumerate(blocks if found else ()):
        if not isinstance(block, Heading):
            continue
        above = {level: index for level, index in above.items() if level < block.level}
        parent = max(above.values(), default=-1)
        if parent >= 0 and _is_title_of_tools(blocks[parent]):
            parent = -2  # the same for all groups
        above[block.level] = at
        entry = entry_of(f"h{block.level}", block.line) if "_*" not in block.text else None  # `shell_box_*`
        if entry is not None and at in taken:
            forms.setdefault(parent, set()).add(entry.form)
        elif entry is not None and entry.is_certain and not is_no_name(entry.name) and entry.name not in known:
            beside.append((parent, (block, at, entry.name, entry.column), entry))
    for parent, beginning, entry in beside:
        if entry.form in forms.get(parent, ()) and not is_action(blocks, beginning):
            yield beginning


def _is_title_of_tools(block: Block) -> bool:
    if not isinstance(block, Heading) or not _TOOLS_IN_WORDS.match(block.text):
        return False
    return not OF_AUTHORS.search(block.text) and not OF_TOOLS_ELSEWHERE.search(block.text)


def _is_stated(found: Beginning) -> bool:
    return _STATED.match(found[0].text) is not None


def is_about_others(blocks: Sequence[Block]) -> bool:
    """Whether a file is about events, settings or similar things, or about a library, rather than about tools.

    The title shows the former, and code that imports the library the latter.
    """
    title, *others = [block.text for block in blocks if isinstance(block, Heading | Paragraph)] or [""]
    headers = [block.lines[0].text for block in blocks if isinstance(block, TableBlock)]
    others += [header for header in headers if any(about(cell.strip("*_ ")) for cell in header.split("|"))]
    if _documents_object(blocks) or _OF_TESTS.fullmatch(title):
        return True
    is_class = title.lower().startswith(("class: ", "interface: "))
    is_of_others = _OTHER_KINDS.search(title) is not None or any(
        _IMPORTS.search(block.content[:_LONGEST])
        if isinstance(block, Fence)
        else isinstance(block, Paragraph) and _INSTALLS.search(block.text[:_LONGEST])
        for block in blocks
    )
    return (
        is_of_others
        and not _OF_TOOLS.search(title)
        and not any(
            _OF_TOOLS.search(plain) or (not is_class and _AGENTS.search(plain))
            for plain in (_ADDRESS.sub("", text[:_LONGEST]) for text in others)
        )
    )


def _documents_object(blocks: Sequence[Block]) -> bool:
    """Whether headings and items are calls of an object that code imports or creates: `chalk.hex(…)`."""
    texts = [block.text for block in blocks if isinstance(block, Heading)]
    texts += [item.text for block in blocks if isinstance(block, ListBlock) for item in block.items]
    called = {match[1] for text in texts if (match := _CALLED_OF.match(text)) is not None}
    code = "\n".join(block.content[:_LONGEST] for block in blocks if isinstance(block, Fence)) if called else ""
    return any((match[1] or match[2]) in called for match in _BOUND.finditer(code)) and not any(
        "MCP" in block.text for block in blocks if isinstance(block, Heading | Paragraph)
    )


_OF_TESTS = re.compile(r"(?:(?!tools?\b|specification).)*\btest (?:results?|plan|report)\b.*", re.I | re.DOTALL)
_CALLED_OF = re.compile(r"[*_]{0,2}`?([A-Za-z_]\w*)\.\w+\(")
_BOUND = re.compile(
    r"\b(?:const|let|var|import) +(\w+) +(?:= *(?:new\b|(?:await )?(?:require|import)\()|from\b)"
    r"|\b(?:from|require\() *[\"'](?:node:)?(\w+)[\"']"
)
_OTHER_KINDS = re.compile(
    r"\b(?:events?|(?:web)?hooks?|callbacks?|config\w*|settings?|options|preferences|environment|variables?|flags?"
    r"|metrics?|messages?|web ?sockets?|channels?|topics?|queues?|GraphQL|queries|mutations?|subscriptions?|benchmarks?"
    r"|performance|database|tables|columns|schemas?|models?|entities|types|enums?|class(?:es)?|errors?|exceptions?|codes"
    r"|permissions?|scopes?|roles?|prompts?|resources?|routes?|endpoints|REST|CLI|command[- ]line|glossary|terms"
    r"|changelog|API (?:reference|specification|documentation)|deployment|(?<!for )agents|SQL|CSS|kubernetes|helm"
    r"|terraform|makefile|cron|tests|templates|widgets|pipelines?|home assistant)\b",
    re.IGNORECASE,
)
_OF_TOOLS = re.compile(r"(?:\b|_)(?:tools?|MCP)(?:\b|_)|\b(?:readOnly|destructive)Hint\b", re.IGNORECASE)
_AGENTS = re.compile(r"(?<!user.)\bagents?\b", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://\S+|\]\([^)\n]{0,300}\)")
_IMPORTS = re.compile(
    r"\brequire\(|^[ \t]*(?:import|use|using|from|#include)\b.*[\w>'\"]|\b(?:npm|pip|yarn|pnpm|cargo|gem|go|bun|uv)\b"
    r" (?:-\S+ ){0,9}(?:i|install|add|get)\b",
    re.MULTILINE,
)
_INSTALLS = re.compile(r"`(?:npm|pip|yarn|pnpm|cargo|gem|go|uv) (?:-\S+ ){0,9}(?:i|install|add|get) ")
_LONGEST = 10_000


def _ends(block: Block, level: int) -> bool:
    return isinstance(block, Heading) and block.level <= level


def speaks_of_tools(text: str) -> bool:
    """Whether text contains the word for tools, in any language."""
    may_speak = "tool" in text.lower() or text[:5].lower() == "what "
    return (may_speak and GROUP.search(text) is not None) or names_tools(text)


def is_of_authors(text: str) -> bool:
    """Whether text is about development tools and shell commands."""
    lowered = text.lower()
    may_be = any(map(lowered.__contains__, ("tool", "stack", "prerequisites"))) or not text.isascii()
    return may_be and OF_AUTHORS.search(text) is not None


def _beginnings(blocks: Sequence[Block], modules: AbstractSet[str]) -> Iterator[tuple[Heading, int, str, int]]:
    """Yield each heading that begins a tool, its index, and the name with its column."""
    tool_level = 0
    group_level = other_level = 0
    for index, block in enumerate(blocks):
        if not isinstance(block, Heading):
            continue
        block = as_written_plainly(block)
        if not other_level or block.level <= other_level or GROUP.match(block.text.split(" ")[-1]):
            other_level = block.level if leads_to_no_tools(block.text) else 0
        is_inside = bool(tool_level) and block.level > tool_level
        names = [named] if (named := _stated_name(block, is_inside=is_inside)) is not None else []
        if not names and not is_inside and not other_level:
            tool_level = 0
            names = [] if _is_group(blocks, index) else _bare_names(block, modules, is_in_group=bool(group_level))
            if speaks_of_tools(block.text) and not OF_AUTHORS.search(block.text):
                group_level = group_level or block.level
            elif not names and block.level <= group_level:
                group_level = 0
        for name, column in names:
            if name not in modules:
                tool_level = block.level
                yield block, index, name, column


def _is_group(blocks: Sequence[Block], at: int) -> bool:
    """Whether a heading says `Tools` in words, and headings below it contain names: `### Boat Tools (`boats`)`."""
    heading = blocks[at]
    if not isinstance(heading, Heading) or not _TOOLS_IN_WORDS.match(heading.text):
        return False
    end = next((index for index in range(at + 1, len(blocks)) if _ends(blocks[index], heading.level)), len(blocks))
    below = (block for block in blocks[at + 1 : end] if isinstance(block, Heading))
    return any(_bare_names(block, frozenset(), is_in_group=False) for block in below)


_TOOLS_IN_WORDS = re.compile(r"[^`]*\b[Tt]ools\b[*_ ]*(?:[(\[:—–-]|$)")


def _stated_name(heading: Heading, *, is_inside: bool) -> tuple[str, int] | None:
    """Return the name in a heading that says `Tool:`, with its column.

    Inside another tool, and in the title of a file, it must look like a name.
    """
    text = heading.text
    stated = _STATED.match(text) if any(map(text.__contains__, ":—–-")) else None
    if stated is None or (heading.level == 1 and _OF_MODULE.search(stated[0])):
        return None
    start = stated.end()
    match = _IN_CODE.match(text, start) or _BARE.match(text, start)
    match = match or (None if is_inside else _JOINED.match(text, start))
    if match:
        name = match[1].strip()
        return name, text.index(name, match.start(1))
    name = text[start:].strip("*` ")
    if is_inside or (heading.level == 1 and not re.fullmatch(r"[a-z]\w*", name)):
        return None
    return name, text.index(name, start)


def _bare_names(heading: Heading, modules: AbstractSet[str], *, is_in_group: bool) -> list[tuple[str, int]]:
    """Return the names in a heading without other text: one, or several that are described together."""
    may_name = heading.text.count("`") > _MARKS_OF_ONE or heading.text.count("_") > 1
    if heading.level > 1 and may_name and _SEVERAL.fullmatch(heading.text):
        one = _ONE_OF_SEVERAL if "`" in heading.text else _ONE_PLAIN
        names = [(match[1], match.start(1)) for match in one.finditer(heading.text) if match[1].strip("._")]
        names = [(name, column) for name, column in names if not is_no_name(name) and about(name) is None]
        if len(names) > 1 and all("_" in name or "." in name for name, _ in names):
            return names
    named = _bare_name(heading, modules, is_in_group=is_in_group)
    return [] if named is None else [named]


def _bare_name(heading: Heading, modules: AbstractSet[str], *, is_in_group: bool) -> tuple[str, int] | None:
    """Return the name in a heading without other text, if its form is that of a name or it is below a tools heading."""
    if heading.level > 1 and (route := _ROUTE.fullmatch(heading.text.strip())) is not None:
        return route["name"], heading.text.rindex(route["name"])
    if heading.level == 1 or PROSE.fullmatch(heading.text):
        return None
    if (qualified := _QUALIFIED.fullmatch(heading.text.strip())) is not None:
        if qualified["module"] is not None:  # the module and the name in separate code spans
            return f"{qualified['module']}.{qualified['own']}", heading.text.index(qualified["module"])
        if qualified["titled"] is not None:
            return (
                (qualified["in_code"], heading.text.rindex(qualified["in_code"]))
                if not _OF_OTHERS.search(qualified["titled"])
                else None
            )
        is_other = about(qualified["before"]) is not None or qualified["name"] in LAUNCHERS
        if not is_other and not _OF_OTHERS.search(qualified["before"]):
            return qualified["name"], heading.text.rindex(qualified["name"])
    before = BEFORE.match(heading.text)
    start = before.end() if before else 0
    code = _CODE_ALONE.match(heading.text, start) or _TYPED_ALONE.match(heading.text, start)
    code = code or (_CALL_ALONE.match(heading.text, start) if is_in_group else None)
    name = code[1] if code else heading.text[start:].strip("* ")
    if (
        not IDENTIFIER.fullmatch(name)
        or not re.search(r"[a-z]", name)
        or _VERSION.fullmatch(name)
        or name in LAUNCHERS
        or (_NO_NAME.search(name) and name.rpartition(".")[0] not in modules)  # `git_tools.log` next to others
    ):
        return None
    is_typed = code is not None and _TYPED_CALL.search(code[0]) is not None
    is_said = code is not None and ("." in name or (before is not None and bool(before["said"])))
    is_surely_one = "_" in name or is_typed or is_said
    is_plain = not re.search(r"\w", heading.text[:start])  # a number may begin a section or a tool
    if is_surely_one or (is_in_group and (code is not None or (is_plain and name not in _TOPICS))):
        return name, code.start(1) if code else heading.text.index(name, start)
    return None
