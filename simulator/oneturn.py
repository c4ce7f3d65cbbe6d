"""One input played to its end, with the faults that its entry asks for."""

from collections.abc import Mapping
from typing import Any

from falai.turn.given import TurnArgs
from simulator.attempts import Attempts
from simulator.scenario import InputEntry, ModelScript
from simulator.stage import Trial


class OneTurn:
    """Plays the input of an entry: a crash, a second delivery and the verdict included."""

    def __init__(self, tries: Attempts) -> None:
        self._tries = tries

    async def play(
        self,
        entry: InputEntry,
        what: Mapping[str, Any],
        *,
        name: str | None = None,
        session_id: str | None = None,
    ) -> None:
        """Play one input to its end, with the faults that the entry asks for."""
        name = name or str(entry.number)
        given = self._tries.given(entry, what, session_id)
        state = self._tries.stage.stubs.snapshot()
        trial = await self._tries.attempt(entry, given, name)
        if entry.crash == "before-save":
            lost = trial
            self._tries.stage.stubs.restore(state)
            self._tries.stage.restart_host()
            trial = await self._tries.attempt(entry, given, f"{name} again")
            self._compare_attempts(entry, lost, trial)
        await self._tries.stage.commit(trial, send=entry.crash != "before-send")
        if entry.crash == "before-send":
            self._tries.stage.restart_host()
            self._tries.stage.host.recover()
        await self._tries.judge(entry, trial, self._tries.problem(trial))
        if entry.deliver == "twice" and not self._is_due_again(given, trial):
            await self._deliver_again(entry, given, name)

    def _is_due_again(self, given: TurnArgs, trial: Trial) -> bool:
        """Whether the same input is no repeat: nothing came of the first, or it is waited for anew."""
        if trial.attempt is None:
            return self._tries.is_loose
        return given.get("wake") in [wake.key for wake in trial.attempt.result.schedule]

    async def _deliver_again(self, entry: InputEntry, given: TurnArgs, name: str) -> None:
        """The same input arrives once more: nothing may come of it."""
        again = await self._tries.attempt(entry, given, f"{name} again", script=ModelScript())
        await self._tries.stage.commit(again)
        what_happened = _what_a_repeat_did(again)
        if what_happened is not None:
            self._tries.verdict.fail(entry, "deliver", f"the second delivery {what_happened}")
        self._tries.keep_promises(entry, again)

    def _compare_attempts(self, entry: InputEntry, lost: Trial, trial: Trial) -> None:
        if _keys(lost) != _keys(trial):
            self._tries.verdict.fail(
                entry,
                "crash",
                "the turn made other keys when it was played again",
                wanted=_keys(lost),
                got=_keys(trial),
            )
        if self._tries.keeper is not None:
            for promise, broken in self._tries.keeper.replayed(lost, trial):
                self._tries.verdict.broken(entry, promise, broken)


def _what_a_repeat_did(trial: Trial) -> str | None:
    """What came of a repeated delivery; None when it was ignored, or its start refused."""
    result = trial.record.result
    handled = "was handled, not ignored"
    if result is None or trial.record.calls or trial.record.actions or result.messages:
        return handled
    if result.started:
        return f"started {result.started[0].run_id}"
    return (
        handled
        if result.changed and any((result.schedule, result.outcomes, result.ended))
        else None
    )


def _keys(trial: Trial) -> dict[str, list[str]]:
    """What an attempt would show to the outside, by its keys."""
    result = trial.record.result
    return {
        "messages": [message.key for message in result.messages] if result else [],
        "actions": [action.key for action in trial.record.actions],
    }
