"""Convert dotted names to the alphabet of a provider, and back exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mcp_contracts import lazy_re as re
from mcp_contracts.errors import UsageError
from mcp_contracts.files.hashing import sha256
from mcp_contracts.records import dataclass

_DOT = "__"
_HASH_LENGTH = 10
_HASHED = re.compile(rf"_[0-9a-f]{{{_HASH_LENGTH}}}\Z")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_SHORTEST_LIMIT = _HASH_LENGTH + 2


@dataclass(frozen=True, slots=True)
class NameMap:
    """The names of tools for one provider, in both directions."""

    to_provider: Mapping[str, str]
    from_provider: Mapping[str, str]


def mangle_names(
    names: Iterable[str], *, extra: str = "_-", longest: int = 64, starts_with_letter: bool = False
) -> NameMap:
    """Convert names to an alphabet of ASCII letters, digits and `extra`, with at most `longest` characters.

    A dot becomes `__` if the alphabet lacks it (`weather.get_forecast` becomes `weather__get_forecast`). A name that
    this would make ambiguous (`a__b`), that is too long, or that has characters outside the alphabet gets a suffix of
    its hash, so that `a.b_c` and `a_b.c` remain distinct and a name never depends on the others. `starts_with_letter`
    requires a letter or `_` as the first character. Raises UsageError if two names still become the same, or a name is
    repeated.
    """
    if "_" not in extra or longest < _SHORTEST_LIMIT:
        raise UsageError(f"tool names must be allowed to contain `_` and to have {_SHORTEST_LIMIT} characters")
    alphabet = _LETTERS | frozenset("0123456789") | frozenset(extra)
    to_provider: dict[str, str] = {}
    from_provider: dict[str, str] = {}
    for name in names:
        if name in to_provider:
            raise UsageError(f"two tools are named `{name}`", hint="pass each tool once")
        sent = _mangle_name(name, alphabet, longest, starts_with_letter=starts_with_letter)
        if sent in from_provider:
            raise UsageError(
                f"the tools `{from_provider[sent]}` and `{name}` both become `{sent}`", hint="rename one of them"
            )
        to_provider[name] = sent
        from_provider[sent] = name
    return NameMap(to_provider, from_provider)


def _mangle_name(name: str, alphabet: frozenset[str], longest: int, *, starts_with_letter: bool) -> str:
    """Convert one name: spelled out if that is reversible, otherwise with a suffix of its hash."""
    has_dots = "." in alphabet
    spelled = name if has_dots else name.replace(".", _DOT)
    is_read_back = has_dots or spelled.replace(_DOT, ".") == name
    starts_well = not starts_with_letter or spelled[:1] == "_" or spelled[:1] in _LETTERS
    is_taken = bool(spelled) and len(spelled) <= longest and alphabet.issuperset(spelled) and starts_well
    if is_read_back and is_taken and not _HASHED.search(spelled):
        return spelled
    stem = "".join(character if character in alphabet else "_" for character in spelled)
    if not starts_well:
        stem = f"_{stem}"
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]
    return f"{stem[: longest - _HASH_LENGTH - 1]}_{digest}"
