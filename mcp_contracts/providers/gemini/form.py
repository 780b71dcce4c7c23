"""Gemini's `Schema`, a subset of OpenAPI 3.0, and the form of a JSON Schema in it.

The keywords are those of `google.genai.types.Schema` in google-genai 3.4. The API accepts less, so the form avoids what
users reported as rejected: `additionalProperties` (felinics/Memoh#620, June 2026), anything next to `anyOf`
(anomalyco/opencode#15795, lambda-alpha-labs/Graphenium#37, July 2026), a string `format` other than `date-time`
(google-gemini/gemini-cli#3178), an `enum` of values other than strings (diegosouzapw/OmniRoute#760), a node without a
`type` (google-gemini/gemini-cli#4400) and an object without properties at the root (pipecat-ai/pipecat-flows#110).
"""

from __future__ import annotations

from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.providers import keywords, sentences
from mcp_contracts.providers.changes import ChangeKind, SubsetChange, SubsetForm
from mcp_contracts.providers.gemini.types import (
    KNOWN,
    alternatives,
    annotate,
    constraints,
    join_forms,
    list_values,
    scalars,
)
from mcp_contracts.providers.merging import Schema, conjunction, merge
from mcp_contracts.providers.roots import add_note, plain_root, quote
from mcp_contracts.providers.skeleton import Bounds, NoFormError, Skeleton
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.references import Reference, references
from mcp_contracts.schema.simple import as_list, as_object, properties_of, strings, value_key

_BOUNDS = Bounds(40, 5_000, "the schema is too large or too deeply nested once its references are inlined")
_STRUCTURE = frozenset(("type", "properties", "required", "items", "prefixItems", "additionalItems", "format"))
_ANY = ("string", "number", "boolean", "object", "array")


