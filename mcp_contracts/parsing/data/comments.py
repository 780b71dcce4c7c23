"""Comments and trailing commas, which JSON does not allow but many editors do."""

from __future__ import annotations

from mcp_contracts import lazy_re as re

_COMMENT = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?|(?<![:\w])//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_COMMA = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"?|,(?=\s*[}\]])", re.DOTALL)


def without_comments(text: str) -> str:
    """Replace comments with spaces, so that all offsets stay the same."""
    return _COMMENT.sub(lambda match: match[0] if match[0][0] in "\"'" else re.sub(r"[^\n]", " ", match[0]), text)


def without_trailing_commas(text: str) -> str:
    """Replace each comma before a closing bracket with a space."""
    return _COMMA.sub(lambda match: " " if match[0] == "," else match[0], text)
