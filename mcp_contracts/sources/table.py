"""The table of sources: every kind that commands accept, one row for each."""

from __future__ import annotations

from mcp_contracts.sources.live_servers import LiveServers
from mcp_contracts.sources.paths import Paths
from mcp_contracts.sources.python_functions import PythonFunctions
from mcp_contracts.sources.revisions import GitRevisions
from mcp_contracts.sources.source import Form, Source
from mcp_contracts.sources.standard_input import StandardInput

SOURCES: tuple[Source, ...] = (
    StandardInput(),
    GitRevisions(),
    LiveServers(),
    PythonFunctions(),
    Paths(),  # recognizes everything else
)
"""All kinds. The first that recognizes a name is used."""


def source_of(named: str) -> Source:
    """Return the kind of a named source."""
    return next(source for source in SOURCES if source.recognizes(named))


def forms() -> tuple[Form, ...]:
    """Return the ways to name a source, the most common first."""
    return tuple(form for source in reversed(SOURCES) for form in source.forms)
