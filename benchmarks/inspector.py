"""How long the inspector takes to open a long trace, to step through it, and to scroll.

    python -m benchmarks.inspector [TURNS]

Writes a trace of so many turns (5,000 unless said otherwise), opens it as `falai tui` does, and
prints milliseconds: open, then the median and the slowest of 200 steps, of 200 jumps all over the
play with each tab in turn, and of 200 lines scrolled. Goals: open under 2,000, a step under 50.
"""

import asyncio
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import perf_counter

import msgspec
from msgspec.structs import replace

from simulator.load import load_document
from simulator.options import PlayOptions
from simulator.play import play
from simulator.reading import read_scenario
from simulator.trace import TurnRecord, trace_of
from tui.app import Inspector
from tui.screens.inspect import InspectScreen
from tui.widgets.lines import Lines

SCENARIO = Path(__file__).parents[1] / "scenarios" / "03-triage-asks-again.yaml"
ROUNDS = 200
TABS = ("state", "outcomes", "prompt", "calls", "wakes", "checks", "flow")


def long_trace(turns: int) -> bytes:
    """A trace in which one conversation is had over and over, each time in a session of its own."""
    [scenario] = read_scenario(load_document(SCENARIO))
    record = asyncio.run(play(scenario, PlayOptions(phases=True)))
    repeated = [_copy(record.turns[at % len(record.turns)], at) for at in range(turns)]
    return msgspec.json.encode(trace_of([replace(record, turns=repeated)]))


def _copy(turn: TurnRecord, at: int) -> TurnRecord:
    session = f"s{at // 5}"
    return replace(turn, entry=str(at + 1), input={**turn.input, "sessionId": session})


def times_of(act: Callable[[int], Awaitable[None] | None]) -> list[float]:
    """Milliseconds of each round of something that draws."""
    taken: list[float] = []
    for number in range(ROUNDS):
        began = perf_counter()
        act(number)
        taken.append((perf_counter() - began) * 1000)
    return taken


async def measure(file: Path) -> None:
    began = perf_counter()
    app = Inspector(file)
    async with app.run_test(size=(160, 45)) as pilot:
        while not isinstance(app.screen, InspectScreen):
            await pilot.pause(0.005)
        await pilot.pause()
        told("open", [(perf_counter() - began) * 1000])
        screen = app.screen
        steps = len(screen.sitting.subject.timeline)

        def step(_: int) -> None:
            screen.sitting.cursor.step(1)
            screen.draw()

        def jump(number: int) -> None:
            screen.tab = TABS[number % len(TABS)]
            screen.sitting.cursor.go(number * 7919 % steps)
            screen.draw()

        def scroll(number: int) -> None:
            pane = screen.query_one("#turns", Lines)
            pane.show(pane.lines, row=number * 20)
            for y in range(pane.size.height):
                pane.render_line(y)

        told("step", times_of(step))
        told("jump", times_of(jump))
        told("search", [searched(screen)])
        told("scroll", times_of(scroll))


def searched(screen: InspectScreen) -> float:
    began = perf_counter()
    screen.sitting.search("conta de luz")
    return (perf_counter() - began) * 1000


def told(what: str, taken: list[float]) -> None:
    slowest = f"  slowest {max(taken):8.1f}" if len(taken) > 1 else ""
    print(f"{what:<7} {statistics.median(taken):8.1f} ms{slowest}")  # noqa: T201 - its result


def main() -> None:
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "long.json"
        file.write_bytes(long_trace(turns))
        told("size MB", [file.stat().st_size / 1_000_000])
        asyncio.run(measure(file))


if __name__ == "__main__":
    main()
