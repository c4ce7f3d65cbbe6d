"""The conversation as far as it had come: what was said, and what happened in between."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache

from falai.shapes import is_mapping
from falai.turn.needs import Phase
from falai.words.turn import OutMessage
from simulator.trace import TurnRecord
from tui.model.shown import cut, hour, lasting, shown, value, when, wrapped
from tui.model.text import Line, Span, Style, line
from tui.model.timeline import PHASES, Timeline
from tui.model.view import View
from tui.panes.fitting import fit

_INDENT = "  "


def conversation(view: View) -> Sequence[Line]:
    """Every line that had come about by the step at which somebody stands."""
    made = _talk(view.timeline, view.width)
    made.go_on_to(view.timeline.turn_of(view.at))
    return made.lines[: bisect_right(made.steps, view.at)]


class _Talk:
    """The lines of a play as far as somebody has looked, and the step at which each came about."""

    def __init__(self, timeline: Timeline, width: int) -> None:
        self.lines: list[Line] = []
        self.steps: list[int] = []
        self._timeline = timeline
        self._width = width
        self._turns = 0

    def go_on_to(self, last: int) -> None:
        """Make the lines of all turns until the last one, which is from 0."""
        for turn in range(self._turns, min(last + 1, len(self._timeline.turns))):
            record = self._timeline.turns[turn]
            lines = _turn(self._timeline, turn, record, self._width)
            # A flow that another one leads to may start after that one has acted or spoken.
            for at, made in sorted(lines, key=lambda it: it[0]):
                self.lines.append(fit(made, self._width))
                self.steps.append(at)
        self._turns = max(self._turns, last + 1)


@lru_cache(maxsize=8)
def _talk(timeline: Timeline, width: int) -> _Talk:
    return _Talk(timeline, width)


Placed = tuple[int, Line]


def _turn(timeline: Timeline, turn: int, record: TurnRecord, width: int) -> Iterator[Placed]:
    if turn == 0 or record.now[:16] != timeline.turns[turn - 1].now[:16]:
        yield timeline.at(turn, Phase.LOAD), _chip(f"{when(record.now)}", width)
    yield from _came(timeline, turn, record, width)
    yield from _started(timeline, turn, record, width)
    yield from _did(timeline, turn, record, width)
    said_at = _first(timeline, turn, "messages", Phase.SETTLE)
    for number, message in enumerate(record.result.messages if record.result else ()):
        for made in _said(message, record, width, key=f"said-{turn}-{number}"):
            yield said_at[number] if number < len(said_at) else timeline.at(turn), made
    yield from _ended(timeline, turn, record, width)


def _came(timeline: Timeline, turn: int, record: TurnRecord, width: int) -> Iterator[Placed]:
    """The input: the customer's words, or what the host reported."""
    at, given = timeline.at(turn, PHASES[0]), record.input
    session = timeline.session_of(turn)
    where = f" ({shown(session)})" if timeline.has_sessions else ""
    if "message" in given:
        yield at, _speaker(f"customer{where}", hour(record.now), "customer", turn)
        for text in wrapped(str(given["message"]), width - 2):
            yield at, line(_INDENT, Span(text, "customer"), key=f"came-{turn}")
    elif "event" in given:
        payload = f" {value(given['payload'])}" if "payload" in given else ""
        yield at, _chip(f"event {given['event']}{payload}{where}", width)
    elif "wake" in given:
        yield at, _chip(f"wake {given['wake']}{where}", width)
    else:
        start = given.get("start")
        flow = start.get("flow") if is_mapping(start) else start
        yield at, _chip(f"the host starts {flow}{where}", width)
    if "silenced" in given:
        silenced = given["silenced"]
        reason = silenced.get("reason") if is_mapping(silenced) else silenced
        yield at, _chip(f"silenced: {reason}", width)


def _started(timeline: Timeline, turn: int, record: TurnRecord, width: int) -> Iterator[Placed]:
    places = _first(timeline, turn, "started", Phase.DECIDE)
    for number, run in enumerate(record.result.started if record.result else ()):
        at = places[number] if number < len(places) else timeline.at(turn)
        yield at, _chip(f"{run.flow_id} starts", width)


def _did(timeline: Timeline, turn: int, record: TurnRecord, width: int) -> Iterator[Placed]:
    places = _first(timeline, turn, "actions", Phase.RUN)
    for number, action in enumerate(record.actions):
        at = places[number] if number < len(places) else timeline.at(turn)
        failed = is_mapping(action.result) and "failed" in action.result
        yield at, _chip(f"did {action.do}" + (" ! it failed" if failed else ""), width)


def _ended(timeline: Timeline, turn: int, record: TurnRecord, width: int) -> Iterator[Placed]:
    at = timeline.at(turn, Phase.FINISH)
    for run in record.result.ended if record.result else ():
        yield at, _chip(f"{run.flow_id} ends: {run.reason}", width)
    if record.error is not None:
        text = f"! the turn failed: {record.error.get('message', '')}"
        yield at, line(Span(cut(text, width), "bad"), opens=text, key=f"error-{turn}")


def _first(timeline: Timeline, turn: int, what: str, otherwise: Phase) -> list[int]:
    """For each thing that a turn brought, the step at which it was first there."""
    record = timeline.turns[turn]
    if not record.phases:
        whole = getattr(record.result, what, None) or getattr(record, what, ())
        return [timeline.at(turn, otherwise)] * len(whole)
    places: list[int] = []
    for done in record.phases:
        count = getattr(done, what) - len(places)
        places += [timeline.at(turn, done.phase)] * count
    return places


def _said(message: OutMessage, record: TurnRecord, width: int, *, key: str) -> Iterator[Line]:
    verbatim = message.kind == "verbatim"
    style: Style = "verbatim" if verbatim else "assistant"
    late = f", after {lasting(message.after_ms)}" if message.after_ms else ""
    who = f"assistant{', verbatim' if verbatim else ''}{late}"
    yield _speaker(who, hour(record.now), style, key)
    for text in wrapped(message.text, width - 2):
        yield line(_INDENT, Span(text, style), key=key, opens=message.text)
    if message.media:
        yield line(_INDENT, Span(cut(f"[media {value(message.media)}]", width - 2), "dim"))


def _speaker(who: str, time: str, style: Style, key: object) -> Line:
    return line(Span(who, style), Span(f"  {time}", "dim"), key=f"who-{key}")


def _chip(text: str, width: int) -> Line:
    return line(Span(cut(f"· {shown(text)}", width), "chip"), opens=text)
