"""`re`, whose patterns are compiled when they are first used: `from mcp_contracts import lazy_re as re`.

Compiling all patterns of the package takes longer than linting a file, which needs a sixth of them.
"""

from __future__ import annotations

from re import *  # noqa: F403  # this module replaces `re`
from typing import TYPE_CHECKING

if not TYPE_CHECKING:
    import re
    from functools import lru_cache

    class _Pattern:
        """Stands in for a compiled pattern, and is as fast as one after its first use."""

        def __init__(self, pattern, flags):
            self.pattern = pattern
            self._flags = flags

        def __getattr__(self, name):
            if name.startswith("__"):
                raise AttributeError(name)
            compiled = re.compile(self.pattern, self._flags)
            for method in ("match", "search", "fullmatch", "finditer", "findall", "sub", "subn", "split", "flags"):
                setattr(self, method, getattr(compiled, method))
            return getattr(compiled, name)

    @lru_cache(maxsize=2_000)
    def compile(pattern, flags=0):  # noqa: A001  # the name in `re`
        """Compile a pattern when it is first used."""
        return _Pattern(pattern, flags)
