"""Convert a schema to its strict form, one subschema at a time, and list the changes."""

from __future__ import annotations

from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.providers import keywords
from mcp_contracts.providers.changes import ChangeKind
from mcp_contracts.providers.merging import Schema, dropped_annotations, merge
from mcp_contracts.providers.roots import add_note
from mcp_contracts.providers.sentences import words_for_places
from mcp_contracts.providers.skeleton import Bounds, NoFormError, Skeleton
from mcp_contracts.schema.references import Reference, references
from mcp_contracts.schema.simple import as_list, as_object, properties_of, strings, value_key
from mcp_contracts.schema.validation.many_values import verdicts
from mcp_contracts.schema.validation.validators import compile_schema

ABSENT = "\0absent"
"""A key that no schema has. It lists the properties of an object for which null means "omitted"."""

_BOUNDS = Bounds(80, 20_000, "the schema is too large or too deeply nested to inline its references")
_MAXIMUM_MERGED = 200


class StrictBuilder(Skeleton):
    """Builds the strict form of one schema."""

    def __init__(self, root: Schema, original: JsonValue, *, is_draft_7: bool) -> None:
        super().__init__(root, original, _BOUNDS, (), is_draft_7=is_draft_7)
        self._references: dict[str, Reference] = {found.text: found for found in references(root)}
        self._names: dict[str, str] = {}
        self._definitions: Schema = {}

    def whole(self) -> Schema | None:
        """Return the form of the root with its definitions, or None. Its objects contain marks under `ABSENT`."""
        try:
            result = self.build(self._root, "", 0)
        except NoFormError:
            return None
        if self._definitions:
            result["$defs"] = dict(sorted(self._definitions.items()))
        return result

    def check(self, schema: JsonValue, pointer: str) -> Schema:
        """Refuse schemas that accept nothing or anything, and `$dynamicRef`."""
        if not isinstance(schema, dict) or not (schema.keys() - keywords.SILENT - keywords.ANNOTATIONS):
            what = "accepts nothing" if schema is False else "accepts any value, but a strict schema must have a type"
            raise self.refuse(pointer, "", f"the schema {what}")
        if "$dynamicRef" in schema:
            raise self.refuse(f"{pointer}/$dynamicRef", "$dynamicRef", "`$dynamicRef` is not in the strict subset")
        return schema

    # References and `allOf`

    def follow_reference(self, schema: Schema, pointer: str, level: int) -> Schema:
        """Return a reference to a definition, or its target merged with the sibling keywords."""
        target = self._references.get(str(schema["$ref"]))
        if target is None or target.target_pointer is None:
            raise self.refuse(f"{pointer}/$ref", "$ref", "the reference does not resolve in the schema")
        beside = self._beside(schema)
        if beside.keys() - keywords.SILENT - keywords.ANNOTATIONS:
            return self.build({"allOf": [beside, {"$ref": schema["$ref"]}]}, pointer, level + 1)
        link: Schema = {"$ref": self._name_definition(target, pointer, level)}
        around = self._annotate(beside, pointer)
        return {**around, "anyOf": [link]} if around else link

    def _beside(self, schema: Schema) -> Schema:
        """Return the siblings of a reference that have an effect: in draft-07 only annotations."""
        return {
            key: schema[key]
            for key in schema
            if key != "$ref" and (not self._is_draft_7 or key in keywords.ANNOTATIONS)
        }

    def _name_definition(self, target: Reference, pointer: str, level: int) -> str:
        """Return the text of a reference to the form of a target."""
        where = target.target_pointer or ""
        if where == "":
            return "#"
        if where not in self._names:
            name = self._names[where] = keywords.definition_name(where, self._names.values())
            self._definitions[name] = keywords.stand_in(target.target, self._follow)
            self._definitions[name] = self.build(target.target, where, level + 1)
        return f"#/$defs/{self._names[where]}"

    def merge_all(self, schema: Schema, pointer: str, level: int) -> Schema:
        """Merge an `allOf` into one schema."""
        rest: Schema = {key: value for key, value in schema.items() if key != "allOf"}
        parts = as_list(schema["allOf"])
        if len(parts) == 1 and not (rest.keys() - keywords.SILENT - keywords.ANNOTATIONS):
            only = parts[0]
            if isinstance(only, dict) and "$ref" in only:
                return self.build({**rest, "anyOf": [only]}, pointer, level + 1)
        result = self._merge([rest, *parts], pointer)
        if result is None:
            raise self.refuse(f"{pointer}/allOf", "allOf", "the schemas of `allOf` cannot be merged into one")
        self.change(f"{pointer}/allOf", "allOf", "`allOf` is merged into one schema")
        return self.build(result, pointer, level + 1)

    def _merge(self, schemas: list[JsonValue], pointer: str | None = None) -> Schema | None:
        """Merge schemas with references inlined, or return None; with `pointer`, list dropped annotations."""
        result: Schema = {}
        pending = schemas[::-1]
        for _ in range(_MAXIMUM_MERGED):
            if not pending:
                return result
            part = pending.pop()
            if part is True:
                continue
            if not isinstance(part, dict):
                return None
            if "$ref" in part:
                target = self._references.get(str(part["$ref"]))
                if target is None or target.target_pointer is None:
                    return None
                pending.extend((target.target, self._beside(part)))
            elif "allOf" in part:
                pending.extend(reversed(as_list(part["allOf"])))
                pending.append({key: value for key, value in part.items() if key != "allOf"})
            else:
                found = merge(result, part)
                if found is None:
                    return None
                for key in () if pointer is None else dropped_annotations(result, part):
                    here = f"{self.locate(part, pointer or '')}/{escape(key)}"
                    self.change(
                        here,
                        key,
                        f"`{key}` is left out, because another schema defines it differently",
                        ChangeKind.NOTE,
                    )
                result = found
        return None

    # Alternatives

    def join_branches(self, schema: Schema, keyword: str, pointer: str, level: int) -> Schema:
        """Return an `anyOf` of the branches, each combined with the sibling keywords."""
        around = {key: value for key, value in schema.items() if key in keywords.ANNOTATIONS or key in keywords.SILENT}
        rest: Schema = {key: value for key, value in schema.items() if key != keyword and key not in around}
        branches = [branch for branch in as_list(schema[keyword]) if branch is not False]
        forms: list[JsonValue] = []
        taken: list[Schema] = []
        for index, branch in enumerate(branches):
            here = f"{pointer}/{keyword}/{index}"
            if not rest:
                taken.append(as_object(branch))
                forms.append(self.build(branch, here, level + 1))
                continue
            if keywords.are_of_other_types(rest, branch):
                continue
            together = self._merge([rest, branch], here)
            if together is None:
                message = f"a branch of `{keyword}` cannot be merged with the keywords next to it"
                raise self.refuse(here, keyword, message)
            taken.append(together)
            forms.append(self.build(together, here, level + 1))
        if not forms:
            raise self.refuse(f"{pointer}/{keyword}", keyword, f"no branch of `{keyword}` accepts anything")
        if keywords.some_overlap_openly(taken, self._follow):
            message = "an alternative now rejects properties that only another one declares"
            self.change(f"{pointer}/{keyword}", "additionalProperties", message, ChangeKind.NARROWED)
        if keyword == "oneOf":
            self.open_choice(taken, around, self._follow, pointer)
        return {**self._annotate(around, pointer), "anyOf": forms}

    def _follow(self, schema: Schema) -> Schema:
        """Inline references and `allOf` at the head of a schema; an empty schema if that fails."""
        return self._merge([schema]) or {}

    # Plain schemas

    def build_plain(self, schema: Schema, pointer: str, level: int) -> Schema:
        """Return the form of enumerated values, or one schema for each type."""
        types = self.types(schema, pointer)
        if not types:
            raise self.refuse(pointer, "type", "the schema has no type, but a strict schema must have one")
        if "enum" in schema or "const" in schema:
            return self._constant(schema, types, pointer)
        others = [name for name in types if name != "null"]
        if len(others) > 1:
            if "number" in others and "integer" in others:
                others.remove("integer")
            self.change(f"{pointer}/type", "type", "each type becomes an alternative")
            forms: list[JsonValue] = []
            words = {key: value for key, value in schema.items() if key in keywords.ANNOTATIONS}
            for name in others:
                one = {key: value for key, value in schema.items() if key not in keywords.ANNOTATIONS}
                forms.append(self._of_one_type({**one, "type": name}, name, pointer, level))
            if "null" in types:
                forms.append({"type": "null"})
            return {**self._annotate(words, pointer), "anyOf": forms}
        if not others:
            return {"type": "null", **self._annotate(schema, pointer)}
        form = self._of_one_type(schema, others[0], pointer, level)
        return keywords.make_nullable(form) if "null" in types else form

    def _constant(self, schema: Schema, types: list[str], pointer: str) -> Schema:
        """Return the form of an `enum` or `const`, with the values that the rest of the schema accepts."""
        listing = "enum" if "enum" in schema else "const"  # it accepts each of its own values
        plain = {
            key: value for key, value in schema.items() if key not in (*keywords.SILENT, *keywords.ANNOTATIONS, listing)
        }
        values = as_list(schema["enum"]) if "enum" in schema else [schema["const"]]
        if any(isinstance(value, dict | list) for value in values):
            raise self.refuse(f"{pointer}/enum", "enum", "an object or array cannot be a value of a strict `enum`")
        compiled = compile_schema({**plain, "type": [*types]})
        accepted: dict[object, JsonValue] = {}
        for value, judged in zip(values, verdicts(compiled, values), strict=True):
            if judged is None:
                raise self.refuse(f"{pointer}/enum", "enum", "the values of `enum` cannot be checked")
            if judged:
                accepted.setdefault(value_key(value), value)
        some = [*accepted.values()]
        if not some:
            raise self.refuse(f"{pointer}/enum", "enum", "no value of `enum` has the required type")
        kinds = list(dict.fromkeys(keywords.type_of(value) for value in some))
        if "number" in kinds and "integer" in kinds:
            kinds.remove("integer")
        around = self._annotate(schema, pointer)
        if len([kind for kind in kinds if kind != "null"]) > 1:
            self.change(f"{pointer}/enum", "enum", "the values of each type become an alternative")
            return {**around, "anyOf": [*keywords.constants_by_type(some, kinds)]}
        kind: JsonValue = kinds[0] if len(kinds) == 1 else [*kinds]
        if "const" in schema and "enum" not in schema:
            return {"type": kind, **around, "const": some[0]}
        return {"type": kind, **around, "enum": some}

    def _of_one_type(self, schema: Schema, name: str, pointer: str, level: int) -> Schema:
        form: Schema = {"type": name}
        notes: list[str] = []
        for key, value in schema.items():
            if key in keywords.MOVED and keywords.MOVED[key] in (name, "any", "number" if name == "integer" else ""):
                if keywords.is_kept_string(key, value):
                    form[key] = value
                    continue
                note = keywords.constraint_note(key, schema)
                if note:
                    notes.append(note)
                    kind = ChangeKind.NOTE if key == "format" else ChangeKind.WIDENED  # `format` is an annotation
                    self.change(f"{pointer}/{key}", key, f"`{key}` moves into the description", kind)
            elif key in keywords.KEPT.get(name, ()):
                form[key] = value
            elif name == "array" and isinstance(value, list) and key in ("prefixItems", "items"):
                notes.append(words_for_places(value, None))
        around = self._annotate(schema, pointer, notes)
        form = {"type": name, **around, **form}
        if name == "array":
            form.update(self._array(schema, pointer, level))
        if name == "object":
            form.update(self._object(schema, pointer, level))
        return form

    def _array(self, schema: Schema, pointer: str, level: int) -> Schema:
        places = schema.get("prefixItems", schema.get("items") if isinstance(schema.get("items"), list) else None)
        key = "prefixItems" if "prefixItems" in schema else "items"
        if isinstance(places, list):
            rest = schema.get("items") if key == "prefixItems" else schema.get("additionalItems")
            each = [*places, *([rest] if isinstance(rest, dict) else [])]
            self.change(f"{pointer}/{key}", key, "the positions of the array become alternatives", ChangeKind.WIDENED)
            forms = [self.build(place, f"{pointer}/{key}/{index}", level + 1) for index, place in enumerate(each)]
            array: Schema = {"items": forms[0] if len(forms) == 1 else {"anyOf": [*forms]}}
            if not isinstance(rest, dict):
                limit = schema.get("maxItems")
                array["maxItems"] = min(limit, len(places)) if isinstance(limit, int) else len(places)
                if rest in (None, True) and not keywords.is_closed_tuple(schema):
                    self.change(f"{pointer}/{key}", key, "additional items cannot be sent", ChangeKind.NARROWED)
            return array
        if "items" not in schema or schema["items"] is True or schema["items"] == {}:
            raise self.refuse(pointer, "items", "the array has no `items`, but a strict schema must have them")
        if schema["items"] is False:
            raise self.refuse(f"{pointer}/items", "items", "an empty array is not in the strict subset")
        return {"items": self.build(schema["items"], f"{pointer}/items", level + 1)}

    def _object(self, schema: Schema, pointer: str, level: int) -> Schema:
        properties = properties_of(schema)
        required = strings(schema.get("required"))
        self._close(schema, properties, pointer)
        forms: Schema = {}
        absent: list[JsonValue] = []
        for name, value in properties.items():
            here = f"{pointer}/properties/{escape(name)}"
            if value is False and name not in required:
                self.change(here, "properties", f"`{name}` must not be sent and is left out")
                continue
            form = self.build(value, here, level + 1)
            if name in required:
                forms[name] = form
                continue
            if not keywords.is_nullable(form, self._definitions):
                absent.append(name)
                self.change(here, "required", f"`{name}` becomes required, and null represents a missing value")
                forms[name] = keywords.make_nullable(form)
                continue
            is_default = isinstance(value, dict) and "default" in value and value["default"] is None
            message = f"`{name}` may be null or left out; now it is null in both cases"
            self.change(here, "required", message, ChangeKind.FORM if is_default else ChangeKind.NARROWED)
            forms[name] = form
        unknown = [name for name in required if name not in properties]
        if unknown:
            message = f"`{unknown[0]}` is required but not declared, so it cannot be sent"
            raise self.refuse(f"{pointer}/required", "required", message)
        result: Schema = {"properties": forms, "required": [*forms], "additionalProperties": False}
        return {**result, ABSENT: absent} if absent else result

    def _close(self, schema: Schema, properties: Schema, pointer: str) -> None:
        """Record that an object is closed, or refuse one with undeclared names."""
        for key in ("patternProperties", "additionalProperties", "unevaluatedProperties"):
            value = schema.get(key)
            if value is False or (key == "patternProperties" and value == {}):
                continue
            if isinstance(value, dict) and value != {}:
                raise self.refuse(f"{pointer}/{key}", key, "a map with undeclared names cannot be strict")
            if value is not None:
                if not properties:
                    raise self.refuse(f"{pointer}/{key}", key, "a free-form object cannot be strict")
                message = "undeclared names cannot be sent"
                self.change(f"{pointer}/{key}", key, message, ChangeKind.NARROWED)
        if False in (schema.get("additionalProperties"), schema.get("unevaluatedProperties")):
            return
        if not properties and pointer:
            raise self.refuse(pointer, "properties", "a free-form object cannot be strict")
        if "additionalProperties" not in schema:
            self.change(pointer, "additionalProperties", "the object is closed")

    def _annotate(self, schema: Schema, pointer: str, notes: list[str] | None = None) -> Schema:
        """Return title and description, with sentences for the other annotations and moved constraints."""
        description = schema.get("description")
        for note in notes or []:
            description = add_note(description, note)
        for key, value in schema.items():
            if key in ("title", "description") or key not in keywords.ANNOTATIONS:
                if key not in keywords.KNOWN:
                    message = f"`{key}` is not a keyword of the strict subset"
                    self.change(f"{pointer}/{escape(key)}", key, message, ChangeKind.NOTE)
                continue
            if key == "default" and value is None:
                self.change(f"{pointer}/default", key, "the default is null, which is the same as no default")
                continue
            words = keywords.annotation_note(key, value)
            said = "moves into the description" if words else "is left out"
            self.change(f"{pointer}/{key}", key, f"`{key}` {said}", ChangeKind.NOTE)
            if words:
                description = add_note(description, words)
        result: Schema = {}
        if isinstance(schema.get("title"), str):
            result["title"] = schema["title"]
        if isinstance(description, str) and description:
            result["description"] = description
        return result
