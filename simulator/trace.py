"""What a play leaves behind: the record of every turn, and the verdict on every scenario."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from falai.errors import ProviderError
from falai.providers.base import ModelCall, ModelReply
from falai.turn.needs import ActionCall
from falai.turn.stepping import Exchange, Stepper
from falai.words.turn import TurnResult, Usage
from simulator.behind import Expense
from simulator.phases import PhaseRecord
from simulator.place import ScenarioFileError

Verdict: TypeAlias = Literal["passed", "failed", "error"]


class Failure(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """One expectation that did not hold."""

    line: int
    path: str
    wanted: Any
    got: Any
    message: str


class CallRecord(msgspec.Struct, frozen=True, rename="camel", kw_only=True, omit_defaults=True):
    """One model call as it was made, and what came back."""

    purpose: str
    prompt: str
    system: str | None
    tools: Sequence[str]
    reply: Any
    """`{message, structured?, toolCalls?}`, or `{error: {class, kind?, message, status?,
    retryAfterMs?, resetAtMs?, shouldRetry?}}`."""
    usage: Usage | None
    duration_ms: int | None = None
    """What the model's answer took; None where none was asked for one."""
    recorded: bool = False
    """Whether the answer was played from a tape, and took that long when it was recorded."""
    cost_usd: float | None = None
    """In US dollars, by litellm's price list; None where no model of it answered."""
    model: str | None = None
    """The model that was asked, `offline` for the stand-in; None where the script answered."""
    retries: int = 0
    """How often it was asked again before it answered."""


class ActionRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One action that ran."""

    do: str
    with_: Mapping[str, Any] = msgspec.field(name="with")
    key: str
    result: Any = None


class TurnRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One turn of a scenario."""

    entry: str
    """Number of the entry in `turns`; a wake that it fired, or a racer, has a suffix."""
    line: int
    now: str
    input: Mapping[str, Any]
    result: TurnResult | None
    calls: Sequence[CallRecord]
    actions: Sequence[ActionRecord]
    error: Mapping[str, Any] | None = None
    """`{class, kind?, message}` of a turn that raised."""
    phases: Sequence[PhaseRecord] | UnsetType = UNSET
    """What stood after each phase, where that was asked for."""


class ScenarioRecord(msgspec.Struct, rename="camel", kw_only=True, omit_defaults=True):
    """One scenario as it was played."""

    file: str
    scenario: str
    status: Verdict
    duration_ms: int
    llm_calls: int
    usage: Usage | None
    failures: Sequence[Failure]
    turns: Sequence[TurnRecord]
    notes: Sequence[str] = ()
    """What is worth saying and is no failure."""


class Tally(msgspec.Struct):
    """What was played so far, counted."""

    passed: int = 0
    failed: int = 0
    errors: int = 0
    turns: int = 0
    calls: int = 0

    @property
    def scenarios(self) -> int:
        return self.passed + self.failed + self.errors

    def add(self, record: ScenarioRecord, turns: int) -> None:
        """Count one more, and its turns: they may have been let go."""
        self.passed += record.status == "passed"
        self.failed += record.status == "failed"
        self.errors += record.status == "error"
        self.turns += turns
        self.calls += record.llm_calls


TRACE_VERSION = 1
"""Goes up when a key that was there means something else, or is gone."""


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """The document of a whole `falai run`."""

    version: int = TRACE_VERSION
    passed: int
    failed: int
    errors: int
    scenarios: Sequence[ScenarioRecord]


def file_error_record(
    file: Path, error: ScenarioFileError, title: str | None = None
) -> ScenarioRecord:
    """A scenario that could not be played, because a file is bad."""
    failure = Failure(line=error.place.line, path="", wanted=None, got=None, message=str(error))
    return ScenarioRecord(
        file=str(file),
        scenario=title or file.stem,
        status="error",
        duration_ms=0,
        llm_calls=0,
        usage=None,
        failures=[failure],
        turns=[],
    )


def trace_of(records: Sequence[ScenarioRecord]) -> Trace:
    """Count the verdicts."""
    by = [record.status for record in records]
    return Trace(
        passed=by.count("passed"),
        failed=by.count("failed"),
        errors=by.count("error"),
        scenarios=records,
    )


def calls_of(
    stepper: Stepper,
    expense_of: Callable[[ModelCall], Expense | None],
    model_of: Callable[[ModelCall], str | None],
) -> list[CallRecord]:
    """The model calls of a turn, in order."""
    return [
        _call_record(exchange.need, exchange, expense_of(exchange.need), model_of(exchange.need))
        for exchange in stepper.exchanges
        if isinstance(exchange.need, ModelCall)
    ]


def _call_record(
    call: ModelCall, exchange: Exchange, expense: Expense | None, model: str | None
) -> CallRecord:
    reply = exchange.answer if isinstance(exchange.answer, ModelReply) else None
    return CallRecord(
        purpose=call.purpose,
        prompt=call.prompt,
        system=call.system,
        tools=[offer.id for offer in call.tools],
        reply=_reply(reply) if reply is not None else {"error": _call_error(exchange.error)},
        usage=reply.usage if reply is not None else None,
        duration_ms=expense.duration_ms if expense is not None else None,
        recorded=expense is not None and expense.recorded,
        cost_usd=expense.cost_usd if expense is not None else None,
        model=model,
        retries=expense.retries if expense is not None else 0,
    )


def _call_error(error: BaseException | None) -> dict[str, Any] | None:
    """What a failed call tells, with what its turn was decided by."""
    shown = error_of(error)
    if shown is None or not isinstance(error, ProviderError):
        return shown
    told = {
        "status": error.status,
        "retryAfterMs": error.retry_after_ms,
        "resetAtMs": error.reset_at_ms,
        "shouldRetry": error.should_retry,
    }
    return shown | {key: value for key, value in told.items() if value is not None}


def _reply(reply: ModelReply) -> dict[str, Any]:
    shown: dict[str, Any] = {"message": reply.message}
    if reply.structured is not None:
        shown["structured"] = reply.structured
    if reply.tool_calls:
        shown["toolCalls"] = [
            {"tool": call.tool, "arguments": call.arguments} for call in reply.tool_calls
        ]
    return shown


def actions_of(stepper: Stepper) -> list[ActionRecord]:
    """The actions of a turn, in order."""
    return [
        ActionRecord(
            do=exchange.need.name,
            with_=exchange.need.args,
            key=exchange.need.key,
            result=exchange.answer if exchange.error is None else {"failed": str(exchange.error)},
        )
        for exchange in stepper.exchanges
        if isinstance(exchange.need, ActionCall)
    ]


def error_of(error: BaseException | None) -> dict[str, Any] | None:
    """What an expectation on `error` and a trace see of an exception."""
    if error is None:
        return None
    shown: dict[str, Any] = {"class": type(error).__name__, "message": str(error)}
    kind = getattr(error, "kind", None)
    if kind is not None:
        shown["kind"] = kind
    return shown


def total_usage(counts: Iterable[Usage | None]) -> Usage | None:
    """The sum of what was counted; None when nobody counted."""
    known = [count for count in counts if count is not None]
    if not known:
        return None
    return Usage(
        prompt_tokens=sum(count.prompt_tokens for count in known),
        completion_tokens=sum(count.completion_tokens for count in known),
        cached_input_tokens=sum(count.cached_input_tokens for count in known),
    )
