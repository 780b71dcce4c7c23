"""The parts of a new tool: the values of the options of `new`, read and checked."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import UsageError
from mcp_contracts.parsing.fields import read_effects
from mcp_contracts.parsing.parameters.types import read_type
from mcp_contracts.records import dataclass

_NAME = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)+")
_LONGEST_NAME = 128
"""Model Context Protocol 2025-11-25, server/tools, "Tool Names"."""

_TYPES = '`string`, `integer`, `number`, `boolean`, `array[string]`, `object`, `enum["a", "b"]`, `string or null`'


@dataclass(frozen=True, slots=True)
class NewField:
    """A parameter or a field of the result. `schema` is the meaning of `type`."""

    name: str
    type: str
    schema: dict[str, JsonValue]
    is_required: bool
    description: str


@dataclass(frozen=True, slots=True)
class NewTool:
    """A tool to write. Fields that the options do not state are None or empty."""

    name: str
    description: str | None = None
    parameters: tuple[NewField, ...] = ()
    returns: tuple[NewField, ...] = ()
    errors: tuple[tuple[str, str], ...] = ()
    effects: str | None = None
    idempotent: str | None = None
    security: str | None = None

    @property
    def module(self) -> str:
        """The name without its last part, with `_` between the other parts: the front matter's `module`."""
        return self.name.rpartition(".")[0]


def read_name(name: str) -> str:
    """Return a dotted tool name. Raises UsageError with a valid suggestion for an invalid one."""
    if len(name) > _LONGEST_NAME:
        raise UsageError(
            f"the tool name has {len(name):,} characters, over the limit of {_LONGEST_NAME}",
            hint="choose a shorter one: clients drop longer names",
        )
    if _NAME.fullmatch(name):
        return name
    fitting = ".".join(
        part for part in (re.sub(r"[^a-z0-9_]+", "_", p.lower()).strip("_") for p in name.split(".")) if part
    )
    if "." not in fitting:
        fitting = f"my_module.{fitting or 'my_tool'}"
    raise UsageError(
        f"`{name}` is not a tool name: lowercase letters, digits and `_`, with a module before the dot",
        hint=f"write `{fitting}`",
    )


def read_parameter(text: str) -> NewField:
    """Read `name:type[:required|optional][:description]`; optional by default, and a description may contain colons."""
    name, type_text, rest = _parts(text, "--param", "name:type[:required|optional][:description]")
    flag, _, after = rest.partition(":")
    word = flag.strip().lower()
    if word in ("required", "optional"):
        return _field(name, type_text, word == "required", after.strip(), "--param")
    return _field(name, type_text, False, rest.strip(), "--param")


def read_return(text: str) -> NewField:
    """Read `name:type[:description]`; fields of a result are always required."""
    name, type_text, rest = _parts(text, "--returns", "name:type[:description]")
    return _field(name, type_text, True, rest.strip(), "--returns")


def read_error(text: str) -> tuple[str, str]:
    """Read `Type:when`."""
    name, colon, when = text.partition(":")
    if not colon or not when.strip() or not re.fullmatch(r"[A-Z][A-Za-z0-9]+", name.strip()):
        raise UsageError(
            f"`--error {text}` is not `Type:when`, with the type in PascalCase",
            hint='write, for example, `--error "ResourceNotFound:no place has that name"`',
        )
    return name.strip(), _line(when)


def read_effect_words(text: str) -> str:
    """Read effects such as `read-only, closed-world`. Raises UsageError for an unknown or contradictory word."""
    effects = read_effects(text)
    if effects.unknown or (effects.change is None and effects.world is None):
        wrong = effects.unknown[0] if effects.unknown else text
        raise UsageError(
            f"`--effects {text}`: `{wrong}` is not valid here",
            hint="write one of read-only, additive, destructive, and one of open-world, closed-world",
        )
    return ", ".join(word for word in (effects.change, effects.world) if word)


def unique(fields: Sequence[NewField], option: str) -> tuple[NewField, ...]:
    """Return the fields. Raises UsageError for a repeated name."""
    names = [field.name for field in fields]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"`{option}` gives `{name}` twice", hint="give each name once")
    return tuple(fields)


def _parts(text: str, option: str, form: str) -> tuple[str, str, str]:
    """Return the name, the type (which may contain a colon in brackets) and the rest."""
    name, colon, rest = text.partition(":")
    depth = 0
    end = len(rest)
    quote = ""
    for index, character in enumerate(rest):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "[(<":
            depth += 1
        elif character in "])>":
            depth -= 1
        elif character == ":" and depth <= 0:
            end = index
            break
    name, type_text = name.strip(), rest[:end].strip()
    if not colon or not name or not type_text:
        raise UsageError(f"`{option} {text}` is not `{form}`", hint=f'write, for example, `{option} "limit:integer"`')
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        what = "a parameter" if option == "--param" else "a field"
        raise UsageError(
            f"`{option} {text}`: `{name}` is not a valid name for {what}", hint="use letters, digits and `_`"
        )
    return name, type_text, rest[end + 1 :]


def _field(name: str, type_text: str, is_required: bool, description: str, option: str) -> NewField:
    schema = read_type(type_text)
    if schema is None:
        raise UsageError(f"`{option} {name}`: `{type_text}` is not a known type", hint=f"write one of {_TYPES}, …")
    if schema.get("type") == "array" and "items" not in schema:
        raise UsageError(f"`{option} {name}`: `{type_text}` does not have an item type", hint="write `array[string]`")
    return NewField(name, type_text, dict(schema), is_required, _line(description))


def _line(text: str) -> str:
    """Return text on one line, for a table cell or a bullet."""
    return re.sub(r"\s+", " ", text).strip()
