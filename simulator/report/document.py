"""Traces as a report reads them: only what it shows, and nothing that an older one may lack."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import msgspec

from falai.shapes import is_list, is_mapping
from simulator.check import kind_of
from simulator.load import SUFFIXES, load_document
from simulator.place import ScenarioFileError

MOST = 10**12
"""The largest number that is believed: sums of it still fit into 64 bits."""

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Amount: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=MOST)]


class ReportError(Exception):
    """A report cannot be made: `file: what. how to fix.`"""


class TokenCounts(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Tokens that the model counted in one call."""

    prompt_tokens: Count | None = None
    completion_tokens: Count | None = None
    cached_input_tokens: Count | None = None
    """How many of the prompt's tokens the provider had in its cache."""


class TracedError(msgspec.Struct, frozen=True, kw_only=True):
    """What a call or a turn raised."""

    class_: str = msgspec.field(name="class", default="unknown")
    kind: str | None = None
    message: str = ""


class TracedReply(msgspec.Struct, frozen=True, kw_only=True):
    """What came back of a call, as far as it says how the call went."""

    error: TracedError | str | None = None


class TracedCall(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """One model call."""

    purpose: str = "-"
    reply: TracedReply | str | None = None
    usage: TokenCounts | None = None
    cost_usd: Amount | None = None
    duration_ms: Amount | None = None

    @property
    def error(self) -> str | None:
        """The kind of failure, or the class of the error where it has no kind."""
        error = self.reply.error if isinstance(self.reply, TracedReply) else None
        return (error.kind or error.class_) if isinstance(error, TracedError) else error


class TracedLine(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """One outcome line."""

    run_id: str | None = None
    flow_id: str | None = None
    step_id: str | None = None
    kind: str = "-"
    status: str = "-"
    code: str | None = None
    message: str | None = None
    detail: str | None = None
    llm_calls: Count | None = None


class TracedSkip(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A start that was refused."""

    flow_id: str | None = None
    code: str | None = None
    message: str | None = None


class TracedRun(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A run as a session keeps it."""

    flow_id: str | None = None
    step_id: str | None = None
    status: str | None = None


class TracedSession(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A session after a turn, with the version that was loaded."""

    version: Count = 0
    runs: Sequence[TracedRun] = ()


class TracedMessage(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """What the assistant said."""

    text: str = ""
    kind: str = "ai"
    after_ms: Count = 0


class TracedResult(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """What came of a turn."""

    session: TracedSession = TracedSession()
    changed: bool = True
    messages: Sequence[TracedMessage] = ()
    outcomes: Sequence[TracedLine] = ()
    skipped: Sequence[TracedSkip] = ()


class TracedTurn(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """One turn of a scenario."""

    entry: str | int = "-"
    line: Count | None = None
    now: str | None = None
    input: Mapping[str, Any] = {}
    result: TracedResult | None = None
    calls: Sequence[TracedCall] = ()
    error: TracedError | str | None = None


class TracedFailure(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An expectation that did not hold."""

    line: Count | None = None
    path: str = ""
    message: str = ""


class TracedScenario(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """One scenario as it was played."""

    scenario: str
    turns: Sequence[TracedTurn]
    file: str = "-"
    status: str = "-"
    failures: Sequence[TracedFailure] = ()


class TraceFile(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The document of a whole `falai run`."""

    scenarios: Sequence[TracedScenario]


def read_traces(paths: Sequence[Path]) -> list[TracedScenario]:
    """What was played, in the order of the files; raises ReportError."""
    return [scenario for path in paths for scenario in _read(path).scenarios]


def _read(path: Path) -> TraceFile:
    """Read what `falai run --json` wrote; raises ReportError."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=TraceFile)
    except OSError as error:
        raise ReportError(f"{path}: cannot be read: {error.strerror}. Check the path.") from None
    except msgspec.ValidationError as error:
        raise ReportError(f"{path}: {_what_it_is(path, str(error))}") from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise ReportError(f"{path}: {_broken(path, str(error))}") from None


_FIX = "Write a trace with: falai run scenarios --json trace.json"


def _what_it_is(path: Path, misfit: str) -> str:
    """What a JSON file holds in place of a trace."""
    document: Any = msgspec.json.decode(path.read_bytes())
    if is_mapping(document) and "scenarios" in document:
        return f"not a trace that can be read: {misfit}. {_FIX}"
    known = _known_kind(path)
    if known is not None:
        return known
    if is_list(document):
        return f"not a trace: it is a JSON list. {_FIX}"
    if not is_mapping(document):
        return f"not a trace: it is a single JSON value. {_FIX}"
    keys = ", ".join(list(document)[:5]) or "none"
    return f"not a trace: it is a JSON object with other keys: {keys}. {_FIX}"


def _broken(path: Path, misfit: str) -> str:
    """What to say of a file that is not JSON."""
    return _known_kind(path) or f"not a trace: it is not JSON: {misfit}. {_FIX}"


def _known_kind(path: Path) -> str | None:
    """What to say when the file is of another kind that is known here."""
    if path.suffix.lower() not in SUFFIXES:
        return None
    try:
        kind = kind_of(load_document(path))
    except ScenarioFileError:
        return None
    if kind == "scenario":
        return f"not a trace: it is a scenario. Play it with: falai run {path} --json trace.json"
    return None if kind == "unknown" else f"not a trace: it is of the kind {kind}. {_FIX}"
