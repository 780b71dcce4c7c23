"""Write a report into one comment on a pull request: update the comment that has its marker, or create one.

Uses only the standard library. Reads GITHUB_API_URL, GITHUB_REPOSITORY, PULL_REQUEST, TOKEN, COMMENT_KEY, REPORT (a
file) and IS_NEWS. Without news, an existing comment is updated, but none is created. If the comment cannot be written,
the job does not fail, because the report is also its summary.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

_PAGE = 100
_MOST_PAGES = 50
_SECONDS = 30


def main() -> int:
    """Create or update the comment, and say what was done."""
    key = re.sub(r"-->?|[^\w ./:-]", "_", os.environ.get("COMMENT_KEY") or "default")  # it is part of an HTML comment
    marker = f"<!-- mcp-contracts: {key} -->"
    body = f"{marker}\n{Path(os.environ['REPORT']).read_text(encoding='utf-8')}"
    issues = f"/repos/{os.environ['GITHUB_REPOSITORY']}/issues"
    number = int(os.environ["PULL_REQUEST"])
    try:
        found = _find(f"{issues}/{number}/comments", marker)
        if found is not None and found["body"].strip() == body.strip():
            print("the comment is up to date")
        elif found is not None:
            _ask("PATCH", f"{issues}/comments/{int(found['id'])}", {"body": body})
            print("updated the comment")
        elif os.environ.get("IS_NEWS") != "false":
            _ask("POST", f"{issues}/{number}/comments", {"body": body})
            print("created the comment")
        else:
            print("nothing to comment on")
    except HTTPError as error:
        hint = "; grant the job the permission `pull-requests: write`" if error.code in (403, 404) else ""
        _warn(f"GitHub responded to the comment with {error.code}{hint} (not possible for pull requests from forks)")
    except (OSError, ValueError) as error:
        _warn(f"no comment on the pull request: {error}")
    return 0


def _find(path: str, marker: str) -> dict[str, Any] | None:
    """Return the comment with the marker that this token wrote. Others can also write comments with the marker."""
    me = _login()
    for comment in _comments(path):
        author = comment.get("user") or {}
        is_ours = author.get("login") == me if me is not None else author.get("type") == "Bot"
        if is_ours and (comment.get("body") or "").startswith(marker):
            return comment
    return None


def _login() -> str | None:
    """Return the token's user. A workflow's token belongs to an application that may not ask, and comments as a bot."""
    try:
        login = _ask("GET", "/user").get("login")
    except HTTPError as error:
        if error.code in (401, 403, 404):
            return None
        raise
    return login if isinstance(login, str) else None


def _comments(path: str) -> Iterator[dict[str, Any]]:
    for page in range(1, _MOST_PAGES + 1):
        comments = _ask("GET", f"{path}?per_page={_PAGE}&page={page}")
        yield from comments
        if len(comments) < _PAGE:
            return


def _ask(method: str, path: str, value: object = None) -> Any:
    headers = {
        "Accept": "application/vnd.github+json",
        "Authorization": f"Bearer {os.environ['TOKEN']}",
        "Content-Type": "application/json",
        "User-Agent": "mcp-contracts",
        "X-GitHub-Api-Version": "2022-11-28",
    }
    address = os.environ.get("GITHUB_API_URL", "https://api.github.com") + path
    data = None if value is None else json.dumps(value).encode("utf-8")
    with urlopen(Request(address, data, headers, method=method), timeout=_SECONDS) as answer:
        return json.load(answer)


def _warn(message: str) -> None:
    """Print a warning of the job, on one line."""
    print(f"::warning title=mcp-contracts::{' '.join(message.split())}")


if __name__ == "__main__":
    sys.exit(main())
