"""Finds headings that are not tool names, but begin a tool according to the blocks below them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.called_names import LAUNCHERS, names_called
from mcp_contracts.parsing.markdown.blocks import Block, Fence, Heading, ListBlock, Paragraph, TableBlock, lines_of
from mcp_contracts.parsing.parameters.columns import columns_of
from mcp_contracts.parsing.topics import about, label_of
from mcp_contracts.records import replace

Beginning = tuple[Heading, int, str, int]
"""A heading, its index among the blocks, the name in it, and the name's column."""

NUMBER = r"(?:\d{1,3}(?:\.\d{1,3})*+[.)]? )?"
NOUNS = (
    r"(?:tool|function|method|command|operation|endpoint|action|outil|fonction|commande|werkzeug|funktion|befehl"
    r"|herramienta|función|comando|ferramenta|função|strumento|funzione|gereedschap|narzędzie|verktyg|工具|ツール|инструмент)"
)
"""Words for a tool in a heading, in the languages that specifications are written in."""
# What may precede a name: a symbol, a number, or the word `Tool`, which may have a number.
BEFORE = re.compile(
    rf"(?:(?![$@]\w)[^\w`])*+{NUMBER}(?:[–—·•-] )?(?:the (?=[`*]))?"
    rf"(?P<said>(?:MCP[ -])?{NOUNS}(?: ID| ?#?\d{{1,3}})?\**+(?: ?[:.：] ?| [–—-] | (?=[*`]|[a-z]+[._][a-z])))?\**+",
    re.IGNORECASE,
)
_CALLED_TOOL = rf"(?i:{NOUNS}(?: (?:parameters|arguments|inputs?|reference|details))?)"
REMARK = (
    r"\**+(?:\s*$|\s*[(:\[]|\s+[*_]{1,2}\(|\s+(?:[—–-]|->|→|⟶)|"
    rf"\s+(?:{_CALLED_TOOL}|(?i:parameters|arguments))\s*$|\s+[^\w\s`([:–—-]+(?: \w+)?\s*$)"
)
"""The text after a name: nothing, a remark, or the word `tool`, optionally with `parameters`."""
PROSE = re.compile(r"[A-Z][a-z]*(?: (?:[A-Z]?[a-z]+|[A-Z]+))*")
"""Words, the first of them capitalized: a name is in code, in lowercase, or joined, or follows a colon."""
_IN_CODE = re.compile(rf"`(?!(?:[^ `(]+ ){{3}})([^`(]{{1,80}})(?:\([^`]*)?`{REMARK}")
_IN_HTML = re.compile(r"<code>([^<(]{1,80})(?:\([^<]*)?</code>")
_REMARKED = re.compile(
    rf"([A-Za-z](?=[\w.-]*?(?:[_.]\w|[a-z][A-Z]))[\w.-]*+|[a-z]\w*+(?:-\w++)++(?= [-–—]))(?:\([^)]*\))?{REMARK}"
)
_WORDS = re.compile(r"([$@]?[A-Za-z](?:[\w.!?*+#$@%&~^-]|:(?=\w))*(?:/[\w-]+)?(?: \w[\w.-]*){0,3}[!?*]?)\**\s*$")
TITLED = re.compile(r"[A-Z][\w ,'’/-]{1,60} \(`([a-z][a-z0-9]*(?:[._][A-Za-z0-9]+)+)`\)$")
_WORD_AND_REMARK = re.compile(r"^([a-z][a-z0-9]*)\s+[*_]{0,2}\([^()]*\)[*_]{0,2}$")
_NO_NAME = re.compile(r"/.*/|^/|/$|[A-Z ]/|/[A-Z ]|[\\(){}=]|\.(?:py|md|json|ya?ml|ts|js|toml|txt|log)$|^[A-Z_]+$")
_GROUP = re.compile(r"\b[Tt]ools?\b(?! ?_)")
LIKE_A_NAME = re.compile(r"\w[_-]\w|\w\.+\w|[a-z][A-Z]|[!?*+]$|^[$@]|[a-z][:#$@%&~^]\w")
_SENTENCE = re.compile(r"^[A-Z]\w+ (?:an?|the|your|this|with|and|for|to|in|from) [\w ]+$")
"""A title in the words of a sentence, which names a tool only below a heading about tools."""
OF_OTHER_THINGS = re.compile(
    r"\b(?:types?|models?|schemas?|objects?|errors?|enums?|data|class(?:es)?|structures?|resources?|prompts?|common|shared"
    r"|config\w*|environment|settings?|events?|exceptions?|glossary|internal|python)\b",
    re.IGNORECASE,
)
_KINDS = r"(?:(?:prompts?|resources?)(?: templates?)?|提示词?|资源|プロンプト|リソース|프롬프트|리소스)"
OTHER_GROUP = re.compile(
    r"(?:(?:available|supported|exposed|provided|all|the|our|server|MCP|built-?in) |可用|支持){0,3}的?"
    rf"{_KINDS}(?:(?:,? (?:and|&|\+) |, ?| ?/ ?|和|与|と| )(?:the )?{_KINDS}){{0,3}}"
    r"(?: (?:list|reference|overview|catalog(?:ue)?|section))?(?: ?[(（][^()（）]*[)）])?",
    re.IGNORECASE,
)
"""Things that a server offers besides tools."""
_SERVER = re.compile(
    r"\b(?:MCP|model context protocol)\b[\w() -]{0,60}\bservers?\b|\b\w{1,60}-mcp(?:-\w{1,60}){0,9}\b", re.IGNORECASE
)
"""A server in a title, which does not describe the content below it."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
OF_TOOLS = re.compile(r"\b(?:tools?|functions?|commands?|operations?|methods?|endpoints?|mcp)\b", re.IGNORECASE)
_TOOL_OBJECT = re.compile(r"\"?(?:inputSchema|input_schema|parameters)\"?\s*:")
_CALLED = re.compile(
    r"\"(?:tool_name|tool|name|method)\"\s*:\s*\"([\w.-]{2,80})\"\s*,\s*\"(?:arguments|params|args|input)\""
)
_DEFINED = re.compile(
    r"^[^\S\n]*(?:async |export |pub |declare )*(?:(?:def|function|func|fn) +|(?=\w+\([^)\n]{0,200}\w\??:))"
    r"(\w{2,80})\s*[(<]",
    re.MULTILINE,
)
_OF_TYPE = re.compile(
    r"\b(?:interface|type|class|struct)\s+(\w+?)(?:Input|Args|Arguments|Params|Parameters|Request|Output|Result|Response)\b"
)
_SIGNED = re.compile(r"\**(?:Signature|Syntax|Prototype)[:.]?\**:? *`([\w.]{2,80})\(", re.IGNORECASE)
_BESIDE_IT = re.compile(r"name|^[^\w\n]*returns\W", re.MULTILINE)


def names_other_group(title: str) -> bool:
    """Whether a title only names what a server offers besides tools."""
    lowered = title.lower()
    may_name = "prompt" in lowered or "resource" in lowered or not lowered.isascii()
    return may_name and OTHER_GROUP.fullmatch(_DECORATION.sub("", title).strip("*_:： ")) is not None


_DECORATION = re.compile(r"^[\W\d_]+")
"""What may stand before the words of a title: a number, emphasis, an emoji."""


def leads_to_no_tools(title: str) -> bool:
    """Whether a title only says that something else follows: prompts, errors, samples, modes, what is no tool."""
    others = (names_other_group, names_errors, shows_samples, _names_other_things, denies_tools, says_none)
    return any(is_of_others(title) for is_of_others in others)


def _names_other_things(title: str) -> bool:
    """Whether a title says that something else follows: the modes of a tool, the tables of a database, the forms of a
    result.
    """
    return "tool" not in title.lower() and _OF_OTHER_PARTS.match(title.strip("*_: ")) is not None


_OF_OTHER_PARTS = re.compile(
    rf"{NUMBER}(?:(?:[\w-]{{1,30}} ){{0,3}}(?:modes|levels)$"
    r"|[^`]{0,40}\b(?:database|db) (?:schemas?|tables?|structure|model|layout)\b|(?:data|entity) models?$"
    r"|[^`]{0,40}\b(?:esquema|tablas|tabelas|modelo|schéma|tables|schema)\b.{0,20}\b(?:base de datos|banco de dados"
    r"|base de données|database)\b|[^`]{0,40}datenbank(?:schema|tabellen|modell)\b"
    r"|[^`]{0,20}数据库(?:表|结构|模式|设计)"
    r"|(?:output|response|result|return) (?:formats?|shapes?|schemas?|structure)\b)",
    re.IGNORECASE,
)


def denies_tools(title: str) -> bool:
    """Whether a title says that what follows are not tools: `Not tools`, `Python functions (not tools)`."""
    return _NO_TOOLS.search(title) is not None or lists_others(title)


def says_none(title: str) -> bool:
    """Whether a title only says `No tools`: of the module, or of what follows it if the module has any."""
    return _NONE.fullmatch(title.strip("*_`: ")) is not None


_NONE = re.compile(rf"{NUMBER}no (?:MCP |agent )?tools?(?: here)?", re.IGNORECASE)


def lists_others(title: str) -> bool:
    """Whether a title only says that what follows are other things than the tools of a file: `No tool for`."""
    return _OF_OTHERS.fullmatch(title.strip("*_`: ")) is not None


_OF_OTHERS = re.compile(
    rf"{NUMBER}(?:(?:(?:the|some|all|our) )?(?:things|functions|operations|methods|actions|commands|features)"
    r" (?:that|which|without|with)\b[^:]{0,30}?\b(?:not|no|an?|n[’']t|any)\b[^:]{0,20}?\btools?"
    r"|(?:why\b.*)?\bno (?:\w+ )?tools? (?:for|to)\b.*|what (?:an? |the )?(?:agents?|models?|LLMs?)"
    r" (?:can(?:no|[’'])t|must not|may not|should not|do not|don[’']t)\b.*|non-?tools|(?:appendix \w+\W+)?no[- ]tool"
    r" (?:functions|methods|helpers|operations|commands)"
    r"|(?:unavailable|disabled|removed|former|missing|planned|future"
    r"|retired|dropped|deleted) (?:MCP )?tools|(?:MCP )?tools (?:of|in|from) sub-?modules|other functions)",
    re.IGNORECASE,
)
_NO_TOOLS = re.compile(
    r"(?:^\W*(?:\d[\d.]* )?|\()(?:these are )?not (?:(?:\w+ as )?(?:(?:MCP|agent) )?tools?|exposed"
    r"|(?:exposed|available|offered|published|registered|open) (?:over|via|through|with|to|for|by)"
    r" (?:MCP|agents?|models?|LLMs?))\W*$",
    re.IGNORECASE,
)


def shows_samples(title: str) -> bool:
    """Whether a title only says that samples of answers or calls follow."""
    return _OF_SAMPLES.fullmatch(title.strip("*_: ")) is not None


_OF_SAMPLES = re.compile(
    r"(?:example|sample) (?:\w+ )?(?:responses?|outputs?|results?|answers?|requests?|calls?)", re.IGNORECASE
)


def names_errors(title: str) -> bool:
    """Whether a title only says that errors follow."""
    return _OF_ERRORS.fullmatch(title.strip("*_: ")) is not None


_OF_ERRORS = re.compile(
    rf"{NUMBER}(?:(?:common|standard|possible|typical|known|structured|tool|shared) )*(?:errors?|exceptions?|failures?)"
    r"(?: (?:contract|handling|codes?|types?|cases?|classes|responses?|reference|model|modes?|table|taxonomy"
    r"|conditions?|catalog(?:ue)?|list|format|schema|shapes?|semantics))*",
    re.IGNORECASE,
)
"""The title of a section about errors, whose names are not those of tools."""


def odd_beginnings(
    blocks: Sequence[Block], found: Sequence[Beginning], modules: AbstractSet[str]
) -> Iterator[Beginning]:
    """Yield the headings, besides those of tools, above content that only tools have.

    A tool with an invalid name is still a tool, and its name is reported. A heading for one of the `modules` is not.
    """
    levels = {heading.level for heading, *_ in found}
    taken = {index for _, index, *_ in found}
    parents: dict[int, str] = {}
    called: AbstractSet[str] | None = None
    tool_level = 0
    for index, block in enumerate(blocks):
        if not isinstance(block, Heading):
            continue
        if tool_level and block.level > tool_level:
            continue
        block = as_written_plainly(block)
        parents = {level: title for level, title in parents.items() if level < block.level}
        tool_level = block.level if index in taken else 0
        is_beside = block.level in levels or not levels
        named = None
        is_other = any(map(names_other_group, parents.values())) and not any(map(_GROUP.search, parents.values()))
        is_other = is_other or any(_names_other_things(title) or denies_tools(title) for title in parents.values())
        if index not in taken and block.level > 1 and is_beside and not is_other:
            named = _name(block.text, has_siblings=bool(found))
        if named is not None and named[0] not in modules:
            called = names_called(blocks) if called is None else called
            above = _SERVER.sub("", " ".join(parents.values()))
            kinds = " ".join(title for level, title in parents.items() if level > 1)
            if (
                not OF_OTHER_THINGS.search(without_tools(kinds))
                and (
                    found
                    or (_SEVERAL.search(kinds) if _are_words(block.text, named[0]) else OF_TOOLS.search(above))
                    or _says_tool(block.text)
                    or _may_be_one(block.text, named[0])
                    or (block.text.strip().partition(" ")[0] == named[0] and named[0] in called)
                )
                and (
                    named[0] in called
                    or is_of_tool(blocks, index)
                    or _is_plainly_one(block.text, named[0], above)
                    or (_may_be_one(block.text, named[0]) and _is_akin(named[0], found))
                )
            ):
                tool_level = block.level
                yield block, index, *named
        parents[block.level] = block.text


def as_written_plainly(heading: Heading) -> Heading:
    """Return a heading without backslashes before underscores and without symbols at its end: `get\\_card 🆕`."""
    if heading.text.isascii() and "\\_" not in heading.text:
        return heading
    text = _SYMBOLS.sub("", heading.text.replace("\\_", "_"))
    return replace(heading, line=heading.line._replace(text=text))


_SYMBOLS = re.compile(r"(?<=\w)\s+[^\w\s\x21-\x7e–—…]+\s*$")


def modules_of(blocks: Sequence[Block]) -> frozenset[str]:
    """Return the modules of the dotted names that begin headings and rows; a heading for a module is no tool."""
    lines = [block.line for block in blocks if isinstance(block, Heading)]
    for block in blocks:
        if isinstance(block, TableBlock) and _GROUP.search(block.lines[0].text):
            lines.extend(block.lines)
    return frozenset(match[1] for line in lines if "." in line.text and (match := _DOTTED.match(line.text)))


_DOTTED = re.compile(r"[#|\s]*`?([A-Za-z][\w-]+)\.(?!(?:py|md|json|ya?ml|toml|txt|ts|js)\b)[A-Za-z]")
_SEVERAL = re.compile(r"\b(?:[Tt]ools|[Ff]unctions|[Cc]ommands|[Oo]perations|[Mm]ethods|[Ee]ndpoints)\b")


def _are_words(text: str, name: str) -> bool:
    """Whether a heading is in words, the first of them capitalized, which need a title about tools above them."""
    return "`" not in text and (PROSE.fullmatch(name) is not None or (name[0].isupper() and " " in name))


def without_tools(titles: str) -> str:
    """Return titles except the titles of headings about tools, such as `Python Tools` and `Data Tools`."""
    return re.sub(r"(?<![\w /&-])[\w /&-]*\b[Tt]ools?\b[\w /&-]*|MCP[\w -]*", "", titles)


_METHOD = re.compile(r"^(?:GET|POST|PUT|PATCH|DELETE) (?=.*\(tool\)$)| ?\((?:MCP )?tool\)$")


def _name(text: str, *, has_siblings: bool) -> tuple[str, int] | None:
    text = _WORD_AND_REMARK.sub(r"\1", _METHOD.sub("", text))
    if has_siblings and PROSE.fullmatch(text):
        return None
    before = BEFORE.match(text)
    start = before.end() if before else 0
    code = TITLED.match(text, start) or _IN_CODE.match(text, start) or _IN_HTML.search(text)
    match = code or _REMARKED.match(text, start) or _WORDS.match(text, start)
    if (
        match is None
        or match[1].lower() in LAUNCHERS
        or _NO_NAME.search(match[1])
        or (about(match[1]) is not None and (code is None or " " not in match[1] or match[1][0].isupper()))
        or _GROUP.search(match[1])
        or match[1].endswith(("_*", ".*", "-*"))  # several tools
    ):
        return None
    name = match[1].strip()
    if code is None and has_siblings and not LIKE_A_NAME.search(name) and not re.fullmatch(r"[a-z0-9_ ]+", name):
        return None
    if code is None and not has_siblings and not LIKE_A_NAME.search(name) and OF_OTHER_THINGS.search(name):
        return None
    return name, text.index(name, start)


def _may_be_one(text: str, name: str) -> bool:
    """Whether a heading is in code, or in lowercase and joined like a name."""
    return "`" in text or "<code>" in text or (name[0].islower() and LIKE_A_NAME.search(name) is not None)


def _is_plainly_one(text: str, name: str, above: str) -> bool:
    """Whether a heading is only a name in code, such as `listTables`, below one about tools."""
    is_alone = text.strip() == f"`{name}`" and name[:1].islower()
    return is_alone and _HUMP.search(name) is not None and bool(_GROUP.search(above))


def _says_tool(text: str) -> bool:
    """Whether a heading states that its subject is a tool."""
    before = BEFORE.match(text)
    return (before is not None and bool(before["said"])) or re.search(r"\((?:MCP )?tool\)$", text) is not None


def _is_akin(name: str, found: Sequence[Beginning]) -> bool:
    """Whether a name begins with the same word as a tool's: `release-notes` next to `release_build`."""
    first = re.split(r"[^a-z]", _HUMP.sub("_", name).lower())[0]
    return len(first) > 2 and any(re.split(r"[^a-z]", other)[0] == first for _, _, other, _ in found)


