"""What an agent works out once from its flows, so that no turn has to."""

from collections.abc import Iterable, Mapping, Sequence

from falai.words.field import Field
from falai.words.flow import Event, Flow, Mention, Message, Silence, Step, Talk


class FlowPlan:
    """One flow with its steps by id and its triggers by kind.

    Of several triggers of one kind only the first counts, but for events.
    """

    __slots__ = (
        "anywhere",
        "catch_all",
        "events",
        "first_reads",
        "flow",
        "id",
        "mention",
        "message",
        "phrased",
        "position",
        "silence",
        "stays",
        "steps",
        "talks",
    )

    def __init__(self, flow: Flow, fields: Mapping[str, Field]) -> None:
        triggers = flow.on or ()
        messages = [t for t in triggers if isinstance(t, Message)]
        self.flow = flow
        self.id = flow.id
        self.steps: dict[str, Step] = {step.id: step for step in flow.steps}
        self.position = {step.id: at for at, step in enumerate(flow.steps)}
        self.talks = [step for step in flow.steps if isinstance(step, Talk)]
        self.message = next(iter(messages), None)
        self.phrased = next((t for t in messages if t.phrases), None)
        self.catch_all = next((t for t in messages if not t.phrases), None)
        self.mention = next((t for t in triggers if isinstance(t, Mention)), None)
        self.silence = next((t for t in triggers if isinstance(t, Silence)), None)
        self.events = [t for t in triggers if isinstance(t, Event)]
        self.anywhere = _anywhere(flow, self.talks, fields)
        self.first_reads = _first_reads(flow.steps)
        self.stays = flow.on_end == "stay"

    def step_after(self, step_id: str) -> Step | None:
        """The next step in the list; None past the last, or when the step is gone."""
        at = self.position.get(step_id)
        if at is None or at + 1 >= len(self.flow.steps):
            return None
        return self.flow.steps[at + 1]


class Plan:
    """All flows of an agent, in order and by id."""

    __slots__ = ("by_id", "flows", "has_question")

    def __init__(self, flows: Iterable[Flow], fields: Mapping[str, Field]) -> None:
        self.flows = [FlowPlan(flow, fields) for flow in flows]
        self.by_id = {plan.id: plan for plan in self.flows}
        self.has_question = any(t.question is not None for p in self.flows for t in p.talks)
        """Whether it matters that a message asks something."""


def _anywhere(flow: Flow, talks: Sequence[Talk], fields: Mapping[str, Field]) -> tuple[str, ...]:
    """Fields of the flow that any message may give: its own, then each talk step's, once each."""
    slugs = [*(flow.collect or ()), *(slug for talk in talks for slug in talk.collect or ())]
    return tuple(s for s in dict.fromkeys(slugs) if s in fields and fields[s].anywhere)


def _first_reads(steps: Sequence[Step]) -> frozenset[str]:
    """Fields that the first step reads in its own speak call; a fixed question makes no call."""
    if steps and isinstance(steps[0], Talk) and steps[0].question is None:
        return frozenset(steps[0].collect or ())
    return frozenset()
