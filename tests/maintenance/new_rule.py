"""Create a rule: `python -m tests.maintenance.new_rule CODE NAME` leaves one red test."""

from __future__ import annotations

import argparse
import ast
import keyword
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from mcp_contracts.changes.base import SINCE
from mcp_contracts.rules.base import IMPLEMENTATION_SCOPES, LIVE_SCOPES, SCOPES, Rule
from mcp_contracts.rules.listing import known_rules
from mcp_contracts.rules.registry import FAMILIES, LINT_RULES, MODULES
from tests.maintenance.generate import ROOT

_EXAMPLE = Path(__file__).with_name("rule_example.md")
_RULES = "mcp_contracts.rules."
_EXAMPLES = Path("mcp_contracts/rules/examples")
_REGISTRY = Path("mcp_contracts/rules/registry.py")
_BEGINNING = '"""Rules about {words}."""\n\nfrom __future__ import annotations\n'
_SKELETON = '''

@rule("{code}", Severity.WARNING, since="{since}")
def {function}({parameter}: {scope}) -> Iterator[Finding]:
    """State the fault in a sentence: {words}.

    Explain why it matters{source}.
    """
    yield from ()
'''
_SOURCES = {"MC6": " (documented: name the page)"}
"""What the rationale of a family must also state: for portability, the source of a limit."""
_EXPECTED = "{place} warning {code} `notes.find` has the fault of {words}\n  help: fix it\n"
_IMPORTS = {
    "Iterator": "collections.abc",
    **dict.fromkeys(("Finding", "Severity"), "mcp_contracts.diagnostics"),
    "rule": "mcp_contracts.rules.base",
    **dict.fromkeys(("SourceFile", "SpecFile", "SpecTool", "ToolContract", "Contracts"), "mcp_contracts.contract"),
    "ToolSchema": "mcp_contracts.rules.base",
    **dict.fromkeys(("ImplementedTool", "ImplementedContracts"), "mcp_contracts.implementation"),
    **dict.fromkeys(("LiveTool", "LiveContracts"), "mcp_contracts.rules.live.observed"),
}
"""Where the names in a skeleton are defined."""
_PARAMETERS = {
    **dict.fromkeys(SCOPES, "tool"),
    "SourceFile": "file",
    "SpecFile": "file",
    "ToolSchema": "schema",
    "Contracts": "contracts",
    "ImplementedContracts": "implemented",
    "LiveContracts": "live",
}


class RefusedError(Exception):
    """Why a rule cannot be created, in a sentence."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Where a rule goes: the rule before it, its topic (`versions`, `schemas/values`), and its scope."""

    neighbor: Rule
    topic: str
    scope: str


def plan_rule(code: str, name: str, topic: str | None = None, scope: str | None = None) -> Plan:
    """Return where a rule goes; by default next to the rule before it, with the same topic and scope.

    Raises RefusedError if an argument is invalid.
    """
    _check(code, name)
    neighbor = max((rule for rule in LINT_RULES if rule.info.code < code), default=LINT_RULES[0], key=_code)
    topic = topic or neighbor.check.__module__.removeprefix(_RULES).replace(".", "/")
    scope = scope or neighbor.scope
    if not re.fullmatch(r"[a-z][a-z_]*(/[a-z][a-z_]*)?", topic):
        raise RefusedError(f"`{topic}` is not a topic: name a module of `rules/`, such as versions or schemas/values")
    if scope not in SCOPES:
        raise RefusedError(f"`{scope}` is not a scope: a rule is about one of {', '.join(sorted(SCOPES))}")
    return Plan(neighbor, topic, scope)


def begin_rule(
    code: str, name: str, root: Path = ROOT, *, topic: str | None = None, scope: str | None = None
) -> list[str]:
    """Write the skeleton of a rule and its examples, and list a new module in the registry; return the written paths.

    The skeleton is appended to the module of its topic, which is created if it does not exist. Raises RefusedError, and
    writes nothing, if an argument is invalid.
    """
    plan = plan_rule(code, name, topic, scope)
    words = name.replace("-", " ")
    function = name.replace("-", "_")
    path = Path("mcp_contracts", "rules", f"{plan.topic}.py")
    beginning = _BEGINNING.format(words=plan.topic.replace("_", " ").replace("/", ", "))
    source = (root / path).read_text(encoding="utf-8") if (root / path).is_file() else beginning
    if re.search(rf"^(?:def |class )?{function}\b", source, re.MULTILINE):
        raise RefusedError(f"`{path.as_posix()}` has something of the name `{function}` already")
    skeleton = _SKELETON.format(
        code=code, since=SINCE, function=function, parameter=_PARAMETERS[plan.scope], scope=plan.scope,
        words=words, source=_SOURCES.get(code[:3], ""),
    )  # fmt: skip
    clean = _clean_example(plan.scope)
    ending, place = (".md", "1:11") if ".md" in clean else ("", "tools.json:1:1")
    examples = _EXAMPLES / code
    files = {
        path: _with_imports(source, ("Iterator", "Finding", "Severity", "rule", plan.scope)) + skeleton,
        _REGISTRY: _with_module((root / _REGISTRY).read_text(encoding="utf-8"), plan.topic),
        **{examples / f"{side}{rest}": text for side in ("bad", "good") for rest, text in clean.items()},
        examples / "bad.expected": _EXPECTED.format(place=place, code=code, words=words),
    }
    for file, text in files.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_bytes(text.encode("utf-8"))
    package = root / path.parent / "__init__.py"
    if not package.exists():
        package.write_bytes(f'"""Rules about {path.parent.name.replace("_", " ")}."""\n'.encode())
    return [
        file.as_posix()
        for file in (path, _REGISTRY, *(examples / name for name in (f"bad{ending}", "bad.expected", f"good{ending}")))
    ]