def _calls(text: str, heading: Block) -> bool:
    """Whether a fence is a call, or the definition, of the subject of a heading."""
    called = _CALLED.search(text) or _DEFINED.search(text)
    return called is not None and isinstance(heading, Heading) and called[1] in heading.text


def _types(text: str, heading: Block) -> bool:
    """Whether a fence declares the type of the input or the output of the subject of a heading."""
    if not isinstance(heading, Heading) or not _OF_TYPE.search(text):
        return False
    titled = re.sub(r"[^a-z0-9]", "", heading.text.lower())
    return any(len(match[1]) > 2 and match[1].lower() in titled for match in _OF_TYPE.finditer(text))


def _signs(text: str, heading: Block) -> bool:
    """Whether a line is the signature of the subject of a heading."""
    match = _SIGNED.match(text)
    return match is not None and isinstance(heading, Heading) and match[1] in heading.text


_OF_A_PROGRAM = re.compile(
    r"\b(?:CLI|command[- ]line|environment|start-?up|launch|server|build)\b.{0,200}"
    r" (?:arg(?:ument)?s|options|parameters|flags|inputs?)$",
    re.IGNORECASE,
)
"""A title for the arguments of a program."""


_PLAINLY = re.compile(
    r"(?:\d[\d.]* )?(?:(?:input|output|required|optional|request|response|return|query|body|path|tool|json) )*"
    r"(?:param(?:eter)?s?|arg(?:ument)?s?|schema|inputs?|outputs?|returns?|response|results?|values?|fields?|body|format)",
    re.IGNORECASE,
)
"""A title of the parameters or the result of one tool, unlike `Search parameters`, which are those of several."""


