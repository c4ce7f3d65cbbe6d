"""The verdict on a play: what did not hold, in the order in which it was found."""

from collections.abc import Iterable
from typing import Any

from falai.errors import EmptyReplyError, ProviderError
from falai.words.turn import Usage
from simulator.behind import Remark
from simulator.cassette.miss import CassetteMissError
from simulator.judge import Seen, judge
from simulator.promises.moment import Broken
from simulator.scenario import Block, Entry, InputEntry, Scenario
from simulator.spot import Spot
from simulator.stage import Stage, Trial
from simulator.trace import CallRecord, Failure, total_usage


class Verdict:
    """Judges turns and states against what their entries expect, and collects the failures."""

    def __init__(self, scenario: Scenario, stage: Stage) -> None:
        self.failures: list[Failure] = []
        self._scenario = scenario
        self._stage = stage

    def fail(
        self, entry: Entry, path: str, message: str, *, wanted: Any = None, got: Any = None
    ) -> None:
        """Add a failure at an entry's line."""
        line = entry.place.line
        self.failures.append(Failure(line=line, path=path, wanted=wanted, got=got, message=message))

    async def turn(self, entry: InputEntry, trial: Trial, problem: str | None) -> None:
        """Judge a turn; `problem` is what was wrong with its script."""
        expects_error = _expects_error(entry)
        if problem is not None:
            self.fail(entry, "model", problem)
        elif trial.error is not None and not expects_error and not self._was_asked_for(trial):
            raised = f"{type(trial.error).__name__}: {trial.error}"
            self.fail(entry, "error", f"the turn raised {raised}")
        if trial.error is None or expects_error:
            await self.blocks(entry.spot, entry.expect, entry.exactly, trial)
        self._turn_budget(entry, trial)

    def _was_asked_for(self, trial: Trial) -> bool:
        """Whether a turn raised because its loose script let the model fail."""
        is_models = isinstance(trial.error, ProviderError | EmptyReplyError)
        return is_models and self._scenario.script == "loose"

    def broken(self, entry: InputEntry, name: str, broken: Broken) -> None:
        """Add a promise that an entry's turn did not keep."""
        path = f"promises.{name}"
        self.fail(entry, path, broken.what, wanted=broken.wanted, got=broken.got)

    async def blocks(
        self, spot: Spot, expect: Block | None, exactly: Block | None, trial: Trial
    ) -> None:
        """Judge the blocks that stand at a place against one attempt."""
        if expect is None and exactly is None:
            return
        result = trial.record.result
        session_id = trial.given["session_id"]
        asks_store = any("stored" in block for block in (expect, exactly) if block is not None)
        seen = Seen(
            result=result,
            session=result.session if result else None,
            stored=await self._stage.host.store.load(session_id) if asks_store else None,
            calls=trial.record.calls,
            actions=trial.record.actions,
            error=trial.record.error,
            sent=self._stage.host.outbox.sent,
            pending=self._stage.host.pending(session_id),
        )
        self._compare(spot, expect, exactly, seen)

    async def state(self, entry: Entry) -> None:
        """Judge what an entry without a turn of its own left behind."""
        if entry.expect is None and entry.exactly is None:
            return
        session_id = entry.session or self._scenario.session
        session = await self._stage.host.store.load(session_id)
        seen = Seen(
            result=None,
            session=session,
            stored=session,
            sent=self._stage.host.outbox.sent,
            pending=self._stage.host.pending(session_id),
        )
        self._compare(entry.spot, entry.expect, entry.exactly, seen)

    def _compare(self, spot: Spot, expect: Block | None, exactly: Block | None, seen: Seen) -> None:
        moments = self._stage.moments if self._scenario.expressions else None
        for key, block in (("expect", expect), ("exactly", exactly)):
            if block is not None:
                exact = key == "exactly"
                self.failures += judge(block, spot.at(key), seen, moments, exactly=exact)

    # --- recorded calls -----------------------------------------------------------------------

    def missed(self, miss: CassetteMissError) -> None:
        """A call that the tape could not answer: whatever was expected, it did not happen."""
        message = str(miss).removeprefix("[CassetteMissError] ")
        self.failures.append(
            Failure(line=miss.line, path="model", wanted=None, got=None, message=message)
        )

    def remarks(self, remarks: Iterable[Remark]) -> None:
        """What is a failure of what the model left behind."""
        failing = [remark for remark in remarks if remark.is_failure]
        # To look for a place takes a while.
        line = self._scenario.spot.source.place(("provider",)).line if failing else 0
        self.failures += [
            Failure(line=line, path="provider", wanted=None, got=None, message=remark.text)
            for remark in failing
        ]

    # --- budgets ------------------------------------------------------------------------------

    def _turn_budget(self, entry: InputEntry, trial: Trial) -> None:
        most = self._scenario.budget.per_turn
        calls = len(trial.record.calls)
        if most is not None and calls > most:
            message = f"the turn made {calls} model calls, the budget allows {most} a turn"
            self.fail(entry, "budget.perTurn", message, wanted=most, got=calls)

    def budget(self) -> None:
        """Judge what the whole scenario spent."""
        budget = self._scenario.budget
        calls = [call for record in self._stage.records for call in record.calls]
        if budget.cost_usd is not None and any(map(_has_no_price, calls)):
            self._over("costUsd", "no price is known for the model, so its cost cannot be told")
            return
        usage = total_usage(call.usage for call in calls) or Usage()
        cost = round(sum(call.cost_usd or 0 for call in calls), 10)
        spent: list[tuple[str, float | None, float]] = [
            ("llmCalls", budget.llm_calls, len(calls)),
            ("promptTokens", budget.prompt_tokens, usage.prompt_tokens),
            ("completionTokens", budget.completion_tokens, usage.completion_tokens),
            ("costUsd", budget.cost_usd, cost),
        ]
        for name, most, got in spent:
            if most is not None and got > most:
                message = f"the scenario spent {got} {name}, its budget allows {most}"
                self._over(name, message, wanted=most, got=got)

    def _over(
        self, name: str, message: str, *, wanted: float | None = None, got: float | None = None
    ) -> None:
        line = self._scenario.spot.source.place(("budget", name)).line
        self.failures.append(
            Failure(line=line, path=f"budget.{name}", wanted=wanted, got=got, message=message)
        )


def _has_no_price(call: CallRecord) -> bool:
    """Whether a model answered, not the script, and nobody knows what it takes for it."""
    return call.duration_ms is not None and call.usage is not None and call.cost_usd is None


def _expects_error(entry: InputEntry) -> bool:
    return any("error" in block for block in (entry.expect, entry.exactly) if block is not None)
