"""Declarations of options and arguments, and a parser for simple command lines that does not import Typer.

A declaration begins as a usage line does, such as `"--output -o FILE"`, followed by the help. A parameter of a command
can also be a group: a data class whose fields declare options that several commands have. `typer_app` builds a Typer
application from the declarations, which handles everything else: help, completion and usage errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

# The groups that several commands have
RULES = "Rules"
REPORT = "Report"
EXIT = "Exit code"
CONFIGURATION = "Configuration"

PLAIN = frozenset(("metavar", "help", "rich_help_panel", "show_default", "min", "max"))
"""The keywords of a declaration that this parser supports."""


class Option:
    """An option: its names and the word for its value, its help, its group, and other keywords of Typer's `Option`."""

    def __init__(self, usage: str, text: str | Callable[[], str], group: str | None = None, **said: Any) -> None:
        words = usage.split(" ")
        self.names = tuple(word for word in words if word.startswith("-"))
        value = " ".join(words[len(self.names) :]) or None
        self.said = {"metavar": value, "help": text, "rich_help_panel": group, **said}


class Argument:
    """An argument: the word for its value, its help, and other keywords of Typer's `Argument`."""

    def __init__(self, value: str, text: str, **said: Any) -> None:
        self.said = {"metavar": value, "help": text, **said}


class CommandApp:
    """The application of one command: the function that runs, and its examples as the end of its help.

    The function returns an exit code, or a run whose output may be cached.
    """

    def __init__(self, function: Callable[..., Any], epilog: str) -> None:
        self.function, self.epilog = function, epilog

    def read(self, arguments: Sequence[str]) -> dict[str, Any] | None:
        """Return the values that a command line gives to parameters, or None if Typer is needed to read it."""
        try:
            return _read(self.function, arguments)
        except _UnclearError:
            return None


def hints_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the annotations of the parameters of a command."""
    hints = function.__annotations__
    if any(isinstance(hint, str) for hint in hints.values()):
        hints = get_type_hints(function, include_extras=True)
    return {name: hint for name, hint in hints.items() if name != "return"}


def is_group(hint: Any) -> bool:
    """Whether a parameter is a group of options."""
    return isinstance(hint, type)


def gather(hints: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of parameters; the values of a group are in one instance of it."""
    groups = {name: hint(**gather(hint.__annotations__, values)) for name, hint in hints.items() if is_group(hint)}
    return {name: values[name] for name in hints if name in values} | groups


def command_app(*examples: str) -> Callable[[Callable[..., Any]], CommandApp]:
    """Declare a function as the `app` of its module, with examples, each a sentence and, after a colon, its words."""
    pairs = (example.split(": ", 1) for example in examples)
    epilog = "\n".join(f"{sentence}:\n  mcp-contracts {words}" for sentence, words in pairs)
    return lambda function: CommandApp(function, epilog)


class _UnclearError(Exception):
    """A command line that only Typer can parse."""


class _Parameter:
    """A parameter of a command, as its annotation declares it."""

    def __init__(self, name: str, annotation: Any) -> None:
        self.name = name
        self.declared: Option | Argument = annotation.__metadata__[0]
        kind = annotation.__origin__
        if get_origin(kind) in (UnionType, Union):
            [kind] = (one for one in get_args(kind) if one is not type(None))
        self.is_list = get_origin(kind) is list
        self.kind = get_args(kind)[0] if self.is_list else kind
        if not PLAIN.issuperset(self.declared.said):
            raise _UnclearError

    def value(self, text: str) -> Any:
        """Convert a word to the value of the parameter."""
        if self.kind is str:
            return text
        if self.kind is Path:
            return Path(text)
        if get_origin(self.kind) is Literal and text in get_args(self.kind):
            return text
        if self.kind in (int, float):
            try:
                number = self.kind(text)
            except ValueError:
                raise _UnclearError from None
            least, most = (self.declared.said.get(bound, number) for bound in ("min", "max"))
            if least <= number <= most:
                return number
        raise _UnclearError


def _read(function: Callable[..., Any], arguments: Sequence[str]) -> dict[str, Any]:
    hints = hints_of(function)
    parameters = list(_parameters(hints))
    options = dict(_name_options(parameters))
    values: dict[str, Any] = {}
    words: list[str] = []
    left = iter(arguments)
    for word in left:
        if word == "--":
            words.extend(left)
        elif not word.startswith("-") or word == "-":
            words.append(word)
        else:
            name, equals, text = word.partition("=") if word.startswith("--") else (word, "", "")
            parameter, is_true = options.get(name, (None, True))
            if parameter is None or (parameter.kind is bool and equals):
                raise _UnclearError
            if parameter.kind is bool:
                values[parameter.name] = is_true
                continue
            if not equals:
                following = next(left, None)
                if following is None:
                    raise _UnclearError
                text = following
            value = parameter.value(text)
            if parameter.is_list:
                values.setdefault(parameter.name, []).append(value)
            else:
                values[parameter.name] = value
    values.update(_assign_arguments([one for one in parameters if isinstance(one.declared, Argument)], words))
    code, defaults = function.__code__, function.__defaults__ or ()
    optional = {
        *code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount],
        *(function.__kwdefaults__ or ()),
    }
    if any(name not in values and name not in optional and not is_group(hint) for name, hint in hints.items()):
        raise _UnclearError
    return gather(hints, values)


def _parameters(hints: Mapping[str, Any]) -> Iterator[_Parameter]:
    for name, hint in hints.items():
        if is_group(hint):
            yield from _parameters(hint.__annotations__)
        else:
            yield _Parameter(name, hint)


def _name_options(parameters: Sequence[_Parameter]) -> Iterator[tuple[str, tuple[_Parameter, bool]]]:
    """Yield the name of each option, with its parameter and, for a flag, the value that the name sets."""
    for parameter in parameters:
        if isinstance(parameter.declared, Option):
            for names in parameter.declared.names:
                for at, name in enumerate(names.split("/")):
                    yield name, (parameter, at == 0)


def _assign_arguments(parameters: Sequence[_Parameter], words: Sequence[str]) -> Mapping[str, Any]:
    """Return the values of the arguments; the last one may take all remaining words."""
    values: dict[str, Any] = {}
    left = list(words)
    for parameter in parameters:
        if parameter.is_list:
            if parameter is not parameters[-1]:
                raise _UnclearError
            if left:
                values[parameter.name] = [parameter.value(word) for word in left]
            return values
        if left:
            values[parameter.name] = parameter.value(left.pop(0))
    if left:
        raise _UnclearError
    return values
