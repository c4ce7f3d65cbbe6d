"""Traces as files: what is written, without secrets, and what each file is called."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath

import msgspec

from simulator.cassette.scrub import Scrubber
from simulator.trace import ScenarioRecord, Trace, trace_of

CI_FOLDER = Path("falai-traces")
"""Where the traces of failures go under CI, when no other place is named."""


_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
"""A text in encoded JSON, with its quotes."""


def trace_text(trace: Trace | ScenarioRecord, environment: Mapping[str, str]) -> bytes:
    """The document of a trace; secrets of the environment, and what looks like one, are gone.

    What a host's code put there that JSON does not know is written as Python shows it.
    """
    encoded = msgspec.json.encode(trace, enc_hook=repr)
    return _without_secrets(encoded, Scrubber(environment))


def _without_secrets(encoded: bytes, scrubber: Scrubber) -> bytes:
    """Encoded JSON with other texts where secrets stood, and the same bytes everywhere else.

    Each text is looked at once: in a trace the same ones come again and again.
    """
    document = encoded.decode()
    cleaned: dict[str, str] = {}
    for string in dict.fromkeys(_STRING.findall(document)):
        text = msgspec.json.decode(string) if "\\" in string else string[1:-1]
        clean = scrubber.text(text)
        if clean != text:
            cleaned[string] = msgspec.json.encode(clean).decode()
    if not cleaned:
        return encoded
    return _STRING.sub(lambda found: cleaned.get(found[0], found[0]), document).encode()


def traces_by_file(records: Iterable[ScenarioRecord]) -> dict[str, Trace]:
    """A trace for each scenario file, by a name that tells which: `scenarios-hello.json`."""
    by_file: dict[str, list[ScenarioRecord]] = {}
    for record in records:
        by_file.setdefault(record.file, []).append(record)
    named: dict[str, Trace] = {}
    for file, played in by_file.items():
        named[_free_name(file, named)] = trace_of(played)
    return named


def write_traces(
    folder: Path, records: Iterable[ScenarioRecord], environment: Mapping[str, str]
) -> int:
    """Write a trace for each file into a folder, and say how many; raises OSError."""
    traces = traces_by_file(records)
    folder.mkdir(parents=True, exist_ok=True)
    for name, trace in traces.items():
        (folder / name).write_bytes(trace_text(trace, environment) + b"\n")
    return len(traces)


def _free_name(file: str, taken: Mapping[str, object]) -> str:
    parts = [part for part in PurePath(file).with_suffix("").parts if part.strip("./\\:")]
    name, number = "-".join(parts), 1
    while (free := f"{name}.json" if number == 1 else f"{name}-{number}.json") in taken:
        number += 1
    return free


def is_ci(environment: Mapping[str, str]) -> bool:
    """Whether this runs in a pipeline: all services of the kind set `CI`."""
    return environment.get("CI", "").casefold() not in ("", "0", "false")
