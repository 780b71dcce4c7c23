"""The rule about tools that cannot be distinguished (MC514): equivalent descriptions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SourceFile, ToolContract
from mcp_contracts.diagnostics import Finding, Related, Severity
from mcp_contracts.parsing.placeholder_texts import is_placeholder
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.wording import nearest, show
from mcp_contracts.schema.simple import properties_of

_WORD = re.compile(r"[^\W_]+")
_IN_NAME = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_FILLING = frozenset((
    "a", "an", "the", "this", "that", "these", "those", "it", "its", "of", "for", "to", "in", "on", "at",
    "by", "with", "from", "and", "or", "as", "is", "are", "be", "been", "was", "which", "who", "will", "can",
    "may", "tool", "function", "given", "specified", "provided", "using", "use", "used", "via", "your", "you",
    "all", "any",
))  # fmt: skip
_FIRST = re.compile(r"\A(?:[^.\n]|\.(?=\S)|\n(?!\n))+(?:\.\s|\n\n)")
"""The first sentence of several."""
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ies|es|ed|s|e|y)$")
_FEWEST_WORDS = 2
_FEWEST_FOR_NEAR = 4
_MOST_COMPARED = 8


class _DescriptionWords(NamedTuple):
    """The content of a description: the stems of its significant words, and those of the tool's name."""

    contract: ToolContract
    stems: frozenset[str]
    in_order: tuple[str, ...]


@rule("MC514", Severity.WARNING, since="0.1.0")
def descriptions_alike(file: SourceFile) -> Iterator[Finding]:
    """Two tools have the same or nearly the same description.

    Models choose among tools by their descriptions. If two are alike, they can only go by the names or take the first.
    Descriptions are considered alike if they differ only in minor words and in endings, or if the tools have the same
    parameters and their descriptions differ in one word that occurs in neither name. A word that distinguishes actions,
    amounts, or one thing from several is not minor ("Read a setting", "Write a setting").
    """
    by_key: dict[int, list[_DescriptionWords]] = {}
    first: dict[tuple[str, ...], _DescriptionWords] = {}
    for contract in file.contracts if len(file.contracts) > 1 else ():
        said = _read_description(contract)
        if said is None:
            continue
        other = _find_alike(said, by_key)
        place = contract.place_of("description")
        part = "description"
        if other is None and (other := first.setdefault(_opening(contract, said), said)) is not said:
            part = "beginning of the description"
        if (
            other is not said
            and other is not None
            and other.contract.name != contract.name  # which MC104 reports
            and not _are_opposite(contract.description, other.contract.description)
            and other.contract.place_of("description") != place  # a row may describe several tools
        ):
            same = "the same as" if other.in_order == said.in_order or part != "description" else "nearly the same as"
            yield Finding(
                f"the {part} is {same} that of `{show(other.contract.name)}`",
                "say in both descriptions when to choose which tool",
                place,
                related=(Related(other.contract.place_of("description"), "the other description"),),
            )


def _opening(contract: ToolContract, said: _DescriptionWords) -> tuple[str, ...]:
    """Return the significant words of the first sentence of a description, or the tool's name if there are too few."""
    opening = _FIRST.match(contract.description)
    words = tuple(_stem(word) for word in _WORD.findall(opening[0].lower() if opening else "") if word not in _FILLING)
    return words if len(words) > _FEWEST_FOR_NEAR and not _is_deprecated(contract) else (f"`{said.contract.name}`",)


def _read_description(contract: ToolContract) -> _DescriptionWords | None:
    """Return the content of a description, or None if it is too short to compare, or only a remark in brackets."""
    text = contract.description
    if not text or is_placeholder(text) or re.fullmatch(r"\([^()]*\)\.?", text):
        return None
    in_order = tuple(_stem(word) for word in _WORD.findall(text.lower()) if word not in _FILLING)
    stems = frozenset(in_order)
    return _DescriptionWords(contract, stems, in_order) if len(stems) >= _FEWEST_WORDS else None


def _find_alike(said: _DescriptionWords, by_key: dict[int, list[_DescriptionWords]]) -> _DescriptionWords | None:
    """Return the first tool seen whose description differs in one word at most; the tool is then among those seen.

    Sets that differ in one word have a key in common: that of one of them, or of both without the word. Each key
    matches only a few tools, so the time is linear in the text, not quadratic.
    """
    hashes = {stem: hash(stem) for stem in said.stems}
    whole = sum(hashes.values())
    keys = [whole]
    if len(hashes) >= _FEWEST_FOR_NEAR:
        keys += [whole - value for value in hashes.values()]
    found: _DescriptionWords | None = None
    for key in keys:
        seen = by_key.get(key)
        if seen is None:
            by_key[key] = [said]
            continue
        found = found or next((other for other in seen if _are_alike(said, other)), None)
        if len(seen) < _MOST_COMPARED:
            seen.append(said)
    return found


