"""Python functions read without running them: the tool that each implements, its parameters and its result."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import UsageError
from mcp_contracts.implementation import Function, Implementation, Mark
from mcp_contracts.sources.python.functions import read_implementation


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: str, text: str) -> None:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def read(text: str) -> Implementation:
    """Return the content of a module with this text."""
    write("tools.py", text)
    return read_implementation(["tools"])


def only(text: str) -> Function:
    """Return the only function of a module."""
    (function,) = read(text).functions
    return function


def accepts(annotation: str, before: str = "") -> JsonValue:
    """Return the schema for a parameter with this annotation."""
    parameters = only(f"{before}\ndef find(word: {annotation}): ...\n").parameters
    assert parameters is not None
    return parameters[0].accepts


# Finding modules


def test_a_module_is_found_here_and_in_src() -> None:
    write("src/app/tools.py", "def find(): ...\n")
    write("other.py", "def look(): ...\n")

    found = read_implementation(["app.tools", "other"])

    assert [function.name for function in found.functions] == ["look", "find"]
    assert [module.path for module in found.modules] == ["src/app/tools.py", "other.py"]


def test_a_package_means_all_modules_in_it() -> None:
    write("app/__init__.py", "")
    write("app/inner/__init__.py", "")
    write("app/inner/deep.py", "def find(): ...\n")
    write("app/__pycache__/left.py", "def left(): ...\n")

    found = read_implementation(["app"])

    assert [(function.name, function.module) for function in found.functions] == [("find", "app.inner.deep")]


@pytest.mark.parametrize("name", ["app/tools.py", "app", "app/", "app.tools"])
def test_a_path_is_as_good_as_a_name(name: str) -> None:
    write("app/tools.py", "def find(): ...\n")

    found = read_implementation([name])

    assert [function.name for function in found.functions] == ["find"]


def test_a_module_that_is_named_twice_is_read_once() -> None:
    write("app/tools.py", "def find(): ...\n")

    found = read_implementation(["app", "app.tools", "app/tools.py"])

    assert len(found.functions) == len(found.modules) == 1


def test_a_missing_module_is_a_mistake_with_a_hint() -> None:
    write("weather.py", "")

    with pytest.raises(UsageError, match="no module named `wether`") as caught:
        read_implementation(["wether"])

    assert caught.value.hint == "did you mean `weather`?"


def test_what_is_installed_is_not_searched() -> None:
    with pytest.raises(UsageError, match="no module named `json`"):
        read_implementation(["json"])


@pytest.mark.parametrize(("name", "text"), [("notes.md", "# Notes"), ("empty/notes.md", "")])
def test_a_path_without_python_is_refused(name: str, text: str) -> None:
    write(name, text)

    with pytest.raises(UsageError, match=r"not a Python file|no Python"):
        read_implementation([name.partition("/")[0]])


def test_a_link_that_leads_in_a_circle_ends(folder: Path) -> None:
    write("app/tools.py", "def find(): ...\n")
    (folder / "app" / "again").symlink_to(folder / "app", target_is_directory=True)

    assert len(read_implementation(["app"]).functions) == 1


# Modules that cannot be read


def test_broken_syntax_is_a_fault_at_its_place() -> None:
    found = read("x = 1\ndef find(:\n    pass\n")

    (fault,) = found.unreadable
    assert (fault.place.path, fault.place.line, fault.message) == (
        "tools.py",
        2,
        "the module cannot be read: invalid syntax",
    )
    assert not found.is_complete


def test_what_is_not_utf_8_is_a_fault(folder: Path) -> None:
    (folder / "tools.py").write_bytes("# é\n".encode("latin-1"))

    (fault,) = read_implementation(["tools"]).unreadable

    assert "not UTF-8" in fault.message


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 5_000 + ")" * 5_000,
        "x = " + "-" * 20_000 + "1",
        "x = " + "+".join(["1"] * 20_000),
        "def find(word: " + "list[" * 150 + "int" + "]" * 150 + "): ...",
        "def find(word: " + " | ".join(["int"] * 3_000) + "): ...",
        "def find(word: '" + "(" * 300 + "'): ...",
        "\0",
        "\ufeffdef find(word): ...",
        "@x[0]\n@(lambda c: c)\n@y().z\n@1\nclass A(b()[0], *c, d=1):\n    @x[0]\n    @(lambda c: c)\n    @y().z\n"
        "    def f(self): ...\ndef find(word: A): ...",
        "@dataclass\nclass A(B[int], 'C', 1): ...\ndef find(word: A, *, other: A.B.C, third: A().b): ...",
        "import enum\nclass A(enum.Enum):\n    B = x[0](1)\n    C: int\n    D, E = 1, 2\ndef find(word: A): ...",
        "r.implement(" + "+".join(["a"] * 5_000) + ")(find)",
        "r.implement(*a)(find)\nr.implement(**a)(*b)\nr.tool(*a, name='x.y')\nr.implement('x.y')(*a)\nr.implement()()",
        "@r.implement(*a)\n@r.implement(**a)\n@r.tool(**a)\n@r.tool\n@r.tool()\n@tool\ndef find(word): ...",
        "registry" + ".a" * 5_000 + ".implement('a.b')(find)",
        "def f(): ...\nr.implement('a.b')(" + "partial(" * 500 + "f" + ")" * 500 + ")",
        "class A(B): ...\nclass B(A): ...\ndef find(word: A): ...",
        "from tools import find as find\nfrom tools import City\ndef f(word: City): ...",
        "def find(word: 'find'): ...",
        "x = '\\d'\n",
    ],
)
def test_no_text_is_too_strange(text: str) -> None:
    found = read(text)

    assert len(found.modules) == 1


def test_a_file_past_the_limit_is_a_fault() -> None:
    write("tools.py", "def find(): ...\n" * 10)

    (fault,) = read_implementation(["tools"], max_file_size=100).unreadable

    assert "over the limit of 100" in fault.message


def test_nothing_is_run_and_nothing_is_said(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        read("import os\nos.mkdir('run')\nfrom nowhere import *\n__all__ = [*here]\ndef find(): ...\n")

    assert not Path("run").exists()
    assert not caplog.records


# Marks


@pytest.mark.parametrize(
    "text",
    [
        '@registry.implement("notes.find")\ndef find(word): ...',
        '@registry.implement("notes.find", channel="sms", version="^1")\nasync def find(word): ...',
        '@app.tools.implement(name="notes.find")\ndef find(word): ...',
        '@registry.tool(name="notes.find")\ndef find(word): ...',
        'NAME = "notes.find"\n@registry.implement(NAME)\ndef find(word): ...',
        'def find(word): ...\nregistry.implement("notes.find")(find)',
        'def find(word): ...\nregistry.tool(find, name="notes.find")',
        'def find(word, folder): ...\nregistry.implement("notes.find")(partial(find, folder="a"))',
        'def find(folder, word): ...\nregistry.implement("notes.find")(functools.partial(find, "a"))',
        'registry.implement("notes.find")(lambda word: word)',
        'class Find:\n    def __call__(self, word): ...\nregistry.implement("notes.find")(Find())',
        'class Notes:\n    @registry.implement("notes.find")\n    def find(self, word): ...',
        'class Notes:\n    @registry.implement("notes.find")\n    @staticmethod\n    def find(word): ...',
        'class Notes:\n    @classmethod\n    @registry.implement("notes.find")\n    def find(cls, word): ...',
        "class Notes:\n    def find(self, word): ...\n    def add(self, registry):\n"
        '        registry.implement("notes.find")(self.find)',
        'def register(registry):\n    @registry.implement("notes.find")\n    def find(word): ...',
        'def register(registry):\n    def find(word): ...\n    registry.implement("notes.find")(find)',
        'try:\n    @registry.implement("notes.find")\n    def find(word): ...\nexcept ImportError:\n    pass',
    ],
)
def test_a_mark_ties_a_function_to_a_tool(text: str) -> None:
    function = only(text)

    assert function.tool == "notes.find"
    assert [parameter.name for parameter in function.parameters or ()] == ["word"]


def test_a_constant_of_another_module_is_a_name() -> None:
    write("app/names.py", 'FIND = "notes.find"\n')
    write("app/tools.py", "from .names import FIND\nfrom . import names\n@r.implement(FIND)\ndef a(): ...\n"
          "@r.implement(names.FIND)\ndef b(): ...\n")  # fmt: skip
    write("app/__init__.py", "")

    found = read_implementation(["app"])

    assert [function.tool for function in found.functions] == ["notes.find", "notes.find"]


@pytest.mark.parametrize(
    "text",
    [
        "@registry.implement(name())\ndef find(word): ...",
        "for name in names:\n    registry.implement(name)(find)",
        '@registry.tool(name=f"{module}.find")\ndef find(word): ...',
        "def register(NAME):\n    @registry.implement(NAME)\n    def find(word): ...",
    ],
)
def test_a_name_that_is_not_written_out_is_reported_as_unknown(text: str) -> None:
    found = read(text)

    assert len(found.unnamed) == 1
    assert found.functions == ()
    assert not found.is_complete


@pytest.mark.parametrize(
    "text", ['registry.implement("notes.find")(tools["find"])', 'later = r.implement("notes.find")']
)
def test_what_is_marked_and_cannot_be_followed_is_known_as_implemented(text: str) -> None:
    function = only(text)

    assert (function.tool, function.parameters) == ("notes.find", None)


def test_a_function_for_two_channels_of_a_tool_is_listed_once() -> None:
    text = '@r.implement("a.b", channel="sms")\n@r.implement("a.b", channel="mail")\ndef find(word): ...\n'

    assert len(read(text).functions) == 1


def test_without_any_mark_public_functions_are_read() -> None:
    found = read("def find(): ...\ndef _help(): ...\nclass A:\n    def inner(self): ...\n")

    assert [(function.name, function.mark) for function in found.functions] == [("find", Mark.NAME)]


def test_all_says_what_is_public() -> None:
    found = read("__all__ = ['_find']\ndef _find(): ...\ndef look(): ...\n")

    assert [function.name for function in found.functions] == ["_find"]


# Parameters


def test_what_a_call_does_not_fill_is_left_out() -> None:
    text = """