class GeminiBuilder(Skeleton):
    """Builds the form of one schema."""

    def __init__(
        self, root: Schema, original: JsonValue, changes: tuple[SubsetChange, ...], *, is_draft_7: bool
    ) -> None:
        super().__init__(root, original, _BOUNDS, changes, is_draft_7=is_draft_7)
        self._references: dict[str, Reference] = {}
        self._ambiguous: set[str] = set()
        for found in references(root):
            other = self._references.setdefault(found.text, found)
            if other.target_pointer != found.target_pointer:
                self._ambiguous.add(found.text)
        self._targets = {text: found.target for text, found in self._references.items()}
        self._open = [""]  # targets being inlined: a reference to one of them is recursive

    def whole(self) -> Schema | None:
        """Return the form of the root; None without properties, or if it cannot be written."""
        try:
            form = self.build(self._root, "", 0)
        except NoFormError:
            return None
        if form.get("properties"):
            return form
        if form.keys() - {"type", "properties"}:
            message = "the description of the arguments is left out, because the tool has none"
            self.change("", "", message, ChangeKind.NOTE)
        return None

    def check(self, schema: JsonValue, pointer: str) -> Schema:
        """Refuse schemas that accept nothing, and `$dynamicRef`."""
        if schema is False:
            raise self.refuse(pointer, "", "the schema accepts nothing")
        found = as_object(schema)
        if found.get("not", False) in (True, {}):
            raise self.refuse(f"{pointer}/not", "not", "the schema accepts nothing")
        if "$dynamicRef" in found:
            raise self.refuse(f"{pointer}/$dynamicRef", "$dynamicRef", "`$dynamicRef` cannot be inlined")
        return found

    # References and `allOf`

    def _target(self, text: JsonValue, where: str) -> Reference:
        """Return the target of a reference, which must not be one that is being inlined."""
        found = self._references.get(str(text))
        if found is None or found.target_pointer is None or found.text in self._ambiguous:
            raise self.refuse(where, "$ref", "the reference does not resolve to one place in the schema")
        if found.target_pointer in self._open:
            raise self.refuse(where, "$ref", "the schema is recursive, and cannot be inlined")
        return found

    def follow_reference(self, schema: Schema, pointer: str, level: int) -> Schema:
        """Return the form of a reference's target, inlined and merged with the sibling keywords."""
        target = self._target(schema["$ref"], f"{pointer}/$ref")
        where = target.target_pointer or ""
        self.change(f"{pointer}/$ref", "$ref", "the reference is inlined")
        beside: Schema = {key: value for key, value in schema.items() if key != "$ref"}
        if self._is_draft_7:  # in draft-07, only annotations have an effect next to a reference
            beside = {key: value for key, value in beside.items() if key in keywords.ANNOTATIONS}
        together = target.target
        if beside and together is not False:
            inner = as_object(together)
            both: Schema | None = {**inner, **beside}
            if beside.keys() - keywords.ANNOTATIONS - keywords.SILENT:
                both = None if "$ref" in inner else merge(beside, inner)
            together = self.remember({"allOf": [beside, inner]} if both is None else both, pointer)
        self._open.append(where)
        form = self.build(together, where, level + 1)
        self._open.pop()
        return form

    def merge_all(self, schema: Schema, pointer: str, level: int) -> Schema:
        """Merge an `allOf` into one schema; parts that cannot be merged become text."""
        where = f"{pointer}/allOf"
        result: Schema = {key: value for key, value in schema.items() if key != "allOf"}
        opened = len(self._open)
        for part in as_list(schema["allOf"]):
            if part is True:
                continue
            found = self._follow(part, where)
            both = merge(result, found) if isinstance(found, dict) else None
            if both is None:
                self.change(where, "allOf", "a part of `allOf` moves into the description", ChangeKind.WIDENED)
                result["description"] = add_note(
                    result.get("description"), f"Must also match {quote(self._in_words(part))}."
                )
            else:
                result = both
        self.change(where, "allOf", "`allOf` is merged into one schema")
        self.remember(result, pointer)
        form = self.build(result, pointer, level + 1)
        del self._open[opened:]
        return form

    def _follow(self, schema: JsonValue, where: str) -> JsonValue:
        """Resolve the reference at the head of a schema, and mark its target as being inlined."""
        while isinstance(schema, dict) and "$ref" in schema:
            target = self._target(schema["$ref"], where)
            self._open.append(target.target_pointer or "")
            beside: Schema = {} if self._is_draft_7 else {key: schema[key] for key in schema if key != "$ref"}
            schema = {**beside, "allOf": [target.target, *as_list(beside.get("allOf"))]} if beside else target.target
        return schema

    # Alternatives

    def join_branches(self, schema: Schema, keyword: str, pointer: str, level: int) -> Schema:
        """Return the alternatives of all branches, each combined with the sibling keywords."""
        where = f"{pointer}/{keyword}"
        around: Schema = {key: schema[key] for key in schema if _is_annotation(key)}
        rest: Schema = {key: schema[key] for key in schema if key != keyword and key not in around}
        if rest:
            self.change(where, keyword, f"the keywords next to `{keyword}` are copied into each branch")
        taken = list(self._branches(schema, keyword, rest, pointer))
        forms: list[Schema] = []
        for here, branch in taken:
            if not _is_null(branch):
                found = alternatives(self.build(branch, here, level + 1))
                if len(found) > 1:
                    self.change(here, keyword, "nested alternatives are flattened")
                forms.extend(found)
        if keyword == "oneOf":
            each = [as_object(branch) for _, branch in taken]
            self.open_choice(each, around, self._follow_once, pointer)
        is_nullable = any(_is_null(branch) for _, branch in taken)
        said = annotate(around, pointer, self)
        if not forms:
            if not is_nullable:
                raise self.refuse(where, keyword, f"no branch of `{keyword}` accepts anything")
            self.change(where, keyword, "only the branch for null remains")
            return {"type": "NULL", **said}
        if is_nullable:
            self.change(where, keyword, "the branch for null becomes `nullable`")
            forms = [{**form, "nullable": True} for form in forms]
        if len(forms) == 1:
            self.change(where, keyword, f"`{keyword}` is replaced by its only branch")
        return join_forms(forms, said, pointer, self)

    def _branches(self, schema: Schema, keyword: str, rest: Schema, pointer: str) -> list[tuple[str, JsonValue]]:
        """Return the branches of a choice that a value may match, each combined with the sibling keywords."""
        found: list[tuple[str, JsonValue]] = []
        for index, branch in enumerate(as_list(schema[keyword])):
            here = f"{pointer}/{keyword}/{index}"
            together = conjunction([branch, rest])
            is_plain = isinstance(branch, dict) and branch.keys().isdisjoint(("$ref", "allOf"))
            if rest and isinstance(branch, dict) and is_plain:
                both = merge(rest, branch)
                if both is None and keywords.are_of_other_types(rest, branch):
                    together = False
                else:
                    together = {"allOf": [rest, branch]} if both is None else both
            if together is False:
                self.change(here, keyword, "a branch that no value matches is left out")
            else:
                found.append((here, self.remember(together, here)))
        return found

    def _follow_once(self, schema: Schema) -> Schema:
        target = self._references.get(str(schema.get("$ref")))
        return target.target if target is not None and isinstance(target.target, dict) else schema

    # Plain schemas

    def build_plain(self, schema: Schema, pointer: str, level: int) -> Schema:
        """Return the form of enumerated values, or a form for each type."""
        stated = schema.get("type")
        types = self.types(schema, pointer)
        if "enum" in schema or "const" in schema:
            forms = list_values(schema, types, pointer, self)
            if not forms:
                keyword = "enum" if "enum" in schema else "const"
                raise self.refuse(f"{pointer}/{keyword}", keyword, "no listed value can be sent")
            return join_forms(forms, annotate(schema, pointer, self), pointer, self)
        is_any = not types
        if is_any:
            types = [*_ANY, "null"]
            message = "any value is expanded to all types, except nested arrays"
            self.change(pointer, "type", message, ChangeKind.NARROWED)
        others = [name for name in types if name != "null"]
        if "number" in others and "integer" in others:
            others.remove("integer")
            self.change(f"{pointer}/type", "type", "`integer` is left out because `number` includes it")
        self._leave_out_idle(schema, others, pointer)
        if not others:
            return {"type": "NULL", **annotate(schema, pointer, self)}
        if not is_any and (len(others) > 1 or types != [*others, "null"]) and isinstance(stated, list):
            message = "each type becomes an alternative" if len(others) > 1 else "the list of types becomes one type"
            self.change(f"{pointer}/type", "type", message)
        forms = []
        notes: list[str] = []
        for name in others:
            form, said = self._of_type(schema, name, pointer, level, is_any=is_any)
            if len(others) == 1:
                notes = said
            elif said:
                form["description"] = " ".join(said)
            forms.append({**form, "nullable": True} if "null" in types else form)
        return join_forms(forms, annotate(schema, pointer, self, notes), pointer, self)

    def _leave_out_idle(self, schema: Schema, types: list[str], pointer: str) -> None:
        """List the constraints that do not apply to any value of these types."""
        for key in schema:
            if key in keywords.ANNOTATIONS or key in keywords.SILENT or key in ("type", "format") or key not in KNOWN:
                continue
            if not any(
                sentences.applies_to_type(key, name) or sentences.is_structure_of(key, name, schema) for name in types
            ):
                self.change(f"{pointer}/{key}", key, f"`{key}` does not apply to such values and is left out")

    def _of_type(
        self, schema: Schema, name: str, pointer: str, level: int, *, is_any: bool
    ) -> tuple[Schema, list[str]]:
        """Return the form for the values of one type, and the sentences for its description."""
        said = {key: value if key in _STRUCTURE else self._in_words(value) for key, value in schema.items()}
        kept, notes = constraints(said, name, pointer, self)
        form: Schema = {"type": name.upper(), **kept}
        if name == "array":
            is_free = is_any and schema.keys().isdisjoint(("items", "prefixItems"))
            form["items"] = {"anyOf": scalars()} if is_free else self._items(schema, notes, pointer, level)
        if name == "object":
            form.update(self._object(schema, notes, pointer, level))
        return form, notes

    def _in_words(self, value: JsonValue) -> JsonValue:
        """Return a part of the schema that can be quoted without its definitions."""
        return sentences.spell_out(value, self._targets) if self._targets and isinstance(value, dict | list) else value

    def _items(self, schema: Schema, notes: list[str], pointer: str, level: int) -> Schema:
        key = "items" if isinstance(schema.get("items"), list) else "prefixItems"
        places = as_list(schema.get(key))
        rest = schema.get("items" if key == "prefixItems" else "additionalItems", True)
        forms: list[Schema] = []
        if places:
            here = f"{pointer}/{key}"
            self.change(here, key, "the positions of the array become alternatives", ChangeKind.WIDENED)
            notes.append(sentences.words_for_places(as_list(self._in_words(places)), self._in_words(rest)))
            for index, place in enumerate(places):
                if place is not False:
                    forms.extend(alternatives(self.build(place, f"{here}/{index}", level + 1)))
        if rest is False:
            if not forms:
                self.change(f"{pointer}/items", "items", "`maxItems: 0` moves into the description", ChangeKind.WIDENED)
                notes.append("It must be empty.")
                return {"type": "STRING"}
        elif not places or rest not in (True, {}):
            forms.extend(alternatives(self.build(rest, f"{pointer}/items", level + 1)))
        else:
            message = "additional items can only match the listed ones"
            self.change(f"{pointer}/{key}", key, message, ChangeKind.NARROWED)
            forms = forms or [{"type": "STRING"}]
        distinct = list({value_key(form): form for form in forms}.values())
        return distinct[0] if len(distinct) == 1 else {"anyOf": [*distinct]}

    def _object(self, schema: Schema, notes: list[str], pointer: str, level: int) -> Schema:
        declared = properties_of(schema)
        names = list(dict.fromkeys(strings(schema.get("required"))))
        required: list[JsonValue] = [name for name in names if name in declared]
        missing = [name for name in names if name not in declared]
        if missing:
            message = "required names that are not declared move into the description"
            self.change(f"{pointer}/required", "required", message, ChangeKind.WIDENED)
            notes.append(sentences.words_for_missing(missing))
        elif "required" in schema and (not required or schema["required"] != required):
            here = f"{pointer}/required"
            self.change(here, "required", "duplicate names and an empty list are left out")
        forms: Schema = {}
        for name, value in declared.items():
            here = f"{pointer}/properties/{escape(name)}"
            if value is False and name not in required:
                self.change(here, "properties", f"`{name}` must not be sent and is left out", ChangeKind.WIDENED)
            else:
                forms[name] = self.build(value, here, level + 1)
        if "properties" in schema and not forms and pointer:
            self.change(f"{pointer}/properties", "properties", "an empty list of properties is left out")
        result: Schema = {"properties": forms} if forms else {}
        return {**result, "required": required} if required else result


