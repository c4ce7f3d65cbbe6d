"""What was expected and what came: this turn's failures first, then those of the whole play."""

from collections.abc import Iterator, Sequence

import msgspec

from simulator.trace import Failure
from tui.model.shown import cut, wrapped
from tui.model.text import Line, Span, line
from tui.model.view import View


def checks(view: View) -> Sequence[Line]:
    """The verdict, with wanted and got of everything that differed."""
    play = view.subject.play
    lines = [_verdict(view)]
    if view.timeline.turns:
        turn = view.timeline.turn_of(view.at)
        lines += [made for it in view.timeline.failures(turn) for made in _failure(view, it)]
        if view.timeline.failures(turn):
            lines.append(line(""))
    elsewhere = list(_elsewhere(view))
    if elsewhere:
        lines += [line("elsewhere in this play", style="head"), *elsewhere]
    lines += [line(f"note: {cut(note, view.width - 6)}", style="dim") for note in play.notes]
    return lines


def _verdict(view: View) -> Line:
    play = view.subject.play
    match play.status:
        case "passed":
            return line(Span("✓ pass", "good"), "  everything that was expected came")
        case "failed":
            return line(Span(f"✗ fail  {len(play.failures)} did not hold", "bad"))
        case _:
            return line(Span("! error  it could not be played", "warn"))


def _failure(view: View, it: Failure) -> Iterator[Line]:
    whole = told(it)
    head = f"✗ line {it.line}  {it.path}: {it.message}" if it.path else it.message
    for number, text in enumerate(wrapped(head, view.width)):
        yield line(Span(text, "bad"), opens=whole, key=f"check-{it.line}-{it.path}-{number}")
    if not it.path and it.wanted is None and it.got is None:
        return
    for name, style, said in (("wanted", "removed", it.wanted), ("got", "added", it.got)):
        text = cut(_json(said), max(8, view.width - 10))
        yield line(Span(f"  {name:<7} ", "dim"), Span(text, style), opens=whole)  # type: ignore[arg-type]


def told(it: Failure) -> str:
    """A failure with all of what was wanted and what came."""
    both = f"\n\nwanted\n{_json(it.wanted)}\n\ngot\n{_json(it.got)}" if it.path else ""
    return f"line {it.line}  {it.path}\n{it.message}{both}"


def _json(it: object) -> str:
    return msgspec.json.encode(it, enc_hook=repr).decode()


def _elsewhere(view: View) -> Iterator[Line]:
    timeline = view.timeline
    here = timeline.turn_of(view.at) if timeline.turns else None
    for it in timeline.failures(None):
        for text in wrapped(it.message, view.width - 4):
            yield line(Span(f"  ✗ {text}", "bad"), opens=told(it))
    for turn in timeline.failed_turns:
        if turn != here:
            for it in timeline.failures(turn):
                text = f"  ✗ turn {turn + 1}  line {it.line}  {it.path}: {it.message}"
                to = timeline.at(turn)
                yield line(
                    Span(cut(text, view.width), "bad"), to=to, key=f"else-{it.line}-{it.path}"
                )
