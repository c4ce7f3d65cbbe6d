"""The agent: one immutable instance for every session, and the door to its turns."""

from collections.abc import AsyncIterator, Mapping
from typing import Any, Unpack

from falai.blueprint import Blueprint
from falai.turn.decide import decide
from falai.turn.finish import finish
from falai.turn.given import TurnArgs, read_input
from falai.turn.ingest import ingest
from falai.turn.load import load
from falai.turn.needs import Steps
from falai.turn.run import run
from falai.turn.settle import settle
from falai.turn.silence import wakes
from falai.turn.speak import speak
from falai.turn.state import Turn
from falai.turn.stepping import Delta, Stepper, stream
from falai.turn.understand import understand
from falai.words.generic import C, D, Typed
from falai.words.session import Session
from falai.words.turn import Anchor, HeldClaims, TurnResult, Wake


class Agent(Blueprint, Typed[C, D]):
    """Runs conversations as its blueprint says.

    Build it once and keep it: one instance serves every session and holds no state of any.
    """

    async def turn(self, **given: Unpack[TurnArgs[C]]) -> TurnResult[D]:
        """Take one input and return what to save, send and schedule.

        Raises ProviderError or EmptyReplyError when the understand call fails: nothing ran and
        nothing changed, so the same input can be played again. Raises TypeError unless exactly
        one of message, wake, event and start is given.
        """
        return await self.steps(**given).run()

    def turn_sync(self, **given: Unpack[TurnArgs[C]]) -> TurnResult[D]:
        """Take one input outside of any event loop, for scripts."""
        import asyncio  # slow to load; a host's own loop has loaded it already

        return asyncio.run(self.turn(**given))

    def turn_stream(self, **given: Unpack[TurnArgs[C]]) -> AsyncIterator[Delta[D]]:
        """Take one input and yield the reply's text as it arrives, then the result."""
        return stream(self.steps(**given))

    def steps(self, **given: Unpack[TurnArgs[C]]) -> Stepper[D]:
        """Take one input and hand out the turn, to be driven step by step."""
        turn = Turn.of(self, read_input(given))
        return Stepper(turn, _phases(turn))

    def pending_wakes(
        self,
        session: Session[Any],
        *,
        context: C | None = None,
        anchors: Mapping[str, Mapping[str, Any] | Anchor] | None = None,
        claims: Mapping[str, Any] | HeldClaims | None = None,
    ) -> list[Wake]:
        """Every wake that a saved session waits on; rebuilds a queue that was lost.

        Each parked run's wake first, then each silence flow's. Spends no call, changes nothing.
        """
        turn = Turn.of(
            self,
            read_input(
                {
                    "session_id": session.id,
                    "session": session,
                    "context": context,
                    "anchors": anchors,
                    "claims": claims,
                    "wake": "",
                }
            ),
        )
        parked = [
            Wake(key=run.waiting.key, at=run.waiting.until)
            for run in turn.session.runs
            if run.waiting is not None
        ]
        return [*parked, *(wake for _, wake in wakes(turn))]


def _phases(turn: Turn) -> Steps[TurnResult[Any]]:
    """The eight phases of every turn; two may call the model."""
    yield from load(turn)
    yield from ingest(turn)
    yield from understand(turn)
    yield from decide(turn)
    yield from run(turn)
    yield from speak(turn)
    yield from settle(turn)
    return (yield from finish(turn))
