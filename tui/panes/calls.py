"""The model calls of a turn: for what, who answered, how long it took and what it cost."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from falai.shapes import is_mapping
from simulator.trace import CallRecord
from tui.model.shown import column, cut, value
from tui.model.text import Line, Span, line
from tui.model.view import View
from tui.panes.prompt import all_calls


def calls(view: View) -> Sequence[Line]:
    """The calls of the turn so far, and what the play has spent until then."""
    if not view.timeline.turns:
        return [line("No turn was played.", style="dim")]
    return [*_of_turn(view), line(""), *_so_far(view)]


def _of_turn(view: View) -> Iterator[Line]:
    head = " ".join(
        [
            column("purpose", 11),
            column("answered", 9),
            column("ms", 6),
            column("tokens", 11),
            "reply",
        ]
    )
    yield line(Span(cut(f"  {head}", view.width), "head"))
    made = view.step.calls
    if not made:
        yield line("  No model call in this turn by now.", style="dim")
    for number, call in enumerate(made, 1):
        yield _call(call, view, number)


def _call(call: CallRecord, view: View, number: int) -> Line:
    failed = is_mapping(call.reply) and "error" in call.reply
    usage = call.usage
    tokens = f"{usage.prompt_tokens}/{usage.completion_tokens}" if usage else ""
    took = "" if call.duration_ms is None else str(call.duration_ms)
    row = (
        f"{column(call.purpose, 11)} {column(who(call), 9)} {column(took, 6)} {column(tokens, 11)} "
    )
    reply = cut(answer(call), max(4, view.width - len(row) - 2))
    return line(
        Span("✗ " if failed else "✓ ", "bad" if failed else "good"),
        row,
        Span(reply, "bad" if failed else "dim"),
        key=f"call-{number}",
        opens=raw(call),
    )


def who(call: CallRecord) -> str:
    """Who answered a call."""
    if call.recorded:
        return "recorded"
    return "live" if call.duration_ms is not None else "scripted"


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
    parts = [f"purpose: {call.purpose}", f"answered: {who(call)}"]
    if call.tools:
        parts.append(f"tools: {', '.join(call.tools)}")
    if call.cost_usd is not None:
        parts.append(f"cost: {call.cost_usd} USD")
    system = f"\n\nsystem\n{call.system}" if call.system else ""
    return "\n".join(parts) + f"\n\nreply\n{reply}{system}\n\nprompt\n{call.prompt}"


def _so_far(view: View) -> Iterator[Line]:
    made = [it.call for it in all_calls(view.timeline)[: view.timeline.spent(view.at)]]
    yield line("so far", style="head")
    purposes = dict.fromkeys(call.purpose for call in made)
    for purpose in purposes:
        own = [call for call in made if call.purpose == purpose]
        prompt = sum(call.usage.prompt_tokens for call in own if call.usage)
        completion = sum(call.usage.completion_tokens for call in own if call.usage)
        tokens = f"  {prompt} tokens in, {completion} out" if prompt or completion else ""
        yield line(cut(f"  {column(purpose, 11)} {len(own)} calls{tokens}", view.width))
    cost = sum(call.cost_usd or 0 for call in made)
    if cost:
        yield line(f"  {cost:.6f} USD")
    if not made:
        yield line("  no calls", style="dim")
