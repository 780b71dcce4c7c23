"""Recognizes placeholders: text that only states that something must still be written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Example, JsonValue, Placeholder, SchemaPart
from mcp_contracts.parsing.text import shorten
from mcp_contracts.schema.walk import shared_subschemas

EMPHASIS = "*_`~ \t"
"""Characters around text that have no meaning."""

_TRACES = (
    "todo", "tbd", "tba", "tbc", "fixme", "xxx", "wip", "??", "...", "…", "___", "lorem ipsum", "to be ", " here",
    "describe ", "explain ", "document", "say ", "state ", "write ", "description of th", " description", "placeholder",
    "changeme", "fill ", "coming soon", "work in p", "<", "under c", "no desc", "yet", "[desc", "[param", "[example",
    "[data", "[field", "[result", "[value", "[type",
)  # fmt: skip
_BRACKETED = re.compile(
    r"\[(?:describe|insert|your|fill|replace|what|how|when|one|brief|short|purpose|tool|name|add|explain|summar)"
)
_AUTHOR = r"(?:this|the|your|each) (?:tool|module|parameter|argument|field|section|endpoint)(?:'s)?"
_WHOLE = re.compile(
    r"""(?ix)
    (?: todo | tbd | tba | tbc | fixme | xxx+ | wip | placeholder(?:\ text)? | description(?=\.) | changeme
      | coming\ soon | work\ in\ progress | under\ construction
      | not\ (?:documented|described|written|specified)\ yet
      | \(?no\ (?:description|documentation)(?:\ (?:yet|available|provided|given))?\)?
      | \(?not\ yet\ (?:documented|described|written|specified)\)? | \.{3,}\ ?\w+\ ?\.{3,}
      | to\ be\ (?:done|determined|defined|decided|written|filled\ in|added|completed|documented|described|specified
                 |announced|confirmed)
      | fill\ (?:(?:me|this|it)\ )?in(?:\ later)? | \?{2,} | \.{3,} | …+ | _{3,} | lorem\ ipsum\b.*
      | (?:please\ )?(?:describe|explain|say|state|write|document)(?:\ here)?,?\ (?:in\ .{1,30}?\ )?
        (?:(?:what|how|when|why)\ (?:to\ use\ )?)?"""
    + _AUTHOR.replace(" ", r"\ ")
    + r"""
        (?:\ (?:does|do|is|is\ for|means|works|returns|takes|fails|can\ fail|purpose|here|in\ detail|briefly|and|when
             |to\ use\ it|it\ is\ used))*
      | (?:add|write|insert|put|enter|provide|your)\ (?:an?\ |the\ |your\ )?(?:[a-z-]+\ ){0,2}description
        (?:\ of\ .{1,40})?(?:\ here)?
      | (?:an?\ |the\ )?(?:[a-z-]+\ ){0,2}description\ of\ (?:what\ )?(?:this|the)\ (?:tool|parameter|argument|field)
        (?:\ does|\ is(?:\ for)?|\ means)?(?:\ here)?
      | (?:[a-z-]+\ ){0,3}(?:description|summary|purpose|text|content|explanation|details?|example|value|name|code
        |schema|title|this|it|documentation|sentence|paragraph)\ goes\ here
      | (?:[a-z-]+\ ){0,3}(?:description|summary|purpose|text)\ here
      | (?:(?:short|brief|one-line|tool|parameter|field|detailed)\ ){1,2}(?:description|summary|purpose)
      | \[(?:an?\ |the\ )?
        (?:(?:short|brief|one-line|one-sentence|clear|detailed|full|concise|tool|your|add|insert)\ ){0,3}
        (?:description|summary|purpose|explanation|what|how|when|why|name|text|overview)\b[^\[\]]{0,120}\]
      | <[^<>!/][^<>]{0,99}>
    )[\s.!…]*
    """
)
_BEGINNINGS = (
    "todo", "tbd", "tba", "tbc", "fixme", "xxx", "wip", "placeholder", "changeme", "coming", "work", "to be ", "fill",
    "?", ".", "\u2026", "_", "[", "brief", "short", "one-line", "tool ", "lorem", "please", "describe", "explain",
    "say", "state", "write", "document", "<", "under c", "no d", "not ", "(no",
)  # fmt: skip
"""The start of a placeholder that mentions neither a description nor what goes here."""
_NO_PLACEHOLDER = re.compile(
    r"(?i)</?(?:br|p|b|i|em|code|details|summary|hr|img|a|div|span|sub|sup|kbd)\b|<[a-z]+:|<\S+@"
)
_OF_TEMPLATE = "(?:param(?:eter)?|arg(?:ument)?|field|result|output|return|example|sample|data)"
TEMPLATE_WORD = re.compile(
    rf"(?i)[`*]*\[(?:{_OF_TEMPLATE}_?(?:(?:name|type|value|description)_?\d*|(?:field|result)?_?\d+_?(?:name|type)?)"
    r"|description)\][`*]*"
)
"""A word of a template in brackets, the only content of a cell: `[Parameter1Name]`, `[DataType]`."""
_TO_INSERT = re.compile(r"(?i)[<\[{]{1,2}(?:insert|enter|fill in|put|replace with|your|add) [\w ,.'-]{1,60}[>\]}]{1,2}")
_VERB = r"(?:add|write|describe|document|fill|define|decide|explain|check|say|list|verify|update|complete|implement)"
_MARK = re.compile(
    rf"(?:TODO|FIXME|TBD|XXX)(?:\([\w.@ -]{{1,40}}\))?(?:\s*[:–—]|\s+-\s|\s+(?i:{_VERB})\b).*", re.DOTALL
)


def read_schema_marks(part: SchemaPart | None) -> Iterator[Placeholder]:
    """Yield the descriptions of a schema that are placeholders."""
    for node in shared_subschemas(part.value) if part is not None else ():
        said = node.value.get("description")
        if part is not None and is_placeholder(said) and not describes_itself(node.name, said):
            place = part.locator.place(f"{node.pointer}/description")
            yield Placeholder(shorten(str(node.value["description"])), place)


def read_example_marks(examples: Sequence[Example]) -> Iterator[Placeholder]:
    """Yield the texts in examples that say what to insert: `<insert a name>`."""
    for example in examples:
        for said in filter(_TO_INSERT.fullmatch, _texts_in(example.value)):
            yield Placeholder(shorten(said), example.locator.place(""))


def _texts_in(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts_in(inner)


def describes_itself(name: str | None, text: JsonValue) -> bool:
    """Whether text is a real description of a parameter that contains text: "Short description" of `description`."""
    if name is None or not isinstance(text, str):
        return False
    kind = _KIND_OF_TEXT.fullmatch(text.strip().lower())
    return (name == "description" and "description of th" in text.lower()) or (
        kind is not None and kind[1] in name.lower()
    )


_KIND_OF_TEXT = re.compile(
    r"(?:(?:an?|the|short|brief|one-line|detailed|tool|parameter|field) )+(description|summary|purpose)\.?"
)


def traces_in(text: str, traces: Sequence[str] | None = None) -> Sequence[str]:
    """Return the traces of placeholders in text, or only some kinds of traces. Most text has none."""
    folded = text.lower()
    if traces is not None:
        return [trace for trace in traces if trace in folded]
    found = [trace for trace in _TRACES if trace in folded]
    return [*found, *dict.fromkeys(_BRACKETED.findall(folded))] if "[" in folded else found


def is_placeholder(value: JsonValue) -> bool:
    """Whether a whole text is a placeholder: it only says that something must still be written."""
    if not isinstance(value, str):
        return False
    text = value.strip(EMPHASIS + "\r\n").strip() or value.strip()  # `___` is a placeholder too
    folded = text.lower()
    if text.isascii() and not folded.startswith(_BEGINNINGS) and "description" not in folded and "here" not in folded:
        return False
    return _is_whole(text) or _MARK.fullmatch(text) is not None


def _is_whole(text: str) -> bool:
    # Anything in angle brackets, except HTML and addresses.
    return len(text) <= 400 and _WHOLE.fullmatch(text) is not None and not _NO_PLACEHOLDER.match(text)
