"""Runs our action like GitHub's runner: with expressions, steps in real bash, and files for outputs."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.provider_server import serving
from tests.repositories import ROOT

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
REPOSITORY = "someone/project"
PULL_REQUEST = 7
_EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}")


@dataclass
class Job:
    """The outcome of a run of the action: its exit code, its log, its summary and the outputs of its steps."""

    code: int
    log: str
    summary: str
    outputs: dict[str, dict[str, str]]

    def report(self) -> str:
        """The report as Markdown."""
        return Path(self.outputs["check"]["report"]).read_text("utf-8")


def run_action(
    place: Path,
    *,
    event: Mapping[str, Any],
    api: str = "",
    folder: Path | None = None,
    **inputs: str,
) -> Job:
    """Run the steps in the working directory until one fails.

    `place` contains the files of the runner. With `folder`, which contains the programs, nothing is installed.
    """
    place.mkdir(parents=True, exist_ok=True)
    given = {name.replace("_", "-"): value for name, value in inputs.items()}
    assert given.keys() <= ACTION["inputs"].keys()
    known: dict[str, Any] = {
        "inputs": {name: str(given.get(name, one.get("default", ""))) for name, one in ACTION["inputs"].items()},
        "github": {"event": event, "token": "the-token"},
        "steps": {},
    }
    known["inputs"] = {name: _filled(value, known) for name, value in known["inputs"].items()}
    summary = place / "summary.md"
    summary.write_text("", encoding="utf-8")
    log = ""
    for number, step in enumerate(ACTION["runs"]["steps"]):
        identity = step.get("id", str(number))
        if folder is not None and identity == "install":
            known["steps"][identity] = {"outputs": {"folder": str(folder)}}
            continue
        if "if" in step and not _value(step["if"], known):
            continue
        output = place / f"output-{number}"
        output.write_text("", encoding="utf-8")
        script = place / f"step-{number}.sh"
        script.write_text(step["run"], encoding="utf-8")
        environment = {
            **os.environ,
            **{name: _filled(str(value), known) for name, value in step.get("env", {}).items()},
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_API_URL": api,
            "GITHUB_OUTPUT": str(output),
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_STEP_SUMMARY": str(summary),
            "RUNNER_TEMP": str(place),
        }
        ran = subprocess.run(
            ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)),
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        log += (ran.stdout + ran.stderr).decode("utf-8")
        lines = output.read_text("utf-8").splitlines()
        known["steps"][identity] = {"outputs": dict(line.split("=", 1) for line in lines)}
        if ran.returncode:
            break
    outputs = {name: step["outputs"] for name, step in known["steps"].items()}
    return Job(ran.returncode, log, summary.read_text("utf-8"), outputs)


def pull_request(base: str) -> dict[str, Any]:
    """Return the event of a pull request against a revision."""
    return {"pull_request": {"number": PULL_REQUEST, "base": {"sha": base}}}


def _filled(text: str, known: Mapping[str, Any]) -> str:
    """Replace the expressions in a text with their values."""
    return _EXPRESSION.sub(lambda match: str(_value(match[1], known)), text)


def _value(expression: str, known: Mapping[str, Any]) -> Any:
    """Return the value of an expression with the operators that the action uses; unknown names are empty."""
    value: Any = ""
    for alternative in expression.split("||"):
        for part in alternative.split("&&"):
            left, equals, right = part.partition("==")
            value = _named(left.strip(), known)
            if equals:
                value = value == right.strip().strip("'")
            if not value:
                break
        if value:
            return value
    return value


def _named(name: str, known: Mapping[str, Any]) -> Any:
    value: Any = known
    for key in name.split("."):
        value = value.get(key, "") if isinstance(value, Mapping) else ""
    return value


@dataclass
class Comments:
    """The comments of one pull request, served like GitHub's API, for a token that may or may not write."""

    comments: list[dict[str, Any]] = field(default_factory=list)
    may_write: bool = True
    login: str | None = None
    asked: list[tuple[str, str]] = field(default_factory=list)
    address: str = ""

    def add(self, body: str, login: str = "github-actions[bot]", kind: str = "Bot") -> None:
        """Add a comment of someone."""
        self.comments.append({"id": len(self.comments) + 1, "body": body, "user": {"login": login, "type": kind}})

    def bodies(self) -> list[str]:
        """The texts, oldest first."""
        return [comment["body"] for comment in self.comments]

    def answer(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        """Return the status and the value for a request."""
        self.asked.append((method, path))
        base = f"/repos/{REPOSITORY}/issues"
        if path == "/user" and self.login is not None:
            return 200, {"login": self.login}
        if method == "GET" and (
            match := re.fullmatch(rf"{base}/{PULL_REQUEST}/comments\?per_page=(\d+)&page=(\d+)", path)
        ):
            size, page = int(match[1]), int(match[2])
            return 200, self.comments[size * (page - 1) : size * page]
        if method == "GET" or not self.may_write:
            return 403, {"message": "Resource not accessible by integration"}
        if method == "POST" and path == f"{base}/{PULL_REQUEST}/comments":
            self.add(body["body"])
            return 201, self.comments[-1]
        match = re.fullmatch(rf"{base}/comments/(\d+)", path)
        assert method == "PATCH"
        assert match is not None
        comment = self.comments[int(match[1]) - 1]
        comment["body"] = body["body"]
        return 200, comment


def write_comment(place: Path, comments: Comments, report: str, *, is_news: bool = True, key: str = "default") -> str:
    """Run the script of the step that comments, and return its output."""
    file = place / "report.md"
    file.write_text(report, encoding="utf-8")
    environment = {
        "GITHUB_API_URL": comments.address,
        "GITHUB_REPOSITORY": REPOSITORY,
        "PULL_REQUEST": str(PULL_REQUEST),
        "TOKEN": "the-token",
        "COMMENT_KEY": key,
        "REPORT": str(file),
        "IS_NEWS": str(is_news).lower(),
    }
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as printed:
        for name, value in environment.items():
            patch.setenv(name, value)
        assert runpy.run_path(str(ROOT / "action" / "comment.py"))["main"]() == 0
    return printed.getvalue().strip()


@contextmanager
def serving_comments() -> Iterator[Comments]:
    """Serve the API for comments on a port of this machine."""
    comments = Comments()

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(size)) if size else None
            is_known = self.headers["Authorization"] == "Bearer the-token"
            status, value = comments.answer(self.command, self.path, body) if is_known else (401, {})
            data = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = handle_any  # noqa: N815  # the names that http.server looks for

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # as it is named there
            """Log nothing: the tests check the requests."""

    with serving(Handler) as comments.address:
        yield comments
