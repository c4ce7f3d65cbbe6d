"""The pieces that every schema is made of: values with a text for the author, and closed objects.

A description is what an editor shows over a key, so it stands at the key and never in a
definition. `errorMessage`, `patternErrorMessage` and `doNotSuggest` are words of the editors'
language servers; validators pass over them.
"""

import copy
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from falai.duration import DURATION

Schema: TypeAlias = dict[str, Any]

DRAFT = "http://json-schema.org/draft-07/schema#"
"""Language servers for YAML and JSON know this draft in full, and newer ones only in part."""

DATE = r"[0-9]{4}-?([0-9]{2}-?[0-9]{2}|W[0-9]{2}(-?[1-7])?)"
"""A day as ISO 8601 has it, in the spellings that Python reads."""
_CLOCK = r"[0-9]{2}(:?[0-9]{2}(:?[0-9]{2}([.,][0-9]+)?)?)?"
INSTANT = rf"^{DATE}(.{_CLOCK}(Z|[+-]{_CLOCK})?)?$"
EXPRESSION = r"\$\{"


def document(title: str, root: Schema, *definitions: Mapping[str, Schema]) -> Schema:
    """A whole schema: what the file holds, and the definitions that it is made of."""
    named = {name: schema for group in definitions for name, schema in group.items()}
    # Parts are shared between the schemas; nobody who changes one may change another.
    return copy.deepcopy({"$schema": DRAFT, "title": title, **root, "definitions": named})


# --- values -------------------------------------------------------------------------------------


def anything(about: str, **more: Any) -> Schema:
    return {"description": about, **more}


def text(about: str, **more: Any) -> Schema:
    return {"description": about, "type": "string", **more}


def flag(about: str) -> Schema:
    return {"description": about, "type": "boolean"}


def whole(about: str, least: int = 0) -> Schema:
    return {"description": about, "type": "integer", "minimum": least}


def word(about: str, options: Iterable[str]) -> Schema:
    return {"description": about, "type": "string", "enum": list(options)}


def many(about: str, items: Schema, **more: Any) -> Schema:
    return {"description": about, "type": "array", "items": items, **more}


def texts(about: str) -> Schema:
    return many(about, {"type": "string"})


def mapping(about: str, values: Schema | None = None, **more: Any) -> Schema:
    """A mapping whose keys are the author's own."""
    inside = {} if values is None else {"additionalProperties": values}
    return {"description": about, "type": "object", **inside, **more}


def shaped(about: str, kind: str | Sequence[str], name: str) -> Schema:
    """A value of some type whose shape is a definition."""
    kinds = kind if isinstance(kind, str) else list(kind)
    return {"description": about, "type": kinds, **of(name)}


def named(about: str, name: str, *, empty: bool = False) -> Schema:
    """A mapping from the names that the author gives to things of one shape, or to nothing."""
    kinds = ["object", "null"] if empty else "object"
    return mapping(about, {"type": kinds, **of(name)}, propertyNames={"minLength": 1})


def duration(about: str) -> Schema:
    fix = "Write a number and one of s m h d, such as 30s, 1.5h or 2d."
    return text(about, pattern=f"^{DURATION.pattern}$", patternErrorMessage=fix)


def instant(about: str, *, expressions: bool = True) -> Schema:
    """A time; with expressions, also one that is reckoned from the clock."""
    pattern = f"{INSTANT}|{EXPRESSION}" if expressions else INSTANT
    fix = "Write a UTC time such as 2026-01-05T09:00:00Z."
    return text(about, pattern=pattern, patternErrorMessage=fix)


def or_null(schema: Schema) -> Schema:
    """The same value, or null for one that is not set."""
    changed = dict(schema)
    if "type" in schema:
        kinds = schema["type"]
        names = [kinds] if isinstance(kinds, str) else kinds
        changed["type"] = [*dict.fromkeys((*names, "null"))]
    if "enum" in schema:
        changed["enum"] = [*schema["enum"], None]
    if "anyOf" in schema:
        changed["anyOf"] = [*schema["anyOf"], {"type": "null"}]
    return changed


# --- objects ------------------------------------------------------------------------------------


def known(keys: Iterable[str], table: Mapping[str, Schema]) -> Schema:
    """An object with a schema for each key that its reader knows; others may stand beside them.

    Raises LookupError when the two differ, so that no key of a reader is forgotten here.
    """
    names = list(dict.fromkeys(keys))
    if odd := sorted(set(names) ^ table.keys()):
        raise LookupError(f"a reader and its schema differ in the keys {', '.join(odd)}")
    return {"properties": {name: table[name] for name in names}}


def closed(
    keys: Iterable[str], table: Mapping[str, Schema], *, required: Sequence[str] = ()
) -> Schema:
    """The same, and no other key."""
    needed = {"required": list(required)} if required else {}
    return {**known(keys, table), **needed, "additionalProperties": False}


def nullable(table: Mapping[str, Schema], *, but: Collection[str] = ()) -> dict[str, Schema]:
    """A table whose values may be null, which is the same as leaving the key out."""
    return {key: schema if key in but else or_null(schema) for key, schema in table.items()}


def ref(name: str) -> Schema:
    return {"$ref": f"#/definitions/{name}"}


def of(name: str) -> Schema:
    """What a definition says, to stand beside other words: nothing may stand beside a $ref."""
    return {"allOf": [ref(name)]}


# --- choices ------------------------------------------------------------------------------------


def is_set(key: str) -> Schema:
    """The condition that a key is there and not null."""
    return {**has(key), "not": {"properties": {key: {"type": "null"}}}}


def has(key: str) -> Schema:
    """The condition that a key is there."""
    # Without the type it would hold for what is no mapping yet, where an editor asks what may come.
    return {"type": "object", "required": [key]}


def says(key: str, value: str) -> Schema:
    """The condition that a key is there, with this text."""
    # An editor takes an empty value for any constant, but not for a pattern.
    return {**has(key), "properties": {key: {"type": "string", "pattern": f"^{value}$"}}}


def choose(cases: Iterable[tuple[Schema, Schema]], otherwise: Schema) -> Schema:
    """The schema behind the first condition that holds.

    Unlike `oneOf`, it has an editor complain of, and offer, what belongs to that one case.
    """
    chain = otherwise
    for condition, schema in reversed([*cases]):
        chain = {"if": condition, "then": schema, "else": chain}
    return chain


def must(message: str, **words: Any) -> Schema:
    """A demand with a message of its own, for `allOf`."""
    return {**words, "errorMessage": message}


def needs(key: str, kind: str, message: str) -> Schema:
    """The demand that a key is there and not null, where no other key has said enough."""
    return must(message, required=[key], properties={key: must(message, type=kind)})


def hints(about: str, words: Iterable[Any]) -> Schema:
    """A value of any kind, with words that an editor offers for it."""
    return {"description": about, "anyOf": [{"enum": list(words)}, {}]}


def barred(message: str, *keys: str) -> Schema:
    """The demand that these keys are not there."""
    return must(message, properties=dict.fromkeys(keys, False))


def stranger(message: str) -> Schema:
    """A key that belongs to another kind: it may be there when it is null, which is not set."""
    return {"type": "null", "errorMessage": message, "doNotSuggest": True}


def strangers(keys: Iterable[str], name: str) -> dict[str, Schema]:
    """Keys that are strangers, by the definition that says so."""
    return {key: ref(name) for key in keys}
