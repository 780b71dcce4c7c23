"""What JSON does not allow but people write: comments, trailing commas, and `...` for omissions."""

from __future__ import annotations

from mcp_contracts import lazy_re as re

_COMMENT = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?|(?<![:\w])//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_COMMA = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"?|,(?=\s*[}\]])", re.DOTALL)


def without_comments(text: str) -> str:
    """Replace comments with spaces, so that all offsets stay the same."""
    return _COMMENT.sub(lambda match: match[0] if match[0][0] in "\"'" else blank(match[0]), text)


def without_trailing_commas(text: str) -> str:
    """Replace each comma before a closing bracket with a space."""
    return _COMMA.sub(lambda match: " " if match[0] == "," else match[0], text)


def without_gaps(text: str) -> str:
    """Remove each `...`, or replace it with a value of the same length where it stands for one."""
    text = _DOTTED_VALUE.sub(lambda match: f"{match[1]}{'{ }' if match[0].endswith('...') else '0'}", text)
    return _DOTS.sub(lambda match: match[0] if match[0][0] == '"' else _gap(match[0]), text)


def without_omissions(text: str) -> str:
    """Remove each `...` and each comment that represents omitted members: `// ... more items`."""
    return without_gaps(_OMISSION.sub(_blank_omission, text))


_STRING = r'(?<!\\)"(?:[^"\\\n]|\\.)*"'
_DOTS = re.compile(rf"{_STRING}|(?:,|(?<!\s))\s*(?:\.\.\.|…)(?:\s*,)?")
_DOTTED_VALUE = re.compile(rf"({_STRING}\s*:\s*)(?:\.\.\.|…)")
_OMITTED = r"[ \t]*(?:\.\.\.|…|(?:(?:and|plus)[ \t]+)?(?:more|other|further|additional|remaining)\b)"
_OMISSION = re.compile(
    rf"{_STRING}|(?:,\s*)?(?://{_OMITTED}[^\n]*|/\*{_OMITTED}[^*\n]*\*/)(?P<end>\s*[\]}}])?", re.IGNORECASE
)


def _blank_omission(match: re.Match[str]) -> str:
    """Blank a comment and, before a closing bracket, the comma before it."""
    if match[0][0] == '"':
        return match[0]
    end = match["end"] or ""
    written = match[0].removesuffix(end)
    return f"{written[0] if written[0] == ',' and not end else ' '}{blank(written[1:])}{end}"


def _gap(text: str) -> str:
    """Return the replacement of `, ...,`: spaces, with one comma if there was one on each side."""
    spaces = blank(text)
    return f"{spaces[:-1]}," if text.lstrip()[:1] == "," and text[-1] == "," else spaces


def blank(text: str) -> str:
    """Return spaces in place of every character except line breaks."""
    return re.sub(r"[^\n]", " ", text)
