"""Calls of a tool in Python code: read, never run."""

from __future__ import annotations

import ast
import builtins
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from textwrap import dedent
from types import MappingProxyType

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Example, JsonValue
from mcp_contracts.diagnostics import Place
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.parsing.examples.code_spans import LEFT_OUT, LONGEST, share_word, without_answers
from mcp_contracts.parsing.markdown.blocks import Fence
from mcp_contracts.parsing.text import MappedLocator, SourceText
from mcp_contracts.records import dataclass
from mcp_contracts.rule_names import misspelled, nearest

_MOST_CALLS = 50
_OPTIONS = frozenset(
    ("arguments", "args", "timeout", "read_timeout_seconds", "progress_callback", "meta", "session", "ctx", "context")
)
"""Keywords of a function that calls a tool, which are not arguments of the tool, or not one by one."""
_CALLERS = ("call_tool", "call", "invoke", "invoke_tool", "call_tool_stream", "execute_tool", "run_tool", "use_tool")


def code_examples(
    source: SourceText, fence: Fence, name: str, siblings: AbstractSet[str], parameters: Sequence[str]
) -> Iterator[Example]:
    """Yield the calls of a tool in a fence of Python or, without any, those of another tool that is called instead.

    `siblings` are the names of all tools of the file, `parameters` are the names of the tool's parameters, in order.
    """
    if (parsed := _parse(source, fence)) is None:
        return
    tree, reader, calls = parsed
    short = name.rpartition(".")[2]
    own = [call for call in calls if _name_called(call) == short]
    yield from (reader.example(call, name, parameters) for call in own)
    named = [reader.dispatched(call) for call in calls if _names_tool(call)]
    yield from calls_meant(named, short)
    messages = [message for node in ast.walk(tree) if (message := _message(node)) is not None][:_MOST_CALLS]
    yield from (reader.of_values(name, arguments, arguments_key=key) for name, arguments, key in messages)
    if not own and not named and not messages:
        others = {sibling.rpartition(".")[2] for sibling in siblings} - {short}
        imported = _find_imported_functions(tree)
        is_span = fence.first_row == fence.row  # it is an example of this tool
        is_own = is_span or short in imported or any(_passes_own(call, parameters) for call in calls)
        undefined = _find_undefined_functions(tree, calls, short) if is_own else frozenset()
        for call in calls:
            called = _name_called(call)
            is_like = called and (nearest(called, [short]) or misspelled(called, [short]))
            if called in others or called in imported or called in undefined or is_like:
                yield reader.example(call, called, parameters)


def calls_meant(examples: Sequence[Example], short: str) -> Iterator[Example]:
    """Yield the calls of a tool in a fence that names the tools it calls, or all if it never calls this tool.

    A call with a similar name is one of this tool, with a misspelled name.
    """
    called = [str(example.value["tool_name"]) if isinstance(example.value, dict) else "" for example in examples]
    own = [name.rpartition(".")[2] == short for name in called]
    for example, name, is_own in zip(examples, called, own, strict=True):
        if is_own or not any(own) or nearest(name, [short]):
            yield example


def outer_examples(
    source: SourceText, fence: Fence, parameters: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, Example]]:
    """Yield the calls in a fence of Python outside every tool's section, each with the name of its tool.

    `parameters` has the parameter names of each tool, in order. A misspelled name counts as the tool's.
    """
    parsed = _parse(source, fence)
    if parsed is None:
        return
    tree, reader, calls = parsed
    short = {name.rpartition(".")[2]: name for name in parameters}
    calls_tools = any(_name_called(call) in short for call in calls)
    undefined = _find_undefined_functions(tree, calls, "_".join(short)) if calls_tools else frozenset()
    for call in calls:
        if _names_tool(call):
            example = reader.dispatched(call, short)  # a server may have it without the module
            if (name := tool_called(example, short, parameters)) is not None:
                yield name, example
        elif (called := _name_called(call)) and (name := tool_meant(called, short)) is not None:
            own = short.get(called, called)
            yield name, reader.example(call, own, parameters[name])
        elif called in undefined:  # beside calls of tools
            arguments: dict[str, JsonValue] = {keyword.arg: None for keyword in call.keywords if keyword.arg}
            if (name := _with_these_parameters(called, arguments, parameters)) is not None:
                yield name, reader.example(call, called, parameters[name])


