"""Python functions as a source: what is read, and the messages if that is not enough."""

from __future__ import annotations

import importlib.util
import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_contracts import load
from mcp_contracts.cli.app import run
from mcp_contracts.contract import Effects, ToolContract
from mcp_contracts.faults import FaultKind
from mcp_contracts.runtime.functions.python_tools import python_tool

CASES = Path(__file__).parent / "cases" / "python_functions"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: str, text: str) -> None:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


# --- read and run ---


def live_contracts(path: Path, names: set[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[ToolContract]:
    """Return the contracts that the runtime derives from some functions of a module, which is run."""
    specification = importlib.util.spec_from_file_location(path.stem, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    monkeypatch.setitem(sys.modules, path.stem, module)  # where classes look their names up
    specification.loader.exec_module(module)
    classes = [vars(one).values() for one in vars(module).values() if isinstance(one, type)]
    methods = [value.__func__ for values in classes for value in values if isinstance(value, staticmethod)]
    for value in (*vars(module).values(), *methods):
        if isinstance(getattr(value, "contract", None), ToolContract):
            yield value.contract
        elif inspect.isfunction(value) and f"{value.__module__}.{value.__name__}" in names:
            yield python_tool(value).contract


def said(contract: ToolContract) -> dict[str, object]:
    """Return the content of a contract, without places and other names."""
    left_out = ("place", "places", "source_name", "input", "output", "errors")
    fields = {name: getattr(contract, name) for name in contract.__slots__ if name not in left_out}
    errors = [(error.name, error.when) for error in contract.errors]
    return {**fields, "input": contract.input_schema, "output": contract.output_schema, "errors": errors}


@pytest.mark.parametrize("path", sorted(CASES.glob("*.py")), ids=lambda path: path.stem)
def test_the_contract_of_a_function_is_the_same_read_and_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contracts = load(f"python:{path}")
    names = {contract.name for contract in contracts}
    live = {contract.name: said(contract) for contract in live_contracts(path, names, monkeypatch)}

    assert contracts.faults == ()
    assert contracts
    assert {contract.name: said(contract) for contract in contracts} == live


def test_the_tools_of_an_example_are_read_as_they_run() -> None:
    example = Path(__file__).parent.parent / "examples" / "tools_from_python.py"

    contracts = load(f"python:{example}")

    assert [contract.name for contract in contracts] == ["library.search", "library.lend", "library.add"]
    assert contracts["library.search"].effects == Effects("read-only", "closed-world")
    assert contracts.faults == ()


# --- which functions ---

SERVER = "from mcp.server.fastmcp import Context, FastMCP\n\nmcp = FastMCP('weather')\n\n\n"
TOOL = 'def get_forecast(place: str, days: int = 3) -> str:\n    """Return the forecast of a place."""\n'


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("source", ["python:app.weather", "python:src/app/weather.py", "src/app/weather.py"])
def test_a_module_is_named_by_its_name_or_its_path(source: str) -> None:
    write("src/app/__init__.py", "")
    write("src/app/weather.py", f"{SERVER}@mcp.tool()\n{TOOL}")

    (contract,) = load(source)

    assert (contract.name, contract.source_name, contract.module) == ("weather.get_forecast", "get_forecast", "weather")
    assert (contract.place.path, contract.place.line, contract.place.column) == ("src/app/weather.py", 7, 5)
    assert contract.input is not None
    assert contract.input.locator.place("/properties/days/type").column == 30
    assert contract.place_of("description").line == 8


@pytest.mark.usefixtures("folder")
def test_functions_that_all_names_are_tools_at_the_module_that_defines_them() -> None:
    write(
        "app/__init__.py",
        "from .inner import *\nfrom .more import late\n__all__ = ['get_forecast', 'late']\n",
    )
    write("app/inner.py", f"{TOOL}\n\ndef helper(a: int) -> int:\n    return a\n")
    write("app/more.py", "def late(a: int) -> int:\n    return a\n")

    assert [(one.name, one.place.path) for one in load("python:app")] == [
        ("inner.get_forecast", "app/inner.py"),
        ("more.late", "app/more.py"),
    ]


@pytest.mark.usefixtures("folder")
def test_where_one_function_is_marked_all_is_not_asked() -> None:
    write("tools.py", f"{SERVER}__all__ = ['main']\n\n@mcp.tool()\n{TOOL}\n\ndef main(a: int) -> None:\n    ...\n")

    assert [one.source_name for one in load("python:tools")] == ["get_forecast"]


@pytest.mark.usefixtures("folder")
def test_what_a_mark_says_is_in_the_contract() -> None:
    hints = "annotations=ToolAnnotations(readOnlyHint=True, idempotentHint=True, title='Forecast')"
    write("tools.py", f"{SERVER}@mcp.tool('get-it', description='What it says.', tags={{'b', 'a'}}, {hints})\n{TOOL}")

    (contract,) = load("python:tools")

    assert (contract.name, contract.source_name) == ("tools.get_it", "get-it")
    assert (contract.description, contract.title, contract.tags) == ("What it says.", "Forecast", ("a", "b"))
    assert (contract.effects, contract.idempotent) == (Effects("read-only"), "yes")


@pytest.mark.usefixtures("folder")
def test_what_a_server_fills_in_is_not_a_parameter() -> None:
    write("tools.py", f"{SERVER}@mcp.tool()\ndef get(place: str, context: Context) -> str:\n    return place\n")

    (contract,) = load("python:tools")

    assert contract.input_schema == {
        "type": "object",
        "properties": {"place": {"type": "string"}},
        "required": ["place"],
        "additionalProperties": False,
    }


def test_nothing_is_run(folder: Path) -> None:
    touch = "import pathlib\npathlib.Path('ran').touch()\n"
    model = "from pydantic import BaseModel\nclass M(BaseModel):\n    x: int = pathlib.Path('ran').touch()\n"
    write("tools.py", f"{touch}{model}__all__ = ['f']\ndef f(a: M, b: pathlib.Path('ran').touch() = print('x')): ...\n")

    assert len(load("python:tools")) == 1
    assert not (folder / "ran").exists()


# --- what cannot be read ---

UNUSABLE, UNREAD = FaultKind.UNUSABLE_FUNCTION, FaultKind.UNREAD_CODE


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("code", "kind", "line", "message"),
    [
        ("def f(*a: int): ...", UNUSABLE, 3, "function `f` takes `*a`, which cannot be passed by name"),
        ("def f(a, /): ...", UNUSABLE, 3, "parameter `a` of function `f` is positional-only"),
        ("def f(a: Frame): ...", UNREAD, 3, "`Frame` cannot be read without running it"),
        ("def f(a=make()): ...", UNREAD, 3, "the default of `a` is computed when the code runs"),
        ("def g(a): ...", UNUSABLE, 1, "`__all__` names `f`, which the module does not define"),
        ("def f(:", FaultKind.UNREADABLE, 3, "the module cannot be read: invalid syntax"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_a_fault_at_its_place(code: str, kind: FaultKind, line: int, message: str) -> None:
    write("tools.py", f"__all__ = ['f']\n\n{code}\n")

    (fault,) = load("python:tools").faults

    assert (fault.kind, fault.place.path, fault.place.line) == (kind, "tools.py", line)
    assert fault.message.startswith(message)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("# \xff".encode("latin-1"), FaultKind.UNREADABLE),
        (b"#" * 2_000_001, FaultKind.OVERSIZED),
        (b"x = 1\0", FaultKind.UNREADABLE),
        (b"x = " + b"-" * 100_000 + b"1", FaultKind.UNREADABLE),
        (b"".join(b"def f%d(): 0\n" % number for number in range(20_000)), FaultKind.UNREADABLE),
    ],
    ids=["latin", "large", "null", "deep", "many"],
)
def test_a_file_that_cannot_be_read_is_a_fault(text: bytes, kind: FaultKind) -> None:
    Path("tools.py").write_bytes(text)

    contracts = load("python:tools")

    assert [fault.kind for fault in contracts.faults] == [kind]


@pytest.mark.usefixtures("folder")
def test_annotations_that_double_at_each_step_end() -> None:
    aliases = "".join(f"A{number} = tuple[A{number - 1}, A{number - 1}]\n" for number in range(1, 40))
    write("tools.py", f"__all__ = ['f']\nA0 = int\n{aliases}def f(a: A39): ...\n")

    contracts = load("python:tools")

    assert len(contracts) == 1
    assert {fault.kind for fault in contracts.faults} == {FaultKind.UNREAD_CODE}


@pytest.mark.usefixtures("folder")
def test_modules_that_import_each_other_in_a_circle_are_read() -> None:
    write("app/a.py", "from app.b import *\nX = Y\n__all__ = ['f']\ndef f(a: X, b: Y) -> int: ...\n")
    write("app/b.py", "from app.a import X\nfrom app.a import *\nY = X\n")

    assert [one.name for one in load("python:app")] == ["a.f"]


# --- the commands ---


@pytest.mark.usefixtures("folder")
def test_two_modules_are_compared_tool_by_tool(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write("old.py", f"{SERVER}@mcp.tool()\n{TOOL}")
    write("new.py", f"{SERVER}@mcp.tool()\n{TOOL.replace('days: int = 3', 'days: int')}")

    code = run(["diff", "python:old", "python:new", "--format", "json"])

    report = json.loads(capfdbinary.readouterr().out)
    assert code == 1
    assert any(change["code"].startswith("BC2") for tool in report["tools"] for change in tool["changes"])


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["lint", "python:weahter"], 2, "`weahter` here or in `src/`\n  help: did you mean `weather`?"),
        (["lint", "python:"], 2, "`python:` does not name a module"),
        (["lint", "nowhere.py"], 2, "`nowhere.py`: no such file or directory"),
        (["diff", "--against", "HEAD", "python:weather"], 2, "which cannot be read from a git revision"),
        (["export", "python:weather", "--to", "openai"], 0, ""),
    ],
)  # fmt: skip
def test_every_command_takes_functions(
    arguments: list[str], code: int, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    write("weather.py", f"{SERVER}@mcp.tool()\n{TOOL}")

    assert run(arguments) == code
    assert words in capfd.readouterr().err


@pytest.mark.usefixtures("folder")
def test_a_configuration_may_name_functions(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    write("weather.py", f"{SERVER}@mcp.tool()\n{TOOL}")
    write("mcp-contracts.yaml", "paths: ['python:weather']\n")
    write("inner/notes.txt", "")
    monkeypatch.chdir("inner")

    run(["lint", "--format", "json"])

    summary = json.loads(capfdbinary.readouterr().out)["summary"]
    assert (summary["files"], summary["tools"]) == (1, 1)


@pytest.mark.usefixtures("folder")
def test_a_module_without_tools_is_reported(capfd: pytest.CaptureFixture[str]) -> None:
    write("tools.py", "def f(a: int) -> int: ...\n")

    run(["lint", "python:tools", "--format", "concise"])

    assert "tools.py:1:1: warning MC004 the module defines no tools" in capfd.readouterr().out


def test_a_link_out_of_the_tree_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("outside/secret.py", "__all__ = ['f']\ndef f(): ...\n")
    Path("project").mkdir()
    monkeypatch.chdir("project")
    Path("tools.py").symlink_to(folder / "outside" / "secret.py")

    contracts = load("python:tools")

    assert [fault.message for fault in contracts.faults] == [
        "the path leads outside the tree through a symbolic link, and is not read"
    ]
