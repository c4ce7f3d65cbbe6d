"""The five invariants of engine.md, section 11, on whole conversations."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import assume, given

from falai.clock import iso_of
from falai.errors import EmptyReplyError, ProviderError, SessionConflictError
from falai.stores.memory import MemoryStore
from falai.turn.stepping import Stepper
from falai.words.flow import Say, Wait
from falai.words.outcome import Outcome
from falai.words.session import Session
from falai.words.turn import TurnResult, Wake
from simulator.host import Attempt, Host, OutboxEntry
from tests.property.profile import checked
from tests.property.stage import SESSION_ID, Played, Stage, copied, drive, encoded, play, results
from tests.property.strategies import Moment, Story, stories
from tests.turn.kit import Chat, flow


class Desk:
    """A host at work on a story's agent; what it keeps outlives it."""

    def __init__(self, story: Story) -> None:
        self.stage = Stage.of(story)
        self.host = Host(self.stage.agent, drive=self._drive)

    async def _drive(self, stepper: Stepper) -> TurnResult:
        return drive(stepper, self.stage.world)

    def restart(self) -> None:
        """Let the process die, and another one start over what it kept."""
        old = self.host
        self.host = Host(
            old.agent,
            store=old.store,
            scheduler=old.scheduler,
            outbox=old.outbox,
            drive=self._drive,
        )

    async def attempt(self, moment: Moment, given: Mapping[str, Any]) -> Attempt | None:
        """Run a turn and save nothing; None when the understand call failed."""
        self.stage.world.enter(moment)
        try:
            return await self.host.attempt(**given)
        except (ProviderError, EmptyReplyError):
            return None

    async def handle(self, moment: Moment, given: Mapping[str, Any]) -> TurnResult | None:
        attempt = await self.attempt(moment, given)
        if attempt is None:
            return None
        await self.host.commit(attempt)
        self.host.outbox.flush()
        self.stage.wakes += attempt.result.schedule if attempt.result.changed else []
        return attempt.result

    async def live_through(self, moments: list[Moment]) -> None:
        for moment in moments:
            await self.handle(moment, self.stage.arrive(moment))

    async def kept(self) -> tuple[bytes, list[OutboxEntry], list[Wake]]:
        """Everything that this host has done to the world."""
        stored = await self.host.store.load(SESSION_ID)
        return encoded(stored), self.host.outbox.sent, self.host.scheduler.entries()


# --- I1: the saved session is the unit of consistency -----------------------------------------


@checked
@given(stories(least=2, most=8))
def test_a_losing_turn_is_thrown_away_and_replayed_on_the_winner_s_session(story: Story):
    asyncio.run(_race(story))


async def _race(story: Story) -> None:
    *before, first, second = story.moments
    raced, calm = Desk(story), Desk(story)
    await raced.live_through(before)
    await calm.live_through(before)
    given_first, given_second = raced.stage.arrive(first), raced.stage.arrive(second)
    calm.stage.clock.set(raced.stage.clock.now().isoformat())
    winner = await raced.attempt(first, given_first)
    loser = await raced.attempt(second, given_second)
    assume(winner is not None and winner.result.changed)
    assume(loser is not None and loser.result.changed)
    assert winner is not None
    assert loser is not None
    await raced.host.commit(winner)
    with pytest.raises(SessionConflictError):
        await raced.host.commit(loser)
    raced.host.outbox.flush()
    await raced.handle(second, given_second)
    await calm.handle(first, given_first)
    await calm.handle(second, given_second)
    assert await raced.kept() == await calm.kept()


# --- I2: nothing leaves before a save ---------------------------------------------------------


class FullDisk(MemoryStore):
    """A store that reads and cannot write."""

    async def save(self, session: Session, expected_version: int) -> Session:
        raise OSError("no space left")


@checked
@given(stories())
def test_a_turn_that_is_not_saved_sends_and_schedules_nothing(story: Story):
    asyncio.run(_fail_to_save(story))


async def _fail_to_save(story: Story) -> None:
    *before, last = story.moments
    desk = Desk(story)
    await desk.live_through(before)
    kept = await desk.kept()
    stored = await desk.host.store.load(SESSION_ID)
    desk.host.store = FullDisk([] if stored is None else [stored])
    attempt = await desk.attempt(last, desk.stage.arrive(last))
    assume(attempt is not None and attempt.result.changed)
    assert attempt is not None
    with pytest.raises(OSError, match="no space left"):
        await desk.host.commit(attempt)
    assert desk.host.recover() == []
    assert await desk.kept() == kept


@checked
@given(stories())
def test_a_crash_after_the_save_neither_loses_nor_doubles_a_message(story: Story):
    asyncio.run(_crash_before_sending(story))


