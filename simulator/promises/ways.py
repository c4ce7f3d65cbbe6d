"""Whether a way leads out of a flow: a promise about every run that lives."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from falai.words.flow import Do, Flow, Goto, If, Step, Talk, Target, Wait, WaitEvent
from simulator.promises.moment import Broken, Moment

_END = None
"""Out of the flow: its end, or another flow."""


def ends(moment: Moment) -> Iterator[Broken]:
    """From the step at which a run stands some way leads to its end."""
    flows = {flow.id: flow for flow in moment.agent.flows}
    for run in moment.result.session.runs:
        flow = flows.get(run.flow_id)
        # A premise that breaks, and a customer who writes after a silence, end a run anywhere.
        if flow is None or flow.while_ is not None or run.trigger.kind == "silence":
            continue
        if run.step_id is not None and run.step_id in _closed(_Ways(flow)):
            what = f'flow "{flow.id}", step "{run.step_id}": no way leads from here to an end'
            yield Broken(what=what)


class _Ways:
    """Where the steps of a flow lead; equal only to those of the same flow object."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow

    def __hash__(self) -> int:
        return id(self.flow)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Ways) and other.flow is self.flow

    def of(self) -> Mapping[str, set[str | None]]:
        """The steps that each step may lead to, whatever its conditions say."""
        steps = self.flow.steps
        following = [*(step.id for step in steps[1:]), _END]
        return {
            step.id: set(_leads(step, after)) for step, after in zip(steps, following, strict=True)
        }


@lru_cache(maxsize=256)
def _closed(ways: _Ways) -> frozenset[str]:
    """The steps from which nothing leads out."""
    leads = ways.of()
    open_steps: set[str | None] = {_END}
    while found := {step for step in leads if leads[step] & open_steps} - open_steps:
        open_steps |= found
    return frozenset(step for step in leads if step not in open_steps)


def _leads(step: Step, after: str | None) -> Iterator[str | None]:
    yield after if step.then is None else _step_of(step.then)
    if isinstance(step, Talk | Wait):
        yield from (_step_of(branch.then) for branch in step.branches or ())
    if isinstance(step, If | WaitEvent):
        yield _END if step.else_ is None else _step_of(step.else_)
    if isinstance(step, Wait) and step.else_ is not None:
        yield _step_of(step.else_)
    if isinstance(step, Do) and step.on_fail is not None:
        yield _step_of(step.on_fail)


def _step_of(target: Target) -> str | None:
    if isinstance(target, Goto):
        return target.step
    return target if isinstance(target, str) and target != "end" else _END
