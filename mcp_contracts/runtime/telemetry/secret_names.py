"""Decide which names denote secrets."""

from __future__ import annotations

import base64
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from html import unescape
from urllib.parse import unquote

from mcp_contracts import lazy_re as re
from mcp_contracts.errors import UsageError

DEFAULT_SECRET_NAMES = frozenset(
    (
        *("password", "passwords", "passwd", "pwd", "passphrase", "passcode", "pin", "otp", "cvv", "cvc"),
        *("totp", "mfa_code", "mfa_codes", "csrf", "xsrf", "auth", "oauth", "session_id", "session_ids"),
        *("secret", "secrets", "client_secret", "credential", "credentials", "authorization", "bearer", "jwt"),
        *("token", "access_tokens", "auth_tokens", "refresh_tokens", "cookie", "cookies"),
        *("api_key", "api_keys", "access_key", "access_keys", "private_key", "private_keys"),
        *("encryption_key", "signing_key", "ssh_key", "ssh_keys"),
        *("dsn", "connection_string", "connection_strings", "database_url", "db_url"),
    )
)
"""Names of arguments whose values are treated as secrets. `tokens` is not included: it is usually a count."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_PARTING = re.compile(r"[\W_]+")
_MEASURES = frozenset(("budget", "count", "length", "limit", "policy", "size", "ttl", "type"))
_MAXIMUM_NAME = 256  # characters; values under longer names are treated as secret
_SHORTEST_ENDING = 5  # characters of a name that also counts as the end of a word: `PGPASSWORD`, `authtoken`

_USER_INFORMATION = re.compile(r"://[^/?#\s@]+@")
_PRIVATE_KEY = "PRIVATE KEY-----"
# The beginnings of the forms that state a name with its value. Only text that contains one is searched.
_NAMED = (
    ("=", re.compile(r"(?<![\w.-])([\w.-]{1,256})=(?=[^\s=])")),
    ("--", re.compile(r"(?<![\w-])--([\w-]{1,256})[ \t]+(?=[^\s-])")),
    ("</", re.compile(r"<([\w.-]{1,256})>(?=[^<\s])")),
    ('"', re.compile(r'"([^"\\]{1,256})\\*"\s*:')),
    ("'", re.compile(r"'([^'\\]{1,256})\\*'\s*:")),
)
_MOST_ENCODINGS = 3
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}")
_OF_URLS = str.maketrans("-_", "+/")
_ESCAPE = re.compile(r"(?<!\\)\\++u00([0-7][0-9A-Fa-f])")
_ENCODINGS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("%", unquote),
    ("\\u00", lambda text: _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)),
    ("&", unescape),
)
_LABELED = re.compile(r"""(^[ \t-]*+|["'])?(?<![\w.-])([A-Za-z][\w-]{0,255}+):[ \t]++(?=\S)""", re.MULTILINE)


def secret_words(names: Iterable[str]) -> frozenset[str]:
    """Normalize names for comparison: lowercase, without separators.

    Raises UsageError for a string, which Python would iterate by letters.
    """
    if isinstance(names, str):
        raise UsageError("the names of secrets are given as one string", hint=f"pass a list: `[{names!r}]`")
    return _squeeze(names if isinstance(names, frozenset) else frozenset(names))


@lru_cache(maxsize=64)
def _squeeze(names: frozenset[str]) -> frozenset[str]:
    return frozenset(word for name in names if (word := "".join(_words(name))))


def _words(name: str) -> list[str]:
    plain = name if name.isascii() else unicodedata.normalize("NFKC", name)
    return [word.casefold() for word in _WORD.findall(plain)]


def is_secret_name(name: str, secrets: frozenset[str]) -> bool:
    """Whether a name denotes a secret; `secrets` must come from `secret_words`."""
    return len(name) > _MAXIMUM_NAME or _holds_secret_word(name, secrets)


@lru_cache(maxsize=64)
def _any_of(secrets: frozenset[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(secrets))) or "(?!)")


@lru_cache(maxsize=64)
def _endings(secrets: frozenset[str]) -> tuple[str, ...]:
    return tuple(name for name in secrets if len(name) >= _SHORTEST_ENDING)


def holds_secret(text: str, secrets: frozenset[str]) -> bool:
    """Whether text, as written or decoded, contains a secret in a form that can be recognized.

    Such a form is a URL with user information, a private key, or a value next to the name of a secret: a member of JSON
    or of a Python dict, an element, `name=value` as in the query of a URL, a connection string or a command, `--name
    value`, or `name: value` as in a header or YAML. In a sentence, a single word before a colon is prose: "the
    password: at least 8 letters". Encodings of URLs, JSON, HTML and base64 are decoded, even inside each other.
    """
    return any(_states_secret(reading, secrets) for reading in _readings(text))


def _readings(text: str) -> Iterator[str]:
    """Yield text, and then its content after decoding one encoding after another."""
    yield text
    for _ in range(_MOST_ENCODINGS):
        decoded = _BASE64.sub(_decode_base64, text)
        for mark, decode in _ENCODINGS:
            if mark in decoded:
                decoded = decode(decoded)
        if decoded == text:
            return
        text = decoded
        yield text


def _decode_base64(found: re.Match[str]) -> str:
    """Return the text that a run of letters encodes in base64, or the run itself."""
    run = found[0].rstrip("=").translate(_OF_URLS)
    try:
        decoded = base64.b64decode(run + "=" * (-len(run) % 4)).decode()
    except ValueError:
        return found[0]
    return decoded if decoded.isascii() or decoded.isprintable() else found[0]


def _states_secret(text: str, secrets: frozenset[str]) -> bool:
    if "://" in text and _USER_INFORMATION.search(text) is not None:
        return True
    if _PRIVATE_KEY in text:
        return True
    for mark, pattern in _NAMED:
        if mark in text and any(is_secret_name(found[1], secrets) for found in pattern.finditer(text)):
            return True
    if ":" not in text:
        return False
    return any(
        is_secret_name(found[2], secrets) and (found[1] is not None or len(_words(found[2])) > 1)
        for found in _LABELED.finditer(text)
    )


@lru_cache(maxsize=4096)
def _holds_secret_word(name: str, secrets: frozenset[str]) -> bool:
    if name.isascii() and not _any_of(secrets).search(_PARTING.sub("", name).lower()):
        return False  # takes a tenth of the time of splitting words
    words = _words(name)
    if not words or words[-1] in _MEASURES:
        return "".join(words) in secrets  # a listed name is always secret
    if any(word.endswith(_endings(secrets)) for word in words):
        return True
    longest = max(map(len, secrets), default=0)
    for start in range(len(words)):
        joined = ""
        for word in words[start:]:
            joined += word
            if joined in secrets:
                return True
            if len(joined) >= longest:
                break
    return False
