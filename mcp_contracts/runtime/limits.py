"""Rate limits for calls: overall, per tool and per caller, counted in memory or in Redis."""

from __future__ import annotations

import hashlib
import logging
import math
import re
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote, urlsplit

from mcp_contracts.errors import UsageError, require_package
from mcp_contracts.records import dataclass

if TYPE_CHECKING:
    from limits import RateLimitItem
    from limits.storage import RedisStorage
    from limits.strategies import MovingWindowRateLimiter

_LOGGER = logging.getLogger("mcp_contracts.runtime")

Scope = Literal["overall", "tool", "caller"]

# Bound the size of a key and the number of keys, because names come from outside.
_LONGEST_NAME = 200
_MOST_CALLERS = 100_000
_LARGEST = 10**9  # calls of a rate, and seconds of its window (31 years); beyond it, doubles and Redis lose precision

_REDIS_SCHEMES = ("redis", "rediss", "redis+unix")
_SOCKET_TIMEOUT = 1.0  # seconds, to connect and to read, unless the URL sets them
_PAUSE = 1.0  # seconds without requests to a server that just failed

_RATE_HINT = "write it like `10/minute`, `5 per second` or `5/second; 100/hour`"
_STORAGE_HINT = "use `memory://` or `redis://host:6379/0`"
_INSTALL_HINT = "pip install 'mcp-contracts[limits]'"


@dataclass(frozen=True, slots=True)
class Exceeded:
    """The rate limit that prevents a call, or the one with the longest wait if there are several.

    `limit` is the readable rate ("10 per 1 minute"). `retry_after` is the number of seconds until the next call is
    allowed, if no other call comes first: positive, rounded up to milliseconds.
    """

    scope: Scope
    limit: str
    retry_after: float


class LimitsUnreachableError(Exception):
    """The server that counts the calls cannot be used. The message contains no credentials from its URL."""


