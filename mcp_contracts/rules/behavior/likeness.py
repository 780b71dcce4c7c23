"""The rule about tools that cannot be distinguished by their descriptions (MC514)."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SourceFile, ToolContract
from mcp_contracts.diagnostics import Finding, Related, Severity
from mcp_contracts.parsing.placeholder_texts import is_placeholder
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.schemas.names import fold_name
from mcp_contracts.rules.wording import nearest, show
from mcp_contracts.schema.simple import properties_of

_WORD = re.compile(r"[^\W_]+")
_FILLING = frozenset((
    "a", "an", "the", "this", "that", "these", "those", "it", "its", "of", "for", "in", "on", "at", "by", "with", "and",
    "or", "as", "is", "are", "be", "been", "was", "which", "who", "will", "can", "may", "given", "specified",
    "provided", "using", "use", "used", "via", "your", "you",
))  # fmt: skip
_FIRST = re.compile(r"\A(?:[^.\n]|\.(?=\S)|\n(?!\n))+(?:\.\s|\n\n)")
"""The first sentence of several."""
_BADGE = re.compile(r"\s*\*\*[^*]*\*\*\s*|\W*deprecated\b.*", re.IGNORECASE | re.DOTALL)
"""A line in bold above the description, such as a note on permissions, or a note that the tool is deprecated."""
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ies|es|ed|s|e|y)$")
_READS = frozenset(("fetch", "find", "get", "list", "look", "quer", "read", "retriev", "return", "search", "show",
                    "view"))  # fmt: skip
"""Verbs, without their endings, that are interchangeable in a long description."""
_MARKED = re.compile(
    r"\A(?:[A-Z]{3,}(?: \([^()\n]*\))?(?:\.?\Z|\s+[—–-]+\s+))?"
    r"(?:(?:arg(?:ument)?|param(?:eter)?|input)s?:[^.\n]*(?:\.|\Z)\s*)?"
)
"""A mark of what a tool may do, and a list of its parameters, at the beginning: ``WRITE — args: `id`. Closes it.``"""
_FEWEST_WORDS = 2
_FEWEST_FOR_NEAR = 8
_FEWEST_OF_OPENING = 5

Words = tuple[str, ...]


@rule("MC514", Severity.WARNING, since="0.2.0")
def descriptions_alike(file: SourceFile) -> Iterator[Finding]:
    """Two tools have the same or nearly the same description.

    Models choose tools by their descriptions. If two are alike, a model can only choose by name or take the first tool.
    Two descriptions are alike if they differ only in minor words, such as articles, and in the ending of the first
    word, or if both have several sentences and begin with the same one. If the tools have the same parameters,
    descriptions of at least eight words are also alike if they differ only in a verb for reading ("Get", "Fetch") that
    the names do not contain. Words that distinguish actions, objects, amounts, or singular and plural are not minor
    ("Read a setting", "Write a setting"). Identical `Use when` lines are reported as well, and identical titles unless
    the names of both tools contain them.
    """
    seen: dict[Words, ToolContract] = {}
    for contract in file.contracts if len(file.contracts) > 1 else ():
        for words, part in _keys(contract):
            other = seen.setdefault(words, contract)
            if other is contract or not _are_alike(contract, other):
                continue
            same = "nearly the same as" if part == "nearly" else "the same as"
            yield Finding(
                f"the {part if part != 'nearly' else 'description'} is {same} that of `{show(other.name)}`",
                "give each tool a title of its own"
                if part == "title"
                else "say in each description when to choose that tool",
                contract.place_of(_FIELDS.get(part, "description")),
                related=(Related(other.place_of(_FIELDS.get(part, "description")), "the other one"),),
            )
            break


_FIELDS = {"title": "title", "`Use when` line": "use_when"}


def _says_little(text: str) -> bool:
    """Whether a description is empty, one word such as a scope, or only a placeholder or a remark in brackets."""
    is_phrase = len(text.split(maxsplit=1)) > 1 or not text.isascii()
    return not is_phrase or is_placeholder(text) or re.fullmatch(r"\([^()]*\)\.?", text) is not None


def _keys(contract: ToolContract) -> Iterator[tuple[Words, str]]:
    """Yield each key that two descriptions are matched by, and the part of the contract that it comes from."""
    title = contract.title if contract.title and not _is_name(contract.title, contract.name) else None
    for said, part in ((title, "title"), (contract.use_when, "`Use when` line")):
        if said and not is_placeholder(said):
            yield (f"`{part}", *_WORD.findall(said.lower())), part
    description = _MARKED.sub("", contract.description)
    words = () if _says_little(description) else _significant_words(description)
    if len(words) < _FEWEST_WORDS:
        return
    yield words, "description"
    if _is_deprecated(contract):
        return
    is_read = words[0] in _READS and words[0] not in contract.name.lower()
    if is_read and len(_WORD.findall(description)) >= _FEWEST_FOR_NEAR:
        yield ("`", *words[1:], "`", *sorted(properties_of(contract.input_schema))), "nearly"
    opening = _FIRST.match(description)
    opening = opening if opening is not None and not _BADGE.fullmatch(opening[0]) else None
    first = _significant_words(opening[0]) if opening is not None else ()
    if len(first) >= _FEWEST_OF_OPENING:
        yield ("`first", *first), "beginning of the description"


def _is_name(title: str, name: str) -> bool:
    """Whether a title only repeats words of the tool's name, so that tools of several modules may share it."""
    return all(fold_name(word) in fold_name(name) for word in _WORD.findall(title))


def _significant_words(text: str) -> Words:
    """Return the words of text in lowercase, without minor ones, and the first without its ending."""
    first, *others = [word for word in _WORD.findall(text.lower()) if word not in _FILLING] or [""]
    return _ENDING.sub("", first), *others


def _are_alike(one: ToolContract, other: ToolContract) -> bool:
    """Whether two tools with comparable descriptions are meant to be distinguished by them."""
    if one.name == other.name:  # MC104 reports it
        return False
    if one.place_of("description") == other.place_of("description"):  # a row may describe several tools
        return False
    if not (_is_deprecated(one) or _is_deprecated(other)):
        return True
    if _succeeds(one, other) or _succeeds(other, one):
        return False  # a tool does what its successor does
    first, second = (_WORD.findall(contract.description.lower()) for contract in (one, other))
    return first == second


def _is_deprecated(contract: ToolContract) -> bool:
    return contract.status is not None and contract.status.state == "deprecated"


def _succeeds(contract: ToolContract, other: ToolContract) -> bool:
    """Whether another tool refers to this one as its replacement."""
    named = other.status.replacement if other.status is not None else None
    if named is None:
        return False
    meant, own = named.rpartition(".")[2], contract.name.rpartition(".")[2]
    return meant == own or nearest(meant, [own]) is not None  # MC205 reports that it is misspelled
