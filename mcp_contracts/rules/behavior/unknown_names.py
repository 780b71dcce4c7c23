"""Names in the text of a tool that its file does not define, although it defines all others in the same form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Literal

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SourceFile, SpecFile, SpecTool, ToolContract
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.behavior.known_names import KnownTools, returned_lines
from mcp_contracts.rules.behavior.tools_in_text import OF_OTHER_NAMES, OTHER_THINGS
from mcp_contracts.rules.texts import offset_of, quoted_names_in_code
from mcp_contracts.rules.vocabulary import STANDARD_ERROR_TYPES
from mcp_contracts.rules.wording import is_misspelled, nearest, show
from mcp_contracts.schema.walk import shared_subschemas

Form = Literal["name", "word", "field", "error", "code"]
"""The form of a name: several words, one word, a field, an error, or an error that the file's table of codes lacks."""

_LONGEST = 500_000
_NO_PROSE = re.compile(
    r"\n(?: {0,3}(`{3,}|~{3,})[^\n]*+(?:\n(?! {0,3}\1)[^\n]*+)*+(?:\n {0,3}\1[^\n]*)?|#[^\n]*"
    r"|\*\*From [^\n]*(?:\n[^\n]+)*)|<!--.*?(?:-->|\Z)",
    re.DOTALL,
)
"""Code blocks, headings, and changes since another version."""
_WORD = re.compile(r"[A-Za-z_]\w*")
_MARKED = re.compile(r"[`\"']([A-Za-z_]\w*)(?=[`\"'])")
_CODE = re.compile(r"[A-Za-z]\w*(?:\.\w+)*")
_SPAN = re.compile(r"`([^`\n]*)`()")
_SPAN_OR_NAME = re.compile(
    r"`([^`\n]*)`|(?<![\w`/.\"'=<{(\[-])([a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?![\w`/\"'=>}\])(-]|\.\w)"
)
_ONLY_IF = re.compile(
    r"\b(?:(?:only )?(?:used|applies|applied|considered|ignored|needed|required|honou?red|valid|relevant|effective"
    r"|read|meaningful) (?:only )?(?:if|when|unless|with|together with)|needs|requires|overrides|depends on"
    r"|combined with|in addition to"
    r"|(?:mutually )?exclusive with|conflicts with|together with|only with|limited by|capped by|bounded by|governed by"
    r"|controlled by) (?:the )?$",
    re.IGNORECASE,
)
"""Words before the name of a parameter."""
_OTHER_PROGRAM = re.compile(r"(?:^|[.;(])\W{0,20}(?:needs|requires) (?:the )?$", re.IGNORECASE)
"""The beginning of a sentence about the tool itself, which may need other programs."""
_A_FIELD = re.compile(
    r" field (?:indicates|says|tells|shows|holds|contains|gives|reports|states|is (?:true|false|set))\b"
)
"""Words after the name of a field of the result."""
_FAILS = re.compile(
    r"\b(?:fail(?:s|ed|ing)?|rais(?:es?|ed|ing)|throws?|reject(?:s|ed)?|refus(?:es|ed)|ends?|answers?|answered|errors?"
    r"|reported|returned|signal(?:l?ed|s)?|yields)"
    r" (?:(?:with|by|as|in|an?|the|error|errors|type|code) ){0,9}\(?$",
    re.IGNORECASE,
)
"""Words before the name of an error."""
_OR_ERROR = re.compile(r"\b(?:or|returns?|gives?|liefert|meldet|renvoie|devuelve|fehler|erreur) $", re.IGNORECASE)
_OCCURS = re.compile(r",? (?:when|if|unless|wenn|falls|si|cuando|quando|occurs|tritt)\b")
"""The words around the name of an error that is a result: ``returns `X` if …``."""
_AN_ERROR = re.compile(r"[A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*|[A-Z]{2,}(?:_[A-Z0-9]+)+")
_IN_SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
_OTHER = (
    rf"{OTHER_THINGS}|{OF_OTHER_NAMES}|decorators?|config\w*|environment|objects?|models?|labels?|tags?|branch(?:es)?"
    r"|languages?|plugins?|dependenc(?:y|ies)|alias(?:es)?|delegat\w+|implement\w+|import\w*|install\w*|level|status"
    r"|as in"
)
_NO_NAME_BEFORE = re.compile(
    rf"(?:\b(?:{_OTHER})[^\w.;:!?]{{0,3}}|[\"'=/{{(\[]|(?:`|_\w{{1,60}}), |: |\| ?)$", re.IGNORECASE
)
_NO_NAME_AFTER = re.compile(
    rf"[\"'*]*(?:/|, (?:`|\w+_\w)| (?:\w+ )?(?:{_OTHER})\b| of [A-Z]| ?[=(]|: | \|)", re.IGNORECASE
)
_OF_A_RESULT = re.compile(
    r"\b(?:returns?\b|result|output|respon|answer|contain|includ|list of|gives\b|yield|computed|stored? |each|every"
    r"|entry|entries|items?\b|objects?\b|dict|automatic)",
    re.IGNORECASE,
)
"""Matches words that mark a line as being about the parts of a result or of an object, or what callers do not set."""
_CLAUSE = re.compile(r"[.,;:(] ")
_NEAR = 60
_FEWEST_KNOWN = 3
_MOST_UNKNOWN = 1
_SHORTEST = 2
_PROTOCOL = frozenset(
    ("tool_name", "error_type", "error_message", "error_details", "no_change_needed", "partial_success", "snake_case",
     "status", "data", "error", "explanation", "arguments", "result", "success", "failure", "input_schema",
     "output_schema", "true", "false", "null", "none", *STANDARD_ERROR_TYPES)
)  # fmt: skip
"""Names of the protocol, which any text may use."""


