"""The conversations of a report: each scenario as a timeline of what was said and what it cost."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from falai.shapes import compact, is_mapping
from simulator.report.amounts import counted, shown
from simulator.report.charts import strip
from simulator.report.document import (
    TracedCall,
    TracedError,
    TracedLine,
    TracedMessage,
    TracedScenario,
    TracedSkip,
    TracedTurn,
)
from simulator.report.frames import error_class
from simulator.report.markup import Markup, joined, tag
from simulator.report.moments import clock_time, day, gaps, instant, span
from simulator.report.owner import IDLE, NONE, Owner, Owners, owner_of, owner_of_line


def conversation(played: TracedScenario) -> Markup:
    """One scenario, folded to a line that says what it spent."""
    return tag(
        "details",
        _heading(played),
        _failures(played),
        tag("ol", _turns(played), class_="timeline"),
        class_="conversation",
        data_status=played.status,
    )


def _heading(played: TracedScenario) -> Markup:
    counts = [len(turn.calls) for turn in played.turns]
    title = f"Model calls in each turn: {', '.join(map(str, counts)) or 'no turn'}"
    return tag(
        "summary",
        tag("span", played.status, class_=f"status {_class(played.status)}"),
        tag("span", tag("b", played.scenario), " ", tag("small", played.file), class_="title"),
        strip(title, counts, [turn.error is not None for turn in played.turns]),
        tag("span", counted(sum(counts), "call"), class_="spent"),
    )


def _class(status: str) -> str:
    return status if status in ("passed", "failed", "error") else "other"


def _failures(played: TracedScenario) -> Markup:
    if not played.failures:
        return Markup()
    items = (
        tag(
            "li",
            f"line {failure.line}: " if failure.line else "",
            _failed(failure.path),
            failure.message,
        )
        for failure in played.failures
    )
    return tag("ul", items, class_="failures")


def _failed(path: str) -> str:
    return f"{path}: " if path else ""


# --- turns --------------------------------------------------------------------------------------


def _turns(played: TracedScenario) -> Iterator[Markup]:
    owners = Owners()
    several = len({turn.input.get("sessionId") for turn in played.turns}) > 1
    moments = [instant(turn.now) for turn in played.turns]
    dates = [day(moment) if moment else "" for moment in moments]
    passed = gaps(moments)
    for place, turn in enumerate(played.turns):
        if dates[place] and dates[place] != (dates[place - 1] if place else ""):
            yield tag("li", dates[place], class_="day")
        when = clock_time(moment) if (moment := moments[place]) else (turn.now or "")
        yield tag(
            "li",
            _when(turn, when, passed[place]),
            tag("div", str(len(turn.calls)), class_=_node_class(turn), title=_node_title(turn)),
            tag("div", _what(turn, owners.of_turn(turn), several=several), class_="what"),
            class_="turn lost" if str(turn.entry).endswith(" lost") else "turn",
        )


def _when(turn: TracedTurn, when: str, passed: str) -> Markup:
    line = f", line {turn.line}" if turn.line else ""
    return tag(
        "div",
        tag("time", when),
        tag("small", f"+{passed}") if passed else "",
        tag("small", f"turn {turn.entry}{line}"),
        class_="when",
    )


def _node_class(turn: TracedTurn) -> str:
    return "node bad" if turn.error is not None else "node" if turn.calls else "node none"


def _node_title(turn: TracedTurn) -> str:
    return f"{counted(len(turn.calls), 'model call')} in this turn"


def _what(turn: TracedTurn, owners: Mapping[str, Owner], *, several: bool) -> Iterator[Markup]:
    if several:
        yield tag("small", f"session {turn.input.get('sessionId', NONE)}", class_="session")
    yield _input(turn.input)
    result = turn.result
    if result is not None:
        yield joined(_said(message) for message in result.messages)
    if turn.error is not None:
        yield tag("p", f"{error_class(turn)}: {_message_of(turn.error)}", class_="raised")
    facts = [*(_call(call, owner_of(call, owners)) for call in turn.calls)]
    if result is not None:
        facts += [_line(line) for line in result.outcomes if _is_worth_telling(line)]
        facts += [_skip(skip) for skip in result.skipped]
    if facts:
        yield tag("ul", facts, class_="facts")


# --- what was said ------------------------------------------------------------------------------


def _input(given: Mapping[str, Any]) -> Markup:
    """What happened: the customer's words, or a line about it."""
    if "message" in given:
        return _bubble("customer", "customer", str(given["message"]))
    for kind in ("event", "start", "wake"):
        if kind in given:
            return tag("p", tag("b", kind), " ", _happened(given, kind), class_="event")
    return tag("p", "no input", class_="event")


def _happened(given: Mapping[str, Any], kind: str) -> str:
    value = given[kind]
    if kind == "start" and is_mapping(value):
        more = f" {compact(value['input'])}" if "input" in value else ""
        return f"{value.get('flow', NONE)}{more}"
    more = f" {compact(given['payload'])}" if "payload" in given else ""
    return f"{value}{more}"


def _said(message: TracedMessage) -> Markup:
    who = "assistant" if message.kind == "ai" else f"assistant, {message.kind}"
    wait = f", after {span(message.after_ms)}" if message.after_ms else ""
    kind = "ai" if message.kind == "ai" else "verbatim"
    return _bubble(kind, f"{who}{wait}", message.text)


def _bubble(kind: str, who: str, text: str) -> Markup:
    return tag("p", tag("small", who), tag("span", text), class_=f"said {kind}")


def _message_of(error: TracedError | str) -> str:
    return error.message if isinstance(error, TracedError) else error


# --- what it cost, and what was decided ---------------------------------------------------------


def _call(call: TracedCall, owner: Owner) -> Markup:
    where = IDLE if owner.step == IDLE else _where(owner)
    parts = [call.purpose, where, _tokens(call), _cost(call), _time(call), _trouble(call)]
    known = call.purpose if call.purpose in ("understand", "speak", "summary") else "other"
    bad = " bad" if call.error is not None else ""
    return tag("li", _row(parts), class_=f"call {known}{bad}")


def _row(parts: Sequence[str]) -> str:
    return " · ".join(filter(None, parts))


def _where(owner: Owner) -> str:
    return "" if owner.flow == NONE else f"{owner.flow}/{owner.step}"


def _tokens(call: TracedCall) -> str:
    usage = call.usage
    if usage is None:
        return ""
    total = (usage.prompt_tokens or 0) + (usage.completion_tokens or 0)
    return counted(total, "token")


def _cost(call: TracedCall) -> str:
    return "" if call.cost_usd is None else f"{shown('costUsd', call.cost_usd)} USD"


def _time(call: TracedCall) -> str:
    return "" if call.duration_ms is None else f"{shown('', call.duration_ms)} ms"


def _trouble(call: TracedCall) -> str:
    return "" if call.error is None else f"failed: {call.error}"


def _is_worth_telling(line: TracedLine) -> bool:
    """What was said stands there already; what was decided or went another way is told."""
    return line.code is not None or line.status not in ("ok", NONE) or line.kind == "do"


def _line(line: TracedLine) -> Markup:
    where = _where(owner_of_line(line))
    parts = [where, line.kind, line.code or line.status, line.detail or ""]
    bad = " bad" if line.status in ("failed", "deferred") else ""
    return tag("li", _row(parts), class_=f"line{bad}", title=line.message)


def _skip(skip: TracedSkip) -> Markup:
    text = f"{skip.flow_id or NONE} not started: {skip.code or NONE}"
    return tag("li", text, class_="line", title=skip.message)
