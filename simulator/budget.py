"""Budgets over a whole run: calls, tokens and cost, in total and of single flows."""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import NamedTuple

import msgspec

from simulator.report.document import TracedCall, TracedScenario, TracedTurn
from simulator.report.owner import Owners, owner_of
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


class Spent(NamedTuple):
    """One call, and where it was made."""

    flow: str
    place: str
    """`file:line`, the line of the turn."""
    turn: str
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float


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
    try:
        most = float(found["most"])
    except ValueError:
        raise BudgetError(f'"{text}": {found["most"]} is no number. Write {name}=120.') from None
    return Bound(text.strip(), name, found["flow"], most)


class Budget:
    """Counts what scenarios spend against some bounds."""

    def __init__(self, bounds: Sequence[Bound]) -> None:
        self._bounds = bounds
        self._spent: list[Spent] = []
        self._turns: list[tuple[str, str, int]] = []

    def count(self, record: ScenarioRecord) -> None:
        """Count what one scenario spent."""
        if self._bounds:
            self.count_traced(traced(record))

    def count_traced(self, scenario: TracedScenario) -> None:
        """The same for a record that was read from a trace."""
        owners = Owners()
        for turn in scenario.turns:
            of = owners.of_turn(turn)
            place = f"{scenario.file}:{turn.line}"
            self._turns.append((place, str(turn.entry), len(turn.calls)))
            self._spent += [
                _spent(call, owner_of(call, of).flow, place, turn) for call in turn.calls
            ]

    def exceeded(self) -> Iterator[str]:
        """A sentence for each bound that was passed."""
        for bound in self._bounds:
            if bound.name == "perTurn":
                yield from self._over_per_turn(bound)
                continue
            own = [it for it in self._spent if bound.flow in (None, it.flow)]
            total = round(sum(_amount(it, bound.name) for it in own), 10)
            if total > bound.most:
                yield _told(bound, total, own)

    def _over_per_turn(self, bound: Bound) -> Iterator[str]:
        place, turn, most = max(self._turns, key=lambda it: it[2], default=("", "", 0))
        if most > bound.most:
            yield f"budget {bound.text}: turn {turn} ({place}) made {most} model calls"


def traced(record: ScenarioRecord) -> TracedScenario:
    """As much of a record as a budget counts."""
    return read_traced(msgspec.json.encode(record, enc_hook=repr))


def read_traced(text: bytes | str) -> TracedScenario:
    """The same from a trace."""
    return msgspec.json.decode(text, type=TracedScenario)


def _spent(call: TracedCall, flow: str, place: str, turn: TracedTurn) -> Spent:
    usage = call.usage
    return Spent(
        flow=flow,
        place=place,
        turn=str(turn.entry),
        prompt_tokens=(usage.prompt_tokens or 0) if usage else 0,
        completion_tokens=(usage.completion_tokens or 0) if usage else 0,
        cost_usd=call.cost_usd or 0,
    )


def _amount(it: Spent, name: str) -> float:
    match name:
        case "llmCalls":
            return 1
        case "promptTokens":
            return it.prompt_tokens
        case "completionTokens":
            return it.completion_tokens
        case _:
            return it.cost_usd


def _told(bound: Bound, total: float, own: Iterable[Spent]) -> str:
    """What was spent, and at which turn the bound was passed."""
    so_far, last = 0.0, None
    for it in own:
        so_far, last = so_far + _amount(it, bound.name), it
        if so_far > bound.most:
            break
    where = f", passed at turn {last.turn} ({last.place})" if last is not None else ""
    of = f"flow {bound.flow}" if bound.flow else "the run"
    return f"budget {bound.text}: {of} spent {total:g} {bound.name}{where}"
