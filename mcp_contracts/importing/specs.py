"""The tools of one module imported into its specification: new tools are added, and known ones are updated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from mcp_contracts.contract import JsonValue, SpecFile, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.formatting.headings import content_end
from mcp_contracts.formatting.layout import ToolLayout, read_layout
from mcp_contracts.formatting.rows import Edit, with_edits
from mcp_contracts.formatting.specs import format_spec
from mcp_contracts.importing.edits import Update, update_edits
from mcp_contracts.importing.parts import (
    EFFECTS,
    LINES,
    OF_THE_SURFACE,
    PARTS,
    Parts,
    digest_of,
    digests_of,
    fitted_contract,
    parts_of,
    read_record,
    record_text,
    without,
)
from mcp_contracts.importing.texts import PLACEHOLDER, SAMPLED, tool_text
from mcp_contracts.migration.specs import placeholder_counts
from mcp_contracts.parsing.discovery import MAX_FILE_SIZE
from mcp_contracts.parsing.markdown.blocks import Paragraph
from mcp_contracts.parsing.spec import MAX_LINES, read_spec
from mcp_contracts.records import dataclass, field, replace
from mcp_contracts.tool_names import qualified_name, qualify
from mcp_contracts.witnesses.counterexamples import make_readable, sample_witness
from mcp_contracts.writing.template import file_head


def sampled_call(contract: ToolContract) -> JsonValue:
    """Return a call that the input schema accepts; None if sampling finds none."""
    schema = contract.input_schema
    if not isinstance(schema, dict):
        return None
    arguments = sample_witness(schema, False)
    if not isinstance(arguments, dict):
        return None
    return {"tool_name": contract.name, "arguments": make_readable(arguments, schema, False)}


_FREE = ("security", "migration", "errors", "title", "use when", "source name", "description")
"""Parts of any text, the least important first."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A tool to be written. `parts` are the parts to write, including the sampled call; `lost` are those that cannot be
    written.
    """

    contract: ToolContract
    parts: Parts
    sampled: JsonValue
    text: str
    lost: tuple[str, ...]

    @property
    def stated(self) -> Parts:
        """The parts that the source states itself."""
        return {name: value for name, value in self.parts.items() if name != "examples" or self.sampled is None}


def draft_of(contract: ToolContract) -> Draft:
    """Return a contract as text that parses to the same contract; parts that would not are left out.

    Raises UsageError for an invalid tool name, and for a tool that exceeds the limits of a file.
    """
    contract = fitted_contract(contract)
    lost: list[str] = []
    is_sampling = True
    while True:
        parts = parts_of(contract)
        sampled = sampled_call(contract) if is_sampling and "examples" not in parts else None
        if sampled is not None:
            parts["examples"] = [{"kind": "call", "value": sampled}]
        draft = Draft(contract, parts, sampled, "", tuple(lost))
        text = tool_text(contract, draft.stated, digests_of(parts), sampled)
        check_length(contract.name, text, hint="leave the tool out with `--exclude`")
        wrong = _unread(text, contract.name, parts)
        if not wrong:
            return Draft(contract, parts, sampled, text, tuple(lost))
        if sampled is not None and "examples" in wrong:
            wrong.remove("examples")
            is_sampling = False
        for name in wrong:
            contract = without(contract, name)
        lost += wrong


def check_length(subject: str, text: str, *, hint: str) -> None:
    """Raise UsageError for text that is too long for any command to read."""
    lines, size = text.count("\n"), len(text.encode("utf-8", "replace"))
    if lines >= MAX_LINES or size > MAX_FILE_SIZE:
        raise UsageError(
            f"`{subject}` would have {lines:,} lines and {size:,} bytes, over the limits of {MAX_LINES:,} lines and "
            f"{MAX_FILE_SIZE:,} bytes",
            hint=hint,
        )


def _first_of(parts: Parts, name: str) -> list[str]:
    """Return the least important part. Raises UsageError if none is left, since the name must be the cause."""
    found = [one for one in (*_FREE, *parts) if one in parts]
    if not found:
        hint = "leave the tool out with `--exclude`, or rename it"
        raise UsageError(f"a specification cannot contain a tool named `{name}`", hint=hint)
    return found[:1]


def _unread(text: str, name: str, parts: Parts) -> list[str]:
    """Return the parts that the text does not preserve; if it is not one tool, a part that may be the cause."""
    spec = read_spec("", text)
    if [tool.contract.name for tool in spec.tools] != [name] or spec.tools[0].is_legacy:
        return _first_of(parts, name)
    read = parts_of(spec.tools[0].contract)
    wrong = [one for one, value in parts.items() if one not in read or digest_of(read[one]) != digest_of(value)]
    # A value such as `x | **Effects**: read-only` would be read as two lines.
    is_forged = bool(({*LINES, *EFFECTS} - {"version"}) & (read.keys() - parts.keys()))
    return wrong or [one for one in LINES if is_forged and "**" in str(parts.get(one))]


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision on each part of a tool that a specification already has.

    `taken` parts come from the source; if they were also edited since the last import, they are `replaced`. `removed`
    parts are missing from the source. `kept` parts differ from the source, which has not changed since the last import.
    """

    taken: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    @property
    def is_change(self) -> bool:
        """Whether the tool changes."""
        return bool(self.taken or self.removed)

    def without(self, name: str) -> Decision:
        """Return the decision with one part left unchanged."""
        parts = (self.taken, self.removed, self.replaced, self.kept)
        return Decision(*(tuple(one for one in names if one != name) for names in parts))


