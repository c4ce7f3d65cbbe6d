"""Budgets over a whole run: calls, tokens and cost, in total and of single flows."""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from math import isfinite
from typing import Any, NamedTuple

import msgspec

from simulator.report.document import TracedCall, TracedScenario, TracedTurn
from simulator.report.owner import NONE, Owners, owner_of
from simulator.trace import ScenarioRecord

NAMES = ("llmCalls", "perTurn", "promptTokens", "completionTokens", "costUsd")
_TEXT = re.compile(r"(?:flow\.(?P<flow>.+)\.)?(?P<name>[^.=]+)=(?P<most>[^=]+)")


class BudgetError(Exception):
    """A text is no budget: `"x" …: what. how to fix.`"""


class Bound(NamedTuple):
    """The most that may be spent of one thing."""

    text: str
    """As it was written."""
    name: str
    flow: str | None
    """None for all flows together."""
    most: float


class CallSpent(msgspec.Struct, frozen=True, array_like=True):
    """What one call took, and of which flow it was."""

    flow: str
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    """None where a model answered whose price nobody knows."""


class TurnSpent(msgspec.Struct, frozen=True, array_like=True):
    """The calls of one turn."""

    place: str
    """`file:line` of the turn."""
    turn: str
    calls: list[CallSpent]


def read_bound(text: str) -> Bound:
    """Read `llmCalls=120`, or `flow.triage.llmCalls=12`; raises BudgetError."""
    found = _TEXT.fullmatch(text.strip())
    if found is None:
        raise BudgetError(f'"{text}" is no budget. Write llmCalls=120 or flow.NAME.llmCalls=12.')
    name = found["name"]
    if name not in NAMES:
        near = get_close_matches(name, NAMES, n=1)
        hint = f"Did you mean {near[0]}?" if near else f"There is {', '.join(NAMES)}."
        raise BudgetError(f'"{text}": nothing is called {name}. {hint}')
    if name == "perTurn" and found["flow"]:
        raise BudgetError(f'"{text}": perTurn holds for every turn. Leave the flow out.')
    return Bound(text.strip(), name, found["flow"], _most(text, name, found["most"]))


def _most(text: str, name: str, written: str) -> float:
    try:
        most = float(written)
    except ValueError:
        raise BudgetError(f'"{text}": {written} is no number. Write {name}=120.') from None
    if not isfinite(most) or most < 0:
        raise BudgetError(f'"{text}": {written} is no bound. Write a number of 0 or more.')
    return most


def spent_in(record: ScenarioRecord) -> list[TurnSpent]:
    """What one scenario spent, turn by turn."""
    text = msgspec.json.encode(record, enc_hook=repr)
    scenario = msgspec.json.decode(text, type=TracedScenario)
    owners = Owners()
    return [_turn(scenario.file, turn, owners) for turn in scenario.turns]


def plain_spent(turns: Sequence[TurnSpent]) -> Any:
    """The same as lists and numbers, to be sent from process to process."""
    return msgspec.to_builtins(turns)


def read_spent(plain: Any) -> list[TurnSpent]:
    """What `plain_spent` made."""
    return msgspec.convert(plain, list[TurnSpent])


def _turn(file: str, turn: TracedTurn, owners: Owners) -> TurnSpent:
    of = owners.of_turn(turn)
    calls = [_call(call, owner_of(call, of).flow) for call in turn.calls]
    return TurnSpent(f"{file}:{turn.line}", str(turn.entry), calls)


def _call(call: TracedCall, flow: str) -> CallSpent:
    usage = call.usage
    is_priceless = call.duration_ms is not None and usage is not None and call.cost_usd is None
    return CallSpent(
        flow=flow,
        prompt_tokens=(usage.prompt_tokens or 0) if usage else 0,
        completion_tokens=(usage.completion_tokens or 0) if usage else 0,
        cost_usd=None if is_priceless else call.cost_usd or 0,
    )


class Budget:
    """Counts what scenarios spend against some bounds."""

    def __init__(self, bounds: Sequence[Bound]) -> None:
        self._bounds = bounds
        self._turns: list[TurnSpent] = []

    def count(self, turns: Iterable[TurnSpent]) -> None:
        """Count what one scenario spent."""
        self._turns += turns

    def exceeded(self) -> Iterator[str]:
        """A sentence for each bound that was passed, or cannot be told to be kept."""
        for bound in self._bounds:
            yield from self._over_in_turn(bound) if bound.name == "perTurn" else self._over(bound)

    def notes(self) -> Iterator[str]:
        """A sentence for each flow that no call was made for: its name may be a slip."""
        flows = sorted({call.flow for turn in self._turns for call in turn.calls} - {NONE})
        for bound in self._bounds:
            if bound.flow is not None and bound.flow not in flows:
                near = get_close_matches(bound.flow, flows, n=1)
                hint = f" Did you mean {near[0]}?" if near else ""
                yield f"note: budget {bound.text}: no call was made for flow {bound.flow}.{hint}"

    def _over_in_turn(self, bound: Bound) -> Iterator[str]:
        most = max(self._turns, key=lambda turn: len(turn.calls), default=None)
        if most is not None and len(most.calls) > bound.most:
            yield f"budget {bound.text}: {_at(most)} made {len(most.calls)} model calls"

    def _over(self, bound: Bound) -> Iterator[str]:
        """Count up to the end, and keep the turn at which the bound was passed."""
        total, passed = 0.0, None
        for turn in self._turns:
            for call in turn.calls:
                if bound.flow not in (None, call.flow):
                    continue
                amount = _amount(call, bound.name)
                if amount is None:
                    what = f"no price is known for the model of {_at(turn)}"
                    yield f"budget {bound.text}: {what}. Bound promptTokens instead."
                    return
                total = round(total + amount, 10)
                passed = turn if passed is None and total > bound.most else passed
        if passed is not None:
            of = f"flow {bound.flow}" if bound.flow else "the run"
            spent = f"{total:.10f}".rstrip("0").rstrip(".")
            yield f"budget {bound.text}: {of} spent {spent} {bound.name}, passed at {_at(passed)}"


def _at(turn: TurnSpent) -> str:
    return f"turn {turn.turn} ({turn.place})"


def _amount(call: CallSpent, name: str) -> float | None:
    """What a call took of one thing; None when that cannot be told."""
    amounts = {
        "llmCalls": 1,
        "promptTokens": call.prompt_tokens,
        "completionTokens": call.completion_tokens,
        "costUsd": call.cost_usd,
    }
    return amounts[name]