from mcp_contracts import ToolContext as Context
def find(word, *words, context: Context, other: "ToolContext | None" = None, limit=5, **more): ...
"""
    function = only(text)

    assert function.takes_any_name
    assert [(one.name, one.is_required, one.default) for one in function.parameters or ()] == [
        ("word", True, None),
        ("limit", False, 5),
    ]


def test_a_field_says_name_and_default() -> None:
    text = """
from typing import Annotated
from pydantic import Field
def find(
    *,
    start: Annotated[str, Field(alias="from")],
    end: str = Field(alias="to"),
    limit: Annotated[int, Field(default=3)],
    page: int = Field(1, ge=1),
    tags: list[str] = Field(default_factory=list),
    all_of: bool = Field(...),
): ...
"""
    parameters = only(text).parameters or ()

    assert [(one.name, one.is_required, one.default) for one in parameters] == [
        ("from", True, None),
        ("to", True, None),
        ("limit", False, 3),
        ("page", False, 1),
        ("tags", False, None),
        ("all_of", True, None),
    ]


def test_a_place_is_counted_in_characters() -> None:
    function = only("def find(größe: 'é' = 'ü', word: str = 'a'): ...\n")

    assert function.place.column == 5
    assert [(one.place.column, one.place.end_column) for one in function.parameters or ()] == [(10, 20), (28, 37)]


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        ("str", {"type": "string"}),
        ("'str | None'", {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ("Optional[int]", {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        ("Union[float, bool]", {"anyOf": [{"type": "number"}, {"type": "boolean"}]}),
        ("t.List[int]", {"type": "array", "items": {"type": "integer"}}),
        ("set", {"type": "array"}),
        ("tuple[int, ...]", {"type": "array", "items": {"type": "integer"}}),
        ("tuple[int, str]", {"type": "array"}),
        ("Sequence[str]", {"type": ["array", "string"], "items": {"type": "string"}}),
        ("dict[str, int]", {"type": "object", "additionalProperties": {"type": "integer"}}),
        ("t.Mapping", {"type": "object"}),
        ("Literal['a', 2, None]", {"enum": ["a", 2, None]}),
        ("Annotated[str, 'words']", {"type": "string"}),
        ("Path", {"type": "string"}),
        ("when.date", {"type": ["string", "number"]}),
        ("Color", {"enum": ["red", "blue"]}),
        ("Point", {"type": "object"}),
        ("Model", {"type": "object"}),
        ("Special", {"type": "object"}),
        ("Typed", {"type": "object"}),
        ("list[Color]", {"type": "array", "items": {"enum": ["red", "blue"]}}),
    ],
)
def test_an_annotation_is_read_as_a_schema(annotation: str, schema: JsonValue) -> None:
    assert accepts(annotation, _NAMES) == schema


@pytest.mark.parametrize(
    "annotation",
    [
        "Any",
        "object",
        "T",
        "Alias",
        "Unknown",
        "str | Unknown",
        "'not an annotation ('",
        "Annotated[int, BeforeValidator(int)]",
        "Checked",
        "Plain",
        "Auto",
        "hidden.Name",
        "list",
        "1 + 1",
        "Callable[[int], str]",
    ],
)
def test_an_unknown_annotation_accepts_anything(annotation: str) -> None:
    before = f"{_NAMES}\ndef list(): ...\n" if annotation == "list" else _NAMES
    write("tools.py", f"{before}\n__all__ = ['find']\ndef find(word: {annotation}): ...\n")

    (function,) = read_implementation(["tools"]).functions

    assert function.parameters is not None
    assert function.parameters[0].accepts is True


_NAMES = """
import datetime as when, typing as t
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Annotated, Any, Literal, Optional, TypedDict, TypeVar, Union
from pydantic import BaseModel, BeforeValidator, model_validator
T = TypeVar("T")
Alias = str
class Color(str, Enum):
    RED = "red"
    BLUE = "blue"
