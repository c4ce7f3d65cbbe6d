"""The reference host: it saves, sends, schedules, replays and recovers, each thing once."""

import asyncio
from collections.abc import Awaitable, Coroutine, Mapping
from typing import Any, TypeVar

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falai import (
    Agent,
    Event,
    EventDef,
    FakeClock,
    Flow,
    Idle,
    MemoryStore,
    Message,
    ModelCall,
    ModelReply,
    ProviderError,
    Say,
    ScriptedProvider,
    Session,
    SessionConflictError,
    Silence,
    Stepper,
    TurnResult,
    Wait,
    Wake,
)
from simulator.host import Host, Outbox, OutboxEntry, job_id, split_job_id

T = TypeVar("T")
START = "2026-01-05T09:00:00Z"
FLOWS = [
    Flow(id="hello", name="h", on=[Event("oi")], steps=[Say("a", "Oi, {{context.nome}}!")]),
    Flow(
        id="tour",
        name="t",
        on=[Event("tour")],
        steps=[Say("a", "um"), Wait("b", "2s"), Say("c", "dois")],
    ),
    Flow(id="late", name="l", on=[Event("late", after="1h")], steps=[Say("a", "Já?")]),
    Flow(id="nudge", name="n", on=[Silence("1d")], steps=[Say("a", "Ainda aí?")]),
]


class Slow(ScriptedProvider):
    """A model that lets other turns run while it thinks."""

    async def generate(self, call: ModelCall) -> ModelReply:
        await asyncio.sleep(0)
        return ModelReply(message="Olá!")


def agent(**parts: Any) -> Agent:
    events = {name: EventDef() for name in ("oi", "tour", "late")}
    given: dict[str, Any] = {"idle": Idle(prompt="Responda."), "provider": Slow(), "flows": FLOWS}
    return Agent(name="Ana", clock=FakeClock(START), events=events, **(given | parts))


def host(**parts: Any) -> Host:
    return Host(agent(**parts))


def run(work: Awaitable[T]) -> T:
    async def wait() -> T:
        return await work

    return asyncio.run(wait())


def at_once(*work: Coroutine[Any, Any, T]) -> list[T]:
    async def gather() -> list[T]:
        return await asyncio.gather(*work)

    return asyncio.run(gather())


def report(place: Host, name: str = "oi", **rest: Any) -> TurnResult:
    given: Any = {"session_id": "s1", "event": name, "key": "e1"} | rest
    return run(place.handle(**given))


def write(place: Host, text: str = "oi", **rest: Any) -> Coroutine[Any, Any, TurnResult]:
    given: Any = {"session_id": "s1", "message": text} | rest
    return place.handle(**given)


def stored(place: Host, session_id: str = "s1") -> Session:
    session = run(place.store.load(session_id))
    assert session is not None
    return session


def sent(place: Host) -> list[str]:
    return [entry.message.text for entry in place.outbox.sent]


def clock_of(place: Host) -> FakeClock:
    assert isinstance(place.agent.clock, FakeClock)
    return place.agent.clock


# --- one input ----------------------------------------------------------------------------------


def test_an_input_is_saved_sent_and_scheduled():
    place = host()
    report(place, context={"nome": "Rosa"})
    assert stored(place).version == 1
    assert sent(place) == ["Oi, Rosa!"]
    assert place.pending("s1") == ["silence:nudge:s1:1767603600000"]


def test_a_turn_that_changes_nothing_is_not_saved():
    place = host()
    report(place)
    assert not run(place.handle(session_id="s1", wake="x#1:a:1")).changed
    assert stored(place).version == 1


class Down(ScriptedProvider):
    """A model that cannot be reached."""

    async def generate(self, call: ModelCall) -> ModelReply:
        raise ProviderError("down", "network")


def test_a_turn_that_raises_leaves_nothing_behind():
    judged = Flow(id="f", name="f", on=[Message(["x"])], steps=[Say("a", "Oi!")])
    place = host(flows=[judged], provider=Down())
    with pytest.raises(ProviderError):
        run(write(place))
    assert run(place.store.load("s1")) is None
    assert (sent(place), place.pending("s1")) == ([], [])


def test_an_attempt_leaves_nothing_behind_until_it_is_committed():
    place = host()
    attempt = run(place.attempt(session_id="s1", event="oi", key="e1"))
    assert (attempt.loaded_version, run(place.store.load("s1")), sent(place)) == (0, None, [])
    saved = run(place.commit(attempt))
    assert saved == stored(place)
    assert (sent(place), place.pending("s1") != []) == ([], True)