def is_of_tool(blocks: Sequence[Block], at: int) -> bool:
    """Whether the blocks below a heading describe parameters or a result."""
    heading = blocks[at]
    for block in blocks[at + 1 :]:
        if isinstance(block, Heading):
            if not isinstance(heading, Heading) or block.level <= heading.level:
                return False
            if _OF_A_PROGRAM.search(block.text):
                return False
            if about(block.text) in (3, 4):
                return not PROSE.fullmatch(heading.text) or _PLAINLY.fullmatch(block.text.strip("*: ")) is not None
            if about(block.text) is None and "name" not in block.text.lower():
                return False  # a heading above other content
        elif isinstance(block, TableBlock):
            columns = columns_of(block.lines[0].text)
            if columns.are_of_parameters and ("required" in columns.roles or "default" in columns.roles):
                return True
        elif isinstance(block, Fence):
            if _TOOL_OBJECT.search(block.content) and _BESIDE_IT.search(block.content):
                return True
            if _calls(block.content, heading) or _types(block.content, heading):
                return True
        elif isinstance(block, Paragraph | ListBlock):
            lines = lines_of(block)
            if isinstance(block, Paragraph) and len(lines) == 1 and _PLAINLY.fullmatch(lines[0].text.strip("*: ")):
                return True
            for line in lines:
                label = label_of(line)
                if (label is not None and label.about in (3, 4)) or _signs(line.text, heading):
                    return True
            says = _TAKES_NOTHING if isinstance(block, Paragraph) else _TYPED
            is_name = isinstance(heading, Heading) and ("`" in heading.text or _NAME_AND_ARROW.match(heading.text))
            if is_name and any(says.match(line.text) for line in lines):
                return True
    return False


_TAKES_NOTHING = re.compile(
    r"(?:[^.?!`]{0,120}[.?!;] )?\W{0,10}(?:takes? |has |needs |expects )?no (?:parameters|arguments|args|inputs?)\b",
    re.IGNORECASE,
)
_NAME_AND_ARROW = re.compile(r"[a-z][a-z0-9]*(?:[._][a-z0-9]+)+ (?:[—–-]|->|→|⟶) |[a-z]\w*(?:\.[a-z]\w*)+$")
_TYPED = re.compile(
    r"`?[A-Za-z_][\w.-]*`?\W{1,4}(?=[\w, ]{0,20}\b(?:required|optional)\b)(?:(?:required|optional), )?"
    r"(?:string|integer|number|boolean|object|array|str|int|float|bool)\b",
    re.IGNORECASE,
)
"""A parameter with its type and whether it is required."""
