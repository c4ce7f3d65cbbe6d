"""A flow as a tree: what starts it, its steps with their branches, where its run stands."""

from collections.abc import Iterator, Sequence

from falai.shapes import is_mapping
from falai.words.flow import (
    Chain,
    Do,
    Flow,
    Goto,
    If,
    Mention,
    Message,
    Predicate,
    Say,
    Silence,
    Step,
    Talk,
    Target,
    Trigger,
    Wait,
    WaitEvent,
)
from falai.words.session import Run
from falai.words.turn import Ended
from tui.model.shown import cut, shown, value, wrapped
from tui.model.text import Line, Span, line
from tui.model.view import View


def flow(view: View) -> Sequence[Line]:
    """The flow that is at work, then the others by name."""
    flows = view.subject.flows
    if not flows:
        unknown = "The agent of this play is not at hand, so its flows are not known."
        return [line(row, style="dim") for row in wrapped(unknown, view.width)]
    here = _run_at_hand(view)
    wanted = here.flow_id if here is not None else _last_started(view)
    first = next((it for it in flows if it.id == wanted), flows[0])
    lines = list(_tree(first, here, view.width))
    others = [it for it in flows if it is not first]
    if others:
        lines += [line(""), line("other flows", style="head")]
    for other in others:
        opened = f"open:{other.id}" in view.folded
        sign = "▾" if opened else "▸"
        lines.append(
            line(
                f"{sign} {cut(other.id, view.width - 2)}",
                key=f"flow-{other.id}",
                folds=f"open:{other.id}",
            )
        )
        if opened:
            lines += _tree(other, _run_of(view, other.id), view.width)
    return lines


def _run_at_hand(view: View) -> Run | None:
    """The run that asks, else the one that came last; one that ended in this turn counts too."""
    if not view.timeline.turns:
        return None
    runs = view.timeline.state(view.at).runs
    asking = next((run for run in runs if run.status == "asking"), None)
    if asking is not None:
        return asking
    result = view.timeline.record(view.at).result
    ended = result.ended if result else ()
    return next(reversed([*ended, *runs]), None)


def _last_started(view: View) -> str | None:
    """The flow that was the last to run before this turn."""
    timeline = view.timeline
    if not timeline.turns:
        return None
    here = timeline.turn_of(view.at)
    for turn in reversed(range(here)):
        result = timeline.turns[turn].result
        if result and result.started and timeline.session_of(turn) == timeline.session_of(here):
            return result.started[-1].flow_id
    return None


def _run_of(view: View, flow_id: str) -> Run | None:
    runs = view.timeline.state(view.at).runs if view.timeline.turns else ()
    return next((run for run in runs if run.flow_id == flow_id), None)


def _tree(it: Flow, run: Run | None, width: int) -> Iterator[Line]:
    ended = f"  ended: {run.reason}" if isinstance(run, Ended) else ""
    status = ended or (f"  {run.status}" if run is not None else "")
    yield line(Span(cut(f"{it.id}{status}", width), "head"), key=f"tree-{it.id}")
    for trigger in it.on or ():
        yield line(Span(cut(f"  on {_trigger(trigger)}", width), "dim"))
    for step in it.steps:
        yield from _step(step, run, width)


def _trigger(it: Trigger) -> str:
    match it:
        case Message() | Mention():
            word = "message" if isinstance(it, Message) else "mention"
            return f"{word} {', '.join(it.phrases) if it.phrases else '(any)'}"
        case Silence():
            return f"silence for {it.after}"
        case _:
            return f"event {it.name}" + (f", {it.after} later" if it.after else "")


def _step(step: Step, run: Run | None, width: int) -> Iterator[Line]:
    visits = run.visits.get(step.id, 0) if run is not None else 0
    here = run is not None and run.step_id == step.id
    sign = "▸ " if here else "✓ " if visits else "  "
    count = f"  {visits}×" if visits > 1 else ""
    text = f"{sign}{step.id}  {step.kind}  {_text(step)}{count}"
    yield line(Span(cut(text, width), "mark" if here else "plain"), key=f"step-{step.id}")
    for target in _targets(step):
        yield line(Span(cut(f"      {target}", width), "dim"))


def _text(step: Step) -> str:
    """What a step is about, in its own words."""
    match step:
        case Talk():
            return ", ".join(step.collect or ()) or shown(step.question or step.prompt or "")
        case Say():
            return shown(step.say)
        case Do():
            return step.do
        case Wait():
            return step.wait
        case WaitEvent():
            return f"event {step.event}" + (f", up to {step.up_to}" if step.up_to else "")
        case If():
            return _predicate(step.if_)


def _targets(step: Step) -> Iterator[str]:
    """Where a step may lead, besides to the next one."""
    branches = step.branches if isinstance(step, Talk | Wait) else None
    for branch in branches or ():
        condition = branch.when if branch.when is not None else _predicate(branch.if_)
        yield f"if {shown(condition)} → {_target(branch.then)}"
    if step.then is not None:
        yield f"then → {_target(step.then)}"
    if isinstance(step, Wait | WaitEvent | If) and step.else_ is not None:
        yield f"else → {_target(step.else_)}"
    if isinstance(step, Do) and step.on_fail is not None:
        yield f"on failure → {_target(step.on_fail)}"


def _predicate(it: Predicate | None) -> str:
    return value(it) if is_mapping(it) else "a function of the agent"


def _target(it: Target) -> str:
    match it:
        case Goto():
            return f"{it.step}, forgetting {', '.join(it.clear or ())}"
        case Chain():
            return f"flow {it.flow}"
        case _:
            return it