def _is_annotation(key: str) -> bool:
    """Whether no value can violate a keyword: an annotation, or an unknown keyword."""
    return key in keywords.ANNOTATIONS or key in keywords.SILENT or key not in KNOWN


def _is_null(schema: JsonValue) -> bool:
    """Whether a schema accepts only null and states nothing else."""
    if not isinstance(schema, dict):
        return False
    is_null = schema.get("type") == "null" or ("const" in schema and schema["const"] is None and "type" not in schema)
    return is_null and schema.keys() <= {"type", "const", "title", "description"} and schema.get("const") is None


def gemini_form(schema: JsonValue) -> SubsetForm:
    """Convert an input schema to Gemini's `Schema`.

    References are inlined, `allOf` is merged, a type with null becomes `nullable`, and keywords outside the subset are
    moved to the description. A root that is not an object, unresolved, external or recursive references, and a schema
    that is too large once they are inlined are refused. The argument is not modified.
    """
    root = plain_root(schema)
    if root.schema is None:
        return SubsetForm(None, root.changes)
    builder = GeminiBuilder(root.schema, schema, root.changes, is_draft_7=dialect_of(schema) is Dialect.DRAFT_7)
    found = builder.whole()
    return SubsetForm(found, tuple(dict.fromkeys(builder.changes)))
