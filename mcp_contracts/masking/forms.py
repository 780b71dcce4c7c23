"""The forms of secrets: tokens by their shape, and passwords by their context, but not placeholders."""

from __future__ import annotations

import math
from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.masking.words import Summary
from mcp_contracts.records import NamedTuple


class Secret(NamedTuple):
    """A span of text that looks like a secret, and the kind of secret."""

    start: int
    end: int
    kind: str


class _Shape(NamedTuple):
    """A kind of token: the literals that it begins with, and a pattern for the whole token.

    The literal is found first, and the pattern is tried only there, so that a search takes linear time. `not_after` are
    the characters before which the literal is a part of a word, unless they are those of an escape: `~1` in a pointer,
    `%2F` in a URL, or `\\n` in JSON.
    """

    kind: str
    literals: tuple[str, ...]
    pattern: str
    not_after: str = ""

    def whole(self) -> str:
        """Return the pattern with the condition on what is before it."""
        if not self.not_after:
            return self.pattern
        return rf"(?:(?<![{self.not_after}])|{_AFTER_ESCAPE}){self.pattern}"


_ESCAPES = (r"~[01]", r"\\[bfnrt]", r"\\u[0-9A-Fa-f]{4}", r"%[0-9A-Fa-f]{2}")
_AFTER_ESCAPE = "|".join(f"(?<={escape})" for escape in _ESCAPES)

