"""Check calls against the known contracts: the tool that a name refers to, and the validity of the arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.messages import TOOL_NAME_PATTERN
from mcp_contracts.providers.names import NameMap
from mcp_contracts.records import dataclass, field
from mcp_contracts.schema.simple import properties_of
from mcp_contracts.schema.validation.validators import compile_shared, instance_errors
from mcp_contracts.schema.wording import shown_text
from mcp_contracts.tool_names import Tools, nearest_names, qualify
from mcp_contracts.version_ranges import newest

_DOTTED = re.compile(TOOL_NAME_PATTERN)
_SUBJECT = "the arguments object"
_NAMESPACES = ("functions.", "default_api.")
_LOOSE_NAMESPACES = ("functions", "default_api", "tools", "tool", "api", "mcp", "client", "self")
_PARTED = re.compile(r"\w[_.\-]\w|[a-z][A-Z]")
_UNFOLDED = re.compile(r"[^a-z0-9]")
_MOST_NEAREST = 3
_MOST_SHOWN = 80
_MOST_SUGGESTED = 20
_MOST_REMEMBERED = 1_000


@dataclass(frozen=True, slots=True)
class CallError:
    """An error in a call: a pointer into the arguments, a message, and a hint.

    `error_type` is the type for the answer. `nearest` are the names of tools that resemble an unknown one.
    """

    message: str
    pointer: str = ""
    hint: str | None = None
    error_type: str = "ValidationError"
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownTools:
    """The tools that a model may call.

    `contracts` is None if they are unknown, so that any dotted name may be a tool.
    """

    contracts: Mapping[str, ToolContract] | None
    names: NameMap | None
    alike: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    own: Mapping[str, str] = field(default_factory=dict)  # a tool's name at its source, if only one tool has it
    suggested: dict[str, tuple[str, ...]] = field(default_factory=dict)
    called: dict[str, bool] = field(default_factory=dict)  # answers of `is_called`
    meanings: dict[str, frozenset[str] | None] = field(default_factory=dict)  # answers of `parameters`

    @classmethod
    def of(cls, tools: Tools | None, names: NameMap | None) -> KnownTools:
        """Use the newest version of each tool. Raises UsageError if two tools have the same name."""
        if tools is None:
            return cls(None, names)
        versions: dict[str, list[ToolContract]] = {}
        for contract in qualify(tools):
            versions.setdefault(contract.name, []).append(contract)
        contracts = {name: found[newest(one.version for one in found) or 0] for name, found in versions.items()}
        alike: dict[str, tuple[str, ...]] = {}
        own: dict[str, list[str]] = {}
        for name, contract in sorted(contracts.items()):
            # Variants of a name that models write: other case and separators, or only the last part.
            for spelling in {_fold(name), _fold(name.rpartition(".")[2]), _fold(contract.source_name or name)}:
                alike[spelling] = (*alike.get(spelling, ()), name)
            if contract.source_name is not None:
                own.setdefault(contract.source_name, []).append(name)
        unique = {source: found[0] for source, found in own.items() if len(found) == 1 and source not in contracts}
        return cls(contracts, names, alike, unique)

    def is_meant(self, name: str) -> bool:
        """Whether text is definitely meant as the name of a tool; always False if the tools are unknown."""
        if self.contracts is None:
            return False
        # The last part by itself may be an ordinary word.
        folded = _fold(name)
        return self._resolve(name) is not None or any(_fold(one) == folded for one in self.alike.get(folded, ()))

    @property
    def callee_ends(self) -> str:
        """The last characters of the tools' names in any spelling."""
        names: set[str] = set() if self.names is None else set(self.names.from_provider)
        return "".join(
            sorted({name[-1:].lower() for name in {*self.alike, *self.own, *(self.contracts or ()), *names}})
        )

    def is_name(self, name: str) -> bool:
        """Whether a call may have this name: a tool's, or any dotted name if the tools are unknown."""
        return self._resolve(name) is not None

    def is_called(self, name: str) -> bool:
        """Whether a name before a bracket is a tool's, possibly in another spelling; False if tools are unknown."""
        if self.contracts is None:
            return False
        if name not in self.called:
            if len(self.called) >= _MOST_REMEMBERED:
                self.called.clear()
            # One word may be a function of any program.
            is_like_tool = _PARTED.search(name) is not None and _fold(name) in self.alike
            self.called[name] = is_like_tool or self._resolve(name) is not None
        return self.called[name]

    def parameters(self, name: str) -> frozenset[str] | None:
        """Return the parameters of the tools that a name may mean, in any spelling or by its last part.

        None if it matches no tool. The last part may be an ordinary word, so only its arguments show that a tool was
        meant.
        """
        if self.contracts is None:
            return None
        if name not in self.meanings:
            if len(self.meanings) >= _MOST_REMEMBERED:
                self.meanings.clear()
            self.meanings[name] = self._parameters(name)
        return self.meanings[name]

    def _parameters(self, name: str) -> frozenset[str] | None:
        known = self._resolve(name)
        first, _, last = name.rpartition(".")
        spelling = last if first in _LOOSE_NAMESPACES or _PARTED.search(last) is not None else name
        meant = (known,) if known is not None else self.alike.get(_fold(name)) or self.alike.get(_fold(spelling), ())
        found: set[str] = set()
        for tool in meant:
            found.update(properties_of(self.schema_of(tool)))
        return frozenset(found) if meant else None

    def resembles(self, name: str) -> bool:
        """Whether text may be meant as the name of a tool, or a similar name exists."""
        if self.contracts is None:
            return False
        return self.is_meant(name) or _fold(name) in self.alike or bool(self._nearest(name, self.contracts))

    def schema_of(self, name: str) -> JsonValue:
        """Return the input schema of a tool, or None if it is unknown."""
        known = self._resolve(name)
        return None if known is None or self.contracts is None else self.contracts[known].input_schema

    def judge(self, name: str, arguments: dict[str, JsonValue]) -> tuple[str | None, tuple[CallError, ...]]:
        """Return the dotted name of the tool that `name` means, and the contract's errors for the arguments.

        A tool is known by its dotted name, the provider's name, or its own name at its source if no other tool has it.
        Any other name is unknown, even if it resembles a known one, and is only returned if it is a dotted name.
        """
        known = self._resolve(name)
        if known is None:
            return (name if _DOTTED.fullmatch(name) else None), (self._unknown_error(name),)
        contract = None if self.contracts is None else self.contracts[known]
        if contract is None or contract.input_schema is None:
            return known, ()
        outcome = instance_errors(compile_shared(contract.input_schema), arguments, subject=_SUBJECT)
        if outcome.unknown is not None:
            message = f"the arguments could not be validated: {outcome.unknown}"
            return known, (CallError(message, error_type="ToolExecutionError"),)
        return known, tuple(CallError(error.message, error.pointer) for error in outcome.errors)

    def _resolve(self, name: str) -> str | None:
        """Return the dotted name that the text means."""
        if self._is_known(name):
            return name
        dotted = None if self.names is None else self.names.from_provider.get(name)
        if dotted is not None and self._is_known(dotted):
            return dotted
        if name in self.own:
            return self.own[name]
        # Some models write the namespace of their tools before the name.
        if self.contracts is not None and (short := _without_namespace(name)) != name:
            return self._resolve(short)
        return None

    def _is_known(self, name: str) -> bool:
        return _DOTTED.fullmatch(name) is not None if self.contracts is None else name in self.contracts

    def _unknown_error(self, name: str) -> CallError:
        shown = shown_text(name, limit=_MOST_SHOWN)
        if self.contracts is None:
            way_out = "write a dotted name such as `weather.get_forecast`"
            return CallError(f"`{shown}` is not a dotted name", hint=way_out, error_type="ResourceNotFound")
        found = self.alike.get(_fold(name), ())[:_MOST_NEAREST]
        found += tuple(one for one in self._nearest(name, self.contracts) if one not in found)
        spelled: Mapping[str, str] = {} if self.names is None else self.names.to_provider
        nearest = tuple(spelled.get(one, one) for one in found[:_MOST_NEAREST])
        hint = f"did you mean {' or '.join(f'`{one}`' for one in nearest)}?" if nearest else None
        return CallError(f"unknown tool `{shown}`", hint=hint, error_type="ResourceNotFound", nearest=nearest)

    def _nearest(self, name: str, known: Iterable[str]) -> tuple[str, ...]:
        """Return the names closest to an unknown one. Lookups are slow, so after the first few, return none."""
        if name not in self.suggested and len(self.suggested) < _MOST_SUGGESTED:
            self.suggested[name] = nearest_names(name, known)
        return self.suggested.get(name, ())


def _without_namespace(name: str) -> str:
    for namespace in _NAMESPACES:
        if name.startswith(namespace):
            return name.removeprefix(namespace)
    return name


def _fold(name: str) -> str:
    return _UNFOLDED.sub("", name[:200].lower())
