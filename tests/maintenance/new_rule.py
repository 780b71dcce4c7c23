"""Begin a rule: `python -m tests.maintenance.new_rule CODE NAME` leaves one red test."""

from __future__ import annotations

import argparse
import keyword
import re
import subprocess
import sys
from pathlib import Path

from mcp_contracts import __version__
from mcp_contracts.rules.base import Rule
from mcp_contracts.rules.registry import FAMILIES, LINT_RULES, known_rules
from tests.maintenance.generate import ROOT

_EXAMPLE = Path(__file__).with_name("rule_example.md")
_SKELETON = '''

@rule("{code}", Severity.WARNING, since="{since}")
def {function}({parameter}) -> Iterator[Finding]:
    """A tool has the fault of {words}.

    Callers suffer from it.
    """
    yield from ()
'''
_EXPECTED = "1:11 warning {code} `notes.find` has the fault of {words}\n  help: fix it\n"


class RefusedError(Exception):
    """Why a rule cannot be begun, in a sentence."""


def begin_rule(code: str, name: str, root: Path = ROOT) -> list[str]:
    """Write the skeleton of a rule, its line in the registry and its examples; return what was written, by path.

    The skeleton goes to the end of the module that holds the neighbouring code, and is about what that one is about.
    Raises RefusedError, and writes nothing, where code or name cannot be a rule's.
    """
    _check(code, name)
    neighbour = _neighbour(code)
    function = name.replace("-", "_")
    module = neighbour.check.__module__
    path = Path(*module.split(".")).with_suffix(".py")
    source = (root / path).read_text(encoding="utf-8")
    if re.search(rf"^(?:def |class )?{function}\b", source, re.MULTILINE):
        raise RefusedError(f"`{path.as_posix()}` has something of the name `{function}` already")
    parameter = re.search(rf"^def {neighbour.check.__name__}\((\w+: \w+)", source, re.MULTILINE)
    if parameter is None:
        raise RefusedError(f"`{path.as_posix()}` does not define `{neighbour.check.__name__}` as rules are defined")
    registry = Path("mcp_contracts/rules/registry.py")
    listed = _listed(
        (root / registry).read_text(encoding="utf-8"), code, module.rpartition(".")[2], function, neighbour
    )
    examples = Path("mcp_contracts/rules/examples", code)
    words = name.replace("-", " ")
    skeleton = _SKELETON.format(code=code, since=__version__, function=function, parameter=parameter[1], words=words)
    clean = _EXAMPLE.read_text(encoding="utf-8")
    files = {
        path: source + skeleton,
        registry: listed,
        examples / "bad.md": clean,
        examples / "bad.expected": _EXPECTED.format(code=code, words=words),
        examples / "good.md": clean,
    }
    for file, text in files.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_bytes(text.encode("utf-8"))
    return [file.as_posix() for file in files]


def main(arguments: list[str] | None = None) -> int:
    """Begin a rule, write the generated files anew, and say what is to be done; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("code", metavar="CODE", help="a code that no rule has, such as MC399")
    parser.add_argument("name", metavar="NAME", help="the fault in kebab-case, such as property-without-unit")
    chosen = parser.parse_args(arguments)
    try:
        module, registry, bad, expected, good = begin_rule(chosen.code, chosen.name)
    except RefusedError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    # In a process of its own, since this one has imported the registry as it was.
    subprocess.run([sys.executable, "-m", "tests.maintenance.generate"], cwd=ROOT, check=True)
    print(
        f"{module}: write the rule at the end, move it to its place\n"
        f"{registry}: lists it\n"
        f"{bad}: put the fault in, and nothing else\n"
        f"{expected}: say what lint is to say about it\n"
        f"{good}: is clean, and should stay so\n"
        "then: make generate, and a line in CHANGELOG.md"
    )
    return 0


def _check(code: str, name: str) -> None:
    known = known_rules()
    if not re.fullmatch(r"MC\d{3}", code):
        raise RefusedError(f"`{code}` is no code: write MC and three digits")
    if code[:3] not in FAMILIES:
        raise RefusedError(f"there is no family {code[:3]}: {', '.join(FAMILIES)} are in `rules/registry.py`")
    if code in known:
        raise RefusedError(f"{code} is `{known[code]}`, and a code is never used again")
    if not re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise RefusedError(f"`{name}` is not a name of a rule: name the fault in kebab-case")
    if name in known.values():
        raise RefusedError(f"`{name}` is the name of another rule")


def _neighbour(code: str) -> Rule:
    """The rule of the same family after which a code comes, or before which where it is the first."""
    family = [rule for rule in LINT_RULES if rule.info.code.startswith(code[:3])]
    if not family:
        raise RefusedError(f"the family {code[:3]} has no rule yet, so write its first one by hand")
    return max((rule for rule in family if rule.info.code < code), default=family[0], key=lambda rule: rule.info.code)


def _listed(registry: str, code: str, module: str, function: str, neighbour: Rule) -> str:
    """The registry with a rule in its place."""
    line = f"    {module}.{neighbour.check.__name__},\n"
    if registry.count(line) != 1:
        raise RefusedError(f"the registry does not list `{line.strip()}` on a line of its own")
    new = f"    {module}.{function},\n"
    return registry.replace(line, line + new if neighbour.info.code < code else new + line)


if __name__ == "__main__":
    sys.exit(main())