def test_a_turn_that_changed_nothing_commits_to_nothing():
    place = host()
    assert run(place.commit(run(place.attempt(session_id="s1", wake="x#1:a:1")))) is None


def test_messages_go_out_at_their_time():
    place = host()
    report(place, "tour")
    assert [entry.at[17:23] for entry in place.outbox.sent] == ["00.000", "02.000"]
    assert [entry.position for entry in place.outbox.sent] == [0, 1]


def test_a_turn_may_be_driven_by_somebody_else():
    driven: list[str] = []

    async def drive(stepper: Stepper) -> TurnResult:
        driven.append(stepper.turn.given.session_id)
        return await stepper.run()

    report(Host(agent(), drive=drive), session_id="s9")
    assert driven == ["s9"]


# --- two at once --------------------------------------------------------------------------------


def test_who_saves_second_conflicts():
    place = host()
    slow = run(place.attempt(session_id="s1", event="oi", key="e1"))
    report(place, key="e2")
    with pytest.raises(SessionConflictError):
        run(place.commit(slow))
    assert len(sent(place)) == 1
    assert stored(place).version == 1


def test_two_inputs_at_once_are_both_handled_one_after_the_other():
    place = host()
    results = at_once(write(place, "um", id="m1"), write(place, "dois", id="m2"))
    assert sorted(result.session.version for result in results) == [0, 1]
    assert stored(place).inputs == ["m1", "m2"]
    assert sent(place) == ["Olá!", "Olá!"]


def test_many_inputs_at_once_lose_none():
    place = host()
    at_once(*(write(place, id=f"m{n}") for n in range(10)))
    assert stored(place).version == 10
    assert sorted(stored(place).inputs) == sorted(f"m{n}" for n in range(10))
    assert [entry.version for entry in place.outbox.sent] == list(range(1, 11))


def test_the_same_message_twice_at_once_is_answered_once():
    place = host()
    results = at_once(write(place, id="m1"), write(place, id="m1"))
    assert sorted(result.changed for result in results) == [False, True]
    assert sent(place) == ["Olá!"]


def test_sessions_do_not_get_in_each_others_way():
    place = host()
    at_once(*(write(place, id="m1", session_id=name) for name in "abc"))
    assert [stored(place, name).version for name in "abc"] == [1, 1, 1]


def test_a_wake_that_loses_to_the_customer_is_stale():
    place = host()
    report(place)
    clock_of(place).advance("1d")
    slow = run(place.attempt(session_id="s1", wake="silence:nudge:s1:1767603600000"))
    assert slow.result.messages[0].text == "Ainda aí?"
    clock_of(place).advance(1)
    run(write(place, id="m1"))
    with pytest.raises(SessionConflictError):
        run(place.commit(slow))
    again = run(place.handle(session_id="s1", wake="silence:nudge:s1:1767603600000"))
    assert again.outcomes[0].code == "silence-broken"


# --- what is sent once --------------------------------------------------------------------------


def entry(text: str = "oi", **identity: Any) -> OutboxEntry:
    [message] = report(host(flows=[FLOWS[0]]), context={"nome": text}).messages
    parts = {"session_id": "s1", "version": 1, "position": 0} | identity
    return OutboxEntry(message=message, at=START, **parts)


def test_an_entry_is_known_by_session_version_and_position():
    outbox = Outbox()
    entries = [entry(), entry(session_id="s2"), entry(version=2), entry(position=1)]
    for one in [*entries, *entries]:
        outbox.put(one)
    assert outbox.flush() == entries


def test_what_was_sent_is_never_sent_again():
    outbox = Outbox()
    outbox.put(entry())
    assert len(outbox.flush()) == 1
    outbox.put(entry("outra vez"))
    assert outbox.flush() == []
    assert len(outbox.sent) == 1


def test_one_message_key_may_leave_twice():
    place = host(flows=[])
    run(write(place, "um", id=None))
    run(write(place, "dois", id=None))
    assert len({entry.message.key for entry in place.outbox.sent}) == 1
    assert [entry.identity for entry in place.outbox.sent] == [("s1", 1, 0), ("s1", 2, 0)]


def test_the_next_process_sends_what_was_saved_and_never_left():
    died = host()
    run(died.commit(run(died.attempt(session_id="s1", event="tour", key="e1"))))
    place = Host(died.agent, store=died.store, scheduler=died.scheduler, outbox=died.outbox)
    assert [entry.message.text for entry in place.recover()] == ["um", "dois"]
    assert place.recover() == []
    assert (sent(place), place.pending("s1")) == (["um", "dois"], died.pending("s1"))


