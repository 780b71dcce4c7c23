"""Finds calls in code without parsing it, because few files contain any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, SchemaPart
from mcp_contracts.parsing.markdown.blocks import Fence
from mcp_contracts.parsing.text import Line
from mcp_contracts.rule_names import nearest

LONGEST = 20_000
"""The maximum length of code that is read, in characters."""
LEFT_OUT = re.compile(
    r"\.\.\.|…|<\w[\w -]*>|^[^\S\n]*(?:>>>|\$|%|!|In \[)|->\s*+\S{1,200}[^\S\n]*$"
    r"|^(?!.*\n[ \t]+\S)(?:(?:async[ \t]+)?def\b.*)?\)[ \t]*->",  # a signature without a body
    re.MULTILINE,
)
"""Signs that code is only a sketch, or a terminal session."""

ANSWERED = re.compile(r"^([ \t]*[a-z]\w*\((?=\w+ ?= ?)[^()\n]*\))[ \t]*(?:->|=>|→|⇒)[^\n]*$", re.MULTILINE)
"""A call with keywords, and its answer on the same line: `find(word="tea") -> 3`."""
_ANSWER = re.compile(r"(?<=[)\n])\n[ \t]*(?:->|=>|→|⇒)[ \t]*[^\n]*")


def without_answers(text: str) -> str:
    """Return code in which spaces replace the answers after calls, on the same line or on the next one."""
    text = ANSWERED.sub(lambda call: f"{call[1]}{' ' * (len(call[0]) - len(call[1]))}", text)
    return _ANSWER.sub("\n", text)


_LANGUAGES = frozenset(("python", "py", "python3", "pycon"))
DISPATCHED = re.compile(
    r"\b(?:callTool|call_tool|invokeTool|executeTool|useTool|runTool|use_mcp_tool|use_tool)\s*\(\s*"
    r"(?:(?P<quote>[\"'`])(?P<name>[\w./-]+)(?P=quote)\s*,\s*)?(?=\{)"
    r"|(?<![\w)\]:,=(] )(?<![\w)\]:,=(])(?=\{\s*[\"']?(?:tool|tool_name|toolName)[\"']?\s*:\s*[\"'])"
)
"""A call of a tool by name: a function that takes the name, or an object with only the name."""
MESSAGE = re.compile(r"[\"'](?:tool_name|tool|name)[\"']\s*:\s*[\"'][\w./-]+[\"']\s*,\s*[\"']arg(?:ument)?s[\"']\s*:")
"""A call as a dictionary."""
_NO_LANGUAGES = frozenset(("", "text", "txt", "plaintext"))
_SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_WHOLE_CALL = re.compile(r"(?:await )?(?:[\w.]+\.)?(\w+)\(.*\)")
_OBJECT = re.compile(r"\{\s*\".*\}")


def is_code(fence: Fence) -> bool:
    """Whether a fence contains Python."""
    return fence.language in _LANGUAGES


def calls_plainly(fence: Fence, name: str) -> bool:
    """Whether a fence without a language contains calls of a tool as in Python: `find_notes(word="tea")`."""
    short = name.rpartition(".")[2]
    called = rf"^[ \t]*(?:>>> )?(?:\w+ = )?(?:await )?(?:\w+\.)?{re.escape(short)}\("
    return (
        fence.language in _NO_LANGUAGES
        and re.search(called, fence.content, re.MULTILINE) is not None
        and LEFT_OUT.search(ANSWERED.sub(r"\1", _PROMPT.sub("", fence.content))) is None
        and _language_of(fence.content, short) == "python"
    )


_PROMPT = re.compile(r"^[ \t]*>>> ", re.MULTILINE)


def misnames_plainly(fence: Fence, name: str, siblings: AbstractSet[str]) -> bool:
    """Whether a fence without a language calls nothing but a function whose name resembles that of a tool."""
    called = set(_PLAIN_CALL.findall(fence.content)) if fence.language in _NO_LANGUAGES else set()
    others = {sibling.rpartition(".")[2] for sibling in siblings}
    if len(called) != 1 or not called.isdisjoint(others):
        return False
    similar = nearest(next(iter(called)), [name.rpartition(".")[2]])
    return similar is not None and LEFT_OUT.search(fence.content) is None


_PLAIN_CALL = re.compile(r"^[ \t]*(?:\w+ = )?(?:await )?([a-z]\w*)\((?=[a-z_]\w*=)", re.MULTILINE)


def _language_of(code: str, short: str) -> str:
    """Return the language of a call: JavaScript if it has an object whose keys Python would read as variables."""
    literal = rf"\b{re.escape(short)}\(\s*\{{\s*(?:[A-Za-z_$][\w$]*\s*[:,}}]|\.\.\.)"
    return "python" if re.search(literal, code) is None else "javascript"


def parameter_types(part: SchemaPart | None) -> Mapping[str, JsonValue]:
    """Return the schemas of the parameters that an input schema lists at its root."""
    properties = part.value.get("properties") if part is not None and isinstance(part.value, dict) else None
    return properties if isinstance(properties, dict) else {}


def share_word(one: str, other: str) -> bool:
    """Whether two names have a word in common."""
    return not set(one.split("_")).isdisjoint(other.split("_"))


def call_spans(line: Line, name: str, *, is_labeled: bool = False) -> Iterator[Fence]:
    """Yield the calls in code spans of a line, as fences: `find(x=1)` in Python, or arguments in JSON.

    The only code span after a label is a call of this tool, even by another name.
    """
    own = name.rpartition(".")[2]
    bare = line.text.strip() if line.text.rstrip().endswith(")") and "`" not in line.text else ""
    is_bare = bare.startswith(f"{own}(") and re.fullmatch(rf"{re.escape(own)}\([^()]*\)", bare[:LONGEST])
    if is_bare and not LEFT_OUT.search(bare):
        column = line.column + line.text.index(bare)
        yield Fence(_language_of(bare, own), f"{' ' * column}{bare}", line.row, line.row + 1, line.row, is_closed=True)
    for span in _SPAN.finditer(line.text[:LONGEST]) if "`" in line.text else ():
        called = _WHOLE_CALL.fullmatch(span[1]) if "(" in span[1] else None
        is_only = is_labeled and line.text.strip(" .") == span[0]
        is_call = called is not None and (called[1] == own or (is_only and share_word(called[1], own)))
        is_open = called is None and span[1].startswith(f"{own}(") and span[1].count("(") > span[1].count(")")
        language = (
            _language_of(span[1], called[1])
            if called is not None and is_call
            else "json"
            if _OBJECT.fullmatch(span[1])
            else "python"
            if is_open  # a fault
            else ""
        )
        if language and not LEFT_OUT.search(span[1]):
            column = line.column + span.start(1)
            text = f"{' ' * column}{span[1]}"
            yield Fence(language, text, line.row, line.row + 1, line.row, is_closed=True)


_GIVEN = re.compile(
    r"(?:\be\.g\.,?|\bfor (?:example|instance)[,:]?|\bexample:?|\btry:?|\bsuch as)\s+(?=`[\w.]+\((?:\w+ ?=(?!=)|\{))",
    re.IGNORECASE,
)
"""Words before a call with values that text gives as an example."""


def mentioned_calls(line: Line, name: str) -> Iterator[Fence]:
    """Yield the calls in code that a line of text gives as an example: ``e.g. `find_notes(word="tea")` ``."""
    for match in _GIVEN.finditer(line.text[:LONGEST]) if "(" in line.text and "`" in line.text else ():
        end = line.text.find("`", match.end() + 1)
        if end > 0:
            yield from call_spans(Line(line.text[match.end() : end + 1], line.row, line.column + match.end()), name)
