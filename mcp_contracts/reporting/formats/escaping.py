"""Makes untrusted text safe in Markdown: its markup, links, mentions and references have no effect."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.reporting.values import AMPLE, shorten, shown_value
from mcp_contracts.reporting.visible import visible

_MARKUP = re.compile(r"[\\`*_\[\]<|~$]")
_STARTS = re.compile(r"([-+=>]|[0-9]+(?=[.)](\s|$)))")  # a list, a rule or a quotation
_ADDRESSES = re.compile(r"(?i)(\bwww|\bGH|\bmailto|\bxmpp|@|#|:)(?=[.:-]|(?<=[@#])|//)")
_RUNS = re.compile(r"`+")
_LIMIT = 600
_WIDTH = 88  # cells for a value in a code block
_BREAK = "&#8203;"  # a zero-width space, so that the text after it is not a mention, reference or address


def escape(text: str) -> str:
    """Return text escaped as Markdown: text between backticks is code, and nothing else is markup."""
    parts = shorten(visible(text), _LIMIT).split("`")
    if len(parts) % 2 == 0:  # the last backtick has no partner
        parts[-2:] = [f"{parts[-2]}`{parts[-1]}"]
    written = (code_span(part) if number % 2 and part.strip() else _plain(part) for number, part in enumerate(parts))
    return "".join(written)


def code_span(text: str) -> str:
    """Return text as inline code, even if it contains backticks."""
    text = shorten(visible(text), _LIMIT)
    if not text.strip():
        return f"“{text}”"
    mark = "`" * (max(map(len, _RUNS.findall(text)), default=0) + 1)
    gap = " " if text.startswith(("`", " ")) or text.endswith(("`", " ")) else ""
    return f"{mark}{gap}{text}{gap}{mark}"


def fence(lines: str, language: str) -> str:
    """Return lines as a fenced code block, even if they contain backticks."""
    mark = "`" * max(max(map(len, _RUNS.findall(lines)), default=0) + 1, 3)
    return f"{mark}{language}\n{lines}\n{mark}"


def fenced_value(value: JsonValue) -> str:
    """Return a value as a block of JSON that can be copied, or as a block of text if it is too long to show in full."""
    shown = shown_value(value, AMPLE)
    return fence("\n".join(shown.lines(_WIDTH)), "json" if shown.is_whole else "text")


def _plain(text: str) -> str:
    text = _MARKUP.sub(r"\\\g<0>", text.replace("&", "&amp;"))
    start = _STARTS.match(text)
    if start is not None:
        text = f"\\{text}" if not text[0].isdigit() else f"{start[0]}\\{text[start.end() :]}"
    return _ADDRESSES.sub(rf"\1{_BREAK}", text)