def decide(source: Parts, written: Parts, record: Mapping[str, str]) -> Decision:
    """Decide what to do with each part, given the source, the specification, and the record of the last import.

    A part is taken if the source changed it since the last import. Without a record, parts that MCP has a field for are
    taken, and others only if the specification does not state them.
    """
    taken, removed, replaced, kept = [], [], [], []
    for name in PARTS:
        theirs, ours, last = source.get(name), written.get(name), record.get(name)
        is_edited = last is not None and (ours is None or digest_of(ours) != last)
        if theirs is None:
            if last is not None and ours is not None and not is_edited:
                removed.append(name)
        elif ours is not None and digest_of(ours) == digest_of(theirs):
            continue
        elif last == digest_of(theirs):
            kept.append(name)
        elif last is not None or ours is None or name in OF_THE_SURFACE:
            taken.append(name)
            if is_edited:
                replaced.append(name)
        else:
            kept.append(name)
    return Decision(tuple(taken), tuple(removed), tuple(replaced), tuple(kept))


State = Literal["added", "updated", "unchanged", "missing", "removed", "refused"]
_MARK = "\ufeff"
_FEWER_TOOLS = "choose fewer tools with `--tool` and `--exclude`, and import the others into another folder"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome for one tool. `lost` are the parts that a specification cannot represent."""

    name: str
    state: State
    decision: Decision = field(default_factory=Decision)
    lost: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ImportedSpec:
    """The text of a specification after an import, and the outcome for each tool; `text` is the old one if none
    changed.
    """

    text: str
    outcomes: tuple[Outcome, ...]
    missing: Mapping[str, int]


def by_module(contracts: Iterable[ToolContract], *, module: str | None = None) -> Mapping[str, list[ToolContract]]:
    """Return the tools of each module, in order. `module` is for tools whose names do not state one.

    Raises UsageError if two tools get the same name, since a specification contains one version of each tool."""
    stated = [contract if module is None else replace(contract, module=module) for contract in contracts]
    found: dict[str, list[ToolContract]] = {}
    names: set[str] = set()
    for contract in qualify(stated):
        if contract.name in names:
            hint = "import one version at a time"
            raise UsageError(f"the source has several versions of `{contract.name}`", hint=hint)
        names.add(contract.name)
        found.setdefault(contract.name.rpartition(".")[0], []).append(contract)
    return found


def import_module(
    path: str,
    module: str,
    old: str | None,
    contracts: Sequence[ToolContract],
    *,
    is_pruning: bool = False,
    is_whole: bool = True,
) -> ImportedSpec:
    """Merge the tools of a source into a specification; `contracts` are the contracts of one module, under their dotted
    names.

    `old` is its text, or None for a new file. Imported tools that are missing from the source are kept, and reported as
    missing if the source `is_whole`; `is_pruning` removes them. An update that would change anything else is refused.
    Raises UsageError if the text would be too long to read.
    """
    drafts = [draft_of(contract) for contract in contracts]
    text = file_head(module) if old is None else old
    spec = read_spec(path, text)
    refused: dict[str, str] = {}
    for _ in range(len(drafts) + 1):
        merge = _Merge(spec, drafts, refused, is_pruning=is_pruning, is_whole=is_whole)
        changed = merge.text()
        check_length(path, changed, hint=_FEWER_TOOLS)
        wrong = merge.wrong(changed)
        if not wrong:
            break
        refused.update(dict.fromkeys(wrong, "the rest of the file would also change; edit it by hand"))
    outcomes = tuple(merge.outcomes)
    if changed == spec.text:
        return ImportedSpec(old or "", outcomes, {})
    formatted = format_spec(path, changed).text
    mark = _MARK if text.startswith(_MARK) else ""
    return ImportedSpec(f"{mark}{formatted}", outcomes, placeholder_counts(read_spec(path, formatted)))


class _Merge:
    """An attempt to merge drafts into a specification, without those that earlier attempts refused."""

    def __init__(
        self, spec: SpecFile, drafts: Sequence[Draft], refused: Mapping[str, str], *, is_pruning: bool, is_whole: bool
    ) -> None:
        self._spec = spec
        self._layout = read_layout(spec)
        self._known = {tool.found.name: tool for tool in reversed(self._layout.tools) if tool.tool is not None}
        self._legacy = {qualified_name(tool.contract) for tool in spec.tools if tool.is_legacy}
        self._edits: list[Edit] = []
        self._expected: dict[str, Parts] = {}
        self.outcomes: list[Outcome] = []
        self._add(drafts, refused)
        if is_whole:
            self._leave({draft.contract.name for draft in drafts}, is_pruning=is_pruning)

    def text(self) -> str:
        """Return the merged text."""
        return with_edits(self._spec.text, _together(self._edits)) if self._edits else self._spec.text

    def wrong(self, text: str) -> list[str]:
        """Return the tools to refuse: those that are parsed differently, or all changed ones if an unchanged tool
        is."""
        if not self._edits:
            return []
        after = read_spec(self._spec.path, text)
        read = {contract.name: digests_of(parts_of(contract)) for contract in reversed(after.contracts)}
        wrong = [
            name
            for name, parts in self._expected.items()
            if not digests_of(parts).items() <= read.get(name, {}).items()
        ]
        left = {outcome.name for outcome in self.outcomes if outcome.state == "removed"}
        others = [one.contract for one in self._spec.tools if one.contract.name not in {*self._expected, *left}]
        names = Counter([*(contract.name for contract in others), *self._expected])
        is_whole = names == Counter(contract.name for contract in after.contracts) and all(
            read[one.name] == digests_of(parts_of(one)) for one in others if names[one.name] == 1
        )
        return wrong if wrong or is_whole else [*self._expected]

    def _add(self, drafts: Sequence[Draft], refused: Mapping[str, str]) -> None:
        """Update the known tools, and insert each new one after its predecessor in the source."""
        end = max((tool.end for tool in self._layout.tools), default=len(self._layout.source.lines))
        at = content_end(self._layout.source, 0, end)
        new: dict[int, list[str]] = {}
        for draft in drafts:
            name = draft.contract.name
            known = self._known.get(name)
            if known is not None:
                at = content_end(self._layout.source, known.heading.end, known.end)
            if name in refused:
                self.outcomes.append(Outcome(name, "refused", reason=refused[name]))
            elif known is not None:
                self._update(draft, known)
            elif name in self._legacy:
                reason = "it is written in an older dialect; convert it with `mcp-contracts migrate` first"
                self.outcomes.append(Outcome(name, "refused", reason=reason))
            else:
                new.setdefault(at, []).extend(("", *draft.text.rstrip("\n").split("\n")))
                self._expected[name] = draft.parts
                self.outcomes.append(Outcome(name, "added", lost=draft.lost))
        self._edits += [Edit(row, row, tuple(lines)) for row, lines in new.items()]

    def _update(self, draft: Draft, known: ToolLayout) -> None:
        tool = known.tool
        assert tool is not None  # `_known` contains no others
        record, written = read_record(known.intro), _stated_parts(tool.contract)
        decision = decide(draft.parts, written, record)
        if "examples" not in draft.stated and not (
            _is_marked(known) and digests_of(written).get("examples") == record.get("examples")
        ):
            decision = decision.without("examples")
        name = draft.contract.name
        if not decision.is_change:
            self.outcomes.append(Outcome(name, "unchanged", decision, draft.lost))
            return
        parts = {one: value for one, value in written.items() if one not in decision.removed}
        parts.update({one: draft.parts[one] for one in decision.taken})
        digests = {
            one: digest_of(value) if one in decision.taken or written.get(one) == value else record.get(one)
            for one, value in draft.parts.items()
        }
        is_sampled = "examples" not in draft.stated and "examples" in (*decision.taken, *decision.removed)
        update = Update(
            source=self._layout.source,
            layout=known,
            tool=tool,
            contract=draft.contract,
            parts={one: value for one, value in parts.items() if one != "examples" or not is_sampled},
            changed={*decision.taken, *decision.removed},
            record=record_text({one: digest for one, digest in digests.items() if digest is not None}),
            sampled=draft.sampled,
        )
        self._edits += update_edits(update)
        self._expected[name] = parts
        self.outcomes.append(Outcome(name, "updated", decision, draft.lost))

    def _leave(self, names: Collection[str], *, is_pruning: bool) -> None:
        """Handle the imported tools that are missing from the source."""
        for name, tool in self._known.items():
            if name in names or not read_record(tool.intro):
                continue
            self.outcomes.append(Outcome(name, "removed" if is_pruning else "missing"))
            if is_pruning:
                self._edits.append(Edit(tool.heading.row, tool.end, ()))


def _together(edits: Sequence[Edit]) -> Iterator[Edit]:
    """Yield the edits in order, with insertions at the same place joined."""
    inserted: dict[int, list[str]] = {}
    for edit in edits:
        if edit.start == edit.end:
            inserted.setdefault(edit.start, []).extend(edit.lines)
        else:
            yield edit
    yield from (Edit(row, row, tuple(lines)) for row, lines in inserted.items())


def _stated_parts(contract: ToolContract) -> Parts:
    """Return the parts that a specification states, without placeholders."""
    parts = parts_of(contract)
    return {name: value for name, value in parts.items() if not PLACEHOLDER.fullmatch(str(value))}


def _is_marked(tool: ToolLayout) -> bool:
    """Whether the example of a tool is still the sampled one."""
    return any(isinstance(block, Paragraph) and block.text == SAMPLED for block in tool.blocks)
