"""The pages of the keys that files and results hold, from the schemas that editors read."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from falai import OUTCOME_MESSAGES
from simulator.schema import agent_schema, scenario_schema
from tests.reference.markdown import code, page, table
from tests.reference.titles import CHOICES, ONE_OF, is_told, link_to, page_of, suffix_of, title_of

Schema = Mapping[str, Any]

_NAMES = {"string": "text", "object": "mapping", "array": "list", "integer": "whole number"}


def scenario_page() -> str:
    """Every key of a scenario file."""
    schema = scenario_schema()
    names = [name for name in schema["definitions"] if page_of(name) == "scenario"]
    intro = (
        "What a scenario file may hold. How to write one is told in "
        "[Write scenarios](../guides/scenarios.md). An unknown key is an error."
    )
    return page("Keys of a scenario", intro, *_sections("The file", schema, names))


def agent_page() -> str:
    """Every key of an agent file, and of the flows in it."""
    schema = agent_schema()
    intro = (
        "What an agent file and its flows may hold. A flow in a file of its own has the keys of "
        "[a flow](#a-flow). In a flow, `null` is the same as leaving the key out."
    )
    names = [*schema["definitions"]]
    first = ["agent", "flow", *filter(suffix_of, names)]
    return page("Keys of an agent", intro, *_sections(None, schema, dict.fromkeys(first + names)))


def results_page() -> str:
    """Every key of what a turn gives back."""
    schema = scenario_schema()
    names = [name for name in schema["definitions"] if page_of(name) == "results"]
    intro = (
        "What a turn gives back and a store keeps, as JSON has it and as `expect` compares it. "
        "A key with nothing to say is left out. Times are UTC: `2026-01-05T09:00:00.000Z`."
    )
    return page("Keys of sessions and results", intro, *_sections(None, schema, names))


def _sections(title: str | None, schema: Schema, names: Iterable[str]) -> Iterator[str]:
    definitions = schema["definitions"]
    if title:
        yield f"## {title}\n\n{_keys(schema)}"
    told = [name for name in names if is_told(name)]
    for name in told:
        if keys := "" if suffix_of(name) else _keys(definitions[name]):
            yield f"## {title_of(name)}\n\n{keys}"
        elif kinds := _kinds(name, told):
            chosen = {kind: definitions[kind] for kind in kinds}
            yield f"## {CHOICES[suffix_of(name)]}\n\n{_merged(suffix_of(name), chosen)}"


def _kinds(name: str, told: list[str]) -> list[str]:
    """All kinds of what this is one of, when it is the first of them."""
    kinds = [other for other in told if suffix_of(other) == suffix_of(name) != ""]
    return kinds if kinds[:1] == [name] else []


def _keys(schema: Schema) -> str:
    """A table of the keys of one object; empty when it has none."""
    needed = schema.get("required", ())
    rows = [
        (code(key), _kind(value), _about(value) + (" Required." if key in needed else ""))
        for key, value in _with_inner(_own(schema))
    ]
    return table(["key", "is", "meaning"], rows) if rows else ""


def _merged(suffix: str, kinds: Mapping[str, Schema]) -> str:
    """One table for several kinds of object, with the kinds that have a key."""
    shown: dict[tuple[str, str], dict[str, Schema]] = {}
    for name, schema in kinds.items():
        for key, value in _with_inner(_own(schema)):
            stands = shown.setdefault((key, _about(value)), {})
            stands[name.removesuffix(suffix)] = value
    rows = [
        (code(key), _kind({"anyOf": [*stands.values()]}), about, _of([*stands], len(kinds)))
        for (key, about), stands in shown.items()
    ]
    return table(["key", "is", "meaning", "of"], rows)


def _of(kinds: list[str], most: int) -> str:
    return "each" if len(kinds) == most else " ".join(map(code, kinds))


def _with_inner(keys: Mapping[str, Schema]) -> Iterator[tuple[str, Schema]]:
    """The keys, each followed by those of the object that it holds."""
    for key, value in keys.items():
        yield key, value
        for inner, within in _own(value).items():
            if key != "matrix" and not inner.startswith("$"):
                yield f"{key}.{inner}", within


def _own(schema: Schema) -> Mapping[str, Schema]:
    """The keys that may be set, whatever the choice: a stranger is only there to be refused."""
    own: dict[str, Schema] = {}
    for part in _parts(schema):
        for key, value in part.get("properties", {}).items():
            if isinstance(value, dict) and not _is_stranger(value):
                own[key] = own.get(key) or value
    return own


def _parts(schema: Schema) -> Iterator[Schema]:
    """An object and the cases of it that are written in place."""
    yield schema
    for case in (schema.get("then"), schema.get("else"), *schema.get("anyOf", ())):
        if isinstance(case, dict):
            yield from _parts(case)


def _is_stranger(schema: Schema) -> bool:
    return "doNotSuggest" in schema or "stranger" in schema.get("$ref", "")


def _about(schema: Schema) -> str:
    return schema.get("description", "")


def _kind(schema: Schema) -> str:
    """What a value is: one of some words, or its types."""
    options = [*_options(schema)]
    words = [word for option in options for word in option.get("enum", ()) if word is not None]
    words += [option["const"] for option in options if "const" in option]
    if {*words} == {*OUTCOME_MESSAGES}:
        return "[a code](outcomes.md)"
    kinds = [kind for option in options if "enum" not in option for kind in _types(option)]
    spelt = " ".join(dict.fromkeys(code(_spelt(word)) for word in words))
    plain = " or ".join(dict.fromkeys([spelt, *kinds] if spelt else kinds))
    told = dict.fromkeys(link for name in _refs(schema) if (link := _link(name)))
    return ": ".join(filter(None, [plain, ", ".join(told)]))


def _refs(schema: Schema) -> Iterator[str]:
    """The definitions that a value is made of, as a list or by name if need be."""
    if "$ref" in schema:
        yield schema["$ref"].rpartition("/")[2]
    inside = [schema.get("items"), schema.get("additionalProperties")]
    for part in [*schema.get("allOf", ()), *schema.get("anyOf", ()), *inside]:
        if isinstance(part, dict):
            yield from _refs(part)


def _link(name: str) -> str:
    """A link to where a definition is told; empty for one that has no keys of its own."""
    told = ONE_OF.get(name, name)
    is_choice = told.capitalize() in CHOICES
    definition = scenario_schema()["definitions"].get(told, {})
    has_keys = is_told(told) and told != "expected" and _own(definition)
    return link_to(told) if is_choice or has_keys else ""


def _options(schema: Schema) -> Iterator[Schema]:
    yield schema
    for option in schema.get("anyOf", ()):
        yield from _options(option)


def _types(schema: Schema) -> list[str]:
    kinds = schema.get("type", [])
    names = [kinds] if isinstance(kinds, str) else kinds
    return [_NAMES.get(name, name) for name in names if name != "null"]


def _spelt(word: Any) -> str:
    return str(word).lower() if isinstance(word, bool) else str(word)