class UnknownName(NamedTuple):
    """A name that its file does not define, the tool whose text mentions it, and the form of the name."""

    name: str
    contract: ToolContract
    form: Form

    @property
    def message(self) -> str:
        """The message of a finding."""
        if self.form == "code":
            return f"the error `{show(self.name)}` is not in the table of error codes of the file"
        if self.form == "error":
            return f"the text mentions the error `{show(self.name)}`, which the tool does not list"
        return f"the text mentions `{show(self.name)}`, which is not a tool, a parameter or a field"

    def hint(self, tools: KnownTools) -> str:
        """Return the hint of a finding."""
        if self.form == "code":
            return "add it to the table, or use one of its codes"
        if self.form == "error":
            near = nearest(self.name, [error.name for error in self.contract.errors])
            return (
                f"write `{show(near)}`, or list it" if near else "list it with the other errors, and say when it occurs"
            )
        near = nearest(self.name, tools.names | tools.parameters_of(self.contract).names)
        return f"write `{show(near)}`" if near else "use an existing name, or remove the mention"


class _Mentioned(NamedTuple):
    """A name in a tool's text: the text, and the offsets of the name."""

    name: str
    contract: ToolContract
    text: str
    start: int
    end: int

    @property
    def before(self) -> str:
        """The words before the name on its line."""
        line = self.text.rfind("\n", 0, self.start) + 1
        return self.text[max(line, self.start - _NEAR) : self.start]

    @property
    def after(self) -> str:
        """The words after the name."""
        return self.text[self.end : self.end + _NEAR]


