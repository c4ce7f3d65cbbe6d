"""The reference host: load, turn, save, send, schedule; copy it into your own service.

What leaves the process leaves after the save, from an outbox in which each entry is known by
session id, saved version and position, so that a crash neither loses nor doubles one.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Unpack
from urllib.parse import quote, unquote

import msgspec
from msgspec.structs import replace

from falai.agent import Agent
from falai.clock import from_ms, iso_of, ms_of, to_ms
from falai.errors import SessionConflictError
from falai.scheduler import MemoryScheduler
from falai.stores.base import Store
from falai.stores.memory import MemoryStore
from falai.turn.given import TurnArgs
from falai.turn.stepping import Stepper
from falai.words.session import Session
from falai.words.turn import OutMessage, TurnResult, Wake


class OutboxEntry(msgspec.Struct, frozen=True, rename="camel", kw_only=True, omit_defaults=True):
    """One message on its way out."""

    session_id: str
    version: int
    """The version of the session that was saved with it."""
    position: int
    message: OutMessage
    at: str
    """When it goes out, its delay included."""

    @property
    def identity(self) -> tuple[str, int, int]:
        """What makes it go out once; a message's key alone repeats over turns."""
        return (self.session_id, self.version, self.position)


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """A turn that ran and is not saved yet: nothing of it has left the process."""

    session_id: str
    before: Session | None
    """As it was loaded; None for a new conversation."""
    result: TurnResult

    @property
    def loaded_version(self) -> int:
        """The version that the store had; 0 for a new conversation."""
        return self.before.version if self.before is not None else 0


class Outbox:
    """Messages on their way out; kept where it survives the process, beside the sessions."""

    def __init__(self) -> None:
        self.sent: list[OutboxEntry] = []
        """What has left, in order."""
        self._waiting: list[OutboxEntry] = []
        self._known: set[tuple[str, int, int]] = set()

    def put(self, entry: OutboxEntry) -> None:
        """Take a message in; one that was taken before is left alone."""
        if entry.identity not in self._known:
            self._known.add(entry.identity)
            self._waiting.append(entry)

    def flush(self) -> list[OutboxEntry]:
        """Send what waits, in order."""
        leaving, self._waiting = self._waiting, []
        self.sent.extend(leaving)
        return leaving


Driver = Callable[[Stepper], Awaitable[TurnResult]]
"""Runs a turn to its end; a simulator records it on the way."""


async def run_to_end(stepper: Stepper) -> TurnResult:
    """The driver of a plain host."""
    return await stepper.run()


class Host:
    """Runs an agent's turns against a store, an outbox and a scheduler.

    A new one over the same three goes on where a process died: `recover()` sends what was saved
    and never left.
    """

    def __init__(
        self,
        agent: Agent[Any, Any],
        *,
        store: Store | None = None,
        scheduler: MemoryScheduler | None = None,
        outbox: Outbox | None = None,
        drive: Driver = run_to_end,
    ) -> None:
        self.agent = agent
        self.store: Store = MemoryStore() if store is None else store
        self.scheduler = MemoryScheduler() if scheduler is None else scheduler
        self.outbox = Outbox() if outbox is None else outbox
        self._drive = drive

    async def handle(self, **given: Unpack[TurnArgs]) -> TurnResult:
        """Take one input to its end; replays it when another turn saved first."""
        while True:
            attempt = await self.attempt(**given)
            try:
                await self.commit(attempt)
            except SessionConflictError:
                continue
            self.outbox.flush()
            return attempt.result

    async def attempt(self, **given: Unpack[TurnArgs]) -> Attempt:
        """Load the session and run the turn; nothing is saved, sent or scheduled."""
        session = await self.store.load(given["session_id"])
        given["session"] = session
        result = await self._drive(self.agent.steps(**given))
        return Attempt(
            session_id=given["session_id"],
            before=session,
            result=result,
        )

    async def commit(self, attempt: Attempt) -> Session | None:
        """Save a turn, and put its messages and wakes where they leave from.

        Raises SessionConflictError when another turn saved first. Returns the stored session,
        or None when the turn changed nothing.
        """
        if not attempt.result.changed:
            return None
        stored = await self.store.save(attempt.result.session, attempt.loaded_version)
        for entry in self._entries(attempt, stored.version):
            self.outbox.put(entry)
        for wake in attempt.result.schedule:
            self.schedule(attempt.session_id, wake)
        return stored

    def _entries(self, attempt: Attempt, version: int) -> list[OutboxEntry]:
        at_ms = ms_of(self.agent.clock.now())
        entries: list[OutboxEntry] = []
        for position, message in enumerate(attempt.result.messages):
            at_ms += message.after_ms
            entries.append(
                OutboxEntry(
                    session_id=attempt.session_id,
                    version=version,
                    position=position,
                    message=message,
                    at=iso_of(from_ms(at_ms)),
                )
            )
        return entries

    def recover(self) -> list[OutboxEntry]:
        """Send what an earlier process saved and did not send."""
        return self.outbox.flush()

    # --- wakes --------------------------------------------------------------------------------

    def schedule(self, session_id: str, wake: Wake) -> None:
        """Put a wake into the queue under its job id."""
        replaces = job_id(session_id, wake.replaces) if wake.replaces is not None else None
        self.scheduler.add(replace(wake, key=job_id(session_id, wake.key), replaces=replaces))

    def pending(self, session_id: str) -> list[str]:
        """Keys of the session's wakes that have not fired, earliest first."""
        jobs = (split_job_id(wake.key) for wake in self.scheduler.entries())
        return [key for owner, key in jobs if owner == session_id]

    async def fire_due(self, **seen: Any) -> list[TurnResult]:
        """Run every wake that is due now, each in its own turn.

        When a turn raises, its wake and those behind it are still there to be fired again.
        """
        results: list[TurnResult] = []
        now_ms = ms_of(self.agent.clock.now())
        while (wake := self.scheduler.earliest()) and to_ms(wake.at) <= now_ms:
            session_id, key = split_job_id(wake.key)
            # It leaves the queue when its turn is over, so that one that raised keeps its place.
            results.append(await self.handle(session_id=session_id, wake=key, **seen))
            self.scheduler.remove(wake.key)
        return results


def job_id(session_id: str, key: str) -> str:
    """The queue's name for a wake: wake keys alone do not hold the session."""
    return f"{quote(session_id, safe='')}:{quote(key, safe='')}"


def split_job_id(job: str) -> tuple[str, str]:
    """Session id and wake key of a job."""
    session_id, _, key = job.partition(":")
    return unquote(session_id), unquote(key)