_SHAPES = (
    _Shape("AWS access key", ("AKIA", "ASIA"), r"A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])", r"A-Za-z0-9+"),
    _Shape("GitHub token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    _Shape("GitHub token", ("github_pat_",), r"github_pat_[A-Za-z0-9_]{36,255}"),
    _Shape("GitLab token", ("glpat-",), r"glpat-[A-Za-z0-9_-]{20,128}"),
    _Shape("Slack token", ("xox", "xapp-"), r"(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{20,255}"),
    _Shape(
        "Slack webhook", ("hooks.slack.com/",), r"hooks\.slack\.com/services/T[A-Z0-9]{7,12}/B[A-Z0-9]{7,12}/\w{20,32}"
    ),
    _Shape("Anthropic key", ("sk-ant-",), r"sk-ant-[a-z0-9]{2,12}-[A-Za-z0-9_-]{20,255}", r"A-Za-z0-9"),
    _Shape("API key", ("sk-",), r"sk-(?!ant-)(?:proj-|svcacct-|admin-|None-)?[A-Za-z0-9_-]{32,255}", r"\w-"),
    _Shape("Google key", ("AIza",), r"AIza[A-Za-z0-9_-]{35}(?![\w-])", r"A-Za-z0-9"),
    _Shape("Google token", ("ya29.",), r"ya29\.[A-Za-z0-9_-]{30,255}", r"A-Za-z0-9"),
    _Shape("Google client secret", ("GOCSPX-",), r"GOCSPX-[A-Za-z0-9_-]{24,40}"),
    _Shape("Stripe key", ("sk_live_", "rk_live_"), r"[sr]k_live_[A-Za-z0-9]{16,255}"),
    _Shape("npm token", ("npm_",), r"npm_[A-Za-z0-9]{36}(?!\w)", r"A-Za-z0-9"),
    _Shape("PyPI token", ("pypi-AgEI",), r"pypi-AgEI[A-Za-z0-9_-]{50,255}"),
    _Shape("Hugging Face token", ("hf_",), r"hf_[A-Za-z0-9]{30,40}(?!\w)", r"A-Za-z0-9"),
    _Shape("Groq key", ("gsk_",), r"gsk_[A-Za-z0-9]{40,60}(?!\w)", r"A-Za-z0-9"),
    _Shape("SendGrid key", ("SG.",), r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}", r"\w."),
    _Shape("DigitalOcean token", ("dop_v1_",), r"dop_v1_[a-f0-9]{64}"),
    _Shape("Shopify token", ("shpat_",), r"shpat_[a-f0-9]{32}"),
    _Shape("Databricks token", ("dapi",), r"dapi[a-f0-9]{32}", r"A-Za-z0-9"),
    _Shape("Telegram bot token", (":AA",), r":AA[A-Za-z0-9_-]{33}(?![\w-])"),
    _Shape("Azure storage key", ("AccountKey=",), r"AccountKey=[A-Za-z0-9+/]{86}=="),
    _Shape("JSON web token", ("eyJ",), r"eyJ[\w-]{10,2048}\.eyJ[\w-]{10,4096}\.[\w-]{10,2048}", r"A-Za-z0-9.-"),
)

_KEY_BLOCK = (
    r"-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY-----(?:\\n|\\r|\s){1,4}(?!\.|[A-Za-z]*EXAMPLE)[A-Za-z0-9+/]{16,76}"
)
_PASSWORD_IN_URL = r"://[^\s:/@\"'<>`\\]{0,64}:([^\s:/@\"'<>`\\]{8,128})@([\w.-]{1,253})"
_ASSIGNED_NAMES = {
    **dict.fromkeys(("password", "passwd", "PASSWORD"), "password"),
    **dict.fromkeys(("secret", "Secret", "SECRET"), "secret"),
    **dict.fromkeys(("api_key", "apikey", "apiKey", "api-key", "API_KEY", "APIKEY"), "API key"),
    **dict.fromkeys(("access_token", "accessToken", "ACCESS_TOKEN", "auth_token", "authToken", "AUTH_TOKEN"), "token"),
    **dict.fromkeys(("private_key", "privateKey", "PRIVATE_KEY"), "private key"),
}
_NAMES_AS_WORDS = frozenset(
    name.lower().encode() for name in (*_ASSIGNED_NAMES, "client_secret", "bearer", "secret_key")
)
_ASSIGNED = r"[A-Za-z_-]{2,16}\\{0,2}[\"']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,2}[\"']([^\s\"'\\<>{}$]{16,255})\\{0,2}[\"']"
_BEARER = r"Bearer[ ]([A-Za-z0-9_.~+/-]{20,255}=*)"

# Values that are obviously not real. Documentation keys of AWS end in EXAMPLE; the sample of jwt.io is John Doe's.
_PLACEHOLDER = (
    r"(?i)example|sample|placeholder|dummy|fake|redact|changeme|change[_-]me|insert|replace|your|my[_-]|xxx|\.\.\.|…|\*\*\*"
    r"|<|>|\{|\}|\$|abc123|abcdef|123456|987654|a1b2c3|deadbeef|foobar|hunter2|secret|password|token|test|demo|todo"
    r"|eyJzdWIiOiIxMjM0NTY3ODkwI|(.)\1{3}"
)
# In a token of random characters such short words occur by chance, so there only these count.
_PLACEHOLDER_TOKEN = (
    r"(?i)example|placeholder|redacted|changeme|your[_-]|xxx|\.\.\.|…|abcdef|abc123|123456|a1b2c3|0000|deadbeef|qwerty|asdfgh|zyxwvu"
    r"|eyJzdWIiOiIxMjM0NTY3ODkwI|([A-Za-z0-9])\1{4}"
)
_REPEATED = re.compile(r"(.{1,16}?)\1{2,}.{0,15}", re.DOTALL)
"""A piece that occurs three times or more, which no token has."""
_LOCAL_HOSTS = frozenset(("localhost", "127.0.0.1", "0.0.0.0", "host", "hostname", "server", "db", "proxy"))
_EXAMPLE_HOST = r"(?i)(?:^|\.)example(?:\.|$)|(?:^|\.)(?:test|local|internal|invalid)$"
_LONG = 20


def may_hold_secret(text: str, about: Summary) -> bool:
    """Whether text must be searched: it has a long word that may be a token, the name of a secret, or a URL with a
    login."""
    if not _NAMES_AS_WORDS.isdisjoint(about.words) or ("@" in text and "://" in text):
        return True
    long = [word for word in about.words if len(word) >= _LONG]
    return any(_has_digits(word) or word[:3] == b"hf_" for word in long)


def secrets(text: str, about: Summary) -> Iterator[Secret]:
    """Yield every part of text that looks like a secret, in order and without overlaps."""
    words = b" ".join(about.words)
    end = 0
    for secret in sorted(
        [*_tokens(text, words), *_passwords(text, words)], key=lambda found: (found.start, -found.end)
    ):
        if secret.start >= end:
            yield secret
            end = secret.end


def _tokens(text: str, words: bytes) -> Iterator[Secret]:
    for shape in _SHAPES:
        for literal in shape.literals:
            if _first_word(literal) not in words:
                continue  # the distinct words of text are far fewer than its characters
            for match in _matches(text, literal, shape.whole()):
                if not re.search(_PLACEHOLDER_TOKEN, match[0]) and _is_varied(match[0][len(literal) :]):
                    yield Secret(match.start(), match.end(), shape.kind)
    for match in _matches(text, "-----BEGIN ", _KEY_BLOCK):
        yield Secret(match.start(), match.end(), "private key")


def _passwords(text: str, words: bytes) -> Iterator[Secret]:
    for match in _matches(text, "://", _PASSWORD_IN_URL):
        is_example = match[2].lower() in _LOCAL_HOSTS or re.search(_EXAMPLE_HOST, match[2])
        if not is_example and _is_secret_value(match[1], randomness=2.5):
            yield Secret(match.start(1), match.end(1), "password")
    for match in _matches(text, "Bearer ", _BEARER):
        if _is_secret_value(match[1], randomness=3.5):
            yield Secret(match.start(1), match.end(1), "token")
    for name, kind in _ASSIGNED_NAMES.items():
        if _first_word(name) not in words:
            continue
        for match in _matches(text, name, _ASSIGNED):
            if _is_secret_value(match[1], randomness=3.5):
                yield Secret(match.start(1), match.end(1), kind)


def _first_word(literal: str) -> bytes:
    """Return the first word of a literal, as in a summary."""
    return literal.lower().lstrip(":").replace("-", " ").replace(".", " ").partition(" ")[0].rstrip("/=").encode()


def _matches(text: str, literal: str, pattern: str) -> Iterator[re.Match[str]]:
    at = text.find(literal)
    while at >= 0:
        match = re.compile(pattern).match(text, at)
        if match:
            yield match
        at = text.find(literal, match.end() if match else at + len(literal))


def _is_secret_value(value: str, *, randomness: float) -> bool:
    return (
        any(character.isdigit() for character in value)
        and any(character.isalpha() for character in value)
        and not value.startswith(("/", "./", "http"))
        and not re.search(_PLACEHOLDER, value)
        and not _REPEATED.fullmatch(value)
        and _randomness(value) >= randomness
    )


def _is_varied(body: str) -> bool:
    """Whether the part of a token after its prefix is neither a word nor one repeated piece."""
    if _REPEATED.fullmatch(body):
        return False
    is_mixed = any(character.isdigit() for character in body) or (body != body.lower() and body != body.upper())
    return is_mixed and _randomness(body) >= 3.0


def _has_digits(word: bytes) -> bool:
    return len(word.translate(None, b"0123456789")) < len(word)


def _randomness(text: str) -> float:
    """Return the Shannon entropy of text in bits per character: about 2.5 for words, above 3.5 for random tokens."""
    counts: dict[str, int] = {}
    for character in text:
        counts[character] = counts.get(character, 0) + 1
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts.values())
