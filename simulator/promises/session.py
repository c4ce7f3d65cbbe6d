"""Promises about the session that a turn leaves, and about what may leave beside it."""

from collections.abc import Iterator

import msgspec

from falai.providers.base import Purpose
from simulator.promises.moment import Broken, Moment


def one_asker(moment: Moment) -> Iterator[Broken]:
    """At most one run holds the floor."""
    asking = [run.flow_id for run in moment.result.session.runs if run.status == "asking"]
    if len(asking) > 1:
        yield Broken(what="more than one run asks at once", wanted=1, got=asking)


def claims(moment: Moment) -> Iterator[Broken]:
    """No run lives without its claim."""
    session = moment.result.session
    for run in session.runs:
        if run.dedupe_key not in session.claims:
            yield Broken(what=f'a run of flow "{run.flow_id}" lives without its claim')


def saves(moment: Moment) -> Iterator[Broken]:
    """A turn leaves the version alone, and one that changed nothing lets nothing out."""
    result = moment.result
    loaded = moment.before.version if moment.before is not None else 0
    if result.session.version != loaded:
        yield Broken(
            what="the turn changed the session's version",
            wanted=loaded,
            got=result.session.version,
        )
    leaves = (result.messages, result.schedule, result.started, result.ended)
    if not result.changed and any(leaves):
        yield Broken(what="a turn that changed nothing sent, scheduled or started something")


def size(moment: Moment) -> Iterator[Broken]:
    """The stored session stays below a bound."""
    length = len(msgspec.json.encode(moment.result.session))
    if length > moment.size:
        yield Broken(what="the session is too large", wanted=moment.size, got=length)


def calls(moment: Moment) -> Iterator[Broken]:
    """A turn reads once, speaks once and uses tools at most so often, and owns up to each call."""
    made = [call.purpose for call in moment.record.calls]
    most: dict[Purpose, int] = {
        "understand": 1,
        "speak": moment.agent.max_tool_loops + 1,
        "summary": 1,
    }
    for purpose, bound in most.items():
        if made.count(purpose) > bound:
            what = f"the turn made more {purpose} calls than any turn may"
            yield Broken(what=what, wanted=bound, got=made.count(purpose))
    if moment.result.llm_calls != len(made):
        what = "llmCalls is not what the turn spent"
        yield Broken(what=what, wanted=len(made), got=moment.result.llm_calls)


def step_loop(moment: Moment) -> Iterator[Broken]:
    """No run executes steps without end."""
    for line in moment.result.outcomes:
        if line.code == "step-loop":
            what = f'flow "{line.flow_id}": it goes round and round within a turn'
            yield Broken(what=what, got=line.step_id)


def hop_limit(moment: Moment) -> Iterator[Broken]:
    """No chain of flows is cut, unless the host handed it a hop count."""
    if moment.record.input.get("hop") or _start_hop(moment):
        return
    for skip in moment.result.skipped:
        if skip.code == "hop-limit":
            yield Broken(what=f'flow "{skip.flow_id}": its chain is too long and was cut')


def _start_hop(moment: Moment) -> bool:
    start = moment.record.input.get("start")
    return bool(start and start.get("hop"))
