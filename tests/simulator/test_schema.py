"""The schemas for editors: they hold all that readers know, and admit every file that is good."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from falai.clock import to_datetime
from falai.duration import parse_duration
from falai.errors import FlowConfigurationError
from simulator.check import kind_of
from simulator.cli.schema import command
from simulator.load import Document, load_document
from simulator.schema import scenario_schema
from simulator.schema.parts import closed, duration, flag, instant
from tests.simulator.schema_kit import (
    ROOT,
    SCHEMAS,
    VALIDATORS,
    complaint,
    errors,
    repository,
    strangers,
    written,
)
from tests.test_docs import PLACES, STRANGE, Block, of_language

FILES = dict(repository())
GENERATED = ROOT / "schemas"
AGAIN = f"Write them again: falai schema --write {GENERATED.name}"


@pytest.mark.parametrize("kind", SCHEMAS)
def test_a_schema_is_one(kind: str):
    Draft7Validator.check_schema(SCHEMAS[kind])


@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_definition_is_there_and_used(kind: str):
    used = set(re.findall(r"#/definitions/(\w+)", json.dumps(SCHEMAS[kind])))
    assert used == SCHEMAS[kind]["definitions"].keys()


def test_whoever_changes_a_schema_changes_no_other():
    scenario_schema()["definitions"]["condition"]["properties"].clear()
    assert scenario_schema() == SCHEMAS["scenario"]


def test_a_console_of_any_encoding_can_print_them():
    assert all(json.dumps(schema, ensure_ascii=False).isascii() for schema in SCHEMAS.values())


@pytest.mark.parametrize("kind", SCHEMAS)
def test_the_schemas_of_the_repository_are_those_that_the_command_writes(kind: str, tmp_path: Path):
    name = f"{kind}.schema.json"
    command.main(["--write", str(tmp_path), kind], standalone_mode=False)
    assert (GENERATED / name).read_bytes() == (tmp_path / name).read_bytes(), AGAIN


# --- good files ---------------------------------------------------------------------------------


def test_files_of_every_kind_are_found():
    kinds = list(FILES.values())
    assert {kind: kinds.count(kind) for kind in SCHEMAS} == {
        "scenario": len([*ROOT.glob("scenarios/**/[0-9]*")]) + 269,
        "agent": len([*ROOT.glob("scenarios/agents/*")]),
        "flow": len([*ROOT.glob("scenarios/flows/*")]),
    }


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_of_the_repository_is_admitted(file: Path):
    assert errors(FILES[file], load_document(file).value) == []


@pytest.mark.parametrize("block", of_language("yaml"), ids=lambda block: str(block))
def test_a_file_on_a_page_is_admitted_unless_it_cannot_be_read(block: Block):
    document = Document(Path(block.name), block.text)
    slip = "expct" in block.text or "repleis" in block.text
    assert (errors(kind_of(document), document.value) != []) == slip


@pytest.mark.parametrize(
    "file", [*ROOT.glob("scenarios/**/*.yaml")], ids=lambda file: f"{file.parent.stem}-{file.stem}"
)
def test_the_first_line_of_a_file_leads_to_its_schema(file: Path):
    first = file.read_text(encoding="utf-8").partition("\n")[0]
    path = first.removeprefix("# yaml-language-server: $schema=")
    kind = kind_of(load_document(file))
    assert (file.parent / path).resolve() == GENERATED / f"{kind}.schema.json"


# --- keys ---------------------------------------------------------------------------------------


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    """Every part of a schema that is an object of known keys and no others."""
    if isinstance(schema, dict):
        if schema.get("additionalProperties") is False:
            yield schema
        for part in schema.values():
            yield from objects(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from objects(part)


def described(schema: dict[str, Any], root: dict[str, Any]) -> bool:
    """Whether a key has one short sentence for its author, or is not offered at all."""
    if "$ref" in schema:
        schema = root["definitions"][schema["$ref"].rpartition("/")[2]]
    about = schema.get("description", "")
    return schema.get("doNotSuggest") is True or (about.endswith(".") and len(about) < 100)


@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_key_has_a_short_text_for_its_author(kind: str):
    found = [*objects(SCHEMAS[kind])]
    bare = [
        key
        for part in found
        for key, schema in part["properties"].items()
        if not described(schema, SCHEMAS[kind])
    ]
    assert found
    assert bare == []


def with_key(value: Any, key: str) -> Any:
    """The value with another key in the place of the strange one."""
    if isinstance(value, dict):
        return {key if k in STRANGE else k: with_key(item, key) for k, item in value.items()}
    return [with_key(item, key) for item in value] if isinstance(value, list) else value


def unknown(value: Any) -> list[str]:
    found = errors("scenario", value)
    unknown = [error for error in found if error.validator == "additionalProperties"]
    return [key for error in unknown for key in strangers(error)]


@pytest.mark.parametrize("place", PLACES)
def test_a_reader_and_the_schema_know_the_same_keys(place: str):
    told = complaint("scenario", written(PLACES[place], Path("strange")))
    listed = re.search(r"(?:Write|[Uu]se) (?:one of:? )?(.+)\.$", str(told))
    assert listed is not None
    assert unknown(PLACES[place]) == [*STRANGE]
    for key in re.findall(r"\w+", listed[1]):
        assert unknown(with_key(PLACES[place], key)) == []


def test_a_key_that_only_a_reader_knows_is_missed():
    with pytest.raises(LookupError, match="differ in the keys new"):
        closed(["old", "new"], {"old": flag("Old.")})


def test_a_key_that_no_reader_knows_any_more_is_missed():
    with pytest.raises(LookupError, match="differ in the keys old"):
        closed(["new"], {"old": flag("Old."), "new": flag("New.")})


# --- values -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "30s",
        "1.5h",
        "0d",
        "2d",
        "007m",
        "",
        "3",
        "3 days",
        "1,5h",
        ".5h",
        "1.h",
        "-1h",
        "1H",
        "1hh",
    ],
)
def test_a_duration_is_what_the_engine_reads(text: str):
    try:
        parse_duration(text)
        read = True
    except FlowConfigurationError:
        read = False
    assert Draft7Validator(duration("")).is_valid(text) == read


TIMES = [
    "2026-01-05",
    "2026-01-05T09:00:00Z",
    "2026-01-05T09:00:00.000Z",
    "2026-01-05 09:00",
    "2026-01-05T09",
    "20260105T090000Z",
    "2026-W02-1",
    "2026-W02",
    "2026-01-05T09:00:00-03:00",
    "2026-01-05T09:00:00.123456+0530",
    "",
    "tomorrow",
    "2026",
    "2026-01",
    "05/01/2026",
    "2026-1-5",
    "09:00",
    "2026-01-05T9:00",
    "2026-01-05T",
    "2026-01-05T09:00:00 UTC",
]


@pytest.mark.parametrize("text", TIMES)
def test_a_time_is_what_the_engine_reads(text: str):
    try:
        to_datetime(text)
        read = True
    except ValueError:
        read = False
    assert Draft7Validator(instant("")).is_valid(text) == read


def test_a_time_may_be_reckoned_where_there_is_a_turn():
    assert Draft7Validator(instant("")).is_valid("${now+24h}")
    assert not Draft7Validator(instant("", expressions=False)).is_valid("${now+24h}")


@pytest.mark.parametrize("kind", ["say", "do", "if"])
def test_a_null_is_not_set(kind: str):
    steps = {"say": {"say": "Oi!"}, "do": {"do": "act"}, "if": {"if": {"vip": None}}}
    others = dict.fromkeys(("prompt", "collect", "wait", "question", "media", "with", "then"))
    spec = {"id": "a", "name": "A", "on": None, "steps": [{"id": "s", **others, **steps[kind]}]}
    assert errors("flow", spec) == []


def test_a_matrix_may_bring_the_agent_in():
    value = {"scenario": "t", "turns": [{"message": "oi"}]}
    assert not VALIDATORS["scenario"].is_valid(value)
    assert VALIDATORS["scenario"].is_valid({**value, "matrix": {"agent": ["a.yaml", "b.yaml"]}})
