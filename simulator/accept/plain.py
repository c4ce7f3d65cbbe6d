"""What came, written as an expectation of its own: where nothing was said of it before."""

from collections.abc import Mapping, Sequence
from typing import Any

from falai.shapes import is_list, is_mapping
from simulator.accept.inplace import mismatches
from simulator.expectation import literal
from simulator.place import KeyPath

_TELLING: Mapping[str, Sequence[str]] = {
    "messages": ("text", "kind"),
    "sent": ("text",),
    "runs": ("flowId", "stepId", "status"),
    "started": ("flowId",),
    "ended": ("flowId", "reason"),
    "skipped": ("flowId", "code"),
    "outcomes": ("flowId", "stepId", "kind", "status", "code", "detail", "next", "until"),
    "schedule": ("key", "at"),
    "actions": ("do", "with"),
}
"""What is worth naming of the lines of a result; the rest is there to be looked up."""


def plain_value(got: Any, path: KeyPath, *, exact: bool) -> Any:
    """A value that lies at `path`, as a file has it."""
    if is_list(got):
        return [plain_element(item, (), path, exact=exact) for item in got]
    return _whole(got, path, exact=exact) if is_mapping(got) else literal(got)


def plain_element(got: Any, beside: Sequence[Any], path: KeyPath, *, exact: bool) -> Any:
    """An element of the list at `path`, with the keys that the expectations beside it name."""
    if not is_mapping(got) or exact:
        return plain_value(got, path, exact=exact)
    named = list(dict.fromkeys(key for other in beside if is_mapping(other) for key in other))
    keys = named or _TELLING.get(str(path[-1]), ()) if path else named
    chosen = {key: got[key] for key in keys if key in got}
    return _whole(chosen or got, path, exact=exact)


def _whole(got: Mapping[str, Any], path: KeyPath, *, exact: bool) -> dict[str, Any]:
    """A mapping in full, but for the English sentence beside a code."""
    rest = {key: value for key, value in got.items() if key != "message"}
    shown = got if mismatches(rest, got, path, exact=True) else rest
    return {
        literal(key): plain_value(value, (*path, key), exact=exact) for key, value in shown.items()
    }
