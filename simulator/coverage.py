"""Which parts of the agents a run has reached, and the model calls that were made for them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from falai.agent import Agent
from simulator.agentfile import load_agent
from simulator.coverable import NEXT, SORTS, Part, Sort, parts_of
from simulator.load import load_document
from simulator.reading import read_scenario
from simulator.scenario import Scenario
from simulator.spot import Spot
from simulator.trace import TurnRecord


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of every agent that was played, and what of it was reached."""

    parts: tuple[Part, ...]
    reached: frozenset[Part]
    calls: Mapping[Part, int]
    """Model calls that were made for a step."""

    @property
    def percent(self) -> float:
        """How much was reached, in per cent of all parts; 100 where there are none."""
        return 100 * len(self.reached) / len(self.parts) if self.parts else 100.0

    def of(self, sort: Sort) -> tuple[int, int]:
        """How many parts of a sort were reached, and how many there are."""
        parts = [part for part in self.parts if part.sort == sort]
        return sum(part in self.reached for part in parts), len(parts)

    @property
    def missed(self) -> list[Part]:
        return [part for part in self.parts if part not in self.reached]


def coverage_of(trace: Mapping[str, Any]) -> Coverage:
    """What the scenarios of a trace reached; their files are read again for their agents.

    `trace` is the decoded document of `falai run --json`.
    """
    house = _House()
    for record in trace["scenarios"]:
        if record["status"] != "error":
            house.add(record)
    return house.coverage()


class _House:
    """The agents that were met, and what was seen of them."""

    def __init__(self) -> None:
        self._scenarios: dict[str, list[Scenario]] = {}
        self._parts: dict[str, list[Part]] = {}
        self._reached: set[Part] = set()
        self._calls: Counter[Part] = Counter()

    def add(self, record: Mapping[str, Any]) -> None:
        names = [self._known(spot, scenario) for scenario, spot in self._agents_of(record)]
        seen = _Seen()
        seen.add(record["turns"])
        for part in [part for name in names for part in self._parts[name]]:
            if seen.has(part):
                self._reached.add(part)
            if part.sort == "step":
                self._calls[part] += seen.calls[part.flow, part.name]

    def coverage(self) -> Coverage:
        parts = tuple(part for name in self._parts for part in self._parts[name])
        return Coverage(parts=parts, reached=frozenset(self._reached), calls=dict(self._calls))

    def _agents_of(self, record: Mapping[str, Any]) -> Iterator[tuple[Scenario, Spot]]:
        """The agent of a scenario, and those that took over from it."""
        file = record["file"]
        if file not in self._scenarios:
            self._scenarios[file] = list(read_scenario(load_document(Path(file))))
        for scenario in self._scenarios[file]:
            if scenario.title == record["scenario"]:
                yield scenario, scenario.agent
                yield from ((scenario, turn.agent) for turn in scenario.turns if turn.agent)

    def _known(self, spot: Spot, scenario: Scenario) -> str:
        """The name of an agent; its parts are worked out when it is first met."""
        source = load_agent(spot, stubs=scenario.stubs)
        name = str(source.spot.source.path)
        if isinstance(source.spot.value, str):
            name = source.spot.value
        if name not in self._parts:
            self._parts[name] = list(parts_of(name, source.build().agent))
        return name


class AgentCoverage:
    """What conversations with one agent have reached so far."""

    def __init__(self, name: str, agent: Agent) -> None:
        self._parts = tuple(parts_of(name, agent))
        self._seen = _Seen()

    def add(self, turns: Iterable[TurnRecord]) -> None:
        """Look at the turns of one more conversation."""
        for turn in turns:
            self._seen.add([{"result": msgspec.to_builtins(turn.result)}])

    def coverage(self) -> Coverage:
        """All of it."""
        return Coverage(
            parts=self._parts,
            reached=frozenset(part for part in self._parts if self._seen.has(part)),
            calls={
                part: self._seen.calls[part.flow, part.name]
                for part in self._parts
                if part.sort == "step"
            },
        )


# --- what was seen ------------------------------------------------------------------------------


class _Seen:
    """What turns have touched."""

    def __init__(self) -> None:
        self.calls: Counter[tuple[str, str]] = Counter()
        self._steps: set[tuple[str, str]] = set()
        self._led: set[tuple[str, str, str | None]] = set()
        self._started: set[tuple[str, str]] = set()
        self._fields: set[str] = set()

    def add(self, turns: Iterable[Mapping[str, Any]]) -> None:
        """Look at some more turns, as a trace has them."""
        for turn in turns:
            if turn["result"] is not None:
                self._look(turn["result"])

    def _look(self, result: Mapping[str, Any]) -> None:
        self._fields.update(result["session"]["data"])
        for run in [*result["session"]["runs"], *result["ended"]]:
            self._started.add((run["flowId"], run["trigger"]["kind"]))
            self._steps.update((run["flowId"], step) for step in run["visits"])
        for line in result["outcomes"]:
            step = (line.get("flowId", ""), line.get("stepId", ""))
            self._led.add((*step, line.get("next")))
            self.calls[step] += line.get("llmCalls", 0)

    def has(self, part: Part) -> bool:
        """Whether a part was reached."""
        match part.sort:
            case "step":
                return (part.flow, part.name) in self._steps
            case "trigger":
                return (part.flow, part.name) in self._started
            case "field":
                return part.name in self._fields
            case _:
                step, _, target = part.name.partition(" -> ")
                return (part.flow, step, None if target == NEXT else target) in self._led


# --- in words -----------------------------------------------------------------------------------


def coverage_lines(coverage: Coverage, *, calls: bool = True) -> Iterator[str]:
    """The coverage as it is printed: the sums, what was never reached, what each step cost.

    Without `calls`, the costs are left out.
    """
    sums = ", ".join(_sum(sort, *coverage.of(sort)) for sort in SORTS)
    yield f"reached: {sums}  ({coverage.percent:.1f} %)"
    for part in coverage.missed:
        where = f"{part.flow}: " if part.flow else ""
        yield f"  never reached  {part.agent}: {where}{part.sort} {part.name}"
    for part, made in coverage.calls.items() if calls else ():
        if made:
            noun = "call" if made == 1 else "calls"
            yield f"  {made:>5} {noun:<5}    {part.agent}: {part.flow}: step {part.name}"


def _sum(sort: Sort, reached: int, every: int) -> str:
    plural = "branches" if sort == "branch" else f"{sort}s"
    return f"{reached} of {every} {plural}"
