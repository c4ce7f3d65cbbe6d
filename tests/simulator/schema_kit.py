"""Schemas against readers: what each says of a file, and at which places."""

import json
from collections.abc import Iterator, Mapping
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator
from jsonschema.exceptions import ValidationError

from simulator.agentfile import load_agent, read_flow, specs_of
from simulator.check import kind_of
from simulator.find import files_in
from simulator.load import Document, load_document
from simulator.place import KeyPath, Place, ScenarioFileError
from simulator.reading import read_scenario
from simulator.schema import agent_schema, flow_schema, scenario_schema

ROOT = Path(__file__).parents[2]
SCHEMAS = {"scenario": scenario_schema(), "agent": agent_schema(), "flow": flow_schema()}
VALIDATORS = {kind: Draft7Validator(schema) for kind, schema in SCHEMAS.items()}


def repository() -> Iterator[tuple[Path, str]]:
    """Every scenario, agent and flow that the project ships or is tested with."""
    for folder in ("scenarios", "tests/conformance"):
        for file in files_in(ROOT / folder):
            kind = kind_of(load_document(file))
            if kind in SCHEMAS:
                yield file, kind


# --- what the reader says -----------------------------------------------------------------------


def read(kind: str, document: Document) -> None:
    """Read a file as `falai check` does; raises ScenarioFileError."""
    if kind == "scenario":
        for scenario in read_scenario(document):
            deployed = [entry.agent for entry in scenario.turns if entry.agent is not None]
            for agent in (scenario.agent, *deployed):
                load_agent(agent, stubs=scenario.stubs).build()
    elif kind == "agent":
        load_agent(document.spot).build()
    else:
        for spec in specs_of(document):
            read_flow(spec)


def complaint(kind: str, document: Document) -> ScenarioFileError | None:
    """What the reader has against a file, if anything."""
    try:
        read(kind, document)
    except ScenarioFileError as error:
        return error
    return None


def written(value: Any, beside: Path) -> Document:
    """A value as a file that stands where another one does."""
    return Document(beside.with_suffix(".json"), json.dumps(value))


# --- what the schema says -----------------------------------------------------------------------


def errors(kind: str, value: Any) -> list[ValidationError]:
    """Everything that the schema has against a value, down to the innermost reasons."""
    return list(_innermost(VALIDATORS[kind].iter_errors(value)))


def _innermost(found: Any) -> Iterator[ValidationError]:
    for error in found:
        yield error
        yield from _innermost(error.context or ())


def paths(error: ValidationError, root: Any) -> Iterator[KeyPath]:
    """Where an error stands: at a value, or at each key that should not be there."""
    path: KeyPath = tuple(error.absolute_path)
    if error.validator == "additionalProperties" and error.validator_value is False:
        yield from ((*path, key) for key in strangers(error))
    elif error.validator is None:  # the schema of a key is false, and its path the mapping's
        parent = reduce(getitem, path, root)
        yield from ((*path, key) for key in parent if parent[key] is error.instance)
    else:
        yield path


def strangers(error: ValidationError) -> list[str]:
    """The keys that an error about unknown keys speaks of."""
    schema, value = error.schema, error.instance
    assert isinstance(schema, Mapping)
    assert isinstance(value, Mapping)
    return [key for key in value if key not in schema["properties"]]


def places(kind: str, document: Document) -> set[Place]:
    """Where the schema's errors stand in a file: at values, and at their keys."""
    return _places(document, _paths(kind, document.value))


def ways(kind: str, document: Document) -> set[Place]:
    """The same, every place on the way there, and what lies right inside of any of them."""
    every = _paths(kind, document.value)
    before = [path[:n] for path in every for n in range(len(path) + 1)]
    inside = [(*path, key) for path in before for key in _keys(at(document.value, path))]
    return _places(document, before + inside)


def _keys(value: Any) -> list[str]:
    return list(value) if isinstance(value, dict) else []


def at(value: Any, path: KeyPath) -> Any:
    """What stands at a path; None when nothing does."""
    for key in path:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _paths(kind: str, value: Any) -> list[KeyPath]:
    return [path for error in errors(kind, value) for path in paths(error, value)]


def _places(document: Document, every: list[KeyPath]) -> set[Place]:
    return {document.place(path, key=key) for path in every for key in (False, True)}
