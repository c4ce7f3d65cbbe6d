"""Whether what was built in Python is made of structs where the engine looks for them.

A mapping in place of a struct reads well enough as a spec, and fails once it runs.
"""

from collections.abc import Iterator
from typing import Any, cast

import msgspec

from falai.errors import FlowConfigurationError
from falai.spec.plain import wire_name


def check_built(where: str, read: object, given: object, path: str = "") -> None:
    """Raise FlowConfigurationError where `given` holds a mapping for a struct of `read`.

    `read` is what the reader made of `given`, so that the two differ in nothing else.
    """
    for found, struct in _unbuilt(read, given, path):
        raise FlowConfigurationError.at(
            where,
            f"{found} is no {struct.__name__}, but a mapping".strip(),
            f"Write {struct.__name__}(…).",
        )


def _unbuilt(read: object, given: Any, path: str) -> Iterator[tuple[str, type]]:
    if isinstance(read, msgspec.Struct):
        if isinstance(given, type(read)):
            for name in read.__struct_fields__:
                inside = f"{path}.{wire_name(name)}" if path else wire_name(name)
                yield from _unbuilt(getattr(read, name), getattr(given, name), inside)
        else:
            yield path, type(read)
    elif isinstance(read, tuple):
        entries = cast("tuple[object, ...]", read)
        for index, entry in enumerate(entries):
            yield from _unbuilt(entry, given[index], f"{path}[{index}]")
    elif isinstance(read, dict):
        for key, entry in cast("dict[str, object]", read).items():
            # Structs stand in `extract` alone; a value of the author's own may hold anything.
            if isinstance(entry, msgspec.Struct):
                yield from _unbuilt(entry, given[key], f"{path}.{key}")