def tool_meant(called: str, short: Mapping[str, str]) -> str | None:
    """Return the tool with this name, or the one whose name it misspells; `short` are the names without modules."""
    last = called.rpartition(".")[2]
    return short.get(last) or short.get(misspelled(last, short) or "")


def tool_called(example: Example, short: Mapping[str, str], parameters: Mapping[str, Collection[str]]) -> str | None:
    """Return the tool that a call by name is meant for: the one with this name, or the one whose name it misspells.

    A call of an unknown tool is one of the only tool that has all its arguments, if both names have a word in
    common, or of the one with the most similar name in the same module.
    """
    value = example.value if isinstance(example.value, dict) else {}
    called = value.get("tool_name")
    if not isinstance(called, str):
        return None
    if called in parameters:
        return called
    meant = tool_meant(called, short) or _with_these_parameters(called, value.get("arguments"), parameters)
    module, _, last = called.rpartition(".")
    if meant is None and module and any(name.startswith(f"{module}.") for name in parameters):
        meant = short.get(nearest(last, short) or "")
    return meant


def _with_these_parameters(called: str, arguments: JsonValue, parameters: Mapping[str, Collection[str]]) -> str | None:
    """Return the only tool that has all arguments of a call, if its name has a word of that of the call."""
    if not isinstance(arguments, dict) or not arguments:
        return None
    able = [
        name
        for name, own in parameters.items()
        if set(arguments) <= set(own) and share_word(name.rpartition(".")[2], called.rpartition(".")[2])
    ]
    return able[0] if len(able) == 1 else None


def _parse(source: SourceText, fence: Fence) -> tuple[ast.Module, _Reader, list[ast.Call]] | None:
    """Return the code of a fence, its reader and its calls; None if it is not Python, or too long."""
    text = dedent(fence.content)
    if len(fence.content) > LONGEST or not fence.is_closed:
        return None
    text = without_answers(text)
    if is_session := text.lstrip().startswith(">>> "):
        text = "\n".join(line[4:] if line.startswith((">>> ", "... ")) else "" for line in text.split("\n"))
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    indent = len(fence.content) - len(fence.content.lstrip(" "))
    shift = (indent + 4 if is_session else indent) if text != fence.content else 0
    reader = _Reader(source, fence, shift, text.split("\n"))
    return tree, reader, [node for node in ast.walk(tree) if isinstance(node, ast.Call)][:_MOST_CALLS]


def code_faults(source: SourceText, fence: Fence, name: str) -> Iterator[Fault]:
    """Yield a fault if a fence that calls the tool cannot be parsed, unless it shows a session or omits something."""
    text = without_answers(dedent(fence.content))
    called = re.search(rf"\b{re.escape(name.rpartition('.')[2])}\s*\(", text)
    if called is None or not fence.is_closed:
        return
    if len(text) > LONGEST:
        message = f"the code is not checked: it has {len(text):,} characters, more than {LONGEST:,}"
        yield _partly_read(source, fence, message)
        return
    if LEFT_OUT.search(text):
        return
    try:
        tree = ast.parse(text)
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        for node in _unused_imports(tree, calls, name.rpartition(".")[2]):
            row = fence.first_row + node.lineno - 1
            unused = ", ".join(f"`{alias.name}`" for alias in node.names)
            message = f"the code imports {unused}, but calls `{name.rpartition('.')[2]}`"
            place = source.place(row, 0, len(source.lines[row].rstrip()))
            yield Fault(FaultKind.INVALID_CODE, message, place, "import what the code calls", "example")
        for call in calls:
            names = [keyword.arg for keyword in call.keywords if keyword.arg is not None]
            for twice in [keyword for keyword in call.keywords if names.count(keyword.arg or "") > 1][1:2]:
                row = fence.first_row + twice.lineno - 1
                message = f"the call has the argument `{twice.arg}` twice, so the code is not valid Python"
                hint = "remove or rename one of the two"
                place = source.place(row, 0, len(source.lines[row].rstrip()))
                yield Fault(FaultKind.INVALID_CODE, message, place, hint, "example")
        if len(calls) > _MOST_CALLS:
            message = (
                f"{len(calls) - _MOST_CALLS:,} more calls are not checked: only the first {_MOST_CALLS} of a block are"
            )
            yield _partly_read(source, fence, message)
    except SyntaxError as error:
        short = re.escape(name.rpartition(".")[2])
        if re.search(
            rf"\bdef {short}\b|^[ \t]*{short}\((?:\w+ ?: ?(?!True|False|None)[A-Za-z]|[^()\n]*\) ?->)", text, re.M
        ):
            return  # a signature without a body
        row = min(max((error.lineno or 1) - 1, 0), len(fence.content.split("\n")) - 1)
        line = source.lines[fence.first_row + row]
        place = source.place(fence.first_row + row, len(line) - len(line.lstrip()), len(line.rstrip()))
        message = "the code of the example is not valid Python"
        yield Fault(FaultKind.INVALID_CODE, message, place, "fix it, so that it can be copied and checked", "example")
    except (ValueError, RecursionError, MemoryError):
        return


