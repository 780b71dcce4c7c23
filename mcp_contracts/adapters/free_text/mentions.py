"""Distinguish a call from a mention: names before a value, signatures, quotations and examples."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters.free_text.known_tools import KnownTools
from mcp_contracts.adapters.free_text.marks import Mark
from mcp_contracts.adapters.free_text.notations import TOOL_NAME
from mcp_contracts.adapters.free_text.parsed_calls import Lines, TextPlace
from mcp_contracts.contract import JsonValue

_BETWEEN = ("with|using|these|the|following|action|tool|function|arguments|args|input|parameters|params|and")[::-1]
# The text before a value is read backwards from the value, because a pattern that ends at an offset is slow to search.
_ANNOUNCING = re.compile(
    rf"""\s{{0,10}}+(?:\w{{0,10}}```\s{{0,10}}|>[|｜][^<>\s]{{1,60}}[|｜]<\s{{0,5}})?(?:[:=]|>-|>=|>(?=-)|→|-<)?(?:\s{{0,3}}(?:{_BETWEEN})(?!\w)){{0,5}}
    \s{{0,10}}+[`*"'\]]{{0,3}}(?P<name>[\w.\-]{{1,128}}+(?<=[A-Za-z_]))(?![\w.\-]|/\S)""",
    re.VERBOSE,
)
_WINDOW = 200
_KEY = r"[^\W\d]\w{0,60}"
_GAP = r"[\s`\"'*(\[{<>,:=|]{0,20}-?"
_FILLER = r"(?:with|using|and|for|the|parameters?|params|arguments?|args|kwargs|input|action[ _]input)\b"
_ARGUMENT = re.compile(
    rf"""[`"']?:?[ \t]*\r?\n[ \t]{{0,20}}(?P<line>{_KEY})[ \t]?:(?=\s)
    | {_GAP}(?:{_FILLER}{_GAP}){{0,4}}(?:
        (?P<key>{_KEY})[`"'*]{{0,3}}[ \t]{{0,3}}(?:=(?!=)|(?<=["']):|:(?=[ \t]{{0,3}}[\d"'{{\[-]))
      | (?<=-)-?(?P<option>{_KEY})(?=[\s=]) | (?<=<)(?P<element>{_KEY})> | (?<=[(\s]:)(?P<lisp>{_KEY})\s)""",
    re.VERBOSE | re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z_][\w.\-]*+")