def unknown_names(file: SourceFile, tools: KnownTools, reported: AbstractSet[str]) -> Iterator[UnknownName]:
    """Yield the names that appear in one place of a file and are not defined, although the names next to them are. A
    name of several words is judged if most are known, a single word after `only used if` and the like, and an error
    after `fails with` if the tool lists errors. Names in `reported` are skipped.
    """
    texts = list(_texts(file))
    spans = [(name, contract, said, start, end) for contract, said in texts for name, start, end in _names_in(said)]
    is_known = {name: _is_known(name, tools) for name in {name for name, *_ in spans}}
    of_words = [known for name, known in is_known.items() if "_" in name and name.islower()]
    are_names_known = sum(of_words) >= _FEWEST_KNOWN and len(of_words) - sum(of_words) <= _MOST_UNKNOWN
    whole = file.text[:_LONGEST] if isinstance(file, SpecFile) else "\n".join(said for _, said in texts)
    of_fields = {id(said) for _, said in texts if " field " in said and any(returned_lines(said))}
    words, marked = Counter[str](), Counter[str]()
    lost = {}
    for contract in _closed_contracts(file, tools):
        own = [_Mentioned(*span) for span in spans if span[1] is contract]
        names = {one.name for one in own if _is_unknown(one, tools)}
        if len(names) == 1 and any(is_known[one.name] for one in own):
            lost[id(contract)] = names.pop()
    for span in spans:
        name = span[0]
        if lost.get(id(span[1])) == name and name not in reported and _is_of_the_tool(_Mentioned(*span)):
            last = name.rpartition(".")[2]
            words, marked = words or Counter(_WORD.findall(whole)), marked or Counter(_MARKED.findall(whole))
            if words[last] == 1 or marked[last] == 1:
                yield UnknownName(name, span[1], "name")
                continue
        if is_known[name] and name not in _PROTOCOL and not name[0].isupper():
            continue
        one = _Mentioned(*span)
        form = _form_of(one, tools, are_names_known=are_names_known) if one.name not in reported else None
        if form is None or (form in ("name", "word") and is_known[one.name]):
            continue
        if form == "name" and (_is_a_value(one, is_known) or not _is_meant(one, tools)):
            continue
        has_fields = id(one.text) in of_fields or tools.parameters_of(one.contract).outputs
        if form == "field" and (not has_fields or tools.have_parameter(one.name)):
            continue
        words = words or Counter(_WORD.findall(whole))
        marked = marked or Counter(_MARKED.findall(whole))
        is_alone = marked[one.name] == 1 if form in ("word", "field") else 1 in map(words.get, one.name.split("."))
        if is_alone:
            yield UnknownName(one.name, one.contract, form)


def unlisted_codes(file: SpecFile) -> Iterator[UnknownName]:
    """Yield the error codes in samples of results that neither the tool nor the table of error codes of the file lists,
    and the only code on the lines of errors of its tools that the table lacks.

    If the tool lists none, the table counts if at least one sample has a code of it.
    """
    listed = frozenset(row[2] for row in _CODE_ROW.finditer(file.text)) if "rror" in file.text else frozenset()
    lines = [(match[1], match.start(1)) for match in _CODES_LINE.finditer(file.text)] if listed else []
    codes = [(match[0], at + match.start()) for said, at in lines for match in _CODE_IN_LINE.finditer(said)]
    missing = {name for name, _ in codes} - listed
    if len(missing) == 1 and len(listed) >= _FEWEST_KNOWN and len(listed.intersection(name for name, _ in codes)) > 1:
        name, at = next(one for one in codes if one[0] in missing)
        owner = _owner(file, at)
        if owner is not None and file.text.count(name) == 1:
            yield UnknownName(name, owner.contract, "code")
    samples = [(match[1], match.start()) for match in _CODE_OF_SAMPLE.finditer(file.text)]
    is_table_used = len(listed) >= _FEWEST_KNOWN and any(name in listed for name, _ in samples)
    for name, at in samples:
        owner = _owner(file, at)
        if owner is None or name in listed:
            continue
        own = {error.name for error in owner.contract.errors}
        is_new = name not in own and file.text.count(name) == 1
        if (is_new and any(_UPPER.fullmatch(one) for one in own)) if own else is_table_used:
            yield UnknownName(name, owner.contract, "error")


def _owner(file: SpecFile, at: int) -> SpecTool | None:
    line = file.text.count("\n", 0, at) + 1
    return next((tool for tool in file.tools if tool.lines[0] <= line <= tool.lines[1]), None)


