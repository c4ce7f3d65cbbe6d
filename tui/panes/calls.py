"""The model calls of a turn: for what, who answered, how long it took and what it cost."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from falai.shapes import is_mapping
from falai.words.turn import Usage
from simulator.trace import CallRecord
from tui.model.shown import column, cut, value
from tui.model.text import Line, Span, line
from tui.model.timeline import Timeline
from tui.model.view import View
from tui.panes.fitting import fitted
from tui.panes.prompt import all_calls

_WIDTHS = {"purpose": 11, "answered": 9, "ms": 6, "tokens": 11, "model": 20}
_NARROW = ("purpose", "answered")
_MEDIUM = ("purpose", "answered", "ms", "tokens")
_WIDE, _WIDEST = 56, 90
"""Columns from which on there is room for what a call took, and for the model too."""


def calls(view: View) -> Sequence[Line]:
    """The calls of the turn so far, and what the play has spent until then."""
    if not view.timeline.turns:
        return [line("No turn was played.", style="dim")]
    return fitted([*_of_turn(view), line(""), *_so_far(view)], view.width)


def _of_turn(view: View) -> Iterator[Line]:
    made = view.step.calls
    columns = _columns_of(made, view.width)
    names = dict(zip(_WIDTHS, _WIDTHS, strict=True))
    yield line(Span(cut(f"  {_told(names, columns)}reply", view.width), "head"))
    if not made:
        yield line("  No model call in this turn by now.", style="dim")
    for number, call in enumerate(made, 1):
        yield _call(call, view, number, columns)


def _columns_of(made: Sequence[CallRecord], width: int) -> Sequence[str]:
    """The columns that there is room for; all of it can be opened too."""
    if width < _WIDE:
        return _NARROW
    named = width >= _WIDEST and any(call.model is not None for call in made)
    return [*_MEDIUM, "model"] if named else _MEDIUM


def _told(row: Mapping[str, str], columns: Sequence[str]) -> str:
    return "".join(f"{column(row[name], _WIDTHS[name])} " for name in columns)


def _call(call: CallRecord, view: View, number: int, columns: Sequence[str]) -> Line:
    failed = has_failed(call)
    row = _told(_row(call), columns)
    reply = cut(answer(call), max(4, view.width - len(row) - 2))
    return line(
        Span("✗ " if failed else "✓ ", "bad" if failed else "good"),
        row,
        Span(reply, "bad" if failed else "dim"),
        key=f"call-{number}",
        opens=raw(call),
    )


def _row(call: CallRecord) -> dict[str, str]:
    usage = call.usage
    return {
        "purpose": call.purpose,
        "answered": who(call),
        "model": call.model or "",
        "ms": "" if call.duration_ms is None else str(call.duration_ms),
        "tokens": f"{usage.prompt_tokens}/{usage.completion_tokens}" if usage else "",
    }


def who(call: CallRecord) -> str:
    """Who answered a call."""
    if call.recorded:
        return "recorded"
    if call.model is None and call.duration_ms is None:
        return "scripted"
    return "stand-in" if call.model == "offline" else "live"


def has_failed(call: CallRecord) -> bool:
    """Whether an error came back instead of an answer."""
    return is_mapping(call.reply) and "error" in call.reply


def answer(call: CallRecord) -> str:
    """What came back, in a few words."""
    reply: Any = call.reply
    if not is_mapping(reply):
        return value(reply)
    if "error" in reply:
        error = reply["error"]
        return f"{error.get('kind') or error.get('class')}: {error.get('message')}"
    if "toolCalls" in reply:
        return "tools " + ", ".join(str(it.get("tool")) for it in reply["toolCalls"])
    return value(reply["structured"]) if "structured" in reply else str(reply.get("message", ""))


def raw(call: CallRecord) -> str:
    """The whole of a call: what was asked and what came back."""
    reply = msgspec.json.format(msgspec.json.encode(call.reply, enc_hook=repr), indent=2).decode()
    row = _row(call)
    parts = [f"{name}: {row[name]}" for name in row if row[name]]
    if call.tools:
        parts.append(f"tools: {', '.join(call.tools)}")
    if call.cost_usd is not None:
        parts.append(f"cost: {call.cost_usd} USD")
    system = f"\n\nsystem\n{call.system}" if call.system else ""
    return "\n".join(parts) + f"\n\nreply\n{reply}{system}\n\nprompt\n{call.prompt}"


# --- the play so far ----------------------------------------------------------------------------


class Total(msgspec.Struct, frozen=True, kw_only=True):
    """What the calls of one purpose came to."""

    count: int = 0
    failed: int = 0
    ms: int = 0
    prompt: int = 0
    completion: int = 0
    cost: float = 0

    def plus(self, call: CallRecord) -> "Total":
        usage = call.usage or Usage()
        return Total(
            count=self.count + 1,
            failed=self.failed + has_failed(call),
            ms=self.ms + (call.duration_ms or 0),
            prompt=self.prompt + usage.prompt_tokens,
            completion=self.completion + usage.completion_tokens,
            cost=self.cost + (call.cost_usd or 0),
        )

    @property
    def text(self) -> str:
        parts = [f"{self.count} {'call' if self.count == 1 else 'calls'}"]
        parts += [f"{self.failed} failed"] if self.failed else []
        parts += [f"{self.ms} ms"] if self.ms else []
        if self.prompt or self.completion:
            parts.append(f"{self.prompt} tokens in, {self.completion} out")
        return ", ".join(parts)


@lru_cache(maxsize=4)
def _totals(timeline: Timeline) -> Sequence[Mapping[str, Total]]:
    """By purpose, what had been spent after each call of a play; first before any."""
    totals: list[Mapping[str, Total]] = [{}]
    for it in all_calls(timeline):
        last, purpose = totals[-1], it.call.purpose
        totals.append({**last, purpose: last.get(purpose, Total()).plus(it.call)})
    return totals


def _so_far(view: View) -> Iterator[Line]:
    totals = _totals(view.timeline)[view.timeline.spent(view.at)]
    yield line("so far", style="head")
    for purpose, total in totals.items():
        text = cut(f"  {column(purpose, 11)} {total.text}", view.width)
        yield line(text, style="bad" if total.failed else "plain")
    cost = sum(total.cost for total in totals.values())
    if cost:
        yield line(f"  {cost:.6f} USD")
    if not totals:
        yield line("  no calls", style="dim")