class Auto(Enum):
    RED = auto()
@dataclass
class Point:
    x: int
class Model(BaseModel):
    x: int
class Special(Model):
    y: int
class Checked(BaseModel):
    @model_validator(mode="before")
    def check(cls, value): ...
class Typed(TypedDict):
    x: int
class Plain: ...
"""


def test_a_class_of_another_module_is_read_there() -> None:
    write("app/__init__.py", "from .models import Color\n")
    write("app/models.py", "import enum\nclass Color(enum.StrEnum):\n    RED = 'red'\n")
    write("app/tools.py", "from app import Color as Shade\ndef find(word: Shade): ...\n")

    (function,) = read_implementation(["app"]).functions

    assert function.parameters is not None
    assert function.parameters[0].accepts == {"enum": ["red"]}


def test_a_name_that_a_function_binds_is_not_that_of_the_module() -> None:
    text = 'def make(str):\n    @r.implement("a.b")\n    def find(word: str): ...\n'

    parameters = only(text).parameters

    assert parameters is not None
    assert parameters[0].accepts is True


# What is returned


@pytest.mark.parametrize(
    ("annotation", "returns"),
    [
        ("dict[str, int] | NoChangeNeeded", ({"type": "object", "additionalProperties": {"type": "integer"}},)),
        ("list[str] | None", ({"type": "array", "items": {"type": "string"}},)),
        ("str | int", ({"type": "string"}, {"type": "integer"})),
        ("None", None),
        ("MCPToolResult", None),
        ("Forecast", None),
        ("str | Forecast", None),
    ],
)
def test_a_return_annotation_is_read_by_its_alternatives(
    annotation: str, returns: tuple[JsonValue, ...] | None
) -> None:
    assert only(f"def find() -> {annotation}: ...\n").returns == returns


def test_a_generator_returns_nothing_that_is_known() -> None:
    assert only("def find() -> list[int]:\n    yield 1\n").returns is None