def test_what_was_delivered_before_a_crash_is_known_after_it():
    died = host()
    run(died.commit(run(died.attempt(session_id="s1", message="oi", id="m1"))))
    place = Host(died.agent, store=died.store, outbox=died.outbox)
    assert not run(write(place, id="m1")).changed
    place.recover()
    assert sent(place) == ["Olá!"]


# --- wakes --------------------------------------------------------------------------------------


def test_a_wake_is_fired_when_it_is_due():
    place = host()
    report(place, "late")
    clock_of(place).advance("59m")
    assert run(place.fire_due()) == []
    clock_of(place).advance("1m")
    [result] = run(place.fire_due())
    assert [message.text for message in result.messages] == ["Já?"]
    assert run(place.fire_due()) == []


def test_wakes_fire_in_their_sessions_with_what_the_host_knows():
    place = host(flows=[*FLOWS[:2], FLOWS[3]])
    for name in ("a:b", "ã/é %41"):
        report(place, session_id=name, context={"nome": "x"})
    clock_of(place).advance("1d")
    results = run(place.fire_due(silenced="humano"))
    assert [result.session.id for result in results] == ["a:b", "ã/é %41"]
    assert all(not result.messages for result in results)


def test_wakes_pend_by_session_the_earliest_first():
    place = host()
    place.schedule("a", Wake(key="x:2", at="2026-01-05T11:00:00Z"))
    place.schedule("a", Wake(key="x:1", at="2026-01-05T10:00:00Z"))
    place.schedule("b", Wake(key="x:1", at="2026-01-05T10:00:00Z"))
    assert (place.pending("a"), place.pending("b")) == (["x:1", "x:2"], ["x:1"])


def test_a_wake_replaces_one_of_its_own_session_alone():
    place = host()
    for name in "ab":
        place.schedule(name, Wake(key="x:1", at="2026-01-05T10:00:00Z"))
    place.schedule("a", Wake(key="x:2", at="2026-01-05T11:00:00Z", replaces="x:1"))
    assert (place.pending("a"), place.pending("b")) == (["x:2"], ["x:1"])


class Moody(MemoryStore):
    """A store that one session cannot be read from."""

    async def load(self, session_id: str) -> Session | None:
        if session_id == "a":
            raise ConnectionError(session_id)
        return await super().load(session_id)


def test_a_wake_whose_turn_raises_takes_no_other_wake_with_it():
    place = Host(agent(), store=Moody())
    for name in "abc":
        place.schedule(name, Wake(key="x#1:a:1", at=START))
    with pytest.raises(ConnectionError):
        run(place.fire_due())
    assert (place.pending("b"), place.pending("c")) == (["x#1:a:1"], ["x#1:a:1"])


def test_a_wake_whose_turn_raises_is_there_to_be_fired_again():
    place = Host(agent(), store=Moody())
    place.schedule("a", Wake(key="x#1:a:1", at=START))
    with pytest.raises(ConnectionError):
        run(place.fire_due())
    assert place.pending("a") == ["x#1:a:1"]


# --- names of jobs ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (("s1", "f#m1:a:5"), "s1:f%23m1%3Aa%3A5"),
        (
            ("whatsapp:+55", "silence:f:whatsapp:+55:1"),
            "whatsapp%3A%2B55:silence%3Af%3Awhatsapp%3A%2B55%3A1",
        ),
        (("ã/%", ""), "%C3%A3%2F%25:"),
        (("", ":"), ":%3A"),
    ],
)
def test_a_job_is_named_by_session_and_key(parts: tuple[str, str], name: str):
    assert job_id(*parts) == name
    assert split_job_id(name) == parts


NAMES = st.text() | st.text(alphabet=":%/#+ 3A")


@settings(derandomize=True, database=None, deadline=None)
@given(NAMES, NAMES)
def test_every_name_can_be_split_back(session_id: str, key: str):
    name = job_id(session_id, key)
    assert split_job_id(name) == (session_id, key)
    assert name.isascii()
    assert name.count(":") == 1


@settings(derandomize=True, database=None, deadline=None)
@given(st.tuples(NAMES, NAMES), st.tuples(NAMES, NAMES))
def test_no_two_wakes_share_a_name(one: tuple[str, str], other: tuple[str, str]):
    assert (job_id(*one) == job_id(*other)) is (one == other)


def test_an_entry_is_written_in_the_names_of_the_wire():
    names: Mapping[str, Any] = msgspec.to_builtins(entry())
    assert list(names) == ["sessionId", "version", "position", "message", "at"]