_KEY_BEFORE = re.compile(
    r"""(?<![\w.])(?<!where[ ])(?<!and[ ])(?<!or[ ])
    (?:(?P<loud>(?:tool|function)(?:[ _-]?(?:name|id))?|recipient(?:_name)?|to(?==))|name|action|call|command|method)
    (?:["'*`]{0,3}\s{0,3}(?:=>?|>)|(?<=[<\[{|]tool):|(?<=[<\[{|]call):|(?<=[<\[{|]function):)\s{0,3}["'`*]{0,3}\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_CALLED_BY_NAME = re.compile(r"(?<!\w)\w{0,20}(?:call|execute|invoke|run|use)_?\w{0,20}\(\s?[\"']\Z", re.IGNORECASE)
_COMMAND_MARK = re.compile(r"[ \t*`]{0,8}(?:[/!@]|\$|[\w@:~/.\-]{0,60}[$%][ \t]|[A-Z]:[\w\\ .\-]{0,60}>)[ \t]{0,3}")
_QUERY = re.compile(r"\?(\w{1,60})=")
_INDEXED = re.compile(r":\d{1,4}\s{0,3}\{")
_DEFINING = re.compile(r"\b(?:def|function|func|fn|class)\s{1,5}\Z")
_ACTION = re.compile(r"[ \t*]{0,8}action[ \t*]{0,4}:[ \t*`]{0,4}", re.IGNORECASE)
_FENCE = re.compile(r"[ \t]{0,8}```\w{0,20}[ \t]{0,8}\r?\n[ \t]{0,8}")
_REQUEST = re.compile(
    r"""^[ \t$`]{0,8}(?:curl|wget|https?|xh|GET|PUT|POST|PATCH|DELETE)[ \t][^\r\n]*+(?:(?<=\\)\r?\n[^\r\n]*+)*+\Z
    | \b(?:fetch|axios|(?:axios|requests|httpx|session|client)\.\w{1,20})\(\s{0,9}f?["'`][^\s"'`]*+\Z""",
    re.MULTILINE | re.VERBOSE,
)
_LONGEST_REQUEST = 300
_LONGEST_KEY = 50
_LONGEST_CALL = 1_000
_NO_NAME_BEFORE = ("", "}", ",", ".", ";", "!", "?")
_TYPE = r"(?:str|string|int|integer|float|number|bool|boolean|list|array|dict|object|any|none|null|optional)"
_PARAMETER = re.compile(
    rf"\s*(?:\*{{0,2}}(?P<name>[^\W\d]\w{{0,127}})\??(?:\s*:\s*{_TYPE}[\w\[\], |]{{0,40}})?"
    r"(?:\s*=\s*(?:none|null|\.\.\.))?|\.\.\.|…)\s*",
    re.IGNORECASE,
)
_MOST_SIGNATURE = 500
_STATEMENT = re.compile(r"(?:=|>>|\b(?:await|return)\s)\s{0,3}(?:print\()?[\w.\-]{1,128}+\Z")

_EXAMPLE = re.compile(
    r"""\b(?:for\ (?:example|instance)|e\.g\.|such\ as|example|sample|looks?\ like|would\ (?:be|look|write)|like\ this
    |format|template|schema|syntax|documentation)\b[^.!?\n]{0,80}\s{0,5}(?:```\w{0,20}\s{0,5})?`?\Z""",
    re.VERBOSE | re.IGNORECASE,
)
# What each of these contains in lowercase; most text before a call contains none of it.
_EXAMPLE_WORDS = (
    *("example", "for instance", "e.g.", "such as", "sample", "look", "would", "like this"),
    *("format", "template", "schema", "syntax", "documentation"),
)
_EXAMPLE_WINDOW = 160
_BLOCK_QUOTE = re.compile(r"[ \t]{0,3}>")
_WHOLE_LINE = re.compile(rf"\W{{0,3}}(?P<name>{TOOL_NAME})(?P<rest>[^\n]{{0,300}})")
_OPERAND = re.compile(r"[ \t]{1,5}[^\W_]")
_OPERANDS = re.compile(r"(?:[ \t]{1,5}[^\s.!?…`]{1,60}){1,3}\W{0,3}(?<![.!?…])")
_ARGUMENT_LIKE = re.compile(r"\s*\W{0,3}\Z|\s.{0,40}[=:\"']|\s+--?\w|:")


def announced_name(text: str, start: int, tools: KnownTools) -> str | None:
    """Return the name of a tool directly before a value, as in `forecast {"city": "Paris"}`."""
    before = text[max(0, start - 20) : start].rstrip()
    if tools.contracts is None or before[-1:] in _NO_NAME_BEFORE:
        return None
    match = _ANNOUNCING.match(text[max(0, start - _WINDOW) : start][::-1])
    name = "" if match is None else match["name"][::-1].rstrip("-.")
    if tools.is_called(name) or (name and has_argument(text, start, tools.parameters(name))):
        return name
    return None


def may_be_arguments(value: JsonValue, name: str, tools: KnownTools, *, is_adjacent: bool) -> bool:
    """Whether a value after a tool's name may be its arguments.

    They are an object that is empty or has a property of the tool's input, or a list directly after the name.
    """
    if not isinstance(value, dict):
        return is_adjacent
    schema = tools.schema_of(name)
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return not value or not isinstance(properties, dict) or bool(value.keys() & properties.keys())


def has_argument(text: str, position: int, parameters: Collection[str] | None) -> bool:
    """Whether an argument with the name of a parameter follows, after brackets and words such as `with`."""
    found = _ARGUMENT.match(text, position, position + _WINDOW) if parameters else None
    return found is not None and found[found.lastgroup or 0] in (parameters or ())


def is_called_word(text: str, mark: Mark, tools: KnownTools, *, in_prose: bool) -> bool:
    """Whether the last part of a tool's name is a call: before its arguments, or as a whole line."""
    parameters = tools.parameters(mark.name or "")
    if parameters is None or has_argument(text, mark.end, parameters):
        return parameters is not None
    end = text.find(")", mark.end, mark.end + _LONGEST_CALL) if in_prose else -1
    return end > 0 and is_line(text, mark.start, end + 1)


def names_of_calls(
    lines: Lines, found: Iterable[TextPlace], passed: Iterable[tuple[int, int]], tools: KnownTools
) -> Iterator[tuple[int, int]]:
    """Yield the names of tools in the position of a call, each with the rest of its line.

    Such a position is after a key (`tool="forecast"`), before an argument (`forecast city=Paris`), in a command
    (`/forecast Paris`), or at the end of a requested path (`curl https://host/forecast`). `passed` spans, and lines
    with something that was found, are skipped.
    """
    text = lines.text
    places = sorted((place.start, place.end) for place in found)
    before = 0
    for start, end in sorted([*places, *passed, (len(text), len(text))]):
        for match in _WORD.finditer(text, before, start):
            if match.start() < before or not _calls(match, before, tools):
                continue
            line_end = lines.end(match.start())
            last = bisect_right(places, (line_end, 0)) - 1
            if last < 0 or places[last][1] <= lines.start(match.start()):
                before = min(start, line_end)
                yield match.start(), before
        before = max(before, end)


def _calls(match: re.Match[str], start: int, tools: KnownTools) -> bool:
    """Whether a word is the name of a tool in the position of a call. The text before `start` does not count."""
    text, at = match.string, match.start()
    name = match[0].rstrip("-.")
    parameters = tools.parameters(name)
    if parameters is None:
        return False
    is_called = tools.is_called(name)
    earliest = max(start, at - _LONGEST_KEY)
    key = _KEY_BEFORE.search(text, earliest, at)
    if key is not None and (is_called or key["loud"] is not None):
        return True
    if is_called and _CALLED_BY_NAME.search(text, earliest, at) is not None:
        return True
    after = at + len(name)
    if text[at - 1 : at] == "/" and is_called:
        query = _QUERY.match(text, after)
        if query is not None and query[1] in parameters:
            return True
        if _REQUEST.search(text, max(start, at - _LONGEST_REQUEST), at) is not None:
            return True
    if _INDEXED.match(text, after) is not None and (is_called or match[0].startswith("functions.")):
        return True
    line = _line_start(text, at)
    if _COMMAND_MARK.fullmatch(text, line, at) is not None:
        return is_called or _OPERAND.match(text, after) is not None
    if is_called and _ACTION.fullmatch(text, line, at) is not None and text[after : after + 1] != "(":
        return True
    if is_called and _FENCE.fullmatch(text, _line_start(text, line - 1), at) is not None:
        return _OPERAND.match(text, after) is not None
    if text[after : after + 1] == "[":  # `Search[tides]`, the original form of ReAct
        closing = text.find("]", after, after + _WINDOW)
        if is_called or (closing > 0 and is_line(text, at, closing + 1)):
            return True
    return has_argument(text, after, parameters)


def is_mention(text: str, name: str, opening: int, tools: KnownTools) -> bool:
    """Whether a name before the bracket at `opening` is only mentioned.

    A mention is a signature, `forecast(city: str)`, a definition, `def forecast(city)`, or empty brackets in a
    sentence, but not in a program.
    """
    closing = text.find(")", opening, opening + _MOST_SIGNATURE)
    if closing < 0:
        return False
    named = text.rfind(name, max(0, opening - len(name) - 3), opening)
    if named > 0 and _DEFINING.search(text, max(0, named - 20), named) is not None:
        return True
    inside = text[opening + 1 : closing]
    if not inside.strip():
        return (
            not is_line(text, opening, closing + 1)
            and _STATEMENT.search(text, max(0, opening - _WINDOW), opening) is None
        )
    schema = tools.schema_of(name)
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return False
    items = [_PARAMETER.fullmatch(item) for item in inside.split(",")]
    return all(item is not None and (item["name"] is None or item["name"] in properties) for item in items)


def is_block_quote(text: str, start: int) -> bool:
    """Whether the line of an offset is a block quote."""
    return _BLOCK_QUOTE.match(text, _line_start(text, start), start) is not None


def quotation(text: str, start: int, end: int) -> str | None:
    """Return why a call from `start` to `end` is quoted rather than made, or None."""
    if text[start - 1 : start] == "`" and text[end : end + 1] == "`" and not is_line(text, start, end):
        return "it is quoted in a sentence"
    before = text[max(0, start - _EXAMPLE_WINDOW) : start].lower()
    if any(word in before for word in _EXAMPLE_WORDS) and _EXAMPLE.search(before) is not None:
        return "it is given as an example"
    return None


def is_only_name(text: str, tools: KnownTools) -> str | None:
    """Return the name of a tool if a line of text is only that name, with words that may be arguments."""
    text = text.strip()
    match = _WHOLE_LINE.fullmatch(text)
    if match is None or "{" in match["rest"]:
        return None
    if _ARGUMENT_LIKE.match(match["rest"]) is None and _OPERANDS.fullmatch(match["rest"]) is None:
        return None
    name = match["name"].rstrip(".-")
    return name if tools.is_called(name) else None


def _line_start(text: str, position: int) -> int:
    earliest = max(0, position - 1_000)
    return max(earliest - 1, text.rfind("\n", earliest, position), text.rfind("\r", earliest, position)) + 1


def is_line(text: str, start: int, end: int) -> bool:
    """Whether the line of a span has no other words."""
    before = text[_line_start(text, start) : start]
    after = re.match(r"[^\r\n]{0,1000}", text[end : end + 1_000])
    rest = before.rpartition(" ")[0] + ("" if after is None else after[0])
    return re.search(r"\w{2}", rest) is None