async def _crash_before_sending(story: Story) -> None:
    crashing, calm = Desk(story), Desk(story)
    for moment in story.moments:
        given = crashing.stage.arrive(moment)
        calm.stage.clock.set(crashing.stage.clock.now().isoformat())
        attempt = await crashing.attempt(moment, given)
        if attempt is not None:
            await crashing.host.commit(attempt)
            crashing.stage.wakes += attempt.result.schedule if attempt.result.changed else []
        crashing.restart()
        crashing.host.recover()
        crashing.restart()
        assert crashing.host.recover() == []
        await calm.handle(moment, given)
    assert await crashing.kept() == await calm.kept()


class Flaky(MemoryStore):
    """A store that cannot be written to for a while."""

    down = False

    async def save(self, session: Session, expected_version: int) -> Session:
        if self.down:
            raise OSError("no space left")
        return await super().save(session, expected_version)


def test_a_wake_whose_turn_was_not_saved_stays_in_the_queue():
    asyncio.run(_fire_while_down())


async def _fire_while_down() -> None:
    steps = [Wait("w", wait="1h"), Say("s", say="Oi")]
    chat = Chat(flow(*steps, on=None), flow(*steps, id="b", on=None))
    store = Flaky()
    host = Host(chat.agent, store=store)
    for name in ("a", "b"):
        await host.handle(session_id="s1", start={"flow": name, "key": "k"})
    chat.clock.advance("1h")
    store.down = True
    with pytest.raises(OSError, match="no space left"):
        await host.fire_due()
    store.down = False
    await host.fire_due()
    assert len(host.outbox.sent) == 2


# --- I3: a run's wake is its own --------------------------------------------------------------


def woken(story: Story) -> Iterator[tuple[Played, TurnResult]]:
    """Every wake of a run that met a session, on time, early or stale."""
    for played, result in results(story):
        key = played.given.get("wake", "silence:")
        if played.before is not None and not key.startswith("silence:"):
            yield played, result


def waits(session: Session | None) -> list[tuple[str, str, str]]:
    """Run, wake and its time of everything that is parked."""
    runs = session.runs if session is not None else []
    return [(r.id, r.waiting.key, r.waiting.until) for r in runs if r.waiting is not None]


@checked
@given(stories())
def test_a_wake_that_no_run_waits_on_changes_nothing(story: Story):
    for played, result in woken(story):
        if all(key != played.given["wake"] for _, key, _ in waits(played.before)):
            assert [line.code for line in result.outcomes] == ["stale-wake"]
            assert not result.changed
            assert encoded(result.session) == encoded(played.before)


@checked
@given(stories())
def test_a_wake_moves_no_run_that_waits_on_another(story: Story):
    for played, result in woken(story):
        gone = {run.id for run in result.ended if run.reason == "replaced"}
        others = {
            wait
            for wait in waits(played.before)
            if wait[1] != played.given["wake"] and wait[0] not in gone
        }
        assert others <= set(waits(result.session))


@checked
@given(stories())
def test_a_wake_that_was_honoured_is_stale(story: Story):
    for played, _ in woken(story):
        now = iso_of(played.stage.clock.now())
        if any(key == played.given["wake"] and at <= now for _, key, at in waits(played.before)):
            again = played.again(played.after).result
            assert again is not None
            assert [line.code for line in again.outcomes] == ["stale-wake"]
            assert not again.changed


# --- I4: the same input makes the same keys and the same result -------------------------------


@checked
@given(stories())
def test_an_input_that_is_replayed_comes_to_the_same_bytes(story: Story):
    for played in play(story):
        again = played.again(copied(played.before))
        assert encoded(again.result) == encoded(played.result)
        assert again.action_keys == played.action_keys


@checked
@given(stories())
def test_a_revisit_makes_new_keys(story: Story):
    seen: Counter[tuple[str, str | None]] = Counter()
    for _, result in results(story):
        started = {start.run_id for start in result.started}
        for key in [key for key in seen if key[0] in started]:
            # The same id for a new run: its trigger key came twice.
            del seen[key]
        seen.update(
            (line.run_id or "", line.key) for line in result.outcomes if _is_once_a_visit(line)
        )
        assert max(seen.values(), default=0) <= 1


def _is_once_a_visit(line: Outcome) -> bool:
    done = line.kind in ("say", "do", "if") and line.status != "deferred"
    return line.key is not None and (done or line.status == "waiting")


# --- I5: a run never exists without its claim -------------------------------------------------


@checked
@given(stories())
def test_a_run_never_exists_without_its_claim(story: Story):
    for _, result in results(story):
        claims = result.session.claims
        assert all(run.dedupe_key in claims for run in (*result.session.runs, *result.ended))