def _are_alike(one: _DescriptionWords, other: _DescriptionWords) -> bool:
    if one.contract.name == other.contract.name:
        return False
    if _are_opposite(one.contract.description, other.contract.description):
        return False
    differing = one.stems ^ other.stems
    named = _stems_of_name(one.contract.name) | _stems_of_name(other.contract.name)
    kinds = [_KINDS.intersection(_WORD.findall(said.contract.description.lower())) for said in (one, other)]
    if (kinds[0] ^ kinds[1]) & named:
        return False  # a function is what `function_details` is about
    if _is_deprecated(one.contract) or _is_deprecated(other.contract):
        if _succeeds(one.contract, other.contract) or _succeeds(other.contract, one.contract):
            return False  # a tool does what its successor does
        first, second = (_WORD.findall(said.contract.description.lower()) for said in (one, other))
        return not differing and first == second
    if one.in_order == other.in_order:
        return True
    if (
        properties_of(one.contract.input_schema).keys() != properties_of(other.contract.input_schema).keys()
        or not differing
    ):
        return False
    if min(len(one.stems), len(other.stems)) < _FEWEST_FOR_NEAR or len(differing) > 2:
        return False
    if any(not stem.isalpha() or stem in _AMOUNTS for stem in differing):
        return False  # a number, or a name such as `v2`, distinguishes the two
    if one.in_order[0] in differing and not {one.in_order[0], other.in_order[0]} <= _READS:
        return False
    first, second = ([stem for stem in said.in_order if stem not in differing] for said in (one, other))
    return first == second and differing.isdisjoint(named)


_KINDS = frozenset(("function", "tool"))
_ONE_THING = re.compile(r"\b(?:an?|one|single) (\w+)(?<!s)\b", re.IGNORECASE)
_AMOUNT = re.compile(r"\b(?:(all|every|each)|(?:an?|one) (?!list\b|set\b))\b", re.IGNORECASE)
_OPPOSITES = tuple(
    (re.compile(one, re.IGNORECASE), re.compile(other, re.IGNORECASE))
    for one, other in (
        (r"\bfrom\b", r"\b(?:in)?to (?:the|an?|your)\b"),
        (r"\w(?:ed|en) by\b", r"\b(?:that|which) \w+"),
    )
)
"""Minor words that distinguish two descriptions: all or one, from or to, the agent or the object of an action."""


def _are_opposite(one: str, other: str) -> bool:
    """Whether each of two descriptions has minor words that the other one lacks and contradicts."""
    amounts = [amount[1] is not None for text in (one, other) if (amount := _AMOUNT.search(text)) is not None]
    if len(set(amounts)) > 1 or _is_one_of_many(one, other) or _is_one_of_many(other, one):
        return True
    return any(
        bool(first.search(one)) != bool(first.search(other))
        and bool(second.search(one)) != bool(second.search(other))
        and bool(first.search(one)) != bool(second.search(one))
        for first, second in _OPPOSITES
    )


def _is_one_of_many(one: str, other: str) -> bool:
    """Whether a description has one of the things that the other one has several of: `a file` and `files`."""
    thing = _ONE_THING.search(one)
    same = [word for word in _WORD.findall(other.lower()) if _stem(word) == _stem(thing[1].lower())] if thing else []
    return bool(same) and all(word.endswith("s") for word in same)


def _is_deprecated(contract: ToolContract) -> bool:
    return contract.status is not None and contract.status.state == "deprecated"


def _succeeds(contract: ToolContract, other: ToolContract) -> bool:
    """Whether another tool refers to this one as its replacement."""
    named = other.status.replacement if other.status is not None else None
    if named is None:
        return False
    meant, own = named.rpartition(".")[2], contract.name.rpartition(".")[2]
    return meant == own or nearest(meant, [own]) is not None  # MC205 reports that it is misspelled


@lru_cache(maxsize=1_000)
def _stems_of_name(name: str) -> set[str]:
    return {_stem(word.lower()) for word in _IN_NAME.findall(name)}


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    """Return a word without inflectional endings: `lists`, `listing` and `listed` become `list`."""
    return _ENDING.sub("", word)


_READS = frozenset(map(_stem, ("fetch", "find", "get", "list", "look", "query", "read", "retrieve", "return", "search",
                               "show", "view")))  # fmt: skip
_AMOUNTS = frozenset(map(_stem, ("amount", "average", "count", "number", "size", "total")))
