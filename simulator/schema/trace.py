"""The JSON Schema of a trace, for whoever reads one: it is made from the types that write it."""

from typing import Any

import msgspec

from simulator.trace import Trace


def trace_schema() -> dict[str, Any]:
    """The document that `falai run --json` writes.

    Later versions may add keys, so objects are open; a key that is there keeps its meaning.
    """
    # What stands for a default in Python, such as an empty tuple, is a list in JSON.
    schema: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(msgspec.json.schema(Trace)))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A trace", **schema}