_UPPER = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_CODE_ROW = re.compile(r"^\|[ \t]*(`?)([A-Z][A-Z0-9]{3,}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\1[ \t]*\|", re.MULTILINE)
_CODES_LINE = re.compile(
    r"^[ \t]*(?:[-*+] )?[*_]{0,2}(?:Possible )?Error(?:s|(?: codes?))?[*_]{0,2}:[*_]{0,2}[ \t]*"
    r"(`?[A-Z][^\n]{1,400})",
    re.MULTILINE | re.IGNORECASE,
)
_CODE_IN_LINE = re.compile(r"(?<![\w.-])(?:[A-Z][A-Z0-9]{3,}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?![\w.(-]*\w)")
_CODE_OF_SAMPLE = re.compile(
    r"\"error\"\s*:\s*\{\s*\"(?:code|error_code|errorCode|type|error_type)\"\s*:\s*\"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\""
)


def _closed_contracts(file: SourceFile, tools: KnownTools) -> Iterator[ToolContract]:
    """Yield the canonical tools of a file whose schemas declare every name, so any other name in code is unknown."""
    for tool in file.tools if isinstance(file, SpecFile) else ():
        contract = tool.contract
        if not tool.is_legacy and contract.output is not None and not tools.parameters_of(contract).may_have(""):
            yield contract


def _is_unknown(one: _Mentioned, tools: KnownTools) -> bool:
    """Whether a name in code, or the last part of a path into a schema, is not declared by a closed tool."""
    first, *_, last = one.name.split(".") * 2
    of_the_tool = (*one.contract.name.split("."), *one.contract.channels, *one.contract.tags, one.contract.category)
    if len(last) < _SHORTEST or last in of_the_tool or not one.name.isascii():
        return False
    if not one.name.replace("_", "").replace(".", "").isalnum() or not one.name.islower() or tools.has(one.name):
        return False
    if last in _PROTOCOL or tools.have_parameter(last) or one.text[one.start] != "`" or one.name[-1].isdigit():
        return False
    return "." not in one.name or tools.parameters_of(one.contract).may_have(first)


def _is_of_the_tool(one: _Mentioned) -> bool:
    """Whether the words around a name do not attribute it to something else or to the past."""
    clause = _CLAUSE.split(one.before)[-1]
    is_of_other = _OF_A_RESULT.search(clause) or _OF_THE_PAST.search(clause) or _ASSIGNED.search(clause)
    return not (is_of_other or _NO_NAME_BEFORE.search(one.before) or _NO_NAME_AFTER.match(one.after))


_ASSIGNED = re.compile(r"`\w+` (?:is|was|=|(?:is )?set to|will be|becomes) $")
"""A parameter and words before the value of it."""
_OF_THE_PAST = re.compile(
    r"\b(?:never|not|no longer|old(?:er)?|former(?:ly)?|instead|was|were|unlike)\b", re.IGNORECASE
)


def _is_a_value(one: _Mentioned, is_known: Mapping[str, bool]) -> bool:
    """Whether a name begins an item that explains it in a list of values, where most names are unknown."""
    if not _BULLET.fullmatch(one.before) or not _EXPLAINED.match(one.after):
        return False
    start, end = one.text.rfind("\n\n", 0, one.start) + 1, one.text.find("\n\n", one.end)
    names = _LED.findall(one.text[start : end if end >= 0 else None])
    return sum(not is_known.get(name, False) for name in names) * 2 > len(names) > 1


def _is_meant(one: _Mentioned, tools: KnownTools) -> bool:
    """Whether the words before a name say that it is a tool or a parameter, or it is a misspelled one."""
    may_be_a_field = one.contract.output is None and _IF.search(one.before) and _IS.match(one.after)
    if _IN_A_CALL.search(one.before) and not may_be_a_field:
        return True
    return any(is_misspelled(one.name, name) for name in tools.names | tools.parameters_of(one.contract).names)