class RateLimits:
    """Rate limits for calls: `overall` for all calls, `per_tool` for each tool and `per_caller` for each caller.

    A rate has the syntax of the library `limits`: `10/minute`, `5 per second`, or several as `5/second; 100/hour`.
    Windows are sliding: `10/minute` allows at most 10 calls in any period of one minute.

    `per_tool` is one rate for every tool, or a mapping of names to rates, where `weather.*` matches all tools whose
    name starts with `weather.`, and `*` all others. Only the most specific entry applies, and each tool has its own
    counters. `per_caller` counts a caller's calls to all tools together; calls without a caller count as one anonymous
    caller.

    `storage` is `memory://` for this process only, or `redis://host:6379/0` (also `rediss://`, `redis+unix://`) for all
    processes with the same storage and the same rates. The first call opens the connection. Connecting and reading take
    at most a second each (change this with `?socket_connect_timeout=0.2` and `?socket_timeout=0.2` in the URL). After a
    failure, the server is not used for a second, in which `when_unreachable` decides at once. `clock` counts the
    seconds in memory, for tests of waiting code.

    All methods are thread-safe. Raises `UsageError` if the package is missing, a rate or the storage cannot be read, or
    no rate is given.
    """

    def __init__(
        self,
        *,
        overall: str | None = None,
        per_tool: str | Mapping[str, str] | None = None,
        per_caller: str | None = None,
        storage: str = "memory://",
        when_unreachable: Literal["refuse", "allow"] = "refuse",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if overall is None and per_caller is None and not per_tool:
            raise UsageError("no rate is given", hint="give `overall`, `per_tool` or `per_caller`, such as `10/minute`")
        if when_unreachable not in ("refuse", "allow"):
            raise UsageError(
                f"`when_unreachable` cannot be `{when_unreachable}`",
                hint="use `refuse` or `allow`",
            )
        require_package("limits", "rate limits require", extra="limits")
        self._clock = clock
        self._lock = threading.Lock()
        self._refuses = when_unreachable == "refuse"
        self._paused_until = -math.inf
        self._redis: RedisStorage | None = None
        self._failures: tuple[type[Exception], ...] = ()
        self._place = _place(storage)
        if _scheme(storage) != "memory":
            self._redis, self._failures = _redis_storage(storage)
        self._overall = self._rates("overall", overall)
        self._callers = self._rates("caller", per_caller)
        entries = {"*": per_tool} if isinstance(per_tool, str) else per_tool or {}
        self._tools = {_entry(name): self._rates("tool", rate) for name, rate in entries.items()}

    @property
    def is_blocking(self) -> bool:
        """Whether `take` may wait for a network, so that an event loop should call it in a thread."""
        return self._redis is not None

    def take(self, tool: str, caller: str | None) -> Exceeded | None:
        """Count a call against all rates that apply and return None, or count nothing and return the exceeded one.

        Threads of a process, and processes that share a Redis server, never exceed a rate. With Redis, a call that is
        overtaken by another between checking and counting gives back what it counted; during these few round trips,
        other calls may be refused. If the connection is lost between two counts, the first one remains.

        If the server cannot be used, logs a warning, and raises `LimitsUnreachableError` if `when_unreachable` is
        `refuse`, or returns None if it is `allow`.
        """
        counters = [_Counter(rate, ("overall",)) for rate in self._overall]
        counters += [_Counter(rate, ("tool", _key_part(tool))) for rate in self._rates_of(tool)]
        if self._callers:
            who = ("anonymous",) if caller is None else ("caller", _key_part(caller))
            counters += [_Counter(rate, who) for rate in self._callers]
        if not counters:
            return None
        if self._redis is None:
            with self._lock:  # prevents calls between checking and counting
                return _take(counters, self._clock, lambda counter: None)
        return self._take_remotely(counters, self._redis)

    def close(self) -> None:
        """Close the connections to the server; the next call opens a new one."""
        if self._redis is not None:
            _client(self._redis).close()

    def _take_remotely(self, counters: Sequence[_Counter], redis: RedisStorage) -> Exceeded | None:
        if self._clock() < self._paused_until:
            if self._refuses:
                raise LimitsUnreachableError(
                    f"the storage of the rate limits, `{self._place}`, was not reachable a moment ago"
                )
            return None
        try:
            # The library uses this clock for its entries in Redis.
            return _take(counters, time.time, lambda counter: _give_back(redis, counter))
        except self._failures as error:
            self._paused_until = self._clock() + _PAUSE
            message = f"the storage of the rate limits, `{self._place}`, is not reachable ({type(error).__name__})"
            _LOGGER.warning("%s, calls %s", message, "are refused" if self._refuses else "pass without being counted")
            if self._refuses:
                # Without the cause: its text comes from the server and the client, and may repeat parts of the URL.
                raise LimitsUnreachableError(message) from None
            return None

    def _rates(self, scope: Scope, text: str | None) -> tuple[_Rate, ...]:
        if text is None:
            return ()
        return tuple(_Rate(scope, item, self._limiter(scope)) for item in _parse(text))

    def _limiter(self, scope: Scope) -> MovingWindowRateLimiter:
        from limits.storage import Storage  # an optional extra; production imports this module without it
        from limits.strategies import MovingWindowRateLimiter

        if self._redis is not None:
            return MovingWindowRateLimiter(self._redis)
        Storage.register(_MemoryWindows)  # the strategy requires a `Storage`, of which it uses two methods
        windows: Any = _MemoryWindows(self._clock, _MOST_CALLERS if scope == "caller" else None)
        return MovingWindowRateLimiter(windows)

    def _rates_of(self, tool: str) -> tuple[_Rate, ...]:
        if not self._tools:
            return ()
        if tool in self._tools and tool != "*":
            return self._tools[tool]
        prefix = tool
        while "." in prefix:
            prefix = prefix.rpartition(".")[0]
            if f"{prefix}.*" in self._tools:
                return self._tools[f"{prefix}.*"]
        return self._tools.get("*", ())


@dataclass(frozen=True, slots=True)
class _Rate:
    scope: Scope
    item: RateLimitItem
    limiter: MovingWindowRateLimiter


@dataclass(frozen=True, slots=True)
class _Counter:
    rate: _Rate
    whose: tuple[str, ...]

    def hit(self) -> bool:
        return self.rate.limiter.hit(self.rate.item, *self.whose)

    def refusal(self, now: float) -> Exceeded | None:
        stats = self.rate.limiter.get_window_stats(self.rate.item, *self.whose)
        return None if stats.remaining > 0 else self.exceeded_limit(stats.reset_time - now)

    def exceeded_limit(self, seconds: float) -> Exceeded:
        # A call is allowed once the oldest one is more than a window ago, not exactly a window: hence the hundredth.
        milliseconds = max(1, math.ceil(seconds * 1000 + 0.01))
        return Exceeded(self.rate.scope, str(self.rate.item), milliseconds / 1000)


def _take(
    counters: Sequence[_Counter], clock: Callable[[], float], give_back: Callable[[_Counter], None]
) -> Exceeded | None:
    if len(counters) > 1:  # counting against a single one also checks it
        refusals = [refusal for counter in counters if (refusal := counter.refusal(clock()))]
        if refusals:
            return max(refusals, key=lambda refusal: refusal.retry_after)
    for position, counter in enumerate(counters):
        if not counter.hit():
            for earlier in counters[:position]:
                give_back(earlier)
            return counter.refusal(clock()) or counter.exceeded_limit(0)
    return None


def _give_back(redis: RedisStorage, counter: _Counter) -> None:
    """Remove the newest call from a counter. It may be another caller's, because only the number of calls matters."""
    key = redis.prefixed_key(counter.rate.item.key_for(*counter.whose))
    _client(redis).lpop(key)


def _client(redis: RedisStorage) -> Any:
    return redis.get_connection()  # the library only types the commands that it uses itself


class _MemoryWindows:
    """The calls of each key within a window, with the interface that the moving window strategy of `limits` uses.

    The library's own memory storage keeps an empty list for every key that it ever saw, and its thread visits all keys
    after each call: with 100,000 callers this takes a whole core (measured with 5.8). Here each rate has its own
    windows of equal length, so that the least recently counted key expires first, and removing it is one step. Not
    thread-safe: `RateLimits` holds a lock.
    """

    __slots__ = ("_calls", "_clock", "_most")

    def __init__(self, clock: Callable[[], float], most: int | None) -> None:
        self._calls: OrderedDict[str, deque[float]] = OrderedDict()
        self._clock = clock
        self._most = most

    def __len__(self) -> int:
        return len(self._calls)

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        now = self._clock()
        calls = self._within(key, now - expiry)
        if len(calls) + amount > limit:
            return False
        calls.extend(repeat(now, amount))
        self._calls[key] = calls
        self._calls.move_to_end(key)
        if self._most is not None and len(self._calls) > self._most:
            self._calls.popitem(last=False)
        return True

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
        now = self._clock()
        calls = self._within(key, now - expiry)
        return (calls[0], len(calls)) if calls else (now, 0)

    def _within(self, key: str, since: float) -> deque[float]:
        while self._calls:
            oldest = next(iter(self._calls.values()))
            if oldest and oldest[-1] >= since:
                break
            self._calls.popitem(last=False)
        calls = self._calls.get(key)
        if calls is None:
            return deque()
        while calls and calls[0] < since:
            calls.popleft()
        return calls


def _parse(text: str) -> list[RateLimitItem]:
    from limits import parse_many  # an optional extra; production imports this module without it

    message = f"rate `{text}` cannot be read"
    if not isinstance(text, str):
        raise UsageError(message, hint=_RATE_HINT)
    try:
        items = list(dict.fromkeys(parse_many(text)))  # a repeated rate would count each call twice
    except ValueError as error:
        raise UsageError(message, hint=_RATE_HINT) from error
    if re.search(r"(?<!\d)0+(?!\d)", text):  # the library reads `5 per 0 minutes` as `5 per 1 minute`
        raise UsageError(f"rate `{text}` contains a zero", hint="leave a tool out of the registry to forbid it")
    if any(item.amount > _LARGEST or item.get_expiry() > _LARGEST for item in items):
        raise UsageError(f"rate `{text}` is too large", hint="use at most a billion calls, and a window under 31 years")
    return items


def _entry(name: str) -> str:
    is_prefix = name.endswith(".*") and len(name) > len(".*")
    if not name or ("*" in (name.removesuffix(".*") if is_prefix else name) and name != "*"):
        raise UsageError(f"`{name}` in `per_tool` is not a tool name", hint="write `module.tool`, `module.*` or `*`")
    return name


def _key_part(name: str) -> str:
    """Return a name as part of a key: unique, short, and without the `/` that separates parts."""
    if len(name) > _LONGEST_NAME:
        return f"sha256:{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()}"  # `quote` writes no colon
    return quote(name, safe="", errors="surrogatepass")


def _scheme(storage: str) -> str:
    scheme, separator, _ = storage.partition("://") if isinstance(storage, str) else ("", "", "")
    if not separator:
        raise UsageError("the storage of the rate limits is not a URL", hint=_STORAGE_HINT)
    if scheme not in ("memory", *_REDIS_SCHEMES):
        raise UsageError(f"the storage of the rate limits cannot be `{scheme}://`", hint=_STORAGE_HINT)
    return scheme


def _place(storage: str) -> str:
    """Return a storage without credentials, which may be anywhere in a URL with an `@` after the host."""
    scheme = _scheme(storage)
    try:
        parts = urlsplit(storage)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return f"{scheme}://…"
    if "@" in parts.path + parts.query + parts.fragment:
        return f"{scheme}://…"
    return f"{scheme}://{host}{'' if port is None else f':{port}'}{parts.path}"


def _redis_storage(storage: str) -> tuple[RedisStorage, tuple[type[Exception], ...]]:
    from limits.errors import ConfigurationError  # an optional extra; production imports this module without it
    from limits.storage import RedisStorage

    try:
        from redis.backoff import NoBackoff
        from redis.exceptions import ConnectionError as LostConnectionError
        from redis.exceptions import RedisError
        from redis.retry import Retry
    except ImportError as error:
        raise UsageError("rate limits in Redis require the package `redis`", hint=_INSTALL_HINT) from error
    # One immediate retry, only for a lost connection, such as after a restart of the server: the client's default
    # waits.
    retry: Any = Retry(NoBackoff(), 1, supported_errors=(LostConnectionError,))
    timeouts: Any = {"socket_connect_timeout": _SOCKET_TIMEOUT, "socket_timeout": _SOCKET_TIMEOUT}
    try:
        redis = RedisStorage(storage, key_prefix="mcp-contracts", retry=retry, **timeouts)
        pool = _client(redis).connection_pool
        pool.connection_class(**pool.connection_kwargs)  # opens nothing, but validates the options
    except ConfigurationError as error:
        raise UsageError("rate limits in Redis require the package `redis`", hint=_INSTALL_HINT) from error
    except (ValueError, TypeError, AttributeError):
        # Without the cause, which would show parts of the URL, including credentials.
        raise UsageError(f"the storage `{_scheme(storage)}://…` cannot be read", hint=_STORAGE_HINT) from None
    return redis, (RedisError, OSError, ValueError)  # ValueError: the answer is not one of a Redis server
