"""A queue of wakes that was lost: what the sessions wait on is worked out anew, and nothing is missing."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from falai import FakeClock, MemoryScheduler
from falai.words.session import Session
from falai.words.turn import Wake
from simulator.behind import Behind
from simulator.expression import expand
from simulator.find import find_scenarios
from simulator.host import split_job_id
from simulator.load import load_document
from simulator.play import Player
from simulator.reading import read_scenario
from simulator.scenario import Scenario, TurnEntry

ROOT = Path(__file__).parents[2]
FILES = [
    *find_scenarios([ROOT / "scenarios"]),
    *find_scenarios([ROOT / "tests" / "conformance"])[::2],
]

PLAY_STALE_WAKES = {
    "28-deploy-under-live-sessions": "the deploy took the flow that waited for silence",
    "random-3": "fires a wake whose run had gone on",
    "random-12": "two wakes of one instant: a rebuilt queue has the run's before the silence's",
    "random-88": "fires a wake whose run had gone on",
    "random-103": "fires a silence whose `if` no longer holds",
}
"""Stories that tell of the queue itself: of wakes in it that nobody waits for, or of its order."""


class Watched(Player):
    """Knows, after each entry, what the stored sessions wait on."""

    async def _stored(self) -> list[Session]:
        played = [str(it.input["sessionId"]) for it in self.stage.records]
        queued = [split_job_id(wake.key)[0] for wake in self.stage.host.scheduler.entries()]
        ids = dict.fromkeys([*played, *queued])
        found = [await self.stage.host.store.load(session_id) for session_id in ids]
        return [session for session in found if session is not None]

    def _rebuilt(self, session: Session) -> list[Wake]:
        return self.stage.host.agent.pending_wakes(session, **self._known(session))

    def _fired(self, session: Session) -> set[str]:
        mine = [it.input for it in self.stage.records if it.input["sessionId"] == session.id]
        return {str(given["wake"]) for given in mine if "wake" in given}

    def _known(self, session: Session) -> dict[str, Any]:
        """What the host knew when the assistant spoke last: silence was armed by that."""
        known: dict[str, Any] = expand({"context": self.scenario.context}, self.stage.moments)
        last = None
        for record in self.stage.records:
            result = record.result
            if result is None or not result.changed or result.session.id != session.id:
                continue
            if result.session.last_assistant_at != last:
                known, last = dict(record.input), result.session.last_assistant_at
        return {key: known.get(key) for key in ("context", "anchors", "claims")}


class Suspicious(Watched):
    """Compares the queue, after each entry, with what the stored sessions wait on."""

    async def _play(self, entry: TurnEntry) -> None:
        await super()._play(entry)
        for session in await self._stored():
            await self._compare(session, self._known(session))

    async def _compare(self, session: Session, known: dict[str, Any]) -> None:
        host = self.stage.host
        held = {
            split_job_id(wake.key)[1]: wake.at
            for wake in host.scheduler.entries()
            if split_job_id(wake.key)[0] == session.id
        }
        rebuilt = {wake.key: wake.at for wake in self._rebuilt(session)}
        settled = {key: at for key, at in rebuilt.items() if self._is_settled(session, key)}
        # One that has fired already was to no avail, such as one whose `if` was false.
        assert {key: settled[key] for key in settled.keys() - self._fired(session)}.items() <= (
            held.items()
        )
        for key in held.keys() - rebuilt.keys():
            await self._is_stale(session, key, known)

    def _is_settled(self, session: Session, key: str) -> bool:
        """A silence that was armed counts by what was known first, of several turns at one instant."""
        known = [
            it.input.get("context")
            for it in self.stage.records
            if it.result is not None
            and it.result.session.last_assistant_at == session.last_assistant_at
        ]
        return not key.startswith("silence:") or all(it == known[0] for it in known)

    async def _is_stale(self, session: Session, key: str, known: dict[str, Any]) -> None:
        """Nobody waits for it any more: fired all the same, nothing comes of it."""
        steps = self.stage.host.agent.steps(
            session_id=session.id, session=session, wake=key, **known
        )
        result = await steps.run()
        assert (result.started, result.messages) == ([], [])


class Forgetful(Watched):
    """Loses its queue after each entry, and works it out anew."""

    async def _play(self, entry: TurnEntry) -> None:
        await super()._play(entry)
        host, sessions = self.stage.host, await self._stored()
        host.scheduler = MemoryScheduler()
        for session in sessions:
            for wake in self._rebuilt(session):
                # A silence whose wake came to nothing is waited on still: it is not lost.
                if wake.key not in self._fired(session):
                    host.schedule(session.id, wake)


def scripted(file: Path) -> list[Scenario]:
    return [it for it in read_scenario(load_document(file)) if isinstance(it.provider, str)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_the_sessions_wait_on_is_what_the_queue_holds(file: Path):
    for scenario in scripted(file):
        player = Suspicious(scenario, FakeClock(scenario.clock), Behind())
        asyncio.run(player.play())


def came_of(player: Player) -> list[tuple[Any, bytes]]:
    """What each input came to; one that changed nothing left nothing behind."""
    asyncio.run(player.play())
    return [
        (it.input, msgspec.json.encode(it.result))
        for it in player.stage.records
        if it.result is not None and it.result.changed
    ]


GOING_ON = [file for file in FILES if file.stem not in PLAY_STALE_WAKES]


@pytest.mark.parametrize("file", GOING_ON, ids=lambda file: file.stem)
def test_a_play_goes_on_from_a_queue_that_was_worked_out_anew(file: Path):
    for scenario in scripted(file):
        kept, lost = (
            kind(scenario, FakeClock(scenario.clock), Behind()) for kind in (Player, Forgetful)
        )
        assert came_of(lost) == came_of(kept)
