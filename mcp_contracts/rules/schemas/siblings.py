"""Rules about properties that are easily confused with each other: by their names (MC339) and descriptions (MC340)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, SourceFile
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.rules.base import ToolSchema, rule
from mcp_contracts.rules.schemas.names import fold_name
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.simple import properties_of
from mcp_contracts.schema.walk import nodes_by_keyword


@rule("MC339", Severity.WARNING, since="0.2.0")
def names_differ_in_style(file: SourceFile) -> Iterator[Finding]:
    """Two properties of an object, or parameters of two tools, have names that differ only in style.

    Callers confuse `user_id` and `userId`, and a value under the wrong name is silently ignored. If one of the two
    properties is an alias, say so in its description; then it is not reported. Across tools, the rule reports the
    spelling whose style differs from that of most names (such as `snake_case`). If no style is more common, it reports
    the less common spelling.
    """
    spellings: dict[str, Counter[str]] = {}
    for contract in file.contracts:
        for name in properties_of(contract.input_schema):
            spellings.setdefault(fold_name(name), Counter())[name] += 1
    common = _common_spellings(spellings)
    for contract in file.contracts:
        part = contract.input
        for node in nodes_by_keyword(part.value).get("properties", ()) if part is not None else ():
            named = properties_of(node.value)
            if (node.pointer or not common) and len({fold_name(name) for name in named}) == len(named):
                continue
            seen: dict[str, str] = {}
            for name, child in named.items():
                folded = fold_name(name)
                first = seen.setdefault(folded, name)
                other = common.get(folded, name) if not node.pointer else name
                if first != name and not any(map(_is_alias, (child, named[first]))):
                    message = f"`{show(name)}` and `{show(first)}` differ only in style"
                    hint = "keep one of them, or say in its description that one is an alias"
                elif other != name and other not in named:
                    number = spellings[folded][other]
                    where = f"{number} other tools" if number > 1 else "another tool"
                    message = f"`{show(name)}` is named `{show(other)}` in {where}"
                    hint = f"write `{show(other)}` here as well"
                else:
                    continue
                pointer = f"{node.pointer}/properties/{escape(name)}"
                place = part.locator.place(pointer, on_key=True) if part is not None else None
                yield Finding(message, hint, place, part="input", pointer=pointer, on_key=True)


def _common_spellings(spellings: Mapping[str, Counter[str]]) -> dict[str, str]:
    """Return the right spelling of each name with several, by the style of most names or by the number of uses."""
    styles = Counter(style for counts in spellings.values() for name in counts if (style := _style_of(name)))
    (style, most), (_, fewer) = [*styles.most_common(2), ("", 0), ("", 0)][:2]
    is_clear = most >= _CLEARLY_MORE * max(fewer, 1)
    common: dict[str, str] = {}
    for folded, counts in spellings.items():
        own = [name for name in counts if is_clear and _style_of(name) == style]
        (first, uses), (_, others) = [*counts.most_common(2), ("", 0)][:2]
        if len(own) == 1 and len(counts) > 1:
            common[folded] = own[0]
        elif uses > others > 0:
            common[folded] = first
    return common


_CLEARLY_MORE = 3


def _style_of(name: str) -> str:
    """Return how a name joins its words: an underscore, a hyphen or `A` for a capital; "" for one word."""
    return "_" if "_" in name else "-" if "-" in name else "A" if name != name.lower() else ""


def _is_alias(schema: JsonValue) -> bool:
    return (
        isinstance(schema, dict)
        and _ALIAS.search(f"{schema.get('description')} {schema.get('deprecated')}") is not None
    )


_ALIAS = re.compile(
    r"\b(?:alias|deprecated|legacy|compat\w*|same as|instead|alternative|synonym|True)\b", re.IGNORECASE
)


@rule("MC340", Severity.WARNING, since="0.2.0", needs=["properties"])
def description_of_another_property(schema: ToolSchema) -> Iterator[Finding]:
    """A property has another property's description.

    The description was copied and not adapted, so it does not say what the value means. Two properties may share a
    description that fits both: a property is reported only if the description shares words with the name of the other
    property but not with its own, if it describes the other end of a range (`time_min`, `time_max`), or if it describes
    a count.
    """
    for node in schema.having("properties"):
        said: dict[str, list[str]] = {}
        for name, child in properties_of(node.value).items():
            text = child.get("description") if isinstance(child, dict) else None
            if isinstance(text, str):
                said.setdefault(text, []).append(name)
        for text, names in said.items():
            owner = _owner(text, names) if len(names) > 1 and len(text.split()) >= _FEWEST_WORDS else None
            for name in names if owner is not None else ():
                if name != owner and not _fits(text, name, owner or ""):
                    message = f"`{show(name)}` has the same description as `{show(owner or '')}`"
                    pointer = f"{node.pointer}/properties/{escape(name)}"
                    yield schema.finding(message, "say what this value means", pointer, on_key=True)


_COUNT = re.compile(r"(?:number of|how many) ", re.IGNORECASE)
"""The beginning of a description that fits only one property."""


def _owner(text: str, names: Sequence[str]) -> str | None:
    """Return the property with the same description whose name it contains, otherwise the first whose name it partly
    contains.
    """
    whole = [name for name in names if _names_whole(text, name)]
    side = [name for name in names if _side(name) and _side(name) == _side(text)]
    partly = [name for name in names if _speaks_of(text, name)]
    return next(iter((*whole, *side, *partly, *(names if _COUNT.match(text) else ()))), None)


def _fits(text: str, name: str, owner: str) -> bool:
    """Whether a description that belongs to its owner may also fit another property."""
    if _side(text) and _side(owner) and _side(name) and _side(name) != _side(owner):
        return False
    own = [word for word in _words(name) if word not in _words(owner)]
    if own and len(_words(owner)) > 1 and _names_whole(text, owner):
        return any(re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE) for word in own)
    return _speaks_of(text, name)


def _words(name: str) -> Sequence[str]:
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", name)]


def _names_whole(text: str, name: str) -> bool:
    """Whether text contains all words of a name, joined in any way."""
    return re.search(rf"\b{'[ _-]?'.join(map(re.escape, _words(name)))}\b", text, re.IGNORECASE) is not None


_SIDES = (
    re.compile(r"(?<![^\W_])(?:min(?:imum)?|lower|lowest|smallest|earliest|since|after)(?![^\W_])", re.IGNORECASE),
    re.compile(r"(?<![^\W_])(?:max(?:imum)?|upper|highest|largest|latest|until|before)(?![^\W_])", re.IGNORECASE),
)
"""Words for the two ends of a range."""


def _side(text: str) -> int | None:
    """Return the end of a range that a name or text means, if any."""
    sides = [side for side, words in enumerate(_SIDES, 1) if words.search(text)]
    return sides[0] if len(sides) == 1 else None


_FEWEST_WORDS = 3
_SHORTEST = 3


def _speaks_of(text: str, name: str) -> bool:
    """Whether text contains a word of a name, or one that begins with it."""
    if f"`{name}`" in text:
        return True
    words = [word.rstrip("s") for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name) if len(word) >= _SHORTEST]
    return any(re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE) for word in words)
