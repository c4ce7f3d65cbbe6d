"""A session is bounded: whatever goes on for long, what it keeps of it does not grow."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle, islice
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from falai import Event, EventDef, Field, Flow, Mention, Message, Say, Silence, Talk, Wait
from falai.limits import ALWAYS_CLAIMS_KEPT, INPUTS_KEPT, OUTCOMES_KEPT
from falai.words.session import Session
from falai.words.turn import TurnResult
from tests.property.profile import checked
from tests.property.stage import SESSION_ID, Stage, copied, encoded
from tests.property.strategies import Moment, Story, stories
from tests.turn.kit import Chat, flow, judged, said

HALF, WHOLE = 150, 300
GROWTH = 1.1
ANCHORS = (SESSION_ID, "lead:9")

few = settings(checked, max_examples=max(25, checked.max_examples // 20))
"""Each example is hundreds of turns."""


# --- any story, over and over -----------------------------------------------------------------


def anew(moment: Moment, number: int) -> Moment:
    """The moment as it comes the next time: under ids and keys of its own."""
    given = dict(moment.given)
    if "id" in given:
        given["id"] = f"m{number:05}"
    if "key" in given:
        given["key"] = f"k{number:05}"
    if "start" in given:
        given["start"] = {**given["start"], "key": f"k{number:05}"}
    return replace(moment, given=given)


def lived(story: Story) -> Iterator[tuple[Session | None, TurnResult | None]]:
    """What is stored after each turn of a story that never ends, and what the turn came to."""
    stage, session = Stage.of(story), None
    for number, moment in enumerate(islice(cycle(story.moments), WHOLE)):
        played = stage.play(anew(moment, number), session)
        session = copied(played.after)
        yield session, played.result


def always_claims(session: Session, flows: Sequence[Any]) -> Counter[str]:
    """How many claims there are of each flow and anchor; one without a nonce is no `always`."""
    prefixes = [f"{made['id']}:{anchor}:" for made in flows for anchor in ANCHORS]
    return Counter(
        prefix
        for key in session.claims
        for prefix in prefixes
        if key.startswith(prefix) and key.removeprefix(prefix) not in ("", SESSION_ID)
    )


def uncounted(session: Session | None) -> int:
    """The size of what no number bounds: all but claims, message ids and lines."""
    if session is None:
        return 0
    runs = [msgspec.structs.replace(run, outcomes=[]) for run in session.runs]
    return len(encoded(msgspec.structs.replace(session, claims={}, inputs=[], runs=runs)))


@few
@given(stories(most=4))
def test_what_is_counted_stays_below_its_number(story: Story):
    for session, result in lived(story):
        if session is None:
            continue
        assert len(session.inputs) <= INPUTS_KEPT
        runs = [*session.runs, *(result.ended if result is not None else ())]
        assert all(len(run.outcomes) <= OUTCOMES_KEPT for run in runs)
        claims = always_claims(session, story.agent["flows"])
        assert max(claims.values(), default=0) <= ALWAYS_CLAIMS_KEPT


@few
@given(stories(most=4))
def test_what_is_not_counted_does_not_grow(story: Story):
    sizes = [uncounted(session) for session, _ in lived(story)]
    assert max(sizes[HALF:]) <= GROWTH * max(sizes[:HALF])


# --- a whole session --------------------------------------------------------------------------

FIELDS = {"wish": Field("string"), "name": Field("string")}
FLOWS: list[Flow] = [
    flow(
        Talk("what", collect=["wish"]),
        Wait("rest", "2h"),
        Say("bye", "Bye!"),
        id="order",
        on=[Message(["orders"], repeat="always")],
        clear_on_start=["wish"],
    ),
    flow(Say("tell", "Ready."), id="ready", on=[Event("ready", repeat="always")]),
    flow(Say("once", "Hi!", once=True), id="hi", on=[Mention(["hello"], repeat="always")]),
    flow(Say("call", "Soon."), id="human", on=[Mention(["a human"], repeat={"cooldown": "1d"})]),
    flow(Say("poke", "Hey?"), id="poke", on=[Silence("1d", repeat="always")]),
    flow(Talk("stay", "Answer."), id="ask", on=[Event("ask", repeat="always")], on_end="stay"),
]
HAPPENINGS = ("orders", "hello", "human", "plain", "ready", "ask", "silence")


class Life:
    """One conversation with an agent of every kind of trigger and repeat."""

    def __init__(self) -> None:
        self.chat = Chat(
            *FLOWS, fields=FIELDS, events={"ready": EventDef(), "ask": EventDef()}, idle=None
        )
        self.wakes: list[str] = []
        self.turn = 0

    def happen(self, what: str) -> int:
        """One more turn; gives the size of the stored session after it."""
        self.turn += 1
        self.chat.clock.advance("5h")
        if what == "silence":
            self.chat.clock.advance("2d")
            result = self._take(wake=self.wakes[-1] if self.wakes else "nobody")
        elif what in ("ready", "ask"):
            result = self._take(event=what, key=f"e{self.turn:05}")
        else:
            result = self._take(message=what, id=f"m{self.turn:05}")
        self.wakes += [wake.key for wake in result.schedule]
        self.chat.session = copied(result.session)
        return len(encoded(self.chat.session))

    def _take(self, **given: Any) -> TurnResult:
        what = given.get("message")
        self.chat.model.load(
            {
                "understand": [
                    judged(
                        flows={"order": 95 if what == "orders" else 0},
                        mentions={"hi": what == "hello", "human": what == "human"},
                        fields={"wish": "cake"} if what == "plain" else {},
                    )
                ],
                "speak": [said("Fine.")],
            }
        )
        stepper = self.chat.agent.steps(session_id=SESSION_ID, session=self.chat.session, **given)
        return asyncio.run(stepper.run())


@few
@given(st.lists(st.sampled_from(HAPPENINGS), min_size=1, max_size=3))
def test_a_session_that_lives_twice_as_long_is_no_larger(pattern: list[str]):
    life = Life()
    sizes = [life.happen(what) for what in islice(cycle(pattern), WHOLE)]
    assert max(sizes[HALF:]) <= GROWTH * max(sizes[:HALF])
