"""Tools defined in Python, without a specification: `python examples/tools_from_python.py`.

Their schemas come from type hints, their descriptions from docstrings.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from mcp_contracts import (
    CallContext,
    Effects,
    MCPErrorDetail,
    NoChangeNeeded,
    PartialSuccess,
    Progress,
    ToolContext,
    ToolRegistry,
)

registry = ToolRegistry()


class Book(BaseModel):
    """A book of the library."""

    isbn: Annotated[str, Field(pattern="^[0-9]{13}$", description="Its ISBN, 13 digits without hyphens.")]
    title: str
    shelf: Literal["fiction", "science", "children"]


@dataclass
class Found:
    """The result of a search."""

    books: list[Book]
    total: int


SHELVES = [
    Book(isbn="9780141439518", title="Pride and Prejudice", shelf="fiction"),
    Book(isbn="9780198788607", title="The Selfish Gene", shelf="science"),
]
LENT: set[str] = set()


@registry.tool(name="library.search", version="1.0.0", effects=Effects(change="read-only", world="closed-world"))
def search(
    words: str,
    shelf: Literal["fiction", "science", "children"] | None = None,
    limit: Annotated[int, Field(ge=1, le=50)] = 10,
) -> Found:
    """Find books by words in their titles.

    Args:
        words: Words of the title, in any case.
        shelf: The shelf to search; all shelves if absent.
        limit: The maximum number of books to return.
    """
    books = [book for book in SHELVES if words.lower() in book.title.lower() and shelf in (None, book.shelf)]
    return Found(books[:limit], len(books))


@registry.tool(name="library.lend", version="1.0.0", errors={LookupError: "ResourceNotFound"})
def lend(isbn: str) -> Book | NoChangeNeeded:
    """Lend one book.

    Args:
        isbn: The ISBN of the book.

    Raises:
        ResourceNotFound: No book has that ISBN.
    """
    if isbn in LENT:
        return NoChangeNeeded("It is already lent.")
    for book in SHELVES:
        if book.isbn == isbn:
            LENT.add(isbn)
            return book
    raise LookupError(f"no book has the ISBN {isbn}")


@registry.tool(name="library.add", version="1.0.0")
async def add(books: list[Book], context: ToolContext) -> dict[str, int] | PartialSuccess:
    """Add books to the library.

    Args:
        books: The books, each with a unique ISBN.
    """
    double = []
    for number, book in enumerate(books, 1):
        await asyncio.sleep(0)  # stands for a database access
        if any(book.isbn == known.isbn for known in SHELVES):
            double.append(book.title)
        else:
            SHELVES.append(book)
        context.report(number, len(books), book.title)  # `context` is not part of the schema
    added = len(books) - len(double)
    if not double:
        return {"added": added}
    error = MCPErrorDetail(error_type="ValidationError", error_message=f"already in the library: {', '.join(double)}")
    return PartialSuccess({"added": added}, "The others were added.", error)


async def main() -> None:
    """Print a schema, and call the tools with valid and invalid arguments."""
    print(search.contract.name, json.dumps(search.contract.input_schema, indent=2))

    emma = {"isbn": "9780141439587", "title": "Emma", "shelf": "fiction"}
    for name, arguments in (
        ("library.search", {"words": "the"}),
        ("library.search", {"words": "the", "shelf": "cooking", "limit": 0}),
        ("library.lend", {"isbn": "9780198788607"}),
        ("library.lend", {"isbn": "9780198788607"}),
        ("library.lend", {"isbn": "0"}),
        ("library.add", {"books": [emma, SHELVES[0].model_dump()]}),
        ("library.add", {"books": [{**emma, "isbn": "978-0141439587"}]}),
    ):
        result = await registry.acall(
            {"tool_name": name, "arguments": arguments}, context=CallContext(on_progress=tell)
        )
        print(f"{name} {arguments}\n  {result.to_json()}")


def tell(progress: Progress) -> None:
    """Print the progress of a call."""
    print(f"  {progress.completed} of {progress.total}: {progress.message}")


asyncio.run(main())
