"""Names in the text of a tool that are used like its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from mcp_contracts import lazy_re as re
from mcp_contracts.rule_names import nearest
from mcp_contracts.rules.texts import sentence_start

NAME = r"[A-Za-z][A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)*"
"""A name of a tool or parameter."""
_BESIDE = re.compile(
    rf"(?<![\w`/])`({NAME})` (?:and|or|(?P<to>to|until|till|through)) `({NAME})`(?![\w`/])"
    r"(?! (?:of|for|from|in) (?:the|an?|each|every|its|all)\b)"
)
"""Two names, one of which may be a parameter."""
_CODE = re.compile(rf"(?<![\w`/])`({NAME})`(?![\w`/])(?! (?:value )?(?:of|in|from) (?:the|an?|each|its)\b)")
_OF_A_RESULT = re.compile(
    r"(?i)\b(?:return|result|output|respon|answer|contain|includ|list of|gives\b|yield|computed|stored? "
    r"|rais(?:es|ed)\b|throw|payload|following|values\b|fields?\b)"
    r"|\b(?:column|setting|server|permission|role|internal|environment|config\w*|key|file|header|table)s?"
    r"(?: \w+)?\s+$|(?:^|\n)[ \t]*[-*+] +$"
)
"""Matches words that mark a sentence as possibly about fields of the result or other things, or an item of a list."""

_RETURNED = re.compile(
    r"(?i)\b(?:return|result|output|respon|answer|gives\b|yield|rais(?:es|ed)\b|throw|payload|fields?\b|columns?\b)"
)


def names_in_calls(text: str, inputs: AbstractSet[str], near: AbstractSet[str]) -> Iterator[str]:
    """Yield the names in text about a call that are not `inputs`, but used like them; `near` are similar to them."""
    yield from _names_beside_parameters(text, inputs)
    yield from _names_in_sentences_about_calls(text, near, inputs)
    yield from _names_not_beside(text, inputs)


def _names_beside_parameters(text: str, inputs: AbstractSet[str]) -> Iterator[str]:
    """Yield the names of several words that are joined with a parameter: `` `path` and `old_path` ``."""
    for match in _BESIDE.finditer(text):
        if _OF_A_RESULT.search(text[sentence_start(text, match.start()) : match.start()]):
            continue
        for name, other in ((match[1], match[3]), (match[3], match[1])):
            is_meant = "_" in name or match["to"] is not None
            if other in inputs and name not in inputs and is_meant and f'"{name}"' not in text:
                yield name


def _names_in_sentences_about_calls(text: str, names: AbstractSet[str], inputs: AbstractSet[str]) -> Iterator[str]:
    """Yield the given names that appear in code in a sentence about the call.

    For a misspelled name of `inputs`, more sentences count: `Search for text, which is given as `wrod`.`
    """
    for match in _CODE.finditer(text) if names else ():
        start, name = match.start(), match[1]
        if name in names:
            meant = nearest(name, inputs)
            is_misspelled = meant is not None and meant.rstrip("s") != name.rstrip("s")
            other = _RETURNED if is_misspelled else _OF_A_RESULT
            if not other.search(text[sentence_start(text, start) : start]):
                yield name


_NOT_BOTH = re.compile(
    rf"\b(?:not|never|n't) (?:pass|send|use|set|give|provide|combine|supply|specify) both"
    rf" [`'\"]?({NAME})[`'\"]? and [`'\"]?({NAME})[`'\"]?(?=[.,;)]*(?:\s|$))",
    re.IGNORECASE,
)
_SEVERAL_WORDS = re.compile(r"_|[a-z][A-Z]")


def _names_not_beside(text: str, inputs: AbstractSet[str]) -> Iterator[str]:
    """Yield the names that text says must not be sent with a parameter: `Do not pass both path and old_path.`"""
    for match in _NOT_BOTH.finditer(text) if " both " in text else ():
        for name, other in ((match[1], match[2]), (match[2], match[1])):
            if other in inputs and name not in inputs and _SEVERAL_WORDS.search(name):
                yield name


_EXCLUDED = re.compile(
    r"\b(?:(?:cannot|can't|can not|must not|may not|not) be (?:used|combined|set|given|passed|specified)"
    r"(?: together)? with|mutually exclusive (?:with|to)|incompatible with)"
    r" [`'\"]?([a-z][a-z0-9]*(?:_[a-z0-9]+)+)[`'\"]?(?=[.,;)]*(?:\s|$))(?! (?:of|in|from)\b)",
    re.IGNORECASE,
)


def excluded_names(text: str) -> Sequence[str]:
    """Return the parameters next to which a parameter must not be sent: `Cannot be used with page_id.`"""
    return [match[1] for match in _EXCLUDED.finditer(text)] if "with" in text or "exclusive" in text else []