def main(arguments: list[str] | None = None) -> int:
    """Create a rule, update the generated files, and print the next steps; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("code", metavar="CODE", help="a code that no rule has, such as MC399")
    parser.add_argument("name", metavar="NAME", help="the fault in kebab-case, such as property-without-unit")
    parser.add_argument("--topic", help="its module in rules/, such as versions or schemas/values; it may be new")
    parser.add_argument("--scope", help=f"what the rule is about: {', '.join(sorted(SCOPES))}")
    chosen = parser.parse_args(arguments)
    try:
        plan = plan_rule(chosen.code, chosen.name, chosen.topic, chosen.scope)
        topic = chosen.topic or _ask("topic (a module of rules/)", plan.topic)
        scope = chosen.scope or _ask(f"scope ({', '.join(sorted(SCOPES))})", plan.scope)
        module, listing, bad, expected, good = begin_rule(chosen.code, chosen.name, topic=topic, scope=scope)
    except RefusedError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    # In separate processes, because this one has imported the old registry.
    for command in (
        ("ruff", "check", "--quiet", "--select", "I", "--fix", module, listing),
        ("ruff", "format", "--quiet", module, listing),
        ("tests.maintenance.generate",),
    ):
        subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=True)
    print(
        f"{module}: write the rule, which is at the end\n"
        f"{listing}: lists the module\n"
        f"{bad}: add the fault, and nothing else\n"
        f"{expected}: write the diagnostics that lint should report\n"
        f"{good}: must have no findings\n"
        f"`pytest {_test_of(chosen.code)} -k {chosen.code}` fails until the rule reports them\n"
        "then run `make generate`, and add a line to CHANGELOG.md"
    )
    return 0


def _clean_example(scope: str) -> dict[str, str]:
    """Return the files of an example without findings, by what follows `good` in their paths.

    An example of a function or a live server is a folder; it is that of the first rule of the scope.
    """
    if scope not in IMPLEMENTATION_SCOPES | LIVE_SCOPES:
        return {".md": _EXAMPLE.read_text(encoding="utf-8")}
    like = next(rule for rule in LINT_RULES if rule.scope == scope)
    folder = ROOT / _EXAMPLES / like.info.code / "good"
    return {f"/{path.name}": path.read_text(encoding="utf-8") for path in sorted(folder.iterdir()) if path.is_file()}


def _test_of(code: str) -> str:
    return "tests/test_rules_live.py" if code.startswith("MC8") else "tests/test_rule_examples.py"


def _ask(what: str, default: str) -> str:
    """Ask a person; return the default without a terminal or an answer."""
    return (sys.stdin.isatty() and input(f"{what} [{default}]: ").strip()) or default


def _code(rule: Rule) -> str:
    return rule.info.code


def _check(code: str, name: str) -> None:
    known = known_rules()
    if not re.fullmatch(r"MC\d{3}", code):
        raise RefusedError(f"`{code}` is not a code: write MC and three digits")
    if code[:3] not in FAMILIES:
        raise RefusedError(f"there is no family {code[:3]}: {', '.join(FAMILIES)} are in `rules/registry.py`")
    if code in known:
        raise RefusedError(f"{code} is `{known[code]}`, and a code is never used again")
    if not re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise RefusedError(f"`{name}` is not a name of a rule: name the fault in kebab-case")
    if name in known.values():
        raise RefusedError(f"`{name}` is the name of another rule")


def _with_imports(source: str, names: tuple[str, ...]) -> str:
    """Add the missing imports to a module, one per line; ruff sorts them."""
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    imported = {alias.asname or alias.name for node in imports for alias in node.names}
    lacking = [name for name in names if name not in imported]
    lines = "".join(f"from {_IMPORTS[name]} import {name}\n" for name in lacking)
    future = "from __future__ import annotations\n"
    return source.replace(future, f"{future}\n{lines}", 1) if lines else source


def _with_module(text: str, topic: str) -> str:
    """Add the module of a topic to the registry, if it is new."""
    package, _, module = f"{_RULES}{topic}".replace("/", ".").rpartition(".")
    if any(known.__name__ == f"{package}.{module}" for known in MODULES):
        return text
    alias = topic.replace("/", "_")
    anchor = "from mcp_contracts.rules.base import "
    text = text.replace(
        anchor, f"from {package} import {module}{'' if alias == module else f' as {alias}'}\n{anchor}", 1
    )
    return text.replace("MODULES = (\n", f"MODULES = (\n    {alias},\n", 1)


if __name__ == "__main__":
    sys.exit(main())