def _unused_imports(tree: ast.Module, calls: Sequence[ast.Call], short: str) -> Iterator[ast.ImportFrom]:
    """Yield the unused imports from modules of tools, if the code calls its tool without importing it."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    used = {node.id for node in names}
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    bound = {alias.asname or alias.name for node in imports for alias in node.names}
    bound |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
    if bound & {short, "*"} or not any(isinstance(call.func, ast.Name) and call.func.id == short for call in calls):
        return
    for node in imports:
        is_of_tools = "tools" in (node.module or "").rpartition(".")[2]
        if is_of_tools and used.isdisjoint(alias.asname or alias.name for alias in node.names):
            yield node


def _partly_read(source: SourceText, fence: Fence, message: str) -> Fault:
    line = source.lines[fence.row]
    place = source.place(fence.row, len(line) - len(line.lstrip()), len(line.rstrip()))
    return Fault(FaultKind.PARTLY_READ, message, place, "split the code into several blocks", "example")


def _name_called(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _names_tool(call: ast.Call) -> bool:
    """Whether a call is `call_tool("name", {…})`."""
    return (
        _name_called(call) in _CALLERS
        and len(call.args) > 0
        and isinstance(call.args[0], ast.Constant)
        and isinstance(call.args[0].value, str)
    )


def _message(node: ast.AST) -> tuple[ast.Constant, ast.expr, str] | None:
    """Return the name of the tool, the arguments and their key in a dictionary: `{"tool_name": …, "arguments": …}`."""
    members = zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else ()
    by_key = {key.value: value for key, value in members if isinstance(key, ast.Constant)}
    name = next((by_key[key] for key in ("tool_name", "tool", "name") if key in by_key), None)
    key = "arguments" if "arguments" in by_key else "args"
    is_named = isinstance(name, ast.Constant) and isinstance(name.value, str)
    return (name, by_key[key], key) if isinstance(name, ast.Constant) and is_named and key in by_key else None


def _find_undefined_functions(tree: ast.AST, calls: Sequence[ast.Call], short: str) -> frozenset[str]:
    """Return the undefined functions that code calls, and that share a word with a tool that it never calls."""
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            bound |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound.add(node.name)
    called = {call.func.id for call in calls if isinstance(call.func, ast.Name)}
    words = set(short.split("_"))
    return frozenset(name for name in called - bound - set(dir(builtins)) if words & set(name.split("_")))


def _passes_own(call: ast.Call, parameters: Sequence[str]) -> bool:
    """Whether a call passes several arguments, by the names of parameters."""
    return len(call.keywords) > 1 and not call.args and all(one.arg in parameters for one in call.keywords)


def _find_imported_functions(tree: ast.AST) -> set[str]:
    """Return the functions that are imported from a module of tools."""
    return {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and "tools" in (node.module or "").rpartition(".")[2]
        for alias in node.names
        if not alias.name[:1].isupper()
    }


def _only_object(call: ast.Call, parameters: Sequence[str]) -> list[tuple[ast.Constant, ast.expr]] | None:
    """Return the members of the only object that a call sends, if it has names of parameters: `f({"word": "tea"})`."""
    first = call.args[0] if len(call.args) == 1 and not call.keywords else None
    if not isinstance(first, ast.Dict):
        return None
    pairs = zip(first.keys, first.values, strict=True)
    members = [(key, value) for key, value in pairs if isinstance(key, ast.Constant) and isinstance(key.value, str)]
    is_whole = len(members) == len(first.keys)
    return members if is_whole and any(key.value in parameters for key, _ in members) else None


@dataclass(frozen=True, slots=True)
class _Reader:
    source: SourceText
    fence: Fence
    indent: int
    lines: Sequence[str]

    def example(self, call: ast.Call, name: str, parameters: Sequence[str]) -> Example:
        """Return a call of a function by its name."""
        whole = self._place(call.func)
        places = {"/tool_name": (whole, whole)}
        given: list[tuple[str, ast.expr, Place]] = []
        if (members := _only_object(call, parameters)) is not None:
            given = [(str(key.value), value, self._place(key)) for key, value in members]
            return self._example(name, given, places, whole, is_whole=True, arguments_key="")
        for index, argument in enumerate(call.args):
            if isinstance(argument, ast.Starred) or index >= len(parameters):
                break
            given.append((parameters[index], argument, self._place(argument)))
        given.extend(
            (keyword.arg, keyword.value, self._place(keyword, keyword.arg))
            for keyword in call.keywords
            if keyword.arg is not None
        )
        is_whole = all(keyword.arg is not None for keyword in call.keywords) and not any(
            isinstance(argument, ast.Starred) for argument in call.args
        )
        return self._example(name, given, places, whole, is_whole=is_whole, arguments_key="")

    def dispatched(self, call: ast.Call, names: Mapping[str, str] = MappingProxyType({})) -> Example:
        """Return a call made with `call_tool("name", {…})` or `call("name", word="tea")`; `names` maps short names of
        tools to full ones.
        """
        keywords = [keyword for keyword in call.keywords if keyword.arg not in _OPTIONS]
        if len(call.args) == 1 and keywords:
            return self.of_values(call.args[0], None, names, keywords, arguments_key="")
        rest = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg in ("arguments", "args"))]
        if rest and isinstance(rest[0], ast.Call) and _name_called(rest[0]) == "dict" and not rest[0].args:
            return self.of_values(call.args[0], None, names, rest[0].keywords, arguments_key="")
        return self.of_values(call.args[0], rest[0] if rest else None, names, arguments_key="")

    def of_values(
        self,
        first: ast.expr,
        arguments: ast.expr | None,
        names: Mapping[str, str] = MappingProxyType({}),
        keywords: Sequence[ast.keyword] = (),
        *,
        arguments_key: str = "arguments",
    ) -> Example:
        """Return a call by its name and the values of its arguments: those of a dictionary, which `arguments_key`
        precedes, if any, or of keywords.
        """
        name = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
        whole = self._place(first)
        places = {"/tool_name": (whole, whole)}
        named = [(keyword.arg, keyword) for keyword in keywords if keyword.arg is not None]
        given = [(key, keyword.value, self._place(keyword, key)) for key, keyword in named]
        is_whole = isinstance(arguments, ast.Dict) or 0 < len(named) == len(keywords)
        if isinstance(arguments, ast.Dict):
            for key, value in zip(arguments.keys, arguments.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    given.append((key.value, value, self._place(key)))
                else:
                    is_whole = False
        return self._example(
            names.get(name, name), given, places, whole, is_whole=is_whole, arguments_key=arguments_key
        )

    def _example(
        self,
        name: str,
        given: Sequence[tuple[str, ast.expr, Place]],
        places: dict[str, tuple[Place, Place]],
        whole: Place,
        *,
        is_whole: bool,
        arguments_key: str,
    ) -> Example:
        arguments: dict[str, JsonValue] = {}
        computed = set()
        for argument, node, key in given:
            places[f"/arguments/{escape(argument)}"] = (self._place(node), key)
            try:
                arguments[argument] = json.loads(json.dumps(ast.literal_eval(node), allow_nan=False))
            except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
                computed.add(argument)
        value: JsonValue = {"tool_name": name, "arguments": arguments}
        locator = MappedLocator(whole, places)
        return Example("call", value, locator, frozenset(computed), is_whole=is_whole, arguments_key=arguments_key)

    def _place(self, node: ast.expr | ast.keyword, word: str | None = None) -> Place:
        """Return the place of a node. Its columns count bytes."""
        row, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        start = self._column(row, node.col_offset)
        end = start + len(word) if word is not None else self._column(last, node.end_col_offset or 0)
        first_row = self.fence.first_row
        end_row = row if word is not None else last
        width = len(self.source.lines[first_row + end_row])
        begin = min(start, len(self.source.lines[first_row + row]))
        return self.source.place(first_row + row, begin, min(end, width), end_row=first_row + end_row)

    def _column(self, row: int, offset: int) -> int:
        line = self.lines[row]
        column = len(line.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore"))
        written = self.source.lines[self.fence.first_row + row]
        return column + max(0, len(written) - len(line))
