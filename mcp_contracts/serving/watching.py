"""Reload tools when their files change. Until then, the server keeps the previous ones."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from mcp_contracts.errors import ContractError
from mcp_contracts.runtime.telemetry.exceptions import log_exception
from mcp_contracts.serving.catalog import Catalog
from mcp_contracts.serving.implementations import ImplementedTools

_SUFFIXES = (".py", ".md", ".json", ".yaml", ".yml")
_NEVER = (".git", "__pycache__", "node_modules", ".venv", "site-packages")
_logger = logging.getLogger("mcp_contracts.serving")


@asynccontextmanager
async def reload_on_change(
    catalog: Catalog, places: Iterable[Path], load: Callable[[], ImplementedTools]
) -> AsyncIterator[None]:
    """Reload the tools whenever a file below the given paths changes. If loading fails, they remain unchanged."""
    watching = asyncio.create_task(_reload_on_change(catalog, places, load))
    try:
        yield
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


async def _reload_on_change(catalog: Catalog, places: Iterable[Path], load: Callable[[], ImplementedTools]) -> None:
    import watchfiles  # an optional extra

    paths = sorted({place.resolve() for place in places})
    async for changes in watchfiles.awatch(*paths, watch_filter=_is_meant):
        names = sorted({Path(path).name for _, path in changes})
        try:
            tools = await asyncio.to_thread(load)
            catalog.show(tools.registry, only=tools.only)
        except ContractError as error:
            hint = f"; {error.hint}" if error.hint else ""
            _logger.error("not reloaded: %s%s", error.message, hint)
        except Exception as error:  # an error of code that is being edited
            log_exception(_logger, error, "not reloaded")
        else:
            _logger.warning("reloaded after a change to %s: %d tools", ", ".join(names), len(catalog.contracts()))


def _is_meant(change: object, path: str) -> bool:
    parts = Path(path).parts
    return path.endswith(_SUFFIXES) and not any(part in _NEVER for part in parts)