_IN_A_CALL = re.compile(
    r"\b(?:with|without|if|when|unless|where|set|sets|pass|give|omit|use|uses|using|call|run|parameters?|arguments?|tools?"
    r"|after|before|first|then|at|above|below|over|overrides|under|past|exceeds?) (?:the |an? )?$",
    re.IGNORECASE,
)
_IF = re.compile(r"\b(?:if|when|unless|where) (?:the |an? )?$", re.IGNORECASE)
_IS = re.compile(r" (?:is|are|was|says|equals)\b")
"""The words around a parameter, or a field of a result that no schema describes."""
_BULLET = re.compile(r"\s*[-*+] ")
_EXPLAINED = re.compile(r" [–—-] \w")
_LED = re.compile(r"^[^\S\n]*[-*+] `(\w+)` [–—-] ", re.MULTILINE)


def _form_of(one: _Mentioned, tools: KnownTools, *, are_names_known: bool) -> Form | None:
    """Return the form of a name, if that form always means a tool, a parameter, a field or an error."""
    listed = {error.name for error in one.contract.errors}
    paragraph = one.text[max(0, one.start - _NEAR) : one.start].rpartition("\n\n")[2].replace("\n", " ")
    if _AN_ERROR.fullmatch(one.name):
        is_like = any(one.name.isupper() == name.isupper() for name in listed)
        is_new = one.name not in listed and not tools.have_parameter(one.name)
        is_result = _OR_ERROR.search(paragraph) is not None and _OCCURS.match(one.after) is not None
        return "error" if is_like and is_new and (is_result or _FAILS.search(paragraph)) else None
    if _IN_SNAKE_CASE.fullmatch(one.name) and any(map(_IN_SNAKE_CASE.fullmatch, listed)) and _FAILS.search(paragraph):
        return None if one.name in listed or tools.have_parameter(one.name) or tools.has(one.name) else "error"
    if not one.name.islower() or tools.parameters_of(one.contract).may_have(""):
        return None
    if _A_FIELD.match(one.after):
        return "field"
    is_several = "_" in one.name
    is_meant = _ONLY_IF.search(one.before) is not None
    if not (is_meant or (is_several and are_names_known)):
        return None
    is_of_other = (
        _OF_A_RESULT.search(_CLAUSE.split(one.before)[-1])
        or (_NO_NAME_BEFORE if is_several and are_names_known else _OTHER_PROGRAM).search(one.before)
        or _NO_NAME_AFTER.match(one.after.removeprefix(" |") if is_meant else one.after)
    )
    return None if is_of_other else "name" if is_several else "word"


def _is_known(name: str, tools: KnownTools) -> bool:
    parts = name.split(".")
    return tools.has(name) or any(tools.have_parameter(part) or part in _PROTOCOL for part in (name, *parts))


def _texts(file: SourceFile) -> Iterator[tuple[ToolContract, str]]:
    """Yield the text of each tool: its part of a specification without code blocks, or the descriptions of a list."""
    if isinstance(file, SpecFile):
        for tool in file.tools:
            start, end = offset_of(file.text, tool.lines[0], 1), offset_of(file.text, tool.lines[1], 1_000_000)
            written = f"\n{file.text[start : min(end, _LONGEST)]}"
            left = (lambda match: " " if match[0][0] == "<" else "\n ") if "<!--" in written else "\n "
            prose = _NO_PROSE.sub(left, written)
            yield tool.contract, prose[1:]
        return
    for contract in file.contracts:
        yield contract, quoted_names_in_code(contract.description)
        for part in (contract.input, contract.output):
            for node in shared_subschemas(part.value) if part is not None else ():
                said = node.value.get("description")
                if isinstance(said, str):
                    yield contract, said


def _names_in(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the names that text mentions, each with its offsets."""
    start = 0
    for line in text.split("\n"):
        pattern = _SPAN if "`" in line else None
        if "_" in line:
            parts = line.split("`")
            pattern = _SPAN_OR_NAME if "_" in parts[-1] or any("_" in part for part in parts[::2]) else _SPAN
        for match in pattern.finditer(line) if pattern is not None else ():
            name = match[2] or match[1].removesuffix("()")
            if match[2] or _CODE.fullmatch(name):
                yield name, start + match.start(), start + match.end()
        start += len(line) + 1
