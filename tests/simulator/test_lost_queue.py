"""A queue of wakes that was lost: what the sessions wait on is worked out anew, and nothing is missing."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from falai import FakeClock
from falai.words.session import Session
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


class Suspicious(Player):
    """Compares the queue, after each entry, with what the stored sessions wait on."""

    async def _play(self, entry: TurnEntry) -> None:
        await super()._play(entry)
        for session_id in {str(it.input.get("sessionId")) for it in self.stage.records}:
            session = await self.stage.host.store.load(session_id)
            if session is not None:
                await self._compare(session, self._known(session))

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

    async def _compare(self, session: Session, known: dict[str, Any]) -> None:
        host = self.stage.host
        held = {
            split_job_id(wake.key)[1]: wake.at
            for wake in host.scheduler.entries()
            if split_job_id(wake.key)[0] == session.id
        }
        rebuilt = {wake.key: wake.at for wake in host.agent.pending_wakes(session, **known)}
        settled = {key: at for key, at in rebuilt.items() if self._is_settled(session, key)}
        assert settled.items() <= held.items() | self._fired(settled)
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

    def _fired(self, rebuilt: dict[str, str]) -> set[tuple[str, str]]:
        """Wakes that have fired already and were to no avail, such as one whose `if` was false."""
        fired = {str(it.input["wake"]) for it in self.stage.records if "wake" in it.input}
        return {(key, at) for key, at in rebuilt.items() if key in fired}

    async def _is_stale(self, session: Session, key: str, known: dict[str, Any]) -> None:
        """Nobody waits for it any more: fired all the same, nothing comes of it."""
        steps = self.stage.host.agent.steps(
            session_id=session.id, session=session, wake=key, **known
        )
        result = await steps.run()
        assert (result.started, result.messages) == ([], [])


def scripted(file: Path) -> list[Scenario]:
    return [it for it in read_scenario(load_document(file)) if isinstance(it.provider, str)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_the_sessions_wait_on_is_what_the_queue_holds(file: Path):
    for scenario in scripted(file):
        player = Suspicious(scenario, FakeClock(scenario.clock), Behind())
        asyncio.run(player.play())
