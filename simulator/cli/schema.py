"""`falai schema`: JSON Schemas of scenarios, agents and flows, for editors, and of traces."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from simulator.cli.files import write_file
from simulator.schema import agent_schema, flow_schema, scenario_schema, trace_schema
from simulator.schema.parts import Schema

_SCHEMAS: Mapping[str, Callable[[], Schema]] = {
    "scenario": scenario_schema,
    "agent": agent_schema,
    "flow": flow_schema,
    "trace": trace_schema,
}


@click.command(name="schema")
@click.argument("kind", required=False, type=click.Choice(list(_SCHEMAS)))
@click.option(
    "--write",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write KIND.schema.json into FOLDER; without KIND, all of them.",
)
def command(kind: str | None, folder: Path | None) -> None:
    """Print the JSON Schema of a KIND of file: scenario (the default), agent, flow
    or trace.

    An editor that knows the schema of a file completes its keys, explains them and marks what
    is wrong. The first line of a YAML file tells where its schema is:

    \b
        # yaml-language-server: $schema=schemas/scenario.schema.json

    Exit code 0: it is printed or written; 2: it cannot be.

    \b
    Examples:
        falai schema flow
        falai schema --write schemas
    """
    if folder is None:
        click.echo(_text(kind or "scenario"))
        return
    _make(folder)
    for name in [kind] if kind else _SCHEMAS:
        file = folder / f"{name}.schema.json"
        write_file(file, _text(name).encode())
        click.echo(f"{file} written")


def _text(kind: str) -> str:
    return json.dumps(_SCHEMAS[kind](), indent=2)


def _make(folder: Path) -> None:
    """Make the folder unless it is there; one that cannot be made ends the command."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        click.echo(f"{folder}: cannot be made: {error.strerror}. Choose another place.", err=True)
        sys.exit(2)
