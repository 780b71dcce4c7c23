"""Make text of contracts safe for a prompt: it cannot leave its line or end a chat turn."""

from __future__ import annotations

import json

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.wording import shown_text

_LONGEST_NAME = 200
_BREAK = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_SPACE = re.compile("[\t\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
# Listed rather than taken from `unicodedata`, so that every Python version writes the same bytes: controls, soft
# hyphen, fillers, zero-width and bidirectional characters, selectors, byte order mark, lone surrogates, tags. Joiners
# are kept between non-ASCII characters, where scripts and emoji need them.
_UNSEEN = (
    "\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_HIDDEN = re.compile(f"[{_UNSEEN}]|(?<![\x80-\U0010ffff])[\u200c\u200d]|[\u200c\u200d](?![\x80-\U0010ffff])")

# Tokens that chat templates write between turns and around calls: text with one could end its turn.
_TEMPLATE = re.compile(
    r"<(?=[|｜])|<(?=/?(?:s|bos|eos|pad|unk|(?:start|end)_of_turn|tool_(?:call|response)s?|tools|function_calls?"
    r"|think(?:ing)?|im_(?:start|end))>)|<(?=</?SYS>>)"
    r"|\[(?=/?(?:INST|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|SYSTEM_PROMPT|THINK|ARGS|CALL_ID)\])",
    re.IGNORECASE,
)


def holds_hidden(text: str) -> bool:
    """Whether text contains invisible characters that a prompt omits."""
    return _HIDDEN.search(text) is not None


def lines_of(text: str) -> list[str]:
    """Split text into lines without hidden characters, surrounding blank lines, or two blank lines in a row."""
    found: list[str] = []
    for line in _BREAK.split(text):
        shown = _inert(_HIDDEN.sub("", _SPACE.sub(" ", line))).rstrip()
        if shown or (found and found[-1]):
            found.append(shown)
    return found[:-1] if found and not found[-1] else found


def one_line(text: str) -> str:
    """Return text on one line, separated by single spaces and without hidden characters."""
    return " ".join(" ".join(lines_of(text)).split())


def first_sentence(text: str, *, longest: int) -> str:
    """Return the first sentence of text on one line, cut between words if it is too long."""
    line = one_line(text)
    sentence = re.match(r".*?[.!?](?=\s|\Z)", line)
    short = line if sentence is None else sentence[0]
    if len(short) <= longest:
        return short
    cut = short[: longest - 1].rfind(" ")
    return f"{short[:cut].rstrip(' ,;:')} …" if cut > 0 else "…"


def json_line(value: JsonValue, *, compact: bool = False) -> str:
    """Write a value as JSON on one line without hidden characters; `…` if it cannot be written."""
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":") if compact else None)
    except (RecursionError, TypeError, ValueError):
        return "…"
    text = _HIDDEN.sub(_escape, text)
    text = re.sub("[\x85\u2028\u2029]", _escape, text)
    return _TEMPLATE.sub(_escape, text)


def name_in_ticks(name: str) -> str:
    """Return the name of a property in backticks, escaped as JSON if it could break out of them."""
    is_plain = "`" not in name and name.isprintable() and _TEMPLATE.search(name) is None
    if is_plain and 0 < len(name) <= _LONGEST_NAME and name == name.strip():
        return f"`{name}`"
    return f"`{shown_text(_inert(name).replace('`', chr(39)), limit=_LONGEST_NAME)}`"


def _inert(text: str) -> str:
    """Insert spaces into template marks in text, so that no tokenizer recognizes them."""
    return _TEMPLATE.sub(lambda match: f"{match[0]} ", text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code > 0xFFFF:  # JSON escapes are UTF-16
        code -= 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    return f"\\u{code:04x}"
